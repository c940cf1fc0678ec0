//! A spatial index of platforms.

use std::ops::ControlFlow;

use glam::Vec2;
use rstar::{AABB, RStarInsertionStrategy, RTree, RTreeObject, RTreeParams};

use super::ids::PlatformId;
use super::platform::{PlatformKind, Platforms};

/// A point of a platform's surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloorSpot {
    /// The platform.
    pub platform: PlatformId,
    /// The position of the feet on the platform, world units.
    pub position: Vec2,
}

/// Number of segments of a surface in one entry of the tree. A smaller number
/// makes a larger tree, which takes longer to build at every load; a larger one
/// makes every query test more segments outside its box.
const CHUNK: usize = 16;

/// A part of a surface and its bounding box.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stretch {
    min: Vec2,
    max: Vec2,
    platform: PlatformId,
    first: u32,
}

impl RTreeObject for Stretch {
    type Envelope = AABB<[f32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_corners(self.min.to_array(), self.max.to_array())
    }
}

/// Nodes with up to 32 children instead of 6: the tree is built at every load
/// and never changed, and building sorts once for each level of the tree.
#[derive(Debug, Clone, Copy)]
struct Wide;

impl RTreeParams for Wide {
    const MIN_SIZE: usize = 8;
    const MAX_SIZE: usize = 32;
    const REINSERTION_COUNT: usize = 3;
    type DefaultInsertionStrategy = RStarInsertionStrategy;
}

/// An R-tree over the surfaces of all platforms.
#[derive(Debug, Clone)]
pub(super) struct FloorIndex {
    tree: RTree<Stretch, Wide>,
}

impl FloorIndex {
    pub(super) fn new(platforms: &Platforms) -> Self {
        let mut stretches = Vec::new();
        for platform in platforms.iter() {
            let surface = platform.surface;
            // Neighbouring parts share a point, so that no segment is missing.
            for first in (0..surface.len().max(2) - 1).step_by(CHUNK) {
                let points = &surface[first..surface.len().min(first + CHUNK + 1)];
                let (mut min, mut max) = (points[0], points[0]);
                for &point in points {
                    min = min.min(point);
                    max = max.max(point);
                }
                stretches.push(Stretch {
                    min,
                    max,
                    platform: platform.id,
                    first: first as u32,
                });
            }
        }
        Self {
            tree: RTree::bulk_load_with_params(stretches),
        }
    }

    /// Calls `see` with every segment of the parts whose bounds touch the box.
    /// A surface of one point is a segment of length 0.
    pub(super) fn segments(
        &self,
        platforms: &Platforms,
        min: Vec2,
        max: Vec2,
        mut see: impl FnMut(PlatformId, Vec2, Vec2),
    ) {
        let bounds = AABB::from_corners(min.to_array(), max.to_array());
        let all = self
            .tree
            .locate_in_envelope_intersecting_int(bounds, |stretch: &Stretch| {
                if let Some(platform) = platforms.get(stretch.platform) {
                    let first = stretch.first as usize;
                    let surface = platform.surface;
                    let points = &surface[first..surface.len().min(first + CHUNK + 1)];
                    if let [point] = points {
                        see(stretch.platform, *point, *point);
                    }
                    for pair in points.windows(2) {
                        see(stretch.platform, pair[0], pair[1]);
                    }
                }
                ControlFlow::<()>::Continue(())
            });
        debug_assert!(all.is_continue());
    }

    /// The highest floor straight below a position: at most `above` higher than
    /// the position and at most `below` lower.
    pub(super) fn below(
        &self,
        platforms: &Platforms,
        from: Vec2,
        down: f32,
        above: f32,
        below: f32,
    ) -> Option<FloorSpot> {
        let (a, b) = (from.y - down * above, from.y + down * below);
        let min = Vec2::new(from.x, a.min(b));
        let max = Vec2::new(from.x, a.max(b));
        let mut best: Option<(f32, FloorSpot)> = None;
        self.segments(platforms, min, max, |platform, a, b| {
            if !(a.x <= from.x && from.x <= b.x && is_floor(platforms, platform)) {
                return;
            }
            let inner = a.y + (b.y - a.y) * ((from.x - a.x) / (b.x - a.x));
            let heights = if a.x < from.x && from.x < b.x {
                [inner; 2]
            } else {
                // At an end of the segment, or on a step: an agent can stand only
                // on its ends.
                [
                    if a.x == from.x { a.y } else { b.y },
                    if b.x == from.x { b.y } else { a.y },
                ]
            };
            for y in heights {
                let depth = (y - from.y) * down;
                let spot = FloorSpot {
                    platform,
                    position: Vec2::new(from.x, y),
                };
                if (-above..=below).contains(&depth) && is_better(depth, &spot, best.as_ref()) {
                    best = Some((depth, spot));
                }
            }
        });
        best.map(|(_, spot)| spot)
    }

    /// The nearest point within `radius` of a floor, or of a ladder, wall or
    /// ceiling.
    pub(super) fn nearest(
        &self,
        platforms: &Platforms,
        to: Vec2,
        radius: f32,
        floor: bool,
    ) -> Option<FloorSpot> {
        let reach = Vec2::splat(radius);
        let mut best: Option<(f32, FloorSpot)> = None;
        self.segments(platforms, to - reach, to + reach, |platform, a, b| {
            if is_floor(platforms, platform) != floor {
                return;
            }
            let position = if floor {
                nearest_on(a, b, to)
            } else {
                to.clamp(a.min(b), a.max(b))
            };
            let distance = position.distance(to);
            let spot = FloorSpot { platform, position };
            if distance <= radius && is_better(distance, &spot, best.as_ref()) {
                best = Some((distance, spot));
            }
        });
        best.map(|(_, spot)| spot)
    }
}

fn is_floor(platforms: &Platforms, id: PlatformId) -> bool {
    platforms
        .get(id)
        .is_some_and(|p| p.kind == PlatformKind::Floor)
}

/// A segment with this slope or a steeper one is a step. The steepest floor
/// that the tests walk has a slope of 57 (89 degrees), while a step is a ramp
/// as wide as the rounding of positions and has slopes of several 10,000.
const STEEP: f32 = 1e3;

/// The point of a segment of a surface that is nearest to `to`.
pub(crate) fn nearest_on(a: Vec2, b: Vec2, to: Vec2) -> Vec2 {
    let along = b - a;
    let square = along.length_squared();
    if square == 0.0 {
        return a;
    }
    if along.x.abs() * STEEP < along.y.abs() || along.x == 0.0 {
        // A step: an agent can stand only on its ends.
        return if (to.y - a.y).abs() <= (to.y - b.y).abs() {
            a
        } else {
            b
        };
    }
    let t = ((to - a).dot(along) / square).clamp(0.0, 1.0);
    if t >= 1.0 { b } else { a + along * t }
}

/// Whether a spot is nearer than the best so far. Equal distances are decided
/// by platform and x, so that the order of the tree does not matter.
fn is_better(distance: f32, spot: &FloorSpot, best: Option<&(f32, FloorSpot)>) -> bool {
    best.is_none_or(|(least, other)| {
        (distance.total_cmp(least))
            .then(spot.platform.cmp(&other.platform))
            .then(spot.position.x.total_cmp(&other.position.x))
            .is_lt()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_face_of_a_step_holds_no_agent() {
        let [low, high] = [Vec2::new(234.0, 40.0), Vec2::new(234.000_24, 32.0)];
        for (y, end) in [(37.0, low), (35.0, high), (99.0, low), (0.0, high)] {
            for x in [200.0, 234.0, 234.000_1, 300.0] {
                assert_eq!(nearest_on(low, high, Vec2::new(x, y)), end);
                assert_eq!(nearest_on(high, low, Vec2::new(x, y)), end);
            }
        }
        // An agent stands on the steepest slope.
        let slope = nearest_on(Vec2::ZERO, Vec2::new(1.0, 57.0), Vec2::new(0.5, 28.5));
        assert_eq!(slope, Vec2::new(0.5, 28.5));
    }
}
