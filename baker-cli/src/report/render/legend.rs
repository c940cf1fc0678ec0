//! The legend: what the colours of a picture mean.

use glam::Vec2;
use navmesh_runtime::mesh::{EdgeSet, Layer, LinkKind, NavMesh, PlatformKind};

use super::canvas::{Canvas, Colour};
use super::font;
use super::markers::is_door;
use super::palette::{
    BACKGROUND, BARRIER, CLIMB, DOOR, DROP, FLOOR, FLY, IN_AIR, INSIDE, JUMP, MARKER, ON_FLOOR,
    PORTAL, ROUTE, TEXT,
};
use crate::report::counts::edge_counts;
use crate::report::format::{grouped, number};

/// How an entry shows its colour.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    Dot,
    Line,
    Arrow,
}

/// A mark, its colour and what it means.
pub(super) type Entry = (Mark, Colour, String);

/// The strip below a picture: a title, and the entries wrapped to its width.
pub(super) struct Legend {
    title: String,
    /// Each entry and its place, in dots from the top left.
    entries: Vec<(Entry, [u32; 2])>,
    /// Its height in dots.
    rows: u32,
    /// Pixels per dot.
    dot: u32,
}

/// Rows of dots from line to line.
const LINE: u32 = font::HEIGHT + 5;
/// Dots between entries.
const GAP: u32 = 8;
/// Width of a mark in dots.
const MARK: u32 = 12;

impl Legend {
    /// The legend of a layer, for a picture of this size.
    pub(super) fn of_layer(
        mesh: &NavMesh,
        layer: &Layer,
        [width, height]: [u32; 2],
        route: bool,
    ) -> Self {
        let profile = layer.profile();
        let [body_width, body_height] = profile.body.map(|side| number(side.into()));
        let title = format!(
            "{}  agent {}  body {body_width} x {body_height}  spacing {}",
            mesh.provenance().source,
            profile.name,
            number(mesh.grid().spacing.into()),
        );
        let count = edge_counts(layer);
        let mut entries = vec![
            (Mark::Dot, IN_AIR, "in air".to_owned()),
            (Mark::Dot, ON_FLOOR, "on floor".to_owned()),
            (Mark::Dot, INSIDE, "inside geometry".to_owned()),
        ];
        let platforms = |kind| layer.platforms().filter(|p| p.kind == kind).count() as u64;
        let [ladders, walls, ceilings] = [
            PlatformKind::Ladder,
            PlatformKind::Wall,
            PlatformKind::Ceiling,
        ]
        .map(platforms);
        let barriers = layer.parts().barriers.len() as u64;
        let (flies, walks) = (profile.edges.contains(EdgeSet::FLY), profile.edges.walks());
        let kinds = [
            LinkKind::Jump,
            LinkKind::Drop,
            LinkKind::DropThrough,
            LinkKind::Portal,
        ];
        let [jump, drop, drop_through, portal] = kinds.map(|kind| count.of(kind));
        // Jumps and drops are listed together, also if one of them is 0.
        let jumps = jump + drop > 0;
        let doors = mesh.markers().iter().filter(|m| is_door(m)).count() as u64;
        let markers = mesh.markers().len() as u64 - doors;
        let edges = [
            (Mark::Line, FLY.alpha(0.45), "fly", count.fly, flies),
            (Mark::Line, FLOOR, "floor", count.floor, walks),
            (Mark::Line, CLIMB, "ladders", ladders, false),
            (Mark::Line, CLIMB, "walls", walls, false),
            (Mark::Line, CLIMB, "ceilings", ceilings, false),
            (Mark::Arrow, BARRIER, "one-way", barriers, false),
            (Mark::Arrow, JUMP, "jump", jump, jumps),
            (Mark::Arrow, DROP, "drop", drop, jumps),
            (Mark::Arrow, DROP, "drop through", drop_through, false),
            (Mark::Arrow, PORTAL, "portal", portal, false),
            (Mark::Dot, MARKER, "marker", markers, false),
            (Mark::Dot, DOOR, "door", doors, false),
        ];
        for (mark, colour, name, number, is_always_listed) in edges {
            if is_always_listed || number > 0 {
                entries.push((mark, colour, format!("{name} {}", grouped(number))));
            }
        }
        if route {
            entries.push((Mark::Line, ROUTE, "path".to_string()));
        }
        Self::new(title, entries, width, width.min(height * 3))
    }

    /// A legend with its entries wrapped to the width. Its letters are in
    /// proportion to `size` pixels, but small enough for the title.
    pub(super) fn new(title: String, entries: Vec<Entry>, width: u32, size: u32) -> Self {
        let mut dot = (size / 500).clamp(1, 4);
        while dot > 1 && (font::width(&title) + 2 * GAP) * dot > width {
            dot -= 1;
        }
        let across = (width / dot).saturating_sub(GAP);
        let (mut x, mut y) = (GAP, GAP + LINE);
        let placed = entries.into_iter().map(|entry| {
            let takes = MARK + 4 + font::width(&entry.2);
            if x > GAP && x + takes > across {
                (x, y) = (GAP, y + LINE);
            }
            let at = [x, y];
            x += takes + 2 * GAP;
            (entry, at)
        });
        let entries = placed.collect();
        Self {
            title,
            entries,
            rows: y + LINE + GAP / 2,
            dot,
        }
    }

    /// Its height in pixels.
    pub(super) fn height(&self) -> u32 {
        self.rows * self.dot
    }

    /// Draws it below a picture of height `top`.
    pub(super) fn draw(&self, canvas: &mut Canvas, top: u32) {
        let size = self.dot as f32;
        let place = |x: u32, y: u32| Vec2::new(x as f32 * size, top as f32 + y as f32 * size);
        // Covers what was drawn across the lower edge of the picture. The right
        // side is beyond every picture; the canvas cuts it off.
        let below = place(0, 0);
        let far = Vec2::new(f32::from(u16::MAX), below.y + self.height() as f32);
        canvas.rect(below, far, BACKGROUND);
        canvas.rect(below, Vec2::new(far.x, below.y + size), TEXT.alpha(0.25));
        canvas.text(place(GAP, GAP), self.dot, &self.title, TEXT);
        for ((mark, colour, text), [x, y]) in &self.entries {
            let middle = y + font::HEIGHT / 2;
            let half = size * 0.5;
            let (from, to) = (place(*x, middle) + half, place(x + MARK, middle) + half);
            match mark {
                Mark::Dot => canvas.disc((from + to) * 0.5, 2.5 * size, *colour),
                Mark::Line => canvas.stroke(&[from, to], 2.0 * size, *colour),
                Mark::Arrow => {
                    let stem = to - Vec2::new(3.0 * size, 0.0);
                    canvas.stroke(&[from, stem], 1.5 * size, *colour);
                    canvas.arrow_head(&[from, to], 5.0 * size, *colour);
                }
            }
            canvas.text(place(x + MARK + 4, *y), self.dot, text, TEXT);
        }
    }
}
