//! The layers of an LDtk level, read as objects: cells of one IntGrid value as
//! rectangles, entities as themselves.

use std::cell::LazyCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use glam::DVec2;
use tiled::ObjectShape;

use super::definitions::{Tags, Value, Values, has_type, value_property};
use super::project::{OpenLevel, SAVE_AGAIN};
use crate::source::classify::{
    Attributes, Classification, FULL, IntGridValue, LayerKind, LayerObject, LevelBuilder,
    LevelLayer, MIN_CELLS, agreeing, count, no_effect,
};
use crate::source::error::{Fault, SourceError};
use crate::source::json::{Json, MAX_NESTING, Members};
use crate::source::limits::{MAX_CELLS, MAX_TILE_SIDE};
use crate::source::rule::{INT_GRID, pattern};
use crate::source::text::{list, shorten};
use crate::source::words::{self, Word};
use navmesh_bake::MAX_COORDINATE;
use navmesh_bake::Material;
use navmesh_bake::tools::merge_cells as merge;

/// The most rectangles of cells and entities of one level. Each is a piece or a
/// marker with a text of its own, some 200 bytes.
const MAX_OBJECTS: u32 = 1 << 20;

/// How many values without a name a warning describes.
const MAX_VALUES: usize = 6;

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
    let mut grids = Vec::new();
    for layer in &layers {
        let grid = reader.int_grid(layer, place)?;
        let name = layer.text(place, "__identifier")?.unwrap_or_default();
        if let Some(grid) = &grid {
            reader.survey(grid, &name);
        }
        grids.push(grid);
    }
    {
        let painted = LazyCell::new(|| grids.iter().flatten().map(Grid::painted).collect());
        for layer in &layers {
            reader.warn_of_pictures(layer, &painted, &definitions.tags, place)?;
        }
    }
    for (layer, grid) in layers.iter().zip(grids) {
        let uid = layer.number(place, "layerDefUid")?.unwrap_or(-1.0) as i64;
        reader.layer(layer, grid, definitions.parallax.contains(&uid), place)?;
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
    /// How many objects there are; also the id of the last one.
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
    fn int_grid<'j>(
        &mut self,
        members: &Members<'j>,
        place: &str,
    ) -> Result<Option<Grid<'j>>, SourceError> {
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
        let filled: usize = cells.values().map(Vec::len).sum();
        Ok(Some(Grid {
            json: csv,
            line: Some(csv.line()),
            layer: members.number(&place, "layerDefUid")?.unwrap_or(-1.0) as i64,
            is_full: size >= MIN_CELLS && filled as f64 >= FULL * size,
            cells,
            side,
            place,
        }))
    }

    /// The values that cells have.
    fn values(&self, grid: &Grid<'_>) -> Vec<&'r Value> {
        let value = |number: &u32| self.values.get(&(grid.layer, *number));
        grid.cells.keys().filter_map(value).collect()
    }

    /// Notes what a layer of cells is called, and whether its values are solid.
    pub fn survey(&mut self, grid: &Grid<'_>, name: &str) {
        let mut words = self.values(grid).into_iter().filter_map(|value| value.word);
        let mut properties = Properties::new();
        if words.any(|word| matches!(word, Word::Collision | Word::Ground)) {
            properties.insert("solid".to_owned(), "true".to_owned());
        }
        let own = Attributes::new("", name, properties, None);
        let layer = LevelLayer::new(own, &[], LayerKind::IntGrid, [false; 2], DVec2::ZERO);
        let number = grid.cells.values().map(Vec::len).sum();
        (self.builder.classifier).survey(&layer, number, 0.0, Vec::new);
    }

    /// Warns of tiles that are painted by hand where no cell of an IntGrid is, and are
    /// collision by an enum tag or the name of their layer.
    fn warn_of_pictures<F: FnOnce() -> Painted>(
        &mut self,
        members: &Members<'_>,
        painted: &LazyCell<Painted, F>,
        tags: &Tags,
        place: &str,
    ) -> Result<(), Fault> {
        let name = members.text(place, "__identifier")?.unwrap_or_default();
        let tileset = members.number(place, "__tilesetDefUid")?.unwrap_or(-1.0) as i64;
        let tags = tags.get(&tileset);
        // Layers of pictures are called by words for ground too.
        let is_collision = !matches!(
            words::of_layer(&name),
            None | Some(Word::Ground | Word::Nothing)
        );
        if tags.is_none() && !is_collision {
            return Ok(());
        }
        let mut counts = BTreeMap::<Option<&String>, u64>::new();
        for json in members.list(place, "gridTiles")? {
            let tile = json.members(place)?;
            let number = tile.number(place, "t")?.unwrap_or(-1.0) as i64;
            let tag = tags.and_then(|tags| tags.get(&number));
            let [x, y] = pair(&tile, place, "px")?;
            let is_painted = |(side, cells): &(f64, Vec<(i32, i32)>)| {
                let cell = ((y / side) as i32, (x / side) as i32);
                cells.binary_search(&cell).is_ok()
            };
            if (tag.is_some() || is_collision) && !painted.iter().any(is_painted) {
                *counts.entry(tag).or_default() += 1;
            }
        }
        let origin = format!("layer \"{}\"", shorten(&name));
        for (tag, number) in counts {
            let why = tag.map_or("a name".to_owned(), |tag| {
                format!("the enum tag \"{}\"", shorten(tag))
            });
            let cells = count(number, LayerKind::Tiles);
            let have = agreeing(number, "has", "have");
            let warning = format!(
                "{cells} {have} {why} for collision and no effect, because tile layers are pictures: \
                 paint them in an IntGrid layer too"
            );
            let line = Some(members.json.line());
            self.builder.warn(None, line, &origin, &warning);
        }
        Ok(())
    }

    fn layer(
        &mut self,
        members: &Members<'_>,
        grid: Option<Grid<'_>>,
        moves: bool,
        place: &str,
    ) -> Result<(), SourceError> {
        let name = members.text(place, "__identifier")?.unwrap_or_default();
        let place = layer_place(members, place)?;
        let kind = match &grid {
            Some(_) => LayerKind::IntGrid,
            None if has_type(members, "Entities") => LayerKind::Objects,
            None => LayerKind::Image,
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
        if kind == LayerKind::Image {
            for tiles in ["gridTiles", "autoLayerTiles"] {
                layer.summary.items += members.list(&place, tiles)?.len() as u64;
            }
            if layer.summary.items > 0 {
                self.builder.add_picture(layer);
            }
            return Ok(());
        }
        self.builder.begin_layer(&mut layer);
        if let Some(grid) = grid {
            self.cells(grid, &mut layer)?;
        } else {
            for json in members.list(&place, "entityInstances")? {
                self.entity(json, &mut layer, &place)?;
            }
        }
        self.builder.end_layer(layer)
    }

    /// Adds a rectangle with the next id.
    fn add_object(
        &mut self,
        json: Json<'_>,
        place: &str,
        layer: &mut LevelLayer,
        attributes: &Attributes,
        [x, y, width, height]: [f32; 4],
    ) -> Result<(), SourceError> {
        if self.objects == MAX_OBJECTS {
            let problem = format!(
                "with this layer the level has more than {MAX_OBJECTS} entities and rectangles of cells"
            );
            return Err(json.fault(place, problem, "split the level").into());
        }
        self.objects += 1;
        let object = LayerObject::new(self.objects, attributes, [x, y], 0.0, layer);
        object.add(self.builder, layer, &ObjectShape::Rect { width, height })
    }

    /// Adds the cells of a layer.
    pub fn cells(&mut self, grid: Grid<'_>, layer: &mut LevelLayer) -> Result<(), SourceError> {
        let (line, side) = (grid.line, grid.side);
        let values = self.values(&grid).into_iter();
        let mut names = values.filter_map(|value| value.name.as_deref());
        let has_air = names.any(words::is_empty);
        let (mut unnamed, mut unnamed_cells, mut alike) = (Vec::new(), 0, Vec::new());
        for (value, cells) in grid.cells {
            let defined = self.values.get(&(grid.layer, value));
            let defined = defined.cloned().unwrap_or_default();
            let (identifier, word) = (defined.name, defined.word);
            // Rules may make a value one-way that has no property: stacked
            // one-way cells must stay apart, because each carries.
            let (across, down) = match word.map(Word::material) {
                Some(material) => material.map_or((true, true), Material::merges),
                None => (true, false),
            };
            let name = identifier.clone().unwrap_or_else(|| value.to_string());
            let mut properties = Properties::from([(INT_GRID.to_owned(), name.clone())]);
            if let Some((property, value)) = word.map(value_property) {
                properties.insert(property.to_owned(), value.to_owned());
            } else if identifier.is_some() && words::is_mixed(&layer.name) {
                // In a layer such as "SpikeCollisions" it may be either.
                properties.insert("solid".to_owned(), "false".to_owned());
            }
            let attributes = Attributes::new("", "", properties, line);
            match (&identifier, word) {
                (Some(name), _) if word.is_none() || words::is_doubtful(name) => {
                    self.warn_of_value(name, cells.len(), &attributes, layer);
                }
                (None, None) => {
                    let classification = self.builder.classifier.object(&attributes, layer);
                    match classification {
                        Classification::Unmatched(_) if !layer.is_decoration() => {
                            unnamed.push(value);
                            unnamed_cells += cells.len() as u64;
                        }
                        Classification::Collision(material, why) if why.is_of_layer() => {
                            let why = format!("{} ({why})", material.name());
                            alike.push((cells.len(), value, material, why));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
            layer.summary.items += cells.len() as u64;
            layer.summary.values.push(IntGridValue {
                name: identifier.clone(),
                value,
                color: shorten(&defined.color),
                cells: cells.len() as u64,
            });
            let classification = self.builder.classifier.object(&attributes, layer);
            let number = layer.summary.number(&classification);
            layer.summary.add_many(number, cells.len() as u64);
            for block in merge(cells, across, down) {
                let [x, y] = [block.left, block.top];
                let size = [block.right - x, block.bottom - y];
                let rect = [x, y, size[0], size[1]].map(|n| (f64::from(n) * side) as f32);
                self.add_object(grid.json, &grid.place, layer, &attributes, rect)?;
            }
        }
        self.warn_of_unnamed(&unnamed, unnamed_cells, line, layer);
        self.warn_of_alike(alike, line, layer);
        // Land and the water around it. Where a value is called air, or the layer
        // collision, the level may be seen from the side, under water.
        let is_strong = words::of_layer(&layer.name) == Some(Word::Collision);
        if grid.is_full && !is_strong && !has_air && layer.summary.is_mixed() {
            let problem = "its values fill the level, as in one seen from above: if it is one, say what \
                           stops bodies: empty = [\"intgrid:VALUE\"], solid = [\"intgrid:VALUE\"]";
            self.builder.warn(None, line, &layer.origin, problem);
        }
        Ok(())
    }

    /// Warns of values without a name that nothing says the meaning of.
    fn warn_of_unnamed(
        &mut self,
        values: &[u32],
        cells: u64,
        line: Option<u32>,
        layer: &LevelLayer,
    ) {
        let values = match values {
            [] => return,
            [value] => format!("value {value}, which has no identifier,"),
            [first, ..] => format!("values without identifiers, such as {first},"),
        };
        let effect = no_effect(cells, LayerKind::Tiles, &values);
        let name = &layer.name;
        let problem =
            format!("{effect}: give them identifiers, or solid = [\"layer:{name}\"], or empty");
        self.builder.warn(None, line, &layer.origin, &problem);
    }

    /// Warns of several values without a name that are the same because of the layer:
    /// for some of them, a second value is a hazard or the goal.
    fn warn_of_alike(
        &mut self,
        mut values: Vec<(usize, u32, Material, String)>,
        line: Option<u32>,
        layer: &LevelLayer,
    ) {
        values.sort_unstable_by_key(|(cells, value, ..)| (Reverse(*cells), *value));
        let [(_, most, material, why), others @ ..] = values.as_slice() else {
            return;
        };
        if others.is_empty() {
            return;
        }
        let shown = others.iter().map(|(cells, value, ..)| {
            format!("{value} in {}", count(*cells as u64, LayerKind::Tiles))
        });
        // Values of other layers have the same numbers.
        let layer_rule = layer.rule();
        let rules = others.iter();
        let rules = rules.map(|(_, value, ..)| format!("\"{layer_rule} & intgrid:{value}\""));
        let problem = format!(
            "its values without identifiers, {most} and {}, are all {why}; {}",
            list(shown, MAX_VALUES),
            lists_to_choose(*material, &list(rules, usize::MAX))
        );
        self.builder.warn(None, line, &layer.origin, &problem);
    }

    /// Warns of a value whose name is not in the table of words.
    fn warn_of_value(
        &mut self,
        name: &str,
        cells: usize,
        attributes: &Attributes,
        layer: &LevelLayer,
    ) {
        let shown = shorten(name);
        let cells = cells as u64;
        let value = format!("value \"{shown}\"");
        let mut kept = Material::Solid;
        let effect = match self.builder.classifier.object(attributes, layer) {
            Classification::Collision(_, why) | Classification::Excluded(why)
                if why.is_configured() =>
            {
                return;
            }
            Classification::Collision(..) if words::has_word(name, words::MATERIALS) => return,
            Classification::Collision(material, why) => {
                let are = agreeing(cells, "is", "are");
                kept = material;
                let (cells, material) = (count(cells, LayerKind::Tiles), material.name());
                format!("{cells} of {value} {are} {material} ({why})")
            }
            _ => no_effect(cells, LayerKind::Tiles, &value),
        };
        let rule = format!("intgrid:{shown}");
        let problem = match words::correction(name, &rule) {
            Some(correction) => format!("{effect}: {correction}"),
            None => format!(
                "{effect}; {}",
                lists_to_choose(kept, &format!("\"{rule}\""))
            ),
        };
        self.builder
            .warn(None, attributes.line, &layer.origin, &problem);
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
        layer.summary.items += 1;
        let name = name.unwrap_or_default();
        let attributes = Attributes::new(class, &name, properties, Some(json.line()));
        self.warn_of_entity_tags(entity, &attributes, layer, place)?;
        self.add_object(json, place, layer, &attributes, rect)
    }

    /// Warns of tags that say that an entity is collision, which nothing else says.
    fn warn_of_entity_tags(
        &mut self,
        entity: &Members<'_>,
        attributes: &Attributes,
        layer: &LevelLayer,
        place: &str,
    ) -> Result<(), Fault> {
        for json in entity.list(place, "__tags")? {
            let tag = json.scalar().unwrap_or_default();
            if let Some(rules) = words::exact(&tag).and_then(|_| words::hint_or_solid(&tag))
                && let Classification::Unmatched(_) =
                    self.builder.classifier.object(attributes, layer)
            {
                let (tag, class) = (shorten(&tag), pattern(&attributes.class));
                let warning = format!(
                    "the tag \"{tag}\" of entities \"{class}\" has no effect; if it means it, \
                     {rules} = [\"class:{class}\"], or empty"
                );
                self.builder.warn(None, layer.line, &layer.origin, &warning);
            }
        }
        Ok(())
    }
}

/// The side of the cells of each IntGrid, and those that have a value, sorted.
type Painted = Vec<(f64, Vec<(i32, i32)>)>;

/// The cells of an IntGrid as (row, column) by their value.
pub type CellsByValue = BTreeMap<u32, Vec<(i32, i32)>>;

/// The cells of an IntGrid layer.
pub struct Grid<'a> {
    /// What messages about them refer to.
    pub json: Json<'a>,
    /// The line of the cells, if it is one of the builder's file.
    pub line: Option<u32>,
    /// The number of the layer in [`Values`].
    pub layer: i64,
    pub cells: CellsByValue,
    /// They fill a level that is not small.
    pub is_full: bool,
    /// The side of a cell, pixels.
    pub side: f64,
    /// The name of the layer in messages.
    pub place: String,
}

impl Grid<'_> {
    /// The side of a cell, and all cells that have a value, sorted.
    fn painted(&self) -> (f64, Vec<(i32, i32)>) {
        let mut cells: Vec<_> = self.cells.values().flatten().copied().collect();
        cells.sort_unstable();
        (self.side, cells)
    }
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

/// The question what values are: the line that keeps what they are now, and the other
/// lists.
fn lists_to_choose(kept: Material, rules: &str) -> String {
    let kept = kept.name().replace('-', "_");
    let lists = ["solid", "empty", "hazard", "ladder", "one_way"].into_iter();
    let others = lists.filter(|list| *list != kept).map(str::to_owned);
    let others = list(others, usize::MAX);
    format!("say what they are: {kept} = [{rules}], or {others}")
}
