//! What closed doors change: an agent inside of one leaves it, and plans again when one
//! closes on its route.

use glam::Vec2;

use super::airborne::Airborne;
use super::movement::Movement;
use super::mover::{Mover, flight};
use super::plan::{Need, Plan};
use super::report::{AgentEvent, IdleReason, PathLostReason};
use super::settings::Environment;
use crate::mesh::{AgentProfile, Layer, MarkerId, Platform, PlatformKind, StepKind};
use crate::search::Step;
use crate::search::free_space::FreeSpace;
use crate::search::regions::{Rect, arc_inside, closed_to_feet, contains, segment_inside};

impl Mover<'_> {
    /// Moves an agent that is inside a closed door out of it. Replans when a door
    /// has closed on the remaining path, or any door has changed for an agent
    /// that cannot reach its destination.
    pub fn check_doors(&mut self, position: Vec2) {
        let (environment, settings) = (self.environment, self.settings);
        let (journey, movement) = (&mut *self.journey, &mut *self.movement);
        let (doors, layer) = (environment.doors, environment.layer);
        let is_changed = journey.doors_seen != doors.version();
        journey.doors_seen = doors.version();
        if is_changed && let Movement::Launched(flight) = movement {
            flight.retrace();
        }
        // A flier that gets out by another side than the one it heads for plans again at
        // once. By the side it heads for, it flies to the end of the step, so that where it
        // plans again does not depend on the length of steps.
        let is_leaving = journey.is_leaving_door();
        let heads_for = journey.route.current().map(|step| step.to);
        let is_out = is_leaving
            && matches!(movement, Movement::Flying(_))
            && heads_for.is_none_or(|to| position.distance(to) >= 2.0 * clearance(layer))
            && door_at(environment, position).is_none();
        let needs_no_check = doors.closed().is_empty() || is_leaving && !is_out;
        if settings.is_disabled() || !is_changed && needs_no_check {
            return;
        }
        // A jump that ends inside a door is noticed after the landing.
        let way_out = door_at(environment, position)
            .and_then(|_| way_out(environment, &settings.profile, movement, position));
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
        } else if is_leaving && (is_changed || is_out) {
            // It is out, or the door is open again.
            journey.forget_path();
            movement.redirect();
        } else if is_changed {
            self.check_route(position);
        }
    }

    /// Whether no door is closed, neither for all agents nor for this one.
    pub fn has_no_doors(&self) -> bool {
        self.environment.doors.closed().is_empty() && self.settings.filter.closed.is_empty()
    }

    /// Whether a step leads through a door that is closed, for all agents or for this one.
    pub fn crosses_door(&self, step: &Step) -> bool {
        let layer = self.layer();
        let own = self.settings.filter.closed.iter();
        let doors = closed(self.environment).chain(own.map(|&door| closed_to_feet(door, layer)));
        crosses_door(step, layer, doors, &self.settings.profile)
    }

    /// Ends the route in front of the first closed door that the agent would have to break.
    /// Returns the marker of that door.
    pub fn stop_before_breakable(&mut self) -> Option<MarkerId> {
        self.settings.break_cost?;
        let (layer, profile) = (self.layer(), &self.settings.profile);
        let steps = &mut self.journey.route.steps;
        for number in 0..steps.len() {
            let step = steps[number];
            let blocks = |(_, door): &(MarkerId, Rect)| {
                let door = closed_to_feet(*door, layer);
                crosses_door(&step, layer, std::iter::once(door), profile)
            };
            let entries = self.environment.doors.breakable().filter(blocks);
            let entries = entries.map(|(marker, door)| (marker, before_door(&step, layer, door)));
            let Some((marker, end)) = entries.min_by(|(_, a), (_, b)| {
                let [a, b] = [a, b].map(|end| step.from.distance(*end));
                a.total_cmp(&b)
            }) else {
                continue;
            };
            steps.truncate(number);
            if step.link.is_none() && end != step.from {
                let part = step.from.distance(end) / step.from.distance(step.to);
                steps.push(Step {
                    to: end,
                    duration: step.duration * part,
                    ..step
                });
            }
            return Some(marker);
        }
        None
    }

    /// Whether the agent is in a closed door at a position.
    pub fn is_in_door(&self, at: Vec2) -> bool {
        door_at(self.environment, at).is_some()
    }

    /// Leaves the door that the agent is in, by this step.
    fn leave_door(&mut self, at: Vec2, way_out: Step) {
        let journey = &mut *self.journey;
        if !journey.is_leaving_door() {
            self.events.push(AgentEvent::CaughtInDoor { at });
        }
        let reason = journey.idle_reason();
        let is_at_rest = matches!(reason, IdleReason::NoDestination | IdleReason::Arrived);
        if !journey.needs_path() && (journey.is_under_way() || !is_at_rest) {
            journey.need = Need::Path;
        }
        journey.forget_path();
        journey.plan = Plan::LeavingDoor(reason);
        journey.route.steps.push(way_out);
        self.movement.redirect();
        self.begin_route();
    }

    /// Replans after a change of doors, where that may change the path.
    fn check_route(&mut self, position: Vec2) {
        let (environment, settings) = (self.environment, self.settings);
        let journey = &mut *self.journey;
        if let Plan::Following(Some(_))
        | Plan::Idle(IdleReason::CannotReach(_) | IdleReason::NearestReached(_)) = journey.plan
        {
            journey.replan();
        }
        let mut remaining = journey.route.remaining().iter();
        let current = remaining.next().copied().map(|mut step| {
            // What is left of it begins where the agent is.
            if !self.movement.is_committed() && step.link.is_none() {
                step.from = position;
            }
            step
        });
        let closed = closed(environment);
        let mut steps = current.iter().chain(remaining);
        if steps
            .any(|step| crosses_door(step, environment.layer, closed.clone(), &settings.profile))
        {
            journey.lose(PathLostReason::Door, self.events);
            // The way around the door may be longer than what was left.
            self.memory.progress.left = f64::INFINITY;
        } else if journey.ticket.is_some() {
            // The path to come may lead through the door.
            journey.replan();
        }
    }
}

/// How far beyond the border of a door an agent goes: more than the rounding of
/// positions, which would leave it inside.
fn clearance(layer: &Layer) -> f32 {
    1e-3 * layer.grid().spacing
}

/// The feet positions that a closed door covers, for each door.
fn closed(environment: Environment<'_>) -> impl Iterator<Item = Rect> + Clone {
    let Environment { layer, doors } = environment;
    doors
        .closed()
        .iter()
        .map(move |&door| closed_to_feet(door, layer))
}

/// The first closed door that a body at a position overlaps.
fn door_at(environment: Environment<'_>, at: Vec2) -> Option<Rect> {
    closed(environment).find(|&door| contains(door, at))
}

/// The shortest way of an agent out of the closed doors that it is in: along its
/// platform, or straight in flight. A way that enters another closed door is taken only
/// if all do. `None` when there is none, and for agents that cannot choose where they
/// move.
fn way_out(
    environment: Environment<'_>,
    profile: &AgentProfile,
    movement: &Movement,
    at: Vec2,
) -> Option<Step> {
    let layer = environment.layer;
    let ways = if let Movement::Flying(_) = movement {
        [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y]
            .map(|ahead| flight_out(environment, profile, at, ahead))
    } else {
        let on = layer.platform(movement.platform()?)?;
        let [left, right] = [-1.0, 1.0].map(|side| run_out(environment, profile, on, at, side));
        [left, right, None, None]
    };
    let others = closed(environment).filter(|&door| !contains(door, at));
    let ways = ways.into_iter().flatten().map(|way| {
        let enters = crosses_door(&way, layer, others.clone(), profile);
        (enters, at.distance(way.to), way)
    });
    let best = ways.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    best.map(|(.., way)| way)
}

/// How far a step without a link leads until it enters a door. On a floor, that is a point of
/// its surface.
fn before_door(step: &Step, layer: &Layer, door: Rect) -> Vec2 {
    let door = closed_to_feet(door, layer);
    let platform = step.platform.and_then(|id| layer.platform(id));
    let floor = platform.filter(|_| step.kind == StepKind::Floor);
    let surface = floor.map_or(&[][..], |floor| floor.surface);
    let (low, high) = (step.from.x.min(step.to.x), step.from.x.max(step.to.x));
    let inner = surface.iter().copied().filter(|p| low < p.x && p.x < high);
    let mut points: Vec<Vec2> = std::iter::once(step.from).chain(inner).collect();
    points.push(step.to);
    if step.to.x < step.from.x {
        let last = points.len() - 1;
        points[1..last].reverse();
    }
    let entry = points.windows(2).find_map(|ends| {
        let (enter, _) = segment_inside(door, ends[0], ends[1])?;
        let length = f64::from(ends[0].distance(ends[1]));
        let gap = f64::from(clearance(layer)) / length.max(f64::MIN_POSITIVE);
        Some(ends[0].lerp(ends[1], (enter - gap).max(0.0) as f32))
    });
    entry.unwrap_or(step.from)
}

/// The straight flight out of closed doors in one direction along an axis.
fn flight_out(
    environment: Environment<'_>,
    profile: &AgentProfile,
    at: Vec2,
    ahead: Vec2,
) -> Option<Step> {
    let gap = clearance(environment.layer);
    let to = first_outside(environment, at, |door, at| {
        let is_far = ahead.element_sum() > 0.0;
        let border = if is_far { door.max } else { door.min } + ahead * gap;
        Some(Vec2::select(ahead.cmpeq(Vec2::ZERO), at, border))
    })?;
    let is_free = FreeSpace::new(environment.layer, [&[], &[]]).sees(at, to);
    is_free.then(|| flight(at, to, profile.run_speed))
}

/// The way out of closed doors along a platform, to one side.
fn run_out(
    environment: Environment<'_>,
    profile: &AgentProfile,
    on: Platform<'_>,
    at: Vec2,
    side: f32,
) -> Option<Step> {
    let ((low, high), gap) = (on.extent(), clearance(environment.layer));
    let to = first_outside(environment, on.at(on.along(at)), |door, at| {
        let border = border_along(on, door, on.along(at), side)?;
        Some(on.at((border + side * gap).clamp(low, high)))
    })?;
    let speed = match on.kind {
        PlatformKind::Floor => profile.run_speed,
        _ => profile.climb_speed.max(f32::MIN_POSITIVE),
    };
    Some(Step {
        kind: StepKind::from(on.kind),
        platform: Some(on.id),
        ..flight(at, to, speed)
    })
}

/// The first point outside of all closed doors on a way. `beyond` returns the point
/// of the way at which it leaves a door that it is in.
fn first_outside(
    environment: Environment<'_>,
    from: Vec2,
    beyond: impl Fn(Rect, Vec2) -> Option<Vec2>,
) -> Option<Vec2> {
    let mut at = from;
    // Each turn leaves a door, and none is entered again in flight and on a flat floor.
    // On a floor that is not flat, an exit may be missed; then another side is taken.
    for _ in 0..=environment.doors.closed().len() {
        let Some(door) = door_at(environment, at) else {
            return Some(at);
        };
        at = beyond(door, at)?;
    }
    None
}

/// Where a platform leaves a rectangle, on one side of a point inside it.
fn border_along(platform: Platform<'_>, rect: Rect, from: f32, side: f32) -> Option<f32> {
    let mut last = platform.at(from);
    let count = platform.surface.len();
    for i in 0..count {
        let point = platform.surface[if side > 0.0 { i } else { count - 1 - i }];
        if (platform.along(point) - from) * side <= 0.0 {
            continue;
        }
        match segment_inside(rect, last, point) {
            Some((_, leave)) if leave >= 1.0 => last = point,
            Some((_, leave)) => return Some(platform.along(last.lerp(point, leave as f32))),
            None => return Some(platform.along(last)),
        }
    }
    None
}

/// Whether a step of a path leads through a door, as an agent with this profile moves
/// along it. The doors are the feet positions that they cover.
fn crosses_door(
    step: &Step,
    layer: &Layer,
    mut doors: impl Iterator<Item = Rect> + Clone,
    profile: &AgentProfile,
) -> bool {
    if doors.clone().next().is_none() {
        return false;
    }
    match (step.kind, step.link.and_then(|id| layer.link(id))) {
        (kind, Some(link)) if kind.is_airborne() => {
            let down = layer.grid().y_axis.down();
            let Some(airborne) = Airborne::along(link, layer, profile) else {
                return true;
            };
            doors.any(|door| arc_inside(door, link, &airborne.trajectory, down) > 0.0)
        }
        (StepKind::Floor, _) => {
            let Some(platform) = step.platform.and_then(|id| layer.platform(id)) else {
                return true;
            };
            let (low, high) = (step.from.x.min(step.to.x), step.from.x.max(step.to.x));
            let surface = platform.surface;
            let first = surface.partition_point(|p| p.x < low).saturating_sub(1);
            let part = surface.get(first..).unwrap_or_default();
            part.windows(2).take_while(|w| w[0].x <= high).any(|w| {
                let [a, b] = [w[0], w[1]].map(|p| {
                    if (low..=high).contains(&p.x) {
                        p
                    } else {
                        platform.clamp(p.x.clamp(low, high))
                    }
                });
                (doors.clone()).any(|door| segment_inside(door, a, b).is_some())
            })
        }
        (StepKind::Portal, _) => {
            doors.any(|door| contains(door, step.from) || contains(door, step.to))
        }
        _ => doors.any(|door| segment_inside(door, step.from, step.to).is_some()),
    }
}
