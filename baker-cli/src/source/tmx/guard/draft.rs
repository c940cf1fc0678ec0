//! Maps written as XML by the readers of other formats.
//!
//! Whatever is not TMX is written as TMX first, so that every check and every
//! rule is the same for all; the lines of the file it came from are kept for
//! complaints.

use std::fmt::Display;

use super::xml::Writer;

/// XML being written, which remembers where its elements came from.
#[derive(Debug, Default)]
pub(in crate::source) struct Draft {
    out: Writer,
    marks: Marks,
}

/// Where elements of a text came from: the byte each begins at and its line
/// in the original, ascending. Empty when the text is the original.
#[derive(Debug, Default)]
pub(in crate::source) struct Marks(Vec<(usize, u32)>);

impl Marks {
    /// The original line of what begins at a byte.
    pub(super) fn line(&self, at: usize) -> Option<u32> {
        let after = self.0.partition_point(|(start, _)| *start <= at);
        Some(self.0.get(after.checked_sub(1)?)?.1)
    }
}

impl Draft {
    /// Begins an element that came from a line; attributes may follow, then
    /// [`content`](Self::content) or [`empty`](Self::empty).
    pub(in crate::source) fn begin(&mut self, tag: &str, line: u32) {
        let at = self.out.raw().len();
        self.marks.0.push((at, line));
        self.out.begin(tag);
    }

    pub(in crate::source) fn attribute(&mut self, name: &str, value: impl Display) {
        self.out.attribute(name, legal(&value.to_string()));
    }

    pub(in crate::source) fn content(&mut self) {
        self.out.content();
    }

    pub(in crate::source) fn empty(&mut self) {
        self.out.empty();
    }

    pub(in crate::source) fn end(&mut self, tag: &str) {
        self.out.end(tag);
    }

    /// Text inside an element.
    pub(in crate::source) fn text(&mut self, text: &str) {
        let out = self.out.raw();
        if text
            .bytes()
            .all(|b| b.is_ascii_graphic() && !b"<>&".contains(&b))
        {
            out.push_str(text);
            return;
        }
        for c in legal(text).chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '&' => out.push_str("&amp;"),
                c => out.push(c),
            }
        }
    }

    /// A property, as text.
    pub(in crate::source) fn property(&mut self, line: u32, name: &str, value: impl Display) {
        self.begin("property", line);
        self.attribute("name", name);
        self.attribute("value", value);
        self.empty();
    }

    pub(super) fn finish(mut self) -> (String, Marks) {
        (std::mem::take(self.out.raw()), self.marks)
    }
}

/// A text with what XML cannot hold replaced.
fn legal(text: &str) -> String {
    let fine = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.chars()
        .map(|c| if fine(c) { c } else { '\u{fffd}' })
        .collect()
}
