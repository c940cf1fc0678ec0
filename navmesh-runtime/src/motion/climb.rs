//! Following a route on ladders, walls and ceilings: at one speed, and at rest
//! at once. Features A5, A6, A8, A9.

use glam::{DVec2, Vec2};

use super::agent::{Mode, NavAgent};
use super::{AgentEvent, Ballistic, Environment, PathLostReason, Runner};
use crate::mesh::{Layer, Link, PlatformId, PlatformKind};
use crate::search::StepKind;

/// An agent that holds on to something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Climber {
    /// What it holds on to: a platform that is no floor.
    pub(super) on: PlatformId,
    /// Feet, world units.
    pub(super) at: DVec2,
    /// Units/s.
    pub(super) velocity: DVec2,
}

impl NavAgent {
    /// Is on a platform from now on, whatever it is made of, with a velocity
    /// across.
    pub(super) fn hold(&mut self, layer: &Layer, platform: PlatformId, at: Vec2, velocity: f64) {
        let kind = layer.platform(platform).map(|p| p.kind());
        self.position = at;
        self.mode = if kind.is_none_or(|kind| kind == PlatformKind::Floor) {
            let at = f64::from(at.x);
            Mode::Ground(platform, Runner { at, velocity })
        } else {
            Mode::Climbing(Climber {
                on: platform,
                at: at.as_dvec2(),
                velocity: DVec2::ZERO,
            })
        };
    }

    /// Goes on from what it holds on to. The seconds that are left.
    pub(super) fn climb(&mut self, world: Environment<'_>, climber: Climber, seconds: f64) -> f64 {
        let layer = world.layer;
        let still = Climber {
            velocity: DVec2::ZERO,
            ..climber
        };
        self.mode = Mode::Climbing(still);
        let Some(&step) = self.route.get(self.cursor) else {
            self.arrive(climber.at.as_vec2());
            return 0.0;
        };
        match (step.kind, step.link.and_then(|id| layer.link(id))) {
            (kind, None) if kind.is_climb() && step.platform == Some(climber.on) => {
                let left = self.climb_to(still, step.to, seconds);
                if left.is_some() {
                    self.cursor += 1;
                }
                left.unwrap_or(0.0)
            }
            (kind, Some(link)) if link.from_platform == climber.on => {
                if climber.at.as_vec2() != link.from {
                    let left = self.climb_to(still, link.from, seconds);
                    return left.unwrap_or(0.0);
                }
                if self.holds {
                    return 0.0;
                }
                match kind {
                    StepKind::Portal => self.enter_portal(link),
                    kind if kind.is_climb() => return self.change_hold(layer, link, seconds),
                    kind if kind.is_airborne() => self.leap(layer, link, kind),
                    _ => self.lose(PathLostReason::Level),
                }
                seconds
            }
            _ => {
                self.lose(PathLostReason::Level);
                seconds
            }
        }
    }

    /// Leaves a platform along the arc of a link.
    pub(super) fn leap(&mut self, layer: &Layer, link: &Link, kind: StepKind) {
        match Ballistic::along(link, layer, &self.profile) {
            Ok(arc) => {
                self.mode = Mode::Airborne(arc, kind, link.to_platform);
                self.cursor += 1;
                let (from, to) = (link.from, link.to);
                self.events.push(if kind == StepKind::Jump {
                    AgentEvent::Jumped { from, to }
                } else {
                    AgentEvent::Dropped { from, to }
                });
            }
            Err(_) => self.lose(PathLostReason::Limits),
        }
    }

    /// Steps onto what a link leads to: from the floor onto a ladder, from a
    /// wall onto a ceiling. The ends touch, so it is there at once; the
    /// seconds that the link takes are spent all the same.
    pub(super) fn change_hold(&mut self, layer: &Layer, link: &Link, seconds: f64) -> f64 {
        self.hold(layer, link.to_platform, link.to, 0.0);
        self.cursor += 1;
        seconds - f64::from(link.duration)
    }

    /// Climbs straight to a position. The seconds that are left when it is
    /// there.
    fn climb_to(&mut self, climber: Climber, to: Vec2, seconds: f64) -> Option<f64> {
        // An agent may lose its ability to climb while it holds on.
        let speed = f64::from(self.profile.climb_speed.max(f32::MIN_POSITIVE));
        let way = to.as_dvec2() - climber.at;
        let needed = way.length() / speed;
        if needed <= seconds {
            self.mode = Mode::Climbing(Climber {
                at: to.as_dvec2(),
                ..climber
            });
            return Some(seconds - needed);
        }
        let velocity = way.normalize_or_zero() * speed;
        self.mode = Mode::Climbing(Climber {
            at: climber.at + velocity * seconds,
            velocity,
            ..climber
        });
        None
    }
}
