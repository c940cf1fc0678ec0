//! The files a map refers to: tilesets and templates.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::tree::{self, Element, SAVE_AGAIN};
use crate::source::error::{Fault, SourceError};
use crate::source::files::{FileProvider, check_size, resolve};
use crate::source::limits::{MAX_FILE_BYTES, MAX_TOTAL_BYTES};
use crate::source::text::{TextFile, shorten};

/// The most files a map may refer to. Each is read and hashed; large maps use
/// some dozens.
const MAX_FILES: usize = 4096;

/// The files of a map as far as they were read.
pub struct Files<'f> {
    pub provider: &'f dyn FileProvider,
    /// The names of all of them but the map.
    pub read: BTreeSet<String>,
    /// Tilesets that do not exist, and what refers to them.
    pub missing: BTreeMap<String, String>,
    templates: HashMap<String, Rc<Template>>,
    /// How many bytes files may still have.
    bytes: u64,
}

/// A template of objects.
pub struct Template {
    pub object: Element<'static>,
    pub tileset: Option<Element<'static>>,
}

impl<'f> Files<'f> {
    pub fn new(provider: &'f dyn FileProvider) -> Self {
        Self {
            provider,
            read: BTreeSet::new(),
            missing: BTreeMap::new(),
            templates: HashMap::new(),
            bytes: MAX_TOTAL_BYTES,
        }
    }

    /// Subtracts a file from the bytes that may be read.
    pub fn charge(&mut self, name: &str, bytes: &[u8]) -> Result<(), SourceError> {
        let length = bytes.len() as u64;
        check_size(name, length, MAX_FILE_BYTES)?;
        self.bytes = self.bytes.checked_sub(length).ok_or_else(|| {
            let (file, limit) = (name.to_owned(), MAX_TOTAL_BYTES);
            SourceError::TooLarge { file, limit }
        })?;
        Ok(())
    }

    /// The bytes of a file that an element refers to.
    pub fn open(
        &mut self,
        element: &Element<'_>,
        place: &str,
        name: &str,
    ) -> Result<Vec<u8>, SourceError> {
        if self.read.len() >= MAX_FILES {
            let problem = format!("the map refers to more than {MAX_FILES} files");
            return Err(element.fault(place, problem, "").into());
        }
        let bytes = self.provider.read(name, MAX_FILE_BYTES).map_err(|error| {
            let referrer = format!("{place}, {}:{}", element.file, element.line);
            SourceError::io(name, Some(referrer), error)
        })?;
        self.charge(name, &bytes)?;
        self.read.insert(name.to_owned());
        Ok(bytes)
    }

    /// The template that an object refers to.
    pub fn template(
        &mut self,
        object: &Element<'_>,
        place: &str,
        reference: &str,
    ) -> Result<Rc<Template>, SourceError> {
        let shown = format!("{place}: template \"{}\"", shorten(reference));
        let name = real_name(object, &shown, reference)?;
        if let Some(known) = self.templates.get(&name) {
            return Ok(Rc::clone(known));
        }
        let bytes = self.open(object, place, &name)?;
        let text = TextFile::new(&name, &bytes, SAVE_AGAIN)?;
        let root = tree::parse(&text, "template")?;
        let inner = root.child("object").ok_or_else(|| {
            let advice = "save the template again in Tiled";
            root.fault("", "the template has no object", advice)
        })?;
        if inner.attribute("template").is_some() {
            // Such a chain may have no end.
            let problem = "the template's object uses another template";
            let advice = "in Tiled, detach the template's object";
            return Err(inner.fault("", problem, advice).into());
        }
        for name in ["width", "height", "rotation"] {
            inner.number(&inner.place("the template"), name)?;
        }
        let template = Rc::new(Template {
            object: inner.clone().into_owned(),
            tileset: root.child("tileset").cloned().map(Element::into_owned),
        });
        self.templates.insert(name, Rc::clone(&template));
        Ok(template)
    }
}

/// The real name of a file that an element refers to.
pub fn real_name(element: &Element<'_>, place: &str, reference: &str) -> Result<String, Fault> {
    resolve(&element.file, reference).map_err(|problem| {
        let advice = "refer to it by a path relative to the file";
        element.fault(place, problem, advice)
    })
}
