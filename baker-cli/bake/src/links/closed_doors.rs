//! Links around closed doors.
//!
//! Doors are open while a level is baked, so thinning may keep a jump through a
//! door and drop an equally good jump over it. The level is therefore baked
//! again with each door closed, with each two, and with all doors closed. Links that
//! only these bakes have are added, so that agents find a path around a closed door
//! without another bake.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::{
    LayerParts, Link, MarkerKind, PlatformId, StepKind, TrajectoryParams, marker_kind,
};

use crate::level::{Level, Rect};
use crate::links::sort;

/// Greatest number of differently named doors that are closed one by one; with
/// more, only all doors together are closed. Each set of doors costs another bake.
const MAX_SINGLE_DOORS: usize = 8;

/// The same for each two of them: five names make 16 bakes, eight would make 37.
const MAX_PAIRED_DOORS: usize = 5;

/// The sets of doors to close: those of every name (doors of one name open and
/// close together), of each two names, and all of them. Empty without doors.
pub fn closed_sets(level: &Level) -> Vec<Vec<Rect>> {
    let mut names: BTreeMap<&str, Vec<Rect>> = BTreeMap::new();
    for marker in &level.markers {
        let is_door = marker_kind(&marker.class) == MarkerKind::Door;
        if is_door && marker.area.size().min_element() > 0.0 {
            names.entry(&marker.name).or_default().push(marker.area);
        }
    }
    let doors: Vec<Vec<Rect>> = names.into_values().collect();
    let mut sets: Vec<Vec<Rect>> = Vec::new();
    if doors.len() <= MAX_SINGLE_DOORS {
        sets.extend(doors.iter().cloned());
    }
    if doors.len() <= MAX_PAIRED_DOORS {
        for (i, first) in doors.iter().enumerate() {
            let pairs = doors[..i]
                .iter()
                .map(|second| [first.as_slice(), second].concat());
            sets.extend(pairs);
        }
    }
    // One name, or a pair of two, is already the set of all doors.
    if doors.len() > 2 {
        sets.push(doors.concat());
    }
    sets
}

/// The kind of a link and the bits of its ends.
fn key(link: &Link) -> (StepKind, [[u32; 2]; 2]) {
    let ends = [link.from, link.to];
    (link.kind, ends.map(|at| at.to_array().map(f32::to_bits)))
}

/// Adds to `open` the links of `closed`, a bake with closed doors, that `open`
/// does not have, if both ends lie (to within `slack`) on platforms of `open`.
pub fn add_links_around(open: &mut LayerParts, closed: &LayerParts, slack: f32) {
    let mut known: BTreeMap<_, Vec<TrajectoryParams>> = BTreeMap::new();
    for link in &open.links {
        known.entry(key(link)).or_default().push(link.params);
    }
    for link in &closed.links {
        // A closed door in front of a portal must not move the portal.
        let known = known.entry(key(link)).or_default();
        if link.kind == StepKind::Portal || known.contains(&link.params) {
            continue;
        }
        known.push(link.params);
        let on = |position, platform: PlatformId| {
            let kind = closed.platforms.get(platform)?.kind;
            open.platforms.at(kind, position, slack)
        };
        let ends = on(link.from, link.from_platform).zip(on(link.to, link.to_platform));
        if let Some((from_platform, to_platform)) = ends {
            open.links.push(Link {
                from_platform,
                to_platform,
                ..*link
            });
        }
    }
    sort(&mut open.links);
}
