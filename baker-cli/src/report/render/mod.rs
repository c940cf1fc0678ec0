//! A picture of a layer, in the colours of the field: vertices white in air,
//! green on floor, red inside geometry; edges white flying, green floor, blue
//! jump, red drop; an agent's path on top.
//!
//! - `canvas`: what strokes and dots do to pixels.
//! - `compare`: two bakes in one picture.
//! - `film`: an animation of an agent that moves.
//! - `font`: letters for the legend.
//! - `gates`: one-way walls and ceilings.
//! - `legend`: what the colours mean.
//! - `portals`: ways that are no motion.

mod canvas;
mod compare;
mod film;
mod font;
mod gates;
mod legend;
mod portals;

use glam::Vec2;
use navmesh_runtime::mesh::{
    Cell, EdgeSet, Grid, Layer, Link, LinkKind, NavMesh, PlatformKind, Terrain,
};

use super::facts::arc_of;
use canvas::{Canvas, Colour};
pub use compare::compare;
pub use film::film;

/// The longest side of a picture, in pixels, legend aside.
const MAX_SIDE: f32 = 4096.0;
/// Pixels from vertex to vertex, at most.
const MAX_SCALE: f32 = 24.0;
/// Cells left free around the grid.
const MARGIN: f32 = 1.0;

const BACKGROUND: Colour = Colour::hex(0x10_1318);
const SOLID: Colour = Colour::hex(0x2a_1619);
const IN_AIR: Colour = Colour::hex(0xff_ffff);
const ON_FLOOR: Colour = Colour::hex(0x3d_dc68);
const INSIDE: Colour = Colour::hex(0xc2_3b3b);
const FLY: Colour = Colour::hex(0xff_ffff);
const FLOOR: Colour = Colour::hex(0x2f_b457);
const CLIMB: Colour = Colour::hex(0x27_c4c4);
const JUMP: Colour = Colour::hex(0x4c_9dff);
const DROP: Colour = Colour::hex(0xff_5a4f);
const GATE: Colour = Colour::hex(0xff_a53d);
const PORTAL: Colour = Colour::hex(0xb4_7cff);
const ROUTE: Colour = Colour::hex(0xff_d63d);
const TEXT: Colour = Colour::hex(0xd8_dde6);

/// Draws a layer of a mesh, and on top a path: the positions an agent's feet
/// go through, world units; empty for none.
pub fn render(mesh: &NavMesh, layer: &Layer, route: &[Vec2]) -> image::RgbImage {
    let view = View::new(mesh.grid(), highest(mesh.grid(), layer));
    let [width, height] = view.size();
    let legend = legend::Legend::new(mesh, layer, [width, height], !route.is_empty());
    let mut canvas = Canvas::new(width, height + legend.height(), BACKGROUND);
    solid(&mut canvas, &view, layer);
    if layer.profile().edges.contains(EdgeSet::FLY) {
        fly_edges(&mut canvas, &view, layer);
    }
    vertices(&mut canvas, &view, layer);
    // There are fewer drops than jumps, and less floor than either: what is
    // rarer goes on top.
    for drops in [false, true] {
        let is_drop = |l: &&Link| (l.kind != LinkKind::Jump) == drops;
        for link in layer.links().iter().filter(is_drop) {
            draw_link(&mut canvas, &view, layer, link);
        }
    }
    floor(&mut canvas, &view, layer);
    gates::draw(&mut canvas, &view, layer);
    portals::draw(&mut canvas, &view, layer);
    draw_route(&mut canvas, &view, route);
    legend.draw(&mut canvas, height);
    canvas.into_image()
}

/// From the world to the picture.
struct View<'a> {
    grid: &'a Grid,
    /// Pixels from vertex to vertex.
    scale: f32,
    /// Cells left free to the left of the grid and above it; below 0 where
    /// the picture begins inside it.
    corner: Vec2,
    /// Cells across and down.
    cells: Vec2,
}

impl<'a> View<'a> {
    /// A view of the grid and of so many cells above it, where jumps go.
    fn new(grid: &'a Grid, above: f32) -> Self {
        let corner = Vec2::new(MARGIN, MARGIN + above.ceil());
        let size = Vec2::new(grid.columns as f32, grid.rows as f32);
        Self::part(grid, corner, corner + size + MARGIN, MAX_SIDE)
    }

    /// A view of so many cells, with the grid's corner at so many of them,
    /// no side longer than so many pixels.
    fn part(grid: &'a Grid, corner: Vec2, cells: Vec2, longest: f32) -> Self {
        let fit = (longest / cells.max_element()).min(MAX_SCALE);
        // Whole pixels keep rows and columns crisp, where they can be seen.
        let scale = if fit >= 5.0 { fit.floor() } else { fit };
        Self {
            grid,
            scale,
            corner,
            cells,
        }
    }

    fn size(&self) -> [u32; 2] {
        let pixels = (self.cells * self.scale).ceil().max(Vec2::ONE);
        [pixels.x as u32, pixels.y as u32]
    }

    fn point(&self, p: Vec2) -> Vec2 {
        let down = self.grid.y_axis.down();
        let from_corner = (p - self.grid.origin) * Vec2::new(1.0, down) / self.grid.spacing;
        (from_corner + self.corner) * self.scale + self.crisp()
    }

    /// What puts vertices on the middle of a pixel, where lines of one pixel
    /// are sharpest: they lie half a cell across and a whole one down.
    fn crisp(&self) -> Vec2 {
        let odd = self.scale % 2.0 == 1.0;
        Vec2::new(if odd { 0.0 } else { 0.5 }, 0.5)
    }

    fn vertex(&self, column: u32, row: u32) -> Vec2 {
        self.point(self.grid.position(Cell { column, row }))
    }

    /// A width in pixels that is `part` of the way between vertices, kept
    /// within bounds.
    fn width(&self, part: f32, least: f32, most: f32) -> f32 {
        (self.scale * part).clamp(least, most)
    }
}

/// How many cells above the grid the highest arc goes.
fn highest(grid: &Grid, layer: &Layer) -> f32 {
    let down = f64::from(grid.y_axis.down());
    let above = |link: &Link| {
        let arc = arc_of(link, layer, grid)?;
        let knots = arc.knots();
        let rise = knots.iter().map(|t| arc.offset(*t).y);
        let top = f64::from(grid.origin.y) * down - f64::from(link.from.y) * down;
        Some((top + rise.fold(0.0, f64::max)) / f64::from(grid.spacing))
    };
    (layer.links().iter())
        .filter_map(above)
        .fold(0.0, f64::max)
        .min(f64::from(grid.rows)) as f32
}

/// Tints where the feet cannot be.
fn solid(canvas: &mut Canvas, view: &View<'_>, layer: &Layer) {
    let half = view.scale / 2.0;
    for row in 0..view.grid.rows {
        for run in layer.blocked().runs(row) {
            let min = view.vertex(run.start, row) - half;
            let max = view.vertex(run.end - 1, row) + half;
            canvas.rect(min, max, SOLID);
        }
    }
}

/// Fly edges, faint: there are many, and they say little but "free".
fn fly_edges(canvas: &mut Canvas, view: &View<'_>, layer: &Layer) {
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

/// A dot a vertex; those on the floor are part of the platforms.
fn vertices(canvas: &mut Canvas, view: &View<'_>, layer: &Layer) {
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

/// Floor edges along the exact surface, and the vertices where they stand;
/// what is climbed as its line alone.
fn floor(canvas: &mut Canvas, view: &View<'_>, layer: &Layer) {
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

/// A link's curve. It leans a little to the left of its direction, so a way
/// back by the same arc does not hide it.
fn draw_link(canvas: &mut Canvas, view: &View<'_>, layer: &Layer, link: &Link) {
    let Some(arc) = arc_of(link, layer, view.grid) else {
        return;
    };
    let down = f64::from(view.grid.y_axis.down());
    let at = |t: f64| {
        let offset = arc.offset(t) * glam::DVec2::new(1.0, -down);
        view.point((link.from.as_dvec2() + offset).as_vec2())
    };
    let duration = arc.duration();
    let knots = arc.knots();
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
    // Where there is little room, fans of arcs show through each other.
    let alpha = view.width(0.045, 0.4, 0.85);
    canvas.stroke(&bent, width, colour.alpha(alpha));
    arrow_head(
        canvas,
        &bent,
        view.width(0.32, 2.5, 8.0),
        colour.alpha(alpha),
    );
}

/// An arrow head whose tip is where the line ends.
fn arrow_head(canvas: &mut Canvas, line: &[Vec2], length: f32, colour: Colour) {
    let Some(&tip) = line.last() else { return };
    // The direction over the head's own length, not of the last tiny piece.
    let tail = (line.iter().rev())
        .find(|p| (tip - **p).length() >= length)
        .unwrap_or(&line[0]);
    let along = (tip - *tail).normalize_or_zero() * length;
    let side = along.perp() * 0.42;
    let base = tip - along;
    canvas.triangle([tip, base + side, base - side], colour);
}

/// The path, outlined in the background's colour so that it stands out.
fn draw_route(canvas: &mut Canvas, view: &View<'_>, route: &[Vec2]) {
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

#[cfg(test)]
#[path = "render_test.rs"]
mod tests;
