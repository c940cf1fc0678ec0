//! The display list: what is drawn of a layer, independent of the zoom.
//!
//! Pictures, films and the page of `navbake view` draw the same list, back to
//! front. Positions are in cells from the top-left corner of the grid, with y
//! downwards.

use std::borrow::Cow;

use glam::{IVec2, Vec2};
use serde::{Serialize, Serializer};

/// The page gets the points of lines as whole numbers of this part of a cell,
/// which is a pixel when a cell takes 32 pixels. Finer curves would make the
/// page larger.
const FINE: f32 = 32.0;
const FAR: Vec2 = Vec2::splat(1e9);

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
    pub name: Cow<'static, str>,
    /// How many there are, in the legend.
    #[serde(skip)]
    pub count: Option<usize>,
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
        points: Vec<Vec2>,
        radius: Size,
    },
    /// Lines with round ends; `head` is the length of an arrow head at the last
    /// point, `dash` that of dashes.
    Lines {
        #[serde(serialize_with = "steps")]
        lines: Vec<Vec<Vec2>>,
        width: Size,
        head: Option<Size>,
        dash: Option<Size>,
    },
    /// Texts that begin some pixels above a point; `height` is that of a line in
    /// pixels. A text that would cover one before it is left out.
    Labels {
        texts: Vec<(Vec2, f32, String)>,
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
    pub fn new(layer: &'static str, paint: Paint, form: Form) -> Self {
        Self {
            layer,
            name: "".into(),
            count: None,
            paint,
            plain: Some(paint),
            zoom: [0.0, 1e6],
            ids: Vec::new(),
            form,
        }
    }

    pub fn areas(layer: &'static str, paint: Paint, rects: Vec<[f32; 4]>) -> Self {
        Self::new(layer, paint, Form::Areas { rects })
    }

    pub fn lines(layer: &'static str, paint: Paint, lines: Vec<Vec<Vec2>>, width: Size) -> Self {
        let form = Form::Lines {
            lines,
            width,
            head: None,
            dash: None,
        };
        Self::new(layer, paint, form)
    }

    /// Lines with arrow heads.
    pub fn arrows(
        layer: &'static str,
        paint: Paint,
        arrows: Vec<Vec<Vec2>>,
        [line, head_length]: [Size; 2],
    ) -> Self {
        let mut shape = Self::lines(layer, paint, arrows, line);
        if let Form::Lines { head, .. } = &mut shape.form {
            *head = Some(head_length);
        }
        shape
    }

    pub fn marks(
        layer: &'static str,
        paint: Paint,
        mark: Mark,
        points: Vec<Vec2>,
        radius: Size,
    ) -> Self {
        Self::new(
            layer,
            paint,
            Form::Marks {
                mark,
                points,
                radius,
            },
        )
    }

    /// Lists it in the legend, unless there are none. Things without a number
    /// are not counted.
    #[must_use]
    pub fn named(
        mut self,
        name: impl Into<Cow<'static, str>>,
        count: impl Into<Option<usize>>,
    ) -> Self {
        self.count = count.into();
        if self.count != Some(0) {
            self.name = name.into();
        }
        self
    }
}

/// Writes each line as its first point and the steps from point to point: x, y,
/// x, y, … in units of a cell / [`FINE`].
fn steps<S: Serializer>(lines: &[Vec<Vec2>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(lines.iter().map(|line| {
        let mut last = IVec2::ZERO;
        let mut steps = Vec::new();
        for point in line {
            // Jumps of a forged file may lead so far that differences overflow.
            let here = (point * FINE).round().clamp(-FAR, FAR).as_ivec2();
            if steps.is_empty() || here != last {
                steps.extend((here - last).to_array());
                last = here;
            }
        }
        steps
    }))
}
