//! The layers of an LDtk level: cells of IntGrid values, tiles, and entities as objects.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::DVec2;
use tiled::ObjectShape;

use super::definitions::{Tileset, Values, has_type};
use super::project::{OpenLevel, SAVE_AGAIN};
use crate::source::classify::{
    Attributes, GROUP, LayerKind, LayerObject, LevelBuilder, LevelLayer, Place, RawItem, RawPart,
};
use crate::source::error::{Fault, SourceError};
use crate::source::json::{Json, MAX_NESTING, Members};
use crate::source::limits::{MAX_CELLS, MAX_TILE_SIDE};
use crate::source::rule::INT_GRID;
use crate::source::shapes;
use crate::source::text::shorten;
use navmesh_bake::{MAX_COORDINATE, Rect};

/// The most entities of one level. Each is a piece or a marker with a text of its own,
/// some 200 bytes.
const MAX_OBJECTS: u32 = 1 << 20;

type Properties = BTreeMap<String, String>;

/// Reads the layers of a level. Returns its size and the side of a cell, pixels.
pub fn read(
    builder: &mut LevelBuilder<'_>,
    open: &OpenLevel<'_, '_>,
) -> Result<(DVec2, u32), SourceError> {
    let place = open.place();
    let (level, place) = (open.members, place.as_str());
    let pixels = size(level, place, ["pxWid", "pxHei"])?;
    let layers: Vec<Members<'_>> = (level.list(place, "layerInstances")?)
        .into_iter()
        .map(|json| json.members(place))
        .collect::<Result<_, _>>()?;
    let cell = cell_side(open.project, &layers, place)?;
    let definitions = open.definitions;
    let mut reader = LevelReader::new(builder, &definitions.values);
    // A level where none of it was painted is then empty, not unexplained.
    let names = definitions.values.values();
    let names = names.filter_map(|value| value.name.as_deref());
    (reader.builder).explain(definitions.explains, names);
    for layer in &layers {
        let uid = layer.number(place, "layerDefUid")?.unwrap_or(-1.0) as i64;
        let tileset = layer.number(place, "__tilesetDefUid")?.unwrap_or(-1.0) as i64;
        let tileset = definitions.tilesets.get(&tileset);
        reader.layer(layer, definitions.parallax.contains(&uid), tileset, place)?;
    }
    Ok((pixels, cell))
}

/// The size of a level, pixels, from its members of these names.
pub fn size(level: &Members<'_>, place: &str, [width, height]: [&str; 2]) -> Result<DVec2, Fault> {
    let side = |name: &str| {
        let value = level.required(place, name)?;
        if (1.0..=MAX_COORDINATE).contains(&value) {
            return Ok(value);
        }
        let problem = format!("{name} is {value}, not 1 to {MAX_COORDINATE} pixels");
        Err(level.json.fault(place, problem, ""))
    };
    Ok(DVec2::new(side(width)?, side(height)?))
}

/// The side of a cell: that of the first IntGrid, or else the project's.
fn cell_side(project: &Members<'_>, layers: &[Members<'_>], place: &str) -> Result<u32, Fault> {
    let (owner, name) = match layers.iter().find(|layer| is_int_grid(layer)) {
        Some(layer) => (layer, "__gridSize"),
        None => (project, "defaultGridSize"),
    };
    let side = owner.required(place, name)?;
    if (1.0..=f64::from(MAX_TILE_SIDE)).contains(&side) && side.fract() == 0.0 {
        return Ok(side as u32);
    }
    let problem = format!("{name} is {side}, not 1 to {MAX_TILE_SIDE} pixels");
    Err(owner.json.fault(place, problem, ""))
}

fn is_int_grid(layer: &Members<'_>) -> bool {
    layer.has("intGridCsv") && has_type(layer, "IntGrid")
}

/// A number of pixels that was computed from the value `name`.
pub fn coordinate(json: Json<'_>, place: &str, name: &str, value: f64) -> Result<f32, Fault> {
    if value.abs() <= MAX_COORDINATE {
        return Ok(value as f32);
    }
    let problem = format!("{name} is {value}, not between -{MAX_COORDINATE} and {MAX_COORDINATE}");
    Err(json.fault(place, problem, ""))
}

/// Reads layers into a level.
pub struct LevelReader<'r, 'a> {
    pub builder: &'r mut LevelBuilder<'a>,
    values: &'r Values,
    /// How many entities there are.
    objects: u32,
    cells_left: u64,
}

impl<'r, 'a> LevelReader<'r, 'a> {
    pub fn new(builder: &'r mut LevelBuilder<'a>, values: &'r Values) -> Self {
        Self {
            builder,
            values,
            objects: 0,
            cells_left: MAX_CELLS,
        }
    }

    /// The cells of a layer of a project that is an IntGrid.
    fn int_grid(
        &mut self,
        members: &Members<'_>,
        place: &str,
    ) -> Result<Option<Grid>, SourceError> {
        let Some(csv) = members.get("intGridCsv").filter(|_| is_int_grid(members)) else {
            return Ok(None);
        };
        let place = layer_place(members, place)?;
        let columns = members.required(&place, "__cWid")?;
        let rows = members.required(&place, "__cHei")?;
        let side = members.required(&place, "__gridSize")?;
        let size = columns * rows;
        let is_size = columns >= 0.0 && rows >= 0.0 && size.fract() == 0.0;
        if !is_size || size > self.cells_left as f64 {
            let problem = format!("with this layer the level has more than {MAX_CELLS} cells");
            return Err(members
                .json
                .fault(&place, problem, "split the level")
                .into());
        }
        self.cells_left -= size as u64;
        let longest = side * columns.max(rows);
        coordinate(members.json, &place, "the layer's size", longest)?;
        let cells = cells_by_value(csv, csv.inside(), &place, columns, size)?;
        Ok(Some(Grid {
            line: Some(csv.line()),
            layer: members.number(&place, "layerDefUid")?.unwrap_or(-1.0) as i64,
            cells,
            side,
            size: [columns as u32, rows as u32],
        }))
    }

    fn layer(
        &mut self,
        members: &Members<'_>,
        moves: bool,
        tileset: Option<&Tileset>,
        place: &str,
    ) -> Result<(), SourceError> {
        let grid = self.int_grid(members, place)?;
        let name = members.text(place, "__identifier")?.unwrap_or_default();
        let place = layer_place(members, place)?;
        let kind = match &grid {
            Some(_) => LayerKind::IntGrid,
            None if has_type(members, "Entities") => LayerKind::Objects,
            None => LayerKind::Tiles,
        };
        // An IntGrid is hidden to see the tiles that are drawn from it.
        let hidden = grid.is_none() && members.text(&place, "visible")?.as_deref() == Some("false");
        let offset = |name| {
            let value = members.number(&place, name)?.unwrap_or(0.0);
            coordinate(members.json, &place, name, value).map(f64::from)
        };
        let offset = DVec2::new(offset("__pxTotalOffsetX")?, offset("__pxTotalOffsetY")?);
        let (line, flags) = (Some(members.json.line()), [hidden, moves]);
        let mut layer = new_layer(&name, kind, line, flags, offset);
        if let Some(grid) = grid {
            self.cells(grid, &mut layer);
        } else if kind == LayerKind::Objects {
            // For the points of entities.
            let side = members.number(&place, "__gridSize")?;
            layer.cell = DVec2::splat(side.unwrap_or(1.0));
            for json in members.list(&place, "entityInstances")? {
                self.entity(json, &mut layer, &place)?;
            }
        } else {
            self.tiles(members, tileset, &mut layer, &place)?;
            if layer.items.is_empty() {
                return Ok(());
            }
        }
        self.builder.add_layer(layer);
        Ok(())
    }

    /// Adds the tiles of a layer. Those of a level with painted cells are mostly pictures.
    fn tiles(
        &mut self,
        members: &Members<'_>,
        tileset: Option<&Tileset>,
        layer: &mut LevelLayer,
        place: &str,
    ) -> Result<(), SourceError> {
        let side = members.number(place, "__gridSize")?.unwrap_or(0.0);
        if !(1.0..=f64::from(MAX_TILE_SIDE)).contains(&side) {
            return Ok(());
        }
        layer.is_picture = true;
        layer.cell = DVec2::splat(side);
        let size = [
            members.number(place, "__cWid")?,
            members.number(place, "__cHei")?,
        ];
        layer.size = Some(size.map(|side| side.unwrap_or(0.0) as u32));
        let mut cells = BTreeMap::<u32, Vec<(i32, i32)>>::new();
        for list in ["gridTiles", "autoLayerTiles"] {
            for json in members.list(place, list)? {
                self.cells_left = self.cells_left.checked_sub(1).ok_or_else(|| {
                    let problem = format!("the level has more than {MAX_CELLS} cells and tiles");
                    members.json.fault(place, problem, "split the level")
                })?;
                let tile = json.members(place)?;
                let number = tile.number(place, "t")?.unwrap_or(0.0) as u32;
                let [x, y] = pair(&tile, place, "px")?;
                let cell = ((y / side) as i32, (x / side) as i32);
                cells.entry(number).or_default().push(cell);
            }
        }
        let name = tileset.map_or("", |tileset| tileset.name.as_str());
        for (number, cells) in cells {
            let tag = tileset.and_then(|tileset| tileset.tags.get(&i64::from(number)));
            let class = tag.map_or("", String::as_str);
            let own = Attributes::new(class, "", Properties::new(), None);
            let whole = Rect::new(DVec2::ZERO, layer.cell);
            layer.items.push(RawItem {
                chain: vec![("tile", Rc::new(own))],
                tile: Some((name.to_owned(), number)),
                parts: vec![RawPart {
                    own: None,
                    shapes: shapes::rectangle(whole),
                }],
                has_shapes: false,
                place: Place::Cells(cells),
                missing: None,
            });
        }
        Ok(())
    }

    /// Adds the cells of a layer.
    pub fn cells(&mut self, grid: Grid, layer: &mut LevelLayer) {
        layer.cell = DVec2::splat(grid.side);
        layer.size = Some(grid.size);
        for (value, cells) in grid.cells {
            let defined = self.values.get(&(grid.layer, value));
            let name = defined.and_then(|defined| defined.name.clone());
            let name = name.unwrap_or_else(|| value.to_string());
            let mut properties = Properties::from([(INT_GRID.to_owned(), name)]);
            if let Some(group) = defined.and_then(|defined| defined.group.clone()) {
                properties.insert(GROUP.to_owned(), group);
            }
            layer.add_value(Attributes::new("", "", properties, grid.line), cells);
        }
    }

    fn entity(
        &mut self,
        json: Json<'_>,
        layer: &mut LevelLayer,
        place: &str,
    ) -> Result<(), SourceError> {
        let entity = json.members(place)?;
        let class = entity.text(place, "__identifier")?.unwrap_or_default();
        let place = format!("entity \"{}\" in {place}", shorten(&class));
        let at = pair(&entity, &place, "px")?;
        let pivot = pair(&entity, &place, "__pivot")?;
        let size = [
            entity.number(&place, "width")?.unwrap_or(0.0),
            entity.number(&place, "height")?.unwrap_or(0.0),
        ];
        let rect = [
            coordinate(json, &place, "px", at[0] - pivot[0] * size[0])?,
            coordinate(json, &place, "px", at[1] - pivot[1] * size[1])?,
            coordinate(json, &place, "width", size[0])?,
            coordinate(json, &place, "height", size[1])?,
        ];
        let mut fields = Vec::new();
        for json in entity.list(&place, "fieldInstances")? {
            let members = json.members(&place)?;
            let identifier = members.text(&place, "__identifier")?.unwrap_or_default();
            if let Some(value) = members.get("__value") {
                fields.push((identifier.into_owned(), value));
            }
        }
        self.add_entity(&entity, fields, rect, layer, &class, &place)
    }

    /// Adds an entity with its fields.
    pub fn add_entity(
        &mut self,
        entity: &Members<'_>,
        fields: Vec<(String, Json<'_>)>,
        rect: [f32; 4],
        layer: &mut LevelLayer,
        class: &str,
        place: &str,
    ) -> Result<(), SourceError> {
        let json = entity.json;
        let mut properties = Properties::new();
        if let Some(iid) = entity.text(place, "iid")? {
            properties.insert("iid".to_owned(), iid.into_owned());
        }
        let mut name = None;
        for (identifier, value) in fields {
            if identifier.eq_ignore_ascii_case("name") {
                name = value.scalar();
            }
            value.flatten(MAX_NESTING, &identifier, place, &mut |name, text| {
                // A reference to an entity has the `iid` of that entity.
                if let Some(field) = name.strip_suffix(".entityIid") {
                    properties.insert(field.to_owned(), text.clone().into_owned());
                }
                properties.insert(name, text.into_owned());
            })?;
        }
        if self.objects == MAX_OBJECTS {
            let problem = format!("with this layer the level has more than {MAX_OBJECTS} entities");
            return Err(json.fault(place, problem, "split the level").into());
        }
        self.objects += 1;
        let name = name.unwrap_or_default();
        let attributes = Attributes::new(class, &name, properties, Some(json.line()));
        let [x, y, width, height] = rect;
        let object = LayerObject::new(None, self.objects, attributes, [x, y], 0.0, layer);
        object.add(layer, &ObjectShape::Rect { width, height });
        Ok(())
    }
}

/// The cells of an IntGrid as (row, column) by their value.
pub type CellsByValue = BTreeMap<u32, Vec<(i32, i32)>>;

/// The cells of an IntGrid layer.
pub struct Grid {
    /// The line of the cells, if it is one of the builder's file.
    pub line: Option<u32>,
    /// The number of the layer in [`Values`].
    pub layer: i64,
    pub cells: CellsByValue,
    /// The side of a cell, pixels.
    pub side: f64,
    /// How many columns and rows there are.
    pub size: [u32; 2],
}

/// The cells of an IntGrid in CSV, without the value 0, which is empty.
pub fn cells_by_value(
    csv: Json<'_>,
    text: &str,
    place: &str,
    columns: f64,
    count: f64,
) -> Result<CellsByValue, Fault> {
    let columns = columns.max(1.0) as usize;
    let mut cells = CellsByValue::new();
    let mut number = 0_usize;
    for field in text.split(',').filter(|_| !text.trim().is_empty()) {
        let value: u32 = field.trim().parse().map_err(|_| {
            let problem = format!("cell {} is \"{}\", not a value", number + 1, shorten(field));
            csv.fault(place, problem, "")
        })?;
        if value != 0 {
            let cell = ((number / columns) as i32, (number % columns) as i32);
            cells.entry(value).or_default().push(cell);
        }
        number += 1;
    }
    if number as f64 != count {
        let problem = format!("it holds {number} cells where __cWid x __cHei is {count}");
        return Err(csv.fault(place, problem, SAVE_AGAIN));
    }
    Ok(cells)
}

/// The name of a layer in messages; `place` is that of its level.
fn layer_place(layer: &Members<'_>, place: &str) -> Result<String, Fault> {
    let name = layer.text(place, "__identifier")?.unwrap_or_default();
    Ok(format!("layer \"{}\" of {place}", shorten(&name)))
}

/// A layer, whose cells and entities are read as objects.
pub fn new_layer(
    name: &str,
    kind: LayerKind,
    line: Option<u32>,
    hidden_and_moving: [bool; 2],
    offset: DVec2,
) -> LevelLayer {
    let own = Attributes::new("", name, Properties::new(), line);
    LevelLayer::new(own, &[], kind, hidden_and_moving, offset)
}

/// A list of two numbers.
pub fn pair(entity: &Members<'_>, place: &str, name: &str) -> Result<[f64; 2], Fault> {
    let list = entity.get(name);
    let json = list.unwrap_or(entity.json);
    let invalid = || {
        json.fault(
            place,
            format!("{name} is not a pair of numbers"),
            SAVE_AGAIN,
        )
    };
    let items = list.map_or(Ok(Vec::new()), |list| list.items(place))?;
    let number = |item: &Json<'_>| item.scalar()?.parse().ok().filter(|n: &f64| n.is_finite());
    let numbers: Option<Vec<f64>> = items.iter().map(number).collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(invalid)
}
