//! Writing XML for the `tiled` crate.

use std::fmt::Display;

/// XML under construction.
#[derive(Debug, Default)]
pub(super) struct Writer(String);

impl Writer {
    /// Begins a tag; attributes may follow, then [`content`](Self::content)
    /// or [`empty`](Self::empty).
    pub(super) fn begin(&mut self, tag: &str) {
        self.0.push('<');
        self.0.push_str(tag);
    }

    pub(super) fn attribute(&mut self, name: &str, value: impl Display) {
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

    pub(super) fn optional(&mut self, name: &str, value: Option<impl Display>) {
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

    /// The buffer, to append text that needs no escaping.
    pub(super) fn raw(&mut self) -> &mut String {
        &mut self.0
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}
