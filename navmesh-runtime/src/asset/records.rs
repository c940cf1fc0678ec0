//! The sections without columns: provenance, grid, agents, barriers, markers.

use glam::Vec2;

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use crate::mesh::{
    AgentProfile, Direction, EdgeSet, Fingerprint, Grid, Input, Marker, OneWayBarrier, Provenance,
    Units, YAxis,
};

#[cfg(feature = "write")]
pub(super) fn encode_provenance(provenance: &Provenance) -> Vec<u8> {
    let mut out = Writer::default();
    out.put(provenance.source.as_str());
    out.put(provenance.source_fingerprint.0);
    out.put(provenance.settings_fingerprint.0);
    out.put(provenance.baker);
    out.put(provenance.tile_size.unwrap_or([0, 0]));
    out.put_count(provenance.inputs.len());
    for input in &provenance.inputs {
        out.put(input.name.as_str());
        out.put(input.hash.0);
    }
    out.into_bytes()
}

pub(super) fn decode_provenance(bytes: &[u8]) -> Result<Provenance, DecodeError> {
    let mut reader = Reader::new(bytes);
    let source = reader.get::<&str>()?.to_owned();
    let source_fingerprint = Fingerprint(reader.get()?);
    let settings_fingerprint = Fingerprint(reader.get()?);
    let baker = reader.get()?;
    let tile_size = match reader.get::<[u32; 2]>()? {
        [0, 0] => None,
        [0, _] | [_, 0] => return Err("has a tile without a size"),
        size => Some(size),
    };
    let count = reader.get_count()?;
    let mut inputs = Vec::new();
    for _ in 0..count {
        inputs.push(Input {
            name: reader.get::<&str>()?.to_owned(),
            hash: Fingerprint(reader.get()?),
        });
    }
    reader.finish(0)?;
    Ok(Provenance {
        source,
        source_fingerprint,
        settings_fingerprint,
        baker,
        tile_size,
        inputs,
    })
}

#[cfg(feature = "write")]
pub(super) fn encode_grid(grid: &Grid, units: Units, layers: usize) -> Vec<u8> {
    let mut out = Writer::default();
    out.put(units.pixels_per_unit);
    out.put(u8::from(units.y_axis == YAxis::Up));
    out.put(grid.origin.to_array());
    out.put(grid.spacing);
    out.put([grid.columns, grid.rows]);
    out.put_count(layers);
    out.into_bytes()
}

/// The grid, the units, and how many layers there are.
pub(super) fn decode_grid(bytes: &[u8]) -> Result<(Grid, Units, u64), DecodeError> {
    let mut reader = Reader::new(bytes);
    let pixels_per_unit = reader.get()?;
    let y_axis = match reader.get::<u8>()? {
        0 => YAxis::Down,
        1 => YAxis::Up,
        _ => return Err("has an unknown direction of y"),
    };
    let origin = Vec2::from_array(reader.get()?);
    let spacing = reader.get()?;
    let [columns, rows]: [u32; 2] = reader.get()?;
    let layers = reader.get()?;
    reader.finish(0)?;
    let grid = Grid {
        origin,
        spacing,
        columns,
        rows,
        y_axis,
    };
    let units = Units {
        pixels_per_unit,
        y_axis,
    };
    Ok((grid, units, layers))
}

#[cfg(feature = "write")]
pub(super) fn encode_agent(profile: &AgentProfile) -> Vec<u8> {
    // Without `..`, so that a new parameter cannot be forgotten here.
    let AgentProfile {
        name,
        body,
        run_speed,
        acceleration,
        deceleration,
        jump_height,
        gravity,
        jump_speed,
        max_jump,
        max_drop,
        air_control,
        step_height,
        max_slope,
        edges,
        max_fall_speed,
        air_jumps,
        climb_speed,
        ignores_hazards,
    } = profile;
    let mut out = Writer::default();
    out.put(name.as_str());
    out.put(body);
    out.put([run_speed, acceleration, deceleration]);
    out.put([jump_height, gravity, jump_speed]);
    out.put([max_jump, max_drop]);
    out.put(*air_control);
    out.put([step_height, max_slope]);
    out.put(edges.bits());
    out.put(*max_fall_speed);
    out.put(*air_jumps);
    out.put(*climb_speed);
    out.put(*ignores_hazards);
    out.into_bytes()
}

pub(super) fn decode_agent(bytes: &[u8]) -> Result<AgentProfile, DecodeError> {
    let mut reader = Reader::new(bytes);
    let name = reader.get::<&str>()?.to_owned();
    let body = reader.get()?;
    let [run_speed, acceleration, deceleration] = reader.get()?;
    let [jump_height, gravity, jump_speed] = reader.get()?;
    let [max_jump, max_drop] = reader.get()?;
    let air_control = reader.get()?;
    let [step_height, max_slope] = reader.get()?;
    let edges = EdgeSet::from_bits(reader.get()?).ok_or("has an unknown kind of edge")?;
    let max_fall_speed = reader.get()?;
    let air_jumps = reader.get()?;
    let climb_speed = reader.get()?;
    let ignores_hazards = reader.get()?;
    reader.finish(0)?;
    Ok(AgentProfile {
        name,
        body,
        run_speed,
        acceleration,
        deceleration,
        jump_height,
        gravity,
        jump_speed,
        max_jump,
        max_drop,
        air_control,
        step_height,
        max_slope,
        edges,
        max_fall_speed,
        air_jumps,
        climb_speed,
        ignores_hazards,
    })
}

#[cfg(feature = "write")]
pub(super) fn encode_barriers(layers: &[&[OneWayBarrier]]) -> Vec<u8> {
    let mut out = Writer::default();
    for barriers in layers {
        out.put_count(barriers.len());
        for OneWayBarrier {
            pass,
            at,
            low,
            high,
        } in *barriers
        {
            let number = Direction::ALL
                .iter()
                .position(|direction| direction == pass);
            out.put(number.unwrap_or_default() as u8);
            out.put([at, low, high]);
        }
    }
    out.into_bytes()
}

/// The one-way barriers of `layers` layers.
pub(super) fn decode_barriers(
    bytes: &[u8],
    layers: usize,
) -> Result<Vec<Vec<OneWayBarrier>>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let mut all = Vec::with_capacity(layers);
    for _ in 0..layers {
        let mut barriers = Vec::new();
        for _ in 0..reader.get_count()? {
            let number: u8 = reader.get()?;
            let pass = *Direction::ALL
                .get(usize::from(number))
                .ok_or("has a barrier with an unknown direction")?;
            let [at, low, high] = reader.get()?;
            barriers.push(OneWayBarrier {
                pass,
                at,
                low,
                high,
            });
        }
        all.push(barriers);
    }
    reader.finish(0)?;
    if all.iter().all(Vec::is_empty) {
        return Err("holds no barriers");
    }
    Ok(all)
}

#[cfg(feature = "write")]
pub(super) fn encode_markers(markers: &[Marker]) -> Vec<u8> {
    let mut out = Writer::default();
    out.put_count(markers.len());
    for marker in markers {
        out.put(marker.class.as_str());
        out.put(marker.name.as_str());
        out.put(marker.position.to_array());
        out.put(marker.size.to_array());
        out.put_count(marker.properties.len());
        for (name, value) in &marker.properties {
            out.put(name.as_str());
            out.put(value.as_str());
        }
    }
    out.into_bytes()
}

pub(super) fn decode_markers(bytes: &[u8]) -> Result<Vec<Marker>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let count = reader.get_count()?;
    let mut markers = Vec::new();
    for _ in 0..count {
        let class = reader.get::<&str>()?.to_owned();
        let name = reader.get::<&str>()?.to_owned();
        let position = Vec2::from_array(reader.get()?);
        let size = Vec2::from_array(reader.get()?);
        let mut properties = Vec::new();
        for _ in 0..reader.get_count()? {
            let name = reader.get::<&str>()?.to_owned();
            properties.push((name, reader.get::<&str>()?.to_owned()));
        }
        markers.push(Marker {
            class,
            name,
            position,
            size,
            properties,
        });
    }
    reader.finish(0)?;
    Ok(markers)
}
