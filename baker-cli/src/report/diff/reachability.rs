//! What can no longer be reached, and what can be entered but not left.
//!
//! Reachability is that of an agent that uses every baked edge. It is computed
//! from every spawn that both files have, and for all pairs of platforms.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::{EdgeSet, Layer, LinkGraph, Marker, PlatformId};
use navmesh_runtime::search::Location;
use serde::Serialize;

use super::air::{self, AirPart};
use super::alignment::Alignment;
use super::links::{self, LinkRecord};
use super::markers::SpawnPair;
use super::platforms::{PlatformMatching, PlatformRecord};
use crate::report::connections::{home, home_component, joined};

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
    /// The spawns of both files, from which reachability is computed.
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
struct Home {
    reached: Vec<bool>,
    returning: Vec<bool>,
}

impl Home {
    fn new(graph: &LinkGraph, component: u32) -> Self {
        Self {
            reached: graph.reached_from([component]),
            returning: graph.leading_to([component]),
        }
    }

    fn reaches(&self, component: u32) -> bool {
        self.reached.get(component as usize) == Some(&true)
    }

    fn traps(&self, component: u32) -> bool {
        self.reaches(component) && self.returning.get(component as usize) != Some(&true)
    }
}

/// The component with the most platforms.
fn largest_component(layer: &Layer) -> Option<u32> {
    let mut sizes = vec![0u32; layer.link_graph().len()];
    for platform in layer.platforms().iter() {
        sizes[platform.component() as usize] += 1;
    }
    let most = *sizes.iter().max()?;
    sizes
        .iter()
        .position(|size| *size == most)
        .map(|i| i as u32)
}

/// Things about which something is found, and the spawns from which it is.
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
        let cuts = self.0.into_iter().map(|(ids, spawns)| PlatformsBySpawn {
            spawns,
            platforms: records(layer, &ids),
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

pub(super) fn compare(
    old: &Layer,
    new: &Layer,
    alignment: &Alignment,
    matching: &PlatformMatching,
    spawns: &[SpawnPair<'_>],
) -> ReachDiff {
    let walks = |layer: &Layer| layer.profile().edges.walks();
    if !walks(old) && !walks(new) {
        return compare_air(old, new, alignment, spawns);
    }
    let mut diff = ReachDiff {
        spawns: spawns.iter().map(|s| s.name.clone()).collect(),
        pairs: pairs(old, new, matching),
        ..ReachDiff::default()
    };
    let mut changes = Changes::new(old, new, matching);
    let down = new.grid().y_axis.down();
    let mut homes = Vec::new();
    for spawn in spawns {
        let before = home_component(old, spawn.old.feet(old.grid().y_axis.down()));
        match (before, home_component(new, spawn.new.feet(down))) {
            (Some(before), Some(after)) => {
                changes.look_from(Some(&spawn.name), before, after);
                homes.push(after);
            }
            (Some(_), None) => diff.stranded.push(spawn.name.clone()),
            _ => {}
        }
    }
    if spawns.is_empty()
        && let (Some(before), Some(after)) = (largest_component(old), largest_component(new))
    {
        changes.look_from(None, before, after);
    }
    if !homes.is_empty() {
        let graph = new.link_graph();
        let reached = graph.reached_from(homes);
        let is_reached = |platform: &PlatformRecord| {
            let component = graph.component(PlatformId(platform.id));
            component.is_some_and(|component| reached[component as usize])
        };
        let appeared = matching.diff.appeared.iter().copied();
        diff.isolated = appeared.filter(|p| !is_reached(p)).collect();
    }
    diff.lost = changes.lost.platforms(new);
    diff.gained = changes.gained.platforms(new);
    diff.traps = changes.traps.traps(new);
    diff.traps_gone = changes.traps_gone.traps(old);
    diff
}

/// What changed, collected home by home.
struct Changes<'a> {
    old: &'a Layer,
    new: &'a Layer,
    matching: &'a PlatformMatching,
    /// The old platforms of each new platform.
    was: BTreeMap<PlatformId, Vec<PlatformId>>,
    lost: BySpawn<PlatformId>,
    gained: BySpawn<PlatformId>,
    traps: BySpawn<PlatformId>,
    traps_gone: BySpawn<PlatformId>,
}

impl<'a> Changes<'a> {
    fn new(old: &'a Layer, new: &'a Layer, matching: &'a PlatformMatching) -> Self {
        let mut was: BTreeMap<PlatformId, Vec<PlatformId>> = BTreeMap::new();
        for &(a, b) in &matching.pairs {
            was.entry(PlatformId(b)).or_default().push(PlatformId(a));
        }
        Self {
            old,
            new,
            matching,
            was,
            lost: BySpawn(Vec::new()),
            gained: BySpawn(Vec::new()),
            traps: BySpawn(Vec::new()),
            traps_gone: BySpawn(Vec::new()),
        }
    }

    /// Compares what can be reached from a spawn, or from the largest
    /// component when `spawn` is `None`.
    fn look_from(&mut self, spawn: Option<&str>, before: u32, after: u32) {
        let (old, new) = (self.old.link_graph(), self.new.link_graph());
        let was_home = Home::new(old, before);
        let is_home = Home::new(new, after);
        let component = |graph: &LinkGraph, id: PlatformId| graph.component(id).unwrap_or(0);
        let any_was = |id: &PlatformId, test: &dyn Fn(u32) -> bool| {
            let olds = self.was.get(id).into_iter().flatten();
            olds.copied().any(|a| test(component(old, a)))
        };
        let all = || self.new.platforms().iter().map(|p| p.id());
        if spawn.is_some() {
            let reached = |id: &PlatformId| is_home.reaches(component(new, *id));
            let was_reached = |id: &PlatformId| any_was(id, &|c| was_home.reaches(c));
            let lost = all().filter(|id| was_reached(id) && !reached(id));
            self.lost.add(lost.collect(), spawn);
            let gained = all()
                .filter(|id| self.was.contains_key(id))
                .filter(|id| reached(id) && !was_reached(id));
            self.gained.add(gained.collect(), spawn);
        }
        let is_trap = |id: PlatformId| is_home.traps(component(new, id));
        let was_trap = |id: &PlatformId| any_was(id, &|c| was_home.traps(c));
        let traps: Vec<_> = all().filter(|id| is_trap(*id) && !was_trap(id)).collect();
        for group in joined(self.new, &traps) {
            self.traps.add(group, spawn);
        }
        let gone: Vec<_> = (self.old.platforms().iter().map(|p| p.id()))
            .filter(|id| was_home.traps(component(old, *id)))
            .filter(|id| !self.matching.became(*id).any(is_trap))
            .filter(|id| {
                // A trap that can no longer be entered is not an improvement.
                let mut became = self.matching.became(*id).peekable();
                became.peek().is_none() || became.any(|b| is_home.reaches(component(new, b)))
            })
            .collect();
        for group in joined(self.old, &gone) {
            self.traps_gone.add(group, spawn);
        }
    }
}

/// The first link into a group from outside.
fn entrance(layer: &Layer, group: &[PlatformId]) -> Option<LinkRecord> {
    let inside = |id: PlatformId| group.binary_search(&id).is_ok();
    (layer.links().iter().enumerate())
        .find(|(_, link)| !inside(link.from_platform) && inside(link.to_platform))
        .map(|(id, link)| links::record(id, link, false))
}

/// Counts the pairs of platforms of both files whose reachability changed.
fn pairs(old: &Layer, new: &Layer, matching: &PlatformMatching) -> Option<Pairs> {
    let (before, after) = (old.link_graph(), new.link_graph());
    if before.len().max(after.len()) > MOST_COMPONENTS {
        return None;
    }
    // Platforms that share a component in both files have equal results.
    let mut classes: BTreeMap<(u32, u32), Vec<PlatformId>> = BTreeMap::new();
    for &(a, b) in &matching.pairs {
        let components = (
            before.component(PlatformId(a)),
            after.component(PlatformId(b)),
        );
        if let (Some(a), Some(c)) = components {
            classes.entry((a, c)).or_default().push(PlatformId(b));
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
    found.groups = (groups.into_iter().take(MOST_GROUPS))
        .map(|(_, from, to)| PairGroup {
            from: records(new, from),
            to: records(new, to),
        })
        .collect();
    Some(found)
}

/// For agents that only fly.
fn compare_air(
    old: &Layer,
    new: &Layer,
    alignment: &Alignment,
    spawns: &[SpawnPair<'_>],
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
    let region = |layer: &Layer, marker: &Marker| match home(
        layer,
        marker.feet(layer.grid().y_axis.down()),
    )? {
        Location::Air(cell) => layer.air_region(cell),
        _ => None,
    };
    for spawn in spawns {
        let [was, is] = [region(old, spawn.old), region(new, spawn.new)];
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
    let cuts = |cuts: BySpawn<AirPart>| {
        let cuts = cuts.0.into_iter();
        cuts.map(|(parts, spawns)| AirBySpawn { spawns, parts })
    };
    diff.air_lost = cuts(lost).collect();
    diff.air_gained = cuts(gained).collect();
    for part in diff.air_gained.iter_mut().flat_map(|cut| &mut cut.parts) {
        // These are in the coordinates of the old file.
        for corner in [&mut part.min, &mut part.max] {
            *corner = (glam::DVec2::from(*corner) + alignment.shift).to_array();
        }
    }
    diff
}
