//! The exact trajectory of a move, checked on continuous time.

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

/// A trajectory that keeps every limit and hits nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CheckedTrajectory {
    /// What the asset stores.
    pub(crate) params: TrajectoryParams,
    /// The motion.
    pub(crate) trajectory: Trajectory,
    /// Whether it drops through the one-way platform it starts on.
    pub(crate) through: bool,
}

/// Finds and checks trajectories for one agent.
pub(crate) struct TrajectorySolver<'a> {
    pub(crate) finder: &'a MoveFinder<'a>,
    pub(crate) space: &'a dyn ConfigurationSpace,
}

impl TrajectorySolver<'_> {
    /// The least time that any jump between two positions can take: the time to
    /// run the distance, or to fall (or in reverse, to rise) the height,
    /// whichever is longer.
    pub(crate) fn direct_duration(&self, from: &Endpoint, to: &Endpoint) -> f64 {
        let limits = self.finder.limits;
        let across = (to.x - from.x).abs() / limits.run_speed;
        let height = (2.0 * (to.y - from.y).abs() / limits.gravity).sqrt();
        across.max(height)
    }

    /// The direct jump: one horizontal speed, and a duration T of
    /// [`direct_duration`](Self::direct_duration). Its upward speed at take-off
    /// is `(rise + ½gT²) / T`.
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
        // Rounded up: rounded down, the flight would be too short for the
        // horizontal speed.
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

    /// The same, or where that trajectory hits slanted ground (which slabs know
    /// only roughly), the same with each higher jump.
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
    /// both positions, keep every limit and hit nothing.
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
        // The slabs are in the cache and answer most questions; only the
        // geometry itself answers all of them.
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

    /// The trajectory between two positions, if it keeps the agent's limits on
    /// speed and does not land rising.
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
        // A landing exactly at the apex has a vertical speed of 0 but for
        // rounding.
        let lands = trajectory.velocity(trajectory.duration()).y <= 1e-3;
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
    // It walks at the speed it falls with, until its support ends.
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
