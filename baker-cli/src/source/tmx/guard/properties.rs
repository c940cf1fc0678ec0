//! Custom properties, all as text.

use super::xml::{Element, Writer};
use crate::source::error::Fault;

/// The property that carries the line an object or layer stands on through the
/// parser, which keeps no places.
pub(in crate::source::tmx) const LINE: &str = "navbake:line";

/// Deeper classes in classes than this are cut off.
const MAX_NESTING: u32 = 16;

/// Writes an element's properties, and the line to remember.
pub(super) fn write(
    owner: Element<'_, '_>,
    line: Option<u32>,
    place: &str,
    out: &mut Writer,
) -> Result<(), Fault> {
    let properties = owner.child("properties");
    if properties.is_none() && line.is_none() {
        return Ok(());
    }
    out.begin("properties");
    out.content();
    if let Some(properties) = properties {
        for property in properties
            .children()
            .filter(|child| child.tag() == "property")
        {
            let name = property.required::<String>(place, "name")?;
            write_one(property, &name, MAX_NESTING, out);
        }
    }
    if let Some(line) = line {
        write_text(LINE, &line.to_string(), out);
    }
    out.end("properties");
    Ok(())
}

/// Members of classes become `outer.member`, items of lists `outer.0`.
fn write_one(property: Element<'_, '_>, name: &str, nesting: u32, out: &mut Writer) {
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
            for (i, item) in property
                .children()
                .filter(|c| c.tag() == "item")
                .enumerate()
            {
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
    out.begin("property");
    out.attribute("name", name);
    out.attribute("value", value);
    out.empty();
}
