//! Rectangles, and how much of a motion is inside one.

use glam::Vec2;

use crate::mesh::{Fall, Layer, Link, SPEED_SLACK, Trajectory, last_time};

/// An axis-aligned rectangle in world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// The corner with the smaller coordinates.
    pub min: Vec2,
    /// The corner with the larger coordinates.
    pub max: Vec2,
}

impl Rect {
    /// The rectangle between two opposite corners, in any order.
    pub fn new(a: Vec2, b: Vec2) -> Self {
        Self {
            min: a.min(b),
            max: a.max(b),
        }
    }
}

/// The feet positions at which a body overlaps a rectangle: the rectangle
/// grown by the body. Its border is free.
pub fn grown(rect: Rect, layer: &Layer) -> Rect {
    let [width, height] = layer.profile().body;
    let down = layer.grid().y_axis.down();
    // The body reaches up from the feet, so a rectangle reaches down to them.
    let (above, below) = if down > 0.0 {
        (0.0, height)
    } else {
        (height, 0.0)
    };
    Rect {
        min: rect.min - Vec2::new(width / 2.0, above),
        max: rect.max + Vec2::new(width / 2.0, below),
    }
}

/// The feet positions at which a body overlaps a closed door, by more than motions beside
/// it do: they are baked with a skin of a 262,144th of the spacing, and stored in 32 bits.
pub fn closed_to_feet(door: Rect, layer: &Layer) -> Rect {
    let skin = Vec2::splat(layer.grid().spacing / 65536.0);
    let Rect { min, max } = grown(door, layer);
    Rect {
        min: min + skin,
        max: max - skin,
    }
}

/// Whether a point is inside, not on the border.
pub fn contains(rect: Rect, point: Vec2) -> bool {
    rect.min.cmplt(point).all() && point.cmplt(rect.max).all()
}

/// Whether two rectangles have a point in common.
pub fn overlap(a: Rect, b: Rect) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

/// A rectangle that contains the feet on the trajectory of a link, and on those that
/// replace it for an agent with tighter limits and rise at most `least_height` units.
pub fn link_bounds(layer: &Layer, link: &Link, least_height: f64) -> Rect {
    let fall = Fall::from(layer.profile());
    let (mut left, mut right) = (link.from.x.min(link.to.x), link.from.x.max(link.to.x));
    let mut at = f64::from(link.from.x);
    // Across, a trajectory is straight from leg to leg, and one that replaces it
    // covers the same or fewer legs.
    for leg in link.params.legs() {
        at += leg.duration * leg.speed;
        (left, right) = (left.min(at as f32), right.max(at as f32));
    }
    // A leg of constant acceleration may turn back. It goes on the farthest
    // where it ends at its start: with a start speed v and a duration T, by v T / 4.
    if link.params.start_speed().is_some() {
        let aside = 0.25 * SPEED_SLACK * layer.profile().run_speed * link.duration;
        (left, right) = (left - aside, right + aside);
    }
    // Up, each launch adds its height; before a later one, the feet may fall.
    let (mut high, mut last) = (0.0, 0.0_f64);
    for launch in link.params.launches() {
        high += 0.5 * launch.speed * launch.speed / fall.gravity;
        last = last.max(launch.time);
    }
    let high = high.max(least_height);
    let low = 0.5 * fall.gravity * last * last;
    let down = layer.grid().y_axis.down();
    let ends = [link.from.y * down, link.to.y * down];
    let top = ends[0].min(ends[1]) - high as f32;
    let bottom = ends[0].max(ends[1]) + low as f32;
    // Rounding of positions is far below a hundredth of the spacing.
    let slack = Vec2::splat(layer.grid().spacing * 1e-2);
    let (top, bottom) = (Vec2::new(left, top * down), Vec2::new(right, bottom * down));
    Rect::new(top.min(bottom) - slack, top.max(bottom) + slack)
}

/// The part of a straight motion that is inside a rectangle, as fractions of the
/// motion; `None` when it only touches the rectangle.
pub fn segment_inside(rect: Rect, a: Vec2, b: Vec2) -> Option<(f64, f64)> {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (from, to) = (f64::from(a[axis]), f64::from(b[axis]));
        let (low, high) = (f64::from(rect.min[axis]), f64::from(rect.max[axis]));
        if from == to {
            if !(low < from && from < high) {
                return None;
            }
            continue;
        }
        let (s, t) = ((low - from) / (to - from), (high - from) / (to - from));
        enter = enter.max(s.min(t));
        leave = leave.min(s.max(t));
    }
    // A motion of length 0 inside the rectangle is inside from 0 to 1.
    (enter < leave).then_some((enter, leave))
}

/// The time that a link's trajectory is inside a rectangle, seconds.
pub fn arc_inside(rect: Rect, link: &Link, arc: &Trajectory, down: f32) -> f64 {
    let at = |t: f64, axis: usize| arc.position(link.from, down, t)[axis];
    let mut inside = 0.0;
    // Between two knots each coordinate only rises or only falls, so the motion
    // enters and leaves at most once.
    for pair in arc.knots().windows(2) {
        let (mut enter, mut leave) = (pair[0], pair[1]);
        for axis in 0..2 {
            let (low, high) = (f64::from(rect.min[axis]), f64::from(rect.max[axis]));
            let (from, to) = (at(pair[0], axis), at(pair[1], axis));
            if from.max(to) <= low || from.min(to) >= high {
                leave = enter;
                break;
            }
            for bound in [low, high] {
                if (from < bound) == (to < bound) {
                    continue;
                }
                let below = from < bound;
                let crossing = last_time([pair[0], pair[1]], |t| (at(t, axis) < bound) == below);
                let enters = below == (bound == low);
                if enters {
                    enter = enter.max(crossing);
                } else {
                    leave = leave.min(crossing);
                }
            }
        }
        inside += (leave - enter).max(0.0);
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Launch, Leg, PlatformId, StepKind, TrajectoryParams};

    const RECT: Rect = Rect {
        min: Vec2::new(10.0, 10.0),
        max: Vec2::new(20.0, 30.0),
    };

    #[test]
    fn a_straight_motion_is_clipped_and_touching_is_free() {
        let inside = |a: [f32; 2], b: [f32; 2]| segment_inside(RECT, a.into(), b.into());
        assert_eq!(inside([0.0, 15.0], [40.0, 15.0]), Some((0.25, 0.5)));
        assert_eq!(inside([40.0, 15.0], [0.0, 15.0]), Some((0.5, 0.75)));
        assert_eq!(inside([15.0, 15.0], [15.0, 15.0]), Some((0.0, 1.0)));
        assert_eq!(inside([0.0, 10.0], [40.0, 10.0]), None);
        assert_eq!(inside([0.0, 0.0], [10.0, 10.0]), None);
        assert_eq!(inside([0.0, 20.0], [10.0, 0.0]), None);
    }

    #[test]
    fn time_inside_agrees_with_sampling() {
        let launch = Launch {
            time: 0.1,
            speed: 150.0,
        };
        let legs = [[0.2, 0.0], [0.3, 80.0]].map(|[duration, speed]| Leg { duration, speed });
        let params = TrajectoryParams::new(&[launch], &legs).unwrap();
        let (from, to) = (Vec2::new(0.0, 20.0), Vec2::new(40.0, 25.0));
        for down in [1.0, -1.0] {
            let arc = params.between(from, to, 400.0, down).unwrap();
            let link = Link {
                kind: StepKind::Jump,
                from_platform: PlatformId(0),
                to_platform: PlatformId(0),
                from,
                to,
                duration: arc.duration as f32,
                tolerance: 0.0,
                params,
            };
            for rect in [
                RECT,
                Rect::new(Vec2::new(-50.0, -9.0), Vec2::new(90.0, 21.0)),
                Rect::new(Vec2::new(5.0, -90.0), Vec2::new(6.0, 90.0)),
                Rect::new(Vec2::new(-9.0, 20.5), Vec2::new(90.0, 45.0)),
                Rect::new(Vec2::new(400.0, 0.0), Vec2::new(500.0, 9.0)),
            ] {
                const COUNT: u32 = 40_000;
                let tick = arc.duration / f64::from(COUNT);
                let sampled: f64 = (0..COUNT)
                    .map(|i| arc.offset((f64::from(i) + 0.5) * tick).as_vec2())
                    .filter(|o| contains(rect, from + Vec2::new(o.x, -down * o.y)))
                    .map(|_| tick)
                    .sum();
                let exact = arc_inside(rect, &link, &arc, down);
                assert!(
                    (exact - sampled).abs() < 4.0 * tick,
                    "{rect:?} {exact} {sampled}"
                );
            }
        }
    }
}
