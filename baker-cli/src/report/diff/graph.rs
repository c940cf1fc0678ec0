//! Components of platforms, and what reaches what.

use std::collections::BTreeSet;

use navmesh_runtime::mesh::{Layer, PlatformId};

/// Components and the links between them.
pub(super) struct Graph {
    component: Vec<usize>,
    pub(super) ahead: Vec<Vec<usize>>,
    pub(super) back: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn new(layer: &Layer) -> Self {
        let component: Vec<usize> = (layer.platforms().iter())
            .map(|p| p.component() as usize)
            .collect();
        let count = component.iter().max().map_or(0, |c| c + 1);
        let edges: BTreeSet<(usize, usize)> = (layer.links().iter())
            .filter_map(|link| {
                let end = |id: PlatformId| component.get(id.index()).copied();
                Some((end(link.from_platform)?, end(link.to_platform)?))
            })
            .filter(|(from, to)| from != to)
            .collect();
        let mut this = Self {
            component,
            ahead: vec![Vec::new(); count],
            back: vec![Vec::new(); count],
        };
        for (from, to) in edges {
            this.ahead[from].push(to);
            this.back[to].push(from);
        }
        this
    }

    pub(super) fn of(&self, platform: PlatformId) -> usize {
        self.component.get(platform.index()).copied().unwrap_or(0)
    }

    /// Components that can be reached from one along `edges`, itself too.
    pub(super) fn closure(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
        let mut seen = vec![false; edges.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if let Some(slot) = seen.get_mut(node)
                && !std::mem::replace(slot, true)
            {
                open.extend(&edges[node]);
            }
        }
        seen
    }

    /// For every component, those it reaches, a bit each.
    pub(super) fn table(&self) -> Vec<Vec<u64>> {
        let count = self.ahead.len();
        (0..count)
            .map(|from| {
                let mut bits = vec![0u64; count.div_ceil(64)];
                for (to, _) in (Self::closure(&self.ahead, from).iter().enumerate())
                    .filter(|(_, reached)| **reached)
                {
                    bits[to / 64] |= 1 << (to % 64);
                }
                bits
            })
            .collect()
    }

    /// The component of most platforms.
    pub(super) fn largest(&self) -> Option<usize> {
        let mut sizes = vec![0usize; self.ahead.len()];
        for &component in &self.component {
            sizes[component] += 1;
        }
        let most = *sizes.iter().max()?;
        sizes.iter().position(|size| *size == most)
    }
}

/// What one can get to from home, and what of it one can return from.
pub(super) struct Home {
    pub(super) reached: Vec<bool>,
    returning: Vec<bool>,
}

impl Home {
    pub(super) fn new(graph: &Graph, component: usize) -> Self {
        Self {
            reached: Graph::closure(&graph.ahead, component),
            returning: Graph::closure(&graph.back, component),
        }
    }

    pub(super) fn reaches(&self, component: usize) -> bool {
        self.reached.get(component) == Some(&true)
    }

    pub(super) fn traps(&self, component: usize) -> bool {
        self.reaches(component) && self.returning.get(component) != Some(&true)
    }
}
