//! Text files of a level, and parts of them in messages.

use std::borrow::Cow;

use super::error::{Fault, one_line};

/// A text file and where its lines begin.
pub struct TextFile<'b> {
    /// Its name, for messages.
    pub name: &'b str,
    pub text: &'b str,
    /// The byte where each line begins.
    pub lines: Cow<'b, [usize]>,
}

impl<'b> TextFile<'b> {
    /// Takes a file's bytes, which must be UTF-8; a byte order mark is skipped.
    /// `advice` says how to save the file correctly.
    pub fn new(name: &'b str, bytes: &'b [u8], advice: &str) -> Result<Self, Fault> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let problem = match bytes {
                [0x1f, 0x8b, ..] => "the file is compressed with gzip".to_owned(),
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file is UTF-16, not UTF-8".to_owned(),
                _ => format!("not UTF-8 text, from byte {}", error.valid_up_to()),
            };
            Fault::of_file(name, problem, advice)
        })?;
        let text = text.trim_start_matches('\u{feff}');
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1));
        Ok(Self {
            name,
            text,
            lines: lines.collect(),
        })
    }

    /// Refuses a file without any text, which no editor can open. `form` is what it is
    /// not: XML or JSON.
    pub fn check_not_empty(&self, form: &str) -> Result<(), Fault> {
        if !self.text.trim().is_empty() {
            return Ok(());
        }
        let problem = format!("not well-formed {form}: the file is empty");
        let advice = "save the level again, or restore an older version of the file";
        Err(Fault::of_file(self.name, problem, advice))
    }

    /// The line of a byte, counted from 1.
    pub fn line_of_byte(&self, at: usize) -> u32 {
        self.lines.partition_point(|&line| line <= at) as u32
    }

    /// The byte at which a part of this text begins. `part` is a slice of
    /// [`text`](Self::text).
    pub fn offset_of(&self, part: &str) -> usize {
        let start = part.as_ptr().addr();
        start.wrapping_sub(self.text.as_ptr().addr())
    }
}

/// A text with the characters that XML does not allow replaced by U+FFFD.
/// JSON strings may hold them; the `tiled` crate refuses them, and terminals
/// may interpret them.
pub fn without_control_characters(text: Cow<'_, str>) -> Cow<'_, str> {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    if text.chars().all(allowed) {
        return text;
    }
    let replaced = text
        .chars()
        .map(|c| if allowed(c) { c } else { '\u{fffd}' });
    Cow::Owned(replaced.collect())
}

/// The first `most` of some texts, separated by commas.
pub fn list(mut texts: impl Iterator<Item = String>, most: usize) -> String {
    let mut shown: Vec<String> = texts.by_ref().take(most).collect();
    if texts.next().is_some() {
        shown.push("...".to_owned());
    }
    shown.join(", ")
}

/// A text from a file, cut to 40 characters for a message.
pub fn shorten(text: &str) -> String {
    shorten_to(text, 40)
}

/// A text of one line, cut to `most` characters.
pub fn shorten_to(text: &str, most: usize) -> String {
    let start: String = text.chars().take(most).collect();
    let mut short = one_line(&start);
    if text.chars().nth(most).is_some() {
        short.push_str("...");
    }
    short
}
