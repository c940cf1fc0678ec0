//! A level of LDtk written as a Tiled map.

use std::collections::BTreeMap;

use glam::DVec2;

use crate::source::error::Fault;
use crate::source::json::{Json, Members};
use crate::source::merge::merge;
use crate::source::tmx::{Draft, MAX_CELLS, SOLID_LAYERS, shorten};

/// The longest side of a level, pixels.
const MAX_SIDE: f64 = 16_777_216.0;

/// Fields within fields are written so deep.
const MAX_NESTING: u32 = 4;

/// A level as a Tiled map.
pub(super) struct Translated {
    pub(super) draft: Draft,
    /// Its width and height, pixels.
    pub(super) size: DVec2,
}

/// What a value of an IntGrid is called, in lower case, by layer and value.
type Values = BTreeMap<(i64, u32), String>;

/// Writes a level as a map whose layers hold objects: for an IntGrid,
/// rectangles of cells of one value, for entities themselves.
pub(super) fn level(
    project: &Members<'_>,
    level: &Members<'_>,
    place: &str,
) -> Result<Translated, Fault> {
    let side = |name: &str| {
        let value = level.required(place, name)?;
        if (1.0..=MAX_SIDE).contains(&value) {
            return Ok(value);
        }
        let problem = format!("{name} is {value}; 1 to {MAX_SIDE} pixels are read");
        Err(level.at.fault(place, problem, ""))
    };
    let size = DVec2::new(side("pxWid")?, side("pxHei")?);
    let layers: Vec<Members<'_>> = (level.list(place, "layerInstances")?)
        .into_iter()
        .map(|json| json.members(place))
        .collect::<Result<_, _>>()?;
    let cell = cell(project, &layers, place)?;
    let values = values(project)?;

    let line = level.at.line();
    let mut draft = Draft::default();
    draft.begin("map", line);
    draft.attribute("orientation", "orthogonal");
    draft.attribute("width", (size.x / f64::from(cell)).ceil());
    draft.attribute("height", (size.y / f64::from(cell)).ceil());
    draft.attribute("tilewidth", cell);
    draft.attribute("tileheight", cell);
    draft.content();
    let mut ids = 0;
    let mut cells = MAX_CELLS;
    for layer in &layers {
        self::layer(layer, &values, &mut ids, &mut cells, place, &mut draft)?;
    }
    draft.end("map");
    Ok(Translated { draft, size })
}

/// The side of a cell: that of the first IntGrid, or else the project's.
fn cell(project: &Members<'_>, layers: &[Members<'_>], place: &str) -> Result<u32, Fault> {
    let grids = layers.iter().filter(|layer| layer.has("intGridCsv"));
    let mut sides = grids.filter(|layer| is(layer, "IntGrid"));
    let (owner, name) = match sides.next() {
        Some(layer) => (layer, "__gridSize"),
        None => (project, "defaultGridSize"),
    };
    let side = owner.required(place, name)?;
    if (1.0..=65_536.0).contains(&side) && side.fract() == 0.0 {
        return Ok(side as u32);
    }
    let problem = format!("{name} is {side}; 1 to 65536 pixels are read");
    Err(owner.at.fault(place, problem, ""))
}

fn is(layer: &Members<'_>, kind: &str) -> bool {
    matches!(layer.text("", "__type"), Ok(Some(text)) if text == kind)
}

/// The names the project gives to values.
fn values(project: &Members<'_>) -> Result<Values, Fault> {
    let mut values = Values::new();
    let Some(defs) = project.get("defs") else {
        return Ok(values);
    };
    for json in defs.members("defs")?.list("defs", "layers")? {
        let layer = json.members("defs.layers")?;
        let uid = layer.number("defs.layers", "uid")?.unwrap_or(-1.0) as i64;
        for json in layer.list("defs.layers", "intGridValues")? {
            let value = json.members("intGridValues")?;
            let number = value.required("intGridValues", "value")?;
            if let Some(name) = value.text("intGridValues", "identifier")? {
                values.insert((uid, number as u32), name.to_lowercase());
            }
        }
    }
    Ok(values)
}

fn layer(
    layer: &Members<'_>,
    values: &Values,
    ids: &mut u32,
    cells: &mut u64,
    place: &str,
    draft: &mut Draft,
) -> Result<(), Fault> {
    let name = layer.text(place, "__identifier")?.unwrap_or_default();
    let place = format!("layer \"{}\" of {place}", shorten(&name));
    let grid = layer.has("intGridCsv") && is(layer, "IntGrid");
    if !grid && !is(layer, "Entities") {
        return Ok(());
    }
    let line = layer.at.line();
    draft.begin("objectgroup", line);
    draft.attribute("name", &name);
    let hidden = layer.text(&place, "visible")?.as_deref() == Some("false");
    draft.attribute("visible", u8::from(!hidden));
    for (attribute, from) in [
        ("offsetx", "__pxTotalOffsetX"),
        ("offsety", "__pxTotalOffsetY"),
    ] {
        draft.attribute(attribute, layer.number(&place, from)?.unwrap_or(0.0));
    }
    draft.content();
    if grid {
        // What a tile layer of this name is, its cells are here.
        if SOLID_LAYERS.contains(&name.to_lowercase().as_str()) {
            draft.begin("properties", line);
            draft.content();
            draft.property(line, "solid", true);
            draft.end("properties");
        }
        int_grid(layer, values, ids, cells, &place, draft)?;
    } else {
        for json in layer.list(&place, "entityInstances")? {
            *ids += 1;
            entity(json, *ids, &place, draft)?;
        }
    }
    draft.end("objectgroup");
    Ok(())
}

fn int_grid(
    layer: &Members<'_>,
    values: &Values,
    ids: &mut u32,
    cells: &mut u64,
    place: &str,
    draft: &mut Draft,
) -> Result<(), Fault> {
    let Some(csv) = layer.get("intGridCsv") else {
        return Ok(());
    };
    let columns = layer.required(place, "__cWid")?;
    let rows = layer.required(place, "__cHei")?;
    let side = layer.required(place, "__gridSize")?;
    let count = columns * rows;
    let fine = columns >= 0.0 && rows >= 0.0 && count.fract() == 0.0;
    if !fine || count > *cells as f64 {
        let problem = format!("with this layer the level has more than {MAX_CELLS} cells");
        return Err(layer.at.fault(place, problem, "split the level"));
    }
    *cells -= count as u64;
    let uid = layer.number(place, "layerDefUid")?.unwrap_or(-1.0) as i64;
    // Cells by their value, 0 being empty.
    let mut found: BTreeMap<u32, Vec<(i32, i32)>> = BTreeMap::new();
    let text = csv.inside();
    let mut number = 0_usize;
    for field in text.split(',').filter(|_| !text.trim().is_empty()) {
        let value: u32 = field.trim().parse().map_err(|_| {
            let problem = format!("cell {} is \"{}\", not a value", number + 1, shorten(field));
            csv.fault(place, problem, "")
        })?;
        if value != 0 {
            let (column, row) = (
                number % columns.max(1.0) as usize,
                number / columns.max(1.0) as usize,
            );
            found
                .entry(value)
                .or_default()
                .push((row as i32, column as i32));
        }
        number += 1;
    }
    if number as f64 != count {
        let problem = format!("it holds {number} cells where __cWid x __cHei is {count}");
        return Err(csv.fault(place, problem, "open the project in LDtk and save it again"));
    }
    let line = csv.line();
    for (value, cells) in found {
        let name = values.get(&(uid, value)).cloned();
        let word = name.as_deref().and_then(word);
        // What may be one-way is not the same when it is one piece: a stack of
        // such cells carries at each.
        let (across, down) = match word {
            Some(("solid" | "hazard" | "ladder", _)) => (true, true),
            Some(("one_way", "left" | "right")) => (false, true),
            _ => (true, false),
        };
        let name = name.unwrap_or_else(|| value.to_string());
        for block in merge(cells, across, down) {
            *ids += 1;
            draft.begin("object", line);
            draft.attribute("id", *ids);
            draft.attribute("x", f64::from(block.left) * side);
            draft.attribute("y", f64::from(block.top) * side);
            draft.attribute("width", f64::from(block.right - block.left) * side);
            draft.attribute("height", f64::from(block.bottom - block.top) * side);
            draft.content();
            draft.begin("properties", line);
            draft.content();
            draft.property(line, "intgrid", &name);
            if let Some((property, value)) = word {
                draft.property(line, property, value);
            }
            draft.end("properties");
            draft.end("object");
        }
    }
    Ok(())
}

/// What a value of this name is, as a property of a Tiled object.
fn word(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "solid" | "wall" | "block" => ("solid", "true"),
        name if SOLID_LAYERS.contains(&name) => ("solid", "true"),
        "empty" | "none" | "air" | "background" | "water" => ("solid", "false"),
        "hazard" | "lava" | "spikes" => ("hazard", "true"),
        "ladder" => ("ladder", "true"),
        "one_way" | "oneway" | "platform" | "semisolid" | "jump_through" => ("one_way", "up"),
        name => {
            let way = name
                .strip_prefix("one_way_")
                .or(name.strip_prefix("oneway_"))?;
            let ways = ["up", "down", "left", "right"];
            ("one_way", ways.into_iter().find(|known| *known == way)?)
        }
    })
}

fn entity(json: Json<'_>, id: u32, place: &str, draft: &mut Draft) -> Result<(), Fault> {
    let entity = json.members(place)?;
    let class = entity.text(place, "__identifier")?.unwrap_or_default();
    let place = format!("entity \"{}\" in {place}", shorten(&class));
    let pair = |name: &str, default: [f64; 2]| {
        let Some(json) = entity.get(name) else {
            return Ok(default);
        };
        let mut pair = default;
        for (axis, item) in pair.iter_mut().zip(json.items(&place)?) {
            let number = item.scalar().and_then(|text| text.parse::<f64>().ok());
            *axis = number
                .filter(|n| n.is_finite())
                .ok_or_else(|| item.fault(&place, format!("{name} is no pair of numbers"), ""))?;
        }
        Ok(pair)
    };
    let (at, pivot) = (pair("px", [0.0; 2])?, pair("__pivot", [0.0; 2])?);
    let size = [
        entity.number(&place, "width")?.unwrap_or(0.0),
        entity.number(&place, "height")?.unwrap_or(0.0),
    ];
    let line = json.line();
    let fields = entity.list(&place, "fieldInstances")?;
    let fields: Vec<_> = fields
        .into_iter()
        .map(|json| json.members(&place))
        .collect::<Result<_, _>>()?;
    let mut name = None;
    for field in &fields {
        let called = field.text(&place, "__identifier")?.unwrap_or_default();
        if called.eq_ignore_ascii_case("name") {
            name = field.get("__value").and_then(Json::scalar);
        }
    }
    draft.begin("object", line);
    draft.attribute("id", id);
    if let Some(name) = name {
        draft.attribute("name", name);
    }
    draft.attribute("class", class);
    draft.attribute("x", at[0] - pivot[0] * size[0]);
    draft.attribute("y", at[1] - pivot[1] * size[1]);
    draft.attribute("width", size[0]);
    draft.attribute("height", size[1]);
    draft.content();
    draft.begin("properties", line);
    draft.content();
    if let Some(iid) = entity.text(&place, "iid")? {
        draft.property(line, "iid", iid);
    }
    for field in &fields {
        let called = field.text(&place, "__identifier")?.unwrap_or_default();
        if let Some(value) = field.get("__value") {
            self::field(&called, value, MAX_NESTING, &place, draft)?;
        }
    }
    draft.end("properties");
    draft.end("object");
    Ok(())
}

/// A field as properties: items of a list become `field.0`, members of a point
/// or reference `field.cx`.
fn field(
    name: &str,
    value: Json<'_>,
    nesting: u32,
    place: &str,
    draft: &mut Draft,
) -> Result<(), Fault> {
    if nesting == 0 {
        return Ok(());
    }
    if value.is_list() {
        for (i, item) in value.items(place)?.into_iter().enumerate() {
            field(&format!("{name}.{i}"), item, nesting - 1, place, draft)?;
        }
    } else if value.is_object() {
        for (member, item) in value.members(place)?.iter() {
            field(&format!("{name}.{member}"), item, nesting - 1, place, draft)?;
        }
    } else if let Some(text) = value.scalar() {
        draft.property(value.line(), name, text);
    }
    Ok(())
}
