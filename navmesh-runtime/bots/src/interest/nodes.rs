//! Nodes of behaviour trees for bots.

use std::ops::RangeInclusive;

use glam::Vec2;

use navmesh_behavior::{Context, Node, Outcome, Registry, Status, TaskContext, Tick, TreeDef};
use serde::{Deserialize, Serialize};

/// Lasting memory of [`visit`].
const LASTING: u16 = 2;

/// Ticks the child, unless an earlier result is kept; `keeps` says which results are,
/// for some seconds. Returns the result, and whether it is new.
fn visit<C: Context>(
    tick: &mut Tick<'_, '_, C>,
    seconds: f32,
    keeps: impl Fn(Status) -> bool,
    reason: &'static str,
) -> (Outcome, bool) {
    let now = tick.now;
    if now < tick.recall::<f64>(0) {
        tick.set_reason(|| reason);
        return (Outcome::from(tick.recall::<bool>(1)), false);
    }
    let outcome = tick.visit(0).unwrap_or(Outcome::FAILURE);
    if keeps(outcome.status) {
        tick.remember(0, now + f64::from(seconds));
        tick.remember(1, outcome.status == Status::Success);
    }
    (outcome, true)
}

/// A decorator that keeps the result of its child, success or failure, for some
/// seconds: a [`DecisionMemory`](super::DecisionMemory) in a tree. In tree files:
/// `keep_decision` with `seconds`.
///
/// `TreeState::reset` does not forget the decision; `TreeState::restart` does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeepDecision {
    /// Seconds for which it is kept.
    pub seconds: f32,
}

impl<C: Context> Node<C> for KeepDecision {
    fn children(&self) -> RangeInclusive<usize> {
        1..=1
    }

    fn memory(&self) -> [u16; 2] {
        [0, LASTING]
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let reason = "the decision is kept";
        visit(tick, self.seconds, Status::is_done, reason).0
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("keep_decision", self)
    }
}

/// A decorator that recovers from a failure of its child: it is running for the
/// rest of that tick, so that the agent does nothing else, and then fails without
/// ticking the child until the child is not barred any more: a
/// [`Recovery`](super::Recovery) in a tree. In tree files: `recover` with `seconds`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// Seconds for which the child is barred after a failure.
    pub seconds: f32,
}

impl<C: Context> Node<C> for Recover {
    fn children(&self) -> RangeInclusive<usize> {
        1..=1
    }

    fn memory(&self) -> [u16; 2] {
        [0, LASTING]
    }

    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        let fails = |status| status == Status::Failure;
        let (outcome, is_new) = visit(tick, self.seconds, fails, "barred after a failure");
        if is_new && fails(outcome.status) {
            tick.set_reason(|| "reset after a failure");
            return Outcome::RUNNING;
        }
        outcome
    }

    fn describe(&self) -> Option<TreeDef> {
        TreeDef::of_node("recover", self)
    }
}

/// What [`InterestTask`]s call, for one bot in one tick.
pub trait InterestContext: TaskContext {
    /// Chooses a target, with
    /// [`InterestField::choose`](super::InterestField::choose): feet of an agent that
    /// takes it (world units), or `None` when nothing interests the bot.
    fn choose_target(&mut self) -> Option<Vec2>;

    /// Where the bot meets its target, with
    /// [`Course::intercept`](super::Course::intercept); `None`
    /// when it cannot.
    fn meeting(&mut self) -> Option<Vec2>;

    /// Acts with [`Handicap::act`](super::Handicap::act). Returns whether it may.
    fn act(&mut self) -> bool;
}

/// The leaves for bots. In tree files they have the name of the variant in small
/// letters, such as `choose_target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterestTask {
    /// Chooses a target and makes its place the destination; fails without one.
    ChooseTarget,
    /// Makes the place where the bot meets its target the destination; fails where
    /// it cannot.
    InterceptTarget,
    /// Succeeds if the bot may act now, and uses up one action.
    Act,
}

impl InterestTask {
    /// Registers these leaves, [`KeepDecision`] and [`Recover`] for tree files.
    pub fn register<C>(registry: &mut Registry<C>)
    where
        C: Context,
        for<'a> C::View<'a>: InterestContext,
    {
        registry
            .action("choose_target", |tick| Self::ChooseTarget.act(tick))
            .action("intercept_target", |tick| Self::InterceptTarget.act(tick))
            .action("act", |tick| Self::Act.act(tick))
            .task("keep_decision", |node: KeepDecision| node)
            .task("recover", |node: Recover| node);
    }

    fn act<C>(self, tick: &mut Tick<'_, '_, C>) -> Outcome
    where
        C: Context,
        for<'a> C::View<'a>: InterestContext,
    {
        let to = match self {
            Self::Act => return tick.context.act().into(),
            Self::ChooseTarget => tick.context.choose_target(),
            Self::InterceptTarget => tick.context.meeting(),
        };
        if let Some(to) = to {
            *tick.destination = Some(to);
            Outcome::SUCCESS
        } else {
            tick.set_reason(|| "no target");
            Outcome::FAILURE
        }
    }
}

impl<C> Node<C> for InterestTask
where
    C: Context,
    for<'a> C::View<'a>: InterestContext,
{
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        self.act(tick)
    }
}
