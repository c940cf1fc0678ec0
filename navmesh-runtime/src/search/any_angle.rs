//! The shortest path through the air, in any direction.
//!
//! A* over the portals of the air. A node is a part of a portal and the last turn before
//! it (its *root*), from which all of that part can be seen. Beyond a portal, what the
//! root sees goes on; what it does not see is reached over a turn at the end of the
//! portal, if a corner of what is blocked is there. After M. L. Cui, D. D. Harabor and
//! A. Grastien, "Compromise-free pathfinding on a navigation mesh" (2017).
//!
//! Without a goal the search goes on in all directions, nearest first. It then leads from
//! its start to any point: many fliers with one goal share such a search from that goal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec2;

use super::link_search::Progress;
use crate::graph::epoch_array::EpochArray;
use crate::mesh::{Air, Gate, NO_CORNER as NONE};

/// The memory of a search.
#[derive(Debug, Clone, Default)]
pub struct AnyAngle {
    nodes: Vec<Node>,
    /// For each portal and each direction, the last node there.
    last_at: EpochArray<u32>,
    turns: Vec<Turn>,
    /// For each corner and each direction of turning there, the turn of the shortest path
    /// that is known.
    shortest: EpochArray<u32>,
    /// The nodes beyond the one that is expanded, with the least length of a path over each.
    next: Vec<(u32, f64)>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// A node to expand before those that are queued.
    first: Option<u32>,
    start_cell: u32,
    /// With its cell.
    goal: Option<(u32, DVec2)>,
    rounding: f64,
    /// The turn before the goal, once it is found.
    last: Option<u32>,
    pub expanded: u32,
}

/// The shortest path that is known from the start of a search without a goal to a point.
#[derive(Debug, Clone, Copy)]
pub struct Reached {
    length: f64,
    /// The last turn, and a corner after that.
    turn: u32,
    corner: Option<DVec2>,
}

/// A part of a portal, reached straight from a turn. The goal has no gate.
#[derive(Debug, Clone, Copy)]
struct Node {
    gate: Option<Gate>,
    turn: u32,
    /// The node before at the same portal in the same direction.
    before: u32,
}

/// A corner at which a path turns, or its start.
#[derive(Debug, Clone, Copy)]
struct Turn {
    /// The number of the corner, doubled, and 1 more where the path turns clockwise.
    corner: u32,
    at: DVec2,
    /// Length of the path up to here.
    length: f64,
    before: u32,
}

impl AnyAngle {
    /// Ends the search that runs. The next step finds nothing.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.turns.clear();
        self.queue.clear();
        self.next.clear();
        (self.first, self.goal, self.last, self.expanded) = (None, None, None, 0);
    }

    /// Begins a search from a point to another, or to all if there is none. Points are given
    /// with their cells, y downwards.
    pub fn start(
        &mut self,
        air: &Air,
        from: (u32, DVec2),
        goal: Option<(u32, DVec2)>,
        rounding: f64,
    ) {
        self.clear();
        self.shortest.begin(2 * air.corners.len());
        self.last_at.begin(2 * air.portals.len());
        (self.start_cell, self.goal, self.rounding) = (from.0, goal, rounding);
        self.turns.push(Turn {
            corner: NONE,
            at: from.1,
            length: 0.0,
            before: NONE,
        });
        if let Some((_, at)) = goal.filter(|goal| goal.0 == from.0) {
            self.finish_from(0, at);
        }
        for gate in air.gates(from.0) {
            self.push(air, gate, 0);
        }
        self.queue_next();
    }

    /// Expands at most `budget` nodes more.
    pub fn step(&mut self, air: &Air, budget: u32) -> Progress {
        let end = self.expanded.saturating_add(budget);
        while self.expanded < end {
            let queued = || self.queue.pop().map(|Reverse((_, id))| id);
            let Some(id) = self.first.take().or_else(queued) else {
                return Progress::Exhausted;
            };
            if !self.follow(air, id, end) {
                return Progress::Found;
            }
        }
        if self.first.is_none() && self.queue.is_empty() {
            Progress::Exhausted
        } else {
            Progress::Paused
        }
    }

    /// Expands a node, and those that follow while there is only one way on: these need not
    /// be queued. Returns `false` at the goal.
    fn follow(&mut self, air: &Air, mut id: u32, end: u32) -> bool {
        loop {
            let Node { gate, turn, .. } = self.nodes[id as usize];
            let Some(gate) = gate else {
                self.last = Some(turn);
                return false;
            };
            if !self.is_shortest(turn) || self.is_dominated(air, id, &gate) {
                break;
            }
            self.expanded = self.expanded.saturating_add(1);
            self.expand(air, gate, turn);
            match self.next.as_slice() {
                [(only, _)] if self.nodes[*only as usize].gate.is_some() => id = *only,
                _ => break,
            }
            self.next.clear();
            if self.expanded >= end {
                self.first = Some(id);
                break;
            }
        }
        self.queue_next();
        true
    }

    /// Whether all of a node can be reached over another, at the same portal, by paths that
    /// are no longer.
    fn is_dominated(&self, air: &Air, id: u32, gate: &Gate) -> bool {
        let node = &self.nodes[id as usize];
        let own = self.turns[node.turn as usize];
        let y = air.height(gate);
        let mut others = self.nodes_at(gate.portal, gate.is_down);
        others.any(|(number, other, wider)| {
            let covers = wider.x[0] <= gate.x[0]
                && gate.x[1] <= wider.x[1]
                && (0..2).all(|end| wider.is_end[end] || !gate.is_end[end]);
            if number == id || !covers {
                return false;
            }
            let from = self.turns[other.turn as usize];
            let depths = [own.at.y - y, from.at.y - y];
            if depths.iter().any(|depth| depth.abs() <= self.rounding) {
                return false;
            }
            let is_shorter = |x: f64| {
                let at = DVec2::new(x, y);
                let [own, other] = [own, from].map(|turn| turn.length + turn.at.distance(at));
                other < own || other == own && number < id
            };
            // On a line, the difference between the distances to two points is greatest or
            // least where the line through these meets it, or at an end.
            let x = own.at.x + (from.at.x - own.at.x) * (depths[0] / (depths[0] - depths[1]));
            let is_between = gate.x[0] < x && x < gate.x[1];
            gate.x.into_iter().all(is_shorter) && (!is_between || is_shorter(x))
        })
    }

    /// The nodes at a portal in a direction, the last one first.
    fn nodes_at(&self, portal: u32, is_down: bool) -> impl Iterator<Item = (u32, &Node, &Gate)> {
        let node = |number: u32| Some((number, self.nodes.get(number as usize)?));
        let last = self.last_at.get(2 * portal + u32::from(is_down));
        let nodes = std::iter::successors(last.and_then(|&last| node(last)), move |(_, node_)| {
            node(node_.before)
        });
        nodes.filter_map(|(number, node)| Some((number, node, node.gate.as_ref()?)))
    }

    /// Goes on with a search without a goal until the shortest path to a point is known, or
    /// at most `budget` nodes more are expanded. Returns the shortest that is known then.
    pub fn reach(
        &mut self,
        air: &Air,
        to: (u32, DVec2),
        budget: u32,
    ) -> (Progress, Option<Reached>) {
        let end = self.expanded.saturating_add(budget);
        let mut best = self.shortest_to(air, to);
        loop {
            let next = self.first.map(|id| (0, id));
            let next = next.or_else(|| self.queue.peek().map(|&Reverse(next)| next));
            let Some((bits, id)) = next else {
                let is_found = best.map_or(Progress::Exhausted, |_| Progress::Found);
                return (is_found, best);
            };
            if best.is_some_and(|best| best.length <= f64::from_bits(bits)) {
                return (Progress::Found, best);
            }
            if self.expanded >= end {
                return (Progress::Paused, best);
            }
            if self.first.take().is_none() {
                self.queue.pop();
            }
            let known = self.nodes.len();
            self.follow(air, id, end);
            let is_new = self.nodes[known..].iter().any(|node| {
                let gate = node.gate.as_ref();
                gate.is_some_and(|gate| air.cell_beyond(gate) == to.0)
            });
            if is_new {
                best = self.shortest_to(air, to);
            }
        }
    }

    /// The shortest path to a point over the nodes that are known.
    fn shortest_to(&self, air: &Air, (cell, to): (u32, DVec2)) -> Option<Reached> {
        let start = self.turns.first().filter(|_| cell == self.start_cell);
        let mut best = start.map(|start| Reached {
            length: start.at.distance(to),
            turn: 0,
            corner: None,
        });
        for is_down in [false, true] {
            // Gates that lead down into a cell are at its upper side.
            for &portal in air.portals_of(cell, !is_down) {
                for (_, node, gate) in self.nodes_at(portal, is_down) {
                    let Turn { at, length, .. } = self.turns[node.turn as usize];
                    let is_longer = |total| best.is_some_and(|best| best.length <= total);
                    if is_longer(length + at.distance(to)) {
                        continue;
                    }
                    let mut corner = None;
                    let mut rest = at.distance(to);
                    if !air.shows(at, gate, to, self.rounding) {
                        let x = air.crossing(at, gate, to, self.rounding);
                        let end = usize::from(x > gate.x[1]);
                        let Some(&turn) = air.corners.get(air.corner(gate, end) as usize) else {
                            continue;
                        };
                        corner = Some(turn);
                        rest = at.distance(turn) + turn.distance(to);
                    }
                    if !is_longer(length + rest) {
                        best = Some(Reached {
                            length: length + rest,
                            turn: node.turn,
                            corner,
                        });
                    }
                }
            }
        }
        best
    }

    /// The points of the shortest path from a point that was reached to the start.
    pub fn points_from(&self, from: DVec2, reached: Reached) -> impl Iterator<Item = DVec2> {
        let first = [Some(from), reached.corner].into_iter().flatten();
        first.chain(self.turns_before(Some(reached.turn)))
    }

    /// The points of the path that was found, from its end to its start.
    pub fn points(&self) -> impl Iterator<Item = DVec2> {
        let goal = self.goal.map(|(_, at)| at).filter(|_| self.last.is_some());
        goal.into_iter().chain(self.turns_before(self.last))
    }

    /// A turn and those before it, back to the start.
    fn turns_before(&self, last: Option<u32>) -> impl Iterator<Item = DVec2> {
        let turn = |number: u32| self.turns.get(number as usize);
        let turns = std::iter::successors(last.and_then(turn), move |at| turn(at.before));
        turns.map(|turn| turn.at)
    }

    fn is_shortest(&self, turn: u32) -> bool {
        let this = &self.turns[turn as usize];
        let known = self.shortest.get(this.corner);
        known.is_none_or(|&known| known == turn)
    }

    /// A turn at the end of a gate after another turn, unless a path that is as short is
    /// known: what is hidden from the one turn before and not from the other is seen by
    /// that other without this turn.
    fn turn_at(&mut self, air: &Air, gate: &Gate, end: usize, before: u32) -> Option<u32> {
        let corner = air.corner(gate, end);
        let at = *air.corners.get(corner as usize)?;
        let corner = 2 * corner + u32::from((end == 0) == gate.is_down);
        let from = self.turns[before as usize];
        if corner == from.corner {
            return Some(before);
        }
        let length = from.length + from.at.distance(at);
        if let Some(&known) = self.shortest.get(corner) {
            let turn = &self.turns[known as usize];
            if turn.before == before {
                return Some(known);
            }
            if turn.length <= length + self.rounding {
                return None;
            }
        }
        let turn = self.turns.len() as u32;
        self.shortest.set(corner, turn);
        self.turns.push(Turn {
            corner,
            at,
            length,
            before,
        });
        Some(turn)
    }

    fn expand(&mut self, air: &Air, gate: Gate, turn: u32) {
        let root = self.turns[turn as usize].at;
        let (rounding, is_down) = (self.rounding, gate.is_down);
        let view = air.view(root, &gate, rounding);
        if let Some((cell, goal)) = self.goal {
            if cell != view.cell {
            } else if air.shows(root, &gate, goal, rounding) {
                self.finish_from(turn, goal);
            } else {
                let x = air.crossing(root, &gate, goal, rounding);
                let end = usize::from(x > gate.x[1]);
                if let Some(turn) = self.turn_at(air, &gate, end, turn) {
                    self.finish_from(turn, goal);
                }
            }
        }
        let far = air.portals_of(view.cell, is_down);
        for &portal in far {
            if let Some(next) = air.seen_gate(&view, portal, is_down, rounding) {
                self.push(air, next, turn);
            }
        }
        for end in [0, 1] {
            let corner = air.corner(&gate, end);
            let beside = air.portals_of(view.cell, !is_down);
            let is_hidden = !view.is_level && air.has_shadow(&gate, &view, end, rounding);
            if corner == NONE || !(is_hidden || beside.len() > 1) {
                continue;
            }
            let Some(turn) = self.turn_at(air, &gate, end, turn) else {
                continue;
            };
            if is_hidden {
                for &portal in far {
                    let mut next = air.gate(portal, is_down);
                    // What the root sees ends here.
                    let edge = view.cast[end];
                    let is_seen = if end == 0 {
                        next.x[0] >= edge
                    } else {
                        next.x[1] <= edge
                    };
                    if is_seen {
                        continue;
                    }
                    if end == 0 && next.x[1] > edge {
                        (next.x[1], next.is_end[1]) = (edge, false);
                    }
                    if end == 1 && next.x[0] < edge {
                        (next.x[0], next.is_end[0]) = (edge, false);
                    }
                    self.push(air, next, turn);
                }
            }
            for &portal in beside {
                let next = air.gate(portal, !is_down);
                let is_beyond = if end == 0 {
                    next.x[1] <= gate.x[0] + rounding
                } else {
                    next.x[0] >= gate.x[1] - rounding
                };
                if portal != gate.portal && is_beyond {
                    self.push(air, next, turn);
                }
            }
        }
    }

    fn finish_from(&mut self, turn: u32, goal: DVec2) {
        let from = &self.turns[turn as usize];
        let length = from.length + from.at.distance(goal);
        self.add(None, turn, length);
    }

    /// Queues a gate, unless there is a shorter path to its root.
    fn push(&mut self, air: &Air, gate: Gate, turn: u32) {
        let root = self.turns[turn as usize].at;
        let y = air.height(&gate);
        let mut turn = turn;
        if (root.y - y).abs() <= self.rounding {
            // Along a level line, to the near end.
            let near = if root.x < gate.x[0] - self.rounding {
                Some(0)
            } else if root.x > gate.x[1] + self.rounding {
                Some(1)
            } else {
                None
            };
            if let Some(end) = near {
                match self.turn_at(air, &gate, end, turn) {
                    Some(next) => turn = next,
                    None => return,
                }
            }
        }
        let Turn { at, length, .. } = self.turns[turn as usize];
        let total = match self.goal {
            Some((_, goal)) => {
                // A goal on this side of the gate is as far as its mirror image.
                let ahead = if gate.is_down { 1.0 } else { -1.0 };
                let depth = ((goal.y - y) * ahead).abs();
                let goal = DVec2::new(goal.x, y + depth * ahead);
                let x = air.crossing(at, &gate, goal, self.rounding);
                let through = DVec2::new(x.clamp(gate.x[0], gate.x[1]), y);
                length + at.distance(through) + through.distance(goal)
            }
            None => length + at.distance(DVec2::new(at.x.clamp(gate.x[0], gate.x[1]), y)),
        };
        self.add(Some(gate), turn, total);
    }

    /// Adds a node beyond the one that is expanded.
    fn add(&mut self, gate: Option<Gate>, turn: u32, total: f64) {
        let id = self.nodes.len() as u32;
        let mut before = NONE;
        if let Some(gate) = gate {
            let place = 2 * gate.portal + u32::from(gate.is_down);
            before = self.last_at.get(place).copied().unwrap_or(NONE);
            self.last_at.set(place, id);
        }
        self.nodes.push(Node { gate, turn, before });
        self.next.push((id, total));
    }

    fn queue_next(&mut self) {
        for (id, total) in self.next.drain(..) {
            // Numbers that are not negative sort like their bits.
            self.queue.push(Reverse(((total + 0.0).to_bits(), id)));
        }
    }
}
