//! One-way walls and ceilings that came or went.

use navmesh_runtime::mesh::{Layer, OneWayBarrier};
use serde::Serialize;

use super::Frame;
use crate::report::GateFact;

/// How the one-way walls and ceilings of an agent changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct GateDiff {
    /// Gone.
    pub removed: Vec<GateFact>,
    /// New.
    pub added: Vec<GateFact>,
}

impl GateDiff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }
}

pub(super) fn compare(old: &Layer, new: &Layer, frame: &Frame) -> GateDiff {
    let same = |old: &OneWayBarrier, new: &OneWayBarrier| {
        let mut ends = old.ends().into_iter().zip(new.ends());
        old.pass == new.pass && ends.all(|(old, new)| frame.same(old, new))
    };
    let removed = |gate: &&OneWayBarrier| !new.barriers().iter().any(|other| same(gate, other));
    let added = |gate: &&OneWayBarrier| !old.barriers().iter().any(|other| same(other, gate));
    GateDiff {
        removed: old
            .barriers()
            .iter()
            .filter(removed)
            .map(GateFact::from)
            .collect(),
        added: new
            .barriers()
            .iter()
            .filter(added)
            .map(GateFact::from)
            .collect(),
    }
}
