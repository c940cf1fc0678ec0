//! Sources of paths: requests and their answers, at once or from a queue with a budget
//! for each frame.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::mesh::Layer;
use crate::search::goal_tree::{Arrivals, FromTree, GoalTree};
use crate::search::{NoPath, Path, PathFinder, PathOutcome, Query, QueryError};

/// A request to a source of paths that is not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket {
    queue: usize,
    slot: u32,
    generation: u32,
}

/// Finds paths for agents: at once ([`PathFinder`]) or in turn
/// ([`PathQueue`](super::PathQueue)). Not part of the public interface.
pub trait PathSource {
    /// Requests a path, or returns the answer to the request of a ticket. When
    /// the reply is [`PathOutcome::BudgetExhausted`], `ticket` holds the
    /// request's ticket, and later calls with that ticket do not read `query`.
    /// Any other reply leaves no ticket.
    ///
    /// # Errors
    /// If the query is invalid.
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError>;

    /// Replaces the query of a request, which keeps its place in the order.
    /// Returns `false`, and changes nothing, when work on the request has begun
    /// or the source keeps no order.
    fn amend(&mut self, _: Ticket, _: &Query) -> bool {
        false
    }

    /// Takes a request back. Does nothing when it no longer exists.
    fn cancel(&mut self, ticket: Ticket);
}

impl PathSource for PathFinder {
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError> {
        *ticket = None;
        self.find(layer, query)
    }

    fn cancel(&mut self, _: Ticket) {}
}

/// Answers the path requests of many agents in the order in which they were
/// made, and looks at no more nodes in a frame than it is given.
///
/// No request waits for ever, and the same requests get the same answers in the same
/// frames. One queue serves the agents of one layer.
///
/// A crowd of walking agents with one goal and one filter is answered from one
/// search backwards from there, which also answers later requests for the same
/// goal. Its paths cost as much as those of a [`PathFinder`]; among paths of
/// equal cost it may choose another. Fliers with one goal share a search in any `PathFinder`.
///
/// ```
/// # use navmesh_runtime::mesh::Layer;
/// # use navmesh_runtime::motion::{NavAgent, PathQueue, Environment};
/// # fn frame(layer: &Layer, agents: &mut [NavAgent], queue: &mut PathQueue) {
/// for agent in agents {
///     agent.step(Environment::new(layer), queue, 1.0 / 60.0);
/// }
/// queue.work(layer, 2_000);
/// # }
/// ```
#[derive(Debug)]
pub struct PathQueue {
    /// Distinguishes its tickets from those of other queues.
    identity: usize,
    finder: PathFinder,
    slots: Vec<Slot>,
    free: Vec<u32>,
    waiting: VecDeque<Ticket>,
    crowds: Crowds,
    /// The request that is worked on, and how.
    current: Option<(Ticket, By)>,
}

static NEXT_IDENTITY: AtomicUsize = AtomicUsize::new(0);

impl Default for PathQueue {
    fn default() -> Self {
        Self {
            identity: NEXT_IDENTITY.fetch_add(1, Ordering::Relaxed),
            finder: PathFinder::default(),
            slots: Vec::new(),
            free: Vec::new(),
            waiting: VecDeque::new(),
            crowds: Crowds::default(),
            current: None,
        }
    }
}

/// How a request is answered.
#[derive(Debug, Clone, Copy)]
enum By {
    /// From the search of a crowd.
    Crowd,
    /// By a search of its own; whether that has begun.
    Search(bool),
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    query: Query,
    answer: Option<Answer>,
    /// For an answer that has a path.
    path: Path,
}

/// A [`PathOutcome`] whose path is in the slot, or an error.
#[derive(Debug, Clone, Copy)]
enum Answer {
    Found,
    Nearest(NoPath),
    NoPath(NoPath),
    Rejected(QueryError),
}

impl PathQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of requests without an answer.
    pub fn len(&self) -> usize {
        let current = self.current.iter().map(|(ticket, _)| ticket);
        let slots = current
            .chain(&self.waiting)
            .filter_map(|&ticket| slot(&self.slots, ticket));
        slots.filter(|slot| slot.answer.is_none()).count()
    }

    /// Whether every request has its answer.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Works on the requests until `budget` nodes were looked at; a request that
    /// needs none counts as one. Returns how many requests were answered.
    pub fn work(&mut self, layer: &Layer, budget: u32) -> u32 {
        let mut left = budget;
        let mut answered = 0;
        while left > 0 {
            let Some((ticket, by)) = self.next(layer) else {
                break;
            };
            let (answer, spent) = match by {
                By::Crowd => self.ask_crowd(layer, ticket, left),
                By::Search(is_begun) => self.search(layer, ticket, is_begun, left),
            };
            left = left.saturating_sub(spent);
            if answer.is_some() {
                self.slots[ticket.slot as usize].answer = answer;
                self.current = None;
                answered += 1;
            }
        }
        answered
    }

    /// The request that is worked on, or else the next, and how.
    fn next(&mut self, layer: &Layer) -> Option<(Ticket, By)> {
        if self.current.is_none() {
            let ticket = loop {
                let ticket = self.waiting.pop_front()?;
                if slot(&self.slots, ticket).is_some() {
                    break ticket;
                }
            };
            self.current = Some((ticket, self.how_to_answer(layer, ticket)));
        }
        self.current
    }

    fn how_to_answer(&mut self, layer: &Layer, ticket: Ticket) -> By {
        let (slots, waiting) = (&self.slots, &self.waiting);
        let near = || waiting.iter().take(WINDOW);
        let others = || near().filter_map(|&ticket| Some(&slot(slots, ticket)?.query));
        match slot(slots, ticket).map(|slot| &slot.query) {
            Some(own)
                if !own.may_ride(layer)
                    && !own.is_indexed(layer)
                    && self.crowds.serve(layer, own, others) =>
            {
                By::Crowd
            }
            _ => By::Search(false),
        }
    }

    /// Looks for a path in the search of a crowd. Returns the answer, if there
    /// is one, and the nodes looked at.
    fn ask_crowd(&mut self, layer: &Layer, ticket: Ticket, budget: u32) -> (Option<Answer>, u32) {
        let slot = &mut self.slots[ticket.slot as usize];
        let (found, spent) = self.crowds.find(layer, &slot.query, budget);
        match found {
            FromTree::Found(path) => {
                slot.path.copy_from(path);
                (Some(Answer::Found), spent.max(1))
            }
            FromTree::Paused => (None, spent),
            FromTree::NotApplicable => {
                self.current = Some((ticket, By::Search(false)));
                (None, spent)
            }
        }
    }

    /// Searches for one request. Returns the answer, if there is one yet, and
    /// the nodes looked at.
    fn search(
        &mut self,
        layer: &Layer,
        ticket: Ticket,
        is_begun: bool,
        budget: u32,
    ) -> (Option<Answer>, u32) {
        let slot = &mut self.slots[ticket.slot as usize];
        let begun = if is_begun {
            Ok(())
        } else {
            self.finder.start(layer, &slot.query)
        };
        self.current = Some((ticket, By::Search(true)));
        let before = begun.map_or(0, |()| self.finder.expanded());
        let outcome = begun.and_then(|()| self.finder.step(layer, budget));
        if let Some(path) = outcome.ok().and_then(|outcome| outcome.path()) {
            slot.path.copy_from(path);
        }
        let answer = match outcome {
            Ok(PathOutcome::Found(_)) => Some(Answer::Found),
            Ok(PathOutcome::Nearest(_, why)) => Some(Answer::Nearest(why)),
            Ok(PathOutcome::NoPath(why)) => Some(Answer::NoPath(why)),
            Ok(PathOutcome::BudgetExhausted) => None,
            // The layer was swapped: begin again in the new one.
            Err(QueryError::OtherLayer) => {
                self.current = None;
                self.waiting.push_front(ticket);
                return (None, 1);
            }
            Err(error) => Some(Answer::Rejected(error)),
        };
        let spent = self.finder.expanded().saturating_sub(before).max(1);
        (answer, spent)
    }

    /// The slot of a ticket, if this queue gave it and its request still
    /// exists.
    fn slot_mut(&mut self, ticket: Ticket) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(ticket.slot as usize);
        slot.filter(|slot| (ticket.queue, ticket.generation) == (self.identity, slot.generation))
    }

    fn enqueue(&mut self, query: &Query) -> Ticket {
        let index = self.free.pop().unwrap_or(self.slots.len() as u32);
        match self.slots.get_mut(index as usize) {
            Some(slot) => slot.query.clone_from(query),
            None => self.slots.push(Slot {
                generation: 0,
                query: query.clone(),
                answer: None,
                path: Path::default(),
            }),
        }
        let ticket = Ticket {
            queue: self.identity,
            slot: index,
            generation: self.slots[index as usize].generation,
        };
        self.waiting.push_back(ticket);
        ticket
    }
}

fn slot(slots: &[Slot], ticket: Ticket) -> Option<&Slot> {
    let slot = slots.get(ticket.slot as usize);
    slot.filter(|slot| slot.generation == ticket.generation)
}

impl PathSource for PathQueue {
    fn ask<'a>(
        &'a mut self,
        _: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError> {
        let known = ticket.and_then(|known| Some((known, self.slot_mut(known)?.answer)));
        let Some((known, answer)) = known else {
            *ticket = Some(self.enqueue(query));
            return Ok(PathOutcome::BudgetExhausted);
        };
        let Some(answer) = answer else {
            return Ok(PathOutcome::BudgetExhausted);
        };
        // An answer is given once. Its path stays in the slot until that is
        // used again.
        *ticket = None;
        self.cancel(known);
        let path = &self.slots[known.slot as usize].path;
        match answer {
            Answer::Found => Ok(PathOutcome::Found(path)),
            Answer::Nearest(why) => Ok(PathOutcome::Nearest(path, why)),
            Answer::NoPath(why) => Ok(PathOutcome::NoPath(why)),
            Answer::Rejected(error) => Err(error),
        }
    }

    fn amend(&mut self, ticket: Ticket, query: &Query) -> bool {
        let is_begun = self.current.is_some_and(|(current, _)| current == ticket);
        match self.slot_mut(ticket) {
            Some(slot) if !is_begun && slot.answer.is_none() => {
                slot.query.clone_from(query);
                true
            }
            _ => false,
        }
    }

    fn cancel(&mut self, ticket: Ticket) {
        if let Some(slot) = self.slot_mut(ticket) {
            slot.generation = slot.generation.wrapping_add(1);
            slot.answer = None;
            self.free.push(ticket.slot);
            if self.current.is_some_and(|(current, _)| current == ticket) {
                self.current = None;
            }
        }
    }
}

/// How many requests for one goal have to wait before a search backwards from
/// it begins. A lower number begins searches that cost more than those of the few
/// agents that share them; with a higher one, crowds of up to that size are searched for one
/// by one. Chosen by the part `one goal` of `cargo bench -p navmesh-runtime
/// --bench motion`, which prints both costs for crowds of 6 to 1,000.
const CROWD: usize = 16;

/// How many waiting requests are looked through for a crowd. A crowd spread
/// over more of the queue is not recognized; a longer look costs every request
/// that is searched for alone.
const WINDOW: usize = 64;

/// How many goals are kept. Each holds a search over the whole layer in memory,
/// and each is compared with every request.
const MOST_GOALS: usize = 4;

/// The goals of crowds and the searches from them. A goal is kept, over frames
/// too, until its place is needed for another.
#[derive(Debug, Default)]
struct Crowds {
    arrivals: Arrivals,
    /// The one used last is the first.
    goals: Vec<GoalTree>,
}

impl Crowds {
    /// Whether a query can be answered from a goal: a known one, or a new one when a
    /// crowd waits for it. Makes that goal the first.
    fn serve<'a, W: Iterator<Item = &'a Query>>(
        &mut self,
        layer: &Layer,
        query: &Query,
        waiting: impl Fn() -> W,
    ) -> bool {
        let known = |goal: &GoalTree| goal.serves(layer, query);
        if let Some(index) = self.goals.iter().position(known) {
            self.goals[..=index].rotate_right(1);
            return true;
        }
        let has_same_goal = |other: &&Query| other.has_goal_of(query);
        // The query itself no longer waits, but belongs to the crowd.
        let others = waiting().filter(has_same_goal).take(CROWD - 1).count();
        if others + 1 < CROWD {
            return false;
        }
        if self.goals.len() < MOST_GOALS {
            self.goals.push(GoalTree::default());
        }
        // It takes the place of the goal unused for the longest time, unless a request
        // waits for that.
        let is_idle = |goal: &GoalTree| !waiting().any(|query| goal.serves(layer, query));
        let Some(index) = self.goals.iter().rposition(is_idle) else {
            return false;
        };
        self.goals[..=index].rotate_right(1);
        self.arrivals.prepare(layer);
        self.goals[0].start(layer, &self.arrivals, query);
        true
    }

    /// Looks for a path from the start of a query to the first goal. Returns the nodes
    /// looked at as well.
    fn find(&mut self, layer: &Layer, query: &Query, budget: u32) -> (FromTree<'_>, u32) {
        match self.goals.first_mut() {
            Some(goal) if goal.serves(layer, query) => {
                // The queue may have searched in another layer meanwhile.
                self.arrivals.prepare(layer);
                goal.find(layer, &self.arrivals, query, budget)
            }
            _ => (FromTree::NotApplicable, 0),
        }
    }
}
