//! Whether one place can be seen from another, by what was baked.

use glam::{DVec2, Vec2};

use super::doors::Doors;
use super::regions::segment_inside;
use crate::mesh::Layer;

/// How far off the border of a body's box still counts as inside it, in
/// spacings: above the rounding of positions, and so little that no ray fits
/// through where boxes only touch.
const HAIR: f64 = 1e-6;

/// Whether nothing lies on the straight line between two points, as far as a
/// layer and some closed regions tell. Points are anywhere, not feet: raise
/// them to eye height first. World units.
///
/// A layer knows at which vertices its agent's body is free. Where a body is
/// free, there is nothing inside its box; a line that stays within such boxes
/// meets nothing. So the answer is never yes when something is in the way
/// (for geometry that blocks: one-way platforms do not). It is no when the line
/// comes so near to something that the body does not fit between: the smaller
/// the body, the sharper the eye. For sight, spits and bullets, bake an agent
/// as small as the grid allows: one spacing wide and high. On geometry made of
/// whole cells its answers are exact.
///
/// Outside the level nothing is seen.
///
/// ```
/// # use glam::Vec2;
/// # use navmesh_runtime::mesh::NavMesh;
/// use navmesh_runtime::search::{Doors, line_of_sight};
///
/// # fn game(mesh: &NavMesh, doors: &Doors, feet: Vec2, player: Vec2) -> Option<bool> {
/// let eyes = Vec2::new(0.0, -14.0 * mesh.down());
/// let sees = line_of_sight(mesh.layer_named("shot")?, doors, feet + eyes, player + eyes);
/// # Some(sees)
/// # }
/// ```
pub fn line_of_sight(layer: &Layer, doors: &Doors, from: Vec2, to: Vec2) -> bool {
    if !(from.is_finite() && to.is_finite()) {
        return false;
    }
    let closed = doors.closed().iter();
    if closed
        .into_iter()
        .any(|r| segment_inside(*r, from, to).is_some())
    {
        return false;
    }
    let boxes = Boxes::new(layer);
    let (from, to) = (boxes.place(from), boxes.place(to));
    let mut t = 0.0;
    // From box to box: each time to the one that reaches furthest along.
    loop {
        let at = from.lerp(to, t);
        let Some(next) = boxes.furthest(at, from, to) else {
            return false;
        };
        if next >= 1.0 {
            return true;
        }
        if next <= t {
            return false;
        }
        t = next;
    }
}

/// The boxes of a body at every free vertex, in spacings from the grid's
/// top-left corner, y down.
struct Boxes<'a> {
    layer: &'a Layer,
    half_width: f64,
    height: f64,
}

impl<'a> Boxes<'a> {
    fn new(layer: &'a Layer) -> Self {
        let spacing = f64::from(layer.grid().spacing);
        let [width, height] = layer.profile().body;
        Self {
            layer,
            half_width: f64::from(width) / spacing / 2.0,
            height: f64::from(height) / spacing,
        }
    }

    fn place(&self, point: Vec2) -> DVec2 {
        let grid = self.layer.grid();
        let offset = point.as_dvec2() - grid.origin.as_dvec2();
        let down = f64::from(grid.y_axis.down());
        DVec2::new(offset.x, offset.y * down) / f64::from(grid.spacing)
    }

    /// Of the boxes around a point of a line, how far along it the best one
    /// reaches, as a share of the line; `None` when there is no box.
    fn furthest(&self, at: DVec2, from: DVec2, to: DVec2) -> Option<f64> {
        let grid = self.layer.grid();
        let blocked = self.layer.blocked();
        // The vertex of column c and row r is at (c + 1/2, r + 1).
        let columns = numbers(at.x - 0.5, self.half_width, self.half_width, grid.columns);
        let rows = numbers(at.y - 1.0, 0.0, self.height, grid.rows);
        let mut best = None;
        for row in rows {
            for column in columns.clone() {
                if blocked.get(column, row) {
                    continue;
                }
                let feet = DVec2::new(f64::from(column) + 0.5, f64::from(row) + 1.0);
                let min = feet - DVec2::new(self.half_width, self.height);
                let max = feet + DVec2::new(self.half_width, 0.0);
                let leaves = leaves(from, to, min - HAIR, max + HAIR);
                if best.is_none_or(|b| leaves > b) {
                    best = Some(leaves);
                }
            }
        }
        best
    }
}

/// The whole numbers n, below `count`, with `at` between n − `above` and
/// n + `below`, give or take a hair.
fn numbers(at: f64, below: f64, above: f64, count: u32) -> std::ops::Range<u32> {
    let first = (at - below - HAIR).ceil().max(0.0);
    let last = (at + above + HAIR).floor().min(f64::from(count) - 1.0);
    if first > last {
        return 0..0;
    }
    first as u32..last as u32 + 1
}

/// Where a line that is inside a box leaves it, as a share of the line; 1 or
/// more when it ends inside.
fn leaves(from: DVec2, to: DVec2, min: DVec2, max: DVec2) -> f64 {
    let along = to - from;
    let axis = |from: f64, along: f64, min: f64, max: f64| {
        if along > 0.0 {
            (max - from) / along
        } else if along < 0.0 {
            (min - from) / along
        } else {
            f64::INFINITY
        }
    };
    f64::min(
        axis(from.x, along.x, min.x, max.x),
        axis(from.y, along.y, min.y, max.y),
    )
}
