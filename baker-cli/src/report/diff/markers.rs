//! Markers that were added, removed or changed.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;
use navmesh_runtime::mesh::{Marker, NavMesh, SpawnMarker};
use schemars::JsonSchema;
use serde::Serialize;

use super::alignment::{Alignment, is_near, pair_nearest};
use super::edited::Edited;
use crate::report::format::place_text;
use crate::report::records::MarkerRecord;

/// How the markers of a level changed. A change of one is to its `position`,
/// `size` or `properties`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct MarkerDiff {
    /// Only in the old file.
    pub removed: Vec<MarkerRecord>,
    /// Only in the new file.
    pub added: Vec<MarkerRecord>,
    /// In another place, or with other properties.
    pub changed: Vec<MarkerChange>,
}

/// A marker that both files have.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MarkerChange {
    /// What changed, and the marker before and after.
    #[serde(flatten)]
    pub marker: Edited<MarkerRecord>,
    /// The properties that changed, sorted by name.
    pub properties: Vec<PropertyChange>,
}

/// A property of a marker before and after. Of long values, this is the part from the
/// first difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PropertyChange {
    /// Its name.
    pub name: String,
    /// Its old value; `None` if it was added.
    pub old: Option<String>,
    /// Its new value; `None` if it was removed.
    pub new: Option<String>,
}

/// The most characters of a value, without the marks of what was left out.
const MOST_OF_VALUE: usize = 60;

/// How many equal characters are kept before the first difference of two long values.
const KEPT_BEFORE: usize = 20;

fn compare_properties(old: &Marker, new: &Marker) -> Vec<PropertyChange> {
    let mut values: BTreeMap<&str, [Option<&str>; 2]> = BTreeMap::new();
    for (side, marker) in [old, new].into_iter().enumerate() {
        for (name, value) in &marker.properties {
            values.entry(name).or_default()[side] = Some(value);
        }
    }
    values.retain(|_, [old, new]| old != new);
    let changes = values.into_iter().map(|(name, values)| {
        let [a, b] = values.map(Option::unwrap_or_default);
        let mut start = 0;
        if a.chars().count().max(b.chars().count()) > MOST_OF_VALUE {
            let equal = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
            start = equal.saturating_sub(KEPT_BEFORE);
        }
        let [old, new] = values.map(|value| value.map(|value| part(value, start)));
        let name = name.to_owned();
        PropertyChange { name, old, new }
    });
    changes.collect()
}

/// A part of a text, with marks where something was left out.
fn part(text: &str, start: usize) -> String {
    let mut rest = text.chars().skip(start);
    let mut part = if start > 0 { "…" } else { "" }.to_owned();
    part.extend(rest.by_ref().take(MOST_OF_VALUE));
    if rest.next().is_some() {
        part.push('…');
    }
    part
}

/// Pairs markers of the same class and name (indices old, new), the nearest
/// where there are several; sorted by the new index.
fn partners(old: &[&Marker], new: &[&Marker], by: &Alignment) -> Vec<(usize, usize)> {
    let was: Vec<_> = old.iter().map(|marker| by.place(marker.position)).collect();
    let is: Vec<_> = new
        .iter()
        .map(|marker| marker.position.as_dvec2())
        .collect();
    // Most markers are where they were. Pairing those first keeps the number of
    // candidates small in levels with thousands of equal ones, such as coins.
    let mut pairs = pair_nearest(&was, &is, by.slack, |o, n| {
        let is_same = name(old[o]) == name(new[n]) && is_near(was[o], is[n], by.slack);
        is_same.then(|| [was[o].distance(is[n])])
    });
    let (of_old, of_new): (BTreeSet<_>, BTreeSet<_>) = pairs.iter().copied().unzip();
    let mut moved: BTreeMap<_, [Vec<usize>; 2]> = BTreeMap::new();
    for o in (0..old.len()).filter(|o| !of_old.contains(o)) {
        moved.entry(name(old[o])).or_default()[0].push(o);
    }
    for n in (0..new.len()).filter(|n| !of_new.contains(n)) {
        moved.entry(name(new[n])).or_default()[1].push(n);
    }
    for [before, after] in moved.into_values() {
        let a: Vec<_> = before.iter().map(|o| was[*o]).collect();
        let b: Vec<_> = after.iter().map(|n| is[*n]).collect();
        let nearest = pair_nearest(&a, &b, f64::INFINITY, |o, n| {
            Some([a[o].distance(b[n]), (a[o].x - b[n].x).abs()])
        });
        pairs.extend(nearest.into_iter().map(|(o, n)| (before[o], after[n])));
    }
    pairs.sort_by_key(|(_, n)| *n);
    pairs
}

fn name(marker: &Marker) -> (&str, &str) {
    (&marker.class, &marker.name)
}

impl MarkerDiff {
    /// Compares the markers of two meshes.
    pub(crate) fn new(old: &NavMesh, new: &NavMesh, by: &Alignment) -> Self {
        let [a, b] = [old, new].map(|mesh| mesh.markers().iter().collect::<Vec<_>>());
        let pairs = partners(&a, &b, by);
        let (of_old, of_new): (BTreeSet<_>, BTreeSet<_>) = pairs.iter().copied().unzip();
        let mut changed = Vec::new();
        for (old, new) in pairs.into_iter().map(|(o, n)| (a[o], b[n])) {
            let properties = compare_properties(old, new);
            let growth = (old.size - new.size).abs().max_element();
            let mut what = Vec::new();
            if !by.same(old.position, new.position) {
                what.push("position");
            }
            if growth > by.slack as f32 {
                what.push("size");
            }
            if !properties.is_empty() {
                what.push("properties");
            }
            if !what.is_empty() {
                let (old, new) = (old.into(), new.into());
                let marker = Edited { what, old, new };
                changed.push(MarkerChange { marker, properties });
            }
        }
        Self {
            removed: others(&a, &of_old),
            added: others(&b, &of_new),
            changed,
        }
    }
}

/// The markers without a partner.
fn others(markers: &[&Marker], paired: &BTreeSet<usize>) -> Vec<MarkerRecord> {
    let all = markers.iter().enumerate();
    let rest = all.filter(|(index, _)| !paired.contains(index));
    rest.map(|(_, marker)| MarkerRecord::from(*marker))
        .collect()
}

/// A spawn that both files have.
pub struct SpawnPair<'a> {
    /// Its name in reports.
    pub name: String,
    pub old: SpawnMarker<'a>,
    pub new: SpawnMarker<'a>,
}

impl<'a> SpawnPair<'a> {
    /// The spawns of two meshes.
    pub fn all(old: &'a NavMesh, new: &'a NavMesh, by: &Alignment) -> Vec<Self> {
        let [old, new] = [old, new].map(|mesh| mesh.spawns().collect::<Vec<_>>());
        let [before, after] =
            [&old, &new].map(|spawns| spawns.iter().map(|s| s.marker).collect::<Vec<_>>());
        let pairs = partners(&before, &after, by).into_iter();
        let spawns = pairs.map(|(o, n)| {
            let Marker { name, position, .. } = after[n];
            let is_unique = after.iter().filter(|m| m.name == *name).count() == 1;
            let name = if is_unique && !name.is_empty() {
                name.clone()
            } else {
                format!("{name}@{}", place_text(*position))
            };
            let (old, new) = (old[o], new[n]);
            Self { name, old, new }
        });
        spawns.collect()
    }

    /// Where an agent appears in each file.
    pub fn feet(&self) -> [Vec2; 2] {
        [self.old.position, self.new.position]
    }
}
