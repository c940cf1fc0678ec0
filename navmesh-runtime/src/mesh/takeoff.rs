//! Links as searches see them.

use super::{Link, LinkId, LinkKind, PlatformId};

/// What a search looks at of a link, close together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Takeoff {
    /// Where it leaves its platform.
    pub(crate) x: f32,
    /// Where it lands.
    pub(crate) to_x: f32,
    /// Seconds it takes.
    pub(crate) duration: f32,
    pub(crate) to_platform: PlatformId,
    pub(crate) link: LinkId,
    pub(crate) kind: LinkKind,
}

/// The takeoffs of all links, platform by platform, from the left.
pub(super) fn takeoffs(links: &[Link], link_ends: &[u32]) -> Vec<Takeoff> {
    let mut takeoffs: Vec<Takeoff> = (0..)
        .zip(links)
        .map(|(id, link)| Takeoff {
            x: link.from.x,
            to_x: link.to.x,
            duration: link.duration,
            to_platform: link.to_platform,
            link: LinkId(id),
            kind: link.kind,
        })
        .collect();
    let mut start = 0;
    for &end in link_ends {
        takeoffs[start..end as usize].sort_by(|a, b| a.x.total_cmp(&b.x));
        start = end as usize;
    }
    takeoffs
}
