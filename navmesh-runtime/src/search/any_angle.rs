//! The shortest path through the air, in any direction.
//!
//! A* over the portals of the air. A node is a part of a portal and the last turn before
//! it (its *root*), from which all of that part can be seen. Beyond a portal, what the
//! root sees goes on; what it does not see is reached over a turn at the end of the
//! portal, if a corner of what is blocked is there. After M. L. Cui, D. D. Harabor and
//! A. Grastien, "Compromise-free pathfinding on a navigation mesh" (2017).

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
    turns: Vec<Turn>,
    /// For each corner and each direction of turning there, the turn of the shortest path
    /// that is known.
    shortest: EpochArray<u32>,
    /// The nodes beyond the one that is expanded.
    next: Vec<(Node, f64)>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    goal: DVec2,
    goal_cell: u32,
    rounding: f64,
    /// The turn before the goal, once it is found.
    last: Option<u32>,
    pub expanded: u32,
}

/// A part of a portal, reached straight from a turn. The goal has no gate.
#[derive(Debug, Clone, Copy)]
struct Node {
    gate: Option<Gate>,
    turn: u32,
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
    /// Begins a search between two points, each given with its cell, y downwards. Without
    /// them it ends at once.
    pub fn start(&mut self, air: &Air, ends: Option<[(u32, DVec2); 2]>, rounding: f64) {
        self.nodes.clear();
        self.turns.clear();
        self.queue.clear();
        self.next.clear();
        (self.last, self.expanded) = (None, 0);
        let Some([from, to]) = ends else {
            return;
        };
        self.shortest.begin(2 * air.corners.len());
        (self.goal, self.goal_cell) = (to.1, to.0);
        self.rounding = rounding;
        self.turns.push(Turn {
            corner: NONE,
            at: from.1,
            length: 0.0,
            before: NONE,
        });
        if from.0 == to.0 {
            self.finish_from(0);
        }
        for gate in air.gates(from.0) {
            self.push(air, gate, 0);
        }
        self.queue_next();
    }

    /// Expands at most `budget` nodes more.
    pub fn step(&mut self, air: &Air, budget: u32) -> Progress {
        for _ in 0..budget {
            let Some(Reverse((_, id))) = self.queue.pop() else {
                return Progress::Exhausted;
            };
            self.expanded += 1;
            let mut node = self.nodes[id as usize];
            // Where there is only one way on, it need not be queued.
            loop {
                let Some(gate) = node.gate else {
                    self.last = Some(node.turn);
                    return Progress::Found;
                };
                if !self.is_shortest(node.turn) {
                    break;
                }
                self.expand(air, gate, node.turn);
                match self.next.as_slice() {
                    [(only, _)] if only.gate.is_some() => node = *only,
                    _ => break,
                }
                self.next.clear();
            }
            self.queue_next();
        }
        if self.queue.is_empty() {
            Progress::Exhausted
        } else {
            Progress::Paused
        }
    }

    /// The points of the path that was found, from its end to its start.
    pub fn points(&self) -> impl Iterator<Item = DVec2> {
        let turn = |number: u32| self.turns.get(number as usize);
        let turns = std::iter::successors(self.last.and_then(turn), move |at| turn(at.before));
        [self.goal].into_iter().chain(turns.map(|turn| turn.at))
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
        if view.cell == self.goal_cell {
            if air.shows(root, &gate, self.goal, rounding) {
                self.finish_from(turn);
            } else {
                let x = air.crossing(root, &gate, self.goal, rounding);
                let end = usize::from(x > gate.x[1]);
                if let Some(turn) = self.turn_at(air, &gate, end, turn) {
                    self.finish_from(turn);
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

    fn finish_from(&mut self, turn: u32) {
        let from = &self.turns[turn as usize];
        let length = from.length + from.at.distance(self.goal);
        self.next.push((Node { gate: None, turn }, length));
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
        // A goal on this side of the gate is as far as its mirror image.
        let ahead = if gate.is_down { 1.0 } else { -1.0 };
        let depth = ((self.goal.y - y) * ahead).abs();
        let goal = DVec2::new(self.goal.x, y + depth * ahead);
        let x = air.crossing(at, &gate, goal, self.rounding);
        let through = DVec2::new(x.clamp(gate.x[0], gate.x[1]), y);
        let total = length + at.distance(through) + through.distance(goal);
        self.next.push((
            Node {
                gate: Some(gate),
                turn,
            },
            total,
        ));
    }

    fn queue_next(&mut self) {
        for (node, total) in self.next.drain(..) {
            let id = self.nodes.len() as u32;
            self.nodes.push(node);
            // Numbers that are not negative sort like their bits.
            self.queue.push(Reverse(((total + 0.0).to_bits(), id)));
        }
    }
}
