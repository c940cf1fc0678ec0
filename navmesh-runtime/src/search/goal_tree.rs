//! Searches backwards from one goal, for many walking agents with that goal.
//!
//! The search of [`link_search`](super::link_search) in the other direction: a
//! node is again a link, but its cost is the one from its landing to the goal.
//! It is Dijkstra's algorithm, because there is no single start to estimate the
//! distance to. It stops when the agent of the current request is reached, and
//! the next request continues from there. A crowd therefore costs as much as
//! its furthest member.

use glam::Vec2;

use super::cost_model::CostModel;
use super::frontier::{Frontier, LinkNodes, NONE, NodeId, NodeStore as _};
use super::locate::{Location, locate};
use super::path::Path;
use super::path_writer::{PathWriter, drop_detours};
use super::query::Query;
use crate::graph::csr::Buckets;
use crate::mesh::{EdgeSet, FloorSpot, Layer, PlatformId};

/// The cheapest paths to one goal, as far away as the requests so far needed.
#[derive(Debug, Default)]
pub struct GoalTree {
    costs: CostModel,
    frontier: Frontier<LinkNodes>,
    /// The layer and the query that the tree was started for.
    layer: Option<usize>,
    query: Option<Query>,
    /// The place of the goal; `None` when it cannot be walked to.
    goal: Option<FloorSpot>,
    /// The request that is answered.
    request: Option<PathRequest>,
    /// Takeoffs expanded so far, for all agents.
    expanded: u32,
    path: Path,
    /// The takeoffs of a path, kept for its memory.
    chain: Vec<u32>,
}

/// The answer of a [`GoalTree`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FromTree<'a> {
    /// A path to the goal; none is cheaper.
    Found(&'a Path),
    /// The search did not end within its budget; call `find` again.
    Paused,
    /// Not applicable here, because the agent flies or no path exists;
    /// [`PathFinder`](super::PathFinder) handles it.
    NotApplicable,
}

/// The position of a walking agent, and the best path found from there.
#[derive(Debug)]
struct PathRequest {
    spot: FloorSpot,
    along: f32,
    /// The smallest coordinate along its platform that it can walk to, then the
    /// largest.
    low: f32,
    high: f32,
    best: f64,
    /// The first takeoff of the path; [`NONE`] when the path is a walk.
    first: u32,
}

impl GoalTree {
    /// Whether the tree is for the goal of a query.
    pub fn serves(&self, layer: &Layer, query: &Query) -> bool {
        self.layer == Some(layer.identity())
            && (self.query.as_ref()).is_some_and(|own| own.has_goal_of(query))
    }

    /// Starts again, for the goal of a query.
    pub fn start(&mut self, layer: &Layer, arrivals: &Arrivals, query: &Query) {
        self.layer = Some(layer.identity());
        match &mut self.query {
            Some(own) => own.clone_from(query),
            none => *none = Some(query.clone()),
        }
        (self.goal, self.request) = (None, None);
        self.expanded = 0;
        self.frontier.clear(layer.all_takeoffs().len());
        if query.check_goal().is_err() {
            return;
        }
        self.costs.prepare(layer, query);
        if self.costs.edges.contains(EdgeSet::FLY) {
            return;
        }
        self.goal = self.stand(layer, query.to);
        if let Some(goal) = self.goal {
            let along = layer.along(goal);
            self.depart(layer, arrivals, goal.platform, along, 0.0, NONE);
        }
    }

    /// Finds the cheapest path from the start of a query that the tree
    /// [serves](Self::serves), expanding at most `budget` takeoffs, and returns
    /// how many it expanded.
    pub fn find(
        &mut self,
        layer: &Layer,
        arrivals: &Arrivals,
        query: &Query,
        budget: u32,
    ) -> (FromTree<'_>, u32) {
        let before = self.expanded;
        self.request = self.request(layer, query.from);
        self.look_up(layer);
        let mut left = budget;
        // Every path found from now on costs at least as much as the next takeoff.
        while let (Some(request), Some(least)) = (&self.request, self.frontier.least())
            && f64::from(least) < request.best
        {
            if left == 0 {
                return (FromTree::Paused, self.expanded - before);
            }
            left -= 1;
            self.expand(layer, arrivals);
        }
        let expanded = self.expanded - before;
        if self.trace(layer).is_none() {
            return (FromTree::NotApplicable, expanded);
        }
        self.path.expanded = expanded;
        (FromTree::Found(&self.path), expanded)
    }

    /// Where an agent on foot at a position stands.
    fn stand(&self, layer: &Layer, position: Vec2) -> Option<FloorSpot> {
        match locate(layer, position, self.costs.edges)? {
            Location::Floor(spot) => {
                let is_closed = self.costs.is_closed(spot.platform, layer.along(spot));
                (!is_closed).then_some(spot)
            }
            Location::Air(_) => None,
        }
    }

    /// A request from a position; `None` when the goal cannot be reached.
    fn request(&self, layer: &Layer, from: Vec2) -> Option<PathRequest> {
        let goal = self.goal?;
        let spot = self.stand(layer, from)?;
        let platform = layer.platform(spot.platform)?;
        let graph = layer.graph();
        let start = graph.component(spot.platform)?;
        let end = graph.component(goal.platform)?;
        if !graph.may_reach(start, end) {
            return None;
        }
        let along = layer.along(spot);
        let (low, high) = self.costs.walkable(&platform, along);
        let there = layer.along(goal);
        let can_walk = spot.platform == goal.platform && (low..=high).contains(&there);
        Some(PathRequest {
            spot,
            along,
            low,
            high,
            best: if can_walk {
                self.costs.walk(&platform, along, there)
            } else {
                f64::INFINITY
            },
            first: NONE,
        })
    }

    /// Offers the request the takeoffs of its platform that are reached already.
    fn look_up(&mut self, layer: &Layer) {
        let Some(request) = &mut self.request else {
            return;
        };
        let Some(platform) = layer.platform(request.spot.platform) else {
            return;
        };
        let (first, takeoffs) = layer.takeoffs(request.spot.platform);
        let middle = takeoffs.partition_point(|t| t.along < request.along);
        let (left, right) = takeoffs.split_at(middle);
        let outwards = [
            &mut (middle..).zip(right) as &mut dyn Iterator<Item = _>,
            &mut left.iter().enumerate().rev(),
        ];
        for takeoffs in outwards {
            for (i, takeoff) in takeoffs {
                let walk = self.costs.walk(&platform, request.along, takeoff.along);
                if !(request.low..=request.high).contains(&takeoff.along) || walk >= request.best {
                    break;
                }
                let index = (first + i) as u32;
                let Some(node) = self.frontier.nodes.get(index) else {
                    continue;
                };
                if let Some(time) = self.costs.link_cost(layer, takeoff) {
                    request.offer(walk + node.cost + time, index);
                }
            }
        }
    }

    /// Expands the takeoff nearest to the goal.
    fn expand(&mut self, layer: &Layer, arrivals: &Arrivals) {
        let Some((index, node)) = self.frontier.pop() else {
            return;
        };
        let Some((takeoff, link)) = layer.takeoff(index) else {
            return;
        };
        let Some(time) = self.costs.link_cost(layer, takeoff) else {
            return;
        };
        self.expanded += 1;
        let cost = node.cost + time;
        let (platform, along) = (link.from_platform, takeoff.along);
        self.depart(layer, arrivals, platform, along, cost, index);
    }

    /// Relaxes all links that land where an agent can walk to a given point of
    /// a platform. Goes outwards from that point to both sides, and stops at a
    /// landing that was reached at the same or a lower cost before: the
    /// landings beyond it were too, by walking over it.
    fn depart(
        &mut self,
        layer: &Layer,
        arrivals: &Arrivals,
        platform: PlatformId,
        along: f32,
        cost: f64,
        next: u32,
    ) {
        let Some(platform) = layer.platform(platform) else {
            return;
        };
        let (low, high) = self.costs.walkable(&platform, along);
        let landings = &arrivals.list[arrivals.platforms.range(platform.id.index())];
        let middle = landings.partition_point(|a| a.along < along);
        let (left, right) = landings.split_at(middle);
        let outwards = [
            &mut right.iter() as &mut dyn Iterator<Item = _>,
            &mut left.iter().rev(),
        ];
        for landings in outwards {
            for landing in landings {
                if !(low..=high).contains(&landing.along) {
                    break;
                }
                let cost = cost + self.costs.walk(&platform, landing.along, along);
                let id = NodeId::Link(landing.takeoff);
                // The landing of a link that the agent cannot take counts as reached
                // too, so that it also ends later sweeps that reach it at a higher cost.
                let Some(handle) = self.frontier.nodes.improve(id, cost, next) else {
                    break;
                };
                let Some(takeoff) = layer.all_takeoffs().get(landing.takeoff as usize) else {
                    break;
                };
                let Some(time) = self.costs.link_cost(layer, takeoff) else {
                    continue;
                };
                let total = cost + time;
                self.frontier.push(handle, total, 0.0);
                if let Some(request) = &mut self.request
                    && request.spot.platform == landing.from
                    && (request.low..=request.high).contains(&takeoff.along)
                    && let Some(platform) = layer.platform(landing.from)
                {
                    let walk = self.costs.walk(&platform, request.along, takeoff.along);
                    request.offer(walk + total, landing.takeoff);
                }
            }
        }
    }

    /// Writes the path of the request; `None` if there is none.
    fn trace(&mut self, layer: &Layer) -> Option<()> {
        let goal = self.goal?;
        let request = self.request.take().filter(|own| own.best.is_finite())?;
        self.chain.clear();
        let mut at = request.first;
        while let Some(node) = self.frontier.nodes.get(at) {
            self.chain.push(at);
            at = node.parent;
        }
        drop_detours(layer, &mut self.chain);
        let (end, platform) = (goal.position, Some(goal.platform));
        let mut writer = PathWriter::new(layer, &self.costs, &mut self.path, end, platform);
        for &takeoff in self.chain.iter().rev() {
            if !writer.link(takeoff) {
                break;
            }
        }
        writer.finish(Location::Floor(request.spot));
        self.path.cost = request.best;
        Some(())
    }
}

impl PathRequest {
    fn offer(&mut self, cost: f64, first: u32) {
        if cost < self.best {
            (self.best, self.first) = (cost, first);
        }
    }
}

/// A link at its landing.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    /// Where it lands, along that platform.
    along: f32,
    /// Its index among all takeoffs.
    takeoff: u32,
    /// The platform it comes from.
    from: PlatformId,
}

/// The links of a layer by the platform that they land on, sorted along it.
/// Built on demand, because only searches backwards need it.
#[derive(Debug, Default)]
pub struct Arrivals {
    layer: Option<usize>,
    list: Vec<Arrival>,
    platforms: Buckets,
}

impl Arrivals {
    /// Builds the lists for a layer, unless they are of that layer already.
    pub fn prepare(&mut self, layer: &Layer) {
        if self.layer == Some(layer.identity()) {
            return;
        }
        self.layer = Some(layer.identity());
        let takeoffs = layer.all_takeoffs();
        self.list.clear();
        self.list.extend((0..).zip(takeoffs).map(|(index, t)| {
            Arrival {
                along: t.to_along,
                takeoff: index,
                from: layer
                    .link(t.link)
                    .map_or(t.to_platform, |link| link.from_platform),
            }
        }));
        let to = |arrival: &Arrival| {
            takeoffs
                .get(arrival.takeoff as usize)
                .map_or(PlatformId(u32::MAX), |t| t.to_platform)
        };
        self.list.sort_unstable_by(|a, b| {
            (to(a).cmp(&to(b)))
                .then(a.along.total_cmp(&b.along))
                .then(a.takeoff.cmp(&b.takeoff))
        });
        let items = self.list.iter().map(|arrival| to(arrival).index());
        self.platforms.set(layer.platforms().len(), items);
    }
}
