//! Tiled's JSON formats (`.tmj`, `.tsj`, `.tj`) as elements of its XML formats.
//!
//! This module maps names and structure only. Values are validated on the
//! elements, by the same code for both formats.

use std::borrow::Cow;

use crate::source::error::Fault;
use crate::source::json::{Json, Members, parse};
use crate::source::limits::MAX_GROUP_DEPTH;
use crate::source::text::{TextFile, shorten};

/// Class and list properties nested deeper than this are dropped. One more
/// than validation keeps would be enough; this only ends the recursion.
const MAX_NESTING: u32 = 20;

/// Members that become attributes of the same name.
const MAP: [&str; 5] = ["orientation", "width", "height", "tilewidth", "tileheight"];
const TILESET: [&str; 12] = [
    "firstgid",
    "source",
    "name",
    "tilewidth",
    "tileheight",
    "tilecount",
    "columns",
    "margin",
    "spacing",
    "tilerendersize",
    "fillmode",
    "objectalignment",
];
const TILE: [&str; 5] = ["id", "type", "class", "width", "height"];
const LAYER: [&str; 9] = [
    "id",
    "name",
    "class",
    "offsetx",
    "offsety",
    "parallaxx",
    "parallaxy",
    "width",
    "height",
];
const OBJECT: [&str; 10] = [
    "id", "type", "class", "x", "y", "width", "height", "rotation", "gid", "template",
];

/// A part of a JSON file, as the element that XML has for it.
pub(super) struct JsonNode<'a> {
    pub(super) tag: &'static str,
    pub(super) line: u32,
    /// How many bytes of the file it takes.
    pub(super) length: u64,
    pub(super) attributes: Vec<(&'static str, Cow<'a, str>)>,
    pub(super) children: Vec<JsonNode<'a>>,
    pub(super) text: Cow<'a, str>,
}

impl<'a> JsonNode<'a> {
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

    /// Sets attributes to the members of the same names.
    fn copy(
        &mut self,
        members: &Members<'a>,
        place: &str,
        names: &[&'static str],
    ) -> Result<(), Fault> {
        for name in names {
            if let Some(value) = members.text(place, name)? {
                self.set(name, value);
            }
        }
        Ok(())
    }
}

/// Reads a JSON file of Tiled.
pub(super) fn read<'a>(file: &'a TextFile<'a>) -> Result<JsonNode<'a>, Fault> {
    let root = parse(file)?;
    let kind = root.text("", "type")?;
    match kind.as_deref() {
        Some("map") => map(&root),
        Some("tileset") => tileset(root.json),
        Some("template") => template(&root),
        // Tilesets had no type before Tiled 1.2.
        None if root.has("tilecount") => tileset(root.json),
        _ if root.has("__header__") => {
            let problem = "this is an LDtk project, not a Tiled map";
            let advice = "give it a name that ends in .ldtk";
            Err(root.json.fault("", problem, advice))
        }
        kind => {
            let problem = match kind {
                Some(kind) => format!("its type is \"{}\"", shorten(kind)),
                None => "its type is missing".to_owned(),
            };
            let advice = "a JSON file of Tiled is a map, a tileset or a template";
            Err(root.json.fault("", problem, advice))
        }
    }
}

fn map<'a>(map: &Members<'a>) -> Result<JsonNode<'a>, Fault> {
    let mut node = JsonNode::new("map", map.json);
    node.copy(map, "", &MAP)?;
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
    let mut node = JsonNode::new("tileset", json);
    node.copy(&tileset, &place, &TILESET)?;
    if let Some(json) = tileset.get("tileoffset") {
        let mut offset = JsonNode::new("tileoffset", json);
        offset.copy(&json.members(&place)?, &place, &["x", "y"])?;
        node.children.push(offset);
    }
    image(&tileset, &place, &mut node)?;
    if let Some(tiles) = tileset.get("tiles") {
        if tiles.is_object() {
            let problem = "its tiles are in the form that Tiled wrote before version 1.2";
            return Err(tiles.fault(&place, problem, "open it in Tiled and save it again"));
        }
        node.add_all(tiles.items(&place)?, |json| tile(json, &place))?;
    }
    Ok(node)
}

/// The image of a tileset or tile.
fn image<'a>(owner: &Members<'a>, place: &str, node: &mut JsonNode<'a>) -> Result<(), Fault> {
    if let Some(json) = owner.get("image") {
        let mut image = JsonNode::new("image", json);
        for (name, given) in [("width", "imagewidth"), ("height", "imageheight")] {
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
    let mut node = JsonNode::new("tile", json);
    node.copy(&tile, place, &TILE)?;
    image(&tile, place, &mut node)?;
    properties(&tile, place, &mut node)?;
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
            return Err(json.fault(
                &place,
                format!("its type is \"{}\"", shorten(other)),
                "the types are tilelayer, objectgroup, imagelayer and group",
            ));
        }
    };
    let mut node = JsonNode::new(tag, json);
    node.copy(&layer, &place, &LAYER)?;
    if layer.text(&place, "visible")?.as_deref() == Some("false") {
        node.set("visible", "0");
    }
    properties(&layer, &place, &mut node)?;
    match tag {
        "layer" => cells(&layer, &place, &mut node)?,
        "objectgroup" => {
            let objects = layer.list(&place, "objects")?;
            node.add_all(objects, |json| object(json, &place))?;
        }
        "group" => layers(&layer, depth + 1, &mut node)?,
        _ => {}
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
    data.copy(layer, place, &["compression"])?;
    if let Some(chunks) = chunks {
        for json in chunks.items(place)? {
            let members = json.members(place)?;
            let mut chunk = JsonNode::new("chunk", json);
            chunk.copy(&members, place, &["x", "y", "width", "height"])?;
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
    let mut node = JsonNode::new("object", json);
    // XML omits an empty name, which would hide the name of a template.
    if let Some(name) = object.text(&place, "name")?.filter(|name| !name.is_empty()) {
        node.set("name", name);
    }
    node.copy(&object, &place, &OBJECT)?;
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
    for tag in ["ellipse", "point", "capsule"] {
        if object.is_true(tag) {
            node.children.push(JsonNode::new(tag, json));
        }
    }
    if object.has("text") {
        node.children.push(JsonNode::new("text", json));
    }
    properties(&object, &place, &mut node)?;
    Ok(node)
}

fn properties<'a>(owner: &Members<'a>, place: &str, node: &mut JsonNode<'a>) -> Result<(), Fault> {
    let Some(list) = owner.get("properties") else {
        return Ok(());
    };
    let mut properties = JsonNode::new("properties", list);
    if list.is_object() {
        // Before Tiled 1.2: names and values.
        add_members(list, MAX_NESTING, place, &mut properties)?;
    } else {
        for json in list.items(place)? {
            let one = json.members(place)?;
            let name = one.text(place, "name")?;
            if let Some(value) = one.get("value") {
                let property = property("property", name, value, MAX_NESTING, place)?;
                properties.children.extend(property);
            } else {
                let mut empty = JsonNode::new("property", json);
                empty.attributes.extend(name.map(|name| ("name", name)));
                empty.set("value", "");
                properties.children.push(empty);
            }
        }
    }
    node.children.push(properties);
    Ok(())
}

/// Adds the members of an object as properties.
fn add_members<'a>(
    object: Json<'a>,
    nesting: u32,
    place: &str,
    node: &mut JsonNode<'a>,
) -> Result<(), Fault> {
    for (name, value) in object.members(place)?.iter() {
        let name = Some(Cow::Owned(name.into_owned()));
        let property = property("property", name, value, nesting, place)?;
        node.children.extend(property);
    }
    Ok(())
}

/// A property, or with the tag "item" an item of a list property. An object
/// is a class property, a list a list property. `None` below [`MAX_NESTING`].
fn property<'a>(
    tag: &'static str,
    name: Option<Cow<'a, str>>,
    value: Json<'a>,
    nesting: u32,
    place: &str,
) -> Result<Option<JsonNode<'a>>, Fault> {
    if nesting == 0 {
        return Ok(None);
    }
    let mut node = JsonNode::new(tag, value);
    node.attributes.extend(name.map(|name| ("name", name)));
    if value.is_object() {
        node.set("type", "class");
        let mut members = JsonNode::new("properties", value);
        add_members(value, nesting - 1, place, &mut members)?;
        node.children.push(members);
    } else if value.is_list() {
        node.set("type", "list");
        for json in value.items(place)? {
            // Each item has its type beside its value.
            let inner = if json.is_object() {
                let item = json.members(place)?;
                item.get("value").filter(|_| item.has("type"))
            } else {
                None
            };
            let item = inner.unwrap_or(json);
            node.children
                .extend(property("item", None, item, nesting - 1, place)?);
        }
    } else {
        node.set("value", value.scalar().unwrap_or_default());
    }
    Ok(Some(node))
}
