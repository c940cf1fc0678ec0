//! Following a route: running, climbing, portals, jumps and flights.

use glam::DVec2;

use super::airborne::Airborne;
use super::flight_curve::{FlightCurve, next_curve};
use super::free_flight::{FlightEnd, FreeFlight};
use super::kinematics::{Runner, SpeedProfile, Target};
use super::movement::{Climber, Flier, Movement, Placing};
use super::mover::{Mover, flight};
use super::pilot::PATIENCE;
use super::plan::Plan;
use super::report::{AgentEvent, PathLostReason, Stranded};
use crate::mesh::{EdgeSet, Link, LinkLine, Platform, PlatformId, StepKind};
use crate::search::free_space::FreeSpace;
use crate::search::{SnapTo, Step};

/// Distance at which a runner is at a link, and a flier at a vertex, world
/// units. Runs and curves end exactly at their target, so this only absorbs the
/// rounding of positions; a larger value would show as a jump in position.
const AT_POINT: f64 = 1e-4;

/// Distance from the beginning of a flight at which an agent is on it, world
/// units: far above the rounding of positions.
const NEAR: f64 = 1e-2;

/// The exact movement of an agent along its route.
///
/// Each method gets the seconds that are left of the step, and returns those that
/// its movement did not need.
impl Mover<'_> {
    /// Goes on with the present movement, or begins the next.
    pub fn follow(&mut self, seconds: f64) -> f64 {
        match *self.movement {
            Movement::Floor(platform, runner) => self.run(platform, runner, seconds),
            Movement::Climbing(climber) => self.climb(climber, seconds),
            Movement::Flying(flier) => self.fly(flier, seconds),
            Movement::Airborne(..) => self.fall(seconds),
            Movement::Launched(flight) => self.fly_free(flight, seconds),
            Movement::InPortal(portal, left) => self.pass_portal(portal, left, seconds),
            Movement::Riding(riding) => self.ride(riding, seconds),
            Movement::Unplaced | Movement::Stranded(..) => 0.0,
        }
    }

    fn run(&mut self, on: PlatformId, runner: Runner, seconds: f64) -> f64 {
        let layer = self.layer();
        let Some(platform) = layer.platform(on) else {
            return self.lose_place(0.0);
        };
        let Some(&step) = self.journey.route.current() else {
            self.run_out(platform, runner, seconds);
            return 0.0;
        };
        let link = step
            .link
            .and_then(|id| layer.link(id))
            .filter(|link| link.from_platform == on);
        // Where the next movement begins, and how far from there it may.
        let (x, tolerance) = match link {
            Some(link) => (link.from.x, AT_POINT),
            None if step.kind == StepKind::Fly => {
                // Any place near the first vertex will do: the flight begins
                // with a line to that vertex.
                let nearest = platform.spans(step.from.x).then_some(step.from.x);
                let tolerance = f64::from(layer.grid().spacing) * 1e-2;
                (nearest.unwrap_or(runner.at as f32), tolerance)
            }
            None if step.ride.is_some() && step.platform == Some(on) => (step.from.x, AT_POINT),
            None if step.kind == StepKind::Floor
                && step.link.is_none()
                && step.platform == Some(on) =>
            {
                let next = self.journey.route.following().copied();
                let left = self.run_to(platform, runner, step.to.x, next, seconds);
                if left.is_some() {
                    self.journey.route.advance();
                }
                return left.unwrap_or(0.0);
            }
            None => return self.lose_place(seconds),
        };
        if (runner.at - f64::from(x)).abs() > tolerance {
            let left = self.run_to(platform, runner, x, Some(step), seconds);
            return left.unwrap_or(0.0);
        }
        if self.journey.waits() || !self.room.takes_link {
            *self.movement = Movement::Floor(on, Runner::standing(runner.at));
            return 0.0;
        }
        if let Some(ride) = step.ride {
            *self.movement = Movement::Floor(on, Runner::standing(runner.at));
            return self.wait_for_ride(ride, &step, seconds);
        }
        let Some(link) = link else {
            let from = platform.clamp(runner.at as f32);
            *self.movement = Movement::hovering(from);
            self.events.push(AgentEvent::TookOff { from });
            return seconds;
        };
        self.take(link, step.kind, runner.velocity, seconds)
    }

    /// Runs to an x of a platform, and on to the next step without a stop
    /// where that is possible. `None` while it is under way.
    fn run_to(
        &mut self,
        platform: Platform<'_>,
        mut runner: Runner,
        x: f32,
        next: Option<Step>,
        seconds: f64,
    ) -> Option<f64> {
        let layer = self.layer();
        let speeds = SpeedProfile::from(&self.settings.profile);
        let next = next.and_then(|step| Some((step.link?, layer.link(step.link?)?)));
        let end = self.limit_of(platform, runner, f64::from(x));
        let is_held = end != f64::from(x);
        let takes = self.room.takes_link && !self.journey.waits() && !is_held;
        let speed = match next.filter(|_| takes) {
            Some((id, link)) if link.kind.is_airborne() => {
                let velocity = self.journey.route.take_off(id, || {
                    let airborne = Airborne::along(link, layer, &self.settings.profile);
                    airborne.map_or(0.0, |airborne| f64::from(airborne.velocity().x))
                });
                let ahead = f64::from(x) - runner.at;
                let heading = if ahead == 0.0 { runner.velocity } else { ahead };
                velocity * heading.signum()
            }
            Some((_, link)) if link.kind == StepKind::OneWayStep => speeds.speed,
            _ => 0.0,
        };
        let target = Target {
            at: end,
            speed,
            bounds: self.turning_room(platform, runner),
        };
        let left = speeds.advance(&mut runner, target, seconds);
        *self.movement = Movement::Floor(platform.id, runner);
        left.filter(|_| !is_held)
    }

    /// Comes to rest at the end of a route, or without one.
    fn run_out(&mut self, platform: Platform<'_>, mut runner: Runner, seconds: f64) {
        let bounds = if self.journey.plan == Plan::Stopping || self.settings.is_disabled() {
            // After a landing: a stop and a stun are at once.
            [runner.at; 2]
        } else {
            self.turning_room(platform, runner)
        };
        let at = match self.journey.route.previous() {
            // After a landing at the destination, it comes back there.
            Some(last) if self.journey.is_under_way() => f64::from(last.to.x),
            _ => {
                let at = self.room.aside_on(platform.id);
                at.unwrap_or(self.stop_of(runner))
                    .clamp(bounds[0], bounds[1])
            }
        };
        let target = Target {
            at,
            speed: 0.0,
            bounds,
        };
        let speeds = SpeedProfile::from(&self.settings.profile);
        let left = speeds.advance(&mut runner, target, seconds);
        *self.movement = Movement::Floor(platform.id, runner);
        if left.is_some() {
            let at = platform.clamp(runner.at as f32);
            self.journey.arrive(at, self.events);
        }
    }

    /// Where a runner comes to rest that brakes from now on.
    pub fn stop_of(&self, runner: Runner) -> f64 {
        let speeds = SpeedProfile::from(&self.settings.profile);
        runner.at
            + speeds
                .stopping_distance(runner.velocity)
                .copysign(runner.velocity)
    }

    /// How far it may run towards an x of a platform because of other agents.
    pub fn limit_of(&self, on: Platform<'_>, runner: Runner, x: f64) -> f64 {
        self.room.limit(on.id, runner.at, self.stop_of(runner), x)
    }

    /// Whether it cannot stop any more before the end of its platform, where it will take the
    /// next link of its route.
    pub fn must_take_link(&self) -> bool {
        let Movement::Floor(on, runner) = *self.movement else {
            return false;
        };
        let (layer, stop) = (self.layer(), self.stop_of(runner));
        let ends = |on: Platform<'_>| [on.left().x, on.right().x].map(f64::from);
        let Some([left, right]) = layer.platform(on).map(ends) else {
            return false;
        };
        let route = &self.journey.route;
        let mut next = route.current().into_iter().chain(route.following());
        let link = next.find_map(|step| layer.link(step.link?));
        (stop < left - AT_POINT || stop > right + AT_POINT)
            && link.is_some_and(|link| {
                let ahead = f64::from(link.from.x) - runner.at;
                let is_fast = link.kind.is_airborne() || link.kind == StepKind::OneWayStep;
                is_fast && link.from_platform == on && ahead * runner.velocity >= 0.0
            })
    }

    /// Between which x the agent may slide while it comes to rest: the ends of the
    /// platform, and nowhere if it would slide into a closed door.
    fn turning_room(&self, platform: Platform<'_>, runner: Runner) -> [f64; 2] {
        let ends = [platform.left().x, platform.right().x].map(f64::from);
        if self.has_no_doors() {
            return ends;
        }
        let [from, to] = [runner.at, self.stop_of(runner)].map(|x| platform.clamp(x as f32));
        let slide = Step {
            kind: StepKind::Floor,
            platform: Some(platform.id),
            ..flight(from, to, 1.0)
        };
        if self.crosses_door(&slide) {
            [runner.at; 2]
        } else {
            ends
        }
    }

    fn climb(&mut self, climber: Climber, seconds: f64) -> f64 {
        let layer = self.layer();
        let climber = Climber {
            velocity: DVec2::ZERO,
            ..climber
        };
        *self.movement = Movement::Climbing(climber);
        let Some(&step) = self.journey.route.current() else {
            self.journey.arrive(climber.at.as_vec2(), self.events);
            return 0.0;
        };
        let (to, link) = match step.link.and_then(|id| layer.link(id)) {
            None if step.kind.is_climb() && step.platform == Some(climber.on) => (step.to, None),
            Some(link) if link.from_platform == climber.on => (link.from, Some(link)),
            _ => return self.lose_place(seconds),
        };
        if let Some(link) = link.filter(|_| climber.at.as_vec2() == to) {
            if self.journey.waits() || !self.room.takes_link {
                return 0.0;
            }
            return self.take(link, step.kind, 0.0, seconds);
        }
        // A game may take an agent's ability to climb while it holds on.
        let speed = f64::from(self.settings.profile.climb_speed.max(f32::MIN_POSITIVE));
        let Some(on) = layer.platform(climber.on) else {
            return self.lose_place(seconds);
        };
        let [now, then] = [climber.at.as_vec2(), to].map(|at| f64::from(on.along(at)));
        let limit = self.room.limit(climber.on, now, now, then);
        let end = if limit == then {
            to
        } else {
            on.at(limit as f32)
        };
        let ahead = end.as_dvec2() - climber.at;
        let needed = ahead.length() / speed;
        if needed > seconds {
            let velocity = ahead.normalize_or_zero() * speed;
            *self.movement = Movement::Climbing(Climber {
                at: climber.at + velocity * seconds,
                velocity,
                ..climber
            });
            return 0.0;
        }
        *self.movement = Movement::Climbing(Climber {
            at: end.as_dvec2(),
            ..climber
        });
        if end != to {
            return 0.0;
        }
        if link.is_none() {
            self.journey.route.advance();
        }
        seconds - needed
    }

    /// Begins the movement of a link from its first position.
    fn take(&mut self, link: &Link, kind: StepKind, velocity: f64, seconds: f64) -> f64 {
        let layer = self.layer();
        let mut left = seconds;
        *self.movement = if kind.is_airborne() {
            let Some(airborne) = Airborne::along(link, layer, &self.settings.profile) else {
                self.journey.lose(PathLostReason::Limits, self.events);
                return seconds;
            };
            let event = AgentEvent::of_take_off(kind, link.from, link.to);
            self.events.push(event);
            Movement::Airborne(airborne, kind, link.to_platform)
        } else if kind.is_climb() {
            left -= f64::from(link.duration);
            Movement::through(link, layer, 0.0, self.events)
        } else {
            Movement::through(link, layer, velocity, self.events)
        };
        self.journey.route.advance();
        left
    }

    fn fall(&mut self, seconds: f64) -> f64 {
        let layer = self.layer();
        let Movement::Airborne(airborne, _, platform) = self.movement else {
            return seconds;
        };
        let from = airborne.position();
        if self.settings.is_disabled() && FreeFlight::can_begin(from, layer) {
            // In a shaft narrower than the spacing, it first follows its trajectory, which
            // is free.
            *self.movement = Movement::Launched(FreeFlight::begin(from, airborne.velocity()));
            return seconds;
        }
        let Some(left) = airborne.advance(seconds) else {
            return 0.0;
        };
        let (at, platform, limit) = (airborne.to, *platform, self.settings.profile.run_speed);
        let velocity = f64::from(airborne.velocity().x.clamp(-limit, limit));
        *self.movement = Movement::on_platform(layer, platform, at, velocity);
        self.events.push(AgentEvent::Landed { at });
        left
    }

    /// Goes on in free flight after a launch.
    fn fly_free(&mut self, mut flight: FreeFlight, seconds: f64) -> f64 {
        let layer = self.layer();
        let Some((left, end)) = flight.advance(seconds) else {
            *self.movement = Movement::Launched(flight);
            return 0.0;
        };
        let at = flight.state().0;
        *self.movement = match end {
            FlightEnd::Continues(velocity) | FlightEnd::FallsThrough(velocity) => {
                let space = match end {
                    FlightEnd::FallsThrough(_) => FreeSpace::new(layer, [&[], &[]]),
                    _ => self.free_space(),
                };
                let flies = layer.profile().edges.contains(EdgeSet::FLY);
                let brakes = flies && !self.settings.is_disabled();
                let next = FreeFlight::next(at, velocity, layer, space, self.settings, brakes);
                Movement::Launched(next)
            }
            FlightEnd::Lands(spot) => {
                self.events.push(AgentEvent::Landed { at: spot.position });
                Movement::on_platform(layer, spot.platform, spot.position, 0.0)
            }
            FlightEnd::Rests => {
                let placing = Placing {
                    was_free: true,
                    falls_with: None,
                };
                Movement::placed(layer, self.settings, at.as_vec2(), placing, self.events)
            }
            FlightEnd::Slides(to) => {
                let speed = f64::from(self.settings.profile.run_speed);
                Movement::Launched(FreeFlight::slide(at, to, speed, DVec2::ZERO))
            }
            FlightEnd::FallsOut => {
                Movement::Launched(flight.out_of_the_level(layer, self.settings))
            }
            FlightEnd::IsOut => {
                let why = Stranded::LeftLevel;
                self.events.push(AgentEvent::Stranded(why));
                Movement::Stranded(why, at.as_vec2())
            }
        };
        left
    }

    /// Waits at the entrance, or goes on along its line; at the exit when the portal's time is
    /// over, and the body there.
    fn pass_portal(&mut self, portal: Link, left: f64, seconds: f64) -> f64 {
        let left = left - seconds;
        let (from, to) = (portal.from, portal.to);
        let layer = self.layer();
        let line = layer.line_of(&portal);
        let is_late = self.is_driven && left > -PATIENCE && {
            let reach = line.map(|line| line.state(0.0, portal.duration).1.length());
            let reach = reach.unwrap_or(f32::INFINITY) * self.seconds() as f32;
            self.body.position.distance(to) > reach + self.settings.tolerance
        };
        if left > 0.0 || is_late {
            *self.movement = Movement::InPortal(portal, left);
            return 0.0;
        }
        *self.movement = Movement::on_platform(layer, portal.to_platform, to, 0.0);
        self.events.push(match line {
            Some(&LinkLine { marker, .. }) => AgentEvent::LinkFinished { marker, to },
            None => AgentEvent::Teleported { from, to },
        });
        (-left).min(seconds)
    }

    fn fly(&mut self, mut flier: Flier, seconds: f64) -> f64 {
        if flier.is_redirected {
            self.steer_flight(&mut flier);
        }
        let Some((curve, t)) = flier.curve else {
            return self.begin_flight(flier, seconds);
        };
        let t = t + seconds;
        if t < curve.seconds {
            flier.curve = Some((curve, t));
            *self.movement = Movement::Flying(flier);
            return 0.0;
        }
        (flier.at, flier.velocity) = (curve.to, curve.end);
        flier.curve = None;
        *self.movement = Movement::Flying(flier);
        if !flier.is_redirected && self.is_at_end_of_step(&flier) {
            self.journey.route.advance();
        }
        t - curve.seconds
    }

    fn is_at_end_of_step(&self, flier: &Flier) -> bool {
        let step = self.journey.route.current();
        step.is_some_and(|step| flier.at.distance(step.to.as_dvec2()) < AT_POINT)
    }

    /// Goes on from the end of a curve.
    fn begin_flight(&mut self, mut flier: Flier, seconds: f64) -> f64 {
        flier.is_redirected = false;
        let step = self.journey.route.current().copied();
        let flies_on = step.is_some_and(|step| step.kind == StepKind::Fly);
        let is_at_rest = flier.velocity == DVec2::ZERO;
        if flies_on && !self.journey.waits() && is_at_rest && self.is_at_end_of_step(&flier) {
            self.journey.route.advance();
            return seconds;
        }
        if flies_on && !self.journey.waits() || !is_at_rest {
            self.steer_flight(&mut flier);
            *self.movement = Movement::Flying(flier);
            if flier.curve.is_some() {
                return seconds;
            }
            // From here, there is no way onto the route.
            if self.journey.needs_path() {
                return 0.0;
            }
            self.journey.replan();
            return seconds;
        }
        match step {
            None => self.end_flight(flier),
            Some(step) if step.kind != StepKind::Fly => {
                return self.touch_down(flier, &step, seconds);
            }
            Some(_) => *self.movement = Movement::Flying(flier),
        }
        0.0
    }

    /// Begins a curve from where the agent is to the end of the present step, or
    /// else one that brakes. When neither is free, the present curve goes on.
    fn steer_flight(&self, flier: &mut Flier) {
        let limits = SpeedProfile::of_flight(&self.settings.profile);
        let (at, velocity) = flier.state();
        // Caught in a door, it gets no deeper inside.
        let space = self.free_space();
        let space = space.leaving(at.as_vec2());
        let step = self.journey.route.current();
        if let Some(step) = step.filter(|s| s.kind == StepKind::Fly && !self.journey.waits()) {
            let next = self.journey.route.following();
            let next = next.filter(|s| s.kind == StepKind::Fly).map(|s| s.to);
            // Every edge but the first is known to be free: it joins vertices,
            // or was looked along when the route was pulled straight. The first
            // leads from the agent to a vertex; it is known only where it is
            // longer than that can be.
            let is_known = self.journey.route.cursor > 0
                || step.from.distance(step.to) > 4.0 * space.spacing();
            let edge = [step.from, step.to];
            let course = next_curve(at, velocity, edge, next, &limits, &space, is_known);
            if let Some((curve, brake)) = course {
                flier.follow(curve, brake);
                return;
            }
        }
        if velocity != DVec2::ZERO {
            let brake = FlightCurve::braking(at, velocity, &limits);
            if brake.is_clear(&space) {
                flier.follow(brake, None);
            } else if flier.curve.is_none() {
                match flier.brake.take() {
                    Some(brake) => flier.follow(brake, None),
                    // Only a door that closes right before it, or a change of
                    // its limits, leaves it no room to brake.
                    None => flier.velocity = DVec2::ZERO,
                }
            }
        } else if let Some(step) = step.filter(|step| {
            // A step along a floor follows its shape: `touch_down` begins it.
            step.kind == StepKind::Fly && at.distance(step.from.as_dvec2()) < NEAR
        }) {
            // The edge from a place beside or above geometry to the nearest vertex may lead
            // through a corner of it. The next path begins in the open. The way out of a
            // door is free, except for other doors.
            let to = step.to.as_dvec2();
            let open = (!self.journey.is_leaving_door())
                .then(|| space.nearest_known(at, |place| place.distance(to) < at.distance(to)))
                .flatten();
            let curve = FlightCurve::at_rest(at, open.unwrap_or(to), &limits);
            flier.follow(curve, None);
        }
    }

    /// The end of a route in the air, or on a floor that was flown to.
    fn end_flight(&mut self, flier: Flier) {
        let (layer, at) = (self.layer(), flier.at.as_vec2());
        let walks = layer.profile().edges.walks();
        let floor = walks.then(|| layer.snap(at, SnapTo::FloorBelow(0.0))?.platform);
        *self.movement = match floor.flatten() {
            Some(platform) if !self.journey.needs_path() => {
                self.events.push(AgentEvent::Landed { at });
                Movement::Floor(platform, Runner::standing(f64::from(at.x)))
            }
            _ => Movement::hovering(at),
        };
        self.journey.arrive(at, self.events);
    }

    /// Ends a flight on the platform that the route goes on along.
    fn touch_down(&mut self, flier: Flier, step: &Step, seconds: f64) -> f64 {
        let (layer, at) = (self.layer(), flier.at.as_vec2());
        let platform = step.platform.and_then(|id| layer.platform(id));
        // The last vertex of the flight is in the cell of the floor.
        let is_beneath =
            |platform: &Platform<'_>| platform.clamp(at.x).distance(at) <= layer.grid().spacing;
        if let Some(platform) = platform.filter(is_beneath) {
            *self.movement = Movement::Floor(platform.id, Runner::standing(f64::from(at.x)));
            self.events.push(AgentEvent::Landed { at });
            seconds
        } else {
            *self.movement = Movement::hovering(at);
            self.lose_place(seconds)
        }
    }

    /// The route does not fit where the agent is: plans again.
    pub fn lose_place(&mut self, seconds: f64) -> f64 {
        self.journey.lose(PathLostReason::Level, self.events);
        seconds
    }
}
