//! What a body makes of a new route: the links that it cannot follow, and those for
//! which it has to go back for a run-up.

use super::air_course::AirCourse;
use super::airborne::Airborne;
use super::kinematics::{Runner, SpeedProfile, Target};
use super::movement::Movement;
use super::pilot::{BodyCommand, Pilot};
use super::pilot_take_off::SPARE_STEPS;
use crate::mesh::{Link, LinkId, LinkKind, Platform, PlatformKind};

/// Seconds from which a run-up is worth the search for another route. At 8 times run
/// speed per second, going back and running takes about 0.3 s.
const WORTH_A_SEARCH: f64 = 0.25;

impl Pilot<'_> {
    /// Looks at the links of a new route. Returns whether another route should be
    /// requested, because the body cannot follow one of them, or has to go back for a
    /// run-up that the search did not count.
    pub fn refuses_route(&mut self) -> bool {
        let layer = self.layer();
        let route = &self.plan.route;
        if self.memory.seen == route.version {
            return false;
        }
        self.memory.seen = route.version;
        let next = match *self.movement {
            Movement::Floor(on, _) => self.next_link(on).map(|(id, _)| id),
            _ => None,
        };
        // A run-up goes on if the new route begins with the same link: where the target
        // moves, there is a new one several times a second.
        let run_up = self.memory.run_up.filter(|(id, _)| Some(*id) == next);
        if run_up.is_none() {
            (self.memory.run_up, self.memory.run_ups) = (None, 0);
        }
        self.memory.next = None;
        if std::mem::take(&mut self.memory.rests) {
            self.memory.reacts = self.memory.clock + self.memory.timing.reaction;
        }
        let mut body = match *self.movement {
            Movement::Floor(_, runner) => Some(runner),
            Movement::Airborne(flight, ..) => Some(landing(&flight)),
            _ => None,
        };
        let (mut failing, mut slow) = (Vec::new(), Vec::new());
        for id in route.remaining().iter().filter_map(|step| step.link) {
            let Some(link) = layer.link(id) else {
                continue;
            };
            let from = body.unwrap_or(Runner::standing(link.from.x.into()));
            body = Some(Runner::standing(link.to.x.into()));
            if !link.kind.is_airborne() {
                continue;
            }
            let found = self.flight_that_lands(link, link.from, None);
            if !self.can_follow(link, found) && !self.memory.is_known(id) {
                failing.push(id);
            }
            let flight = found.map(|found| found.0);
            let Some(flight) = flight.or_else(|| self.baked_flight(link)) else {
                continue;
            };
            body = Some(landing(&flight));
            let seconds = self.run_up_seconds(link, &flight, from);
            let is_counted = self
                .memory
                .run_up_costs
                .iter()
                .any(|(known, _)| *known == id);
            let is_begun = run_up.is_some_and(|(known, _)| known == id);
            if seconds > WORTH_A_SEARCH && !is_counted && !is_begun {
                slow.push((id, seconds as f32));
            }
        }
        let is_refused = !(failing.is_empty() && slow.is_empty());
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
        self.memory.run_up = Some((link, x));
        BodyCommand::without_jump(self.towards(platform, x, 0.0))
    }

    /// Where a body has to start from rest, to have a speed at a take-off.
    fn run_up_start(&self, platform: Platform<'_>, at: f64, wanted: f64) -> f64 {
        let acceleration = f64::from(self.settings.profile.acceleration);
        let steady = SPARE_STEPS * wanted.abs() * self.seconds;
        let length = wanted * wanted / (2.0 * acceleration) + steady;
        self.inside(platform, at - wanted.signum() * length, 0.5)
    }

    /// How much later a body takes off for a link than one that needs no run-up.
    fn run_up_seconds(&self, link: &Link, flight: &Airborne, from: Runner) -> f64 {
        let layer = self.layer();
        let platform = layer.platform(link.from_platform);
        let has_run_up = matches!(link.kind, LinkKind::Jump | LinkKind::Drop);
        let runs = |p: &Platform<'_>| p.kind == PlatformKind::Floor && has_run_up;
        let Some(platform) = platform.filter(runs) else {
            return 0.0;
        };
        let course = AirCourse::new(*flight, self.air_limits());
        let wanted = self.take_off_speed(&course, link, platform);
        let at = f64::from(link.from.x);
        let speeds = SpeedProfile::from(&self.settings.profile);
        let bounds = [platform.left().x, platform.right().x].map(f64::from);
        let reach = |body: &mut Runner, at: f64, velocity: f64| {
            let speed = (velocity * (at - body.at).signum()).max(0.0);
            speeds.run(body, Target { at, speed, bounds })
        };
        let (mut direct, mut back) = (from, from);
        let seconds = reach(&mut direct, at, wanted);
        let is_fast = (direct.velocity - wanted).abs() <= 1e-3 * speeds.speed;
        if is_fast || self.may_land(&course, link, at, direct.velocity) {
            return 0.0;
        }
        let start = self.run_up_start(platform, at, wanted);
        let there = reach(&mut back, start, 0.0);
        (there + reach(&mut back, at, wanted) - seconds).max(0.0)
    }
}

/// A body at the end of a flight.
fn landing(flight: &Airborne) -> Runner {
    let curve = &flight.trajectory;
    Runner {
        at: flight.to.x.into(),
        velocity: curve.velocity(curve.duration).x * flight.time_scale,
    }
}
