//! Paths that are looked up in the indices of a layer.

use glam::DVec2;

use super::cost_model::CostModel;
use super::endpoints::Endpoints;
use super::locate::Location;
use super::path::Path;
use super::path_writer::{PathWriter, drop_detours};
use super::regions::segment_inside;
use crate::graph::hierarchy::Seed;
use crate::graph::route_search::RouteSearch;
use crate::mesh::{Air, FlightIndex, FloorSpot, Gate, Layer, RouteIndex, Seeds};

/// The memory of lookups.
#[derive(Debug, Clone, Default)]
pub struct IndexLookup {
    routes: RouteSearch,
    /// The nodes of the index of flights next to the start and to the goal.
    near: [Vec<Seed>; 2],
    gates: Vec<Gate>,
    /// Where a flight begins, turns and ends, y downwards.
    points: Vec<DVec2>,
}

/// The nodes of the index next to a place.
pub fn seeds(costs: &CostModel, layer: &Layer, index: &RouteIndex, spot: FloorSpot) -> Seeds {
    let kind = layer.kind(spot.platform);
    let speed = costs.index_speed(layer, kind);
    index.seeds(spot.platform, layer.along(spot), speed as f32)
}

impl IndexLookup {
    /// Looks the cheapest route up in the index of a layer and writes its path. `None`
    /// if there is none, or the filter changes its cost.
    pub fn route(
        &mut self,
        layer: &Layer,
        costs: &mut CostModel,
        ends: &Endpoints,
        path: &mut Path,
    ) -> Option<()> {
        let (Some(index), Location::Floor(start), Some(Location::Floor(goal))) =
            (costs.routes(layer), ends.start, ends.goal)
        else {
            return None;
        };
        let (from, to) = (layer.along(start), layer.along(goal));
        let walk = layer.platform(start.platform).filter(|platform| {
            let (low, high) = costs.walkable(platform, from);
            start.platform == goal.platform && (low..=high).contains(&to)
        });
        let walk = walk.map(|platform| costs.walk(&platform, from, to));
        let near = [start, goal].map(|spot| seeds(costs, layer, index, spot));
        // Where the agent can walk to the goal, only a quicker route counts.
        let limit = walk.map_or(f32::INFINITY, |walk| walk as f32);
        let [from_nodes, to_nodes] = near.map(|seeds| seeds.into_iter().flatten());
        let found = (self.routes).find(&index.routes, from_nodes, to_nodes, limit);
        let found = found.ok()?;
        let is_found = found.is_some();
        let route = found.map_or(&[][..], |(_, route)| {
            drop_detours(layer, route);
            route
        });
        path.clear();
        let (mut platform, mut along) = (start.platform, from);
        for &number in route {
            let (takeoff, _) = layer.takeoff(number)?;
            let on = (platform, layer.kind(platform));
            let walk = costs.indexed_walk(layer, on, along, takeoff.along)?;
            let time = costs.indexed_link(layer, takeoff, *index.costs.get(number as usize)?)?;
            path.cost += walk + time;
            (platform, along) = (takeoff.to_platform, takeoff.to_along);
        }
        path.cost += if is_found {
            costs.indexed_walk(layer, (platform, layer.kind(platform)), along, to)?
        } else {
            // Every other way costs at least as much as the walk.
            walk?
        };
        path.expanded = route.len() as u32;
        let mut writer = PathWriter::new(layer, costs, path, goal.position, Some(goal.platform));
        for &takeoff in route.iter().rev() {
            writer.link(takeoff);
        }
        writer.finish(ends.start);
        Some(())
    }

    /// Looks the shortest flight up in the index of the layer and writes its path.
    pub fn flight(
        &mut self,
        layer: &Layer,
        costs: &CostModel,
        ends: &Endpoints,
        path: &mut Path,
    ) -> Option<()> {
        let (Some(index), Some(air)) = (layer.flights(), layer.exact_air()) else {
            return None;
        };
        let (Location::Air(start), Some(Location::Air(goal))) = (ends.start, ends.goal) else {
            return None;
        };
        let grid = layer.grid();
        let (from, to) = (grid.y_down(start), grid.y_down(goal));
        let (start_cell, goal_cell) = (air.cell_at(from)?, air.cell_at(to)?);
        let rounding = Air::rounding(grid);
        let Self {
            routes,
            near: [first, last],
            gates,
            points,
        } = self;
        points.clear();
        points.push(from);
        path.expanded = 1;
        let end = Some((goal_cell, to));
        if !FlightIndex::seeds(air, (start_cell, from), end, rounding, gates, first) {
            FlightIndex::seeds(air, (goal_cell, to), None, rounding, gates, last);
            let [seeds, ends] = [first, last].map(|seeds| seeds.iter().copied());
            let found = routes.find(&index.routes, seeds, ends, f32::INFINITY);
            let (node, route) = found.ok()??;
            path.expanded += route.len() as u32;
            let nodes = std::iter::once(node).chain(route.iter().copied());
            points.extend(nodes.filter_map(|node| air.corners.get(node as usize)));
        }
        points.push(to);
        let is_crossed = costs.doors.iter().any(|&door| {
            points.windows(2).any(|pair| {
                let [from, to] = [pair[0], pair[1]].map(|at| grid.y_up(at));
                segment_inside(door, from, to).is_some()
            })
        });
        if is_crossed {
            return None;
        }
        write_flight(layer, costs, ends.start, points.iter().rev().copied(), path);
        Some(())
    }
}

/// Writes a flight over some points, y downwards, from its end to its start.
pub fn write_flight(
    layer: &Layer,
    costs: &CostModel,
    start: Location,
    points: impl Iterator<Item = DVec2>,
    path: &mut Path,
) {
    let (grid, expanded) = (layer.grid(), path.expanded);
    let mut points = points.map(|at| grid.y_up(at));
    let Some(end) = points.next() else {
        return;
    };
    let mut writer = PathWriter::new(layer, costs, path, end, None);
    for at in points {
        writer.move_from(at, None);
    }
    writer.finish(start);
    path.expanded = expanded;
    let lengths = path
        .steps
        .iter()
        .map(|step| step.from.as_dvec2().distance(step.to.as_dvec2()));
    path.cost = lengths.sum::<f64>() / costs.limits.run_speed;
}
