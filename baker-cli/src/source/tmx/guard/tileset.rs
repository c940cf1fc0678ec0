//! Tilesets: which tile ids there are, and the tiles' shapes and properties.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::object;
use super::properties;
use super::xml::{Element, Writer};
use crate::source::error::Fault;

/// The most tiles of one tileset.
const MAX_TILES: u32 = 1 << 24;

/// The bits of a global tile id that are flip flags.
pub(super) const FLIPS: u32 = 0xe000_0000;

/// Which local tile ids a tileset has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ids {
    /// All below a number: the tiles of one image.
    Below(u32),
    /// These: a collection of images.
    Among(BTreeSet<u32>),
    /// Nothing says how many.
    Unknown,
}

impl Ids {
    pub(super) fn contains(&self, id: u32) -> bool {
        match self {
            Self::Below(count) => id < *count,
            Self::Among(ids) => ids.contains(&id),
            Self::Unknown => id < MAX_TILES,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Below(count) => *count == 0,
            Self::Among(ids) => ids.is_empty(),
            Self::Unknown => false,
        }
    }
}

/// What later stages need to know of a tileset.
#[derive(Debug)]
pub(super) struct Tileset {
    pub(super) name: String,
    pub(super) ids: Ids,
    /// The bytes of its largest tile with all shapes and properties.
    heaviest: u64,
}

/// The tilesets of a map or template with their first global ids, ascending.
#[derive(Debug, Default)]
pub(super) struct Tilesets(Vec<(u32, Rc<Tileset>)>);

impl Tilesets {
    /// Adds a tileset; the error is the one that already begins there. Empty
    /// ones are left out: they may share their first id with another.
    pub(super) fn add(&mut self, first: u32, tileset: Rc<Tileset>) -> Result<bool, Rc<Tileset>> {
        if tileset.ids.is_empty() {
            return Ok(false);
        }
        let at = self.0.partition_point(|(other, _)| *other < first);
        if let Some((other, known)) = self.0.get(at)
            && *other == first
        {
            return Err(Rc::clone(known));
        }
        self.0.insert(at, (first, tileset));
        Ok(true)
    }

    /// The bytes of the largest tile.
    pub(super) fn heaviest(&self) -> u64 {
        self.0
            .iter()
            .map(|(_, tileset)| tileset.heaviest)
            .max()
            .unwrap_or(0)
    }

    /// What is wrong with a global tile id, flip flags included; 0 is fine.
    pub(super) fn check(&self, gid: u32) -> Result<(), String> {
        let id = gid & !FLIPS;
        if id == 0 {
            return Ok(());
        }
        let at = self.0.partition_point(|(first, _)| *first <= id);
        let Some((first, tileset)) = at.checked_sub(1).and_then(|at| self.0.get(at)) else {
            return Err(format!("tile id {id} lies before the first tileset"));
        };
        if tileset.ids.contains(id - first) {
            Ok(())
        } else {
            Err(format!(
                "tile id {id} does not exist: it would be tile {} of tileset \"{}\", which has no such tile",
                id - first,
                tileset.name
            ))
        }
    }
}

/// Writes a tileset anew, `first` before its own attributes when embedded in a
/// map.
pub(super) fn write(
    element: Element<'_, '_>,
    first: Option<u32>,
    out: &mut Writer,
) -> Result<Tileset, Fault> {
    let name = element.attribute("name").unwrap_or_default().to_owned();
    let place = format!("tileset \"{name}\"");
    let image = element.child("image");
    let width: u32 = element.whole(&place, "tilewidth")?.unwrap_or(0);
    let height: u32 = element.whole(&place, "tileheight")?.unwrap_or(0);
    if image.is_some() && (width == 0 || height == 0) {
        return Err(element.fault(
            &place,
            "its tiles have no size",
            "set tilewidth and tileheight",
        ));
    }
    for (value, name) in [(width, "tilewidth"), (height, "tileheight")] {
        if value > 65_536 {
            return Err(element.fault(
                &place,
                format!("{name} is {value}; at most 65536 is read"),
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
    // Only tiles that say something are needed; the parser would make room for
    // as many as this number claims.
    out.attribute("tilecount", 0);
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
    if image.is_some() {
        write_image(width, height, out);
    }
    for tile in element.children().filter(|child| child.tag() == "tile") {
        write_tile(tile, &place, out)?;
    }
    out.end("tileset");
    let tiles = element.children().filter(|child| child.tag() == "tile");
    let heaviest = tiles.map(Element::length).max().unwrap_or(0);
    Ok(Tileset {
        name,
        ids,
        heaviest,
    })
}

/// Images are never opened; the parser only wants one to be there.
fn write_image(width: u32, height: u32, out: &mut Writer) {
    out.begin("image");
    out.attribute("source", "image");
    out.attribute("width", width);
    out.attribute("height", height);
    out.empty();
}

/// Which tiles there are: those of the image, or those listed.
fn ids(
    element: Element<'_, '_>,
    image: Option<Element<'_, '_>>,
    [width, height]: [u32; 2],
    place: &str,
) -> Result<Ids, Fault> {
    let mut listed = BTreeSet::new();
    for tile in element.children().filter(|child| child.tag() == "tile") {
        let id: u32 = tile.required(place, "id")?;
        if id >= MAX_TILES {
            return Err(tile.fault(
                place,
                format!("tile id {id} is too large; at most {MAX_TILES} tiles are read"),
                "",
            ));
        }
        listed.insert(id);
    }
    let declared: Option<u32> = element.whole(place, "tilecount")?;
    if let Some(count) = declared
        && count > MAX_TILES
    {
        return Err(element.fault(
            place,
            format!("it declares {count} tiles; at most {MAX_TILES} are read"),
            "",
        ));
    }
    let Some(image) = image else {
        // Without an image anywhere (some generated maps, and tests) the count
        // is all there is.
        let collection = element
            .children()
            .any(|tile| tile.tag() == "tile" && tile.child("image").is_some());
        return Ok(match declared {
            Some(count) if !collection => {
                Ids::Below(count.max(listed.last().map_or(0, |last| last + 1)))
            }
            _ => Ids::Among(listed),
        });
    };
    let least = listed.last().map_or(0, |last| last + 1);
    if let Some(count) = declared.filter(|count| *count > 0) {
        return Ok(Ids::Below(count.max(least)));
    }
    // Old maps leave the count to be worked out from the image.
    let margin: u32 = element.whole(place, "margin")?.unwrap_or(0);
    let spacing: u32 = element.whole(place, "spacing")?.unwrap_or(0);
    let fit = |length: u32, tile: u32| {
        let room = u64::from(length) + u64::from(spacing);
        room.saturating_sub(u64::from(margin)) / (u64::from(tile) + u64::from(spacing))
    };
    let size = (
        image.whole::<u32>(place, "width")?,
        image.whole::<u32>(place, "height")?,
    );
    Ok(match size {
        (Some(w), Some(h)) => {
            let count = fit(w, width).saturating_mul(fit(h, height));
            Ids::Below((count.min(u64::from(MAX_TILES)) as u32).max(least))
        }
        _ => Ids::Unknown,
    })
}

fn write_tile(tile: Element<'_, '_>, place: &str, out: &mut Writer) -> Result<(), Fault> {
    let id: u32 = tile.required(place, "id")?;
    let place = format!("tile {id} of {place}");
    out.begin("tile");
    out.attribute("id", id);
    out.attribute("type", tile.class());
    // The part of the image that is used, in collections.
    let part = tile
        .whole::<u32>(&place, "width")?
        .zip(tile.whole::<u32>(&place, "height")?);
    out.content();
    if let Some(image) = tile.child("image") {
        let whole = image
            .whole::<u32>(&place, "width")?
            .zip(image.whole::<u32>(&place, "height")?);
        // Without a size the tileset's own is used, see `size_of_tile`.
        if let Some((width, height)) = part.or(whole) {
            if width > 65_536 || height > 65_536 {
                return Err(image.fault(
                    &place,
                    format!(
                        "its image has {width} x {height} pixels; at most 65536 a side are read"
                    ),
                    "",
                ));
            }
            write_image(width, height, out);
        }
    }
    properties::write(tile, None, &place, out)?;
    if let Some(shapes) = tile.child("objectgroup") {
        out.begin("objectgroup");
        out.content();
        for shape in shapes.children().filter(|child| child.tag() == "object") {
            object::write_tile_shape(shape, &place, out)?;
        }
        out.end("objectgroup");
    }
    out.end("tile");
    Ok(())
}
