//! Writing a path from its end to its start, as a search finds it.

use glam::Vec2;

use super::cost_model::CostModel;
use super::free_space::FreeSpace;
use super::frontier::{NodeId, NodeStore};
use super::locate::Location;
use super::path::{Path, Step};
use crate::mesh::StepKind;
use crate::mesh::{FloorVertex, Layer, PlatformId, VertexId};

/// Writes the steps of a path, the last one first. It holds the position from
/// which the part written so far begins.
pub struct PathWriter<'a> {
    layer: &'a Layer,
    costs: &'a CostModel,
    path: &'a mut Path,
    at: Vec2,
    /// The platform at that position; `None` in the air.
    platform: Option<PlatformId>,
}

impl<'a> PathWriter<'a> {
    /// Begins at the end of a path.
    pub fn new(
        layer: &'a Layer,
        costs: &'a CostModel,
        path: &'a mut Path,
        end: Vec2,
        platform: Option<PlatformId>,
    ) -> Self {
        path.steps.clear();
        path.end = end;
        Self {
            layer,
            costs,
            path,
            at: end,
            platform,
        }
    }

    /// Puts a walk, a climb or a flight from a position before the rest: a walk
    /// or climb when both are on one platform, otherwise a flight. Inlined, it takes an
    /// eighth off a flight that is looked up.
    #[inline]
    pub fn move_from(&mut self, from: Vec2, platform: Option<PlatformId>) {
        let step = match platform {
            Some(id) if platform == self.platform => {
                let kind = self.layer.kind(id);
                let [a, b] = [from, self.at].map(|at| f64::from(kind.along(at)));
                let duration = ((b - a).abs() / self.costs.limits.speed_on(kind)) as f32;
                Step::walk(kind, id, [from, self.at], duration)
            }
            _ => {
                let length = from.as_dvec2().distance(self.at.as_dvec2());
                Step::fly(from, self.at, (length / self.costs.limits.run_speed) as f32)
            }
        };
        self.path.push_back_to_front(step);
        (self.at, self.platform) = (from, platform);
    }

    /// Puts a link before the rest, and the walk from its landing. Returns
    /// `false` when the layer has no such takeoff.
    pub fn link(&mut self, takeoff: u32) -> bool {
        let Some((takeoff, link)) = self.layer.takeoff(takeoff) else {
            return false;
        };
        self.move_from(link.to, Some(link.to_platform));
        let duration = self.costs.duration(self.layer, takeoff.link, link);
        let step = Step::link(takeoff.link, link, duration);
        self.path.push_back_to_front(step);
        (self.at, self.platform) = (link.from, Some(link.from_platform));
        true
    }

    /// Puts the motions over all nodes from the start of a search to a node before the
    /// rest, and ends at the start of the path.
    pub fn trace(mut self, nodes: &impl NodeStore, last: u32, start: Location) {
        let (layer, mut at) = (self.layer, last);
        while let Some(node) = nodes.get(at) {
            match node.id {
                NodeId::Link(index) => {
                    if !self.link(index) {
                        break;
                    }
                }
                NodeId::Floor(number) => match layer.floor_spot(number) {
                    Some(spot) => self.move_from(standing(layer, spot), Some(spot.platform)),
                    None => break,
                },
                NodeId::Air(vertex) => {
                    let cell = layer.grid().cell(VertexId(vertex));
                    self.move_from(layer.grid().position(cell), None);
                }
                NodeId::Goal => break,
            }
            at = node.parent;
        }
        self.finish(start);
    }

    /// Ends at the start of the path.
    pub fn finish(mut self, start: Location) {
        let position = start.position();
        if self.at != position {
            self.move_from(position, start.platform());
        }
        self.path.start = position;
        self.path.steps.reverse();
    }
}

/// Lets a path over vertices begin and end beside them, where the body can fly straight
/// there: past the vertex, if that costs no more.
pub fn fly_to_ends(layer: &Layer, costs: &CostModel, ends: [Option<Vec2>; 2], path: &mut Path) {
    let [start, end] = ends;
    if let Some(start) = start.filter(|&start| start != path.start)
        && let Some((mut cost, mut step)) = flight(layer, costs, start, path.start)
    {
        if let Some(first) = path.steps.first().filter(|step| step.kind == StepKind::Fly)
            && let Some(old) = costs.fly(first.from, first.to)
            && let Some((direct, past)) = flight(layer, costs, start, first.to)
            && direct <= cost + old
        {
            (cost, step) = (direct - old, past);
            path.steps.remove(0);
        }
        path.steps.insert(0, step);
        path.start = start;
        path.cost += cost;
    }
    if let Some(end) = end.filter(|&end| end != path.end)
        && let Some((mut cost, mut step)) = flight(layer, costs, path.end, end)
    {
        if let Some(last) = path.steps.last().filter(|step| step.kind == StepKind::Fly)
            && let Some(old) = costs.fly(last.from, last.to)
            && let Some((direct, past)) = flight(layer, costs, last.from, end)
            && direct <= cost + old
        {
            (cost, step) = (direct - old, past);
            path.steps.pop();
        }
        path.steps.push(step);
        path.end = end;
        path.cost += cost;
    }
}

/// A straight flight and its cost, if nothing is in the way.
fn flight(layer: &Layer, costs: &CostModel, from: Vec2, to: Vec2) -> Option<(f64, Step)> {
    let cost = costs.fly(from, to)?;
    let length = from.as_dvec2().distance(to.as_dvec2());
    let step = Step::fly(from, to, (length / costs.limits.run_speed) as f32);
    FreeSpace::new(layer, [&[], &[]])
        .sees(from, to)
        .then_some((cost, step))
}

/// Feet at an `OnFloor` vertex.
pub fn standing(layer: &Layer, spot: FloorVertex) -> Vec2 {
    let grid = layer.grid();
    Vec2::new(grid.column_x(grid.cell(spot.vertex).column), spot.height)
}

/// Removes takeoffs from a route that lead away from a place and straight back, which
/// costs nothing with portals that take no time: such a detour is as cheap as none.
pub fn drop_detours(layer: &Layer, route: &mut Vec<u32>) {
    let mut kept = 0_usize;
    for index in 0..route.len() {
        let next = route[index];
        let last = kept.checked_sub(1).map(|last| route[last]);
        let last = last.and_then(|last| layer.takeoff(last));
        let is_back = last
            .zip(layer.takeoff(next))
            .is_some_and(|((_, last), (_, next))| {
                (last.to_platform, last.to) == (next.from_platform, next.from)
                    && (next.to_platform, next.to) == (last.from_platform, last.from)
            });
        if is_back {
            kept -= 1;
        } else {
            route[kept] = next;
            kept += 1;
        }
    }
    route.truncate(kept);
}
