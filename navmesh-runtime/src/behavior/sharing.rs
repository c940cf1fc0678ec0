//! The nodes that hold something of a pool while their child runs.

use super::engine::RUNNING;
use super::state::Guard;
use super::status::{Outcome, Status};
use super::tick::Tick;
use super::timing;

/// Cursors of `with_token`. Its memory: when it began to ask.
const ASKING: u32 = RUNNING;
const HOLDING: u32 = 2;

/// Cursors of `with_waypoint`. Its memory: when it began to look. Its lasting
/// memory: the number of the last waypoint, plus 1.
const LOOKING: u32 = RUNNING;
const THERE: u32 = 2;
const FALLBACK: u32 = 3;

impl<C> Tick<'_, C> {
    pub(super) fn with_token<const TRACED: bool>(&mut self, at: usize, spec: u32) -> Outcome {
        let tree = self.tree;
        let spec = &tree.tokens[spec as usize];
        let guard = tree.extents[at].guard as usize;
        let priority = spec.priority.of(self.context);
        if self.parts.cursors[at] == HOLDING {
            let held = match &self.parts.guards[guard] {
                Some(Guard::Token(token)) => token.renew(priority),
                _ => false,
            };
            if !held {
                self.abort_running(at + 1);
                self.because("token taken by a higher priority");
                return self.give_back(at, Outcome::FAILURE);
            }
        } else {
            let Some(pool) = self.parts.pools.tokens(spec.pool) else {
                self.because("no such token pool: the state was made without pools");
                return Outcome::FAILURE;
            };
            if let Some(token) = pool.request(priority) {
                self.parts.guards[guard] = Some(Guard::Token(token));
                self.parts.cursors[at] = HOLDING;
            } else if self.still_waiting(at, ASKING, spec.wait) {
                self.because("no token free");
                return Outcome::RUNNING;
            } else {
                self.because("no token in time");
                return self.give_back(at, Outcome::FAILURE);
            }
        }
        let outcome = self.visit::<TRACED>(at + 1);
        if outcome.status.is_done() {
            return self.give_back(at, outcome);
        }
        outcome
    }

    pub(super) fn with_waypoint<const TRACED: bool>(&mut self, at: usize, spec: u32) -> Outcome {
        let tree = self.tree;
        let spec = &tree.waypoints[spec as usize];
        let (main, fallback) = (at + 1, tree.nodes[at + 1].end as usize);
        if self.parts.cursors[at] <= LOOKING {
            if self.claim(at, spec.pool, &spec.score, spec.no_repeat) {
                if let Some(Guard::Waypoint(claim)) =
                    &self.parts.guards[tree.extents[at].guard as usize]
                {
                    (spec.arrive)(self.context, claim.waypoint());
                }
                self.parts.cursors[at] = THERE;
            } else if self.still_waiting(at, LOOKING, spec.wait) {
                self.because("no waypoint will do");
                return Outcome::RUNNING;
            } else {
                self.parts.cursors[at] = FALLBACK;
            }
        }
        if self.parts.cursors[at] == FALLBACK {
            if fallback >= tree.nodes[at].end as usize {
                self.because("no waypoint in time");
                return self.give_back(at, Outcome::FAILURE);
            }
            let outcome = self.visit::<TRACED>(fallback);
            if outcome.status.is_done() {
                return self.give_back(at, outcome);
            }
            return outcome;
        }
        let outcome = self.visit::<TRACED>(main);
        if outcome.status == Status::Success
            && spec.no_repeat
            && let Some(Guard::Waypoint(claim)) =
                &self.parts.guards[tree.extents[at].guard as usize]
        {
            let last = u64::from(claim.waypoint().index) + 1;
            self.parts.lasting[tree.extents[at].lasting as usize] = last;
        }
        if outcome.status.is_done() {
            return self.give_back(at, outcome);
        }
        outcome
    }

    fn claim(
        &mut self,
        at: usize,
        pool: u32,
        score: &crate::coordination::Score<C>,
        no_repeat: bool,
    ) -> bool {
        let Some(pool) = self.parts.pools.waypoints(pool) else {
            return false;
        };
        let extent = self.tree.extents[at];
        let last = self.parts.lasting[extent.lasting as usize].checked_sub(1);
        let except = last.filter(|_| no_repeat);
        let context = &*self.context;
        let claim = pool.claim_best(except.map(|i| i as u32), |w| score.of(context, w));
        let claimed = claim.is_some();
        self.parts.guards[extent.guard as usize] = claim.map(Guard::Waypoint);
        claimed
    }

    /// Whether a node that got nothing has time left; counts from its first
    /// tick.
    fn still_waiting(&mut self, at: usize, cursor: u32, wait: f32) -> bool {
        let word = self.tree.extents[at].run as usize;
        if self.parts.run[word] == 0 {
            self.parts.run[word] = timing::stamp(self.parts.now);
        }
        self.parts.cursors[at] = cursor;
        !timing::reached(self.parts.run[word], self.parts.now, wait)
    }

    /// Ends a node of this kind: what it holds is released.
    fn give_back(&mut self, at: usize, outcome: Outcome) -> Outcome {
        self.release(at);
        self.forget(at);
        self.parts.cursors[at] = 0;
        outcome
    }

    pub(super) fn release(&mut self, at: usize) {
        self.parts.guards[self.tree.extents[at].guard as usize] = None;
    }
}
