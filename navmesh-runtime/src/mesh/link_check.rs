//! Checks of links against their layer.

use glam::Vec2;

use super::edge_set::EdgeSet;
use super::error::MeshError;
use super::fall::Fall;
use super::grid::Grid;
use super::ids::PlatformId;
use super::link::{Link, StepKind};
use super::platform::{Platform, PlatformKind, Platforms};
use super::profile::AgentProfile;

/// How much faster than its agent a link may be, for rounding: speeds are f32, and
/// positions may be far from the origin.
pub const SPEED_SLACK: f32 = 1.01;

/// Checks the links of a layer, platform by platform.
pub struct LinkCheck<'a> {
    platforms: &'a Platforms,
    surfaces: Vec<Surface>,
    profile: &'a AgentProfile,
    fall: Fall,
    down: f32,
    slack: f32,
    /// The number of motions so far.
    motions: u32,
}

impl<'a> LinkCheck<'a> {
    pub fn new(platforms: &'a Platforms, profile: &'a AgentProfile, grid: &Grid) -> Self {
        // Positions are f32 and surfaces are interpolated: at the greatest grid
        // coordinate, 2^21 spacings, f32 has steps of 1/4 spacing; in levels of
        // usual size the error stays far below 1/100.
        let slack = grid.spacing * 1e-2 + profile.step_height;
        Self {
            platforms,
            surfaces: platforms.iter().map(|p| Surface::new(&p, slack)).collect(),
            profile,
            fall: Fall::from(profile),
            down: grid.y_axis.down(),
            slack,
            motions: 0,
        }
    }

    /// Checks links from one platform, the first of which has the number `first`, and sets
    /// their durations to those of their trajectories. `motions` has the number of each link's
    /// motion, in the order in which links first have them; it is empty if every link has
    /// its own.
    pub fn check(
        &mut self,
        first: usize,
        links: &mut [Link],
        motions: &[u32],
    ) -> Result<(), MeshError> {
        let from = links.first().map(|link| link.from_platform);
        let from = from.and_then(|from| self.surfaces.get(from.index()));
        // In two loops, because the processor works on more links at a time if loops are short.
        for (number, link) in (first..).zip(&*links) {
            let bad = |what| MeshError::of("link", number, what);
            let to = self.surfaces.get(link.to_platform.index());
            let (Some(from), Some(to)) = (from, to) else {
                return Err(bad("joins a platform that does not exist"));
            };
            let from_is_on = from.holds(self, link.from_platform, link.from);
            if !from_is_on || !to.holds(self, link.to_platform, link.to) {
                return Err(bad("does not end on its platforms"));
            }
            let motion = motions.get(number);
            if motion.is_none_or(|&motion| motion == self.motions) {
                self.motions += 1;
                self.check_motion(link).map_err(bad)?;
            }
        }
        for (number, link) in (first..).zip(links) {
            let bad = |what| MeshError::of("link", number, what);
            let (duration, speed) = if link.kind.is_airborne() {
                let duration = (link.params).duration(link.from, link.to, self.fall, self.down);
                let duration = duration.map_err(|error| format!("link {number}: {error}"))?;
                (duration as f32, self.profile.run_speed)
            } else {
                let speed = self.profile.run_speed.max(self.profile.climb_speed);
                (link.params.steady_seconds().unwrap_or_default(), speed)
            };
            if !(0.0..=f32::MAX).contains(&duration) {
                return Err(bad("takes a time that is negative or not finite"));
            }
            // The last leg is not stored. It may be fast enough to reach the landing, but no
            // faster on the whole than its agent. The duration of a portal is a cost, not the
            // time of a motion.
            let across = (link.to.x - link.from.x).abs();
            let is_fast = across > speed * SPEED_SLACK * duration + self.slack;
            if is_fast && link.kind != StepKind::Portal {
                return Err(bad("is faster than its agent"));
            }
            link.duration = duration;
        }
        Ok(())
    }

    /// What in the motion of a link is more than the agent can do, wherever it leads.
    #[inline]
    fn check_motion(&self, link: &Link) -> Result<(), &'static str> {
        let is_link = StepKind::LINKS.contains(&link.kind);
        if !is_link || !self.profile.edges.contains(link.kind.edge()) {
            return Err("is of a kind that its agent cannot use");
        }
        if !(0.0..=f32::MAX).contains(&link.tolerance) {
            return Err("has a tolerance that is negative or not finite");
        }
        if link.kind.is_airborne() {
            let (launch, across) = link.params.top_speeds();
            let is_jump = link.kind != StepKind::Spring;
            if is_jump && launch > self.profile.jump_speed * SPEED_SLACK {
                return Err("leaves the floor faster than its agent can jump");
            }
            if across > f64::from(self.profile.run_speed * SPEED_SLACK) {
                return Err("moves across faster than its agent");
            }
        } else if link.params.steady_seconds().is_none() {
            return Err("has the launches or legs of a flight");
        }
        Ok(())
    }

    /// The surface of a platform of a link that was checked.
    #[inline]
    pub fn surface(&self, platform: PlatformId) -> &Surface {
        &self.surfaces[platform.index()]
    }
}

/// A platform, as far as links need it.
#[derive(Debug, Clone, Copy)]
pub struct Surface {
    pub kind: PlatformKind,
    /// The kind of edge that an agent must have to stay there; none for a floor.
    pub needs: EdgeSet,
    /// The box of all positions that are on it.
    min: Vec2,
    max: Vec2,
    /// Whether all positions in the box are on it, as for most surfaces: those that are
    /// straight and level, or upright.
    is_box: bool,
}

impl Surface {
    fn new(platform: &Platform<'_>, slack: f32) -> Self {
        let kind = platform.kind;
        let (mut min, mut max) = (platform.left(), platform.left());
        for &point in platform.surface {
            (min, max) = (min.min(point), max.max(point));
        }
        let around = if kind.is_upright() { Vec2::X } else { Vec2::Y } * slack;
        Self {
            kind,
            needs: match kind {
                PlatformKind::Floor => EdgeSet::NONE,
                kind => kind.edge(),
            },
            is_box: kind.is_upright() || min.y == max.y,
            min: min - around,
            max: max + around,
        }
    }

    /// Whether a position is on it. False for positions that are not finite.
    #[inline]
    fn holds(&self, check: &LinkCheck<'_>, id: PlatformId, position: Vec2) -> bool {
        let Vec2 { x, y } = position;
        let is_near = self.min.x <= x && x <= self.max.x && self.min.y <= y && y <= self.max.y;
        is_near && (self.is_box || is_on(check.platforms, id, position, check.slack))
    }
}

/// Rarely needed, so it is no part of the loop that calls it.
#[inline(never)]
fn is_on(platforms: &Platforms, id: PlatformId, position: Vec2, slack: f32) -> bool {
    let platform = platforms.get(id);
    platform.is_some_and(|platform| platform.holds(position, slack))
}
