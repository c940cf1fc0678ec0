//! A page that shows a baked file, or two and their differences.
//!
//! The page is one HTML file that needs no network. What is drawn is the same
//! list of shapes as in pictures, and all texts about paths, differences and
//! markers are written here. So the page cannot contradict the runtime.
//!
//! - `draw.js` draws a list of shapes and finds the line at a position;
//! - `app.js` has the panel, the menus, the mouse and the keyboard.

use std::io::{self, Write};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use navmesh_runtime::mesh::{Cell, Layer, Link, Marker, NavMesh, Platform, PlatformKind};
use serde::Serialize;
use serde_json::{Value, json};

use super::diff::{Change, Diff, in_direction_of};
use super::format::{html, number};
use super::records::MarkerRecord;
use super::render::{self, Changes, Shape};
use super::route::{Route, step_line};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 2] = [include_str!("draw.js"), include_str!("app.js")];

/// Long properties of markers without their end have this many characters.
const PROPERTY: usize = 200;

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
    /// The lines of the comparison; `None` for one file.
    changes: Option<Vec<Change>>,
    paths: Vec<Value>,
}

#[derive(Serialize)]
struct FileData<'a> {
    file: &'a str,
    grid: Value,
    agents: Vec<AgentData<'a>>,
    /// The shapes of the markers, which all agents share.
    markers: Vec<Shape>,
    /// Where each marker is in cells, and what the panel says about it.
    places: Vec<([f32; 4], Rows)>,
    /// The address of the picture beneath.
    #[serde(skip_serializing_if = "Option::is_none")]
    art: Option<String>,
}

/// Names and values in the panel.
type Rows = Vec<(String, String)>;

#[derive(Serialize)]
struct AgentData<'a> {
    name: &'a str,
    about: Rows,
    /// Whether the shapes contain changes.
    compared: bool,
    shapes: Vec<Shape>,
    /// The description and the component of each platform.
    platforms: Vec<(String, u32)>,
    links: Vec<Value>,
    /// Vertices on floor: column, row, platform and the y of the feet.
    standing: Vec<(u32, u32, u32, f32)>,
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
    let Some((last, before)) = files.split_last() else {
        return Ok(());
    };
    // The differences have positions in the direction of the last file.
    let old = before
        .first()
        .map(|file| (file, in_direction_of(file.mesh, last.mesh)));
    let old = old.as_ref().map(|(file, mesh)| (*file, &**mesh));
    let compared = diff.zip(old.map(|(_, mesh)| mesh));
    let mut shown = Vec::new();
    shown.extend(old.map(|(file, mesh)| FileData::new(file, mesh, None, diff)));
    shown.push(FileData::new(last, last.mesh, compared, diff));
    let data = PageData {
        files: shown,
        changes: diff.map(|diff| diff.moved().into_iter().chain(diff.changes()).collect()),
        paths: path.into_iter().map(path_data).collect(),
    };
    let data = serde_json::to_string(&data)?;
    // The marks occur in the page in this order.
    let parts = [
        ("{{title}}", html(&last.mesh.provenance().source)),
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

fn path_data((layer, route): (&Layer, &Route)) -> Value {
    let steps: Vec<String> = route.steps.iter().map(step_line).collect();
    json!({
        "agent": layer.profile().name,
        "outcome": route.headline(),
        "steps": steps,
        "cost": route.cost,
        "shapes": render::route(layer.grid(), &route.polyline(layer)),
    })
}

impl<'a> FileData<'a> {
    /// `compared` is the old mesh and what changed since, for the new file.
    fn new(
        file: &PageFile<'a>,
        mesh: &'a NavMesh,
        compared: Option<(&Diff, &NavMesh)>,
        diff: Option<&Diff>,
    ) -> Self {
        let grid = mesh.grid();
        let markers: Vec<&Marker> = mesh.markers().iter().collect();
        let places = markers.iter().map(|marker| {
            let rect = render::marker_rect(grid, marker);
            (rect, marker_rows(marker, diff, compared.is_some()))
        });
        let agents = mesh.layers().iter().map(|layer| {
            let name = &layer.profile().name;
            let changes = compared.and_then(|(diff, old)| Changes::of(diff, name, old, mesh));
            AgentData::new(layer, changes.as_ref())
        });
        let address = |png| format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png));
        Self {
            file: file.name,
            grid: json!({
                "origin": grid.origin.to_array(),
                "spacing": grid.spacing,
                "columns": grid.columns,
                "rows": grid.rows,
                // 1 when y grows downwards, −1 when it grows upwards.
                "down": grid.y_axis.down(),
            }),
            agents: agents.collect(),
            places: places.collect(),
            markers: render::markers(grid, &markers),
            art: file.art.as_ref().map(address),
        }
    }
}

impl<'a> AgentData<'a> {
    fn new(layer: &'a Layer, changes: Option<&Changes<'_>>) -> Self {
        let profile = layer.profile();
        let edges: Vec<&str> = profile.edges.names().collect();
        let about = [
            ("body", profile.body.map(decimal).join(" × ")),
            ("run speed", decimal(profile.run_speed)),
            ("jump height", decimal(profile.jump_height)),
            ("edges", edges.join(", ")),
            ("platforms", layer.platforms().len().to_string()),
            ("links", layer.links().len().to_string()),
        ];
        let standing = render::standing(layer).into_iter();
        Self {
            name: &profile.name,
            about: owned(about.into()),
            compared: changes.is_some(),
            shapes: render::of_layer(layer, changes),
            platforms: layer
                .platforms()
                .map(|p| (platform(p), p.component))
                .collect(),
            links: layer.links().iter().map(link_data).collect(),
            standing: standing
                .map(|(Cell { column, row }, platform, feet)| (column, row, platform, feet.y))
                .collect(),
        }
    }
}

fn link_data(link: &Link) -> Value {
    json!({
        "kind": link.kind.name(),
        "from": link.from.to_array(),
        "to": link.to.to_array(),
        "fromPlatform": link.from_platform.0,
        "toPlatform": link.to_platform.0,
        "duration": link.duration,
        "tolerance": link.tolerance,
    })
}

fn decimal(v: f32) -> String {
    number(v.into())
}

/// A platform in one line.
fn platform(platform: Platform<'_>) -> String {
    let kind = match platform.kind {
        PlatformKind::Floor => "platform",
        other => other.name(),
    };
    let (id, a, b) = (platform.id.0, platform.left(), platform.right());
    format!("{kind} {id}: x {}, y {}", range(a.x, b.x), range(a.y, b.y))
}

fn range(a: f32, b: f32) -> String {
    if a == b {
        return decimal(a);
    }
    format!("{} to {}", decimal(a), decimal(b))
}

/// What the panel says about a marker, with what changed of it between two
/// files.
fn marker_rows(marker: &Marker, diff: Option<&Diff>, is_new: bool) -> Rows {
    let record = MarkerRecord::from(marker);
    let class = if record.class.is_empty() {
        "marker"
    } else {
        &record.class
    };
    let mut rows = vec![
        (class, record.name.clone()),
        ("at", pair(record.position, ", ")),
    ];
    if record.size != [0.0, 0.0] {
        rows.push(("size", pair(record.size, " × ")));
    }
    let change = diff.and_then(|Diff { markers, .. }| {
        let (only, word) = if is_new {
            (&markers.added, "added")
        } else {
            (&markers.removed, "removed")
        };
        if only.contains(&record) {
            rows.push(("change", word.to_owned()));
        }
        markers.changed.iter().find(|change| {
            let sides = [&change.marker.old, &change.marker.new];
            *sides[usize::from(is_new)] == record
        })
    });
    if let Some(change) = change.map(|change| &change.marker) {
        let (old, new) = (&change.old, &change.new);
        for (what, name, separator, values) in [
            ("position", "moved", ", ", [old.position, new.position]),
            ("size", "resized", " × ", [old.size, new.size]),
        ] {
            if change.what.contains(&what) {
                rows.push((name, values.map(|value| pair(value, separator)).join(" → ")));
            }
        }
    }
    let changed = change.map_or(&[][..], |change| &change.properties);
    for (name, value) in &marker.properties {
        if changed.iter().all(|property| property.name != *name) {
            let end = value.char_indices().nth(PROPERTY);
            let short = end.map(|(end, _)| format!("{}…", &value[..end]));
            rows.push((name, short.unwrap_or_else(|| value.clone())));
        }
    }
    for property in changed {
        let text = match (&property.old, &property.new) {
            (Some(old), Some(new)) => format!("{old} → {new}"),
            (None, Some(new)) => format!("{new} (added)"),
            (old, _) => format!("{} (removed)", old.as_deref().unwrap_or_default()),
        };
        rows.push((&property.name, text));
    }
    owned(rows)
}

fn owned(rows: Vec<(&str, String)>) -> Rows {
    let rows = rows.into_iter();
    rows.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn pair([x, y]: [f64; 2], separator: &str) -> String {
    format!("{}{separator}{}", number(x), number(y))
}
