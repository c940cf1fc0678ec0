//! Going through portals. Features I8, A6, A8, A9.

use glam::Vec2;

use super::agent::{Mode, NavAgent};
use super::{AgentEvent, Runner};
use crate::mesh::{Link, PlatformId};

/// A way through a portal that has begun. Like a jump, it is finished before
/// anything else is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Passage {
    pub(super) from: Vec2,
    pub(super) to: Vec2,
    platform: PlatformId,
    /// Seconds until it is at the other end.
    left: f64,
}

impl NavAgent {
    /// Goes into a portal, standing at its entrance.
    pub(super) fn enter_portal(&mut self, link: &Link) {
        let (from, to) = (link.from, link.to);
        self.mode = Mode::InPortal(Passage {
            from,
            to,
            platform: link.to_platform,
            left: f64::from(link.duration),
        });
        self.cursor += 1;
        self.events.push(AgentEvent::EnteredPortal { from, to });
    }

    /// Waits at the entrance, and is at the exit when the time is over. The
    /// seconds that are left.
    pub(super) fn pass_portal(&mut self, seconds: f64) -> f64 {
        let Mode::InPortal(passage) = &mut self.mode else {
            return seconds;
        };
        if seconds < passage.left {
            passage.left -= seconds;
            return 0.0;
        }
        let Passage {
            from,
            to,
            platform,
            left,
        } = *passage;
        let runner = Runner {
            at: f64::from(to.x),
            velocity: 0.0,
        };
        self.mode = Mode::Ground(platform, runner);
        self.position = to;
        self.events.push(AgentEvent::Teleported { from, to });
        seconds - left
    }
}
