//! Writing XML for the `tiled` crate.

use std::fmt::{Arguments, Display, Write as _};
use std::rc::Rc;

use super::classes::Classes;
use crate::source::error::Fault;
use crate::source::tmx::element::Element;

/// XML under construction. `write!` appends to it what needs no escaping.
pub struct Writer<'f> {
    pub xml: String,
    /// The classes of the map's project, which elements get defaults from.
    pub classes: Rc<Classes<'f>>,
}

impl<'f> Writer<'f> {
    pub fn new(classes: &Rc<Classes<'f>>) -> Self {
        Self {
            xml: String::new(),
            classes: Rc::clone(classes),
        }
    }

    pub fn write_fmt(&mut self, text: Arguments<'_>) {
        // Writing to a `String` does not fail.
        let _ = self.xml.write_fmt(text);
    }

    /// Opens the tag of an element, with what layers and objects have in common.
    pub fn begin(&mut self, element: Element<'_>, place: &str) -> Result<(), Fault> {
        write!(self, "<{}", element.tag());
        self.optional("id", element.integer::<u32>(place, "id")?);
        self.optional("name", element.attribute("name"));
        // Tiled writes 0 and 1, other programs write words.
        if matches!(element.attribute("visible"), Some("0" | "false")) {
            self.attribute("visible", 0);
        }
        // An empty class would hide the class of the template.
        let class = element.class();
        self.optional("type", (!class.is_empty()).then_some(class));
        Ok(())
    }

    /// Appends an attribute to a tag that is still open.
    pub fn attribute(&mut self, name: &str, value: impl Display) {
        write!(self, " {name}=\"");
        for c in value.to_string().chars() {
            match c {
                '<' => self.xml.push_str("&lt;"),
                '&' => self.xml.push_str("&amp;"),
                '"' => self.xml.push_str("&quot;"),
                '\t' => self.xml.push_str("&#9;"),
                '\n' => self.xml.push_str("&#10;"),
                '\r' => self.xml.push_str("&#13;"),
                c => self.xml.push(c),
            }
        }
        self.xml.push('"');
    }

    pub fn optional(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.attribute(name, value);
        }
    }
}
