//! Surfaces of platforms, as steps on a lattice.

use glam::Vec2;

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use super::floats::{self, Lattice};
use super::ints;
use crate::mesh::{MeshError, PlatformKind, Platforms};

/// Writes the kind and surface of every platform.
#[cfg(feature = "write")]
pub fn encode(platforms: &Platforms) -> Vec<u8> {
    let sizes: Vec<u32> = platforms
        .iter()
        .map(|p| p.surface.len() as u32 - 1)
        .collect();
    let kinds: Vec<u32> = platforms.iter().map(|p| p.kind as u32).collect();
    let points: Vec<Vec2> = platforms
        .iter()
        .flat_map(|p| p.surface.iter().copied())
        .collect();
    let mut out = Writer::default();
    out.put_count(sizes.len());
    out.put_count(points.len());
    out.put(ints::encode(&sizes));
    out.put(ints::encode(&kinds));
    for pick in [|p: &Vec2| p.x, |p: &Vec2| p.y] {
        let axis: Vec<f32> = points.iter().map(pick).collect();
        let sizes = sizes.iter().map(|size| size + 1);
        floats::encode_groups(&mut out, &axis, sizes, first_before, ints::zigzag);
    }
    out.pad_for(points.len());
    out.into_bytes()
}

/// Reads all platforms. Whether they are valid is the result inside.
pub fn decode(bytes: &[u8]) -> Result<Result<Platforms, MeshError>, DecodeError> {
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
    let mut axis = || {
        let sizes = sizes.iter().map(|size| size + 1);
        floats::decode_groups(&mut reader, points, sizes, first_before, ints::unzigzag)
    };
    let (xs, ys) = (axis()?, axis()?);
    reader.finish(points)?;
    let points = xs.into_iter().zip(ys).map(|(x, y)| Vec2::new(x, y));
    let points: Vec<Vec2> = points.collect();
    let mut rest = points.as_slice();
    let surfaces = kinds.into_iter().zip(sizes).map(|(kind, size)| {
        let (surface, others) = rest.split_at(size as usize + 1);
        rest = others;
        (kind, surface)
    });
    Ok(Platforms::of_kinds(surfaces))
}

/// The first point of a surface is stored as a difference to that of the surface
/// before.
fn first_before(_: Lattice, _: usize, before: i32) -> i32 {
    before
}
