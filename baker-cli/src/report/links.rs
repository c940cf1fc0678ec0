//! The lines of links.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Layer, Link, Trajectory};

/// The trajectory of a link; `None` for links that are not airborne.
pub fn trajectory_of(link: &Link, layer: &Layer) -> Option<Trajectory> {
    let down = layer.grid().y_axis.down();
    link.trajectory(layer.profile(), down).ok()
}

/// The line of the feet along a link: between changes of its motion, pieces of
/// at most `length` world units, or `most` longer ones.
pub fn curve(link: &Link, layer: &Layer, length: f32, most: u32) -> Vec<Vec2> {
    let Some(trajectory) = trajectory_of(link, layer) else {
        return vec![link.from, link.to];
    };
    let up = DVec2::new(1.0, -f64::from(layer.grid().y_axis.down()));
    let mut line = Vec::new();
    for pair in trajectory.knots().windows(2) {
        let way = trajectory.offset(pair[1]) - trajectory.offset(pair[0]);
        let pieces = (way.length() / f64::from(length)).ceil();
        let pieces = pieces.clamp(1.0, f64::from(most));
        for i in 0..pieces as u32 {
            let t = pair[0] + (pair[1] - pair[0]) * f64::from(i) / pieces;
            line.push((link.from.as_dvec2() + trajectory.offset(t) * up).as_vec2());
        }
    }
    line.push(link.to);
    line
}

/// A point of the arc that represents a portal, at a share of its way (0 to 1).
/// The arc bends upwards by at most `lift`, so that floor between the ends
/// does not hide it. `down` is 1 where y grows downwards, otherwise -1.
pub fn portal_arc([from, to]: [Vec2; 2], lift: f32, down: f32, part: f32) -> Vec2 {
    let lift = (0.15 * (to.x - from.x).abs()).min(lift);
    let up = lift * 4.0 * part * (1.0 - part);
    from.lerp(to, part) - Vec2::new(0.0, up * down)
}
