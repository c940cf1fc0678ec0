//! The air of agents that only fly, as trapezoids, which a reader may skip.
//!
//! Most sides are upright, so the lower side is stored only where it differs from the
//! upper one.

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use super::floats::{self, Lattice};
use super::ints;
use crate::mesh::AirCell;
#[cfg(feature = "write")]
use crate::mesh::Layer;

/// Writes the cells of every layer.
#[cfg(feature = "write")]
pub fn encode(layers: &[Layer]) -> Vec<u8> {
    let (mut out, mut items) = (Writer::default(), 0);
    for layer in layers {
        let cells = &layer.parts().air;
        out.put_count(cells.len());
        let is_slanted = |cell: &&AirCell| cell.lower != cell.upper;
        let flags: Vec<u32> = cells.iter().map(|cell| is_slanted(&cell).into()).collect();
        out.put(ints::encode(&flags));
        let heights: Vec<f32> = cells
            .iter()
            .flat_map(|cell| [cell.top, cell.bottom])
            .collect();
        let upper: Vec<f32> = cells.iter().flat_map(|cell| cell.upper).collect();
        let lower = cells.iter().filter(is_slanted);
        let lower: Vec<f32> = lower.flat_map(|cell| cell.lower).collect();
        for column in [heights, upper, lower] {
            let sizes = std::iter::repeat_n(2, column.len() / 2);
            floats::encode_groups(&mut out, &column, sizes, first_before, ints::zigzag);
        }
        items += 2 * cells.len();
    }
    out.pad_for(items);
    out.into_bytes()
}

/// Reads the cells of `layers` layers. Whether they are valid is not checked.
pub fn decode(bytes: &[u8], layers: usize) -> Result<Vec<Vec<AirCell>>, DecodeError> {
    let (mut reader, mut items) = (Reader::new(bytes), 0);
    let mut all = Vec::with_capacity(layers);
    for _ in 0..layers {
        let count = reader.get_count()?;
        items += 2 * count;
        let flags = ints::decode(reader.get()?, count)?;
        if flags.iter().any(|&flag| flag > 1) {
            return Err("has a cell of an unknown kind");
        }
        let slanted = flags.iter().filter(|flag| **flag == 1).count();
        let mut pairs = |count: usize| {
            let sizes = std::iter::repeat_n(2, count);
            let decode = floats::decode_groups;
            decode(&mut reader, 2 * count, sizes, first_before, ints::unzigzag)
        };
        let (heights, upper, lower) = (pairs(count)?, pairs(count)?, pairs(slanted)?);
        let [heights, upper, lower] = [&heights, &upper, &lower].map(|list| list.as_chunks().0);
        let mut lower = lower.iter();
        let cells = heights.iter().zip(upper).zip(flags);
        let cells = cells.map(|((&[top, bottom], &upper), flag)| AirCell {
            top,
            bottom,
            upper,
            lower: if flag == 1 {
                lower.next().copied().unwrap_or(upper)
            } else {
                upper
            },
        });
        all.push(cells.collect());
    }
    reader.finish(items)?;
    if all.iter().all(Vec::is_empty) {
        return Err("holds no air");
    }
    Ok(all)
}

/// The first number of a pair is stored as a difference to that of the pair before.
fn first_before(_: Lattice, _: usize, before: i32) -> i32 {
    before
}
