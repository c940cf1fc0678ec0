//! Markers that were added, removed or changed.

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, Marker, NavMesh, SpawnMarker};
use serde::Serialize;

use super::alignment::{Alignment, pair_nearest};
use super::change::{Change, named};
use crate::report::connections::is_for;
use crate::report::format::place_text;
use crate::report::records::MarkerRecord;

/// How the markers of a level changed. A change of one is to its `position`,
/// `size` or `properties`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MarkerDiff {
    /// Only in the old file.
    pub removed: Vec<MarkerRecord>,
    /// Only in the new file.
    pub added: Vec<MarkerRecord>,
    /// In another place, or with other properties.
    pub changed: Vec<Change<MarkerRecord>>,
}

/// Pairs markers of the same class and name (indices old, new), the nearest
/// where there are several; sorted by the new index.
fn partners(old: &[&Marker], new: &[&Marker], alignment: &Alignment) -> Vec<(usize, usize)> {
    let mut candidates = Vec::new();
    for (o, a) in old.iter().enumerate() {
        for (n, b) in new.iter().enumerate() {
            if a.class == b.class && a.name == b.name {
                let offset = alignment.place(a.position) - b.position.as_dvec2();
                candidates.push(([offset.length(), offset.x.abs()], o, n));
            }
        }
    }
    let mut pairs = pair_nearest(candidates);
    pairs.sort_by_key(|pair| pair.1);
    pairs
}

pub(super) fn compare(old: &[Marker], new: &[Marker], alignment: &Alignment) -> MarkerDiff {
    let all = [old, new].map(|markers| markers.iter().collect::<Vec<_>>());
    let pairs = partners(&all[0], &all[1], alignment);
    let without = |markers: &[Marker], is_paired: &dyn Fn(usize) -> bool| {
        let rest = (0..).zip(markers).filter(|(i, _)| !is_paired(*i));
        rest.map(|(_, marker)| marker.into()).collect()
    };
    let changed = (pairs.iter()).filter_map(|&(o, n)| {
        let (a, b) = (&old[o], &new[n]);
        let growth = (a.size - b.size).abs().max_element();
        let what = named([
            ("position", !alignment.same(a.position, b.position)),
            ("size", growth > alignment.slack as f32),
            ("properties", a.properties != b.properties),
        ]);
        let (is_changed, old, new) = (!what.is_empty(), a.into(), b.into());
        is_changed.then_some(Change { what, old, new })
    });
    MarkerDiff {
        changed: changed.collect(),
        removed: without(old, &|i| pairs.iter().any(|pair| pair.0 == i)),
        added: without(new, &|i| pairs.iter().any(|pair| pair.1 == i)),
    }
}

/// A spawn that both files have.
pub(super) struct SpawnPair<'a> {
    /// Its name in reports.
    pub(super) name: String,
    old: SpawnMarker<'a>,
    new: SpawnMarker<'a>,
}

impl SpawnPair<'_> {
    /// Where an agent appears in each file.
    pub(super) fn feet(&self) -> [Vec2; 2] {
        [self.old.position, self.new.position]
    }

    /// Whether it is for the agent of a layer of the new file.
    pub(super) fn is_for(&self, layer: &Layer) -> bool {
        is_for(&self.new, layer)
    }
}

pub(super) fn spawns<'a>(
    old: &'a NavMesh,
    new: &'a NavMesh,
    alignment: &Alignment,
) -> Vec<SpawnPair<'a>> {
    let [old, new] = [old, new].map(|mesh| mesh.spawns().collect::<Vec<_>>());
    let [before, after] =
        [&old, &new].map(|spawns| spawns.iter().map(|s| s.marker).collect::<Vec<_>>());
    (partners(&before, &after, alignment).into_iter())
        .map(|(o, n)| {
            let Marker { name, position, .. } = after[n];
            let is_unique =
                !name.is_empty() && after.iter().filter(|m| m.name == *name).count() == 1;
            let name = if is_unique {
                name.clone()
            } else {
                format!("{name}@{}", place_text(*position))
            };
            let (old, new) = (old[o], new[n]);
            SpawnPair { name, old, new }
        })
        .collect()
}
