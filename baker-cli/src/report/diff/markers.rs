//! Markers that were added, removed or changed.

use std::collections::BTreeMap;

use glam::Vec2;
use navmesh_runtime::mesh::{Marker, NavMesh, SpawnMarker};
use schemars::JsonSchema;
use serde::Serialize;

use super::alignment::{Alignment, Edited, Matching, is_near};
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

/// Matches markers of the same class and name, the nearest where there are several. The pairs are
/// sorted by the new index.
fn matching(old: &[&Marker], new: &[&Marker], by: &Alignment) -> Matching {
    let was: Vec<_> = old.iter().map(|m| by.place(m.position)).collect();
    let is: Vec<_> = new.iter().map(|m| m.position.as_dvec2()).collect();
    let mut all = Matching::none(old.len(), new.len());
    // Most markers are where they were. Pairing those first keeps the number of
    // candidates small in levels with thousands of equal ones, such as coins.
    all.add_nearest([&was, &is], by.slack, |o, n| {
        let is_same = name(old[o]) == name(new[n]) && is_near(was[o], is[n], by.slack);
        is_same.then(|| [was[o].distance(is[n])])
    });
    let mut moved: BTreeMap<_, Matching> = BTreeMap::new();
    for &o in &all.old {
        let group = moved.entry(name(old[o]));
        group.or_insert(Matching::none(0, 0)).old.push(o);
    }
    for &n in &all.new {
        let group = moved.entry(name(new[n]));
        group.or_insert(Matching::none(0, 0)).new.push(n);
    }
    let mut pairs = Vec::new();
    for mut group in moved.into_values() {
        group.add_nearest([&was, &is], f64::INFINITY, |o, n| {
            Some([was[o].distance(is[n]), (was[o].x - is[n].x).abs()])
        });
        pairs.append(&mut group.pairs);
    }
    all.add(&pairs);
    all.pairs.sort_by_key(|(_, n)| *n);
    all
}

fn name(marker: &Marker) -> (&str, &str) {
    (&marker.class, &marker.name)
}

impl MarkerDiff {
    /// Compares the markers of two meshes.
    pub(crate) fn new(old: &NavMesh, new: &NavMesh, by: &Alignment) -> Self {
        let [a, b] = [old, new].map(|mesh| mesh.markers().iter().collect::<Vec<_>>());
        let matching = matching(&a, &b, by);
        let mut changed = Vec::new();
        for (old, new) in matching.pairs.into_iter().map(|(o, n)| (a[o], b[n])) {
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
            removed: matching.old.into_iter().map(|o| a[o].into()).collect(),
            added: matching.new.into_iter().map(|n| b[n].into()).collect(),
            changed,
        }
    }
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
        let pairs = matching(&before, &after, by).pairs.into_iter();
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
