//! The whole content of a mesh, as text and as JSON.
//!
//! The text names things by their place and sorts them. It contains no ids,
//! which one added platform would change for all others, so version control
//! shows just what a level edit changed. The JSON is for programs and has ids.

use std::fmt::Write as _;
use std::io::{self, Write};

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{
    Cell, EdgeSet, Grid, Layer, Link, Marker, MovingPlatform, NavMesh, Platform, PlatformKind,
    Rider, TICKS, Terrain, Transfer, YAxis,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::counts::{EdgeCounts, buried, edge_counts};
use super::format::{by_numbers, exact, point, write_json, y_name};
use super::links::trajectory_of;
use super::records::{BarrierRecord, FullMarker, Profile, YAxisName};

/// Writes a mesh as text.
///
/// # Errors
/// Those of `out`.
pub fn text(mesh: &NavMesh, format: &str, out: &mut dyn Write) -> io::Result<()> {
    let provenance = mesh.provenance();
    let grid = mesh.grid();
    let (pixels, y) = (mesh.units().pixels_per_unit, y_name(mesh.units().y_axis));
    writeln!(out, "navmesh {format}")?;
    writeln!(out, "source {:?}", provenance.source)?;
    writeln!(out, "source_fingerprint {}", provenance.source_fingerprint)?;
    let settings = provenance.settings_fingerprint;
    writeln!(out, "settings_fingerprint {settings}")?;
    writeln!(out, "units {pixels} pixels per unit, y {y}")?;
    let (origin, spacing) = (exact(grid.origin), grid.spacing);
    let size = format!("columns {} rows {}", grid.columns, grid.rows);
    writeln!(out, "grid origin {origin} spacing {spacing} {size}")?;
    let mut markers: Vec<String> = mesh.markers().iter().map(marker_line).collect();
    markers.sort();
    for line in markers {
        writeln!(out, "{line}")?;
    }
    for layer in mesh.layers() {
        writeln!(out)?;
        layer_text(layer, out)?;
    }
    Ok(())
}

fn layer_text(layer: &Layer, out: &mut dyn Write) -> io::Result<()> {
    let (p, grid) = (layer.profile(), layer.grid());
    writeln!(out, "agent {:?}", p.name)?;
    let climbs = p.edges & EdgeSet::CLIMB != EdgeSet::NONE;
    let air_jumps = (p.air_jumps > 0).then_some(p.air_jumps);
    let edges: Vec<_> = p.edges.names().collect();
    for (name, value) in [
        ("body", Some(size(p.body))),
        ("run_speed", Some(p.run_speed.to_string())),
        ("acceleration", Some(p.acceleration.to_string())),
        ("deceleration", Some(p.deceleration.to_string())),
        ("jump_height", Some(p.jump_height.to_string())),
        ("jump_speed", Some(p.jump_speed.to_string())),
        ("gravity", Some(p.gravity.to_string())),
        ("max_jump", Some(size(p.max_jump))),
        ("max_drop", Some(size(p.max_drop))),
        ("air_control", Some(p.air_control.to_string())),
        (
            "air_acceleration",
            p.air_acceleration.as_ref().map(f32::to_string),
        ),
        ("step_height", Some(p.step_height.to_string())),
        ("max_slope", Some(p.max_slope.to_string())),
        (
            "max_fall_speed",
            p.max_fall_speed.as_ref().map(f32::to_string),
        ),
        ("air_jumps", air_jumps.as_ref().map(u8::to_string)),
        ("climb_speed", climbs.then(|| p.climb_speed.to_string())),
        (
            "ignores_hazards",
            p.ignores_hazards.then(|| "true".to_owned()),
        ),
        ("edges", Some(edges.join(" "))),
    ] {
        if let Some(value) = value {
            writeln!(out, "  {name} {value}")?;
        }
    }
    for row in 0..grid.rows {
        // Rows are named by y: an index would change when the level grows.
        let (y, terrain) = (grid.row_y(row), terrain_row(layer, row));
        writeln!(out, "  row {y:>8} {terrain}")?;
    }
    for line in sorted(layer.platforms(), grid, |p| (p.left(), p.right())) {
        writeln!(out, "  {}", platform_line(&line))?;
    }
    for link in sorted(layer.links().iter(), grid, |l| (l.from, l.to)) {
        writeln!(out, "  {}", link_line(link, layer))?;
    }
    for barrier in sorted(layer.parts().barriers.iter(), grid, |b| b.ends().into()) {
        let ([a, b], pass) = (barrier.ends().map(exact), barrier.pass.name());
        writeln!(out, "  gate {pass} {a} .. {b}")?;
    }
    for [column, row] in buried(layer) {
        let at = grid.position(Cell { column, row });
        writeln!(out, "  buried {}", exact(at))?;
    }
    Ok(())
}

fn size([across, along]: [f32; 2]) -> String {
    format!("{across} x {along}")
}

/// One letter per vertex of a row.
fn terrain_row(layer: &Layer, row: u32) -> String {
    (0..layer.grid().columns)
        .map(|column| match layer.terrain(Cell { column, row }) {
            Terrain::InAir => '.',
            Terrain::OnFloor => 'F',
            Terrain::OnWall => 'W',
            Terrain::OnCeiling => 'C',
            Terrain::InsideGeometry => '#',
        })
        .collect()
}

/// In reading order: from the top, then from the left.
fn sorted<T>(
    items: impl Iterator<Item = T>,
    grid: &Grid,
    ends: impl Fn(&T) -> (Vec2, Vec2),
) -> Vec<T> {
    let down = grid.y_axis.down();
    let mut items: Vec<T> = items.collect();
    items.sort_by(|a, b| {
        let [a, b] = [ends(a), ends(b)]
            .map(|(from, to)| [from.y * down, from.x, to.y * down, to.x].map(f64::from));
        by_numbers(&a, &b)
    });
    items
}

fn platform_line(platform: &Platform<'_>) -> String {
    let (left, right) = (exact(platform.left()), exact(platform.right()));
    let kind = match platform.kind {
        PlatformKind::Floor => "platform",
        other => other.name(),
    };
    let vertices = platform.vertices;
    let mut line = format!("{kind} {left} .. {right} vertices {vertices}");
    if let [_, between @ .., _] = platform.surface
        && !between.is_empty()
    {
        line.push_str(" by");
        for p in between {
            let _ = write!(line, " {}", exact(*p));
        }
    }
    line
}

fn link_line(link: &Link, layer: &Layer) -> String {
    let (kind, from, to) = (link.kind.name(), exact(link.from), exact(link.to));
    let (seconds, tolerance) = (link.duration, link.tolerance);
    let mut line = format!("{kind} {from} -> {to} in {seconds} s, tolerance {tolerance}");
    if let Some(own) = layer.line_of(link) {
        let points: Vec<String> = own.points.iter().map(|point| exact(*point)).collect();
        let _ = write!(line, ", along {}", points.join(" "));
    }
    if let Some(trajectory) = trajectory_of(link, layer) {
        // The file stores f32; the further digits of an f64 mean nothing.
        let launches = trajectory.launches().iter();
        let legs = trajectory.legs().iter();
        let smooth = trajectory.is_smooth().then(|| trajectory.accelerations());
        let pairs = (launches.map(|launch| ("launch", launch.time, launch.speed)))
            .chain(legs.map(|leg| ("leg", leg.duration, leg.speed)))
            .chain(
                (smooth.into_iter().flatten())
                    .map(|row| ("speed and acceleration", row.speed, row.acceleration)),
            );
        for (name, a, b) in pairs {
            let _ = write!(line, ", {name} {} {}", a as f32, b as f32);
        }
    }
    line
}

fn marker_line(marker: &Marker) -> String {
    let (class, name) = (&marker.class, &marker.name);
    let (at, size) = (exact(marker.position), exact(marker.size));
    let mut line = format!("marker {class:?} {name:?} at {at} size {size}");
    for (name, value) in &marker.properties {
        let _ = write!(line, " {name:?}={value:?}");
    }
    line
}

/// `dump --json`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Dump<'a> {
    navmesh: DumpHeader<'a>,
    units: DumpUnits,
    grid: DumpGrid,
    agents: Vec<DumpAgent<'a>>,
    markers: Vec<FullMarker<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct DumpAgent<'a> {
    name: &'a str,
    profile: Profile<'a>,
    /// A string a row, top first: . in air, F on floor, # inside geometry, W on a wall, C on a ceiling.
    #[schemars(inner(regex(pattern = "^[.F#WC]*$")))]
    terrain: Vec<String>,
    platforms: Vec<DumpPlatform>,
    links: Vec<LinkJson>,
    gates: Vec<BarrierRecord>,
    /// Left out without platforms that move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moving_platforms: Vec<MovingPlatformJson>,
    edges: EdgeCounts,
    buried: Vec<[u32; 2]>,
}

#[derive(Serialize, JsonSchema)]
struct DumpHeader<'a> {
    format: &'a str,
    source: &'a str,
    /// 128 bits.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    source_fingerprint: String,
    /// 128 bits.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    settings_fingerprint: String,
}

#[derive(Serialize, JsonSchema)]
struct DumpUnits {
    pixels_per_unit: f64,
    #[schemars(with = "YAxisName")]
    y_axis: YAxis,
}

#[derive(Serialize, JsonSchema)]
struct DumpGrid {
    /// Its top-left corner.
    origin: [f64; 2],
    spacing: f64,
    columns: u32,
    rows: u32,
}

#[derive(Serialize, JsonSchema)]
struct DumpPlatform {
    id: u32,
    #[schemars(extend("enum" = ["floor", "ladder", "wall", "ceiling"]))]
    kind: &'static str,
    left: [f64; 2],
    right: [f64; 2],
    vertices: u32,
    component: u32,
    surface: Vec<[f64; 2]>,
}

#[derive(Serialize, JsonSchema)]
struct LinkJson {
    /// jump, drop, and kinds that may be added.
    kind: &'static str,
    from: [f64; 2],
    to: [f64; 2],
    from_platform: u32,
    to_platform: u32,
    arc: Option<TrajectoryJson>,
    /// Seconds.
    cost: f64,
    /// Seconds.
    tolerance: f64,
    /// The number of the marker of class `link` whose line the game moves the agent along.
    #[serde(skip_serializing_if = "Option::is_none")]
    marker: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<[f64; 2]>,
}

#[derive(Serialize, JsonSchema)]
struct TrajectoryJson {
    duration: f64,
    launches: Vec<[f64; 2]>,
    legs: Vec<[f64; 2]>,
    /// Stretches of constant horizontal acceleration: seconds, speed at the start, acceleration.
    accelerations: Vec<[f64; 3]>,
    gravity: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_fall_speed: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct MovingPlatformJson {
    /// The number of its marker.
    marker: u32,
    size: [f64; 2],
    one_way: bool,
    /// Tick since the begin of the period, x and y of the left end of its top. It moves evenly
    /// from one to the next; the last is at the end of the period.
    keys: Vec<[f64; 3]>,
    /// Ticks of the period that are over at tick 0 of the clock.
    phase: u32,
    /// From where to where feet may be on it, from the left end of its top.
    deck: [f64; 2],
    /// Motions from floors onto it.
    boards: Vec<TransferJson>,
    /// Motions from it to floors.
    exits: Vec<TransferJson>,
}

#[derive(Serialize, JsonSchema)]
struct TransferJson {
    #[schemars(extend("enum" = ["walk", "jump", "drop"]))]
    kind: &'static str,
    platform: u32,
    /// Upward speed; null for a walk.
    launch: Option<f64>,
    /// Speed across: from the begin, or after `ramp` seconds in which it grows evenly from 0.
    across: f64,
    ramp: f64,
    /// Seconds until a drop leaves the floor.
    run: f64,
    windows: Vec<WindowJson>,
}

#[derive(Serialize, JsonSchema)]
struct WindowJson {
    /// The first and the last tick of the clock at which it may begin, in the first period.
    ticks: [u32; 2],
    /// Feet, if it begins at the first.
    from: [f64; 2],
    to: [f64; 2],
    /// Seconds, if it begins at the first.
    duration: f64,
}

impl MovingPlatformJson {
    fn new(on: &MovingPlatform, layer: &Layer) -> Self {
        let rider = Rider::new(layer.profile(), layer.grid().y_axis.down());
        let keys = on.schedule.keys.iter();
        let boards = on
            .boards
            .iter()
            .map(|own| transfer_json(on, own, &rider, true));
        let exits = on
            .exits
            .iter()
            .map(|own| transfer_json(on, own, &rider, false));
        Self {
            marker: on.marker.0,
            size: point(on.size),
            one_way: on.one_way,
            keys: keys
                .map(|(tick, at)| [f64::from(*tick), at.x.into(), at.y.into()])
                .collect(),
            phase: on.schedule.phase,
            deck: on.deck.map(f64::from),
            boards: boards.collect(),
            exits: exits.collect(),
        }
    }
}

fn transfer_json(
    on: &MovingPlatform,
    own: &Transfer,
    rider: &Rider,
    is_board: bool,
) -> TransferJson {
    let windows = own.windows.iter().filter_map(|&ticks| {
        let first = f64::from(ticks[0]);
        let (from, to, after) = if is_board {
            let (after, x) = on.boarding(rider, own, first)?;
            let at = on.schedule.state(first + after).0;
            (own.floor.as_dvec2(), at + DVec2::new(x, 0.0), after)
        } else {
            let (after, to) = on.exiting(rider, own, first)?;
            (on.exit_start(own, first), to, after)
        };
        Some(WindowJson {
            ticks,
            from: point(from.as_vec2()),
            to: point(to.as_vec2()),
            duration: after / TICKS,
        })
    });
    TransferJson {
        kind: match own.launch {
            None => "walk",
            Some(speed) if speed > 0.0 => "jump",
            Some(_) => "drop",
        },
        platform: own.platform.0,
        launch: own.launch.map(f64::from),
        across: own.across.into(),
        ramp: own.ramp.into(),
        run: own.run.into(),
        windows: windows.collect(),
    }
}

/// Writes a mesh as JSON.
///
/// # Errors
/// Those of `out`.
pub fn json(mesh: &NavMesh, format: &str, out: &mut dyn Write) -> io::Result<()> {
    let (provenance, grid) = (mesh.provenance(), mesh.grid());
    let dump = Dump {
        navmesh: DumpHeader {
            format,
            source: &provenance.source,
            source_fingerprint: provenance.source_fingerprint.to_string(),
            settings_fingerprint: provenance.settings_fingerprint.to_string(),
        },
        units: DumpUnits {
            pixels_per_unit: mesh.units().pixels_per_unit.into(),
            y_axis: grid.y_axis,
        },
        grid: DumpGrid {
            origin: point(grid.origin),
            spacing: grid.spacing.into(),
            columns: grid.columns,
            rows: grid.rows,
        },
        agents: mesh.layers().iter().map(DumpAgent::from).collect(),
        markers: mesh.markers().iter().map(FullMarker::from).collect(),
    };
    write_json(&dump, 4, out)
}

impl<'a> From<&'a Layer> for DumpAgent<'a> {
    fn from(layer: &'a Layer) -> Self {
        let (profile, rows) = (layer.profile(), 0..layer.grid().rows);
        let barriers = layer.parts().barriers.iter();
        Self {
            name: &profile.name,
            profile: profile.into(),
            terrain: rows.map(|row| terrain_row(layer, row)).collect(),
            platforms: layer.platforms().map(DumpPlatform::from).collect(),
            links: (layer.links().iter())
                .map(|link| link_json(link, layer))
                .collect(),
            gates: barriers.map(BarrierRecord::from).collect(),
            moving_platforms: (layer.moving_platforms().iter())
                .map(|on| MovingPlatformJson::new(on, layer))
                .collect(),
            edges: edge_counts(layer),
            buried: buried(layer),
        }
    }
}

impl From<Platform<'_>> for DumpPlatform {
    fn from(platform: Platform<'_>) -> Self {
        Self {
            id: platform.id.0,
            kind: platform.kind.name(),
            left: point(platform.left()),
            right: point(platform.right()),
            vertices: platform.vertices,
            component: platform.component,
            surface: platform.surface.iter().copied().map(point).collect(),
        }
    }
}

fn link_json(link: &Link, layer: &Layer) -> LinkJson {
    let line = layer.line_of(link);
    LinkJson {
        kind: link.kind.name(),
        marker: line.map(|line| line.marker.0),
        line: line.map_or(Vec::new(), |line| {
            line.points.iter().map(|p| point(*p)).collect()
        }),
        from: point(link.from),
        to: point(link.to),
        from_platform: link.from_platform.0,
        to_platform: link.to_platform.0,
        arc: trajectory_of(link, layer).map(|arc| TrajectoryJson {
            duration: arc.duration,
            launches: arc.launches().iter().map(|l| [l.time, l.speed]).collect(),
            legs: arc.legs().iter().map(|l| [l.duration, l.speed]).collect(),
            accelerations: (arc.accelerations())
                .map(|row| [row.duration, row.speed, row.acceleration])
                .collect(),
            gravity: arc.fall.gravity,
            max_fall_speed: Some(arc.fall.max_speed).filter(|v| v.is_finite()),
        }),
        cost: link.duration.into(),
        tolerance: link.tolerance.into(),
    }
}
