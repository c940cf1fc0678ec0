//! What part of the possible links is baked.

use navmesh_runtime::mesh::{Layer, PlatformId};

use super::Tiles;
use super::reachable::{Detail, Pairs, View, baked, can_do, closure};

/// The results of the exhaustive search, summed over many levels.
#[derive(Debug, Default)]
pub struct Completeness {
    pub can: usize,
    pub baked: usize,
    pub closure_can: usize,
    pub closure_baked: usize,
    /// Reachable in a bake although the search finds it impossible.
    pub impossible: usize,
    pub report: Vec<String>,
}

impl Completeness {
    /// Adds a level, baked with all links and with links thinned. `bounded`:
    /// whether the generous search covers everything the baker may try.
    pub fn compare(
        &mut self,
        world: &Tiles,
        [all, thinned]: [&Layer; 2],
        detail: Detail,
        bounded: bool,
    ) {
        let can = can_do(world, all, detail, View::Strict);
        let (links, thin) = (baked(all), baked(thinned));
        let (can_all, thin_all) = (closure(&can), closure(&thin));
        let mut beyond = Pairs::new();
        if bounded {
            let bound = closure(&can_do(world, all, detail, View::Generous));
            beyond.extend(closure(&links).difference(&bound));
            beyond.extend(thin_all.difference(&bound));
        }
        let missing: Vec<_> = can.difference(&links).copied().collect();
        let lost: Vec<_> = can_all.difference(&thin_all).copied().collect();
        self.can += can.len();
        self.baked += can.len() - missing.len();
        self.closure_can += can_all.len();
        self.closure_baked += can_all.len() - lost.len();
        self.impossible += beyond.len();
        if !missing.is_empty() || !beyond.is_empty() || !lost.is_empty() {
            self.report.push(format!(
                "missing {:#?}\nlost {:#?}\nimpossible {:#?}\n{}",
                show(all, missing),
                show(all, lost),
                show(all, beyond),
                world.lines().join("\n"),
            ));
        }
    }

    /// Prints the sums.
    pub fn tell(&self, name: &str, air_control: bool) {
        println!(
            "{name}, air control {air_control}: {}/{} pairs, closure {}/{}, impossible {}",
            self.baked, self.can, self.closure_baked, self.closure_can, self.impossible,
        );
    }

    /// Asserts that at least so many pairs are linked, that thinned links reach all of
    /// them, that nothing impossible is linked, and that the levels have enough
    /// pairs.
    pub fn assert_complete(&self, at_least: usize, linked: f64) {
        let report = self.report.join("\n\n");
        assert!(
            self.can > at_least,
            "the levels are too easy: {} pairs",
            self.can
        );
        assert!(self.baked as f64 >= linked, "{report}");
        assert_eq!(self.closure_baked, self.closure_can, "{report}");
        assert_eq!(self.impossible, 0, "{report}");
    }
}

/// Pairs, each as the two platforms and their ends.
fn show(layer: &Layer, pairs: impl IntoIterator<Item = (u32, u32)>) -> Vec<String> {
    let ends = |i| {
        let platform = layer.platform(PlatformId(i));
        platform.map_or(String::new(), |p| {
            format!("{:?} {} {}", p.kind, p.left(), p.right())
        })
    };
    let pairs = pairs.into_iter();
    pairs
        .map(|(a, b)| format!("{} -> {}", ends(a), ends(b)))
        .collect()
}
