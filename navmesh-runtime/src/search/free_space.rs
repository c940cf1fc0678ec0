//! The space in which a body is free, as far as the mesh stores it.
//!
//! A layer stores at which vertices the body is blocked. When the body is at
//! least as large as a grid cell, nothing blocks it between two free vertices
//! that are neighbours, nor inside a square whose four corners are free.
//! Therefore free space is the union of such edges and squares.
//!
//! For agents that only fly, the layer stores exactly where the body is free.

use std::ops::RangeInclusive;

use glam::{DVec2, Vec2};

use super::regions::{Rect, contains, grown};
use crate::mesh::{Layer, OneWayBarrier};

/// How far from a line of vertices still counts as on it, in spacings. Positions
/// are `f32`: a thousand spacings from the origin they are rounded by up to 6e-5.
pub const ON_LINE: f64 = 1e-4;

/// How often half a spacing is halved until a piece of a motion is short enough to
/// pass through a vertex: `2^-13 / 2` is just below [`ON_LINE`].
pub const HALVINGS: u32 = 13;

/// The free space of a layer, with some regions closed.
#[derive(Debug, Clone, Copy)]
pub struct FreeSpace<'a> {
    layer: &'a Layer,
    doors: [&'a [Rect]; 2],
    /// Of the doors around this position, a part is open.
    start: Option<Vec2>,
}

impl<'a> FreeSpace<'a> {
    /// The free space of a layer with these closed doors.
    pub fn new(layer: &'a Layer, doors: [&'a [Rect]; 2]) -> Self {
        let start = None;
        Self {
            layer,
            doors,
            start,
        }
    }

    /// The same space for a motion from a position: a body inside a closed door can
    /// leave it by the nearest side, and gets no deeper inside.
    #[must_use]
    pub fn leaving(self, start: Vec2) -> Self {
        let start = Some(start);
        Self { start, ..self }
    }

    /// The side of a grid cell, world units.
    pub fn spacing(&self) -> f32 {
        self.layer.grid().spacing
    }

    /// Whether all of a box of feet positions is free. May return `false` for a
    /// box that is free, never `true` for one that is not.
    pub fn has_box(&self, min: DVec2, max: DVec2) -> bool {
        self.is_open(min, max) && self.is_outside_doors(min.as_vec2(), max.as_vec2())
    }

    /// Whether nothing but doors blocks a part of a box.
    fn is_open(&self, min: DVec2, max: DVec2) -> bool {
        let grid = self.layer.grid();
        let down = f64::from(grid.y_axis.down());
        if let Some(air) = self.layer.exact_air() {
            let heights = [min.y * down, max.y * down];
            let [top, bottom] = [heights[0].min(heights[1]), heights[0].max(heights[1])];
            return air.has_box(DVec2::new(min.x, top), DVec2::new(max.x, bottom));
        }
        let (a, b) = (grid.in_spacings(min), grid.in_spacings(max));
        let span = |a: f64, b: f64, count: u32| {
            let first = floor(a.min(b) + ON_LINE);
            // The ceiling of the greater coordinate less the tolerance.
            let last = floor(ON_LINE - a.max(b)).saturating_neg().max(first);
            (first >= 0 && last < i64::from(count)).then_some(first as u32..=last as u32)
        };
        let (Some(across), Some(along)) = (span(a.x, b.x, grid.columns), span(a.y, b.y, grid.rows))
        else {
            return false;
        };
        let blocked = self.layer.blocked();
        let lowest = (min.y * down).max(max.y * down) * down;
        let is_free = |row: u32| !across.clone().any(|column| blocked.get(column, row));
        for row in along.clone() {
            let is_contact = || {
                row > *along.start()
                    && row == *along.end()
                    && self.is_above_floor([min.x, max.x], across.clone(), row - 1, lowest)
            };
            if !is_free(row) && !is_contact() {
                return false;
            }
        }
        true
    }

    fn is_outside_doors(&self, min: Vec2, max: Vec2) -> bool {
        self.doors.iter().copied().flatten().all(|&door| {
            let door = self.closed_part(grown(door, self.layer));
            min.cmpge(door.max).any() || max.cmple(door.min).any()
        })
    }

    /// The part of a door that the motion must not enter.
    fn closed_part(&self, mut door: Rect) -> Rect {
        let Some(start) = self.start.filter(|&start| contains(door, start)) else {
            return door;
        };
        let (low, high) = (start - door.min, door.max - start);
        let depth = low.min(high);
        let axis = usize::from(depth.y < depth.x);
        if low[axis] < high[axis] {
            door.min[axis] = start[axis];
        } else {
            door.max[axis] = start[axis];
        }
        door
    }

    /// The nearest place straight beside, above or below a free position that is known
    /// to be free, for a position between a free vertex and a blocked one. Nothing is in
    /// the way: the distance is shorter than the body, which is free at both ends.
    pub fn nearest_known(&self, from: DVec2, is_wanted: impl Fn(DVec2) -> bool) -> Option<DVec2> {
        let level = self.columns(from).map(|x| DVec2::new(x, from.y));
        let upright = self.rows(from).map(|y| DVec2::new(from.x, y));
        let places = level.into_iter().chain(upright);
        self.nearest(from, places.filter(|to| is_wanted(*to)))
    }

    /// The nearest free vertex of the four around a position. Between a position in the
    /// corner of two walls and the one vertex beside it that is free, there is nothing.
    pub fn nearest_vertex(&self, from: DVec2, is_wanted: impl Fn(DVec2) -> bool) -> Option<DVec2> {
        let columns = self.columns(from).into_iter();
        let vertices = columns.flat_map(|x| self.rows(from).map(|y| DVec2::new(x, y)));
        self.nearest(from, vertices.filter(|to| is_wanted(*to)))
    }

    /// The nearest of the places that are free.
    fn nearest(&self, from: DVec2, places: impl Iterator<Item = DVec2>) -> Option<DVec2> {
        places
            .filter(|&to| self.has_box(to, to) && self.passes(from, to))
            .min_by(|a, b| from.distance(*a).total_cmp(&from.distance(*b)))
    }

    /// The y of the rows of vertices on both sides of a position.
    fn rows(&self, at: DVec2) -> [f64; 2] {
        let grid = self.layer.grid();
        let step = f64::from(grid.spacing * grid.y_axis.down());
        lines(at.y, grid.origin.y.into(), step, 0.0)
    }

    /// The x of the columns of vertices on both sides of a position.
    pub fn columns(&self, at: DVec2) -> [f64; 2] {
        let grid = self.layer.grid();
        lines(at.x, grid.origin.x.into(), grid.spacing.into(), 0.5)
    }

    /// Whether everything from a row of free vertices straight down to a height
    /// is free, because the body can stand at that height or lower all the way
    /// across, as at a landing or a take-off. `columns` are those around `across`.
    fn is_above_floor(
        &self,
        across: [f64; 2],
        columns: RangeInclusive<u32>,
        row: u32,
        y: f64,
    ) -> bool {
        let grid = self.layer.grid();
        let down = f64::from(grid.y_axis.down());
        let slack = ON_LINE * f64::from(grid.spacing);
        let is_above = |p: Vec2| (y - f64::from(p.y)) * down <= slack;
        let [from, to] = across.map(|x| x as f32);
        let floor_at = |x: f32| {
            let vertex = Vec2::new(x, grid.row_y(row));
            self.layer.floor_below(vertex, grid.spacing)
        };
        // A slope may be more than a spacing below. Then it rises to the one blocked vertex
        // beside: the body is free all along it and at the other vertex, and is wider than
        // what is between them.
        let slope_beside = || {
            let (first, last) = columns.into_inner();
            let [left, right] = [first, last].map(|c| self.layer.blocked().get(c, row + 1));
            let higher = if left { first } else { last };
            (last == first + 1 && left != right).then(|| floor_at(grid.column_x(higher)))?
        };
        let Some(spot) = floor_at(from).or_else(slope_beside) else {
            return false;
        };
        let Some(platform) = self.layer.platform(spot.platform) else {
            return false;
        };
        let surface = platform.surface;
        let inside = surface.get(surface.partition_point(|p| p.x < from)..);
        platform.spans(from)
            && platform.spans(to)
            && is_above(platform.clamp(from))
            && is_above(platform.clamp(to))
            && (inside.unwrap_or_default().iter())
                .take_while(|p| p.x <= to)
                .all(|p| is_above(*p))
    }

    /// Whether a body with its feet at a point is proved to be free.
    pub fn has(&self, point: Vec2) -> bool {
        let point = point.as_dvec2();
        self.has_box(point, point)
    }

    /// Whether a straight motion crosses no one-way wall or ceiling against its
    /// direction.
    pub fn passes(&self, from: DVec2, to: DVec2) -> bool {
        self.stopper(|t| from.lerp(to, t), [0.0, 1.0]).is_none()
    }

    /// The first one-way wall or ceiling that stops a motion from one time to another,
    /// within which each coordinate only rises or only falls.
    pub fn stopper(&self, at: impl Fn(f64) -> DVec2, times: [f64; 2]) -> Option<&'a OneWayBarrier> {
        let down = f64::from(self.layer.grid().y_axis.down());
        // The baker ends floors before barriers, so the tolerance need only cover the
        // rounding of a trajectory, which is computed in `f64`.
        let skin = f64::from(self.spacing()) * 1e-6;
        let mut barriers = self.layer.barriers().iter();
        barriers.find(|barrier| barrier.stops(&at, times, down, skin))
    }

    /// Whether a straight flight is free all the way.
    pub fn sees(&self, from: Vec2, to: Vec2) -> bool {
        let (from, to) = (from.as_dvec2(), to.as_dvec2());
        self.has_motion(from.distance(to), 1.0, &straight(from, to))
    }

    /// How much of a straight flight is free, world units, up to its length. It may
    /// be too short by 1/32 of the spacing, and never too long.
    pub fn clear_length(&self, from: Vec2, to: Vec2) -> f32 {
        let (from, to) = (from.as_dvec2(), to.as_dvec2());
        let length = from.distance(to);
        // The limit is for lengths that are not finite, of which nothing is free.
        let parts = (32.0 * length / f64::from(self.spacing())).ceil().min(1e18) as u64;
        let halvings = parts.next_power_of_two().trailing_zeros();
        let share = self.free_until([0.0, 1.0], halvings, &straight(from, to));
        (length * share) as f32
    }

    /// Until when a motion is free, from one time to another, found by halving the
    /// time so often. The result may be too early, never too late.
    pub fn free_until(
        &self,
        [from, to]: [f64; 2],
        halvings: u32,
        bounds: &impl Fn(f64, f64) -> (DVec2, DVec2),
    ) -> f64 {
        let (min, max) = bounds(from, to);
        if self.has_box(min, max) {
            return to;
        }
        if halvings == 0 {
            return from;
        }
        let middle = f64::midpoint(from, to);
        let free = self.free_until([from, middle], halvings - 1, bounds);
        if free < middle {
            return free;
        }
        self.free_until([middle, to], halvings - 1, bounds)
    }

    /// Whether a motion of some length and duration is free. `bounds` returns the
    /// box that contains it from one time to another.
    pub fn has_motion(
        &self,
        length: f64,
        duration: f64,
        bounds: &impl Fn(f64, f64) -> (DVec2, DVec2),
    ) -> bool {
        let is_free = |min, max| self.has_box(min, max);
        if self.layer.exact_air().is_some() {
            // A large box is looked up as fast as a small one.
            let count = pieces(length, self.spacing());
            let halvings = HALVINGS + count.next_power_of_two().trailing_zeros();
            return is_free_piece(0.0, duration, bounds, &is_free, halvings);
        }
        is_free_motion(length, duration, self.spacing(), bounds, &is_free)
    }
}

/// The box that contains a straight motion from one share of it to another.
fn straight(from: DVec2, to: DVec2) -> impl Fn(f64, f64) -> (DVec2, DVec2) {
    move |s, t| {
        let (p, q) = (from.lerp(to, s), from.lerp(to, t));
        (p.min(q), p.max(q))
    }
}

/// Whether a motion of some length and duration is free, where `is_free` returns
/// that for boxes of feet positions. `bounds` returns the box that contains the
/// motion from one time to another.
pub fn is_free_motion(
    length: f64,
    duration: f64,
    spacing: f32,
    bounds: &impl Fn(f64, f64) -> (DVec2, DVec2),
    is_free: &impl Fn(DVec2, DVec2) -> bool,
) -> bool {
    let count = pieces(length, spacing);
    let at = |i: u32| duration * f64::from(i) / f64::from(count);
    (0..count).all(|i| is_free_piece(at(i), at(i + 1), bounds, is_free, HALVINGS))
}

/// The number of pieces of a motion, half a spacing long. The limit bounds the time for motions
/// longer than any level. Their pieces are longer, so they may count as blocked where they are
/// free.
fn pieces(length: f64, spacing: f32) -> u32 {
    (length / (0.5 * f64::from(spacing))).ceil().clamp(1.0, 1e5) as u32
}

/// Whether a piece of a motion is free. A piece that passes a vertex from one
/// square to the opposite one has a box over all four squares, so it is
/// divided.
fn is_free_piece(
    from: f64,
    to: f64,
    bounds: &impl Fn(f64, f64) -> (DVec2, DVec2),
    is_free: &impl Fn(DVec2, DVec2) -> bool,
    halvings: u32,
) -> bool {
    let (min, max) = bounds(from, to);
    if is_free(min, max) {
        return true;
    }
    // Most pieces that are not free are blocked in the middle too.
    let middle = f64::midpoint(from, to);
    let (min, max) = bounds(middle, middle);
    halvings > 0
        && is_free(min, max)
        && is_free_piece(from, middle, bounds, is_free, halvings - 1)
        && is_free_piece(middle, to, bounds, is_free, halvings - 1)
}

/// The coordinates of two neighbouring lines of a grid around a coordinate.
fn lines(at: f64, origin: f64, step: f64, offset: f64) -> [f64; 2] {
    let first = ((at - origin) / step - offset).floor();
    [first, first + 1.0].map(|i| origin + (i + offset) * step)
}

/// The greatest whole number not above a value. Faster than [`f64::floor`], which
/// is a function call on processors without SSE 4.1.
fn floor(value: f64) -> i64 {
    let whole = value as i64;
    whole.saturating_sub(i64::from(whole as f64 > value))
}
