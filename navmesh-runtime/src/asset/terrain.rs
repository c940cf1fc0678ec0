//! Bit planes, coded by the columns at which their rows change.
//!
//! A row is a list of *edges*, the columns at which it changes between free
//! and blocked (it starts free). Each row is coded by how its edges differ
//! from those of a reference row: the row above, or the same row of an
//! earlier layer. So time and space are in proportion to the edges, not to
//! the vertices, and a straight wall costs almost nothing.

use super::codec::{DecodeError, Reader, smallest_section};
use super::range_coder::{Chance, Coder, Decoder};
#[cfg(feature = "write")]
use super::{codec::Writer, range_coder::Encoder};
use crate::mesh::{BitGrid, Grid};

/// The items that count for [`smallest_section`]: one for every 64 words of
/// the planes. Planes compress far below one bit a vertex (an empty level of
/// any size is a few bytes), so this bound is low; a larger one would pad real
/// levels. Words are counted along rows and along columns, as memory holds
/// both for agents that fly.
fn terrain_items(grid: &Grid, layers: usize) -> u64 {
    let (columns, rows) = (u64::from(grid.columns), u64::from(grid.rows));
    let words = (columns.div_ceil(64) * rows).max(rows.div_ceil(64) * columns);
    (words * layers as u64).div_ceil(64)
}

/// Writes the planes of all layers, each in the shortest of up to three ways.
#[cfg(feature = "write")]
pub(super) fn encode(planes: &[&BitGrid], grid: &Grid) -> Vec<u8> {
    let mut out = Writer::default();
    for (i, plane) in planes.iter().enumerate() {
        // The first layer and the one before are likely to be similar. Trying
        // all of them would take time quadratic in the layers.
        let mut references = vec![0];
        references.extend((i > 0).then_some(1));
        references.extend((i > 1).then_some(i));
        let (_, reference, bytes) = references
            .into_iter()
            .map(|reference| {
                let other = reference.checked_sub(1).map(|layer| planes[layer]);
                let bytes = encode_plane(plane, other);
                (bytes.len(), reference, bytes)
            })
            .min()
            .unwrap_or_default();
        out.put_count(reference);
        out.put(bytes);
    }
    out.pad_for(terrain_items(grid, planes.len()) as usize);
    out.into_bytes()
}

/// Reads the planes of all layers.
pub(super) fn decode(
    bytes: &[u8],
    grid: &Grid,
    layers: usize,
) -> Result<Vec<BitGrid>, DecodeError> {
    // Checked before memory is allocated for the planes.
    let items = usize::try_from(terrain_items(grid, layers)).unwrap_or(usize::MAX);
    if smallest_section(items) > bytes.len() {
        return Err("is too short for the grid");
    }
    let mut reader = Reader::new(bytes);
    let mut planes: Vec<BitGrid> = Vec::new();
    for _ in 0..layers {
        let reference: u64 = reader.get()?;
        let bytes: &[u8] = reader.get()?;
        let layer = |layer: u64| planes.get(usize::try_from(layer).ok()?);
        let other = reference
            .checked_sub(1)
            .map(|number| layer(number).ok_or("refers to the terrain of a later layer"))
            .transpose()?;
        planes.push(decode_plane(bytes, grid.columns, grid.rows, other)?);
    }
    reader.finish(items)?;
    Ok(planes)
}

#[cfg(feature = "write")]
fn encode_plane(plane: &BitGrid, other: Option<&BitGrid>) -> Vec<u8> {
    let mut coder = Encoder::default();
    let mut model = Model::new(plane.columns(), other.is_some());
    let (mut reference, mut row, mut target) = (Vec::new(), Vec::new(), Vec::new());
    for r in 0..plane.filled_rows() {
        if let Some(other) = other {
            edges_of(other, r, &mut reference);
        }
        edges_of(plane, r, &mut target);
        // Only decoding can fail.
        let coded = model.row(&mut coder, &reference, Some(&target), &mut row);
        debug_assert!(coded.is_ok());
        std::mem::swap(&mut reference, &mut row);
    }
    coder.finish()
}

fn decode_plane(
    bytes: &[u8],
    columns: u32,
    rows: u32,
    other: Option<&BitGrid>,
) -> Result<BitGrid, DecodeError> {
    let mut plane = BitGrid::new(columns, rows);
    let mut coder = Decoder::new(bytes);
    let mut model = Model::new(columns, other.is_some());
    let (mut reference, mut row) = (Vec::new(), Vec::new());
    for r in 0..plane.filled_rows() {
        if let Some(other) = other {
            edges_of(other, r, &mut reference);
        }
        model.row(&mut coder, &reference, None, &mut row)?;
        for pair in row.chunks(2) {
            let to = pair.get(1).map_or(columns, |e| e.at);
            plane.set_run(r, pair[0].at, to);
        }
        std::mem::swap(&mut reference, &mut row);
    }
    if coder.is_spent() {
        Ok(plane)
    } else {
        Err("has terrain with bytes after its end")
    }
}

/// A change between free and blocked in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge {
    /// The first column after the change.
    at: u32,
    /// How it moved over the last two rows, as [`moved`] codes it.
    history: u8,
}

/// The history of an edge that has just appeared.
const FRESH: u8 = 25;
const HISTORIES: usize = 26;

/// The history of an edge after it moved by `delta`.
fn moved(history: u8, delta: i64) -> u8 {
    let last = if history == FRESH { 2 } else { history % 5 };
    last * 5 + clamped(delta)
}

/// A movement as one of five: far left, left, none, right, far right.
fn clamped(delta: i64) -> u8 {
    (delta.clamp(-2, 2) + 2) as u8
}

fn edges_of(plane: &BitGrid, row: u32, edges: &mut Vec<Edge>) {
    edges.clear();
    let edge = |at| Edge { at, history: FRESH };
    for run in plane.runs(row) {
        edges.push(edge(run.start));
        if run.end < plane.columns() {
            edges.push(edge(run.end));
        }
    }
}

/// The last decision in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Kept = 0,
    New = 1,
    Gone = 2,
}

/// The probabilities learned so far in a plane, by context. "Colour" is 0 for
/// an edge from free to blocked and 1 for the opposite.
#[derive(Default)]
struct Model {
    columns: u32,
    /// Whether references are rows of another plane instead of the row above.
    foreign: bool,
    /// Whether each of the last rows equalled its reference, as bits.
    same: u8,
    /// How the last edge of either colour moved in a foreign reference.
    drift: [u8; 2],
    same_row: [Chance; 16],
    kept: [[[Chance; 3]; 3]; 2],
    gone: [[Chance; 3]; 2],
    still: [[[Chance; 5]; HISTORIES]; 2],
    right: [[[Chance; 5]; HISTORIES]; 2],
    distance: [Numbers; 2],
    end: [Chance; 3],
    start: [Numbers; 2],
    length: [Numbers; 2],
}

impl Model {
    fn new(columns: u32, foreign: bool) -> Self {
        Self {
            columns,
            foreign,
            drift: [2; 2],
            ..Self::default()
        }
    }

    /// Codes one row against its reference into `row`; `target` is the row
    /// when encoding.
    fn row<C: Coder>(
        &mut self,
        coder: &mut C,
        reference: &[Edge],
        target: Option<&[Edge]>,
        row: &mut Vec<Edge>,
    ) -> Result<(), DecodeError> {
        row.clear();
        let equal = |target: &[Edge]| {
            target.len() == reference.len()
                && target.iter().zip(reference).all(|(a, b)| a.at == b.at)
        };
        // Most rows equal their reference. Where the last four rows did, that costs next to
        // nothing.
        let same = coder.code(
            &mut self.same_row[usize::from(self.same & 15)],
            target.is_some_and(equal),
        );
        self.same = self.same << 1 | u8::from(same);
        if same {
            row.extend(reference.iter().map(|edge| Edge {
                at: edge.at,
                history: moved(edge.history, 0),
            }));
            return Ok(());
        }
        // The first column the next edge may have, and the next reference
        // edge; both lists are at the same colour all the way.
        let (mut from, mut next) = (0, 0);
        let mut event = Event::Kept;
        let mut neighbour = 2;
        loop {
            let at = |edges: &[Edge], i: usize| edges.get(i).map_or(self.columns, |e| e.at);
            // A run of the reference that ends before the next edge can no
            // longer match one here.
            while next < reference.len() && at(reference, next + 1) <= from {
                next += 2;
            }
            let colour = row.len() & 1;
            let (here, beyond) = (at(reference, next), at(reference, next + 1));
            let wanted = target.map(|target| (at(target, row.len()), at(target, row.len() + 1)));
            if next >= reference.len() {
                let last = wanted.is_some_and(|(t, _)| t == self.columns);
                if coder.code(&mut self.end[event as usize], last) {
                    return Ok(());
                }
            } else {
                let overlaps = wanted.is_some_and(|(t, end)| t < beyond && here < end);
                let narrow = (beyond - here).min(3) as usize - 1;
                if coder.code(&mut self.kept[colour][event as usize][narrow], overlaps) {
                    let delta = wanted.map_or(0, |(t, _)| i64::from(t) - i64::from(here));
                    // Sides of a slope, or of a body that is wider in another layer, move alike.
                    let hint = if self.foreign {
                        self.drift[colour]
                    } else {
                        neighbour
                    };
                    let history = reference[next].history;
                    let delta = self.movement(coder, colour, history, hint, delta);
                    neighbour = clamped(delta);
                    self.drift[colour] = neighbour;
                    let edge = Edge {
                        at: u32::try_from(i64::from(here) + delta)
                            .ok()
                            .filter(|at| (from..self.columns).contains(at))
                            .ok_or("has terrain with a row out of order")?,
                        history: moved(history, delta),
                    };
                    row.push(edge);
                    from = edge.at + 1;
                    next += 1;
                    event = Event::Kept;
                    continue;
                }
                let skipped = wanted.is_some_and(|(t, _)| beyond <= t);
                if coder.code(&mut self.gone[colour][event as usize], skipped) {
                    next += 2;
                    event = Event::Gone;
                    continue;
                }
            }
            event = Event::New;
            neighbour = 2;
            let start = wanted.map_or(0, |(t, _)| t - from);
            let start = self.start[colour].code(coder, start);
            let length = wanted.map_or(0, |(t, end)| end - t - 1);
            let length = self.length[colour].code(coder, length);
            let start = u64::from(from) + u64::from(start);
            let end = start + u64::from(length) + 1;
            if end > u64::from(self.columns) {
                return Err("has terrain with a row that is too long");
            }
            let fresh = |at: u64| Edge {
                at: at as u32,
                history: FRESH,
            };
            row.push(fresh(start));
            if end == u64::from(self.columns) {
                // Blocked (or free) up to the edge of the level.
                return Ok(());
            }
            row.push(fresh(end));
            from = end as u32 + 1;
        }
    }

    /// Codes how far an edge moved.
    fn movement<C: Coder>(
        &mut self,
        coder: &mut C,
        colour: usize,
        history: u8,
        hint: u8,
        delta: i64,
    ) -> i64 {
        let (history, hint) = (usize::from(history), usize::from(hint));
        if coder.code(&mut self.still[colour][history][hint], delta == 0) {
            return 0;
        }
        let right = coder.code(&mut self.right[colour][history][hint], delta > 0);
        let size = delta.unsigned_abs().saturating_sub(1) as u32;
        let size = i64::from(self.distance[usize::from(right)].code(coder, size)) + 1;
        if right { size } else { -size }
    }
}

/// Elias-gamma codes with learned probabilities: the number of bits of
/// `value + 1`, then the bits below the top one. Of these only the upper two
/// have probabilities of their own; the lower ones are close to random.
#[derive(Debug, Clone)]
struct Numbers {
    size: [Chance; 33],
    top: [[Chance; 3]; 33],
    low: Chance,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            size: [Chance::default(); 33],
            top: [[Chance::default(); 3]; 33],
            low: Chance::default(),
        }
    }
}

impl Numbers {
    fn code<C: Coder>(&mut self, coder: &mut C, value: u32) -> u32 {
        let value = u64::from(value) + 1;
        let bits = value.ilog2() as usize;
        let mut size = 0;
        // Columns have at most 22 bits, as the grid reaches no further than 2,097,152 spacings;
        // a forged file ends here, too.
        while size < 31 && coder.code(&mut self.size[size], size < bits) {
            size += 1;
        }
        let mut read = 1_u64;
        for (i, below) in (0..size).rev().enumerate() {
            let bit = value >> below & 1 == 1;
            let bit = match i {
                0 => coder.code(&mut self.top[size][0], bit),
                1 => coder.code(&mut self.top[size][1 + (read & 1) as usize], bit),
                _ => coder.code(&mut self.low, bit),
            };
            read = read << 1 | u64::from(bit);
        }
        (read - 1) as u32
    }
}

#[cfg(all(test, feature = "write"))]
#[path = "terrain_test.rs"]
mod tests;
