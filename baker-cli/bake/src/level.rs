//! A level as all readers return it: collision geometry, markers, sizes.

use glam::DVec2;
use navmesh_runtime::mesh::BitGrid;

use crate::convex::check_range;
use crate::error::BakeError;

/// The largest coordinate of a level, pixels: up to here, f32 represents every integer.
pub const MAX_COORDINATE: f64 = 16_777_216.0;

/// An axis-aligned rectangle in level pixels, y down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Left-top corner.
    pub min: DVec2,
    /// Right-bottom corner.
    pub max: DVec2,
}

impl Rect {
    /// A rectangle from its left-top and its right-bottom corner.
    pub const fn new(min: DVec2, max: DVec2) -> Self {
        Self { min, max }
    }

    /// The bounding box of some points; `None` without any.
    pub fn around(points: impl IntoIterator<Item = DVec2>) -> Option<Self> {
        let boxes = points.into_iter().map(|point| Self::new(point, point));
        boxes.reduce(|a, b| Self::new(a.min.min(b.min), a.max.max(b.max)))
    }

    /// The bounding box of both; the other one where one is empty.
    #[must_use]
    pub fn united(&self, other: &Self) -> Self {
        Self::new(self.min.min(other.min), self.max.max(other.max))
    }

    /// Larger by this on each side.
    #[must_use]
    pub fn grown(&self, by: DVec2) -> Self {
        Self::new(self.min - by, self.max + by)
    }

    /// Whether both have a point in common; their borders belong to them.
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Width and height.
    pub fn size(&self) -> DVec2 {
        self.max - self.min
    }

    /// Its corners, clockwise from the left-top one.
    pub fn corners(&self) -> [DVec2; 4] {
        let Self { min, max } = *self;
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
    }
}

/// The direction in which bodies can pass a one-way piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassDirection {
    /// Against gravity.
    Up,
    /// With gravity.
    Down,
    /// Towards smaller x.
    Left,
    /// Towards larger x.
    Right,
}

impl PassDirection {
    /// The word for it in levels and messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The direction of a word.
    pub fn of(word: &str) -> Option<Self> {
        let mut all = [Self::Up, Self::Down, Self::Left, Self::Right].into_iter();
        all.find(|way| way.word() == word)
    }
}

/// What a piece of geometry does to a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Material {
    /// Blocks from every side; agents stand on it.
    Solid,
    /// Lets bodies pass in one direction and stops them in the opposite one. A
    /// platform that is jumped through from below is `OneWay(Up)`.
    OneWay(PassDirection),
    /// Does not block, but agents must not touch it, unless they ignore hazards.
    Hazard,
    /// Can be climbed.
    Ladder,
}

/// A convex shape in level pixels, y down.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// An axis-aligned box.
    Box(Rect),
    /// A convex polygon of at least two points (two make a thin wall), in
    /// either winding order.
    Convex(Vec<DVec2>),
}

impl Shape {
    /// Its corners; of a box, two opposite ones.
    pub fn corners(&self) -> Vec<DVec2> {
        match self {
            Self::Box(rect) => vec![rect.min, rect.max],
            Self::Convex(points) => points.clone(),
        }
    }

    /// Its bounding box.
    pub fn bounds(&self) -> Rect {
        match self {
            Self::Box(rect) => *rect,
            // Without points, it meets nothing.
            Self::Convex(points) => Rect::around(points.iter().copied())
                .unwrap_or(Rect::new(DVec2::INFINITY, DVec2::NEG_INFINITY)),
        }
    }
}

/// Errors of making shapes from points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// A coordinate is not finite, or too large.
    #[error("a coordinate is not finite or is beyond 16,777,216 pixels")]
    Range,
    /// There are fewer than two different points.
    #[error("fewer than two different points")]
    TooFew,
    /// The outline crosses itself.
    #[error("the outline crosses itself")]
    SelfCrossing,
}

/// One convex piece of collision geometry.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Its shape.
    pub shape: Shape,
    /// What it does to agents.
    pub material: Material,
    /// Index into [`Level::origins`]: the layer or object it came from.
    pub origin: u32,
}

/// A collision bitmap: one bit plane for each material.
#[derive(Debug, Clone, PartialEq)]
pub struct PixelMap {
    /// Pixels that block from every side.
    pub solid: BitGrid,
    /// Pixels that are passed upwards and carry on their upper edge.
    pub one_way: BitGrid,
    /// Pixels that agents must not touch, unless they ignore hazards.
    pub hazard: BitGrid,
    /// Pixels that can be climbed.
    pub ladder: BitGrid,
}

impl Material {
    /// Its name in messages, without the direction.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::OneWay(_) => "one-way",
            Self::Hazard => "hazard",
            Self::Ladder => "ladder",
        }
    }

    /// Whether agents stand on it.
    pub const fn carries(self) -> bool {
        matches!(self, Self::Solid | Self::OneWay(_))
    }

    /// Whether equal boxes of this material that touch, side by side and one
    /// above the other, can be merged. One-way boxes cannot be merged across
    /// the edge that stops bodies: each of two stacked platforms carries.
    pub fn merges(self) -> (bool, bool) {
        match self {
            Self::OneWay(PassDirection::Up | PassDirection::Down) => (true, false),
            Self::OneWay(PassDirection::Left | PassDirection::Right) => (false, true),
            _ => (true, true),
        }
    }
}

impl PixelMap {
    /// An empty bitmap of this size, in pixels.
    pub fn empty(width: u32, height: u32) -> Self {
        let plane = BitGrid::new(width, height);
        Self {
            solid: plane.clone(),
            one_way: plane.clone(),
            hazard: plane.clone(),
            ladder: plane,
        }
    }

    /// A bitmap of the same size with the pixels inside a rectangle.
    #[must_use]
    pub fn part(&self, within: &Rect) -> Self {
        let mut part = Self::empty(self.solid.columns(), self.solid.rows());
        // Casts turn numbers below zero into zero.
        let [left, top] = within.min.floor().to_array().map(|at| at as u32);
        let [right, bottom] = within.max.ceil().to_array().map(|at| at as u32);
        for (plane, part) in [
            (&self.solid, &mut part.solid),
            (&self.one_way, &mut part.one_way),
            (&self.hazard, &mut part.hazard),
            (&self.ladder, &mut part.ladder),
        ] {
            for row in top..bottom.min(plane.rows()) {
                for run in plane.runs(row) {
                    part.set_run(row, run.start.max(left), run.end.min(right));
                }
            }
        }
        part
    }

    /// The plane of a material. Bitmaps have no one-way direction but up: the
    /// others become solid.
    pub const fn plane_mut(&mut self, material: Material) -> &mut BitGrid {
        match material {
            Material::OneWay(PassDirection::Up) => &mut self.one_way,
            Material::Solid | Material::OneWay(_) => &mut self.solid,
            Material::Hazard => &mut self.hazard,
            Material::Ladder => &mut self.ladder,
        }
    }
}

/// Collision geometry in one of its two forms.
#[derive(Debug, Clone, PartialEq)]
pub enum Collision {
    /// Convex pieces.
    Shapes(Vec<Piece>),
    /// A bitmap; pixel (0, 0) covers the square from (0, 0) to (1, 1).
    Pixels(PixelMap),
}

/// A named place in the level, in level pixels, y down.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelMarker {
    /// Class or type; empty when there is none.
    pub class: String,
    /// Name; empty when there is none.
    pub name: String,
    /// Its bounding box; a point has zero size.
    pub area: Rect,
    /// Custom properties as text, sorted by name.
    pub properties: Vec<(String, String)>,
}

impl LevelMarker {
    /// The value of a property without spaces around it. Upper and lower case are equal.
    pub fn property(&self, name: &str) -> Option<&str> {
        let mut properties = self.properties.iter();
        let (_, text) = properties.find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        Some(text.trim())
    }
}

/// A level, read from a file or built in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The source's file name, without folders; a name for levels built in
    /// memory.
    pub source: String,
    /// The level's extent in pixels.
    pub bounds: Rect,
    /// Width and height of a tile in pixels; `None` where there are no tiles.
    pub tile_size: Option<[u32; 2]>,
    /// The collision geometry.
    pub collision: Collision,
    /// The layers and objects that pieces came from, for messages:
    /// `layer "ground"`, `object 12 "crate" in layer "things"`.
    pub origins: Vec<String>,
    /// Named places.
    pub markers: Vec<LevelMarker>,
}

impl Level {
    /// A level built in memory: its collision geometry, and its extent in
    /// pixels from (0, 0).
    pub fn in_memory(name: &str, collision: Collision, width: f64, height: f64) -> Self {
        Self {
            source: name.to_owned(),
            bounds: Rect::new(DVec2::ZERO, DVec2::new(width, height)),
            tile_size: None,
            collision,
            origins: vec![name.to_owned()],
            markers: Vec::new(),
        }
    }

    /// Checks that all coordinates are within [`MAX_COORDINATE`], as every bake does.
    ///
    /// # Errors
    /// [`BakeError::Shape`] with the first piece or marker that is not.
    pub fn check(&self) -> Result<(), BakeError> {
        let pieces = match &self.collision {
            Collision::Shapes(pieces) => &pieces[..],
            Collision::Pixels(_) => &[],
        };
        let check = |points: &[DVec2], origin: &str| {
            check_range(points).map_err(|error| BakeError::Shape {
                origin: origin.to_owned(),
                error,
            })
        };
        check(
            &[self.bounds.min, self.bounds.max],
            "the extent of the level",
        )?;
        for piece in pieces {
            let origin = self.origins.get(piece.origin as usize);
            let origin = origin.map_or("a shape that was added", String::as_str);
            match &piece.shape {
                Shape::Box(rect) => check(&[rect.min, rect.max], origin)?,
                Shape::Convex(points) => check(points, origin)?,
            }
        }
        for marker in &self.markers {
            check(&[marker.area.min, marker.area.max], &marker.name)?;
        }
        Ok(())
    }
}
