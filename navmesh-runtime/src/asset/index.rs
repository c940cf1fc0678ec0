//! The indices of routes, which a reader may skip.
//!
//! What the section holds takes long to find; the rest of
//! an index follows from that and the links, or the blocked vertices.

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use super::ints;
use crate::graph::contraction::Contraction;
#[cfg(feature = "write")]
use crate::mesh::Layer;
use crate::mesh::StoredIndex;

const NOTHING: u8 = 0;
const TOO_LARGE: u8 = 1;
const WITHOUT_HUBS: u8 = 2;
const WITH_HUBS: u8 = 3;

/// Writes what takes long to find about the index of each layer.
#[cfg(feature = "write")]
pub fn encode(layers: &[Layer]) -> Vec<u8> {
    let (mut out, mut items) = (Writer::default(), 0);
    for layer in layers {
        out.put(match &layer.stored {
            StoredIndex::Nothing => NOTHING,
            StoredIndex::TooLarge => TOO_LARGE,
            StoredIndex::Found(found) if found.has_labels => WITH_HUBS,
            StoredIndex::Found(_) => WITHOUT_HUBS,
        });
        let found = layer.stored.contraction();
        let columns = found.map(|found| [&found.levels, &found.gaps]);
        for column in columns.into_iter().flatten() {
            out.put_count(column.len());
            out.put(ints::encode(column));
            items += column.len();
        }
    }
    out.pad_for(items);
    out.into_bytes()
}

/// Reads what [`encode`] writes. Whether it fits the layers is not checked.
pub fn decode(bytes: &[u8], layers: usize) -> Result<Vec<StoredIndex>, DecodeError> {
    let (mut reader, mut items) = (Reader::new(bytes), 0);
    let mut all = Vec::with_capacity(layers);
    for _ in 0..layers {
        let kind: u8 = reader.get()?;
        let mut column = || -> Result<Vec<u32>, DecodeError> {
            let count = reader.get_count()?;
            items += count;
            ints::decode(reader.get()?, count)
        };
        all.push(match kind {
            NOTHING => StoredIndex::Nothing,
            TOO_LARGE => StoredIndex::TooLarge,
            WITHOUT_HUBS | WITH_HUBS => StoredIndex::Found(Contraction {
                levels: column()?,
                gaps: column()?,
                has_labels: kind == WITH_HUBS,
            }),
            _ => return Err("has an index of an unknown kind"),
        });
    }
    reader.finish(items)?;
    Ok(all)
}
