//! The stages in their order.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{
    AgentProfile, EdgeSet, Fingerprint, Input, LayerParts, Link, Marker, NavMesh, NavMeshParts,
    PlatformId, Platforms, Provenance,
};

use super::{
    BakeError, Connection, Floor, Ground, Layout, Limits, Progress, Settings, Stage,
    add_ways_round, baker_revision, blocked_vertices, closed_levels, portal_links,
    settings_fingerprint, source_fingerprint, world_gates,
};
use crate::geometry::{BodyShape, body_space};
use crate::source::{InputFile, Level};

/// Bakes a level: the same level and settings give the same mesh, on any
/// machine and any number of threads.
///
/// # Errors
/// When a setting or profile makes no sense, when a body is smaller than the
/// grid's spacing, or when there is nothing to bake.
pub fn bake(
    level: &Level,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<NavMesh, BakeError> {
    if settings.agents.is_empty() {
        return Err(BakeError::NoAgents);
    }
    for agent in &settings.agents {
        agent.validate()?;
    }
    if !(settings.link_stretch.is_finite() && settings.link_stretch >= 1.0) {
        return Err(BakeError::Setting {
            name: "level.link_stretch",
            value: settings.link_stretch,
            rule: "it must be a finite number, 1 or more",
        });
    }
    let scale = settings.units.pixels_per_unit;
    if !(scale.is_finite() && scale > 0.0) {
        return Err(BakeError::Setting {
            name: "level.pixels_per_unit",
            value: scale,
            rule: "it must be a finite number above 0",
        });
    }
    let layout = Layout::new(level, settings)?;
    let markers = markers(level, settings, &layout);
    let closed = closed_levels(level);
    let layers = settings
        .agents
        .iter()
        .map(|agent| {
            let bake = |level| layer(level, settings, &layout, &markers, agent, progress);
            let mut open = bake(level)?;
            if !open.platforms.is_empty() {
                for level in &closed {
                    add_ways_round(&mut open, &bake(level)?, layout.spacing as f32 * 1e-3);
                }
            }
            Ok(open)
        })
        .collect::<Result<Vec<_>, BakeError>>()?;
    Ok(NavMesh::new(NavMeshParts {
        provenance: Provenance {
            source: level.source.clone(),
            source_fingerprint: source_fingerprint(level),
            settings_fingerprint: settings_fingerprint(settings),
            baker: baker_revision(),
            tile_size: level.tile_size,
            inputs: inputs(level),
        },
        units: settings.units,
        grid: layout.grid(settings),
        layers,
        markers,
    })?)
}

/// The files the level was read from, as the asset remembers them.
fn inputs(level: &Level) -> Vec<Input> {
    let input = |file: &InputFile| Input {
        name: file.name.clone(),
        hash: Fingerprint(file.hash),
    };
    level.inputs.iter().map(input).collect()
}

/// Bakes for one agent.
fn layer(
    level: &Level,
    settings: &Settings,
    layout: &Layout,
    markers: &[Marker],
    agent: &AgentProfile,
    progress: &dyn Progress,
) -> Result<LayerParts, BakeError> {
    let limits = Limits::of(agent);
    let shape = BodyShape {
        size: limits.body,
        scale: layout.scale,
        skin: layout.spacing / f64::from(1 << 18),
        ignores_hazards: agent.ignores_hazards,
        climbs_ladders: limits.climbs(EdgeSet::LADDER),
        flies: agent.edges.contains(EdgeSet::FLY),
    };
    let space = body_space(level, shape);
    let space = space.as_ref();

    progress.begin(&agent.name, Stage::Terrain, u64::from(layout.rows));
    let blocked = blocked_vertices(space, layout, progress);

    let (mut floors, mut connections) = (Vec::new(), Vec::new());
    if limits.stands() {
        progress.begin(&agent.name, Stage::Platforms, 1);
        let ground = Ground::new(space, layout, &limits);
        progress.advance(1);
        progress.begin(&agent.name, Stage::Links, ground.floors.len() as u64);
        let stretch = f64::from(settings.link_stretch);
        connections = ground.links(stretch, progress);
        floors = ground.floors;
    }
    let down = settings.units.y_axis.down();
    let surfaces = floors.iter().map(|f| (f.kind, surface(f, down)));
    let platforms = Platforms::of_kinds(surfaces)?;
    let mut links: Vec<Link> = connections.iter().map(|c| link(c, down)).collect();
    if agent.edges.contains(EdgeSet::PORTAL) {
        links.extend(portal_links(markers, &platforms, layout, agent.body, down));
        // What is sorted already stays as it is.
        links.sort_by(|a, b| {
            let key = |link: &Link| (link.from_platform, link.to_platform);
            let ((from, to), (other_from, other_to)) = (key(a), key(b));
            from.cmp(&other_from)
                .then(a.from.x.total_cmp(&b.from.x))
                .then(to.cmp(&other_to))
                .then(a.to.x.total_cmp(&b.to.x))
        });
    }
    Ok(LayerParts {
        profile: agent.clone(),
        blocked,
        platforms,
        links,
        barriers: world_gates(space, down),
    })
}

/// A point of the bake as a point of the world.
fn world_point(p: DVec2, down: f32) -> Vec2 {
    Vec2::new(p.x as f32, p.y as f32 * down)
}

fn surface(floor: &Floor, down: f32) -> Vec<Vec2> {
    let points = floor.surface.iter().map(|p| world_point(*p, down));
    let mut points: Vec<Vec2> = points.collect();
    // Upright lines go from the smaller y to the larger.
    if floor.kind.is_upright() && down < 0.0 {
        points.reverse();
    }
    points
}

fn link(connection: &Connection, down: f32) -> Link {
    let (from, to) = (&connection.from, &connection.to);
    Link {
        kind: connection.kind,
        from_platform: PlatformId(from.floor),
        to_platform: PlatformId(to.floor),
        from: world_point(DVec2::new(from.x, from.y), down),
        to: world_point(DVec2::new(to.x, to.y), down),
        duration: connection.duration as f32,
        tolerance: connection.tolerance,
        params: connection.program,
    }
}

fn markers(level: &Level, settings: &Settings, layout: &Layout) -> Vec<Marker> {
    let down = settings.units.y_axis.down();
    level
        .markers
        .iter()
        .map(|marker| Marker {
            class: marker.class.clone(),
            name: marker.name.clone(),
            position: world_point(marker.area.min * layout.scale, down),
            size: (marker.area.size() * layout.scale).as_vec2(),
            properties: marker.properties.clone(),
        })
        .collect()
}
