//! The plan of an agent: its destination, its route there, and its request for a path.

use glam::Vec2;

use super::queue::{PathSource, Ticket};
use super::report::{AgentEvent, IdleReason, PathLostReason};
use crate::mesh::{LinkId, StepKind};
use crate::search::free_space::FreeSpace;
use crate::search::{NoPath, Query, Step};

/// Greatest number of paths that an agent may lose in one step before it gives
/// up. One is usual (a door closes). A second path can be lost for a reason
/// that the search does not check. A larger number would only repeat the same
/// search within the step.
const MAX_LOSSES: u8 = 4;

/// What an agent does at present.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plan {
    /// It rests, for this reason.
    Idle(IdleReason),
    /// It was stopped, and arrives where it comes to rest.
    Stopping,
    /// It follows its route to the destination, or to a place short of it for this reason.
    Following(Option<NoPath>),
    /// Its route leads out of a door that closed on it. Then it rests, for this reason,
    /// unless it needs a path.
    LeavingDoor(IdleReason),
}

/// Where an agent goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    None,
    /// Where it comes to rest after a stop.
    Rest,
    At(Vec2),
}

/// Whether an agent needs another path to its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    None,
    Path,
    /// A path came too late to be of use. The agent waits before its next link or
    /// flight, because the next path must begin where it is.
    PathFromHere,
}

/// Where an agent goes, how far it is on its route, and the path that it requested.
#[derive(Debug, Clone)]
pub struct Journey {
    pub plan: Plan,
    pub goal: Goal,
    /// Where it goes before its goal, to make way for another agent.
    pub detour: Option<Vec2>,
    pub need: Need,
    pub route: Route,
    /// The last request.
    pub query: Box<Query>,
    /// The request that is not answered yet.
    pub ticket: Option<Ticket>,
    /// A request to take back.
    stale: Option<Ticket>,
    /// Paths lost in the present step.
    losses: u8,
    /// The version of the doors that the route was last checked against.
    pub doors_seen: u64,
    /// The last destination to which there was no path.
    unreachable: Option<Vec2>,
}

impl Journey {
    pub fn new(position: Vec2) -> Self {
        Self {
            plan: Plan::Idle(IdleReason::NoDestination),
            goal: Goal::None,
            detour: None,
            need: Need::None,
            route: Route::new(),
            query: Box::new(Query::new(position, position)),
            ticket: None,
            stale: None,
            losses: 0,
            doors_seen: 0,
            unreachable: None,
        }
    }

    pub fn destination(&self) -> Option<Vec2> {
        match self.goal {
            Goal::At(destination) => Some(self.detour.unwrap_or(destination)),
            Goal::None | Goal::Rest => None,
        }
    }

    /// Whether the route is to end in an arrival.
    pub fn is_under_way(&self) -> bool {
        matches!(self.plan, Plan::Following(_) | Plan::Stopping)
    }

    pub fn is_leaving_door(&self) -> bool {
        matches!(self.plan, Plan::LeavingDoor(_))
    }

    pub fn needs_path(&self) -> bool {
        self.need != Need::None
    }

    /// Whether it stays before its next link or flight until it gets another path.
    pub fn waits(&self) -> bool {
        self.need == Need::PathFromHere
    }

    /// Why the agent rests when it does not move and needs no path.
    pub fn idle_reason(&self) -> IdleReason {
        match self.plan {
            Plan::Idle(reason) | Plan::LeavingDoor(reason) => reason,
            Plan::Stopping => IdleReason::Arrived,
            Plan::Following(_) => IdleReason::Waiting,
        }
    }

    /// Goes to a finite position. Keeps the present path until there is
    /// another.
    pub fn go_to(&mut self, destination: Vec2) {
        let goal = Goal::At(destination);
        if self.goal == goal && (self.is_under_way() || self.needs_path()) {
            return;
        }
        self.goal = goal;
        if self.ticket.is_none() {
            self.replan();
        } else if self.need == Need::None {
            // The request keeps its place in the queue: an agent that changes
            // its destination every frame would otherwise never be answered.
            self.need = Need::Path;
        }
    }

    /// Has no destination, for a reason.
    pub fn reject(&mut self, reason: IdleReason) {
        (self.goal, self.detour) = (Goal::None, None);
        self.rest(reason);
    }

    /// Makes the place where the agent comes to rest its destination.
    pub fn stop(&mut self) {
        let has_arrived = self.goal == Goal::Rest || self.idle_reason() == IdleReason::Arrived;
        // An agent that rests where it wanted to be does not arrive again.
        let stays = has_arrived && !self.is_under_way() && !self.needs_path();
        self.reject(IdleReason::Arrived);
        self.goal = Goal::Rest;
        if !stays {
            self.plan = Plan::Stopping;
        }
    }

    /// Neither follows nor requests a path; keeps the destination.
    pub fn suspend(&mut self) {
        self.forget_path();
        self.need = Need::None;
    }

    /// [Suspends](Self::suspend) the plan for a reason.
    pub fn rest(&mut self, reason: IdleReason) {
        self.suspend();
        self.plan = Plan::Idle(reason);
    }

    /// Notes that no path leads to the destination. Returns whether that is news after the
    /// `last` plan: not for a target that was out of reach and has moved on by no more than
    /// `step` since the last request.
    pub fn notes_unreachable(&mut self, last: Plan, why: NoPath, step: f32) -> bool {
        let known = match last {
            Plan::Following(known) => known,
            Plan::Idle(IdleReason::CannotReach(known) | IdleReason::NearestReached(known)) => {
                Some(known)
            }
            _ => None,
        };
        let destination = self.destination();
        let before = std::mem::replace(&mut self.unreachable, destination);
        let moved = before.zip(destination).map(|(a, b)| a.distance(b));
        known.is_none_or(|known| known != why && moved == Some(0.0))
            || moved.is_none_or(|moved| moved > step)
    }

    /// Requests a path from a new place.
    pub fn restart(&mut self) {
        self.detour = None;
        self.suspend();
        self.need_path();
    }

    /// Requests a path to the destination, if there is one; follows the
    /// present path until then.
    pub fn replan(&mut self) {
        self.route.take_off = None;
        self.stale = self.stale.or(self.ticket.take());
        self.need_path();
    }

    fn need_path(&mut self) {
        if self.destination().is_none() {
            self.need = Need::None;
        } else if self.need == Need::None {
            self.need = Need::Path;
        }
    }

    pub fn forget_path(&mut self) {
        self.stale = self.stale.or(self.ticket.take());
        self.route.clear();
        self.plan = Plan::Idle(self.idle_reason());
        if self.waits() {
            self.need = Need::Path;
        }
    }

    /// Gives up the present path and requests another.
    pub fn lose(&mut self, reason: PathLostReason, events: &mut Vec<AgentEvent>) {
        events.push(AgentEvent::PathLost(reason));
        self.restart();
        self.losses += 1;
        if self.losses >= MAX_LOSSES {
            self.rest(IdleReason::CannotReach(NoPath::Exhausted));
            events.push(AgentEvent::CannotReach(NoPath::Exhausted));
        }
    }

    /// Ends the route, and reports it once.
    pub fn arrive(&mut self, at: Vec2, events: &mut Vec<AgentEvent>) {
        if !self.is_under_way() || self.needs_path() {
            return;
        }
        self.plan = Plan::Idle(if self.detour.is_some() {
            IdleReason::Waiting
        } else if let Plan::Following(Some(why)) = self.plan {
            if let NoPath::BlockedBy(marker) = why {
                events.push(AgentEvent::BlockedBy { marker, at });
            }
            IdleReason::NearestReached(why)
        } else {
            events.push(AgentEvent::Arrived { at });
            IdleReason::Arrived
        });
    }

    /// Begins a step of the agent.
    pub fn begin_step(&mut self, paths: &mut impl PathSource) {
        self.losses = 0;
        self.cancel_stale(paths);
    }

    /// Takes back the request that is no longer of interest.
    pub fn cancel_stale(&mut self, paths: &mut impl PathSource) {
        if let Some(ticket) = self.stale.take() {
            paths.cancel(ticket);
        }
    }
}

/// Steps of a path, and which of them the agent is on.
#[derive(Debug, Clone)]
pub struct Route {
    pub steps: Vec<Step>,
    /// The index of the step the agent is on.
    pub cursor: usize,
    /// The next link, and the horizontal velocity with which it is taken; `None`
    /// after the agent's limits have changed.
    take_off: Option<(LinkId, f64)>,
}

impl Route {
    fn new() -> Self {
        Self {
            // Grows to the longest path once; most have fewer steps than 8.
            steps: Vec::with_capacity(8),
            cursor: 0,
            take_off: None,
        }
    }

    /// The step the agent is on.
    pub fn current(&self) -> Option<&Step> {
        self.steps.get(self.cursor)
    }

    /// The step that ended last.
    pub fn previous(&self) -> Option<&Step> {
        self.steps.get(self.cursor.checked_sub(1)?)
    }

    /// The step after the current one.
    pub fn following(&self) -> Option<&Step> {
        self.steps.get(self.cursor + 1)
    }

    /// The current step and those after it.
    pub fn remaining(&self) -> &[Step] {
        self.steps.get(self.cursor..).unwrap_or_default()
    }

    /// Goes on to the next step.
    pub fn advance(&mut self) {
        self.cursor += 1;
    }

    /// Goes on to the step after a link, if the route has it.
    pub fn advance_past(&mut self, link: LinkId) {
        let mut ahead = self.remaining().iter();
        if let Some(at) = ahead.position(|step| step.link == Some(link)) {
            self.cursor += at + 1;
        }
    }

    fn clear(&mut self) {
        self.steps.clear();
        self.cursor = 0;
        self.take_off = None;
    }

    /// The horizontal velocity with which a link is taken, units/s. It is needed
    /// in every step of the run-up, and computed once for each link.
    pub fn take_off(&mut self, link: LinkId, compute: impl FnOnce() -> f64) -> f64 {
        match self.take_off {
            Some((known, velocity)) if known == link => velocity,
            _ => self.take_off.insert((link, compute())).1,
        }
    }

    /// Replaces flights along the grid by straight ones, as far as the body
    /// can see. Of a route that `is_shortest` but for its first step, only that
    /// one can go on straight.
    pub fn pull_straight(&mut self, space: &FreeSpace<'_>, is_shortest: bool) {
        let mut is_straight = false;
        self.steps.dedup_by(|step, last| {
            let are_flights = [&*last, &*step]
                .iter()
                .all(|step| step.kind == StepKind::Fly);
            let joins = !is_straight && are_flights && space.sees(last.from, step.to);
            is_straight = is_shortest && !joins;
            if joins {
                // No step of a path has no length; the bound keeps the
                // quotient finite all the same.
                let length = last.from.distance(last.to).max(1e-6);
                last.duration *= last.from.distance(step.to) / length;
                last.to = step.to;
            }
            joins
        });
    }
}
