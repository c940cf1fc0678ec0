//! The dump as JSON.

use std::io::{self, Write};

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, Link, NavMesh, Platform};
use serde::Serialize;

use super::text::terrain_row;
use crate::report::counts::{buried, edge_counts};
use crate::report::format::{Object, entry, list_entry, point, y_name};
use crate::report::links::trajectory_of;
use crate::report::records::{BarrierRecord, FullMarker, ProfileRecord};

#[derive(Serialize)]
struct LinkJson {
    kind: &'static str,
    from: [f64; 2],
    to: [f64; 2],
    from_platform: u32,
    to_platform: u32,
    arc: Option<TrajectoryJson>,
    cost: f64,
    tolerance: f64,
}

#[derive(Serialize)]
struct TrajectoryJson {
    duration: f64,
    launches: Vec<[f64; 2]>,
    legs: Vec<[f64; 2]>,
    accelerations: Vec<[f64; 3]>,
    gravity: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_fall_speed: Option<f64>,
}

/// Writes a mesh as JSON, with one row of terrain, one platform or one link per
/// line.
///
/// # Errors
/// Those of `out`.
pub fn json(mesh: &NavMesh, format: &str, out: &mut dyn Write) -> io::Result<()> {
    let provenance = mesh.provenance();
    let grid = mesh.grid();
    let [level, settings] = [
        provenance.source_fingerprint,
        provenance.settings_fingerprint,
    ];
    let header = Object([
        ("format", format.into()),
        ("source", provenance.source.as_str().into()),
        ("source_fingerprint", level.to_string().into()),
        ("settings_fingerprint", settings.to_string().into()),
    ]);
    entry(out, "{", "navmesh", &header)?;
    let units = Object([
        ("pixels_per_unit", mesh.units().pixels_per_unit.into()),
        ("y_axis", y_name(grid.y_axis).into()),
    ]);
    entry(out, ",\n ", "units", &units)?;
    let grid = Object([
        ("origin", grid.origin.to_array().into()),
        ("spacing", grid.spacing.into()),
        ("columns", grid.columns.into()),
        ("rows", grid.rows.into()),
    ]);
    entry(out, ",\n ", "grid", &grid)?;
    write!(out, ",\n \"agents\": [")?;
    for (i, layer) in mesh.layers().iter().enumerate() {
        write!(out, "{}\n  ", if i == 0 { "" } else { "," })?;
        layer_json(layer, out)?;
    }
    write!(out, "]")?;
    list_entry(
        out,
        2,
        "markers",
        mesh.markers().iter().map(FullMarker::from),
    )?;
    writeln!(out, "}}")
}

fn layer_json(layer: &Layer, out: &mut dyn Write) -> io::Result<()> {
    let (profile, barriers) = (layer.profile(), &layer.parts().barriers);
    entry(out, "{", "name", &profile.name)?;
    let next = ",\n   ";
    entry(out, next, "profile", &ProfileRecord(profile))?;
    let rows = (0..layer.grid().rows).map(|row| terrain_row(layer, row));
    list_entry(out, 4, "terrain", rows)?;
    list_entry(out, 4, "platforms", layer.platforms().map(platform_json))?;
    let links = layer.links().iter().map(|link| link_json(link, layer));
    list_entry(out, 4, "links", links)?;
    list_entry(out, 4, "gates", barriers.iter().map(BarrierRecord::from))?;
    entry(out, next, "edges", &edge_counts(layer))?;
    entry(out, next, "buried", &buried(layer))?;
    write!(out, "}}")
}

fn platform_json(platform: Platform<'_>) -> impl Serialize {
    let surface = platform.surface.iter().map(Vec2::to_array);
    Object([
        ("id", platform.id.0.into()),
        ("kind", platform.kind.name().into()),
        ("left", platform.left().to_array().into()),
        ("right", platform.right().to_array().into()),
        ("vertices", platform.vertices.into()),
        ("component", platform.component.into()),
        ("surface", surface.collect()),
    ])
}

fn link_json(link: &Link, layer: &Layer) -> LinkJson {
    LinkJson {
        kind: link.kind.name(),
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
