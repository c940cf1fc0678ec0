//! Layers: groups, tile layers, object layers.

use super::cells::{self, Encoding};
use super::files::{MapFiles, SAVE_AGAIN};
use super::objects;
use super::properties;
use super::tile_ids::{FLAGS, FLIPS, Tilesets};
use super::tilesets;
use super::writer::Writer;
use crate::source::error::{Fault, SourceError};
use crate::source::limits::{MAX_CELLS, MAX_GROUP_DEPTH};
use crate::source::text::shorten;
use crate::source::tmx::crate_reader::crate_path;
use crate::source::tmx::element::Element;

/// The side of the chunks in which the `tiled` crate keeps infinite maps,
/// whatever the side in the file.
const CRATE_CHUNK: i64 = 16;

/// The furthest a chunk may lie from the origin, cells. With cells of 4 pixels
/// or more, what lies further is beyond the coordinates that are read anyway;
/// with smaller cells it keeps sums of positions and sizes within i32.
const MAX_CHUNK_POSITION: u32 = 1 << 22;

/// What the layers of a map are written with.
pub struct LayerWriter<'w, 'f> {
    pub files: &'w mut MapFiles<'f>,
    pub infinite: bool,
    pub tilesets: &'w Tilesets,
    pub out: &'w mut Writer<'f>,
}

impl LayerWriter<'_, '_> {
    /// Writes all layers among the children of an element.
    pub fn layers(&mut self, parent: Element<'_>, depth: u32) -> Result<(), SourceError> {
        for layer in parent.children() {
            let tag = layer.tag();
            if !matches!(tag, "layer" | "objectgroup" | "imagelayer" | "group") {
                continue;
            }
            let name = layer.attribute("name").unwrap_or_default();
            let place = format!("layer \"{}\"", shorten(name));
            if depth > MAX_GROUP_DEPTH {
                let problem = format!("layer groups are nested more than {MAX_GROUP_DEPTH} deep");
                return Err(layer.fault(&place, problem, "flatten them").into());
            }
            begin(layer, &place, self.out)?;
            let line = properties::line_of(layer);
            properties::write(layer, Some(line), &place, self.out)?;
            match tag {
                "layer" => self.tiles(layer, &place)?,
                "objectgroup" => self.objects(layer, &place)?,
                "group" => self.layers(layer, depth + 1)?,
                _ => {
                    if let Some(image) = layer.child("image") {
                        tilesets::write_image(image, [1, 1], self.out);
                    }
                }
            }
            write!(self.out, "</{tag}>");
        }
        Ok(())
    }

    fn objects(&mut self, layer: Element<'_>, owner: &str) -> Result<(), SourceError> {
        let heaviest = self.tilesets.heaviest() + self.files.classes.heaviest();
        for object in layer.children_of("object") {
            let place = format!("{} in {owner}", objects::describe(object));
            let template = object
                .attribute("template")
                .map(|reference| self.files.template(object, &place, reference))
                .transpose()?;
            let gid: Option<u32> = object.integer(&place, "gid")?;
            if let Err(problem) = self.tilesets.check(gid.unwrap_or(0)) {
                let advice = "choose another tile for it, or add the missing tileset";
                self.note_impossible(layer, object.fault(&place, problem, advice), 1);
                // It may be where the player begins.
                if template.is_none() {
                    objects::write_without_tile(object, &place, self.out)?;
                }
                continue;
            }
            let shown = gid.map_or(0, |_| heaviest);
            let copied = shown + template.as_ref().map_or(0, |(_, bytes)| *bytes);
            if !cells::take(&mut self.files.copies, copied) {
                let problem =
                    "templates and tiles with large shapes or properties are used too often";
                let advice = "draw simpler shapes, or split the level";
                return Err(object.fault(&place, problem, advice).into());
            }
            let template = template.map(|(name, _)| crate_path(&name));
            let tiles = Some((self.tilesets, 1));
            let template = template.as_deref();
            objects::write(object, &place, tiles, template, false, self.out)?;
        }
        Ok(())
    }

    fn tiles(&mut self, layer: Element<'_>, place: &str) -> Result<(), SourceError> {
        // A layer without data is empty.
        let Some(data) = layer.child("data") else {
            return Ok(());
        };
        let encoding =
            Encoding::of(data).map_err(|problem| data.fault(place, problem, SAVE_AGAIN))?;
        write!(self.out, "<data encoding=\"base64\">");
        if self.infinite {
            for chunk in data.children_of("chunk") {
                let at = [chunk.required(place, "x")?, chunk.required(place, "y")?];
                let area = Area::new(chunk, place, at)?;
                self.charge(chunk, place, area.crate_cells(), area)?;
                let ([x, y], [width, height]) = (area.at, area.size);
                write!(
                    self.out,
                    "<chunk x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">"
                );
                let place = format!("{place}: chunk at {x}, {y}");
                self.cells(layer, chunk, &place, encoding, area)?;
                write!(self.out, "</chunk>");
            }
            if data.child("chunk").is_none() && !data.text().trim().is_empty() {
                let problem = "the map is infinite, but the layer is not stored in chunks";
                return Err(data.fault(place, problem, SAVE_AGAIN).into());
            }
        } else {
            let area = Area::new(layer, place, [0; 2])?;
            self.charge(layer, place, area.cells(), area)?;
            self.cells(layer, data, place, encoding, area)?;
        }
        write!(self.out, "</data>");
        Ok(())
    }

    /// Checks the size of a layer or chunk before anything is allocated for it.
    fn charge(
        &mut self,
        element: Element<'_>,
        place: &str,
        cells: u64,
        area: Area,
    ) -> Result<(), Fault> {
        let mut far = area.at.map(i32::unsigned_abs).into_iter().chain(area.size);
        if far.any(|cells| cells > MAX_CHUNK_POSITION) {
            let problem = format!("cells lie more than {MAX_CHUNK_POSITION} from the origin");
            return Err(element.fault(place, problem, "move the level nearer to the origin"));
        }
        if area.cells() == 0 {
            return Err(element.fault(place, "its width or height is 0", ""));
        }
        if !cells::take(&mut self.files.cells, cells) {
            let problem = format!("with this layer the map has more than {MAX_CELLS} cells");
            return Err(element.fault(place, problem, "split the level"));
        }
        Ok(())
    }

    /// Notes a cell or an object with a tile that does not exist, which is left out:
    /// it matters only in layers with collision.
    fn note_impossible(&mut self, layer: Element<'_>, fault: Fault, count: u32) {
        let name = layer.attribute("name").unwrap_or_default().to_owned();
        let noted = self.files.impossible.entry((layer.line(), name));
        noted.or_insert((fault, 0)).1 += count;
    }

    /// Writes the cells of a `<data>` or `<chunk>` element of a layer.
    fn cells(
        &mut self,
        layer: Element<'_>,
        element: Element<'_>,
        place: &str,
        encoding: Encoding,
        area: Area,
    ) -> Result<(), Fault> {
        let mut cells = cells::decode(element, encoding, area.cells() as usize)
            .map_err(|problem| element.fault(place, problem, SAVE_AGAIN))?;
        let mut last = 0;
        let mut impossible = None;
        let mut count = 0;
        for (i, gid) in cells.iter_mut().enumerate() {
            *gid &= FLIPS | !FLAGS;
            // Neighbouring cells mostly have the same tile.
            if *gid == last {
                continue;
            }
            if let Err(problem) = self.tilesets.check(*gid) {
                let column = i64::from(area.at[0]) + i64::from(i as u32 % area.size[0]);
                let row = i64::from(area.at[1]) + i64::from(i as u32 / area.size[0]);
                let problem = format!("cell {column}, {row}: {problem}");
                let advice = "erase the cell, or add the missing tileset";
                impossible.get_or_insert_with(|| element.fault(place, problem, advice));
                count += 1;
                *gid = 0;
            }
            last = *gid;
        }
        if let Some(fault) = impossible {
            self.note_impossible(layer, fault, count);
        }
        cells::encode(&cells, &mut self.out.xml);
        Ok(())
    }
}

/// The attributes that all layers have.
fn begin(layer: Element<'_>, place: &str, out: &mut Writer<'_>) -> Result<(), Fault> {
    out.begin(layer, place)?;
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
    write!(out, ">");
    Ok(())
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy)]
struct Area {
    at: [i32; 2],
    size: [u32; 2],
}

impl Area {
    fn new(element: Element<'_>, place: &str, at: [i32; 2]) -> Result<Self, Fault> {
        let [width, height] = ["width", "height"].map(|name| element.required(place, name));
        let size = [width?, height?];
        Ok(Self { at, size })
    }

    fn cells(self) -> u64 {
        self.size.into_iter().map(u64::from).product()
    }

    /// The cells that the crate allocates: whole chunks of its own.
    fn crate_cells(self) -> u64 {
        let span = |axis: usize| {
            let from = i64::from(self.at[axis]);
            let to = from + i64::from(self.size[axis]);
            let blocks = (to - 1).div_euclid(CRATE_CHUNK) - from.div_euclid(CRATE_CHUNK) + 1;
            (blocks.max(0) * CRATE_CHUNK) as u64
        };
        span(0).saturating_mul(span(1))
    }
}
