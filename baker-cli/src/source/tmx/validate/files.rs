//! The files a map refers to: tilesets and templates, each read once.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::rc::Rc;

use super::cells::Budget;
use super::objects;
use super::tile_ids::{FLIPS, Tileset, Tilesets};
use super::tilesets;
use crate::source::error::{Fault, SourceError};
use crate::source::files::{FileProvider, check_size, input, resolve};
use crate::source::level::InputFile;
use crate::source::limits::{MAX_CELLS, MAX_FILE_BYTES, MAX_TOTAL_BYTES};
use crate::source::text::{TextFile, shorten};
use crate::source::tmx::element::{Document, Element};
use crate::source::tmx::writer::Writer;

/// The most files a map may refer to. Each is read and hashed; large maps use
/// some dozens.
const MAX_FILES: usize = 4096;

/// The most tilesets of one map. The `tiled` crate searches them one by one for
/// every cell, so this times [`MAX_CELLS`] bounds its work.
const MAX_TILESETS: usize = 1000;

/// How many bytes of templates and tiles may be copied into the objects that
/// use them, all together. The crate copies properties and outlines for each
/// object.
const MAX_COPIED_BYTES: u64 = 256 << 20;

/// The advice for files that Tiled would not write like this.
pub(super) const SAVE_AGAIN: &str = "open it in Tiled and save it again";

/// The files of a map as they are validated.
pub(super) struct MapFiles<'f> {
    provider: &'f dyn FileProvider,
    /// The text of each file by the name under which the crate opens it.
    pub(super) written: BTreeMap<String, String>,
    /// The real names of those files.
    pub(super) names: BTreeMap<String, String>,
    /// Tilesets that do not exist, by the name under which the crate opens what
    /// stands for them: their real name and what refers to them.
    pub(super) missing: BTreeMap<String, (String, String)>,
    /// The first cell or object with a tile that does not exist, and how many there
    /// are, by the line and name of their layer.
    pub(super) impossible: BTreeMap<(u32, String), (Fault, u32)>,
    /// The files read, by name.
    pub(super) inputs: BTreeMap<String, InputFile>,
    /// By real name; looked up, never iterated.
    tilesets: HashMap<String, (String, Rc<Tileset>)>,
    templates: HashMap<String, (String, u64)>,
    /// How many cells layers may still have.
    pub(super) cells: Budget,
    /// How many bytes objects may still copy.
    pub(super) copies: Budget,
    /// How many bytes files may still have.
    bytes: Budget,
}

impl<'f> MapFiles<'f> {
    pub(super) fn new(provider: &'f dyn FileProvider) -> Self {
        Self {
            provider,
            written: BTreeMap::new(),
            names: BTreeMap::new(),
            missing: BTreeMap::new(),
            impossible: BTreeMap::new(),
            inputs: BTreeMap::new(),
            tilesets: HashMap::new(),
            templates: HashMap::new(),
            cells: Budget::new(MAX_CELLS),
            copies: Budget::new(MAX_COPIED_BYTES),
            bytes: Budget::new(MAX_TOTAL_BYTES),
        }
    }

    /// Adds a file for the `tiled` crate.
    pub(super) fn add(&mut self, given: String, name: &str, text: String) {
        self.names.insert(given.clone(), name.to_owned());
        self.written.insert(given, text);
    }

    /// Subtracts a file from the bytes that may be read.
    pub(super) fn charge_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), SourceError> {
        let length = bytes.len() as u64;
        check_size(name, length, MAX_FILE_BYTES)?;
        if self.bytes.take(length) {
            return Ok(());
        }
        let (file, limit) = (name.to_owned(), MAX_TOTAL_BYTES);
        Err(SourceError::TooLarge { file, limit })
    }

    /// The bytes of a file that an element refers to.
    fn open(
        &mut self,
        element: Element<'_>,
        place: &str,
        name: &str,
    ) -> Result<Vec<u8>, SourceError> {
        if self.inputs.len() >= MAX_FILES {
            let problem = format!("the map refers to more than {MAX_FILES} files");
            return Err(element.fault(place, problem, "").into());
        }
        let bytes = self.provider.read(name, MAX_FILE_BYTES).map_err(|error| {
            let referrer = format!("{place}, {}:{}", element.file(), element.line());
            SourceError::io(name, Some(referrer), error)
        })?;
        self.charge_bytes(name, &bytes)?;
        self.inputs
            .insert(name.to_owned(), input(self.provider, name));
        Ok(bytes)
    }

    /// The tilesets that a map lists, and their text in ascending order of
    /// first id: the `tiled` crate searches from the end.
    pub(super) fn map_tilesets(
        &mut self,
        map: Element<'_>,
    ) -> Result<(Tilesets, Vec<String>), SourceError> {
        let mut tilesets = Tilesets::default();
        let mut written: Vec<(u32, String)> = Vec::new();
        for element in map.children_of("tileset") {
            if written.len() == MAX_TILESETS {
                let problem = format!("the map has more than {MAX_TILESETS} tilesets");
                let advice = "remove tilesets that are not used";
                return Err(element.fault("", problem, advice).into());
            }
            let (first, tileset, text) = self.listed_tileset(element)?;
            let place = format!("tileset \"{}\"", tileset.name);
            match tilesets.add(first, tileset) {
                Ok(true) => written.push((first, text)),
                Ok(false) => {}
                Err(other) => {
                    let problem = format!("firstgid is {first}, as for tileset \"{}\"", other.name);
                    let advice = "remove one of them from the map and add it again";
                    return Err(element.fault(&place, problem, advice).into());
                }
            }
        }
        written.sort_by_key(|(first, _)| *first);
        let written = written.into_iter().map(|(_, text)| text).collect();
        Ok((tilesets, written))
    }

    /// A tileset as a map or template lists it: its first id and its text.
    fn listed_tileset(
        &mut self,
        element: Element<'_>,
    ) -> Result<(u32, Rc<Tileset>, String), SourceError> {
        let source = element.attribute("source");
        let shown = source.or(element.attribute("name")).unwrap_or_default();
        let place = format!("tileset \"{}\"", shorten(shown));
        let first: u32 = element.required(&place, "firstgid")?;
        if first == 0 || first & FLIPS != 0 {
            let problem = format!("firstgid is {first}, which is not a tile id");
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
            Rc::new(tilesets::write(element, Some(first), &mut out)?)
        };
        Ok((first, tileset, out.finish()))
    }

    /// A tileset in a file of its own, and the name by which the crate opens it.
    fn external_tileset(
        &mut self,
        element: Element<'_>,
        place: &str,
        source: &str,
    ) -> Result<(String, Rc<Tileset>), SourceError> {
        let name = resolve_reference(element, place, source)?;
        if let Some((given, tileset)) = self.tilesets.get(&name) {
            return Ok((given.clone(), Rc::clone(tileset)));
        }
        let bytes = match self.open(element, place, &name) {
            Ok(bytes) => bytes,
            Err(SourceError::Io {
                error,
                referrer: Some(referrer),
                ..
            }) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(self.missing_tileset(name, referrer));
            }
            Err(error) => return Err(error),
        };
        let text = TextFile::new(&name, &bytes, SAVE_AGAIN)?;
        let document = Document::parse(&text)?;
        let mut out = Writer::default();
        let tileset = Rc::new(tilesets::write(document.root("tileset")?, None, &mut out)?);
        let given = format!("{}.tsx", self.tilesets.len());
        self.add(given.clone(), &name, out.finish());
        let known = (given.clone(), Rc::clone(&tileset));
        self.tilesets.insert(name, known);
        Ok((given, tileset))
    }

    /// What stands for a tileset that does not exist: any number of tiles
    /// without shapes and properties. Reading their layers decides whether
    /// they matter.
    fn missing_tileset(&mut self, name: String, referrer: String) -> (String, Rc<Tileset>) {
        let given = format!("{}.tsx", self.tilesets.len());
        let text = "<tileset name=\"missing\" tilewidth=\"1\" tileheight=\"1\" tilecount=\"0\" columns=\"1\">\
                    <image source=\"\" width=\"1\" height=\"1\"/></tileset>";
        self.add(given.clone(), &name, text.to_owned());
        let tileset = Rc::new(Tileset::missing(name.clone()));
        let known = (given.clone(), Rc::clone(&tileset));
        self.tilesets.insert(name.clone(), known);
        self.missing.insert(given.clone(), (name, referrer));
        (given, tileset)
    }

    /// A template: the name by which the crate opens it, and how many bytes an
    /// object that uses it copies.
    pub(super) fn template(
        &mut self,
        object: Element<'_>,
        place: &str,
        reference: &str,
    ) -> Result<(String, u64), SourceError> {
        let template = format!("{place}: template \"{}\"", shorten(reference));
        let name = resolve_reference(object, &template, reference)?;
        if let Some(given) = self.templates.get(&name) {
            return Ok(given.clone());
        }
        let bytes = self.open(object, place, &name)?;
        let text = TextFile::new(&name, &bytes, SAVE_AGAIN)?;
        let document = Document::parse(&text)?;
        let root = document.root("template")?;
        let inner = root.child("object").ok_or_else(|| {
            let advice = "save the template again in Tiled";
            root.fault("", "the template has no object", advice)
        })?;
        let described = objects::describe(inner);
        if inner.attribute("template").is_some() {
            // The crate would follow such a chain without end.
            let problem = "the template's object uses another template";
            let advice = "in Tiled, detach the template's object";
            return Err(inner.fault(&described, problem, advice).into());
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
            // The crate assumes a first id of 1 in templates.
            let own = format!(" firstgid=\"{first}\"");
            out.raw()
                .push_str(&text.replacen(&own, " firstgid=\"1\"", 1));
        }
        let place = format!("the template's {described}");
        // The `tiled` crate assumes that a template's tileset begins at 1.
        let tiles = Some((&tilesets, first));
        objects::write(inner, &place, tiles, None, false, &mut out)?;
        out.end("template");
        let given = format!("{}.tx", self.templates.len());
        self.add(given.clone(), &name, out.finish());
        let used = (given, inner.length() + tilesets.heaviest());
        self.templates.insert(name, used.clone());
        Ok(used)
    }
}

/// The real name of a file that an element refers to.
fn resolve_reference(element: Element<'_>, place: &str, reference: &str) -> Result<String, Fault> {
    resolve(element.file(), reference).map_err(|problem| {
        let advice = "refer to it by a path relative to the file";
        element.fault(place, problem, advice)
    })
}
