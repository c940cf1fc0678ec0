//! Paths that are looked up in the indices of a layer.

use glam::Vec2;

use super::cost_model::CostModel;
use super::endpoints::Endpoints;
use super::locate::Location;
use super::path::Path;
use super::path_writer::{PathWriter, drop_detours};
use super::regions::{Rect, segment_inside};
use crate::graph::hierarchy::Seed;
use crate::graph::route_search::RouteSearch;
use crate::mesh::{Cell, FloorSpot, Hop, Layer, RouteIndex, Seeds, direction, octile, turn};

/// The memory of lookups.
#[derive(Debug, Clone, Default)]
pub struct IndexLookup {
    routes: RouteSearch,
    /// The nodes of the index of flights next to the start and to the goal.
    near: [Vec<Seed>; 2],
    /// Where a flight begins, turns and ends.
    cells: Vec<Cell>,
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
        let (Some(index), Location::Air(start), Some(Location::Air(goal))) =
            (layer.flights(), ends.start, ends.goal)
        else {
            return None;
        };
        let blocked = layer.blocked();
        let Self {
            routes,
            near,
            cells,
        } = self;
        cells.clear();
        cells.push(start);
        if let Some(corner) = index.direct(blocked, start, goal) {
            cells.extend([corner, goal]);
            path.expanded = 1;
        } else {
            for (seeds, at) in near.iter_mut().zip([start, goal]) {
                seeds.clear();
                index.seeds(blocked, at, |seed| seeds.push(seed));
            }
            let [from, to] = near.each_ref().map(|seeds| seeds.iter().copied());
            let found = routes.find(&index.routes, from, to, f32::INFINITY);
            let (first, route) = found?;
            path.expanded = 1 + route.len() as u32;
            // A flight goes on as it came, where that is free.
            let (mut at, mut heading) = (start, None);
            let (both, last) = ([true; 2], Some(goal));
            let stretches = route.iter().map(|&stored| Hop::unpack(stored));
            let cell = |node: u32| index.cells.get(node as usize).copied();
            let nodes = stretches.map(|stretch| (cell(stretch.to), stretch.ways));
            let first = std::iter::once((cell(first), both));
            for (next, [diagonal_first, straight_first]) in first.chain(nodes).chain([(last, both)])
            {
                let next = next?;
                let straight = turn(next, at);
                let goes_on = straight != at && heading == Some(direction(at, straight));
                let corner = if straight_first && (goes_on || !diagonal_first) {
                    straight
                } else {
                    turn(at, next)
                };
                cells.extend([corner, next]);
                if next != at {
                    let from = if corner == next { at } else { corner };
                    heading = Some(direction(from, next));
                }
                at = next;
            }
        }
        let grid = layer.grid();
        // A door also closes the diagonals beside the vertices that it covers.
        let reach = Vec2::splat(grid.spacing);
        let mut doors = costs.doors.iter();
        let is_crossed = doors.any(|door| {
            let near = Rect::new(door.min - reach, door.max + reach);
            cells.windows(2).any(|pair| {
                let [from, to] = [pair[0], pair[1]].map(|cell| grid.position(cell));
                segment_inside(near, from, to).is_some()
            })
        });
        if is_crossed {
            return None;
        }
        let length: f64 = cells.windows(2).map(|pair| octile(pair[0], pair[1])).sum();
        path.cost = length * costs.seconds_per_spacing(layer);
        let mut writer = PathWriter::new(layer, costs, path, grid.position(goal), None);
        for &cell in cells.iter().rev() {
            writer.move_from(grid.position(cell), None);
        }
        writer.finish(ends.start);
        Some(())
    }
}
