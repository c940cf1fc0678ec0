//! Tilesets, with the shapes and properties of their tiles.

use super::objects;
use super::properties;
use super::tile_ids::Tileset;
use super::writer::Writer;
use crate::source::error::Fault;
use crate::source::files::resolve;
use crate::source::limits::MAX_TILE_SIDE;
use crate::source::tmx::crate_reader::crate_path;
use crate::source::tmx::element::Element;

/// The words for the point of a tile that is at the position of an object.
const ALIGNMENTS: &str = "\
    unspecified topleft top topright left center right bottomleft bottom bottomright";

/// Writes a tileset, with its first id when it is embedded in a map.
pub fn write(
    element: Element<'_>,
    first: Option<u32>,
    out: &mut Writer<'_>,
) -> Result<Tileset, Fault> {
    let name = element.attribute("name").unwrap_or_default().to_owned();
    let place = format!("tileset \"{name}\"");
    let image = element.child("image");
    let width: u32 = element.integer(&place, "tilewidth")?.unwrap_or(0);
    let height: u32 = element.integer(&place, "tileheight")?.unwrap_or(0);
    if image.is_some() && (width == 0 || height == 0) {
        let advice = "set tilewidth and tileheight";
        return Err(element.fault(&place, "its tiles have no size", advice));
    }
    for (value, name) in [(width, "tilewidth"), (height, "tileheight")] {
        if value > MAX_TILE_SIDE {
            let problem = format!("{name} is {value}, more than {MAX_TILE_SIDE}");
            return Err(element.fault(&place, problem, ""));
        }
    }
    let tileset = Tileset::of(element, name, [width, height], &place)?;
    write!(out, "<tileset");
    out.optional("firstgid", first);
    out.attribute("name", &tileset.name);
    // Only listed tiles matter. The crate would allocate as many as `tilecount`
    // says.
    write!(
        out,
        " tilewidth=\"{width}\" tileheight=\"{height}\" tilecount=\"0\" columns=\"1\""
    );
    for name in ["margin", "spacing"] {
        out.optional(name, element.integer::<u32>(&place, name)?);
    }
    for (name, words) in [
        ("tilerendersize", "tile grid"),
        ("fillmode", "stretch preserve-aspect-fit"),
        ("objectalignment", ALIGNMENTS),
    ] {
        out.optional(name, element.word(&place, name, words)?);
    }
    out.attribute("class", element.class());
    write!(out, ">");
    properties::write(element, None, &place, out)?;
    if let Some(offset) = element.child("tileoffset") {
        let [x, y] = ["x", "y"].map(|axis| offset.number(&place, axis));
        let [x, y] = [x?, y?].map(|offset| offset.unwrap_or(0.0).round() as i32);
        write!(out, "<tileoffset x=\"{x}\" y=\"{y}\"/>");
    }
    if let Some(image) = image {
        write_image(image, [width, height], out);
    }
    for tile in element.children_of("tile") {
        write_tile(tile, &place, out)?;
    }
    write!(out, "</tileset>");
    Ok(tileset)
}

/// Writes an image. Its name becomes relative to the map's folder; the file is
/// opened only to draw the map. The crate requires a size.
pub fn write_image(image: Element<'_>, [width, height]: [u32; 2], out: &mut Writer<'_>) {
    let source = image.attribute("source").unwrap_or_default();
    let name = resolve(image.file(), source).unwrap_or_else(|_| source.to_owned());
    write!(out, "<image width=\"{width}\" height=\"{height}\"");
    out.attribute("source", crate_path(&name));
    out.optional("trans", image.color("trans"));
    write!(out, "/>");
}

fn write_tile(tile: Element<'_>, place: &str, out: &mut Writer<'_>) -> Result<(), Fault> {
    let id: u32 = tile.required(place, "id")?;
    let place = format!("tile {id} of {place}");
    write!(out, "<tile id=\"{id}\"");
    out.attribute("type", tile.class());
    // In collections, the part of the image that is used.
    for name in ["x", "y", "width", "height"] {
        out.optional(name, tile.integer::<i32>(&place, name)?);
    }
    let part = tile
        .integer::<u32>(&place, "width")?
        .zip(tile.integer::<u32>(&place, "height")?);
    write!(out, ">");
    if let Some(image) = tile.child("image") {
        let whole = image
            .integer::<u32>(&place, "width")?
            .zip(image.integer::<u32>(&place, "height")?);
        // A tile without a size has that of the tileset, see `tile_size`.
        if let Some((width, height)) = part.or(whole) {
            if width > MAX_TILE_SIDE || height > MAX_TILE_SIDE {
                let problem = format!(
                    "its image has {width} x {height} pixels; the limit is {MAX_TILE_SIDE} a side"
                );
                return Err(image.fault(&place, problem, ""));
            }
            write_image(image, [width, height], out);
        }
    }
    properties::write(tile, None, &place, out)?;
    if let Some(shapes) = tile.child("objectgroup") {
        write!(out, "<objectgroup>");
        for shape in shapes.children_of("object") {
            objects::write_tile_shape(shape, &place, out)?;
        }
        write!(out, "</objectgroup>");
    }
    write!(out, "</tile>");
    Ok(())
}
