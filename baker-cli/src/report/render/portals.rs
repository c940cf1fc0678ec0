//! Portals: a ring at each end, and a dashed line between the two that points
//! to where one comes out. It bows upwards, so that floor between them does
//! not hide it.

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
        let lift = ((to.x - from.x).abs() * 0.15).min(view.width(4.0, 20.0, 100.0));
        let curve = Curve { from, to, lift };
        curve.dashes(canvas, view.width(0.35, 3.0, 8.0));
        // The tip touches the ring.
        let tail = curve.at(0.9);
        let tip = to - (to - tail).normalize_or_zero() * radius;
        arrow_head(canvas, &[tail, tip], view.width(0.4, 3.0, 9.0), PORTAL);
        for end in [from, to] {
            canvas.disc(end, radius, PORTAL);
            canvas.disc(end, radius * 0.6, BACKGROUND);
        }
    }
}

/// A parabola between two points of a picture, so much above their line.
struct Curve {
    from: Vec2,
    to: Vec2,
    lift: f32,
}

impl Curve {
    fn at(&self, part: f32) -> Vec2 {
        let up = self.lift * 4.0 * part * (1.0 - part);
        self.from.lerp(self.to, part) - Vec2::new(0.0, up)
    }

    /// Dashes about so long, and gaps as long between them; the same for both
    /// ways of a pair.
    fn dashes(&self, canvas: &mut Canvas, dash: f32) {
        let length = (self.to - self.from).length() + self.lift;
        let count = ((length / dash - 1.0) / 2.0).floor().max(0.0) as u32;
        let pieces = 2.0 * count as f32 + 1.0;
        for i in 0..=count {
            let start = 2.0 * i as f32;
            let line = [start, start + 0.5, start + 1.0].map(|piece| self.at(piece / pieces));
            canvas.stroke(&line, 1.6, PORTAL.alpha(0.8));
        }
    }
}
