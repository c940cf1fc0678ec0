//! Decoding the cells of a tile layer, and encoding them for the `tiled` crate.
//!
//! Nothing is allocated beyond the size that the layer declares, and that size
//! has been subtracted from those that a map may have before.

use std::io::Read;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::source::text::shorten;
use crate::source::tmx::element::Element;

/// Base64 as Tiled and other editors write it, padded or not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The largest window of a zstd stream, bytes. The decoder allocates it; Tiled
/// writes streams with windows of at most 8 MiB.
const MAX_ZSTD_WINDOW: u64 = 16 << 20;

/// Subtracts from an amount that may still be used; false when less than that is left.
pub fn take(left: &mut u64, amount: u64) -> bool {
    let rest = left.checked_sub(amount);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

/// How cells are stored, by the attributes of `<data>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// A `<tile>` element for each cell.
    Xml,
    Csv,
    Base64,
    /// Base64 of compressed cells, like the others below.
    Zlib,
    Gzip,
    Zstd,
}

impl Encoding {
    /// The encoding of a `<data>` element, or what is wrong with it.
    pub fn of(data: Element<'_>) -> Result<Self, String> {
        let compression = data.attribute("compression").unwrap_or("");
        match (data.attribute("encoding").unwrap_or(""), compression) {
            ("", "") => Ok(Self::Xml),
            ("csv", "") => Ok(Self::Csv),
            ("base64", "") => Ok(Self::Base64),
            ("base64", "zlib") => Ok(Self::Zlib),
            ("base64", "gzip") => Ok(Self::Gzip),
            ("base64", "zstd") => Ok(Self::Zstd),
            (encoding, "" | "zlib" | "gzip" | "zstd") => Err(match encoding {
                "csv" | "" => "only base64 data can be compressed".to_owned(),
                other => {
                    let other = shorten(other);
                    format!("encoding \"{other}\" is unknown; it can be csv, base64, or none (XML)")
                }
            }),
            (_, other) => {
                let other = shorten(other);
                Err(format!(
                    "compression \"{other}\" is unknown; it can be zlib, gzip or zstd"
                ))
            }
        }
    }
}

/// The `count` global tile ids stored in a `<data>` or `<chunk>` element, flip
/// flags included, or what is wrong with them.
pub fn decode(element: Element<'_>, encoding: Encoding, count: usize) -> Result<Vec<u32>, String> {
    let cells = match encoding {
        Encoding::Xml => xml(element, count)?,
        Encoding::Csv => csv(&element.text(), count)?,
        packed => base64(&element.text(), packed, count)?,
    };
    if cells.len() != count {
        let number = cells.len();
        return Err(format!(
            "it holds {number} cells where width x height is {count}"
        ));
    }
    Ok(cells)
}

/// Appends cells in base64, without compression.
pub fn encode(cells: &[u32], out: &mut String) {
    let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    BASE64.encode_string(bytes, out);
}

fn too_many(count: usize) -> String {
    format!("it holds more cells than width x height, which is {count}")
}

fn xml(element: Element<'_>, count: usize) -> Result<Vec<u32>, String> {
    let mut cells = Vec::new();
    for tile in element.children_of("tile") {
        if cells.len() == count {
            return Err(too_many(count));
        }
        // An empty cell has no gid, or gid 0.
        let gid = tile.attribute("gid").unwrap_or("0");
        cells.push(gid.trim().parse().map_err(|_| {
            let (gid, line) = (shorten(gid), tile.line());
            format!("gid=\"{gid}\" (line {line}) is not a tile id")
        })?);
    }
    Ok(cells)
}

fn csv(text: &str, count: usize) -> Result<Vec<u32>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    // Some tools write a comma after the last cell too.
    let text = text.strip_suffix(',').unwrap_or(text);
    let mut cells = Vec::with_capacity(count.min(text.len()));
    for field in text.split(',') {
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

fn base64(text: &str, encoding: Encoding, count: usize) -> Result<Vec<u32>, String> {
    let packed: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let bytes = BASE64
        .decode(packed)
        .map_err(|error| format!("its base64 is invalid: {error}"))?;
    let bytes = match encoding {
        Encoding::Zlib => inflate(flate2::read::ZlibDecoder::new(&bytes[..]), "zlib", count)?,
        Encoding::Gzip => inflate(flate2::read::GzDecoder::new(&bytes[..]), "gzip", count)?,
        Encoding::Zstd => {
            let stream = ruzstd::decoding::StreamingDecoder::new_with_max_window_size(
                &bytes[..],
                MAX_ZSTD_WINDOW,
            )
            .map_err(|error| format!("its zstd data are invalid: {error}"))?;
            inflate(stream, "zstd", count)?
        }
        _ => bytes,
    };
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

/// Decompresses at most one byte more than the cells need.
fn inflate(stream: impl Read, name: &str, count: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    stream
        .take(count as u64 * 4 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("its {name} data are invalid: {error}"))?;
    Ok(bytes)
}
