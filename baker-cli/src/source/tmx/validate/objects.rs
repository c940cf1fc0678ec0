//! Objects: of layers, of templates, and the collision shapes of tiles.

use std::fmt::Write as _;

use super::properties;
use super::tile_ids::{FLAGS, FLIPS, Tilesets};
use super::writer::Writer;
use crate::source::error::Fault;
use crate::source::text::shorten;
use crate::source::tmx::element::{Element, coordinate};

/// The most points of one polygon or polyline. Cutting a polygon takes time
/// that grows with the square of its corners; at the limit, the outlines that
/// the tests of `convex` have for it take less than 0.1 s each.
const MAX_POINTS: usize = 2000;

/// The tiles that an object may show, and the id at which they begin: they are
/// written as if they began at 1. `None` for a tile's own shapes.
pub type TileIds<'a> = Option<(&'a Tilesets, u32)>;

/// The name of an object in messages.
pub fn describe(object: Element<'_>) -> String {
    let mut text = format!("object {}", object.attribute("id").unwrap_or("?"));
    if let Some(name) = object.attribute("name").filter(|name| !name.is_empty()) {
        let _ = write!(text, " \"{}\"", shorten(name));
    }
    text
}

/// Writes one of a tile's collision shapes.
pub fn write_tile_shape(
    object: Element<'_>,
    owner: &str,
    out: &mut Writer<'_>,
) -> Result<(), Fault> {
    let place = format!("{} of {owner}", describe(object));
    if object.attribute("template").is_some() {
        let problem = "a collision shape of a tile uses a template, which is not supported";
        return Err(object.fault(&place, problem, "in Tiled, detach it from the template"));
    }
    write(object, &place, None, None, false, out)
}

/// Writes an object with a tile that does not exist, as a rectangle where the tile
/// would be drawn.
pub fn write_without_tile(
    object: Element<'_>,
    place: &str,
    out: &mut Writer<'_>,
) -> Result<(), Fault> {
    let height = object.number(place, "height")?.unwrap_or_default();
    begin(object, place, height, out)?;
    write!(out, ">");
    let line = properties::line_of(object);
    properties::write(object, Some(line), place, out)?;
    write!(out, "</object>");
    Ok(())
}

/// Begins an object that is this much higher than its position.
fn begin(object: Element<'_>, place: &str, raised: f32, out: &mut Writer<'_>) -> Result<(), Fault> {
    out.begin(object, place)?;
    for name in ["x", "y", "width", "height", "rotation"] {
        let number = object.number(place, name)?;
        let raised = if name == "y" { raised } else { 0.0 };
        out.optional(name, number.map(|number| number - raised));
    }
    Ok(())
}

/// Writes an object. `template` is the path by which the crate opens its
/// template. `in_template` says that it is the object of a template: errors name its
/// place too, beside that of the object that uses the template.
pub fn write(
    object: Element<'_>,
    place: &str,
    tiles: TileIds<'_>,
    template: Option<&str>,
    in_template: bool,
    out: &mut Writer<'_>,
) -> Result<(), Fault> {
    begin(object, place, 0.0, out)?;
    if let Some(gid) = object.integer::<u32>(place, "gid")?
        && let Some((tilesets, first)) = tiles
    {
        tilesets.check(gid).map_err(|problem| {
            let advice = "choose another tile for it, or add the missing tileset";
            object.fault(place, problem, advice)
        })?;
        // `check` fails for ids between 0 and `first`.
        let id = gid & !FLAGS;
        let written = (id != 0).then(|| (gid & FLIPS) | (id - first + 1));
        out.optional("gid", written);
    }
    out.optional("template", template);
    write!(out, ">");
    for child in object.children() {
        let tag = child.tag();
        match tag {
            "polygon" | "polyline" => {
                let points = points(child, place)?;
                write!(out, "<{tag} points=\"{points}\"/>");
                break;
            }
            "ellipse" | "point" | "capsule" | "text" => {
                write!(out, "<{tag}/>");
                break;
            }
            _ => {}
        }
    }
    let own = if in_template {
        let value = format!("{} {}", object.line(), object.file());
        (properties::TEMPLATE_PROPERTY, value)
    } else {
        properties::line_of(object)
    };
    properties::write(object, Some(own), place, out)?;
    write!(out, "</object>");
    Ok(())
}

/// Points in the form that the crate parses: one space between them, no
/// exponents.
fn points(shape: Element<'_>, place: &str) -> Result<String, Fault> {
    let mut out = String::new();
    let text = shape.attribute("points").unwrap_or_default();
    for (i, pair) in text.split_ascii_whitespace().enumerate() {
        if i == MAX_POINTS {
            let problem = format!("more than {MAX_POINTS} points");
            return Err(shape.fault(place, problem, "draw it as several objects"));
        }
        let parsed = pair
            .split_once(',')
            .and_then(|(x, y)| Some((coordinate(x)?, coordinate(y)?)));
        let (x, y) = parsed.ok_or_else(|| {
            let problem = format!("point {} is \"{}\", not x,y", i + 1, shorten(pair));
            shape.fault(place, problem, "")
        })?;
        if i > 0 {
            out.push(' ');
        }
        let _ = write!(out, "{x},{y}");
    }
    if out.is_empty() {
        return Err(shape.fault(place, "it has no points", "delete it, or draw it again"));
    }
    Ok(out)
}
