//! A spatial index of platforms.

use std::ops::Range;

use glam::Vec2;

use super::grid::Grid;
use super::ids::PlatformId;
use super::platform::{PlatformKind, Platforms, nearest_on};
use crate::graph::csr::Buckets;

/// A point of a platform's surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloorSpot {
    /// The platform.
    pub platform: PlatformId,
    /// The position of the feet on the platform, world units.
    pub position: Vec2,
}

/// Number of segments of a surface in one entry of the index. A smaller number
/// makes a larger index, which takes longer to build at every load; a larger one
/// makes every query test more segments outside its box.
const CHUNK: usize = 16;

/// A part of a surface and its bounding box.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SurfacePart {
    min: Vec2,
    max: Vec2,
    platform: PlatformId,
    first: u32,
    is_floor: bool,
    /// Whether it is a single level segment, so that its box is all that is needed.
    is_level: bool,
}

impl SurfacePart {
    /// The parts of all surfaces. Neighbouring parts share a point, so that no
    /// segment is missing.
    fn all(platforms: &Platforms) -> Vec<Self> {
        let mut parts = Vec::with_capacity(platforms.len());
        for platform in platforms.iter() {
            let surface = platform.surface;
            for first in (0..surface.len().max(2) - 1).step_by(CHUNK) {
                let points = &surface[first..surface.len().min(first + CHUNK + 1)];
                let (mut min, mut max) = (points[0], points[0]);
                for &point in points {
                    min = min.min(point);
                    max = max.max(point);
                }
                parts.push(Self {
                    min,
                    max,
                    platform: platform.id,
                    first: first as u32,
                    is_floor: platform.kind == PlatformKind::Floor,
                    is_level: points.len() == 2 && min.y == max.y,
                });
            }
        }
        parts
    }

    /// Calls `see` with the segments of the part that touch `low..=high` across. A
    /// surface of one point is a segment of length 0.
    #[inline]
    fn segments(
        &self,
        platforms: &Platforms,
        [low, high]: [f32; 2],
        mut see: impl FnMut(PlatformId, Vec2, Vec2),
    ) {
        if self.is_level {
            see(self.platform, self.min, self.max);
            return;
        }
        let first = self.first as usize;
        let surface = platforms.surface(self.platform);
        let points = &surface[first..surface.len().min(first + CHUNK + 1)];
        if let [point] = points {
            see(self.platform, *point, *point);
        }
        let before = points.partition_point(|point| point.x < low);
        for pair in points[before.saturating_sub(1)..].windows(2) {
            if pair[0].x > high {
                break;
            }
            see(self.platform, pair[0], pair[1]);
        }
    }
}

/// The parts of surfaces by the square cells of the level that their bounding
/// boxes touch. What is outside the grid counts for the nearest cell.
#[derive(Debug, Clone)]
pub struct FloorIndex {
    origin: Vec2,
    /// Cells per unit to the right and towards larger rows.
    scale: Vec2,
    columns: u32,
    rows: u32,
    /// The parts in each cell, row by row.
    groups: Buckets,
    parts: Vec<SurfacePart>,
}

/// The least width of a cell, in spacings. A floor is looked for up to two
/// spacings from a position, so that most queries see one or two cells.
const CELL: u32 = 8;

impl FloorIndex {
    pub fn new(platforms: &Platforms, grid: &Grid) -> Self {
        let parts = &SurfacePart::all(platforms);
        let mut this = Self {
            origin: grid.origin,
            scale: Vec2::ZERO,
            columns: 1,
            rows: 1,
            groups: Buckets::default(),
            parts: Vec::new(),
        };
        // In a level, a part lies in few cells. Larger cells limit the memory for a
        // forged file, whose surfaces may all go through the whole level.
        let most = 8 * parts.len() as u64;
        let mut width = CELL;
        let touched = loop {
            let cells = |vertices: u32| vertices.div_ceil(width).max(1);
            (this.columns, this.rows) = (cells(grid.columns), cells(grid.rows));
            let scale = 1.0 / (grid.spacing * width as f32);
            this.scale = Vec2::new(scale, scale * grid.y_axis.down());
            let touched = parts.iter();
            let touched: Vec<_> = touched.map(|s| this.touched(s.min, s.max)).collect();
            let cells =
                |[columns, rows]: &[Range<u32>; 2]| columns.len() as u64 * rows.len() as u64;
            let total: u64 = touched.iter().map(cells).sum();
            if total <= most || width > grid.columns.max(grid.rows) {
                break touched;
            }
            width *= 2;
        };
        // The numbers of the cells of each part.
        let columns = this.columns as usize;
        let cells = |[across, down]: &[Range<u32>; 2]| {
            let across = across.start as usize..across.end as usize;
            let rows = down.start as usize..down.end as usize;
            rows.flat_map(move |row| across.clone().map(move |column| row * columns + column))
        };
        let parts = parts.iter().zip(&touched);
        let parts = parts.flat_map(|(part, touched)| cells(touched).map(move |cell| (cell, part)));
        let (groups, parts) = Buckets::sorted(columns * this.rows as usize, parts);
        (this.groups, this.parts) = (groups, parts.into_iter().copied().collect());
        this
    }

    /// The columns and rows of cells that a rectangle touches.
    fn touched(&self, a: Vec2, b: Vec2) -> [Range<u32>; 2] {
        let (a, b) = (
            (a - self.origin) * self.scale,
            (b - self.origin) * self.scale,
        );
        let range = |a: f32, b: f32, count: u32| {
            let last = count.saturating_sub(1);
            // Casts turn numbers below zero into zero.
            (a.min(b) as u32).min(last)..(a.max(b) as u32).min(last) + 1
        };
        [range(a.x, b.x, self.columns), range(a.y, b.y, self.rows)]
    }

    /// Calls `see` with the parts whose bounding boxes touch a rectangle, in each cell
    /// that they and the rectangle touch.
    #[inline]
    fn near(&self, min: Vec2, max: Vec2, mut see: impl FnMut([u32; 2], &SurfacePart)) {
        let [columns, rows] = self.touched(min, max);
        for row in rows {
            let first = row as usize * self.columns as usize;
            for column in columns.clone() {
                let part = self.groups.range(first + column as usize);
                for part in self.parts.get(part).unwrap_or_default() {
                    if part.min.cmple(max).all() && min.cmple(part.max).all() {
                        see([column, row], part);
                    }
                }
            }
        }
    }

    /// Calls `see` once with every segment that may touch the box. A surface of one
    /// point is a segment of length 0.
    pub fn segments(
        &self,
        platforms: &Platforms,
        min: Vec2,
        max: Vec2,
        mut see: impl FnMut(PlatformId, Vec2, Vec2),
    ) {
        let first = |min, max| self.touched(min, max).map(|range| range.start);
        let [left, top] = first(min, max);
        self.near(min, max, |cell, part| {
            // Only in the first of these cells.
            let [column, row] = first(part.min, part.max);
            if cell == [column.max(left), row.max(top)] {
                part.segments(platforms, [min.x, max.x], &mut see);
            }
        });
    }

    /// The highest floor straight below a position: at most `above` higher than
    /// the position and at most `below` lower.
    pub fn below(
        &self,
        platforms: &Platforms,
        from: Vec2,
        down: f32,
        above: f32,
        below: f32,
    ) -> Option<FloorSpot> {
        let (a, b) = (from.y - down * above, from.y + down * below);
        let min = Vec2::new(from.x, a.min(b));
        let max = Vec2::new(from.x, a.max(b));
        let mut best: Option<(f32, FloorSpot)> = None;
        let mut see = |platform, a: Vec2, b: Vec2| {
            if !(a.x <= from.x && from.x <= b.x) {
                return;
            }
            let inner = a.y + (b.y - a.y) * ((from.x - a.x) / (b.x - a.x));
            let heights = if a.x < from.x && from.x < b.x {
                [inner; 2]
            } else {
                // At an end of the segment, or on a step: an agent can stand only
                // on its ends.
                [
                    if a.x == from.x { a.y } else { b.y },
                    if b.x == from.x { b.y } else { a.y },
                ]
            };
            for y in heights {
                let depth = (y - from.y) * down;
                let spot = FloorSpot {
                    platform,
                    position: Vec2::new(from.x, y),
                };
                if (-above..=below).contains(&depth) && is_better(depth, &spot, best.as_ref()) {
                    best = Some((depth, spot));
                }
            }
        };
        let across = [min.x, max.x];
        self.near(min, max, |_, part| {
            if part.is_floor {
                part.segments(platforms, across, &mut see);
            }
        });
        best.map(|(_, spot)| spot)
    }

    /// The nearest point within `radius` of a floor, or of a ladder, wall or
    /// ceiling.
    pub fn nearest(
        &self,
        platforms: &Platforms,
        to: Vec2,
        radius: f32,
        floor: bool,
    ) -> Option<FloorSpot> {
        let reach = Vec2::splat(radius);
        let mut best: Option<(f32, FloorSpot)> = None;
        let mut see = |platform, a: Vec2, b: Vec2| {
            let position = if floor {
                nearest_on(a, b, to)
            } else {
                to.clamp(a.min(b), a.max(b))
            };
            let distance = position.distance(to);
            let spot = FloorSpot { platform, position };
            if distance <= radius && is_better(distance, &spot, best.as_ref()) {
                best = Some((distance, spot));
            }
        };
        let (min, max) = (to - reach, to + reach);
        let across = [min.x, max.x];
        self.near(min, max, |_, part| {
            if part.is_floor == floor {
                part.segments(platforms, across, &mut see);
            }
        });
        best.map(|(_, spot)| spot)
    }
}

/// Whether a spot is nearer than the best so far. Equal distances are decided
/// by platform and x, so that the order of the index does not matter.
fn is_better(distance: f32, spot: &FloorSpot, best: Option<&(f32, FloorSpot)>) -> bool {
    best.is_none_or(|(least, other)| {
        (distance.total_cmp(least))
            .then(spot.platform.cmp(&other.platform))
            .then(spot.position.x.total_cmp(&other.position.x))
            .is_lt()
    })
}
