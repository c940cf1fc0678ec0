//! The dump as text, for people and version control.

use std::fmt::Write as _;
use std::io::{self, Write};

use navmesh_runtime::mesh::{
    Cell, EdgeSet, Grid, Layer, Link, Marker, NavMesh, Platform, PlatformKind, Terrain,
};

use crate::report::counts::buried;
use crate::report::format::{exact, y_name};
use crate::report::links::trajectory_of;

/// Writes a mesh as text.
///
/// # Errors
/// Those of `out`.
pub fn text(mesh: &NavMesh, format: &str, out: &mut dyn Write) -> io::Result<()> {
    let provenance = mesh.provenance();
    let grid = mesh.grid();
    let units = mesh.units();
    writeln!(out, "navmesh {format}")?;
    writeln!(out, "source {:?}", provenance.source)?;
    writeln!(out, "source_fingerprint {}", provenance.source_fingerprint)?;
    writeln!(
        out,
        "settings_fingerprint {}",
        provenance.settings_fingerprint
    )?;
    writeln!(
        out,
        "units {} pixels per unit, y {}",
        units.pixels_per_unit,
        y_name(units.y_axis)
    )?;
    writeln!(
        out,
        "grid origin {} spacing {} columns {} rows {}",
        exact(grid.origin),
        grid.spacing,
        grid.columns,
        grid.rows
    )?;
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
    let (profile, grid) = (layer.profile(), layer.grid());
    writeln!(out, "agent {:?}", profile.name)?;
    let [width, height] = profile.body;
    writeln!(out, "  body {width} x {height}")?;
    for (name, value) in [
        ("run_speed", profile.run_speed),
        ("acceleration", profile.acceleration),
        ("deceleration", profile.deceleration),
        ("jump_height", profile.jump_height),
        ("jump_speed", profile.jump_speed),
        ("gravity", profile.gravity),
    ] {
        writeln!(out, "  {name} {value}")?;
    }
    let pair = |[across, along]: [f32; 2]| format!("{across} x {along}");
    writeln!(out, "  max_jump {}", pair(profile.max_jump))?;
    writeln!(out, "  max_drop {}", pair(profile.max_drop))?;
    writeln!(out, "  air_control {}", profile.air_control)?;
    if let Some(acceleration) = profile.air_acceleration {
        writeln!(out, "  air_acceleration {acceleration}")?;
    }
    writeln!(out, "  step_height {}", profile.step_height)?;
    writeln!(out, "  max_slope {}", profile.max_slope)?;
    if let Some(speed) = profile.max_fall_speed {
        writeln!(out, "  max_fall_speed {speed}")?;
    }
    if profile.air_jumps > 0 {
        writeln!(out, "  air_jumps {}", profile.air_jumps)?;
    }
    if profile.edges & EdgeSet::CLIMB != EdgeSet::NONE {
        writeln!(out, "  climb_speed {}", profile.climb_speed)?;
    }
    if profile.ignores_hazards {
        writeln!(out, "  ignores_hazards true")?;
    }
    let edges: Vec<_> = profile.edges.names().collect();
    writeln!(out, "  edges {}", edges.join(" "))?;
    for row in 0..grid.rows {
        // Rows are named by y: an index would change when the level grows.
        writeln!(
            out,
            "  row {:>8} {}",
            grid.row_y(row),
            terrain_row(layer, row)
        )?;
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
        let at = exact(grid.position(Cell { column, row }));
        writeln!(out, "  buried {at}")?;
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
    items.sort_by(|a, b| {
        let key = |item: &T| {
            let (from, to) = ends(item);
            [from.y * down, from.x, to.y * down, to.x]
        };
        let (a, b) = (key(a), key(b));
        (a.iter().zip(&b))
            .map(|(a, b)| a.total_cmp(b))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
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
    let surface = platform.surface;
    if surface.len() > 2 {
        line.push_str(" by");
        for p in &surface[1..surface.len() - 1] {
            let _ = write!(line, " {}", exact(*p));
        }
    }
    line
}

fn link_line(link: &Link, layer: &Layer) -> String {
    let mut line = format!(
        "{} {} -> {} in {} s, tolerance {}",
        link.kind.name(),
        exact(link.from),
        exact(link.to),
        link.duration,
        link.tolerance
    );
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
        for row in trajectory
            .accelerations()
            .filter(|_| trajectory.is_smooth())
        {
            pair("speed and acceleration", [row.speed, row.acceleration]);
        }
    }
    line
}

fn marker_line(marker: &Marker) -> String {
    let mut line = format!(
        "marker {:?} {:?} at {} size {}",
        marker.class,
        marker.name,
        exact(marker.position),
        exact(marker.size)
    );
    for (name, value) in &marker.properties {
        let _ = write!(line, " {name:?}={value:?}");
    }
    line
}
