//! The files a map refers to: tilesets and templates, each read once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::rc::Rc;

use super::cells::take;
use super::classes::Classes;
use super::objects;
use super::tile_ids::{FLAGS, Tileset, Tilesets};
use super::tilesets;
use super::writer::Writer;
use crate::source::error::{Fault, SourceError};
use crate::source::files::{FileProvider, check_size, input, resolve};
use crate::source::level_file::InputFile;
use crate::source::limits::{MAX_CELLS, MAX_COPIED_BYTES, MAX_FILE_BYTES, MAX_TOTAL_BYTES};
use crate::source::text::{TextFile, shorten};
use crate::source::tmx::crate_reader::crate_path;
use crate::source::tmx::element::{Document, Element};

/// The most files a map may refer to. Each is read and hashed; large maps use
/// some dozens.
const MAX_FILES: usize = 4096;

/// The most tilesets of one map. The `tiled` crate searches them one by one for
/// every cell, so this times [`MAX_CELLS`] bounds its work.
const MAX_TILESETS: usize = 1000;

/// The advice for files that Tiled would not write like this.
pub const SAVE_AGAIN: &str = "open it in Tiled and save it again";

/// The files of a map as they are validated.
pub struct MapFiles<'f> {
    provider: &'f dyn FileProvider,
    /// The classes of its project.
    pub classes: Rc<Classes<'f>>,
    /// The XML of each file by its real name.
    pub written: BTreeMap<String, String>,
    /// Tilesets that do not exist, and what refers to them.
    pub missing: BTreeMap<String, String>,
    /// The first cell or object with a tile that does not exist, and how many there
    /// are, by the line and name of their layer.
    pub impossible: BTreeMap<(u32, String), (Fault, u32)>,
    /// By real name; looked up, never iterated.
    tilesets: HashMap<String, Rc<Tileset>>,
    /// How many bytes an object that uses a template copies.
    templates: HashMap<String, u64>,
    /// How many cells layers may still have.
    pub cells: u64,
    /// How many bytes objects may still copy.
    pub copies: u64,
    /// How many bytes files may still have.
    bytes: u64,
}

impl<'f> MapFiles<'f> {
    pub fn new(provider: &'f dyn FileProvider) -> Self {
        Self {
            provider,
            classes: Rc::new(Classes::new(provider)),
            written: BTreeMap::new(),
            missing: BTreeMap::new(),
            impossible: BTreeMap::new(),
            tilesets: HashMap::new(),
            templates: HashMap::new(),
            cells: MAX_CELLS,
            copies: MAX_COPIED_BYTES,
            bytes: MAX_TOTAL_BYTES,
        }
    }

    /// Every file read: the map of this name, then the others by name.
    pub fn inputs(&self, map: &str) -> Vec<InputFile> {
        let others = self.written.keys().map(String::as_str);
        let others = others.filter(|name| *name != map && !self.missing.contains_key(*name));
        let others: BTreeSet<&str> = others.chain(self.classes.file()).collect();
        let names = std::iter::once(map).chain(others);
        names.map(|name| input(self.provider, name)).collect()
    }

    /// Subtracts a file from the bytes that may be read.
    pub fn charge_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), SourceError> {
        let length = bytes.len() as u64;
        check_size(name, length, MAX_FILE_BYTES)?;
        if take(&mut self.bytes, length) {
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
        if self.written.len() - self.missing.len() >= MAX_FILES {
            let problem = format!("the map refers to more than {MAX_FILES} files");
            return Err(element.fault(place, problem, "").into());
        }
        let bytes = self.provider.read(name, MAX_FILE_BYTES).map_err(|error| {
            let referrer = format!("{place}, {}:{}", element.file(), element.line());
            SourceError::io(name, Some(referrer), error)
        })?;
        self.charge_bytes(name, &bytes)?;
        Ok(bytes)
    }

    /// Writes the tilesets that a map lists, in ascending order of first id: the
    /// `tiled` crate searches from the end.
    pub fn map_tilesets(
        &mut self,
        map: Element<'_>,
        out: &mut Writer<'_>,
    ) -> Result<Tilesets, SourceError> {
        let mut tilesets = Tilesets::default();
        let mut written = BTreeMap::new();
        for element in map.children_of("tileset") {
            if written.len() == MAX_TILESETS {
                let problem = format!("the map has more than {MAX_TILESETS} tilesets");
                let advice = "remove tilesets that are not used";
                return Err(element.fault("", problem, advice).into());
            }
            let mut text = Writer::new(&self.classes);
            let (first, tileset) = self.listed_tileset(element, None, &mut text)?;
            let place = format!("tileset \"{}\"", tileset.name);
            match tilesets.add(first, tileset) {
                Ok(true) => {
                    written.insert(first, text.xml);
                }
                Ok(false) => {}
                Err(other) => {
                    let problem = format!("firstgid is {first}, as for tileset \"{}\"", other.name);
                    let advice = "remove one of them from the map and add it again";
                    return Err(element.fault(&place, problem, advice).into());
                }
            }
        }
        out.xml.extend(written.into_values());
        Ok(tilesets)
    }

    /// Writes a tileset as a map or template lists it, with `written` as its first
    /// id where that is given. Returns its real first id.
    fn listed_tileset(
        &mut self,
        element: Element<'_>,
        written: Option<u32>,
        out: &mut Writer<'_>,
    ) -> Result<(u32, Rc<Tileset>), SourceError> {
        let source = element.attribute("source");
        let shown = source.or(element.attribute("name")).unwrap_or_default();
        let place = format!("tileset \"{}\"", shorten(shown));
        let first: u32 = element.required(&place, "firstgid")?;
        if first == 0 || first & FLAGS != 0 {
            let problem = format!("firstgid is {first}, which is not a tile id");
            return Err(element.fault(&place, problem, "").into());
        }
        let written = written.unwrap_or(first);
        let Some(source) = source else {
            let tileset = tilesets::write(element, Some(written), out)?;
            return Ok((first, Rc::new(tileset)));
        };
        let name = resolve_reference(element, &place, source)?;
        write!(out, "<tileset firstgid=\"{written}\"");
        out.attribute("source", crate_path(&name));
        write!(out, "/>");
        Ok((first, self.external_tileset(element, &place, name)?))
    }

    /// A tileset in a file of its own.
    fn external_tileset(
        &mut self,
        element: Element<'_>,
        place: &str,
        name: String,
    ) -> Result<Rc<Tileset>, SourceError> {
        if let Some(tileset) = self.tilesets.get(&name) {
            return Ok(Rc::clone(tileset));
        }
        let mut out = Writer::new(&self.classes);
        let tileset = match self.open(element, place, &name) {
            Ok(bytes) => {
                let text = TextFile::new(&name, &bytes, SAVE_AGAIN)?;
                let document = Document::parse(&text)?;
                tilesets::write(document.root(&text, "tileset")?, None, &mut out)?
            }
            // Any number of tiles without shapes and properties. Reading their
            // layers decides whether they matter.
            Err(SourceError::Io {
                error,
                referrer: Some(referrer),
                ..
            }) if error.kind() == io::ErrorKind::NotFound => {
                write!(
                    out,
                    "<tileset name=\"missing\" tilewidth=\"1\" tileheight=\"1\" tilecount=\"0\" \
                     columns=\"1\"><image source=\"/\" width=\"1\" height=\"1\"/></tileset>"
                );
                self.missing.insert(name.clone(), referrer);
                Tileset::missing(name.clone())
            }
            Err(error) => return Err(error),
        };
        self.written.insert(name.clone(), out.xml);
        let tileset = Rc::new(tileset);
        self.tilesets.insert(name, Rc::clone(&tileset));
        Ok(tileset)
    }

    /// A template: its real name, and how many bytes an object that uses it
    /// copies.
    pub fn template(
        &mut self,
        object: Element<'_>,
        place: &str,
        reference: &str,
    ) -> Result<(String, u64), SourceError> {
        let template = format!("{place}: template \"{}\"", shorten(reference));
        let name = resolve_reference(object, &template, reference)?;
        if let Some(copied) = self.templates.get(&name) {
            return Ok((name, *copied));
        }
        let bytes = self.open(object, place, &name)?;
        let text = TextFile::new(&name, &bytes, SAVE_AGAIN)?;
        let document = Document::parse(&text)?;
        let root = document.root(&text, "template")?;
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
        let mut out = Writer::new(&self.classes);
        write!(out, "<template>");
        let mut tilesets = Tilesets::default();
        let mut first = 1;
        if let Some(element) = root.child("tileset") {
            // The crate assumes a first id of 1 in templates.
            let (listed, tileset) = self.listed_tileset(element, Some(1), &mut out)?;
            first = listed;
            // The only one, so it cannot share its first id.
            let _ = tilesets.add(first, tileset);
        }
        let place = format!("the template's {described}");
        let tiles = Some((&tilesets, first));
        objects::write(inner, &place, tiles, None, true, &mut out)?;
        write!(out, "</template>");
        self.written.insert(name.clone(), out.xml);
        let copied = inner.length() + tilesets.heaviest() + self.classes.heaviest();
        self.templates.insert(name.clone(), copied);
        Ok((name, copied))
    }
}

/// The real name of a file that an element refers to.
fn resolve_reference(element: Element<'_>, place: &str, reference: &str) -> Result<String, Fault> {
    resolve(element.file(), reference).map_err(|problem| {
        let advice = "refer to it by a path relative to the file";
        element.fault(place, problem, advice)
    })
}
