//! Checks of links against their layer.

use glam::Vec2;

use super::error::MeshError;
use super::fall::Fall;
use super::grid::Grid;
use super::ids::PlatformId;
use super::link::{Link, LinkKind};
use super::platform::{Platform, Platforms};
use super::profile::AgentProfile;

/// How much faster than its agent a link may be, for rounding: speeds are f32, and
/// positions may be far from the origin.
pub(crate) const SPEED_SLACK: f32 = 1.01;

/// Checks every link and sets its duration to that of its trajectory.
pub(super) fn check_links(
    links: &mut [Link],
    platforms: &Platforms,
    profile: &AgentProfile,
    grid: &Grid,
) -> Result<(), MeshError> {
    let mut last = PlatformId(0);
    // Positions are f32 and surfaces are interpolated: at the greatest grid
    // coordinate, 2^21 spacings, f32 has steps of 1/4 spacing; in levels of
    // usual size the error stays far below 1/100.
    let slack = grid.spacing * 1e-2 + profile.step_height;
    let (fall, down) = (Fall::from(profile), grid.y_axis.down());
    let bounds: Vec<Bounds> = platforms.iter().map(|p| Bounds::new(&p, slack)).collect();
    for (number, link) in links.iter_mut().enumerate() {
        let bad = |what| MeshError::of("link", number, what);
        let of = |platform: PlatformId| bounds.get(platform.index());
        let (Some(from), Some(to)) = (of(link.from_platform), of(link.to_platform)) else {
            return Err(bad("joins a platform that does not exist"));
        };
        if link.from_platform < last {
            return Err(bad("is out of order"));
        }
        last = link.from_platform;
        let on = |bounds: &Bounds, id, position| {
            let holds = |platform: Platform<'_>| platform.holds(position, slack);
            bounds.contain(position) && (bounds.are_enough || platforms.get(id).is_some_and(holds))
        };
        if !on(from, link.from_platform, link.from) || !on(to, link.to_platform, link.to) {
            return Err(bad("does not end on its platforms"));
        }
        link.duration = if link.kind.is_airborne() {
            let duration = link.params.duration(link.from, link.to, fall, down);
            duration.map_err(|error| format!("link {number}: {error}"))? as f32
        } else {
            let seconds = link.params.steady_seconds();
            seconds.ok_or_else(|| bad("has the launches or legs of a flight"))?
        };
        if !(0.0..=f32::MAX).contains(&link.tolerance) {
            return Err(bad("has a tolerance that is negative or not finite"));
        }
        if let Some(what) = exceeds(link, profile, slack) {
            return Err(bad(what));
        }
    }
    Ok(())
}

/// What in a link is more than its agent can do.
fn exceeds(link: &Link, profile: &AgentProfile, slack: f32) -> Option<&'static str> {
    if !profile.edges.contains(link.kind.edge()) {
        return Some("is of a kind that its agent cannot use");
    }
    if !(0.0..=f32::MAX).contains(&link.duration) {
        return Some("takes a time that is negative or not finite");
    }
    // The duration of a portal is a cost, not the time of a motion.
    if link.kind == LinkKind::Portal {
        return None;
    }
    let speed = if link.kind.is_airborne() {
        let (launch, across) = link.params.top_speeds();
        if launch > profile.jump_speed * SPEED_SLACK {
            return Some("leaves the floor faster than its agent can jump");
        }
        if across > f64::from(profile.run_speed * SPEED_SLACK) {
            return Some("moves across faster than its agent");
        }
        profile.run_speed
    } else {
        profile.run_speed.max(profile.climb_speed)
    };
    let across = (link.to.x - link.from.x).abs();
    // The last leg is not stored. It may be fast enough to reach the landing, but no faster on
    // the whole than its agent.
    (across > speed * SPEED_SLACK * link.duration + slack).then_some("is faster than its agent")
}

/// Where positions may be that are on a surface.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    min: Vec2,
    max: Vec2,
    /// Whether they are all that a check needs, as for most surfaces: those that are
    /// straight and level, or upright.
    are_enough: bool,
}

impl Bounds {
    fn new(platform: &Platform<'_>, slack: f32) -> Self {
        let (mut min, mut max) = (platform.left(), platform.left());
        for &point in platform.surface {
            (min, max) = (min.min(point), max.max(point));
        }
        let is_upright = platform.kind.is_upright();
        let are_enough = is_upright || min.y == max.y;
        let around = if is_upright { Vec2::X } else { Vec2::Y } * slack;
        (min, max) = (min - around, max + around);
        Self {
            min,
            max,
            are_enough,
        }
    }

    /// False for positions that are not finite.
    #[inline]
    fn contain(&self, Vec2 { x, y }: Vec2) -> bool {
        self.min.x <= x && x <= self.max.x && self.min.y <= y && y <= self.max.y
    }
}
