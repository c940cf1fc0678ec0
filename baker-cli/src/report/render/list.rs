//! The display list: what is drawn of a layer, independent of the zoom.
//!
//! Pictures, films and the page of `navbake view` draw the same list, back to
//! front. Positions are in cells from the top-left corner of the grid, with y
//! downwards.

use glam::Vec2;
use serde::{Serialize, Serializer};

/// The page gets the points of lines as whole numbers of this part of a cell,
/// which is a pixel when a cell takes 32 pixels. Finer curves would make the
/// page larger.
const FINE: f32 = 32.0;

/// A length in pixels or an opacity that depends on the zoom: `part` of the
/// pixels per cell, but at least `least` and at most `most`.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Size(f32, f32, f32);

impl Size {
    pub const fn new(part: f32, least: f32, most: f32) -> Self {
        Self(part, least, most)
    }

    /// The same at every zoom.
    pub const fn fixed(size: f32) -> Self {
        Self(0.0, size, size)
    }

    /// The size at a number of pixels per cell.
    pub fn at(self, scale: f32) -> f32 {
        (scale * self.0).clamp(self.1, self.2)
    }
}

/// An opaque colour, `0xRRGGBB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u32);

impl Colour {
    pub const fn rgb(self) -> [u8; 3] {
        let [_, r, g, b] = self.0.to_be_bytes();
        [r, g, b]
    }

    pub const fn solid(self) -> Paint {
        self.faint(1.0)
    }

    pub const fn faint(self, alpha: f32) -> Paint {
        self.alpha(Size::fixed(alpha))
    }

    pub const fn alpha(self, alpha: Size) -> Paint {
        Paint {
            colour: self,
            alpha,
        }
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("#{:06x}", self.0))
    }
}

/// A colour and its opacity, 0 to 1.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Paint {
    pub colour: Colour,
    pub alpha: Size,
}

/// Things that look alike and are drawn together.
#[derive(Debug, Clone, Serialize)]
pub struct Shape {
    /// The layer with which it is shown and hidden: a check box of the page, or
    /// a kind of link.
    pub layer: &'static str,
    /// Its name in the legend; empty for shapes that are not listed.
    pub name: &'static str,
    /// How many there are, in the legend; 0 for those that are not counted.
    #[serde(skip)]
    pub count: u64,
    pub paint: Paint,
    /// The paint while the changes of a comparison are hidden; `None` for what
    /// belongs to the changes.
    pub plain: Option<Paint>,
    /// It is drawn from the first number of pixels per cell to below the second.
    pub zoom: [f32; 2],
    /// The platform or the link of each line; empty for other lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<u32>,
    #[serde(flatten)]
    pub form: Form,
}

/// The form of a shape. A rectangle is `[left, top, right, bottom]`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum Form {
    /// Filled rectangles.
    Areas { rects: Vec<[f32; 4]> },
    /// A dot in the middle of every cell of rectangles that consist of cells.
    Lattice { rects: Vec<[f32; 4]>, radius: Size },
    /// A mark at each point.
    Marks {
        mark: Mark,
        #[serde(serialize_with = "its_steps")]
        points: Vec<Vec2>,
        radius: Size,
    },
    /// Lines with round ends; `head` is the length of an arrow head at the last
    /// point, `dash` that of dashes and gaps.
    Lines {
        #[serde(serialize_with = "all_steps")]
        lines: Vec<Vec<Vec2>>,
        width: Size,
        head: Option<Size>,
        dash: Option<Size>,
    },
    /// Text above and to the right of a point; `height` is that of a line in
    /// pixels. A text that would cover one before it is left out.
    Labels {
        texts: Vec<(Vec2, String)>,
        height: u32,
    },
}

/// What is drawn at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Disc,
    Cross,
    /// Stands on its point, and is twice as high as its radius.
    Diamond,
}

impl Shape {
    /// A shape that is drawn at every zoom and not listed in the legend.
    pub const fn new(layer: &'static str, paint: Paint, form: Form) -> Self {
        Self {
            layer,
            name: "",
            count: 0,
            paint,
            plain: Some(paint),
            zoom: [0.0, 1e6],
            ids: Vec::new(),
            form,
        }
    }

    #[must_use]
    pub fn named(self, name: &'static str, count: u64) -> Self {
        Self {
            name,
            count,
            ..self
        }
    }
}

impl Form {
    pub const fn lines(lines: Vec<Vec<Vec2>>, width: Size) -> Self {
        Self::Lines {
            lines,
            width,
            head: None,
            dash: None,
        }
    }

    pub const fn discs(points: Vec<Vec2>, radius: Size) -> Self {
        Self::Marks {
            mark: Mark::Disc,
            points,
            radius,
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Areas { rects } | Self::Lattice { rects, .. } => rects.is_empty(),
            Self::Marks { points, .. } => points.is_empty(),
            Self::Lines { lines, .. } => lines.is_empty(),
            Self::Labels { texts, .. } => texts.is_empty(),
        }
    }
}

/// The first point, and the steps from point to point: x, y, x, y, …
fn steps(points: &[Vec2]) -> Vec<i32> {
    let mut last = [0, 0];
    let mut steps = Vec::with_capacity(2 * points.len());
    for (i, point) in points.iter().enumerate() {
        // Jumps of a forged file may lead so far that differences overflow.
        let fine = (*point * FINE)
            .round()
            .clamp(Vec2::splat(-1e9), Vec2::splat(1e9));
        let here = [fine.x as i32, fine.y as i32];
        // Where a curve is slow, it has several points in the same place.
        if i < 2 || here != last {
            steps.extend([here[0] - last[0], here[1] - last[1]]);
            last = here;
        }
    }
    steps
}

fn its_steps<S: Serializer>(points: &[Vec2], serializer: S) -> Result<S::Ok, S::Error> {
    steps(points).serialize(serializer)
}

fn all_steps<S: Serializer>(lines: &[Vec<Vec2>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(lines.iter().map(|points| steps(points)))
}
