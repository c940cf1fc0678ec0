//! Links by where they land.

use crate::mesh::{Layer, PlatformId};

/// A link, as it arrives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    /// Where it lands, along that platform.
    pub(super) along: f32,
    /// Its index among all takeoffs.
    pub(super) takeoff: u32,
    /// The platform it comes from.
    pub(super) from: PlatformId,
}

/// The links of a layer by the platform they land on, from its beginning.
/// Made on demand: only searches backwards need it.
#[derive(Debug, Default)]
pub(crate) struct Arrivals {
    layer: Option<usize>,
    list: Vec<Arrival>,
    /// Where the arrivals of each platform end.
    ends: Vec<u32>,
}

impl Arrivals {
    /// Makes sure that this is about a layer.
    pub(crate) fn prepare(&mut self, layer: &Layer) {
        if self.layer == Some(layer.identity()) {
            return;
        }
        self.layer = Some(layer.identity());
        let takeoffs = layer.all_takeoffs();
        self.list.clear();
        self.list.extend((0..).zip(takeoffs).map(|(index, t)| {
            Arrival {
                along: t.to_along,
                takeoff: index,
                from: layer
                    .link(t.link)
                    .map_or(t.to_platform, |link| link.from_platform),
            }
        }));
        let to = |arrival: &Arrival| {
            takeoffs
                .get(arrival.takeoff as usize)
                .map_or(PlatformId(u32::MAX), |t| t.to_platform)
        };
        self.list.sort_unstable_by(|a, b| {
            (to(a).cmp(&to(b)))
                .then(a.along.total_cmp(&b.along))
                .then(a.takeoff.cmp(&b.takeoff))
        });
        self.ends.clear();
        self.ends.resize(layer.platforms().len(), 0);
        for (i, arrival) in (1..).zip(&self.list) {
            if let Some(end) = self.ends.get_mut(to(arrival).index()) {
                *end = i;
            }
        }
        // A platform nothing lands on ends where the one before it does.
        let mut end = 0;
        for e in &mut self.ends {
            end = end.max(*e);
            *e = end;
        }
    }

    /// What lands on a platform.
    pub(super) fn on(&self, platform: PlatformId) -> &[Arrival] {
        let end = |index: usize| self.ends.get(index).map_or(0, |&end| end as usize);
        let start = platform.index().checked_sub(1).map_or(0, end);
        self.list
            .get(start..end(platform.index()))
            .unwrap_or_default()
    }
}
