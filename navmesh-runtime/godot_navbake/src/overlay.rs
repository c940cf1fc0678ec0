//! Drawing of levels and paths.

use godot::classes::{Node2D, ThemeDb};
use godot::prelude::*;
use navmesh_runtime::mesh::{Layer, Link, StepKind};
use navmesh_runtime::motion::Airborne;

use crate::to_godot;

/// Seconds between the points of a jump that is drawn.
const STEP: f64 = 1.0 / 30.0;

/// Draws the platforms and links of a layer on a node at the origin of its level.
pub fn draw_layer(canvas: &mut Gd<Node2D>, layer: &Layer) {
    let floor = Color::from_rgba(0.25, 0.85, 0.4, 0.9);
    for platform in layer.platforms() {
        let points = platform.surface.iter().map(|&at| to_godot(at));
        draw_line(canvas, points, floor, 2.0);
    }
    for link in layer.links() {
        draw_line(canvas, link_points(layer, link), color(link.kind), 1.0);
    }
}

/// Draws a line through some points.
pub fn draw_line(
    canvas: &mut Gd<Node2D>,
    points: impl IntoIterator<Item = Vector2>,
    color: Color,
    width: f32,
) {
    let points: PackedVector2Array = points.into_iter().collect();
    if points.len() > 1 {
        let line = canvas.draw_polyline_ex(&points, color);
        line.width(width).done();
    }
}

/// Draws two places, and what is to say of the way from one to the other.
pub fn draw_explained(canvas: &mut Gd<Node2D>, ends: [Option<Vector2>; 2], text: &GString) {
    for at in ends.into_iter().flatten() {
        canvas.draw_circle(at, 3.0, Color::WHITE);
    }
    let font = ThemeDb::singleton().get_fallback_font();
    if let (Some(font), [Some(from), Some(to)]) = (font, ends) {
        canvas.draw_dashed_line(from, to, Color::WHITE);
        let at = from.lerp(to, 0.5) - Vector2::new(0.0, 6.0);
        canvas.draw_string_ex(&font, at, text).font_size(8).done();
    }
}

/// The motion along a link.
pub fn link_points(layer: &Layer, link: &Link) -> Vec<Vector2> {
    let mut points = vec![to_godot(link.from)];
    if let Some(mut jump) = Airborne::along(link, layer, layer.profile()) {
        while jump.advance(STEP).is_none() {
            points.push(to_godot(jump.position()));
        }
    }
    points.push(to_godot(link.to));
    points
}

fn color(kind: StepKind) -> Color {
    match kind {
        StepKind::Jump => Color::from_rgba(0.3, 0.6, 1.0, 0.45),
        StepKind::Portal => Color::from_rgba(0.7, 0.4, 1.0, 0.6),
        _ => Color::from_rgba(1.0, 0.65, 0.2, 0.45),
    }
}
