//! Decoding the cells of a tile layer, and encoding them for the `tiled` crate.
//!
//! Nothing is allocated beyond the size that the layer declares, and that size
//! has been subtracted from those that a map may have before.

use std::io::Read;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::tree::Element;
use crate::source::text::shorten;

/// Base64 as Tiled and other editors write it, padded or not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The largest window of a zstd stream, bytes. The decoder allocates it; Tiled
/// writes streams with windows of at most 8 MiB.
const MAX_ZSTD_WINDOW: u64 = 16 << 20;

/// The `count` global tile ids stored in `<data>`, or in a `<chunk>` of it, flip flags
/// included, or what is wrong with them.
pub fn decode(data: &Element<'_>, part: &Element<'_>, count: usize) -> Result<Vec<u32>, String> {
    let [encoding, compression] =
        ["encoding", "compression"].map(|name| data.attribute(name).unwrap_or_default());
    let cells = match (encoding, compression) {
        ("", "") => {
            let tiles = part.children_of("tile");
            // An empty cell has no gid, or gid 0.
            parse(
                tiles.map(|tile| tile.attribute("gid").unwrap_or("0")),
                count,
            )?
        }
        ("csv", "") => {
            // Some tools write a comma after the last cell too.
            let text = part.text.trim();
            let text = text.strip_suffix(',').unwrap_or(text);
            let fields = text.split(',');
            parse(
                fields.take(if text.is_empty() { 0 } else { count + 1 }),
                count,
            )?
        }
        ("base64", "" | "zlib" | "gzip" | "zstd") => unpack(&part.text, compression, count)?,
        ("csv" | "", "zlib" | "gzip" | "zstd") => {
            return Err("only base64 data can be compressed".to_owned());
        }
        ("csv" | "" | "base64", other) => {
            let other = shorten(other);
            return Err(format!(
                "compression \"{other}\" is unknown; it can be zlib, gzip or zstd"
            ));
        }
        (other, _) => {
            let other = shorten(other);
            return Err(format!(
                "encoding \"{other}\" is unknown; it can be csv, base64, or none (XML)"
            ));
        }
    };
    match cells.len() {
        number if number == count => Ok(cells),
        number => Err(format!(
            "it holds {number} cells where width x height is {count}"
        )),
    }
}

/// Cells in base64, without compression.
pub fn encode(cells: &[u32]) -> String {
    let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    BASE64.encode(bytes)
}

fn too_many(count: usize) -> String {
    format!("it holds more cells than width x height, which is {count}")
}

fn parse<'t>(fields: impl Iterator<Item = &'t str>, count: usize) -> Result<Vec<u32>, String> {
    let mut cells = Vec::new();
    for field in fields {
        if cells.len() == count {
            return Err(too_many(count));
        }
        let field = field.trim();
        cells.push(field.parse().map_err(|_| {
            let (number, field) = (cells.len() + 1, shorten(field));
            format!("cell {number} is \"{field}\", which is not a tile id")
        })?);
    }
    Ok(cells)
}

fn unpack(text: &str, compression: &str, count: usize) -> Result<Vec<u32>, String> {
    let packed: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let packed = BASE64.decode(packed);
    let packed = packed.map_err(|error| format!("its base64 is invalid: {error}"))?;
    let invalid =
        |error: &dyn std::fmt::Display| format!("its {compression} data are invalid: {error}");
    let stream: Box<dyn Read> = match compression {
        "zlib" => Box::new(flate2::read::ZlibDecoder::new(&packed[..])),
        "gzip" => Box::new(flate2::read::GzDecoder::new(&packed[..])),
        "zstd" => {
            let stream = ruzstd::decoding::StreamingDecoder::new_with_max_window_size(
                &packed[..],
                MAX_ZSTD_WINDOW,
            );
            Box::new(stream.map_err(|error| invalid(&error))?)
        }
        _ => Box::new(&packed[..]),
    };
    // One byte more than the cells need.
    let mut bytes = Vec::new();
    let mut stream = stream.take(count as u64 * 4 + 1);
    stream
        .read_to_end(&mut bytes)
        .map_err(|error| invalid(&error))?;
    if bytes.len() > count * 4 {
        return Err(too_many(count));
    }
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        let length = bytes.len();
        return Err(format!(
            "it holds {length} bytes, which is not a multiple of 4"
        ));
    }
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}
