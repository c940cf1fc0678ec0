//! Pictures with few colours, and animations of them.

use std::convert::Infallible;
use std::io::Write;

use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{Circle, Line, PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};
use navmesh_runtime::mesh::{Cell, Layer, Terrain};

/// A colour, by its index in the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ink(pub u8);

impl PixelColor for Ink {
    type Raw = ();
}

pub const PAPER: Ink = Ink(0);
pub const STONE: Ink = Ink(1);
pub const EDGE: Ink = Ink(2);
pub const WHITE: Ink = Ink(3);
pub const GREY: Ink = Ink(4);
pub const GOLD: Ink = Ink(5);
pub const RED: Ink = Ink(6);
pub const GREEN: Ink = Ink(7);
pub const BLUE: Ink = Ink(8);
pub const ORANGE: Ink = Ink(9);
const COLOURS: [[u8; 3]; 10] = [
    [24, 26, 38],
    [74, 80, 104],
    [104, 112, 140],
    [232, 234, 240],
    [150, 156, 176],
    [255, 209, 92],
    [238, 96, 85],
    [92, 200, 120],
    [110, 190, 255],
    [255, 150, 60],
];

/// A palette of the colours above and others, which have the inks from 10 on.
pub const fn palette<const N: usize>(others: &[[u8; 3]]) -> [[u8; 3]; N] {
    let mut all = [[0; 3]; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < COLOURS.len() {
            COLOURS[i]
        } else {
            others[i - COLOURS.len()]
        };
        i += 1;
    }
    all
}

/// A picture.
#[derive(Clone)]
pub struct Canvas {
    size: Size,
    pixels: Vec<u8>,
    /// The position that the top left pixel shows.
    pub origin: (f32, f32),
}

impl Canvas {
    pub fn new(width: u32, height: u32, paper: Ink) -> Self {
        Self {
            size: Size::new(width, height),
            pixels: vec![paper.0; (width * height) as usize],
            origin: (0.0, 0.0),
        }
    }

    /// A level, with room below: paper, stone where a layer is blocked, and an edge
    /// along its top.
    pub fn level(layer: &Layer, room: u32, [paper, stone, edge]: [Ink; 3]) -> Self {
        let grid = layer.grid();
        let side = grid.spacing;
        let [width, height] = [grid.columns, grid.rows].map(|count| count as f32 * side);
        let mut canvas = Self::new(width as u32, height as u32 + room, paper);
        canvas.origin = grid.origin.into();
        let solid =
            |column: u32, row: u32| layer.terrain(Cell { column, row }) == Terrain::InsideGeometry;
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                let vertex = grid.position(Cell { column, row });
                let at = (vertex.x - side / 2.0, vertex.y - side);
                if solid(column, row) {
                    canvas.fill(at, (side, side), stone);
                    if row > 0 && !solid(column, row - 1) {
                        canvas.fill(at, (side, 2.0), edge);
                    }
                }
            }
        }
        canvas
    }

    pub fn fill(&mut self, at: (f32, f32), size: (f32, f32), ink: Ink) {
        let corner = self.point(at);
        let size = Size::new(size.0.round() as u32, size.1.round() as u32);
        self.show(&Rectangle::new(corner, size).into_styled(PrimitiveStyle::with_fill(ink)));
    }

    /// The outline of a box, one pixel wide.
    pub fn frame(&mut self, at: (f32, f32), size: (f32, f32), ink: Ink) {
        let corner = self.point(at);
        let size = Size::new(size.0.round() as u32, size.1.round() as u32);
        self.show(&Rectangle::new(corner, size).into_styled(PrimitiveStyle::with_stroke(ink, 1)));
    }

    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), ink: Ink) {
        let line = Line::new(self.point(from), self.point(to));
        self.show(&line.into_styled(PrimitiveStyle::with_stroke(ink, 1)));
    }

    pub fn ring(&mut self, centre: (f32, f32), radius: f32, ink: Ink) {
        let circle = Circle::with_center(self.point(centre), (radius * 2.0) as u32 + 1);
        self.show(&circle.into_styled(PrimitiveStyle::with_stroke(ink, 1)));
    }

    pub fn disc(&mut self, centre: (f32, f32), radius: f32, ink: Ink) {
        let circle = Circle::with_center(self.point(centre), (radius * 2.0) as u32 + 1);
        self.show(&circle.into_styled(PrimitiveStyle::with_fill(ink)));
    }

    /// Draws text with its top left corner at `at`.
    pub fn text(&mut self, at: (f32, f32), text: &str, font: &MonoFont<'_>, ink: Ink) {
        let style = TextStyleBuilder::new().baseline(Baseline::Top).build();
        let look = MonoTextStyle::new(font, ink);
        self.show(&Text::with_text_style(text, self.point(at), look, style));
    }

    /// Draws text centred above `at`.
    pub fn label(&mut self, at: (f32, f32), text: &str, font: &MonoFont<'_>, ink: Ink) {
        let style = TextStyleBuilder::new()
            .baseline(Baseline::Bottom)
            .alignment(Alignment::Center)
            .build();
        let look = MonoTextStyle::new(font, ink);
        self.show(&Text::with_text_style(text, self.point(at), look, style));
    }

    fn point(&self, (x, y): (f32, f32)) -> Point {
        let (left, top) = self.origin;
        Point::new((x - left).round() as i32, (y - top).round() as i32)
    }

    fn show(&mut self, what: &impl Drawable<Color = Ink>) {
        let Ok(_) = what.draw(self);
    }
}

impl Canvas {
    /// The pixels as 0x00RRGGBB, row by row.
    pub fn colours<'a>(&'a self, palette: &'a [[u8; 3]]) -> impl Iterator<Item = u32> + 'a {
        let colour = |ink: &u8| {
            let [r, g, b] = palette.get(usize::from(*ink)).copied().unwrap_or_default();
            u32::from_be_bytes([0, r, g, b])
        };
        self.pixels.iter().map(colour)
    }

    /// Copies another picture to the top left corner.
    pub fn paste(&mut self, other: &Self) {
        let width = self.size.width.min(other.size.width) as usize;
        let rows = self.pixels.chunks_mut(self.size.width as usize);
        for (row, source) in rows.zip(other.pixels.chunks(other.size.width as usize)) {
            row[..width].copy_from_slice(&source[..width]);
        }
    }

    /// Copies the part of this picture whose top left corner is at `from`.
    #[must_use]
    pub fn cut(&self, from: (i32, i32), width: u32, height: u32, paper: Ink) -> Self {
        let mut part = Self::new(width, height, paper);
        let bounds = self.bounding_box();
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                let at = Point::new(x + from.0, y + from.1);
                if bounds.contains(at) {
                    let source = at.y as usize * self.size.width as usize + at.x as usize;
                    part.pixels[y as usize * width as usize + x as usize] = self.pixels[source];
                }
            }
        }
        part
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        self.size
    }
}

impl DrawTarget for Canvas {
    type Color = Ink;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Self::Error>
    where
        I: IntoIterator<Item = Pixel<Self::Color>>,
    {
        let bounds = self.bounding_box();
        for Pixel(at, ink) in pixels {
            if bounds.contains(at) {
                self.pixels[at.y as usize * self.size.width as usize + at.x as usize] = ink.0;
            }
        }
        Ok(())
    }
}

/// Writes an animation. Of each picture, only the part that changed is stored.
pub struct Animation<W: Write> {
    encoder: gif::Encoder<W>,
    last: Option<Canvas>,
    transparent: u8,
    /// Hundredths of a second between two pictures.
    delay: u16,
}

impl<W: Write> Animation<W> {
    /// For pictures of the size of `first`, with the colours of `palette`.
    pub fn new(
        out: W,
        first: &Canvas,
        palette: &[[u8; 3]],
        delay: u16,
    ) -> Result<Self, gif::EncodingError> {
        let (width, height) = (first.size.width as u16, first.size.height as u16);
        let mut colours = palette.concat();
        colours.extend([0; 3]);
        let mut encoder = gif::Encoder::new(out, width, height, &colours)?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Self {
            encoder,
            last: None,
            transparent: palette.len() as u8,
            delay,
        })
    }

    pub fn add(&mut self, canvas: &Canvas) -> Result<(), gif::EncodingError> {
        let mut frame = self.changed_part(canvas);
        frame.delay = self.delay;
        frame.dispose = gif::DisposalMethod::Keep;
        self.last = Some(canvas.clone());
        self.encoder.write_frame(&frame)
    }

    fn changed_part<'a>(&self, canvas: &'a Canvas) -> gif::Frame<'a> {
        let (width, height) = (canvas.size.width as usize, canvas.size.height as usize);
        let Some(last) = &self.last else {
            return gif::Frame {
                width: width as u16,
                height: height as u16,
                buffer: canvas.pixels.as_slice().into(),
                ..gif::Frame::default()
            };
        };
        let differs =
            |x: usize, y: usize| canvas.pixels[y * width + x] != last.pixels[y * width + x];
        let changed: Vec<(usize, usize)> = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .filter(|(x, y)| differs(*x, *y))
            .collect();
        // A picture without changes is stored as one pixel, for its duration.
        let left = changed.iter().map(|c| c.0).min().unwrap_or(0);
        let right = changed.iter().map(|c| c.0).max().unwrap_or(0);
        let top = changed.first().map_or(0, |c| c.1);
        let bottom = changed.last().map_or(0, |c| c.1);
        let buffer: Vec<u8> = (top..=bottom)
            .flat_map(|y| (left..=right).map(move |x| (x, y)))
            .map(|(x, y)| {
                if differs(x, y) {
                    canvas.pixels[y * width + x]
                } else {
                    self.transparent
                }
            })
            .collect();
        gif::Frame {
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            transparent: Some(self.transparent),
            buffer: buffer.into(),
            ..gif::Frame::default()
        }
    }
}
