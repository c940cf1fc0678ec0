//! The numbers of links that path searches read.

use super::edge_set::EdgeSet;
use super::error::MeshError;
use super::grid::Grid;
use super::ids::{LinkId, PlatformId};
use super::link::{Link, StepKind};
use super::link_check::LinkCheck;
use super::platform::Platforms;
use super::profile::AgentProfile;
use crate::graph::csr::Buckets;

/// The numbers of a link that a search reads, in 28 bytes instead of the
/// link's 104: searches read many more links than they follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Takeoff {
    /// Its start, along its platform.
    pub along: f32,
    /// The x of its landing.
    pub to_x: f32,
    /// Its landing, along that platform.
    pub to_along: f32,
    /// Seconds it takes.
    pub duration: f32,
    pub to_platform: PlatformId,
    pub link: LinkId,
    pub kind: StepKind,
    /// The kind of edge that an agent must have to stay where it lands; none
    /// for a floor.
    pub needs: EdgeSet,
}

/// The takeoffs of a layer, and what else searches need of all its links.
#[derive(Debug, Clone, Default)]
pub struct Takeoffs {
    /// Platform by platform, and sorted along each.
    pub all: Vec<Takeoff>,
    pub of: Buckets,
    /// Greatest horizontal speed of a link other than a portal, or at least that given.
    pub top_speed: f32,
    /// Portals take no time in proportion to their length, so they do not count for the
    /// top speed, and searches treat them separately.
    pub portals: Vec<LinkId>,
}

impl Takeoffs {
    /// Checks the links of a layer, sets their durations, and lists their takeoffs. For
    /// `motions` see [`LinkCheck::check`].
    pub fn new(
        links: &mut [Link],
        motions: &[u32],
        platforms: &Platforms,
        profile: &AgentProfile,
        grid: &Grid,
    ) -> Result<Self, MeshError> {
        let mut check = LinkCheck::new(platforms, profile, grid);
        let mut this = Self {
            all: Vec::with_capacity(links.len()),
            top_speed: profile.run_speed,
            ..Self::default()
        };
        // All steps for one platform after the other, while its links are in the processor's
        // cache.
        for links in links.chunk_by_mut(|a, b| a.from_platform == b.from_platform) {
            let first = this.all.len();
            let platform = links[0].from_platform;
            if platform.index() < this.of.len() {
                return Err(MeshError::of("link", first, "is out of order"));
            }
            check.check(first, links, motions)?;
            let from = check.surface(platform).kind;
            let takeoffs = (first as u32..).zip(&*links).map(|(id, link)| {
                let to = check.surface(link.to_platform);
                Takeoff {
                    along: from.along(link.from),
                    to_x: link.to.x,
                    to_along: to.kind.along(link.to),
                    duration: link.duration,
                    to_platform: link.to_platform,
                    link: LinkId(id),
                    kind: link.kind,
                    needs: to.needs,
                }
            });
            this.all.extend(takeoffs);
            for (id, link) in (first as u32..).zip(links) {
                let across = (link.to.x - link.from.x).abs();
                if link.kind == StepKind::Portal {
                    this.portals.push(LinkId(id));
                } else if across > this.top_speed * link.duration {
                    // A step may take no time. The speed is then infinite, and the bounds of
                    // searches are 0: lower than the cost, as they have to be.
                    this.top_speed = across / link.duration;
                }
            }
            let takeoffs = &mut this.all[first..];
            // Stable, so that takeoffs at one place stay in the order of links. On floors they
            // are in order, because links are sorted by x.
            if !takeoffs.is_sorted_by(|a, b| a.along <= b.along) {
                takeoffs.sort_by(|a, b| a.along.total_cmp(&b.along));
            }
            this.of.extend_to(platform.index());
            this.of.push(takeoffs.len());
        }
        this.of.extend_to(platforms.len());
        Ok(this)
    }
}
