//! Checking tilesets, with the shapes and properties of their tiles, and references to
//! tiles.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;

use super::crate_reader::crate_path;
use super::files::{Template, real_name};
use super::guard::{Guard, MISSING_PROPERTY};
use super::tree::{self, Element, SAVE_AGAIN};
use crate::source::error::{Fault, SourceError};
use crate::source::files::resolve;
use crate::source::limits::MAX_TILE_SIDE;
use crate::source::text::{TextFile, shorten};

/// The most tilesets of one map. The `tiled` crate searches them one by one for
/// every cell, so this times [`MAX_CELLS`](crate::source::limits::MAX_CELLS) bounds its work.
const MAX_TILESETS: usize = 1000;

/// The most tiles of one tileset. Global tile ids have 28 bits for the tiles
/// of all tilesets.
const MAX_TILES: u32 = 1 << 24;

/// The bits of a global tile id that are flip flags.
pub const FLIPS: u32 = 0xe000_0000;

/// The bits of a global tile id that are flags. The lowest turns tiles of hexagonal
/// maps; Tiled ignores it in others.
pub const FLAGS: u32 = 0xf000_0000;

/// A tileset that was checked.
#[derive(Debug)]
struct Tileset {
    name: String,
    /// Its file; `None` for one that is part of a map.
    file: Option<String>,
    /// All local ids below this exist: the tiles of one image.
    below: u32,
    /// These exist too: a collection of images.
    listed: BTreeSet<u32>,
    /// What follows its first id in the XML of the map.
    xml: String,
}

/// The tilesets of a map and of its templates, by their first global ids.
#[derive(Debug, Default)]
pub struct Tilesets {
    all: BTreeMap<u32, Tileset>,
    /// The bytes of the largest tile, with shapes and properties.
    pub heaviest: u64,
}

impl Tilesets {
    /// Writes them in ascending order: the `tiled` crate searches from the end.
    pub fn write(&self, out: &mut String) {
        for (first, tileset) in &self.all {
            let _ = write!(out, "<tileset firstgid=\"{first}\"");
            out.push_str(&tileset.xml);
        }
    }

    /// An error when a global tile id, with its flags, is not 0 and not of
    /// one of the tilesets.
    pub fn check(&self, gid: u32) -> Result<(), String> {
        let id = gid & !FLAGS;
        match self.all.range(..=id).next_back() {
            _ if id == 0 => Ok(()),
            Some((first, tileset)) => tileset.check(id, id - first),
            None => Err(format!("tile id {id} lies before the first tileset")),
        }
    }
}

impl Tileset {
    fn check(&self, id: u32, local: u32) -> Result<(), String> {
        if local < self.below || self.listed.contains(&local) {
            return Ok(());
        }
        Err(format!(
            "tile id {id} does not exist: it would be tile {local} of tileset \"{}\", which has no such tile",
            self.name
        ))
    }

    /// The number of ids from its first one to its last one.
    fn span(&self) -> u32 {
        self.below
            .max(self.listed.last().map_or(0, |last| last + 1))
    }
}

impl Guard<'_> {
    /// Adds a tileset that a map lists, unless it is empty or listed before: empty ones may
    /// share their first id with another.
    pub fn tileset(&mut self, element: &Element<'_>) -> Result<(), SourceError> {
        let (first, tileset) = self.read_tileset(element)?;
        let place = format!("tileset \"{}\"", tileset.name);
        match self.tilesets.all.get(&first) {
            _ if tileset.span() == 0 => {}
            Some(known) if known.file.is_some() && known.file == tileset.file => {}
            Some(known) => {
                let problem = format!("firstgid is {first}, as for tileset \"{}\"", known.name);
                let advice = "remove one of them from the map and add it again";
                return Err(element.fault(&place, problem, advice).into());
            }
            None => self.add(element, first, tileset)?,
        }
        Ok(())
    }

    fn add(&mut self, element: &Element<'_>, first: u32, tileset: Tileset) -> Result<(), Fault> {
        if self.tilesets.all.len() == MAX_TILESETS {
            let problem = format!("the map has more than {MAX_TILESETS} tilesets");
            return Err(element.fault("", problem, "remove tilesets that are not used"));
        }
        self.tilesets.all.insert(first, tileset);
        Ok(())
    }

    /// The global id of the tile that the object of a template shows. The ids of templates
    /// are those of their own tileset, which is added to the map where it does not have it.
    pub fn template_tile(&mut self, template: &Template) -> Result<Option<u32>, SourceError> {
        let object = &template.object;
        let place = object.place("the template");
        let Some(gid) = object
            .integer::<u32>(&place, "gid")?
            .filter(|gid| gid & !FLAGS != 0)
        else {
            return Ok(None);
        };
        let advice = "choose another tile for it, or add the missing tileset";
        let id = gid & !FLAGS;
        let nothing = || format!("tile id {id} lies before the first tileset");
        let Some(element) = &template.tileset else {
            return Err(object.fault(&place, nothing(), advice).into());
        };
        let file = match element.attribute("source") {
            Some(source) => real_name(element, &place, source)?,
            None => object.file.to_string(),
        };
        let all = &self.tilesets.all;
        let known = all
            .iter()
            .find(|(_, tileset)| tileset.file.as_ref() == Some(&file));
        let listed: u32 = element.required(&place, "firstgid")?;
        let first = if let Some((first, _)) = known {
            *first
        } else {
            let (_, tileset) = self.read_tileset(element)?;
            let tileset = Tileset {
                file: Some(file),
                ..tileset
            };
            let last = self.tilesets.all.last_key_value();
            let first = last.map_or(1, |(first, last)| first + last.span());
            if first.saturating_add(tileset.span()) > !FLAGS {
                let problem = "the map has too many tiles";
                return Err(object.fault(&place, problem, "remove tilesets").into());
            }
            self.add(element, first, tileset)?;
            first
        };
        let checked = id
            .checked_sub(listed)
            .ok_or_else(nothing)
            .and_then(|local| {
                let tileset = self.tilesets.all.get(&first).ok_or_else(nothing)?;
                tileset
                    .check(id, local)
                    .map(|()| gid & FLIPS | (first + local))
            });
        let shown = checked.map_err(|problem| object.fault(&place, problem, advice))?;
        Ok(Some(shown))
    }

    /// Reads a tileset as a map or template lists it, with its first id there.
    fn read_tileset(&mut self, element: &Element<'_>) -> Result<(u32, Tileset), SourceError> {
        let source = element.attribute("source");
        let shown = source.or(element.attribute("name")).unwrap_or_default();
        let place = format!("tileset \"{}\"", shorten(shown));
        let first: u32 = element.required(&place, "firstgid")?;
        if first == 0 || first & FLAGS != 0 {
            let problem = format!("firstgid is {first}, which is not a tile id");
            return Err(element.fault(&place, problem, "").into());
        }
        let Some(source) = source else {
            return Ok((first, self.checked_tileset(element)?));
        };
        let name = real_name(element, &place, source)?;
        let mut tileset = match self.files.open(element, &place, &name) {
            Ok(bytes) => {
                let text = TextFile::new(&name, &bytes, SAVE_AGAIN)?;
                self.checked_tileset(&tree::parse(&text, "tileset")?)?
            }
            Err(SourceError::Io {
                error,
                referrer: Some(referrer),
                ..
            }) if error.kind() == io::ErrorKind::NotFound => {
                self.files.missing.insert(name.clone(), referrer);
                self.missing_tileset(&name)
            }
            Err(error) => return Err(error),
        };
        tileset.file = Some(name);
        Ok((first, tileset))
    }

    /// Any number of tiles without shapes and properties. Reading their layers decides
    /// whether they matter.
    fn missing_tileset(&mut self, name: &str) -> Tileset {
        let layers = std::mem::take(&mut self.out);
        self.out.push_str(
            " name=\"missing\" tilewidth=\"1\" tileheight=\"1\" tilecount=\"0\" columns=\"1\">\
             <image source=\"/\" width=\"1\" height=\"1\"/><properties>",
        );
        self.property(MISSING_PROPERTY, name);
        self.out.push_str("</properties></tileset>");
        Tileset {
            name: name.to_owned(),
            file: None,
            below: MAX_TILES,
            listed: BTreeSet::new(),
            xml: std::mem::replace(&mut self.out, layers),
        }
    }

    /// Checks the content of a tileset.
    fn checked_tileset(&mut self, element: &Element<'_>) -> Result<Tileset, SourceError> {
        let name = element.attribute("name").unwrap_or_default().to_owned();
        let place = format!("tileset \"{name}\"");
        let image = element.child("image");
        let sides = ["tilewidth", "tileheight"].map(|name| element.integer(&place, name));
        let [width, height] = sides;
        let size = [width?, height?].map(|side: Option<u32>| side.unwrap_or(0));
        if image.is_some() && size.contains(&0) {
            let advice = "set tilewidth and tileheight";
            return Err(element
                .fault(&place, "its tiles have no size", advice)
                .into());
        }
        if let Some(side) = size.iter().find(|side| **side > MAX_TILE_SIDE) {
            let problem =
                format!("its tiles have a side of {side} pixels, more than {MAX_TILE_SIDE}");
            return Err(element.fault(&place, problem, "").into());
        }
        let layers = std::mem::take(&mut self.out);
        self.attributes(element, &place)?;
        for name in ["tilewidth", "tileheight"] {
            if element.attribute(name).is_none() {
                self.attribute(name, 0);
            }
        }
        if element.attribute("name").is_none() {
            self.attribute("name", "");
        }
        self.attribute("class", element.attribute("type").unwrap_or_default());
        // Only listed tiles matter. The crate would allocate as many as `tilecount`
        // says.
        self.out.push_str(" tilecount=\"0\" columns=\"1\">");
        let before = self.out.len();
        self.properties(element, &place)?;
        let shared = (self.out.len() - before) as u64;
        if let Some(offset) = element.child("tileoffset") {
            let [x, y] = ["x", "y"].map(|axis| offset.number(&place, axis));
            let [x, y] = [x?, y?].map(|offset| offset.unwrap_or(0.0).round() as i32);
            let _ = write!(self.out, "<tileoffset x=\"{x}\" y=\"{y}\"/>");
        }
        if let Some(image) = image {
            self.image(image, size);
        }
        let mut listed = BTreeSet::new();
        for tile in element.children_of("tile") {
            let before = self.out.len();
            listed.insert(self.tile(tile, &place)?);
            let bytes = (self.out.len() - before) as u64;
            self.tilesets.heaviest = self.tilesets.heaviest.max(bytes + shared);
        }
        self.out.push_str("</tileset>");
        Ok(Tileset {
            below: tiles_below(
                element,
                size,
                &place,
                listed.last().map_or(0, |last| last + 1),
            )?,
            name,
            file: None,
            listed,
            xml: std::mem::replace(&mut self.out, layers),
        })
    }

    /// Writes an image. Its name becomes relative to the map's folder; the file is
    /// opened only to draw the map. The crate requires a size.
    pub fn image(&mut self, image: &Element<'_>, [width, height]: [u32; 2]) {
        let source = image.attribute("source").unwrap_or_default();
        let name = resolve(&image.file, source).unwrap_or_else(|_| source.to_owned());
        let mut image = image.clone();
        image.replace("width", width.to_string());
        image.replace("height", height.to_string());
        self.out.push_str("<image");
        // No width or height is an error.
        let _ = self.attributes(&image, "");
        self.attribute("source", crate_path(&name));
        self.out.push_str("/>");
    }

    /// Writes a tile of a tileset, and returns its number.
    fn tile(&mut self, tile: &Element<'_>, owner: &str) -> Result<u32, SourceError> {
        let place = tile.place(owner);
        let id: u32 = tile.required(owner, "id")?;
        if id >= MAX_TILES {
            let problem = format!("tile id {id} is too large; the limit is {MAX_TILES} tiles");
            return Err(tile.fault(&place, problem, "").into());
        }
        self.out.push_str("<tile");
        self.attributes(tile, &place)?;
        self.out.push('>');
        if let Some(image) = tile.child("image") {
            // A tile without a size has that of the tileset, see `tile_size`.
            if let Some([width, height]) = size_of(tile, &place)?.or(size_of(image, &place)?) {
                if width > MAX_TILE_SIDE || height > MAX_TILE_SIDE {
                    let problem = format!(
                        "its image has {width} x {height} pixels; the limit is {MAX_TILE_SIDE} a side"
                    );
                    return Err(image.fault(&place, problem, "").into());
                }
                self.image(image, [width, height]);
            }
        }
        self.properties(tile, &place)?;
        if let Some(shapes) = tile.child("objectgroup") {
            self.out.push_str("<objectgroup>");
            for shape in shapes.children_of("object") {
                let place = shape.place(&place);
                let template = match shape.attribute("template") {
                    Some(reference) => Some(self.files.template(shape, &place, reference)?),
                    None => None,
                };
                let template = template.as_deref();
                self.object(
                    shape,
                    &place,
                    None,
                    template.map(|template| &template.object),
                )?;
            }
            self.out.push_str("</objectgroup>");
        }
        self.out.push_str("</tile>");
        Ok(id)
    }
}

/// The size of an element, if it has one.
fn size_of(element: &Element<'_>, place: &str) -> Result<Option<[u32; 2]>, Fault> {
    let [width, height] = ["width", "height"].map(|name| element.integer(place, name));
    Ok(width?.zip(height?).map(<[u32; 2]>::from))
}

/// The number below which all ids of a tileset exist. `least` is the lowest that is not
/// below a listed tile.
fn tiles_below(
    element: &Element<'_>,
    [width, height]: [u32; 2],
    place: &str,
    least: u32,
) -> Result<u32, Fault> {
    let declared: Option<u32> = element.integer(place, "tilecount")?;
    if let Some(count) = declared.filter(|count| *count > MAX_TILES) {
        let problem = format!("it declares {count} tiles; the limit is {MAX_TILES}");
        return Err(element.fault(place, problem, ""));
    }
    let Some(image) = element.child("image") else {
        // Some generated maps have no image at all, only a count.
        let is_plain = !element
            .children_of("tile")
            .any(|tile| tile.child("image").is_some());
        return Ok(declared
            .filter(|_| is_plain)
            .map_or(0, |count| count.max(least)));
    };
    if let Some(count) = declared.filter(|count| *count > 0) {
        return Ok(count.max(least));
    }
    // Old maps have no count: it follows from the size of the image. When that is not
    // given, there may be any number.
    let spacing = element.integer::<u32>(place, "spacing")?.unwrap_or(0);
    let margin = element.integer::<u32>(place, "margin")?.unwrap_or(0);
    let fit = |length: u32, tile: u32| {
        let room = u64::from(length) + u64::from(spacing);
        room.saturating_sub(u64::from(margin)) / (u64::from(tile) + u64::from(spacing))
    };
    let count = size_of(image, place)?.map(|[w, h]| fit(w, width).saturating_mul(fit(h, height)));
    let most = u64::from(MAX_TILES);
    Ok((count.unwrap_or(most).min(most) as u32).max(least))
}
