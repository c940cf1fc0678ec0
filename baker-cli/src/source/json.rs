//! JSON with a place for every complaint.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::error::Fault;

/// A JSON file of a level.
pub(super) struct JsonFile<'i> {
    /// Its name, for complaints.
    pub(super) file: &'i str,
    text: &'i str,
    /// The byte where each line begins.
    lines: Vec<usize>,
}

/// A value and where it stands. Values are looked into only when they are
/// asked for.
#[derive(Clone, Copy)]
pub(super) struct Json<'a> {
    whole: &'a JsonFile<'a>,
    raw: &'a str,
}

/// The members of an object. Of two with one name the last counts.
pub(super) struct Members<'a> {
    /// The object.
    pub(super) at: Json<'a>,
    members: BTreeMap<String, &'a RawValue>,
}

/// Whether a text is JSON rather than XML.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

impl<'i> JsonFile<'i> {
    /// Takes a text, which is checked as it is looked into.
    pub(super) fn new(file: &'i str, text: &'i str) -> Self {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self {
            file,
            text,
            lines: std::iter::once(0)
                .chain(newlines.map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// The outermost object.
    pub(super) fn root(&self) -> Result<Members<'_>, Fault> {
        let raw: &RawValue = serde_json::from_str(self.text).map_err(|error| Fault {
            file: self.file.to_owned(),
            line: u32::try_from(error.line()).ok(),
            place: String::new(),
            problem: format!("not well-formed JSON: {error}"),
            advice: "save it again with the program that made it".to_owned(),
        })?;
        let json = Json {
            whole: self,
            raw: raw.get(),
        };
        json.members("")
    }
}

impl<'a> Json<'a> {
    /// The line the value begins on, counted from 1.
    pub(super) fn line(self) -> u32 {
        // Every value is a slice of the file's text.
        let start = self
            .raw
            .as_ptr()
            .addr()
            .wrapping_sub(self.whole.text.as_ptr().addr());
        self.whole.lines.partition_point(|&line| line <= start) as u32
    }

    /// A complaint about this value.
    pub(super) fn fault(
        self,
        place: &str,
        problem: impl Into<String>,
        advice: impl Into<String>,
    ) -> Fault {
        Fault::at(self.whole.file, self.line(), place, problem, advice)
    }

    /// What kind of value it is, in words.
    pub(super) fn kind(self) -> &'static str {
        match self.raw.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "text",
            Some(b't' | b'f') => "true or false",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    pub(super) fn is_object(self) -> bool {
        self.raw.starts_with('{')
    }

    pub(super) fn is_list(self) -> bool {
        self.raw.starts_with('[')
    }

    fn is_null(self) -> bool {
        self.raw == "null"
    }

    /// The members of an object; `place` is what it belongs to.
    pub(super) fn members(self, place: &str) -> Result<Members<'a>, Fault> {
        let members = serde_json::from_str(self.raw).map_err(|_| {
            self.fault(
                place,
                format!("there is {} where an object should be", self.kind()),
                "",
            )
        })?;
        Ok(Members { at: self, members })
    }

    /// The items of a list.
    pub(super) fn items(self, place: &str) -> Result<Vec<Json<'a>>, Fault> {
        let items: Vec<&'a RawValue> = serde_json::from_str(self.raw).map_err(|_| {
            self.fault(
                place,
                format!("there is {} where a list should be", self.kind()),
                "",
            )
        })?;
        let whole = self.whole;
        let item = |raw: &'a RawValue| Json {
            whole,
            raw: raw.get(),
        };
        Ok(items.into_iter().map(item).collect())
    }

    /// What stands between the brackets of a list, as it is written.
    pub(super) fn inside(self) -> &'a str {
        let inside = self.raw.strip_prefix('[');
        inside.and_then(|r| r.strip_suffix(']')).unwrap_or_default()
    }

    /// A text, number or truth value as text; `None` for anything else.
    pub(super) fn scalar(self) -> Option<Cow<'a, str>> {
        match self.raw.as_bytes().first()? {
            b'{' | b'[' | b'n' => None,
            // A lone surrogate is no text.
            b'"' => serde_json::from_str::<String>(self.raw)
                .ok()
                .map(Cow::Owned),
            _ => Some(Cow::Borrowed(self.raw)),
        }
    }
}

impl<'a> Members<'a> {
    /// A member; one that is null counts as missing.
    pub(super) fn get(&self, name: &str) -> Option<Json<'a>> {
        let json = Json {
            whole: self.at.whole,
            raw: self.members.get(name)?.get(),
        };
        (!json.is_null()).then_some(json)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All members, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Json<'a>)> {
        let whole = self.at.whole;
        self.members.iter().map(move |(name, raw)| {
            let raw = raw.get();
            (name.as_str(), Json { whole, raw })
        })
    }

    /// The items of a list; none where it is missing.
    pub(super) fn list(&self, place: &str, name: &str) -> Result<Vec<Json<'a>>, Fault> {
        self.get(name).map_or(Ok(Vec::new()), |v| v.items(place))
    }

    /// A text, number or truth value as text, where it is there.
    pub(super) fn text(&self, place: &str, name: &str) -> Result<Option<Cow<'a, str>>, Fault> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.scalar() {
            Some(text) => Ok(Some(text)),
            None => Err(value.fault(
                place,
                format!("{name} is {}, not text or a number", value.kind()),
                "",
            )),
        }
    }

    /// Whether a member is `true`.
    pub(super) fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value.raw == "true")
    }

    /// A finite number, where it is there.
    pub(super) fn number(&self, place: &str, name: &str) -> Result<Option<f64>, Fault> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let number = serde_json::from_str::<f64>(value.raw).ok();
        number.filter(|n| n.is_finite()).map(Some).ok_or_else(|| {
            value.fault(
                place,
                format!("{name} is {}, not a number", value.kind()),
                "",
            )
        })
    }

    /// A number that must be there.
    pub(super) fn required(&self, place: &str, name: &str) -> Result<f64, Fault> {
        self.number(place, name)?.ok_or_else(|| {
            self.at.fault(
                place,
                format!("it has no {name}"),
                "save it again with the program that made it",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines() {
        let file = JsonFile::new(
            "a.json",
            "{\n \"a\": [1, 2],\n\n \"b\":\n  {\"c\": null, \"d\": \"x\\ny\"}}",
        );
        let root = file.root().unwrap();
        let a = root.get("a").unwrap();
        assert_eq!((a.line(), a.inside()), (2, "1, 2"));
        let b = root.get("b").unwrap().members("").unwrap();
        assert_eq!(b.at.line(), 5);
        assert!(!b.has("c"));
        assert_eq!(b.text("", "d").unwrap().unwrap(), "x\ny");
        assert!(b.number("", "d").is_err());
        let fault = a.members("layer").err().unwrap();
        assert_eq!(
            fault.to_string(),
            "a.json:2: layer: there is a list where an object should be"
        );
        let broken = JsonFile::new("a.json", "{\n \"a\": [1,}");
        assert_eq!(broken.root().err().unwrap().line, Some(2));
    }
}
