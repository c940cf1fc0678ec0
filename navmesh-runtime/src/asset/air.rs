//! The accelerations in the air: a section of format 1.1.
//!
//! Files of format 1.0 do not have it. A reader of 1.0 skips it, and sees each
//! leg at its mean speed.

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use super::floats;
use super::ints;
use super::records::Record;
#[cfg(feature = "write")]
use crate::mesh::Layer;
use crate::mesh::LayerParts;

/// Whether a layer has anything to store here.
#[cfg(feature = "write")]
pub(super) fn is_needed(layer: &Layer) -> bool {
    layer.profile().air_acceleration.is_some()
        || (layer.links().iter()).any(|link| link.params.start_speed().is_some())
}

/// Writes the greatest acceleration of each agent, and the horizontal speed at
/// take-off of each smooth link.
#[cfg(feature = "write")]
pub(super) fn encode(layers: &[Layer]) -> Vec<u8> {
    let mut out = Writer::default();
    for layer in layers {
        layer.profile().air_acceleration.put(&mut out);
        let speeds = layer.links().iter().map(|link| link.params.start_speed());
        let smooth: Vec<u32> = speeds.clone().map(|v| u32::from(v.is_some())).collect();
        out.put(ints::encode(&smooth));
        // Speeds are stored as f32, so nothing is lost here.
        let speeds: Vec<f32> = speeds.flatten().map(|v| v as f32).collect();
        floats::encode(&mut out, &speeds);
    }
    out.into_bytes()
}

/// Reads what [`encode`] writes into the layers.
pub(super) fn decode(bytes: &[u8], layers: &mut [LayerParts]) -> Result<(), DecodeError> {
    let mut reader = Reader::new(bytes);
    for layer in layers {
        layer.profile.air_acceleration = Record::get(&mut reader)?;
        // The section of the links limits how many there are.
        let smooth = ints::decode(reader.get()?, layer.links.len())?;
        if smooth.iter().any(|&flag| flag > 1) {
            return Err("has a link whose motion is of an unknown kind");
        }
        let count = smooth.iter().filter(|&&flag| flag == 1).count();
        let speeds = floats::decode(&mut reader, count)?;
        let links = layer.links.iter_mut().zip(smooth);
        let links = links.filter(|(_, flag)| *flag == 1);
        for ((link, _), speed) in links.zip(speeds) {
            (link.params.set_start_speed(speed))
                .map_err(|_| "has a speed at take-off that is not finite")?;
        }
    }
    reader.finish(0)
}
