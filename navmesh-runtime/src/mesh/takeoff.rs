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
    // The kind of each platform, and what an agent must have to stay there.
    let kinds = platforms.iter().map(|platform| match platform.kind {
        PlatformKind::Floor => (platform.kind, EdgeSet::NONE),
        kind => (kind, kind.edge()),
    });
    let kinds: Vec<_> = kinds.collect();
    let of = |platform: PlatformId| kinds.get(platform.index()).copied().unwrap_or_default();
    let along = |kind: PlatformKind, at: glam::Vec2| if kind.is_upright() { at.y } else { at.x };
    let takeoff = |(id, link): (u32, &Link)| {
        let (from, (to, needs)) = (of(link.from_platform).0, of(link.to_platform));
        Takeoff {
            along: along(from, link.from),
            to_x: link.to.x,
            to_along: along(to, link.to),
            duration: link.duration,
            to_platform: link.to_platform,
            link: LinkId(id),
            kind: link.kind,
            needs,
        }
    };
    let mut takeoffs: Vec<Takeoff> = (0..).zip(links).map(takeoff).collect();
    for platform in 0..groups.len() {
        takeoffs[groups.range(platform)].sort_by(|a, b| a.along.total_cmp(&b.along));
    }
    takeoffs
}
