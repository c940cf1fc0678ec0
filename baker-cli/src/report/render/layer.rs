//! The picture of one layer.

use std::f32::consts::{PI, SQRT_2};
use std::ops::Range;

use glam::Vec2;
use image::{RgbImage, RgbaImage};
use navmesh_runtime::mesh::{
    Cell, Direction, EdgeSet, Layer, Link, LinkKind, NavMesh, PlatformKind, Terrain,
};

use super::canvas::{Canvas, Colour};
use super::legend::Legend;
use super::markers::markers;
use super::palette::{
    BACKGROUND, BARRIER, CLIMB, DROP, FLOOR, FLY, IN_AIR, INSIDE, JUMP, ON_FLOOR, PORTAL, ROUTE,
    SOLID,
};
use super::projection::{Projection, highest};
use crate::report::counts::{cells, runs};
use crate::report::links::{curve, portal_arc};

/// How much of the level's picture can be seen beneath the mesh.
const ART: f32 = 0.6;

/// With fewer pixels between vertices, neither edges nor vertices can be
/// distinguished, and a level may have tens of millions of them: runs of them are drawn
/// as a tint of the same brightness.
const TINT_BELOW: f32 = 3.0;

/// Draws a layer of a mesh and on top of it a path: the line of the feet in
/// world units, or nothing. `art` is a picture of the level, of the part that
/// the grid covers; it is drawn beneath.
pub fn render(mesh: &NavMesh, layer: &Layer, route: &[Vec2], art: Option<&RgbaImage>) -> RgbImage {
    let view = Projection::new(mesh.grid(), highest(mesh.grid(), layer));
    let [width, height] = view.size();
    let legend = Legend::of_layer(mesh, layer, [width, height], !route.is_empty());
    let mut canvas = Canvas::new(width, height + legend.height(), BACKGROUND);
    let mut solid_alpha = 1.0;
    if let Some(art) = art {
        let grid = mesh.grid();
        let size = Vec2::new(grid.columns as f32, grid.rows as f32 * grid.y_axis.down());
        let end = view.point(grid.origin + size * grid.spacing);
        canvas.image(view.point(grid.origin), end, art, ART);
        // The tint must not hide the picture.
        solid_alpha = 0.4;
    }
    solid(&mut canvas, &view, layer, solid_alpha);
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
    markers(&mut canvas, &view, mesh);
    draw_route(&mut canvas, &view, route);
    legend.draw(&mut canvas, height);
    canvas.into_image()
}

/// Tints the cells where the feet cannot be.
pub(super) fn solid(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer, alpha: f32) {
    for row in 0..view.grid.rows {
        for run in layer.parts().blocked.runs(row) {
            tint_run(canvas, view, run, row, SOLID.alpha(alpha));
        }
    }
}

/// Fly edges, faint because there are many.
fn fly_edges(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let grid = view.grid;
    let alpha = view.width(0.007, 0.03, 0.14);
    let free = |column: u32, row: u32| {
        column < grid.columns && row < grid.rows && !layer.parts().blocked.get(column, row)
    };
    if view.scale < TINT_BELOW {
        // Two straight and two diagonal edges a vertex, each one pixel wide and
        // with round ends.
        let pixels = (2.0 + 2.0 * SQRT_2) * view.scale + PI;
        let tint = FLY.alpha((alpha * pixels / view.scale.powi(2)).min(1.0));
        for row in 0..grid.rows {
            for (run, is_free) in runs(grid.columns, |column| free(column, row)) {
                if is_free {
                    tint_run(canvas, view, run, row, tint);
                }
            }
        }
        return;
    }
    for Cell { column, row } in cells(grid).filter(|cell| free(cell.column, cell.row)) {
        let right = free(column + 1, row);
        let below = free(column, row + 1);
        let mut edge = |a, b| canvas.stroke(&[a, b], 1.0, FLY.alpha(alpha));
        let here = view.vertex(column, row);
        if right {
            edge(here, view.vertex(column + 1, row));
        }
        if below {
            edge(here, view.vertex(column, row + 1));
        }
        if right && below && free(column + 1, row + 1) {
            edge(here, view.vertex(column + 1, row + 1));
            edge(view.vertex(column + 1, row), view.vertex(column, row + 1));
        }
    }
}

/// One dot per vertex; vertices on floor are drawn with the platforms.
fn vertices(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let radius = view.width(0.07, 0.5, 1.7);
    let faint = view.width(0.04, 0.12, 0.8);
    let appearance = |terrain| match terrain {
        Terrain::InAir => Some((IN_AIR, 0.75 * faint)),
        Terrain::InsideGeometry => Some((INSIDE, faint)),
        Terrain::OnWall | Terrain::OnCeiling => Some((CLIMB, faint)),
        Terrain::OnFloor => None,
    };
    // The part of the surroundings that a dot covers.
    let cover = (PI * (radius / view.scale).powi(2)).min(1.0);
    for row in 0..view.grid.rows {
        let appearance = |column| appearance(layer.terrain(Cell { column, row }));
        for (run, appearance) in runs(view.grid.columns, appearance) {
            let Some((colour, alpha)) = appearance else {
                continue;
            };
            if view.scale < TINT_BELOW {
                tint_run(canvas, view, run, row, colour.alpha(alpha * cover));
                continue;
            }
            for column in run {
                canvas.disc(view.vertex(column, row), radius, colour.alpha(alpha));
            }
        }
    }
}

/// Tints the surroundings of vertices of a row.
pub(super) fn tint_run(
    canvas: &mut Canvas,
    view: &Projection<'_>,
    run: Range<u32>,
    row: u32,
    tint: Colour,
) {
    let [first, last] = [run.start, run.end - 1].map(|column| view.vertex(column, row));
    let half = view.scale / 2.0;
    canvas.rect(first - half, last + half, tint);
}

/// Floors along their exact surface, with dots where agents stand at a vertex;
/// ladders, walls and ceilings as lines.
fn floor(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let radius = view.width(0.13, 0.9, 3.2);
    for platform in layer.platforms() {
        let surface = view.line(platform.surface);
        let width = view.width(0.09, 1.6, 2.4);
        if platform.kind != PlatformKind::Floor {
            canvas.stroke(&surface, width, CLIMB);
            continue;
        }
        if layer.profile().edges.walks() {
            canvas.stroke(&surface, width, FLOOR);
        }
        let ends = [platform.left(), platform.right()];
        let [first, last] = ends.map(|end| view.grid.nearest_cell(end).column);
        let (left, right) = platform.extent();
        let columns = (first..=last).map(|column| view.grid.column_x(column));
        for x in columns.filter(|x| (left..=right).contains(x)) {
            canvas.disc(view.point(platform.at(x)), radius, ON_FLOOR);
        }
    }
}

/// The curve of a link. It leans a little to the left of its direction, so that
/// a link back along the same curve does not hide it.
fn draw_link(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer, link: &Link) {
    if !link.kind.is_airborne() {
        return;
    }
    // Pieces a few pixels long.
    let piece = 4.0 * view.grid.spacing / view.scale;
    let line = view.line(&curve(link, layer, piece, 64));
    let lean = view.width(0.12, 0.6, 2.5);
    let last = line.len() - 1;
    let bent: Vec<Vec2> = (0..line.len())
        .map(|i| {
            let along = (line[(i + 1).min(last)] - line[i.saturating_sub(1)]).normalize_or_zero();
            let bow = (PI * i as f32 / last as f32).sin();
            line[i] - along.perp() * lean * bow
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
    let line = view.line(route);
    let (Some(&start), Some(&end)) = (line.first(), line.last()) else {
        return;
    };
    let width = view.width(0.2, 2.5, 4.5);
    canvas.stroke(&line, width + 3.0, BACKGROUND.alpha(0.75));
    canvas.stroke(&line, width, ROUTE);
    let radius = view.width(0.35, 4.0, 8.0);
    for at in [start, end] {
        canvas.disc(at, radius + 1.5, BACKGROUND);
        canvas.disc(at, radius, ROUTE);
    }
    canvas.disc(end, radius * 0.5, BACKGROUND);
}

/// One-way barriers: lines with arrow heads in the direction of passage.
fn barriers(canvas: &mut Canvas, view: &Projection<'_>, layer: &Layer) {
    let head = view.width(0.4, 3.0, 9.0);
    for barrier in &layer.parts().barriers {
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
        let lift = view.width(4.0, 20.0, 100.0);
        let at = |part| portal_arc([from, to], lift, 1.0, part);
        let line: Vec<Vec2> = (0..=64).map(|i| at(i as f32 / 64.0)).collect();
        canvas.dashes(&line, view.width(0.35, 3.0, 8.0), 1.6, PORTAL.alpha(0.8));
        // The tip touches the ring.
        let tail = at(0.9);
        let tip = to - (to - tail).normalize_or_zero() * radius;
        canvas.arrow_head(&[tail, tip], view.width(0.4, 3.0, 9.0), PORTAL);
        for end in [from, to] {
            canvas.disc(end, radius, PORTAL);
            canvas.disc(end, radius * 0.6, BACKGROUND);
        }
    }
}

#[cfg(test)]
mod tests {
    use navmesh_runtime::mesh::{
        AgentProfile, BitGrid, Grid, LayerParts, NavMeshParts, Platforms, Provenance, Units, YAxis,
    };

    use super::*;

    #[test]
    fn runs_cover_all_columns() {
        let values = [1, 1, 2, 1, 3, 3];
        let found: Vec<_> = runs(6, |column| values[column as usize]).collect();
        assert_eq!(found, [(0..2, 1), (2..3, 2), (3..4, 1), (4..6, 3)]);
        assert_eq!(runs(0, |_| 1).count(), 0);
    }

    /// Air with a block in it, drawn with `scale` pixels a cell: the mean
    /// brightness of the air and of the block.
    fn brightness(scale: f32) -> [f32; 2] {
        let grid = Grid {
            origin: Vec2::ZERO,
            spacing: 8.0,
            columns: 60,
            rows: 60,
            y_axis: YAxis::Down,
        };
        let mut blocked = BitGrid::new(60, 60);
        for (column, row) in (0..60).flat_map(|row| (30..60).map(move |column| (column, row))) {
            blocked.set(column, row, true);
        }
        let mesh = NavMesh::new(NavMeshParts {
            provenance: Provenance::default(),
            units: Units::default(),
            grid,
            layers: vec![LayerParts {
                profile: AgentProfile::air("air", 16.0),
                blocked,
                platforms: Platforms::default(),
                links: Vec::new(),
                barriers: Vec::new(),
            }],
            markers: Vec::new(),
        });
        let mesh = mesh.unwrap();
        let view = Projection::part(&grid, Vec2::ZERO, Vec2::splat(60.0), 60.0 * scale);
        let [width, height] = view.size();
        let mut canvas = Canvas::new(width, height, BACKGROUND);
        fly_edges(&mut canvas, &view, &mesh.layers()[0]);
        vertices(&mut canvas, &view, &mesh.layers()[0]);
        let image = canvas.into_image();
        // Ten cells in the middle of each half.
        [10.0, 40.0].map(|column: f32| {
            let side = (10.0 * scale) as u32;
            let at = Vec2::new(column, 25.0) * scale;
            let cut = image::imageops::crop_imm(&image, at.x as u32, at.y as u32, side, side);
            let all: f32 = cut.to_image().iter().map(|v| f32::from(*v)).sum();
            all / (3 * side * side) as f32
        })
    }

    #[test]
    fn tints_are_as_bright_as_what_they_replace() {
        let [air, block] = brightness(TINT_BELOW - 0.001);
        let [dotted_air, dotted_block] = brightness(TINT_BELOW);
        assert!(air > block + 5.0, "{air} and {block}");
        let close = 0.15 * (dotted_air - dotted_block);
        assert!((air - dotted_air).abs() < close, "{air} and {dotted_air}");
        assert!(
            (block - dotted_block).abs() < close,
            "{block} and {dotted_block}"
        );
    }
}
