//! Many agents, one budget.

use std::collections::VecDeque;

use glam::Vec2;

use super::{PathSource, Reply, Ticket};
use crate::mesh::Layer;
use crate::search::{NoPath, Outcome, PathFinder, Query, QueryError, Step};

/// Answers the questions of many agents in the order in which they were put,
/// with so many looked-at nodes a frame. Who asks first is answered first, so
/// nobody waits forever, and the same questions get the same answers at the
/// same frames. One queue serves the agents of one layer.
///
/// ```
/// # use navmesh_runtime::mesh::Layer;
/// # use navmesh_runtime::motion::{NavAgent, PathQueue, World};
/// # fn frame(layer: &Layer, agents: &mut [NavAgent], queue: &mut PathQueue) {
/// for agent in agents {
///     agent.step(World::new(layer), queue, 1.0 / 60.0);
/// }
/// queue.work(layer, 2_000);
/// # }
/// ```
#[derive(Debug, Default)]
pub struct PathQueue {
    finder: PathFinder,
    slots: Vec<Slot>,
    free: Vec<u32>,
    waiting: VecDeque<Ticket>,
    /// The question that the finder is at.
    current: Option<Ticket>,
}

#[derive(Debug, Default)]
struct Slot {
    generation: u32,
    query: Option<Query>,
    answer: Option<Answer>,
    start: Vec2,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy)]
enum Answer {
    Path(Option<NoPath>),
    NoPath(NoPath),
    Rejected(QueryError),
}

impl PathQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many questions wait for an answer.
    pub fn len(&self) -> usize {
        let is_open = |ticket: &&Ticket| {
            self.slot(**ticket)
                .is_some_and(|slot| slot.answer.is_none())
        };
        self.waiting
            .iter()
            .chain(&self.current)
            .filter(is_open)
            .count()
    }

    /// Whether no question waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Works on the questions for at most `budget` looked-at nodes (a question
    /// that needs none counts as one), and says how many were answered.
    pub fn work(&mut self, layer: &Layer, budget: u32) -> u32 {
        let mut left = budget;
        let mut answered = 0;
        while left > 0 {
            let Some(ticket) = self.current.or_else(|| self.waiting.pop_front()) else {
                break;
            };
            let Some(slot) = self
                .slots
                .get_mut(ticket.slot as usize)
                .filter(|slot| slot.generation == ticket.generation)
            else {
                self.current = None;
                continue;
            };
            let Some(query) = &slot.query else {
                self.current = None;
                continue;
            };
            let begun = if self.current == Some(ticket) {
                Ok(())
            } else {
                self.finder.start(layer, query)
            };
            self.current = Some(ticket);
            let before = if begun.is_ok() {
                self.finder.expanded()
            } else {
                0
            };
            let outcome = begun.and_then(|()| self.finder.step(layer, left));
            let (answer, expanded) = match outcome {
                Ok(Outcome::Found(path)) => {
                    (Some((Answer::Path(None), Some(path))), path.expanded())
                }
                Ok(Outcome::Partial(path, why)) => {
                    (Some((Answer::Path(Some(why)), Some(path))), path.expanded())
                }
                Ok(Outcome::NoPath(why)) => (Some((Answer::NoPath(why), None)), before),
                Ok(Outcome::BudgetExhausted) => (None, before.saturating_add(left)),
                // The layer was swapped: begin again in the new one.
                Err(QueryError::OtherLayer) => {
                    self.current = None;
                    self.waiting.push_front(ticket);
                    left -= 1;
                    continue;
                }
                Err(error) => (Some((Answer::Rejected(error), None)), before),
            };
            left = left.saturating_sub(expanded.saturating_sub(before).max(1));
            if let Some((answer, path)) = answer {
                slot.steps.clear();
                if let Some(path) = path {
                    slot.start = path.start();
                    slot.steps.extend_from_slice(path.steps());
                }
                slot.answer = Some(answer);
                self.current = None;
                answered += 1;
            }
        }
        answered
    }

    /// Forgets every question; those who ask with an old ticket ask anew.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.current = None;
        self.free.clear();
        for (i, slot) in (0..).zip(&mut self.slots) {
            slot.generation = slot.generation.wrapping_add(1);
            slot.answer = None;
            self.free.push(i);
        }
    }

    fn slot(&self, ticket: Ticket) -> Option<&Slot> {
        self.slots
            .get(ticket.slot as usize)
            .filter(|slot| slot.generation == ticket.generation)
    }

    fn enqueue(&mut self, query: &Query) -> Ticket {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        let mut generation = 0;
        if let Some(slot) = self.slots.get_mut(index as usize) {
            generation = slot.generation;
            slot.answer = None;
            match &mut slot.query {
                Some(kept) => {
                    (kept.from, kept.to, kept.partial) = (query.from, query.to, query.partial);
                    kept.filter.clone_from(&query.filter);
                }
                none => *none = Some(query.clone()),
            }
        }
        let ticket = Ticket {
            slot: index,
            generation,
        };
        self.waiting.push_back(ticket);
        ticket
    }
}

impl PathSource for PathQueue {
    fn ask<'a>(&'a mut self, _: &Layer, ticket: &mut Option<Ticket>, query: &Query) -> Reply<'a> {
        let known = ticket.filter(|&t| self.slot(t).is_some());
        let Some(known) = known else {
            *ticket = Some(self.enqueue(query));
            return Reply::Pending;
        };
        let answer = self.slot(known).and_then(|slot| slot.answer);
        let Some(answer) = answer else {
            return Reply::Pending;
        };
        // Told once; the steps stay in the slot until it is used again.
        *ticket = None;
        self.cancel(known);
        let Some(slot) = self.slots.get(known.slot as usize) else {
            return Reply::Pending;
        };
        match answer {
            Answer::Path(short) => Reply::Path {
                start: slot.start,
                steps: &slot.steps,
                short,
            },
            Answer::NoPath(why) => Reply::NoPath(why),
            Answer::Rejected(error) => Reply::Rejected(error),
        }
    }

    fn cancel(&mut self, ticket: Ticket) {
        if let Some(slot) = self
            .slots
            .get_mut(ticket.slot as usize)
            .filter(|slot| slot.generation == ticket.generation)
        {
            slot.generation = slot.generation.wrapping_add(1);
            slot.answer = None;
            self.free.push(ticket.slot);
            if self.current == Some(ticket) {
                self.current = None;
            }
        }
    }
}
