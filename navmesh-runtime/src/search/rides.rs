//! Searches for paths with rides on platforms that move: earliest arrival, waiting allowed.
//!
//! An agent can wait wherever it stands, and a later start of a ride never ends earlier (a
//! platform is not faster than its agent). So of all ways to one exit of a platform, the
//! earliest is best whatever follows, and Dijkstra's algorithm over exits in the order of their
//! times is exact, as in safe-interval path planning (Phillips and Likhachev, 2011). Everything
//! between two rides does not depend on time, and is found by a [`PathFinder`].

use glam::{DVec2, Vec2};

use super::finder::PathFinder;
use super::path::{Path, Step};
use super::query::{PathOutcome, Query};
use super::regions::{Rect, closed_to_feet, contains, overlap};
use super::snap::SnapTo;
use crate::mesh::{
    EdgeSet, Layer, MovingPlatform, Ride, RideEnd, Rider, StepKind, TICKS, Trajectory, Transfer,
};

/// Most pairs of motions onto and off a platform that a search compares, and most walks between
/// rides, each of which counts for 1,000: about a second. Then the best path so far is the
/// result. Levels of games have some dozens.
const MAX_WORK: u64 = 100_000_000;

/// Where an agent can be after a ride, or at the start.
#[derive(Debug, Clone, Copy)]
struct Node {
    at: Vec2,
    /// When it is there.
    tick: f64,
    /// The last ride, the node before it, and when the agent comes to its begin.
    ride: Option<(Ride, usize, f64)>,
    is_done: bool,
}

/// Finds paths with rides, and owns the memory for it.
#[derive(Debug, Clone, Default)]
pub struct RideSearch {
    finder: PathFinder,
    nodes: Vec<Node>,
    closed: Vec<Rect>,
    work: u64,
    /// The moving platforms that the start and the goal are on, and x from the left end of each.
    aboard: [Option<(u16, f32)>; 2],
}

/// The moving platforms that the start and the goal of a query are on at its departure. A goal
/// may be above, as a target that jumps.
pub fn ends_aboard(layer: &Layer, query: &Query) -> [Option<(u16, f32)>; 2] {
    let Some(tick) = query.departure.map(|seconds| seconds * TICKS) else {
        return [None; 2];
    };
    let from = layer.deck_below(query.from, tick, 0.0);
    [from, goal_aboard(layer, query.to, tick)]
}

/// The moving platform that a goal is on or above at a tick, and x from the left end of its top.
pub fn goal_aboard(layer: &Layer, goal: Vec2, tick: f64) -> Option<(u16, f32)> {
    let far = layer.grid().spacing * layer.grid().rows as f32;
    let floor = layer.snap(goal, SnapTo::FloorBelow(far));
    let above = floor.map_or(far, |floor| floor.position.distance(goal));
    layer.deck_below(goal, tick, above.into())
}

impl RideSearch {
    /// The path that arrives first, if one with a ride takes less than `limit` seconds.
    pub fn find(&mut self, layer: &Layer, query: &Query, limit: f64) -> Option<Path> {
        self.aboard = ends_aboard(layer, query);
        let start = query.departure? * TICKS;
        let mut query = query.clone();
        (query.departure, query.allow_partial_path) = (None, false);
        let (goal, mut limit) = (query.to, start + limit * TICKS);
        self.work = 0;
        let closed = query.filter.closed.iter();
        self.closed = closed.map(|&door| closed_to_feet(door, layer)).collect();
        self.nodes = vec![Node {
            at: query.from,
            tick: start,
            ride: None,
            is_done: false,
        }];
        let (mut last, mut expanded) = (None, 0);
        while let Some(next) = self.next(limit).filter(|_| self.work < MAX_WORK) {
            self.nodes[next].is_done = true;
            let Node { at, tick, ride, .. } = self.nodes[next];
            if ride.is_some_and(|(ride, ..)| matches!(ride.to, RideEnd::Aboard(_))) {
                (limit, last) = (tick, Some(next));
                break;
            }
            if ride.is_some()
                && self.aboard[1].is_none()
                && let Some(path) = self.walk(layer, &mut query, at, goal)
            {
                let arrival = tick + path.cost * TICKS;
                if arrival < limit {
                    (limit, last) = (arrival, Some(next));
                }
            }
            self.expand(layer, &mut query, next, limit);
            expanded += 1;
        }
        let mut path = self.path(layer, &mut query, goal, last?)?;
        path.cost = (limit - start) / TICKS;
        path.expanded = expanded;
        Some(path)
    }

    /// The node that is reached first of those that are left, before a tick.
    fn next(&self, limit: f64) -> Option<usize> {
        let open = self.nodes.iter().enumerate();
        let open = open.filter(|(_, node)| !node.is_done && node.tick < limit);
        let first = open.min_by(|(_, a), (_, b)| a.tick.total_cmp(&b.tick));
        first.map(|(index, _)| index)
    }

    /// The path between two places without a ride.
    fn walk(&mut self, layer: &Layer, query: &mut Query, from: Vec2, to: Vec2) -> Option<&Path> {
        (query.from, query.to) = (from, to);
        self.work += 1000;
        match self.finder.find(layer, query) {
            Ok(PathOutcome::Found(path)) => Some(path),
            _ => None,
        }
    }

    /// Finds all rides from a node that end before a tick.
    fn expand(&mut self, layer: &Layer, query: &mut Query, from: usize, limit: f64) {
        let rider = layer.rider();
        let edges = query.filter.edges & layer.profile().edges;
        let mut known: Vec<(Vec2, Option<f64>)> = Vec::new();
        let starts = self.aboard[0].filter(|_| from == 0);
        for (platform, on) in (0..).zip(layer.moving_platforms()) {
            if !self.is_way_open(on) || self.work >= MAX_WORK {
                continue;
            }
            self.work += on.boards.len() as u64 * on.exits.len() as u64;
            let period = on.schedule.period();
            // How the agent can begin: when it comes there, when it begins, and where and when it
            // is on the platform.
            let mut landings = Vec::new();
            match starts {
                Some((own, x)) if own == platform => {
                    let (tick, depart) = (self.nodes[from].tick, self.nodes[from].tick.ceil());
                    landings.push((RideEnd::Aboard(x), tick, depart, (depart, x.into())));
                }
                Some(_) => continue,
                None => {}
            }
            for (board, motion) in (0..).zip(&on.boards) {
                if !is_allowed(motion, edges) || starts.is_some() {
                    continue;
                }
                let comes = self.arrival(layer, query, from, motion.floor, &mut known);
                let comes = comes.filter(|comes| *comes < limit);
                let depart = comes.and_then(|comes| motion.next_departure(comes, period, 0));
                if let (Some(comes), Some(depart)) = (comes, depart)
                    && let Some((ticks, x)) = on.boarding(&rider, motion, depart)
                    && self.is_open(&rider, board_of(on, &rider, motion), ticks)
                {
                    let begin = RideEnd::Floor(board);
                    landings.push((begin, comes, depart, (depart + ticks, x)));
                }
            }
            for (number, motion) in (0..).zip(&on.exits) {
                let Some((_, place)) = motion.start.filter(|_| starts.is_none()) else {
                    continue;
                };
                let comes = self.arrival(layer, query, from, place, &mut known);
                let comes = comes.filter(|comes| *comes < limit && is_allowed(motion, edges));
                let leave = comes.and_then(|comes| motion.next_departure(comes, period, 0));
                if let (Some(comes), Some(leave)) = (comes, leave)
                    && let Some((after, to)) = on.exiting(&rider, motion, leave)
                    && self.is_open(&rider, exit_of(on, &rider, motion, leave), after)
                    && !self.closes_walk(motion, place)
                {
                    let (end, leaves) = (RideEnd::Floor(number), leave as u32);
                    let ride = Ride {
                        platform,
                        from: end,
                        to: end,
                        depart: leaves,
                        leave: leaves,
                    };
                    self.reach(Node {
                        at: to.as_vec2(),
                        tick: leave + after,
                        ride: Some((ride, from, comes)),
                        is_done: false,
                    });
                }
            }
            let goal = self.aboard[1].filter(|(own, _)| *own == platform);
            let exits = (0..).zip(&on.exits).filter(|(_, own)| !own.crosses());
            let exits = exits.map(|(number, own)| (RideEnd::Floor(number), own.deck, Some(own)));
            for (to, deck, exit) in goal
                .map(|(_, x)| (RideEnd::Aboard(x), x, None))
                .into_iter()
                .chain(exits)
            {
                let ready = (landings.iter()).map(|own| (rider.ready(own.3, deck), own));
                let first = ready.min_by(|(a, _), (b, _)| a.total_cmp(b));
                let Some((ready, &(begin, comes, depart, _))) = first else {
                    break;
                };
                let mut ride = Ride {
                    platform,
                    from: begin,
                    to,
                    depart: depart as u32,
                    leave: 0,
                };
                let end = match exit {
                    None => Some((
                        ready,
                        on.schedule.state(ready).0 + DVec2::X * f64::from(deck),
                    )),
                    Some(motion) if !is_allowed(motion, edges) => None,
                    Some(motion) => motion.next_departure(ready, period, 0).and_then(|leave| {
                        ride.leave = leave as u32;
                        let (after, to) = on.exiting(&rider, motion, leave)?;
                        let flight = exit_of(on, &rider, motion, leave);
                        let is_free = leave + after < limit && self.is_open(&rider, flight, after);
                        is_free.then_some((leave + after, to))
                    }),
                };
                if let Some((tick, at)) = end {
                    self.reach(Node {
                        at: at.as_vec2(),
                        tick,
                        ride: Some((ride, from, comes)),
                        is_done: false,
                    });
                }
            }
        }
    }

    /// When an agent stands at a place, from a node, if that is not known.
    fn arrival(
        &mut self,
        layer: &Layer,
        query: &mut Query,
        from: usize,
        to: Vec2,
        known: &mut Vec<(Vec2, Option<f64>)>,
    ) -> Option<f64> {
        if let Some((_, comes)) = known.iter().find(|(at, _)| *at == to) {
            return *comes;
        }
        let comes = self.walk_to(layer, query, from, to);
        known.push((to, comes));
        comes
    }

    fn walk_to(&mut self, layer: &Layer, query: &mut Query, from: usize, to: Vec2) -> Option<f64> {
        let Node { at, tick, .. } = self.nodes[from];
        let path = self.walk(layer, query, at, to)?;
        // The costs of walks know no acceleration, and an agent waits at rest.
        let profile = layer.profile();
        let rest = 0.5 * (1.0 / profile.acceleration + 1.0 / profile.deceleration);
        let rest = if path.steps.is_empty() {
            0.0
        } else {
            f64::from(rest * profile.run_speed)
        };
        (path.end.distance(to) <= 1e-2 * layer.grid().spacing)
            .then_some(tick + (path.cost + rest) * TICKS)
    }

    /// Keeps a node if it is the earliest of its exit.
    fn reach(&mut self, node: Node) {
        let exit = |node: &Node| node.ride.map(|(ride, ..)| (ride.platform, ride.to));
        match self.nodes.iter_mut().find(|own| exit(own) == exit(&node)) {
            Some(own) if own.tick <= node.tick || own.is_done => {}
            Some(own) => *own = node,
            None => self.nodes.push(node),
        }
    }

    /// Whether no closed door is on the way of a platform, also where a ride does not lead.
    fn is_way_open(&self, on: &MovingPlatform) -> bool {
        let keys = on.schedule.keys.iter().map(|(_, at)| *at);
        let low = keys.clone().reduce(Vec2::min).unwrap_or_default();
        let high = keys.reduce(Vec2::max).unwrap_or_default();
        let passed = Rect::new(low, high + Vec2::X * on.size.x);
        !self.closed.iter().any(|door| overlap(*door, passed))
    }

    /// Whether a closed door is on a walk across the way of a platform.
    fn closes_walk(&self, motion: &Transfer, from: Vec2) -> bool {
        let way = Rect::new(from, motion.floor);
        motion.launch.is_none() && self.closed.iter().any(|door| overlap(*door, way))
    }

    /// Whether no closed door is on a flight. In a tick, a body moves less than its size.
    fn is_open(&self, rider: &Rider, (from, flight): Flight, ticks: f64) -> bool {
        let Some(flight) = flight.filter(|_| !self.closed.is_empty()) else {
            return true;
        };
        (0..=ticks as u32).all(|tick| {
            let at = from + rider.up(flight.offset(f64::from(tick) / TICKS));
            let mut closed = self.closed.iter();
            !closed.any(|door| contains(*door, at.as_vec2()))
        })
    }

    /// The path to a goal whose last ride leads to a node.
    fn path(&mut self, layer: &Layer, query: &mut Query, goal: Vec2, last: usize) -> Option<Path> {
        let (mut node, mut to, mut legs) = (last, Some(goal), Vec::new());
        loop {
            let Node { at, ride, tick, .. } = self.nodes[node];
            let is_aboard = ride.is_some_and(|(ride, ..)| matches!(ride.to, RideEnd::Aboard(_)));
            let walk = match to.filter(|_| !is_aboard) {
                Some(to) => self.walk(layer, query, at, to)?.clone(),
                None => Path {
                    start: at,
                    end: at,
                    ..Path::default()
                },
            };
            legs.push((ride.map(|(ride, _, comes)| (ride, at, tick - comes)), walk));
            let Some((ride, before, _)) = ride else { break };
            let begin = ride.timetable(layer)?.begin();
            (node, to) = (before, begin.map(|(_, at)| at));
        }
        let mut path = Path::default();
        for (ride, walk) in legs.into_iter().rev() {
            if let Some((ride, to, ticks)) = ride {
                let begin = ride.timetable(layer)?.begin();
                path.steps.push(Step {
                    kind: StepKind::Ride,
                    from: begin.map_or(path.end, |(_, at)| at),
                    to,
                    duration: (ticks / TICKS) as f32,
                    platform: begin.map(|(on, _)| on),
                    link: None,
                    ride: Some(ride),
                });
            } else {
                path.start = walk.start;
            }
            path.end = walk.end;
            path.steps.extend(walk.steps);
        }
        Some(path)
    }
}

/// A flight and where it begins; `None` for a walk.
type Flight = (DVec2, Option<Trajectory>);

fn board_of(on: &MovingPlatform, rider: &Rider, board: &Transfer) -> Flight {
    (board.floor.as_dvec2(), on.flight_onto(rider, board))
}

fn exit_of(on: &MovingPlatform, rider: &Rider, exit: &Transfer, leave: f64) -> Flight {
    (
        on.exit_start(exit, leave),
        on.flight_off(rider, exit, leave),
    )
}

/// Whether an agent with some edges can make a motion.
fn is_allowed(motion: &Transfer, edges: EdgeSet) -> bool {
    edges.contains(match motion.launch {
        Some(speed) if speed > 0.0 => EdgeSet::JUMP,
        Some(_) => EdgeSet::DROP,
        None => EdgeSet::FLOOR,
    })
}
