//! How a body steers in the air, jumps there again, and lands.

use glam::DVec2;

use super::air_course::{AirCourse, closing_speed};
use super::airborne::Airborne;
use super::pilot::{BodyCommand, JUMP_WAIT, Pilot, jumps, side_of};
use crate::mesh::{Launch, PlatformId, PlatformKind};
use crate::search::StepKind;

/// Share of the run speed with which a body moves away from a corner at which it hangs.
/// It has half its width to go and must come back to its course, so it is slow.
const AWAY: f64 = 0.25;

impl Pilot<'_> {
    /// Steers in the air.
    pub fn steer_in_air(
        &mut self,
        airborne: Airborne,
        kind: StepKind,
        to: PlatformId,
    ) -> BodyCommand {
        let course = AirCourse::new(airborne, self.air_limits());
        let t = airborne.elapsed();
        let across = course.steer(t, self.x(), self.speed(), self.seconds);
        let mut across = self.round_corner(across);
        let mut next = airborne;
        let is_over = next.advance(self.seconds).is_some();
        if is_over {
            across = self.land_slowly(across, to);
        }
        let at = f64::from(self.body.position.y);
        let vertical = if is_over {
            // On to the floor, if it is not there yet.
            f64::from(airborne.velocity().y)
        } else {
            let needed = (f64::from(next.position().y) - at) / self.seconds;
            self.climb_or_fall(&airborne, needed)
        };
        let velocity = DVec2::new(across, vertical).as_vec2();
        // Jumps in the air.
        let launch = jumps(&airborne).nth(self.memory.launches);
        let due = launch.filter(|launch| self.is_nearest(&airborne, launch.time));
        let jump = due.zip(self.memory.link).map(|(launch, link)| {
            self.memory.launches += 1;
            let up = self.launch_from_here(&airborne, launch);
            self.jump(link, kind, (&airborne, launch), [across, up])
        });
        BodyCommand {
            jump,
            ..BodyCommand::without_jump(velocity)
        }
    }

    /// The velocity across of a body that may hang at the corner that it walked off: a
    /// round one slides down along it, and would stay there if it steered back.
    fn round_corner(&mut self, across: f64) -> f64 {
        let layer = self.layer();
        let link = self.memory.link.and_then(|id| layer.link(id));
        let Some((link, on)) = link
            .filter(|link| link.walks_off())
            .and_then(|link| Some((link, layer.platform(link.from_platform)?)))
            .filter(|(_, on)| on.kind == PlatformKind::Floor)
        else {
            return across;
        };
        let (side, down) = (side_of(on, link), self.down());
        let half = f64::from(0.5 * layer.profile().body[0]);
        let at = self.body.position;
        let depth = f64::from(at.y - link.from.y) * down;
        let beyond = f64::from(at.x - link.from.x) * side;
        if depth > half || beyond > half {
            return across;
        }
        // One that slides along the corner sinks more slowly than it is said to fall; one
        // that falls freely sinks by at least half of it, even in its first step.
        let fallen = f64::from(at.y - self.memory.at.y) * down;
        let falls = f64::from(self.body.velocity.y) * down;
        self.memory.hangs |= fallen < 0.5 * falls * self.memory.steps.last;
        if !self.memory.hangs {
            return across;
        }
        let away = self.speed() * side + self.memory.air_acceleration * self.seconds;
        side * away.min(AWAY * self.air_limits().speed).max(across * side)
    }

    /// The velocity across of a body that lands in this step, if it has to stop before
    /// the end of the platform. It comes down within the step, and moves for all of it.
    fn land_slowly(&self, across: f64, to: PlatformId) -> f64 {
        let Some(on) = self.layer().platform(to) else {
            return across;
        };
        let end = self.inside(on, f64::INFINITY.copysign(across), 0.5);
        let room = ((end - self.x()) * across.signum()).max(0.0);
        let deceleration = self.settings.profile.deceleration.into();
        let most = closing_speed(room, 0.0, deceleration, self.seconds);
        let change = self.memory.air_acceleration * self.seconds;
        let v = self.speed();
        (across.clamp(-most, most)).clamp(v - change, v + change)
    }

    /// How far above the position of a flight at a time the body is.
    fn above(&self, airborne: &Airborne, time: f64) -> f64 {
        let mut planned = *airborne;
        planned.seek(time);
        f64::from(planned.position().y - self.body.position.y) * self.down()
    }

    /// Whether this step is the nearest to a launch in the air: for a body that falls,
    /// to its height, because with the gravity of most engines it falls half a step ahead.
    fn is_nearest(&self, airborne: &Airborne, time: f64) -> bool {
        let mut planned = *airborne;
        // A moment before it, the flight falls or rises as it did.
        planned.seek(time - 1e-4);
        let down = self.down();
        let falling = f64::from(self.body.velocity.y) * down;
        if falling > 0.0 && f64::from(planned.velocity().y) * down > 0.0 {
            let gravity = self.settings.fall(self.layer()).gravity;
            let step = (falling + gravity * self.seconds) * self.seconds;
            return self.above(airborne, time) <= 0.5 * step;
        }
        time <= airborne.elapsed() + 0.5 * self.seconds
    }

    /// The speed of a launch in the air, with which the body gets as high as planned and
    /// stays in the air as long. It gets higher only where the mesh proves that it may.
    fn launch_from_here(&self, airborne: &Airborne, launch: Launch) -> f64 {
        let (down, at) = (self.down(), self.body.position.as_dvec2());
        let gravity = self.settings.fall(self.layer()).gravity;
        let most = f64::from(self.settings.profile.jump_speed).max(launch.speed);
        let above = self.above(airborne, launch.time);
        let squared = launch.speed * launch.speed - 2.0 * gravity * above;
        let as_high = squared.max(0.0).sqrt();
        let left = (airborne.duration() - airborne.elapsed()).max(self.seconds);
        let rise = (at.y - f64::from(airborne.to.y)) * down;
        let as_long = (rise / left + 0.5 * gravity * left).min(most);
        let rises = DVec2::new(self.speed(), -0.5 * down * as_long) * as_long / gravity;
        let (low, high) = (at.min(at + rises), at.max(at + rises));
        let is_free = self
            .settings
            .free_space(self.environment)
            .has_box(low, high);
        let as_long = if is_free {
            as_long
        } else {
            as_long.min(launch.speed)
        };
        as_high.max(as_long).min(most)
    }

    /// The vertical velocity of a flight: the one that it needs, or that of a fall if
    /// something has stopped the body on its way up.
    fn climb_or_fall(&mut self, airborne: &Airborne, needed: f64) -> f64 {
        let down = self.down();
        if needed * down < -1.0 && !self.rises() && self.is_off_height(airborne) {
            self.memory.stopped += self.seconds;
        }
        if self.memory.stopped > JUMP_WAIT {
            self.drop_down().velocity.y.into()
        } else {
            needed
        }
    }
}
