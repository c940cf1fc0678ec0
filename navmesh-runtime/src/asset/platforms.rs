//! Surfaces of platforms, as steps on a lattice.

use glam::Vec2;

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use super::floats::{self, Lattice};
use super::ints::{self, unzigzag};
use crate::mesh::PlatformKind;

/// Writes the kind and surface of every platform.
#[cfg(feature = "write")]
pub(super) fn encode(platforms: &crate::mesh::Platforms) -> Vec<u8> {
    let sizes: Vec<u32> = platforms
        .iter()
        .map(|p| p.surface.len() as u32 - 1)
        .collect();
    let number = |kind| PlatformKind::ALL.iter().position(|&k| k == kind);
    let kinds: Vec<u32> = platforms
        .iter()
        .map(|p| number(p.kind).unwrap_or(0) as u32)
        .collect();
    let points: Vec<Vec2> = platforms
        .iter()
        .flat_map(|p| p.surface.iter().copied())
        .collect();
    let axis = |pick: fn(&Vec2) -> f32| points.iter().map(pick).collect::<Vec<_>>();
    let mut out = Writer::default();
    out.put_count(sizes.len());
    out.put_count(points.len());
    out.put_bytes(&ints::encode(&sizes));
    out.put_bytes(&ints::encode(&kinds));
    encode_axis(&mut out, &axis(|p| p.x), &sizes);
    encode_axis(&mut out, &axis(|p| p.y), &sizes);
    out.pad_for(points.len());
    out.into_bytes()
}

/// The kind and surface of every platform.
pub(super) struct Surfaces {
    kinds: Vec<PlatformKind>,
    /// The number of points of each surface, less one.
    sizes: Vec<u32>,
    points: Vec<Vec2>,
}

impl Surfaces {
    pub(super) fn iter(&self) -> impl Iterator<Item = (PlatformKind, &[Vec2])> {
        let mut rest = self.points.as_slice();
        self.kinds
            .iter()
            .zip(&self.sizes)
            .map(move |(&kind, &size)| {
                let (points, others) = rest.split_at(size as usize + 1);
                rest = others;
                (kind, points)
            })
    }
}

/// Reads the kind and surface of every platform.
pub(super) fn decode(bytes: &[u8]) -> Result<Surfaces, DecodeError> {
    let mut reader = Reader::new(bytes);
    let platforms = reader.get_count()?;
    let points = reader.get_count()?;
    let sizes = ints::decode(reader.get()?, platforms)?;
    let kinds = ints::decode(reader.get()?, platforms)?
        .into_iter()
        .map(|kind| PlatformKind::ALL.get(kind as usize).copied())
        .collect::<Option<Vec<_>>>()
        .ok_or("has a platform of an unknown kind")?;
    let total: u64 = sizes.iter().map(|&size| u64::from(size) + 1).sum();
    if total != points as u64 {
        return Err("has surfaces that do not add up");
    }
    let xs = decode_axis(&mut reader, points, &sizes)?;
    let ys = decode_axis(&mut reader, points, &sizes)?;
    reader.finish(points)?;
    let points = xs.into_iter().zip(ys).map(|(x, y)| Vec2::new(x, y));
    Ok(Surfaces {
        kinds,
        sizes,
        points: points.collect(),
    })
}

/// Writes one coordinate of all points. On a lattice, the first point of a
/// surface is a difference to the first of the surface before, every other
/// point one to the point before; else they are plain floats.
#[cfg(feature = "write")]
fn encode_axis(out: &mut Writer, values: &[f32], sizes: &[u32]) {
    let Some((lattice, steps)) = Lattice::fit(values) else {
        out.put(false);
        floats::encode(out, values);
        return;
    };
    out.put(true);
    lattice.encode(out);
    let (mut firsts, mut others) = (Vec::new(), Vec::new());
    let (mut first, mut last) = (0, 0);
    let mut steps = steps.into_iter();
    for &size in sizes {
        for (i, step) in steps.by_ref().take(size as usize + 1).enumerate() {
            if i == 0 {
                firsts.push(ints::zigzag(step.wrapping_sub(first)));
                first = step;
            } else {
                others.push(ints::zigzag(step.wrapping_sub(last)));
            }
            last = step;
        }
    }
    out.put_bytes(&ints::encode(&firsts));
    out.put_bytes(&ints::encode(&others));
}

fn decode_axis(
    reader: &mut Reader<'_>,
    count: usize,
    sizes: &[u32],
) -> Result<Vec<f32>, DecodeError> {
    if !reader.get::<bool>()? {
        return floats::decode(reader, count);
    }
    let lattice = Lattice::decode(reader)?;
    let firsts = ints::decode(reader.get()?, sizes.len())?;
    let others = ints::decode(reader.get()?, count - sizes.len())?;
    let mut others = others.into_iter();
    let mut steps = Vec::with_capacity(count);
    let mut first = 0_i32;
    for (&size, difference) in sizes.iter().zip(firsts) {
        first = first.wrapping_add(unzigzag(difference));
        steps.push(first);
        let mut last = first;
        steps.extend(others.by_ref().take(size as usize).map(|difference| {
            last = last.wrapping_add(unzigzag(difference));
            last
        }));
    }
    lattice.values(steps.into_iter())
}
