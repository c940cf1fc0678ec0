//! A one-way wall or ceiling, as reports tell of it.

use navmesh_runtime::mesh::OneWayBarrier;
use serde::Serialize;

use super::json::point;

/// A line that is crossed one way only.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateFact {
    /// The way: `down`, `left` or `right`.
    pub pass: &'static str,
    /// Its beginning, world units.
    pub from: [f64; 2],
    /// Its end.
    pub to: [f64; 2],
}

impl From<&OneWayBarrier> for GateFact {
    fn from(gate: &OneWayBarrier) -> Self {
        let [from, to] = gate.ends().map(point);
        Self {
            pass: gate.pass.name(),
            from,
            to,
        }
    }
}
