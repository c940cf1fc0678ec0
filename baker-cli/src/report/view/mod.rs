//! A page that shows a baked file, or two and their differences.
//!
//! The page is one HTML file that needs no network. What is drawn is the same
//! list of shapes as in pictures, and all texts about paths, differences and
//! markers are written here. So the page cannot contradict the runtime.
//!
//! - `draw.js` draws a list of shapes and finds the line at a position;
//! - `app.js` has the panel, the menus, the mouse and the keyboard.
//!
//! The page that bakes levels (`navmesh-runtime/navbake-js/page`) is this page with
//! more in it.

use std::io::{self, Write};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use navmesh_runtime::mesh::{Cell, Layer, Link, Marker, NavMesh, Platform, PlatformKind};
use serde_json::{Value, json};

use super::diff::Diff;
use super::format::{html, number};
use super::records::MarkerRecord;
use super::render::{self, Changes};
use super::route::{Route, step_line};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 2] = [include_str!("draw.js"), include_str!("app.js")];

/// The panel shows so many characters of a property of a marker.
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
    let Some(last) = files.last() else {
        return Ok(());
    };
    // The marks occur in the page in this order.
    let parts = [
        ("{{title}}", html(&last.mesh.provenance().source)),
        ("{{style}}", STYLE.to_string()),
        // A name in the data must not end the script element.
        (
            "{{data}}",
            page_data(files, diff, path)
                .to_string()
                .replace('<', "\\u003c"),
        ),
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

/// What the page shows of its files, which its scripts read.
pub fn page_data(
    files: &[PageFile<'_>],
    diff: Option<&Diff>,
    path: Option<(&Layer, &Route)>,
) -> Value {
    let Some((last, before)) = files.split_last() else {
        return Value::Null;
    };
    let mut shown = Vec::new();
    let mut compared = None;
    if let Some(file) = before.first() {
        shown.push(file_data(file, diff, None));
        compared = diff.map(|diff| (diff, file.mesh));
    }
    shown.push(file_data(last, diff, compared));
    json!({
        "files": shown,
        "changes": diff.map(|diff| diff.moved().into_iter().chain(diff.changes()).collect::<Vec<_>>()),
        "paths": path.into_iter().map(path_data).collect::<Vec<_>>(),
    })
}

fn path_data((layer, route): (&Layer, &Route)) -> Value {
    json!({
        "agent": layer.profile().name,
        "outcome": route.headline(),
        "steps": route.steps.iter().map(step_line).collect::<Vec<_>>(),
        "cost": route.cost,
        "shapes": render::route(layer.grid(), &route.polyline(layer)),
    })
}

/// What the page shows of a file. The new file of a comparison is `compared` with
/// the old mesh.
fn file_data(
    file: &PageFile<'_>,
    diff: Option<&Diff>,
    compared: Option<(&Diff, &NavMesh)>,
) -> Value {
    let mesh = file.mesh;
    let grid = mesh.grid();
    let markers: Vec<&Marker> = mesh.markers().iter().collect();
    // Where each marker is in cells, and what the panel says about it.
    let places = markers.iter().map(|marker| {
        let rows = marker_rows(marker, diff, compared.is_some());
        (render::marker_rect(grid, marker), rows)
    });
    let agents = mesh.layers().iter().map(|layer| {
        let name = &layer.profile().name;
        let changes = compared.and_then(|(diff, old)| Changes::of(diff, name, old, mesh));
        agent_data(layer, changes.as_ref())
    });
    let art = file.art.as_ref();
    json!({
        "file": file.name,
        "grid": {
            "origin": grid.origin.to_array(),
            "spacing": grid.spacing,
            "columns": grid.columns,
            "rows": grid.rows,
            // 1 when y grows downwards, −1 when it grows upwards.
            "down": grid.y_axis.down(),
        },
        "agents": agents.collect::<Vec<_>>(),
        "places": places.collect::<Vec<_>>(),
        "markers": render::markers(grid, &markers),
        "art": art.map(|png| format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png))),
    })
}

fn agent_data(layer: &Layer, changes: Option<&Changes<'_>>) -> Value {
    let profile = layer.profile();
    let edges: Vec<&str> = profile.edges.names().collect();
    let standing = render::standing(layer).into_iter();
    let standing = standing
        .map(|(Cell { column, row }, platform, feet)| (column, row, platform, feet.y))
        .collect::<Vec<_>>();
    let platforms = layer.platforms().map(|p| (platform(p), p.component));
    json!({
        "name": profile.name,
        "about": [
            ("body", profile.body.map(decimal).join(" × ")),
            ("run speed", decimal(profile.run_speed)),
            ("jump height", decimal(profile.jump_height)),
            ("edges", edges.join(", ")),
            ("platforms", layer.platforms().len().to_string()),
            ("links", layer.links().len().to_string()),
        ],
        "compared": changes.is_some(),
        "shapes": render::of_layer(layer, changes),
        "platforms": platforms.collect::<Vec<_>>(),
        "links": layer.links().iter().map(link_data).collect::<Vec<_>>(),
        "standing": standing,
    })
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
    let [x, y] = [(a.x, b.x), (a.y, b.y)].map(|(a, b)| match decimal(a) {
        start if a == b => start,
        start => format!("{start} to {}", decimal(b)),
    });
    format!("{kind} {id}: x {x}, y {y}")
}

/// What the panel says about a marker, with what changed of it between two
/// files: names and values.
fn marker_rows(marker: &Marker, diff: Option<&Diff>, is_new: bool) -> Vec<[String; 2]> {
    let record = MarkerRecord::from(marker);
    let is_named = !record.class.is_empty();
    let class = if is_named { &*record.class } else { "marker" };
    let mut rows = vec![
        (class, record.name.clone()),
        ("at", pair(record.position, ", ")),
    ];
    if record.size != [0.0, 0.0] {
        rows.push(("size", pair(record.size, " × ")));
    }
    let mut change = None;
    if let Some(Diff { markers, .. }) = diff {
        let added = (&markers.added, "added");
        let (only, word) = if is_new {
            added
        } else {
            (&markers.removed, "removed")
        };
        if only.contains(&record) {
            rows.push(("change", word.to_owned()));
        }
        change = markers.changed.iter().find(|change| {
            let sides = [&change.marker.old, &change.marker.new];
            *sides[usize::from(is_new)] == record
        });
    }
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
    let rows = rows.into_iter();
    rows.map(|(name, value)| [name.to_owned(), value]).collect()
}

fn pair([x, y]: [f64; 2], separator: &str) -> String {
    format!("{}{separator}{}", number(x), number(y))
}
