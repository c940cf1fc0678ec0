//! Stage 7: the exact arc of a move, checked on continuous time.

use glam::DVec2;
use navmesh_runtime::mesh::{self, Trajectory, TrajectoryParams};

use super::slabs_clear;
use super::{FunnelGate, Launch, Leave, Legs, Place, Scratch, TakeOff, World, fewest_legs};
use crate::geometry::{BodySpace, is_clear};

/// How far over the limit a speed may be for the rounding of f32.
const SPEED_SLACK: f64 = 1.0 + 1e-6;

/// An arc that has been checked, and the program that makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checked {
    /// What the asset stores.
    pub program: TrajectoryParams,
    /// The motion.
    pub arc: Trajectory,
    /// Whether it falls through the one-way platform it starts on.
    pub through: bool,
}

/// Draws and checks arcs for one agent.
pub struct ArcSolver<'a> {
    /// What moves are found in.
    pub world: &'a World<'a>,
    /// The true geometry.
    pub space: &'a dyn BodySpace,
}

impl ArcSolver<'_> {
    /// The least time any jump between two places can take: the time to run
    /// the distance, or to fall (or, in reverse, to rise) the height,
    /// whichever is longer.
    pub fn direct_duration(&self, from: &Place, to: &Place) -> f64 {
        let limits = self.world.limits;
        let across = (to.x - from.x).abs() / limits.run_speed;
        let height = (2.0 * (to.y - from.y).abs() / limits.gravity).sqrt();
        across.max(height)
    }

    /// The direct jump: constant speed across, over in
    /// [`direct_duration`](Self::direct_duration). With `rise` upwards,
    /// `T = max(|dx| / v, sqrt(2|rise| / g))` and `vy = (rise + ½gT²) / T`.
    pub fn direct_jump(&self, scratch: &Scratch, place: usize, to: &Place) -> Option<Checked> {
        let from = &self.world.places.all()[place];
        let limits = self.world.limits;
        if !limits.jumps() || !self.world.within_limits(from, to, true) {
            return None;
        }
        let duration = self.direct_duration(from, to);
        if duration <= 0.0 {
            return None;
        }
        let rise = from.y - to.y;
        let speed = (rise + 0.5 * limits.gravity * duration * duration) / duration;
        // Rounding down would make the jump a hair too short to be in time.
        let speed = (speed as f32).next_up();
        if speed <= 0.0 || f64::from(speed) > limits.jump_speed * SPEED_SLACK {
            return None;
        }
        let program = TrajectoryParams::new(
            &[mesh::Launch {
                time: 0.0,
                speed: speed.into(),
            }],
            &[],
        )
        .ok()?;
        self.check(scratch, place, to, program, false)
    }

    /// The arc of a move: one leg if one is enough, or as few as will do.
    pub fn draw(
        &self,
        scratch: &mut Scratch,
        portals: &mut Vec<FunnelGate>,
        from: usize,
        q: &Place,
        launch: Launch,
    ) -> Option<Checked> {
        let p = &self.world.places.all()[from];
        let take_off = self.world.take_off(from, launch);
        let through = launch.leave == Leave::Through;
        let straight = straight(p, q, &take_off)
            .and_then(|program| self.check(scratch, from, q, program, through));
        if straight.is_some() || !self.world.limits.air_control {
            return straight;
        }
        if !self.world.portals(scratch, from, q, launch, portals) {
            return None;
        }
        let legs = fewest_legs(portals, self.world.limits.run_speed)?;
        let program = program(&take_off, &legs)?;
        self.check(scratch, from, q, program, through)
    }

    /// [`draw`](Self::draw), and where that arc fails on slanted ground, the
    /// same with each higher launch.
    pub fn draw_or_higher(
        &self,
        scratch: &mut Scratch,
        portals: &mut Vec<FunnelGate>,
        from: usize,
        to: &Place,
        launch: Launch,
    ) -> Option<Checked> {
        let found = self.draw(scratch, portals, from, to, launch);
        let (Leave::Up(speed), []) = (launch.leave, launch.air()) else {
            return found;
        };
        found.or_else(|| {
            let mut launches = Vec::new();
            self.world.launches(from, &mut launches);
            launches
                .into_iter()
                .filter(|higher| higher.air().is_empty() && higher.speed() > speed)
                .find_map(|higher| self.draw(scratch, portals, from, to, higher))
        })
    }

    /// Whether a program is an arc between two places that keeps every limit
    /// and hits nothing, as the runtime will move it.
    pub(super) fn check(
        &self,
        scratch: &Scratch,
        place: usize,
        to: &Place,
        program: TrajectoryParams,
        through: bool,
    ) -> Option<Checked> {
        let from = &self.world.places.all()[place];
        let limits = self.world.limits;
        let arc = program
            .trajectory(to.x - from.x, from.y - to.y, limits.fall)
            .ok()?;
        let launched = arc
            .launches()
            .iter()
            .all(|launch| launch.speed <= limits.jump_speed * SPEED_SLACK);
        if !launched
            || arc.top_speed() > limits.run_speed * SPEED_SLACK
            || arc.velocity(arc.duration()).y > 1e-3
        {
            return None;
        }
        let start = DVec2::new(from.x, from.y);
        let slabs = self.world.slabs_around(scratch, place);
        let clear = match slabs_clear(slabs, start, &arc, self.space.skin()) {
            Some(false) => false,
            Some(true) if !slabs.has_one_way() => true,
            _ => is_clear(self.space, start, &arc, through),
        };
        clear.then_some(Checked {
            program,
            arc,
            through,
        })
    }
}

/// One leg from take-off to landing.
fn straight(from: &Place, to: &Place, take_off: &TakeOff) -> Option<TrajectoryParams> {
    let start = take_off.first().start;
    let fall = take_off.last().falling_at(to.y) - start;
    let level = (take_off.x - from.x).abs();
    if fall <= 0.0 {
        return None;
    }
    if level == 0.0 {
        return TrajectoryParams::new(&launches(take_off, start), &[]).ok();
    }
    // Level at the very speed of the fall, until the edge is behind.
    let speed = (to.x - take_off.x) / fall;
    if speed * (take_off.x - from.x) <= 0.0 {
        return None;
    }
    TrajectoryParams::new(&launches(take_off, level / speed.abs()), &[]).ok()
}

/// The launches of a take-off, the first of them at a time.
fn launches(take_off: &TakeOff, first: f64) -> Vec<mesh::Launch> {
    let start = take_off.first().start;
    let flights = take_off.flights().iter();
    flights
        .map(|f| mesh::Launch {
            time: f.start - start + first,
            speed: f.speed,
        })
        .collect()
}

/// The program of a take-off and its legs: all but the last are stored.
fn program(take_off: &TakeOff, legs: &Legs) -> Option<TrajectoryParams> {
    let stored: Vec<mesh::Leg> = legs
        .iter()
        .take(legs.len().saturating_sub(1))
        .map(|&[duration, speed]| mesh::Leg { duration, speed })
        .collect();
    TrajectoryParams::new(&launches(take_off, take_off.first().start), &stored).ok()
}
