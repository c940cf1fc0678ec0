//! Where an agent waits for a target.

use glam::Vec2;

use super::columns::Columns;
use super::regions::Rect;
use crate::mesh::{FloorSpot, Layer, PlatformKind, is_step, nearest_on};

/// The end of a platform is rounded to `f32`: see the constant of this name in `snap`.
const ROUNDING: f32 = 2e-3;

/// The body of a target.
#[derive(Debug, Clone, Copy)]
pub struct TargetBody {
    feet: Vec2,
    /// Width and height, world units.
    size: Vec2,
    rect: Rect,
}

impl TargetBody {
    /// A target with its feet at a position, by default as large as the agent of a layer.
    pub fn new(layer: &Layer, feet: Vec2, size: Option<[f32; 2]>) -> Self {
        let is_size = |size: &[f32; 2]| size.iter().all(|s| s.is_finite() && *s >= 0.0);
        let size = Vec2::from(size.filter(is_size).unwrap_or(layer.profile().body));
        let half = Vec2::new(size.x / 2.0, 0.0);
        let head = Vec2::new(0.0, -size.y * layer.grid().y_axis.down());
        Self {
            feet,
            size,
            rect: Rect::new(feet - half, feet + half + head),
        }
    }

    /// How far a point is from the body, and then from the feet.
    fn distance(&self, to: Vec2) -> [f32; 2] {
        let nearest = to.clamp(self.rect.min, self.rect.max);
        [nearest.distance(to), self.feet.distance(to)]
    }

    /// The point of a segment of a floor that is nearest to the body, and of several
    /// inside of it the one nearest to the feet.
    fn nearest_on(&self, a: Vec2, b: Vec2) -> Vec2 {
        if is_step(a, b) {
            return nearest_on(a, b, self.feet);
        }
        if let Some([a, b]) = self.part_inside(a, b) {
            return nearest_on(a, b, self.feet);
        }
        // Of two shapes that do not overlap, a corner of one is nearest to the other.
        let Rect { min, max } = self.rect;
        let corners = [min, max, Vec2::new(min.x, max.y), Vec2::new(max.x, min.y)];
        let points = corners.map(|corner| nearest_on(a, b, corner));
        let points = points.into_iter().chain([a, b]);
        points
            .min_by(|p, q| self.distance(*p)[0].total_cmp(&self.distance(*q)[0]))
            .unwrap_or(a)
    }

    /// The part of a segment inside the body.
    fn part_inside(&self, a: Vec2, b: Vec2) -> Option<[Vec2; 2]> {
        let along = b - a;
        let (mut first, mut last) = (0.0_f32, 1.0_f32);
        for axis in 0..2 {
            let (low, high) = (self.rect.min[axis] - a[axis], self.rect.max[axis] - a[axis]);
            if along[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (s, t) = (low / along[axis], high / along[axis]);
            (first, last) = (first.max(s.min(t)), last.min(s.max(t)));
        }
        (first <= last).then(|| [a.lerp(b, first), a.lerp(b, last)])
    }
}

/// See [`SnapTo::Target`](super::snap::SnapTo::Target).
pub fn place_of_target(layer: &Layer, target: &TargetBody) -> Option<FloorSpot> {
    if !target.feet.is_finite() {
        return None;
    }
    let (spacing, own) = (layer.grid().spacing, Vec2::from(layer.profile().body));
    let rounding = spacing * ROUNDING;
    let support = support(layer, target);
    let drop = support.map_or(f32::INFINITY, |spot| {
        (spot.position.y - target.feet.y).abs()
    });
    // The target may hold on to a ladder beside its middle. A wall is half a width away from
    // its feet, a ceiling a height.
    let off = (own - target.size).abs() * Vec2::new(0.5, 1.0) + rounding;
    let lands = |spot: &FloorSpot| {
        // A taller agent is blocked below a ceiling that the target fits under.
        let taller = (own.y - target.size.y).max(0.0) * layer.grid().y_axis.down();
        let from = target.feet + Vec2::new(0.0, taller);
        Columns::beside(layer, from).may_be_open(spot.position.y, reach_across(layer, target))
    };
    (support.filter(|_| drop <= spacing))
        .or_else(|| layer.nearest_hold(target.feet, off.max_element().max(spacing)))
        .or_else(|| support.filter(lands))
        .or_else(|| nearest_place(layer, target))
}

/// How far the feet of an agent may be from those of a target across, so that the bodies
/// touch.
fn reach_across(layer: &Layer, target: &TargetBody) -> f32 {
    f32::midpoint(target.size.x, layer.profile().body[0]) + layer.grid().spacing * ROUNDING
}

/// The highest floor below a target, at the point nearest to its feet where the body of the
/// agent touches the column below the body of the target. Bodies that touch the same wall,
/// or stand on the same end of a platform, touch each other.
fn support(layer: &Layer, target: &TargetBody) -> Option<FloorSpot> {
    let (profile, down) = (layer.profile(), layer.grid().y_axis.down());
    let (feet, across) = (target.feet, reach_across(layer, target));
    let rounding = layer.grid().spacing * ROUNDING;
    // On a slope and on steps, a wider body stands higher.
    let wider = (profile.body[0] - target.size.x).max(0.0);
    let above = wider * profile.max_slope.to_radians().tan() + profile.step_height + rounding;
    let ends = [feet.y - above * down, f32::INFINITY * down];
    let min = Vec2::new(feet.x - across, ends[0].min(ends[1]));
    let max = Vec2::new(feet.x + across, ends[0].max(ends[1]));
    let mut best: Option<([f32; 2], FloorSpot)> = None;
    layer.floor_segments(min, max, |platform, _, _| {
        let on = layer.platform(platform);
        let Some(on) = on.filter(|on| on.kind == PlatformKind::Floor) else {
            return;
        };
        let position = on.clamp(feet.x);
        let (aside, depth) = ((position.x - feet.x).abs(), (position.y - feet.y) * down);
        if aside <= across && depth >= -above {
            let spot = FloorSpot { platform, position };
            keep_better(&mut best, [depth.abs(), aside], spot);
        }
    });
    best.map(|(_, spot)| spot)
}

/// The place nearest to a target, at any distance.
fn nearest_place(layer: &Layer, target: &TargetBody) -> Option<FloorSpot> {
    let grid = layer.grid();
    let extent = (grid.columns.max(grid.rows)) as f32 * grid.spacing;
    let mut radius = 2.0 * grid.spacing;
    loop {
        let reach = Vec2::splat(radius);
        let mut best: Option<([f32; 2], FloorSpot)> = None;
        let (min, max) = (target.rect.min - reach, target.rect.max + reach);
        layer.floor_segments(min, max, |platform, a, b| {
            let kind = layer.platform(platform).map(|on| on.kind);
            let position = if kind == Some(PlatformKind::Floor) {
                target.nearest_on(a, b)
            } else {
                target.feet.clamp(a.min(b), a.max(b))
            };
            let spot = FloorSpot { platform, position };
            keep_better(&mut best, target.distance(position), spot);
        });
        let is_nearest = |(distance, _): &([f32; 2], FloorSpot)| distance[0] <= radius;
        if radius.is_infinite() || best.as_ref().is_some_and(is_nearest) {
            return best.map(|(_, spot)| spot);
        }
        // Outside of the level, it may be farther away than that is large.
        radius = if radius > extent {
            f32::INFINITY
        } else {
            4.0 * radius
        };
    }
}

/// Keeps the spot with the smaller key; of equal ones, that on the platform with the smaller
/// number, so that the order of the index does not matter.
fn keep_better(best: &mut Option<([f32; 2], FloorSpot)>, key: [f32; 2], spot: FloorSpot) {
    let is_better = |(least, other): &([f32; 2], FloorSpot)| {
        (key[0].total_cmp(&least[0]))
            .then(key[1].total_cmp(&least[1]))
            .then(spot.platform.cmp(&other.platform))
            .then(spot.position.x.total_cmp(&other.position.x))
            .is_lt()
    };
    if best.as_ref().is_none_or(is_better) {
        *best = Some((key, spot));
    }
}
