//! Runs the stages of a bake in order.

use std::cell::Cell;

use glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, EdgeSet, LayerParts, Link, LinkLine, Marker, MovingPlatform, NavMesh,
    NavMeshParts, OneWayBarrier, Platforms, Provenance,
};
use rayon::prelude::*;

use crate::connection::signed_point;
use crate::error::BakeError;
use crate::fingerprint::{BAKER_REVISION, level_fingerprint, settings_fingerprint};
use crate::geometry::{Body, ConfigurationSpace, Interval, configuration_space, merge};
use crate::layout::{Layout, units_per_pixel};
use crate::level::{Level, Rect};
use crate::links;
use crate::links::closed_doors::{add_links_around, closed_sets};
use crate::links::link_cache::{AgentBake, Found, LinkCache};
use crate::links::movers::{Mover, movers, swept};
use crate::links::portals::portal_links;
use crate::links::rides::rides;
use crate::links::spanner::find_links;
use crate::links::springs::{closed_springs, has_springs, spring_links};
use crate::portal_pairs::{POINTS, line_points};
use crate::progress::{Progress, Stage};
use crate::settings::Settings;
use crate::space::air::air_cells;
use crate::space::terrain::blocked_vertices;
use crate::surfaces::Surfaces;
use crate::surfaces::platform_line::PlatformLine;
use crate::world;

/// How far from a platform, in cells, the end of a link around a closed door
/// may lie: the lattice of both bakes is the same, so only rounding to f32
/// remains.
const DOOR_SLACK: f32 = 1e-3;

/// Bakes a level. The same level and settings give the same mesh, on any
/// machine and with any number of threads.
///
/// # Errors
/// When a setting or profile is invalid, when a body is smaller than the
/// grid's spacing, or when there is nothing to bake.
pub fn bake(
    level: &Level,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<NavMesh, BakeError> {
    bake_again(level, settings, None, usize::MAX, progress)
}

/// What a level that changes keeps of its last bake, with the same settings, size and
/// markers.
#[derive(Debug, Default)]
pub struct BakeCache {
    /// For each agent, one for every set of closed doors.
    links: Vec<LinkCache>,
    /// What may have changed since, in level pixels.
    pub edits: Vec<Rect>,
}

/// Bakes a level, and takes what has not changed from `cache`. Then the links of as many
/// platforms are searched for as the budget says; [`BakeError::Unfinished`] when these were not
/// enough.
pub fn bake_again(
    level: &Level,
    settings: &Settings,
    mut cache: Option<&mut BakeCache>,
    budget: usize,
    progress: &dyn Progress,
) -> Result<NavMesh, BakeError> {
    level.check()?;
    let budget = Cell::new(budget);
    let mut bakes = 0;
    let layout = Layout::new(level, settings)?;
    let placed = layout.place(level);
    let placed = placed.as_ref();
    let down = settings.units.y_axis.down();
    let portals = markers(placed, down, 1.0);
    let closed_sets = closed_sets(placed);
    let scale = units_per_pixel(settings.units);
    let mut moving: Vec<Vec<MovingPlatform>> = Vec::new();
    let layers = settings
        .agents
        .iter()
        .map(|agent| {
            let mut bake = |closed| {
                let level = (placed, closed);
                let cache = cache.as_deref_mut().map(|BakeCache { links, edits }| {
                    links.resize_with(links.len().max(bakes + 1), LinkCache::default);
                    (&edits[..], &mut links[bakes], &budget)
                });
                bakes += 1;
                let found = layer(level, settings, &layout, &portals, agent, cache, progress);
                if progress.is_cancelled() {
                    return Err(BakeError::Cancelled);
                }
                found
            };
            let (mut open, on) = bake(&[])?;
            let on = on.into_iter();
            moving.push(on.map(|on| world::moving_platform(on, scale)).collect());
            if agent.edges.walks() {
                for closed in &closed_sets {
                    let slack = layout.spacing as f32 * DOOR_SLACK;
                    add_links_around(&mut open, &bake(closed)?.0, slack);
                }
            }
            Ok(world::layer(open, scale, down)?)
        })
        .collect::<Result<Vec<_>, BakeError>>()?;
    let mut mesh = NavMesh::new(NavMeshParts {
        provenance: Provenance {
            source: level.source.clone(),
            source_fingerprint: level_fingerprint(level),
            settings_fingerprint: settings_fingerprint(settings),
            baker: BAKER_REVISION,
            tile_size: level.tile_size,
        },
        units: settings.units,
        grid: layout.grid(),
        layers,
        markers: markers(level, down, scale),
    })?;
    mesh.set_moving_platforms(moving)?;
    if let Some(cache) = cache {
        cache.edits.clear();
    }
    if settings.index_routes {
        for agent in &settings.agents {
            progress.begin(&agent.name, Stage::Index, 1);
            if let Some(layer) = mesh.layer_id(&agent.name) {
                mesh.store_index(layer);
            }
            progress.advance(1);
        }
    }
    Ok(mesh)
}

/// Where an agent is blocked while some doors are `closed`, in the whole level or in the part
/// that meets a rectangle.
pub fn agent_space(
    level: &Level,
    within: Option<&Rect>,
    closed: &[Rect],
    layout: &Layout,
    agent: &AgentProfile,
) -> Box<dyn ConfigurationSpace> {
    let movers = movers_of(level, layout);
    space_but_for((None, within), &movers, (level, closed), layout, agent)
}

/// The platforms of a level that move.
fn movers_of(level: &Level, layout: &Layout) -> Vec<Mover> {
    let markers = markers(level, layout.units.y_axis.down(), 1.0);
    let scale = f64::from(layout.units.pixels_per_unit);
    let found = movers(&markers, scale, layout.quantum).into_iter();
    found.filter_map(|(_, mover)| mover.ok()).collect()
}

/// The same with the way of one platform open.
fn space_but_for(
    (open, within): (Option<usize>, Option<&Rect>),
    movers: &[Mover],
    (level, closed): (&Level, &[Rect]),
    layout: &Layout,
    agent: &AgentProfile,
) -> Box<dyn ConfigurationSpace> {
    let closed = closed.iter().copied().chain(closed_springs(level));
    let closed: Vec<Rect> = closed.chain(swept(movers, open, layout)).collect();
    space_between(level, within, &closed, layout, agent)
}

/// The same with springs and the ways of platforms open.
fn space_between(
    level: &Level,
    within: Option<&Rect>,
    closed: &[Rect],
    layout: &Layout,
    agent: &AgentProfile,
) -> Box<dyn ConfigurationSpace> {
    let limits = layout.limits(agent);
    let body = Body {
        size: limits.body,
        skin: layout.skin(),
        ignores_hazards: agent.ignores_hazards,
        climbs_ladders: limits.climbs(EdgeSet::LADDER),
        flies: agent.edges.contains(EdgeSet::FLY),
    };
    configuration_space(level, within, closed, body)
}

/// Bakes the layer of one agent in a level with some doors closed, in level pixels. The
/// level is on the lattice.
fn layer(
    (level, closed): (&Level, &[Rect]),
    settings: &Settings,
    layout: &Layout,
    portals: &[Marker],
    agent: &AgentProfile,
    cache: Option<(&[Rect], &mut LinkCache, &Cell<usize>)>,
    progress: &dyn Progress,
) -> Result<(LayerParts, Vec<MovingPlatform>), BakeError> {
    let limits = layout.limits(agent);
    let down = settings.units.y_axis.down();
    let stretch = f64::from(settings.link_stretch);
    let walks = agent.edges.walks();
    let movers = movers_of(level, layout);
    progress.begin(&agent.name, Stage::Terrain, u64::from(layout.rows));
    let found = match cache {
        Some((edits, cache, budget)) if walks && limits.takes_off() => {
            let bake = AgentBake {
                level,
                layout,
                limits: &limits,
                stretch,
                space: &|within| agent_space(level, within, closed, layout, agent),
                needs_all: !movers.is_empty() || has_springs(level),
                agent: &agent.name,
                progress,
                budget,
            };
            cache.update(&bake, edits).ok_or(BakeError::Unfinished)?
        }
        _ => {
            let space = agent_space(level, None, closed, layout, agent);
            let blocked = blocked_vertices(space.as_ref(), layout, progress);
            progress.begin(&agent.name, Stage::Platforms, 1);
            let surfaces = Surfaces::find(space.as_ref(), layout, &limits);
            progress.advance(1);
            // An agent that only flies uses no links. Its floors are where a filter can
            // keep it from flying, and where a game can look for the floor below it.
            let links = if walks {
                progress.begin(&agent.name, Stage::Links, surfaces.platforms.len() as u64);
                find_links(
                    &surfaces,
                    space.as_ref(),
                    layout,
                    &limits,
                    stretch,
                    progress,
                )
            } else {
                Vec::new()
            };
            Found {
                blocked,
                platforms: surfaces.platforms.clone(),
                links,
                space,
                surfaces,
            }
        }
    };
    let Found {
        blocked,
        platforms,
        links,
        space,
        surfaces,
    } = found;
    let lines = platforms.iter();
    let platforms = Platforms::of_kinds(lines.map(|l| (l.kind, points(l, down))))?;
    let mut links: Vec<Link> = links.into_iter().map(|found| found.to_link(down)).collect();
    let mut lines: Vec<LinkLine> = Vec::new();
    if walks && has_springs(level) {
        let open = space_between(level, None, closed, layout, agent);
        let thrown = spring_links(level, open.as_ref(), &surfaces, layout, agent, stretch);
        links.extend(thrown.into_iter().map(|found| found.to_link(down)));
        links::sort(&mut links);
    }
    if walks && agent.edges.contains(EdgeSet::PORTAL) {
        for (link, line) in portal_links(portals, &platforms, layout, agent, down) {
            links.push(link);
            lines.extend(line);
        }
        links::sort(&mut links);
    }
    let mut moving: Vec<MovingPlatform> = Vec::new();
    if walks && closed.is_empty() {
        let found = movers.par_iter().filter_map(|mover| {
            let own = (Some(mover.marker), None);
            let open = space_but_for(own, &movers, (level, closed), layout, agent);
            rides(
                mover,
                open.as_ref(),
                space.as_ref(),
                &surfaces,
                layout,
                &limits,
            )
        });
        moving = found.collect();
    }
    let only_flies = agent.edges.contains(EdgeSet::FLY) && !walks;
    let parts = LayerParts {
        profile: agent.clone(),
        blocked,
        platforms,
        links,
        barriers: barriers(space.as_ref(), down),
        air: if only_flies {
            air_cells(space.as_ref(), layout)
        } else {
            Vec::new()
        },
        lines,
    };
    Ok((parts, moving))
}

fn points(line: &PlatformLine, down: f32) -> Vec<Vec2> {
    let points = line.points.iter().map(|p| signed_point(*p, down));
    let mut points: Vec<Vec2> = points.collect();
    // The mesh stores upright lines from the smaller y to the larger.
    if line.kind.is_upright() && down < 0.0 {
        points.reverse();
    }
    points
}

/// The one-way walls and ceilings of a level, which the runtime needs for jumps that
/// were not baked. Sorted by position and direction; those on one line that overlap are
/// merged. One-way tops are left out, because the mesh stores them as platforms.
fn barriers(space: &dyn ConfigurationSpace, down: f32) -> Vec<OneWayBarrier> {
    let mut all = space.barriers(Interval::EVERYTHING, Interval::EVERYTHING);
    all.sort_by(|a, b| {
        (a.at.total_cmp(&b.at))
            .then(a.pass.cmp(&b.pass))
            .then(a.span.lo.total_cmp(&b.span.lo))
    });
    let mut found = Vec::new();
    for line in all.chunk_by(|a, b| (a.at, a.pass) == (b.at, b.pass)) {
        let pass = line[0].pass;
        let mut spans: Vec<Interval> = line.iter().map(|barrier| barrier.span).collect();
        merge(&mut spans);
        for span in spans {
            let (at, low, high) = (line[0].at as f32, span.lo as f32, span.hi as f32);
            // Ceilings lie at a y, walls at an x.
            let (at, [low, high]) = if line[0].is_upright() {
                let ends = [low, high].map(|y| y * down);
                (at, [ends[0].min(ends[1]), ends[0].max(ends[1])])
            } else {
                (at * down, [low, high])
            };
            found.push(OneWayBarrier {
                pass,
                at,
                low,
                high,
            });
        }
    }
    found
}

/// The markers of a level in units of which `scale` make a pixel.
fn markers(level: &Level, down: f32, scale: f64) -> Vec<Marker> {
    let mut markers: Vec<Marker> = level
        .markers
        .iter()
        .map(|marker| Marker {
            class: marker.class.clone(),
            name: marker.name.clone(),
            position: signed_point(marker.area.min * scale, down),
            size: (marker.area.size() * scale).as_vec2(),
            properties: marker.properties.clone(),
        })
        .collect();
    for marker in &mut markers {
        let points = line_points(marker);
        let points = points
            .iter()
            .map(|p| signed_point(p.as_dvec2() * scale, down));
        let points: Vec<String> = points.map(|p| format!("{},{}", p.x, p.y)).collect();
        let own = marker.properties.iter_mut();
        if let Some((_, text)) = own
            .filter(|_| !points.is_empty())
            .find(|(name, _)| name.eq_ignore_ascii_case(POINTS))
        {
            *text = points.join(" ");
        }
    }
    markers
}
