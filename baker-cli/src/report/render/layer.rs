//! The picture of one layer.

use glam::Vec2;
use navmesh_runtime::mesh::{
    Cell, Direction, EdgeSet, Layer, Link, LinkKind, NavMesh, PlatformKind, Terrain,
};

use super::canvas::Canvas;
use super::legend::Legend;
use super::palette::{
    BACKGROUND, BARRIER, CLIMB, DROP, FLOOR, FLY, IN_AIR, INSIDE, JUMP, ON_FLOOR, PORTAL, ROUTE,
    SOLID,
};
use super::projection::{Projection, highest};
use crate::report::links::trajectory_of;

/// Draws a layer of a mesh and on top of it a path: the line of the feet in
/// world units, or nothing.
pub fn render(mesh: &NavMesh, layer: &Layer, route: &[Vec2]) -> image::RgbImage {
    let view = Projection::new(mesh.grid(), highest(mesh.grid(), layer));
    let [width, height] = view.size();
    let legend = Legend::of_layer(mesh, layer, [width, height], !route.is_empty());
    let mut canvas = Canvas::new(width, height + legend.height(), BACKGROUND);
    solid(&mut canvas, &view, layer);
    if layer.profile().edges.contains(EdgeSet::FLY) {
        fly_edges(&mut canvas, &view, layer);
    }
    vertices(&mut canvas, &view, layer);
    // Drops are fewer than jumps, and floors fewer than both: the rarest goes
    // on top.
    for drops in [false, true] {
        let is_drop = |l: &&Link| (l.kind != LinkKind::Jump) == drops;
        for link in layer.links().iter().filter(is_drop) {
            draw_link(&mut canvas, &view, layer, link);
        }
    }
    floor(&mut canvas, &view, layer);
    barriers(&mut canvas, &view, layer);
    portals(&mut canvas, &view, layer);
    draw_route(&mut canvas, &view, route);
    legend.draw(&mut canvas, height);
    canvas.into_image()
}

/// Tints the cells where the feet cannot be.
pub(super) fn solid(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let half = view.scale / 2.0;
    for row in 0..view.grid.rows {
        for run in layer.blocked().runs(row) {
            let min = view.vertex(run.start, row) - half;
            let max = view.vertex(run.end - 1, row) + half;
            canvas.rect(min, max, SOLID);
        }
    }
}

/// Fly edges, faint because there are many.
fn fly_edges(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let grid = view.grid;
    let colour = FLY.alpha(view.width(0.007, 0.03, 0.14));
    let free = |column: u32, row: u32| {
        column < grid.columns && row < grid.rows && !layer.blocked().get(column, row)
    };
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            if !free(column, row) {
                continue;
            }
            let right = free(column + 1, row);
            let below = free(column, row + 1);
            let here = view.vertex(column, row);
            if right {
                canvas.stroke(&[here, view.vertex(column + 1, row)], 1.0, colour);
            }
            if below {
                canvas.stroke(&[here, view.vertex(column, row + 1)], 1.0, colour);
            }
            if right && below && free(column + 1, row + 1) {
                let corner = view.vertex(column + 1, row + 1);
                canvas.stroke(&[here, corner], 1.0, colour);
                let (a, b) = (view.vertex(column + 1, row), view.vertex(column, row + 1));
                canvas.stroke(&[a, b], 1.0, colour);
            }
        }
    }
}

/// One dot per vertex; vertices on floor are drawn with the platforms.
fn vertices(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let grid = view.grid;
    let radius = view.width(0.07, 0.5, 1.7);
    let faint = view.width(0.04, 0.12, 0.8);
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let colour = match layer.terrain(Cell { column, row }) {
                Terrain::InAir => IN_AIR.alpha(0.75 * faint),
                Terrain::InsideGeometry => INSIDE.alpha(faint),
                Terrain::OnWall | Terrain::OnCeiling => CLIMB.alpha(faint),
                Terrain::OnFloor => continue,
            };
            canvas.disc(view.vertex(column, row), radius, colour);
        }
    }
}

/// Floors along their exact surface, with dots where agents stand at a vertex;
/// ladders, walls and ceilings as lines.
fn floor(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let radius = view.width(0.13, 0.9, 3.2);
    for platform in layer.platforms().iter() {
        let mut surface: Vec<Vec2> = platform.surface().iter().map(|p| view.point(*p)).collect();
        if let [only] = surface[..] {
            surface.push(only);
        }
        let width = view.width(0.09, 1.6, 2.4);
        if platform.kind() != PlatformKind::Floor {
            canvas.stroke(&surface, width, CLIMB);
            continue;
        }
        canvas.stroke(&surface, width, FLOOR);
        for column in platform.columns(view.grid) {
            let x = view.grid.column_x(column);
            canvas.disc(view.point(platform.clamp(x)), radius, ON_FLOOR);
        }
    }
}

/// The curve of a link. It leans a little to the left of its direction, so that
/// a link back along the same curve does not hide it.
fn draw_link(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer, link: &Link) {
    let Some(trajectory) = trajectory_of(link, layer) else {
        return;
    };
    let down = f64::from(view.grid.y_axis.down());
    let at = |t: f64| {
        let offset = trajectory.offset(t) * glam::DVec2::new(1.0, -down);
        view.point((link.from.as_dvec2() + offset).as_vec2())
    };
    let duration = trajectory.duration();
    let knots = trajectory.knots();
    let mut line = Vec::new();
    for pair in knots.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        // Pieces a few pixels long.
        let steps = ((at(to) - at(from)).length() / 4.0).ceil().clamp(1.0, 64.0) as u32;
        for i in 0..steps {
            let t = from + (to - from) * f64::from(i) / f64::from(steps);
            line.push((t, at(t)));
        }
    }
    line.push((duration, at(duration)));
    let lean = view.width(0.12, 0.6, 2.5);
    let bent: Vec<Vec2> = (0..line.len())
        .map(|i| {
            let (t, p) = line[i];
            let before = line[i.saturating_sub(1)].1;
            let after = line[(i + 1).min(line.len() - 1)].1;
            let along = (after - before).normalize_or_zero();
            let bow = (std::f64::consts::PI * t / duration.max(1e-9)).sin() as f32;
            p - along.perp() * lean * bow
        })
        .collect();
    let colour = match link.kind {
        LinkKind::Jump => JUMP,
        _ => DROP,
    };
    let width = view.width(0.08, 1.0, 1.8);
    // In small pictures, curves that overlap show through each other.
    let alpha = view.width(0.045, 0.4, 0.85);
    canvas.stroke(&bent, width, colour.alpha(alpha));
    canvas.arrow_head(&bent, view.width(0.32, 2.5, 8.0), colour.alpha(alpha));
}

/// The path, with an outline in the colour of the background.
fn draw_route(canvas: &mut Canvas, view: &Projection<'_>, route: &[Vec2]) {
    let line: Vec<Vec2> = route.iter().map(|p| view.point(*p)).collect();
    let (Some(&start), Some(&end)) = (line.first(), line.last()) else {
        return;
    };
    let width = view.width(0.2, 2.5, 4.5);
    canvas.stroke(&line, width + 3.0, BACKGROUND.alpha(0.75));
    canvas.stroke(&line, width, ROUTE);
    let radius = view.width(0.35, 4.0, 8.0);
    canvas.disc(start, radius + 1.5, BACKGROUND);
    canvas.disc(start, radius, ROUTE);
    canvas.disc(end, radius + 1.5, BACKGROUND);
    canvas.disc(end, radius, ROUTE);
    canvas.disc(end, radius * 0.5, BACKGROUND);
}

/// One-way barriers: lines with arrow heads in the direction of passage.
fn barriers(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let head = view.width(0.4, 3.0, 9.0);
    for barrier in layer.barriers() {
        let [from, to] = barrier.ends().map(|end| view.point(end));
        canvas.stroke(&[from, to], view.width(0.09, 1.6, 2.4), BARRIER);
        // In a picture y grows downwards.
        let along = match barrier.pass {
            Direction::Left => Vec2::NEG_X,
            Direction::Right => Vec2::X,
            _ => Vec2::Y,
        };
        let count = ((to - from).length() / (3.0 * head)).floor().max(1.0);
        for i in 0..count as u32 {
            let tip = from.lerp(to, (i as f32 + 0.5) / count) + along * head;
            canvas.arrow_head(&[tip - along * head, tip], head, BARRIER);
        }
    }
}

/// Portals: a ring at each end, and between them a dashed arc that points to
/// the exit. It bows upwards, so that floor between the ends does not hide it.
fn portals(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let portals = layer.links().iter().filter(|l| l.kind == LinkKind::Portal);
    let radius = view.width(0.3, 3.0, 7.0);
    for link in portals {
        let (from, to) = (view.point(link.from), view.point(link.to));
        let lift = ((to.x - from.x).abs() * 0.15).min(view.width(4.0, 20.0, 100.0));
        let curve = PortalArc { from, to, lift };
        curve.dashes(canvas, view.width(0.35, 3.0, 8.0));
        // The tip touches the ring.
        let tail = curve.at(0.9);
        let tip = to - (to - tail).normalize_or_zero() * radius;
        canvas.arrow_head(&[tail, tip], view.width(0.4, 3.0, 9.0), PORTAL);
        for end in [from, to] {
            canvas.disc(end, radius, PORTAL);
            canvas.disc(end, radius * 0.6, BACKGROUND);
        }
    }
}

/// A parabola between two points of a picture, `lift` above their line at its
/// top.
struct PortalArc {
    from: Vec2,
    to: Vec2,
    lift: f32,
}

impl PortalArc {
    fn at(&self, part: f32) -> Vec2 {
        let up = self.lift * 4.0 * part * (1.0 - part);
        self.from.lerp(self.to, part) - Vec2::new(0.0, up)
    }

    /// Draws dashes and gaps of about the same length; the same for both
    /// directions of a pair.
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
