//! Lines of sight.

use glam::{DVec2, Vec2};

use super::doors::Doors;
use super::regions::segment_inside;
use crate::mesh::Layer;

/// How far outside a body's box still counts as inside it, in spacings: above the
/// rounding of `f64`, and too little for a line to pass where boxes only touch.
const SLACK: f64 = 1e-6;

/// Whether a straight line between two points (world units) meets neither geometry
/// nor a closed door. The points are not feet positions: add the height of the
/// eyes first.
///
/// A layer stores the vertices at which its agent's body is free. There is no
/// geometry inside the box of a free body, so a line that stays within such boxes
/// meets none. The result is therefore never `true` when something is in the way
/// (one-way platforms do not block), and it is `false` when the line passes so
/// close to something that the body does not fit between. The smaller the body,
/// the more exact the result: for sight and projectiles, bake an agent that is one
/// spacing wide and high. On geometry made of whole cells its results are exact.
///
/// A line that leaves the level is blocked, and so is one with a coordinate that
/// is not finite. The cost grows with the length of the line.
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
    let mut closed = doors.closed().iter();
    if closed.any(|r| segment_inside(*r, from, to).is_some()) {
        return false;
    }
    let boxes = Boxes::new(layer);
    let [from, to] = [from, to].map(|point| layer.grid().in_spacings(point.as_dvec2()));
    let mut t = 0.0;
    // From box to box, each time to the one that reaches furthest along the line.
    loop {
        let at = from.lerp(to, t);
        let Some(next) = boxes.furthest(at, from, to) else {
            return false;
        };
        if next >= 1.0 {
            return true;
        }
        // Every box around the point ends here: the line leaves free space.
        if next <= t {
            return false;
        }
        t = next;
    }
}

/// The boxes of a body at all free vertices, in spacings from the first vertex, y
/// down.
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

    /// The end of the box that reaches furthest along a line, of the boxes that
    /// contain a point of it, as a share of the line; `None` when there is none.
    fn furthest(&self, at: DVec2, from: DVec2, to: DVec2) -> Option<f64> {
        let grid = self.layer.grid();
        let blocked = self.layer.blocked();
        let columns = numbers(at.x, self.half_width, self.half_width, grid.columns);
        let rows = numbers(at.y, 0.0, self.height, grid.rows);
        let mut best = None;
        for row in rows {
            for column in columns.clone() {
                if blocked.get(column, row) {
                    continue;
                }
                let feet = DVec2::new(column.into(), row.into());
                let min = feet - DVec2::new(self.half_width, self.height);
                let max = feet + DVec2::new(self.half_width, 0.0);
                let leaves = leaves(from, to, min - SLACK, max + SLACK);
                if best.is_none_or(|b| leaves > b) {
                    best = Some(leaves);
                }
            }
        }
        best
    }
}

/// The whole numbers n, below `count`, with `at` between n − `above` and
/// n + `below`, up to [`SLACK`].
fn numbers(at: f64, below: f64, above: f64, count: u32) -> std::ops::Range<u32> {
    let first = (at - below - SLACK).ceil().max(0.0);
    let last = (at + above + SLACK).floor().min(f64::from(count) - 1.0);
    if first > last {
        return 0..0;
    }
    first as u32..last as u32 + 1
}

/// Where a line that is inside a box leaves it, as a share of the line: 1 or more
/// when it ends inside.
fn leaves(from: DVec2, to: DVec2, min: DVec2, max: DVec2) -> f64 {
    let along = to - from;
    let side = DVec2::select(along.cmpgt(DVec2::ZERO), max, min);
    let share = (side - from) / along;
    DVec2::select(along.cmpeq(DVec2::ZERO), DVec2::INFINITY, share).min_element()
}
