//! JSON values with their line, for messages.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::Fault;
use super::text::{TextFile, without_control_characters};

/// Lists and objects in properties are read to this depth. Files have two or
/// three levels; this only ends the recursion.
pub const MAX_NESTING: u32 = 16;

/// A JSON value of a file. Its content is parsed when it is read.
#[derive(Clone, Copy)]
pub struct Json<'a> {
    file: &'a TextFile<'a>,
    raw: &'a str,
}

/// The members of a JSON object but for those that are null. Of two with one name, the
/// last counts.
pub struct Members<'a> {
    /// The object.
    pub json: Json<'a>,
    members: BTreeMap<String, Json<'a>>,
}

/// Parses a file whose outermost value is an object.
pub fn parse<'a>(file: &'a TextFile<'a>) -> Result<Members<'a>, Fault> {
    file.check_not_empty("JSON")?;
    let raw: &RawValue = serde_json::from_str(file.text).map_err(|error| {
        let line = u32::try_from(error.line()).ok();
        let problem = format!("not well-formed JSON: {error}");
        let advice = "save it again with the program that made it";
        Fault::at(file.name, line, "", problem, advice)
    })?;
    Json::new(file, raw).members("")
}

impl<'a> Json<'a> {
    /// A part of a file.
    pub fn new(file: &'a TextFile<'a>, raw: &'a RawValue) -> Self {
        let raw = raw.get();
        Self { file, raw }
    }

    /// The value at a place that [`range`](Self::range) has given for this file.
    pub fn at(file: &'a TextFile<'a>, range: &Range<usize>) -> Self {
        let raw = file.text.get(range.clone()).unwrap_or_default();
        Self { file, raw }
    }

    /// Where the value is in the text of its file.
    pub fn range(self) -> Range<usize> {
        let start = self.file.offset_of(self.raw);
        start..start + self.raw.len()
    }

    /// The name of its file.
    pub const fn file(self) -> &'a str {
        self.file.name
    }

    /// The line the value begins on, counted from 1.
    pub fn line(self) -> u32 {
        self.file.line_of_byte(self.file.offset_of(self.raw))
    }

    /// An error at this value.
    pub fn fault(
        self,
        place: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Fault {
        Fault::at(self.file.name, self.line(), place, problem, advice)
    }

    /// The value as a type of Rust; an error names the line of what does not fit.
    pub fn read<T: Deserialize<'a>>(self, place: &str) -> Result<T, Fault> {
        serde_json::from_str(self.raw).map_err(|error| {
            let line = self.line() + (error.line() as u32).saturating_sub(1);
            let problem = error.to_string();
            let problem = problem
                .rsplit_once(" at line ")
                .map_or(&*problem, |(text, _)| text);
            let advice = "save it again with the program that made it";
            Fault::at(self.file.name, line, place, problem, advice)
        })
    }

    /// The type of the value, with its article.
    pub fn kind(self) -> &'static str {
        match self.raw.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "text",
            Some(b't' | b'f') => "true or false",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    pub fn is_object(self) -> bool {
        self.raw.starts_with('{')
    }

    pub fn is_list(self) -> bool {
        self.raw.starts_with('[')
    }

    pub fn is_true(self) -> bool {
        self.raw == "true"
    }

    fn unexpected(self, place: &str, wanted: &str) -> Fault {
        let problem = format!("expected {wanted}, found {}", self.kind());
        self.fault(place, problem, "")
    }

    /// The members of an object; `place` is what it belongs to.
    pub fn members(self, place: &str) -> Result<Members<'a>, Fault> {
        let members = serde_json::from_str::<BTreeMap<String, &'a RawValue>>(self.raw);
        let members = members.map_err(|_| self.unexpected(place, "an object"))?;
        let file = self.file;
        let members = members
            .into_iter()
            .filter(|(_, raw)| raw.get() != "null")
            .map(|(name, raw)| {
                let name = without_control_characters(Cow::Owned(name)).into_owned();
                (name, Json::new(file, raw))
            });
        Ok(Members {
            json: self,
            members: members.collect(),
        })
    }

    pub fn items(self, place: &str) -> Result<Vec<Json<'a>>, Fault> {
        let items: Result<Vec<&'a RawValue>, _> = serde_json::from_str(self.raw);
        let items = items.map_err(|_| self.unexpected(place, "a list"))?;
        let file = self.file;
        Ok(items.into_iter().map(|raw| Json::new(file, raw)).collect())
    }

    /// The text between the brackets of a list.
    pub fn inside(self) -> &'a str {
        let inside = self.raw.strip_prefix('[');
        inside.and_then(|r| r.strip_suffix(']')).unwrap_or_default()
    }

    /// A text, number or truth value as text; `None` for anything else.
    pub fn scalar(self) -> Option<Cow<'a, str>> {
        match self.raw.as_bytes().first()? {
            b'{' | b'[' | b'n' => None,
            // Fails for a lone surrogate.
            b'"' => {
                let text = serde_json::from_str::<String>(self.raw).ok()?;
                Some(without_control_characters(Cow::Owned(text)))
            }
            _ => Some(Cow::Borrowed(self.raw)),
        }
    }

    /// Passes the texts, numbers and truth values of a property to `add`, with
    /// their names: items of a list are `name.0`, members of an object
    /// `name.member`. Those `nesting` levels deep are left out.
    pub fn flatten(
        self,
        nesting: u32,
        name: &str,
        place: &str,
        add: &mut impl FnMut(String, Cow<'a, str>),
    ) -> Result<(), Fault> {
        if nesting == 0 {
            return Ok(());
        }
        if self.is_list() {
            for (i, item) in self.items(place)?.into_iter().enumerate() {
                // Tiled stores the type of an item beside its value.
                let typed = item.is_object().then(|| item.members(place)).transpose()?;
                let typed = typed.filter(|members| members.has("type"));
                let value = typed.and_then(|members| members.get("value"));
                let name = format!("{name}.{i}");
                (value.unwrap_or(item)).flatten(nesting - 1, &name, place, add)?;
            }
        } else if self.is_object() {
            for (member, value) in self.members(place)?.iter() {
                value.flatten(nesting - 1, &format!("{name}.{member}"), place, add)?;
            }
        } else if let Some(text) = self.scalar() {
            add(name.to_owned(), text);
        }
        Ok(())
    }
}

impl<'a> Members<'a> {
    /// A member; one that is null counts as missing.
    pub fn get(&self, name: &str) -> Option<Json<'a>> {
        self.members.get(name).copied()
    }

    pub fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// All members, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Json<'a>)> {
        self.members
            .iter()
            .map(|(name, json)| (name.as_str(), *json))
    }

    /// A text, number or truth value as text, where it exists.
    pub fn text(&self, place: &str, name: &str) -> Result<Option<Cow<'a, str>>, Fault> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let text = value.scalar().ok_or_else(|| {
            let problem = match value.kind() {
                "text" => format!("{name} has half of a character of two UTF-16 units"),
                kind => format!("{name} is {kind}, not text or a number"),
            };
            value.fault(place, problem, "")
        })?;
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines() {
        let text = "{\n \"a\": [1, 2],\n\n \"b\":\n  {\"c\": null, \"d\":\n \"x\\ny\"}}";
        let file = TextFile::new("a.json", text.as_bytes(), "").unwrap();
        let root = parse(&file).unwrap();
        let a = root.get("a").unwrap();
        assert_eq!((a.line(), a.inside()), (2, "1, 2"));
        let b = root.get("b").unwrap().members("").unwrap();
        assert_eq!(b.json.line(), 5);
        assert!(!b.has("c"));
        assert_eq!(b.text("", "d").unwrap().unwrap(), "x\ny");
        let fault = b
            .json
            .read::<BTreeMap<String, Option<u32>>>("b")
            .unwrap_err();
        assert_eq!(
            (fault.line, fault.problem.contains("invalid type: string")),
            (Some(6), true)
        );
        let fault = a.members("layer").err().unwrap();
        assert_eq!(
            fault.to_string(),
            "a.json:2: layer: expected an object, found a list"
        );
        let broken = TextFile::new("a.json", b"{\n \"a\": [1,}", "").unwrap();
        assert_eq!(parse(&broken).err().unwrap().line, Some(2));
    }
}
