//! The shortest routes of a graph: its hierarchy and its hubs.

use super::contraction::Contraction;
use super::hierarchy::{Edge, Hierarchy};
use super::hub_labels::Labels;

/// The shortest routes of a graph.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    pub hierarchy: Hierarchy,
    /// `None` where they would take too much memory.
    pub labels: Option<Labels>,
}

impl Routes {
    /// The routes of a graph of `nodes` nodes. Costs are not negative. If `known` is
    /// not a contraction of this graph, or there is none, one is looked for and returned
    /// too; the result is `None` when that takes more than `most` pairs of edges.
    pub fn new(
        nodes: usize,
        edges: &[Edge],
        known: Option<&Contraction>,
        most: u64,
    ) -> Option<(Self, Option<Contraction>)> {
        let of = |contraction: &Contraction| {
            let hierarchy = contraction.hierarchy(nodes, edges)?;
            let labels = contraction.has_labels.then(|| Labels::new(&hierarchy));
            let labels = labels.flatten();
            Some(Self { hierarchy, labels })
        };
        if let Some(this) = known.and_then(of) {
            return Some((this, None));
        }
        let mut found = Contraction::find(nodes, edges, most)?;
        let this = of(&found)?;
        found.has_labels = this.labels.is_some();
        Some((this, Some(found)))
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.hierarchy.order.len()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.labels.as_ref().map_or(0, Labels::bytes)
    }
}
