//! Checking a map before the `tiled` crate reads it.
//!
//! The `tiled` crate panics on layer data that are too short, overflows the
//! stack on deep groups, allocates as much as a count says, follows templates
//! in circles, accepts tile ids past the last tileset, refuses some maps that
//! Tiled ships, and its errors name no place. So every element is checked here, with
//! errors that name file and line, and written to one XML document that holds only what
//! matters: tilesets and templates in place, all cells as base64, all classes as
//! `type`, all properties as text. The crate reads that document and opens no file.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};

use super::cell_data;
use super::classes::Classes;
use super::files::Files;
use super::tilesets::{FLAGS, FLIPS, Tilesets};
use super::tree::{self, Element, SAVE_AGAIN, coordinate};
use crate::source::error::{Fault, SourceError};
use crate::source::files::{LevelBytes, input};
use crate::source::json::MAX_NESTING;
use crate::source::level_file::InputFile;
use crate::source::limits::{
    MAX_CELLS, MAX_COPIED_BYTES, MAX_GROUP_DEPTH, MAX_POINTS, MAX_TILE_SIDE,
};
use crate::source::text::{TextFile, shorten};

/// The property that holds the line of an object or layer. The `tiled` crate
/// has no other field that could.
pub const LINE_PROPERTY: &str = "navbake:line";

/// The property that holds the line and the file of the outline of an object, if that is
/// another file than the map: a template or a tileset.
pub const SOURCE_PROPERTY: &str = "navbake:source";

/// The property of a tileset whose file does not exist: the name of that file.
pub const MISSING_PROPERTY: &str = "navbake:missing";

/// What the names of properties begin with that an element has by the default of its
/// class. Those of the tile that an object shows come before them.
pub const DEFAULT_PREFIX: &str = "navbake:default:";

/// The side of the chunks in which the `tiled` crate keeps infinite maps,
/// whatever the side in the file.
const CRATE_CHUNK: i64 = 16;

/// The furthest a chunk may lie from the origin, cells. With cells of 4 pixels
/// or more, what lies further is beyond the coordinates that are read anyway;
/// with smaller cells it keeps sums of positions and sizes within i32.
const MAX_CHUNK_POSITION: u32 = 1 << 22;

/// The words for the point of a tile that is at the position of an object.
const ALIGNMENTS: &str = "\
    unspecified topleft top topright left center right bottomleft bottom bottomright";

/// A map that the `tiled` crate can read.
pub struct CheckedMap {
    pub xml: String,
    /// Every file read, the map first, then by name.
    pub inputs: Vec<InputFile>,
    /// Tilesets that do not exist, and what refers to them.
    pub missing: BTreeMap<String, String>,
    /// The first cell or object with a tile that does not exist, and how many there
    /// are, by the line and name of their layer.
    pub impossible: BTreeMap<(u32, String), (Fault, u32)>,
    /// Why the defaults of classes are not known.
    pub class_fault: Option<Fault>,
}

/// Checks a map and every file it refers to.
pub fn check(file: LevelBytes<'_>) -> Result<CheckedMap, SourceError> {
    let mut guard = Guard {
        name: file.name,
        files: Files::new(file.files),
        classes: OnceCell::new(),
        tilesets: Tilesets::default(),
        impossible: BTreeMap::new(),
        infinite: false,
        cells: MAX_CELLS,
        copies: MAX_COPIED_BYTES,
        out: String::new(),
    };
    guard.files.charge(file.name, file.bytes)?;
    let text = TextFile::new(file.name, file.bytes, SAVE_AGAIN)?;
    guard.map(&tree::parse(&text, "map")?)?;
    let classes = guard.classes.into_inner().unwrap_or_default();
    let others = guard.files.read.into_iter().chain(classes.file);
    let others: BTreeSet<String> = others.filter(|name| name != file.name).collect();
    let names = std::iter::once(file.name).chain(others.iter().map(String::as_str));
    Ok(CheckedMap {
        xml: guard.out,
        inputs: names.map(|name| input(file.files, name)).collect(),
        missing: guard.files.missing,
        impossible: guard.impossible,
        class_fault: classes.fault,
    })
}

/// Subtracts from an amount that may still be used; false when less than that is left.
pub fn take(left: &mut u64, amount: u64) -> bool {
    let rest = left.checked_sub(amount);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

/// The map as far as it was checked.
pub struct Guard<'f> {
    name: &'f str,
    pub files: Files<'f>,
    /// The classes of its project. It is read for the first element with a class.
    classes: OnceCell<Classes>,
    pub tilesets: Tilesets,
    impossible: BTreeMap<(u32, String), (Fault, u32)>,
    infinite: bool,
    /// How many cells layers may still have.
    cells: u64,
    /// How many bytes may still be copied from templates, tiles and classes.
    copies: u64,
    /// The XML that is being written.
    pub out: String,
}

impl Guard<'_> {
    fn map(&mut self, map: &Element<'_>) -> Result<(), SourceError> {
        let orientation = map.attribute("orientation").unwrap_or("orthogonal");
        if orientation != "orthogonal" {
            let problem = format!("the map is {}", shorten(orientation));
            let advice = "set the orientation to orthogonal; no other is read";
            return Err(map.fault("", problem, advice).into());
        }
        for name in ["width", "height", "tilewidth", "tileheight"] {
            let side = map.required::<u32>("", name)?;
            if name.starts_with("tile") && !(1..=MAX_TILE_SIDE).contains(&side) {
                let problem = format!("{name} is {side}, not 1 to {MAX_TILE_SIDE} pixels");
                let advice = "set the tile size in Tiled's map properties";
                return Err(map.fault("", problem, advice).into());
            }
        }
        self.infinite = matches!(map.attribute("infinite"), Some("1" | "true"));
        for tileset in map.children_of("tileset") {
            self.tileset(tileset)?;
        }
        // Layers add the tilesets of templates.
        self.layers(map, 0)?;
        let layers = std::mem::take(&mut self.out);
        self.out
            .push_str("<map version=\"1.10\" orientation=\"orthogonal\"");
        self.attributes(map, "")?;
        self.out.push('>');
        self.tilesets.write(&mut self.out);
        self.out.push_str(&layers);
        self.out.push_str("</map>");
        Ok(())
    }

    /// Writes the attributes of an element that matter into its tag, which is open. Colours
    /// and shares are only for drawing, so others are left out instead of being errors.
    pub fn attributes(&mut self, element: &Element<'_>, place: &str) -> Result<(), Fault> {
        for (name, value) in &element.attributes {
            let number = match *name {
                "x" | "y" | "width" | "height" if element.tag != "object" => {
                    let number: Option<i32> = element.integer(place, name)?;
                    number
                        .filter(|n| *n >= 0 || element.tag == "tile")
                        .map(|n| n.to_string())
                }
                "id" | "margin" | "spacing" | "tilewidth" | "tileheight" => {
                    element.integer::<u32>(place, name)?.map(|n| n.to_string())
                }
                "x" | "y" | "width" | "height" | "rotation" | "offsetx" | "offsety"
                | "parallaxx" | "parallaxy" => element.number(place, name)?.map(|n| n.to_string()),
                "opacity" => {
                    let share = value.parse().ok().filter(|share: &f32| share.is_finite());
                    share.map(|share| share.to_string())
                }
                // Tiled writes 0 and 1, other programs write words.
                "visible" | "infinite" | "repeatx" | "repeaty" => {
                    Some(u8::from(!matches!(&**value, "0" | "false")).to_string())
                }
                "backgroundcolor" | "tintcolor" | "trans" => {
                    let digits = value.strip_prefix('#').unwrap_or(value);
                    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                    (is_hex && matches!(digits.len(), 6 | 8)).then(|| value.clone())
                }
                "tilerendersize" => element.word(place, name, "tile grid")?,
                "fillmode" => element.word(place, name, "stretch preserve-aspect-fit")?,
                "objectalignment" => element.word(place, name, ALIGNMENTS)?,
                // The class of a tileset has another name.
                "type" if element.tag == "tileset" => None,
                "name" | "type" => Some(value.clone()),
                _ => None,
            };
            if let Some(number) = number {
                self.attribute(name, number);
            }
        }
        Ok(())
    }

    /// Appends an attribute to a tag that is still open.
    pub fn attribute(&mut self, name: &str, value: impl Display) {
        let _ = write!(self.out, " {name}=\"");
        for c in value.to_string().chars() {
            match c {
                '<' => self.out.push_str("&lt;"),
                '&' => self.out.push_str("&amp;"),
                '"' => self.out.push_str("&quot;"),
                '\t' => self.out.push_str("&#9;"),
                '\n' => self.out.push_str("&#10;"),
                '\r' => self.out.push_str("&#13;"),
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    /// Writes the layers among the children of an element.
    fn layers(&mut self, parent: &Element<'_>, depth: u32) -> Result<(), SourceError> {
        for layer in &parent.children {
            let tag = layer.tag;
            if !matches!(tag, "layer" | "objectgroup" | "imagelayer" | "group") {
                continue;
            }
            let place = layer.place("");
            if depth > MAX_GROUP_DEPTH {
                let problem = format!("layer groups are nested more than {MAX_GROUP_DEPTH} deep");
                return Err(layer.fault(&place, problem, "flatten them").into());
            }
            let _ = write!(self.out, "<{tag}");
            self.attributes(layer, &place)?;
            if tag == "layer" {
                for name in ["width", "height"] {
                    layer.required::<u32>(&place, name)?;
                }
            }
            self.out.push('>');
            self.properties(layer, &place)?;
            match tag {
                "layer" => self.tiles(layer, &place)?,
                "objectgroup" => {
                    for object in layer.children_of("object") {
                        self.layer_object(layer, object, &place)?;
                    }
                }
                "group" => self.layers(layer, depth + 1)?,
                _ => layer
                    .children_of("image")
                    .for_each(|image| self.image(image, [1, 1])),
            }
            let _ = write!(self.out, "</{tag}>");
        }
        Ok(())
    }

    fn tiles(&mut self, layer: &Element<'_>, place: &str) -> Result<(), SourceError> {
        // A layer without data is empty.
        let Some(data) = layer.child("data") else {
            return Ok(());
        };
        self.out.push_str("<data encoding=\"base64\">");
        if !self.infinite {
            self.cells(layer, data, data, Area::new(layer, place, [0; 2])?, place)?;
        } else if data.child("chunk").is_none() && !data.text.trim().is_empty() {
            let problem = "the map is infinite, but the layer is not stored in chunks";
            return Err(data.fault(place, problem, SAVE_AGAIN).into());
        }
        let chunks = if self.infinite {
            data.children.as_slice()
        } else {
            &[]
        };
        for chunk in chunks.iter().filter(|child| child.tag == "chunk") {
            let at = [chunk.required(place, "x")?, chunk.required(place, "y")?];
            let area = Area::new(chunk, place, at)?;
            let ([x, y], [width, height]) = (area.at, area.size);
            let _ = write!(
                self.out,
                "<chunk x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">"
            );
            self.cells(
                layer,
                data,
                chunk,
                area,
                &format!("{place}: chunk at {x}, {y}"),
            )?;
            self.out.push_str("</chunk>");
        }
        self.out.push_str("</data>");
        Ok(())
    }

    /// Writes the cells of a `<data>` or `<chunk>` element of a layer.
    fn cells(
        &mut self,
        layer: &Element<'_>,
        data: &Element<'_>,
        part: &Element<'_>,
        area: Area,
        place: &str,
    ) -> Result<(), Fault> {
        let mut far = area.at.map(i32::unsigned_abs).into_iter().chain(area.size);
        if far.any(|cells| cells > MAX_CHUNK_POSITION) {
            let problem = format!("cells lie more than {MAX_CHUNK_POSITION} from the origin");
            return Err(part.fault(place, problem, "move the level nearer to the origin"));
        }
        if area.cells() == 0 {
            return Err(part.fault(place, "its width or height is 0", ""));
        }
        let allocated = if self.infinite {
            area.crate_cells()
        } else {
            area.cells()
        };
        if !take(&mut self.cells, allocated) {
            let problem = format!("with this layer the map has more than {MAX_CELLS} cells");
            return Err(part.fault(place, problem, "split the level"));
        }
        let mut cells = cell_data::decode(data, part, area.cells() as usize)
            .map_err(|problem| part.fault(place, problem, SAVE_AGAIN))?;
        let (mut last, mut impossible, mut count) = (0, None, 0);
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
                impossible.get_or_insert_with(|| part.fault(place, problem, advice));
                count += 1;
                *gid = 0;
            }
            last = *gid;
        }
        if let Some(fault) = impossible {
            self.note_impossible(layer, fault, count);
        }
        self.out.push_str(&cell_data::encode(&cells));
        Ok(())
    }

    /// Notes a cell or an object with a tile that does not exist, which is left out:
    /// it matters only in layers with collision.
    fn note_impossible(&mut self, layer: &Element<'_>, fault: Fault, count: u32) {
        let name = layer.attribute("name").unwrap_or_default().to_owned();
        let noted = self.impossible.entry((layer.line, name));
        noted.or_insert((fault, 0)).1 += count;
    }

    /// Writes an object of a layer, with what it has from its template.
    fn layer_object(
        &mut self,
        layer: &Element<'_>,
        object: &Element<'_>,
        owner: &str,
    ) -> Result<(), SourceError> {
        let place = object.place(owner);
        let before = self.out.len();
        let template = match object.attribute("template") {
            Some(reference) => Some(self.files.template(object, &place, reference)?),
            None => None,
        };
        let mut shown = object.integer::<u32>(&place, "gid")?;
        if shown.is_none()
            && let Some(template) = &template
        {
            shown = self.template_tile(template)?;
        }
        if let Err(problem) = self.tilesets.check(shown.unwrap_or(0)) {
            let advice = "choose another tile for it, or add the missing tileset";
            self.note_impossible(layer, object.fault(&place, problem, advice), 1);
            // It is where the tile would be drawn: it may be where the player begins.
            let mut plain = object.clone();
            let [y, height] = ["y", "height"].map(|name| object.number(&place, name));
            let y = y?.unwrap_or_default() - height?.unwrap_or_default();
            plain.replace("y", y.to_string());
            plain.children.retain(|child| child.tag == "properties");
            return Ok(self.object(&plain, &place, None, None)?);
        }
        let is_copied = shown.is_some() || template.is_some();
        let inherited = template.as_ref().map(|template| &template.object);
        self.object(object, &place, shown, inherited)?;
        let tile = shown.map_or(0, |_| self.tilesets.heaviest);
        let copied = (self.out.len() - before) as u64 + tile;
        if is_copied && !take(&mut self.copies, copied) {
            return Err(too_heavy(object, &place).into());
        }
        Ok(())
    }

    /// Writes an object that shows a tile of this global id.
    pub fn object(
        &mut self,
        own: &Element<'_>,
        place: &str,
        gid: Option<u32>,
        template: Option<&Element<'_>>,
    ) -> Result<(), Fault> {
        let mut object = own.clone();
        if let Some(template) = template {
            object.inherit(template);
        }
        self.out.push_str("<object");
        self.attributes(&object, place)?;
        if let Some(gid) = gid.filter(|gid| gid & !FLAGS != 0) {
            self.attribute("gid", gid & (FLIPS | !FLAGS));
        }
        self.out.push('>');
        if let Some(outline) = object.outline() {
            let tag = outline.tag;
            let _ = write!(self.out, "<{tag}");
            if let "polygon" | "polyline" = tag {
                self.attribute("points", points(outline, place)?);
            }
            self.out.push_str("/>");
        }
        self.properties(&object, place)?;
        self.out.push_str("</object>");
        Ok(())
    }

    /// Writes all properties of an element as text, the defaults of its class that it does
    /// not have, and its place.
    pub fn properties(&mut self, owner: &Element<'_>, place: &str) -> Result<(), Fault> {
        let mut all = Vec::new();
        // Names of properties, or of the element itself, with the class of each.
        let mut typed = Vec::new();
        for list in owner.children_of("properties") {
            for property in list.children_of("property") {
                let name = property.required::<String>(place, "name")?;
                if let Some(class) = property.attribute("propertytype") {
                    typed.push((format!("{name}."), class, "property"));
                }
                flatten(property, name, MAX_NESTING, &mut all);
            }
        }
        let kind = match owner.tag {
            "objectgroup" | "imagelayer" | "group" => "layer",
            tag => tag,
        };
        let class = owner.attribute("type").unwrap_or_default();
        typed.push((String::new(), class, kind));
        let mut known = BTreeSet::new();
        all.retain(|(name, _)| known.insert(name.clone()));
        for (prefix, class, kind) in typed.into_iter().filter(|(_, class, _)| !class.is_empty()) {
            let classes = self
                .classes
                .get_or_init(|| Classes::read(self.files.provider));
            for (member, value) in classes.defaults(class, kind).into_iter().flatten() {
                let name = format!("{prefix}{member}");
                let default = format!("{DEFAULT_PREFIX}{name}");
                if known.insert(name) {
                    if !take(&mut self.copies, (default.len() + value.len()) as u64) {
                        return Err(too_heavy(owner, place));
                    }
                    all.push((default, value.clone()));
                }
            }
        }
        self.out.push_str("<properties>");
        for (name, value) in all {
            self.property(&name, &value);
        }
        if let "object" | "layer" = kind {
            let is_in_map = *owner.file == *self.name;
            if is_in_map {
                self.property(LINE_PROPERTY, &owner.line.to_string());
            }
            let own = (!is_in_map).then_some((owner.line, &owner.file));
            if let Some((line, file)) = owner.source.as_ref().map(|(l, f)| (*l, f)).or(own) {
                self.property(SOURCE_PROPERTY, &format!("{line} {file}"));
            }
        }
        self.out.push_str("</properties>");
        Ok(())
    }

    pub fn property(&mut self, name: &str, value: &str) {
        self.out.push_str("<property");
        self.attribute("name", name);
        self.attribute("value", value);
        self.out.push_str("/>");
    }
}

fn too_heavy(object: &Element<'_>, place: &str) -> Fault {
    let problem = "templates, tiles or classes with large shapes or properties are used too often";
    object.fault(
        place,
        problem,
        "draw simpler shapes, remove properties, or split the level",
    )
}

/// Members of classes become `outer.member`, items of lists `outer.0`.
fn flatten(property: &Element<'_>, name: String, nesting: u32, all: &mut Vec<(String, String)>) {
    match property.attribute("type") {
        Some("class") if nesting > 0 => {
            let members = property.child("properties");
            for member in members.iter().flat_map(|list| &list.children) {
                if let Some(inner) = member.attribute("name") {
                    flatten(member, format!("{name}.{inner}"), nesting - 1, all);
                }
            }
        }
        Some("list") if nesting > 0 => {
            for (i, item) in property.children_of("item").enumerate() {
                flatten(item, format!("{name}.{i}"), nesting - 1, all);
            }
        }
        _ => {
            // Text of several lines is stored as content.
            let value = property.attribute("value").unwrap_or(&property.text);
            all.push((name, value.to_owned()));
        }
    }
}

/// Points in the form that the crate parses: one space between them, no
/// exponents.
fn points(shape: &Element<'_>, place: &str) -> Result<String, Fault> {
    let mut out = Vec::new();
    let text = shape.attribute("points").unwrap_or_default();
    for (i, pair) in text.split_ascii_whitespace().enumerate() {
        if i == MAX_POINTS {
            let problem = format!("more than {MAX_POINTS} points");
            return Err(shape.fault(place, problem, "draw it as several objects"));
        }
        let parsed = pair
            .split_once(',')
            .and_then(|(x, y)| Some((coordinate(x)?, coordinate(y)?)));
        let (x, y) = parsed.ok_or_else(|| {
            let problem = format!("point {} is \"{}\", not x,y", i + 1, shorten(pair));
            shape.fault(place, problem, "")
        })?;
        out.push(format!("{x},{y}"));
    }
    if out.is_empty() {
        return Err(shape.fault(place, "it has no points", "delete it, or draw it again"));
    }
    Ok(out.join(" "))
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy)]
struct Area {
    at: [i32; 2],
    size: [u32; 2],
}

impl Area {
    fn new(element: &Element<'_>, place: &str, at: [i32; 2]) -> Result<Self, Fault> {
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
