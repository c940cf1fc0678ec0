//! What makes choices look like a person's. Each type works on its own; times are
//! seconds on any clock of the game.

use std::collections::BTreeMap;

use glam::Vec2;

use navmesh_runtime::mesh::AgentProfile;
use navmesh_runtime::shared::unit;

/// A bonus for the present choice, so that an agent does not change its mind over
/// small differences.
///
/// ```
/// use navmesh_bots::interest::Hysteresis;
///
/// let mut target = Hysteresis { current: None, bonus: 0.2 };
/// assert_eq!(target.choose([("coin", 10.0), ("goat", 9.0)]), Some("coin"));
/// assert_eq!(target.choose([("coin", 10.0), ("goat", 11.0)]), Some("coin"));
/// assert_eq!(target.choose([("coin", 10.0), ("goat", 13.0)]), Some("goat"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hysteresis<T> {
    /// The present choice.
    pub current: Option<T>,
    /// How much of its score is added for the present choice: 0.2 for a fifth.
    pub bonus: f32,
}

impl<T: PartialEq + Copy> Hysteresis<T> {
    /// Chooses the option with the highest score, the first of equal ones; `None`
    /// without options. One whose score is NaN is no option.
    pub fn choose(&mut self, options: impl IntoIterator<Item = (T, f32)>) -> Option<T> {
        let mut best: Option<(T, f32)> = None;
        for (option, score) in options {
            let score = with_bonus(self, &option, score);
            if !score.is_nan() && best.is_none_or(|(_, most)| score > most) {
                best = Some((option, score));
            }
        }
        self.current = best.map(|(option, _)| option);
        self.current
    }
}

/// The score of an option, with the bonus if it is the present choice.
pub fn with_bonus<T: PartialEq>(habit: &Hysteresis<T>, option: &T, score: f32) -> f32 {
    if habit.current.as_ref() == Some(option) {
        score + habit.bonus * score.abs()
    } else {
        score
    }
}

/// A decision that is kept until a time or an event. Use `Option` or `bool` for one
/// that may be "no": a "no" is kept as well.
///
/// ```
/// use navmesh_bots::interest::DecisionMemory;
///
/// let mut shield = DecisionMemory::default();
/// assert!(!shield.decide(0.0, 0.5, || false));
/// assert!(!shield.decide(0.4, 0.5, || true), "it decided not to");
/// assert!(shield.decide(0.5, 0.5, || true));
/// shield = DecisionMemory::default(); // the event: it was hit
/// assert!(!shield.decide(0.6, 0.5, || false));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DecisionMemory<T> {
    kept: Option<(T, f64)>,
}

impl<T: Clone> DecisionMemory<T> {
    /// The decision that is kept; without one, decides and keeps that for some
    /// seconds. An event that makes it old replaces the memory by a new one.
    pub fn decide(&mut self, now: f64, seconds: f64, decide: impl FnOnce() -> T) -> T {
        if let Some((decision, until)) = &self.kept
            && now < *until
        {
            return decision.clone();
        }
        let decision = decide();
        self.kept = Some((decision.clone(), now + seconds));
        decision
    }
}

/// Something near that attracts an agent or repels it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stimulus {
    /// World units.
    pub position: Vec2,
    /// Its strength at no distance: above 0 attracts, below repels.
    pub pull: f32,
    /// The distance at which nothing is left of its strength, world units.
    pub radius: f32,
}

impl Stimulus {
    /// The reaction to things near a position: the strongest wins, alone, so that an
    /// agent between two does not stand still. Returns its index and the direction to
    /// go, of length 1: to the thing or away from it, zero for a thing exactly at the
    /// position. The first of equally strong ones wins; `None` when none is near enough.
    pub fn strongest(
        position: Vec2,
        stimuli: impl IntoIterator<Item = Self>,
    ) -> Option<(usize, Vec2)> {
        let mut best = None;
        let mut most = 0.0;
        for (index, stimulus) in stimuli.into_iter().enumerate() {
            let to = stimulus.position - position;
            let strength = stimulus.pull.abs() * (1.0 - to.length() / stimulus.radius);
            if strength > most {
                most = strength;
                best = Some((index, to.normalize_or_zero() * stimulus.pull.signum()));
            }
        }
        best
    }
}

/// Limits of a bot below what it could do, so that people can win, and the time that
/// it waits because of them. Each bot has its own.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Handicap {
    /// Its speed, as a share of the full one; above 0 to 1.
    pub speed: f32,
    /// The least and the greatest pause after an action, seconds.
    pub cooldown: [f32; 2],
    /// How many actions it may do one after the other before a pause; at least 1.
    pub chain: u32,
    /// Seconds until it notices that something went wrong: that its target is gone,
    /// or that it missed.
    pub notice: f32,
    /// The pauses follow from it, and it changes with each.
    #[cfg_attr(feature = "serde", serde(default))]
    pub seed: u64,
    /// Actions since the last pause.
    #[cfg_attr(feature = "serde", serde(skip))]
    done: u32,
    /// When the pause ends.
    #[cfg_attr(feature = "serde", serde(skip))]
    ready: Option<f64>,
    /// Since when something has been wrong.
    #[cfg_attr(feature = "serde", serde(skip))]
    since: Option<f64>,
}

impl Handicap {
    /// The handicap of a difficulty, from 0 (easy) to 1 (hard): 0.7 to 1 times the
    /// speed, pauses of 1.5 to 3 s down to 0.2 to 0.4 s, 1 to 3 actions in a row, 0.9
    /// to 0.1 s until it notices.
    pub fn new(difficulty: f32, seed: u64) -> Self {
        let is_number = !difficulty.is_nan();
        let difficulty = if is_number {
            difficulty.clamp(0.0, 1.0)
        } else {
            0.0
        };
        Self {
            speed: between(0.7, 1.0, difficulty),
            cooldown: [between(1.5, 0.2, difficulty), between(3.0, 0.4, difficulty)],
            chain: between(1.0, 3.0, difficulty).round() as u32,
            notice: between(0.9, 0.1, difficulty),
            seed,
            done: 0,
            ready: None,
            since: None,
        }
    }

    /// A profile with the speed of this handicap, for
    /// [`NavAgent::set_profile`](navmesh_runtime::motion::NavAgent::set_profile).
    #[must_use]
    pub fn applied_to(&self, profile: &AgentProfile) -> AgentProfile {
        let mut slower = profile.clone();
        slower.run_speed *= self.speed;
        slower.climb_speed *= self.speed;
        slower
    }

    /// Acts if it may: several times in a row, then after a pause of random length.
    /// Returns whether it does.
    pub fn act(&mut self, now: f64) -> bool {
        if self.ready.is_some_and(|ready| now < ready) {
            return false;
        }
        self.done += 1;
        if self.done >= self.chain {
            let [least, most] = self.cooldown.map(f64::from);
            self.done = 0;
            self.ready = Some(now + least + (most - least) * unit(&mut self.seed));
        }
        true
    }

    /// Whether it notices that something is wrong: only when it has been for
    /// [`notice`](Self::notice) seconds without a break.
    pub fn notices(&mut self, is_wrong: bool, now: f64) -> bool {
        self.since = is_wrong.then(|| self.since.unwrap_or(now));
        self.since
            .is_some_and(|since| now - since >= f64::from(self.notice))
    }
}

fn between(easy: f32, hard: f32, difficulty: f32) -> f32 {
    easy + (hard - easy) * difficulty
}

/// Recovers from decisions that failed: the agent is reset for one tick, the
/// decision is barred for a second, and the agent decides again.
///
/// ```
/// use navmesh_bots::interest::Recovery;
///
/// let mut recovery = Recovery::default();
/// recovery.fail("goat", 5.0);
/// assert!(recovery.resets(), "the tick after: do nothing");
/// assert!(!recovery.resets(), "then decide again, but not for the goat");
/// assert!(recovery.is_barred("goat", 5.9));
/// assert!(!recovery.is_barred("goat", 6.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Recovery<D> {
    barred: BTreeMap<D, f64>,
    resets: bool,
}

impl<D> Default for Recovery<D> {
    fn default() -> Self {
        Self {
            barred: BTreeMap::new(),
            resets: false,
        }
    }
}

impl<D: Copy + Ord> Recovery<D> {
    /// A decision failed: bars it for a second and resets the agent.
    pub fn fail(&mut self, decision: D, now: f64) {
        bar(self, decision, now, 1.0);
        self.resets = true;
    }

    /// Whether a decision is barred.
    pub fn is_barred(&self, decision: D, now: f64) -> bool {
        self.barred.get(&decision).is_some_and(|until| now < *until)
    }

    /// Whether the agent is reset in this tick. Call it once per tick: it returns
    /// `true` once after each failure.
    pub fn resets(&mut self) -> bool {
        std::mem::take(&mut self.resets)
    }
}

/// Bars a decision for some seconds, without a reset. Forgets those that are not barred
/// any more, so that ids that are used once do not fill the memory.
pub fn bar<D: Ord>(recovery: &mut Recovery<D>, decision: D, now: f64, seconds: f64) {
    recovery.barred.retain(|_, until| now < *until);
    recovery.barred.insert(decision, now + seconds);
}
