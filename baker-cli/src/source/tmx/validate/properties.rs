//! Custom properties, all written as text.

use crate::source::error::Fault;
use crate::source::tmx::element::Element;
use crate::source::tmx::writer::Writer;

/// The property that holds the line of an object or layer. The `tiled` crate
/// has no other field that could.
pub(in crate::source::tmx) const LINE_PROPERTY: &str = "navbake:line";

/// Class and list properties nested deeper than this are read as empty text.
/// It bounds the recursion; files of Tiled have two or three levels.
const MAX_NESTING: u32 = 16;

/// Writes an element's properties, and its line.
pub(super) fn write(
    owner: Element<'_>,
    line: Option<u32>,
    place: &str,
    out: &mut Writer,
) -> Result<(), Fault> {
    let properties = owner.child("properties");
    if properties.is_none() && line.is_none() {
        return Ok(());
    }
    write!(out, "<properties>");
    if let Some(properties) = properties {
        for property in properties.children_of("property") {
            let name = property.required::<String>(place, "name")?;
            write_one(property, &name, MAX_NESTING, out);
        }
    }
    if let Some(line) = line {
        write_text(LINE_PROPERTY, &line.to_string(), out);
    }
    write!(out, "</properties>");
    Ok(())
}

/// Members of classes become `outer.member`, items of lists `outer.0`.
fn write_one(property: Element<'_>, name: &str, nesting: u32, out: &mut Writer) {
    match property.attribute("type") {
        Some("class") if nesting > 0 => {
            let members = property.child("properties");
            for member in members.into_iter().flat_map(Element::children) {
                if let Some(inner) = member.attribute("name") {
                    write_one(member, &format!("{name}.{inner}"), nesting - 1, out);
                }
            }
        }
        Some("list") if nesting > 0 => {
            for (i, item) in property.children_of("item").enumerate() {
                write_one(item, &format!("{name}.{i}"), nesting - 1, out);
            }
        }
        _ => match property.attribute("value") {
            Some(value) => write_text(name, value, out),
            // Text of several lines is stored as content.
            None => write_text(name, &property.text(), out),
        },
    }
}

fn write_text(name: &str, value: &str, out: &mut Writer) {
    write!(out, "<property");
    out.attribute("name", name);
    out.attribute("value", value);
    write!(out, "/>");
}
