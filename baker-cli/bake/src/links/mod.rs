//! The links of an agent, as the mesh stores them.

pub mod bypass;
pub mod closed_doors;
pub mod link_cache;
pub mod movers;
pub mod portals;
pub mod rides;
pub mod spanner;
pub mod springs;

use navmesh_runtime::mesh::{Link, StepKind};

/// Sorts links by the platform they leave, then from left to right, those of springs last, as
/// the asset stores them. The sort is stable.
pub fn sort(links: &mut [Link]) {
    links.sort_by(|a, b| {
        let is_spring = |link: &Link| link.kind == StepKind::Spring;
        (a.from_platform.cmp(&b.from_platform))
            .then(is_spring(a).cmp(&is_spring(b)))
            .then(a.from.x.total_cmp(&b.from.x))
            .then(a.to_platform.cmp(&b.to_platform))
            .then(a.to.x.total_cmp(&b.to.x))
    });
}
