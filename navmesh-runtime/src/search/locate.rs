//! Finds the place nearest to a position at which an agent can be.

use glam::Vec2;

use crate::mesh::{Cell, EdgeSet, FloorSpot, LIMIT, Layer, PlatformId};

/// Where an agent can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Location {
    /// On a platform of any kind.
    Floor(FloorSpot),
    /// In the air: for agents that also walk, at a free vertex.
    Air(Vec2),
}

impl Location {
    /// The platform, if the agent is on one.
    pub fn platform(&self) -> Option<PlatformId> {
        match self {
            Self::Floor(spot) => Some(spot.platform),
            Self::Air(_) => None,
        }
    }

    /// Feet at the place, world units.
    pub fn position(&self) -> Vec2 {
        match self {
            Self::Floor(spot) => spot.position,
            Self::Air(position) => *position,
        }
    }
}

/// The place that a search which may use these edges takes a position for: see
/// [`SnapTo::PathEnd`](super::snap::SnapTo::PathEnd).
pub fn locate(layer: &Layer, position: Vec2, edges: EdgeSet) -> Option<Location> {
    if !position.is_finite() {
        return None;
    }
    let spacing = layer.grid().spacing;
    // A position is exactly on a platform up to the rounding of positions,
    // which is far below a thousandth of the spacing.
    let at = spacing * 1e-3;
    let near = 2.0 * spacing;
    let (walks, flies) = (edges.walks(), edges.contains(EdgeSet::FLY));
    if walks
        && let Some(hold) = layer.nearest_hold(position, at)
        && layer.floor_below(position, at).is_none()
    {
        return Some(Location::Floor(hold));
    }
    if walks && let Some(below) = layer.floor_below(position, spacing) {
        return Some(Location::Floor(below));
    }
    if !walks {
        let (grid, air) = (layer.grid(), layer.air.as_ref().filter(|_| flies)?);
        let (_, nearest) = air.nearest(grid.y_down(position), near.into())?;
        return Some(Location::Air(grid.y_up(nearest)));
    }
    if flies && let Some(vertex) = free_vertex(layer, position, near, |_| true) {
        return Some(Location::Air(layer.grid().position(vertex)));
    }
    let nearest = layer.nearest_floor(position, near);
    let nearest = nearest.or_else(|| layer.nearest_hold(position, near));
    nearest.map(Location::Floor)
}

/// The free vertex nearest to a position of those that are wanted; the first row by row of
/// several.
pub fn free_vertex(
    layer: &Layer,
    position: Vec2,
    radius: f32,
    is_wanted: impl Fn(Cell) -> bool,
) -> Option<Cell> {
    // Columns and rows to each side: more than the two spacings searched.
    const REACH: u32 = 3;
    let grid = layer.grid();
    let center = grid.nearest_cell(position);
    // Off the middle between two vertices, the nearest one is the only nearest one.
    let off = (grid.position(center) - position).abs() / grid.spacing;
    let is_free = |cell: Cell| !layer.blocked().get(cell.column, cell.row);
    if off.max_element() < 0.499 && is_free(center) && is_wanted(center) {
        return Some(center);
    }
    let span =
        |at: u32, count: u32| at.saturating_sub(REACH)..count.min(at.saturating_add(REACH + 1));
    let mut best: Option<(f32, Cell)> = None;
    for row in span(center.row, grid.rows) {
        for column in span(center.column, grid.columns) {
            let cell = Cell { column, row };
            let distance = grid.position(cell).distance(position);
            if distance <= radius * LIMIT
                && is_free(cell)
                && best.is_none_or(|(least, _)| distance < least)
                && is_wanted(cell)
            {
                best = Some((distance, cell));
            }
        }
    }
    best.map(|(_, cell)| cell)
}
