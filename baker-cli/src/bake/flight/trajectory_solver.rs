//! Finds the exact trajectory of a move, and checks it at every moment rather
//! than at samples.

use navmesh_runtime::mesh::{Launch, Leg, Trajectory, TrajectoryParams};

use crate::bake::connection::Endpoint;
use crate::bake::flight::funnel::{FunnelGate, fewest_legs};
use crate::bake::flight::moves::{MoveFinder, SearchBuffers};
use crate::bake::flight::take_off::{Departure, TakeOff};
use crate::bake::flight::vertical_motion::VerticalMotion;
use crate::bake::space::clearance::is_clear_in_slabs;
use crate::geometry::{ConfigurationSpace, is_motion_clear};

/// How far a stored speed may exceed its limit, as a factor: ten times the
/// rounding of f32.
const SPEED_SLACK: f64 = 1.0 + 1e-6;

/// A trajectory that stays within every limit and hits nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CheckedTrajectory {
    /// The parameters that the asset stores.
    pub(crate) params: TrajectoryParams,
    /// The motion with these parameters.
    pub(crate) trajectory: Trajectory,
    /// Whether the body drops through the one-way platform it starts on.
    pub(crate) through: bool,
}

/// Finds and checks trajectories for one agent.
pub(crate) struct TrajectorySolver<'a> {
    pub(crate) finder: &'a MoveFinder<'a>,
    pub(crate) space: &'a dyn ConfigurationSpace,
}

impl TrajectorySolver<'_> {
    /// The least time that any jump between two positions can take: the time to
    /// run the distance across or the time to fall the height from rest,
    /// whichever is longer. Rising takes at least as long as falling, because a
    /// jump must not land while it rises.
    pub(crate) fn direct_duration(&self, from: &Endpoint, to: &Endpoint) -> f64 {
        let limits = self.finder.limits;
        let across = (to.x - from.x).abs() / limits.run_speed;
        let height = (2.0 * (to.y - from.y).abs() / limits.gravity).sqrt();
        across.max(height)
    }

    /// The direct jump: one horizontal speed, in the time T that
    /// [`direct_duration`](Self::direct_duration) returns. Its upward speed at
    /// take-off is `(rise + ½gT²) / T`.
    pub(crate) fn direct_jump(
        &self,
        buffers: &SearchBuffers,
        endpoint: usize,
        to: &Endpoint,
    ) -> Option<CheckedTrajectory> {
        let from = &self.finder.endpoints.all()[endpoint];
        let limits = self.finder.limits;
        if !limits.jumps() || !self.finder.is_within_limits(from, to, true) {
            return None;
        }
        let duration = self.direct_duration(from, to);
        if duration <= 0.0 {
            return None;
        }
        let rise = from.y - to.y;
        let speed = (rise + 0.5 * limits.gravity * duration * duration) / duration;
        // Rounded up, because a shorter flight would need more than the
        // greatest horizontal speed.
        let speed = (speed as f32).next_up();
        if speed <= 0.0 || f64::from(speed) > limits.jump_speed * SPEED_SLACK {
            return None;
        }
        let jump = Launch {
            time: 0.0,
            speed: f64::from(speed),
        };
        let params = TrajectoryParams::new(&[jump], &[]).ok()?;
        self.check(buffers, endpoint, to, params, false)
    }

    /// The trajectory of a move, with as few legs as possible.
    pub(crate) fn solve(
        &self,
        buffers: &mut SearchBuffers,
        gates: &mut Vec<FunnelGate>,
        endpoint: usize,
        to: &Endpoint,
        take_off: TakeOff,
    ) -> Option<CheckedTrajectory> {
        let from = &self.finder.endpoints.all()[endpoint];
        let motion = self.finder.vertical_motion(endpoint, take_off);
        let through = take_off.departure == Departure::DropThrough;
        let one_leg = one_leg(from, to, &motion)
            .and_then(|params| self.check(buffers, endpoint, to, params, through));
        if one_leg.is_some() || !self.finder.limits.air_control {
            return one_leg;
        }
        if !self.finder.funnel(buffers, endpoint, to, take_off, gates) {
            return None;
        }
        let legs = fewest_legs(gates, self.finder.limits.run_speed)?;
        let launches = motion.launches(motion.first().start);
        let params = params_with_legs(&launches, &legs)?;
        self.check(buffers, endpoint, to, params, through)
    }

    /// Like [`solve`](Self::solve). When that finds no trajectory, tries each
    /// higher jump: slabs describe slanted ground only roughly, so the
    /// trajectory of a move can hit it.
    pub(crate) fn solve_with_higher_jumps(
        &self,
        buffers: &mut SearchBuffers,
        gates: &mut Vec<FunnelGate>,
        endpoint: usize,
        to: &Endpoint,
        take_off: TakeOff,
    ) -> Option<CheckedTrajectory> {
        let found = self.solve(buffers, gates, endpoint, to, take_off);
        let (Departure::Jump(speed), []) = (take_off.departure, take_off.air_jumps()) else {
            return found;
        };
        found.or_else(|| {
            let mut take_offs = Vec::new();
            self.finder.take_offs(endpoint, &mut take_offs);
            take_offs
                .into_iter()
                .filter(|higher| higher.air_jumps().is_empty() && higher.speed() > speed)
                .find_map(|higher| self.solve(buffers, gates, endpoint, to, higher))
        })
    }

    /// Checks parameters as the runtime will use them: the trajectory must join
    /// both positions, stay within every limit and hit nothing.
    pub(crate) fn check(
        &self,
        buffers: &SearchBuffers,
        endpoint: usize,
        to: &Endpoint,
        params: TrajectoryParams,
        through: bool,
    ) -> Option<CheckedTrajectory> {
        let from = self.finder.endpoints.all()[endpoint].point();
        let trajectory = self.within_limits(from, to, params)?;
        let slabs = buffers.slabs_around(endpoint);
        // The slabs are in the processor's cache and decide most cases. The
        // others are checked against the geometry itself.
        let clear = match is_clear_in_slabs(slabs, from, &trajectory, self.space.skin()) {
            Some(false) => false,
            Some(true) if !slabs.has_one_way() => true,
            _ => is_motion_clear(self.space, from, &trajectory, through),
        };
        clear.then_some(CheckedTrajectory {
            params,
            trajectory,
            through,
        })
    }

    /// The trajectory between two positions, if it stays within the agent's
    /// limits on speed and does not rise when it lands.
    pub(crate) fn within_limits(
        &self,
        from: glam::DVec2,
        to: &Endpoint,
        params: TrajectoryParams,
    ) -> Option<Trajectory> {
        let limits = self.finder.limits;
        let trajectory = params
            .trajectory(to.x - from.x, from.y - to.y, limits.fall)
            .ok()?;
        let launched = trajectory
            .launches()
            .iter()
            .all(|launch| launch.speed <= limits.jump_speed * SPEED_SLACK);
        // At a landing exactly at the apex, the vertical speed is 0 except for
        // rounding.
        let lands = trajectory.velocity(trajectory.duration).y <= 1e-3;
        let fast = trajectory.top_speed() > limits.run_speed * SPEED_SLACK;
        (launched && lands && !fast).then_some(trajectory)
    }
}

/// Parameters for one horizontal speed from take-off to landing.
pub(crate) fn one_leg(
    from: &Endpoint,
    to: &Endpoint,
    motion: &VerticalMotion,
) -> Option<TrajectoryParams> {
    let fall = motion.last().falling_at(to.y) - motion.first().start;
    let level = (motion.x - from.x).abs();
    if fall <= 0.0 {
        return None;
    }
    if level == 0.0 {
        return TrajectoryParams::new(&motion.launches(motion.first().start), &[]).ok();
    }
    // Until its support ends, the body walks at the horizontal speed that it
    // keeps in the air.
    let speed = (to.x - motion.x) / fall;
    if speed * (motion.x - from.x) <= 0.0 {
        return None;
    }
    TrajectoryParams::new(&motion.launches(level / speed.abs()), &[]).ok()
}

/// Parameters with several legs. The last leg is not stored: it follows from
/// the position of the landing.
pub(crate) fn params_with_legs(launches: &[Launch], legs: &[Leg]) -> Option<TrajectoryParams> {
    let (_, stored) = legs.split_last()?;
    TrajectoryParams::new(launches, stored).ok()
}
