//! Reading XML with a place for every complaint, and writing it anew.

use std::str::FromStr;

use roxmltree::{Document, Node, ParsingOptions};

use super::draft::Marks;
use super::scan::scan;
use crate::source::convex::MAX_COORDINATE;
use crate::source::error::{Fault, SourceError};

/// The most elements and texts in one file.
const MAX_NODES: u32 = 1 << 22;

/// One XML file of a level.
pub(super) struct Xml<'i> {
    /// Its name, for complaints.
    pub(super) file: &'i str,
    document: Document<'i>,
    /// The byte where each line begins.
    lines: Vec<usize>,
    /// Where the elements of a translated file came from.
    marks: Marks,
}

impl<'i> Xml<'i> {
    /// Parses a file's text.
    pub(super) fn parse(file: &'i str, text: &'i str, marks: Marks) -> Result<Self, SourceError> {
        let at = |line: u32, byte: usize| marks.line(byte).unwrap_or(line);
        let fault = |line, problem: String| {
            Fault::at(
                file,
                line,
                "",
                problem,
                "open it in Tiled and save it again",
            )
        };
        scan(text).map_err(|oddity| {
            let before = &text.as_bytes()[..oddity.at];
            let line = before.split(|&byte| byte == b'\n').count();
            fault(at(line as u32, oddity.at), oddity.problem.to_owned())
        })?;
        // Old maps begin with a document type; it has no entities, as the scan
        // has made sure.
        let options = ParsingOptions {
            allow_dtd: true,
            nodes_limit: MAX_NODES,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(text, options).map_err(|error| {
            let line = at(error.pos().row, 0);
            let problem = match error {
                roxmltree::Error::NodesLimitReached => {
                    format!("more than {MAX_NODES} XML elements; store tiles as CSV or base64")
                }
                error => format!("not well-formed XML: {error}"),
            };
            fault(line, problem)
        })?;
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Ok(Self {
            file,
            document,
            lines: std::iter::once(0)
                .chain(newlines.map(|(at, _)| at + 1))
                .collect(),
            marks,
        })
    }

    /// The text of a file, which must be UTF-8.
    pub(super) fn text<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, SourceError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let problem = match bytes {
                [0x1f, 0x8b, ..] => "this is compressed with gzip".to_owned(),
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "this is UTF-16, not UTF-8".to_owned(),
                _ => format!("not UTF-8 text, from byte {}", error.valid_up_to()),
            };
            Fault::of_file(file, problem, "open it in Tiled and save it again")
        })?;
        Ok(text.trim_start_matches('\u{feff}'))
    }

    /// The root, which must have this name.
    pub(super) fn root(&self, tag: &str) -> Result<Element<'_, 'i>, SourceError> {
        let root = self.wrap(self.document.root_element());
        if root.tag() == tag {
            return Ok(root);
        }
        let advice = match root.tag() {
            "tileset" | "template" | "map" => "the wrong kind of Tiled file is named here",
            _ => "this is no file of Tiled",
        };
        Err(root
            .fault(
                "",
                format!("the outermost element is <{}>, not <{tag}>", root.tag()),
                advice,
            )
            .into())
    }

    fn wrap<'a>(&'a self, node: Node<'a, 'i>) -> Element<'a, 'i> {
        Element { xml: self, node }
    }
}

/// An element and the file it is in.
#[derive(Clone, Copy)]
pub(super) struct Element<'a, 'i> {
    xml: &'a Xml<'i>,
    node: Node<'a, 'i>,
}

impl<'a, 'i> Element<'a, 'i> {
    pub(super) fn tag(self) -> &'a str {
        self.node.tag_name().name()
    }

    pub(super) fn children(self) -> impl Iterator<Item = Element<'a, 'i>> + use<'a, 'i> {
        let xml = self.xml;
        self.node
            .children()
            .filter(Node::is_element)
            .map(move |node| Element { xml, node })
    }

    pub(super) fn child(self, tag: &str) -> Option<Element<'a, 'i>> {
        self.children().find(|child| child.tag() == tag)
    }

    /// All text directly inside, CDATA too.
    pub(super) fn text(self) -> String {
        self.node
            .children()
            .filter_map(|child| child.is_text().then(|| child.text()).flatten())
            .collect()
    }

    /// The file the element is in.
    pub(super) fn file(self) -> &'a str {
        self.xml.file
    }

    /// The line the element begins on.
    pub(super) fn line(self) -> u32 {
        let start = self.node.range().start;
        let own = || self.xml.lines.partition_point(|&line| line <= start) as u32;
        self.xml.marks.line(start).unwrap_or_else(own)
    }

    /// How many bytes of the file the element takes.
    pub(super) fn length(self) -> u64 {
        self.node.range().len() as u64
    }

    /// A complaint about this element.
    pub(super) fn fault(
        self,
        place: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Fault {
        Fault::at(self.xml.file, self.line(), place, problem, advice)
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// Class or type: Tiled has called it both. Empty when there is none.
    pub(super) fn class(self) -> &'a str {
        ["type", "class"]
            .into_iter()
            .filter_map(|name| self.attribute(name))
            .find(|value| !value.is_empty())
            .unwrap_or_default()
    }

    /// A whole number, when the attribute is there.
    pub(super) fn whole<T: FromStr>(self, place: &str, name: &str) -> Result<Option<T>, Fault> {
        self.attribute(name)
            .map(|value| {
                value.trim().parse().map_err(|_| {
                    self.fault(
                        place,
                        format!("{name}=\"{}\" is no whole number in range", shorten(value)),
                        "",
                    )
                })
            })
            .transpose()
    }

    /// A whole number that must be there.
    pub(super) fn required<T: FromStr>(self, place: &str, name: &str) -> Result<T, Fault> {
        self.whole(place, name)?.ok_or_else(|| {
            self.fault(
                place,
                format!("<{}> has no {name}", self.tag()),
                "open the file in Tiled and save it again",
            )
        })
    }

    /// A number of pixels or degrees, when the attribute is there.
    pub(super) fn number(self, place: &str, name: &str) -> Result<Option<f32>, Fault> {
        self.attribute(name)
            .map(|value| {
                coordinate(value).ok_or_else(|| {
                    self.fault(
                        place,
                        format!(
                            "{name}=\"{}\" is no number between -{MAX_COORDINATE} and {MAX_COORDINATE}",
                            shorten(value)
                        ),
                        "",
                    )
                })
            })
            .transpose()
    }

    /// One of a few words, when the attribute is there.
    pub(super) fn word(
        self,
        place: &str,
        name: &str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, Fault> {
        self.attribute(name)
            .map(|value| {
                words
                    .iter()
                    .find(|word| **word == value)
                    .copied()
                    .ok_or_else(|| {
                        self.fault(
                            place,
                            format!("{name}=\"{}\" is not known", shorten(value)),
                            format!("known are {}", words.join(", ")),
                        )
                    })
            })
            .transpose()
    }
}

/// A number within what the baker works with.
pub(super) fn coordinate(text: &str) -> Option<f32> {
    let value: f32 = text.trim().parse().ok()?;
    (f64::from(value.abs()) <= MAX_COORDINATE).then_some(value)
}

/// As much of a text from a file as fits a message.
pub(in crate::source) fn shorten(text: &str) -> String {
    shorten_to(text, 40)
}

/// As much of a text as so many characters hold, without control characters.
pub(in crate::source::tmx) fn shorten_to(text: &str, most: usize) -> String {
    let mut short: String = text
        .chars()
        .take(most)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(most).is_some() {
        short.push_str("...");
    }
    short
}

/// XML being written.
#[derive(Debug, Default)]
pub(super) struct Writer(String);

impl Writer {
    /// Begins a tag; attributes may follow, then [`content`](Self::content)
    /// or [`empty`](Self::empty).
    pub(super) fn begin(&mut self, tag: &str) {
        self.0.push('<');
        self.0.push_str(tag);
    }

    pub(super) fn attribute(&mut self, name: &str, value: impl std::fmt::Display) {
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push_str("=\"");
        for c in value.to_string().chars() {
            match c {
                '<' => self.0.push_str("&lt;"),
                '&' => self.0.push_str("&amp;"),
                '"' => self.0.push_str("&quot;"),
                '\t' => self.0.push_str("&#9;"),
                '\n' => self.0.push_str("&#10;"),
                '\r' => self.0.push_str("&#13;"),
                c => self.0.push(c),
            }
        }
        self.0.push('"');
    }

    pub(super) fn optional(&mut self, name: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.attribute(name, value);
        }
    }

    /// Ends the tag; its content follows, then [`end`](Self::end).
    pub(super) fn content(&mut self) {
        self.0.push('>');
    }

    /// Ends the tag of an element without content.
    pub(super) fn empty(&mut self) {
        self.0.push_str("/>\n");
    }

    pub(super) fn end(&mut self, tag: &str) {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push_str(">\n");
    }

    /// Where text that needs no escaping is appended.
    pub(super) fn raw(&mut self) -> &mut String {
        &mut self.0
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}
