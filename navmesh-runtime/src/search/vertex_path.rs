//! Paths that a search of the vertex graph found.

use super::Location;
use super::cost_model::CostModel;
use super::flight::fly;
use super::ground::walk;
use super::nodes::Node;
use super::path::{Path, Step, StepKind};
use super::problem::Problem;
use super::vertex::{Kind, Vertices, split, standing};
use crate::mesh::{FloorSpot, Layer, PlatformId, VertexId};

impl Vertices {
    /// The path found to the goal.
    pub(super) fn path_to_goal(
        &self,
        layer: &Layer,
        limits: &CostModel,
        problem: &Problem,
        path: &mut Path,
    ) {
        let Some(node) = self.nodes.get(self.end) else {
            return;
        };
        path.cost = node.cost;
        match problem.goal {
            Some(Location::Floor(spot)) => {
                self.trace(
                    layer,
                    limits,
                    problem,
                    Some(spot.platform),
                    spot.position,
                    node.parent,
                    path,
                );
            }
            Some(Location::Air(cell)) => {
                let position = layer.grid().position(cell);
                self.trace(layer, limits, problem, None, position, self.end, path);
            }
            None => {}
        }
    }

    /// The path to the point nearest to the goal, if there is any.
    pub(super) fn path_to_nearest(
        &self,
        layer: &Layer,
        limits: &CostModel,
        problem: &Problem,
        path: &mut Path,
    ) -> bool {
        let Some(best) = self.nearest.get() else {
            return false;
        };
        let (platform, parent) = best.how;
        path.cost = best.cost;
        self.trace(
            layer,
            limits,
            problem,
            platform,
            best.position,
            parent,
            path,
        );
        true
    }

    /// Follows parents back from the end of a path, which is on `platform`
    /// unless it is in the air.
    #[expect(
        clippy::too_many_arguments,
        reason = "where a path ends takes three of them"
    )]
    fn trace(
        &self,
        layer: &Layer,
        limits: &CostModel,
        problem: &Problem,
        mut platform: Option<PlatformId>,
        end: glam::Vec2,
        mut parent: u32,
        path: &mut Path,
    ) {
        path.expanded = self.expanded;
        path.end = end;
        path.start = problem.start.position(layer);
        let mut to = end;
        while let Some(node) = self.nodes.get(parent) {
            let (from, from_platform) = match split(node.id) {
                (Kind::Link, index) => {
                    let takeoff = layer.all_takeoffs().get(index as usize);
                    let Some(link) = takeoff.and_then(|t| layer.link(t.link)) else {
                        break;
                    };
                    path.push_back_to_front(walk(limits, layer, link.to_platform, link.to, to));
                    path.push_back_to_front(Step {
                        kind: StepKind::from(link.kind),
                        from: link.from,
                        to: link.to,
                        duration: limits.duration(layer, link),
                        platform: Some(link.from_platform),
                        link: takeoff.map(|t| t.link),
                    });
                    (to, platform, parent) = (link.from, Some(link.from_platform), node.parent);
                    continue;
                }
                (Kind::Floor, number) => match layer.floor_spot(number) {
                    Some(spot) => (standing(layer, spot), Some(spot.platform)),
                    None => break,
                },
                _ => (air(layer, node), None),
            };
            path.push_back_to_front(match (from_platform, platform) {
                (Some(a), Some(b)) if a == b => walk(limits, layer, a, from, to),
                _ => fly(limits, from, to),
            });
            (to, platform, parent) = (from, from_platform, node.parent);
        }
        if let (Location::Floor(FloorSpot { platform, position }), true) =
            (problem.start, path.start != to)
        {
            path.push_back_to_front(walk(limits, layer, platform, position, to));
        }
        path.steps.reverse();
    }
}

fn air(layer: &Layer, node: &Node) -> glam::Vec2 {
    let grid = layer.grid();
    grid.position(grid.cell(VertexId(node.id as u32)))
}
