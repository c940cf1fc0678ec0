//! Dashes: short, quick motions in a straight line or around one corner.

use glam::Vec2;

use super::pursuit::is_open;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::search::{Doors, Rect};
use navmesh_runtime::shared::{grown, segment_inside};

/// A dash of limited length. Each leg is tested with the body.
///
/// ```
/// # use glam::Vec2;
/// # use navmesh_runtime::mesh::Layer;
/// use navmesh_bots::interest::Dash;
/// use navmesh_runtime::search::Doors;
///
/// # fn tick(layer: &Layer, me: Vec2, goat: Vec2, seen_later: Vec2) -> Option<Vec2> {
/// let doors = Doors::new();
/// let mut dash = Dash::plan(layer, &doors, me, goat, 96.0)?;
/// dash.advance(600.0 / 60.0); // units: speed times seconds
/// dash.retarget(layer, &doors, seen_later);
/// # Some(dash.position())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dash {
    /// The position now, the corner, and the end. In a straight dash, the corner is
    /// the end.
    points: [Vec2; 3],
    /// The length that it may still have, with what is left of its legs.
    left: f32,
}

impl Dash {
    /// Plans a dash from one position to another (feet, world units): straight;
    /// otherwise around a corner, along the longer axis first; otherwise along the
    /// shorter axis first. `None` when all three are blocked.
    ///
    /// A dash is at most `length` long (world units) and ends before its target if
    /// that is farther away. Space beyond the last free vertex before a wall, which
    /// is less than a spacing, counts as blocked.
    pub fn plan(layer: &Layer, doors: &Doors, from: Vec2, to: Vec2, length: f32) -> Option<Self> {
        let off = to - from;
        if !(off.length().is_finite() && length > 0.0) || off == Vec2::ZERO {
            return None;
        }
        let [across, along] = [off * Vec2::X, off * Vec2::Y];
        let legs = if off.x.abs() >= off.y.abs() {
            [off, across, along]
        } else {
            [off, along, across]
        };
        legs.into_iter().find_map(|first| {
            let (corner, end) = shortened(from, from + first, to, length);
            let is_free = is_open(layer, doors, from, corner) && is_open(layer, doors, corner, end);
            is_free.then_some(Self {
                points: [from, corner, end],
                left: length,
            })
        })
    }

    /// Moves on by a length (world units) and returns the position.
    pub fn advance(&mut self, length: f32) -> Vec2 {
        // Rounding may make the legs longer than the length: a dash that has used up
        // its length is at its end.
        let length = length.max(0.0);
        let mut left = if length < self.left {
            length
        } else {
            f32::INFINITY
        };
        for next in [1, 2] {
            let to = self.points[next] - self.points[0];
            if left < to.length() {
                self.points[0] += to.normalize_or_zero() * left;
                self.left -= left;
                break;
            }
            self.points[0] = self.points[next];
            left -= to.length();
            self.left = (self.left - to.length()).max(0.0);
            // The first leg is over.
            self.points[1] = self.points[2];
        }
        self.position()
    }

    /// Feet, world units.
    pub fn position(&self) -> Vec2 {
        self.points[0]
    }

    /// Where it ends.
    pub fn end(&self) -> Vec2 {
        self.points[2]
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.points[0] == self.points[2]
    }

    /// Aims the dash at another target, because the agent sees farther now or the target
    /// has moved. The dash may be under way, or have ended before its full length; what is
    /// left of that length limits the rest. Returns `false` when there is no such dash; the
    /// dash then goes on as before.
    pub fn retarget(&mut self, layer: &Layer, doors: &Doors, to: Vec2) -> bool {
        // Less is rounding.
        let has_length = self.left > 1e-3 * layer.grid().spacing;
        let planned = Self::plan(layer, doors, self.position(), to, self.left);
        let planned = planned.filter(|_| has_length);
        if let Some(dash) = planned {
            *self = dash;
        }
        planned.is_some()
    }

    /// The first of some things that the body touches on what is left of the dash: a
    /// block to break, a geyser. With the length until then, world units.
    pub fn first_hit(&self, layer: &Layer, things: &[Rect]) -> Option<(usize, f32)> {
        let mut before = 0.0;
        for pair in self.points.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let hits = things.iter().enumerate().filter_map(|(index, thing)| {
                let (enter, _) = segment_inside(grown(*thing, layer), from, to)?;
                Some((index, before + enter as f32 * from.distance(to)))
            });
            let first = hits.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            if first.is_some() {
                return first;
            }
            before += from.distance(to);
        }
        None
    }
}

/// The corner and the end of a way over a corner that is at most `length` long.
fn shortened(from: Vec2, corner: Vec2, to: Vec2, length: f32) -> (Vec2, Vec2) {
    let first = from.distance(corner);
    if first >= length {
        let end = from + (corner - from) * (length / first);
        return (end, end);
    }
    let (second, left) = (corner.distance(to), length - first);
    if second > left {
        return (corner, corner + (to - corner) * (left / second));
    }
    (corner, to)
}
