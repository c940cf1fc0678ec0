//! A page that shows a baked file, or two and their differences.
//!
//! The page is one HTML file that needs no network. Its scripts draw and
//! select; everything else in it is computed here: paths, differences and
//! which vertices are floor. So the page cannot contradict the runtime.
//!
//! - `layer.js` prepares the data of one agent;
//! - `scene.js` computes what is drawn and where, `draw.js` draws it;
//! - `panel.js` has the texts beside the picture;
//! - `app.js` has the menus, the mouse and the keyboard.

use std::io::{self, Write};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use glam::Vec2;
use navmesh_runtime::mesh::{Cell, Layer, Link, NavMesh, Terrain};
use navmesh_runtime::search::StepKind;
use serde::Serialize;

use super::counts::runs;
use super::diff::{self, Diff, Line, Section, Sign, in_direction_of};
use super::format::{html, position};
use super::links;
use super::records::{BarrierRecord, FullMarker, ProfileRecord};
use super::route::{Route, step_line};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
/// Each script uses only those before it.
const SCRIPTS: [&str; 5] = [
    include_str!("layer.js"),
    include_str!("scene.js"),
    include_str!("draw.js"),
    include_str!("panel.js"),
    include_str!("app.js"),
];

/// Curves are rounded to this part of a spacing, which is a pixel when a cell
/// takes 32 pixels. Finer curves would make the page larger.
const FINE: f32 = 32.0;

/// A file that the page shows.
#[derive(Debug, Clone)]
pub struct PageFile<'a> {
    /// Its name in the page.
    pub name: &'a str,
    /// Its content.
    pub mesh: &'a NavMesh,
    /// A picture of the part of the level that the grid covers, as PNG.
    pub art: Option<Vec<u8>>,
}

#[derive(Serialize)]
struct PageData<'a> {
    files: Vec<FileData<'a>>,
    diff: Option<&'a Diff>,
    changes: Vec<ChangeData>,
    paths: Vec<PathData<'a>>,
}

/// One line of the comparison.
#[derive(Serialize)]
struct ChangeData {
    agent: Option<String>,
    #[serde(flatten)]
    line: Line,
}

#[derive(Serialize)]
struct PathData<'a> {
    agent: &'a str,
    outcome: String,
    steps: Vec<String>,
    cost: f64,
    /// The line of the feet: x, y, x, y, …
    line: Vec<f32>,
}

#[derive(Serialize)]
struct FileData<'a> {
    file: &'a str,
    grid: GridData,
    agents: Vec<AgentData<'a>>,
    markers: Vec<FullMarker<'a>>,
    /// The address of the picture beneath.
    #[serde(skip_serializing_if = "Option::is_none")]
    art: Option<String>,
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
    profile: ProfileRecord<'a>,
    /// The runs of blocked columns of each row: from, to, from, to, …
    blocked: Vec<Vec<u32>>,
    /// The same for vertices on floor.
    floor: Vec<Vec<u32>>,
    /// Surfaces: x, y, x, y, …
    platforms: Vec<Vec<f32>>,
    /// The kind of each platform.
    kinds: Vec<&'static str>,
    /// The name of the motion along each platform.
    motions: Vec<&'static str>,
    components: Vec<u32>,
    links: Vec<LinkData>,
    gates: Vec<BarrierRecord>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkData {
    kind: &'static str,
    from: [f32; 2],
    to: [f32; 2],
    from_platform: u32,
    to_platform: u32,
    duration: f32,
    tolerance: f32,
    /// From point to point in units of spacing / [`FINE`]: x, y, x, y, …
    curve: Vec<i32>,
}

/// Writes the page of one file, or of two and their differences. `path` is a
/// path in a layer of the last mesh.
///
/// # Errors
/// Those of `out`.
pub fn view(
    files: &[PageFile<'_>],
    diff: Option<&Diff>,
    path: Option<(&Layer, &Route)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    // The differences have positions in the direction of the last file.
    let last = files.last().map(|file| file.mesh);
    let meshes = files
        .iter()
        .map(|file| in_direction_of(file.mesh, last.unwrap_or(file.mesh)));
    let meshes: Vec<_> = meshes.collect();
    let shown = files.iter().zip(&meshes);
    let data = PageData {
        files: shown
            .map(|(file, mesh)| FileData::new(file, mesh))
            .collect(),
        diff,
        changes: diff.map(changes).unwrap_or_default(),
        paths: path.into_iter().map(PathData::new).collect(),
    };
    let data = serde_json::to_string(&data)?;
    let title = files.last();
    let title = title.map_or("", |file| &file.mesh.provenance().source);
    // The marks occur in the page in this order.
    let parts = [
        ("{{title}}", html(title)),
        ("{{style}}", STYLE.to_string()),
        // A name in the data must not end the script element.
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

fn changes(diff: &Diff) -> Vec<ChangeData> {
    let moved = diff
        .shift
        .map(|shift| format!("everything moved by {}", position(shift)));
    let moved = moved.map(|text| (None, Sign::Changed.line(&text)));
    let sections = diff::sections(diff).into_iter();
    let lines = sections.flat_map(|Section { agent, lines, .. }| {
        lines.into_iter().map(move |line| (agent.clone(), line))
    });
    let changes = moved.into_iter().chain(lines);
    changes
        .map(|(agent, line)| ChangeData { agent, line })
        .collect()
}

impl<'a> PathData<'a> {
    fn new((layer, route): (&'a Layer, &Route)) -> Self {
        Self {
            agent: &layer.profile().name,
            outcome: route.headline(),
            steps: route.steps.iter().map(step_line).collect(),
            cost: route.cost,
            line: numbers(&route.polyline(layer)),
        }
    }
}

impl<'a> FileData<'a> {
    fn new(file: &PageFile<'a>, mesh: &'a NavMesh) -> Self {
        let grid = mesh.grid();
        let address = |png| format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png));
        Self {
            file: file.name,
            grid: GridData {
                origin: grid.origin.to_array(),
                spacing: grid.spacing,
                columns: grid.columns,
                rows: grid.rows,
                down: grid.y_axis.down(),
            },
            agents: mesh.layers().iter().map(AgentData::new).collect(),
            markers: mesh.markers().iter().map(FullMarker::from).collect(),
            art: file.art.as_ref().map(address),
        }
    }
}

impl<'a> AgentData<'a> {
    fn new(layer: &'a Layer) -> Self {
        let profile = layer.profile();
        let grid = layer.grid();
        let runs_of = |test: &dyn Fn(Cell) -> bool| -> Vec<Vec<u32>> {
            let of_row = |row| {
                let runs = runs(grid.columns, |column| test(Cell { column, row }));
                let passing = runs.filter(|(_, is_passing)| *is_passing);
                passing.flat_map(|(run, _)| [run.start, run.end]).collect()
            };
            (0..grid.rows).map(of_row).collect()
        };
        let blocked = &layer.parts().blocked;
        let platforms = || layer.platforms();
        Self {
            name: &profile.name,
            blocked: runs_of(&|cell| blocked.get(cell.column, cell.row)),
            floor: runs_of(&|cell| layer.terrain(cell) == Terrain::OnFloor),
            platforms: platforms().map(|p| numbers(p.surface)).collect(),
            kinds: platforms().map(|p| p.kind.name()).collect(),
            motions: platforms().map(|p| StepKind::from(p.kind).name()).collect(),
            components: platforms().map(|p| p.component).collect(),
            links: (layer.links().iter())
                .map(|link| LinkData::new(link, layer))
                .collect(),
            gates: (layer.parts().barriers.iter())
                .map(BarrierRecord::from)
                .collect(),
            profile: ProfileRecord(profile),
        }
    }
}

impl LinkData {
    fn new(link: &Link, layer: &Layer) -> Self {
        Self {
            kind: link.kind.name(),
            from: link.from.to_array(),
            to: link.to.to_array(),
            from_platform: link.from_platform.0,
            to_platform: link.to_platform.0,
            duration: link.duration,
            tolerance: link.tolerance,
            curve: curve(link, layer),
        }
    }
}

/// The coordinates of points: x, y, x, y, …
fn numbers(points: &[Vec2]) -> Vec<f32> {
    points.iter().flat_map(Vec2::to_array).collect()
}

/// The line of a link, with at most a cell between points where it bends.
fn curve(link: &Link, layer: &Layer) -> Vec<i32> {
    // Whole numbers from one point to the next take few digits.
    let spacing = layer.grid().spacing;
    let mut last = [0, 0];
    let mut curve = Vec::new();
    for point in links::curve(link, layer, spacing, 8) {
        let here = ((point - link.from) * (FINE / spacing)).round();
        // Jumps of a forged file may lead so far that differences overflow.
        let here = here.clamp(Vec2::splat(-1e9), Vec2::splat(1e9));
        let here = [here.x as i32, here.y as i32];
        if here != last {
            curve.extend([here[0] - last[0], here[1] - last[1]]);
            last = here;
        }
    }
    curve
}
