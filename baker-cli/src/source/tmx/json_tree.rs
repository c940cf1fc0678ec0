//! Tiled's JSON formats (`.tmj`, `.tsj`, `.tj`) as elements of its XML formats.
//!
//! This module maps names and structure only. Values are checked on the elements, by the
//! same code for both formats.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::{Element, SAVE_AGAIN, known_attribute, known_tag};
use crate::source::error::Fault;
use crate::source::json::{Json, MAX_NESTING, Members, parse};
use crate::source::limits::MAX_GROUP_DEPTH;
use crate::source::text::{TextFile, shorten};

/// Reads a JSON file of Tiled.
pub fn read<'a>(file: &'a TextFile<'a>) -> Result<Element<'a>, Fault> {
    let root = parse(file)?;
    let kind = root.text("", "type")?;
    let is_ldtk = root.has("__header__");
    // Neither tilesets before Tiled 1.2 nor maps of other programs have a type.
    let tag = match kind.as_deref() {
        Some("map") => "map",
        Some("tileset") => "tileset",
        Some("template") => "template",
        None if root.has("layers") && root.has("tilewidth") && !is_ldtk => "map",
        None if (root.has("tilecount") || root.has("tilewidth")) && !is_ldtk => "tileset",
        kind => {
            let (problem, advice) = match kind {
                _ if is_ldtk => (
                    "this is an LDtk project, not a Tiled map".to_owned(),
                    "give it a name that ends in .ldtk",
                ),
                Some(kind) => (
                    format!("its type is \"{}\"", shorten(kind)),
                    "a JSON file of Tiled is a map, a tileset or a template",
                ),
                None => (
                    "its type is missing, so it is not a file of Tiled".to_owned(),
                    "make bitmaps of levels of other editors, with a pixel for each tile",
                ),
            };
            return Err(root.json.fault("", problem, advice));
        }
    };
    element(tag, root.json, "", 0)
}

/// An element for a JSON object: its scalars are attributes, its lists and objects
/// children. `depth` is that of groups of layers.
fn element<'a>(
    tag: &'static str,
    json: Json<'a>,
    owner: &str,
    depth: u32,
) -> Result<Element<'a>, Fault> {
    let members = json.members(owner)?;
    let mut element = new(tag, json);
    for (name, value) in members.iter() {
        // The type of a layer, a map or a tileset is its tag. Only objects and tiles have
        // a type that is a class.
        let is_tag = name == "type" && !matches!(tag, "object" | "tile");
        let is_part = value.is_list() || value.is_object();
        if let Some(name) = known_attribute(name).filter(|_| !is_tag && !is_part) {
            set(&mut element, name, &members, name, owner)?;
        }
    }
    let place = &element.place(owner);
    for (name, value) in members.iter() {
        match (tag, name) {
            ("map" | "group", "layers") if depth <= MAX_GROUP_DEPTH + 1 => {
                for json in value.items("layers")? {
                    let layer = layer(json, depth + u32::from(tag == "group"))?;
                    element.children.push(layer);
                }
            }
            ("map", "tilesets") => add_all(&mut element, "tileset", value, place)?,
            ("objectgroup", "objects") => add_all(&mut element, "object", value, place)?,
            ("tileset", "tiles") if value.is_list() => {
                add_all(&mut element, "tile", value, place)?;
            }
            ("tileset", "tiles" | "tileproperties") => {
                old_tiles(&mut element, value, name == "tiles", place)?;
            }
            ("tileset", "tileoffset") | ("template", "tileset" | "object") => {
                let owner = if name == "object" {
                    "the template"
                } else {
                    place
                };
                let part = known_tag(name).map(|tag| self::element(tag, value, owner, 0));
                element.children.extend(part.transpose()?);
            }
            ("tile", "objectgroup") => {
                let mut shapes = new("objectgroup", value);
                if let Some(list) = value.members(place)?.get("objects") {
                    add_all(&mut shapes, "object", list, place)?;
                }
                element.children.push(shapes);
            }
            (_, "image") => {
                let mut image = new("image", value);
                set(&mut image, "source", &members, "image", place)?;
                set(&mut image, "width", &members, "imagewidth", place)?;
                set(&mut image, "height", &members, "imageheight", place)?;
                set(&mut image, "trans", &members, "transparentcolor", place)?;
                element.children.push(image);
            }
            ("object", "polygon" | "polyline") => {
                let outline = known_tag(name).map(|tag| points(tag, value, place));
                element.children.extend(outline.transpose()?);
            }
            ("object", "ellipse" | "point" | "capsule" | "text")
                if value.is_true() || value.is_object() =>
            {
                element
                    .children
                    .extend(known_tag(name).map(|tag| new(tag, value)));
            }
            (_, "properties") => element.children.push(properties(value, place)?),
            _ => {}
        }
    }
    if tag == "layer" {
        element.children.extend(cells(&members, place)?);
    }
    Ok(element)
}

fn new<'a>(tag: &'static str, json: Json<'a>) -> Element<'a> {
    Element::new(tag, Rc::from(json.file()), json.line())
}

/// Sets an attribute to a member, where it exists.
fn set(
    element: &mut Element<'_>,
    name: &'static str,
    members: &Members<'_>,
    member: &str,
    place: &str,
) -> Result<(), Fault> {
    if let Some(value) = members.text(place, member)? {
        element.set(name, value);
    }
    Ok(())
}

/// Adds a child for each item of a list.
fn add_all<'a>(
    element: &mut Element<'a>,
    tag: &'static str,
    list: Json<'a>,
    place: &str,
) -> Result<(), Fault> {
    for json in list.items(place)? {
        element.children.push(self::element(tag, json, place, 0)?);
    }
    Ok(())
}

/// Adds tiles as Tiled wrote them before version 1.2: their parts by id, and their
/// properties by id in a member of the tileset.
fn old_tiles<'a>(
    tileset: &mut Element<'a>,
    tiles: Json<'a>,
    are_whole: bool,
    place: &str,
) -> Result<(), Fault> {
    let known = tileset.children.iter().enumerate();
    let known = known.filter(|(_, child)| child.tag == "tile");
    let known: BTreeMap<String, usize> = known
        .filter_map(|(at, tile)| Some((tile.attribute("id")?.to_owned(), at)))
        .collect();
    for (id, json) in tiles.members(place)?.iter() {
        if id.parse::<u32>().is_err() {
            let problem = format!("\"{}\" is not the number of a tile", shorten(id));
            return Err(json.fault(place, problem, SAVE_AGAIN));
        }
        let mut tile = if are_whole {
            element("tile", json, place, 0)?
        } else {
            let mut tile = new("tile", json);
            tile.children.push(properties(json, place)?);
            tile
        };
        tile.replace("id", id.to_owned());
        let same = known.get(id).copied();
        match same.and_then(|at| tileset.children.get_mut(at)) {
            Some(same) => same.children.append(&mut tile.children),
            None => tileset.children.push(tile),
        }
    }
    Ok(())
}

fn layer(json: Json<'_>, depth: u32) -> Result<Element<'_>, Fault> {
    let members = json.members("layers")?;
    let name = members.text("layers", "name")?.unwrap_or_default();
    let place = format!("layer \"{}\"", shorten(&name));
    let tag = match &*members.text(&place, "type")?.unwrap_or_default() {
        "tilelayer" => "layer",
        "objectgroup" => "objectgroup",
        "imagelayer" => "imagelayer",
        "group" => "group",
        other => {
            let problem = format!("its type is \"{}\"", shorten(other));
            let advice = "the types are tilelayer, objectgroup, imagelayer and group";
            return Err(json.fault(&place, problem, advice));
        }
    };
    element(tag, json, &place, depth)
}

fn cells<'a>(layer: &Members<'a>, place: &str) -> Result<Option<Element<'a>>, Fault> {
    let chunks = layer.get("chunks");
    let Some(first) = chunks.or(layer.get("data")) else {
        return Ok(None);
    };
    let mut data = new("data", first);
    let encoding = layer.text(place, "encoding")?;
    data.set("encoding", encoding.unwrap_or(Cow::Borrowed("csv")));
    set(&mut data, "compression", layer, "compression", place)?;
    if let Some(chunks) = chunks {
        for json in chunks.items(place)? {
            let mut chunk = element("chunk", json, place, 0)?;
            if let Some(cells) = json.members(place)?.get("data") {
                chunk.text = cell_text(cells, place)?;
            }
            data.children.push(chunk);
        }
    } else {
        data.text = cell_text(first, place)?;
    }
    Ok(Some(data))
}

/// Cells: a list of numbers, which is CSV without its brackets, or base64 in
/// a text.
fn cell_text<'a>(data: Json<'a>, place: &str) -> Result<Cow<'a, str>, Fault> {
    if data.is_list() {
        return Ok(Cow::Borrowed(data.inside()));
    }
    data.scalar().ok_or_else(|| {
        let problem = format!("data is {}, not a list or text", data.kind());
        data.fault(place, problem, "open the map in Tiled and save it again")
    })
}

fn points<'a>(tag: &'static str, list: Json<'a>, place: &str) -> Result<Element<'a>, Fault> {
    let mut text = String::new();
    for point in list.items(place)? {
        let point = point.members(place)?;
        for (axis, separator) in [("x", " "), ("y", ",")] {
            text.push_str(separator);
            text.push_str(&point.text(place, axis)?.unwrap_or("?".into()));
        }
    }
    let mut outline = new(tag, list);
    outline.set("points", text);
    Ok(outline)
}

/// The properties of an element, flattened.
fn properties<'a>(list: Json<'a>, place: &str) -> Result<Element<'a>, Fault> {
    let mut properties = new("properties", list);
    // The classes of properties, whose members are flattened.
    let mut typed = Vec::new();
    let mut add = |name: String, value: Cow<'_, str>| {
        let mut property = new("property", list);
        property.set("name", name);
        property.set("value", value);
        properties.children.push(property);
    };
    if list.is_object() {
        // Before Tiled 1.2: names and values.
        for (name, value) in list.members(place)?.iter() {
            value.flatten(MAX_NESTING, name, place, &mut add)?;
        }
    } else {
        for json in list.items(place)? {
            let members = json.members(place)?;
            let name = members.text(place, "name")?.ok_or_else(|| {
                let advice = "open the file in Tiled and save it again";
                json.fault(place, "<property> has no name", advice)
            })?;
            if let Some(class) = members.text(place, "propertytype")? {
                let mut property = new("property", json);
                property.set("name", name.clone());
                property.set("type", "class");
                property.set("propertytype", class);
                typed.push(property);
            }
            match members.get("value") {
                Some(value) => value.flatten(MAX_NESTING, &name, place, &mut add)?,
                None => add(name.into_owned(), Cow::Borrowed("")),
            }
        }
    }
    properties.children.extend(typed);
    Ok(properties)
}
