//! Custom properties, all written as text.

use crate::source::error::Fault;
use crate::source::tmx::element::Element;
use crate::source::tmx::writer::Writer;

/// The property that holds the line of an object or layer. The `tiled` crate
/// has no other field that could.
pub(in crate::source::tmx) const LINE_PROPERTY: &str = "navbake:line";

/// The property that holds the line of a template's object and the template's file.
/// Objects that use the template inherit it.
pub(in crate::source::tmx) const TEMPLATE_PROPERTY: &str = "navbake:template";

/// Class and list properties nested deeper than this are read as empty text.
/// It bounds the recursion; files of Tiled have two or three levels.
const MAX_NESTING: u32 = 16;

/// Writes an element's properties and one of ours, a name and a value.
pub(super) fn write(
    owner: Element<'_>,
    own: Option<(&str, String)>,
    place: &str,
    out: &mut Writer,
) -> Result<(), Fault> {
    let properties = owner.child("properties");
    if properties.is_none() && own.is_none() {
        return Ok(());
    }
    write!(out, "<properties>");
    if let Some(properties) = properties {
        for property in properties.children_of("property") {
            let name = property.required::<String>(place, "name")?;
            write_one(property, &name, MAX_NESTING, out);
        }
    }
    if let Some((name, value)) = own {
        write_text(name, &value, out);
    }
    write!(out, "</properties>");
    Ok(())
}

/// The property with the line of an element of a map.
pub(super) fn line_of(element: Element<'_>) -> (&'static str, String) {
    (LINE_PROPERTY, element.line().to_string())
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
