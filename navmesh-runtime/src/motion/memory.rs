//! What is stored about the body that an agent drives, from one step to the next.

use glam::Vec2;

use super::airborne::Airborne;
use crate::mesh::{AgentProfile, LinkId, MarkerId};

/// Extra cost, in seconds, of a link that a body probably cannot follow: about what it takes
/// a body that falls short to come back. It bounds how much longer another way may take.
const UNLIKELY: f32 = 3.0;
/// Extra cost, in seconds, of a link for each failure.
const FAILED: f32 = 5.0;
/// Failures from which a link is left out.
const MAX_FAILURES: u8 = 3;
/// Seconds for which a failure counts.
const MEMORY: f64 = 20.0;

/// Seconds over which the steps are averaged: about half a jump.
const AVERAGED: f64 = 0.25;
/// Share by which equal steps may differ. Where they differ by 5 %, bodies that take
/// them for equal need more time than others.
const STEADY: f64 = 0.01;

/// Seconds by which an agent acts later than it could.
#[derive(Debug, Clone, Copy, Default)]
pub struct HumanTiming {
    /// Until a body at rest begins to follow a path.
    pub reaction: f64,
    /// Greatest delay of a take-off.
    pub jitter: f64,
    /// The state of the random numbers.
    pub seed: u64,
}

/// How a body takes off next.
#[derive(Debug, Clone, Copy, Default)]
pub struct TakeOff {
    /// The flight of the next link, and how far from the end of its platform the body
    /// takes off at least.
    pub next: Option<(LinkId, Airborne, f64)>,
    /// How many seconds late it takes off for a link.
    pub late: Option<(LinkId, f64)>,
    /// The link for which the body makes a run-up, and the x to go back to.
    pub run_up: Option<(LinkId, f64)>,
    /// The jump that the body should have begun, and since when.
    pub jump: Option<(LinkId, Airborne, f64)>,
}

/// The flight that a body is in.
#[derive(Debug, Clone, Copy, Default)]
pub struct BodyFlight {
    pub link: Option<LinkId>,
    /// Launches that were commanded.
    pub launches: usize,
    /// Seconds in which the body did not rise as it should.
    pub stopped: f64,
    /// Whether the body was held at the corner from which the flight began.
    pub hangs: bool,
    /// The marker of the moving platform that the body jumped off.
    pub rode: Option<MarkerId>,
}

/// What is stored about an agent's body, and of its requests what most steps do not read.
#[derive(Debug, Clone, Default)]
pub struct BodyMemory {
    /// Greatest acceleration across in the air, units/s².
    pub air_acceleration: f64,
    /// How much later than possible it acts.
    pub timing: HumanTiming,
    /// When it begins to follow its route, on the clock.
    pub reacts: f64,
    /// Whether the body rested without a path. On a new path to a target that moves
    /// on, it does not react again.
    pub rests: bool,
    /// Seconds of all steps.
    pub clock: f64,
    /// How long the steps are.
    pub steps: Steps,
    /// Where the body was in the last step.
    pub at: Vec2,
    /// Steps since the body stood on its floor.
    pub off: u8,
    pub take_off: TakeOff,
    /// Run-ups for the next link so far.
    pub run_ups: u8,
    pub flight: BodyFlight,
    /// The flight onto or off a platform that moves, and since when the body should have taken
    /// off, on its clock; `None` when it has.
    pub ride_jump: Option<(Airborne, Option<f64>)>,
    failures: Vec<Failure>,
    /// What the run-ups of links cost in seconds, on the routes that were found since
    /// the last one that was followed.
    pub run_up_costs: Vec<(LinkId, f32)>,
    /// What links cost more, in seconds, because of other agents.
    pub shared: Vec<(LinkId, f32)>,
    /// The last progress towards a destination.
    pub progress: Progress,
    pub destination: Option<Vec2>,
    /// The destination that the last request was for.
    pub asked: Vec2,
    /// The destination, and if that was on a platform that moves when it was given, which and
    /// where on it.
    pub aboard: Option<(Vec2, Option<(u16, f32)>)>,
    /// Whether the last command moved the body exactly.
    pub was_exact: bool,
}

/// How long the steps of a game are, seconds. A game may pass the times of its frames.
#[derive(Debug, Clone, Copy, Default)]
pub struct Steps {
    /// The step that begins.
    pub now: f64,
    /// The one before it, which moved the body to where it is.
    pub last: f64,
    /// Those that follow, as far as is known: a mean, in which long steps count more.
    pub usual: f64,
}

impl Steps {
    /// Begins a step.
    pub fn begin(&mut self, seconds: f64) {
        let first = Self {
            now: seconds,
            last: seconds,
            usual: seconds,
        };
        let before = if self.now > 0.0 { *self } else { first };
        // A game that was stopped for a second does not go on with steps of a second.
        let known = seconds.min(AVERAGED);
        *self = Self {
            now: seconds,
            last: before.now,
            usual: before.usual + known / AVERAGED * (known - before.usual),
        };
    }

    /// Whether the steps are equal, except for rounding.
    pub fn is_steady(&self) -> bool {
        (self.now - self.usual).abs() <= STEADY * self.usual
    }
}

/// How far a body has come.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// The shortest time to the destination so far, seconds.
    pub left: f64,
    /// When that was, and where the body was.
    pub since: f64,
    pub at: Vec2,
}

impl Progress {
    /// None so far.
    pub const fn none(since: f64, at: Vec2) -> Self {
        let left = f64::INFINITY;
        Self { left, since, at }
    }
}

/// A link that failed, or is expected to.
#[derive(Debug, Clone, Copy)]
struct Failure {
    link: LinkId,
    count: u8,
    until: f64,
}

impl BodyMemory {
    pub fn new(profile: &AgentProfile) -> Self {
        Self::with_air_acceleration(profile.steering().unwrap_or(f64::INFINITY))
    }

    fn with_air_acceleration(air_acceleration: f64) -> Self {
        Self {
            air_acceleration,
            rests: true,
            progress: Progress::none(0.0, Vec2::ZERO),
            ..Self::default()
        }
    }

    /// Removes what is stored about links: they are another layer's.
    pub fn forget(&mut self) {
        *self = Self {
            timing: self.timing,
            clock: self.clock,
            steps: self.steps,
            asked: self.asked,
            aboard: self.aboard,
            progress: Progress::none(self.clock, Vec2::ZERO),
            ..Self::with_air_acceleration(self.air_acceleration)
        };
    }

    /// Gives links the numbers that they have in another version of the layer, and forgets
    /// those that it does not have.
    pub fn relink(&mut self, number: impl Fn(LinkId) -> Option<LinkId>) {
        let TakeOff {
            next,
            late,
            run_up,
            jump,
        } = self.take_off;
        self.take_off = TakeOff {
            next: next.and_then(|(link, flight, margin)| Some((number(link)?, flight, margin))),
            late: late.and_then(|(link, seconds)| Some((number(link)?, seconds))),
            run_up: run_up.and_then(|(link, x)| Some((number(link)?, x))),
            jump: jump.and_then(|(link, flight, since)| Some((number(link)?, flight, since))),
        };
        self.flight.link = self.flight.link.and_then(&number);
        self.failures.retain_mut(|failure| {
            let known = number(failure.link);
            failure.link = known.unwrap_or(failure.link);
            known.is_some()
        });
        self.run_up_costs.clear();
        self.shared.clear();
    }

    /// Links that a path should avoid, with their extra cost in seconds.
    pub fn avoided(&self) -> impl Iterator<Item = (LinkId, f32)> + '_ {
        let now = self.clock;
        let current = self.failures.iter().filter(move |f| f.until > now);
        let failed = current.map(|failure| {
            let cost = match failure.count {
                0 => UNLIKELY,
                MAX_FAILURES.. => f32::INFINITY,
                count => UNLIKELY + FAILED * f32::from(count),
            };
            (failure.link, cost)
        });
        failed.chain(self.run_up_costs.iter().chain(&self.shared).copied())
    }

    /// Notes a failure of a link; `count` is 0 for one that is only expected.
    pub fn fail(&mut self, link: LinkId, count: u8) {
        let until = if count == 0 {
            f64::INFINITY
        } else {
            self.clock + MEMORY
        };
        match self.failures.iter_mut().find(|f| f.link == link) {
            Some(known) => {
                let is_over = known.until <= self.clock;
                known.count = if is_over { 0 } else { known.count }.saturating_add(count);
                known.until = until;
            }
            None => self.failures.push(Failure { link, count, until }),
        }
    }

    /// The links that failed, not those that are only expected to.
    pub fn failed(&self) -> impl Iterator<Item = LinkId> + '_ {
        let current = self.failures.iter().filter(|f| f.until > self.clock);
        current.filter(|f| f.count > 0).map(|f| f.link)
    }

    pub fn is_known(&self, link: LinkId) -> bool {
        let mut failures = self.failures.iter();
        failures.any(|f| f.link == link && f.until > self.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(memory: &BodyMemory) -> Vec<f32> {
        memory.avoided().map(|(_, cost)| cost).collect()
    }

    #[test]
    fn failures_cost_more_are_left_out_and_forgotten() {
        let mut memory = BodyMemory::with_air_acceleration(f64::INFINITY);
        let link = LinkId(3);
        // Expected for good, until it fails.
        memory.fail(link, 0);
        memory.clock = 1000.0;
        assert_eq!(costs(&memory), [UNLIKELY]);
        for expected in [UNLIKELY + FAILED, UNLIKELY + 2.0 * FAILED, f32::INFINITY] {
            memory.fail(link, 1);
            assert_eq!(costs(&memory), [expected]);
        }
        memory.clock += MEMORY;
        assert!(costs(&memory).is_empty() && !memory.is_known(link));
        memory.fail(link, 1);
        assert_eq!(costs(&memory), [UNLIKELY + FAILED]);
    }
}
