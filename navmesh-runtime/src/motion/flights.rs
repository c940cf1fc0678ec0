//! The flights that a body can follow along a link, where they end, and the routes that
//! a body refuses: it cannot follow a link, or has to go back for a run-up.

use glam::Vec2;

use super::air_course::AirCourse;
use super::airborne::Airborne;
use super::body::BodyCommand;
use super::kinematics::{Runner, SpeedProfile, Target, closing_speed, within};
use super::movement::Movement;
use super::mover::Mover;
use crate::mesh::{
    Launch, Link, LinkId, Platform, PlatformId, PlatformKind, SLACK, StepKind, TrajectoryParams,
};
use crate::search::SnapTo;
use crate::search::replacement::is_clear;

/// Run-ups before a body takes a link as well as it can, or gives it up.
pub const MAX_RUN_UPS: u8 = 2;
/// Steps that a run-up is longer than it has to be, and in which a body takes care
/// to be at its take-off at the end of a step.
pub const SPARE_STEPS: f64 = 3.0;
/// Seconds from which a run-up is worth the search for another route. At 8 times run
/// speed per second, going back and running takes about 0.3 s.
const WORTH_A_SEARCH: f64 = 0.25;
/// Greatest distance across from a trajectory, per unit of body width, at which
/// a jump counts as possible. Farther off, the body often meets what the baked
/// trajectory passes.
const DEVIATION: f64 = 0.2;
/// How fast a body must come down on a floor, in steps of gravity. More slowly,
/// the step in which it is highest may still be below that floor.
const FALLING: f64 = 0.8;
/// Least tolerance of a link that a body can be expected to follow, in steps: in
/// one step, an engine moves a body across and then down.
const LEAST_TOLERANCE: f64 = 0.3;
/// Flights that are tried for a link, from the safest. `None` is the baked one. The others
/// land inside the platform instead of where the link ends: by how many steps of gravity
/// the launch is faster than baked, so that the body is above the landing when it gets
/// there, and whether the mesh must prove that the flight is free.
const FLIGHTS: [Option<(f64, bool)>; 6] = [
    Some((2.0, true)),
    Some((1.0, true)),
    Some((0.0, false)),
    None,
    Some((1.0, false)),
    Some((2.0, false)),
];

impl Mover<'_> {
    /// Limits of the motion across in the air, whose acceleration may be 0 or infinite.
    pub fn air_limits(&self) -> SpeedProfile {
        let speed = self.settings.profile.run_speed;
        SpeedProfile::even(speed, self.memory.air_acceleration)
    }

    /// Whether a body can be expected to follow a link, for which this flight was
    /// found.
    pub fn can_follow(&self, link: &Link, found: Option<(Airborne, bool)>) -> bool {
        let is_hold =
            |id| (self.layer().platform(id)).is_some_and(|p| p.kind != PlatformKind::Floor);
        // A body begins exactly at a hold, and reaches another one from beside it.
        if is_hold(link.from_platform) && is_hold(link.to_platform) {
            return true;
        }
        let least = (LEAST_TOLERANCE * self.usual_step()) as f32;
        let is_fragile = link.tolerance < least;
        found.is_some_and(|(_, is_sure)| !is_fragile || (is_sure && !is_smooth(link)))
    }

    /// The flight along a link for a body that takes off where the link begins, and how
    /// far from the end of its platform it takes off at least.
    pub fn flight(&self, id: LinkId, link: &Link) -> Option<(Airborne, f64)> {
        match self.memory.take_off.next {
            Some((known, airborne, margin)) if known == id => Some((airborne, margin)),
            _ => match self.best_flight(link) {
                (Some((airborne, _)), margin) => Some((airborne, margin)),
                (None, margin) => Some((self.baked_flight(link)?, margin)),
            },
        }
    }

    /// The flight along a link that a body can follow, whether the mesh proves that its way
    /// is free, and how far from the end of its platform it begins at least: where a round
    /// body still stands, a narrow one, or almost at the end.
    fn best_flight(&self, link: &Link) -> (Option<(Airborne, bool)>, f64) {
        let edge = self.edge();
        let Some(from) = self.layer().platform(link.from_platform) else {
            return (None, edge);
        };
        let is_hold = from.kind != PlatformKind::Floor;
        if is_hold || link.walks_off() || link.kind == StepKind::DropThrough {
            return (self.flight_that_lands(link, link.from, None), edge);
        }
        let edges = self.edges(from, link);
        let round = self.round_edge();
        let mut likely = (None, edge);
        // One without a tolerance is as planned or not at all.
        let is_exact = is_smooth_jump(link) && self.takes_exactly(link);
        let least = 0.1 * f64::from(self.slop());
        for margin in [round, edge, if is_exact { 0.0 } else { least }] {
            let x = within(edges, link.from.x.into(), margin);
            let at = if x == f64::from(link.from.x) {
                link.from
            } else {
                from.clamp(x as f32)
            };
            match self.flight_that_lands(link, at, None) {
                Some((flight, true)) => return (Some((flight, true)), margin),
                Some(found) if likely.0.is_none() && margin <= edge => {
                    likely = (Some(found), margin);
                }
                _ => {}
            }
        }
        likely
    }

    /// The flight along a link as it was baked, under the agent's limits.
    pub fn baked_flight(&self, link: &Link) -> Option<Airborne> {
        Airborne::along(link, self.layer(), &self.settings.profile)
    }

    /// A flight along a link from somewhere near its take-off that a body can
    /// follow: with the given velocity across, or with the one that its run-up
    /// allows. Also whether the mesh proves that its way is free.
    pub fn flight_that_lands(
        &self,
        link: &Link,
        at: Vec2,
        velocity: Option<f64>,
    ) -> Option<(Airborne, bool)> {
        let layer = self.layer();
        let from = layer.platform(link.from_platform)?;
        let baked = self.baked_flight(link)?;
        // A smooth trajectory with a tolerance has its margins already.
        let is_planned = link.tolerance > 0.0 || self.takes_exactly(link);
        let smooth = (is_planned && is_smooth_jump(link)).then(|| self.displaced(link, &baked, at));
        // A body comes down within a step, and moves across for all of it. On a short
        // platform there may be no room for that: the second of each pair.
        let mut sure = None;
        let mut likely = [None; 2];
        let others = FLIGHTS.into_iter();
        let others = others.filter_map(|variant| self.variant(link, &baked, at, variant));
        for flight in smooth.into_iter().chain(others) {
            let course = AirCourse::new(flight, self.air_limits());
            let speed = velocity.unwrap_or_else(|| self.take_off_speed(&course, link, from));
            let lands = self.lands(&course, link, at.x.into(), speed);
            if lands[0] == Some(true) {
                return Some((flight, true));
            }
            if lands[1] == Some(true) {
                sure = sure.or(Some((flight, true)));
            }
            for (known, lands) in likely.iter_mut().zip(lands) {
                *known = known.or((lands == Some(false)).then_some((flight, false)));
            }
        }
        let [likely, less_likely] = likely;
        sure.or(likely).or(less_likely)
    }

    /// How far beside its take-off a body may begin a link, and follow the same
    /// curve: what the baker allows a smooth trajectory.
    pub fn displacement(&self, link: &Link) -> f64 {
        if is_smooth_jump(link) {
            // The rest is for a body that steers off the curve. With all of it, a jump below
            // a ceiling fails in the tests; with half, jumps in the air fail.
            0.9 * f64::from(link.tolerance) * f64::from(self.layer().profile().run_speed)
        } else {
            0.0
        }
    }

    /// The baked flight, moved aside to where the body takes off.
    pub fn displaced(&self, link: &Link, baked: &Airborne, at: Vec2) -> Airborne {
        let most = self.displacement(link) as f32;
        let by = Vec2::new((at.x - link.from.x).clamp(-most, most), 0.0);
        baked.with(baked.trajectory, [link.from + by, link.to + by])
    }

    /// A flight like the baked one from another position: higher by what gravity
    /// takes in some steps, and to a landing inside the platform.
    fn variant(
        &self,
        link: &Link,
        baked: &Airborne,
        at: Vec2,
        variant: Option<(f64, bool)>,
    ) -> Option<Airborne> {
        let layer = self.layer();
        let Some((steps, must_be_proven)) = variant else {
            return Some(*baked);
        };
        if steps > 0.0 && link.kind != StepKind::Jump {
            return None;
        }
        // The feet on the floor: a body rests slightly above or below it.
        let at = layer.platform(link.from_platform)?.clamp(at.x);
        let (curve, scale) = (&baked.trajectory, baked.time_scale);
        let fall = curve.fall;
        let most = f64::from(self.settings.profile.jump_speed) / scale;
        let mut launches = [Launch::default(); TrajectoryParams::MAX_LAUNCHES];
        let launches = launches.get_mut(..curve.launches().len())?;
        launches.copy_from_slice(curve.launches());
        let last = launches.last_mut()?;
        last.speed = (last.speed + steps * self.usual_step() * scale * fall.gravity)
            .min(most.max(last.speed));
        let (_, mut legs) = curve.legs().split_last()?;
        let mut velocity = curve.velocity(curve.duration).x;
        // A smooth motion begins at the same speed, and its last leg ends elsewhere. A drop
        // gets one acceleration all the way.
        let start = curve.is_smooth().then(|| curve.velocity(0.0).x);
        if let Some(start) = start
            && link.kind == StepKind::Drop
        {
            (legs, velocity) = (&[], 2.0 * curve.end.x / curve.duration - start);
        }
        let to = self.aim(link, velocity * scale)?;
        let down = layer.grid().y_axis.down();
        let mut params = TrajectoryParams::new(launches, legs).ok()?;
        if let Some(start) = start {
            params = params.with_start_speed(start).ok()?;
        }
        let trajectory = params.between(at, to, fall, down).ok()?;
        let fits = trajectory.top_speed() * scale <= self.air_limits().speed * SLACK
            && trajectory.velocity(trajectory.duration).y <= 0.0
            && (!must_be_proven || is_clear(layer, at, &trajectory));
        fits.then(|| baked.with(trajectory, [at, to]))
    }

    /// Where on the platform of a landing a body can come down and stop.
    fn aim(&self, link: &Link, velocity: f64) -> Option<Vec2> {
        let profile = self.layer().profile();
        let to = self.layer().platform(link.to_platform)?;
        let speed = velocity.abs() as f32;
        let dt = self.usual_step() as f32;
        // Straight down, it still needs some floor on both sides. With 0 or 0.3, trips of
        // bodies fail in the tests.
        let near = (speed * dt).max(0.1 * profile.body[0]);
        let far = near + speed * speed / (2.0 * self.settings.profile.deceleration);
        let (before, after) = if velocity > 0.0 {
            (near, far)
        } else {
            (far, near)
        };
        let (low, high) = (to.left().x, to.right().x);
        let room = high - low;
        let x = if room < near + far {
            low + room * before / (near + far)
        } else {
            link.to.x.max(low + before).min(high - after)
        };
        Some(to.clamp(x))
    }

    /// The velocity across with which a body should take off: that of the course,
    /// as far as the run-up on the platform allows.
    pub fn take_off_speed(&self, course: &AirCourse, link: &Link, from: Platform<'_>) -> f64 {
        let wanted = course.at(0.0)[1];
        let x = link.from.x;
        let room = if wanted > 0.0 {
            x - from.left().x
        } else {
            from.right().x - x
        };
        let room = (f64::from(room) - self.edge()).max(0.0);
        let acceleration = f64::from(self.settings.profile.acceleration);
        let most = closing_speed(room, 0.0, acceleration, self.usual_step());
        wanted.clamp(-most, most)
    }

    /// Whether a flight ends with enough of a fall for a body that moves in steps.
    fn comes_down(&self, flight: &Airborne) -> bool {
        let curve = &flight.trajectory;
        let falling = -curve.velocity(curve.duration).y * flight.time_scale;
        falling >= FALLING * self.gravity() * self.usual_step()
    }

    /// Whether the mesh proves that the way is free of a body that takes off at some x
    /// with a velocity. `None` when it does not come down on the platform of the link, or
    /// cannot stop there when it begins to brake a usual step later (first), or at once.
    fn lands(&self, course: &AirCourse, link: &Link, x: f64, v: f64) -> [Option<bool>; 2] {
        let Some(to) = self.layer().platform(link.to_platform) else {
            return [None; 2];
        };
        let flight = &course.flight;
        let width = f64::from(self.layer().profile().body[0]);
        let (layer, mut body) = (self.layer(), *flight);
        let (mut last, mut is_stopped, mut has_left) = (flight.position(), false, false);
        // The prediction also finds another floor on which the body comes down first.
        let end = course.predict(x, v, self.usual_step(), |t, x| {
            body.seek(t);
            let now = Vec2::new(x as f32, body.position().y);
            let fall = (now.y - last.y) * layer.grid().y_axis.down();
            if fall > 0.0 && has_left && t < course.duration - 1e-6 {
                is_stopped |= (self.floor_between(last, now, fall))
                    .is_some_and(|floor| floor != link.to_platform);
            }
            (last, has_left) = (now, true);
        });
        // The baker has checked that there is room beside a trajectory with a tolerance, but
        // not above it. Without one, it is as planned or not at all.
        let aside = f64::from((flight.from.x - link.from.x).abs());
        let room = f64::from(link.tolerance) * f64::from(layer.profile().run_speed);
        let rises_as_baked = (link.params.launches().zip(flight.trajectory.launches()))
            .all(|(baked, launch)| launch.speed <= baked.speed + 1e-3);
        let is_baked = flight.trajectory.is_smooth()
            && rises_as_baked
            && aside + end.deviation <= room.max(self.precision());
        let (low, high) = (f64::from(to.left().x), f64::from(to.right().x));
        let margin = if is_baked && self.takes_exactly(link) {
            0.0
        } else {
            self.edge().min(0.25 * (high - low))
        };
        let deceleration = f64::from(self.settings.profile.deceleration);
        let braking = end.velocity * end.velocity.abs() / (2.0 * deceleration);
        let inside = low + margin..=high - margin;
        let comes_down = !is_stopped
            && (link.kind != StepKind::Jump || self.comes_down(flight))
            && inside.contains(&end.x)
            && end.deviation <= DEVIATION * width;
        let stops = [self.usual_step(), 0.0]
            .map(|spare| comes_down && inside.contains(&(end.x + end.velocity * spare + braking)));
        let is_sure = stops.contains(&true) && (is_baked || self.is_free_way(course, x, v));
        stops.map(|stops| stops.then_some(is_sure))
    }

    /// Whether nothing is in the way of a body that takes off at some x with a velocity.
    fn is_free_way(&self, course: &AirCourse, x: f64, v: f64) -> bool {
        let (space, mut body) = (self.free_space(), course.flight);
        let (mut last, mut is_free) = (body.position().as_dvec2(), true);
        course.predict(x, v, self.usual_step(), |t, x| {
            body.seek(t);
            let now = Vec2::new(x as f32, body.position().y).as_dvec2();
            is_free = is_free && space.has_box(last.min(now), last.max(now));
            last = now;
        });
        is_free
    }

    /// The floor on which a body comes down that falls from one position to
    /// another in a step: where it passes the height of the floor, and at the end
    /// of the step, because many engines move a body across first.
    fn floor_between(&self, from: Vec2, to: Vec2, fall: f32) -> Option<PlatformId> {
        let within = SnapTo::FloorWithin {
            above: 0.0,
            below: fall,
        };
        let at = |x: f32| self.layer().snap(Vec2::new(x, from.y), within);
        let passed = at(from.x).and_then(|spot| {
            let share = (spot.position.y - from.y) / (to.y - from.y);
            at(from.x + share * (to.x - from.x))
        });
        at(to.x).or(passed)?.platform
    }

    /// Whether a body that reaches the take-off with a velocity will take off
    /// there.
    pub fn may_land(&self, course: &AirCourse, link: &Link, x: f64, v: f64) -> bool {
        let [_, lands] = self.lands(course, link, x, v);
        lands.is_some_and(|is_sure| is_sure || !self.must_be_sure(link))
    }

    /// Whether a body waits until it is sure to land: with a run-up, a smooth jump is sure
    /// to be possible.
    pub fn must_be_sure(&self, link: &Link) -> bool {
        let is_possible = link.tolerance > 0.0 || self.takes_exactly(link);
        is_possible && is_smooth_jump(link) && self.memory.run_ups < MAX_RUN_UPS
    }

    /// Whether a link without a tolerance is taken as planned or not at all. One that failed
    /// is tried in another way, and in steps that differ no body takes off exactly.
    fn takes_exactly(&self, link: &Link) -> bool {
        let mut failed = self.memory.failed().filter_map(|id| self.layer().link(id));
        link.tolerance == 0.0
            && self.memory.steps.is_steady()
            && !failed.any(|failed| failed == link)
    }

    /// Forgets what was planned on the last route, except for a run-up that goes on.
    pub fn begin_route(&mut self) {
        let next = match *self.movement {
            Movement::Floor(on, _) => self.next_link(on).map(|(id, _)| id),
            _ => None,
        };
        // A run-up goes on if the new route begins with the same link: where the target
        // moves, there is a new one several times a second.
        let take_off = &mut self.memory.take_off;
        take_off.next = None;
        take_off.run_up = take_off.run_up.filter(|(id, _)| Some(*id) == next);
        if take_off.run_up.is_none() {
            self.memory.run_ups = 0;
        }
        if std::mem::take(&mut self.memory.rests) {
            self.memory.reacts = self.memory.clock + self.memory.timing.reaction;
        }
    }

    /// Looks at the links of a new route. Returns whether another route should be
    /// requested, because the body cannot follow one of them, or has to go back for a
    /// run-up that the search did not count.
    pub fn refuses_route(&mut self) -> bool {
        let layer = self.layer();
        let mut body = match *self.movement {
            Movement::Floor(_, runner) => Some(runner),
            Movement::Airborne(flight, ..) => Some(landing(&flight)),
            _ => None,
        };
        let (mut failing, mut slow) = (Vec::new(), Vec::new());
        let links = self
            .journey
            .route
            .remaining()
            .iter()
            .filter_map(|step| step.link);
        for (id, link) in links.filter_map(|id| Some((id, layer.link(id)?))) {
            let from = body.unwrap_or(Runner::standing(link.from.x.into()));
            body = Some(Runner::standing(link.to.x.into()));
            if !link.kind.is_airborne() {
                continue;
            }
            let found = self.best_flight(link).0;
            if !self.can_follow(link, found) && !self.memory.is_known(id) {
                failing.push(id);
            }
            let flight = found.map(|found| found.0);
            let Some(flight) = flight.or_else(|| self.baked_flight(link)) else {
                continue;
            };
            body = Some(landing(&flight));
            let seconds = self.run_up_seconds(link, &flight, from);
            let mut counted = self.memory.run_up_costs.iter().map(|(id, _)| *id);
            let begun = self.memory.take_off.run_up.map(|(id, _)| id);
            if seconds > WORTH_A_SEARCH && begun != Some(id) && !counted.any(|known| known == id) {
                slow.push((id, seconds as f32));
            }
        }
        let is_refused = !failing.is_empty() || !slow.is_empty();
        for link in failing {
            self.memory.fail(link, 0);
        }
        self.memory.run_up_costs.append(&mut slow);
        if !is_refused {
            // This route is followed. On others the body comes from elsewhere.
            self.memory.run_up_costs.clear();
        }
        is_refused
    }

    /// Goes back to where the run-up of a link's take-off begins.
    pub fn begin_run_up(
        &mut self,
        link: LinkId,
        platform: Platform<'_>,
        at: f64,
        wanted: f64,
    ) -> BodyCommand {
        self.memory.run_ups += 1;
        let x = self.run_up_start(platform, at, wanted);
        self.memory.take_off.run_up = Some((link, x));
        self.run_towards(platform, x, 0.0)
    }

    /// Where a body has to start from rest, to have a speed at a take-off.
    pub fn run_up_start(&self, platform: Platform<'_>, at: f64, wanted: f64) -> f64 {
        let acceleration = f64::from(self.settings.profile.acceleration);
        let steady = SPARE_STEPS * wanted.abs() * self.seconds();
        let length = wanted * wanted / (2.0 * acceleration) + steady;
        self.well_inside(platform, at - wanted.signum() * length)
    }

    /// How much later a body takes off for a link than one that needs no run-up.
    fn run_up_seconds(&self, link: &Link, flight: &Airborne, from: Runner) -> f64 {
        let layer = self.layer();
        let platform = layer.platform(link.from_platform);
        let Some(platform) = platform.filter(|on| on.kind == PlatformKind::Floor) else {
            return 0.0;
        };
        if link.kind == StepKind::DropThrough {
            return 0.0;
        }
        let course = AirCourse::new(*flight, self.air_limits());
        let wanted = self.take_off_speed(&course, link, platform);
        let at = f64::from(link.from.x);
        let speeds = SpeedProfile::from(&self.settings.profile);
        let bounds = [platform.left().x, platform.right().x].map(f64::from);
        let (mut direct, mut back) = (from, from);
        let seconds = run(&speeds, &mut direct, [at, wanted], bounds);
        let is_fast = (direct.velocity - wanted).abs() <= 1e-3 * speeds.speed;
        if is_fast || self.may_land(&course, link, at, direct.velocity) {
            return 0.0;
        }
        let start = self.run_up_start(platform, at, wanted);
        let there = run(&speeds, &mut back, [start, 0.0], bounds);
        (there + run(&speeds, &mut back, [at, wanted], bounds) - seconds).max(0.0)
    }
}

/// Whether the motion of a link keeps to an acceleration in the air.
fn is_smooth(link: &Link) -> bool {
    link.params.start_speed().is_some()
}

/// Whether a link is such a motion, and begins with a jump.
fn is_smooth_jump(link: &Link) -> bool {
    is_smooth(link) && link.kind == StepKind::Jump && !link.walks_off()
}

/// Moves a body to a position, to have a velocity there, and returns the seconds.
fn run(speeds: &SpeedProfile, body: &mut Runner, to: [f64; 2], bounds: [f64; 2]) -> f64 {
    let [at, velocity] = to;
    let speed = (velocity * (at - body.at).signum()).max(0.0);
    speeds.run(body, Target { at, speed, bounds })
}

/// A body at the end of a flight.
fn landing(flight: &Airborne) -> Runner {
    let curve = &flight.trajectory;
    Runner {
        at: flight.to.x.into(),
        velocity: curve.velocity(curve.duration).x * flight.time_scale,
    }
}
