//! The position at which a body stands in a marker.

use glam::Vec2;

use super::floor_index::FloorSpot;
use super::layer::{LIMIT, Layer};
use super::marker::Marker;
use super::platform::{PlatformKind, Platforms};

impl Platforms {
    /// The position at which a body of `height` (world units) stands in a
    /// marker: the feet are between the left and right sides of the marker's
    /// box, and the body touches the box. Of all such positions, this is the
    /// one nearest to the bottom centre of the box. For a point marker, that is
    /// the floor straight below. Feet are at most `height`, or the grid's
    /// `spacing` if that is larger, below the box. `down` is the change of y
    /// when a point moves down by one unit.
    pub fn spot_in(
        &self,
        marker: &Marker,
        height: f32,
        spacing: f32,
        down: f32,
    ) -> Option<FloorSpot> {
        let [min, max] = marker.bounds(down);
        let feet = marker.feet(down);
        // The same in all units, in spite of rounding.
        let reach = height.max(spacing) * LIMIT;
        let above = (max.y - min.y).max(spacing * 1e-2) * LIMIT;
        let beside = reach * (LIMIT - 1.0);
        let [top, bottom] = [feet.y - above * down, feet.y + reach * down];
        let low = Vec2::new(min.x - beside, top.min(bottom));
        let high = Vec2::new(max.x + beside, top.max(bottom));
        let mut best: Option<(f32, FloorSpot)> = None;
        for platform in self.iter() {
            if platform.kind != PlatformKind::Floor
                || platform.right().x < low.x
                || platform.left().x > high.x
            {
                continue;
            }
            let surface = platform.surface;
            let last = surface.len() - 1;
            // A surface of one point is a segment of length 0.
            for i in 0..last.max(1) {
                let (a, b) = (surface[i], surface[last.min(i + 1)]);
                let Some(position) = nearest(a, b, feet, [low, high]) else {
                    continue;
                };
                let distance = position.distance_squared(feet);
                if best.is_none_or(|(least, _)| distance < least) {
                    let platform = platform.id;
                    best = Some((distance, FloorSpot { platform, position }));
                }
            }
        }
        best.map(|(_, spot)| spot)
    }
}

impl Layer {
    /// The position at which the layer's agent stands in a marker; `None` when
    /// no floor is in reach. See [`Platforms::spot_in`]. Needs the feature
    /// `write`.
    pub fn spot_in(&self, marker: &Marker) -> Option<FloorSpot> {
        let [_, height] = self.profile().body;
        let grid = self.grid();
        (self.parts().platforms).spot_in(marker, height, grid.spacing, grid.y_axis.down())
    }
}

/// The point of a segment nearest to `to`, among those in the box from `low` to
/// `high`; `None` when the segment does not meet the box.
fn nearest(a: Vec2, b: Vec2, to: Vec2, [low, high]: [Vec2; 2]) -> Option<Vec2> {
    let along = b - a;
    // The part of the segment in the box, from 0 at `a` to 1 at `b`.
    let (mut first, mut last) = (0.0_f32, 1.0_f32);
    for axis in 0..2 {
        if along[axis] == 0.0 {
            if !(low[axis]..=high[axis]).contains(&a[axis]) {
                return None;
            }
            continue;
        }
        let ends = [low, high].map(|side| (side[axis] - a[axis]) / along[axis]);
        first = first.max(ends[0].min(ends[1]));
        last = last.min(ends[0].max(ends[1]));
    }
    if first > last {
        return None;
    }
    if along.y == 0.0 {
        // Exact, so that a body stands in the middle of a portal on flat floor.
        let [left, right] = [low.x.max(a.x), high.x.min(b.x)];
        return Some(Vec2::new(to.x.max(left).min(right), a.y));
    }
    let part = (to - a).dot(along) / along.length_squared();
    Some((a + along * part.clamp(first, last)).clamp(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A floor at y 96 from 0 to 100, one at y 48 from 40 to 80, a slope from
    /// (120, 96) up to (160, 56).
    fn platforms(down: f32) -> Platforms {
        let floor = |points: &[[f32; 2]]| -> Vec<Vec2> {
            let points = points.iter();
            points.map(|p| Vec2::new(p[0], p[1] * down)).collect()
        };
        Platforms::new([
            floor(&[[0.0, 96.0], [100.0, 96.0]]),
            floor(&[[40.0, 48.0], [80.0, 48.0]]),
            floor(&[[120.0, 96.0], [160.0, 56.0]]),
        ])
        .unwrap()
    }

    fn spot(position: [f32; 2], size: [f32; 2]) -> Option<(u32, [f32; 2])> {
        let find = |down: f32| {
            let marker = Marker {
                class: "portal".into(),
                name: String::new(),
                position: Vec2::from(position) * Vec2::new(1.0, down),
                size: size.into(),
                properties: Vec::new(),
            };
            let spot = platforms(down).spot_in(&marker, 16.0, 8.0, down)?;
            let at = spot.position * Vec2::new(1.0, down);
            Some((spot.platform.0, at.to_array()))
        };
        let found = find(1.0);
        assert_eq!(found, find(-1.0), "the direction of y does not matter");
        found
    }

    // The position at which an agent enters a portal.
    #[test]
    fn a_point_stands_on_the_floor_straight_below() {
        assert_eq!(spot([20.0, 96.0], [0.0; 2]), Some((0, [20.0, 96.0])));
        assert_eq!(spot([20.0, 82.0], [0.0; 2]), Some((0, [20.0, 96.0])));
        assert_eq!(spot([60.0, 40.0], [0.0; 2]), Some((1, [60.0, 48.0])));
        assert_eq!(
            spot([20.0, 79.0], [0.0; 2]),
            None,
            "out of reach of the body"
        );
        assert_eq!(spot([20.0, 98.0], [0.0; 2]), None, "in the ground");
        assert_eq!(spot([110.0, 96.0], [0.0; 2]), None, "beside it");
    }

    #[test]
    fn a_rectangle_stands_where_it_meets_the_floor() {
        assert_eq!(spot([20.0, 64.0], [16.0, 32.0]), Some((0, [28.0, 96.0])));
        // The middle of the marker is beyond the end of the floor, but some
        // floor is inside the marker.
        assert_eq!(spot([90.0, 64.0], [24.0, 32.0]), Some((0, [100.0, 96.0])));
        // Two floors inside: the lower one is nearer to its bottom.
        assert_eq!(spot([50.0, 30.0], [8.0, 66.0]), Some((0, [54.0, 96.0])));
        // Drawn slightly above the floor, and slightly below it.
        assert_eq!(spot([20.0, 56.0], [16.0, 32.0]), Some((0, [28.0, 96.0])));
        assert_eq!(spot([20.0, 72.0], [16.0, 32.0]), Some((0, [28.0, 96.0])));
        // On a slope: the nearest point, not the one straight below.
        let (platform, [x, y]) = spot([136.0, 46.0], [8.0, 32.0]).unwrap();
        assert_eq!(platform, 2);
        assert!((136.0..=144.0).contains(&x) && (y - (216.0 - x)).abs() < 1e-3);
        assert_eq!(spot([20.0, 110.0], [16.0, 32.0]), None, "in the ground");
    }

    // The nearest point of the slope's line lies above the box, or too far below it.
    #[test]
    fn a_flat_rectangle_stands_on_a_slope_that_its_body_touches() {
        let touches = |at: [f32; 2], size: [f32; 2], expected: [f32; 2]| {
            let (platform, found) = spot(at, size).unwrap();
            let away = Vec2::from(found).distance(expected.into());
            // A place at the limit of its reach is a ten-thousandth of that beyond it.
            assert!(platform == 2 && away < 1e-2, "{found:?}, not {expected:?}");
        };
        // Below the surface: a body with its feet on the upper side touches it.
        touches([136.0, 75.0], [16.0, 1.0], [141.0, 75.0]);
        touches([136.0, 80.0], [8.0, 1.0], [136.0, 80.0]);
        // Above it: the body's head touches the lower side.
        touches([120.0, 70.0], [8.0, 2.0], [128.0, 88.0]);
        assert_eq!(spot([120.0, 69.0], [7.0, 2.0]), None, "out of reach");
        assert_eq!(spot([136.0, 81.0], [8.0, 1.0]), None, "in the ground");
    }
}
