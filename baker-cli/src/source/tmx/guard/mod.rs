//! What stands between a file and the parser.
//!
//! The `tiled` crate panics on layer data that are too short, overflows the
//! stack on deep groups, believes every count, follows templates in circles,
//! takes tile ids past the last tileset, refuses some maps that Tiled ships,
//! and its errors name no place. So every file is read here first, checked
//! element by element, and written anew in the plainest form: all cells as
//! CSV, all classes as `type`, all properties as text, only the elements and
//! attributes that matter. The parser then sees nothing but that, and no file
//! of its own choosing.

mod data;
mod draft;
mod json;
mod layer;
mod object;
mod properties;
mod scan;
mod tileset;
mod xml;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use data::Budget;
pub(in crate::source) use draft::Draft;
use draft::Marks;
use object::TileIds;
pub(super) use properties::LINE;
use tileset::{Tileset, Tilesets};
pub(in crate::source) use xml::shorten;
pub(super) use xml::shorten_to;
use xml::{Element, Writer, Xml};

use crate::source::error::{Fault, SourceError};
use crate::source::files::{FileProvider, MAX_FILE_BYTES, MAX_TOTAL_BYTES, input, resolve};
use crate::source::json::is_json;
use crate::source::level::InputFile;

/// The most cells of all tile layers of a map together.
pub const MAX_CELLS: u64 = 1 << 24;

/// How deep layer groups may be nested.
pub const MAX_GROUP_DEPTH: u32 = 64;

/// The most files a map may refer to.
const MAX_FILES: usize = 4096;

/// The most tilesets of one map: the parser searches them one by one for every
/// cell.
const MAX_TILESETS: usize = 1000;

/// How many bytes of templates and tiles may be copied into the objects that
/// use them, all together.
const MAX_COPIED_BYTES: u64 = 256 << 20;

/// The name under which the parser asks for the map.
pub(super) const MAP: &str = "map.tmx";

/// A map and its files in the form the parser is given.
#[derive(Debug)]
pub(super) struct Checked {
    /// The bytes of each file by the name the parser asks for.
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// The real names of those files.
    pub(super) names: BTreeMap<String, String>,
    /// Every file read, the map first, then by name.
    pub(super) inputs: Vec<InputFile>,
}

/// Checks a map and everything it refers to.
pub(super) fn check(
    name: &str,
    bytes: &[u8],
    provider: &dyn FileProvider,
) -> Result<Checked, SourceError> {
    let (text, marks) = text_of(name, bytes)?;
    let own = input(provider, name, bytes);
    let bytes_left = left_of(MAX_TOTAL_BYTES, name, bytes)?;
    check_text(name, &text, marks, own, bytes_left, Vec::new(), provider)
}

/// Checks a map that another format was translated to. `read` are the files
/// it was read from, its own first, `bytes` how many they have together.
pub(in crate::source) fn check_draft(
    name: &str,
    draft: Draft,
    mut read: Vec<InputFile>,
    bytes: u64,
    provider: &dyn FileProvider,
) -> Result<Checked, SourceError> {
    let (text, marks) = draft.finish();
    let others = read.split_off(1.min(read.len()));
    let own = read.pop().unwrap_or_else(|| input(provider, name, &[]));
    let left = MAX_TOTAL_BYTES.saturating_sub(bytes);
    check_text(name, &text, marks, own, left, others, provider)
}

fn check_text(
    name: &str,
    text: &str,
    marks: Marks,
    own: InputFile,
    bytes_left: u64,
    others: Vec<InputFile>,
    provider: &dyn FileProvider,
) -> Result<Checked, SourceError> {
    let inputs = others.into_iter().map(|input| (input.name.clone(), input));
    let mut guard = Guard {
        provider,
        files: BTreeMap::new(),
        names: BTreeMap::new(),
        inputs: inputs.collect(),
        tilesets: HashMap::new(),
        templates: HashMap::new(),
        budget: Budget::new(MAX_CELLS),
        copies: Budget::new(MAX_COPIED_BYTES),
        bytes_left,
    };
    let xml = Xml::parse(name, text, marks)?;
    let map = guard.map(xml.root("map")?)?;
    guard.keep(MAP.to_owned(), name, map);
    guard.inputs.remove(&own.name);
    Ok(Checked {
        files: guard.files,
        names: guard.names,
        inputs: std::iter::once(own)
            .chain(guard.inputs.into_values())
            .collect(),
    })
}

/// The text of a file as XML, whichever of Tiled's formats it is in, and where
/// its elements came from.
fn text_of<'b>(name: &str, bytes: &'b [u8]) -> Result<(Cow<'b, str>, Marks), SourceError> {
    let text = Xml::text(name, bytes)?;
    if is_json(text) {
        let (text, marks) = json::to_xml(name, text)?;
        return Ok((text.into(), marks));
    }
    Ok((text.into(), Marks::default()))
}

/// What is left of the bytes that files may have, after one more.
fn left_of(left: u64, name: &str, bytes: &[u8]) -> Result<u64, SourceError> {
    let length = bytes.len() as u64;
    let limit = if length > MAX_FILE_BYTES {
        MAX_FILE_BYTES
    } else if length > left {
        MAX_TOTAL_BYTES
    } else {
        return Ok(left - length);
    };
    Err(SourceError::TooLarge {
        file: name.to_owned(),
        limit,
    })
}

struct Guard<'f> {
    provider: &'f dyn FileProvider,
    files: BTreeMap<String, Vec<u8>>,
    names: BTreeMap<String, String>,
    inputs: BTreeMap<String, InputFile>,
    /// By real name; looked up, never iterated.
    tilesets: HashMap<String, (String, Rc<Tileset>)>,
    templates: HashMap<String, (String, u64)>,
    budget: Budget,
    /// What objects may still copy.
    copies: Budget,
    bytes_left: u64,
}

impl Guard<'_> {
    fn keep(&mut self, given: String, name: &str, bytes: Vec<u8>) {
        self.names.insert(given.clone(), name.to_owned());
        self.files.insert(given, bytes);
    }

    /// The real name of a file that an element refers to.
    fn resolve(element: Element<'_, '_>, place: &str, reference: &str) -> Result<String, Fault> {
        resolve(element.file(), reference).map_err(|problem| {
            element.fault(
                place,
                format!("\"{}\": {problem}", xml::shorten(reference)),
                "refer to it relative to the file",
            )
        })
    }

    /// The bytes of a file that an element refers to.
    fn open(
        &mut self,
        element: Element<'_, '_>,
        place: &str,
        name: &str,
    ) -> Result<Vec<u8>, SourceError> {
        let referrer = || Some(format!("{place}, {}:{}", element.file(), element.line()));
        if self.inputs.len() >= MAX_FILES {
            return Err(element
                .fault(
                    place,
                    format!("the map refers to more than {MAX_FILES} files"),
                    "",
                )
                .into());
        }
        let bytes = self
            .provider
            .read(name, MAX_FILE_BYTES)
            .map_err(|error| SourceError::io(name, referrer(), error, MAX_FILE_BYTES))?;
        self.bytes_left = left_of(self.bytes_left, name, &bytes)?;
        self.inputs
            .insert(name.to_owned(), input(self.provider, name, &bytes));
        Ok(bytes)
    }

    fn map(&mut self, map: Element<'_, '_>) -> Result<Vec<u8>, SourceError> {
        let orientation = map.attribute("orientation").unwrap_or("orthogonal");
        if orientation != "orthogonal" {
            return Err(map
                .fault(
                    "",
                    format!("the map is {}", xml::shorten(orientation)),
                    "side-scroller levels are orthogonal: only those are read",
                )
                .into());
        }
        let infinite = matches!(map.attribute("infinite"), Some("1" | "true"));
        let mut out = Writer::default();
        out.begin("map");
        out.attribute("version", "1.10");
        out.attribute("orientation", "orthogonal");
        for name in ["width", "height"] {
            out.attribute(name, map.required::<u32>("", name)?);
        }
        for name in ["tilewidth", "tileheight"] {
            let side: u32 = map.required("", name)?;
            if side == 0 || side > 65_536 {
                return Err(map
                    .fault(
                        "",
                        format!("{name} is {side}; 1 to 65536 pixels are read"),
                        "set the tile size in Tiled's map properties",
                    )
                    .into());
            }
            out.attribute(name, side);
        }
        out.attribute("infinite", u8::from(infinite));
        out.content();
        let (tilesets, written) = self.map_tilesets(map)?;
        for tileset in written {
            out.raw().push_str(&tileset);
        }
        layer::write_all(self, map, infinite, &tilesets, 0, &mut out)?;
        out.end("map");
        Ok(out.finish())
    }

    /// The tilesets that an element lists, and their text in ascending order of
    /// first id: the parser searches from the end.
    fn map_tilesets(
        &mut self,
        owner: Element<'_, '_>,
    ) -> Result<(Tilesets, Vec<String>), SourceError> {
        let mut tilesets = Tilesets::default();
        let mut written: Vec<(u32, String)> = Vec::new();
        for element in owner.children().filter(|child| child.tag() == "tileset") {
            if written.len() == MAX_TILESETS {
                let problem = format!("the map has more than {MAX_TILESETS} tilesets");
                return Err(element.fault("", problem, "remove those not in use").into());
            }
            let (first, tileset, text) = self.listed_tileset(element)?;
            let place = format!("tileset \"{}\"", tileset.name);
            match tilesets.add(first, tileset) {
                Ok(true) => written.push((first, text)),
                Ok(false) => {}
                Err(other) => {
                    let problem = format!(
                        "it begins at tile id {first}, and so does tileset \"{}\"",
                        other.name
                    );
                    let advice = "remove one of them from the map and add it again";
                    return Err(element.fault(&place, problem, advice).into());
                }
            }
        }
        written.sort_by_key(|(first, _)| *first);
        Ok((
            tilesets,
            written.into_iter().map(|(_, text)| text).collect(),
        ))
    }

    /// A tileset as a map or template lists it: its first id and its text.
    fn listed_tileset(
        &mut self,
        element: Element<'_, '_>,
    ) -> Result<(u32, Rc<Tileset>, String), SourceError> {
        let source = element.attribute("source");
        let place = format!(
            "tileset \"{}\"",
            xml::shorten(source.or(element.attribute("name")).unwrap_or_default())
        );
        let first: u32 = element.required(&place, "firstgid")?;
        if first == 0 || first & tileset::FLIPS != 0 {
            let problem = format!("firstgid is {first}, which is no tile id");
            return Err(element.fault(&place, problem, "").into());
        }
        let mut out = Writer::default();
        let tileset = if let Some(source) = source {
            let (given, tileset) = self.external_tileset(element, &place, source)?;
            out.begin("tileset");
            out.attribute("firstgid", first);
            out.attribute("source", given);
            out.empty();
            tileset
        } else {
            Rc::new(tileset::write(element, Some(first), &mut out)?)
        };
        let text = std::mem::take(out.raw());
        Ok((first, tileset, text))
    }

    /// A tileset in a file of its own: the name the parser is given for it.
    fn external_tileset(
        &mut self,
        element: Element<'_, '_>,
        place: &str,
        source: &str,
    ) -> Result<(String, Rc<Tileset>), SourceError> {
        let name = Self::resolve(element, place, source)?;
        if let Some((given, tileset)) = self.tilesets.get(&name) {
            return Ok((given.clone(), Rc::clone(tileset)));
        }
        let bytes = self.open(element, place, &name)?;
        let (text, marks) = text_of(&name, &bytes)?;
        let xml = Xml::parse(&name, &text, marks)?;
        let mut out = Writer::default();
        let tileset = Rc::new(tileset::write(xml.root("tileset")?, None, &mut out)?);
        let given = format!("{}.tsx", self.tilesets.len());
        self.keep(given.clone(), &name, out.finish());
        self.tilesets
            .insert(name, (given.clone(), Rc::clone(&tileset)));
        Ok((given, tileset))
    }

    /// A template: the name the parser is given for it, and how many bytes an
    /// object copies that uses it.
    fn template(
        &mut self,
        object: Element<'_, '_>,
        place: &str,
        reference: &str,
    ) -> Result<(String, u64), SourceError> {
        let name = Self::resolve(object, place, reference)?;
        if let Some(given) = self.templates.get(&name) {
            return Ok(given.clone());
        }
        let bytes = self.open(object, place, &name)?;
        let (text, marks) = text_of(&name, &bytes)?;
        let xml = Xml::parse(&name, &text, marks)?;
        let root = xml.root("template")?;
        let inner = root.child("object").ok_or_else(|| {
            root.fault(
                "",
                "the template has no object",
                "save the template again in Tiled",
            )
        })?;
        if inner.attribute("template").is_some() {
            // The parser would follow such a chain without end.
            let advice = "in Tiled, detach the template's object";
            let problem = "the template's object uses another template";
            return Err(inner
                .fault(&object::describe(inner), problem, advice)
                .into());
        }
        let mut out = Writer::default();
        out.begin("template");
        out.content();
        let mut tilesets = Tilesets::default();
        let mut first = 1;
        if let Some(element) = root.child("tileset") {
            let (listed, tileset, text) = self.listed_tileset(element)?;
            first = listed;
            // The only one, so it cannot share its first id.
            let _ = tilesets.add(first, tileset);
            // The parser takes a first id of 1 for granted.
            let own = format!(" firstgid=\"{first}\"");
            out.raw()
                .push_str(&text.replacen(&own, " firstgid=\"1\"", 1));
        }
        object::write(
            inner,
            &format!("the template's {}", object::describe(inner)),
            &TileIds::Template(&tilesets, first),
            None,
            false,
            &mut out,
        )?;
        out.end("template");
        let given = format!("{}.tx", self.templates.len());
        self.keep(given.clone(), &name, out.finish());
        let used = (given, inner.length() + tilesets.heaviest());
        self.templates.insert(name, used.clone());
        Ok(used)
    }
}

#[cfg(test)]
#[path = "guard_test.rs"]
mod tests;
