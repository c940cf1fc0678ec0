//! The air without what a filter closes.

use glam::Vec2;

use super::cost_model::CostModel;
use crate::mesh::{Air, Cell, Layer};

/// The air of the last filter that closed a part of it. Agents of a kind make many
/// queries while no door moves.
#[derive(Debug, Clone, Default)]
pub struct ClosedAir {
    layer: usize,
    /// What is closed, y downwards.
    boxes: Vec<[Vec2; 2]>,
    air: Air,
    is_used: bool,
}

impl ClosedAir {
    /// Prepares for a query.
    pub fn prepare(&mut self, layer: &Layer, costs: &CostModel) {
        let boxes = closed_boxes(layer, costs);
        self.is_used = !boxes.is_empty();
        let is_known = self.layer == layer.identity() && self.boxes == boxes;
        if !self.is_used || is_known {
            return;
        }
        self.air = layer.air.as_ref().map(|air| air.without(&boxes, layer.grid())).unwrap_or_default();
        (self.layer, self.boxes) = (layer.identity(), boxes);
    }

    pub fn air<'a>(&'a self, layer: &'a Layer) -> Option<&'a Air> {
        if self.is_used { Some(&self.air) } else { layer.air.as_ref() }
    }
}

/// Boxes of feet positions that a filter closes: doors, and what is nearer to an
/// `OnFloor` vertex than to another.
fn closed_boxes(layer: &Layer, costs: &CostModel) -> Vec<[Vec2; 2]> {
    let grid = layer.grid();
    let down = Vec2::new(1.0, grid.y_axis.down());
    let doors = costs.doors.iter().map(|door| {
        let (a, b) = (door.min * down, door.max * down);
        [a.min(b), a.max(b)]
    });
    let mut boxes: Vec<_> = doors.collect();
    if costs.filter.keep_off_floor {
        let half = Vec2::splat(0.5 * grid.spacing);
        for row in 0..layer.floor().filled_rows() {
            boxes.extend(layer.floor().runs(row).map(|run| {
                let at = |column| grid.position(Cell { column, row }) * down;
                [at(run.start) - half, at(run.end - 1) + half]
            }));
        }
    }
    boxes
}
