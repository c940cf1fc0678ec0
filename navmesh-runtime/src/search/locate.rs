//! From any position to one an agent can be at.

use glam::Vec2;

use crate::mesh::{Cell, FloorSpot, Layer};

/// Where an agent can be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Location {
    /// On a platform of any kind.
    Floor(FloorSpot),
    /// In the air, at a free vertex.
    Air(Cell),
}

impl Location {
    /// Feet at the place, world units.
    pub fn position(&self, layer: &Layer) -> Vec2 {
        match self {
            Self::Floor(spot) => spot.position,
            Self::Air(cell) => layer.grid().position(*cell),
        }
    }
}

/// The place a search takes a position for.
///
/// For agents that climb: where they hold on, if they do. For agents on foot:
/// the floor straight below, at most one spacing down;
/// otherwise the nearest point of the floor within two spacings. For agents
/// that fly: the nearest free vertex within two spacings. For agents that do
/// both: the first of these three that there is: floor straight below, free
/// vertex, floor near by. Where there is none of these: the nearest ladder,
/// wall or ceiling within two spacings that is climbed.
pub fn locate(layer: &Layer, position: Vec2, walks: bool, flies: bool) -> Option<Location> {
    if !position.is_finite() {
        return None;
    }
    let spacing = layer.grid().spacing;
    let below = || {
        let spot = walks
            .then(|| layer.floor_below(position, spacing))
            .flatten();
        spot.map(Location::Floor)
    };
    let air = || {
        let cell = flies
            .then(|| free_vertex(layer, position, 2.0 * spacing))
            .flatten();
        cell.map(Location::Air)
    };
    let near = || {
        let spot = walks
            .then(|| layer.nearest_floor(position, 2.0 * spacing))
            .flatten();
        spot.map(Location::Floor)
    };
    // Whoever holds on to something is there, whatever floor is below.
    if let Some(hold) = walks
        .then(|| layer.nearest_hold(position, spacing * 1e-3))
        .flatten()
        && layer.floor_below(position, spacing * 1e-3).is_none()
    {
        return Some(Location::Floor(hold));
    }
    below().or_else(air).or_else(near).or_else(|| {
        let hold = walks.then(|| layer.nearest_hold(position, 2.0 * spacing));
        hold.flatten().map(Location::Floor)
    })
}

/// The free vertex nearest to a position; the first row by row of several.
fn free_vertex(layer: &Layer, position: Vec2, radius: f32) -> Option<Cell> {
    const REACH: u32 = 3;
    let grid = layer.grid();
    let center = grid.nearest_cell(position);
    let span =
        |at: u32, count: u32| at.saturating_sub(REACH)..count.min(at.saturating_add(REACH + 1));
    let mut best: Option<(f32, Cell)> = None;
    for row in span(center.row, grid.rows) {
        for column in span(center.column, grid.columns) {
            let cell = Cell { column, row };
            let distance = grid.position(cell).distance(position);
            if distance <= radius
                && !layer.blocked().get(column, row)
                && best.is_none_or(|(least, _)| distance < least)
            {
                best = Some((distance, cell));
            }
        }
    }
    best.map(|(_, cell)| cell)
}
