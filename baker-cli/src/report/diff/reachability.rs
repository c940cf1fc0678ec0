//! What can no longer be reached, and what can be entered but not left.
//!
//! Reachability is that of an agent that uses every baked edge. It is computed
//! from every spawn for the agent that both files have, and for all pairs of platforms.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use navmesh_runtime::mesh::{EdgeSet, Layer, PlatformId};
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

/// What spawns can or can no longer reach: platforms, or for agents that only fly, air.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct FromSpawns {
    /// The spawns; empty when the level has none.
    pub spawns: Vec<String>,
    /// The platforms, of the new file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<PlatformRecord>,
    /// The parts of the air, of the new file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
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
    pub lost: Vec<FromSpawns>,
    /// Platforms that can be reached now.
    pub gained: Vec<FromSpawns>,
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
    pub air_lost: Vec<FromSpawns>,
    /// Air that can be reached now.
    pub air_gained: Vec<FromSpawns>,
}

impl ReachDiff {
    /// Compares what agents can reach in two layers.
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
        let edges = [old, new].map(|layer| layer.profile().edges);
        if edges.iter().all(|edges| edges.contains(EdgeSet::FLY)) {
            diff.compare_air(sides, &spawns);
        }
        diff
    }

    /// For agents that only fly.
    fn compare_air(&mut self, sides: &Sides<'_>, spawns: &[&SpawnPair<'_>]) {
        let common = CommonAir::new(sides.old, sides.new, sides.alignment);
        for spawn in spawns {
            let [was, is] = spawn.feet();
            let home = [home_region(sides.old, was), home_region(sides.new, is)];
            if home[0].is_some() && home[1].is_none() {
                self.stranded.push(spawn.name.clone());
                continue;
            }
            let [lost, gained] = [0, 1].map(|side| common.reached_only(home, side));
            add(&mut self.air_lost, Some(&spawn.name), Vec::new(), lost);
            add(&mut self.air_gained, Some(&spawn.name), Vec::new(), gained);
        }
        if spawns.is_empty() {
            let [lost, gained] = [0, 1].map(|side| common.divided(side));
            add(&mut self.air_lost, None, Vec::new(), lost);
            add(&mut self.air_gained, None, Vec::new(), gained);
        }
    }
}

/// Adds what was found from a spawn. What was already found from another is not repeated.
fn add(
    list: &mut Vec<FromSpawns>,
    spawn: Option<&str>,
    platforms: Vec<PlatformRecord>,
    parts: Vec<AirPart>,
) {
    let spawns = spawn.into_iter().map(String::from).collect();
    let known = (list.iter_mut()).find(|it| it.platforms == platforms && it.parts == parts);
    if let Some(known) = known {
        known.spawns.extend(spawns);
    } else if !platforms.is_empty() || !parts.is_empty() {
        list.push(FromSpawns {
            spawns,
            platforms,
            parts,
        });
    }
}

/// Sorts by the numbers of platforms.
fn sort<T>(list: &mut [T], platforms: impl Fn(&T) -> &Vec<PlatformRecord>) {
    list.sort_by_key(|found| platforms(found).iter().map(|p| p.id).collect::<Vec<_>>());
}

/// Adds a trap that was found from a spawn; `home` has the platforms that the spawn reaches.
/// It is the one found from another spawn if both reach its entrance.
fn add_trap(
    traps: &mut Vec<Trap>,
    spawn: Option<&str>,
    layer: &Layer,
    group: &[PlatformId],
    home: &Home,
) {
    let (platforms, spawns) = (records(layer, group), spawn.into_iter().map(String::from));
    let known = traps.iter_mut().find(|trap| {
        let entrance = trap.entered_by.as_ref();
        let is_reached = |link: &LinkRecord| any(&[PlatformId(link.from_platform)], &home.reached);
        trap.platforms == platforms && entrance.is_none_or(is_reached)
    });
    if let Some(known) = known {
        known.spawns.extend(spawns);
    } else {
        traps.push(Trap {
            spawns: spawns.collect(),
            entered_by: entrance(layer, group, home),
            platforms,
        });
    }
}

fn records(layer: &Layer, ids: &[PlatformId]) -> Vec<PlatformRecord> {
    let platforms = ids.iter().filter_map(|id| layer.platform(*id));
    platforms.map(PlatformRecord::from).collect()
}

/// The first link into a group from a platform outside that is reached.
fn entrance(layer: &Layer, group: &[PlatformId], home: &Home) -> Option<LinkRecord> {
    let mut links = layer.links().iter().enumerate();
    let entrance = links.find(|(_, link)| {
        let is_entered = group.contains(&link.to_platform) && !group.contains(&link.from_platform);
        is_entered && any(&[link.from_platform], &home.reached)
    });
    entrance.map(|(id, link)| LinkRecord::new(id, link, false))
}

/// Of each platform, by its number, whether it can be reached from a component, and whether
/// it can be reached and not be left again.
#[derive(Default)]
struct Home {
    reached: Vec<bool>,
    trapped: Vec<bool>,
}

impl Home {
    fn new(layer: &Layer, component: u32) -> Self {
        let graph = layer.link_graph();
        let reached = graph.reached_from([component]);
        let returning = graph.leading_to([component]);
        let mut home = Self::default();
        for platform in layer.platforms() {
            let component = platform.component as usize;
            let is_reached = reached[component];
            home.reached.push(is_reached);
            home.trapped.push(is_reached && !returning[component]);
        }
        home
    }
}

/// Whether any of some platforms passes a test.
fn any(platforms: &[PlatformId], test: &[bool]) -> bool {
    platforms.iter().any(|id| test[id.0 as usize])
}

/// The component with the most platforms.
fn largest_component(layer: &Layer) -> Option<u32> {
    let sizes = (0..).zip(component_sizes(layer));
    // Of several, the first.
    let largest = sizes.min_by_key(|(_, size)| Reverse(*size));
    largest.map(|(component, _)| component)
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
                homes.push((Some(spawn.name.as_str()), before, after));
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
        for (spawn, before, after) in homes {
            let (was, is) = (Home::new(old, before), Home::new(new, after));
            if spawn.is_some() {
                let [lost, gained] = self.changed(&was, &is).map(|ids| records(new, &ids));
                add(&mut diff.lost, spawn, lost, Vec::new());
                add(&mut diff.gained, spawn, gained, Vec::new());
            }
            for group in joined(new, &self.new_traps(&was, &is)) {
                add_trap(&mut diff.traps, spawn, new, &group, &is);
            }
            for group in joined(old, &self.old_traps(&was, &is)) {
                add_trap(&mut diff.traps_gone, spawn, old, &group, &was);
            }
        }
        if !starts.is_empty() {
            let graph = new.link_graph();
            let reached = graph.reached_from(starts);
            diff.isolated.clone_from(&self.platforms.appeared);
            diff.isolated.retain(|platform| {
                let component = graph.component(PlatformId(platform.id));
                !component.is_some_and(|component| reached[component as usize])
            });
        }
        sort(&mut diff.lost, |found| &found.platforms);
        sort(&mut diff.gained, |found| &found.platforms);
        sort(&mut diff.traps, |trap| &trap.platforms);
        sort(&mut diff.traps_gone, |trap| &trap.platforms);
        diff
    }

    /// The platforms of both files that are no longer reached, and those that are now.
    fn changed(&self, was: &Home, is: &Home) -> [Vec<PlatformId>; 2] {
        let [mut lost, mut gained] = [Vec::new(), Vec::new()];
        for (id, parts) in self.old_of.all() {
            match (any(parts, &was.reached), any(&[id], &is.reached)) {
                (true, false) => lost.push(id),
                (false, true) => gained.push(id),
                _ => {}
            }
        }
        [lost, gained]
    }

    fn new_traps(&self, was: &Home, is: &Home) -> Vec<PlatformId> {
        let mut traps: Vec<_> = self.new.platforms().map(|platform| platform.id).collect();
        traps.retain(|id| any(&[*id], &is.trapped) && !any(self.old_of.of(*id), &was.trapped));
        traps
    }

    /// Traps that are none any more.
    fn old_traps(&self, was: &Home, is: &Home) -> Vec<PlatformId> {
        let mut gone: Vec<_> = self.old.platforms().map(|platform| platform.id).collect();
        gone.retain(|id| {
            let became = self.new_of.of(*id);
            // A trap that can no longer be entered is not an improvement.
            let is_better = became.is_empty() || any(became, &is.reached);
            any(&[*id], &was.trapped) && is_better && !any(became, &is.trapped)
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
        for (a, parts) in self.new_of.all() {
            for b in parts {
                if let (Some(was), Some(is)) = (before.component(a), after.component(*b)) {
                    classes.entry((was, is)).or_default().push(*b);
                }
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
