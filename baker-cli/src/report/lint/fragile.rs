//! Connections that hang on a link with almost no tolerance.
//!
//! The stored arc is the fastest, and often forgives nothing where a higher
//! one would: what counts is the more forgiving of the two, the stored arc and
//! one with the greatest launch, as if nothing were overhead.
//!
//! A jump that must begin at the very right moment does no harm where there
//! is another way. Told are the fewest, most forgiving ones without which
//! something would be cut off: the others are taken away, and put back, the
//! most forgiving first, where sturdier ways do not lead to the same place.
//! For agents that fly, nothing hangs on jumps.

use navmesh_runtime::mesh::{
    AgentProfile, EdgeSet, Launch, Layer, Link, MAX_LAUNCHES, PlatformId, TrajectoryParams,
};

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
    let margin = |link: &Link| {
        let is_tight = link.kind.is_airborne() && link.tolerance < tolerance;
        let margin = is_tight.then(|| margin(layer, link));
        margin.filter(|margin| *margin < tolerance)
    };
    let mut next: Vec<Vec<PlatformId>> = vec![Vec::new(); layer.platforms().len()];
    let mut fragile: Vec<(f32, &Link)> = Vec::new();
    for link in layer.links() {
        match margin(link) {
            None => next[link.from_platform.index()].push(link.to_platform),
            Some(margin) if entered[graph.ends(link)[0] as usize] => fragile.push((margin, link)),
            Some(_) => {}
        }
    }
    // Stable: links as forgiving stay in the order of the file.
    fragile.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut scratch = Scratch::default();
    let mut needed = Vec::new();
    for (margin, link) in fragile {
        if !scratch.reaches(&next, link.from_platform, link.to_platform) {
            next[link.from_platform.index()].push(link.to_platform);
            needed.push((margin, link));
        }
    }
    // The least forgiving first.
    needed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let drafts = needed.into_iter();
    drafts
        .map(|(margin, link)| draft(graph, margin, link))
        .collect()
}

/// Seconds that the more forgiving of two arcs forgives: the stored one, and
/// one with the greatest launch, in which the way across may begin as much
/// later as it is over sooner.
fn margin(layer: &Layer, link: &Link) -> f32 {
    let profile = layer.profile();
    let across = f64::from(link.to.x) - f64::from(link.from.x);
    let up = f64::from(link.from.y - link.to.y) * f64::from(layer.grid().y_axis.down());
    let highest = greatest_launch(profile)
        .and_then(|program| program.trajectory(across, up, profile.fall()).ok())
        .map_or(0.0, |arc| {
            arc.duration() - across.abs() / f64::from(profile.run_speed)
        });
    link.tolerance.max(highest as f32)
}

/// The highest and longest an agent can be in the air: as fast as it can from
/// the floor, and again at each apex if it jumps in the air.
fn greatest_launch(profile: &AgentProfile) -> Option<TrajectoryParams> {
    let speed = if profile.edges.contains(EdgeSet::JUMP) {
        profile.jump_speed
    } else {
        0.0
    };
    let apex = speed / profile.gravity;
    let count = (usize::from(profile.air_jumps) + 1).min(MAX_LAUNCHES);
    let count = if speed > 0.0 { count } else { 1 };
    let launches: Vec<Launch> = (0..count)
        .map(|i| Launch {
            time: (apex * i as f32).into(),
            speed: speed.into(),
        })
        .collect();
    TrajectoryParams::new(&launches, &[]).ok()
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

fn draft(graph: &Graph<'_>, margin: f32, link: &Link) -> Draft {
    let margin = if margin >= 5e-4 {
        format!("forgives only {margin:.3} s")
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
