//! Validation of Tiled files before the `tiled` crate reads them.
//!
//! The `tiled` crate panics on layer data that are too short, overflows the
//! stack on deep groups, allocates whatever a count asks for, follows templates
//! in circles, accepts tile ids past the last tileset, refuses some maps that
//! Tiled ships, and its errors name no place. So every file is checked here
//! element by element, with errors that name file and line, and written to XML
//! that holds only the elements and attributes that matter: all cells as
//! base64, all classes as `type`, all properties as text. The crate reads that XML and
//! opens no file by itself.

mod cells;
mod files;
mod layers;
mod objects;
mod properties;
mod tile_ids;
mod tilesets;

use std::collections::BTreeMap;

use super::element::{Document, Element};
use super::writer::Writer;
use crate::source::error::{Fault, SourceError};
use crate::source::files::{FileProvider, input};
use crate::source::level::InputFile;
use crate::source::limits::MAX_TILE_SIDE;
use crate::source::text::{TextFile, shorten};

pub(super) use properties::LINE_PROPERTY;

/// The name by which the `tiled` crate opens the map.
pub(super) const MAP_FILE: &str = "map.tmx";

/// A map and its files in the form that the `tiled` crate reads.
#[derive(Debug)]
pub(super) struct ValidatedMap {
    /// The text of each file by the name under which the crate opens it.
    pub(super) files: BTreeMap<String, String>,
    /// The real names of those files.
    pub(super) names: BTreeMap<String, String>,
    /// As [`MapFiles::missing`](files::MapFiles::missing).
    pub(super) missing: BTreeMap<String, (String, String)>,
    /// As [`MapFiles::impossible`](files::MapFiles::impossible).
    pub(super) impossible: BTreeMap<(u32, String), (Fault, u32)>,
    /// Every file read, the map first, then by name.
    pub(super) inputs: Vec<InputFile>,
}

/// Validates a map and every file it refers to.
pub(super) fn validate(
    name: &str,
    bytes: &[u8],
    provider: &dyn FileProvider,
) -> Result<ValidatedMap, SourceError> {
    let mut files = files::MapFiles::new(provider);
    files.charge_bytes(name, bytes)?;
    let text = TextFile::new(name, bytes, files::SAVE_AGAIN)?;
    let document = Document::parse(&text)?;
    let map = map(&mut files, document.root("map")?)?;
    files.add(MAP_FILE.to_owned(), name, map);
    // A file that refers to the map itself has read it once more.
    files.inputs.remove(name);
    let own = std::iter::once(input(provider, name));
    Ok(ValidatedMap {
        files: files.written,
        names: files.names,
        missing: files.missing,
        impossible: files.impossible,
        inputs: own.chain(files.inputs.into_values()).collect(),
    })
}

fn map(files: &mut files::MapFiles<'_>, map: Element<'_>) -> Result<String, SourceError> {
    let fault = |problem: String, advice: &str| Err(map.fault("", problem, advice));
    let orientation = map.attribute("orientation").unwrap_or("orthogonal");
    if orientation != "orthogonal" {
        let problem = format!("the map is {}", shorten(orientation));
        fault(
            problem,
            "set the orientation to orthogonal; no other is read",
        )?;
    }
    let infinite = matches!(map.attribute("infinite"), Some("1" | "true"));
    let mut out = Writer::default();
    out.begin("map");
    out.attribute("version", "1.10");
    out.attribute("orientation", "orthogonal");
    for name in ["width", "height"] {
        out.attribute(name, map.required::<u32>("", name)?);
    }
    for name in ["tilewidth", "tileheight"] {
        let side: u32 = map.required("", name)?;
        if side == 0 || side > MAX_TILE_SIDE {
            let problem = format!("{name} is {side}, not 1 to {MAX_TILE_SIDE} pixels");
            fault(problem, "set the tile size in Tiled's map properties")?;
        }
        out.attribute(name, side);
    }
    out.attribute("infinite", u8::from(infinite));
    out.optional("backgroundcolor", map.color("backgroundcolor"));
    out.content();
    let (tilesets, written) = files.map_tilesets(map)?;
    for tileset in written {
        out.raw().push_str(&tileset);
    }
    layers::write_all(files, map, infinite, &tilesets, 0, &mut out)?;
    out.end("map");
    Ok(out.finish())
}
