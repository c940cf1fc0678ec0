//! The display list of a layer.

use std::collections::BTreeMap;
use std::f32::consts::PI;

use glam::{DVec2, IVec2, Vec2};
use navmesh_runtime::mesh::{
    BitGrid, Cell, Direction, EdgeSet, Grid, Layer, Link, LinkId, LinkKind, Marker, MarkerKind,
    PlatformKind, Terrain,
};

use super::changes::{Blocked, Changes, LinkChange};
use super::list::{Form, Mark, Shape, Size};
use super::palette::{
    self, ADDED, BACKGROUND, CHANGED, DOOR, FLY, IN_AIR, INSIDE, MARKER, ON_FLOOR, ONE_WAY,
    REMOVED, ROUTE, SAME, SAME_SOLID, SOLID, TEXT, WALL,
};
use crate::report::counts::{cells, edge_counts, runs};
use crate::report::links::{curve, portal_arc};

/// With fewer pixels between vertices, neither edges nor vertices can be
/// distinguished, and a level may have tens of millions of them: areas are
/// drawn instead, with a tint of the same brightness.
const TINT_BELOW: f32 = 4.0;

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
    shapes.extend(changes.map(Changes::floors).unwrap_or_default());
    shapes.extend(feet(layer));
    shapes.extend(barriers(layer));
    shapes.extend(portal_rings(layer));
    shapes.retain(|shape| !shape.form.is_empty());
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
    let corners = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
        [left, top],
    ];
    corners.map(Vec2::from).to_vec()
}

fn vertex(cell: IVec2) -> Vec2 {
    cell.as_vec2() + Vec2::new(0.5, 1.0)
}

/// The cells where the feet cannot be, in both files or in one.
fn terrain(layer: &Layer, changes: Option<&Changes<'_>>) -> Vec<Shape> {
    let grid = layer.grid();
    let regions = match changes {
        None => grid_regions(grid, |cell| {
            let is_blocked = layer.parts().blocked.get(cell.column, cell.row);
            is_blocked.then_some(Blocked::Both)
        }),
        Some(changes) => {
            let [least, most] = changes.bounds();
            regions(least.as_ivec2(), (most - least).as_ivec2(), |cell| {
                let down = Vec2::new(1.0, grid.y_axis.down());
                changes.blocked(grid.origin + vertex(cell) * down * grid.spacing)
            })
        }
    };
    let shapes = regions.into_iter().map(|(blocked, rects)| {
        let (paint, plain) = match blocked {
            Blocked::Both if changes.is_none() => (SOLID.solid(), Some(SOLID.solid())),
            Blocked::Both => (SAME_SOLID.solid(), Some(SOLID.solid())),
            Blocked::OnlyNew => (ADDED.faint(0.28), Some(SOLID.solid())),
            Blocked::OnlyOld => (REMOVED.faint(0.28), None),
        };
        let shape = Shape::new("terrain", paint, Form::Areas { rects });
        Shape { plain, ..shape }
    });
    shapes.collect()
}

/// Rectangles of cells with equal values, by value. They are moved down by half
/// a cell: a cell's vertex is at its bottom, and is drawn in the middle of its
/// square.
fn regions<T: Copy + Ord>(
    least: IVec2,
    size: IVec2,
    value: impl Fn(IVec2) -> Option<T>,
) -> BTreeMap<T, Vec<[f32; 4]>> {
    let mut found: BTreeMap<T, Vec<[f32; 4]>> = BTreeMap::new();
    // The rectangles that end above the current row.
    let mut above = BTreeMap::new();
    for row in 0..size.y {
        let mut below = BTreeMap::new();
        let value_at = |column| value(least + IVec2::new(column as i32, row));
        for (run, value) in runs(size.x as u32, value_at) {
            let Some(value) = value else { continue };
            let rects = found.entry(value).or_default();
            let key = (run.start, run.end, value);
            let index = above.get(&key).copied().unwrap_or(rects.len());
            let [start, end] = [run.start, run.end].map(|x| least + IVec2::new(x as i32, row));
            if index == rects.len() {
                rects.push([start.x as f32, start.y as f32 + 0.5, end.x as f32, 0.0]);
            }
            rects[index][3] = end.y as f32 + 1.5;
            below.insert(key, index);
        }
        above = below;
    }
    found
}

fn grid_regions<T: Copy + Ord>(
    grid: &Grid,
    value: impl Fn(Cell) -> Option<T>,
) -> BTreeMap<T, Vec<[f32; 4]>> {
    let size = IVec2::new(grid.columns as i32, grid.rows as i32);
    regions(IVec2::ZERO, size, |cell| {
        let [column, row] = cell.as_uvec2().to_array();
        value(Cell { column, row })
    })
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
    let free = grid_regions(grid, |cell| {
        (!blocked.get(cell.column, cell.row)).then_some(())
    });
    let rects = free.into_values().flatten().collect();
    // A vertex has two straight and two diagonal edges of one pixel's width.
    let alpha = Size::new(0.007, 0.03, 0.14);
    let cover = (2.0 + 2.0 * std::f32::consts::SQRT_2) / TINT_BELOW;
    let tint = FLY.faint(alpha.at(TINT_BELOW) * cover);
    let edges = Form::lines(lines, Size::fixed(1.0));
    let edges = Shape::new("fly", FLY.alpha(alpha), edges);
    let count = edge_counts(layer).fly;
    let [tint, edges] = tinted(Shape::new("fly", tint, Form::Areas { rects }), edges);
    [tint, edges.named("fly", count)]
}

/// Whether a fly edge leads from a cell to the next one. A diagonal edge needs
/// the whole square between its ends.
fn is_fly_edge(blocked: &BitGrid, from: IVec2, way: IVec2) -> bool {
    let square = [
        from,
        from + way,
        from + way * IVec2::X,
        from + way * IVec2::Y,
    ];
    square.into_iter().all(|IVec2 { x, y }| {
        let is_inside = x >= 0 && y >= 0;
        let (x, y) = (x as u32, y as u32);
        is_inside && x < blocked.columns() && y < blocked.rows() && !blocked.get(x, y)
    })
}

/// An area that is drawn far away, and what it replaces.
fn tinted(mut tint: Shape, mut details: Shape) -> [Shape; 2] {
    tint.zoom[1] = TINT_BELOW;
    details.zoom[0] = TINT_BELOW;
    [tint, details]
}

/// One dot per vertex; vertices on floor are drawn with the platforms.
fn vertices(layer: &Layer) -> Vec<Shape> {
    let radius = Size::new(0.07, 0.5, 1.7);
    let (bright, faint) = (Size::new(0.04, 0.12, 0.8), Size::new(0.03, 0.09, 0.6));
    let regions = grid_regions(layer.grid(), |cell| match layer.terrain(cell) {
        Terrain::InAir => Some(0),
        Terrain::InsideGeometry => Some(1),
        Terrain::OnWall | Terrain::OnCeiling => Some(2),
        Terrain::OnFloor => None,
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
        let areas = Form::Areas {
            rects: rects.clone(),
        };
        let dots = Form::Lattice { rects, radius };
        let dots = Shape::new("vertices", colour.alpha(alpha), dots).named(name, 0);
        tinted(Shape::new("vertices", tint, areas), dots)
    });
    shapes.collect()
}

/// The dots where agents stand at vertices.
fn feet(layer: &Layer) -> Option<Shape> {
    let standing = standing(layer);
    let points = standing
        .iter()
        .map(|(_, _, feet)| in_cells(layer.grid(), feet.as_dvec2()));
    let form = Form::discs(points.collect(), Size::new(0.13, 0.9, 3.2));
    let shape = Shape::new("vertices", ON_FLOOR.solid(), form);
    (!standing.is_empty()).then_some(shape.named("on floor", 0))
}

/// Where agents stand at vertices: the cell, the platform and the feet.
pub fn standing(layer: &Layer) -> Vec<(Cell, u32, Vec2)> {
    let grid = layer.grid();
    let mut found = Vec::new();
    for platform in layer.platforms().filter(|p| p.kind == PlatformKind::Floor) {
        let ends = [platform.left(), platform.right()];
        let [first, last] = ends.map(|end| grid.nearest_cell(end).column);
        let (left, right) = platform.extent();
        for column in first..=last {
            let x = grid.column_x(column);
            if x < left || right < x {
                continue;
            }
            let feet = platform.at(x);
            let row = grid.nearest_cell(feet).row;
            // The file rounds to 32 bits, so the borders of cells are not exact.
            let near = -1e-3 * grid.spacing..1.001 * grid.spacing;
            let rows = [row, row + 1, row.saturating_sub(1)]
                .into_iter()
                .filter(|row| {
                    let above = (grid.row_y(*row) - feet.y) * grid.y_axis.down();
                    *row < grid.rows && near.contains(&above)
                });
            let mut cells = rows.map(|row| Cell { column, row });
            let cell = cells.find(|cell| layer.terrain(*cell) == Terrain::OnFloor);
            found.extend(cell.map(|cell| (cell, platform.id.0, feet)));
        }
    }
    found
}

/// Links by kind. With changes, those that did not change are faint.
fn links(layer: &Layer, changes: Option<&Changes<'_>>) -> Vec<Shape> {
    let mut groups: BTreeMap<(Option<LinkChange>, usize), Vec<(u32, &Link)>> = BTreeMap::new();
    for (id, link) in (0..).zip(layer.links()) {
        let change = changes.and_then(|changes| changes.links.get(&id).copied());
        let group = groups.entry((change, link.kind as usize));
        group.or_default().push((id, link));
    }
    for (changes, id) in changes
        .iter()
        .flat_map(|c| c.links_removed.iter().map(move |id| (c, id)))
    {
        if let Some(link) = changes.old.link(LinkId(*id)) {
            let group = groups.entry((Some(LinkChange::Removed), link.kind as usize));
            group.or_default().push((*id, link));
        }
    }
    let shapes = groups.into_iter().map(|((change, _), links)| {
        let (kind, count) = (links[0].1.kind, links.len() as u64);
        let plain = palette::of_link(kind).alpha(LINK_ALPHA);
        let (paint, name, count) = match change {
            None if changes.is_none() => (plain, kind.name(), count),
            None => (SAME.alpha(Size::new(0.02, 0.12, 0.3)), "unchanged", 0),
            Some(LinkChange::Removed) => (REMOVED.solid(), "links removed", count),
            Some(LinkChange::Changed) => (CHANGED.solid(), "links changed", count),
            Some(LinkChange::Added) => (ADDED.solid(), "links added", count),
        };
        let is_removed = change == Some(LinkChange::Removed);
        let old = changes.filter(|_| is_removed).map(|c| (c.old, c.shift()));
        let (of, shift) = old.unwrap_or((layer, DVec2::ZERO));
        let lines = links
            .iter()
            .map(|(_, link)| link_line(link, of, shift, layer.grid()));
        let is_dashed = is_removed || kind == LinkKind::Portal;
        let form = Form::Lines {
            lines: lines.collect(),
            width: Size::new(0.08, 1.0, 1.8),
            head: Some(Size::new(0.32, 2.5, 8.0)),
            dash: is_dashed.then_some(Size::new(0.35, 3.0, 8.0)),
        };
        let mut shape = Shape::new(kind.name(), paint, form).named(name, count);
        shape.plain = (!is_removed).then_some(plain);
        if !is_removed {
            shape.ids = links.iter().map(|(id, _)| *id).collect();
        }
        shape
    });
    shapes.collect()
}

/// The line of a link in cells of a grid.
fn link_line(link: &Link, layer: &Layer, shift: DVec2, grid: &Grid) -> Vec<Vec2> {
    let line = curve(link, layer, 0.5 * grid.spacing, 64);
    let mut line: Vec<Vec2> = (line.iter())
        .map(|p| in_cells(grid, p.as_dvec2() + shift))
        .collect();
    let last = line.len() - 1;
    if link.kind == LinkKind::Portal {
        // The tip touches the ring.
        let ends = [line[0], line[last]];
        let whole = 1.0 - RING / ends[0].distance(ends[1]).max(2.0 * RING);
        return (0..=32)
            .map(|i| portal_arc(ends, 4.0, 1.0, whole * i as f32 / 32.0))
            .collect();
    }
    if link.kind.is_airborne() {
        let straight = line.clone();
        for (i, point) in line.iter_mut().enumerate() {
            let along = straight[(i + 1).min(last)] - straight[i.saturating_sub(1)];
            let bow = (PI * i as f32 / last as f32).sin();
            *point -= along.normalize_or_zero().perp() * LEAN * bow;
        }
    }
    line
}

/// A ring at each end of a portal.
fn portal_rings(layer: &Layer) -> Vec<Shape> {
    let portals = layer
        .links()
        .iter()
        .filter(|link| link.kind == LinkKind::Portal);
    let ends: Vec<Vec2> = portals.flat_map(|link| [link.from, link.to]).collect();
    let ends = line_in_cells(layer.grid(), &ends);
    let colour = palette::of_link(LinkKind::Portal);
    let rings = [(colour, 1.0), (BACKGROUND, 0.6)].map(|(colour, part)| {
        let radius = Size::new(RING * part, 3.0 * part, 7.0 * part);
        Shape::new("portal", colour.solid(), Form::discs(ends.clone(), radius))
    });
    rings.into()
}

/// Platforms along their exact surface.
fn platforms(layer: &Layer, is_compared: bool) -> Vec<Shape> {
    let (grid, edges) = (layer.grid(), edge_counts(layer));
    let mut shapes = Vec::new();
    for (kind, name) in [
        (PlatformKind::Floor, "floor"),
        (PlatformKind::Ladder, "ladders"),
        (PlatformKind::Wall, "walls"),
        (PlatformKind::Ceiling, "ceilings"),
    ] {
        let platforms: Vec<_> = layer.platforms().filter(|p| p.kind == kind).collect();
        let lines = platforms.iter().map(|p| line_in_cells(grid, p.surface));
        let form = Form::lines(lines.collect(), Size::new(0.09, 1.6, 2.4));
        let is_used = kind != PlatformKind::Floor || layer.profile().edges.walks();
        let plain = if is_used {
            palette::of_platform(kind)
        } else {
            SAME
        };
        let shape = Shape::new("floor", plain.solid(), form);
        let count = platforms.len() as u64;
        let mut shape = match kind {
            _ if is_compared => shape.named("unchanged", 0),
            PlatformKind::Floor if is_used => shape.named(name, edges.floor),
            PlatformKind::Floor => shape,
            _ => shape.named(name, count),
        };
        if is_compared {
            shape.paint = SAME.solid();
        }
        shape.ids = platforms.iter().map(|p| p.id.0).collect();
        shapes.push(shape);
    }
    shapes
}

/// One-way barriers: lines with arrow heads in the direction of passage.
fn barriers(layer: &Layer) -> [Shape; 2] {
    let barriers = &layer.parts().barriers;
    let lines: Vec<_> = (barriers.iter())
        .map(|barrier| line_in_cells(layer.grid(), &barrier.ends()))
        .collect();
    let mut heads = Vec::new();
    for (barrier, line) in barriers.iter().zip(&lines) {
        let along = match barrier.pass {
            Direction::Left => Vec2::NEG_X,
            Direction::Right => Vec2::X,
            _ => Vec2::Y,
        };
        let count = (line[0].distance(line[1]) / 1.2).floor().max(1.0);
        heads.extend((0..count as u32).map(|i| {
            let tail = line[0].lerp(line[1], (i as f32 + 0.5) / count);
            vec![tail, tail + along * 0.4]
        }));
    }
    let width = Size::new(0.09, 1.6, 2.4);
    let heads = Form::Lines {
        lines: heads,
        width,
        head: Some(Size::new(0.4, 3.0, 9.0)),
        dash: None,
    };
    let heads = Shape::new("gates", ONE_WAY.solid(), heads);
    let lines = Shape::new("gates", ONE_WAY.solid(), Form::lines(lines, width));
    [lines, heads.named("one-way", barriers.len() as u64)]
}

/// Markers: points as diamonds, others as frames, with class and name. Doors
/// have a colour of their own; closed ones are filled.
pub fn markers(grid: &Grid, markers: &[&Marker]) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (is_door, colour, name) in [(false, MARKER, "marker"), (true, DOOR, "door")] {
        let of_kind: Vec<&Marker> = (markers.iter().copied())
            .filter(|marker| (marker.kind() == MarkerKind::Door) == is_door)
            .collect();
        let (points, boxes): (Vec<&Marker>, Vec<&Marker>) =
            (of_kind.iter()).partition(|marker| marker.size == Vec2::ZERO);
        let closed = boxes
            .iter()
            .filter(|m| is_door && m.flag("closed") == Some(true));
        let rects = closed.map(|marker| marker_rect(grid, marker)).collect();
        let frames = boxes.iter().map(|marker| frame(marker_rect(grid, marker)));
        let points: Vec<Vec2> = points.iter().map(|marker| marker.position).collect();
        let points = Form::Marks {
            mark: Mark::Diamond,
            points: line_in_cells(grid, &points),
            radius: Size::new(0.35, 4.0, 7.0),
        };
        let frames = Form::lines(frames.collect(), Size::new(0.08, 1.0, 2.0));
        shapes.push(Shape::new(
            "markers",
            colour.faint(0.35),
            Form::Areas { rects },
        ));
        shapes.push(Shape::new("markers", colour.solid(), frames));
        let points = Shape::new("markers", colour.solid(), points);
        shapes.push(points.named(name, of_kind.len() as u64));
    }
    shapes.push(labels(grid, markers));
    // The legend lists markers that have no points, too.
    shapes.retain(|shape| !shape.form.is_empty() || shape.count > 0);
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
        let words = [&*marker.class, &*marker.name]
            .into_iter()
            .filter(|word| !word.is_empty());
        let [left, top, ..] = marker_rect(grid, marker);
        // Diamonds are as high as this.
        let above = if marker.size == Vec2::ZERO { 0.7 } else { 0.0 };
        let text = words.collect::<Vec<_>>().join(" ");
        (Vec2::new(left, top - above), text)
    });
    let form = Form::Labels {
        texts: texts.filter(|(_, text)| !text.is_empty()).collect(),
        height: 16,
    };
    let mut shape = Shape::new("markers", TEXT.solid(), form);
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
    let mut shapes = Vec::new();
    for (paint, width) in [
        (BACKGROUND.faint(0.75), Size::new(0.2, 5.5, 7.5)),
        (ROUTE.solid(), Size::new(0.2, 2.5, 4.5)),
    ] {
        let form = Form::lines(vec![line.clone()], width);
        shapes.push(Shape::new("paths", paint, form));
    }
    shapes[1].name = "path";
    for (colour, points, radius) in [
        (BACKGROUND, vec![start, end], Size::new(0.35, 5.5, 9.5)),
        (ROUTE, vec![start, end], Size::new(0.35, 4.0, 8.0)),
        (BACKGROUND, vec![end], Size::new(0.175, 2.0, 4.0)),
    ] {
        shapes.push(Shape::new(
            "paths",
            colour.solid(),
            Form::discs(points, radius),
        ));
    }
    shapes
}
