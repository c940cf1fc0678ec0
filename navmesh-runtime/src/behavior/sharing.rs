//! The nodes that hold something of a pool while their child runs.

use super::Context;
use super::engine::{RUNNING, Run};
use super::state::Guard;
use super::status::{Outcome, Status};
use super::timing;

/// Cursors of `with_token`. Its memory: when it began to ask.
const ASKING: u32 = RUNNING;
const HOLDING: u32 = 2;

/// Cursors of `with_waypoint`. Its memory: when it began to look. Its lasting
/// memory: the number of the last waypoint, plus 1.
const LOOKING: u32 = RUNNING;
const THERE: u32 = 2;
const FALLBACK: u32 = 3;

impl<C: ?Sized + Context> Run<'_, '_, C> {
    pub(super) fn with_token<const TRACED: bool>(&mut self, at: usize, spec: u32) -> Outcome {
        let tree = self.tree;
        let spec = &tree.tokens[spec as usize];
        let guard = tree.extents[at].guard as usize;
        let priority = spec.priority.of(self.tick.context);
        if self.tick.parts.cursors[at] == HOLDING {
            let held = match &self.tick.parts.guards[guard] {
                Some(Guard::Token(token)) => token.renew(priority),
                _ => false,
            };
            if !held {
                self.abort_running(at + 1);
                self.tick.set_reason("token taken by a higher priority");
                return self.give_back(at, Outcome::FAILURE);
            }
        } else {
            let Some(pool) = self.tick.parts.pools.tokens(spec.pool) else {
                self.tick
                    .set_reason("no such token pool: the state was made without pools");
                return Outcome::FAILURE;
            };
            if let Some(token) = pool.request(priority) {
                self.tick.parts.guards[guard] = Some(Guard::Token(token));
                self.tick.parts.cursors[at] = HOLDING;
            } else if self.still_waiting(at, ASKING, spec.wait) {
                self.tick.set_reason("no token free");
                return Outcome::RUNNING;
            } else {
                self.tick.set_reason("no token in time");
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
        if self.tick.parts.cursors[at] <= LOOKING {
            if self.claim(at, spec.pool, &spec.score, spec.no_repeat) {
                if let Some(Guard::Waypoint(claim)) =
                    &self.tick.parts.guards[tree.extents[at].guard as usize]
                {
                    (spec.arrive)(self.tick.context, claim.waypoint());
                }
                self.tick.parts.cursors[at] = THERE;
            } else if self.still_waiting(at, LOOKING, spec.wait) {
                self.tick.set_reason("no waypoint will do");
                return Outcome::RUNNING;
            } else {
                self.tick.parts.cursors[at] = FALLBACK;
            }
        }
        if self.tick.parts.cursors[at] == FALLBACK {
            if fallback >= tree.nodes[at].end as usize {
                self.tick.set_reason("no waypoint in time");
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
                &self.tick.parts.guards[tree.extents[at].guard as usize]
        {
            let last = u64::from(claim.waypoint().index) + 1;
            self.tick.parts.lasting[tree.extents[at].lasting as usize] = last;
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
        let Some(pool) = self.tick.parts.pools.waypoints(pool) else {
            return false;
        };
        let extent = self.tree.extents[at];
        let last = self.tick.parts.lasting[extent.lasting as usize].checked_sub(1);
        let except = last.filter(|_| no_repeat);
        let context = &*self.tick.context;
        let claim = pool.claim_best(except.map(|i| i as u32), |w| score.of(context, w));
        let claimed = claim.is_some();
        self.tick.parts.guards[extent.guard as usize] = claim.map(Guard::Waypoint);
        claimed
    }

    /// Whether a node that got nothing has time left; counts from its first
    /// tick.
    fn still_waiting(&mut self, at: usize, cursor: u32, wait: f32) -> bool {
        let word = self.tree.extents[at].run as usize;
        if self.tick.parts.run[word] == 0 {
            self.tick.parts.run[word] = timing::stamp(self.tick.parts.now);
        }
        self.tick.parts.cursors[at] = cursor;
        !timing::reached(self.tick.parts.run[word], self.tick.parts.now, wait)
    }

    /// Ends a node of this kind: what it holds is released.
    fn give_back(&mut self, at: usize, outcome: Outcome) -> Outcome {
        self.release(at);
        self.forget(at);
        self.tick.parts.cursors[at] = 0;
        outcome
    }

    pub(super) fn release(&mut self, at: usize) {
        self.tick.parts.guards[self.tree.extents[at].guard as usize] = None;
    }
}
