//! Rules about platforms and links: traps, unreachable floor, fragile links.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
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
use crate::report::format::{by_numbers, count, label, place_text};
use crate::report::nearest::PlatformTree;

/// The components of a layer, with their sizes and spawns.
pub struct Components<'a> {
    layer: &'a Layer,
    graph: &'a LinkGraph,
    /// The total width of the platforms of each component.
    sizes: Vec<u64>,
    /// The components in which spawns are.
    starts: BTreeSet<u32>,
}

impl<'a> Components<'a> {
    pub fn new(mesh: &NavMesh, layer: &'a Layer) -> Self {
        let graph = layer.link_graph();
        let mut sizes = vec![0; graph.components()];
        for platform in layer.platforms() {
            let size: &mut u64 = &mut sizes[platform.component as usize];
            *size = size.saturating_add(width(layer, &platform));
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
    pub fn out_of_reach(&self) -> (usize, usize) {
        let reached = self.reached();
        let lost = (self.layer.platforms()).filter(|p| !reached[p.component as usize]);
        (lost.count(), self.layer.platforms().len())
    }

    /// Compares the sizes of the components of two platforms.
    fn by_size(&self, a: u32, b: u32) -> Ordering {
        self.sizes[a as usize].cmp(&self.sizes[b as usize])
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
        let [a, b] = [a, b].map(|p| [p.y * down, p.x].map(f64::from));
        by_numbers(&a, &b)
    }
}

/// A length in 64ths of the grid's spacing: sums of whole numbers are the same in any unit
/// and order, so that what is equal stays equal. Positions are multiples of a 32,768th of the
/// spacing, and the limits between numbers lie between those.
fn in_parts(layer: &Layer, length: f32) -> u64 {
    (64.0 * length / layer.grid().spacing + 1.0 / 1024.0).round() as u64
}

fn width(layer: &Layer, platform: &Platform<'_>) -> u64 {
    let (low, high) = platform.extent();
    in_parts(layer, high - low)
}

/// The part of the grid inside geometry from which a level counts as filled by
/// mistake. Levels of narrow tunnels in rock stay below it; a mask whose air is
/// solid, or one with a pixel per tile, is above.
const FILLED: f64 = 0.95;

/// Agents that walk and have no floor, or hardly any space.
pub fn no_floor(mesh: &NavMesh) -> Vec<Finding> {
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
pub fn traps(components: &Components<'_>) -> Vec<Finding> {
    let Components { layer, graph, .. } = components;
    let reached = components.reached();
    // In a level without spawns the largest component may have no entrance. Of two
    // components of the same size, the first.
    let all = (0..graph.components() as u32).filter(|c| reached[*c as usize]);
    let main = all.max_by(|a, b| components.by_size(*a, *b).then(b.cmp(a)));
    // The shortest link into each trap: it is the easiest to see.
    let mut entrances: BTreeMap<u32, &Link> = BTreeMap::new();
    for link in layer.links() {
        if let Some([from, to]) = components.ends(link)
            && from != to
            && reached[from as usize]
            && graph.successors(to).is_empty()
            && Some(to) != main
            && !components.starts.contains(&to)
        {
            let known = entrances.entry(to).or_insert(link);
            if length(link) < length(known) {
                *known = link;
            }
        }
    }
    let mut found: Vec<(u32, &Link)> = entrances.into_iter().collect();
    found.sort_by(|(_, a), (_, b)| components.reading_order(a.to, b.to));
    let findings = found.into_iter().map(|(component, link)| {
        let of_trap = layer.platforms().filter(|p| p.component == component);
        let platforms: Vec<_> = of_trap.collect();
        let number = count(platforms.len() as u64, "platform", "platforms");
        let (kind, from) = (label(link.kind.name()), place_text(link.from));
        let message = format!(
            "an agent that enters cannot leave: {number}, entered by a {kind} from {from}; add a \
             way out (a step, a ladder, a portal), or close the way in"
        );
        let bounds = bounds_of(platforms);
        Finding::of_place(components.agent(), link.to, bounds, Rule::Trap, message)
    });
    findings.collect()
}

/// The square of the distance between the ends of a link.
fn length(link: &Link) -> f32 {
    link.from.distance_squared(link.to)
}

/// Floor that cannot be reached from any spawn; nothing in levels without
/// spawns.
///
/// Platforms that links join, in either direction, are reported together, the largest
/// group first. The position is where a way is needed: of the platforms that lead to the
/// largest part of the group, on the one nearest to a platform that is reached. Groups
/// too short to hold a vertex are ignored.
pub fn unreachable(components: &Components<'_>) -> Vec<Finding> {
    let (layer, graph) = (components.layer, components.graph);
    let reached = components.reached();
    let (in_reach, lost): (Vec<_>, Vec<_>) = layer
        .platforms()
        .partition(|p| reached[p.component as usize]);
    let in_reach = PlatformTree::new(in_reach.into_iter());
    let lost: Vec<PlatformId> = lost.iter().map(|platform| platform.id).collect();
    let mut groups: Vec<Vec<Platform<'_>>> = Vec::new();
    for group in joined(layer, &lost) {
        groups.push(
            group
                .into_iter()
                .filter_map(|id| layer.platform(id))
                .collect(),
        );
    }
    groups.retain(|group| group.iter().any(|platform| platform.vertices > 0));
    // Of parts of the same size, the first.
    let largest = groups.iter().filter_map(|group| {
        let parts = group
            .iter()
            .map(|platform| (platform.component, platform.id));
        parts.max_by(|a, b| components.by_size(a.0, b.0).then(b.1.cmp(&a.1)))
    });
    // No link joins two groups, so what leads to the largest part of any leads to the
    // largest of its own group, and the same for what is reached.
    let leads = graph.leading_to(largest.map(|(component, _)| component));
    let gaps = groups.into_iter().filter_map(|group| {
        let leading = group.iter().filter(|p| leads[p.component as usize]);
        let gaps = leading.filter_map(|lost| Some((in_reach.nearest(lost)?, *lost)));
        let ((_, near), lost) = gaps.min_by_key(|((gap, _), _)| in_parts(layer, gap.sqrt()))?;
        let points = closest_points(&lost, &layer.platform(near)?)?;
        Some((group, lost.component, points))
    });
    let gaps: Vec<_> = gaps.collect();
    let led_to = graph.reached_from(gaps.iter().map(|(_, component, _)| *component));
    let findings = gaps.into_iter().map(|(group, _, [position, near])| {
        let near = place_text(near);
        let others = group.len() - 1;
        let led_to = group
            .iter()
            .filter(|p| led_to[p.component as usize])
            .count()
            - 1;
        let way = match led_to {
            _ if led_to == others => "a way".to_owned(),
            0 => "a way, which makes none of the others reachable".to_owned(),
            some => format!("a way, which also makes {some} of the others reachable"),
        };
        let (which, them, there) = if others == 0 {
            (String::new(), "it", "here")
        } else {
            let others = count(others as u64, "other", "others");
            (format!(" and {others} linked to it"), "them", "there")
        };
        let message = format!(
            "no spawn reaches this platform{which}; the nearest place in reach is at {near}: \
             add {way}, or remove {them} if agents are not meant to stand {there}"
        );
        let widths = group.iter().map(|platform| width(layer, platform));
        let size = widths.fold(0, u64::saturating_add);
        let (agent, rule) = (components.agent(), Rule::UnreachablePlatform);
        (
            size,
            Finding::of_place(agent, position, bounds_of(group), rule, message),
        )
    });
    let mut found: Vec<(u64, Finding)> = findings.collect();
    found.sort_by(|(size, a), (other, b)| {
        let by_place = components.reading_order(a.position, b.position);
        other.cmp(size).then(by_place)
    });
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Connections that depend on a link with almost no tolerance.
///
/// The stored trajectory is the fastest one, and a higher jump often tolerates
/// more. The margin of a link is the larger of its stored tolerance and that
/// of the highest jump, as if nothing were overhead. It decides whether the link is
/// fragile; the message has the stored tolerance, as every other report.
///
/// A fragile link does no harm where another route leads to the same place. The
/// rule removes all fragile links and puts them back, the largest margin first,
/// where no other route exists; those are reported. Agents that fly do not
/// depend on jumps, so they have no findings.
pub fn fragile_links(components: &Components<'_>, tolerance: f32) -> Vec<Finding> {
    let layer = components.layer;
    if layer.profile().edges.contains(EdgeSet::FLY) {
        return Vec::new();
    }
    let reached = components.reached();
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); layer.platforms().len()];
    let mut fragile: Vec<(f32, &Link)> = Vec::new();
    for link in layer.links() {
        let mut margin = link.tolerance;
        if link.kind.is_airborne() && margin < tolerance {
            margin = margin_of_highest(layer, link).max(margin);
        }
        if !link.kind.is_airborne() || margin >= tolerance {
            next[link.from_platform.0 as usize].push(link.to_platform.0);
        } else if components
            .ends(link)
            .is_some_and(|[from, _]| reached[from as usize])
        {
            fragile.push((margin, link));
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
    let findings = needed.into_iter().map(|(_, link)| {
        let tolerates = if link.tolerance >= 5e-4 {
            format!("only {:.3} s of tolerance", link.tolerance)
        } else {
            "no tolerance".to_owned()
        };
        let (place, kind) = (place_text(link.to), label(link.kind.name()));
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

/// How many seconds late the link may begin along the highest trajectory: the agent can
/// begin to move sideways later, by the time in the air that the distance across does not
/// need.
fn margin_of_highest(layer: &Layer, link: &Link) -> f32 {
    let profile = layer.profile();
    let across = f64::from(link.to.x) - f64::from(link.from.x);
    let up = f64::from(link.from.y - link.to.y) * f64::from(layer.grid().y_axis.down());
    let highest = highest_jump(profile);
    let highest = highest.and_then(|params| params.trajectory(across, up, profile).ok());
    let needed = across.abs() / f64::from(profile.run_speed);
    highest.map_or(0.0, |trajectory| (trajectory.duration - needed) as f32)
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
    let (mut speed, mut count) = (0.0, 1);
    if profile.edges.contains(EdgeSet::JUMP) && profile.jump_speed > 0.0 {
        speed = profile.jump_speed;
        count = TrajectoryParams::MAX_LAUNCHES.min(usize::from(profile.air_jumps) + 1);
    }
    let apex = speed / profile.gravity;
    let launches = (0..count).map(|i| Launch {
        time: (apex * i as f32).into(),
        speed: speed.into(),
    });
    TrajectoryParams::new(&launches.collect::<Vec<_>>(), &[]).ok()
}
