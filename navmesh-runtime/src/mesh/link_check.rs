//! Checks of links against their layer.

use glam::Vec2;

use super::error::MeshError;
use super::fall::Fall;
use super::grid::Grid;
use super::ids::PlatformId;
use super::link::{Link, LinkKind};
use super::platform::{Platform, Platforms};
use super::profile::AgentProfile;
use super::trajectory::Leg;

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
    let bounds: Vec<Bounds> = platforms.iter().map(|p| Bounds::new(&p)).collect();
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
        let on = |bounds: &Bounds, id, position: Vec2| {
            position.is_finite()
                && bounds.hold(position, slack).unwrap_or_else(|| {
                    let platform = platforms.get(id);
                    platform.is_some_and(|platform| platform.holds(position, slack))
                })
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
        if !(link.tolerance.is_finite() && link.tolerance >= 0.0) {
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
    if !(link.duration >= 0.0 && link.duration.is_finite()) {
        return Some("takes a time that is negative or not finite");
    }
    // The duration of a portal is a cost, not the time of a motion.
    if link.kind == LinkKind::Portal {
        return None;
    }
    let speed = if link.kind.is_airborne() {
        let jump_speed = f64::from(profile.jump_speed * SPEED_SLACK);
        let launches = || link.params.launches();
        if launches().any(|launch| launch.speed > jump_speed) {
            return Some("leaves the floor faster than its agent can jump");
        }
        let most = f64::from(profile.run_speed * SPEED_SLACK);
        let start = link.params.start_speed();
        // Stretches of constant acceleration join at the same speed.
        let mut speed = start;
        let is_faster = |leg: Leg| {
            speed = speed.map(|speed| 2.0 * leg.speed - speed);
            leg.speed.abs().max(speed.map_or(0.0, f64::abs)) > most
        };
        if start.is_some_and(|start| start.abs() > most) || link.params.legs().any(is_faster) {
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

/// The rectangle around a surface. Most surfaces are straight and level, upright or
/// not, so that their rectangle is all that a check needs.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    min: Vec2,
    max: Vec2,
    is_upright: bool,
}

impl Bounds {
    fn new(platform: &Platform<'_>) -> Self {
        let (mut min, mut max) = (platform.left(), platform.left());
        for &point in platform.surface {
            (min, max) = (min.min(point), max.max(point));
        }
        Self {
            min,
            max,
            is_upright: platform.kind.is_upright(),
        }
    }

    /// Whether the surface [holds](Platform::holds) a position; `None` where only
    /// the surface itself can decide.
    #[inline]
    fn hold(&self, position: Vec2, slack: f32) -> Option<bool> {
        let (min, max) = (self.min, self.max);
        if self.is_upright {
            let is_along = min.y <= position.y && position.y <= max.y;
            return Some(is_along && (min.x - position.x).abs() <= slack);
        }
        if position.x < min.x || max.x < position.x {
            return Some(false);
        }
        (min.y == max.y).then(|| (min.y - position.y).abs() <= slack)
    }
}
