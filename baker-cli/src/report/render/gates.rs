//! One-way walls and ceilings: the line that feet cross one way only, with
//! arrow heads that point that way.

use glam::Vec2;
use navmesh_runtime::mesh::{Direction, Layer};

use super::canvas::Canvas;
use super::{GATE, View, arrow_head};

/// Draws the gates of a layer.
pub(super) fn draw(canvas: &mut Canvas, view: &View<'_>, layer: &Layer) {
    let head = view.width(0.4, 3.0, 9.0);
    for gate in layer.barriers() {
        let [from, to] = gate.ends().map(|end| view.point(end));
        canvas.stroke(&[from, to], view.width(0.09, 1.6, 2.4), GATE);
        // In a picture y grows downwards.
        let along = match gate.pass {
            Direction::Left => Vec2::NEG_X,
            Direction::Right => Vec2::X,
            _ => Vec2::Y,
        };
        let count = ((to - from).length() / (3.0 * head)).floor().max(1.0);
        for i in 0..count as u32 {
            let tip = from.lerp(to, (i as f32 + 0.5) / count) + along * head;
            arrow_head(canvas, &[tip - along * head, tip], head, GATE);
        }
    }
}
