//! Portals: a ring at each end, and a dashed line between the two that points
//! to where one comes out.

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, LinkKind};

use super::canvas::Canvas;
use super::{BACKGROUND, PORTAL, View, arrow_head};

/// Draws the portals of a layer.
pub(super) fn draw(canvas: &mut Canvas, view: &View<'_>, layer: &Layer) {
    let portals = layer.links().iter().filter(|l| l.kind == LinkKind::Portal);
    let radius = view.width(0.3, 3.0, 7.0);
    for link in portals {
        let (from, to) = (view.point(link.from), view.point(link.to));
        let along = (to - from).normalize_or_zero();
        dashes(
            canvas,
            from + along * radius,
            to - along * radius,
            view.width(0.35, 3.0, 8.0),
        );
        let head = [from, to - along * (radius + 1.0)];
        arrow_head(canvas, &head, view.width(0.4, 3.0, 9.0), PORTAL);
        for end in [from, to] {
            canvas.disc(end, radius, PORTAL);
            canvas.disc(end, radius * 0.6, BACKGROUND);
        }
    }
}

/// A dashed line, a dash as long as a gap.
fn dashes(canvas: &mut Canvas, from: Vec2, to: Vec2, dash: f32) {
    let length = (to - from).length();
    // Whole dashes, one at each end; both ways of a pair fall together.
    let count = ((length / dash - 1.0) / 2.0).floor().max(0.0) as u32;
    let pieces = 2.0 * count as f32 + 1.0;
    for i in 0..=count {
        let at = |piece: f32| from.lerp(to, piece / pieces);
        let start = 2.0 * i as f32;
        canvas.stroke(&[at(start), at(start + 1.0)], 1.6, PORTAL.alpha(0.8));
    }
}
