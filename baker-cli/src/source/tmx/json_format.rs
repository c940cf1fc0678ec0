//! Tiled's JSON formats (`.tmj`, `.tsj`, `.tj`) as elements of its XML formats.
//!
//! This module maps names and structure only. Values are validated on the
//! elements, by the same code for both formats.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::source::error::Fault;
use crate::source::json::{Json, MAX_NESTING, Members, parse};
use crate::source::limits::MAX_GROUP_DEPTH;
use crate::source::text::{TextFile, shorten};

/// Members that become attributes of the same name, in any element. Validation
/// reads only those that the element has in XML.
const ATTRIBUTES: &str = "id name type class x y width height rotation gid template \
    offsetx offsety parallaxx parallaxy orientation tilewidth tileheight firstgid source \
    tilecount columns margin spacing tilerendersize fillmode objectalignment \
    opacity tintcolor backgroundcolor repeatx repeaty";

/// A part of a JSON file, as the element that XML has for it.
pub struct JsonNode<'a> {
    pub tag: &'static str,
    pub line: u32,
    /// How many bytes of the file it takes.
    pub length: u64,
    pub attributes: Vec<(&'static str, Cow<'a, str>)>,
    pub children: Vec<JsonNode<'a>>,
    pub text: Cow<'a, str>,
}

impl<'a> JsonNode<'a> {
    /// An element without attributes.
    fn new(tag: &'static str, json: Json<'a>) -> Self {
        Self {
            tag,
            line: json.line(),
            length: json.length(),
            attributes: Vec::new(),
            children: Vec::new(),
            text: Cow::Borrowed(""),
        }
    }

    /// The element for an object, with its attributes.
    fn of(tag: &'static str, members: &Members<'a>, place: &str) -> Result<Self, Fault> {
        let mut node = Self::new(tag, members.json);
        for name in ATTRIBUTES.split_whitespace() {
            match members.text(place, name)? {
                // XML omits an empty name, which would hide the name of a
                // template.
                Some(value) if name != "name" || !value.is_empty() => node.set(name, value),
                _ => {}
            }
        }
        Ok(node)
    }

    fn set(&mut self, name: &'static str, value: impl Into<Cow<'a, str>>) {
        self.attributes.push((name, value.into()));
    }

    /// Adds a child for each of some values.
    fn add_all(
        &mut self,
        values: Vec<Json<'a>>,
        read: impl Fn(Json<'a>) -> Result<Self, Fault>,
    ) -> Result<(), Fault> {
        for json in values {
            self.children.push(read(json)?);
        }
        Ok(())
    }
}

/// Reads a JSON file of Tiled.
pub fn read<'a>(file: &'a TextFile<'a>) -> Result<JsonNode<'a>, Fault> {
    let root = parse(file)?;
    let kind = root.text("", "type")?;
    match kind.as_deref() {
        Some("map") => map(&root),
        Some("tileset") => tileset(root.json),
        Some("template") => template(&root),
        _ if root.has("__header__") => {
            let problem = "this is an LDtk project, not a Tiled map";
            let advice = "give it a name that ends in .ldtk";
            Err(root.json.fault("", problem, advice))
        }
        // Neither tilesets before Tiled 1.2 nor maps of other programs have one.
        None if root.has("layers") && root.has("tilewidth") && !root.has("__header__") => {
            map(&root)
        }
        None if root.has("tilecount") || root.has("tilewidth") => tileset(root.json),
        kind => {
            let (problem, advice) = match kind {
                Some(kind) => (
                    format!("its type is \"{}\"", shorten(kind)),
                    "a JSON file of Tiled is a map, a tileset or a template",
                ),
                None => (
                    "its type is missing, so it is not a file of Tiled".to_owned(),
                    "make bitmaps of levels of other editors, with a pixel for each tile",
                ),
            };
            Err(root.json.fault("", problem, advice))
        }
    }
}

fn map<'a>(map: &Members<'a>) -> Result<JsonNode<'a>, Fault> {
    let mut node = JsonNode::of("map", map, "")?;
    if map.is_true("infinite") {
        node.set("infinite", "1");
    }
    node.add_all(map.list("", "tilesets")?, tileset)?;
    layers(map, 0, &mut node)?;
    Ok(node)
}

fn template<'a>(template: &Members<'a>) -> Result<JsonNode<'a>, Fault> {
    let mut node = JsonNode::new("template", template.json);
    let member = |name| template.get(name).into_iter().collect();
    node.add_all(member("tileset"), tileset)?;
    node.add_all(member("object"), |json| object(json, "the template"))?;
    Ok(node)
}

fn tileset(json: Json<'_>) -> Result<JsonNode<'_>, Fault> {
    let tileset = json.members("tileset")?;
    let name = tileset.text("tileset", "name")?.unwrap_or_default();
    let place = format!("tileset \"{}\"", shorten(&name));
    let mut node = JsonNode::of("tileset", &tileset, &place)?;
    // In XML it is the class.
    node.attributes.retain(|(name, _)| *name != "type");
    properties(tileset.get("properties"), &place, &mut node)?;
    if let Some(json) = tileset.get("tileoffset") {
        let offset = json.members(&place)?;
        let offset = JsonNode::of("tileoffset", &offset, &place)?;
        node.children.push(offset);
    }
    image(&tileset, &place, &mut node)?;
    match tileset.get("tiles") {
        Some(tiles) if tiles.is_list() => {
            node.add_all(tiles.items(&place)?, |json| tile(json, &place))?;
        }
        tiles => old_tiles(&tileset, tiles, &place, &mut node)?,
    }
    Ok(node)
}

/// Adds tiles as Tiled wrote them before version 1.2: their parts by id, and
/// their properties by id in a member beside them.
fn old_tiles<'a>(
    tileset: &Members<'a>,
    tiles: Option<Json<'a>>,
    place: &str,
    node: &mut JsonNode<'a>,
) -> Result<(), Fault> {
    let mut nodes: BTreeMap<u32, JsonNode<'a>> = BTreeMap::new();
    let id = |json: Json<'a>, name: &str| {
        let problem = || format!("\"{}\" is not the number of a tile", shorten(name));
        let id = name.parse::<u32>();
        id.map_err(|_| json.fault(place, problem(), "open it in Tiled and save it again"))
    };
    if let Some(tiles) = tiles {
        for (name, json) in tiles.members(place)?.iter() {
            let mut tile = tile(json, place)?;
            tile.attributes.retain(|(name, _)| *name != "id");
            tile.set("id", name.clone().into_owned());
            nodes.insert(id(json, &name)?, tile);
        }
    }
    if let Some(list) = tileset.get("tileproperties") {
        for (name, json) in list.members(place)?.iter() {
            let tile = nodes.entry(id(json, &name)?).or_insert_with(|| {
                let mut tile = JsonNode::new("tile", json);
                tile.set("id", name.clone().into_owned());
                tile
            });
            properties(Some(json), place, tile)?;
        }
    }
    node.children.extend(nodes.into_values());
    Ok(())
}

/// The image of a tileset, a tile or a layer.
fn image<'a>(owner: &Members<'a>, place: &str, node: &mut JsonNode<'a>) -> Result<(), Fault> {
    if let Some(json) = owner.get("image") {
        let mut image = JsonNode::new("image", json);
        for (name, given) in [
            ("source", "image"),
            ("width", "imagewidth"),
            ("height", "imageheight"),
            ("trans", "transparentcolor"),
        ] {
            if let Some(value) = owner.text(place, given)? {
                image.set(name, value);
            }
        }
        node.children.push(image);
    }
    Ok(())
}

fn tile<'a>(json: Json<'a>, place: &str) -> Result<JsonNode<'a>, Fault> {
    let tile = json.members(place)?;
    let mut node = JsonNode::of("tile", &tile, place)?;
    image(&tile, place, &mut node)?;
    properties(tile.get("properties"), place, &mut node)?;
    if let Some(json) = tile.get("objectgroup") {
        let mut shapes = JsonNode::new("objectgroup", json);
        let objects = json.members(place)?.list(place, "objects")?;
        shapes.add_all(objects, |json| object(json, place))?;
        node.children.push(shapes);
    }
    Ok(node)
}

fn layers<'a>(owner: &Members<'a>, depth: u32, node: &mut JsonNode<'a>) -> Result<(), Fault> {
    // Validation reports the group that is one too deep.
    if depth <= MAX_GROUP_DEPTH + 1 {
        node.add_all(owner.list("layers", "layers")?, |json| layer(json, depth))?;
    }
    Ok(())
}

fn layer(json: Json<'_>, depth: u32) -> Result<JsonNode<'_>, Fault> {
    let layer = json.members("layers")?;
    let name = layer.text("layers", "name")?.unwrap_or_default();
    let place = format!("layer \"{}\"", shorten(&name));
    let kind = layer.text(&place, "type")?.unwrap_or_default();
    let tag = match &*kind {
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
    let mut node = JsonNode::of(tag, &layer, &place)?;
    // In XML it is the class.
    node.attributes.retain(|(name, _)| *name != "type");
    hide(&layer, &place, &mut node)?;
    properties(layer.get("properties"), &place, &mut node)?;
    match tag {
        "layer" => cells(&layer, &place, &mut node)?,
        "objectgroup" => {
            let objects = layer.list(&place, "objects")?;
            node.add_all(objects, |json| object(json, &place))?;
        }
        "group" => layers(&layer, depth + 1, &mut node)?,
        _ => image(&layer, &place, &mut node)?,
    }
    Ok(node)
}

fn cells<'a>(layer: &Members<'a>, place: &str, node: &mut JsonNode<'a>) -> Result<(), Fault> {
    let chunks = layer.get("chunks");
    let Some(first) = chunks.or(layer.get("data")) else {
        return Ok(());
    };
    let mut data = JsonNode::new("data", first);
    let encoding = layer.text(place, "encoding")?;
    data.set("encoding", encoding.unwrap_or(Cow::Borrowed("csv")));
    let compression = layer.text(place, "compression")?;
    data.set("compression", compression.unwrap_or_default());
    if let Some(chunks) = chunks {
        for json in chunks.items(place)? {
            let members = json.members(place)?;
            let mut chunk = JsonNode::of("chunk", &members, place)?;
            if let Some(cells) = members.get("data") {
                chunk.text = cell_text(cells, place)?;
            }
            data.children.push(chunk);
        }
    } else {
        data.text = cell_text(first, place)?;
    }
    node.children.push(data);
    Ok(())
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

fn object<'a>(json: Json<'a>, owner: &str) -> Result<JsonNode<'a>, Fault> {
    let object = json.members(owner)?;
    let id = object.text(owner, "id")?.unwrap_or_default();
    let place = format!("object {} in {owner}", shorten(&id));
    let mut node = JsonNode::of("object", &object, &place)?;
    for tag in ["polygon", "polyline"] {
        if let Some(points) = object.get(tag) {
            let mut text = String::new();
            for point in points.items(&place)? {
                let point = point.members(&place)?;
                for (axis, separator) in [("x", " "), ("y", ",")] {
                    text.push_str(separator);
                    text.push_str(&point.text(&place, axis)?.unwrap_or("?".into()));
                }
            }
            let mut outline = JsonNode::new(tag, points);
            outline.set("points", text);
            node.children.push(outline);
        }
    }
    hide(&object, &place, &mut node)?;
    for tag in ["ellipse", "point", "capsule"] {
        if object.is_true(tag) {
            node.children.push(JsonNode::new(tag, json));
        }
    }
    if object.has("text") {
        node.children.push(JsonNode::new("text", json));
    }
    properties(object.get("properties"), &place, &mut node)?;
    Ok(node)
}

/// Hides what is not visible.
fn hide<'a>(owner: &Members<'a>, place: &str, node: &mut JsonNode<'a>) -> Result<(), Fault> {
    if owner.text(place, "visible")?.as_deref() == Some("false") {
        node.set("visible", "0");
    }
    Ok(())
}

/// Adds the properties of an element, flattened.
fn properties<'a>(
    list: Option<Json<'a>>,
    place: &str,
    node: &mut JsonNode<'a>,
) -> Result<(), Fault> {
    let Some(list) = list else {
        return Ok(());
    };
    let mut properties = JsonNode::new("properties", list);
    // The classes of properties, whose members are flattened.
    let mut typed = Vec::new();
    let mut add = |name: String, value: Cow<'a, str>| {
        let mut property = JsonNode::new("property", list);
        property.set("name", name);
        property.set("value", value);
        properties.children.push(property);
    };
    if list.is_object() {
        // Before Tiled 1.2: names and values.
        for (name, value) in list.members(place)?.iter() {
            value.flatten(MAX_NESTING, &name, place, &mut add)?;
        }
    } else {
        for json in list.items(place)? {
            let members = json.members(place)?;
            let name = members.text(place, "name")?.ok_or_else(|| {
                let advice = "open the file in Tiled and save it again";
                json.fault(place, "<property> has no name", advice)
            })?;
            if let Some(class) = members.text(place, "propertytype")? {
                let mut property = JsonNode::new("property", json);
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
    node.children.push(properties);
    Ok(())
}
