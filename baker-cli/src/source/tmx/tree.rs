//! The elements of a Tiled file, of its XML and its JSON formats alike.

use std::borrow::Cow;
use std::rc::Rc;
use std::str::FromStr;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::json_tree;
use crate::source::error::{Fault, extension};
use crate::source::text::{TextFile, shorten, without_control_characters};
use navmesh_bake::MAX_COORDINATE;

/// The most elements in one file. Cells may be elements: a map of 1000 x 1000 such cells
/// fits. Parsed, the limit takes about 400 MiB.
const MAX_ELEMENTS: u32 = 1 << 21;

/// The most attributes of one element. Tiled's elements have at most 21.
const MAX_ATTRIBUTES: usize = 256;

/// Elements that are nested deeper are skipped: they are read recursively. Layer groups
/// and properties have limits that are lower.
const MAX_DEPTH: usize = 256;

/// The elements that are read. Others are skipped, with all that is in them.
const TAGS: &str = "map template tileset tile tileoffset image layer objectgroup imagelayer group \
    data chunk object polygon polyline ellipse point capsule text properties property item";

/// The attributes that are read, of all elements. In JSON, most are members of the same
/// name.
const ATTRIBUTES: &str = "id name type class x y width height rotation gid template visible \
    offsetx offsety parallaxx parallaxy orientation infinite tilewidth tileheight firstgid source \
    tilecount margin spacing tilerendersize fillmode objectalignment opacity tintcolor \
    backgroundcolor repeatx repeaty trans encoding compression points value propertytype";

/// The known element of this name.
pub fn known_tag(name: &str) -> Option<&'static str> {
    TAGS.split(' ').find(|known| *known == name)
}

/// The known attribute of this name.
pub fn known_attribute(name: &str) -> Option<&'static str> {
    ATTRIBUTES.split(' ').find(|known| *known == name)
}

/// The advice for files that Tiled would not write like this.
pub const SAVE_AGAIN: &str = "open it in Tiled and save it again";

/// An element of a Tiled file.
#[derive(Debug, Clone)]
pub struct Element<'a> {
    pub tag: &'static str,
    pub file: Rc<str>,
    /// The line it begins on, counted from 1.
    pub line: u32,
    /// The line and the file of its outline, if a template has that.
    pub source: Option<(u32, Rc<str>)>,
    pub attributes: Vec<(&'static str, String)>,
    pub children: Vec<Element<'a>>,
    /// All text directly inside.
    pub text: Cow<'a, str>,
}

/// Parses a file in either format, which its content shows. What is neither is reported
/// as its extension says. The outermost element must have this tag.
pub fn parse<'a>(file: &'a TextFile<'a>, tag: &str) -> Result<Element<'a>, Fault> {
    let text = file.text.trim_start();
    let is_xml_name = matches!(extension(file.name).as_str(), "tmx" | "tsx" | "tx" | "xml");
    let root = if text.starts_with('{') || !text.starts_with('<') && !is_xml_name {
        json_tree::read(file)?
    } else {
        file.check_not_empty("XML")?;
        read_xml(file).map_err(|(at, problem)| {
            Fault::at(file.name, file.line_of_byte(at), "", problem, SAVE_AGAIN)
        })?
    };
    if root.tag == tag {
        return Ok(root);
    }
    let problem = format!("the outermost element is <{}>, not <{tag}>", root.tag);
    let advice = match root.tag {
        "tileset" | "template" | "map" => "name a Tiled file of the right kind",
        _ => "name a file that Tiled has saved",
    };
    Err(root.fault("", problem, advice))
}

/// Reads an XML file. The error is the byte and what is wrong there.
fn read_xml<'a>(file: &TextFile<'a>) -> Result<Element<'a>, (usize, String)> {
    let name = Rc::from(file.name);
    let mut reader = Reader::from_str(file.text);
    reader.expand_empty_elements(true);
    let (mut open, mut skipped, mut elements) = (Vec::<Element<'a>>::new(), 0_usize, 0);
    loop {
        let at = reader.buffer_position();
        let event = reader.read_event();
        let broken = |error| {
            (
                reader.buffer_position(),
                format!("not well-formed XML: {error}"),
            )
        };
        match event.map_err(broken)? {
            Event::Start(start) => {
                elements += 1;
                if elements > MAX_ELEMENTS {
                    let advice = "store tiles as CSV or base64";
                    return Err((
                        at,
                        format!("more than {MAX_ELEMENTS} XML elements; {advice}"),
                    ));
                }
                let tag = start.local_name();
                let tag = TAGS
                    .split(' ')
                    .find(|known| known.as_bytes() == tag.as_ref());
                let Some(tag) = tag.filter(|_| skipped == 0 && open.len() < MAX_DEPTH) else {
                    if open.is_empty() && skipped == 0 {
                        let tag = String::from_utf8_lossy(start.name().as_ref()).into_owned();
                        return Err((at, format!("the outermost element is <{}>", shorten(&tag))));
                    }
                    skipped += 1;
                    continue;
                };
                let mut element = Element::new(tag, Rc::clone(&name), file.line_of_byte(at));
                element
                    .read_attributes(&start)
                    .map_err(|problem| (at, problem))?;
                open.push(element);
            }
            Event::End(_) if skipped > 0 => skipped -= 1,
            Event::End(_) => {
                let Some(element) = open.pop() else { continue };
                let Some(parent) = open.last_mut() else {
                    return Ok(element);
                };
                parent.children.push(element);
            }
            Event::Text(text) if skipped == 0 => {
                let text = text.unescape().map_err(broken)?;
                if let Some(element) = open.last_mut() {
                    element.add_text(text);
                }
            }
            Event::CData(text) if skipped == 0 => {
                if let Some(element) = open.last_mut() {
                    element.add_text(String::from_utf8_lossy(&text).into_owned().into());
                }
            }
            Event::DocType(text) if text.windows(8).any(|part| part == b"<!ENTITY") => {
                let entity = file.text[at..].find("<!ENTITY").unwrap_or_default();
                let problem = "it declares an XML entity, which maps do not need";
                return Err((at + entity, problem.to_owned()));
            }
            Event::Eof => {
                let problem = open
                    .last()
                    .map_or("it has no element".to_owned(), |element| {
                        format!("<{}> of line {} does not end", element.tag, element.line)
                    });
                return Err((at, format!("not well-formed XML: {problem}")));
            }
            _ => {}
        }
    }
}

impl<'a> Element<'a> {
    /// An element without attributes.
    pub const fn new(tag: &'static str, file: Rc<str>, line: u32) -> Self {
        Self {
            tag,
            file,
            line,
            source: None,
            attributes: Vec::new(),
            children: Vec::new(),
            text: Cow::Borrowed(""),
        }
    }

    fn read_attributes(&mut self, start: &BytesStart<'_>) -> Result<(), String> {
        // The checks compare each attribute with all others.
        for (number, attribute) in start.attributes().with_checks(false).enumerate() {
            if number == MAX_ATTRIBUTES {
                return Err(format!(
                    "an element has more than {MAX_ATTRIBUTES} attributes"
                ));
            }
            let not_xml = |error: &dyn std::fmt::Display| format!("not well-formed XML: {error}");
            let attribute = attribute.map_err(|error| not_xml(&error))?;
            let name = std::str::from_utf8(attribute.key.local_name().into_inner()).unwrap_or("");
            if let Some(name) = known_attribute(name) {
                let value = attribute
                    .unescape_value()
                    .map_err(|error| not_xml(&error))?;
                self.set(name, without_control_characters(value));
            }
        }
        Ok(())
    }

    /// Sets an attribute. Tiled 1.9 wrote the class as `class`, all other versions as
    /// `type`; here it is `type`. An empty name or class would hide that of a template.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        let (name, value) = (if name == "class" { "type" } else { name }, value.into());
        if value.is_empty() && matches!(name, "name" | "type") && self.tag == "object" {
            return;
        }
        let known = self.attributes.iter_mut().find(|(known, _)| *known == name);
        match known {
            Some((_, known)) if known.is_empty() => *known = value,
            Some(_) => {}
            None => self.attributes.push((name, value)),
        }
    }

    pub fn replace(&mut self, name: &'static str, value: String) {
        self.attributes.retain(|(known, _)| *known != name);
        self.attributes.push((name, value));
    }

    fn add_text(&mut self, text: Cow<'a, str>) {
        if self.text.is_empty() {
            self.text = text;
        } else {
            self.text.to_mut().push_str(&text);
        }
    }

    /// Takes from a template what an object does not have itself. Its properties follow
    /// the object's own.
    pub fn inherit(&mut self, template: &Self) {
        for (name, value) in &template.attributes {
            if !matches!(*name, "id" | "x" | "y") {
                self.set(name, value.as_str());
            }
        }
        let has_outline = self.outline().is_some();
        if !has_outline {
            self.source = Some((template.line, Rc::clone(&template.file)));
        }
        let inherited = template.children.iter();
        let inherited = inherited.filter(|child| child.tag == "properties" || !has_outline);
        self.children.extend(inherited.cloned());
    }

    /// The element without references to the text of its file.
    pub fn into_owned(self) -> Element<'static> {
        let children = self.children.into_iter().map(Element::into_owned);
        Element {
            tag: self.tag,
            file: self.file,
            line: self.line,
            source: self.source,
            attributes: self.attributes,
            children: children.collect(),
            text: Cow::Owned(self.text.into_owned()),
        }
    }

    pub fn children_of(&self, tag: &str) -> impl Iterator<Item = &Self> {
        self.children.iter().filter(move |child| child.tag == tag)
    }

    pub fn child(&self, tag: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.tag == tag)
    }

    /// The element that says what shape an object has, other than a rectangle.
    pub fn outline(&self) -> Option<&Self> {
        const TAGS: [&str; 6] = ["polygon", "polyline", "ellipse", "point", "capsule", "text"];
        self.children.iter().find(|child| TAGS.contains(&child.tag))
    }

    /// Its name in messages, as a part of `owner`.
    pub fn place(&self, owner: &str) -> String {
        let text = |name| shorten(self.attribute(name).unwrap_or_default());
        match self.tag {
            "layer" | "objectgroup" | "imagelayer" | "group" => {
                format!("layer \"{}\"", text("name"))
            }
            "tileset" => format!("tileset \"{}\"", text("name")),
            "tile" => format!("tile {} of {owner}", text("id")),
            "object" => {
                let id = self.attribute("id").unwrap_or("?");
                let name = match text("name") {
                    name if name.is_empty() => name,
                    name => format!(" \"{name}\""),
                };
                let of = if owner.starts_with("tile ") {
                    "of"
                } else {
                    "in"
                };
                format!("object {}{name} {of} {owner}", shorten(id))
            }
            _ => owner.to_owned(),
        }
    }

    /// An error at this element.
    pub fn fault(
        &self,
        place: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Fault {
        Fault::at(&self.file, self.line, place, problem, advice)
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// An attribute converted by `convert`, which returns `None` for values
    /// that are not `wanted`.
    fn converted<T>(
        &self,
        place: &str,
        name: &str,
        wanted: &str,
        convert: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.attribute(name) else {
            return Ok(None);
        };
        convert(value).map(Some).ok_or_else(|| {
            let problem = format!("{name}=\"{}\" is not {wanted}", shorten(value));
            self.fault(place, problem, "")
        })
    }

    /// One of a few words, which are separated by spaces, where the attribute exists.
    pub fn word(&self, place: &str, name: &str, words: &str) -> Result<Option<String>, Fault> {
        let wanted = format!("one of {}", words.replace(' ', ", "));
        let find = |value: &str| words.split(' ').find(|word| *word == value);
        self.converted(place, name, &wanted, |value| find(value).map(str::to_owned))
    }

    /// An integer, where the attribute exists.
    pub fn integer<T: FromStr>(&self, place: &str, name: &str) -> Result<Option<T>, Fault> {
        let parse = |value: &str| value.trim().parse().ok();
        self.converted(place, name, "an integer in range", parse)
    }

    /// An integer that must exist.
    pub fn required<T: FromStr>(&self, place: &str, name: &str) -> Result<T, Fault> {
        self.integer(place, name)?.ok_or_else(|| {
            let problem = format!("<{}> has no {name}", self.tag);
            self.fault(place, problem, "open the file in Tiled and save it again")
        })
    }

    /// A number of pixels or degrees, where the attribute exists.
    pub fn number(&self, place: &str, name: &str) -> Result<Option<f32>, Fault> {
        let wanted = format!("a number between -{MAX_COORDINATE} and {MAX_COORDINATE}");
        self.converted(place, name, &wanted, coordinate)
    }
}

/// A number of at most [`MAX_COORDINATE`].
pub fn coordinate(text: &str) -> Option<f32> {
    let value: f32 = text.trim().parse().ok()?;
    (f64::from(value.abs()) <= MAX_COORDINATE).then_some(value)
}
