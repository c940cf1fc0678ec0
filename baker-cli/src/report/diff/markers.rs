//! Markers that were added, removed or changed.

use navmesh_runtime::mesh::{Marker, MarkerKind, NavMesh};
use serde::Serialize;

use super::alignment::{Alignment, pair_nearest};
use crate::report::format::point;

/// A marker in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarkerRecord {
    /// Its class; empty when it has none.
    pub class: String,
    /// Its name; empty when it has none.
    pub name: String,
    /// Top-left corner of its bounding box, world units.
    pub position: [f64; 2],
    /// Width and height of its bounding box.
    pub size: [f64; 2],
}

impl From<&Marker> for MarkerRecord {
    fn from(marker: &Marker) -> Self {
        Self {
            class: marker.class.clone(),
            name: marker.name.clone(),
            position: point(marker.position),
            size: point(marker.size),
        }
    }
}

/// A marker before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarkerChange {
    /// What changed: `position`, `size` or `properties`.
    pub what: Vec<&'static str>,
    /// Before.
    pub old: MarkerRecord,
    /// After.
    pub new: MarkerRecord,
}

/// How the markers of a level changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MarkerDiff {
    /// Only in the old file.
    pub removed: Vec<MarkerRecord>,
    /// Only in the new file.
    pub added: Vec<MarkerRecord>,
    /// In another place, or with other properties.
    pub changed: Vec<MarkerChange>,
}

impl MarkerDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.changed.is_empty()
    }
}

/// Pairs markers of the same class and name (indices old, new), the nearest
/// where there are several; sorted by the new index.
fn partners(old: &[Marker], new: &[Marker], alignment: &Alignment) -> Vec<(usize, usize)> {
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
    let pairs = partners(old, new, alignment);
    let without = |markers: &[Marker], paired: &[usize]| {
        let rest = markers.iter().enumerate();
        rest.filter(|(i, _)| !paired.contains(i))
            .map(|(_, marker)| marker.into())
            .collect()
    };
    let [paired_old, paired_new]: [Vec<usize>; 2] = [
        pairs.iter().map(|pair| pair.0).collect(),
        pairs.iter().map(|pair| pair.1).collect(),
    ];
    let changed = (pairs.iter()).filter_map(|&(o, n)| {
        let (a, b) = (&old[o], &new[n]);
        let mut what = Vec::new();
        if !alignment.same(a.position, b.position) {
            what.push("position");
        }
        if (a.size - b.size).abs().max_element() > alignment.slack as f32 {
            what.push("size");
        }
        if a.properties != b.properties {
            what.push("properties");
        }
        (!what.is_empty()).then(|| MarkerChange {
            what,
            old: a.into(),
            new: b.into(),
        })
    });
    MarkerDiff {
        changed: changed.collect(),
        removed: without(old, &paired_old),
        added: without(new, &paired_new),
    }
}

/// A spawn that both files have.
pub(super) struct SpawnPair<'a> {
    /// Its name in reports.
    pub(super) name: String,
    pub(super) old: &'a Marker,
    pub(super) new: &'a Marker,
}

pub(super) fn spawns<'a>(
    old: &'a NavMesh,
    new: &'a NavMesh,
    alignment: &Alignment,
) -> Vec<SpawnPair<'a>> {
    let is_spawn = |marker: &Marker| marker.kind() == MarkerKind::Spawn;
    let (old, new) = (old.markers(), new.markers());
    (partners(old, new, alignment).into_iter())
        .filter(|(_, n)| is_spawn(&new[*n]))
        .map(|(o, n)| {
            let name = &new[n].name;
            let is_unique = !name.is_empty()
                && (new.iter().filter(|m| is_spawn(m) && m.name == *name)).count() == 1;
            let place = new[n].position;
            SpawnPair {
                name: if is_unique {
                    name.clone()
                } else {
                    format!("{name}@{},{}", place.x, place.y)
                },
                old: &old[o],
                new: &new[n],
            }
        })
        .collect()
}
