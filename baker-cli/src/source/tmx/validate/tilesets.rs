//! Tilesets, with the shapes and properties of their tiles.

use super::objects;
use super::properties;
use super::tile_ids::{Tileset, ids};
use crate::source::error::Fault;
use crate::source::files::resolve;
use crate::source::limits::MAX_TILE_SIDE;
use crate::source::tmx::element::Element;
use crate::source::tmx::writer::Writer;

/// Writes a tileset, with its first id when it is embedded in a map.
pub(super) fn write(
    element: Element<'_>,
    first: Option<u32>,
    out: &mut Writer,
) -> Result<Tileset, Fault> {
    let name = element.attribute("name").unwrap_or_default().to_owned();
    let place = format!("tileset \"{name}\"");
    let image = element.child("image");
    let width: u32 = element.integer(&place, "tilewidth")?.unwrap_or(0);
    let height: u32 = element.integer(&place, "tileheight")?.unwrap_or(0);
    if image.is_some() && (width == 0 || height == 0) {
        return Err(element.fault(
            &place,
            "its tiles have no size",
            "set tilewidth and tileheight",
        ));
    }
    for (value, name) in [(width, "tilewidth"), (height, "tileheight")] {
        if value > MAX_TILE_SIDE {
            return Err(element.fault(
                &place,
                format!("{name} is {value}, more than {MAX_TILE_SIDE}"),
                "",
            ));
        }
    }
    let ids = ids(element, image, [width, height], &place)?;

    out.begin("tileset");
    out.optional("firstgid", first);
    out.attribute("name", &name);
    out.attribute("tilewidth", width);
    out.attribute("tileheight", height);
    // Only listed tiles matter. The crate would allocate as many as this number
    // says.
    out.attribute("tilecount", 0);
    for name in ["margin", "spacing"] {
        out.optional(name, element.integer::<u32>(&place, name)?);
    }
    out.attribute("columns", 1);
    let size = element.word(&place, "tilerendersize", &["tile", "grid"])?;
    out.optional("tilerendersize", size);
    let mode = element.word(&place, "fillmode", &["stretch", "preserve-aspect-fit"])?;
    out.optional("fillmode", mode);
    let alignment = element.word(
        &place,
        "objectalignment",
        &[
            "unspecified",
            "topleft",
            "top",
            "topright",
            "left",
            "center",
            "right",
            "bottomleft",
            "bottom",
            "bottomright",
        ],
    )?;
    out.optional("objectalignment", alignment);
    out.content();
    if let Some(offset) = element.child("tileoffset") {
        out.begin("tileoffset");
        for axis in ["x", "y"] {
            out.attribute(
                axis,
                offset.number(&place, axis)?.unwrap_or(0.0).round() as i32,
            );
        }
        out.empty();
    }
    if let Some(image) = image {
        write_image(image, [width, height], out);
    }
    for tile in element.children_of("tile") {
        write_tile(tile, &place, out)?;
    }
    out.end("tileset");
    let tiles = element.children_of("tile");
    let heaviest = tiles.map(Element::length).max().unwrap_or(0);
    Ok(Tileset {
        name,
        ids,
        heaviest,
    })
}

/// Writes an image. Its name becomes relative to the map's folder; the file is
/// opened only to draw the map. The crate requires a size.
pub(super) fn write_image(image: Element<'_>, [width, height]: [u32; 2], out: &mut Writer) {
    out.begin("image");
    let source = image.attribute("source").unwrap_or_default();
    let name = resolve(image.file(), source).unwrap_or_else(|_| source.to_owned());
    out.attribute("source", name);
    out.attribute("width", width);
    out.attribute("height", height);
    out.optional("trans", image.color("trans"));
    out.empty();
}

fn write_tile(tile: Element<'_>, place: &str, out: &mut Writer) -> Result<(), Fault> {
    let id: u32 = tile.required(place, "id")?;
    let place = format!("tile {id} of {place}");
    out.begin("tile");
    out.attribute("id", id);
    out.attribute("type", tile.class());
    // In collections, the part of the image that is used.
    for name in ["x", "y", "width", "height"] {
        out.optional(name, tile.integer::<i32>(&place, name)?);
    }
    let part = tile
        .integer::<u32>(&place, "width")?
        .zip(tile.integer::<u32>(&place, "height")?);
    out.content();
    if let Some(image) = tile.child("image") {
        let whole = image
            .integer::<u32>(&place, "width")?
            .zip(image.integer::<u32>(&place, "height")?);
        // A tile without a size has that of the tileset, see `tile_size`.
        if let Some((width, height)) = part.or(whole) {
            if width > MAX_TILE_SIDE || height > MAX_TILE_SIDE {
                return Err(image.fault(
                    &place,
                    format!(
                        "its image has {width} x {height} pixels; the limit is {MAX_TILE_SIDE} a side"
                    ),
                    "",
                ));
            }
            write_image(image, [width, height], out);
        }
    }
    properties::write(tile, None, &place, out)?;
    if let Some(shapes) = tile.child("objectgroup") {
        out.begin("objectgroup");
        out.content();
        for shape in shapes.children_of("object") {
            objects::write_tile_shape(shape, &place, out)?;
        }
        out.end("objectgroup");
    }
    out.end("tile");
    Ok(())
}
