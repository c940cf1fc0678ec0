//! Finds the nearest of many platforms, also while some of them are removed.

use glam::Vec2;
use navmesh_runtime::mesh::{Platform, PlatformId};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree, RTreeNode, RTreeObject};

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
        let mut best: Option<(f32, PlatformId)> = None;
        let mut open = by_gap(self.0.root().children(), to);
        while let Some((gap, node)) = open.pop() {
            if best.is_some_and(|(least, _)| least < gap) {
                continue;
            }
            match node {
                RTreeNode::Leaf(leaf) if best.is_none_or(|best| (gap, leaf.data) < best) => {
                    best = Some((gap, leaf.data));
                }
                RTreeNode::Leaf(_) => {}
                RTreeNode::Parent(parent) => open.extend(by_gap(parent.children(), to)),
            }
        }
        best
    }
}

fn leaf(platform: &Platform<'_>) -> Leaf {
    let [min, max] = bounds(platform).map(|corner| corner.to_array());
    GeomWithData::new(Rectangle::from_corners(min, max), platform.id)
}

/// Nodes with the squares of their distances, the nearest last.
fn by_gap(nodes: &[RTreeNode<Leaf>], to: [Vec2; 2]) -> Vec<(f32, &RTreeNode<Leaf>)> {
    let gaps = nodes
        .iter()
        .map(|node| (square_gap(node.envelope(), to), node));
    let mut gaps: Vec<_> = gaps.collect();
    gaps.sort_by(|a, b| b.0.total_cmp(&a.0));
    gaps
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
