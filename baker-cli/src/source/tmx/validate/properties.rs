//! Custom properties, all written as text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::writer::Writer;
use crate::source::error::Fault;
use crate::source::json::MAX_NESTING;
use crate::source::tmx::element::Element;

/// The property that holds the line of an object or layer. The `tiled` crate
/// has no other field that could.
pub const LINE_PROPERTY: &str = "navbake:line";

/// The property that holds the line of a template's object and the template's file.
/// Objects that use the template inherit it.
pub const TEMPLATE_PROPERTY: &str = "navbake:template";

/// What the names of properties begin with that an element has by the default of its
/// class. Those of the tile that an object shows come before them.
pub const DEFAULT_PREFIX: &str = "navbake:default:";

/// A name and a value.
type Property<'a> = (String, Cow<'a, str>);

/// Writes an element's properties, those of its class that it does not have, and one of
/// ours.
pub fn write(
    owner: Element<'_>,
    own: Option<(&str, String)>,
    place: &str,
    out: &mut Writer<'_>,
) -> Result<(), Fault> {
    let classes = Rc::clone(&out.classes);
    let mut all = Vec::new();
    // Names of properties, or of the element itself, with the class of each.
    let mut typed = Vec::new();
    let properties = owner.child("properties").into_iter();
    for property in properties.flat_map(|list| list.children_of("property")) {
        let name = property.required::<String>(place, "name")?;
        if let Some(class) = property.attribute("propertytype") {
            typed.push((format!("{name}."), class, "property"));
        }
        flatten(property, name, MAX_NESTING, &mut all);
    }
    // An object that uses a template has the class of the template, which has the defaults.
    if owner.attribute("template").is_none() {
        let kind = match owner.tag() {
            "objectgroup" | "imagelayer" | "group" => "layer",
            tag => tag,
        };
        typed.push((String::new(), owner.class(), kind));
    }
    let mut known = BTreeSet::new();
    for (prefix, class, kind) in typed {
        let Some(defaults) = classes.defaults(class, kind) else {
            continue;
        };
        if known.is_empty() {
            known = all.iter().map(|(name, _)| name.clone()).collect();
        }
        for (member, value) in defaults {
            let name = format!("{prefix}{member}");
            if !known.contains(&name) {
                let default = format!("{DEFAULT_PREFIX}{name}");
                known.insert(name);
                classes.charge(owner, place, default.len() + value.len())?;
                all.push((default, Cow::Borrowed(value)));
            }
        }
    }
    all.extend(own.map(|(name, value)| (name.to_owned(), Cow::Owned(value))));
    if all.is_empty() {
        return Ok(());
    }
    write!(out, "<properties>");
    for (name, value) in all {
        write!(out, "<property");
        out.attribute("name", name);
        out.attribute("value", value);
        write!(out, "/>");
    }
    write!(out, "</properties>");
    Ok(())
}

/// The property with the line of an element of a map.
pub fn line_of(element: Element<'_>) -> (&'static str, String) {
    (LINE_PROPERTY, element.line().to_string())
}

/// Members of classes become `outer.member`, items of lists `outer.0`.
fn flatten<'a>(property: Element<'a>, name: String, nesting: u32, all: &mut Vec<Property<'a>>) {
    match property.attribute("type") {
        Some("class") if nesting > 0 => {
            let members = property.child("properties");
            for member in members.into_iter().flat_map(Element::children) {
                if let Some(inner) = member.attribute("name") {
                    flatten(member, format!("{name}.{inner}"), nesting - 1, all);
                }
            }
        }
        Some("list") if nesting > 0 => {
            for (i, item) in property.children_of("item").enumerate() {
                flatten(item, format!("{name}.{i}"), nesting - 1, all);
            }
        }
        _ => {
            // Text of several lines is stored as content.
            let value = property.attribute("value").map(Cow::Borrowed);
            all.push((name, value.unwrap_or_else(|| property.text())));
        }
    }
}
