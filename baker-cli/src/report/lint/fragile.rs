//! Connections that hang on a link with almost no tolerance.
//!
//! A jump that must begin at the very right moment does no harm where there
//! is another way. Told are the fewest, most forgiving ones without which
//! something would be cut off: the others are taken away, and put back, the
//! most forgiving first, where sturdier ways do not lead to the same place.
//! For agents that fly, nothing hangs on jumps.

use navmesh_runtime::mesh::{EdgeSet, Link, PlatformId};

use super::finding::Draft;
use super::graph::{Graph, at};

pub(super) fn find(graph: &Graph<'_>, tolerance: f32) -> Vec<Draft> {
    let layer = graph.layer;
    if layer.profile().edges.contains(EdgeSet::FLY) {
        return Vec::new();
    }
    let entered = if graph.starts.is_empty() {
        vec![true; graph.len()]
    } else {
        graph.reached(&graph.starts)
    };
    let is_fragile = |link: &Link| link.kind.is_airborne() && link.tolerance < tolerance;
    let mut next: Vec<Vec<PlatformId>> = vec![Vec::new(); layer.platforms().len()];
    let mut fragile: Vec<&Link> = Vec::new();
    for link in layer.links() {
        if !is_fragile(link) {
            next[link.from_platform.index()].push(link.to_platform);
        } else if entered[graph.ends(link)[0] as usize] {
            fragile.push(link);
        }
    }
    // Stable: links as forgiving stay in the order of the file.
    fragile.sort_by(|a, b| b.tolerance.total_cmp(&a.tolerance));
    let mut scratch = Scratch::default();
    let mut needed: Vec<&Link> = Vec::new();
    for link in fragile {
        if !scratch.reaches(&next, link.from_platform, link.to_platform) {
            next[link.from_platform.index()].push(link.to_platform);
            needed.push(link);
        }
    }
    // The least forgiving first.
    needed.sort_by(|a, b| a.tolerance.total_cmp(&b.tolerance));
    needed.into_iter().map(|link| draft(graph, link)).collect()
}

/// Reused from search to search.
#[derive(Default)]
struct Scratch {
    seen: Vec<bool>,
    open: Vec<PlatformId>,
}

impl Scratch {
    fn reaches(&mut self, next: &[Vec<PlatformId>], from: PlatformId, to: PlatformId) -> bool {
        self.seen.clear();
        self.seen.resize(next.len(), false);
        self.open.clear();
        self.open.push(from);
        while let Some(platform) = self.open.pop() {
            if platform == to {
                return true;
            }
            if !std::mem::replace(&mut self.seen[platform.index()], true) {
                self.open.extend_from_slice(&next[platform.index()]);
            }
        }
        false
    }
}

fn draft(graph: &Graph<'_>, link: &Link) -> Draft {
    let margin = if link.tolerance > 0.0 {
        format!("forgives only {:.3} s", link.tolerance)
    } else {
        "forgives nothing".to_owned()
    };
    let message = format!(
        "the only way to {} is a {} that {margin}: bring the two nearer together, or give a \
         second way",
        at(link.to),
        link.kind.name(),
    );
    let bounds = [link.from.min(link.to), link.from.max(link.to)];
    Draft::of_place(graph.agent(), link.from, Some(bounds), message)
}
