//! What can no longer be reached, and what can be entered but not left.
//!
//! Reachability is that of an agent that uses every baked edge. It is computed
//! from every spawn for the agent that both files have, and for all pairs of platforms.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use navmesh_runtime::mesh::{EdgeSet, Layer, LinkGraph, PlatformId};
use schemars::JsonSchema;
use serde::Serialize;

use super::links::LinkRecord;
use super::markers::SpawnPair;
use super::platforms::{PlatformRecord, Sides};
use super::terrain::{AirPart, CommonAir};
use crate::report::connections::{component_sizes, home_component, home_region, is_for, joined};

/// With more components than this, pairs are not counted: the time grows with
/// the square of their number, to 4·10⁸ comparisons here.
const MOST_COMPONENTS: usize = 20_000;
/// How many groups of lost pairs are reported, those with the most pairs
/// first. More would only make the report longer than anyone reads.
const MOST_GROUPS: usize = 100;

/// Platforms that spawns can or can no longer reach.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PlatformsBySpawn {
    /// The spawns.
    pub spawns: Vec<String>,
    /// The platforms, of the new file.
    pub platforms: Vec<PlatformRecord>,
}

/// Parts of the air that spawns can or can no longer reach.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AirBySpawn {
    /// The spawns; empty when the level has none.
    pub spawns: Vec<String>,
    /// The parts, of the new file.
    pub parts: Vec<AirPart>,
}

/// Platforms that can be entered from somewhere but not left again.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Trap {
    /// The spawns from which it can be entered. Empty when the level has none:
    /// then it can be entered from the largest component.
    pub spawns: Vec<String>,
    /// The platforms.
    pub platforms: Vec<PlatformRecord>,
    /// A link that enters it.
    pub entered_by: Option<LinkRecord>,
}

/// Ordered pairs of platforms that both files have.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Pairs {
    /// How many pairs lost their path from the first to the second.
    pub lost: u64,
    /// How many pairs gained one.
    pub gained: u64,
    /// The lost pairs by component, the most pairs first; at most 100 groups.
    pub groups: Vec<PairGroup>,
}

/// None of `to` can be reached from any of `from` any more.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PairGroup {
    /// Platforms of the new file.
    pub from: Vec<PlatformRecord>,
    /// Platforms of the new file.
    pub to: Vec<PlatformRecord>,
}

/// How reachability changed for one agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ReachDiff {
    /// The spawns of both files for this agent, from which reachability is computed.
    pub spawns: Vec<String>,
    /// Spawns that no longer lead to a floor (or free air).
    pub stranded: Vec<String>,
    /// Platforms that can no longer be reached from a spawn.
    pub lost: Vec<PlatformsBySpawn>,
    /// Platforms that can be reached now.
    pub gained: Vec<PlatformsBySpawn>,
    /// New platforms that no spawn reaches.
    pub isolated: Vec<PlatformRecord>,
    /// New traps: they can be entered but not left.
    pub traps: Vec<Trap>,
    /// Traps that can be left now or no longer exist; platforms of the old file.
    pub traps_gone: Vec<Trap>,
    /// Counts over all pairs of platforms; `None` in levels with more than
    /// 20,000 components.
    pub pairs: Option<Pairs>,
    /// Air that can no longer be reached, for agents that only fly.
    pub air_lost: Vec<AirBySpawn>,
    /// Air that can be reached now.
    pub air_gained: Vec<AirBySpawn>,
}

impl ReachDiff {
    pub(crate) fn new(sides: &Sides<'_>, spawns: &[SpawnPair<'_>]) -> Self {
        let Sides { old, new, .. } = *sides;
        let spawns = spawns.iter().filter(|spawn| is_for(&spawn.new, new));
        let spawns: Vec<_> = spawns.collect();
        if [old, new].iter().any(|layer| layer.profile().edges.walks()) {
            return sides.compare_platforms(&spawns);
        }
        let mut diff = Self {
            spawns: spawns.iter().map(|spawn| spawn.name.clone()).collect(),
            ..Self::default()
        };
        let flies = |layer: &&Layer| layer.profile().edges.contains(EdgeSet::FLY);
        if [old, new].iter().all(flies) {
            diff.compare_air(sides, &spawns);
        }
        diff
    }

    /// For agents that only fly.
    fn compare_air(&mut self, sides: &Sides<'_>, spawns: &[&SpawnPair<'_>]) {
        let common = CommonAir::new(sides.old, sides.new, sides.alignment);
        let back = common.exchanged();
        let (mut lost, mut gained) = (BySpawn(Vec::new()), BySpawn(Vec::new()));
        for spawn in spawns {
            let [was, is] = spawn.feet();
            let (was, is) = (home_region(sides.old, was), home_region(sides.new, is));
            if was.is_some() && is.is_none() {
                self.stranded.push(spawn.name.clone());
            } else {
                lost.add(common.lost_from([was, is]), Some(&spawn.name));
                gained.add(back.lost_from([is, was]), Some(&spawn.name));
            }
        }
        if spawns.is_empty() {
            lost.add(common.divided(), None);
            gained.add(back.divided(), None);
        }
        self.air_lost = lost.map(|spawns, parts| AirBySpawn { spawns, parts });
        self.air_gained = gained.map(|spawns, parts| AirBySpawn { spawns, parts });
    }
}

/// Things that were found from spawns, each list with its spawns.
struct BySpawn<T>(Vec<(Vec<T>, Vec<String>)>);

impl<T: PartialEq> BySpawn<T> {
    fn add(&mut self, things: Vec<T>, spawn: Option<&str>) {
        let spawn = spawn.map(String::from);
        if things.is_empty() {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == things) {
            Some((_, spawns)) => spawns.extend(spawn),
            None => self.0.push((things, spawn.into_iter().collect())),
        }
    }

    fn map<R>(self, record: impl Fn(Vec<String>, Vec<T>) -> R) -> Vec<R> {
        let found = self.0.into_iter();
        found
            .map(|(things, spawns)| record(spawns, things))
            .collect()
    }
}

impl BySpawn<PlatformId> {
    fn platforms(mut self, layer: &Layer) -> Vec<PlatformsBySpawn> {
        self.0.sort();
        self.map(|spawns, ids| PlatformsBySpawn {
            spawns,
            platforms: records(layer, &ids),
        })
    }

    fn traps(mut self, layer: &Layer) -> Vec<Trap> {
        self.0.sort();
        self.map(|spawns, ids| Trap {
            spawns,
            entered_by: entrance(layer, &ids),
            platforms: records(layer, &ids),
        })
    }
}

fn records(layer: &Layer, ids: &[PlatformId]) -> Vec<PlatformRecord> {
    let platforms = ids.iter().filter_map(|id| layer.platform(*id));
    platforms.map(PlatformRecord::from).collect()
}

/// The first link into a group from outside.
fn entrance(layer: &Layer, group: &[PlatformId]) -> Option<LinkRecord> {
    // Groups are sorted by `joined`.
    let is_inside = |id: PlatformId| group.binary_search(&id).is_ok();
    (layer.links().iter().enumerate())
        .find(|(_, link)| !is_inside(link.from_platform) && is_inside(link.to_platform))
        .map(|(id, link)| LinkRecord::new(id, link, false))
}

/// What can be reached from a component and what can return to it.
struct Home<'a> {
    graph: &'a LinkGraph,
    reached: Vec<bool>,
    returning: Vec<bool>,
}

impl<'a> Home<'a> {
    fn new(layer: &'a Layer, component: u32) -> Self {
        let graph = layer.link_graph();
        Self {
            graph,
            reached: graph.reached_from([component]),
            returning: graph.leading_to([component]),
        }
    }

    fn reaches(&self, platform: PlatformId) -> bool {
        is_in(&self.reached, self.graph, platform)
    }

    fn traps(&self, platform: PlatformId) -> bool {
        self.reaches(platform) && !is_in(&self.returning, self.graph, platform)
    }
}

/// Whether a platform is in one of some components.
fn is_in(components: &[bool], graph: &LinkGraph, platform: PlatformId) -> bool {
    let component = graph.component(platform);
    component.is_some_and(|component| components[component as usize])
}

/// The component with the most platforms.
fn largest_component(layer: &Layer) -> Option<u32> {
    let sizes = component_sizes(layer);
    // Of several, the first.
    (0..)
        .zip(sizes)
        .min_by_key(|(_, size)| Reverse(*size))
        .map(|(component, _)| component)
}

impl Sides<'_> {
    /// For agents that walk.
    fn compare_platforms(&self, spawns: &[&SpawnPair<'_>]) -> ReachDiff {
        let Self { old, new, .. } = *self;
        let mut diff = ReachDiff {
            pairs: self.pairs(),
            ..ReachDiff::default()
        };
        let mut homes = Vec::new();
        let mut starts = Vec::new();
        for spawn in spawns {
            let [was, is] = spawn.feet();
            // A spawn that led to no floor has nothing to lose: a level with no other one is
            // compared like a level without spawns.
            let Some(before) = home_component(old, was) else {
                continue;
            };
            diff.spawns.push(spawn.name.clone());
            if let Some(after) = home_component(new, is) {
                homes.push((Some(&*spawn.name), before, after));
                starts.push(after);
            } else {
                diff.stranded.push(spawn.name.clone());
            }
        }
        if diff.spawns.is_empty()
            && let (Some(before), Some(after)) = (largest_component(old), largest_component(new))
        {
            homes.push((None, before, after));
        }
        let (mut lost, mut gained) = (BySpawn(Vec::new()), BySpawn(Vec::new()));
        let (mut traps, mut traps_gone) = (BySpawn(Vec::new()), BySpawn(Vec::new()));
        for (spawn, before, after) in homes {
            let (was, is) = (Home::new(old, before), Home::new(new, after));
            if spawn.is_some() {
                let [no_longer, now] = self.changed(&was, &is);
                lost.add(no_longer, spawn);
                gained.add(now, spawn);
            }
            for group in joined(new, &self.new_traps(&was, &is)) {
                traps.add(group, spawn);
            }
            for group in joined(old, &self.old_traps(&was, &is)) {
                traps_gone.add(group, spawn);
            }
        }
        if !starts.is_empty() {
            let graph = new.link_graph();
            let reached = graph.reached_from(starts);
            diff.isolated.clone_from(&self.matching.diff.appeared);
            (diff.isolated).retain(|p| !is_in(&reached, graph, PlatformId(p.id)));
        }
        diff.lost = lost.platforms(new);
        diff.gained = gained.platforms(new);
        diff.traps = traps.traps(new);
        diff.traps_gone = traps_gone.traps(old);
        diff
    }

    /// The platforms of both files that are no longer reached, and those that are now.
    fn changed(&self, was: &Home<'_>, is: &Home<'_>) -> [Vec<PlatformId>; 2] {
        let [mut lost, mut gained] = [Vec::new(), Vec::new()];
        for platform in self.new.platforms() {
            let mut parts = self.matching.old_of.of(platform.id).peekable();
            if parts.peek().is_some() {
                match (parts.any(|part| was.reaches(part)), is.reaches(platform.id)) {
                    (true, false) => lost.push(platform.id),
                    (false, true) => gained.push(platform.id),
                    _ => {}
                }
            }
        }
        [lost, gained]
    }

    fn new_traps(&self, was: &Home<'_>, is: &Home<'_>) -> Vec<PlatformId> {
        let mut traps: Vec<_> = self.new.platforms().map(|platform| platform.id).collect();
        let old_of = &self.matching.old_of;
        traps.retain(|id| is.traps(*id) && !old_of.of(*id).any(|part| was.traps(part)));
        traps
    }

    /// Traps that are none any more.
    fn old_traps(&self, was: &Home<'_>, is: &Home<'_>) -> Vec<PlatformId> {
        let mut gone: Vec<_> = self.old.platforms().map(|platform| platform.id).collect();
        gone.retain(|id| {
            let became: Vec<_> = self.matching.new_of.of(*id).collect();
            // A trap that can no longer be entered is not an improvement.
            let is_better = became.is_empty() || became.iter().any(|id| is.reaches(*id));
            was.traps(*id) && is_better && !became.iter().any(|id| is.traps(*id))
        });
        gone
    }

    /// Counts the pairs of platforms of both files whose reachability changed.
    fn pairs(&self) -> Option<Pairs> {
        let (before, after) = (self.old.link_graph(), self.new.link_graph());
        if before.components().max(after.components()) > MOST_COMPONENTS {
            return None;
        }
        // Platforms that share a component in both files have equal results.
        let mut classes: BTreeMap<(u32, u32), Vec<PlatformId>> = BTreeMap::new();
        for &(a, b) in self.matching.new_of.all() {
            if let (Some(was), Some(is)) = (before.component(a), after.component(b)) {
                classes.entry((was, is)).or_default().push(b);
            }
        }
        let mut found = Pairs::default();
        let mut groups = Vec::new();
        for (&(a, b), from) in &classes {
            let (was, is) = (before.reached_from([a]), after.reached_from([b]));
            for (&(c, d), to) in &classes {
                let count = (from.len() * to.len()) as u64;
                match (was[c as usize], is[d as usize]) {
                    (true, false) => {
                        found.lost += count;
                        groups.push((count, from, to));
                    }
                    (false, true) => found.gained += count,
                    _ => {}
                }
            }
        }
        groups.sort_by_key(|group| Reverse(group.0));
        for (_, from, to) in groups.into_iter().take(MOST_GROUPS) {
            let (from, to) = (records(self.new, from), records(self.new, to));
            found.groups.push(PairGroup { from, to });
        }
        Some(found)
    }
}
