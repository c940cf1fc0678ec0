//! Columns of `f32`, bit for bit.
//!
//! Many numbers of a baked mesh repeat. A column is written in the shorter of two
//! codings, named by its first byte:
//!
//! - 0, *raw*: four bytes a value.
//! - 1, *palette*: the different values, most frequent first, then a column of
//!   indices into them.
//!
//! Coordinates lie on a lattice (whole multiples of a power of two), and are close
//! to each other: those of a group of points are stored as steps on the
//! lattice from one to the next.

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use super::ints;

const RAW: u8 = 0;
const PALETTE: u8 = 1;

/// Most values of a palette. Each costs four bytes, so a palette is shorter only for
/// columns many times its length; the limit also bounds the time to look for
/// one in a long column of different values.
#[cfg(feature = "write")]
const MOST_COLOURS: usize = 1 << 12;

/// Writes a column in its shorter coding.
#[cfg(feature = "write")]
pub fn encode(out: &mut Writer, values: &[f32]) {
    let raw = raw_bytes(values);
    let palette = palette_bytes(values).filter(|palette| palette.len() < raw.len());
    let (mode, bytes) = palette.map_or((RAW, raw), |palette| (PALETTE, palette));
    out.put(mode);
    out.put(bytes);
}

/// Reads a column of `count` values.
pub fn decode(reader: &mut Reader<'_>, count: usize) -> Result<Vec<f32>, DecodeError> {
    decode_if(reader, count, |_| true)
}

/// Reads a column of `count` values, all of which `is_valid` accepts. Of a palette,
/// only the different values are looked at.
pub fn decode_if(
    reader: &mut Reader<'_>,
    count: usize,
    is_valid: impl Fn(f32) -> bool,
) -> Result<Vec<f32>, DecodeError> {
    let check = |values: Vec<f32>| {
        // Without a branch for each value, so that several are compared at once.
        let are_valid = values
            .iter()
            .fold(true, |are, &value| are & is_valid(value));
        are_valid
            .then_some(values)
            .ok_or("has a number out of its range")
    };
    let mode: u8 = reader.get()?;
    let bytes: &[u8] = reader.get()?;
    match mode {
        RAW => check(raw_values(bytes, count)?),
        PALETTE => {
            let mut inner = Reader::new(bytes);
            let colours: &[u8] = inner.get()?;
            let colours = check(raw_values(colours, colours.len() / 4)?)?;
            let mut are_known = true;
            let value = |index| {
                let colour = colours.get(index as usize);
                are_known &= colour.is_some();
                colour.copied().unwrap_or_default()
            };
            let values = ints::decode_as(inner.get()?, count, value)?;
            inner.finish(0)?;
            if are_known {
                Ok(values)
            } else {
                Err("has a palette index past the palette")
            }
        }
        _ => Err("has a column of floats in an unknown coding"),
    }
}

/// Writes a column whose values are in groups of some sizes. On a lattice, the
/// first value of a group is a difference to what `base` returns for the group's
/// number and the first value of the group before, and every other value one to
/// the value before; else they are plain floats. `code` is that of a difference.
#[cfg(feature = "write")]
pub fn encode_groups(
    out: &mut Writer,
    values: &[f32],
    sizes: impl Iterator<Item = u32>,
    base: impl Fn(Lattice, usize, i32) -> i32,
    code: fn(i32) -> u32,
) {
    let Some((lattice, steps)) = Lattice::fit(values) else {
        out.put(false);
        encode(out, values);
        return;
    };
    out.put(true);
    out.put(lattice.shift);
    let (mut firsts, mut others) = (Vec::new(), Vec::new());
    let (mut rest, mut before) = (steps.as_slice(), 0);
    for (number, size) in sizes.enumerate() {
        let (group, after) = rest.split_at(size as usize);
        if let Some(&first) = group.first() {
            firsts.push(code(first.wrapping_sub(base(lattice, number, before))));
            before = first;
        }
        others.extend(
            group
                .windows(2)
                .map(|pair| code(pair[1].wrapping_sub(pair[0]))),
        );
        rest = after;
    }
    out.put(ints::encode(&firsts));
    out.put(ints::encode(&others));
}

/// Reads what `encode_groups` writes. `count` is the sum of the sizes; `decode_step`
/// is the inverse of `code`.
pub fn decode_groups(
    reader: &mut Reader<'_>,
    count: usize,
    sizes: impl Iterator<Item = u32> + Clone,
    base: impl Fn(Lattice, usize, i32) -> i32,
    decode_step: fn(u32) -> i32,
) -> Result<Vec<f32>, DecodeError> {
    if !reader.get::<bool>()? {
        return decode(reader, count);
    }
    let lattice = Lattice::decode(reader)?;
    let groups = sizes.clone().filter(|&size| size > 0).count();
    let firsts = ints::decode(reader.get()?, groups)?;
    let others = ints::decode(reader.get()?, count - groups)?;
    let (mut firsts, mut others) = (firsts.iter(), others.iter());
    let mut values = Vec::with_capacity(count);
    let mut first = 0;
    for (number, size) in sizes.enumerate().filter(|&(_, size)| size > 0) {
        let difference = firsts.next().map_or(0, |&code| decode_step(code));
        first = base(lattice, number, first).wrapping_add(difference);
        values.push(lattice.value(first));
        let mut step = first;
        for &code in others.by_ref().take(size as usize - 1) {
            step = step.wrapping_add(decode_step(code));
            values.push(lattice.value(step));
        }
    }
    Ok(values)
}

#[cfg(feature = "write")]
fn raw_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn raw_values(bytes: &[u8], count: usize) -> Result<Vec<f32>, DecodeError> {
    let (values, []) = bytes.as_chunks::<4>() else {
        return Err("has a column of floats that ends inside one");
    };
    if values.len() != count {
        return Err("has a column that is shorter than its count");
    }
    Ok(values.iter().map(|v| f32::from_le_bytes(*v)).collect())
}

#[cfg(feature = "write")]
fn palette_bytes(values: &[f32]) -> Option<Vec<u8>> {
    use std::collections::BTreeMap;
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for value in values {
        *counts.entry(value.to_bits()).or_default() += 1;
        if counts.len() > MOST_COLOURS {
            return None;
        }
    }
    let mut colours: Vec<(u32, u32)> = counts.into_iter().collect();
    colours.sort_by_key(|&(bits, count)| (std::cmp::Reverse(count), bits));
    let index: BTreeMap<u32, u32> = (0..).zip(&colours).map(|(i, c)| (c.0, i)).collect();
    let colours: Vec<f32> = colours.iter().map(|c| f32::from_bits(c.0)).collect();
    let indices: Vec<u32> = values.iter().map(|v| index[&v.to_bits()]).collect();
    let mut inner = Writer::default();
    inner.put(raw_bytes(&colours));
    inner.put(ints::encode(&indices));
    Some(inner.into_bytes())
}

/// A lattice of whole multiples of 2⁻ˢʰⁱᶠᵗ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    shift: i8,
}

/// The finest lattice: the last bit of an `f32` just below 1. Finer values are
/// noise, which the raw coding stores in fewer bits.
const FINEST: i8 = 24;
/// The coarsest lattice: multiples of 65,536, beyond any coordinate that the
/// grid allows at usual spacings.
const COARSEST: i8 = -16;

impl Lattice {
    /// The coarsest lattice on which all values lie, and their steps; `None` when
    /// there is none.
    #[cfg(feature = "write")]
    fn fit(values: &[f32]) -> Option<(Self, Vec<i32>)> {
        let mut lattices = (COARSEST..=FINEST).map(|shift| Self { shift });
        lattices.find_map(|lattice| {
            let steps = values.iter().map(|&value| {
                let step = lattice.nearest(value);
                (lattice.value(step).to_bits() == value.to_bits()).then_some(step)
            });
            Some((lattice, steps.collect::<Option<_>>()?))
        })
    }

    /// The step nearest to a value. Saturates, and turns NaN into 0.
    pub fn nearest(self, value: f32) -> i32 {
        (f64::from(value) * power(self.shift)).round() as i32
    }

    fn value(self, step: i32) -> f32 {
        (f64::from(step) * power(-self.shift)) as f32
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let shift: i8 = reader.get()?;
        if (COARSEST..=FINEST).contains(&shift) {
            Ok(Self { shift })
        } else {
            Err("has a lattice that is too fine or too coarse")
        }
    }
}

/// Two to that power, exactly, on every machine: `powi` is not guaranteed to
/// be.
const fn power(exponent: i8) -> f64 {
    f64::from_bits(((1023 + exponent as i64) as u64) << 52)
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    fn round_trip(values: &[f32]) -> usize {
        let mut out = Writer::default();
        encode(&mut out, values);
        let bytes = out.into_bytes();
        let mut reader = Reader::new(&bytes);
        let back = decode(&mut reader, values.len()).unwrap();
        reader.finish(0).unwrap();
        let bits = |v: &[f32]| v.iter().map(|f| f.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&back), bits(values));
        bytes.len()
    }

    #[test]
    fn every_bit_comes_back() {
        round_trip(&[]);
        round_trip(&[f32::NAN, -0.0, 0.0, f32::INFINITY, f32::MIN_POSITIVE, 1e-42]);
        round_trip(&[3e38, -3e38, 16_777_216.0, 1.0 / 3.0]);
        let noise: Vec<f32> = (0..500_u32)
            .map(|i| f32::from_bits(i.wrapping_mul(2_654_435_761)))
            .collect();
        assert!(round_trip(&noise) < 2010);
    }

    #[test]
    fn palettes_are_short() {
        let palette: Vec<f32> = (0..1000).map(|i| 1.0 / (3 + i % 16) as f32).collect();
        assert!(round_trip(&palette) < 600);
    }
}
