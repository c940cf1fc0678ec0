//! The sections without columns: provenance, grid, agents, barriers, markers.

use glam::Vec2;

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use crate::mesh::{
    AgentProfile, Direction, EdgeSet, Fingerprint, Grid, LinkLine, Marker, MarkerId,
    MovingPlatform, OneWayBarrier, PlatformId, Provenance, Schedule, Transfer, Units, YAxis,
};

/// A value as the file stores it.
pub trait Record: Sized {
    #[cfg(feature = "write")]
    fn put(&self, out: &mut Writer);

    fn get(reader: &mut Reader<'_>) -> Result<Self, DecodeError>;
}

/// The section that holds one record.
#[cfg(feature = "write")]
pub fn encode(record: &impl Record) -> Vec<u8> {
    let mut out = Writer::default();
    record.put(&mut out);
    out.into_bytes()
}

/// The record of which all of a section consists.
pub fn decode<T: Record>(bytes: &[u8]) -> Result<T, DecodeError> {
    let mut reader = Reader::new(bytes);
    let record = T::get(&mut reader)?;
    reader.finish(0)?;
    Ok(record)
}

/// Implements [`Record`] for types that are stored as bincode stores them.
macro_rules! scalars {
    ($($scalar:ty),*) => {$(
        impl Record for $scalar {
            #[cfg(feature = "write")]
            fn put(&self, out: &mut Writer) {
                out.put(self);
            }

            fn get(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
                reader.get()
            }
        }
    )*};
}

scalars!(
    bool,
    u8,
    u16,
    u32,
    u64,
    f32,
    Option<f32>,
    [f32; 2],
    [u32; 2],
    [u8; 16]
);

/// Implements [`Record`] for types that are stored as another one.
macro_rules! stored_as {
    ($($type:ty: $stored:ty, $to:expr, $from:expr;)*) => {$(
        impl Record for $type {
            #[cfg(feature = "write")]
            fn put(&self, out: &mut Writer) {
                let to: fn(&Self) -> $stored = $to;
                to(self).put(out);
            }

            fn get(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
                let from: fn($stored) -> Result<Self, DecodeError> = $from;
                from(Record::get(reader)?)
            }
        }
    )*};
}

stored_as! {
    Vec2: [f32; 2], Vec2::to_array, |at| Ok(at.into());
    MarkerId: u32, |id| id.0, |id| Ok(Self(id));
    PlatformId: u32, |id| id.0, |id| Ok(Self(id));
    Fingerprint: [u8; 16], |hash| hash.0, |hash| Ok(Self(hash));
    EdgeSet: u16, |edges| edges.bits(),
        |bits| Self::from_bits(bits).ok_or("has an unknown kind of edge");
    YAxis: u8, |axis| u8::from(*axis == Self::Up), |number| match number {
        0 => Ok(Self::Down),
        1 => Ok(Self::Up),
        _ => Err("has an unknown direction of y"),
    };
    Direction: u8,
        |pass| *pass as u8,
        |number| (Self::ALL.get(usize::from(number)).copied())
            .ok_or("has a barrier with an unknown direction");
    Option<(PlatformId, Vec2)>: Vec<(PlatformId, Vec2)>,
        |place| place.iter().copied().collect(),
        |places| match places[..] {
            [] => Ok(None),
            [place] => Ok(Some(place)),
            _ => Err("has a motion that begins at two places"),
        };
    Option<[u32; 2]>: [u32; 2], |size| size.unwrap_or_default(), |size| match size {
        [0, 0] => Ok(None),
        [0, _] | [_, 0] => Err("has a tile without a size"),
        size => Ok(Some(size)),
    };
}

impl Record for String {
    #[cfg(feature = "write")]
    fn put(&self, out: &mut Writer) {
        out.put(self.as_str());
    }

    fn get(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        reader.get::<&str>().map(str::to_owned)
    }
}

impl<A: Record, B: Record> Record for (A, B) {
    #[cfg(feature = "write")]
    fn put(&self, out: &mut Writer) {
        self.0.put(out);
        self.1.put(out);
    }

    fn get(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok((A::get(reader)?, B::get(reader)?))
    }
}

impl<T: Record> Record for Vec<T> {
    #[cfg(feature = "write")]
    fn put(&self, out: &mut Writer) {
        out.put_count(self.len());
        for item in self {
            item.put(out);
        }
    }

    fn get(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        (0..reader.get_count()?).map(|_| T::get(reader)).collect()
    }
}

/// Implements [`Record`] for structs: their fields in this order, which is part
/// of the format. A field that is missing here does not compile. Fields after
/// the semicolon are in sections of their own, and have their default here.
macro_rules! structs {
    ($($name:ident { $($field:ident),* $(; $elsewhere:ident)? })*) => {$(
        impl Record for $name {
            #[cfg(feature = "write")]
            fn put(&self, out: &mut Writer) {
                $(self.$field.put(out);)*
            }

            fn get(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
                $(let $field = Record::get(reader)?;)*
                Ok(Self { $($field,)* $($elsewhere: Default::default())? })
            }
        }
    )*};
}

structs! {
    Units { pixels_per_unit, y_axis }
    Grid { origin, spacing, columns, rows; y_axis }
    Provenance { source, source_fingerprint, settings_fingerprint, baker, tile_size }
    AgentProfile {
        name, body, run_speed, acceleration, deceleration, jump_height, gravity, jump_speed,
        max_jump, max_drop, air_control, step_height, max_slope, edges, max_fall_speed, air_jumps,
        climb_speed, ignores_hazards, air_acceleration
    }
    OneWayBarrier { pass, at, low, high }
    LinkLine { marker, points }
    Schedule { keys, phase }
    Transfer { platform, floor, deck, launch, across, ramp, run, windows, start }
    MovingPlatform { marker, size, one_way, schedule, deck, boards, exits }
    Marker { class, name, position, size, properties }
}

/// A section with one part for each layer.
#[cfg(feature = "write")]
pub fn encode_parts(parts: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut out = Writer::default();
    parts.for_each(|part| out.put(part));
    out.into_bytes()
}

/// The parts of such a section.
pub fn decode_parts(bytes: &[u8], layers: usize) -> Result<Vec<Option<&[u8]>>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let parts = (0..layers).map(|_| reader.get().map(Some));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    reader.finish(0)?;
    Ok(parts)
}

/// The barriers, lines or moving platforms of `layers` layers, one at least.
pub fn decode_layers<T: Record>(bytes: &[u8], layers: usize) -> Result<Vec<Vec<T>>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let all = (0..layers)
        .map(|_| Record::get(&mut reader))
        .collect::<Result<Vec<Vec<_>>, _>>()?;
    reader.finish(0)?;
    if all.iter().all(Vec::is_empty) {
        return Err("holds nothing");
    }
    Ok(all)
}
