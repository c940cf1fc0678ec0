//! The air without what a filter closes.

use glam::Vec2;

use super::cost_model::CostModel;
use crate::mesh::{Air, Cell, Layer};

/// Greatest number of filters and layers whose air is kept.
const MOST_KEPT: usize = 8;

/// The air of the last filters that closed a part of it. Agents of a kind make many
/// queries while no door moves.
#[derive(Debug, Clone, Default)]
pub struct ClosedAir {
    /// What the present filter closes, y downwards; nothing if the air is that of the
    /// layer.
    boxes: Vec<[Vec2; 2]>,
    /// The first is that of the present filter, if it closes anything.
    known: Vec<Known>,
}

/// The air of a layer without some boxes.
#[derive(Debug, Clone)]
struct Known {
    layer: usize,
    boxes: Vec<[Vec2; 2]>,
    air: Air,
}

impl ClosedAir {
    /// Prepares for a query.
    pub fn prepare(&mut self, layer: &Layer, costs: &CostModel) {
        self.find_boxes(layer, costs);
        if self.boxes.is_empty() {
            return;
        }
        let mut known = self.known.iter();
        let is_same = |known: &Known| known.layer == layer.identity() && known.boxes == self.boxes;
        if let Some(at) = known.position(is_same) {
            self.known[..=at].rotate_right(1);
            return;
        }
        let air = layer.air.as_ref();
        let air = air.map(|air| air.without(&self.boxes, layer.grid()));
        self.known.truncate(MOST_KEPT - 1);
        self.known.insert(
            0,
            Known {
                layer: layer.identity(),
                boxes: self.boxes.clone(),
                air: air.unwrap_or_default(),
            },
        );
    }

    /// The air of the filter that was prepared for last.
    pub fn air<'a>(&'a self, layer: &'a Layer) -> Option<&'a Air> {
        let closed = self.known.first().filter(|_| !self.boxes.is_empty());
        closed.map(|known| &known.air).or(layer.air.as_ref())
    }

    /// What that filter closes, y downwards.
    pub fn boxes(&self) -> &[[Vec2; 2]] {
        &self.boxes
    }

    /// Finds the boxes of feet positions that a filter closes: doors, and what is nearer
    /// to an `OnFloor` vertex than to another.
    fn find_boxes(&mut self, layer: &Layer, costs: &CostModel) {
        let grid = layer.grid();
        let down = Vec2::new(1.0, grid.y_axis.down());
        self.boxes.clear();
        self.boxes.extend(costs.doors.iter().map(|door| {
            let (a, b) = (door.min * down, door.max * down);
            [a.min(b), a.max(b)]
        }));
        if !costs.filter.keep_off_floor {
            return;
        }
        let half = Vec2::splat(0.5 * grid.spacing);
        for row in 0..layer.floor().filled_rows() {
            self.boxes.extend(layer.floor().runs(row).map(|run| {
                let at = |column| grid.position(Cell { column, row }) * down;
                [at(run.start) - half, at(run.end - 1) + half]
            }));
        }
    }
}
