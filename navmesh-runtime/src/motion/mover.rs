//! An agent in one step: it requests paths, accepts them, and moves along its route.

use std::cell::LazyCell;

use glam::Vec2;

use super::body::BodyState;
use super::crowd::Room;
use super::memory::BodyMemory;
use super::movement::Movement;
use super::plan::{Journey, Need, Plan};
use super::queue::PathSource;
use super::report::{AgentEvent, IdleReason};
use super::settings::{Environment, Settings};
use crate::mesh::{Cell, Layer, StepKind, TICKS};
use crate::search::free_space::FreeSpace;
use crate::search::rides::goal_aboard;
use crate::search::{NoPath, Path, PathOutcome, SnapTo, Step};

/// Two positions closer together than this, in grid spacings, count as equal:
/// far above the rounding of positions, far below what an agent moves in a
/// step.
const SAME_PLACE: f32 = 1e-2;

/// Distance, in grid spacings, by which a target moves on from one request to the next: as far
/// as that between a destination and the floor that is taken for it.
const SAME_TARGET: f32 = 2.0;

/// Paths that a driven body may refuse in one step. Each refusal finds a link that the
/// body cannot follow, or a run-up that the search did not count.
const MAX_REFUSALS: u8 = 16;

/// An agent in one step.
///
/// Its methods are in the files of what they are about: here paths, in `doors` what
/// closed doors change, in `follower` the exact movement along a route, in `pilot`,
/// `steering` and `flights` the movement of a body by a physics engine.
pub struct Mover<'a> {
    pub environment: Environment<'a>,
    pub settings: &'a Settings,
    pub movement: &'a mut Movement,
    pub journey: &'a mut Journey,
    pub events: &'a mut Vec<AgentEvent>,
    pub memory: &'a mut BodyMemory,
    pub body: BodyState,
    /// What other agents leave to it.
    pub room: Room,
    /// Whether a physics engine moves the body, which the game has reported.
    pub is_driven: bool,
    /// Seconds on the clock of the level at the end of the step.
    pub until: f64,
}

impl<'a> Mover<'a> {
    pub fn layer(&self) -> &'a Layer {
        self.environment.layer
    }

    /// Where the body can fly now.
    pub fn free_space(&self) -> FreeSpace<'a> {
        self.settings.free_space(self.environment)
    }

    /// Goes on with the movement and begins others, for some seconds, or until a body
    /// that is driven moves by physics again.
    pub fn advance(&mut self, paths: &mut impl PathSource, seconds: f64) {
        let mut left = seconds * self.room.pace;
        // Every turn takes time, or begins or ends a step of the route. Steps
        // that take no time (a link to a platform that touches) could go on
        // for ever only if a path led in a circle; 8 turns for each step are
        // more than any takes, and 64 more than the paths lost in one step.
        for _ in 0..64 + 8 * self.journey.route.steps.len() {
            left = self.follow(left);
            // A landing may be inside a closed door.
            if let Some((at, _)) = self.movement.state(self.layer()) {
                self.check_doors(at);
            }
            self.request(paths);
            if left <= 0.0 || self.is_driven && self.movement.is_physical() {
                break;
            }
        }
    }

    /// Requests a path, if one is needed and there is a place to begin, and follows it.
    pub fn request(&mut self, paths: &mut impl PathSource) {
        self.note_goal();
        for _ in 0..MAX_REFUSALS {
            if !self.accept_path(paths) || !self.is_driven || !self.refuses_route() {
                break;
            }
            self.journey.replan();
        }
    }

    /// Finds out whether a new destination is on a platform that moves.
    fn note_goal(&mut self) {
        let (layer, clock) = (self.layer(), self.settings.clock);
        if layer.moving_platforms().is_empty() {
            return;
        }
        let new = self.journey.destination();
        let known = self.memory.aboard.map(|(goal, _)| goal);
        let new = new.filter(|goal| Some(*goal) != known);
        if let Some((goal, seconds)) = new.zip(clock.seconds()) {
            self.memory.aboard = Some((goal, goal_aboard(layer, goal, seconds * TICKS)));
        }
    }

    /// Where a destination is now.
    fn place_of_goal(&self, goal: Vec2) -> Vec2 {
        let known = self.memory.aboard.filter(|(of, _)| *of == goal);
        let on = known.and_then(|(_, place)| place).and_then(|(number, x)| {
            let on = self.layer().moving_platforms().get(usize::from(number))?;
            let tick = self.settings.clock.seconds()? * TICKS;
            Some(on.schedule.state(tick).0.as_vec2() + Vec2::new(x, 0.0))
        });
        on.unwrap_or(goal)
    }

    /// Asks for a path, if one is needed. Returns whether the agent follows another
    /// route.
    fn accept_path(&mut self, paths: &mut impl PathSource) -> bool {
        let journey = &mut *self.journey;
        // There is room for one stale request only.
        journey.cancel_stale(paths);
        if let Plan::LeavingDoor(reason) = journey.plan {
            if journey.route.current().is_some() {
                return false;
            }
            journey.plan = Plan::Idle(reason);
        }
        if !journey.needs_path() || self.settings.is_disabled() {
            return false;
        }
        // One that cannot stop before a jump plans from where that ends.
        if !self.is_driven && self.must_take_link() {
            return false;
        }
        let Some(destination) = self.journey.destination() else {
            self.journey.need = Need::None;
            return false;
        };
        let to = self.place_of_goal(destination);
        let journey = &mut *self.journey;
        let (settings, environment) = (self.settings, self.environment);
        let layer = environment.layer;
        let Some(mut start) = self.movement.planning_start(layer) else {
            return false;
        };
        if self.is_driven
            && matches!(self.movement, Movement::Riding(_))
            && !self.movement.is_committed()
        {
            start = self.body.position;
        }
        let flies = matches!(self.movement, Movement::Flying(_));
        // Computed only when needed: an agent that waits for its path does not need it.
        let from = LazyCell::new(|| {
            if flies {
                flight_start(layer, &settings.free_space(environment), start)
            } else {
                start
            }
        });
        match journey.ticket {
            None => {
                (journey.query.from, journey.query.to) = (*from, to);
                self.memory.asked = destination;
                let avoided = self.memory.avoided();
                settings.apply_to(&mut journey.query, environment, avoided);
            }
            Some(ticket) if self.memory.asked != destination => {
                let asked = (journey.query.from, journey.query.to);
                (journey.query.from, journey.query.to) = (*from, to);
                let before = std::mem::replace(&mut self.memory.asked, destination);
                if !paths.amend(ticket, &journey.query) {
                    (journey.query.from, journey.query.to) = asked;
                    self.memory.asked = before;
                }
            }
            Some(_) => {}
        }
        let reply = paths.ask(layer, &mut journey.ticket, &journey.query);
        // The answer may be for the destination before this one. A path there
        // is followed until the next answer: it is better than standing still.
        let is_outdated = self.memory.asked != destination;
        let last_plan = journey.plan;
        let same_target = SAME_TARGET * layer.grid().spacing;
        let (path, short) = match reply {
            Ok(PathOutcome::Found(path)) => (path, None),
            Ok(PathOutcome::Nearest(path, why)) => (path, Some(why)),
            Ok(PathOutcome::BudgetExhausted) => return false,
            _ if is_outdated => return false,
            Ok(PathOutcome::NoPath(why)) => {
                let is_outdated =
                    self.journey.query.from.distance(*from) > layer.grid().spacing * SAME_PLACE;
                // Where it lands in a closed door, it moves out first.
                let lands_in_door = self.movement.is_committed() && self.is_in_door(start);
                if is_outdated || lands_in_door {
                    // There may be a path from here: ask again, and stay.
                    self.journey.forget_path();
                } else {
                    if self.journey.notes_unreachable(last_plan, why, same_target) {
                        self.events.push(AgentEvent::CannotReach(why));
                    }
                    self.journey.rest(IdleReason::CannotReach(why));
                }
                self.movement.brake();
                return false;
            }
            Err(error) => {
                journey.rest(IdleReason::Rejected(error));
                self.movement.brake();
                return false;
            }
        };
        let mut short = short;
        if !self.take_route(*from, path, short.is_none()) {
            // The path begins where the agent no longer is. The next request
            // finds it in the same place.
            self.journey.need = Need::PathFromHere;
            return false;
        }
        let blocked = self.stop_before_breakable();
        short = blocked.map(NoPath::BlockedBy).or(short);
        if !is_outdated {
            let journey = &mut *self.journey;
            journey.need = Need::None;
            journey.plan = Plan::Following(short);
            if let Some(why) = short
                && blocked.is_none()
                && journey.notes_unreachable(last_plan, why, same_target)
            {
                self.events.push(AgentEvent::CannotReach(why));
            }
        }
        true
    }

    /// Follows another path from now on. `false`, and nothing changes, when
    /// it begins where the agent no longer is.
    fn take_route(&mut self, from: Vec2, path: &Path, is_found: bool) -> bool {
        let (environment, settings) = (self.environment, self.settings);
        let (journey, layer) = (&mut *self.journey, environment.layer);
        let (start, steps) = (path.start, &path.steps);
        let has_moved = journey.query.from != from;
        let mut lead = None;
        let first = steps.first();
        let platform = first.and_then(|step| step.platform);
        // Where two platforms meet, the agent is on both.
        let is_here = start.distance(from) <= layer.grid().spacing * SAME_PLACE;
        if let Some(on) = self.movement.platform() {
            let begins_here = match first {
                Some(step) if step.kind != StepKind::Fly => platform == Some(on),
                _ => !has_moved,
            };
            if has_moved && !begins_here {
                return false;
            }
            if let (false, true, Some(other)) = (begins_here, is_here, platform) {
                let velocity = self.movement.velocity_across();
                *self.movement = Movement::on_platform(layer, other, start, velocity);
            }
        } else if self.movement.is_committed() {
            if has_moved {
                return false;
            }
            if let (Some(end), true, Some(other)) =
                (self.movement.end_platform(), is_here, platform)
            {
                *end = other;
            }
        } else if let Movement::Riding(riding) = self.movement {
            let ride = first.and_then(|step| step.ride);
            if ride.is_none_or(|ride| ride.platform != riding.ride.platform) {
                return false;
            }
        } else if let Movement::Flying(flier) = self.movement {
            let at = flier.state().0.as_vec2();
            if has_moved && !settings.free_space(environment).sees(at, start) {
                return false;
            }
            lead = (at != start).then(|| flight(at, start, settings.profile.run_speed));
            flier.is_redirected = true;
        }
        journey.forget_path();
        journey.plan = Plan::Following(None);
        let route = &mut journey.route;
        route.steps.extend(lead);
        route.steps.extend_from_slice(steps);
        if is_found {
            route.steps.extend(journey.query.final_flight(layer, path));
        }
        // The shortest flight of an agent that only flies is straight already. A straight line
        // might lead through a cost area that the path goes round.
        let is_shortest = !layer.profile().edges.walks() && !settings.filter.keep_to_floor;
        if settings.filter.costs.is_empty() && (!is_shortest || lead.is_some()) {
            route.pull_straight(&settings.free_space(environment), is_shortest);
        }
        self.begin_route();
        true
    }
}

/// A straight flight as a step.
pub fn flight(from: Vec2, to: Vec2, speed: f32) -> Step {
    Step::fly(from, to, from.distance(to) / speed)
}

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
    let rows = neighbors(nearest.row, grid.rows);
    let vertices = rows.flat_map(|row| {
        let columns = neighbors(nearest.column, grid.columns);
        columns.map(move |column| grid.position(Cell { column, row }))
    });
    vertices
        .filter(|&vertex| space.sees(at, vertex))
        .min_by(|a, b| at.distance(*a).total_cmp(&at.distance(*b)))
        .unwrap_or(at)
}

/// An index and those beside it.
fn neighbors(i: u32, count: u32) -> std::ops::Range<u32> {
    i.saturating_sub(1)..i.saturating_add(2).min(count)
}
