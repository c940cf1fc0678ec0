//! Bit planes, by the runs of bits in which their rows differ from others.
//!
//! Each row is compared with the row above, or with the same row of an earlier
//! layer. So a straight wall takes no space, and reading takes time in proportion
//! to corners and slopes.

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader, smallest_section};
use super::ints;
use crate::mesh::{BitGrid, Grid, VertexId};

/// The items that count for [`smallest_section`], beside the runs: one for every
/// 64 words of the planes. An empty level of any size is a few bytes, so this bound
/// is low; a larger one would pad real levels. Words are counted along rows and
/// along columns, as memory holds both for agents that fly.
fn plane_items(grid: &Grid, layers: usize) -> u64 {
    let (columns, rows) = (u64::from(grid.columns), u64::from(grid.rows));
    let words = (columns.div_ceil(64) * rows).max(rows.div_ceil(64) * columns);
    (words * layers as u64).div_ceil(64)
}

/// Writes the planes of all layers, each in the shortest of up to three ways.
#[cfg(feature = "write")]
pub fn encode(planes: &[&BitGrid], grid: &Grid) -> Vec<u8> {
    let mut out = Writer::default();
    let mut all_runs = 0;
    for (i, plane) in planes.iter().enumerate() {
        // The first layer and the one before are likely to be similar. Trying
        // all of them would take time quadratic in the layers.
        let mut references = vec![0];
        references.extend((i > 0).then_some(1));
        references.extend((i > 1).then_some(i));
        let ways = references.into_iter().map(|reference| {
            let other = reference.checked_sub(1).map(|layer| planes[layer]);
            let (gaps, lengths) = differences(plane, other);
            let columns = [ints::encode(&gaps), ints::encode(&lengths)];
            (columns, gaps.len(), reference)
        });
        let shortest = ways.min_by_key(|(columns, ..)| columns.iter().map(Vec::len).sum::<usize>());
        let ([gaps, lengths], runs, reference) = shortest.unwrap_or_default();
        out.put_count(reference);
        out.put_count(runs);
        out.put(gaps);
        out.put(lengths);
        all_runs += runs;
    }
    out.pad_for(all_runs.max(plane_items(grid, planes.len()) as usize));
    out.into_bytes()
}

/// Reads the planes of all layers.
pub fn decode(bytes: &[u8], grid: &Grid, layers: usize) -> Result<Vec<BitGrid>, DecodeError> {
    // Checked before memory is allocated for the planes.
    let items = usize::try_from(plane_items(grid, layers)).unwrap_or(usize::MAX);
    if smallest_section(items) > bytes.len() {
        return Err("is too short for the grid");
    }
    let mut all_runs = 0;
    let mut reader = Reader::new(bytes);
    let mut planes: Vec<BitGrid> = Vec::new();
    for _ in 0..layers {
        let reference: u64 = reader.get()?;
        let layer = |layer: u64| planes.get(usize::try_from(layer).ok()?);
        let other = reference
            .checked_sub(1)
            .map(|number| layer(number).ok_or("refers to the terrain of a later layer"))
            .transpose()?;
        let runs = reader.get_count()?;
        // Also of all layers together, so that the time is in proportion to the bytes.
        all_runs += runs;
        if smallest_section(all_runs) > bytes.len() {
            return Err("counts more runs than it has room for");
        }
        let gaps = ints::decode(reader.get()?, runs)?;
        let lengths = ints::decode(reader.get()?, runs)?;
        let mut plane = BitGrid::new(grid.columns, grid.rows);
        let mut end = 0_u64;
        for (gap, more) in gaps.into_iter().zip(lengths) {
            let start = end + u64::from(gap);
            end = start + u64::from(more) + 1;
            if end > grid.vertices() as u64 {
                return Err("has terrain below the grid");
            }
            let cell = grid.cell(VertexId(start as u32));
            if more >= grid.columns - cell.column {
                return Err("has terrain beside the grid");
            }
            plane.set_run(cell.row, cell.column, cell.column + more + 1);
        }
        match other {
            Some(other) => plane.flip(other),
            None => plane.flip_by_rows_above(),
        }
        planes.push(plane);
    }
    reader.finish(items.max(all_runs))?;
    Ok(planes)
}

/// The runs of bits that differ, of all rows one after the other: how many
/// bits lie between each one and the run before, and its length less one.
#[cfg(feature = "write")]
fn differences(plane: &BitGrid, other: Option<&BitGrid>) -> (Vec<u32>, Vec<u32>) {
    let mut differences = plane.clone();
    match other {
        Some(other) => differences.flip(other),
        None => differences.differ_from_rows_above(),
    }
    let mut end = 0;
    let rows = 0..differences.filled_rows();
    let runs = rows.flat_map(|row| {
        let first = row * plane.columns();
        let runs = differences.runs(row);
        runs.map(move |run| first + run.start..first + run.end)
    });
    runs.map(|run| {
        let gap = run.start - end;
        end = run.end;
        (gap, run.end - run.start - 1)
    })
    .unzip()
}

#[cfg(all(test, feature = "write"))]
#[path = "terrain_test.rs"]
mod tests;
