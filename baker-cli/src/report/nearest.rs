//! Finds the nearest of many platforms, also while some of them are removed.

use glam::Vec2;
use navmesh_runtime::mesh::Platform;

use super::connections::{bounds, union};

/// The corners of least and greatest x and y.
type Bounds = [Vec2; 2];

/// A binary tree of platforms, by the bounds of their surfaces. The trees of `rstar`
/// only find what is nearest to a point.
pub(super) struct PlatformTree<'a> {
    /// In the order of the leaves.
    platforms: Vec<Platform<'a>>,
    /// The bounds of what each node holds. The children of node `n` are `2 n` and
    /// `2 n + 1`, the root is 1, and the second half are the leaves.
    nodes: Vec<Option<Bounds>>,
}

impl<'a> PlatformTree<'a> {
    pub(super) fn new(platforms: impl Iterator<Item = Platform<'a>>) -> Self {
        let mut platforms: Vec<_> = platforms.map(|p| (p, bounds(&p))).collect();
        // Platforms whose leaves are near each other are near each other.
        let all = (platforms.iter().map(|(_, bounds)| *bounds)).reduce(union);
        let [min, max] = all.unwrap_or_default();
        let scale = f32::from(u16::MAX) / (max - min).max(Vec2::splat(f32::MIN_POSITIVE));
        platforms.sort_by_cached_key(|(_, [low, high])| {
            let cell = (low.midpoint(*high) - min) * scale;
            spread(cell.x as u16) | spread(cell.y as u16) << 1
        });
        let leaves = platforms.len().next_power_of_two();
        let mut nodes = vec![None; leaves];
        nodes.extend(platforms.iter().map(|(_, bounds)| Some(*bounds)));
        nodes.resize(2 * leaves, None);
        let platforms = platforms.into_iter().map(|(platform, _)| platform);
        let mut tree = Self {
            platforms: platforms.collect(),
            nodes,
        };
        for node in (1..leaves).rev() {
            tree.enclose_children(node);
        }
        tree
    }

    fn enclose_children(&mut self, node: usize) {
        let children = [self.nodes[2 * node], self.nodes[2 * node + 1]];
        self.nodes[node] = children.into_iter().flatten().reduce(union);
    }

    /// The platforms in the order of their leaves, by which they are removed.
    pub(super) fn leaves(&self) -> &[Platform<'a>] {
        &self.platforms
    }

    pub(super) fn remove(&mut self, leaf: usize) {
        let mut node = self.nodes.len() / 2 + leaf;
        self.nodes[node] = None;
        while node > 1 {
            node /= 2;
            self.enclose_children(node);
        }
    }

    /// The platform nearest to another one, and the square of the distance between
    /// their bounds.
    pub(super) fn nearest(&self, to: &Platform<'_>) -> Option<(f32, Platform<'a>)> {
        let to = bounds(to);
        let gap = |node: usize| Some((square_gap(self.nodes[node]?, to), node));
        let leaves = self.nodes.len() / 2;
        let mut best: Option<(f32, usize)> = None;
        let mut open = Vec::from_iter(gap(1));
        while let Some((least, node)) = open.pop() {
            if best.is_some_and(|(found, _)| found <= least) {
                continue;
            }
            if node >= leaves {
                best = Some((least, node - leaves));
                continue;
            }
            let mut children = [gap(2 * node), gap(2 * node + 1)];
            // The nearer one is searched first. `None` is less than `Some`.
            if children[0] < children[1] {
                children.reverse();
            }
            open.extend(children.into_iter().flatten());
        }
        best.map(|(gap, leaf)| (gap, self.platforms[leaf]))
    }
}

/// The bits of a number, each with a 0 before it.
fn spread(value: u16) -> u32 {
    (0..16).fold(0, |spread, bit| {
        spread | (u32::from(value) >> bit & 1) << (2 * bit)
    })
}

fn square_gap(a: Bounds, b: Bounds) -> f32 {
    let gap = a[0].max(b[0]) - a[1].min(b[1]);
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
            let mut left: Vec<Platform<'_>> = tree.leaves().to_vec();
            for leaf in 0..left.len() {
                let to = left[0];
                tree.remove(leaf);
                left.remove(0);
                let gap = |p: &Platform<'_>| square_gap(bounds(p), bounds(&to));
                let least = left.iter().map(gap).min_by(f32::total_cmp);
                let found = tree.nearest(&to);
                assert_eq!(found.map(|(gap, _)| gap), least);
                assert_eq!(found.map(|(_, platform)| gap(&platform)), least);
            }
            assert!(all.iter().all(|platform| tree.nearest(&platform).is_none()));
        }
    }
}
