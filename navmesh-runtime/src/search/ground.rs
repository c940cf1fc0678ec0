//! Searching for agents on foot.
//!
//! A node is a link, reached where it takes off and left where it lands.
//! From a landing, the takeoffs of that platform are relaxed outwards, to the
//! left and to the right, until one is met that was reached at least as cheaply
//! before: whatever lies beyond it was, too, by walking on from there. So a
//! platform with many links in and out costs about as much as it has links,
//! not their product.

use std::iter::successors;

use glam::Vec2;

use super::Location;
use super::cost_model::CostModel;
use super::nearest::{Nearest, nearest_between};
use super::open_list::OpenList;
use super::path::{Path, Step, StepKind};
use super::problem::{Problem, Progress};
use crate::mesh::{FloorSpot, Layer, PlatformId, PlatformKind, Takeoff};

/// The start, as a parent.
const START: u32 = u32::MAX;
/// The goal, as a node.
const GOAL: u32 = u32::MAX - 1;

/// What is known of a takeoff.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    /// The cost of getting there.
    cost: f64,
    /// The key it was last pushed with.
    key: f32,
    /// The query that this is about.
    query: u32,
    /// The takeoff before.
    parent: u32,
}

/// Scratch memory of ground searches.
#[derive(Debug, Clone, Default)]
pub(super) struct Ground {
    records: Vec<Record>,
    open: OpenList,
    query: u32,
    goal_cost: f64,
    goal_parent: u32,
    nearest: Nearest<(PlatformId, u32)>,
    pub(super) expanded: u32,
}

impl Ground {
    /// Begins a search.
    pub(super) fn start(&mut self, layer: &Layer, limits: &mut CostModel, problem: &Problem) {
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.records.fill(Record::default());
            self.query = 1;
        }
        if self.records.len() < layer.all_takeoffs().len() {
            self.records
                .resize(layer.all_takeoffs().len(), Record::default());
        }
        self.open.clear();
        self.nearest.clear();
        self.goal_cost = f64::INFINITY;
        self.expanded = 0;
        if let Location::Floor(spot) = problem.start {
            let along = layer.along(spot);
            self.arrive(layer, limits, problem, spot.platform, along, 0.0, START);
        }
    }

    /// Goes on with a search, for at most so many nodes.
    pub(super) fn step(
        &mut self,
        layer: &Layer,
        limits: &mut CostModel,
        problem: &Problem,
        budget: u32,
    ) -> Progress {
        let mut left = budget;
        loop {
            if left == 0 && self.open.least().is_some() {
                return Progress::Paused;
            }
            let Some(open) = self.open.pop() else {
                return Progress::Exhausted;
            };
            if open.node == GOAL {
                return Progress::Found;
            }
            let node = open.node as usize;
            let (Some(&takeoff), Some(&record)) =
                (layer.all_takeoffs().get(node), self.records.get(node))
            else {
                continue;
            };
            // A node reached more cheaply since was pushed anew.
            if record.key != open.key {
                continue;
            }
            let Some(extra) = limits.surcharge(layer, &takeoff) else {
                continue;
            };
            left -= 1;
            self.expanded += 1;
            let cost = record.cost + f64::from(takeoff.duration) + extra;
            let (platform, along) = (takeoff.to_platform, takeoff.to_along);
            self.arrive(layer, limits, problem, platform, along, cost, open.node);
        }
    }

    /// Relaxes everything that can be walked to from a point of a platform.
    #[expect(
        clippy::too_many_arguments,
        reason = "one step of the search, inside it"
    )]
    fn arrive(
        &mut self,
        layer: &Layer,
        limits: &mut CostModel,
        problem: &Problem,
        platform: PlatformId,
        along: f32,
        cost: f64,
        parent: u32,
    ) {
        let Some(surface) = layer.platform(platform) else {
            return;
        };
        let (low, high) = limits.walkable(&surface, along);
        if let Some(goal) = problem.goal_on(platform) {
            let there = surface.along(goal.position);
            let total = cost + limits.walk(&surface, along, there);
            if (low..=high).contains(&there) && total < self.goal_cost {
                self.goal_cost = total;
                self.goal_parent = parent;
                self.open.push(GOAL, total, 0.0);
            }
        }
        if problem.or_nearest {
            let point = nearest_between(&surface, problem.target, low, high);
            let cost = cost + limits.walk(&surface, along, surface.along(point));
            self.nearest
                .offer(problem.target, point, cost, (platform, parent));
        }
        let (first, takeoffs) = layer.takeoffs(platform);
        let middle = takeoffs.partition_point(|t| t.along < along);
        let (left, right) = takeoffs.split_at(middle);
        let mut relax = |index: usize, takeoff: &Takeoff| {
            let cost = cost + limits.walk(&surface, along, takeoff.along);
            self.relax(layer, limits, problem, first + index, takeoff, cost, parent)
        };
        for (i, takeoff) in (middle..).zip(right) {
            if takeoff.along > high || !relax(i, takeoff) {
                break;
            }
        }
        for (i, takeoff) in left.iter().enumerate().rev() {
            if takeoff.along < low || !relax(i, takeoff) {
                break;
            }
        }
    }

    /// Notes that a takeoff can be reached at a cost. `false` when it was
    /// reached as cheaply before.
    #[expect(
        clippy::too_many_arguments,
        reason = "one step of the search, inside it"
    )]
    fn relax(
        &mut self,
        layer: &Layer,
        limits: &mut CostModel,
        problem: &Problem,
        index: usize,
        takeoff: &Takeoff,
        cost: f64,
        parent: u32,
    ) -> bool {
        let Some(record) = self.records.get_mut(index) else {
            return false;
        };
        if record.query == self.query && record.cost <= cost {
            return false;
        }
        *record = Record {
            cost,
            key: f32::NAN,
            query: self.query,
            parent,
        };
        if problem.is_dead_end(layer, takeoff.to_platform) {
            return true;
        }
        if let Some(extra) = limits.surcharge(layer, takeoff) {
            let landing = cost + f64::from(takeoff.duration) + extra;
            let ahead = limits.ahead(takeoff.to_x, problem.target);
            if landing + ahead < self.goal_cost {
                record.key = self.open.push(index as u32, landing, ahead);
            }
        }
        true
    }

    /// The path found to the goal.
    pub(super) fn path_to_goal(
        &self,
        layer: &Layer,
        limits: &CostModel,
        problem: &Problem,
        path: &mut Path,
    ) {
        if let Some(Location::Floor(spot)) = problem.goal {
            path.cost = self.goal_cost;
            self.trace(layer, limits, problem, spot, self.goal_parent, path);
        }
    }

    /// The path to the point nearest to the goal, if there is any.
    pub(super) fn path_to_nearest(
        &self,
        layer: &Layer,
        limits: &CostModel,
        problem: &Problem,
        path: &mut Path,
    ) -> bool {
        let Some(best) = self.nearest.get() else {
            return false;
        };
        let (platform, parent) = best.how;
        let position = best.position;
        path.cost = best.cost;
        let spot = FloorSpot { platform, position };
        self.trace(layer, limits, problem, spot, parent, path);
        true
    }

    /// Follows parents back from the end of a path.
    fn trace(
        &self,
        layer: &Layer,
        limits: &CostModel,
        problem: &Problem,
        end: FloorSpot,
        parent: u32,
        path: &mut Path,
    ) {
        path.expanded = self.expanded;
        let known = |at: u32| self.records.get(at as usize).map(|record| (at, record));
        let chain = successors(known(parent), |(_, record)| known(record.parent));
        // A chain of parents cannot be longer than there are links.
        let chain = chain.take(layer.links().len()).map(|(at, _)| at);
        let start = problem.start.position(layer);
        trace(layer, limits, start, end, chain, path);
    }
}

/// Writes down a path from the takeoffs it uses, the last one first.
pub(super) fn trace(
    layer: &Layer,
    limits: &CostModel,
    start: Vec2,
    end: FloorSpot,
    takeoffs: impl Iterator<Item = u32>,
    path: &mut Path,
) {
    path.end = end.position;
    path.start = start;
    let FloorSpot {
        mut platform,
        position: mut to,
    } = end;
    for index in takeoffs {
        let Some(takeoff) = layer.all_takeoffs().get(index as usize) else {
            break;
        };
        let Some(link) = layer.link(takeoff.link) else {
            break;
        };
        path.push_back_to_front(walk(limits, layer, platform, link.to, to));
        path.push_back_to_front(Step {
            kind: StepKind::from(link.kind),
            from: link.from,
            to: link.to,
            duration: limits.duration(layer, link),
            platform: Some(link.from_platform),
            link: Some(takeoff.link),
        });
        (to, platform) = (link.from, link.from_platform);
    }
    path.push_back_to_front(walk(limits, layer, platform, start, to));
    path.steps.reverse();
}

/// A walk, or a climb, as a step.
pub(super) fn walk(
    limits: &CostModel,
    layer: &Layer,
    platform: PlatformId,
    from: Vec2,
    to: Vec2,
) -> Step {
    let along = |position| f64::from(layer.along(FloorSpot { platform, position }));
    let kind = layer
        .platform(platform)
        .map_or(PlatformKind::Floor, |p| p.kind());
    Step {
        kind: StepKind::from(kind),
        from,
        to,
        duration: ((along(to) - along(from)).abs() / limits.speed_on(kind)) as f32,
        platform: Some(platform),
        link: None,
    }
}
