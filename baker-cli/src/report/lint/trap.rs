//! Places an agent can get into, but never out of.
//!
//! A trap is a part of the level that can be entered and that nothing leads
//! out of. The part with the most floor among those that can be entered is
//! where the level goes, and no trap; nor is one with a spawn in it. Where
//! several parts follow one another with no way back, the last is told.

use navmesh_runtime::mesh::Link;

use super::finding::Draft;
use super::graph::{Graph, at, bounds, count, in_order};

pub(super) fn find(graph: &Graph<'_>) -> Vec<Draft> {
    let entered: Vec<u32> = match graph.starts.as_slice() {
        [] => {
            let mut to: Vec<u32> = links_between(graph)
                .map(|link| graph.ends(link)[1])
                .collect();
            to.sort_unstable();
            to.dedup();
            to
        }
        starts => {
            let reached = graph.reached(starts);
            (0..graph.len() as u32)
                .filter(|&part| reached[part as usize])
                .collect()
        }
    };
    // Without spawns the level may go on where nothing leads in.
    let all = 0..graph.len() as u32;
    let main = if graph.starts.is_empty() {
        all.max_by(|&a, &b| larger(graph, a, b))
    } else {
        entered.iter().copied().max_by(|&a, &b| larger(graph, a, b))
    };
    let is_trap = |part: u32| {
        graph.is_end(part) && Some(part) != main && graph.starts.binary_search(&part).is_err()
    };
    let reached = graph.reached(&entered_from(graph));
    let mut found: Vec<(&Link, Draft)> = entered
        .into_iter()
        .filter(|&part| is_trap(part))
        .filter_map(|part| {
            // Any way in will do; the shortest is the easiest to see.
            let ways = links_between(graph).filter(|link| {
                let [from, to] = graph.ends(link);
                to == part && reached[from as usize]
            });
            let length = |link: &Link| link.from.distance_squared(link.to);
            let link = ways.min_by(|a, b| length(a).total_cmp(&length(b)))?;
            Some((link, draft(graph, part, link)))
        })
        .collect();
    found.sort_by(|(a, _), (b, _)| in_order(graph.reading(a.to), graph.reading(b.to)));
    found.into_iter().map(|(_, draft)| draft).collect()
}

/// Where ways into a trap may begin.
fn entered_from(graph: &Graph<'_>) -> Vec<u32> {
    if graph.starts.is_empty() {
        (0..graph.len() as u32).collect()
    } else {
        graph.starts.clone()
    }
}

fn larger(graph: &Graph<'_>, a: u32, b: u32) -> std::cmp::Ordering {
    let by_size = graph.size(a).total_cmp(&graph.size(b));
    // The first of two that are as large.
    by_size.then(b.cmp(&a))
}

/// The links that lead from one part to another.
fn links_between<'a>(graph: &Graph<'a>) -> impl Iterator<Item = &'a Link> {
    (0..graph.len() as u32).flat_map(move |part| graph.links_out(part).collect::<Vec<_>>())
}

fn draft(graph: &Graph<'_>, part: u32, link: &Link) -> Draft {
    let platforms = graph.platforms(part).count();
    let message = format!(
        "once in, there is no way out: {}, entered by a {} from {}; give it a way out (a step, a \
         ladder, a portal), or close the way in",
        count(platforms, "platform"),
        link.kind.name(),
        at(link.from),
    );
    Draft::of_place(
        graph.agent(),
        link.to,
        bounds(graph.platforms(part)),
        message,
    )
}
