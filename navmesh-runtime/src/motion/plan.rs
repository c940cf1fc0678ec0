//! The destination of an agent, the path it follows there, and its request for
//! another path.

use glam::Vec2;

use super::door_exit::{door_at, way_out};
use super::environment::Environment;
use super::movement::Movement;
use super::path_source::{PathSource, Ticket};
use super::report::{AgentEvent, IdleReason, PathLostReason};
use super::route::{Route, crosses_door, flight};
use super::settings::Settings;
use crate::search::free_space::FreeSpace;
use crate::search::{NoPath, Path, PathOutcome, Query, StepKind};

/// Two positions closer together than this, in grid spacings, count as equal:
/// far above the rounding of positions, far below what an agent moves in a
/// step.
const SAME_PLACE: f32 = 1e-2;

/// Greatest number of paths that an agent may lose in one step before it gives
/// up. One is usual (a door closes). A second path can be lost for a reason
/// that the search does not check. A larger number would only repeat the same
/// search within the step.
const MAX_LOSSES: u8 = 4;

/// The destination of an agent, and its route there.
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) route: Route,
    /// `None` also after a stop.
    pub(super) destination: Option<Vec2>,
    /// Whether the agent was stopped: its destination is where it comes to rest.
    pub(super) is_stopped: bool,
    /// Whether the route is to end in an arrival.
    pub(super) is_under_way: bool,
    /// Whether the route leads out of a door that closed on the agent.
    pub(super) is_leaving: bool,
    /// Why the route ends short of the destination, if it does.
    short: Option<NoPath>,
    pub(super) idle_reason: IdleReason,
    /// Whether the agent needs a new path.
    pub(super) wants_path: bool,
    /// Whether the agent waits before its next link or flight: an answer came
    /// too late to be of use, and the next must find it where it asked.
    pub(super) waits: bool,
    query: Query,
    /// The request that is not answered yet.
    ticket: Option<Ticket>,
    /// A request to take back.
    stale: Option<Ticket>,
    /// Paths lost in the present step.
    losses: u8,
    /// The version of the doors that the route was last checked against.
    doors_seen: u64,
}

impl Plan {
    pub(super) fn new(position: Vec2) -> Self {
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
    pub(super) fn set_destination(&mut self, destination: Vec2) {
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
    pub(super) fn reject(&mut self, reason: IdleReason) {
        self.destination = None;
        self.is_stopped = false;
        self.suspend();
        self.idle_reason = reason;
    }

    /// Makes the place where the agent comes to rest its destination.
    pub(super) fn stop(&mut self) {
        let is_at_rest = !self.is_under_way && !self.wants_path;
        let has_arrived = self.is_stopped || self.idle_reason == IdleReason::Arrived;
        self.reject(IdleReason::Arrived);
        // An agent that rests where it wanted to be does not arrive again.
        self.is_under_way = !(is_at_rest && has_arrived);
        self.is_stopped = true;
    }

    /// Neither follows nor asks for a path; keeps the destination.
    pub(super) fn suspend(&mut self) {
        self.forget_path();
        self.wants_path = false;
    }

    /// Asks for a path from a new place.
    pub(super) fn restart(&mut self) {
        self.forget_path();
        self.wants_path = self.destination.is_some();
    }

    /// Asks for a path to the destination, if there is one; follows the
    /// present path until then.
    pub(super) fn replan(&mut self) {
        self.route.forget_take_off();
        self.stale = self.stale.or(self.ticket.take());
        self.wants_path = self.destination.is_some();
    }

    fn forget_path(&mut self) {
        self.stale = self.stale.or(self.ticket.take());
        self.route.clear();
        self.is_under_way = false;
        self.is_leaving = false;
        self.short = None;
        self.waits = false;
    }

    fn give_up(&mut self, reason: IdleReason, movement: &mut Movement) {
        self.ticket = None;
        self.suspend();
        self.idle_reason = reason;
        movement.brake();
    }

    /// Gives up the present path and asks for another.
    pub(super) fn lose(&mut self, reason: PathLostReason, events: &mut Vec<AgentEvent>) {
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
    pub(super) fn arrive(&mut self, at: Vec2, events: &mut Vec<AgentEvent>) {
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
    pub(super) fn begin_step(&mut self, paths: &mut impl PathSource) {
        self.losses = 0;
        self.cancel_stale(paths);
    }

    /// Takes back the request that is no longer of interest.
    pub(super) fn cancel_stale(&mut self, paths: &mut impl PathSource) {
        if let Some(ticket) = self.stale.take() {
            paths.cancel(ticket);
        }
    }

    /// Asks for a path, if one is wanted and there is somewhere to begin, and
    /// follows the answer.
    pub(super) fn request(
        &mut self,
        environment: Environment<'_>,
        settings: &Settings,
        movement: &mut Movement,
        events: &mut Vec<AgentEvent>,
        paths: &mut impl PathSource,
    ) {
        // There is room for one stale request only.
        self.cancel_stale(paths);
        if self.is_leaving && self.route.current().is_none() {
            self.is_leaving = false;
        }
        if !self.wants_path || self.is_leaving || settings.is_disabled {
            return;
        }
        let Some(destination) = self.destination else {
            self.wants_path = false;
            return;
        };
        let layer = environment.layer;
        let Some(from) = movement.planning_start(layer) else {
            return;
        };
        match self.ticket {
            None => {
                self.query.from = from;
                self.query.to = destination;
                self.query.or_nearest = settings.or_nearest;
                self.query.filter.clone_from(&settings.filter);
                self.query.filter.resolve = true;
                self.query.filter.close_doors(environment.doors);
                self.query.filter.avoided.clone_from(&settings.avoided);
                match &mut self.query.profile {
                    Some(profile) => profile.clone_from(&settings.profile),
                    none => *none = Some(settings.profile.clone()),
                }
            }
            Some(ticket) if self.query.to != destination => {
                let asked = (self.query.from, self.query.to);
                (self.query.from, self.query.to) = (from, destination);
                if !paths.amend(ticket, &self.query) {
                    (self.query.from, self.query.to) = asked;
                }
            }
            Some(_) => {}
        }
        let reply = paths.ask(layer, &mut self.ticket, &self.query);
        // The answer may be for the destination before this one. A path there
        // is followed until the next answer: it is better than standing still.
        let is_outdated = self.query.to != destination;
        let has_moved = self.query.from.distance(from) > layer.grid().spacing * SAME_PLACE;
        let short = match reply {
            Ok(PathOutcome::Nearest(_, why)) => Some(why),
            _ => None,
        };
        match reply {
            Ok(PathOutcome::BudgetExhausted) => {}
            Ok(PathOutcome::Found(path) | PathOutcome::Nearest(path, _)) => {
                self.ticket = None;
                let is_found = short.is_none();
                if !self.follow(environment, settings, movement, from, path, is_found) {
                    // The path begins where the agent no longer is. The next
                    // request finds it in the same place.
                    self.waits = true;
                } else if !is_outdated {
                    self.wants_path = false;
                    self.short = short;
                    events.extend(short.map(AgentEvent::CannotReach));
                }
            }
            Ok(PathOutcome::NoPath(_)) | Err(_) if is_outdated => self.ticket = None,
            Ok(PathOutcome::NoPath(_)) if has_moved => {
                // There may be a path from here: ask again, and stay.
                self.forget_path();
                movement.brake();
            }
            Ok(PathOutcome::NoPath(why)) => {
                self.give_up(IdleReason::CannotReach(why), movement);
                events.push(AgentEvent::CannotReach(why));
            }
            Err(error) => self.give_up(IdleReason::Rejected(error), movement),
        }
    }

    /// Follows another path from now on. `false`, and nothing changes, when
    /// it begins where the agent no longer is.
    fn follow(
        &mut self,
        environment: Environment<'_>,
        settings: &Settings,
        movement: &mut Movement,
        from: Vec2,
        path: &Path,
        is_found: bool,
    ) -> bool {
        let layer = environment.layer;
        let (start, steps) = (path.start, &path.steps);
        let has_moved = self.query.from != from;
        let mut lead = None;
        if let Some(on) = movement.platform() {
            let first = steps.first();
            let platform = first.and_then(|step| step.platform);
            let begins_here = match first {
                Some(step) if step.kind != StepKind::Fly => platform == Some(on),
                _ => !has_moved,
            };
            if has_moved && !begins_here {
                return false;
            }
            if let (false, Some(other)) = (begins_here, platform)
                && start.distance(from) <= layer.grid().spacing * SAME_PLACE
            {
                // Where two platforms meet, the agent is on both.
                let velocity = movement.velocity_across();
                *movement = Movement::on_platform(layer, other, start, velocity);
            }
        } else if movement.is_committed() && has_moved {
            return false;
        } else if let Movement::Flying(flier) = movement {
            if has_moved && !settings.free_space(environment).sees(from, start) {
                return false;
            }
            lead = (from != start).then(|| flight(from, start, settings.profile.run_speed));
            flier.is_redirected = true;
        }
        self.forget_path();
        self.route.replace(lead, steps);
        let last = is_found.then(|| self.query.final_flight(layer, path));
        self.route.extend(last.flatten());
        self.is_under_way = true;
        self.idle_reason = IdleReason::Waiting;
        if settings.filter.costs.is_empty() {
            // A straight line might lead through a cost area that the path
            // goes round.
            self.route.pull_straight(&settings.free_space(environment));
        }
        true
    }

    /// Moves an agent that is inside a closed door out of it. Replans when a door
    /// has closed on the remaining path, or any door has changed for an agent
    /// that cannot reach its destination.
    pub(super) fn check_doors(
        &mut self,
        environment: Environment<'_>,
        settings: &Settings,
        movement: &mut Movement,
        position: Vec2,
        events: &mut Vec<AgentEvent>,
    ) {
        let (doors, layer) = (environment.doors, environment.layer);
        let is_changed = self.doors_seen != doors.version();
        if settings.is_disabled || !is_changed && (self.is_leaving || doors.closed().is_empty()) {
            return;
        }
        // A jump that ends inside a door is noticed after the landing.
        if door_at(environment, position).is_some()
            && let Some(step) = way_out(environment, settings, movement, position)
        {
            if !self.is_leaving {
                events.push(AgentEvent::CaughtInDoor { at: position });
            }
            let is_at_rest = matches!(
                self.idle_reason,
                IdleReason::NoDestination | IdleReason::Arrived
            );
            let wants_path = self.wants_path || self.is_under_way || !is_at_rest;
            self.forget_path();
            self.route.replace(None, &[step]);
            (self.is_leaving, self.wants_path) = (true, wants_path);
            self.doors_seen = doors.version();
            return;
        }
        if !is_changed {
            return;
        }
        self.doors_seen = doors.version();
        if self.is_leaving {
            // The door is open again.
            self.forget_path();
            return;
        }
        let is_stuck = matches!(
            self.idle_reason,
            IdleReason::CannotReach(_) | IdleReason::NearestReached(_)
        );
        if self.short.is_some() || is_stuck {
            self.replan();
        }
        let mut remaining = self.route.remaining().iter();
        let current = remaining.next().copied().map(|mut step| {
            // What is left of it begins where the agent is.
            if !movement.is_committed() && step.link.is_none() {
                step.from = position;
            }
            step
        });
        let mut steps = current.iter().chain(remaining);
        let is_closed = steps.any(|step| crosses_door(step, environment, &settings.profile));
        if let Movement::Flying(flier) = movement
            && let Some((curve, _)) = &flier.curve
        {
            let space = FreeSpace::new(layer, [doors.closed(), &[]]);
            flier.brake = flier.brake.filter(|brake| brake.is_clear(&space));
            if !curve.is_clear(&space) {
                flier.brake = None;
                flier.leave_curve();
            }
        }
        if is_closed {
            self.lose(PathLostReason::Door, events);
        } else if self.ticket.is_some() {
            // The path to come may lead through the door.
            self.replan();
        }
    }
}
