//! The text format of Godot's scenes and resources: sections with values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::source::error::Fault;
use crate::source::text::{TextFile, shorten};

/// How deep values may be nested. They are read recursively; this only ends the recursion.
const MAX_DEPTH: u32 = 64;

/// A value of a property.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    /// Keys and values of a dictionary.
    Map(Vec<(Value, Value)>),
    /// `Vector2(1, 2)`: a name and its arguments.
    Call(String, Vec<Value>),
}

/// `[node name="A"]` and the properties below it.
#[derive(Debug, Clone)]
pub struct Section {
    pub tag: String,
    pub line: u32,
    pub attributes: BTreeMap<String, Value>,
    pub properties: BTreeMap<String, Value>,
}

impl Value {
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    /// The arguments of a call of this name, such as `Vector2`.
    pub fn arguments(&self, name: &str) -> Option<&[Self]> {
        match self {
            Self::Call(known, arguments) if known == name => Some(arguments),
            _ => None,
        }
    }

    /// All numbers among the arguments of a call of this name.
    pub fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let arguments = self.arguments(name)?.iter();
        arguments.map(Self::number).collect()
    }

    /// Two numbers: a vector of floats or integers.
    pub fn pair(&self) -> Option<[f64; 2]> {
        let numbers = self
            .numbers("Vector2")
            .or_else(|| self.numbers("Vector2i"))?;
        numbers.try_into().ok()
    }
}

/// Reads all sections of a file.
pub fn parse(file: &TextFile<'_>) -> Result<Vec<Section>, Fault> {
    let mut parser = Parser { file, at: 0 };
    let mut sections: Vec<Section> = Vec::new();
    loop {
        parser.skip_space();
        let line = file.line_of_byte(parser.at);
        if parser.rest().is_empty() {
            return Ok(sections);
        }
        if parser.take("[") {
            let tag = parser.word();
            let mut attributes = BTreeMap::new();
            while !parser.take("]") {
                let (name, value) = parser.assignment()?;
                attributes.insert(name, value);
            }
            sections.push(Section {
                tag,
                line,
                attributes,
                properties: BTreeMap::new(),
            });
        } else {
            let (name, value) = parser.assignment()?;
            let section = sections.last_mut().ok_or_else(|| {
                let problem = "this is not a scene or a resource of Godot";
                Fault::at(file.name, line, "", problem, "save it in Godot 4")
            })?;
            section.properties.insert(name, value);
        }
    }
}

struct Parser<'a> {
    file: &'a TextFile<'a>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.file.text.get(self.at..).unwrap_or_default()
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with(';') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// Skips a text if it is next.
    fn take(&mut self, text: &str) -> bool {
        self.skip_space();
        let is_next = self.rest().starts_with(text);
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// The text up to a character that ends names and numbers.
    fn word(&mut self) -> String {
        self.skip_space();
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || "[](){}=,:;\"&^".contains(c);
        let end = rest.find(ends).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }

    fn fault(&self, problem: &str) -> Fault {
        let line = self.file.line_of_byte(self.at);
        Fault::at(
            self.file.name,
            line,
            "",
            problem,
            "save it again in Godot 4",
        )
    }

    /// `name = value`; names may be quoted, and hold `:` and `/`.
    fn assignment(&mut self) -> Result<(String, Value), Fault> {
        self.skip_space();
        let name = if self.rest().starts_with('"') {
            self.string()?.into_owned()
        } else {
            let rest = self.rest();
            let line = rest.lines().next().unwrap_or_default();
            let Some(end) = line.find('=') else {
                let problem = format!("expected NAME = VALUE, found \"{}\"", shorten(line));
                return Err(self.fault(&problem));
            };
            self.at += end;
            rest[..end].trim().to_owned()
        };
        if !self.take("=") {
            return Err(self.fault("a property has no value"));
        }
        Ok((name, self.value(MAX_DEPTH)?))
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let body = &self.rest()[1..];
        let mut escaped = false;
        for (i, c) in body.char_indices() {
            match c {
                '"' if !escaped => {
                    self.at += i + 2;
                    let text = &body[..i];
                    return Ok(if text.contains('\\') {
                        Cow::Owned(text.replace("\\\"", "\"").replace("\\\\", "\\"))
                    } else {
                        Cow::Borrowed(text)
                    });
                }
                _ => escaped = c == '\\' && !escaped,
            }
        }
        Err(self.fault("a text does not end"))
    }

    fn value(&mut self, depth: u32) -> Result<Value, Fault> {
        if depth == 0 {
            return Err(self.fault("values are nested too deep"));
        }
        // Names of nodes are `&"name"`, paths `^"path"`.
        let _ = self.take("&") || self.take("^");
        if self.rest().starts_with('"') {
            return Ok(Value::Text(self.string()?.into_owned()));
        }
        if self.take("[") {
            return Ok(Value::List(self.values("]", depth)?));
        }
        if self.take("{") {
            let mut map = Vec::new();
            while !self.take("}") {
                let key = self.value(depth - 1)?;
                if !self.take(":") {
                    return Err(self.fault("an entry of a dictionary has no value"));
                }
                map.push((key, self.value(depth - 1)?));
                let _ = self.take(",");
            }
            return Ok(Value::Map(map));
        }
        let word = self.word();
        // `Array[int]([1, 2])`.
        if !word.is_empty() && self.rest().starts_with('[') {
            let end = self.rest().find(']').map_or(0, |end| end + 1);
            self.at += end;
        }
        if !word.is_empty() && self.take("(") {
            return Ok(Value::Call(word, self.values(")", depth)?));
        }
        match (word.as_str(), word.parse::<f64>()) {
            ("null" | "nil", _) => Ok(Value::Null),
            ("true", _) => Ok(Value::Bool(true)),
            ("false", _) => Ok(Value::Bool(false)),
            (_, Ok(number)) => Ok(Value::Number(number)),
            _ => Err(self.fault(&format!("\"{}\" is not a value", shorten(&word)))),
        }
    }

    /// Values up to an end, with commas between them, or a colon in arguments of objects.
    fn values(&mut self, end: &str, depth: u32) -> Result<Vec<Value>, Fault> {
        let mut values = Vec::new();
        while !self.take(end) {
            values.push(self.value(depth - 1)?);
            let is_separated = self.take(",") || self.take(":");
            if !is_separated && !self.rest().starts_with(end) {
                return Err(self.fault("a list does not end"));
            }
        }
        Ok(values)
    }
}
