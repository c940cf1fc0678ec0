//! What can no longer be reached, and what can be entered but not left.
//!
//! Reachability is that of an agent that uses every baked edge. It is computed
//! from every spawn for the agent that both files have, and for all pairs of platforms.

use std::collections::{BTreeMap, BTreeSet};

use navmesh_runtime::mesh::{EdgeSet, Layer, LinkGraph, PlatformId};
use serde::Serialize;

use super::air::{self, AirPart};
use super::alignment::Alignment;
use super::links::{self, LinkRecord};
use super::markers::SpawnPair;
use super::platforms::{PlatformMatching, PlatformRecord};
use crate::report::connections::{component_sizes, home_component, home_region, joined};

/// With more components than this, pairs are not counted: the time grows with
/// the square of their number, to 4·10⁸ comparisons here.
const MOST_COMPONENTS: usize = 20_000;
/// How many groups of lost pairs are reported, those with the most pairs
/// first. More would only make the report longer than anyone reads.
const MOST_GROUPS: usize = 100;

/// Platforms that spawns can or can no longer reach.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlatformsBySpawn {
    /// The spawns.
    pub spawns: Vec<String>,
    /// The platforms, of the new file.
    pub platforms: Vec<PlatformRecord>,
}

/// Parts of the air that spawns can or can no longer reach.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AirBySpawn {
    /// The spawns; empty when the level has none.
    pub spawns: Vec<String>,
    /// The parts, of the new file.
    pub parts: Vec<AirPart>,
}

/// Platforms that can be entered from somewhere but not left again.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Pairs {
    /// How many pairs lost their path from the first to the second.
    pub lost: u64,
    /// How many pairs gained one.
    pub gained: u64,
    /// The lost pairs by component, the most pairs first; at most 100 groups.
    pub groups: Vec<PairGroup>,
}

/// None of `to` can be reached from any of `from` any more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairGroup {
    /// Platforms of the new file.
    pub from: Vec<PlatformRecord>,
    /// Platforms of the new file.
    pub to: Vec<PlatformRecord>,
}

/// How reachability changed for one agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
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
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        !self.is_worse()
            && self.gained.is_empty()
            && self.traps.is_empty()
            && self.traps_gone.is_empty()
            && self.air_gained.is_empty()
            && self.pairs.as_ref().is_none_or(|p| p.lost + p.gained == 0)
    }

    /// Whether something can no longer be reached: from a spawn, or from any
    /// platform in levels without spawns.
    pub fn is_worse(&self) -> bool {
        let pairs = self.pairs.as_ref().map_or(0, |p| p.lost);
        !(self.stranded.is_empty() && self.lost.is_empty() && self.air_lost.is_empty())
            || self.spawns.is_empty() && pairs > 0
    }
}

/// What can be reached from a component and what can return to it.
struct Home<'a> {
    graph: &'a LinkGraph,
    reached: Vec<bool>,
    returning: Vec<bool>,
}

impl<'a> Home<'a> {
    fn new(graph: &'a LinkGraph, component: u32) -> Self {
        Self {
            graph,
            reached: graph.reached_from([component]),
            returning: graph.leading_to([component]),
        }
    }

    fn reaches(&self, platform: PlatformId) -> bool {
        let component = self.graph.component(platform);
        component.is_some_and(|component| self.reached[component as usize])
    }

    fn traps(&self, platform: PlatformId) -> bool {
        let component = self.graph.component(platform);
        self.reaches(platform) && component.is_some_and(|c| !self.returning[c as usize])
    }
}

/// The component with the most platforms.
fn largest_component(layer: &Layer) -> Option<u32> {
    // Of several, the first: `max_by_key` returns the last.
    let sizes = component_sizes(layer).into_iter().enumerate().rev();
    sizes.max_by_key(|(_, size)| *size).map(|(i, _)| i as u32)
}

/// Findings about platforms or parts of the air, each with the spawns from which it is
/// found.
struct BySpawn<T>(Vec<(Vec<T>, Vec<String>)>);

impl<T: PartialEq> BySpawn<T> {
    fn add(&mut self, things: Vec<T>, spawn: Option<&str>) {
        if things.is_empty() {
            return;
        }
        let spawn = spawn.map(String::from);
        match self.0.iter_mut().find(|(known, _)| *known == things) {
            Some((_, spawns)) => spawns.extend(spawn),
            None => self.0.push((things, spawn.into_iter().collect())),
        }
    }
}

impl BySpawn<PlatformId> {
    fn platforms(mut self, layer: &Layer) -> Vec<PlatformsBySpawn> {
        self.0.sort();
        let cuts = self.0.into_iter().map(|(ids, spawns)| {
            let platforms = records(layer, &ids);
            PlatformsBySpawn { spawns, platforms }
        });
        cuts.collect()
    }

    fn traps(mut self, layer: &Layer) -> Vec<Trap> {
        self.0.sort();
        let traps = self.0.into_iter().map(|(ids, spawns)| Trap {
            spawns,
            entered_by: entrance(layer, &ids),
            platforms: records(layer, &ids),
        });
        traps.collect()
    }
}

fn records(layer: &Layer, ids: &[PlatformId]) -> Vec<PlatformRecord> {
    let platforms = ids.iter().filter_map(|id| layer.platform(*id));
    platforms.map(PlatformRecord::from).collect()
}

/// What differs between two layers, from each spawn.
struct Findings<'a> {
    old: &'a Layer,
    new: &'a Layer,
    matching: &'a PlatformMatching,
    lost: BySpawn<PlatformId>,
    gained: BySpawn<PlatformId>,
    traps: BySpawn<PlatformId>,
    traps_gone: BySpawn<PlatformId>,
}

impl Findings<'_> {
    /// The new platforms of which some old part passes a test.
    fn some_part(&self, test: impl Fn(PlatformId) -> bool) -> BTreeSet<PlatformId> {
        let pairs = self.matching.pairs.iter();
        let passing = pairs.filter(|(a, _)| test(PlatformId(*a)));
        passing.map(|(_, b)| PlatformId(*b)).collect()
    }

    /// Compares what can be reached from a component of the old layer and from one of
    /// the new layer: those of a spawn, or the largest ones when `spawn` is `None`.
    fn compare_from(&mut self, spawn: Option<&str>, before: u32, after: u32) {
        let (old, new, matching) = (self.old, self.new, self.matching);
        let was_home = Home::new(old.link_graph(), before);
        let is_home = Home::new(new.link_graph(), after);
        if spawn.is_some() {
            let was_reached = self.some_part(|a| was_home.reaches(a));
            let is_lost = |b: &PlatformId| !is_home.reaches(*b);
            let lost = was_reached.iter().copied().filter(is_lost);
            self.lost.add(lost.collect(), spawn);
            let is_gained = |b: &PlatformId| is_home.reaches(*b) && !was_reached.contains(b);
            let both = self.some_part(|_| true).into_iter();
            self.gained.add(both.filter(is_gained).collect(), spawn);
        }
        let was_trap = self.some_part(|a| was_home.traps(a));
        let is_trap: Vec<_> = (new.platforms().map(|p| p.id))
            .filter(|b| is_home.traps(*b) && !was_trap.contains(b))
            .collect();
        for group in joined(new, &is_trap) {
            self.traps.add(group, spawn);
        }
        let is_gone = |a: &PlatformId| {
            let became = || matching.became(*a);
            // A trap that can no longer be entered is not an improvement.
            let is_better = became().next().is_none() || became().any(|b| is_home.reaches(b));
            was_home.traps(*a) && is_better && !became().any(|b| is_home.traps(b))
        };
        let gone: Vec<_> = old.platforms().map(|p| p.id).filter(is_gone).collect();
        for group in joined(old, &gone) {
            self.traps_gone.add(group, spawn);
        }
    }
}

pub(super) fn compare(
    old: &Layer,
    new: &Layer,
    alignment: &Alignment,
    matching: &PlatformMatching,
    spawns: &[SpawnPair<'_>],
) -> ReachDiff {
    let spawns: Vec<_> = spawns.iter().filter(|spawn| spawn.is_for(new)).collect();
    let walks = |layer: &Layer| layer.profile().edges.walks();
    if !walks(old) && !walks(new) {
        return compare_air(old, new, alignment, &spawns);
    }
    // A spawn that led to no floor has nothing to lose: a level with no other one is
    // compared like a level without spawns.
    let homes = spawns.iter().filter_map(|spawn| {
        let [was, is] = spawn.feet();
        Some((
            &spawn.name,
            home_component(old, was)?,
            home_component(new, is),
        ))
    });
    let spawns: Vec<_> = homes.collect();
    let mut diff = ReachDiff {
        spawns: spawns.iter().map(|(name, ..)| (*name).clone()).collect(),
        pairs: pairs(old, new, matching),
        ..ReachDiff::default()
    };
    let [lost, gained, traps, traps_gone] = [const { BySpawn(Vec::new()) }; 4];
    let mut found = Findings {
        old,
        new,
        matching,
        lost,
        gained,
        traps,
        traps_gone,
    };
    let mut homes = Vec::new();
    for &(name, before, after) in &spawns {
        if let Some(after) = after {
            found.compare_from(Some(name), before, after);
            homes.push(after);
        } else {
            diff.stranded.push(name.clone());
        }
    }
    if spawns.is_empty()
        && let (Some(before), Some(after)) = (largest_component(old), largest_component(new))
    {
        found.compare_from(None, before, after);
    }
    if !homes.is_empty() {
        let graph = new.link_graph();
        let reached = graph.reached_from(homes);
        let is_isolated = |platform: &PlatformRecord| {
            let component = graph.component(PlatformId(platform.id));
            !component.is_some_and(|component| reached[component as usize])
        };
        let appeared = matching.diff.appeared.iter().copied();
        diff.isolated = appeared.filter(is_isolated).collect();
    }
    diff.lost = found.lost.platforms(new);
    diff.gained = found.gained.platforms(new);
    diff.traps = found.traps.traps(new);
    diff.traps_gone = found.traps_gone.traps(old);
    diff
}

/// The first link into a group from outside.
fn entrance(layer: &Layer, group: &[PlatformId]) -> Option<LinkRecord> {
    // Groups are sorted by `joined`.
    let inside = |id: PlatformId| group.binary_search(&id).is_ok();
    (layer.links().iter().enumerate())
        .find(|(_, link)| !inside(link.from_platform) && inside(link.to_platform))
        .map(|(id, link)| links::record(id, link, false))
}

/// Counts the pairs of platforms of both files whose reachability changed.
fn pairs(old: &Layer, new: &Layer, matching: &PlatformMatching) -> Option<Pairs> {
    let (before, after) = (old.link_graph(), new.link_graph());
    if before.components().max(after.components()) > MOST_COMPONENTS {
        return None;
    }
    // Platforms that share a component in both files have equal results.
    let mut classes: BTreeMap<(u32, u32), Vec<PlatformId>> = BTreeMap::new();
    for &(a, b) in &matching.pairs {
        let [a, b] = [PlatformId(a), PlatformId(b)];
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
    groups.sort_by_key(|group| std::cmp::Reverse(group.0));
    let groups = groups.into_iter().take(MOST_GROUPS).map(|(_, from, to)| {
        let [from, to] = [from, to].map(|ids| records(new, ids));
        PairGroup { from, to }
    });
    found.groups = groups.collect();
    Some(found)
}

/// For agents that only fly.
fn compare_air(
    old: &Layer,
    new: &Layer,
    alignment: &Alignment,
    spawns: &[&SpawnPair<'_>],
) -> ReachDiff {
    let mut diff = ReachDiff {
        spawns: spawns.iter().map(|s| s.name.clone()).collect(),
        ..ReachDiff::default()
    };
    let flies = |layer: &Layer| layer.profile().edges.contains(EdgeSet::FLY);
    if !(flies(old) && flies(new)) {
        return diff;
    }
    let reversed = alignment.reversed();
    let (mut lost, mut gained) = (BySpawn(Vec::new()), BySpawn(Vec::new()));
    for spawn in spawns {
        let [was, is] = spawn.feet();
        let (was, is) = (home_region(old, was), home_region(new, is));
        if was.is_some() && is.is_none() {
            diff.stranded.push(spawn.name.clone());
            continue;
        }
        let name = Some(spawn.name.as_str());
        lost.add(air::lost(old, new, alignment, [was, is]), name);
        gained.add(air::lost(new, old, &reversed, [is, was]), name);
    }
    if spawns.is_empty() {
        lost.add(air::divided(old, new, alignment), None);
        gained.add(air::divided(new, old, &reversed), None);
    }
    // They were found in the coordinates of the old file.
    for part in gained.0.iter_mut().flat_map(|(parts, _)| parts) {
        for corner in [&mut part.min, &mut part.max] {
            *corner = (glam::DVec2::from(*corner) + alignment.shift).to_array();
        }
    }
    [diff.air_lost, diff.air_gained] = [lost, gained].map(|cuts| {
        let cuts = cuts.0.into_iter();
        cuts.map(|(parts, spawns)| AirBySpawn { spawns, parts })
            .collect()
    });
    diff
}
