//! Ways round closed doors. Doors are open while a level is baked, so
//! thinning may keep a jump through a door where one over it would do as
//! well. So the level is baked again with each door built in, and with all of
//! them, and the links that this finds and that are not there yet are added:
//! whoever can get somewhere past a closed door finds the way, without baking
//! again.

use std::collections::BTreeMap;

use navmesh_runtime::mesh::{
    LayerParts, Link, LinkKind, MarkerKind, PlatformId, PlatformKind, Platforms, TrajectoryParams,
};

use crate::source::{Collision, Level, Material, Piece, Rect, Shape};

/// The most doors of different names that are looked at one by one; where
/// there are more, only all of them together.
const ONE_BY_ONE: usize = 8;

/// The level with doors built in: for each name those that open and close
/// together, then all. None without doors.
pub fn closed_levels(level: &Level) -> Vec<Level> {
    let mut names: BTreeMap<&str, Vec<Rect>> = BTreeMap::new();
    for marker in &level.markers {
        let is_door = MarkerKind::of(&marker.class) == MarkerKind::Door;
        if is_door && marker.area.size().min_element() > 0.0 {
            names.entry(&marker.name).or_default().push(marker.area);
        }
    }
    let all: Vec<Rect> = names.values().flatten().copied().collect();
    let mut sets: Vec<Vec<Rect>> = Vec::new();
    if names.len() <= ONE_BY_ONE {
        sets.extend(names.into_values());
    }
    if sets.len() != 1 && !all.is_empty() {
        sets.push(all);
    }
    sets.iter().map(|doors| with_walls(level, doors)).collect()
}

/// The level with these rectangles solid.
fn with_walls(level: &Level, walls: &[Rect]) -> Level {
    let mut level = level.clone();
    let origin = level.origins.len() as u32;
    level.origins.push("a closed door".to_owned());
    match &mut level.collision {
        Collision::Shapes(pieces) => pieces.extend(walls.iter().map(|wall| Piece {
            shape: Shape::Box(*wall),
            material: Material::Solid,
            origin,
        })),
        Collision::Pixels(map) => {
            let pixels = |from: f64, to: f64, end: u32| {
                let (from, to) = (from.floor().max(0.0), to.ceil().max(0.0));
                from as u32..(to as u32).min(end)
            };
            let (columns, rows) = (map.solid.columns(), map.solid.rows());
            for wall in walls {
                for y in pixels(wall.min.y, wall.max.y, rows) {
                    for x in pixels(wall.min.x, wall.max.x, columns) {
                        map.solid.set(x, y, true);
                    }
                }
            }
        }
    }
    level
}

/// Adds the links of a bake with closed doors that the open one lacks, where
/// both ends are on platforms of the open one.
pub fn add_ways_round(open: &mut LayerParts, closed: &LayerParts, slack: f32) {
    let key = |link: &Link| {
        let bits = |v: f32| v.to_bits();
        let [a, b] = [link.from, link.to].map(|p| [bits(p.x), bits(p.y)]);
        (link.kind, a, b)
    };
    let mut known: BTreeMap<_, Vec<TrajectoryParams>> = BTreeMap::new();
    for link in &open.links {
        known.entry(key(link)).or_default().push(link.params);
    }
    for link in &closed.links {
        // A door over a portal must not move the portal.
        let arcs = known.entry(key(link)).or_default();
        if link.kind == LinkKind::Portal || arcs.contains(&link.params) {
            continue;
        }
        arcs.push(link.params);
        let on = |position, platform: PlatformId| {
            let kind = closed.platforms.get(platform)?.kind();
            held(&open.platforms, kind, position, slack)
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
    let at = |link: &Link| (link.from_platform, link.to_platform);
    open.links.sort_by(|a, b| {
        let ((from, to), (other_from, other_to)) = (at(a), at(b));
        from.cmp(&other_from)
            .then(a.from.x.total_cmp(&b.from.x))
            .then(to.cmp(&other_to))
            .then(a.to.x.total_cmp(&b.to.x))
    });
}

/// The platform of a kind that a position is on.
fn held(
    platforms: &Platforms,
    kind: PlatformKind,
    position: glam::Vec2,
    slack: f32,
) -> Option<PlatformId> {
    platforms
        .iter()
        .find(|platform| platform.kind() == kind && platform.holds(position, slack))
        .map(|platform| platform.id())
}
