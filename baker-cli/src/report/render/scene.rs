//! The display list of a layer.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::f32::consts::PI;

use glam::{DVec2, IVec2, Vec2};
use navmesh_runtime::mesh::{
    BitGrid, Cell, Direction, EdgeSet, Grid, Layer, Link, Marker, MarkerKind, MovingPlatform,
    PlatformKind, StepKind, Terrain,
};

use super::changes::{Blocked, Changes, LinkChange};
use super::list::{Form, Mark, Shape, Size};
use super::palette::{
    ADDED, BACKGROUND, CEILING, CHANGED, DOOR, FLOOR, FLY, IN_AIR, INSIDE, LADDER, MARKER, MOVING,
    ON_FLOOR, ONE_WAY, PORTAL, REMOVED, ROUTE, SAME, SAME_SOLID, SOLID, TEXT, WALL, of_link,
};
use crate::report::counts::{cells, edge_counts, runs};
use crate::report::format::label;
use crate::report::links::curve;

/// With fewer pixels between vertices, neither edges nor vertices can be
/// distinguished, and a level may have tens of millions of them: areas are
/// drawn instead, with a tint of the same brightness.
const TINT_BELOW: f32 = 4.0;
const FLOOR_WIDTH: Size = Size::new(0.09, 1.6, 2.4);
/// The width of a link and the length of its arrow head.
const LINK_SIZES: [Size; 2] = [Size::new(0.08, 1.0, 1.8), Size::new(0.32, 2.5, 8.0)];
/// In small pictures, curves that overlap show through each other.
const LINK_ALPHA: Size = Size::new(0.045, 0.4, 0.85);
/// How far a curve leans to the left of its direction, in cells, so that a link
/// back along the same curve does not hide it.
const LEAN: f32 = 0.1;
/// The radius of the rings at the ends of portals, in cells.
const RING: f32 = 0.3;

/// Everything that is drawn of a layer but its markers, back to front; with the
/// changes of a comparison if there are any.
pub fn of_layer(layer: &Layer, changes: Option<&Changes<'_>>) -> Vec<Shape> {
    let mut shapes = terrain(layer, changes);
    shapes.extend(changes.map(Changes::reach).unwrap_or_default());
    if layer.profile().edges.contains(EdgeSet::FLY) {
        shapes.extend(fly_edges(layer));
    }
    shapes.extend(vertices(layer));
    shapes.extend(links(layer, changes));
    shapes.extend(platforms(layer, changes.is_some()));
    shapes.extend(moving_platforms(layer));
    shapes.extend(changes.map(Changes::floors).unwrap_or_default());
    shapes.extend(barriers(layer));
    shapes.extend(portal_rings(layer));
    shapes
}

/// A position of the world in cells of a grid.
pub fn in_cells(grid: &Grid, position: DVec2) -> Vec2 {
    let down = DVec2::new(1.0, f64::from(grid.y_axis.down()));
    let offset = (position - grid.origin.as_dvec2()) * down;
    (offset / f64::from(grid.spacing)).as_vec2()
}

pub fn line_in_cells(grid: &Grid, line: &[Vec2]) -> Vec<Vec2> {
    let points = line.iter().map(|p| in_cells(grid, p.as_dvec2()));
    points.collect()
}

/// The rectangle around two opposite corners.
pub fn rect([a, b]: [Vec2; 2]) -> [f32; 4] {
    let (min, max) = (a.min(b), a.max(b));
    [min.x, min.y, max.x, max.y]
}

/// The outline of a rectangle.
pub fn frame([left, top, right, bottom]: [f32; 4]) -> Vec<Vec2> {
    let (x, y) = (
        [left, right, right, left, left],
        [top, top, bottom, bottom, top],
    );
    x.into_iter().zip(y).map(Vec2::from).collect()
}

fn vertex(cell: IVec2) -> Vec2 {
    cell.as_vec2() + Vec2::new(0.5, 1.0)
}

/// The cells where the feet cannot be, in both files or in one.
fn terrain(layer: &Layer, changes: Option<&Changes<'_>>) -> Vec<Shape> {
    let grid = layer.grid();
    let regions = match changes {
        None => regions(whole(grid), |cell| {
            let is_blocked = layer.parts().blocked.get(cell.x as u32, cell.y as u32);
            is_blocked.then_some(Blocked::Both)
        }),
        Some(changes) => regions(changes.bounds(), |cell| {
            let down = Vec2::new(1.0, grid.y_axis.down());
            changes.blocked(grid.origin + vertex(cell) * down * grid.spacing)
        }),
    };
    let solid = if changes.is_some() { SAME_SOLID } else { SOLID };
    let shapes = regions.into_iter().map(|(blocked, rects)| {
        let (paint, plain) = match blocked {
            Blocked::Both => (solid.solid(), Some(SOLID.solid())),
            Blocked::OnlyNew => (ADDED.faint(0.28), Some(SOLID.solid())),
            Blocked::OnlyOld => (REMOVED.faint(0.28), None),
        };
        let shape = Shape::areas("terrain", paint, rects);
        Shape { plain, ..shape }
    });
    shapes.collect()
}

/// The first cell of a grid, and the one after the last.
fn whole(grid: &Grid) -> [IVec2; 2] {
    [
        IVec2::ZERO,
        IVec2::new(grid.columns as i32, grid.rows as i32),
    ]
}

/// Rectangles of cells with equal values, by value. They are moved down by half
/// a cell: a cell's vertex is at its bottom, and is drawn in the middle of its
/// square.
fn regions<T: Copy + Ord>(
    [least, end]: [IVec2; 2],
    value: impl Fn(IVec2) -> Option<T>,
) -> BTreeMap<T, Vec<[f32; 4]>> {
    let mut found: BTreeMap<T, Vec<[f32; 4]>> = BTreeMap::new();
    // The rectangles that end above the current row.
    let mut above = BTreeMap::new();
    for y in least.y..end.y {
        let mut below = BTreeMap::new();
        let value_at = |column| value(IVec2::new(least.x + column as i32, y));
        for (run, value) in runs((end.x - least.x) as u32, value_at) {
            let Some(value) = value else { continue };
            let rects = found.entry(value).or_default();
            let key = (run.start, run.end, value);
            let index = above.get(&key).copied().unwrap_or(rects.len());
            if index == rects.len() {
                let [left, right] = [run.start, run.end].map(|x| (least.x + x as i32) as f32);
                rects.push([left, y as f32 + 0.5, right, 0.0]);
            }
            rects[index][3] = y as f32 + 1.5;
            below.insert(key, index);
        }
        above = below;
    }
    found
}

/// Fly edges, faint because there are many. Edges in a row are one line.
fn fly_edges(layer: &Layer) -> [Shape; 2] {
    let (grid, blocked) = (layer.grid(), &layer.parts().blocked);
    let mut lines = Vec::new();
    for Cell { column, row } in cells(grid) {
        let from = IVec2::new(column as i32, row as i32);
        for way in [IVec2::X, IVec2::Y, IVec2::ONE, IVec2::new(1, -1)] {
            let mut to = from;
            if !is_fly_edge(blocked, from - way, way) {
                while is_fly_edge(blocked, to, way) {
                    to += way;
                }
            }
            if to != from {
                lines.push(vec![vertex(from), vertex(to)]);
            }
        }
    }
    let free = regions(whole(grid), |cell| {
        (!blocked.get(cell.x as u32, cell.y as u32)).then_some(())
    });
    let alpha = Size::new(0.007, 0.03, 0.14);
    // As bright as the edges where they begin, measured in a picture: where edges
    // cross, they are less bright than the sum of both.
    let tint = FLY.faint(0.032);
    let tint = Shape::areas("fly", tint, free.into_values().flatten().collect());
    let edges = Shape::lines("fly", FLY.alpha(alpha), lines, Size::fixed(1.0));
    tinted(tint, edges.named("fly", edge_counts(layer).fly as usize))
}

/// Whether a fly edge leads from a cell to the next one. A diagonal edge needs
/// the whole square between its ends.
fn is_fly_edge(blocked: &BitGrid, from: IVec2, way: IVec2) -> bool {
    let (x, y) = (from + way * IVec2::X, from + way * IVec2::Y);
    [from, from + way, x, y].into_iter().all(|cell| {
        let size = IVec2::new(blocked.columns() as i32, blocked.rows() as i32);
        let is_inside = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(size).all();
        is_inside && !blocked.get(cell.x as u32, cell.y as u32)
    })
}

/// An area that is drawn far away, and what it replaces.
fn tinted(mut tint: Shape, mut details: Shape) -> [Shape; 2] {
    (tint.zoom[1], details.zoom[0]) = (TINT_BELOW, TINT_BELOW);
    [tint, details]
}

/// One dot per vertex; vertices on floor are drawn with the platforms.
fn vertices(layer: &Layer) -> Vec<Shape> {
    let radius = Size::new(0.07, 0.5, 1.7);
    let (bright, faint) = (Size::new(0.04, 0.12, 0.8), Size::new(0.03, 0.09, 0.6));
    let regions = regions(whole(layer.grid()), |cell| {
        let [column, row] = cell.as_uvec2().to_array();
        match layer.terrain(Cell { column, row }) {
            Terrain::InAir => Some(0),
            Terrain::InsideGeometry => Some(1),
            Terrain::OnWall | Terrain::OnCeiling => Some(2),
            Terrain::OnFloor => None,
        }
    });
    let shapes = regions.into_iter().flat_map(|(kind, rects)| {
        let (name, colour, alpha) = [
            ("in air", IN_AIR, faint),
            ("inside geometry", INSIDE, bright),
            ("on a wall or ceiling", WALL, bright),
        ][kind];
        // The part of the surroundings that a dot covers where dots begin.
        let cover = PI * (radius.at(TINT_BELOW) / TINT_BELOW).powi(2);
        let tint = colour.faint(alpha.at(TINT_BELOW) * cover);
        let tint = Shape::areas("vertices", tint, rects.clone());
        let dots = Form::Lattice { rects, radius };
        let dots = Shape::new("vertices", colour.alpha(alpha), dots);
        tinted(tint, dots.named(name, None))
    });
    shapes.collect()
}

/// Where agents stand at vertices: the cell, the platform and the feet.
pub fn standing(layer: &Layer) -> Vec<(Cell, u32, Vec2)> {
    let grid = layer.grid();
    let mut found = Vec::new();
    for platform in layer.platforms().filter(|p| p.kind == PlatformKind::Floor) {
        let ends = [platform.left(), platform.right()];
        let [first, last] = ends.map(|end| grid.nearest_cell(end).column);
        let (left, right) = platform.extent();
        let columns = (first..=last).map(|column| grid.column_x(column));
        for x in columns.filter(|x| (left..=right).contains(x)) {
            let feet = platform.at(x);
            // The file rounds to 32 bits, so the borders of cells are not exact.
            let up = Vec2::new(0.0, 1e-3 * grid.spacing * grid.y_axis.down());
            let cells = [feet - up, feet, feet + up].map(|feet| grid.cell_at(feet));
            let mut cells = cells.into_iter().flatten();
            let cell = cells.find(|cell| layer.terrain(*cell) == Terrain::OnFloor);
            found.extend(cell.map(|cell| (cell, platform.id.0, feet)));
        }
    }
    found
}

/// Links by kind. With changes, those that did not change are faint.
fn links(layer: &Layer, changes: Option<&Changes<'_>>) -> Vec<Shape> {
    let mut groups: BTreeMap<_, Vec<(u32, &Link)>> = BTreeMap::new();
    for (id, link) in (0..).zip(layer.links()) {
        let change = changes.and_then(|changes| changes.links.get(&id).copied());
        let group = groups.entry((change, link.kind as usize));
        group.or_default().push((id, link));
    }
    for (id, link) in changes.into_iter().flat_map(Changes::links_removed) {
        let group = groups.entry((Some(LinkChange::Removed), link.kind as usize));
        group.or_default().push((id, link));
    }
    let shapes = groups.into_iter().map(|((change, _), links)| {
        let (kind, count) = (links[0].1.kind, Some(links.len()));
        let plain = of_link(kind).alpha(LINK_ALPHA);
        let (paint, name, count) = match change {
            None if changes.is_none() => (plain, label(kind.name()).into(), count),
            None => (
                SAME.alpha(Size::new(0.02, 0.12, 0.3)),
                "unchanged".into(),
                None,
            ),
            Some(LinkChange::Removed) => (REMOVED.solid(), Cow::from("links removed"), count),
            Some(LinkChange::Changed) => (CHANGED.solid(), "links changed".into(), count),
            Some(LinkChange::Added) => (ADDED.solid(), "links added".into(), count),
        };
        let old = changes.filter(|_| change == Some(LinkChange::Removed));
        let (of, shift) = old.map_or((layer, DVec2::ZERO), |c| (c.old, c.shift()));
        let lines = links
            .iter()
            .map(|(_, link)| link_line(link, of, shift, layer.grid()));
        let is_dashed = old.is_some() || kind == StepKind::Portal;
        let mut shape = Shape::arrows(kind.name(), paint, lines.collect(), LINK_SIZES);
        if let Form::Lines { dash, .. } = &mut shape.form {
            *dash = is_dashed.then_some(Size::new(0.35, 3.0, 8.0));
        }
        // The page selects links of the file that it shows.
        let ids = links.iter().filter(|_| old.is_none()).map(|(id, _)| *id);
        Shape {
            plain: old.is_none().then_some(plain),
            ids: ids.collect(),
            ..shape.named(name, count)
        }
    });
    shapes.collect()
}

/// The line of a link in cells of a grid.
fn link_line(link: &Link, layer: &Layer, shift: DVec2, grid: &Grid) -> Vec<Vec2> {
    let line = curve(link, layer, 0.5 * grid.spacing, 64).into_iter();
    let mut line: Vec<Vec2> = line.map(|p| in_cells(grid, p.as_dvec2() + shift)).collect();
    if link.kind == StepKind::Portal {
        // The tip touches the ring.
        let end = line[line.len() - 1];
        let outside = line.iter().filter(|p| p.distance(end) >= RING).count();
        line.truncate(outside.max(2));
    } else if !link.kind.is_airborne() {
        return line;
    }
    let (straight, last) = (line.clone(), line.len() - 1);
    for (i, point) in line.iter_mut().enumerate() {
        let along = straight[(i + 1).min(last)] - straight[i.saturating_sub(1)];
        let bow = (PI * i as f32 / last as f32).sin();
        *point -= along.normalize_or_zero().perp() * LEAN * bow;
    }
    line
}

/// A ring at each end of a portal.
fn portal_rings(layer: &Layer) -> [Shape; 2] {
    let links = layer.links().iter();
    let portals = links.filter(|link| link.kind == StepKind::Portal);
    let ends: Vec<Vec2> = portals.flat_map(|link| [link.from, link.to]).collect();
    let ends = line_in_cells(layer.grid(), &ends);
    [(PORTAL, 1.0), (BACKGROUND, 0.6)].map(|(colour, part)| {
        let radius = Size::new(RING * part, 3.0 * part, 7.0 * part);
        Shape::marks("portal", colour.solid(), Mark::Disc, ends.clone(), radius)
    })
}

/// Platforms along their exact surface, and dots where agents stand at a
/// vertex. Floors that the agent cannot walk on are grey.
fn platforms(layer: &Layer, is_compared: bool) -> Vec<Shape> {
    let floor = if layer.profile().edges.walks() {
        FLOOR
    } else {
        SAME
    };
    let mut shapes = Vec::new();
    for (kind, name, colour) in [
        (PlatformKind::Floor, "floor", floor),
        (PlatformKind::Ladder, "ladders", LADDER),
        (PlatformKind::Wall, "walls", WALL),
        (PlatformKind::Ceiling, "ceilings", CEILING),
    ] {
        let platforms = layer.platforms().filter(|platform| platform.kind == kind);
        let (ids, lines): (Vec<u32>, Vec<_>) = platforms
            .map(|p| (p.id.0, line_in_cells(layer.grid(), p.surface)))
            .unzip();
        let count = match kind {
            PlatformKind::Floor => edge_counts(layer).floor as usize,
            _ => ids.len(),
        };
        let shape = Shape::lines("floor", colour.solid(), lines, FLOOR_WIDTH);
        let mut shape = Shape { ids, ..shape }.named(name, count);
        if is_compared {
            shape.paint = SAME.solid();
            shape = shape.named("unchanged", None);
        }
        shapes.push(shape);
    }
    shapes.retain(|shape| !shape.ids.is_empty());
    let feet = standing(layer).into_iter().map(|(_, _, feet)| feet);
    let feet = line_in_cells(layer.grid(), &feet.collect::<Vec<_>>());
    let name = if feet.is_empty() { "" } else { "on floor" };
    let radius = Size::new(0.13, 0.9, 3.2);
    let dots = Shape::marks("vertices", ON_FLOOR.solid(), Mark::Disc, feet, radius);
    shapes.push(dots.named(name, None));
    shapes
}

/// The ways of platforms that move, along the middle of their tops, and where they turn or wait.
fn moving_platforms(layer: &Layer) -> [Shape; 2] {
    let (grid, all) = (layer.grid(), layer.moving_platforms());
    let (mut ways, mut frames) = (Vec::new(), Vec::new());
    for on in all {
        let keys = on.schedule.keys.iter();
        let middle = 0.5 * on.size.x * Vec2::X;
        ways.push(line_in_cells(
            grid,
            &keys.map(|(_, at)| *at + middle).collect::<Vec<_>>(),
        ));
        frames.extend(
            on.schedule
                .turns()
                .map(|at| frame(moving_rect(grid, on, at))),
        );
    }
    let width = Size::new(0.08, 1.0, 2.0);
    let ways = Shape::lines("floor", MOVING.solid(), ways, width);
    let frames = Shape::lines("floor", MOVING.solid(), frames, width);
    [ways, frames.named("moving platforms", all.len())]
}

/// The rectangle of a platform that moves, in cells, with the left end of its top somewhere.
pub fn moving_rect(grid: &Grid, on: &MovingPlatform, at: Vec2) -> [f32; 4] {
    let down = Vec2::new(1.0, grid.y_axis.down());
    rect([at, at + on.size * down].map(|corner| in_cells(grid, corner.as_dvec2())))
}

/// One-way barriers: lines with arrow heads in the direction of passage.
fn barriers(layer: &Layer) -> [Shape; 2] {
    let (mut lines, mut heads) = (Vec::new(), Vec::new());
    for barrier in &layer.parts().barriers {
        let line = line_in_cells(layer.grid(), &barrier.ends());
        let along = match barrier.pass {
            Direction::Left => Vec2::NEG_X,
            Direction::Right => Vec2::X,
            _ => Vec2::Y,
        };
        let count = (line[0].distance(line[1]) / 1.2).floor().max(1.0);
        for i in 0..count as u32 {
            let tail = line[0].lerp(line[1], (i as f32 + 0.5) / count);
            heads.push(vec![tail, tail + along * 0.4]);
        }
        lines.push(line);
    }
    let (paint, count, head) = (ONE_WAY.solid(), lines.len(), Size::new(0.4, 3.0, 9.0));
    let heads = Shape::arrows("heads", paint, heads, [FLOOR_WIDTH, head]);
    let lines = Shape::lines("gates", paint, lines, FLOOR_WIDTH);
    [lines, heads.named("one-way", count)]
}

/// Markers: points as diamonds, others as frames, with class and name. Doors
/// have a colour of their own; closed ones are filled.
pub fn markers(grid: &Grid, markers: &[&Marker]) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (is_door, colour, name) in [(false, MARKER, "marker"), (true, DOOR, "door")] {
        let (mut points, mut frames, mut closed) = (Vec::new(), Vec::new(), Vec::new());
        for marker in markers {
            let rect @ [left, top, ..] = marker_rect(grid, marker);
            if (marker.kind() == MarkerKind::Door) != is_door {
                continue;
            }
            if marker.size == Vec2::ZERO {
                points.push(Vec2::new(left, top));
            } else {
                frames.push(frame(rect));
                closed.extend((is_door && marker.flag("closed") == Some(true)).then_some(rect));
            }
        }
        let (count, width) = (points.len() + frames.len(), Size::new(0.08, 1.0, 2.0));
        let radius = Size::new(0.35, 4.0, 7.0);
        let points = Shape::marks("markers", colour.solid(), Mark::Diamond, points, radius);
        shapes.extend([
            Shape::areas("markers", colour.faint(0.35), closed),
            Shape::lines("markers", colour.solid(), frames, width),
            points.named(name, count),
        ]);
    }
    shapes.push(labels(grid, markers));
    shapes
}

/// The corners of a marker in cells.
pub fn marker_rect(grid: &Grid, marker: &Marker) -> [f32; 4] {
    let down = Vec2::new(1.0, grid.y_axis.down());
    let corners = [marker.position, marker.position + marker.size * down];
    rect(corners.map(|corner| in_cells(grid, corner.as_dvec2())))
}

/// The class and the name of each marker. Classes with the fewest markers come
/// first, so that the label of one of many coins does not hide that of the only
/// spawn.
fn labels(grid: &Grid, markers: &[&Marker]) -> Shape {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for marker in markers {
        *counts.entry(&marker.class).or_default() += 1;
    }
    let mut markers = markers.to_vec();
    markers.sort_by_key(|marker| counts.get(&*marker.class));
    let texts = markers.into_iter().map(|marker| {
        let [left, top, ..] = marker_rect(grid, marker);
        // Diamonds are at most as high as this.
        let lift = if marker.size == Vec2::ZERO { 14.0 } else { 0.0 };
        let text = format!("{} {}", marker.class, marker.name);
        (Vec2::new(left, top), lift, text.trim().to_owned())
    });
    let texts = texts.filter(|(.., text)| !text.is_empty()).collect();
    let labels = Form::Labels { texts, height: 16 };
    let mut shape = Shape::new("markers", TEXT.solid(), labels);
    // In small pictures there is no room for text.
    shape.zoom[0] = 5.0;
    shape
}

/// A path, with an outline in the colour of the background.
pub fn route(grid: &Grid, line: &[Vec2]) -> Vec<Shape> {
    let line = line_in_cells(grid, line);
    let (Some(&start), Some(&end)) = (line.first(), line.last()) else {
        return Vec::new();
    };
    let outline = (BACKGROUND.faint(0.75), Size::new(0.2, 5.5, 7.5), "");
    let path = (ROUTE.solid(), Size::new(0.2, 2.5, 4.5), "path");
    let lines = [outline, path].map(|(paint, width, name)| {
        let shape = Shape::lines("paths", paint, vec![line.clone()], width);
        shape.named(name, None)
    });
    let dots = [
        (BACKGROUND, vec![start, end], Size::new(0.35, 5.5, 9.5)),
        (ROUTE, vec![start, end], Size::new(0.35, 4.0, 8.0)),
        (BACKGROUND, vec![end], Size::new(0.175, 2.0, 4.0)),
    ];
    let dots = dots.map(|(colour, points, radius)| {
        Shape::marks("paths", colour.solid(), Mark::Disc, points, radius)
    });
    lines.into_iter().chain(dots).collect()
}
