//! Floor that no spawn leads to. Silent in levels without spawns.
//!
//! Parts that links join, whichever way, are told as one. Floor too short to
//! hold a single vertex is no matter.

use super::finding::Draft;
use super::graph::{Graph, bounds, count, in_order};

pub(super) fn find(graph: &Graph<'_>) -> Vec<Draft> {
    if graph.starts.is_empty() {
        return Vec::new();
    }
    let reached = graph.reached(&graph.starts);
    let is_lost = |part: u32| !reached[part as usize];
    // Join the lost parts that links join: each takes the least number.
    let mut group: Vec<u32> = (0..graph.len() as u32).collect();
    for part in (0..graph.len() as u32).filter(|&part| is_lost(part)) {
        for link in graph.links_out(part) {
            let to = graph.ends(link)[1];
            if is_lost(to) {
                let (a, b) = (root(&mut group, part), root(&mut group, to));
                group[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); graph.len()];
    for part in (0..graph.len() as u32).filter(|&part| is_lost(part)) {
        members[root(&mut group, part) as usize].push(part);
    }
    let mut found: Vec<(f32, Draft)> = members
        .iter()
        .filter(|parts| !parts.is_empty())
        .filter_map(|parts| told(graph, parts))
        .collect();
    found.sort_by(|(size, a), (other, b)| {
        let by_place = in_order(graph.reading(a.position), graph.reading(b.position));
        other.total_cmp(size).then(by_place)
    });
    found.into_iter().map(|(_, draft)| draft).collect()
}

/// A group of parts, and how much floor it has; `None` when it is no matter.
fn told(graph: &Graph<'_>, parts: &[u32]) -> Option<(f32, Draft)> {
    let platforms = || parts.iter().flat_map(|&part| graph.platforms(part));
    if platforms().all(|platform| platform.vertices() == 0) {
        return None;
    }
    let size = parts.iter().map(|&part| graph.size(part)).sum();
    let length = |p: &navmesh_runtime::mesh::Platform<'_>| p.extent().1 - p.extent().0;
    let widest = platforms().max_by(|a, b| {
        let by_length = length(a).total_cmp(&length(b));
        by_length.then(b.id().cmp(&a.id()))
    })?;
    let middle = widest.at(f32::midpoint(widest.extent().0, widest.extent().1));
    let number = platforms().count();
    let message = if number == 1 {
        "no spawn leads here: add a way, or take it out if nobody is meant to stand here".to_owned()
    } else {
        format!(
            "no spawn leads to this platform and {} joined to it: add a way, or take them out if \
             nobody is meant to stand there",
            count(number - 1, "other"),
        )
    };
    let draft = Draft::of_place(graph.agent(), middle, bounds(platforms()), message);
    Some((size, draft))
}

/// The least number of a group.
fn root(group: &mut [u32], of: u32) -> u32 {
    let mut at = of;
    while group[at as usize] != at {
        group[at as usize] = group[group[at as usize] as usize];
        at = group[at as usize];
    }
    at
}
