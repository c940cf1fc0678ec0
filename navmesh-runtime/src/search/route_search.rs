//! Looks up cheapest routes in the index of a layer, and estimates costs with it.
//!
//! The index holds for agents with every edge and limit of the bake and without a
//! filter. Filters and slower agents only make routes cost more, so for them its
//! costs are the estimate of the A* search: see [`Estimate`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::mesh::{Hierarchy, Hubs, NONE, RouteIndex, Routes, Seed, Stamped};

/// The nodes next to the start or to the goal.
pub type Seeds = [Option<Seed>; 2];

/// The memory of lookups.
#[derive(Debug, Clone, Default)]
pub struct RouteSearch {
    hubs: Hubs,
    /// The search up from the start, then the one up from the goal.
    sides: [Climb; 2],
    /// The takeoffs of the route, in order.
    route: Vec<u32>,
    edges: Vec<u32>,
    stack: Vec<u32>,
}

/// A search from nodes to more important nodes.
#[derive(Debug, Clone, Default)]
struct Climb {
    records: Stamped<Record>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Record {
    cost: f32,
    /// The edge that led to the node; [`NONE`] at a seed.
    edge: u32,
}

impl RouteSearch {
    /// Finds the cheapest route from one of some nodes to one of others, if it costs
    /// less than `limit`. Returns the node at which it begins, and what was stored for
    /// each of its edges, in order.
    pub fn find(
        &mut self,
        routes: &Routes,
        from: impl IntoIterator<Item = Seed>,
        to: impl IntoIterator<Item = Seed>,
        limit: f32,
    ) -> Option<(u32, &mut Vec<u32>)> {
        self.edges.clear();
        let first = if let Some(labels) = &routes.labels {
            let route = labels.meet(&mut self.hubs, from, to, limit)?;
            labels.route(route, &mut self.edges);
            route.from
        } else {
            self.sides[0].begin(routes.len(), from);
            self.sides[1].begin(routes.len(), to);
            self.search(&routes.hierarchy, limit)?
        };
        self.route.clear();
        for &edge in &self.edges {
            let route = &mut self.route;
            let see = |takeoff| route.push(takeoff);
            routes.hierarchy.unpack(edge, &mut self.stack, see);
        }
        Some((first, &mut self.route))
    }

    /// Collects the edges of the cheapest route by searching from both ends up to
    /// the node where the searches meet. Returns the node at which the route begins.
    fn search(&mut self, hierarchy: &Hierarchy, limit: f32) -> Option<u32> {
        let (mut least, mut meeting) = (limit, None);
        let mut side = 0;
        // A side goes on until its own next cost reaches the best route. The sum of both
        // sides, which ends a search in two directions over a plain graph, ends this one
        // too early: both only climb, so the node where the best route is highest may be
        // far from one end and near the other.
        loop {
            if self.sides[side].next_cost() >= least {
                side = 1 - side;
                if self.sides[side].next_cost() >= least {
                    break;
                }
            }
            let backwards = side == 1;
            if let Some((node, cost)) = self.sides[side].pop() {
                let other = self.sides[1 - side].cost(node);
                if cost + other < least {
                    (least, meeting) = (cost + other, Some(node));
                }
                self.sides[side].climb(hierarchy, node, cost, backwards);
            }
            side = 1 - side;
        }
        let meeting = meeting?;
        let mut from = meeting;
        for backwards in [false, true] {
            let first = self.edges.len();
            let mut node = meeting;
            let records = &self.sides[usize::from(backwards)].records;
            let edge_to = |node| Some(records.get(node)?.edge).filter(|edge| *edge != NONE);
            // The edges lead down to the seed, so those of the start are in
            // reverse order.
            while let Some(edge) = edge_to(node) {
                self.edges.push(edge);
                node = hierarchy.above(edge, !backwards)?;
            }
            if !backwards {
                self.edges[first..].reverse();
                from = node;
            }
        }
        Some(from)
    }
}

impl Climb {
    fn begin(&mut self, nodes: usize, seeds: impl IntoIterator<Item = Seed>) {
        self.queue.clear();
        self.records.begin(nodes);
        for seed in seeds {
            self.improve(seed.node, seed.cost, NONE);
        }
    }

    fn improve(&mut self, node: u32, cost: f32, edge: u32) {
        if cost < self.cost(node) {
            self.records.set(node, Record { cost, edge });
            // Costs are not negative, so their bits sort as they do.
            self.queue.push(Reverse((cost.to_bits(), node)));
        }
    }

    /// The cost of a node, infinite when it was not reached.
    #[inline]
    fn cost(&self, node: u32) -> f32 {
        let record = self.records.get(node);
        record.map_or(f32::INFINITY, |record| record.cost)
    }

    fn next_cost(&self) -> f32 {
        let next = self.queue.peek();
        next.map_or(f32::INFINITY, |Reverse((cost, _))| f32::from_bits(*cost))
    }

    /// The next node to expand; `None` for an entry that is outdated.
    fn pop(&mut self) -> Option<(u32, f32)> {
        let Reverse((key, node)) = self.queue.pop()?;
        let cost = f32::from_bits(key);
        (cost <= self.cost(node)).then_some((node, cost))
    }

    /// Relaxes the edges from a node to more important ones.
    fn climb(&mut self, hierarchy: &Hierarchy, node: u32, cost: f32, backwards: bool) {
        // A node that is reached more cheaply from above is on no cheapest route.
        let above = hierarchy.up(node, !backwards);
        if above
            .iter()
            .any(|half| self.cost(half.node) + half.cost < cost)
        {
            return;
        }
        for half in hierarchy.up(node, backwards) {
            self.improve(half.node, cost + half.cost, half.edge);
        }
    }
}

/// The cost from each landing to the goal for an agent without limits: a lower
/// bound for one with limits or a filter. Costs are computed when they are needed.
/// (B. Strasser and T. Zeitz, "A fast and tight heuristic for A* in road
/// networks", 2021.)
#[derive(Debug, Clone, Default)]
pub struct Estimate {
    /// From the goal up to more important nodes.
    goal: Climb,
    /// The costs from nodes to the goal that are known.
    costs: Stamped<f32>,
    stack: Vec<u32>,
    /// What costs are multiplied by; 0 when there is no estimate.
    factor: f64,
}

impl Estimate {
    /// Sets the goal. `faster` is how many times faster than baked the agent passes
    /// through links, at least 1.
    pub fn begin(&mut self, index: &RouteIndex, goal: Seeds, faster: f64) {
        // The index computes with `f32`: after a hundred links, a sum may be too large
        // by some millionths.
        self.factor = (1.0 - 1e-5) / faster;
        let Routes { hierarchy, .. } = &index.routes;
        let nodes = index.routes.len();
        self.goal.begin(nodes, goal.into_iter().flatten());
        while self.goal.next_cost() < f32::INFINITY {
            if let Some((node, cost)) = self.goal.pop() {
                for half in hierarchy.up(node, true) {
                    self.goal.improve(half.node, cost + half.cost, half.edge);
                }
            }
        }
        self.costs.begin(nodes);
    }

    /// Ends the use of an estimate.
    pub fn clear(&mut self) {
        self.factor = 0.0;
    }

    pub fn is_set(&self) -> bool {
        self.factor > 0.0
    }

    /// The least cost from the landing of a takeoff to the goal; infinite when no
    /// route leads there.
    pub fn ahead(&mut self, index: &RouteIndex, takeoff: u32) -> f64 {
        let landing = index.landings.get(takeoff as usize);
        let cost = landing.map_or(f32::INFINITY, |&node| self.cost(index, node));
        f64::from(cost) * self.factor
    }

    /// The cost from a node to the goal: directly down from it, or over a more
    /// important node.
    fn cost(&mut self, index: &RouteIndex, node: u32) -> f32 {
        if let Some(&cost) = self.costs.get(node) {
            return cost;
        }
        self.stack.clear();
        self.stack.push(node);
        let mut last = f32::INFINITY;
        // Each node waits on the stack until all nodes above it are known.
        while let Some(&node) = self.stack.last() {
            let waiting = self.stack.len();
            let mut least = self.goal.cost(node);
            for half in index.routes.hierarchy.up(node, false) {
                match self.costs.get(half.node) {
                    Some(cost) => least = least.min(half.cost + cost),
                    None => self.stack.push(half.node),
                }
            }
            if self.stack.len() == waiting {
                self.costs.set(node, least);
                self.stack.pop();
                last = least;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use proptest::prelude::*;

    use super::*;
    use crate::mesh::{EdgeSet, Groups, LinkId, LinkKind, PlatformId, Platforms, Takeoff};

    const LENGTH: f32 = 90.0;
    const SPEED: f32 = 30.0;

    /// A link: its platform and where it takes off, where it lands, and its time.
    type Jump = ((u8, u8), (u8, u8), u8);

    /// Places are counted in steps along a platform.
    fn along(step: u8) -> f32 {
        f32::from(step) * LENGTH / 8.0
    }

    fn index(platforms: u8, jumps: &[Jump]) -> RouteIndex {
        let line = |i: u8| [0.0, LENGTH].map(|x| Vec2::new(x, 10.0 * f32::from(i)));
        let platforms = Platforms::new((0..platforms).map(line)).unwrap();
        let takeoff = |(link, &(from, to, time)): (u32, &Jump)| Takeoff {
            along: along(from.1),
            to_x: along(to.1),
            to_along: along(to.1),
            duration: f32::from(time),
            to_platform: PlatformId(to.0.into()),
            link: LinkId(link),
            kind: LinkKind::Jump,
            needs: EdgeSet::NONE,
        };
        let takeoffs: Vec<Takeoff> = (0..).zip(jumps).map(takeoff).collect();
        let groups = Groups::new(platforms.len(), jumps.iter().map(|j| usize::from(j.0.0)));
        let cost_of = |takeoff: &Takeoff| Some(takeoff.duration);
        RouteIndex::new(
            &platforms,
            &takeoffs,
            &groups,
            |_| Some(SPEED),
            cost_of,
            None,
        )
        .0
    }

    /// The cost from every step of every platform to every other, by Floyd and
    /// Warshall's algorithm.
    fn all_costs(platforms: u8, jumps: &[Jump]) -> Vec<Vec<f32>> {
        let count = usize::from(platforms) * 9;
        let mut costs = vec![vec![f32::INFINITY; count]; count];
        let at = |(platform, step): (u8, u8)| usize::from(platform) * 9 + usize::from(step);
        for (i, row) in costs.iter_mut().enumerate() {
            row[i] = 0.0;
            for j in [i.wrapping_sub(1), i + 1] {
                if j / 9 == i / 9 && j < count {
                    row[j] = LENGTH / 8.0 / SPEED;
                }
            }
        }
        for &(from, to, time) in jumps {
            let cost = &mut costs[at(from)][at(to)];
            *cost = cost.min(time.into());
        }
        for k in 0..count {
            for i in 0..count {
                for j in 0..count {
                    costs[i][j] = costs[i][j].min(costs[i][k] + costs[k][j]);
                }
            }
        }
        costs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn routes_and_estimates_cost_the_least(
            platforms in 1..8_u8,
            jumps in proptest::collection::vec(
                ((0..8_u8, 0..9_u8), (0..8_u8, 0..9_u8), 0..9_u8), 0..60),
            ends in proptest::collection::vec((0..72_usize, 0..72_usize), 20),
        ) {
            let mut jumps: Vec<Jump> = jumps
                .into_iter()
                .map(|(a, b, time)| ((a.0 % platforms, a.1), (b.0 % platforms, b.1), time))
                .collect();
            jumps.sort_unstable();
            let labelled = index(platforms, &jumps);
            let mut searched = labelled.clone();
            searched.routes.labels = None;
            let costs = all_costs(platforms, &jumps);
            let (mut search, mut estimate) = (RouteSearch::default(), Estimate::default());
            for (from, to) in ends {
                let (from, to) = (from % costs.len(), to % costs.len());
                let place = |at: usize| ((at / 9) as u32, along((at % 9) as u8));
                let seeds = [from, to].map(|at| {
                    let (platform, along) = place(at);
                    labelled.seeds(PlatformId(platform), along, SPEED)
                });
                let ((start, x), (goal, y)) = (place(from), place(to));
                let walk = if start == goal { (x - y).abs() / SPEED } else { f32::INFINITY };
                for index in [&labelled, &searched] {
                    let (mut cost, mut at) = (0.0, (start, x));
                    let [starts, goals] = seeds.map(|seeds| seeds.into_iter().flatten());
                    let found = search.find(&index.routes, starts, goals, walk + 1e-3);
                    let found = found.map(|(_, route)| &*route);
                    prop_assert_eq!(found.is_some() || walk.is_finite(), costs[from][to].is_finite());
                    for &takeoff in found.into_iter().flatten() {
                        let (a, b, time) = jumps[takeoff as usize];
                        prop_assert_eq!(u32::from(a.0), at.0);
                        cost += (along(a.1) - at.1).abs() / SPEED + f32::from(time);
                        at = (b.0.into(), along(b.1));
                    }
                    prop_assert!(at.0 == goal || found.is_none());
                    cost += (y - at.1).abs() / SPEED;
                    let cost = if found.is_some() { cost.min(walk) } else { walk };
                    prop_assert!(
                        cost == costs[from][to] || (cost - costs[from][to]).abs() < 1e-3,
                        "{} is not {}", cost, costs[from][to]
                    );
                }
                estimate.begin(&labelled, seeds[1], 1.0);
                for (takeoff, jump) in (0..).zip(&jumps) {
                    let landing = usize::from(jump.1.0) * 9 + usize::from(jump.1.1);
                    let (least, exact) = (estimate.ahead(&labelled, takeoff), costs[landing][to]);
                    prop_assert!(
                        least == f64::from(exact) || (least - f64::from(exact)).abs() < 1e-3,
                        "{} is not {}", least, exact
                    );
                }
            }
        }
    }
}
