//! One self-contained page to look at a baked file with, or at two.
//!
//! The page needs no network and no other file. Its parts are written by hand
//! and put together here:
//!
//! - `layer.js` is what follows from the data of one agent;
//! - `path.js` finds paths as the runtime does;
//! - `scene.js` is what there is to draw, and where; `draw.js` draws what of it
//!   is in view;
//! - `tell.js` puts what the panel tells into words;
//! - `app.js` is the rest: choosing, mouse, keys.
//!
//! Numbers of the file are written in the few digits that tell one `f32` from
//! its neighbours; the page rounds what it reads back to `f32`.

use std::io::{self, Write};

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Grid, Layer, Link, NavMesh};
use serde::Serialize;

use super::GateFact;
use super::diff::Diff;
use super::dump::ProfileJson;
use super::facts::arc_of;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
/// Each uses only those before it.
const SCRIPTS: [&str; 6] = [
    include_str!("layer.js"),
    include_str!("path.js"),
    include_str!("scene.js"),
    include_str!("draw.js"),
    include_str!("tell.js"),
    include_str!("app.js"),
];

/// Parts of a spacing in which the points of a curve are told.
const FINE: f32 = 32.0;

#[derive(Serialize)]
struct PageData<'a> {
    files: Vec<FileData<'a>>,
    diff: Option<&'a Diff>,
}

#[derive(Serialize)]
struct FileData<'a> {
    file: &'a str,
    source: &'a str,
    grid: GridData,
    agents: Vec<AgentData<'a>>,
    markers: Vec<MarkerData<'a>>,
}

#[derive(Serialize)]
struct GridData {
    origin: [f32; 2],
    spacing: f32,
    columns: u32,
    rows: u32,
    /// 1 when y grows downwards, −1 when it grows upwards.
    down: f32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AgentData<'a> {
    name: &'a str,
    profile: ProfileJson<'a>,
    edges: Vec<&'static str>,
    /// A row's runs of blocked columns: from, to, from, to, …
    blocked: Vec<Vec<u32>>,
    /// Surfaces: x, y, x, y, …
    platforms: Vec<Vec<f32>>,
    /// What each platform is made of.
    kinds: Vec<&'static str>,
    components: Vec<u32>,
    links: Vec<LinkData>,
    gates: Vec<GateFact>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkData {
    kind: &'static str,
    /// The kind of edge that allows it.
    edge: &'static str,
    from: [f32; 2],
    to: [f32; 2],
    from_platform: u32,
    to_platform: u32,
    duration: f32,
    tolerance: f32,
    /// From point to point in thirty-seconds of a spacing: x, y, x, y, …
    curve: Vec<i32>,
}

#[derive(Serialize)]
struct MarkerData<'a> {
    class: &'a str,
    name: &'a str,
    position: [f32; 2],
    size: [f32; 2],
}

/// Writes the page of one file, or of two and what they differ in; each mesh
/// comes with what the page calls it.
///
/// # Errors
/// Those of `out`.
pub fn view(
    meshes: &[(&str, &NavMesh)],
    diff: Option<&Diff>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let data = PageData {
        files: (meshes.iter())
            .map(|(file, mesh)| FileData::new(file, mesh))
            .collect(),
        diff,
    };
    let data = serde_json::to_string(&data)?;
    let title = meshes
        .last()
        .map_or("", |(_, mesh)| &mesh.provenance().source);
    // The parts stand in the page in this order.
    let parts = [
        ("{{title}}", text(title)),
        ("{{style}}", STYLE.to_string()),
        // A name in the data must not end the element it stands in.
        ("{{data}}", data.replace('<', "\\u003c")),
        ("{{scripts}}", SCRIPTS.concat()),
    ];
    let mut rest = PAGE;
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        out.write_all(before.as_bytes())?;
        out.write_all(part.as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// Text as HTML.
fn text(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    escaped.replace('>', "&gt;").replace('"', "&quot;")
}

impl<'a> FileData<'a> {
    fn new(file: &'a str, mesh: &'a NavMesh) -> Self {
        let grid = mesh.grid();
        Self {
            file,
            source: &mesh.provenance().source,
            grid: GridData {
                origin: grid.origin.to_array(),
                spacing: grid.spacing,
                columns: grid.columns,
                rows: grid.rows,
                down: grid.y_axis.down(),
            },
            agents: (mesh.layers().iter())
                .map(|layer| AgentData::new(layer, grid))
                .collect(),
            markers: (mesh.markers().iter())
                .map(|marker| MarkerData {
                    class: &marker.class,
                    name: &marker.name,
                    position: marker.position.to_array(),
                    size: marker.size.to_array(),
                })
                .collect(),
        }
    }
}

impl<'a> AgentData<'a> {
    fn new(layer: &'a Layer, grid: &Grid) -> Self {
        let profile = layer.profile();
        let runs = |row| {
            let runs = layer.blocked().runs(row);
            runs.flat_map(|run| [run.start, run.end]).collect()
        };
        let platforms = || layer.platforms().iter();
        Self {
            name: &profile.name,
            edges: profile.edges.names().collect(),
            blocked: (0..grid.rows).map(runs).collect(),
            platforms: platforms()
                .map(|p| p.surface().iter().flat_map(Vec2::to_array).collect())
                .collect(),
            kinds: platforms().map(|p| p.kind().name()).collect(),
            components: platforms().map(|p| p.component()).collect(),
            links: (layer.links().iter())
                .map(|link| LinkData::new(link, layer, grid))
                .collect(),
            gates: layer.barriers().iter().map(GateFact::from).collect(),
            profile: profile.into(),
        }
    }
}

impl LinkData {
    fn new(link: &Link, layer: &Layer, grid: &Grid) -> Self {
        Self {
            kind: link.kind.name(),
            edge: link.kind.edge().names().next().unwrap_or_default(),
            from: link.from.to_array(),
            to: link.to.to_array(),
            from_platform: link.from_platform.0,
            to_platform: link.to_platform.0,
            duration: link.duration,
            tolerance: link.tolerance,
            curve: curve(link, layer, grid),
        }
    }
}

/// The way of a link, close enough together to draw.
fn curve(link: &Link, layer: &Layer, grid: &Grid) -> Vec<i32> {
    let up = DVec2::new(1.0, -f64::from(grid.y_axis.down()));
    let mut points = Vec::new();
    if let Some(arc) = arc_of(link, layer, grid) {
        for pair in arc.knots().windows(2) {
            let way = arc.offset(pair[1]) - arc.offset(pair[0]);
            let pieces = (way.length() / f64::from(grid.spacing))
                .ceil()
                .clamp(1.0, 8.0) as u32;
            for i in 0..pieces {
                let t = pair[0] + (pair[1] - pair[0]) * f64::from(i) / f64::from(pieces);
                points.push(arc.offset(t) * up);
            }
        }
    }
    points.push((link.to - link.from).as_dvec2());
    // Whole numbers, from one point to the next.
    let unit = f64::from(FINE / grid.spacing);
    let mut last = [0, 0];
    let mut curve = Vec::new();
    for point in points {
        let here = (point * unit).round();
        let here = [here.x as i32, here.y as i32];
        if here != last {
            curve.extend([here[0] - last[0], here[1] - last[1]]);
            last = here;
        }
    }
    curve
}
