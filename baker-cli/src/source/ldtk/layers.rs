//! The layers of an LDtk level: cells of IntGrid values, tiles, and entities as objects.

use std::collections::BTreeMap;

use glam::DVec2;
use tiled::ObjectShape;

use super::definitions::{Definitions, Tileset};
use super::project::{OpenLevel, SAVE_AGAIN};
use super::schema::{Entity, Layer};
use crate::source::classify::{
    Attributes, GROUP, LayerKind, LayerObject, LevelBuilder, LevelLayer, RawItem,
};
use crate::source::error::{Fault, SourceError};
use crate::source::json::{Json, MAX_NESTING};
use crate::source::limits::{MAX_CELLS, MAX_TILE_SIDE};
use crate::source::rule::INT_GRID;
use crate::source::text::{TextFile, shorten};
use navmesh_bake::MAX_COORDINATE;

/// The most entities of one level. Each is a piece or a marker with a text of its own,
/// some 200 bytes.
const MAX_OBJECTS: u32 = 1 << 20;

type Properties = BTreeMap<String, String>;

/// Reads the layers of a level. Returns its size and the side of a cell, pixels.
pub fn read(
    builder: &mut LevelBuilder<'_>,
    open: &OpenLevel<'_, '_>,
) -> Result<(DVec2, u32), SourceError> {
    let (level, place, json) = (&open.level, open.place(), open.json);
    for (name, side) in [("pxWid", level.px_wid), ("pxHei", level.px_hei)] {
        in_range(json, &place, name, side, MAX_COORDINATE)?;
    }
    let mut layers: Vec<(Json<'_>, Layer<'_>)> = Vec::new();
    for raw in level.layer_instances.iter().flatten() {
        let json = Json::new(open.file, raw);
        layers.push((json, json.read(&place)?));
    }
    // The side of a cell is that of the first IntGrid, or else the project's.
    let (owner, name, side) = match layers.iter().find(|(_, layer)| layer.is_int_grid()) {
        Some((json, layer)) => (*json, "__gridSize", layer.side),
        None => (
            json,
            "defaultGridSize",
            open.project.grid_size.unwrap_or(0.0),
        ),
    };
    in_range(owner, &place, name, side, MAX_TILE_SIDE.into())?;
    if side.fract() != 0.0 {
        let problem = format!("{name} is {side}, not a whole number of pixels");
        return Err(owner.fault(&place, problem, "").into());
    }
    let definitions = &open.project.definitions;
    let values = definitions.values.values();
    let names = values.filter_map(|value| value.name.as_deref());
    builder.explain(definitions.explains, names);
    let mut reader = LevelReader {
        builder,
        file: open.file,
        definitions,
        objects: 0,
        cells_left: MAX_CELLS,
    };
    for (json, layer) in layers {
        let place = format!("layer \"{}\" of {place}", shorten(&layer.name));
        reader.layer(json, &layer, &place)?;
    }
    Ok((DVec2::new(level.px_wid, level.px_hei), side as u32))
}

/// An error when a number of pixels is less than 1 or more than a limit.
fn in_range(json: Json<'_>, place: &str, name: &str, side: f64, most: f64) -> Result<(), Fault> {
    if (1.0..=most).contains(&side) {
        return Ok(());
    }
    let problem = format!("{name} is {side}, not 1 to {most} pixels");
    Err(json.fault(place, problem, ""))
}

/// A number of pixels that was computed from the value `name`.
fn coordinate(json: Json<'_>, place: &str, name: &str, value: f64) -> Result<f32, Fault> {
    if value.abs() <= MAX_COORDINATE {
        return Ok(value as f32);
    }
    let problem = format!("{name} is {value}, not between -{MAX_COORDINATE} and {MAX_COORDINATE}");
    Err(json.fault(place, problem, ""))
}

impl Layer<'_> {
    fn is_int_grid(&self) -> bool {
        self.int_grid_csv.is_some() && &*self.kind == "IntGrid"
    }
}

/// Reads layers into a level.
struct LevelReader<'r, 'a> {
    builder: &'r mut LevelBuilder<'a>,
    file: &'r TextFile<'r>,
    definitions: &'r Definitions,
    /// How many entities there are.
    objects: u32,
    cells_left: u64,
}

impl LevelReader<'_, '_> {
    fn layer(&mut self, json: Json<'_>, from: &Layer<'_>, place: &str) -> Result<(), SourceError> {
        let kind = match &*from.kind {
            _ if from.is_int_grid() => LayerKind::IntGrid,
            "Entities" => LayerKind::Objects,
            _ => LayerKind::Tiles,
        };
        // An IntGrid is hidden to see the tiles that are drawn from it.
        let hidden = kind != LayerKind::IntGrid && from.visible == Some(false);
        let moves = self.definitions.parallax.contains(&from.definition);
        let offset = DVec2::new(
            coordinate(json, place, "__pxTotalOffsetX", from.offset_x)?.into(),
            coordinate(json, place, "__pxTotalOffsetY", from.offset_y)?.into(),
        );
        let own = Attributes::new("", &from.name, Properties::new(), Some(json.line()));
        let mut layer = LevelLayer::new(own, &[], kind, [hidden, moves], offset);
        match kind {
            LayerKind::IntGrid => self.cells(json, from, &mut layer, place)?,
            LayerKind::Objects => {
                // For the points of entities.
                layer.cell = DVec2::splat(if from.side > 0.0 { from.side } else { 1.0 });
                for raw in &from.entity_instances {
                    let json = Json::new(self.file, raw);
                    self.entity(json, &json.read(place)?, &mut layer, place)?;
                }
            }
            _ => {
                self.tiles(json, from, &mut layer, place)?;
                if layer.items.is_empty() {
                    return Ok(());
                }
            }
        }
        self.builder.add_layer(layer);
        Ok(())
    }

    /// Takes from the cells that a level may have.
    fn charge(&mut self, json: Json<'_>, place: &str, cells: f64) -> Result<(), Fault> {
        if !(cells >= 0.0 && cells.fract() == 0.0 && cells <= self.cells_left as f64) {
            let problem = format!("with this layer the level has more than {MAX_CELLS} cells");
            return Err(json.fault(place, problem, "split the level"));
        }
        self.cells_left -= cells as u64;
        Ok(())
    }

    /// Adds the tiles of a layer. Those of a level with painted cells are mostly pictures.
    fn tiles(
        &mut self,
        json: Json<'_>,
        from: &Layer<'_>,
        layer: &mut LevelLayer,
        place: &str,
    ) -> Result<(), Fault> {
        let side = from.side;
        if !(1.0..=f64::from(MAX_TILE_SIDE)).contains(&side) {
            return Ok(());
        }
        layer.is_picture = true;
        layer.cell = DVec2::splat(side);
        layer.size = Some([from.columns as u32, from.rows as u32]);
        let tiles = from.grid_tiles.iter().chain(&from.auto_layer_tiles);
        self.charge(json, place, tiles.clone().count() as f64)?;
        let mut cells = BTreeMap::<u32, Vec<(i32, i32)>>::new();
        for tile in tiles {
            let [x, y] = tile.px.0.map(|at| (at / side) as i32);
            cells.entry(tile.t).or_default().push((y, x));
        }
        let tilesets = &self.definitions.tilesets;
        let unknown = Tileset::default();
        let tileset = from
            .tileset
            .and_then(|uid| tilesets.get(&uid))
            .unwrap_or(&unknown);
        for (number, cells) in cells {
            let class = tileset.tags.get(&number.into()).map_or("", String::as_str);
            let own = Attributes::new(class, "", Properties::new(), None);
            let mut item = RawItem::of_cells("tile", own, layer.cell, cells);
            item.tile = Some((tileset.name.clone(), number));
            layer.items.push(item);
        }
        Ok(())
    }

    /// Adds the cells of an IntGrid.
    fn cells(
        &mut self,
        json: Json<'_>,
        from: &Layer<'_>,
        layer: &mut LevelLayer,
        place: &str,
    ) -> Result<(), Fault> {
        let Some(csv) = from.int_grid_csv.map(|raw| Json::new(self.file, raw)) else {
            return Ok(());
        };
        let (columns, rows) = (from.columns, from.rows);
        self.charge(json, place, columns.min(rows).signum() * columns * rows)?;
        coordinate(
            json,
            place,
            "the layer's size",
            from.side * columns.max(rows),
        )?;
        layer.cell = DVec2::splat(from.side);
        layer.size = Some([columns as u32, rows as u32]);
        for (value, cells) in cells_by_value(csv, place, columns, columns * rows)? {
            let defined = self.definitions.values.get(&(from.definition, value));
            let name = defined.and_then(|defined| defined.name.clone());
            let name = name.unwrap_or_else(|| value.to_string());
            let mut properties = Properties::from([(INT_GRID.to_owned(), name)]);
            if let Some(group) = defined.and_then(|defined| defined.group.clone()) {
                properties.insert(GROUP.to_owned(), group);
            }
            let line = Some(csv.line());
            layer.add_value(Attributes::new("", "", properties, line), cells);
        }
        Ok(())
    }

    fn entity(
        &mut self,
        json: Json<'_>,
        entity: &Entity<'_>,
        layer: &mut LevelLayer,
        place: &str,
    ) -> Result<(), SourceError> {
        let place = &format!("entity \"{}\" in {place}", shorten(&entity.class));
        let ([x, y], [pivot_x, pivot_y]) = (entity.px.0, entity.pivot.0);
        let (width, height) = (entity.width, entity.height);
        let at = [
            coordinate(json, place, "px", x - pivot_x * width)?,
            coordinate(json, place, "px", y - pivot_y * height)?,
        ];
        let shape = ObjectShape::Rect {
            width: coordinate(json, place, "width", width)?,
            height: coordinate(json, place, "height", height)?,
        };
        let iid = entity
            .iid
            .iter()
            .map(|iid| ("iid".to_owned(), iid.to_string()));
        let mut properties: Properties = iid.collect();
        let mut name = None;
        for field in &entity.field_instances {
            let Some(value) = field.value.map(|raw| Json::new(self.file, raw)) else {
                continue;
            };
            if field.name.eq_ignore_ascii_case("name") {
                name = value.scalar();
            }
            value.flatten(MAX_NESTING, &field.name, place, &mut |name, text| {
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
        let (name, line) = (name.unwrap_or_default(), Some(json.line()));
        let attributes = Attributes::new(&entity.class, &name, properties, line);
        LayerObject::new(None, self.objects, attributes, at, 0.0, layer).add(layer, &shape);
        Ok(())
    }
}

/// The cells of an IntGrid as (row, column) by their value, without the value 0, which is
/// empty.
fn cells_by_value(
    csv: Json<'_>,
    place: &str,
    columns: f64,
    count: f64,
) -> Result<BTreeMap<u32, Vec<(i32, i32)>>, Fault> {
    let columns = columns.max(1.0) as usize;
    let mut cells = BTreeMap::<u32, Vec<(i32, i32)>>::new();
    let mut number = 0_usize;
    for field in csv
        .inside()
        .split(',')
        .filter(|_| !csv.inside().trim().is_empty())
    {
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
