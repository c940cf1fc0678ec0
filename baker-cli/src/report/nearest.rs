//! Finds the nearest of many platforms, also while some of them are removed.

use glam::Vec2;
use navmesh_runtime::mesh::{Platform, PlatformId};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, Envelope as _, RTree, RTreeObject as _};

use super::connections::bounds;

/// Platforms by the bounds of their surfaces.
pub struct PlatformTree(RTree<Leaf>);

type Leaf = GeomWithData<Rectangle<[f32; 2]>, PlatformId>;

impl PlatformTree {
    pub fn new<'a>(platforms: impl Iterator<Item = Platform<'a>>) -> Self {
        Self(RTree::bulk_load(platforms.map(|p| leaf(&p)).collect()))
    }

    pub fn remove(&mut self, platform: &Platform<'_>) {
        self.0.remove(&leaf(platform));
    }

    /// The platform nearest to another one, and the square of the distance between their
    /// bounds. Of several, the first. (`rstar` itself only finds what is nearest to a point.)
    pub fn nearest(&self, to: &Platform<'_>) -> Option<(f32, PlatformId)> {
        let to = bounds(to);
        let all = self.0.root().envelope();
        // Looks into an area that grows until it has a platform.
        let mut reach = 1.0_f32;
        loop {
            let [min, max] = [to[0] - reach, to[1] + reach].map(|corner| corner.to_array());
            let area = AABB::from_corners(min, max);
            let near = self.0.locate_in_envelope_intersecting(area);
            let gaps = near.map(|leaf| (square_gap(leaf.envelope(), to), leaf.data));
            let nearest = gaps.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            // What is nearer than the border of the area is all in it.
            let is_found = nearest.is_some_and(|(gap, _)| gap < reach * reach);
            if is_found || area.contains_envelope(&all) || reach.is_infinite() {
                return nearest;
            }
            reach *= 2.0;
        }
    }
}

fn leaf(platform: &Platform<'_>) -> Leaf {
    let [min, max] = bounds(platform).map(|corner| corner.to_array());
    GeomWithData::new(Rectangle::from_corners(min, max), platform.id)
}

fn square_gap(a: AABB<[f32; 2]>, b: [Vec2; 2]) -> f32 {
    let gap = Vec2::from(a.lower()).max(b[0]) - Vec2::from(a.upper()).min(b[1]);
    gap.max(Vec2::ZERO).length_squared()
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmesh_runtime::mesh::Platforms;

    #[test]
    fn the_nearest_platform_is_that_of_a_plain_search() {
        let mut state = 7_u32;
        let mut dice = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) % below) as f32
        };
        for count in [0, 1, 2, 33, 100] {
            let surfaces = (0..count).map(|_| {
                let from = Vec2::new(dice(200), dice(100));
                vec![from, from + Vec2::new(1.0 + dice(30), dice(9) - 4.0)]
            });
            let all = Platforms::new(surfaces.collect::<Vec<_>>()).unwrap();
            let mut tree = PlatformTree::new(all.iter());
            let mut left: Vec<Platform<'_>> = all.iter().collect();
            while !left.is_empty() {
                let to = left.remove(0);
                tree.remove(&to);
                let gap = |p: &Platform<'_>| square_gap(leaf(p).envelope(), bounds(&to));
                let least = left.iter().map(|p| (gap(p), p.id));
                let least = least.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                assert_eq!(tree.nearest(&to), least);
            }
            assert!(all.iter().all(|platform| tree.nearest(&platform).is_none()));
        }
    }
}
