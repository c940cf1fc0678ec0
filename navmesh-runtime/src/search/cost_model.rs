//! The costs of walks, links and flights under a query's filter and limits.

use glam::Vec2;

use super::filter::Filter;
use super::query::Query;
use super::regions::{
    Rect, arc_inside, closed_to_feet, contains, link_bounds, overlap, segment_inside,
};
use super::replacement::trajectory_within;
use crate::graph::epoch_array::EpochArray;
use crate::mesh::{
    EdgeSet, Layer, Limits, Link, LinkId, Platform, PlatformId, PlatformKind, RouteIndex,
    RouteKind, SLACK, StepKind, Takeoff, Trajectory,
};

/// The costs of the current query, prepared for its layer: how many seconds a
/// walk, a link or a flight counts for, and whether it is allowed at all.
#[derive(Debug, Clone, Default)]
pub struct CostModel {
    pub filter: Filter,
    /// The identity of the layer.
    layer: Option<usize>,
    /// Edges that the layer, the agent and the filter allow.
    pub edges: EdgeSet,
    /// The limits of the agent that the query is for.
    pub limits: Limits,
    /// Whether the query has no profile of its own.
    is_baked: bool,
    /// The number of the index of routes that the search uses: 0 is that for the agent
    /// of the bake, any other one that for the kind of agent of the query.
    routes: Option<usize>,
    /// The greatest horizontal speed of any allowed edge except portals,
    /// units/s.
    top_speed: f64,
    /// The least cost of a portal and of the path from its exit to the target.
    through_portal: f64,
    /// Closed doors, as rectangles that the feet may not be in.
    pub doors: Vec<Rect>,
    /// Stretches of platforms that a closed door covers.
    closed: Stretches,
    /// Stretches of platforms in cost areas.
    expensive: Stretches,
    /// Whether links cost something else than their baked duration.
    changes_links: bool,
    /// The costs of links that are known, in the query; infinity for those that are not
    /// allowed.
    link_costs: EpochArray<f32>,
    /// The durations of links for agents with other limits than baked, which take
    /// long to compute. They are kept from query to query.
    /// The first are those of the query, if its limits change motions.
    durations: Vec<Durations>,
}

/// Greatest number of kinds of agents for which durations are kept.
const MOST_AGENTS: usize = 8;

/// The durations of the links of a layer for a kind of agent.
#[derive(Debug, Clone)]
struct Durations {
    layer: usize,
    limits: Limits,
    replace_jumps: bool,
    /// Seconds for each link; infinite when the agent cannot take it, negative when
    /// that is not known yet.
    list: Vec<f32>,
}

impl CostModel {
    /// Prepares for a query, whose numbers were checked. What does not change from
    /// one query to the next is kept.
    pub fn prepare(&mut self, layer: &Layer, query: &Query) {
        let filter = &query.filter;
        let baked = layer.profile();
        // Agents of a kind make many queries while no door moves.
        let is_same = self.layer == Some(layer.identity()) && self.filter == *filter;
        let is_baked = query.profile.is_none();
        if is_same && is_baked && self.is_baked {
            return;
        }
        self.is_baked = is_baked;
        let limits = Limits::new(query.profile.as_ref().unwrap_or(baked), baked);
        if is_same && self.limits == limits {
            return;
        }
        self.layer = Some(layer.identity());
        self.filter.clone_from(filter);
        self.limits = limits;
        self.edges = limits.edges & filter.edges;
        if filter.keep_off_floor {
            self.edges = self.edges & EdgeSet::FLY;
        }
        let links = f64::from(layer.top_speed());
        self.top_speed = (links.min(limits.across) * limits.time_scale).max(limits.run_speed);
        if limits.across < links {
            // Links at the limit may exceed it by the slack. Without one, the
            // estimate keeps plateaus of equal keys flat, so it is left out
            // where nothing needs it.
            self.top_speed *= SLACK;
        }
        self.doors.clear();
        self.doors.extend(
            filter
                .closed
                .iter()
                .map(|&rect| closed_to_feet(rect, layer)),
        );
        self.closed.0.clear();
        for &door in &self.doors {
            self.closed.add(layer, door, 0.0);
        }
        self.closed.sort();
        // A border between two doors or two segments is no place to stand.
        self.closed.unite();
        self.expensive.0.clear();
        for cost in &filter.costs {
            self.expensive.add(layer, cost.area, cost.factor - 1.0);
        }
        // Not united: where areas overlap, what each adds is summed.
        self.expensive.sort();
        self.changes_links = limits.are_tighter || filter.adds_link_costs();
        if limits.change_motion() {
            self.choose_durations(layer);
        }
        let links = layer.links().len();
        self.link_costs
            .begin(if self.changes_links { links } else { 0 });
    }

    /// Moves the durations for the agent of the query to the front.
    fn choose_durations(&mut self, layer: &Layer) {
        let (limits, replace_jumps) = (self.limits, self.filter.replace_jumps);
        let layer_id = layer.identity();
        let known = self.durations.iter().position(|known| {
            (known.layer, known.limits, known.replace_jumps) == (layer_id, limits, replace_jumps)
        });
        if let Some(known) = known {
            self.durations[..=known].rotate_right(1);
            return;
        }
        let is_full = self.durations.len() >= MOST_AGENTS;
        let oldest = is_full.then(|| self.durations.pop()).flatten();
        let mut list = oldest.map_or(Vec::new(), |oldest| oldest.list);
        list.clear();
        list.resize(layer.links().len(), -1.0);
        let durations = Durations {
            layer: layer_id,
            limits,
            replace_jumps,
            list,
        };
        self.durations.insert(0, durations);
    }

    /// Whether every cost is that of the bake, so that an index of the layer holds.
    pub fn are_baked(&self, layer: &Layer) -> bool {
        self.edges == layer.profile().edges && !self.changes_links
    }

    /// The kind of agent that the query is for.
    fn kind(&self) -> RouteKind {
        RouteKind {
            limits: Limits {
                edges: self.edges,
                ..self.limits
            },
            caution: self.filter.caution,
            replace_jumps: self.filter.replace_jumps && self.limits.change_motion(),
        }
    }

    /// Builds the index of routes for the kind of agent of the query, which has no
    /// filter that depends on places. Returns its size in bytes of memory.
    pub fn index_routes(&mut self, layer: &Layer) -> usize {
        let kind = self.kind();
        // The shortest flights are those of all agents.
        if !layer.can_index_routes() || kind == layer.route_kind() {
            return layer.index_routes();
        }
        layer.index_routes_of(&kind, |takeoff| {
            let cost = self.link_cost(layer, takeoff)?;
            Some(cost as f32)
        })
    }

    /// Chooses the index of routes for a search. It is kept while the search lasts,
    /// whatever other threads build.
    pub fn choose_routes(&mut self, layer: &Layer) {
        let own = layer.find_routes(&self.kind());
        self.routes = own.or(layer.routes(0).map(|_| 0));
    }

    /// The index of routes that was chosen.
    pub fn routes<'a>(&self, layer: &'a Layer) -> Option<&'a RouteIndex> {
        layer.routes(self.routes?)
    }

    /// Whether the index is that for the kind of agent of the query, and not for the
    /// agent of the bake.
    fn has_own_routes(&self) -> bool {
        self.routes > Some(0)
    }

    /// Whether the routes of the index can be looked up: only the filter makes them
    /// cost more.
    pub fn can_look_up(&self) -> bool {
        self.has_own_routes() || self.routes.is_some() && !self.limits.are_tighter
    }

    /// The speed of the agent of the index along platforms of a kind; 0 where it cannot
    /// move along them.
    pub fn index_speed(&self, layer: &Layer, kind: PlatformKind) -> f64 {
        let edges = if self.has_own_routes() {
            self.edges
        } else {
            layer.profile().edges
        };
        if edges.contains(kind.edge()) {
            self.limits.speed_on(kind)
        } else {
            0.0
        }
    }

    /// The cost of moving along a platform of some kind; `None` unless that is open
    /// and costs as much as in the index.
    pub fn indexed_walk(
        &self,
        layer: &Layer,
        (id, kind): (PlatformId, PlatformKind),
        from: f32,
        to: f32,
    ) -> Option<f64> {
        let length = (f64::from(to) - f64::from(from)).abs();
        let cost = length / self.limits.speed_on(kind);
        if self.closed.0.is_empty() && self.expensive.0.is_empty() {
            return (from == to || self.edges.contains(kind.edge())).then_some(cost);
        }
        let platform = layer.platform(id)?;
        let (low, high) = self.walkable(&platform, from);
        let is_open = (low..=high).contains(&to);
        (is_open && self.walk(&platform, from, to) == cost).then_some(cost)
    }

    /// The cost of a link; `None` unless it is allowed and costs as much as in the
    /// index.
    pub fn indexed_link(&mut self, layer: &Layer, takeoff: &Takeoff, indexed: f32) -> Option<f64> {
        let cost = f64::from(indexed);
        (self.link_cost(layer, takeoff) == Some(cost)).then_some(cost)
    }

    /// How many times cheaper than in the index a route may be; `None` when that is
    /// not known, because another trajectory may replace that of a link.
    pub fn most_gain(&self) -> Option<f64> {
        if self.has_own_routes() {
            return Some(1.0);
        }
        let replaces = self.filter.replace_jumps && self.limits.change_motion();
        (!replaces).then(|| self.limits.time_scale.max(1.0))
    }

    /// Sets the target of [`ahead`](Self::ahead).
    pub fn aim(&mut self, layer: &Layer, target: Vec2) {
        self.through_portal = f64::INFINITY;
        if !self.edges.contains(EdgeSet::PORTAL) {
            return;
        }
        for link in layer.portals() {
            let rest = f64::from(link.duration) + self.across(link.to.x, target.x);
            self.through_portal = self.through_portal.min(rest);
        }
    }

    /// The A* estimate of the cost from an x to the target: straight across at
    /// the greatest speed, or through the cheapest portal. It never exceeds the
    /// true cost, and no edge shortens it by more than the edge costs.
    #[inline]
    pub fn ahead(&self, x: f32, target: Vec2) -> f64 {
        self.across(x, target.x).min(self.through_portal)
    }

    #[inline]
    fn across(&self, x: f32, to: f32) -> f64 {
        (f64::from(x) - f64::from(to)).abs() / self.top_speed
    }

    /// From and to which coordinate an agent can walk or climb from `x` along a
    /// platform.
    pub fn walkable(&self, platform: &Platform<'_>, x: f32) -> (f32, f32) {
        if !self.edges.contains(platform.kind.edge()) {
            return (x, x);
        }
        let mut walkable = (f32::NEG_INFINITY, f32::INFINITY);
        for stretch in self.closed.on(platform.id) {
            if stretch.high > x {
                walkable.1 = walkable.1.min(stretch.low.max(x));
            }
            if stretch.low < x {
                walkable.0 = walkable.0.max(stretch.high.min(x));
            }
        }
        walkable
    }

    /// Whether a closed door covers a point of a platform.
    pub fn is_closed(&self, platform: PlatformId, x: f32) -> bool {
        let mut closed = self.closed.on(platform);
        closed.any(|s| s.low < x && x < s.high)
    }

    /// The cost of walking or climbing from one coordinate along a platform to
    /// another, seconds.
    pub fn walk(&self, platform: &Platform<'_>, from: f32, to: f32) -> f64 {
        let mut length = (f64::from(to) - f64::from(from)).abs();
        if !self.expensive.0.is_empty() {
            let (low, high) = (from.min(to), from.max(to));
            for stretch in self.expensive.on(platform.id) {
                let inside = f64::from(high.min(stretch.high)) - f64::from(low.max(stretch.low));
                length += inside.max(0.0) * f64::from(stretch.extra);
            }
        }
        length / self.limits.speed_on(platform.kind)
    }

    /// The cost of a straight flight, seconds; `None` when a closed door blocks
    /// it.
    pub fn fly(&self, from: Vec2, to: Vec2) -> Option<f64> {
        let length = from.as_dvec2().distance(to.as_dvec2());
        if self.doors.is_empty() && self.filter.costs.is_empty() {
            return Some(length / self.limits.run_speed);
        }
        let mut doors = self.doors.iter();
        if doors.any(|door| segment_inside(*door, from, to).is_some()) {
            return None;
        }
        let factor: f64 = self
            .filter
            .costs
            .iter()
            .filter_map(|cost| {
                let (enter, leave) = segment_inside(cost.area, from, to)?;
                Some((leave - enter) * f64::from(cost.factor - 1.0))
            })
            .sum();
        Some(length * (1.0 + factor) / self.limits.run_speed)
    }

    /// Whether a door covers a position in the air.
    pub fn covers(&self, position: Vec2) -> bool {
        self.doors.iter().any(|&door| contains(door, position))
    }

    /// The cost of a link, seconds; `None` when the link is not allowed. It is a
    /// sum of times that are not negative, so the searches end: no route back to
    /// a node is cheaper than the node.
    #[inline]
    pub fn link_cost(&mut self, layer: &Layer, takeoff: &Takeoff) -> Option<f64> {
        if !self.edges.contains(takeoff.kind.edge()) || !self.edges.contains(takeoff.needs) {
            return None;
        }
        if !self.changes_links {
            return Some(f64::from(takeoff.duration));
        }
        let link = takeoff.link.0;
        let cost = if let Some(&cost) = self.link_costs.get(link) {
            cost
        } else {
            let cost = self
                .compute_link_cost(layer, takeoff)
                .map_or(f32::INFINITY, |cost| cost as f32);
            self.link_costs.set(link, cost);
            cost
        };
        cost.is_finite().then_some(f64::from(cost))
    }

    fn compute_link_cost(&mut self, layer: &Layer, takeoff: &Takeoff) -> Option<f64> {
        let link = layer.link(takeoff.link)?;
        let down = layer.grid().y_axis.down();
        let across = (link.to.x - link.from.x).abs();
        let up = (link.from.y - link.to.y) * down;
        let within = |limit: f32, value: f32| value <= limit * SLACK as f32 + f32::EPSILON;
        if !link.kind.is_airborne() {
            return self.steady_cost(layer, link);
        }
        let Limits {
            max_jump, max_drop, ..
        } = self.limits;
        let [far, high] = match link.kind {
            StepKind::Jump => max_jump,
            StepKind::Spring => [f32::INFINITY; 2],
            _ => [max_drop[0], f32::INFINITY],
        };
        if !within(far, across) || !within(high, up) || !within(max_drop[1], -up) {
            return None;
        }
        if self.is_run_up_closed(layer, link) {
            return None;
        }
        let seconds = self.airborne_duration(layer, takeoff.link, link)?;
        let filter = &self.filter;
        let caution = filter.caution_for(link.tolerance) + filter.avoidance(takeoff.link);
        let caution = f64::from(caution);
        let bounds = self.bounds(layer, link);
        let areas = filter.costs.iter().map(|cost| &cost.area);
        let mut near = self.doors.iter().chain(areas).copied();
        if !near.any(|rect| overlap(rect, bounds)) {
            // For a part of the links, another in each query: this takes longer than the
            // search, and did so in most tests.
            let is_checked = (self.link_costs.round() + takeoff.link.0).is_multiple_of(64);
            debug_assert!(
                !is_checked || self.is_outside_all(layer, link),
                "{link:?} {bounds:?}"
            );
            return Some(f64::from(seconds) + caution);
        }
        let arc = self.trajectory(layer, link)?;
        if self
            .doors
            .iter()
            .any(|&door| arc_inside(door, link, &arc, down) > 0.0)
        {
            return None;
        }
        let extra: f64 = filter
            .costs
            .iter()
            .map(|cost| arc_inside(cost.area, link, &arc, down) * f64::from(cost.factor - 1.0))
            .sum();
        // The trajectory is in baked time, which passes `time_scale` times as fast for
        // this agent; `seconds` are its own.
        Some(f64::from(seconds) + extra / self.limits.time_scale + caution)
    }

    /// Whether a closed door stands where a body runs up to the speed at which a link
    /// takes off.
    fn is_run_up_closed(&self, layer: &Layer, link: &Link) -> bool {
        let Some(speed) = link.params.start_speed() else {
            return false;
        };
        let Some(platform) = layer.platform(link.from_platform) else {
            return false;
        };
        let acceleration = f64::from(layer.profile().acceleration);
        let length = speed * speed / (2.0 * acceleration);
        let at = platform.along(link.from);
        let start = f64::from(at) - speed.signum() * length;
        // Positions are rounded, see `bounds`: that far inside, a door is only touched.
        let slack = layer.grid().spacing * 1e-2;
        let (low, high) = (at.min(start as f32) + slack, at.max(start as f32) - slack);
        let mut closed = self.closed.on(platform.id);
        low < high && closed.any(|door| door.low < high && low < door.high)
    }

    /// Whether the agent on its way over a link is in no door and no cost area.
    fn is_outside_all(&self, layer: &Layer, link: &Link) -> bool {
        let down = layer.grid().y_axis.down();
        let areas = self.filter.costs.iter().map(|cost| &cost.area);
        let mut rects = self.doors.iter().chain(areas);
        let arc = self.trajectory(layer, link);
        arc.is_none_or(|arc| rects.all(|rect| arc_inside(*rect, link, &arc, down) <= 0.0))
    }

    /// How long the agent takes for a link through the air, seconds; `None` when it
    /// cannot take it.
    fn airborne_duration(&mut self, layer: &Layer, id: LinkId, link: &Link) -> Option<f32> {
        if !self.limits.change_motion() {
            return Some(link.duration);
        }
        let known = self.durations.first();
        let known = known.and_then(|durations| durations.list.get(id.index()));
        let mut seconds = known.copied().unwrap_or(-1.0);
        if seconds < 0.0 {
            seconds = self.trajectory(layer, link).map_or(f32::INFINITY, |arc| {
                (arc.duration / self.limits.time_scale) as f32
            });
            let list = self.durations.first_mut().map(|first| &mut first.list);
            if let Some(slot) = list.and_then(|list| list.get_mut(id.index())) {
                *slot = seconds;
            }
        }
        seconds.is_finite().then_some(seconds)
    }

    /// A rectangle that contains the feet on every trajectory by which the agent may
    /// take a link. It saves computing the trajectory where no door is near.
    fn bounds(&self, layer: &Layer, link: &Link) -> Rect {
        let speed = f64::from(layer.profile().jump_speed);
        let highest = 0.5 * speed * speed / f64::from(layer.profile().gravity);
        let is_changed = self.limits.change_motion();
        link_bounds(layer, link, if is_changed { highest } else { 0.0 })
    }

    /// The trajectory by which the agent takes a link, in baked time; `None` when
    /// it cannot.
    fn trajectory(&self, layer: &Layer, link: &Link) -> Option<Trajectory> {
        trajectory_within(layer, link, &self.limits, self.filter.replace_jumps)
    }

    /// How long the agent takes for a link of a path that was found.
    pub fn duration(&self, layer: &Layer, id: LinkId, link: &Link) -> f32 {
        if !self.limits.are_tighter {
            return link.duration;
        }
        if !link.kind.is_airborne() {
            return self.steady_duration(layer, link) as f32;
        }
        let known = self
            .durations
            .first()
            .filter(|_| self.limits.change_motion());
        let known = known.and_then(|durations| durations.list.get(id.index()));
        known.map_or(link.duration, |known| known.max(0.0))
    }

    /// How long the agent takes for a link that has no trajectory.
    fn steady_duration(&self, layer: &Layer, link: &Link) -> f64 {
        let profile = layer.profile();
        let (baked, own) = match link.kind {
            StepKind::Portal => return link.duration.into(),
            StepKind::OneWayStep => (profile.run_speed, self.limits.run_speed),
            _ => (profile.climb_speed, self.limits.climb_speed),
        };
        f64::from(link.duration) * (f64::from(baked) / own)
    }

    /// The cost of a link without a trajectory: it is straight from end to end,
    /// and through a portal only its ends matter.
    fn steady_cost(&self, layer: &Layer, link: &Link) -> Option<f64> {
        let is_closed = self.doors.iter().any(|&door| {
            contains(door, link.from)
                || contains(door, link.to)
                || (link.kind != StepKind::Portal
                    && segment_inside(door, link.from, link.to).is_some())
        });
        (!is_closed).then(|| self.steady_duration(layer, link))
    }
}

/// A part of a platform that a door covers or a cost area contains.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stretch {
    platform: PlatformId,
    low: f32,
    high: f32,
    /// What each second on it costs in addition, seconds.
    extra: f32,
}

/// Stretches, sorted by platform and along it.
#[derive(Debug, Clone, Default)]
struct Stretches(Vec<Stretch>);

impl Stretches {
    /// Adds the stretches on which the feet are inside a rectangle.
    fn add(&mut self, layer: &Layer, rect: Rect, extra: f32) {
        layer.floor_segments(rect.min, rect.max, |platform, a, b| {
            let Some((enter, leave)) = segment_inside(rect, a, b) else {
                return;
            };
            let [a, b] = [a, b].map(|point| layer.kind(platform).along(point));
            let along = |t: f64| (f64::from(a) + f64::from(b - a) * t) as f32;
            let (low, high) = if a == b {
                // A platform of one point: the stretch contains that point.
                (a.next_down(), a.next_up())
            } else {
                (along(enter), along(leave))
            };
            self.0.push(Stretch {
                platform,
                low,
                high,
                extra,
            });
        });
    }

    /// Sorts the stretches, after all were added.
    fn sort(&mut self) {
        self.0.sort_unstable_by(|a, b| {
            (a.platform.cmp(&b.platform))
                .then(a.low.total_cmp(&b.low))
                .then(a.high.total_cmp(&b.high))
                .then(a.extra.total_cmp(&b.extra))
        });
    }

    /// Joins stretches that overlap or touch.
    fn unite(&mut self) {
        self.0.dedup_by(|next, kept| {
            let joined = next.platform == kept.platform && next.low <= kept.high;
            if joined {
                kept.high = kept.high.max(next.high);
            }
            joined
        });
    }

    fn on(&self, platform: PlatformId) -> impl Iterator<Item = &Stretch> {
        let first = self.0.partition_point(|s| s.platform < platform);
        self.0[first..]
            .iter()
            .take_while(move |s| s.platform == platform)
    }
}
