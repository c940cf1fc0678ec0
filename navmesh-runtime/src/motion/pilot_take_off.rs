//! How a body runs to a take-off and leaves the floor.

use glam::{DVec2, Vec2};

use super::air_course::{AirCourse, closing_speed};
use super::airborne::Airborne;
use super::kinematics::SpeedProfile;
use super::pilot::{BodyCommand, JUMP_WAIT, Pilot, side_of};
use super::report::PathLostReason;
use crate::mesh::{Link, LinkId, Platform};
use crate::random;
use crate::search::StepKind;

/// Run-ups before a body jumps as well as it can.
pub const MAX_RUN_UPS: u8 = 2;
/// Steps that a run-up is longer than it has to be, and in which a body takes care
/// to be at its take-off at the end of a step.
pub const SPARE_STEPS: f64 = 3.0;
/// Greatest number of steps that a body looks ahead on its way to a take-off.
const MAX_STEPS: u32 = 64;
/// Share of its deceleration with which a body slows down before it walks off a
/// platform: in whole steps, it does not always reach the speed it should have.
const GENTLE: f64 = 0.7;

impl Pilot<'_> {
    /// Runs to the take-off of a link, and takes off there.
    pub fn approach(&mut self, platform: Platform<'_>, id: LinkId, link: &Link) -> BodyCommand {
        let Some(airborne) = self.flight(id, link) else {
            self.plan.lose(PathLostReason::Limits, self.events);
            return self.still(platform);
        };
        self.memory.next = Some((id, airborne));
        let course = AirCourse::new(airborne, self.air_limits());
        let wanted = self.take_off_speed(&course, link, platform);
        let (x, v, dt) = (self.x(), self.speed(), self.seconds);
        let late = wanted * self.lateness(id, link);
        // A little inside, where engines count the body as grounded.
        let edges = self.edges(platform, link);
        let at = self.within(edges, f64::from(link.from.x) + late, 0.1);
        if let Some((_, flight, since)) = self.memory.jumping {
            if self.memory.clock - since <= JUMP_WAIT {
                return self.order(id, link, &flight);
            }
            // The body does not jump.
            (self.memory.jumping, self.memory.next) = (None, None);
            self.memory.fail(id, 1);
            self.lose(PathLostReason::Drift);
            return self.still(platform);
        }
        if link.walks_off() {
            return self.walk_off(platform, &course, id, link);
        }
        let ahead = at - x;
        let side = if ahead == 0.0 {
            wanted.signum()
        } else {
            ahead.signum()
        };
        let end = (wanted * side).max(0.0);
        let velocity = self.towards_take_off(platform, at, end);
        let (step, next) = (v.abs() * dt, f64::from(velocity.x) * dt);
        let lip = |side: f64| edges[usize::from(side > 0.0)];
        let last = self.within(edges, lip(side), 0.1);
        let passes_lip = next * side > 0.0 && (x + next - last) * side > 0.0;
        let slop = f64::from(self.slop());
        // Within the tolerance of the link a body may take off as well, if it is
        // beyond the take-off, for instance because it has just landed there.
        let is_beyond = ahead * wanted <= 0.0 && v * wanted >= 0.0;
        let is_displaced = is_beyond && ahead.abs() <= self.displacement(link);
        // The step that is nearest to the take-off, and the last one before the
        // end of the platform.
        let near = (v * side > 0.0 && ahead.abs() <= (ahead - next).abs())
            || ahead.abs() <= 0.1 * slop
            || is_displaced
            || (passes_lip && ahead.abs() <= step + slop);
        if near && self.body.grounded {
            let is_last_try = self.memory.run_ups >= MAX_RUN_UPS;
            let here = self
                .flight_that_lands(link, self.body.position, Some(v))
                .filter(|(_, is_sure)| *is_sure || !self.must_be_sure(link))
                .map(|found| found.0);
            if here.is_some() || is_last_try {
                return self.jump_off(id, link, airborne, here);
            }
        }
        // A body too fast to stop before the end of the platform jumps all the
        // same: the air gives it more time than a fall.
        let stops = self.stops_within((lip(v) - x) * v.signum());
        let is_past = ahead * v < 0.0 && ahead.abs() <= step + slop;
        if self.body.grounded && !stops && (near || is_past) {
            return self.jump_off(id, link, airborne, None);
        }
        if near {
            // A body that has to stand at the take-off goes on to brake.
            if self.body.grounded && (end > 0.0 || step <= 0.25 * slop) {
                return self.begin_run_up(id, platform, at, wanted);
            }
        } else if self.is_too_slow(&course, link, at, end) {
            return self.begin_run_up(id, platform, at, wanted);
        }
        BodyCommand::without_jump(velocity)
    }

    /// Where the floor ends to the left and the right of a take-off: the ends of the
    /// platform, or a step down right beside it.
    fn edges(&self, on: Platform<'_>, link: &Link) -> [f64; 2] {
        let (slop, from) = (self.slop(), link.from);
        let [left, right] = [on.left().x, on.right().x];
        let edge = |side: f32, end: f32| {
            let beside = on.clamp(from.x + side * 0.1 * slop);
            let is_edge = (beside.y - from.y) * self.down() as f32 > slop;
            f64::from(if is_edge {
                from.x.clamp(left, right)
            } else {
                end
            })
        };
        [edge(-1.0, left), edge(1.0, right)]
    }

    /// Whether a body that brakes from this step on stops within some distance.
    fn stops_within(&self, room: f64) -> bool {
        let speeds = SpeedProfile::from(&self.settings.profile);
        let next = (self.speed().abs() - speeds.deceleration * self.seconds).max(0.0);
        let step = next * self.seconds;
        // In equal steps it gets half of the next step less far, in very short ones it
        // does not.
        let gain = if self.memory.steps.is_steady() {
            0.5 * step
        } else {
            0.0
        };
        step + speeds.stopping_distance(next) - gain <= room.max(0.0) + 1e-2
    }

    /// Whether this is the last moment to stop before a take-off that a body reaches
    /// too slowly to land, although it could be as fast as `end`.
    fn is_too_slow(&self, course: &AirCourse, link: &Link, at: f64, end: f64) -> bool {
        let speeds = SpeedProfile::from(&self.settings.profile);
        let (ahead, v) = (at - self.x(), self.speed());
        let side = ahead.signum();
        // As fast as a body that stands is after a step.
        let soon = v.abs().max(speeds.acceleration * self.seconds);
        let is_last_moment = v * side >= 0.0
            && ahead.abs() <= speeds.stopping_distance(soon) + 2.0 * soon * self.seconds;
        let reached = (v * v + 2.0 * speeds.acceleration * ahead.abs()).sqrt();
        is_last_moment
            && reached < end
            && self.memory.run_ups < MAX_RUN_UPS
            && !self.may_land(course, link, at, reached * side)
    }

    /// The velocity towards a take-off, to have a speed there at the end of a
    /// step: a body that is off by half a step misses narrow landings. It slows
    /// down for a moment, if it has to, and then speeds up again. Where the next steps
    /// are not known, it does not: it would slow down in each of them.
    fn towards_take_off(&self, platform: Platform<'_>, at: f64, end: f64) -> Vec2 {
        let (ahead, dt) = (at - self.x(), self.seconds);
        let (side, distance) = (ahead.signum(), ahead.abs());
        let usual = self.towards(platform, at, end);
        let speeds = SpeedProfile::from(&self.settings.profile);
        let now = self.speed() * side;
        if end <= 0.0 || now < 0.0 || distance == 0.0 || !self.memory.steps.is_steady() {
            return usual;
        }
        let (faster, slower) = (speeds.acceleration * dt, speeds.deceleration * dt);
        let approach = |v: f64| v + (end - v).clamp(-slower, faster);
        // How far a body gets in some steps, of which the first has this speed.
        let reach = |first: f64, steps: u32| {
            let speeds = std::iter::successors(Some(first), |v| Some(approach(*v)));
            speeds.take(steps as usize).sum::<f64>() * dt
        };
        let fastest = approach(now);
        let hair = 1e-3 * end * dt;
        // It takes five steps to lose the distance of one, and the speed again.
        let most = (end / faster + SPARE_STEPS).max(8.0) as u32;
        let mut counts = 1..=most.min(MAX_STEPS);
        let Some(steps) = counts.find(|steps| reach(fastest, *steps) >= distance - hair) else {
            return usual;
        };
        let (mut low, mut high) = ((now - slower).max(0.0).min(fastest), fastest);
        for _ in 0..24 {
            let middle = f64::midpoint(low, high);
            if reach(middle, steps) < distance {
                low = middle;
            } else {
                high = middle;
            }
        }
        let across = (side * high) as f32;
        let slope = platform.slope_at(self.body.position.x, across);
        Vec2::new(across, across * slope)
    }

    /// How many seconds late to take off for a link: within its tolerance.
    fn lateness(&mut self, id: LinkId, link: &Link) -> f64 {
        match self.memory.late {
            Some((known, late)) if known == id => late,
            _ => {
                let most = self.memory.timing.jitter.min(link.tolerance.into());
                let late = random::unit(&mut self.memory.timing.seed) * most;
                self.memory.late = Some((id, late));
                late
            }
        }
    }

    /// Begins a jump from where the body is.
    fn jump_off(
        &mut self,
        id: LinkId,
        link: &Link,
        nominal: Airborne,
        here: Option<Airborne>,
    ) -> BodyCommand {
        let safest = || self.safest_flight(link, &nominal);
        let flight = here.or_else(safest).unwrap_or(nominal);
        self.memory.jumping = Some((id, flight, self.memory.clock));
        self.order(id, link, &flight)
    }

    /// The command that begins a flight.
    fn order(&self, link_id: LinkId, link: &Link, flight: &Airborne) -> BodyCommand {
        let kind = StepKind::from(link.kind);
        let course = AirCourse::new(*flight, self.air_limits());
        let across = course.steer(0.0, self.x(), self.speed(), self.seconds);
        let launch = flight.launches().next().unwrap_or_default();
        let gravity = self.settings.fall(self.layer()).gravity;
        let rise = (launch.speed - 0.5 * gravity * self.seconds).max(0.0);
        let vertical = match kind {
            StepKind::Jump => -rise * self.down(),
            _ => 0.0,
        };
        BodyCommand {
            jump: Some(self.jump(link_id, kind, (flight, launch), [across, launch.speed])),
            ..BodyCommand::without_jump(DVec2::new(across, vertical).as_vec2())
        }
    }

    /// Walks off the end of a platform.
    fn walk_off(
        &mut self,
        platform: Platform<'_>,
        course: &AirCourse,
        id: LinkId,
        link: &Link,
    ) -> BodyCommand {
        let side = side_of(platform, link);
        let top = self.air_limits().speed;
        // Slowly enough to follow the course, fast enough to leave the floor.
        let speed = (course.at(0.0)[1] * side).clamp(0.1 * top, top);
        let lip = f64::from(link.from.x);
        let ahead = (lip - self.x()) * side;
        if self.body.grounded
            && self.stops_within(ahead)
            && self.is_too_slow(course, link, lip, speed)
        {
            return self.begin_run_up(id, platform, lip, side * speed);
        }
        let inside = 0.1 * f64::from(self.slop());
        let step = self.speed() * side * self.seconds;
        let mut velocity = if ahead > (0.5 * step).max(2.0 * inside) {
            // With all of the step in which it leaves the floor beyond the end, if
            // that takes no braking at the last moment.
            self.towards_take_off(platform, lip - side * inside, speed)
        } else {
            let beyond = lip + side * (speed * self.seconds + f64::from(self.slop()));
            self.towards(platform, beyond, speed)
        };
        if ahead > 0.0 {
            let deceleration = GENTLE * f64::from(self.settings.profile.deceleration);
            let most = closing_speed(ahead, speed, deceleration, self.seconds) as f32;
            velocity.x = velocity.x.clamp(-most, most);
        }
        BodyCommand::without_jump(velocity)
    }
}
