//! What the readers of the formats say of a level: layers with cells and objects,
//! their attributes and shapes, and no meaning.

use std::rc::Rc;

use glam::{DAffine2, DVec2};
use tiled::ObjectShape;

use super::attributes::Attributes;
use crate::source::rule::pattern;
use crate::source::shapes;
use crate::source::text::{shorten, shorten_to};
use navmesh_bake::{Rect, Shape};

/// The most characters of a name in messages and origins, where it is repeated
/// for every object.
const MAX_NAME: usize = 100;

/// What a layer contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerKind {
    Tiles,
    Objects,
    IntGrid,
    /// Pictures, which are never collision.
    Image,
}

impl LayerKind {
    /// The word for it in messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Tiles => "tile",
            Self::Objects => "object",
            Self::IntGrid => "IntGrid",
            Self::Image => "image",
        }
    }

    /// The word for what is in it.
    pub const fn item(self) -> &'static str {
        match self {
            Self::Tiles | Self::IntGrid => "cell",
            kind => kind.noun(),
        }
    }
}

/// A layer of a level.
pub struct LevelLayer {
    pub kind: LayerKind,
    /// The layer, then the groups around it, innermost first.
    pub chain: Vec<Rc<Attributes>>,
    /// The paths of the layer and of the groups around it, as in messages, in lower
    /// case: `group/layer`.
    pub paths: Vec<String>,
    /// Its name as written.
    pub name: String,
    /// Its name in messages: `layer "ground"`.
    pub origin: String,
    pub line: Option<u32>,
    /// Its position, with those of the groups around it.
    pub offset: DVec2,
    pub hidden: bool,
    /// It has a parallax factor.
    pub moves: bool,
    /// Its editor draws the tiles of such layers as pictures of an `IntGrid`.
    pub is_picture: bool,
    /// Width and height of its cells, pixels, if it has any.
    pub cell: DVec2,
    /// How many columns and rows of cells there are; infinite maps have no size.
    pub size: Option<[u32; 2]>,
    pub items: Vec<RawItem>,
}

/// A tile in all cells that have it, an `IntGrid` value in all of its cells, or an object.
pub struct RawItem {
    /// What describes it, the most specific first, each with its noun for messages.
    /// Attributes of the shapes come between the object and the tile.
    pub chain: Vec<(&'static str, Rc<Attributes>)>,
    /// The name of its tileset, and its number there.
    pub tile: Option<(String, u32)>,
    /// Its shapes with their own attributes, or one that stands for the whole.
    pub parts: Vec<RawPart>,
    /// The parts are shapes that are drawn on the tile.
    pub has_shapes: bool,
    pub place: Place,
    /// The file of its tileset, which does not exist, and what refers to it: an error if it
    /// is collision.
    pub missing: Option<(String, String)>,
}

#[derive(Default)]
pub struct RawPart {
    pub own: Option<Attributes>,
    /// Relative to the top-left corner of the cell, or for objects in the level.
    pub shapes: Vec<Shape>,
}

pub enum Place {
    /// Row and column of its cells, in the order of the file.
    Cells(Vec<(i32, i32)>),
    Object(Box<ObjectPlace>),
}

pub struct ObjectPlace {
    /// Its number in the file; objects without one are numbered in order.
    pub id: Option<u32>,
    /// Its name in messages and origins.
    pub origin: String,
    /// From its own coordinates to the level's.
    pub at: DAffine2,
    /// Its outline, unless it shows a tile.
    pub outline: Option<ObjectShape>,
    /// Its bounding box in the level.
    pub area: Rect,
}

impl ObjectPlace {
    /// Whether it has no extent, as points and texts.
    pub fn is_flat(&self) -> bool {
        matches!(
            self.outline,
            Some(ObjectShape::Point(..) | ObjectShape::Text { .. })
        )
    }
}

impl RawItem {
    /// Something in no cells, described by `chain`.
    pub const fn new(chain: Vec<(&'static str, Rc<Attributes>)>, parts: Vec<RawPart>) -> Self {
        Self {
            chain,
            tile: None,
            parts,
            has_shapes: false,
            place: Place::Cells(Vec::new()),
            missing: None,
        }
    }

    /// Something that fills whole cells of a size.
    pub fn of_cells(
        noun: &'static str,
        own: Attributes,
        cell: DVec2,
        cells: Vec<(i32, i32)>,
    ) -> Self {
        let shapes = shapes::rectangle(Rect::new(DVec2::ZERO, cell));
        let parts = vec![RawPart { own: None, shapes }];
        Self {
            place: Place::Cells(cells),
            ..Self::new(vec![(noun, Rc::new(own))], parts)
        }
    }

    /// Its own attributes.
    pub fn own(&self) -> &Attributes {
        &self.chain[0].1
    }

    pub fn object(&self) -> Option<&ObjectPlace> {
        match &self.place {
            Place::Cells(_) => None,
            Place::Object(object) => Some(object),
        }
    }

    pub fn cells(&self) -> &[(i32, i32)] {
        match &self.place {
            Place::Cells(cells) => cells,
            Place::Object(_) => &[],
        }
    }

    /// How many cells or objects it is.
    pub fn number(&self) -> u64 {
        match &self.place {
            Place::Cells(cells) => cells.len() as u64,
            Place::Object(_) => 1,
        }
    }
}

impl LevelLayer {
    /// An empty layer. `around` are the groups that it is in, innermost first.
    pub fn new(
        own: Attributes,
        around: &[Rc<Attributes>],
        kind: LayerKind,
        [hidden, moves]: [bool; 2],
        offset: DVec2,
    ) -> Self {
        let (name, line) = (own.name.clone(), own.line);
        let chain = [&[Rc::new(own)], around].concat();
        // Two groups may hold layers of the same name.
        let path = |chain: &[Rc<Attributes>]| {
            let names = chain.iter().rev().map(|layer| layer.name.as_str());
            names.collect::<Vec<_>>().join("/")
        };
        let paths = (0..chain.len()).map(|from| path(&chain[from..]).to_lowercase());
        Self {
            kind,
            name,
            origin: format!("layer \"{}\"", shorten_to(&path(&chain), MAX_NAME)),
            line,
            paths: paths.collect(),
            chain,
            offset,
            hidden,
            moves,
            is_picture: false,
            cell: DVec2::ONE,
            size: None,
            items: Vec::new(),
        }
    }

    /// The name of one of its objects in messages and origins.
    fn object_origin(&self, id: u32, name: &str) -> String {
        if name.is_empty() {
            format!("object {id} in {}", self.origin)
        } else {
            let name = shorten_to(name, MAX_NAME);
            format!("object {id} \"{name}\" in {}", self.origin)
        }
    }

    /// The rule that matches everything in it.
    pub fn rule(&self) -> String {
        format!("layer:{}", pattern(&self.name))
    }

    /// The place in the level of the cell in this row and column.
    pub fn cell_rect(&self, (row, column): (i32, i32)) -> Rect {
        let min = DVec2::new(f64::from(column), f64::from(row)) * self.cell + self.offset;
        Rect::new(min, min + self.cell)
    }

    /// Adds a value of an `IntGrid` with its cells.
    pub fn add_value(&mut self, attributes: Attributes, cells: Vec<(i32, i32)>) {
        let item = RawItem::of_cells("value", attributes, self.cell, cells);
        self.items.push(item);
    }
}

/// An object that is added to a layer.
pub struct LayerObject {
    id: Option<u32>,
    pub attributes: Rc<Attributes>,
    /// Its name in messages and origins.
    pub origin: String,
    /// From its own coordinates to the level's.
    pub at: DAffine2,
}

impl LayerObject {
    /// An object at a position of its layer, turned by `rotation` degrees. Without a
    /// number it gets one; `shown` stands for it in messages.
    pub fn new(
        id: Option<u32>,
        shown: u32,
        attributes: Attributes,
        [x, y]: [f32; 2],
        rotation: f32,
        layer: &LevelLayer,
    ) -> Self {
        let at = DAffine2::from_translation(layer.offset);
        Self {
            id,
            origin: layer.object_origin(id.unwrap_or(shown), &attributes.name),
            attributes: Rc::new(attributes),
            at: at * shapes::object_transform(x, y, rotation),
        }
    }

    /// Adds an object with this outline.
    pub fn add(self, layer: &mut LevelLayer, shape: &ObjectShape) {
        let points = shapes::extent(shape);
        let item = RawItem::new(Vec::new(), vec![RawPart::default()]);
        self.push(layer, Some(shape.clone()), points, item);
    }

    /// Adds an object that shows a tile. `points` are relative to its position, before
    /// its rotation.
    pub fn add_tile(self, layer: &mut LevelLayer, points: Vec<DVec2>, tile: RawItem) {
        self.push(layer, None, points, tile);
    }

    fn push(
        self,
        layer: &mut LevelLayer,
        outline: Option<ObjectShape>,
        points: Vec<DVec2>,
        mut item: RawItem,
    ) {
        let points = points.into_iter().map(|p| self.at.transform_point2(p));
        let Some(area) = Rect::around(points) else {
            return;
        };
        item.chain.insert(0, ("object", self.attributes));
        item.place = Place::Object(Box::new(ObjectPlace {
            id: self.id,
            origin: self.origin,
            at: self.at,
            outline,
            area,
        }));
        layer.items.push(item);
    }
}

/// The name of a value in messages and origins.
pub fn value_origin(value: &str, layer: &LevelLayer) -> String {
    format!("value \"{}\" of {}", shorten(value), layer.origin)
}
