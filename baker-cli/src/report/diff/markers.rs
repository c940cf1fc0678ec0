//! Named places that came, went or moved.

use navmesh_runtime::mesh::{Marker, NavMesh};
use serde::Serialize;

use super::{Frame, point};

/// A named place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarkerFact {
    /// Its class; empty when it has none.
    pub class: String,
    /// Its name; empty when it has none.
    pub name: String,
    /// Top-left corner of its bounding box, world units.
    pub position: [f64; 2],
    /// Width and height of its bounding box.
    pub size: [f64; 2],
}

impl From<&Marker> for MarkerFact {
    fn from(marker: &Marker) -> Self {
        Self {
            class: marker.class.clone(),
            name: marker.name.clone(),
            position: point(marker.position),
            size: point(marker.size),
        }
    }
}

/// A named place before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarkerChange {
    /// What changed: position, size, properties.
    pub what: Vec<&'static str>,
    /// Before.
    pub old: MarkerFact,
    /// After.
    pub new: MarkerFact,
}

/// How the named places of a level changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MarkerDiff {
    /// Gone.
    pub removed: Vec<MarkerFact>,
    /// New.
    pub added: Vec<MarkerFact>,
    /// Elsewhere, or with other properties.
    pub changed: Vec<MarkerChange>,
}

impl MarkerDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.changed.is_empty()
    }
}

/// Pairs of markers, old and new, and the rest of either, by index.
struct Partners {
    pairs: Vec<(usize, usize)>,
    removed: Vec<usize>,
    added: Vec<usize>,
}

/// Markers of one class and name are one marker; where there are several, the
/// nearest are.
fn partners(old: &[Marker], new: &[Marker], frame: &Frame) -> Partners {
    let mut near: Vec<(f64, f64, usize, usize)> = Vec::new();
    for (o, a) in old.iter().enumerate() {
        for (n, b) in new.iter().enumerate() {
            if a.class == b.class && a.name == b.name {
                let way = frame.place(a.position) - b.position.as_dvec2();
                near.push((way.length(), way.x.abs(), o, n));
            }
        }
    }
    near.sort_by(|a, b| {
        (a.0.total_cmp(&b.0))
            .then(a.1.total_cmp(&b.1))
            .then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    let (mut left, mut over) = (vec![true; old.len()], vec![true; new.len()]);
    let mut pairs = Vec::new();
    for (_, _, o, n) in near {
        if left[o] && over[n] {
            (left[o], over[n]) = (false, false);
            pairs.push((o, n));
        }
    }
    pairs.sort_by_key(|pair| pair.1);
    let rest = |free: Vec<bool>| (0..free.len()).filter(|i| free[*i]).collect();
    Partners {
        pairs,
        removed: rest(left),
        added: rest(over),
    }
}

pub(super) fn compare(old: &[Marker], new: &[Marker], frame: &Frame) -> MarkerDiff {
    let partners = partners(old, new, frame);
    let facts =
        |markers: &[Marker], which: &[usize]| which.iter().map(|i| (&markers[*i]).into()).collect();
    let changed = (partners.pairs.iter()).filter_map(|&(o, n)| {
        let (a, b) = (&old[o], &new[n]);
        let mut what = Vec::new();
        if !frame.same(a.position, b.position) {
            what.push("position");
        }
        if (a.size - b.size).abs().max_element() > frame.slack as f32 {
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
        removed: facts(old, &partners.removed),
        added: facts(new, &partners.added),
    }
}

/// A spawn that both files have.
pub(super) struct Spawn<'a> {
    /// What reports call it.
    pub(super) name: String,
    pub(super) old: &'a Marker,
    pub(super) new: &'a Marker,
}

/// Whether agents enter the level here.
fn is_spawn(marker: &Marker) -> bool {
    marker.class.eq_ignore_ascii_case("spawn")
}

pub(super) fn spawns<'a>(old: &'a NavMesh, new: &'a NavMesh, frame: &Frame) -> Vec<Spawn<'a>> {
    let (old, new) = (old.markers(), new.markers());
    (partners(old, new, frame).pairs.into_iter())
        .filter(|(_, n)| is_spawn(&new[*n]))
        .map(|(o, n)| {
            let alone = !new[n].name.is_empty()
                && (new.iter().filter(|m| is_spawn(m) && m.name == new[n].name)).count() == 1;
            let place = new[n].position;
            Spawn {
                name: if alone {
                    new[n].name.clone()
                } else {
                    format!("{}@{},{}", new[n].name, place.x, place.y)
                },
                old: &old[o],
                new: &new[n],
            }
        })
        .collect()
}
