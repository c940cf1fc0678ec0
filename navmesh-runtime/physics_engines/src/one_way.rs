//! Where a body rests on a one-way top.

use glam::Vec2;

/// The lower end of a body.
#[derive(Clone, Copy)]
pub(crate) struct Bottom {
    pub(crate) feet: Vec2,
    /// Half of its width.
    pub(crate) half: f32,
    /// Whether it is half of a circle.
    pub(crate) is_round: bool,
}

/// The corners of a rectangle.
pub(crate) fn rectangle(min: Vec2, max: Vec2) -> Vec<Vec2> {
    vec![min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)]
}

/// The height of the upper side of a convex shape; y grows downwards.
fn top_at(corners: &[Vec2], x: f32) -> f32 {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    let heights = sides.filter_map(|(a, b)| {
        let (a, b) = if a.x < b.x { (a, b) } else { (b, a) };
        let share = if a.x < b.x {
            (x - a.x) / (b.x - a.x)
        } else {
            0.0
        };
        (a.x <= x && x <= b.x).then_some(a.y + share * (b.y - a.y))
    });
    heights.fold(f32::INFINITY, f32::min)
}

/// The height of the feet of a body that rests on a convex shape. Where the shape is
/// beside the body, it is as if it touched it: so a body that stands before the lower end
/// of a slope is above it.
pub(crate) fn rest(corners: &[Vec2], bottom: Bottom) -> f32 {
    const PIECES: u32 = 32;
    let xs = corners.iter().map(|corner| corner.x);
    let (left, right) = (
        xs.clone().fold(f32::INFINITY, f32::min),
        xs.clone().fold(f32::NEG_INFINITY, f32::max),
    );
    let half = bottom.half;
    let offsets = (0..=PIECES).map(|k| half * (2.0 * k as f32 / PIECES as f32 - 1.0));
    let own = xs
        .map(|x| x - bottom.feet.x)
        .filter(|off| off.abs() <= half);
    let heights = offsets.chain(own).filter_map(|off| {
        let x = bottom.feet.x + off;
        (left <= x && x <= right).then(|| {
            let up = if bottom.is_round {
                half - (half * half - off * off).max(0.0).sqrt()
            } else {
                0.0
            };
            top_at(corners, x) + up
        })
    });
    let lowest = heights.fold(f32::INFINITY, f32::min);
    if lowest.is_finite() {
        return lowest;
    }
    let up = if bottom.is_round { half } else { 0.0 };
    top_at(corners, bottom.feet.x.clamp(left, right)) + up
}
