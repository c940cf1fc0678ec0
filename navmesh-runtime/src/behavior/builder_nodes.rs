//! The nodes a builder offers, one method each.

use std::sync::Arc;

use super::builder::{Builder, intern};
use super::data::Priority;
use super::node::Kind;
use super::tree::{Rank, RankOf, TokenSpec, WaypointSpec};
use super::{BuildError, Context, MemorySize, TaskContext, TurnRule};
use crate::coordination::{Score, Waypoint};

/// Composites.
impl<C: ?Sized + Context> Builder<C> {
    /// Opens a sequence: its children in order; fails with the first that
    /// fails, succeeds when all have. A running child is resumed. Without
    /// children it succeeds.
    #[must_use]
    pub fn sequence(self, name: &str) -> Self {
        let (one, pace) = (false, None);
        self.open(name, Kind::Sequence { one, pace }, MemorySize::NONE)
    }

    /// Opens a selector: its children in order; succeeds with the first that
    /// succeeds, fails when all have. A running child is resumed. Without
    /// children it fails.
    #[must_use]
    pub fn selector(self, name: &str) -> Self {
        let (one, pace) = (false, None);
        self.open(name, Kind::Selector { one, pace }, MemorySize::NONE)
    }

    /// Opens a sequence that begins at its first child in every tick, and
    /// aborts the child that was running when it does not come so far again.
    /// The abort follows the tick of the child that took over.
    #[must_use]
    pub fn reactive_sequence(self, name: &str) -> Self {
        self.open(name, Kind::ReactiveSequence, MemorySize::NONE)
    }

    /// Opens a selector that begins at its first child in every tick, and
    /// aborts the child that was running when an earlier one takes over. The
    /// abort follows the tick of the child that took over.
    #[must_use]
    pub fn reactive_selector(self, name: &str) -> Self {
        self.open(name, Kind::ReactiveSelector, MemorySize::NONE)
    }

    /// Opens a race: every child in every tick; the first to complete decides
    /// (on a tie the one that comes first), the others are aborted.
    #[must_use]
    pub fn race(self, name: &str) -> Self {
        self.open(name, Kind::Race, MemorySize::NONE)
    }

    /// Opens a parallel: each tick, every child that is not done. Succeeds
    /// when `success` children have, else fails when `failure` have, or when
    /// all are done; the others are aborted. 0 stands for "all of them".
    #[must_use]
    pub fn parallel(self, name: &str, success: u16, failure: u16) -> Self {
        let kind = Kind::Parallel { success, failure };
        self.open(name, kind, MemorySize::NONE)
    }
}

/// Decorators: each takes exactly one child.
impl<C: ?Sized + Context> Builder<C> {
    /// Opens a repeater that never ends: always running, and begins its child
    /// anew whenever that completes, at most once a tick.
    #[must_use]
    pub fn repeat(self, name: &str) -> Self {
        self.repeat_times(name, 0)
    }

    /// Opens a repeater that succeeds once its child has completed `count`
    /// times; 0 stands for "never".
    #[must_use]
    pub fn repeat_times(self, name: &str, count: u32) -> Self {
        let size = MemorySize::run(u16::from(count > 0));
        self.open(name, Kind::Repeat { count }, size)
    }

    /// Opens a timeout: ticks its child; when that still runs `seconds` after
    /// the first tick, it is aborted and the timeout fails.
    #[must_use]
    pub fn timeout(self, name: &str, seconds: f32) -> Self {
        self.open(name, Kind::Timeout { seconds }, MemorySize::run(1))
            .check_seconds("its time", seconds)
    }

    /// Opens a cooldown: after its child succeeded it fails at once until
    /// `seconds` have passed. A failure starts none. Survives reset.
    #[must_use]
    pub fn cooldown(self, name: &str, seconds: f32) -> Self {
        let size = MemorySize::NONE.and_lasting(1);
        self.open(name, Kind::Cooldown { seconds }, size)
            .check_seconds("its time", seconds)
    }

    /// Opens an inverter: success becomes failure, and failure success.
    #[must_use]
    pub fn invert(self, name: &str) -> Self {
        self.open(name, Kind::Invert, MemorySize::NONE)
    }

    /// Opens a node that succeeds when its child completes, either way;
    /// `turn` says whether that ends the turn, in turn-based games.
    #[must_use]
    pub fn force_success(self, name: &str, turn: TurnRule) -> Self {
        let success = true;
        self.open(name, Kind::Force { success, turn }, MemorySize::NONE)
    }

    /// Opens a node that fails when its child completes, either way.
    #[must_use]
    pub fn force_failure(self, name: &str, turn: TurnRule) -> Self {
        let success = false;
        self.open(name, Kind::Force { success, turn }, MemorySize::NONE)
    }

    /// A leaf that succeeds.
    #[must_use]
    pub fn always_succeed(self, name: &str, turn: TurnRule) -> Self {
        let success = true;
        self.bare(name, Kind::Always { success, turn })
    }

    /// A leaf that fails.
    #[must_use]
    pub fn always_fail(self, name: &str, turn: TurnRule) -> Self {
        let success = false;
        self.bare(name, Kind::Always { success, turn })
    }
}

/// Nodes that hold something of a pool.
impl<C: ?Sized + Context> Builder<C> {
    /// Opens a node that runs its child while it holds a token of the named
    /// pool. It asks each tick; refused it is running, and `wait` seconds
    /// after the first refusal it fails (0: at once; `f32::INFINITY`: never).
    /// The token is given back when the child is done or interrupted. When a
    /// higher priority takes it, the child is aborted and the node fails.
    ///
    /// The priority is 0 unless [`priority`](Self::priority) follows.
    #[must_use]
    pub fn with_token(mut self, name: &str, pool: &str, wait: f32) -> Self {
        let spec = self.tokens.len() as u32;
        let pool = intern(&mut self.token_pools, pool);
        self.tokens.push(TokenSpec {
            pool,
            wait,
            priority: Rank {
                def: Some(Priority::Fixed(0)),
                rank: RankOf::Fixed(0),
            },
        });
        self.open(name, Kind::WithToken { spec }, MemorySize::run(1))
            .check_seconds("its wait", wait)
    }

    /// How urgently the `with_token` opened last asks, looked up each tick:
    /// the higher may take a token from the lower. The usual rule is that who
    /// is on screen comes first.
    #[must_use]
    pub fn priority(self, rank: impl Fn(&C::In<'_>) -> i32 + Send + Sync + 'static) -> Self {
        self.rank(Rank {
            def: None,
            rank: RankOf::Function(Arc::new(rank)),
        })
    }

    /// Like [`priority`](Self::priority), with the name that the function has
    /// in tree files, so that the tree can be saved as one.
    #[must_use]
    pub fn named_priority(
        self,
        name: &str,
        rank: impl Fn(&C::In<'_>) -> i32 + Send + Sync + 'static,
    ) -> Self {
        self.rank(Rank {
            def: Some(Priority::Named(name.to_owned())),
            rank: RankOf::Function(Arc::new(rank)),
        })
    }

    /// Like [`priority`](Self::priority), and always the same.
    #[must_use]
    pub fn fixed_priority(self, rank: i32) -> Self {
        self.rank(Rank {
            def: Some(Priority::Fixed(rank)),
            rank: RankOf::Fixed(rank),
        })
    }

    pub(super) fn rank(mut self, rank: Rank<C>) -> Self {
        match self.opened_last() {
            Some(Kind::WithToken { spec }) => self.tokens[spec as usize].priority = rank,
            _ => return self.misplaced("a priority", "with_token"),
        }
        self
    }

    /// Opens a node that runs its first child at a waypoint of the named pool
    /// that nobody else has, or its second (if there is one) for want of
    /// any.
    ///
    /// Each tick until then it scores every free waypoint and claims the
    /// best; `arrive` then tells the game where to go, and the first child
    /// runs in the same tick. When none will do `wait` seconds after the
    /// first tick, the fallback runs instead (without one, the node fails).
    #[must_use]
    pub fn with_waypoint_by(
        mut self,
        name: &str,
        pool: &str,
        wait: f32,
        score: impl Into<Score<C>>,
        arrive: impl Fn(&mut C::In<'_>, &Waypoint) + Send + Sync + 'static,
    ) -> Self {
        let spec = self.waypoints.len() as u32;
        let pool = intern(&mut self.waypoint_pools, pool);
        self.waypoints.push(WaypointSpec {
            pool,
            wait,
            score: score.into(),
            no_repeat: false,
            arrive: Arc::new(arrive),
        });
        let size = MemorySize::run(1).and_lasting(1);
        self.open(name, Kind::WithWaypoint { spec }, size)
            .check_seconds("its wait", wait)
    }

    /// Makes the `with_waypoint` opened last leave out, next time, the
    /// waypoint at which its child last succeeded. Survives reset.
    #[must_use]
    pub fn no_repeat(mut self) -> Self {
        match self.opened_last() {
            Some(Kind::WithWaypoint { spec }) => self.waypoints[spec as usize].no_repeat = true,
            _ => return self.misplaced("`no_repeat`", "with_waypoint"),
        }
        self
    }

    fn opened_last(&self) -> Option<Kind> {
        // A node that was just opened is the last there is.
        self.nodes.last().map(|node| node.kind)
    }

    fn misplaced(self, what: &'static str, after: &'static str) -> Self {
        let path = self.here();
        self.fail(BuildError::Misplaced { path, what, after })
    }

    fn check_seconds(self, what: &'static str, seconds: f32) -> Self {
        let good = seconds >= 0.0;
        self.check(what, seconds, "a number of seconds, 0 or more", good)
    }
}

impl<C> Builder<C>
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: TaskContext,
{
    /// Like [`with_waypoint_by`](Self::with_waypoint_by), for games that
    /// implement [`TaskContext`]: the claimed waypoint becomes the agent's
    /// destination.
    #[must_use]
    pub fn with_waypoint(
        self,
        name: &str,
        pool: &str,
        wait: f32,
        score: impl Into<Score<C>>,
    ) -> Self {
        self.with_waypoint_by(name, pool, wait, score, |world, waypoint| {
            world.set_destination(waypoint.position);
        })
    }
}
