//! Searches for flights: one for each query, or one from a goal that many have.

use glam::{DVec2, Vec2};

use super::any_angle::AnyAngle;
use super::link_search::Progress;
use crate::mesh::Air;

/// How many goals are kept. Each may hold a search over all of the air in memory.
const MOST_GOALS: usize = 4;

/// Nodes for each portal that a search to everywhere expands: 7 to 41 in levels of 570 to
/// 3,300 cells.
const NODES_OF_ALL: usize = 8;

/// The air in which flights are searched for.
#[derive(Debug, Clone, Copy)]
pub struct Space<'a> {
    pub air: &'a Air,
    /// The identity of its layer, and what is closed there.
    pub layer: usize,
    pub closed: &'a [[Vec2; 2]],
}

/// Finds shortest flights. When the searches for one goal have cost as much as a search from
/// there to everywhere, it begins that search, and looks the other flights up in it.
#[derive(Debug, Clone, Default)]
pub struct FlightSearch {
    alone: AnyAngle,
    /// The goal of the present search is the first.
    goals: Vec<Goal>,
    /// Where the present search begins, if it looks up.
    looks_up: Option<(u32, DVec2)>,
    /// From the start to the goal, if it was looked up.
    points: Vec<DVec2>,
    pub expanded: u32,
}

/// A goal, and what is known about flights there.
#[derive(Debug, Clone, Default)]
struct Goal {
    at: DVec2,
    layer: usize,
    closed: Vec<[Vec2; 2]>,
    /// Nodes that searches of single queries have expanded.
    spent: usize,
    is_begun: bool,
    from_here: AnyAngle,
}

impl FlightSearch {
    /// Begins a search between two points, each given with its cell, y downwards. Without
    /// them it ends at once.
    pub fn start(&mut self, space: Space<'_>, ends: Option<[(u32, DVec2); 2]>, rounding: f64) {
        (self.looks_up, self.expanded) = (None, 0);
        self.alone.clear();
        self.points.clear();
        let Some([from, to]) = ends else {
            return;
        };
        let goal = self.goal(space, to.1);
        if !goal.is_begun && goal.spent >= NODES_OF_ALL * space.air.portals.len() {
            goal.is_begun = true;
            goal.from_here.start(space.air, to, None, rounding);
        }
        if goal.is_begun {
            self.looks_up = Some(from);
        } else {
            self.alone.start(space.air, from, Some(to), rounding);
        }
    }

    /// Makes a goal the first.
    fn goal(&mut self, space: Space<'_>, at: DVec2) -> &mut Goal {
        let is_same =
            |goal: &Goal| (goal.at, goal.layer) == (at, space.layer) && goal.closed == space.closed;
        let known = self.goals.iter().position(is_same);
        let index = known.unwrap_or_else(|| {
            if self.goals.len() < MOST_GOALS {
                self.goals.push(Goal::default());
            }
            self.goals.len() - 1
        });
        self.goals[..=index].rotate_right(1);
        let goal = &mut self.goals[0];
        if known.is_none() {
            (goal.at, goal.layer) = (at, space.layer);
            goal.closed.clear();
            goal.closed.extend_from_slice(space.closed);
            (goal.spent, goal.is_begun) = (0, false);
        }
        goal
    }

    /// Expands at most `budget` nodes more.
    pub fn step(&mut self, air: &Air, budget: u32) -> Progress {
        let Some(goal) = self.goals.first_mut() else {
            return Progress::Exhausted;
        };
        let Some(from) = self.looks_up else {
            let progress = self.alone.step(air, budget);
            goal.spent += (self.alone.expanded - self.expanded) as usize;
            self.expanded = self.alone.expanded;
            return progress;
        };
        let before = goal.from_here.expanded;
        let (progress, reached) = goal.from_here.reach(air, from, budget);
        self.expanded += goal.from_here.expanded - before;
        if let Some(reached) = reached.filter(|_| progress == Progress::Found) {
            (self.points).extend(goal.from_here.points_from(from.1, reached));
        }
        progress
    }

    /// The points of the flight that was found, from its end to its start.
    pub fn points(&self) -> impl Iterator<Item = DVec2> {
        let looked_up = self.points.iter().rev().copied();
        looked_up.chain(self.alone.points())
    }
}
