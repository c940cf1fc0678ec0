//! Validation of Tiled files before the `tiled` crate reads them.
//!
//! The `tiled` crate panics on layer data that are too short, overflows the
//! stack on deep groups, allocates as much as a count says, follows templates
//! in circles, accepts tile ids past the last tileset, refuses some maps that
//! Tiled ships, and its errors name no place. So every file is checked here
//! element by element, with errors that name file and line, and written to XML
//! that holds only the elements and attributes that matter: all cells as
//! base64, all classes as `type`, all properties as text. The crate reads that XML and
//! opens no file by itself.

mod cells;
mod classes;
mod files;
mod layers;
mod objects;
mod properties;
mod tile_ids;
mod tilesets;
mod writer;

use super::element::{Document, Element};
use crate::source::error::SourceError;
use crate::source::files::LevelBytes;
use crate::source::limits::MAX_TILE_SIDE;
use crate::source::text::{TextFile, shorten};

pub use files::MapFiles;
use writer::Writer;

pub use properties::{DEFAULT_PREFIX, LINE_PROPERTY, TEMPLATE_PROPERTY};

/// Validates a map and every file it refers to.
pub fn validate(file: LevelBytes<'_>) -> Result<MapFiles<'_>, SourceError> {
    let LevelBytes { name, bytes, files } = file;
    let mut files = MapFiles::new(files);
    files.charge_bytes(name, bytes)?;
    let text = TextFile::new(name, bytes, files::SAVE_AGAIN)?;
    let document = Document::parse(&text)?;
    let map = map(&mut files, document.root(&text, "map")?)?;
    files.written.insert(name.to_owned(), map);
    Ok(files)
}

fn map(files: &mut MapFiles<'_>, map: Element<'_>) -> Result<String, SourceError> {
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
    let mut out = Writer::new(&files.classes);
    write!(out, "<map version=\"1.10\" orientation=\"orthogonal\"");
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
    write!(out, ">");
    let tilesets = files.map_tilesets(map, &mut out)?;
    let mut layers = layers::LayerWriter {
        files,
        infinite,
        tilesets: &tilesets,
        out: &mut out,
    };
    layers.layers(map, 0)?;
    write!(out, "</map>");
    Ok(out.xml)
}
