//! The dump as text, for people and version control.

use std::fmt::Write as _;
use std::io::{self, Write};

use navmesh_runtime::mesh::{
    Cell, EdgeSet, Grid, Layer, Link, Marker, NavMesh, Platform, PlatformKind, Terrain,
};

use crate::report::counts::buried;
use crate::report::format::{by_numbers, exact, y_name};
use crate::report::links::trajectory_of;

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
    let pair = |[across, along]: [f32; 2]| Some(format!("{across} x {along}"));
    let number = |v: f32| Some(v.to_string());
    let climbs = p.edges & EdgeSet::CLIMB != EdgeSet::NONE;
    let air_jumps = (p.air_jumps > 0).then(|| p.air_jumps.to_string());
    let ignores_hazards = p.ignores_hazards.then(|| "true".to_owned());
    let edges: Vec<_> = p.edges.names().collect();
    for (name, value) in [
        ("body", pair(p.body)),
        ("run_speed", number(p.run_speed)),
        ("acceleration", number(p.acceleration)),
        ("deceleration", number(p.deceleration)),
        ("jump_height", number(p.jump_height)),
        ("jump_speed", number(p.jump_speed)),
        ("gravity", number(p.gravity)),
        ("max_jump", pair(p.max_jump)),
        ("max_drop", pair(p.max_drop)),
        ("air_control", Some(p.air_control.to_string())),
        ("air_acceleration", p.air_acceleration.and_then(number)),
        ("step_height", number(p.step_height)),
        ("max_slope", number(p.max_slope)),
        ("max_fall_speed", p.max_fall_speed.and_then(number)),
        ("air_jumps", air_jumps),
        ("climb_speed", number(p.climb_speed).filter(|_| climbs)),
        ("ignores_hazards", ignores_hazards),
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

/// One letter per vertex of a row.
pub(super) fn terrain_row(layer: &Layer, row: u32) -> String {
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
    ends: impl Fn(&T) -> (glam::Vec2, glam::Vec2),
) -> Vec<T> {
    let down = grid.y_axis.down();
    let mut items: Vec<T> = items.collect();
    let key = |item: &T| {
        let (from, to) = ends(item);
        [from.y * down, from.x, to.y * down, to.x].map(f64::from)
    };
    items.sort_by(|a, b| by_numbers(&key(a), &key(b)));
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
    if let Some(trajectory) = trajectory_of(link, layer) {
        // The file stores f32; the further digits of an f64 mean nothing.
        let mut pair = |name: &str, [time, speed]: [f64; 2]| {
            let _ = write!(line, ", {name} {} {}", time as f32, speed as f32);
        };
        for launch in trajectory.launches() {
            pair("launch", [launch.time, launch.speed]);
        }
        for leg in trajectory.legs() {
            pair("leg", [leg.duration, leg.speed]);
        }
        if trajectory.is_smooth() {
            for row in trajectory.accelerations() {
                pair("speed and acceleration", [row.speed, row.acceleration]);
            }
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
