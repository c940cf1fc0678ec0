//! Elements of Tiled files, of its XML and its JSON formats alike.

use std::borrow::Cow;
use std::str::FromStr;

use super::json_format::{self, JsonNode};
use super::xml_format;
use crate::source::error::{Fault, extension};
use crate::source::text::{TextFile, shorten};
use navmesh_bake::MAX_COORDINATE;

/// A parsed file.
pub enum Document<'a> {
    Xml(roxmltree::Document<'a>),
    Json(JsonNode<'a>),
}

/// An element of a Tiled file, and the file for messages about it.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    file: &'a TextFile<'a>,
    node: Node<'a>,
}

#[derive(Clone, Copy)]
enum Node<'a> {
    Xml(roxmltree::Node<'a, 'a>),
    Json(&'a JsonNode<'a>),
}

impl<'a> Document<'a> {
    /// Parses a file in either format, which its content shows. What is neither is
    /// reported as its extension says.
    pub fn parse(file: &'a TextFile<'a>) -> Result<Self, Fault> {
        let text = file.text.trim_start();
        let is_xml_name = matches!(extension(file.name).as_str(), "tmx" | "tsx" | "tx" | "xml");
        if text.starts_with('{') || !text.starts_with('<') && !is_xml_name {
            json_format::read(file).map(Self::Json)
        } else {
            xml_format::parse(file).map(Self::Xml)
        }
    }

    /// The outermost element, which must have this tag.
    pub fn root<'d>(&'d self, file: &'d TextFile<'d>, tag: &str) -> Result<Element<'d>, Fault> {
        let node = match self {
            Self::Xml(document) => Node::Xml(document.root_element()),
            Self::Json(node) => Node::Json(node),
        };
        let root = Element { file, node };
        if root.tag() == tag {
            return Ok(root);
        }
        let problem = format!("the outermost element is <{}>, not <{tag}>", root.tag());
        let advice = match root.tag() {
            "tileset" | "template" | "map" => "name a Tiled file of the right kind",
            _ => "name a file that Tiled has saved",
        };
        Err(root.fault("", problem, advice))
    }
}

impl<'a> Element<'a> {
    pub fn tag(self) -> &'a str {
        match self.node {
            Node::Xml(node) => node.tag_name().name(),
            Node::Json(node) => node.tag,
        }
    }

    pub fn children(self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let (xml, json): (_, &'a [JsonNode<'a>]) = match self.node {
            Node::Xml(node) => (Some(node.children()), &[]),
            Node::Json(node) => (None, &node.children),
        };
        let elements = xml
            .into_iter()
            .flatten()
            .filter(roxmltree::Node::is_element);
        let nodes = elements.map(Node::Xml).chain(json.iter().map(Node::Json));
        let file = self.file;
        nodes.map(move |node| Element { file, node })
    }

    pub fn children_of(self, tag: &str) -> impl Iterator<Item = Element<'a>> {
        self.children().filter(move |child| child.tag() == tag)
    }

    pub fn child(self, tag: &str) -> Option<Element<'a>> {
        self.children().find(|child| child.tag() == tag)
    }

    /// All text directly inside, CDATA too.
    pub fn text(self) -> Cow<'a, str> {
        match self.node {
            Node::Json(node) => Cow::Borrowed(&node.text),
            Node::Xml(node) => {
                let mut texts = node.children().filter(roxmltree::Node::is_text);
                let first = texts.next().and_then(|child| child.text());
                let mut all = Cow::Borrowed(first.unwrap_or_default());
                for more in texts.filter_map(|child| child.text()) {
                    all.to_mut().push_str(more);
                }
                all
            }
        }
    }

    /// The name of the file the element is in.
    pub fn file(self) -> &'a str {
        self.file.name
    }

    /// The line the element begins on.
    pub fn line(self) -> u32 {
        match self.node {
            Node::Xml(node) => self.file.line_of_byte(node.range().start),
            Node::Json(node) => node.line,
        }
    }

    /// How many bytes of the file the element takes.
    pub fn length(self) -> u64 {
        match self.node {
            Node::Xml(node) => node.range().len() as u64,
            Node::Json(node) => node.length,
        }
    }

    /// An error at this element.
    pub fn fault(
        self,
        place: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Fault {
        Fault::at(self.file.name, self.line(), place, problem, advice)
    }

    pub fn attribute(self, name: &str) -> Option<&'a str> {
        match self.node {
            Node::Xml(node) => node.attribute(name),
            Node::Json(node) => {
                let mut attributes = node.attributes.iter();
                let found = attributes.find(|(known, _)| *known == name);
                found.map(|(_, value)| &**value)
            }
        }
    }

    /// The class or type, empty when there is none. Tiled 1.9 wrote `class`,
    /// all other versions `type`.
    pub fn class(self) -> &'a str {
        ["type", "class"]
            .into_iter()
            .filter_map(|name| self.attribute(name))
            .find(|value| !value.is_empty())
            .unwrap_or_default()
    }

    /// An attribute converted by `convert`, which returns `None` for values
    /// that are not `wanted`.
    fn converted<T>(
        self,
        place: &str,
        name: &str,
        wanted: impl FnOnce() -> String,
        convert: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.attribute(name) else {
            return Ok(None);
        };
        let converted = convert(value).ok_or_else(|| {
            let problem = format!("{name}=\"{}\" is not {}", shorten(value), wanted());
            self.fault(place, problem, "")
        })?;
        Ok(Some(converted))
    }

    /// An integer, where the attribute exists.
    pub fn integer<T: FromStr>(self, place: &str, name: &str) -> Result<Option<T>, Fault> {
        let wanted = || "an integer in range".to_owned();
        self.converted(place, name, wanted, |value| value.trim().parse().ok())
    }

    /// An integer that must exist.
    pub fn required<T: FromStr>(self, place: &str, name: &str) -> Result<T, Fault> {
        self.integer(place, name)?.ok_or_else(|| {
            let problem = format!("<{}> has no {name}", self.tag());
            self.fault(place, problem, "open the file in Tiled and save it again")
        })
    }

    /// A number of pixels or degrees, where the attribute exists.
    pub fn number(self, place: &str, name: &str) -> Result<Option<f32>, Fault> {
        let wanted = || format!("a number between -{MAX_COORDINATE} and {MAX_COORDINATE}");
        self.converted(place, name, wanted, coordinate)
    }

    /// A colour as Tiled writes it, `#rrggbb` or `#aarrggbb`; `None` for anything
    /// else.
    pub fn color(self, name: &str) -> Option<&'a str> {
        let value = self.attribute(name)?;
        let digits = value.strip_prefix('#').unwrap_or(value);
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_hex && matches!(digits.len(), 6 | 8)).then_some(value)
    }

    /// One of a few words, which are separated by spaces, where the attribute exists.
    pub fn word(
        self,
        place: &str,
        name: &str,
        words: &'static str,
    ) -> Result<Option<&'static str>, Fault> {
        let wanted = || format!("one of {}", words.replace(' ', ", "));
        let find = |value: &str| words.split(' ').find(|word| *word == value);
        self.converted(place, name, wanted, find)
    }
}

/// A number of at most [`MAX_COORDINATE`].
pub fn coordinate(text: &str) -> Option<f32> {
    let value: f32 = text.trim().parse().ok()?;
    (f64::from(value.abs()) <= MAX_COORDINATE).then_some(value)
}
