//! The lines of links.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Layer, Link, StepKind, Trajectory};

/// The trajectory of a link; `None` for links that are not airborne.
pub fn trajectory_of(link: &Link, layer: &Layer) -> Option<Trajectory> {
    let down = layer.grid().y_axis.down();
    link.trajectory(layer.profile(), down).ok()
}

/// A portal is drawn as an arc of so many pieces, so that floor between its ends does not hide it.
/// It rises by at most so many cells.
const ARC_PIECES: u8 = 48;
const ARC_LIFT: f32 = 4.0;

/// The line of the feet along a link: between changes of its motion, pieces of
/// at most `length` world units, or `most` longer ones. That of a portal is an arc.
pub fn curve(link: &Link, layer: &Layer, length: f32, most: u32) -> Vec<Vec2> {
    let (grid, mut line) = (layer.grid(), Vec::new());
    if link.kind == StepKind::Portal {
        let rise = (0.15 * (link.to.x - link.from.x).abs()).min(ARC_LIFT * grid.spacing);
        for i in 0..=ARC_PIECES {
            let part = f32::from(i) / f32::from(ARC_PIECES);
            let up = Vec2::new(0.0, -4.0 * rise * part * (1.0 - part) * grid.y_axis.down());
            line.push(link.from.lerp(link.to, part) + up);
        }
        return line;
    }
    let Some(trajectory) = trajectory_of(link, layer) else {
        return vec![link.from, link.to];
    };
    let up = DVec2::new(1.0, -f64::from(grid.y_axis.down()));
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
