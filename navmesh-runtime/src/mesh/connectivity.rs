//! Which platforms and which parts of the air hang together.

use super::components::{Arcs, strong};
use super::reach::ReachIndex;
use super::{Air, Cell, Link, PlatformId, Reach};

/// Components of platforms and regions of air, and what reaches what.
#[derive(Debug, Clone, Default)]
pub(super) struct Connectivity {
    /// The component of every platform, then of every region of air.
    components: Vec<u32>,
    platforms: usize,
    reach: ReachIndex,
}

impl Connectivity {
    /// `contacts` are the vertices at which agents that both walk and fly
    /// take off and land.
    pub(super) fn new(
        platforms: usize,
        links: &[Link],
        air: Option<&Air>,
        contacts: &[(PlatformId, Cell)],
    ) -> Self {
        let regions = air.map_or(0, Air::regions);
        let mut pairs: Vec<[u32; 2]> = links
            .iter()
            .filter(|link| link.from_platform != link.to_platform)
            .map(|link| [link.from_platform.0, link.to_platform.0])
            .collect();
        for &(platform, cell) in contacts {
            if let Some(region) = air.and_then(|air| air.region(cell)) {
                let node = platforms as u32 + region;
                pairs.extend([[platform.0, node], [node, platform.0]]);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let (components, count) = strong(&Arcs::new(platforms + regions as usize, &pairs));
        for pair in &mut pairs {
            *pair = pair.map(|node| components[node as usize]);
        }
        pairs.retain(|[from, to]| from != to);
        pairs.sort_unstable();
        pairs.dedup();
        Self {
            components,
            platforms,
            reach: ReachIndex::new(&Arcs::new(count as usize, &pairs)),
        }
    }

    /// The component of every platform.
    pub(super) fn of_platforms(&self) -> &[u32] {
        &self.components[..self.platforms]
    }

    pub(super) fn of_platform(&self, platform: PlatformId) -> Option<u32> {
        self.of_platforms().get(platform.index()).copied()
    }

    pub(super) fn of_region(&self, region: u32) -> Option<u32> {
        self.components
            .get(self.platforms + region as usize)
            .copied()
    }

    /// Whether a component can be reached from another.
    pub(super) fn reaches(&self, from: u32, to: u32) -> Reach {
        self.reach.reaches(from, to)
    }
}
