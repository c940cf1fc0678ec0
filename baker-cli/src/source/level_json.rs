//! The format of navbake's own levels: what is where, in the coordinates of the game.
//! Exporters of any engine can write it.

use std::collections::BTreeMap;

use glam::DVec2;
use navmesh_runtime::mesh::{Units, YAxis};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::error::{Fault, SourceError};
use super::files::{LevelBytes, check_size, input};
use super::json::{Json, MAX_NESTING, parse};
use super::level_file::LevelFile;
use super::limits::{MAX_CELLS, MAX_FILE_BYTES, MAX_TILE_SIDE};
use super::marker_classes::line_property;
use super::plain_level::PlainLevel;
use super::text::{TextFile, shorten};
use navmesh_bake::{
    Collision, Level, LevelMarker, Material, PassDirection, PixelMap, Rect, Shape, ShapeError,
};

/// How far into a file the key that marks it is looked for.
const HEAD: usize = 4096;

const KEY: &[u8] = b"\"navbake_level\"";

/// The advice for files that are not in the format.
const SCHEMA: &str = "`navbake schema level` prints the JSON Schema of the format";

/// A level. Coordinates are those of the game; the baked file has the same.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelJson<'a> {
    /// The version of the format. It must be the first key.
    #[schemars(extend("const" = 1))]
    navbake_level: u32,
    /// Direction of y in the game. `y_axis` of navbake.toml comes before it.
    #[serde(default)]
    y_axis: Axis,
    /// How many pixels a unit has: agents are described in units, and their defaults and
    /// the grid of the bake follow from the tile size in pixels.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0, "default" = 1.0))]
    pixels_per_unit: f64,
    /// The extent of the level: x, y, width, height, where x and y are the lowest
    /// coordinates. Without it, that of everything in the level.
    bounds: Option<[f64; 4]>,
    /// Side of a cell, units; a whole number of pixels. Agents are scaled to it by default.
    #[schemars(extend("exclusiveMinimum" = 0))]
    cell_size: Option<f64>,
    #[serde(default, borrow)]
    #[schemars(with = "Vec<CellsJson>")]
    cells: Vec<&'a RawValue>,
    #[serde(default, borrow)]
    #[schemars(with = "Vec<ShapeJson>")]
    shapes: Vec<&'a RawValue>,
    #[serde(default, borrow)]
    #[schemars(with = "Vec<MarkerJson<'static>>")]
    markers: Vec<&'a RawValue>,
}

const fn one() -> f64 {
    1.0
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Axis {
    #[default]
    Down,
    Up,
}

/// What collision is.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Solid,
    /// Passed upwards only.
    OneWay,
    OneWayDown,
    OneWayLeft,
    OneWayRight,
    Hazard,
    /// Climbed straight up, whatever its outline.
    Ladder,
}

/// Cells, drawn with characters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CellsJson {
    #[serde(default)]
    name: String,
    /// The upper left corner.
    #[serde(default)]
    at: [f64; 2],
    /// From top to bottom.
    rows: Vec<String>,
    /// What each character is. Those without an entry are air.
    legend: BTreeMap<char, Kind>,
}

/// A piece of collision: exactly one outline.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShapeJson {
    kind: Kind,
    #[serde(default)]
    name: String,
    /// x, y, width, height; x and y are the lowest coordinates.
    #[serde(rename = "box")]
    area: Option<[f64; 4]>,
    /// Its corners; it may be concave.
    polygon: Option<Vec<[f64; 2]>>,
    /// A thin wall through these points.
    polyline: Option<Vec<[f64; 2]>>,
    /// The box around it.
    ellipse: Option<[f64; 4]>,
}

/// A spawn, a door, or anything else that the game reads. It has `at`, `box` or `polyline`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MarkerJson<'a> {
    class: String,
    #[serde(default)]
    name: String,
    at: Option<[f64; 2]>,
    /// x, y, width, height; x and y are the lowest coordinates.
    #[serde(rename = "box")]
    area: Option<[f64; 4]>,
    /// The line of a link, from its start to its end.
    polyline: Option<Vec<[f64; 2]>>,
    /// Texts, numbers and truth values. `id` is what properties of other markers refer to.
    #[serde(default, borrow)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    properties: BTreeMap<String, &'a RawValue>,
}

impl Kind {
    const fn material(self) -> Material {
        match self {
            Self::Solid => Material::Solid,
            Self::OneWay => Material::OneWay(PassDirection::Up),
            Self::OneWayDown => Material::OneWay(PassDirection::Down),
            Self::OneWayLeft => Material::OneWay(PassDirection::Left),
            Self::OneWayRight => Material::OneWay(PassDirection::Right),
            Self::Hazard => Material::Hazard,
            Self::Ladder => Material::Ladder,
        }
    }
}

/// The kind of a material.
const fn kind_of(material: Material) -> &'static str {
    match material {
        Material::Solid => "solid",
        Material::OneWay(PassDirection::Up) => "one_way",
        Material::OneWay(PassDirection::Down) => "one_way_down",
        Material::OneWay(PassDirection::Left) => "one_way_left",
        Material::OneWay(PassDirection::Right) => "one_way_right",
        Material::Hazard => "hazard",
        Material::Ladder => "ladder",
    }
}

/// Writes a level in world units, with a line for each shape and marker.
pub fn write_level(level: &Level, units: Units) -> String {
    let pixels = f64::from(units.pixels_per_unit);
    let (axis, down) = match units.y_axis {
        YAxis::Down => ("down", 1.0),
        YAxis::Up => ("up", -1.0),
    };
    let scale = Scale(DVec2::new(1.0 / pixels, down / pixels));
    let shapes: Vec<Value> = match &level.collision {
        Collision::Shapes(pieces) => {
            let pieces = pieces.iter().map(|piece| (piece.material, &piece.shape));
            pieces
                .map(|(material, shape)| scale.shape(material, shape))
                .collect()
        }
        Collision::Pixels(map) => {
            let boxes = boxes_of(map).into_iter();
            boxes
                .map(|(material, area)| scale.shape(material, &Shape::Box(area)))
                .collect()
        }
    };
    let markers = level.markers.iter().map(|marker| scale.marker(marker));
    let mut head = Map::new();
    head.insert("y_axis".to_owned(), json!(axis));
    head.insert("pixels_per_unit".to_owned(), json!(pixels));
    if let Some([width, height]) = level.tile_size
        && width == height
    {
        head.insert("cell_size".to_owned(), json!(f64::from(width) / pixels));
    }
    head.insert("bounds".to_owned(), scale.numbers(level.bounds));
    let mut text = "{\"navbake_level\": 1".to_owned();
    for (key, value) in head {
        text += ", ";
        text += &Value::String(key).to_string();
        text += ": ";
        text += &value.to_string();
    }
    text += ",\n\"shapes\": [\n";
    text += &lines(shapes);
    text += "],\n\"markers\": [\n";
    text += &lines(markers);
    text + "]}\n"
}

/// One value in each line, with commas between them.
fn lines(values: impl IntoIterator<Item = Value>) -> String {
    let lines: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    let end = if lines.is_empty() { "" } else { "\n" };
    lines.join(",\n") + end
}

/// A bitmap as boxes: runs of pixels in a row, joined with equal runs below them. Those of a
/// one-way platform are not joined, because each row carries.
fn boxes_of(map: &PixelMap) -> Vec<(Material, Rect)> {
    let mut boxes = Vec::new();
    for (material, plane) in [
        (Material::Solid, &map.solid),
        (Material::OneWay(PassDirection::Up), &map.one_way),
        (Material::Hazard, &map.hazard),
        (Material::Ladder, &map.ladder),
    ] {
        let (_, is_joined) = material.merges();
        // The boxes that end above the row, by their columns.
        let mut open: BTreeMap<(u32, u32), Rect> = BTreeMap::new();
        for row in 0..plane.rows() {
            let mut next = BTreeMap::new();
            for run in plane.runs(row) {
                let corner = DVec2::new(run.start.into(), row.into());
                let above = open.remove(&(run.start, run.end)).filter(|_| is_joined);
                let min = above.map_or(corner, |above| above.min);
                let max = DVec2::new(run.end.into(), f64::from(row) + 1.0);
                if !is_joined {
                    boxes.push((material, Rect::new(min, max)));
                    continue;
                }
                next.insert((run.start, run.end), Rect::new(min, max));
            }
            boxes.extend(open.into_values().map(|area| (material, area)));
            open = next;
        }
        boxes.extend(open.into_values().map(|area| (material, area)));
    }
    boxes
}

/// From coordinates of the file to pixels, y down.
#[derive(Clone, Copy)]
struct Scale(DVec2);

impl Scale {
    fn point(self, [x, y]: [f64; 2]) -> DVec2 {
        DVec2::new(x, y) * self.0
    }

    fn points(self, points: &[[f64; 2]]) -> Vec<DVec2> {
        points.iter().map(|point| self.point(*point)).collect()
    }

    fn area(self, [x, y, width, height]: [f64; 4]) -> Rect {
        let (a, b) = (self.point([x, y]), self.point([x + width, y + height]));
        Rect::new(a.min(b), a.max(b))
    }

    /// x, y, width and height of a box.
    fn numbers(self, area: Rect) -> Value {
        let (a, b) = (area.min * self.0, area.max * self.0);
        let (min, size) = (a.min(b), (a - b).abs());
        json!([min.x, min.y, size.x, size.y])
    }

    fn shape(self, material: Material, shape: &Shape) -> Value {
        let kind = kind_of(material);
        match shape {
            Shape::Box(area) => json!({"kind": kind, "box": self.numbers(*area)}),
            Shape::Convex(points) => {
                let outline = if points.len() == 2 {
                    "polyline"
                } else {
                    "polygon"
                };
                let points = points.iter().map(|point| (*point * self.0).to_array());
                json!({"kind": kind, outline: points.collect::<Vec<_>>()})
            }
        }
    }

    fn marker(self, marker: &LevelMarker) -> Value {
        let properties = marker.properties.iter();
        let properties = properties.map(|(name, text)| (name.clone(), json!(text)));
        json!({
            "class": marker.class,
            "name": marker.name,
            "box": self.numbers(marker.area),
            "properties": properties.collect::<Map<_, _>>(),
        })
    }
}

/// Whether a JSON file is a level of this format.
pub fn is_level(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    head.windows(KEY.len()).any(|window| window == KEY)
}

/// Reads a level.
pub fn read(file: LevelBytes<'_>) -> Result<LevelFile, SourceError> {
    let LevelBytes { name, bytes, files } = file;
    check_size(name, bytes.len() as u64, MAX_FILE_BYTES)?;
    let text = TextFile::new(name, bytes, SCHEMA)?;
    let root = parse(&text)?.json;
    let json: LevelJson<'_> = root.read("")?;
    let scale = json.pixels_per_unit;
    if json.navbake_level != 1 {
        let problem = format!("version {} of the format is not known", json.navbake_level);
        return Err(root.fault("", problem, "update navbake").into());
    }
    if !(scale.is_finite() && scale > 0.0) {
        let problem = format!("pixels_per_unit is {scale}, but it must be above 0");
        return Err(root.fault("", problem, "").into());
    }
    let side = json.cell_size.map(|side| side * scale);
    let is_side = |side: &f64| {
        (1.0..=f64::from(MAX_TILE_SIDE)).contains(side) && (side - side.round()).abs() < 1e-6
    };
    if let Some(side) = side.filter(|side| !is_side(side)) {
        let problem = format!(
            "a cell has a side of {side} pixels, which is not a whole number from 1 to {MAX_TILE_SIDE}"
        );
        return Err(root
            .fault("", problem, "change cell_size or pixels_per_unit")
            .into());
    }
    let tile_size = side.map(|side| [side.round() as u32; 2]);
    let down = match json.y_axis {
        Axis::Down => 1.0,
        Axis::Up => -1.0,
    };
    let mut reader = Reader {
        text: &text,
        scale: Scale(DVec2::new(scale, scale * down)),
        cell: tile_size.map(|[side, _]| DVec2::splat(side.into())),
        level: PlainLevel::new(name),
        cells: MAX_CELLS,
    };
    for raw in json.cells {
        reader.cells(Json::new(&text, raw))?;
    }
    for (number, raw) in (1..).zip(json.shapes) {
        reader.shape(Json::new(&text, raw), number)?;
    }
    for (number, raw) in (1..).zip(json.markers) {
        reader.marker(Json::new(&text, raw), number)?;
    }
    let bounds = json.bounds.map(|bounds| reader.scale.area(bounds));
    let mut level = reader
        .level
        .finish(bounds, tile_size, vec![input(files, name)])?;
    level.units = Some(Units {
        pixels_per_unit: scale as f32,
        y_axis: match json.y_axis {
            Axis::Down => YAxis::Down,
            Axis::Up => YAxis::Up,
        },
    });
    Ok(level)
}

struct Reader<'a> {
    text: &'a TextFile<'a>,
    scale: Scale,
    /// The size of a cell, pixels.
    cell: Option<DVec2>,
    level: PlainLevel<'a>,
    /// How many cells there may still be.
    cells: u64,
}

impl<'a> Reader<'a> {
    fn cells(&mut self, json: Json<'a>) -> Result<(), Fault> {
        let grid: CellsJson = json.read("cells")?;
        let place = named("cells", None, &grid.name);
        let Some(size) = self.cell else {
            let problem = "cells have no size";
            return Err(json.fault(&place, problem, "set cell_size of the level"));
        };
        let mut found: BTreeMap<char, Vec<(i32, i32)>> = BTreeMap::new();
        for (row, text) in (0..).zip(&grid.rows) {
            for (column, character) in (0..).zip(text.chars()) {
                self.cells = self.cells.checked_sub(1).ok_or_else(|| {
                    let problem = format!("the level has more than {MAX_CELLS} cells");
                    json.fault(&place, problem, "split it")
                })?;
                if grid.legend.contains_key(&character) {
                    found.entry(character).or_default().push((row, column));
                }
            }
        }
        let corner = self.scale.point(grid.at);
        for (character, cells) in found {
            if let Some(kind) = grid.legend.get(&character) {
                let (material, line) = (kind.material(), Some(json.line()));
                (self.level).add_cells(place.clone(), line, material, cells, [corner, size])?;
            }
        }
        Ok(())
    }

    fn shape(&mut self, json: Json<'a>, number: u32) -> Result<(), Fault> {
        let shape: ShapeJson = json.read(&format!("shape {number}"))?;
        let place = named("shape", Some(number), &shape.name);
        let scale = self.scale;
        let pieces = match (shape.area, &shape.polygon, &shape.polyline, shape.ellipse) {
            (Some(area), None, None, None) => Ok(super::shapes::rectangle(scale.area(area))),
            (None, Some(points), None, None) => Shape::polygon(&scale.points(points)),
            (None, None, Some(points), None) => Shape::polyline(&scale.points(points)),
            (None, None, None, Some(area)) => Shape::ellipse(scale.area(area)).map(|one| vec![one]),
            _ => {
                let problem = "it must have one of box, polygon, polyline and ellipse";
                return Err(json.fault(&place, problem, SCHEMA));
            }
        };
        let pieces = pieces.or_else(|error| match error {
            ShapeError::Range => Err(json.fault(&place, error.to_string(), "")),
            ShapeError::TooFew | ShapeError::SelfCrossing => {
                let warning = format!("{error}, so it is left out");
                let warning = json.fault(&place, warning, "").to_string();
                self.level.warnings.push(warning);
                Ok(Vec::new())
            }
        })?;
        self.level
            .add_shapes(place, Some(json.line()), shape.kind.material(), pieces)
    }

    fn marker(&mut self, json: Json<'a>, number: u32) -> Result<(), Fault> {
        let marker: MarkerJson<'_> = json.read(&format!("marker {number}"))?;
        let place = named("marker", Some(number), &marker.name);
        let line = self.scale.points(&marker.polyline.unwrap_or_default());
        let of_line = Rect::around(line.iter().copied());
        let area = match (marker.at, marker.area, of_line) {
            (Some(at), None, None) => Rect::new(self.scale.point(at), self.scale.point(at)),
            (None, Some(area), None) => self.scale.area(area),
            (None, None, Some(area)) => area,
            _ => {
                let problem = "it must have one of at, box and polyline";
                return Err(json.fault(&place, problem, SCHEMA));
            }
        };
        let is_finite = area.min.is_finite() && area.max.is_finite();
        if !is_finite || navmesh_bake::tools::check_range(&[area.min, area.max]).is_err() {
            return Err(json.fault(&place, "it is too far from the origin", ""));
        }
        let mut properties = BTreeMap::new();
        for (name, value) in marker.properties {
            let value = Json::new(self.text, value);
            value.flatten(MAX_NESTING, &name, &place, &mut |name, text| {
                properties.insert(name, text.into_owned());
            })?;
        }
        if !line.is_empty() {
            properties.extend([line_property(line)]);
        }
        self.level
            .add_marker(&marker.class, &marker.name, area, properties);
        Ok(())
    }
}

/// A part of the level in messages and origins.
fn named(kind: &str, number: Option<u32>, name: &str) -> String {
    let number = number.map_or(String::new(), |number| format!(" {number}"));
    let name = match name {
        "" => String::new(),
        name => format!(" \"{}\"", shorten(name)),
    };
    format!("{kind}{number}{name}")
}
