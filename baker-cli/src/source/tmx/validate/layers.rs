//! Layers: groups, tile layers, object layers.

use super::cells::{self, Encoding};
use super::files::{MapFiles, SAVE_AGAIN};
use super::objects;
use super::properties;
use super::tile_ids::Tilesets;
use super::tilesets;
use crate::source::error::{Fault, SourceError};
use crate::source::limits::{MAX_CELLS, MAX_GROUP_DEPTH};
use crate::source::text::shorten;
use crate::source::tmx::element::Element;
use crate::source::tmx::writer::Writer;

/// The side of the chunks in which the `tiled` crate keeps infinite maps,
/// whatever the side in the file.
const CRATE_CHUNK: i64 = 16;

/// The furthest a chunk may lie from the origin, cells. With cells of 4 pixels
/// or more, what lies further is beyond the coordinates that are read anyway;
/// with smaller cells it keeps sums of positions and sizes within i32.
const MAX_CHUNK_POSITION: u32 = 1 << 22;

/// Writes all layers among the children of an element.
pub(super) fn write_all(
    files: &mut MapFiles<'_>,
    parent: Element<'_>,
    infinite: bool,
    tilesets: &Tilesets,
    depth: u32,
    out: &mut Writer,
) -> Result<(), SourceError> {
    for layer in parent.children() {
        let tag = layer.tag();
        if !matches!(tag, "layer" | "objectgroup" | "imagelayer" | "group") {
            continue;
        }
        let name = layer.attribute("name").unwrap_or_default();
        let place = format!("layer \"{}\"", shorten(name));
        if depth > MAX_GROUP_DEPTH {
            return Err(layer
                .fault(
                    &place,
                    format!("layer groups are nested more than {MAX_GROUP_DEPTH} deep"),
                    "flatten them",
                )
                .into());
        }
        begin(layer, &place, out)?;
        properties::write(layer, Some(layer.line()), &place, out)?;
        match tag {
            "layer" => tiles(files, layer, &place, infinite, tilesets, out)?,
            "objectgroup" => objects(files, layer, &place, tilesets, out)?,
            "group" => write_all(files, layer, infinite, tilesets, depth + 1, out)?,
            _ => {
                if let Some(image) = layer.child("image") {
                    tilesets::write_image(image, [1, 1], out);
                }
            }
        }
        out.end(tag);
    }
    Ok(())
}

/// The attributes that all layers have.
fn begin(layer: Element<'_>, place: &str, out: &mut Writer) -> Result<(), Fault> {
    out.begin(layer.tag());
    out.optional("id", layer.integer::<u32>(place, "id")?);
    out.optional("name", layer.attribute("name"));
    out.attribute("type", layer.class());
    // Tiled writes 0 and 1, other programs write words.
    let hidden = matches!(layer.attribute("visible"), Some("0" | "false"));
    out.attribute("visible", u8::from(!hidden));
    for name in ["offsetx", "offsety", "parallaxx", "parallaxy"] {
        out.optional(name, layer.number(place, name)?);
    }
    // Only drawing uses these, so mistakes in them are no errors.
    let opacity = layer
        .attribute("opacity")
        .and_then(|v| v.parse::<f32>().ok());
    out.optional("opacity", opacity.filter(|v| v.is_finite()));
    out.optional("tintcolor", layer.color("tintcolor"));
    for name in ["repeatx", "repeaty"] {
        let repeats = layer.attribute(name).map(|v| matches!(v, "1" | "true"));
        out.optional(name, repeats.map(u8::from));
    }
    if layer.tag() == "layer" {
        out.attribute("width", layer.required::<u32>(place, "width")?);
        out.attribute("height", layer.required::<u32>(place, "height")?);
    }
    out.content();
    Ok(())
}

fn objects(
    files: &mut MapFiles<'_>,
    layer: Element<'_>,
    owner: &str,
    tilesets: &Tilesets,
    out: &mut Writer,
) -> Result<(), SourceError> {
    let heaviest = tilesets.heaviest();
    for object in layer.children_of("object") {
        let place = format!("{} in {owner}", objects::describe(object));
        let template = object
            .attribute("template")
            .map(|reference| files.template(object, &place, reference))
            .transpose()?;
        let gid: Option<u32> = object.integer(&place, "gid")?;
        if let Err(problem) = tilesets.check(gid.unwrap_or(0)) {
            let advice = "choose another tile for it, or add the missing tileset";
            note_impossible(files, layer, object.fault(&place, problem, advice), 1);
            // It may be where the player begins.
            let is_in_template = template.is_some();
            if !is_in_template {
                objects::write_without_tile(object, &place, out)?;
            }
            continue;
        }
        let shown = gid.map_or(0, |_| heaviest);
        let copied = shown + template.as_ref().map_or(0, |(_, bytes)| *bytes);
        if !files.copies.take(copied) {
            let problem = "templates and tiles with large shapes or properties are used too often";
            let advice = "draw simpler shapes, or split the level";
            return Err(object.fault(&place, problem, advice).into());
        }
        objects::write(
            object,
            &place,
            Some((tilesets, 1)),
            template.as_ref().map(|(given, _)| given.as_str()),
            true,
            out,
        )?;
    }
    Ok(())
}

fn tiles(
    files: &mut MapFiles<'_>,
    layer: Element<'_>,
    place: &str,
    infinite: bool,
    tilesets: &Tilesets,
    out: &mut Writer,
) -> Result<(), SourceError> {
    // A layer without data is empty.
    let Some(data) = layer.child("data") else {
        return Ok(());
    };
    let encoding = Encoding::of(data).map_err(|problem| data.fault(place, problem, SAVE_AGAIN))?;
    out.begin("data");
    out.attribute("encoding", "base64");
    out.content();
    if infinite {
        for chunk in data.children_of("chunk") {
            let (x, y) = (chunk.required(place, "x")?, chunk.required(place, "y")?);
            let area = Area::new(chunk, place, x, y)?;
            charge(files, chunk, place, area.crate_cells(), area)?;
            out.begin("chunk");
            out.attribute("x", x);
            out.attribute("y", y);
            out.attribute("width", area.width);
            out.attribute("height", area.height);
            out.content();
            let place = format!("{place}: chunk at {x}, {y}");
            write_cells(files, layer, chunk, &place, encoding, tilesets, area, out)?;
            out.end("chunk");
        }
        if data.child("chunk").is_none() && !data.text().trim().is_empty() {
            let problem = "the map is infinite, but the layer is not stored in chunks";
            return Err(data.fault(place, problem, SAVE_AGAIN).into());
        }
    } else {
        let area = Area::new(layer, place, 0, 0)?;
        charge(files, layer, place, area.cells(), area)?;
        write_cells(files, layer, data, place, encoding, tilesets, area, out)?;
    }
    out.end("data");
    Ok(())
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy)]
struct Area {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
}

impl Area {
    fn new(element: Element<'_>, place: &str, x: i32, y: i32) -> Result<Self, Fault> {
        Ok(Self {
            x,
            y,
            width: element.required(place, "width")?,
            height: element.required(place, "height")?,
        })
    }

    fn cells(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// The cells that the crate allocates: whole chunks of its own.
    fn crate_cells(self) -> u64 {
        let span = |from: i32, length: u32| {
            let (from, to) = (i64::from(from), i64::from(from) + i64::from(length));
            let blocks = (to - 1).div_euclid(CRATE_CHUNK) - from.div_euclid(CRATE_CHUNK) + 1;
            (blocks.max(0) * CRATE_CHUNK) as u64
        };
        span(self.x, self.width).saturating_mul(span(self.y, self.height))
    }
}

/// Checks the size of a layer or chunk before anything is allocated for it.
fn charge(
    files: &mut MapFiles<'_>,
    element: Element<'_>,
    place: &str,
    cells: u64,
    area: Area,
) -> Result<(), Fault> {
    let far = [area.x, area.y].map(i32::unsigned_abs).into_iter();
    if far
        .chain([area.width, area.height])
        .any(|cells| cells > MAX_CHUNK_POSITION)
    {
        let problem = format!("cells lie more than {MAX_CHUNK_POSITION} from the origin");
        return Err(element.fault(place, problem, "move the level nearer to the origin"));
    }
    if area.cells() == 0 {
        return Err(element.fault(place, "its width or height is 0", ""));
    }
    if !files.cells.take(cells) {
        let problem = format!("with this layer the map has more than {MAX_CELLS} cells");
        return Err(element.fault(place, problem, "split the level"));
    }
    Ok(())
}

/// Notes a cell or an object with a tile that does not exist, which is left out:
/// it matters only in layers with collision.
fn note_impossible(files: &mut MapFiles<'_>, layer: Element<'_>, fault: Fault, count: u32) {
    let name = layer.attribute("name").unwrap_or_default().to_owned();
    let noted = files.impossible.entry((layer.line(), name));
    noted.or_insert((fault, 0)).1 += count;
}

/// Writes the cells of a `<data>` or `<chunk>` element of a layer.
#[expect(clippy::too_many_arguments, reason = "what a layer has in common")]
fn write_cells(
    files: &mut MapFiles<'_>,
    layer: Element<'_>,
    element: Element<'_>,
    place: &str,
    encoding: Encoding,
    tilesets: &Tilesets,
    area: Area,
    out: &mut Writer,
) -> Result<(), Fault> {
    let mut cells = cells::decode(element, encoding, area.cells() as usize)
        .map_err(|problem| element.fault(place, problem, SAVE_AGAIN))?;
    let mut last = 0;
    let mut impossible = None;
    let mut count = 0;
    for (i, gid) in cells.iter_mut().enumerate() {
        // Neighbouring cells mostly have the same tile.
        if *gid == last {
            continue;
        }
        if let Err(problem) = tilesets.check(*gid) {
            let (column, row) = (i as u32 % area.width, i as u32 / area.width);
            let column = i64::from(area.x) + i64::from(column);
            let row = i64::from(area.y) + i64::from(row);
            let problem = format!("cell {column}, {row}: {problem}");
            let advice = "erase the cell, or add the missing tileset";
            impossible.get_or_insert_with(|| element.fault(place, problem, advice));
            count += 1;
            *gid = 0;
        }
        last = *gid;
    }
    if let Some(fault) = impossible {
        note_impossible(files, layer, fault, count);
    }
    cells::encode(&cells, out.raw());
    Ok(())
}
