//! The destination of an agent, the path it follows there, and the state of its
//! request for another path.

use glam::Vec2;

use super::path_source::{PathSource, Ticket};
use super::report::{AgentEvent, IdleReason, PathLostReason};
use super::route::Route;
use crate::search::{NoPath, Query};

/// Greatest number of paths that an agent may lose in one step before it gives
/// up. One is usual (a door closes). A second path can be lost for a reason
/// that the search does not check. A larger number would only repeat the same
/// search within the step.
const MAX_LOSSES: u8 = 4;

/// The destination of an agent, and its route there.
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
#[derive(Debug, Clone)]
pub struct Plan {
    pub route: Route,
    /// `None` also after a stop.
    pub destination: Option<Vec2>,
    /// Whether the agent was stopped: its destination is where it comes to rest.
    pub is_stopped: bool,
    /// Whether the route is to end in an arrival.
    pub is_under_way: bool,
    /// Whether the route leads out of a door that closed on the agent.
    pub is_leaving: bool,
    /// Why the route ends short of the destination, if it does.
    pub short: Option<NoPath>,
    pub idle_reason: IdleReason,
    /// Whether the agent needs a new path.
    pub wants_path: bool,
    /// Whether the agent waits before its next link or flight: a path came too late
    /// to be of use, and the next one must begin where the agent is.
    pub waits: bool,
    pub query: Query,
    /// The request that is not answered yet.
    pub ticket: Option<Ticket>,
    /// A request to take back.
    stale: Option<Ticket>,
    /// Paths lost in the present step.
    losses: u8,
    /// The version of the doors that the route was last checked against.
    pub doors_seen: u64,
}

impl Plan {
    pub fn new(position: Vec2) -> Self {
        Self {
            route: Route::new(),
            destination: None,
            is_stopped: false,
            is_under_way: false,
            is_leaving: false,
            short: None,
            idle_reason: IdleReason::NoDestination,
            wants_path: false,
            waits: false,
            query: Query::new(position, position),
            ticket: None,
            stale: None,
            losses: 0,
            doors_seen: 0,
        }
    }

    /// Goes to a finite position. Keeps the present path until there is
    /// another.
    pub fn go_to(&mut self, destination: Vec2) {
        let is_same = self.destination == Some(destination);
        if is_same && (self.is_under_way || self.wants_path) {
            return;
        }
        self.destination = Some(destination);
        self.is_stopped = false;
        if self.ticket.is_some() {
            // The request keeps its place in the queue: an agent that changes
            // its destination every frame would otherwise never be answered.
            self.wants_path = true;
        } else {
            self.replan();
        }
    }

    /// Has no destination, for a reason.
    pub fn reject(&mut self, reason: IdleReason) {
        self.destination = None;
        self.is_stopped = false;
        self.suspend();
        self.idle_reason = reason;
    }

    /// Makes the place where the agent comes to rest its destination.
    pub fn stop(&mut self) {
        let is_at_rest = !self.is_under_way && !self.wants_path;
        let has_arrived = self.is_stopped || self.idle_reason == IdleReason::Arrived;
        self.reject(IdleReason::Arrived);
        // An agent that rests where it wanted to be does not arrive again.
        self.is_under_way = !(is_at_rest && has_arrived);
        self.is_stopped = true;
    }

    /// Neither follows nor requests a path; keeps the destination.
    pub fn suspend(&mut self) {
        self.forget_path();
        self.wants_path = false;
    }

    /// Requests a path from a new place.
    pub fn restart(&mut self) {
        self.forget_path();
        self.wants_path = self.destination.is_some();
    }

    /// Requests a path to the destination, if there is one; follows the
    /// present path until then.
    pub fn replan(&mut self) {
        self.route.take_off = None;
        self.stale = self.stale.or(self.ticket.take());
        self.wants_path = self.destination.is_some();
    }

    pub fn forget_path(&mut self) {
        self.stale = self.stale.or(self.ticket.take());
        self.route.clear();
        self.is_under_way = false;
        self.is_leaving = false;
        self.short = None;
        self.waits = false;
    }

    /// Gives up the present path and requests another.
    pub fn lose(&mut self, reason: PathLostReason, events: &mut Vec<AgentEvent>) {
        events.push(AgentEvent::PathLost(reason));
        self.restart();
        self.losses += 1;
        if self.losses >= MAX_LOSSES {
            self.wants_path = false;
            self.idle_reason = IdleReason::CannotReach(NoPath::Exhausted);
            events.push(AgentEvent::CannotReach(NoPath::Exhausted));
        }
    }

    /// Ends the route, and reports it once.
    pub fn arrive(&mut self, at: Vec2, events: &mut Vec<AgentEvent>) {
        if !self.is_under_way || self.wants_path {
            return;
        }
        self.is_under_way = false;
        self.idle_reason = if let Some(why) = self.short {
            IdleReason::NearestReached(why)
        } else {
            events.push(AgentEvent::Arrived { at });
            IdleReason::Arrived
        };
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
