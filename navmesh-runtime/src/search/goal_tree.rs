//! Searching backwards from a goal, for many agents on foot that want to get
//! there.
//!
//! The search of [`ground`](super::ground), turned round: a node is again a
//! link, but what is known of it is the cost from its landing to the goal. It
//! is Dijkstra's, because there is no one place to aim at, and goes only as far
//! as the agent that asks is; the next one goes on from there. So a crowd costs
//! what its furthest member costs, however many it has.

use glam::Vec2;

use super::arrivals::Arrivals;
use super::cost_model::CostModel;
use super::ground::trace;
use super::locate::locate_among;
use super::open_list::OpenList;
use super::{Location, Path, Query};
use crate::mesh::{EdgeSet, FloorSpot, Layer, PlatformId, Reachability};

/// The goal, as the takeoff that comes next.
const GOAL: u32 = u32::MAX;

/// What is known of a takeoff.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    /// The cost from its landing to the goal.
    cost: f64,
    /// The key it was last pushed with.
    key: f32,
    /// The goal that this is about.
    round: u32,
    /// The takeoff after.
    next: u32,
}

/// The cheapest ways to one goal from wherever has been asked.
#[derive(Debug, Default)]
pub(crate) struct GoalTree {
    limits: CostModel,
    records: Vec<Record>,
    open: OpenList,
    round: u32,
    /// The layer and the query that the tree was started for.
    layer: Option<usize>,
    query: Option<Query>,
    /// Where that is; `None` when nobody can walk there.
    goal: Option<FloorSpot>,
    /// Takeoffs looked at so far, for all who asked.
    expanded: u32,
    path: Path,
    /// Scratch memory: the takeoffs of a path.
    chain: Vec<u32>,
}

/// What a [`GoalTree`] says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FromTree<'a> {
    /// A path to the goal; none is cheaper.
    Found(&'a Path),
    /// Not done within its budget: ask again.
    Paused,
    /// This is none of its business, because something flies or there is no
    /// way: a [`PathFinder`](super::PathFinder) has the answer.
    NotApplicable,
}

/// Who asks: where the agent stands, and the best way found from there.
struct PathRequest {
    spot: FloorSpot,
    along: f32,
    /// How far it can walk.
    low: f32,
    high: f32,
    best: f64,
    first: u32,
}

impl GoalTree {
    /// Whether it is about the goal of a query.
    pub(crate) fn serves(&self, layer: &Layer, query: &Query) -> bool {
        self.layer == Some(layer.identity())
            && (self.query.as_ref()).is_some_and(|own| own.has_goal_of(query))
    }

    /// Begins anew, for the goal of a query.
    pub(crate) fn start(&mut self, layer: &Layer, arrivals: &Arrivals, query: &Query) {
        self.layer = Some(layer.identity());
        match &mut self.query {
            Some(own) => own.clone_from(query),
            none => *none = Some(query.clone()),
        }
        self.goal = None;
        self.expanded = 0;
        self.open.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.records.fill(Record::default());
            self.round = 1;
        }
        if self.records.len() < layer.all_takeoffs().len() {
            self.records
                .resize(layer.all_takeoffs().len(), Record::default());
        }
        if query.check_goal().is_err() {
            return;
        }
        self.limits.prepare(layer, query);
        if self.limits.edges.contains(EdgeSet::FLY) {
            return;
        }
        self.goal = self.stand(layer, query.to);
        if let Some(goal) = self.goal {
            let along = layer.along(goal);
            self.depart(layer, arrivals, goal.platform, along, 0.0, GOAL, &mut None);
        }
    }

    /// The cheapest path from the start of a query that it
    /// [serves](Self::serves), looking at no more than so many takeoffs, and at
    /// how many it looked.
    pub(crate) fn find(
        &mut self,
        layer: &Layer,
        arrivals: &Arrivals,
        query: &Query,
        budget: u32,
    ) -> (FromTree<'_>, u32) {
        let before = self.expanded;
        let Some(mut asker) = self.asker(layer, query.from) else {
            return (FromTree::NotApplicable, 0);
        };
        self.look_up(layer, &mut asker);
        let mut asker = Some(asker);
        let mut left = budget;
        loop {
            let best = asker.as_ref().map_or(f64::INFINITY, |asker| asker.best);
            let Some(least) = self.open.least() else {
                break;
            };
            // Whatever else is found from now on costs that at least.
            if best <= f64::from(least) {
                break;
            }
            if left == 0 {
                return (FromTree::Paused, self.expanded - before);
            }
            if self.expand(layer, arrivals, &mut asker) {
                left -= 1;
            }
        }
        let expanded = self.expanded - before;
        match asker {
            Some(asker) if asker.best.is_finite() => {
                self.trace(layer, &asker);
                self.path.expanded = expanded;
                (FromTree::Found(&self.path), expanded)
            }
            _ => (FromTree::NotApplicable, expanded),
        }
    }

    /// Where an agent on foot at a position stands.
    fn stand(&self, layer: &Layer, position: Vec2) -> Option<FloorSpot> {
        match locate_among(layer, position, self.limits.edges)? {
            Location::Floor(spot) => {
                let is_closed = self.limits.is_closed(spot.platform, layer.along(spot));
                (!is_closed).then_some(spot)
            }
            Location::Air(_) => None,
        }
    }

    fn asker(&self, layer: &Layer, from: Vec2) -> Option<PathRequest> {
        let goal = self.goal?;
        let spot = from.is_finite().then(|| self.stand(layer, from))??;
        let surface = layer.platform(spot.platform)?;
        let component = |spot: FloorSpot| layer.link_graph().component(spot.platform);
        if layer
            .link_graph()
            .reachability(component(spot)?, component(goal)?)
            == Reachability::No
        {
            return None;
        }
        let along = layer.along(spot);
        let (low, high) = self.limits.walkable(&surface, along);
        let mut asker = PathRequest {
            spot,
            along,
            low,
            high,
            best: f64::INFINITY,
            first: GOAL,
        };
        if spot.platform == goal.platform {
            let there = layer.along(goal);
            if (low..=high).contains(&there) {
                asker.best = self.limits.walk(&surface, along, there);
            }
        }
        Some(asker)
    }

    /// What is known already of the ways from where somebody stands.
    fn look_up(&mut self, layer: &Layer, asker: &mut PathRequest) {
        let Some(surface) = layer.platform(asker.spot.platform) else {
            return;
        };
        let (first, takeoffs) = layer.takeoffs(asker.spot.platform);
        let middle = takeoffs.partition_point(|t| t.along < asker.along);
        let (left, right) = takeoffs.split_at(middle);
        let outwards = [
            &mut (middle..).zip(right) as &mut dyn Iterator<Item = _>,
            &mut left.iter().enumerate().rev(),
        ];
        for takeoffs in outwards {
            for (i, takeoff) in takeoffs {
                let walk = self.limits.walk(&surface, asker.along, takeoff.along);
                if !(asker.low..=asker.high).contains(&takeoff.along) || walk >= asker.best {
                    break;
                }
                let index = first + i;
                let record = self.records.get(index).copied().unwrap_or_default();
                if record.round != self.round {
                    continue;
                }
                if let Some(extra) = self.limits.surcharge(layer, takeoff) {
                    let rest = record.cost + f64::from(takeoff.duration) + extra;
                    asker.offer(walk + rest, index as u32);
                }
            }
        }
    }

    /// Looks at the nearest takeoff. `false` when it was looked at before.
    fn expand(
        &mut self,
        layer: &Layer,
        arrivals: &Arrivals,
        asker: &mut Option<PathRequest>,
    ) -> bool {
        let Some(open) = self.open.pop() else {
            return false;
        };
        let node = open.node as usize;
        let (Some(takeoff), Some(&record)) =
            (layer.all_takeoffs().get(node), self.records.get(node))
        else {
            return false;
        };
        // A node reached more cheaply since was pushed anew.
        if record.key != open.key {
            return false;
        }
        let Some(extra) = self.limits.surcharge(layer, takeoff) else {
            return false;
        };
        let Some(link) = layer.link(takeoff.link) else {
            return false;
        };
        self.expanded += 1;
        let cost = record.cost + f64::from(takeoff.duration) + extra;
        let (platform, along) = (link.from_platform, takeoff.along);
        self.depart(layer, arrivals, platform, along, cost, open.node, asker);
        true
    }

    /// Relaxes everything that lands where one can walk from to a point of a
    /// platform, outwards from there to both sides, until a landing is met
    /// that was reached at least as cheaply before: whatever lies beyond it
    /// was, too, by walking over it.
    #[expect(
        clippy::too_many_arguments,
        reason = "one step of the search, inside it"
    )]
    fn depart(
        &mut self,
        layer: &Layer,
        arrivals: &Arrivals,
        platform: PlatformId,
        along: f32,
        cost: f64,
        next: u32,
        asker: &mut Option<PathRequest>,
    ) {
        let Some(surface) = layer.platform(platform) else {
            return;
        };
        let (low, high) = self.limits.walkable(&surface, along);
        let landings = arrivals.on(platform);
        let middle = landings.partition_point(|a| a.along < along);
        let (left, right) = landings.split_at(middle);
        let outwards = [
            &mut right.iter() as &mut dyn Iterator<Item = _>,
            &mut left.iter().rev(),
        ];
        for landings in outwards {
            for landing in landings {
                let cost = cost + self.limits.walk(&surface, landing.along, along);
                let Some(record) = self.records.get_mut(landing.takeoff as usize) else {
                    break;
                };
                let known = record.round == self.round && record.cost <= cost;
                if known || !(low..=high).contains(&landing.along) {
                    break;
                }
                *record = Record {
                    cost,
                    key: f32::NAN,
                    round: self.round,
                    next,
                };
                let Some(takeoff) = layer.all_takeoffs().get(landing.takeoff as usize) else {
                    break;
                };
                let Some(extra) = self.limits.surcharge(layer, takeoff) else {
                    continue;
                };
                let total = cost + f64::from(takeoff.duration) + extra;
                record.key = self.open.push(landing.takeoff, total, 0.0);
                if let Some(asker) = asker
                    && asker.spot.platform == landing.from
                    && (asker.low..=asker.high).contains(&takeoff.along)
                    && let Some(surface) = layer.platform(landing.from)
                {
                    let walk = self.limits.walk(&surface, asker.along, takeoff.along);
                    asker.offer(walk + total, landing.takeoff);
                }
            }
        }
    }

    /// Writes down the way of somebody.
    fn trace(&mut self, layer: &Layer, asker: &PathRequest) {
        let Some(goal) = self.goal else {
            return;
        };
        self.chain.clear();
        let mut at = asker.first;
        // A chain cannot be longer than there are links.
        for _ in 0..=layer.links().len() {
            let Some(record) = self.records.get(at as usize) else {
                break;
            };
            self.chain.push(at);
            at = record.next;
        }
        self.path.clear();
        self.path.cost = asker.best;
        let backwards = self.chain.iter().rev().copied();
        let start = asker.spot.position;
        trace(layer, &self.limits, start, goal, backwards, &mut self.path);
    }
}

impl PathRequest {
    fn offer(&mut self, cost: f64, first: u32) {
        if cost < self.best {
            (self.best, self.first) = (cost, first);
        }
    }
}
