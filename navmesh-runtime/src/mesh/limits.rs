//! The limits of an agent, as the search and the motion compute with them.

use super::edge_set::EdgeSet;
use super::platform::PlatformKind;
use super::profile::AgentProfile;
use super::trajectory::Trajectory;

/// Relative slack for limits that a link, a trajectory or a curve of a flight meets
/// exactly except for rounding. Positions are `f32`, with seven digits; a smaller
/// slack refuses links that the baker made to the limit, a larger one lets an agent
/// exceed its limits by what a player may see.
pub const SLACK: f64 = 1.0 + 1e-4;

/// A view of two [`AgentProfile`]s: the one that a layer was baked for, and the
/// agent's own, whose limits may be tighter.
///
/// The baker checked every baked link, so a limit applies only where the
/// agent's own one is tighter; otherwise it is infinite here. Limits that are
/// wider than baked do not add links.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Edges that both profiles have.
    pub edges: EdgeSet,
    /// Speed of walking and flying, units/s.
    pub run_speed: f64,
    /// Speed of climbing, units/s.
    pub climb_speed: f64,
    /// How many times faster than baked the agent moves along a baked
    /// trajectory: see `time_scale`.
    pub time_scale: f64,
    /// Greatest horizontal speed in the air, units per baked second.
    pub across: f64,
    /// Greatest launch speed upwards, units per baked second.
    pub up: f64,
    /// Greatest change of horizontal speed in the air, units per baked second²;
    /// only where trajectories were baked for a limit.
    pub air: f64,
    /// Furthest across and highest up that a jump may end.
    pub max_jump: [f32; 2],
    /// Furthest across and deepest down that a drop may end.
    pub max_drop: [f32; 2],
    /// Whether any limit except the edges is tighter than baked.
    pub are_tighter: bool,
}

/// How many times faster than baked an agent under its own gravity moves along
/// a baked trajectory. Under `k²` times the gravity, a launch with `k` times the
/// speed follows the same curve in `1/k` of the time.
pub fn time_scale(own: &AgentProfile, baked: &AgentProfile) -> f64 {
    (f64::from(own.gravity) / f64::from(baked.gravity)).sqrt()
}

impl Limits {
    /// The limits of an agent in a layer that was baked for another profile or
    /// for the same one.
    pub fn new(own: &AgentProfile, baked: &AgentProfile) -> Self {
        let time_scale = time_scale(own, baked);
        // Under more gravity, a baked trajectory needs more speed.
        let faster = time_scale.max(1.0) as f32;
        let tighter = |own: f32, baked: f32| {
            if own < baked * faster {
                f64::from(own) / time_scale
            } else {
                f64::INFINITY
            }
        };
        // Every acceleration grows with the square of the speeds.
        let square = time_scale * time_scale;
        let air = match (own.steering(), baked.steering()) {
            (Some(own), Some(baked)) if own < baked * square.max(1.0) => own / square,
            _ => f64::INFINITY,
        };
        let shorter = |own: [f32; 2], baked: [f32; 2]| {
            let limit = |i: usize| (own[i] < baked[i]).then_some(own[i]);
            [0, 1].map(|axis| limit(axis).unwrap_or(f32::INFINITY))
        };
        // A climb speed of 0 belongs to an agent without edges that are
        // climbed; the least positive number keeps divisions finite.
        let climb_speed = own
            .climb_speed
            .min(baked.climb_speed)
            .max(f32::MIN_POSITIVE);
        let limits = Self {
            edges: own.edges & baked.edges,
            run_speed: f64::from(own.run_speed.min(baked.run_speed)),
            climb_speed: f64::from(climb_speed),
            time_scale,
            across: tighter(own.run_speed, baked.run_speed),
            up: tighter(own.jump_speed, baked.jump_speed),
            air,
            max_jump: shorter(own.max_jump, baked.max_jump),
            max_drop: shorter(own.max_drop, baked.max_drop),
            are_tighter: false,
        };
        let reach = limits.max_jump.iter().chain(&limits.max_drop);
        Self {
            are_tighter: limits.change_motion()
                || climb_speed < baked.climb_speed
                || reach.into_iter().any(|length| length.is_finite()),
            ..limits
        }
    }

    /// Speed along platforms of a kind, units/s.
    pub fn speed_on(&self, kind: PlatformKind) -> f64 {
        match kind {
            PlatformKind::Floor => self.run_speed,
            _ => self.climb_speed,
        }
    }

    /// Whether the agent passes through baked trajectories in another time, or
    /// cannot follow all of them.
    pub fn change_motion(&self) -> bool {
        let mut limits = [self.across, self.up, self.air].into_iter();
        self.time_scale != 1.0 || limits.any(f64::is_finite)
    }

    /// Whether a trajectory stays within the limits on speed and acceleration.
    pub fn allow(&self, trajectory: &Trajectory) -> bool {
        let mut launches = trajectory.launches().iter();
        trajectory.top_speed() <= self.across * SLACK
            && launches.all(|launch| launch.speed.max(0.0) <= self.up * SLACK)
            && (self.air.is_infinite()
                || trajectory.is_smooth() && trajectory.top_acceleration() <= self.air * SLACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_limits_that_are_tighter_than_baked_bind() {
        let baked = AgentProfile::ground("grunt", 16.0);
        let same = Limits::new(&baked, &baked);
        assert!(!same.are_tighter && !same.change_motion());
        assert_eq!((same.across, same.up), (f64::INFINITY, f64::INFINITY));

        let mut fast = baked.clone();
        fast.run_speed *= 2.0;
        fast.max_jump[0] *= 2.0;
        assert_eq!(Limits::new(&fast, &baked), same);

        let mut slow = baked.clone();
        slow.run_speed *= 0.5;
        slow.max_drop[1] *= 0.5;
        slow.edges = EdgeSet::FLOOR | EdgeSet::FLY;
        let limits = Limits::new(&slow, &baked);
        assert!(limits.are_tighter && limits.change_motion());
        assert_eq!(limits.across, f64::from(slow.run_speed));
        assert_eq!(limits.max_drop, [f32::INFINITY, slow.max_drop[1]]);
        assert_eq!(limits.edges, EdgeSet::FLOOR);
    }

    #[test]
    fn more_gravity_needs_more_speed() {
        let baked = AgentProfile::ground("grunt", 16.0);
        let mut heavy = baked.clone();
        heavy.gravity *= 4.0;
        let limits = Limits::new(&heavy, &baked);
        assert_eq!(limits.time_scale, 2.0);
        // In baked time, the agent has half of its launch speed.
        assert_eq!(limits.up, 0.5 * f64::from(baked.jump_speed));
        heavy.run_speed *= 2.0;
        heavy.jump_speed *= 2.0;
        let strong = Limits::new(&heavy, &baked);
        assert_eq!((strong.across, strong.up), (f64::INFINITY, f64::INFINITY));
    }
}
