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

/// The takeoffs of a layer, and what else searches need of all its links.
#[derive(Debug, Clone, Default)]
pub(super) struct Takeoffs {
    /// Platform by platform, and sorted along each.
    pub(super) all: Vec<Takeoff>,
    pub(super) of: Groups,
    /// Greatest horizontal speed of a link other than a portal, or at least that given.
    pub(super) top_speed: f32,
    /// Portals take no time in proportion to their length, so they do not count for the
    /// top speed, and searches treat them separately.
    pub(super) portals: Vec<LinkId>,
}

impl Takeoffs {
    /// Of links that are sorted by the platform they leave.
    pub(super) fn new(links: &[Link], platforms: &Platforms, run_speed: f32) -> Self {
        // The kind of each platform, and what an agent must have to stay there.
        let kinds = platforms.iter().map(|platform| match platform.kind {
            PlatformKind::Floor => (platform.kind, EdgeSet::NONE),
            kind => (kind, kind.edge()),
        });
        let kinds: Vec<_> = kinds.collect();
        let kind_of =
            |platform: PlatformId| kinds.get(platform.index()).copied().unwrap_or_default();
        let takeoffs = (0..).zip(links).map(|(id, link)| {
            let (from, (to, needs)) = (kind_of(link.from_platform).0, kind_of(link.to_platform));
            Takeoff {
                along: from.along(link.from),
                to_x: link.to.x,
                to_along: to.along(link.to),
                duration: link.duration,
                to_platform: link.to_platform,
                link: LinkId(id),
                kind: link.kind,
                needs,
            }
        });
        let mut all: Vec<Takeoff> = takeoffs.collect();
        let (mut portals, mut top_speed) = (Vec::new(), run_speed);
        for (id, link) in (0..).zip(links) {
            let across = (link.to.x - link.from.x).abs();
            if link.kind == LinkKind::Portal {
                portals.push(LinkId(id));
            } else if across > 0.0 {
                // A step may take no time. The speed is then infinite, and the bounds of
                // searches are 0: lower than the cost, as they have to be.
                let speed = across / link.duration;
                if speed > top_speed {
                    top_speed = speed;
                }
            }
        }
        let starts = links.iter().map(|link| link.from_platform.index());
        let of = Groups::new(platforms.len(), starts);
        for platform in 0..of.len() {
            // Stable, so that takeoffs at one place stay in the order of links.
            let takeoffs = &mut all[of.range(platform)];
            // As they are on floors, because links are sorted by x.
            if !takeoffs.is_sorted_by(|a, b| a.along <= b.along) {
                takeoffs.sort_by(|a, b| a.along.total_cmp(&b.along));
            }
        }
        Self {
            all,
            of,
            top_speed,
            portals,
        }
    }
}
