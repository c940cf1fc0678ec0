//! The air that agents which only fly can reach.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::Layer;
use serde::Serialize;

use super::alignment::Alignment;
use super::terrain::CellBounds;
use crate::report::counts::cells;

/// Connected free vertices.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AirPart {
    /// The number of vertices.
    pub vertices: u64,
    /// The corner of least x and y of the rectangle around them, world units.
    pub min: [f64; 2],
    /// Its corner of greatest x and y.
    pub max: [f64; 2],
}

/// Free vertices of `new` that an agent could reach from its spawn in `old` and no
/// longer can. `home` has the region of the spawn in each file.
pub(super) fn lost(
    old: &Layer,
    new: &Layer,
    alignment: &Alignment,
    home: [Option<u32>; 2],
) -> Vec<AirPart> {
    let [Some(home), now] = home else {
        return Vec::new();
    };
    let mut parts = common(old, new, alignment);
    parts.retain(|(before, after), _| *before == home && Some(*after) != now);
    largest_first(parts.into_values(), new)
}

/// Free vertices that are cut off from what they were connected with: of each
/// old region, all parts except the largest.
pub(super) fn divided(old: &Layer, new: &Layer, alignment: &Alignment) -> Vec<AirPart> {
    let parts = common(old, new, alignment);
    let mut largest: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
    for ((before, after), part) in &parts {
        let most = largest.entry(*before).or_default();
        if part.vertices > most.0 {
            *most = (part.vertices, *after);
        }
    }
    let rest = (parts.into_iter())
        .filter(|((before, after), _)| largest.get(before).is_some_and(|(_, l)| l != after))
        .map(|(_, part)| part);
    largest_first(rest, new)
}

/// Vertices that are free in both files, by their two regions.
fn common(old: &Layer, new: &Layer, alignment: &Alignment) -> BTreeMap<(u32, u32), CellBounds> {
    let mut parts: BTreeMap<(u32, u32), CellBounds> = BTreeMap::new();
    for cell in cells(new.grid()) {
        let before = alignment.old_cell(cell, old.grid());
        let before = before.and_then(|cell| old.air_region(cell));
        if let (Some(before), Some(after)) = (before, new.air_region(cell)) {
            parts.entry((before, after)).or_default().add(cell);
        }
    }
    parts
}

fn largest_first(parts: impl Iterator<Item = CellBounds>, layer: &Layer) -> Vec<AirPart> {
    let air_part = |part: CellBounds| {
        let (vertices, [min, max]) = (part.vertices, part.corners(layer.grid()));
        AirPart { vertices, min, max }
    };
    let mut parts: Vec<AirPart> = parts.map(air_part).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.vertices));
    parts
}
