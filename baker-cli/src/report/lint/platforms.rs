//! Rules about platforms and links: traps, unreachable floor, fragile links.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::Path;

use glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, EdgeSet, Launch, Layer, Link, LinkGraph, NavMesh, Platform, PlatformId, Terrain,
    TrajectoryParams,
};

use super::finding::{Finding, Rule};
use super::markers::spawns_of;
use crate::bake::tools::MOST_TILES;
use crate::report::connections::{bounds_of, closest_points, home_component, joined};
use crate::report::counts::terrain_count;
use crate::report::format::{by_numbers, count, place_text};
use crate::report::nearest::PlatformTree;

/// The components of a layer, with their sizes and spawns.
pub(super) struct Components<'a> {
    layer: &'a Layer,
    graph: &'a LinkGraph,
    /// The total width of the platforms of each component.
    sizes: Vec<f32>,
    /// The components in which spawns are.
    starts: BTreeSet<u32>,
}

impl<'a> Components<'a> {
    pub(super) fn new(mesh: &NavMesh, layer: &'a Layer) -> Self {
        let graph = layer.link_graph();
        let mut sizes = vec![0.0; graph.components()];
        for platform in layer.platforms() {
            sizes[platform.component as usize] += length(&platform);
        }
        let spawns = spawns_of(mesh, layer);
        let starts = spawns.filter_map(|spawn| home_component(layer, spawn.position));
        Self {
            layer,
            graph,
            sizes,
            starts: starts.collect(),
        }
    }

    /// Whether each component can be reached from a spawn; all are reached in
    /// levels without spawns.
    fn reached(&self) -> Vec<bool> {
        if self.starts.is_empty() {
            vec![true; self.graph.components()]
        } else {
            self.graph.reached_from(self.starts.iter().copied())
        }
    }

    /// How many platforms no spawn reaches, and how many there are.
    pub(super) fn out_of_reach(&self) -> (usize, usize) {
        let reached = self.reached();
        let lost = (self.layer.platforms()).filter(|p| !reached[p.component as usize]);
        (lost.count(), self.layer.platforms().len())
    }

    fn agent(&self) -> &'a str {
        &self.layer.profile().name
    }

    fn ends(&self, link: &Link) -> Option<[u32; 2]> {
        Some([
            self.graph.component(link.from_platform)?,
            self.graph.component(link.to_platform)?,
        ])
    }

    /// Compares positions by reading order: from the top, then from the left.
    fn reading_order(&self, a: Vec2, b: Vec2) -> Ordering {
        let down = self.layer.grid().y_axis.down();
        let key = |p: Vec2| [p.y * down, p.x].map(f64::from);
        by_numbers(&key(a), &key(b))
    }
}

fn length(platform: &Platform<'_>) -> f32 {
    let (low, high) = platform.extent();
    high - low
}

/// The part of the grid inside geometry from which a level counts as filled by
/// mistake. Levels of narrow tunnels in rock stay below it; a mask whose air is
/// solid, or one with a pixel per tile, is above.
const FILLED: f64 = 0.95;

/// Agents that walk and have no floor, or hardly any space.
pub(super) fn no_floor(mesh: &NavMesh) -> Vec<Finding> {
    let walking = mesh.layers().iter().filter(|l| l.profile().edges.walks());
    let findings = walking.filter_map(|layer| {
        let grid = layer.grid();
        let inside = terrain_count(layer, Terrain::InsideGeometry) as f64;
        let vertices = f64::from(grid.columns) * f64::from(grid.rows);
        let filled = inside / vertices.max(1.0);
        let has_floor = layer.platforms().len() > 0;
        if has_floor && filled < FILLED {
            return None;
        }
        let extension = Path::new(&mesh.provenance().source).extension();
        let is_bitmap = extension.is_some_and(|e| e.eq_ignore_ascii_case("png"));
        let pixels = grid.columns as f32 * grid.spacing * mesh.units().pixels_per_unit;
        let may_be_tiles = is_bitmap && pixels <= MOST_TILES as f32;
        let mut message = if filled >= FILLED {
            let percent = (100.0 * filled).floor();
            format!("{percent} % of the level is inside geometry or too narrow for this agent")
        } else {
            "it walks, but there is no floor to stand on".to_owned()
        };
        message.push_str(match (may_be_tiles, filled >= FILLED) {
            (true, _) => {
                "; if the bitmap has one pixel per tile, set `pixels_per_unit`: 0.0625 makes a \
                 pixel 16 units wide"
            }
            (false, true) => ": check what is solid with `navbake bake -v`",
            (false, false) => {
                ": check what is solid with `navbake bake -v`, and the size of the body"
            }
        });
        let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
        let far = grid.origin + size * Vec2::new(1.0, grid.y_axis.down());
        let bounds = Some([grid.origin.min(far), grid.origin.max(far)]);
        let (agent, middle) = (&layer.profile().name, grid.origin.midpoint(far));
        let rule = Rule::NoFloor;
        Some(Finding::of_place(agent, middle, bounds, rule, message))
    });
    findings.collect()
}

/// Places an agent can enter but not leave.
///
/// A trap is a component that can be entered and that no link leaves. It is not
/// a trap when it contains a spawn, or when it is the largest of the components
/// that can be entered: then it is the place that the level leads to. Of
/// several components in a row without a path back, the last is reported.
pub(super) fn traps(components: &Components<'_>) -> Vec<Finding> {
    let Components {
        layer,
        graph,
        sizes,
        starts,
    } = components;
    let reached = components.reached();
    // Of two components of the same size, the first.
    let larger = |a: &u32, b: &u32| {
        let by_size = sizes[*a as usize].total_cmp(&sizes[*b as usize]);
        by_size.then(b.cmp(a))
    };
    // In a level without spawns the largest component may have no entrance.
    let all = 0..graph.components() as u32;
    let main = all.filter(|c| reached[*c as usize]).max_by(larger);
    let is_trap = |component: u32| {
        reached[component as usize]
            && graph.successors(component).is_empty()
            && Some(component) != main
            && !starts.contains(&component)
    };
    // The shortest link into each trap: it is the easiest to see.
    let mut entrances: Vec<Option<&Link>> = vec![None; graph.components()];
    let length = |link: &Link| link.from.distance_squared(link.to);
    for link in layer.links() {
        if let Some([from, to]) = components.ends(link)
            && from != to
            && reached[from as usize]
            && is_trap(to)
        {
            let entrance = &mut entrances[to as usize];
            if entrance.is_none_or(|known| length(link) < length(known)) {
                *entrance = Some(link);
            }
        }
    }
    let found = (0..).zip(entrances);
    let mut found: Vec<(u32, &Link)> = found.filter_map(|(c, link)| Some((c, link?))).collect();
    found.sort_by(|(_, a), (_, b)| components.reading_order(a.to, b.to));
    let findings = found.into_iter().map(|(component, link)| {
        let of_trap = layer.platforms().filter(|p| p.component == component);
        let platforms: Vec<_> = of_trap.collect();
        let number = count(platforms.len() as u64, "platform", "platforms");
        let (kind, from) = (link.kind.name(), place_text(link.from));
        let message = format!(
            "an agent that enters cannot leave: {number}, entered by a {kind} from {from}; add a \
             way out (a step, a ladder, a portal), or close the way in"
        );
        let bounds = bounds_of(platforms);
        Finding::of_place(components.agent(), link.to, bounds, Rule::Trap, message)
    });
    findings.collect()
}

/// Floor that cannot be reached from any spawn; nothing in levels without
/// spawns.
///
/// Platforms that links join, in either direction, are reported together, the largest
/// group first. The position is where a way is needed: of the platforms that lead to the
/// largest part of the group, on the one nearest to a platform that is reached. Groups
/// too short to hold a vertex are ignored.
pub(super) fn unreachable(components: &Components<'_>) -> Vec<Finding> {
    let layer = components.layer;
    let reached = components.reached();
    let lost = layer.platforms().filter(|p| !reached[p.component as usize]);
    let lost: Vec<PlatformId> = lost.map(|p| p.id).collect();
    let in_reach = layer.platforms().filter(|p| reached[p.component as usize]);
    let in_reach = PlatformTree::new(in_reach);
    let groups: Vec<Vec<Platform<'_>>> = (joined(layer, &lost).into_iter())
        .map(|group| {
            group
                .into_iter()
                .filter_map(|id| layer.platform(id))
                .collect()
        })
        .filter(|group: &Vec<Platform<'_>>| group.iter().any(|p| p.vertices > 0))
        .collect();
    // Of parts of the same size, the first.
    let part_size = |p: &Platform<'_>| components.sizes[p.component as usize];
    let larger = |a: &&Platform<'_>, b: &&Platform<'_>| {
        (part_size(a).total_cmp(&part_size(b))).then(b.id.cmp(&a.id))
    };
    let largest = groups
        .iter()
        .filter_map(|group| group.iter().max_by(larger));
    // No link joins two groups, so what leads to the largest part of any leads to the
    // largest of its own group, and the same for what is reached.
    let leads = components.graph.leading_to(largest.map(|p| p.component));
    let gaps: Vec<Option<(Platform<'_>, Platform<'_>)>> = (groups.iter())
        .map(|group| {
            let leading = group.iter().filter(|p| leads[p.component as usize]);
            leading
                .filter_map(|lost| in_reach.nearest(lost).map(|(gap, near)| (gap, *lost, near)))
                .min_by(|(a, ..), (b, ..)| a.total_cmp(b))
                .map(|(_, lost, near)| (lost, near))
        })
        .collect();
    let starts = gaps.iter().flatten().map(|(lost, _)| lost.component);
    let led_to = components.graph.reached_from(starts);
    let mut found: Vec<(f32, Finding)> = (groups.iter().zip(&gaps))
        .filter_map(|(group, gap)| {
            let size = group.iter().map(length).sum();
            let (lost, near) = gap.as_ref()?;
            let [position, near] = closest_points(lost, near)?;
            let near = place_text(near);
            let others = group.len() - 1;
            let (which, way, them, there) = if others == 0 {
                (String::new(), "a way".to_owned(), "it", "here")
            } else {
                let led_to = group.iter().filter(|p| led_to[p.component as usize]);
                let led_to = led_to.count() - 1;
                let way = match led_to {
                    0 => "a way, which makes none of the others reachable".to_owned(),
                    some if some < others => {
                        format!("a way, which also makes {some} of the others reachable")
                    }
                    _ => "a way".to_owned(),
                };
                let others = count(others as u64, "other", "others");
                (format!(" and {others} linked to it"), way, "them", "there")
            };
            let message = format!(
                "no spawn reaches this platform{which}; the nearest place in reach is at {near}: \
                 add {way}, or remove {them} if agents are not meant to stand {there}"
            );
            let bounds = bounds_of(group.iter().copied());
            let (agent, rule) = (components.agent(), Rule::UnreachablePlatform);
            let finding = Finding::of_place(agent, position, bounds, rule, message);
            Some((size, finding))
        })
        .collect();
    found.sort_by(|(size, a), (other, b)| {
        let by_place = components.reading_order(a.position, b.position);
        other.total_cmp(size).then(by_place)
    });
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Connections that depend on a link with almost no tolerance.
///
/// The stored trajectory is the fastest one, and a higher jump often tolerates
/// more. The margin of a link is the larger of its stored tolerance and that
/// of the highest jump, as if nothing were overhead.
///
/// A fragile link does no harm where another route leads to the same place. The
/// rule removes all fragile links and puts them back, the largest margin first,
/// where no other route exists; those are reported. Agents that fly do not
/// depend on jumps, so they have no findings.
pub(super) fn fragile_links(components: &Components<'_>, tolerance: f32) -> Vec<Finding> {
    let layer = components.layer;
    if layer.profile().edges.contains(EdgeSet::FLY) {
        return Vec::new();
    }
    let reached = components.reached();
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); layer.platforms().len()];
    let mut fragile: Vec<(f32, &Link)> = Vec::new();
    for link in layer.links() {
        let is_tight = link.kind.is_airborne() && link.tolerance < tolerance;
        let margin = is_tight.then(|| margin(layer, link));
        match margin.filter(|margin| *margin < tolerance) {
            None => next[link.from_platform.0 as usize].push(link.to_platform.0),
            Some(margin) => {
                let from = components.graph.component(link.from_platform);
                if from.is_some_and(|from| reached[from as usize]) {
                    fragile.push((margin, link));
                }
            }
        }
    }
    // Stable: links of the same margin keep the order of the file.
    fragile.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut needed = Vec::new();
    for (margin, link) in fragile {
        let (from, to) = (link.from_platform, link.to_platform);
        if !leads_to(&next, from, to) {
            next[from.0 as usize].push(to.0);
            needed.push((margin, link));
        }
    }
    needed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let findings = needed.into_iter().map(|(margin, link)| {
        let tolerates = if margin >= 5e-4 {
            format!("only {margin:.3} s of tolerance")
        } else {
            "no tolerance".to_owned()
        };
        let (place, kind) = (place_text(link.to), link.kind.name());
        let message = format!(
            "the only way to {place} is a {kind} with {tolerates}: move the two places closer \
             together, or add another way"
        );
        let bounds = Some([link.from.min(link.to), link.from.max(link.to)]);
        let (agent, rule) = (components.agent(), Rule::FragileLink);
        Finding::of_place(agent, link.from, bounds, rule, message)
    });
    findings.collect()
}

/// How many seconds late the link may begin along its own trajectory or along
/// the highest one. On the highest one, the agent can begin to move sideways
/// later: by the time in the air that the distance across does not need.
fn margin(layer: &Layer, link: &Link) -> f32 {
    let profile = layer.profile();
    let across = f64::from(link.to.x) - f64::from(link.from.x);
    let up = f64::from(link.from.y - link.to.y) * f64::from(layer.grid().y_axis.down());
    let highest =
        highest_jump(profile).and_then(|params| params.trajectory(across, up, profile).ok());
    let needed = across.abs() / f64::from(profile.run_speed);
    let spare = highest.map_or(0.0, |trajectory| trajectory.duration - needed);
    link.tolerance.max(spare as f32)
}

/// Whether the edges in `next` lead from one platform to another. They change
/// from call to call, so no index is built.
fn leads_to(next: &[Vec<u32>], from: PlatformId, to: PlatformId) -> bool {
    let mut seen = vec![false; next.len()];
    let mut open = vec![from.0];
    while let Some(platform) = open.pop() {
        if !std::mem::replace(&mut seen[platform as usize], true) {
            open.extend(&next[platform as usize]);
        }
    }
    seen[to.0 as usize]
}

/// The jump with the longest time in the air: a launch at the greatest speed
/// from the floor, and for agents that jump in the air another one at each
/// apex.
fn highest_jump(profile: &AgentProfile) -> Option<TrajectoryParams> {
    let (speed, count) = if profile.edges.contains(EdgeSet::JUMP) && profile.jump_speed > 0.0 {
        let launches = usize::from(profile.air_jumps) + 1;
        let count = launches.min(TrajectoryParams::MAX_LAUNCHES);
        (profile.jump_speed, count)
    } else {
        (0.0, 1)
    };
    let apex = speed / profile.gravity;
    let launch = |i| Launch {
        time: (apex * i as f32).into(),
        speed: speed.into(),
    };
    let launches: Vec<Launch> = (0..count).map(launch).collect();
    TrajectoryParams::new(&launches, &[]).ok()
}
