//! What a body that a physics engine moves should do in a step: run, take off, and steer
//! in the air.

use glam::{DVec2, Vec2};

use super::air_course::AirCourse;
use super::airborne::Airborne;
use super::body::BodyCommand;
use super::flights::{MAX_RUN_UPS, SPARE_STEPS};
use super::kinematics::{Runner, SpeedProfile, closing_speed, within};
use super::movement::Movement;
use super::mover::Mover;
use super::pilot::{jumps, side_of};
use super::report::{AgentEvent, PathLostReason};
use crate::mesh::{EdgeSet, Launch, Link, LinkId, Platform, PlatformId, PlatformKind, StepKind};
use crate::random;
use crate::search::Step;

/// Seconds for which a jump is repeated to a body that does not leave the floor, and
/// a rise to a body that something stops in the air. Games often need two steps, and
/// some keep a jump for a tenth of a second.
pub const JUMP_WAIT: f64 = 0.15;
/// Greatest number of steps that a body looks ahead on its way to a take-off.
const MAX_STEPS: u32 = 64;
/// Share of its deceleration with which a body slows down before it walks off a
/// platform: in whole steps, it does not always reach the speed it should have.
const GENTLE: f64 = 0.7;
/// The share of a usual step below which the mean of the steps of a rise hardly ever is:
/// of rises in frames of 8 to 33 ms, mixed, 0.6 % have a lower one, and 3 % if every tenth
/// frame of a game is twice as long.
const SHORTER: f64 = 0.8;
/// Share of the run speed by which the speed of a body at a take-off may differ from the planned
/// one, where no prediction says that it lands.
const AS_PLANNED: f64 = 0.1;
/// Share of the run speed below which a body on its way to a take-off does not slow down:
/// with less, some engines leave it at rest, where it would get the same command again. In
/// a step of 1/60 s this is 0.03 % of what it runs in a second.
const LEAST_SHARE: f64 = 0.02;
/// Seconds before its landing in which a body moves farther inside its platform than planned:
/// by 5 % of its width, this takes half as long. Before, it may pass a corner without room.
const INSET_TIME: f64 = 0.15;
/// Share of the run speed with which a body moves away from a corner at which it hangs.
/// It has half its width to go and must come back to its course, so it is slow.
const AWAY: f64 = 0.25;

impl Mover<'_> {
    /// What the body should do in this step.
    pub fn command(&mut self) -> BodyCommand {
        self.memory.clock += self.seconds();
        let command = match *self.movement {
            Movement::Floor(on, _) => self.steer_on_floor(on),
            Movement::Airborne(airborne, kind, to) => self.steer_in_air(airborne, kind, to),
            Movement::Riding(riding) => self.steer_ride(riding),
            _ => BodyCommand::moving(self.fall_velocity()),
        };
        self.watch();
        self.memory.at = self.body.position;
        command
    }

    /// The velocity of a fall without a path, which stops across.
    pub fn fall_velocity(&self) -> Vec2 {
        let down = self.down();
        let fall = self.settings.fall(self.layer());
        let speed = f64::from(self.body.velocity.y) * down + fall.gravity * self.seconds();
        let change = self.memory.air_acceleration * self.seconds();
        let across = self.speed() - self.speed().clamp(-change, change);
        DVec2::new(across, speed.min(fall.max_speed) * down).as_vec2()
    }

    /// The nearest x to another one that is an [edge](Self::edge) inside the ends of a
    /// platform. A body that stands at the very end slips off.
    pub fn inside(&self, on: Platform<'_>, x: f64) -> f64 {
        within([on.left().x.into(), on.right().x.into()], x, self.edge())
    }

    /// The same for a round body, which slips off sooner.
    pub fn well_inside(&self, on: Platform<'_>, x: f64) -> f64 {
        let ends = [on.left().x.into(), on.right().x.into()];
        within(ends, x, self.round_edge())
    }

    /// The velocity along the floor for one across.
    fn along_floor(&self, on: Platform<'_>, across: f32) -> Vec2 {
        let slope = on.slope_at(self.body.position.x, across);
        Vec2::new(across, across * slope)
    }

    /// How far the body may run towards an x of the floor because of other agents.
    fn limit(&self, on: Platform<'_>, x: f64) -> f64 {
        let (at, velocity) = (self.x(), self.speed());
        self.limit_of(on, Runner { at, velocity }, x)
    }

    /// The velocity towards an x of the floor, to have a speed there.
    fn towards(&self, on: Platform<'_>, x: f64, end: f64) -> Vec2 {
        let speeds = SpeedProfile::from(&self.settings.profile);
        let limit = self.limit(on, x);
        let end = if limit == x { end } else { 0.0 };
        let (ahead, dt) = (limit - self.x(), self.seconds());
        let closing = closing_speed(ahead.abs(), end, speeds.deceleration, dt);
        let wanted = ahead.signum() * closing.min(speeds.speed);
        let now = self.speed();
        let speeds_up = wanted * now >= 0.0 && wanted.abs() > now.abs();
        let rate = if speeds_up {
            speeds.acceleration
        } else {
            speeds.deceleration
        };
        let across = (now + (wanted - now).clamp(-rate * dt, rate * dt)) as f32;
        if self.body.grounded {
            self.along_floor(on, across)
        } else {
            Vec2::new(across, self.fall_velocity().y)
        }
    }

    /// Runs to an x of the floor.
    pub fn run_towards(&self, on: Platform<'_>, x: f64, end: f64) -> BodyCommand {
        BodyCommand::moving(self.towards(on, x, end))
    }

    pub fn still(&self, on: Platform<'_>) -> BodyCommand {
        let x = self.room.aside_on(on.id);
        self.run_towards(on, x.unwrap_or(self.x()), 0.0)
    }

    /// Follows the route along a floor.
    fn steer_on_floor(&mut self, on: PlatformId) -> BodyCommand {
        let Some(platform) = self.layer().platform(on) else {
            return BodyCommand::default();
        };
        if let Some((_, x)) = self.memory.take_off.run_up {
            if (x - self.x()).abs() > 0.25 * f64::from(self.slop()) {
                return self.run_towards(platform, x, 0.0);
            }
            self.memory.take_off.run_up = None;
        }
        // Each turn ends a step of the route, which has few that end at once.
        for _ in 0..8 {
            let Some(&step) = self.journey.route.current() else {
                self.journey.arrive(self.body.position, self.events);
                break;
            };
            if self.journey.waits() || self.memory.clock < self.memory.reacts {
                break;
            }
            if let Some(ride) = step.ride.filter(|_| step.platform == Some(on)) {
                return self.wait_to_board(platform, ride, &step);
            }
            if let Some((id, link)) = self.next_link(on) {
                return self.steer_to_link(platform, id, link);
            }
            if step.kind == StepKind::Fly {
                let from = self.body.position;
                *self.movement = Movement::hovering(from);
                self.events.push(AgentEvent::TookOff { from });
                break;
            }
            if step.kind != StepKind::Floor || step.platform != Some(on) {
                self.lose(PathLostReason::Drift);
                break;
            }
            if let Some(x) = self.ahead_on_step(platform, &step) {
                return self.run_towards(platform, x, 0.0);
            }
            self.journey.route.advance();
        }
        self.still(platform)
    }

    /// The x to run to for a step along the floor; `None` for a body that is there.
    fn ahead_on_step(&self, on: Platform<'_>, step: &Step) -> Option<f64> {
        let is_last = self.journey.route.following().is_none();
        let near = f64::from(self.slop()) * if is_last { 0.5 } else { 1.0 };
        // Short of the way out of a door, the body would still be in it.
        let beyond = if self.journey.is_leaving_door() {
            near.copysign((step.to.x - step.from.x).into())
        } else {
            0.0
        };
        let x = self.inside(on, f64::from(step.to.x) + beyond);
        ((x - self.x()).abs() > near).then_some(x)
    }

    /// Runs to a link, and takes it there.
    fn steer_to_link(&mut self, on: Platform<'_>, id: LinkId, link: &Link) -> BodyCommand {
        if link.kind.is_airborne() {
            return self.approach(on, id, link);
        }
        let (x, slop) = (f64::from(link.from.x), f64::from(self.slop()));
        if link.kind == StepKind::OneWayStep {
            // The platforms touch: beyond its own, the body is on the other one.
            let beyond = x + 2.0 * slop * side_of(on, link);
            return self.run_towards(on, beyond, self.settings.profile.run_speed.into());
        }
        if (x - self.x()).abs() > slop || !self.room.takes_link {
            return self.run_towards(on, x, 0.0);
        }
        // Its movement needs no physics.
        self.journey.route.advance_past(id);
        *self.movement = Movement::through(link, self.layer(), self.speed(), self.events);
        self.still(on)
    }

    /// Runs to the take-off of a link, and takes off there.
    fn approach(&mut self, platform: Platform<'_>, id: LinkId, link: &Link) -> BodyCommand {
        let Some((airborne, margin)) = self.flight(id, link) else {
            self.journey.lose(PathLostReason::Limits, self.events);
            return self.still(platform);
        };
        self.memory.take_off.next = Some((id, airborne, margin));
        let course = AirCourse::new(airborne, self.air_limits());
        let wanted = self.take_off_speed(&course, link, platform);
        let (x, v, dt) = (self.x(), self.speed(), self.seconds());
        let late = wanted * self.lateness(id, link);
        let edges = self.edges(platform, link);
        let at = within(edges, f64::from(link.from.x) + late, margin);
        if let Some((_, flight, since)) = self.memory.take_off.jump {
            if self.memory.clock - since <= JUMP_WAIT {
                return self.order(link.kind, &flight);
            }
            // The body does not jump.
            return self.give_up(platform, id);
        }
        if !self.room.takes_link {
            // From here it is fast enough when the landing is free.
            let x = self.run_up_start(platform, at, wanted);
            return self.run_towards(platform, x, 0.0);
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
        let (slop, precision) = (f64::from(self.slop()), self.precision());
        // A narrow body leaves the floor before the end of the platform, others at the end.
        let end_of_floor = edges[usize::from(side > 0.0)];
        let [passes_edge, passes_lip] = [margin, margin.min(0.1 * slop)].map(|margin| {
            let last = within(edges, end_of_floor, margin);
            next * side > 0.0
                && (x + next - last) * side > 0.02 * slop
                && ahead.abs() <= step + slop
        });
        // Within the tolerance of the link a body may take off as well, if it is
        // beyond the take-off, for instance because it has just landed there.
        let is_beyond = ahead * wanted <= 0.0 && v * wanted >= 0.0;
        let is_displaced = is_beyond && ahead.abs() <= self.displacement(link);
        // The step that is nearest to the take-off, and the last one before the
        // end of the platform.
        let near = (v * side > 0.0 && ahead.abs() <= (ahead - next).abs())
            || ahead.abs() <= margin.clamp(0.02 * slop, 0.1 * slop)
            || is_displaced
            || passes_lip;
        let lip = edges[usize::from(v > 0.0)];
        let stops = self.stops_within((lip - x) * v.signum());
        let is_past = ahead * v < 0.0 && ahead.abs() <= step + slop;
        if self.body.grounded && (near || passes_edge) {
            let found = self.flight_that_lands(link, self.body.position, Some(v));
            // No prediction says that a body lands in a gap that it just fits.
            let is_as_planned = (v - wanted).abs() <= AS_PLANNED * self.air_limits().speed;
            let is_exact = link.tolerance == 0.0 && is_as_planned && ahead.abs() <= precision;
            let is_last_try = near && self.memory.run_ups >= MAX_RUN_UPS;
            let found =
                found.filter(|(_, is_sure)| *is_sure || is_exact || !self.must_be_sure(link));
            let planned = (is_last_try && is_as_planned).then_some(airborne);
            if let Some(flight) = found.map(|found| found.0).or(planned) {
                return self.jump_off(id, link, flight);
            }
            if is_last_try && stops {
                return self.give_up(platform, id);
            }
        }
        // A body too fast to stop before the end of the platform jumps all the
        // same: the air gives it more time than a fall. So does a narrow one that has just
        // slipped off: most games let a body jump for some steps more.
        let slips = self.slips(platform, lip);
        let is_late = self.body.grounded && !stops && (near || is_past);
        if v * wanted >= 0.0 && (slips || is_late) {
            let flight = if self.displacement(link) > 0.0 {
                self.displaced(link, &airborne, self.body.position)
            } else {
                airborne
            };
            return self.jump_off(id, link, flight);
        }
        let needs_run_up = if near {
            // A body that has to stand at the take-off goes on to brake.
            self.body.grounded && (end > 0.0 || step <= 0.25 * slop)
        } else {
            self.is_too_slow(platform, &course, link, [at, end])
        };
        if needs_run_up {
            return self.begin_run_up(id, platform, at, wanted);
        }
        BodyCommand::moving(velocity)
    }

    /// Plans again, with a link that the body does not take.
    fn give_up(&mut self, on: Platform<'_>, id: LinkId) -> BodyCommand {
        self.memory.take_off.next = None;
        self.memory.fail(id, 1);
        self.lose(PathLostReason::Drift);
        self.still(on)
    }

    /// Whether the body has slipped off the end of its level platform.
    fn slips(&self, on: Platform<'_>, lip: f64) -> bool {
        self.memory.off > 0 && self.is_level(on) && self.is_at(lip)
    }

    /// Whether the body is round and hangs on the end of its level platform, lower than a box.
    /// A narrow one comes down a step before the end sooner than a box.
    fn hangs(&self, on: Platform<'_>, lip: f64) -> bool {
        let depth = (self.body.position.y - on.clamp(lip as f32).y) * self.down() as f32;
        let is_lower = depth > 0.5 * self.slop();
        self.body.grounded && is_lower && self.is_level(on) && self.is_at(lip)
    }

    /// Whether a platform is level where the body is.
    fn is_level(&self, on: Platform<'_>) -> bool {
        on.slope_at(self.body.position.x, self.body.velocity.x) == 0.0
    }

    /// Whether a part of the body is beyond the end of its platform.
    fn is_at(&self, lip: f64) -> bool {
        (lip - self.x()).abs() <= 0.5 * f64::from(self.layer().profile().body[0])
    }

    /// Begins a jump from where the body is.
    fn jump_off(&mut self, id: LinkId, link: &Link, flight: Airborne) -> BodyCommand {
        self.memory.take_off.jump = Some((id, flight, self.memory.clock));
        self.order(link.kind, &flight)
    }

    /// Where the floor ends to the left and the right of a take-off: the ends of the
    /// platform, or a step down right beside it.
    pub fn edges(&self, on: Platform<'_>, link: &Link) -> [f64; 2] {
        let (slop, from) = (self.slop(), link.from);
        let ends = [on.left().x, on.right().x];
        [(-1.0, ends[0]), (1.0, ends[1])].map(|(side, end)| {
            let inset = side * 0.1 * slop;
            let beside = on.clamp(from.x + inset);
            let is_edge = (beside.y - from.y) * self.down() as f32 > slop;
            // Before the step, over which a controller lets a body walk down.
            f64::from(if is_edge {
                (from.x - inset).clamp(ends[0], ends[1])
            } else {
                end
            })
        })
    }

    /// Whether a body that brakes from this step on stops within some distance.
    fn stops_within(&self, room: f64) -> bool {
        let speeds = SpeedProfile::from(&self.settings.profile);
        let next = (self.speed().abs() - speeds.deceleration * self.seconds()).max(0.0);
        let step = next * self.seconds();
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
    fn is_too_slow(
        &self,
        on: Platform<'_>,
        course: &AirCourse,
        link: &Link,
        [at, end]: [f64; 2],
    ) -> bool {
        let speeds = SpeedProfile::from(&self.settings.profile);
        let (ahead, v) = (at - self.x(), self.speed());
        let side = ahead.signum();
        let room = (self.well_inside(on, at) - self.x()) * side;
        // As fast as a body that stands is after a step.
        let soon = v.abs().max(speeds.acceleration * self.seconds());
        let is_last_moment =
            v * side >= 0.0 && room <= speeds.stopping_distance(soon) + 2.0 * soon * self.seconds();
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
        let (ahead, dt) = (at - self.x(), self.seconds());
        let (side, distance) = (ahead.signum(), ahead.abs());
        let usual = self.towards(platform, at, end);
        let speeds = SpeedProfile::from(&self.settings.profile);
        let now = self.speed() * side;
        let is_held = self.limit(platform, at) != at;
        if is_held || end <= 0.0 || now < 0.0 || distance == 0.0 || !self.memory.steps.is_steady() {
            return usual;
        }
        let (faster, slower) = (speeds.acceleration * dt, speeds.deceleration * dt);
        let fastest = now + (end - now).clamp(-slower, faster);
        // How far a body gets in some steps, of which the first has this speed.
        let reach = |first: f64, steps: u32| {
            let (mut speed, mut sum) = (first, 0.0);
            for _ in 0..steps {
                sum += speed;
                speed += (end - speed).clamp(-slower, faster);
            }
            sum * dt
        };
        let hair = 1e-3 * end * dt;
        // It takes five steps to lose the distance of one, and the speed again.
        let most = (end / faster + SPARE_STEPS).max(8.0) as u32;
        let mut counts = 1..=most.min(MAX_STEPS);
        let Some(steps) = counts.find(|steps| reach(fastest, *steps) >= distance - hair) else {
            return usual;
        };
        // Engines often take a body that hardly moves for one at rest.
        let least = (now - slower).max(LEAST_SHARE * self.air_limits().speed);
        let (mut low, mut high) = (least.min(fastest), fastest);
        for _ in 0..24 {
            let middle = f64::midpoint(low, high);
            if reach(middle, steps) < distance {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.along_floor(platform, (side * high) as f32)
    }

    /// How many seconds late to take off for a link: within its tolerance.
    fn lateness(&mut self, id: LinkId, link: &Link) -> f64 {
        match self.memory.take_off.late {
            Some((known, late)) if known == id => late,
            _ => {
                let most = self.memory.timing.jitter.min(link.tolerance.into());
                let late = random::unit(&mut self.memory.timing.seed) * most;
                self.memory.take_off.late = Some((id, late));
                late
            }
        }
    }

    /// The command that begins a flight.
    pub fn order(&self, kind: StepKind, flight: &Airborne) -> BodyCommand {
        let course = AirCourse::new(*flight, self.air_limits());
        let across = course.steer(0.0, self.x(), self.speed(), self.seconds());
        let mut launch = flight.launches().next().unwrap_or_default();
        if kind != StepKind::DropThrough && self.above(flight, launch.time) < -self.precision() {
            // A round body begins lower than planned, and one that hangs on an edge falls sooner.
            launch.speed = self.launch_from_here(flight, launch);
        }
        let rise = (launch.speed - 0.5 * self.gravity() * self.seconds()).max(0.0);
        let vertical = match kind {
            StepKind::DropThrough => 0.0,
            _ => -rise * self.down(),
        };
        BodyCommand {
            jump: Some(self.launch_velocity(kind, flight, launch, [across, launch.speed])),
            drop_through: kind == StepKind::DropThrough,
            ..BodyCommand::moving(DVec2::new(across, vertical).as_vec2())
        }
    }

    /// The velocity of a jump with an upward speed. `launch` is the one of the flight that
    /// it begins.
    fn launch_velocity(
        &self,
        kind: StepKind,
        flight: &Airborne,
        launch: Launch,
        [across, up]: [f64; 2],
    ) -> Vec2 {
        let half = match kind {
            StepKind::DropThrough => 0.0,
            _ => 0.5 * self.gravity() * self.launch_step(flight, launch),
        };
        DVec2::new(across, -(up + half) * self.down()).as_vec2()
    }

    /// The step of whose gravity a launch gets half. In steps that differ, those of the
    /// rise may be shorter than usual, and the body rises higher than planned. Where the
    /// mesh does not prove that there is room for that, the step is shorter: a body that
    /// meets a ceiling comes down much too early.
    fn launch_step(&self, flight: &Airborne, launch: Launch) -> f64 {
        let (usual, shorter) = (self.usual_step(), SHORTER * self.usual_step());
        if self.memory.steps.is_steady() {
            return usual;
        }
        let down = self.down();
        let mut apex = *flight;
        apex.seek(launch.time + launch.speed / self.gravity());
        let at = apex.position().as_dvec2();
        // Above the first row there is nothing but what reaches down to it.
        let top = f64::from(self.layer().grid().row_y(0)) * down;
        let [low, high] = [0.0, launch.speed * (usual - shorter)]
            .map(|rise| DVec2::new(at.x, (at.y * down - rise).max(top) * down));
        if self.free_space().has_box(low.min(high), low.max(high)) {
            usual
        } else {
            shorter
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
            && self.is_too_slow(platform, course, link, [lip, speed])
        {
            return self.begin_run_up(id, platform, lip, side * speed);
        }
        if self.hangs(platform, lip)
            && self.settings.profile.edges.contains(EdgeSet::JUMP)
            && course.flight.launches().count() == 1
            && self.speed() * side > 0.0
        {
            return self.jump_off(id, link, course.flight);
        }
        let inside = 0.1 * f64::from(self.slop());
        let step = self.speed() * side * self.seconds();
        let mut velocity = if ahead > (0.5 * step).max(2.0 * inside) {
            // With all of the step in which it leaves the floor beyond the end, if
            // that takes no braking at the last moment.
            self.towards_take_off(platform, lip - side * inside, speed)
        } else {
            let beyond = (-ahead).max(0.0) + speed * self.seconds() + f64::from(self.slop());
            let beyond = lip + side * beyond;
            self.towards(platform, beyond, speed)
        };
        if ahead > 0.0 {
            let deceleration = GENTLE * f64::from(self.settings.profile.deceleration);
            let most = closing_speed(ahead, speed, deceleration, self.seconds()) as f32;
            velocity.x = velocity.x.clamp(-most, most);
        }
        BodyCommand::moving(velocity)
    }

    /// Steers in the air.
    pub fn steer_in_air(
        &mut self,
        airborne: Airborne,
        kind: StepKind,
        to: PlatformId,
    ) -> BodyCommand {
        let course = AirCourse::new(airborne, self.air_limits());
        let x = self.x() - self.landing_inset(&airborne, to);
        let across = course.steer(airborne.elapsed(), x, self.speed(), self.seconds());
        let mut across = self.round_corner(across);
        let mut next = airborne;
        let vertical = if next.advance(self.seconds()).is_some() {
            across = self.land_slowly(across, to);
            // On to the floor, if it is not there yet.
            f64::from(airborne.velocity().y)
        } else {
            let at = f64::from(self.body.position.y);
            let needed = (f64::from(next.position().y) - at) / self.seconds();
            self.climb_or_fall(&airborne, needed)
        };
        let mut command = BodyCommand::moving(DVec2::new(across, vertical).as_vec2());
        // Jumps in the air.
        if let Some(launch) = jumps(&airborne).nth(self.memory.flight.launches)
            && self.memory.flight.link.is_some()
            && self.is_nearest(&airborne, launch.time)
        {
            self.memory.flight.launches += 1;
            let up = self.launch_from_here(&airborne, launch);
            command.jump = Some(self.launch_velocity(kind, &airborne, launch, [across, up]));
            command.drop_through = kind == StepKind::DropThrough;
        }
        command
    }

    /// The velocity across of a body that may hang at the corner that it walked off: a
    /// round one slides down along it, and would stay there if it steered back.
    fn round_corner(&mut self, across: f64) -> f64 {
        let layer = self.layer();
        let link = self.memory.flight.link.and_then(|id| layer.link(id));
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
        self.memory.flight.hangs |= fallen < 0.5 * falls * self.memory.steps.last;
        if !self.memory.flight.hangs {
            return across;
        }
        let away = self.speed() * side + self.memory.air_acceleration * self.seconds();
        side * away.min(AWAY * self.air_limits().speed).max(across * side)
    }

    /// How much farther inside its platform than planned a flight should end: at the very end
    /// of a platform a body slips off, and a narrow one does not reach it. It moves there
    /// last, when it comes down from above the platform.
    fn landing_inset(&self, airborne: &Airborne, to: PlatformId) -> f64 {
        let (landing, at) = (airborne.to, self.body.position);
        let above = f64::from(landing.y - at.y) * self.down();
        let left = airborne.duration() - airborne.elapsed();
        let on = self.layer().platform(to);
        match on.filter(|on| on.kind == PlatformKind::Floor) {
            Some(on) if above > 0.0 && left < INSET_TIME => {
                self.well_inside(on, landing.x.into()) - f64::from(landing.x)
            }
            _ => 0.0,
        }
    }

    /// The velocity across of a body that lands in this step, if it has to stop before
    /// the end of the platform. It comes down within the step, and moves for all of it.
    fn land_slowly(&self, across: f64, to: PlatformId) -> f64 {
        let Some(on) = self.layer().platform(to) else {
            return across;
        };
        let end = self.well_inside(on, f64::INFINITY.copysign(across));
        let room = ((end - self.x()) * across.signum()).max(0.0);
        let deceleration = self.settings.profile.deceleration.into();
        let most = closing_speed(room, 0.0, deceleration, self.seconds());
        let change = self.memory.air_acceleration * self.seconds();
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
            let step = (falling + self.gravity() * self.seconds()) * self.seconds();
            return self.above(airborne, time) <= 0.5 * step;
        }
        time <= airborne.elapsed() + 0.5 * self.seconds()
    }

    /// The speed of a launch in the air, with which the body gets as high as planned and
    /// stays in the air as long. It gets higher only where the mesh proves that it may.
    fn launch_from_here(&self, airborne: &Airborne, launch: Launch) -> f64 {
        let (down, at, gravity) = (self.down(), self.body.position.as_dvec2(), self.gravity());
        let most = f64::from(self.settings.profile.jump_speed).max(launch.speed);
        let above = self.above(airborne, launch.time);
        let squared = launch.speed * launch.speed - 2.0 * gravity * above;
        let as_high = squared.max(0.0).sqrt();
        let left = (airborne.duration() - airborne.elapsed()).max(self.seconds());
        let rise = (at.y - f64::from(airborne.to.y)) * down;
        let mut as_long = (rise / left + 0.5 * gravity * left).min(most);
        let rises = DVec2::new(self.speed(), -0.5 * down * as_long) * as_long / gravity;
        let (low, high) = (at.min(at + rises), at.max(at + rises));
        if !self.free_space().has_box(low, high) {
            as_long = as_long.min(launch.speed);
        }
        as_high.max(as_long).min(most)
    }

    /// The vertical velocity of a flight: the one that it needs, or that of a fall if
    /// something has stopped the body on its way up.
    fn climb_or_fall(&mut self, airborne: &Airborne, needed: f64) -> f64 {
        if needed * self.down() < -1.0 && !self.rises() && self.is_off_height(airborne) {
            self.memory.flight.stopped += self.seconds();
        }
        if self.memory.flight.stopped > JUMP_WAIT {
            self.fall_velocity().y.into()
        } else {
            needed
        }
    }
}
