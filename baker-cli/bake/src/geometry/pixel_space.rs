//! The configuration space of a body in a bitmap.

use std::ops::Range;

use glam::DVec2;
use navmesh_runtime::mesh::{BitGrid, Direction};

use crate::geometry::configuration_space::{Blocker, Body, ConfigurationSpace, Side, TopEdge};
use crate::geometry::interval::{Interval, merge, sort_and_dedup};
use crate::geometry::ladder::{Ladder, join_strips};
use crate::geometry::one_way_barrier::OneWayBarrier;
use crate::level::{PixelMap, Rect};

/// The configuration space of a body in a bitmap: rows are combined 64 pixels
/// at a time, then runs are grown by half the body's width.
pub struct PixelSpace {
    body: Body,
    /// Pixels that block the body.
    obstacles: BitGrid,
    /// The hazards among them.
    hazards: BitGrid,
    /// Solid pixels without a solid pixel above.
    floors: BitGrid,
    /// The same for one-way pixels.
    one_way_floors: BitGrid,
    solid: BitGrid,
    ladders: Vec<Ladder>,
}

impl PixelSpace {
    /// The space of a body in a bitmap with closed doors.
    pub fn new(map: &PixelMap, closed: &[Rect], body: Body) -> Self {
        let mut obstacles = map.solid.clone();
        if !body.ignores_hazards {
            unite(&mut obstacles, &map.hazard);
        }
        let size = DVec2::new(obstacles.columns().into(), obstacles.rows().into());
        for door in closed {
            let first = door.min.floor().clamp(DVec2::ZERO, size).as_uvec2();
            let end = door.max.ceil().clamp(DVec2::ZERO, size).as_uvec2();
            for row in first.y..end.y {
                obstacles.set_run(row, first.x, end.x);
            }
        }
        let mut one_way_floors = tops(&map.one_way);
        if body.climbs_ladders {
            unite(&mut one_way_floors, &tops(&map.ladder));
        }
        Self {
            body,
            obstacles,
            hazards: map.hazard.clone(),
            floors: tops(&map.solid),
            one_way_floors,
            solid: map.solid.clone(),
            ladders: ladders(&map.ladder),
        }
    }

    /// Rows of pixels whose inside a body meets with its feet strictly inside
    /// `band`.
    fn rows(&self, band: Interval) -> Range<u32> {
        // Feet at y cover the open range (y − h, y): row j, from j to j + 1,
        // is met when j < y and j + 1 > y − h.
        let first = (band.lo - self.body.size.y).floor().max(0.0);
        let end = (band.hi.ceil()).clamp(0.0, f64::from(self.obstacles.rows()));
        // A band below the bitmap begins past its last row.
        (first.min(end) as u32)..(end as u32)
    }

    /// The words that hold the columns of pixels that a window of feet
    /// positions can meet.
    fn words(&self, window: Interval) -> Range<usize> {
        let stride = self.obstacles.stride();
        let half = 0.5 * self.body.size.x;
        let [first, last] =
            [window.lo - half, window.hi + half].map(|column| (column / 64.0).floor());
        let first = first.clamp(0.0, stride as f64) as usize;
        let end = (last + 1.0).clamp(0.0, stride as f64) as usize;
        first.min(end)..end
    }

    /// The top edges of a plane's pixels, for rows whose upper edge is in `band`
    /// (top excluded, bottom included).
    fn plane_edges(
        &self,
        plane: &BitGrid,
        one_way: bool,
        band: Interval,
    ) -> impl Iterator<Item = TopEdge> {
        let first = band.lo.floor().max(-1.0) as i64 + 1;
        let last = (band.hi.floor() as i64).min(i64::from(plane.rows()) - 1);
        // Where two runs are closer than the width of the body, the body stands on both
        // at once: grown, they overlap and become one edge.
        (first.max(0)..=last).flat_map(move |row| {
            let y = row as f64;
            let runs = plane.runs(row as u32).map(|run| self.grown(run));
            let mut runs: Vec<Interval> = runs.collect();
            merge(&mut runs);
            runs.into_iter().map(move |run| TopEdge {
                left: DVec2::new(run.lo, y),
                right: DVec2::new(run.hi, y),
                one_way,
            })
        })
    }

    /// The feet positions at which the body meets a run of columns.
    fn grown(&self, run: Range<u32>) -> Interval {
        let run = Interval::new(f64::from(run.start), f64::from(run.end));
        run.grown(0.5 * self.body.size.x)
    }

    /// The feet heights at which the body meets a run of rows.
    fn grown_rows(&self, run: Range<u32>) -> Interval {
        let bottom = f64::from(run.end) + self.body.size.y;
        Interval::new(f64::from(run.start), bottom)
    }

    /// The columns and rows of pixels whose inside the body, made smaller by the skin,
    /// meets with its feet in a rectangle.
    fn pixels(&self, x: Interval, y: Interval) -> (Range<u32>, Range<u32>) {
        let Body { size, skin, .. } = self.body;
        let half = 0.5 * size.x - skin;
        // Clipping keeps a body outside the bitmap free: `first` may be past `end`.
        let cells = |from: f64, to: f64, count: u32| {
            let first = from.floor().max(0.0);
            let end = to.ceil().clamp(0.0, f64::from(count));
            first as u32..end as u32
        };
        let columns = cells(x.lo - half, x.hi + half, self.obstacles.columns());
        let (top, bottom) = (y.lo + skin - size.y, y.hi - skin);
        (columns, cells(top, bottom, self.obstacles.rows()))
    }
}

/// Whether any of these columns is set in a row.
fn has_any(row: &[u64], columns: Range<u32>) -> bool {
    if columns.is_empty() {
        return false;
    }
    let (first, last) = (columns.start as usize, columns.end as usize - 1);
    let (low, high) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
    let words = &row[first / 64..=last / 64];
    let n = words.len();
    words.iter().enumerate().any(|(i, &word)| {
        let mask = if i == 0 { low } else { u64::MAX } & if i + 1 == n { high } else { u64::MAX };
        word & mask != 0
    })
}

/// Adds the pixels of another plane to `plane`.
fn unite(plane: &mut BitGrid, other: &BitGrid) {
    for row in 0..plane.rows().min(other.rows()) {
        let words = plane.row_mut(row).iter_mut();
        words.zip(other.row(row)).for_each(|(w, o)| *w |= o);
    }
}

/// Runs of climbable pixels, joined into ladders.
fn ladders(plane: &BitGrid) -> Vec<Ladder> {
    let strips = (0..plane.rows()).flat_map(|row| {
        plane.runs(row).map(move |run| Ladder {
            x: Interval::new(run.start.into(), run.end.into()),
            y: Interval::new(row.into(), (row + 1).into()),
        })
    });
    join_strips(strips)
}

/// The pixels that are set while the pixel above is not.
fn tops(plane: &BitGrid) -> BitGrid {
    let mut tops = plane.clone();
    for row in 1..plane.rows() {
        remove(&mut tops, row, plane.row(row - 1));
    }
    tops
}

/// The pixels that are set while the pixel below is not.
fn bottoms(plane: &BitGrid) -> BitGrid {
    let mut bottoms = plane.clone();
    for row in 1..plane.rows() {
        remove(&mut bottoms, row - 1, plane.row(row));
    }
    bottoms
}

/// Clears the pixels of a row that are set in `other`.
fn remove(plane: &mut BitGrid, row: u32, other: &[u64]) {
    let words = plane.row_mut(row).iter_mut();
    words.zip(other).for_each(|(word, other)| *word &= !other);
}

impl ConfigurationSpace for PixelSpace {
    fn body(&self) -> &Body {
        &self.body
    }

    fn overlaps(&self, x: Interval, y: Interval) -> bool {
        let (columns, mut rows) = self.pixels(x, y);
        rows.any(|row| has_any(self.obstacles.row(row), columns.clone()))
    }

    fn blocker(&self, p: DVec2) -> Option<Blocker> {
        if !self.blocked(p) {
            return None;
        }
        let (columns, mut rows) = self.pixels(Interval::at(p.x), Interval::at(p.y));
        Some(Blocker {
            hazard: rows.any(|row| columns.clone().any(|column| self.hazards.get(column, row))),
            origin: None,
        })
    }

    fn blocked_x(&self, band: Interval, window: Interval, out: &mut Vec<Interval>) {
        let words = self.words(window);
        // The body is blocked by any of the rows that it meets: one line of bits has them
        // all.
        let mut line = BitGrid::new(64 * words.len() as u32, 1);
        for row in self.rows(band) {
            let row = &self.obstacles.row(row)[words.clone()];
            line.row_mut(0)
                .iter_mut()
                .zip(row)
                .for_each(|(l, w)| *l |= w);
        }
        let first = 64 * words.start as u32;
        let runs = line.runs(0).map(|run| run.start + first..run.end + first);
        out.clear();
        out.extend(runs.map(|run| self.grown(run)));
        merge(out);
    }

    fn cuts(&self, _fine: f64) -> Vec<f64> {
        // The feet enter a row at its upper edge, the head leaves it at its
        // lower edge.
        let feet = (0..=self.obstacles.rows()).map(f64::from);
        let head = feet.clone().map(|y| y + self.body.size.y);
        let mut cuts: Vec<f64> = feet.chain(head).collect();
        sort_and_dedup(&mut cuts);
        cuts
    }

    fn slanted_x(&self, _band: Interval, _window: Interval, out: &mut Vec<Interval>) {
        out.clear();
    }

    fn top_edges(&self, band: Interval) -> Vec<TopEdge> {
        let floors = self.plane_edges(&self.floors, false, band);
        let one_way = self.plane_edges(&self.one_way_floors, true, band);
        floors.chain(one_way).collect()
    }

    fn sides(&self) -> Vec<Side> {
        let (solid, bottoms) = (&self.solid, bottoms(&self.solid));
        let mut sides = Vec::new();
        for row in 0..solid.rows() {
            let span = self.grown_rows(row..row + 1);
            for run in solid.runs(row) {
                let Interval { lo, hi } = self.grown(run);
                for (faces, at) in [(Direction::Left, lo), (Direction::Right, hi)] {
                    sides.push(Side { faces, at, span });
                }
            }
            sides.extend(bottoms.runs(row).map(|run| Side {
                faces: Direction::Down,
                at: span.hi,
                span: self.grown(run),
            }));
        }
        sides
    }

    fn one_way_tops(&self, _x: Interval, y: Interval) -> Vec<TopEdge> {
        // `plane_edges` leaves out the upper end of its band, at which a top may be.
        let band = Interval::new(y.lo - 1.0, y.hi);
        self.plane_edges(&self.one_way_floors, true, band).collect()
    }

    /// Bitmaps have no one-way walls or ceilings.
    fn barriers(&self, _x: Interval, _y: Interval) -> Vec<OneWayBarrier> {
        Vec::new()
    }

    fn ladders(&self) -> Vec<Ladder> {
        self.ladders.clone()
    }

    fn covered(&self, [from, to]: [DVec2; 2], out: &mut Vec<Interval>) {
        // The lines of bitmaps are level or upright.
        if from.x < to.x {
            return self.blocked_x(Interval::at(from.y), Interval::new(from.x, to.x), out);
        }
        let half = 0.5 * self.body.size.x;
        let columns = f64::from(self.obstacles.columns());
        let first = (from.x - half).floor().max(0.0) as u32;
        let end = (from.x + half).ceil().clamp(0.0, columns) as u32;
        out.clear();
        let rows = self.rows(Interval::new(from.y, to.y));
        let met = rows.filter(|row| has_any(self.obstacles.row(*row), first..end));
        out.extend(met.map(|row| self.grown_rows(row..row + 1)));
        merge(out);
    }
}
