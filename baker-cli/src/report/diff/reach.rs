//! What can no longer be reached, and what can be entered but not left.
//!
//! Reachability is that of an agent that uses every baked edge. Where the
//! level marks spawns, it is asked from each of them; pairs of platforms are
//! counted too.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;
use navmesh_runtime::mesh::{EdgeSet, FloorSpot, Grid, Layer, Marker, PlatformId};
use serde::Serialize;

use super::air::{self, AirPart, Regions};
use super::graph::{Graph, Home};
use super::links::{LinkFact, fact};
use super::markers::Spawn;
use super::platforms::{Matching, place};
use super::{Frame, Place};

/// Components beyond which pairs are not counted: the table would take more
/// memory than the answer is worth.
const MOST_COMPONENTS: usize = 20_000;
/// Groups of pairs that are told.
const MOST_GROUPS: usize = 100;

/// Platforms, and the spawns from which something is the matter with them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cut {
    /// The spawns.
    pub spawns: Vec<String>,
    /// The platforms, of the new file.
    pub platforms: Vec<Place>,
}

/// Parts of the air, and the spawns from which something is the matter with
/// them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AirCut {
    /// The spawns; none when the level has none.
    pub spawns: Vec<String>,
    /// The parts, of the new file.
    pub parts: Vec<AirPart>,
}

/// Platforms that can be entered from somewhere but not left for there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trap {
    /// The spawns from which one can get in; none when the level has none and
    /// it is the largest connected area.
    pub spawns: Vec<String>,
    /// The platforms.
    pub platforms: Vec<Place>,
    /// A link that leads in.
    pub entered_by: Option<LinkFact>,
}

/// Ordered pairs of platforms that both files have.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Pairs {
    /// Pairs of which the second can no longer be reached from the first.
    pub lost: u64,
    /// Pairs of which it now can.
    pub gained: u64,
    /// The lost pairs by connected area, most pairs first; a hundred at most.
    pub groups: Vec<PairGroup>,
}

/// Any of `to` can no longer be reached from any of `from`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairGroup {
    /// Platforms of the new file.
    pub from: Vec<Place>,
    /// Platforms of the new file.
    pub to: Vec<Place>,
}

/// How reachability changed for one agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ReachDiff {
    /// Spawns that both files have, from which reachability is asked.
    pub spawns: Vec<String>,
    /// Spawns that no longer lead to a floor (or free air).
    pub stranded: Vec<String>,
    /// What can no longer be reached from a spawn.
    pub lost: Vec<Cut>,
    /// What can be reached now.
    pub gained: Vec<Cut>,
    /// New platforms that no spawn reaches.
    pub isolated: Vec<Place>,
    /// What can newly be entered but not left.
    pub traps: Vec<Trap>,
    /// Traps that can be left now, or are no more; platforms of the old file.
    pub traps_gone: Vec<Trap>,
    /// Counts over all platforms; `None` in levels of more than 20,000
    /// components.
    pub pairs: Option<Pairs>,
    /// Air that agents which only fly can no longer reach.
    pub air_lost: Vec<AirCut>,
    /// Air that they now can.
    pub air_gained: Vec<AirCut>,
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

    /// Whether something can no longer be reached: from a spawn, or, where
    /// there are none, from any platform.
    pub fn is_worse(&self) -> bool {
        let pairs = self.pairs.as_ref().map_or(0, |p| p.lost);
        !(self.stranded.is_empty() && self.lost.is_empty() && self.air_lost.is_empty())
            || self.spawns.is_empty() && pairs > 0
    }
}

/// The feet of whoever appears at a marker: the bottom centre of its box.
pub(super) fn feet(marker: &Marker, grid: &Grid) -> Vec2 {
    marker.position + marker.size * Vec2::new(0.5, grid.y_axis.down())
}

/// Where an agent that appears at a marker comes to stand: straight below it,
/// or on the nearest floor within two cells.
fn spawn_spot(layer: &Layer, marker: &Marker) -> Option<FloorSpot> {
    let grid = layer.grid();
    let feet = feet(marker, grid);
    let deep = grid.spacing * (grid.rows as f32 + 1.0);
    layer
        .floor_below(feet, deep)
        .or_else(|| layer.nearest_floor(feet, 2.0 * grid.spacing))
}

/// Findings, and the spawns of which each is true.
type BySpawn = BTreeMap<Vec<PlatformId>, Vec<String>>;

pub(super) fn compare(
    old: &Layer,
    new: &Layer,
    frame: &Frame,
    matching: &Matching,
    spawns: &[Spawn<'_>],
) -> ReachDiff {
    let walks = |layer: &Layer| layer.profile().edges.walks();
    if !walks(old) && !walks(new) {
        return compare_air(old, new, frame, spawns);
    }
    let (before, after) = (Graph::new(old), Graph::new(new));
    let mut diff = ReachDiff {
        spawns: spawns.iter().map(|s| s.name.clone()).collect(),
        pairs: pairs(&before, &after, new, matching),
        ..ReachDiff::default()
    };
    let mut was: BTreeMap<PlatformId, Vec<PlatformId>> = BTreeMap::new();
    for &(a, b) in &matching.pairs {
        was.entry(PlatformId(b)).or_default().push(PlatformId(a));
    }
    let [mut lost, mut gained, mut traps, mut gone] = [const { BySpawn::new() }; 4];
    let mut look = |name: Option<&str>, home: &[Home; 2]| {
        let [was_home, is_home] = home;
        let any_was = |b: &PlatformId, test: &dyn Fn(usize) -> bool| {
            was.get(b)
                .is_some_and(|olds| olds.iter().any(|a| test(before.of(*a))))
        };
        let all = || new.platforms().iter().map(|p| p.id());
        let file = |into: &mut BySpawn, found: Vec<PlatformId>| {
            if !found.is_empty() {
                into.entry(found)
                    .or_default()
                    .extend(name.map(String::from));
            }
        };
        if name.is_some() {
            let reached = |b: &PlatformId| is_home.reaches(after.of(*b));
            let was_reached = |b: &PlatformId| any_was(b, &|c| was_home.reaches(c));
            file(
                &mut lost,
                all().filter(|b| was_reached(b) && !reached(b)).collect(),
            );
            let known = |b: &PlatformId| was.contains_key(b);
            file(
                &mut gained,
                all()
                    .filter(|b| known(b) && reached(b) && !was_reached(b))
                    .collect(),
            );
        }
        let is_trap = |b: &PlatformId| is_home.traps(after.of(*b));
        let was_trap = |b: &PlatformId| any_was(b, &|c| was_home.traps(c));
        let fresh: Vec<_> = all().filter(|b| is_trap(b) && !was_trap(b)).collect();
        for group in joined(new, &fresh) {
            file(&mut traps, group);
        }
        let ended: Vec<_> = (old.platforms().iter().map(|p| p.id()))
            .filter(|a| was_home.traps(before.of(*a)))
            .filter(|a| !matching.became(*a).any(|b| is_trap(&b)))
            .filter(|a| {
                // What cannot be entered any more is no better than a trap.
                let mut became = matching.became(*a).peekable();
                became.peek().is_none() || became.any(|b| is_home.reaches(after.of(b)))
            })
            .collect();
        for group in joined(old, &ended) {
            file(&mut gone, group);
        }
    };
    let mut reached_by_any = vec![false; after.ahead.len()];
    let mut any_home = false;
    for spawn in spawns {
        let spots = (spawn_spot(old, spawn.old), spawn_spot(new, spawn.new));
        match spots {
            (Some(a), Some(b)) => {
                let home = [
                    Home::new(&before, before.of(a.platform)),
                    Home::new(&after, after.of(b.platform)),
                ];
                look(Some(&spawn.name), &home);
                any_home = true;
                for (any, reached) in reached_by_any.iter_mut().zip(&home[1].reached) {
                    *any |= reached;
                }
            }
            (Some(_), None) => diff.stranded.push(spawn.name.clone()),
            _ => {}
        }
    }
    if spawns.is_empty()
        && let (Some(a), Some(b)) = (before.largest(), after.largest())
    {
        look(None, &[Home::new(&before, a), Home::new(&after, b)]);
    }
    if any_home {
        diff.isolated = (matching.appeared())
            .filter(|b| !reached_by_any[after.of(*b)])
            .filter_map(|b| place(new, b.0))
            .collect();
    }
    let places = |layer: &Layer, ids: &[PlatformId]| -> Vec<Place> {
        ids.iter().filter_map(|id| place(layer, id.0)).collect()
    };
    let cuts = |found: BySpawn| {
        let cut = |(ids, spawns): (Vec<PlatformId>, Vec<String>)| Cut {
            spawns,
            platforms: places(new, &ids),
        };
        found.into_iter().map(cut).collect()
    };
    (diff.lost, diff.gained) = (cuts(lost), cuts(gained));
    let as_traps = |layer: &Layer, found: BySpawn| {
        let trap = |(ids, spawns): (Vec<PlatformId>, Vec<String>)| Trap {
            spawns,
            entered_by: entrance(layer, &ids),
            platforms: places(layer, &ids),
        };
        found.into_iter().map(trap).collect()
    };
    diff.traps = as_traps(new, traps);
    diff.traps_gone = as_traps(old, gone);
    diff
}

/// Groups of platforms that links join.
fn joined(layer: &Layer, platforms: &[PlatformId]) -> Vec<Vec<PlatformId>> {
    let inside: BTreeSet<PlatformId> = platforms.iter().copied().collect();
    let mut beside: BTreeMap<PlatformId, Vec<PlatformId>> = BTreeMap::new();
    for link in layer.links() {
        let (a, b) = (link.from_platform, link.to_platform);
        if inside.contains(&a) && inside.contains(&b) {
            beside.entry(a).or_default().push(b);
            beside.entry(b).or_default().push(a);
        }
    }
    let mut seen = BTreeSet::new();
    let mut groups = Vec::new();
    for &first in platforms {
        let mut open = vec![first];
        let mut group = Vec::new();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                group.push(id);
                open.extend(beside.get(&id).into_iter().flatten());
            }
        }
        group.sort_unstable();
        if !group.is_empty() {
            groups.push(group);
        }
    }
    groups
}

/// The first link into a group from outside.
fn entrance(layer: &Layer, group: &[PlatformId]) -> Option<LinkFact> {
    let inside = |id: PlatformId| group.binary_search(&id).is_ok();
    (layer.links().iter().enumerate())
        .find(|(_, link)| !inside(link.from_platform) && inside(link.to_platform))
        .map(|(id, link)| fact(id, link, false))
}

/// Counts the pairs of platforms of both files whose reachability changed.
fn pairs(before: &Graph, after: &Graph, new: &Layer, matching: &Matching) -> Option<Pairs> {
    if before.ahead.len().max(after.ahead.len()) > MOST_COMPONENTS {
        return None;
    }
    // What is of one component before and after behaves alike.
    let mut classes: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
    for &(a, b) in &matching.pairs {
        let class = (before.of(PlatformId(a)), after.of(PlatformId(b)));
        classes.entry(class).or_default().push(b);
    }
    let [was, is] = [before.table(), after.table()];
    let reaches =
        |table: &[Vec<u64>], from: usize, to: usize| table[from][to / 64] >> (to % 64) & 1 == 1;
    let mut found = Pairs::default();
    let mut groups = Vec::new();
    for (&(a, b), from) in &classes {
        for (&(c, d), to) in &classes {
            let count = (from.len() * to.len()) as u64;
            match (reaches(&was, a, c), reaches(&is, b, d)) {
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
    let places = |ids: &[u32]| ids.iter().filter_map(|id| place(new, *id)).collect();
    found.groups = (groups.into_iter().take(MOST_GROUPS))
        .map(|(_, from, to)| PairGroup {
            from: places(from),
            to: places(to),
        })
        .collect();
    Some(found)
}

/// For agents that only fly.
fn compare_air(old: &Layer, new: &Layer, frame: &Frame, spawns: &[Spawn<'_>]) -> ReachDiff {
    let mut diff = ReachDiff {
        spawns: spawns.iter().map(|s| s.name.clone()).collect(),
        ..ReachDiff::default()
    };
    let flies = |layer: &Layer| layer.profile().edges.contains(EdgeSet::FLY);
    if !(flies(old) && flies(new)) {
        return diff;
    }
    let (before, after) = (Regions::new(old), Regions::new(new));
    let (was, is) = ((old, &before), (new, &after));
    let back = Frame {
        shift: -frame.shift,
        cells: frame.cells.map(|by| by.map(|v| -v)),
        ..frame.clone()
    };
    let file = |into: &mut Vec<AirCut>, parts: Vec<AirPart>, spawn: Option<&str>| {
        let name = spawn.map(String::from);
        if parts.is_empty() {
            return;
        }
        match into.iter_mut().find(|cut| cut.parts == parts) {
            Some(cut) => cut.spawns.extend(name),
            None => into.push(AirCut {
                spawns: name.into_iter().collect(),
                parts,
            }),
        }
    };
    for spawn in spawns {
        let home = [before.near(old, spawn.old), after.near(new, spawn.new)];
        if home[0].is_some() && home[1].is_none() {
            diff.stranded.push(spawn.name.clone());
            continue;
        }
        let name = Some(spawn.name.as_str());
        file(&mut diff.air_lost, air::lost(was, is, frame, home), name);
        let home = [home[1], home[0]];
        let gained = in_new(air::lost(is, was, &back, home), frame);
        file(&mut diff.air_gained, gained, name);
    }
    if spawns.is_empty() {
        file(&mut diff.air_lost, air::divided(was, is, frame), None);
        let gained = in_new(air::divided(is, was, &back), frame);
        file(&mut diff.air_gained, gained, None);
    }
    diff
}

/// Parts told in the coordinates of the new file.
fn in_new(mut parts: Vec<AirPart>, frame: &Frame) -> Vec<AirPart> {
    for part in &mut parts {
        for corner in [&mut part.min, &mut part.max] {
            *corner = (glam::DVec2::from(*corner) + frame.shift).to_array();
        }
    }
    parts
}
