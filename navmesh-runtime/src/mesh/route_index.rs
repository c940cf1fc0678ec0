//! An index of the cheapest routes over the links of a layer.
//!
//! Its nodes are the points of platforms at which links take off or land. A
//! route that leaves a platform passes one of the two nodes next to its start, so
//! the cheapest route between two positions is one of four between nodes, or a
//! walk.
//!
//! Routes between nodes are found in a contraction hierarchy. In levels of usual
//! size its hubs are stored for each node, and a query only looks them up.

use super::ids::PlatformId;
use super::limits::Limits;
use super::platform::{PlatformKind, Platforms};
use super::takeoff::Takeoff;
use crate::graph::contraction::Contraction;
use crate::graph::csr::Buckets;
use crate::graph::hierarchy::{Edge, NONE, Seed};
use crate::graph::routes::Routes;

/// What the costs of an index depend on, apart from its layer: the agents that it is
/// for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteKind {
    /// With the edges that the agents may use.
    pub limits: Limits,
    pub caution: f32,
    /// Whether another trajectory may replace that of a link.
    pub replace_jumps: bool,
}

/// What a file holds of the index of a layer.
#[derive(Debug, Clone, PartialEq)]
pub enum StoredIndex {
    Nothing,
    /// There is no index: it would take too long to build, or too much memory.
    TooLarge,
    Found(Contraction),
}

impl StoredIndex {
    pub fn contraction(&self) -> Option<&Contraction> {
        match self {
            Self::Found(contraction) => Some(contraction),
            Self::Nothing | Self::TooLarge => None,
        }
    }
}

/// The nodes next to the start or to the goal.
pub type Seeds = [Option<Seed>; 2];

/// The cheapest routes of a kind of agent without a filter that depends on places.
#[derive(Debug, Clone)]
pub struct RouteIndex {
    /// The nodes of each platform.
    nodes: Buckets,
    /// Where each node is along its platform.
    along: Vec<f32>,
    /// The node at which each takeoff lands.
    pub landings: Vec<u32>,
    /// What each takeoff costs; infinite for those that are not allowed.
    pub costs: Vec<f32>,
    pub routes: Routes,
}

impl RouteIndex {
    /// Builds the index. `links_of` groups the takeoffs by the platform they leave.
    /// `speed_on` returns the speed along platforms of a kind, `cost_of` the cost of a
    /// takeoff; [`None`] where the agent cannot move. `known` is how to contract the
    /// nodes, if that is known; otherwise that is returned, too.
    pub fn new(
        platforms: &Platforms,
        takeoffs: &[Takeoff],
        links_of: &Buckets,
        speed_on: impl Fn(PlatformKind) -> Option<f32>,
        mut cost_of: impl FnMut(&Takeoff) -> Option<f32>,
        known: Option<&Contraction>,
    ) -> (Self, Option<Contraction>) {
        let mut points = vec![Vec::new(); platforms.len()];
        for (platform, points) in points.iter_mut().enumerate() {
            points.extend(takeoffs[links_of.range(platform)].iter().map(|t| t.along));
        }
        for takeoff in takeoffs {
            points[takeoff.to_platform.index()].push(takeoff.to_along);
        }
        let (mut nodes, mut along) = (Buckets::default(), Vec::new());
        for points in &mut points {
            points.sort_unstable_by(f32::total_cmp);
            points.dedup_by(|a, b| a == b);
            nodes.push(points.len());
            along.append(points);
        }
        let mut this = Self {
            nodes,
            along,
            landings: Vec::new(),
            costs: Vec::new(),
            routes: Routes::default(),
        };
        let landings = takeoffs
            .iter()
            .map(|t| this.first_at(t.to_platform, t.to_along));
        this.landings = landings.collect();
        let costs = takeoffs.iter().map(|t| cost_of(t).unwrap_or(f32::INFINITY));
        this.costs = costs.collect();
        let mut edges = Vec::new();
        for platform in platforms.iter() {
            for index in links_of.range(platform.id.index()) {
                let cost = this.costs[index];
                if cost.is_finite() {
                    let from = this.first_at(platform.id, takeoffs[index].along);
                    edges.push(edge(from, this.landings[index], cost, index as u32));
                }
            }
            if let Some(speed) = speed_on(platform.kind) {
                let nodes = this.nodes.range(platform.id.index());
                for (node, pair) in (nodes.start as u32..).zip(this.along[nodes].windows(2)) {
                    let cost = (pair[1] - pair[0]) / speed;
                    edges.push(edge(node, node + 1, cost, NONE));
                    edges.push(edge(node + 1, node, cost, NONE));
                }
            }
        }
        let routes = Routes::new(this.along.len(), &edges, known, u64::MAX);
        let (routes, found) = routes.unwrap_or_default();
        this.routes = routes;
        (this, found)
    }

    /// The first node of a platform at a coordinate or beyond it.
    fn first_at(&self, platform: PlatformId, along: f32) -> u32 {
        let nodes = self.nodes.range(platform.index());
        let before = self.along[nodes.clone()].partition_point(|&a| a < along);
        (nodes.start + before) as u32
    }

    /// The nodes next to a position on a platform, along which the agent moves at
    /// `speed`; 0 if it cannot move along it.
    pub fn seeds(&self, platform: PlatformId, along: f32, speed: f32) -> Seeds {
        let nodes = self.nodes.range(platform.index());
        let node = self.first_at(platform, along) as usize;
        let seed = |node: usize| {
            let length = (self.along[node] - along).abs();
            let is_near = nodes.contains(&node) && (length == 0.0 || speed > 0.0);
            is_near.then(|| Seed {
                node: node as u32,
                cost: if length == 0.0 { 0.0 } else { length / speed },
            })
        };
        let right = nodes.contains(&node).then(|| seed(node)).flatten();
        if right.is_some_and(|seed| seed.cost == 0.0) {
            return [right, None];
        }
        let left = node.checked_sub(1).filter(|left| nodes.contains(left));
        [right, left.and_then(seed)]
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        (self.along.len() + 2 * self.landings.len()) * size_of::<u32>() + self.routes.bytes()
    }
}

/// An edge, of which a takeoff is stored, or [`NONE`] for a walk.
fn edge(from: u32, to: u32, cost: f32, takeoff: u32) -> Edge {
    Edge {
        from,
        to,
        cost,
        parts: [takeoff, NONE],
    }
}
