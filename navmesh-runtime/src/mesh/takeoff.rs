//! The numbers of links that path searches read.

use super::edge_set::EdgeSet;
use super::groups::Groups;
use super::ids::{LinkId, PlatformId};
use super::link::{Link, LinkKind};
use super::platform::{PlatformKind, Platforms};

/// The numbers of a link that a search reads, in 28 bytes instead of the
/// link's 96: searches read many more links than they follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Takeoff {
    /// Its start, along its platform.
    pub(crate) along: f32,
    /// The x of its landing.
    pub(crate) to_x: f32,
    /// Its landing, along that platform.
    pub(crate) to_along: f32,
    /// Seconds it takes.
    pub(crate) duration: f32,
    pub(crate) to_platform: PlatformId,
    pub(crate) link: LinkId,
    pub(crate) kind: LinkKind,
    /// The kind of edge that an agent must have to stay where it lands; none
    /// for a floor.
    pub(crate) needs: EdgeSet,
}

/// The takeoffs of all links: platform by platform, and sorted along each.
pub(super) fn takeoffs(links: &[Link], groups: &Groups, platforms: &Platforms) -> Vec<Takeoff> {
    let along = |platform, position: glam::Vec2| {
        platforms
            .get(platform)
            .map_or(position.x, |p| p.along(position))
    };
    let mut takeoffs: Vec<Takeoff> = (0..)
        .zip(links)
        .map(|(id, link)| Takeoff {
            along: along(link.from_platform, link.from),
            to_x: link.to.x,
            to_along: along(link.to_platform, link.to),
            duration: link.duration,
            to_platform: link.to_platform,
            link: LinkId(id),
            kind: link.kind,
            needs: platforms
                .get(link.to_platform)
                .filter(|p| p.kind != PlatformKind::Floor)
                .map_or(EdgeSet::NONE, |p| p.kind.edge()),
        })
        .collect();
    for platform in 0..groups.len() {
        takeoffs[groups.range(platform)].sort_by(|a, b| a.along.total_cmp(&b.along));
    }
    takeoffs
}
