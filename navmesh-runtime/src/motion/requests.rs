//! Requests for paths and their answers, and what closed doors change.

use std::cell::LazyCell;

use glam::Vec2;

use super::door_exit::{clearance, closed, door_at, way_out};
use super::follower::Follower;
use super::movement::Movement;
use super::path_source::PathSource;
use super::report::{AgentEvent, IdleReason, PathLostReason};
use super::route::{crosses_door, flight};
use crate::mesh::{Cell, Layer};
use crate::search::free_space::FreeSpace;
use crate::search::{Path, PathOutcome, SnapTo, Step, StepKind};

/// Two positions closer together than this, in grid spacings, count as equal:
/// far above the rounding of positions, far below what an agent moves in a
/// step.
const SAME_PLACE: f32 = 1e-2;

/// Where a path begins for a flier at a position: there, or, where the vertex nearest to
/// it is behind the edge of a step or inside a closed door, at the nearest vertex to
/// which it can fly.
fn flight_start(layer: &Layer, space: &FreeSpace<'_>, at: Vec2) -> Vec2 {
    let grid = layer.grid();
    let Some(place) = layer.snap(at, SnapTo::PathEnd) else {
        return at;
    };
    if place.platform.is_some() || space.sees(at, place.position) {
        return at;
    }
    let nearest = grid.nearest_cell(place.position);
    let around = |i: u32, count: u32| i.saturating_sub(1)..i.saturating_add(2).min(count);
    let rows = around(nearest.row, grid.rows);
    let vertices = rows.flat_map(|row| {
        let columns = around(nearest.column, grid.columns);
        columns.map(move |column| grid.position(Cell { column, row }))
    });
    let seen = vertices.filter(|&vertex| space.sees(at, vertex));
    let first = seen.min_by(|a, b| at.distance(*a).total_cmp(&at.distance(*b)));
    first.unwrap_or(at)
}

impl Follower<'_> {
    /// Requests a path, if one is wanted and there is a place to begin, and follows it.
    pub fn request(&mut self, paths: &mut impl PathSource) {
        let plan = &mut *self.plan;
        // There is room for one stale request only.
        plan.cancel_stale(paths);
        if plan.is_leaving && plan.route.current().is_none() {
            plan.is_leaving = false;
        }
        if !plan.wants_path || plan.is_leaving || self.settings.is_disabled {
            return;
        }
        let Some(destination) = plan.destination else {
            plan.wants_path = false;
            return;
        };
        let layer = self.environment.layer;
        let Some(start) = self.movement.planning_start(layer) else {
            return;
        };
        let (settings, environment) = (self.settings, self.environment);
        let flies = matches!(self.movement, Movement::Flying(_));
        // Computed only when needed: an agent that waits for its path does not need it.
        let from = LazyCell::new(|| {
            if flies {
                flight_start(layer, &settings.free_space(environment), start)
            } else {
                start
            }
        });
        match plan.ticket {
            None => {
                (plan.query.from, plan.query.to) = (*from, destination);
                settings.apply_to(&mut plan.query, environment.doors);
            }
            Some(ticket) if plan.query.to != destination => {
                let asked = (plan.query.from, plan.query.to);
                (plan.query.from, plan.query.to) = (*from, destination);
                if !paths.amend(ticket, &plan.query) {
                    (plan.query.from, plan.query.to) = asked;
                }
            }
            Some(_) => {}
        }
        let reply = paths.ask(layer, &mut plan.ticket, &plan.query);
        // The answer may be for the destination before this one. A path there
        // is followed until the next answer: it is better than standing still.
        let is_outdated = plan.query.to != destination;
        let asked = plan.query.from;
        let has_moved = || asked.distance(*from) > layer.grid().spacing * SAME_PLACE;
        let (path, short) = match reply {
            Ok(PathOutcome::BudgetExhausted) => return,
            Ok(PathOutcome::Found(path)) => (path, None),
            Ok(PathOutcome::Nearest(path, why)) => (path, Some(why)),
            Ok(PathOutcome::NoPath(_)) | Err(_) if is_outdated => {
                plan.ticket = None;
                return;
            }
            Ok(PathOutcome::NoPath(_)) if has_moved() => {
                // There may be a path from here: ask again, and stay.
                plan.forget_path();
                return self.movement.brake();
            }
            Ok(PathOutcome::NoPath(why)) => {
                self.events.push(AgentEvent::CannotReach(why));
                return self.give_up(IdleReason::CannotReach(why));
            }
            Err(error) => return self.give_up(IdleReason::Rejected(error)),
        };
        plan.ticket = None;
        if !self.follow(*from, path, short.is_none()) {
            // The path begins where the agent no longer is. The next request
            // finds it in the same place.
            self.plan.waits = true;
        } else if !is_outdated {
            self.plan.wants_path = false;
            self.plan.short = short;
            self.events.extend(short.map(AgentEvent::CannotReach));
        }
    }

    fn give_up(&mut self, reason: IdleReason) {
        self.plan.ticket = None;
        self.plan.suspend();
        self.plan.idle_reason = reason;
        self.movement.brake();
    }

    /// Follows another path from now on. `false`, and nothing changes, when
    /// it begins where the agent no longer is.
    fn follow(&mut self, from: Vec2, path: &Path, is_found: bool) -> bool {
        let Self {
            environment,
            settings,
            movement,
            plan,
            ..
        } = self;
        let layer = environment.layer;
        let (start, steps) = (path.start, &path.steps);
        let has_moved = plan.query.from != from;
        let mut lead = None;
        let first = steps.first();
        let platform = first.and_then(|step| step.platform);
        // Where two platforms meet, the agent is on both.
        let is_here = start.distance(from) <= layer.grid().spacing * SAME_PLACE;
        if let Some(on) = movement.platform() {
            let begins_here = match first {
                Some(step) if step.kind != StepKind::Fly => platform == Some(on),
                _ => !has_moved,
            };
            if has_moved && !begins_here {
                return false;
            }
            if let (false, true, Some(other)) = (begins_here, is_here, platform) {
                let velocity = movement.velocity_across();
                **movement = Movement::on_platform(layer, other, start, velocity);
            }
        } else if movement.is_committed() {
            if has_moved {
                return false;
            }
            if let (Some(end), true, Some(other)) = (movement.end_platform(), is_here, platform) {
                *end = other;
            }
        } else if let Movement::Flying(flier) = &mut **movement {
            let at = flier.state().0.as_vec2();
            if has_moved && !settings.free_space(*environment).sees(at, start) {
                return false;
            }
            lead = (at != start).then(|| flight(at, start, settings.profile.run_speed));
            flier.is_redirected = true;
        }
        plan.forget_path();
        plan.route.replace(lead, steps);
        let last = is_found.then(|| plan.query.final_flight(layer, path));
        plan.route.steps.extend(last.flatten());
        plan.is_under_way = true;
        plan.idle_reason = IdleReason::Waiting;
        if settings.filter.costs.is_empty() {
            // A straight line might lead through a cost area that the path
            // goes round.
            plan.route.pull_straight(&settings.free_space(*environment));
        }
        true
    }

    /// Moves an agent that is inside a closed door out of it. Replans when a door
    /// has closed on the remaining path, or any door has changed for an agent
    /// that cannot reach its destination.
    pub fn check_doors(&mut self, position: Vec2) {
        let (environment, settings) = (self.environment, self.settings);
        let (plan, movement) = (&mut *self.plan, &mut *self.movement);
        let (doors, layer) = (environment.doors, environment.layer);
        let is_changed = plan.doors_seen != doors.version();
        plan.doors_seen = doors.version();
        if is_changed && let Movement::Launched(flight) = movement {
            flight.retrace();
        }
        // A flier that gets out by another side than the one it heads for plans again at
        // once. By the side it heads for, it flies to the end of the step, so that where it
        // plans again does not depend on the length of steps.
        let flies = matches!(movement, Movement::Flying(_));
        let is_near = |step: &Step| position.distance(step.to) < 2.0 * clearance(layer);
        let is_out = plan.is_leaving
            && flies
            && !plan.route.current().is_some_and(is_near)
            && door_at(environment, position).is_none();
        let is_leaving = plan.is_leaving && !is_out;
        if settings.is_disabled || !is_changed && (is_leaving || doors.closed().is_empty()) {
            return;
        }
        // A jump that ends inside a door is noticed after the landing.
        let way_out = door_at(environment, position)
            .and_then(|_| way_out(environment, settings, movement, position));
        if (is_changed || way_out.is_some())
            && let Movement::Flying(flier) = movement
            && let Some((curve, _)) = &flier.curve
        {
            let space = FreeSpace::new(layer, [doors.closed(), &[]]).leaving(position);
            flier.brake = flier.brake.filter(|brake| brake.is_clear(&space));
            if !curve.is_clear(&space) {
                flier.brake = None;
                flier.leave_curve();
            }
        }
        if let Some(step) = way_out {
            self.leave_door(position, step);
        } else if plan.is_leaving && (is_changed || is_out) {
            // It is out, or the door is open again.
            plan.forget_path();
            movement.redirect();
        } else if is_changed {
            self.check_route(position);
        }
    }

    /// Leaves the door that the agent is in, by this step.
    fn leave_door(&mut self, position: Vec2, way_out: Step) {
        let plan = &mut *self.plan;
        if !plan.is_leaving {
            let event = AgentEvent::CaughtInDoor { at: position };
            self.events.push(event);
        }
        let is_at_rest = matches!(
            plan.idle_reason,
            IdleReason::NoDestination | IdleReason::Arrived
        );
        let wants_path = plan.wants_path || plan.is_under_way || !is_at_rest;
        plan.forget_path();
        plan.route.replace(None, &[way_out]);
        (plan.is_leaving, plan.wants_path) = (true, wants_path);
        self.movement.redirect();
    }

    /// Replans after a change of doors, where that may change the path.
    fn check_route(&mut self, position: Vec2) {
        let (environment, settings) = (self.environment, self.settings);
        let plan = &mut *self.plan;
        let is_stuck = matches!(
            plan.idle_reason,
            IdleReason::CannotReach(_) | IdleReason::NearestReached(_)
        );
        if plan.short.is_some() || is_stuck {
            plan.replan();
        }
        let mut remaining = plan.route.remaining().iter();
        let current = remaining.next().copied().map(|mut step| {
            // What is left of it begins where the agent is.
            if !self.movement.is_committed() && step.link.is_none() {
                step.from = position;
            }
            step
        });
        let mut steps = current.iter().chain(remaining);
        let closed = closed(environment);
        let crosses =
            |step: &Step| crosses_door(step, environment.layer, &closed, &settings.profile);
        if steps.any(crosses) {
            plan.lose(PathLostReason::Door, self.events);
        } else if plan.ticket.is_some() {
            // The path to come may lead through the door.
            plan.replan();
        }
    }
}
