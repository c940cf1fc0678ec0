//! A query's filter, as the searches ask it: how long is this walk, this
//! link, this flight, and is it allowed at all?

use glam::Vec2;

use super::limits::Limits;
use super::regions::{arc_inside, contains, grown, segment_inside};
use super::resolve::trajectory_within;
use super::stretches::Stretches;
use super::{Filter, Query, Rect};
use crate::mesh::{
    EdgeSet, Layer, Link, LinkKind, Platform, PlatformId, PlatformKind, Takeoff, Terrain,
    Trajectory,
};

/// Slack for limits that a link meets exactly, as rounding left it.
const SLACK: f32 = 1.0 + 1e-4;

/// Time inside a closed rectangle that is put down to rounding.
const TOUCH: f64 = 1e-6;

/// The filter of the present query, prepared for its layer.
#[derive(Debug, Clone, Default)]
pub(super) struct CostModel {
    pub(super) filter: Filter,
    /// Edges both the agent and the filter allow.
    pub(super) edges: EdgeSet,
    /// The limits of the agent that the query is for.
    limits: Limits,
    /// Units/s when walking or flying.
    pub(super) speed: f64,
    /// The fastest any allowed edge but a portal moves across, units/s.
    top_speed: f64,
    /// The least it costs to go through a portal and from there to the
    /// target.
    through_portal: f64,
    /// Closed rectangles, as the feet meet them.
    doors: Vec<Rect>,
    /// Where a closed door covers a platform.
    closed: Stretches,
    /// Where a platform lies in cost areas.
    dear: Stretches,
    /// Whether links have to be looked at one by one.
    looks_at_links: bool,
    /// What is known of each link: the query it is known for, and what the
    /// link costs besides its duration; infinity if it is not allowed.
    known: Vec<(u32, f32)>,
    query: u32,
}

impl CostModel {
    /// Prepares for a query.
    pub(super) fn prepare(&mut self, layer: &Layer, query: &Query) {
        let filter = &query.filter;
        self.filter.clone_from(filter);
        let baked = layer.profile();
        let limits = Limits::new(query.profile.as_ref().unwrap_or(baked), baked);
        self.limits = limits;
        self.edges = limits.edges.intersection(filter.edges);
        if !filter.terrain.contains(Terrain::OnFloor) {
            self.edges = self.edges.intersection(EdgeSet::FLY);
        }
        for (terrain, edge) in [
            (Terrain::OnWall, EdgeSet::WALL_CLIMB),
            (Terrain::OnCeiling, EdgeSet::CEILING_CLIMB),
        ] {
            if !filter.terrain.contains(terrain) {
                self.edges = self.edges.without(edge);
            }
        }
        self.speed = limits.run_speed;
        let links = f64::from(layer.top_speed());
        self.top_speed = (links.min(limits.across) * limits.time_scale).max(self.speed);
        if limits.across < links {
            // Links at the limit may exceed it by the slack. Without one, the
            // estimate keeps plateaus of equal keys flat, so it is left out
            // where nothing needs it.
            self.top_speed *= f64::from(SLACK);
        }
        self.doors.clear();
        self.doors
            .extend(filter.closed.iter().map(|&rect| grown(rect, layer)));
        self.closed.clear();
        for &door in &self.doors {
            self.closed.add(layer, door, 0.0);
        }
        self.closed.sort();
        // What two doors or two segments close, is one stretch.
        self.closed.unite();
        self.dear.clear();
        for cost in &filter.costs {
            self.dear.add(layer, cost.area, cost.factor - 1.0);
        }
        self.dear.sort();
        self.looks_at_links = limits.are_tighter || filter.concerns_links();
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.known.fill((0, 0.0));
            self.query = 1;
        }
        if self.looks_at_links && self.known.len() < layer.links().len() {
            self.known.resize(layer.links().len(), (0, 0.0));
        }
    }

    /// Takes aim at where the search is to lead.
    pub(super) fn aim(&mut self, layer: &Layer, target: Vec2) {
        self.through_portal = f64::INFINITY;
        if !self.edges.contains(EdgeSet::PORTAL) {
            return;
        }
        for link in layer.portals() {
            let rest = f64::from(link.duration) + self.across(link.to.x, target.x);
            self.through_portal = self.through_portal.min(rest);
        }
    }

    /// The least cost from an x to the target: straight across as fast as can
    /// be, or from the exit of the last portal on the way. Both never
    /// overestimate, and no edge shortens them by more than it costs.
    #[inline]
    pub(super) fn ahead(&self, x: f32, target: Vec2) -> f64 {
        self.across(x, target.x).min(self.through_portal)
    }

    #[inline]
    fn across(&self, x: f32, to: f32) -> f64 {
        (f64::from(x) - f64::from(to)).abs() / self.top_speed
    }

    /// How far one can walk or climb from `x` along a platform: from and to
    /// which coordinate.
    pub(super) fn walkable(&self, platform: &Platform<'_>, x: f32) -> (f32, f32) {
        if !self.edges.contains(platform.kind().edge()) {
            return (x, x);
        }
        let mut walkable = (f32::NEG_INFINITY, f32::INFINITY);
        for stretch in self.closed.on(platform.id()) {
            if stretch.high > x {
                walkable.1 = walkable.1.min(stretch.low.max(x));
            }
            if stretch.low < x {
                walkable.0 = walkable.0.max(stretch.high.min(x));
            }
        }
        walkable
    }

    /// Whether a closed door covers a spot.
    pub(super) fn is_closed(&self, platform: PlatformId, x: f32) -> bool {
        let mut closed = self.closed.on(platform);
        closed.any(|s| s.low < x && x < s.high)
    }

    /// Units/s along platforms of a kind.
    pub(super) fn speed_on(&self, kind: PlatformKind) -> f64 {
        match kind {
            PlatformKind::Floor => self.speed,
            _ => self.limits.climb_speed,
        }
    }

    /// Seconds of cost for walking or climbing from one coordinate along a
    /// platform to another.
    pub(super) fn walk(&self, platform: &Platform<'_>, from: f32, to: f32) -> f64 {
        let mut length = (f64::from(to) - f64::from(from)).abs();
        if !self.dear.is_empty() {
            let (low, high) = (from.min(to), from.max(to));
            for stretch in self.dear.on(platform.id()) {
                let inside = f64::from(high.min(stretch.high)) - f64::from(low.max(stretch.low));
                length += inside.max(0.0) * f64::from(stretch.extra);
            }
        }
        length / self.speed_on(platform.kind())
    }

    /// Seconds of cost for a straight flight; `None` when a door is in the
    /// way.
    pub(super) fn fly(&self, from: Vec2, to: Vec2) -> Option<f64> {
        let length = from.as_dvec2().distance(to.as_dvec2());
        if self.doors.is_empty() && self.filter.costs.is_empty() {
            return Some(length / self.speed);
        }
        let is_open = |door: &Rect| segment_inside(*door, from, to).is_none();
        if !self.doors.iter().all(is_open) {
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
        Some(length * (1.0 + factor) / self.speed)
    }

    /// Whether a door covers a position in the air.
    pub(super) fn covers(&self, position: Vec2) -> bool {
        self.doors.iter().any(|&door| contains(door, position))
    }

    /// The doors, as the feet meet them.
    pub(super) fn doors(&self) -> &[Rect] {
        &self.doors
    }

    /// What a link costs besides its duration; `None` when it is not allowed.
    #[inline]
    pub(super) fn surcharge(&mut self, layer: &Layer, takeoff: &Takeoff) -> Option<f64> {
        if !self.edges.contains(takeoff.kind.edge()) {
            return None;
        }
        if takeoff.needs.bits() != 0 && !self.edges.contains(takeoff.needs) {
            return None;
        }
        if !self.looks_at_links {
            return Some(0.0);
        }
        let index = takeoff.link.index();
        let (query, extra) = self.known[index];
        let extra = if query == self.query {
            extra
        } else {
            let extra = self.look_at(layer, takeoff).unwrap_or(f32::INFINITY);
            self.known[index] = (self.query, extra);
            extra
        };
        extra.is_finite().then_some(f64::from(extra))
    }

    fn look_at(&self, layer: &Layer, takeoff: &Takeoff) -> Option<f32> {
        let link = layer.link(takeoff.link)?;
        let down = layer.grid().y_axis.down();
        let across = (link.to.x - link.from.x).abs();
        let up = (link.from.y - link.to.y) * down;
        let filter = &self.filter;
        let within = |limit: f32, value: f32| value <= limit * SLACK + f32::EPSILON;
        if !link.kind.is_airborne() {
            return self.look_at_steady(layer, link);
        }
        let Limits {
            max_jump, max_drop, ..
        } = self.limits;
        let [far, high] = match link.kind {
            LinkKind::Jump => max_jump,
            _ => [max_drop[0], f32::INFINITY],
        };
        if !within(far, across) || !within(high, up) || !within(max_drop[1], -up) {
            return None;
        }
        let caution = filter.caution_for(link.tolerance);
        if !self.limits.change_motion() && self.doors.is_empty() && filter.costs.is_empty() {
            return Some(caution);
        }
        let (arc, longer) = self.arc(layer, link)?;
        if self
            .doors
            .iter()
            .any(|&door| arc_inside(door, link, &arc, down) > TOUCH)
        {
            return None;
        }
        let extra: f64 = filter
            .costs
            .iter()
            .map(|cost| arc_inside(cost.area, link, &arc, down) * f64::from(cost.factor - 1.0))
            .sum();
        Some((extra / self.limits.time_scale) as f32 + caution + longer)
    }

    /// How an agent within the filter's speeds makes a link, in baked time, and
    /// how much longer than baked that takes; `None` when it cannot.
    fn arc(&self, layer: &Layer, link: &Link) -> Option<(Trajectory, f32)> {
        let may_resolve = self.filter.resolve;
        let arc = trajectory_within(layer, link, &self.limits, may_resolve)
            .ok()?
            .ok()?;
        let baked = f64::from(link.duration);
        let longer = arc.duration() / self.limits.time_scale - baked;
        Some((arc, longer as f32))
    }

    /// Seconds a link takes.
    pub(super) fn duration(&self, layer: &Layer, link: &Link) -> f32 {
        if !self.limits.are_tighter {
            return link.duration;
        }
        let longer = if link.kind.is_airborne() {
            self.arc(layer, link).map_or(0.0, |(_, longer)| longer)
        } else {
            self.steady_longer(layer, link)
        };
        link.duration + longer
    }

    /// How much longer than baked a link takes that follows no arc.
    fn steady_longer(&self, layer: &Layer, link: &Link) -> f32 {
        let profile = layer.profile();
        let (baked, speed) = match link.kind {
            LinkKind::Portal => return 0.0,
            LinkKind::OneWayStep => (profile.run_speed, self.speed),
            _ => (profile.climb_speed, self.limits.climb_speed),
        };
        link.duration * (f64::from(baked) / speed - 1.0) as f32
    }

    /// [`look_at`](Self::look_at) for a link that follows no arc: straight
    /// from end to end, or, through a portal, only at its ends.
    fn look_at_steady(&self, layer: &Layer, link: &Link) -> Option<f32> {
        let inside = |door: &Rect| {
            contains(*door, link.from)
                || contains(*door, link.to)
                || (link.kind != LinkKind::Portal
                    && segment_inside(*door, link.from, link.to).is_some())
        };
        (!self.doors.iter().any(inside)).then(|| self.steady_longer(layer, link))
    }
}
