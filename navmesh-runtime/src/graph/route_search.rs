//! Looks up shortest routes, and estimates the costs of others with them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::epoch_array::EpochArray;
use super::hierarchy::{Hierarchy, NONE, Seed};
use super::hub_labels::Hubs;
use super::routes::Routes;

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

/// A route that passes nodes again and again, as no shortest one does.
#[derive(Debug, Clone, Copy)]
pub struct NotShortest;

/// A search from nodes to more important nodes.
#[derive(Debug, Clone, Default)]
struct Climb {
    records: EpochArray<Record>,
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
    ///
    /// # Errors
    /// When the index, which may come from a file, is not one of shortest routes.
    pub fn find(
        &mut self,
        routes: &Routes,
        from: impl IntoIterator<Item = Seed>,
        to: impl IntoIterator<Item = Seed>,
        limit: f32,
    ) -> Result<Option<(u32, &mut Vec<u32>)>, NotShortest> {
        self.edges.clear();
        let first = if let Some(labels) = &routes.labels {
            let route = labels.meet(&mut self.hubs, from, to, limit);
            route.map(|route| {
                labels.route(route, &mut self.edges);
                route.from
            })
        } else {
            self.sides[0].begin(routes.len(), from);
            self.sides[1].begin(routes.len(), to);
            self.search(&routes.hierarchy, limit)
        };
        self.route.clear();
        for &edge in &self.edges {
            let (stack, route) = (&mut self.stack, &mut self.route);
            let unpacked = routes.hierarchy.unpack(edge, stack, route);
            unpacked.ok_or(NotShortest)?;
        }
        Ok(first.map(|first| (first, &mut self.route)))
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
            // The edges lead down to the seed, so those of the start are in
            // reverse order.
            while let Some(&Record { edge, .. }) = records.get(node)
                && edge != NONE
            {
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

/// The cost from each node to a goal: a lower bound for a search in which edges cost
/// more. Costs are computed when they are needed. (B. Strasser and T. Zeitz, "A fast
/// and tight heuristic for A* in road networks", 2021.)
#[derive(Debug, Clone, Default)]
pub struct Estimate {
    /// From the goal up to more important nodes.
    goal: Climb,
    /// The costs from nodes to the goal that are known.
    costs: EpochArray<f32>,
    stack: Vec<u32>,
    /// What costs are multiplied by; 0 when there is no estimate.
    factor: f64,
}

impl Estimate {
    /// Sets the nodes next to the goal. `faster` is how many times less than in the
    /// graph an edge may cost, at least 1.
    pub fn begin(&mut self, routes: &Routes, goal: impl IntoIterator<Item = Seed>, faster: f64) {
        // The graph computes with `f32`: after a hundred edges, a sum may be too large
        // by some millionths.
        self.factor = (1.0 - 1e-5) / faster;
        let nodes = routes.len();
        self.goal.begin(nodes, goal);
        while self.goal.next_cost() < f32::INFINITY {
            if let Some((node, cost)) = self.goal.pop() {
                for half in routes.hierarchy.up(node, true) {
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

    /// The least cost from a node to the goal; infinite when no route leads there.
    pub fn ahead(&mut self, routes: &Routes, node: u32) -> f64 {
        f64::from(self.cost(routes, node)) * self.factor
    }

    /// The cost from a node to the goal: directly down from it, or over a more
    /// important node.
    fn cost(&mut self, routes: &Routes, node: u32) -> f32 {
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
            for half in routes.hierarchy.up(node, false) {
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
    use proptest::prelude::*;

    use super::super::hierarchy::{Edge, Half};
    use super::super::hub_labels::Labels;
    use super::*;

    /// The cost from every node to every other, by Floyd and Warshall's algorithm.
    fn all_costs(nodes: usize, edges: &[Edge]) -> Vec<Vec<f32>> {
        let mut costs = vec![vec![f32::INFINITY; nodes]; nodes];
        for (i, row) in costs.iter_mut().enumerate() {
            row[i] = 0.0;
        }
        for edge in edges {
            let cost = &mut costs[edge.from as usize][edge.to as usize];
            *cost = cost.min(edge.cost);
        }
        for k in 0..nodes {
            for i in 0..nodes {
                for j in 0..nodes {
                    costs[i][j] = costs[i][j].min(costs[i][k] + costs[k][j]);
                }
            }
        }
        costs
    }

    /// In a forged hierarchy, each shortcut leads twice over the shortcut of the node
    /// before, so the last one stands for 2^40 edges.
    #[test]
    fn routes_in_circles_are_no_routes() {
        let last = 41;
        let edge = |[from, to]: [u32; 2]| Edge {
            from,
            to,
            cost: 1.0,
            parts: [from, NONE],
        };
        let edges: Vec<Edge> = (1..=last)
            .flat_map(|node| [edge([0, node]), edge([node, 0])])
            .collect();
        let levels: Vec<u32> = (0..=last).collect();
        let hierarchy = Hierarchy::contract(&edges, &levels, |node, [out, into], pairs| {
            for (a, from) in into.iter().enumerate() {
                let next = |(_, to): &(usize, &Half)| from.node == node + 1 || to.node == node + 1;
                pairs.extend(out.iter().enumerate().filter(next).map(|(b, _)| [a, b]));
            }
        });
        let labels = Labels::new(&hierarchy);
        assert!(labels.is_some());
        for labels in [None, labels] {
            let routes = Routes {
                hierarchy: hierarchy.clone(),
                labels,
            };
            let seed = |node| [Seed { node, cost: 0.0 }];
            let mut search = RouteSearch::default();
            let found = search.find(&routes, seed(last - 1), seed(last), f32::INFINITY);
            assert!(found.is_err());
            assert!(search.route.capacity() < 1000 && search.stack.capacity() < 1000);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn routes_and_estimates_cost_the_least(
            nodes in 1..40_u32,
            ends in proptest::collection::vec((0..40_u32, 0..40_u32, 0..9_u8), 0..120),
        ) {
            // Whole numbers, so that sums are exact.
            let edge = |(number, (from, to, cost)): (u32, (u32, u32, u8))| Edge {
                from: from % nodes,
                to: to % nodes,
                cost: cost.into(),
                parts: [number, NONE],
            };
            let edges: Vec<Edge> = (0..).zip(ends).map(edge).collect();
            let labelled = Routes::new(nodes as usize, &edges, None, u64::MAX).unwrap().0;
            let searched = Routes { labels: None, ..labelled.clone() };
            let costs = all_costs(nodes as usize, &edges);
            let (mut search, mut estimate) = (RouteSearch::default(), Estimate::default());
            for (from, row) in (0..).zip(&costs) {
                for (to, &least) in (0..).zip(row) {
                    let seed = |node| [Seed { node, cost: 0.0 }];
                    for routes in [&labelled, &searched] {
                        let Ok(found) = search.find(routes, seed(from), seed(to), f32::INFINITY) else {
                            // Over edges that cost nothing.
                            prop_assert!(edges.iter().any(|edge| edge.cost == 0.0));
                            continue;
                        };
                        prop_assert_eq!(found.is_some(), least.is_finite());
                        let (mut cost, mut at) = (0.0, from);
                        for &number in found.into_iter().flat_map(|(_, route)| &*route) {
                            let edge = edges[number as usize];
                            prop_assert_eq!(edge.from, at);
                            (cost, at) = (cost + edge.cost, edge.to);
                        }
                        prop_assert!(least.is_infinite() || (cost, at) == (least, to));
                    }
                    estimate.begin(&labelled, seed(to), 1.0);
                    let ahead = estimate.ahead(&labelled, from);
                    prop_assert!(
                        ahead == f64::from(least) || (ahead - f64::from(least)).abs() < 1e-3
                    );
                }
            }
        }
    }
}
