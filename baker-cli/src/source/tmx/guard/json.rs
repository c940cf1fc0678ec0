//! Tiled's JSON (`.tmj`, `.tsj`, `.tj`) written as its XML.
//!
//! Only names change: what a value must be is checked on the XML, once for
//! both.

use super::MAX_GROUP_DEPTH;
use super::draft::{Draft, Marks};
use super::xml::shorten;
use crate::source::error::Fault;
use crate::source::json::{Json, JsonFile, Members};

/// Deeper classes in classes than the guard keeps are not looked into.
const MAX_NESTING: u32 = 20;

/// What a file is, and the members that pass on under their own names.
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

/// A JSON file of Tiled as XML, and where its elements came from.
pub(super) fn to_xml(file: &str, text: &str) -> Result<(String, Marks), Fault> {
    let json = JsonFile::new(file, text);
    let root = json.root()?;
    let mut draft = Draft::default();
    let kind = root.text("", "type")?;
    match kind.as_deref() {
        Some("map") => map(&root, &mut draft)?,
        Some("tileset") => tileset(root.at, &mut draft)?,
        Some("template") => template(&root, &mut draft)?,
        // Tilesets had no type before Tiled 1.2.
        None if root.has("tilecount") => tileset(root.at, &mut draft)?,
        _ if root.has("__header__") => {
            let problem = "this is a project of LDtk, not a map of Tiled";
            return Err(root
                .at
                .fault("", problem, "give it a name that ends in .ldtk"));
        }
        kind => {
            let problem = match kind {
                Some(kind) => format!("its type is \"{}\"", shorten(kind)),
                None => "it does not say its type".to_owned(),
            };
            let advice = "a JSON file of Tiled is a map, a tileset or a template";
            return Err(root.at.fault("", problem, advice));
        }
    }
    Ok(draft.finish())
}

/// Passes members on as attributes.
fn pass(
    members: &Members<'_>,
    place: &str,
    names: &[&str],
    draft: &mut Draft,
) -> Result<(), Fault> {
    for name in names {
        if let Some(value) = members.text(place, name)? {
            draft.attribute(name, value);
        }
    }
    Ok(())
}

fn map(map: &Members<'_>, draft: &mut Draft) -> Result<(), Fault> {
    draft.begin("map", map.at.line());
    pass(map, "", &MAP, draft)?;
    draft.attribute("infinite", u8::from(map.is_true("infinite")));
    draft.content();
    for json in map.list("", "tilesets")? {
        tileset(json, draft)?;
    }
    layers(map, 0, draft)?;
    draft.end("map");
    Ok(())
}

fn template(template: &Members<'_>, draft: &mut Draft) -> Result<(), Fault> {
    draft.begin("template", template.at.line());
    draft.content();
    if let Some(json) = template.get("tileset") {
        tileset(json, draft)?;
    }
    if let Some(json) = template.get("object") {
        object(json, "the template", draft)?;
    }
    draft.end("template");
    Ok(())
}

fn tileset(json: Json<'_>, draft: &mut Draft) -> Result<(), Fault> {
    let tileset = json.members("tileset")?;
    let name = tileset.text("tileset", "name")?.unwrap_or_default();
    let place = format!("tileset \"{}\"", shorten(&name));
    draft.begin("tileset", json.line());
    pass(&tileset, &place, &TILESET, draft)?;
    draft.content();
    if let Some(offset) = tileset.get("tileoffset") {
        let members = offset.members(&place)?;
        draft.begin("tileoffset", offset.line());
        pass(&members, &place, &["x", "y"], draft)?;
        draft.empty();
    }
    image(&tileset, &place, draft)?;
    if let Some(tiles) = tileset.get("tiles") {
        if tiles.is_object() {
            let problem = "its tiles are stored as before Tiled 1.2, which is not read";
            return Err(tiles.fault(&place, problem, "open it in Tiled and save it again"));
        }
        for json in tiles.items(&place)? {
            tile(json, &place, draft)?;
        }
    }
    draft.end("tileset");
    Ok(())
}

/// The image of a tileset or tile.
fn image(owner: &Members<'_>, place: &str, draft: &mut Draft) -> Result<(), Fault> {
    if let Some(image) = owner.get("image") {
        draft.begin("image", image.line());
        for (name, given) in [("width", "imagewidth"), ("height", "imageheight")] {
            if let Some(value) = owner.text(place, given)? {
                draft.attribute(name, value);
            }
        }
        draft.empty();
    }
    Ok(())
}

fn tile(json: Json<'_>, place: &str, draft: &mut Draft) -> Result<(), Fault> {
    let tile = json.members(place)?;
    draft.begin("tile", json.line());
    pass(
        &tile,
        place,
        &["id", "type", "class", "width", "height"],
        draft,
    )?;
    draft.content();
    image(&tile, place, draft)?;
    properties(&tile, place, draft)?;
    if let Some(group) = tile.get("objectgroup") {
        let group = group.members(place)?;
        draft.begin("objectgroup", group.at.line());
        draft.content();
        for json in group.list(place, "objects")? {
            object(json, place, draft)?;
        }
        draft.end("objectgroup");
    }
    draft.end("tile");
    Ok(())
}

fn layers(owner: &Members<'_>, depth: u32, draft: &mut Draft) -> Result<(), Fault> {
    // The guard complains one level further up.
    if depth > MAX_GROUP_DEPTH + 1 {
        return Ok(());
    }
    for json in owner.list("layers", "layers")? {
        layer(json, depth, draft)?;
    }
    Ok(())
}

fn layer(json: Json<'_>, depth: u32, draft: &mut Draft) -> Result<(), Fault> {
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
                "known are tilelayer, objectgroup, imagelayer and group",
            ));
        }
    };
    draft.begin(tag, json.line());
    pass(&layer, &place, &LAYER, draft)?;
    let hidden = layer.text(&place, "visible")?;
    draft.attribute("visible", u8::from(hidden.as_deref() != Some("false")));
    draft.content();
    properties(&layer, &place, draft)?;
    match tag {
        "layer" => cells(&layer, &place, draft)?,
        "objectgroup" => {
            for json in layer.list(&place, "objects")? {
                object(json, &place, draft)?;
            }
        }
        "group" => layers(&layer, depth + 1, draft)?,
        _ => {}
    }
    draft.end(tag);
    Ok(())
}

fn cells(layer: &Members<'_>, place: &str, draft: &mut Draft) -> Result<(), Fault> {
    let chunks = layer.get("chunks");
    let data = layer.get("data");
    let Some(first) = chunks.or(data) else {
        return Ok(());
    };
    draft.begin("data", first.line());
    let encoding = layer.text(place, "encoding")?;
    draft.attribute("encoding", encoding.as_deref().unwrap_or("csv"));
    if let Some(compression) = layer.text(place, "compression")? {
        draft.attribute("compression", compression);
    }
    draft.content();
    if let Some(chunks) = chunks {
        for json in chunks.items(place)? {
            let chunk = json.members(place)?;
            draft.begin("chunk", json.line());
            pass(&chunk, place, &["x", "y", "width", "height"], draft)?;
            draft.content();
            if let Some(data) = chunk.get("data") {
                numbers(data, place, draft)?;
            }
            draft.end("chunk");
        }
    } else {
        numbers(first, place, draft)?;
    }
    draft.end("data");
    Ok(())
}

/// Cells: a list of numbers, or base64 in a text.
fn numbers(data: Json<'_>, place: &str, draft: &mut Draft) -> Result<(), Fault> {
    if data.is_list() {
        draft.text(data.inside());
        return Ok(());
    }
    let text = data.scalar().ok_or_else(|| {
        let problem = format!("data is {}, not a list or text", data.kind());
        data.fault(place, problem, "open the map in Tiled and save it again")
    })?;
    draft.text(&text);
    Ok(())
}

fn object(json: Json<'_>, owner: &str, draft: &mut Draft) -> Result<(), Fault> {
    let object = json.members(owner)?;
    let id = object.text(owner, "id")?.unwrap_or_default();
    let place = format!("object {} in {owner}", shorten(&id));
    draft.begin("object", json.line());
    // XML leaves an empty name out, so that a template's shows.
    if let Some(name) = object.text(&place, "name")?.filter(|name| !name.is_empty()) {
        draft.attribute("name", name);
    }
    pass(&object, &place, &OBJECT, draft)?;
    draft.content();
    for tag in ["polygon", "polyline"] {
        if let Some(points) = object.get(tag) {
            let mut text = String::new();
            for point in points.items(&place)? {
                let point = point.members(&place)?;
                let axis = |name| Ok(point.text(&place, name)?.unwrap_or("?".into()));
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&axis("x")?);
                text.push(',');
                text.push_str(&axis("y")?);
            }
            draft.begin(tag, points.line());
            draft.attribute("points", text);
            draft.empty();
        }
    }
    for tag in ["ellipse", "point", "capsule"] {
        if object.is_true(tag) {
            draft.begin(tag, json.line());
            draft.empty();
        }
    }
    if object.has("text") {
        draft.begin("text", json.line());
        draft.empty();
    }
    properties(&object, &place, draft)?;
    draft.end("object");
    Ok(())
}

fn properties(owner: &Members<'_>, place: &str, draft: &mut Draft) -> Result<(), Fault> {
    let Some(list) = owner.get("properties") else {
        return Ok(());
    };
    draft.begin("properties", list.line());
    draft.content();
    if list.is_object() {
        // Before Tiled 1.2: names and values.
        for (name, value) in list.members(place)?.iter() {
            property(Some(name), "property", value, MAX_NESTING, place, draft)?;
        }
    } else {
        for json in list.items(place)? {
            let one = json.members(place)?;
            let name = one.text(place, "name")?;
            let value = one.get("value").unwrap_or(json);
            if one.has("value") {
                property(
                    name.as_deref(),
                    "property",
                    value,
                    MAX_NESTING,
                    place,
                    draft,
                )?;
            } else {
                draft.begin("property", json.line());
                if let Some(name) = name {
                    draft.attribute("name", name);
                }
                draft.attribute("value", "");
                draft.empty();
            }
        }
    }
    draft.end("properties");
    Ok(())
}

/// A property, or with `tag` "item" one of a list: an object is a class, a
/// list a list.
fn property(
    name: Option<&str>,
    tag: &str,
    value: Json<'_>,
    nesting: u32,
    place: &str,
    draft: &mut Draft,
) -> Result<(), Fault> {
    if nesting == 0 {
        return Ok(());
    }
    draft.begin(tag, value.line());
    if let Some(name) = name {
        draft.attribute("name", name);
    }
    if value.is_object() {
        draft.attribute("type", "class");
        draft.content();
        draft.begin("properties", value.line());
        draft.content();
        for (name, member) in value.members(place)?.iter() {
            property(Some(name), "property", member, nesting - 1, place, draft)?;
        }
        draft.end("properties");
        draft.end(tag);
    } else if value.is_list() {
        draft.attribute("type", "list");
        draft.content();
        for json in value.items(place)? {
            // Each item says its type beside its value.
            let inner = if json.is_object() {
                let item = json.members(place)?;
                item.get("value").filter(|_| item.has("type"))
            } else {
                None
            };
            property(
                None,
                "item",
                inner.unwrap_or(json),
                nesting - 1,
                place,
                draft,
            )?;
        }
        draft.end(tag);
    } else {
        draft.attribute("value", value.scalar().unwrap_or_default());
        draft.empty();
    }
    Ok(())
}
