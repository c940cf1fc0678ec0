//! Which platforms and which parts of the air hang together.

use super::components::{Arcs, strong};
use super::reach::ReachIndex;
use super::{Air, Cell, Link, PlatformId, Reachability};

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
        // A pair as one number sorts faster than as two.
        let mut pairs: Vec<u64> = links
            .iter()
            .filter(|link| link.from_platform != link.to_platform)
            .map(|link| pair(link.from_platform.0, link.to_platform.0))
            .collect();
        for &(platform, cell) in contacts {
            if let Some(region) = air.and_then(|air| air.region(cell)) {
                let node = platforms as u32 + region;
                pairs.extend([pair(platform.0, node), pair(node, platform.0)]);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let (components, count) = strong(&Arcs::new(platforms + regions as usize, &pairs));
        let component = |node: u64| components[node as u32 as usize];
        for edge in &mut pairs {
            *edge = pair(component(*edge >> 32), component(*edge));
        }
        pairs.retain(|&edge| edge >> 32 != edge & u64::from(u32::MAX));
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
    pub(super) fn reaches(&self, from: u32, to: u32) -> Reachability {
        self.reach.reaches(from, to)
    }
}

/// An edge as one number.
const fn pair(from: u32, to: u32) -> u64 {
    (from as u64) << 32 | to as u64
}
