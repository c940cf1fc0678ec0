//! Finds the place nearest to a position at which an agent can be.

use glam::Vec2;

use crate::mesh::{Cell, EdgeSet, FloorSpot, Layer, PlatformId};

/// Where an agent can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Location {
    /// On a platform of any kind.
    Floor(FloorSpot),
    /// In the air, at a free vertex.
    Air(Cell),
}

impl Location {
    /// The platform, if the agent is on one.
    pub(crate) fn platform(&self) -> Option<PlatformId> {
        match self {
            Self::Floor(spot) => Some(spot.platform),
            Self::Air(_) => None,
        }
    }

    /// Feet at the place, world units.
    pub fn position(&self, layer: &Layer) -> Vec2 {
        match self {
            Self::Floor(spot) => spot.position,
            Self::Air(cell) => layer.grid().position(*cell),
        }
    }
}

/// The place that a search takes a position for: where an agent of this layer
/// stands, holds on or hovers when its feet are near `position` (world units).
///
/// Returns the first of these that exists, within the edges of the layer's
/// [profile](Layer::profile):
///
/// 1. for agents that climb, the ladder, wall or ceiling at the position, where
///    no floor is;
/// 2. for agents that walk, the floor straight below, at most one spacing down;
/// 3. for agents that fly, the nearest free vertex within two spacings;
/// 4. for agents that walk, the nearest floor within two spacings;
/// 5. for agents that climb, the nearest ladder, wall or ceiling within two
///    spacings.
///
/// `None` when none of these exists, or when the position is not finite.
///
#[cfg_attr(feature = "write", doc = "```")]
#[cfg_attr(not(feature = "write"), doc = "```text")]
/// # use glam::Vec2;
/// # use navmesh_runtime::mesh::Layer;
/// use navmesh_runtime::search::locate;
///
/// # fn game(layer: &Layer, marker: Vec2) {
/// if let Some(place) = locate(layer, marker) {
///     println!("an agent at {marker} stands at {}", place.position(layer));
/// }
/// # }
/// ```
pub fn locate(layer: &Layer, position: Vec2) -> Option<Location> {
    locate_among(layer, position, layer.profile().edges)
}

/// [`locate`] for a search that may use these edges only.
pub fn locate_among(layer: &Layer, position: Vec2, edges: EdgeSet) -> Option<Location> {
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
    let floor = |find: &dyn Fn() -> Option<FloorSpot>| {
        let spot = if walks { find() } else { None };
        spot.map(Location::Floor)
    };
    let air = || free_vertex(layer, position, near).map(Location::Air);
    floor(&|| layer.floor_below(position, spacing))
        .or_else(|| if flies { air() } else { None })
        .or_else(|| floor(&|| layer.nearest_floor(position, near)))
        .or_else(|| floor(&|| layer.nearest_hold(position, near)))
}

/// The free vertex nearest to a position; the first row by row of several.
fn free_vertex(layer: &Layer, position: Vec2, radius: f32) -> Option<Cell> {
    // Columns and rows to each side: more than the two spacings searched.
    const REACH: u32 = 3;
    let grid = layer.grid();
    let center = grid.nearest_cell(position);
    // Off the middle between two vertices, the nearest one is the only nearest one.
    let off = (grid.position(center) - position).abs() / grid.spacing;
    if off.max_element() < 0.499 && !layer.blocked().get(center.column, center.row) {
        return Some(center);
    }
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
