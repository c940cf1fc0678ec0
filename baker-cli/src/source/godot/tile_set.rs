//! Tile sets: the collision of tiles.

use std::collections::{BTreeMap, HashMap};

use glam::{DVec2, Vec2Swizzles as _};

use super::scene::{Resources, material_of};
use super::text_format::{Section, Value};
use crate::source::limits::{MAX_POINTS, MAX_TILE_SIDE};
use navmesh_bake::{Material, PassDirection, Rect, Shape};

/// The bits of an alternative of a tile that turn it: mirrored across, mirrored down, and
/// first across its diagonal.
const FLIP_H: u32 = 1 << 12;
const FLIP_V: u32 = 1 << 13;
const TRANSPOSE: u32 = 1 << 14;

/// A tile: its source, its column and row there, and the alternative.
pub type TileKey = (u32, [u32; 2], u32);

/// A tile set.
#[derive(Default)]
pub struct TileSet {
    pub side: [u32; 2],
    tiles: HashMap<TileKey, Tile>,
}

/// The collision of a tile. Without outlines it is the whole cell, if it has a material.
#[derive(Debug, Clone, Default)]
pub struct Tile {
    /// By a custom data layer.
    material: Option<Material>,
    outlines: BTreeMap<String, Outline>,
}

#[derive(Debug, Clone, Default)]
struct Outline {
    /// Relative to the middle of the tile.
    points: Vec<DVec2>,
    one_way: bool,
}

impl TileSet {
    /// Reads the tile set of a section. The error is what is wrong with it.
    pub fn read(section: &Section, resources: &Resources<'_>) -> Result<Self, String> {
        let get = |name: &str| section.properties.get(name);
        if get("tile_shape").is_some_and(|shape| *shape != Value::Number(0.0)) {
            return Err("its tiles are not square".to_owned());
        }
        let side = get("tile_size").and_then(Value::pair).unwrap_or([16.0; 2]);
        if !side
            .iter()
            .all(|side| (1.0..=f64::from(MAX_TILE_SIDE)).contains(side))
        {
            return Err(format!("tile_size is {side:?}"));
        }
        let side = side.map(|side| side as u32);
        let mut set = Self {
            side,
            ..Self::default()
        };
        for (name, value) in &section.properties {
            let number = name.strip_prefix("sources/").and_then(|n| n.parse().ok());
            let source = number.and_then(|number| Some((number, resources.find(value)?)));
            if let Some((number, source)) = source {
                for (name, value) in &source.properties {
                    set.add(number, name, value, section);
                }
            }
        }
        Ok(set)
    }

    /// Adds a property of a source: `1:0/0/physics_layer_0/polygon_0/points` is about the
    /// tile in column 1 and row 0, without an alternative.
    fn add(&mut self, source: u32, name: &str, value: &Value, set: &Section) -> Option<()> {
        let mut parts = name.splitn(3, '/');
        let (column, row) = parts.next()?.split_once(':')?;
        let at = [column.parse().ok()?, row.parse().ok()?];
        let key = (source, at, parts.next()?.parse().ok()?);
        let tile = self.tiles.entry(key).or_default();
        let property = parts.next()?;
        if let Some(layer) = property.strip_prefix("custom_data_") {
            let name = set
                .properties
                .get(&format!("custom_data_layer_{layer}/name"))?;
            let material = match value {
                // `kind` = "hazard", or `hazard` = true.
                Value::Text(word) => material_of(word),
                value if value.is_true() => material_of(name.text()?),
                _ => None,
            };
            tile.material = tile.material.or(material);
            return Some(());
        }
        let (polygon, field) = property.strip_prefix("physics_layer_0/")?.split_once('/')?;
        let outline = tile.outlines.entry(polygon.to_owned()).or_default();
        match field {
            "points" => {
                let numbers = value.numbers("PackedVector2Array")?;
                let pairs = numbers.as_chunks::<2>().0.iter().take(MAX_POINTS);
                outline.points = pairs.map(|pair| DVec2::from_array(*pair)).collect();
            }
            "one_way" => outline.one_way = value.is_true(),
            _ => {}
        }
        Some(())
    }

    /// The shapes of a tile, relative to the middle of its cell; none for tiles without
    /// collision, and for outlines that cross themselves.
    pub fn shapes(&self, (source, at, alternative): TileKey) -> Vec<(Shape, Material)> {
        let flips = FLIP_H | FLIP_V | TRANSPOSE;
        let tile = self.tiles.get(&(source, at, alternative & !flips));
        let Some(tile) = tile else {
            return Vec::new();
        };
        let half = DVec2::from(self.side.map(f64::from)) / 2.0;
        if tile
            .outlines
            .values()
            .all(|outline| outline.points.is_empty())
        {
            let whole = Shape::Box(Rect::new(-half, half));
            return tile
                .material
                .map(|material| (whole, material))
                .into_iter()
                .collect();
        }
        let mut shapes = Vec::new();
        for outline in tile.outlines.values() {
            let turned = outline.points.iter().map(|point| {
                let mut point = *point;
                if alternative & TRANSPOSE != 0 {
                    point = point.yx();
                }
                if alternative & FLIP_H != 0 {
                    point.x = -point.x;
                }
                if alternative & FLIP_V != 0 {
                    point.y = -point.y;
                }
                point
            });
            let material = match tile.material {
                Some(material) => material,
                None if outline.one_way => Material::OneWay(PassDirection::Up),
                None => Material::Solid,
            };
            let pieces = Shape::polygon(&turned.collect::<Vec<_>>()).unwrap_or_default();
            shapes.extend(pieces.into_iter().map(|shape| (shape, material)));
        }
        shapes
    }
}
