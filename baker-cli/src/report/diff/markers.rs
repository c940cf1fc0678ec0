//! Markers that were added, removed or changed.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, Marker, NavMesh, SpawnMarker};
use serde::Serialize;

use super::alignment::{Alignment, ByX, MOST_PAIRS, pair_nearest};
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
    pub changed: Vec<MarkerChange>,
}

/// A marker that both files have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarkerChange {
    /// What changed, and the marker before and after.
    #[serde(flatten)]
    pub marker: Change<MarkerRecord>,
    /// The properties that changed, sorted by name.
    pub properties: Vec<PropertyChange>,
}

/// A property of a marker before and after. Of long values, this is the part from the
/// first difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
    let maps = [old, new].map(|marker| {
        let properties = marker.properties.iter();
        properties
            .map(|(name, value)| (name, value.as_str()))
            .collect::<BTreeMap<_, _>>()
    });
    let names: BTreeSet<_> = maps.iter().flat_map(BTreeMap::keys).collect();
    let changes = names.into_iter().filter_map(|name| {
        let values = [maps[0].get(name), maps[1].get(name)];
        let [a, b] = values.map(|value| value.copied().unwrap_or_default());
        let equal = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
        let longest = a.chars().count().max(b.chars().count());
        let is_long = longest > MOST_OF_VALUE;
        let start = if is_long {
            equal.saturating_sub(KEPT_BEFORE)
        } else {
            0
        };
        let [old, new] = values.map(|value| value.map(|value| part(value, start)));
        let name = (*name).clone();
        (values[0] != values[1]).then_some(PropertyChange { name, old, new })
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
/// where there are several; sorted by the new index. Of a class and name of which
/// hundreds moved, these are not paired.
fn partners(old: &[&Marker], new: &[&Marker], alignment: &Alignment) -> Vec<(usize, usize)> {
    // Most markers are where they were. Pairing those first keeps the number of
    // candidates small in levels with thousands of equal ones, such as coins.
    let order = ByX::new(new.iter().map(|b| f64::from(b.position.x)).zip(0..));
    let mut pairs = BTreeMap::new();
    let mut moved: BTreeMap<_, [Vec<usize>; 2]> = BTreeMap::new();
    for (o, a) in old.iter().enumerate() {
        let (x, slack) = (alignment.place(a.position).x, alignment.slack);
        let unmoved = order.between(x - slack, x + slack).find(|n| {
            let b = new[*n];
            let is_alike = a.class == b.class && a.name == b.name;
            is_alike && alignment.same(a.position, b.position) && !pairs.contains_key(n)
        });
        if let Some(n) = unmoved {
            pairs.insert(n, o);
        } else {
            moved.entry((&a.class, &a.name)).or_default()[0].push(o);
        }
    }
    for (n, b) in new.iter().enumerate() {
        if let (false, Some(alike)) = (pairs.contains_key(&n), moved.get_mut(&(&b.class, &b.name)))
        {
            alike[1].push(n);
        }
    }
    for [before, after] in moved.into_values() {
        if before.len() * after.len() > MOST_PAIRS {
            continue;
        }
        let candidates = before.iter().flat_map(|&o| {
            after.iter().map(move |&n| {
                let offset = alignment.place(old[o].position) - new[n].position.as_dvec2();
                ([offset.length(), offset.x.abs()], o, n)
            })
        });
        let nearest = pair_nearest(candidates.collect());
        pairs.extend(nearest.into_iter().map(|(o, n)| (n, o)));
    }
    pairs.into_iter().map(|(n, o)| (o, n)).collect()
}

pub(super) fn compare(old: &[Marker], new: &[Marker], alignment: &Alignment) -> MarkerDiff {
    let all = [old, new].map(|markers| markers.iter().collect::<Vec<_>>());
    let pairs = partners(&all[0], &all[1], alignment);
    let without = |markers: &[Marker], paired: BTreeSet<usize>| {
        let rest = (0..).zip(markers).filter(|(i, _)| !paired.contains(i));
        rest.map(|(_, marker)| marker.into()).collect()
    };
    let changed = (pairs.iter()).filter_map(|&(o, n)| {
        let (a, b) = (&old[o], &new[n]);
        let growth = (a.size - b.size).abs().max_element();
        let properties = compare_properties(a, b);
        let what = named([
            ("position", !alignment.same(a.position, b.position)),
            ("size", growth > alignment.slack as f32),
            ("properties", !properties.is_empty()),
        ]);
        let (is_changed, old, new) = (!what.is_empty(), a.into(), b.into());
        let marker = Change { what, old, new };
        is_changed.then_some(MarkerChange { marker, properties })
    });
    MarkerDiff {
        changed: changed.collect(),
        removed: without(old, pairs.iter().map(|pair| pair.0).collect()),
        added: without(new, pairs.iter().map(|pair| pair.1).collect()),
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
