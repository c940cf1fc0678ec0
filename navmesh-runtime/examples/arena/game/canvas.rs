//! Pictures with few colours, and animations of them.

use std::convert::Infallible;
use std::io::Write;

use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{Circle, Line, PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

/// A colour, by its index in the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ink(pub(crate) u8);

impl PixelColor for Ink {
    type Raw = ();
}

/// A picture; (0, 0) is the top-left pixel.
#[derive(Clone)]
pub(crate) struct Canvas {
    size: Size,
    pixels: Vec<u8>,
}

impl Canvas {
    pub(crate) fn new(width: u32, height: u32, paper: Ink) -> Self {
        Self {
            size: Size::new(width, height),
            pixels: vec![paper.0; (width * height) as usize],
        }
    }

    pub(crate) fn fill(&mut self, at: (f32, f32), size: (f32, f32), ink: Ink) {
        let corner = Point::new(at.0.round() as i32, at.1.round() as i32);
        let size = Size::new(size.0.round() as u32, size.1.round() as u32);
        self.show(&Rectangle::new(corner, size).into_styled(PrimitiveStyle::with_fill(ink)));
    }

    pub(crate) fn line(&mut self, from: (f32, f32), to: (f32, f32), ink: Ink) {
        let line = Line::new(point(from), point(to));
        self.show(&line.into_styled(PrimitiveStyle::with_stroke(ink, 1)));
    }

    pub(crate) fn ring(&mut self, centre: (f32, f32), radius: f32, ink: Ink) {
        let circle = Circle::with_center(point(centre), (radius * 2.0) as u32 + 1);
        self.show(&circle.into_styled(PrimitiveStyle::with_stroke(ink, 1)));
    }

    pub(crate) fn disc(&mut self, centre: (f32, f32), radius: f32, ink: Ink) {
        let circle = Circle::with_center(point(centre), (radius * 2.0) as u32 + 1);
        self.show(&circle.into_styled(PrimitiveStyle::with_fill(ink)));
    }

    /// Draws text with its top left corner at `at`.
    pub(crate) fn text(&mut self, at: (f32, f32), text: &str, font: &MonoFont<'_>, ink: Ink) {
        let style = TextStyleBuilder::new().baseline(Baseline::Top).build();
        let look = MonoTextStyle::new(font, ink);
        self.show(&Text::with_text_style(text, point(at), look, style));
    }

    /// Draws text centred above `at`.
    pub(crate) fn label(&mut self, at: (f32, f32), text: &str, font: &MonoFont<'_>, ink: Ink) {
        let style = TextStyleBuilder::new()
            .baseline(Baseline::Bottom)
            .alignment(Alignment::Center)
            .build();
        let look = MonoTextStyle::new(font, ink);
        self.show(&Text::with_text_style(text, point(at), look, style));
    }

    fn show(&mut self, what: &impl Drawable<Color = Ink>) {
        let Ok(_) = what.draw(self);
    }
}

fn point((x, y): (f32, f32)) -> Point {
    Point::new(x.round() as i32, y.round() as i32)
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
pub(crate) struct Animation<W: Write> {
    encoder: gif::Encoder<W>,
    last: Option<Canvas>,
    transparent: u8,
    /// Hundredths of a second between two pictures.
    delay: u16,
}

impl<W: Write> Animation<W> {
    /// For pictures of the size of `first`, with the colours of `palette`.
    pub(crate) fn new(
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

    pub(crate) fn add(&mut self, canvas: &Canvas) -> Result<(), gif::EncodingError> {
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
