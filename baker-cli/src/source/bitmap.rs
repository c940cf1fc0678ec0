//! Collision bitmaps.
//!
//! One pixel is one unit of level; its colour says what is there (see
//! [`Palette`]).

use std::collections::HashMap;
use std::io::Cursor;

use glam::DVec2;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};

use super::color::Color;
use super::error::{Fault, SourceError};
use super::files::{FileProvider, MAX_FILE_BYTES, check_size, input};
use super::level::{Collision, Level, Material, PixelMap, Rect};
use super::options::ReadOptions;
use super::palette::Palette;

/// The greatest width or height of a bitmap, pixels.
pub const MAX_BITMAP_SIDE: u32 = 65_535;

/// The most pixels of a bitmap.
pub const MAX_BITMAP_PIXELS: u64 = 1 << 26;

/// The most memory that decoding may take, bytes: 16 bits of four channels
/// for each pixel.
const MAX_DECODED_BYTES: u64 = MAX_BITMAP_PIXELS * 8;

/// After so many different unknown colours the rest are not counted: such a
/// bitmap is a picture, not a level.
const MAX_UNKNOWN_COLORS: usize = 4096;

/// How many of the unknown colours are named.
const UNKNOWN_NAMED: usize = 5;

/// Reads a PNG.
pub(super) fn read(
    name: &str,
    bytes: &[u8],
    files: &dyn FileProvider,
    options: &ReadOptions,
) -> Result<Level, SourceError> {
    check_size(name, bytes.len() as u64, MAX_FILE_BYTES)?;
    let image = decode(name, bytes)?;
    let (width, height) = (image.width(), image.height());
    let palette = options.palette.with_rules(&options.rules);
    let mut painter = Painter::new(palette, width, height);
    paint(&mut painter, &image);
    let counts = painter.finish(name)?;
    let mut warnings = Vec::new();
    if counts.pixels.solid.count_ones() + counts.pixels.one_way.count_ones() == 0 {
        warnings.push(format!(
            "{name}: nothing is solid, so there is nothing to stand on"
        ));
    }
    Ok(Level {
        source: name.rsplit('/').next().unwrap_or(name).to_owned(),
        bounds: Rect::new(DVec2::ZERO, DVec2::new(f64::from(width), f64::from(height))),
        tile_size: None,
        decisions: vec![counts.decision()],
        collision: Collision::Pixels(counts.pixels),
        origins: vec!["bitmap".to_owned()],
        markers: Vec::new(),
        inputs: vec![input(files, name, bytes)],
        warnings,
    })
}

/// Decodes after the header has passed the limits.
fn decode(name: &str, bytes: &[u8]) -> Result<DynamicImage, SourceError> {
    let fault = |problem: String, advice: &str| Fault::of_file(name, problem, advice);
    let broken = |error: image::ImageError| {
        fault(
            format!("this is no PNG that can be read: {error}"),
            "save it again as PNG",
        )
    };
    // Set on the decoder before it reads anything: they hold for text and
    // colour-profile chunks too, which come before the pixels.
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_BITMAP_SIDE);
    limits.max_image_height = Some(MAX_BITMAP_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| match error {
        image::ImageError::Limits(_) => fault(
            format!("wider or higher than {MAX_BITMAP_SIDE} pixels"),
            "split the level, or draw it at a smaller scale",
        ),
        error => broken(error),
    })?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_BITMAP_PIXELS {
        return Err(fault(
            format!("{width} x {height} pixels; at most {MAX_BITMAP_PIXELS} in all are read"),
            "split the level, or draw it at a smaller scale",
        )
        .into());
    }
    Ok(DynamicImage::from_decoder(decoder).map_err(broken)?)
}

/// Gives every pixel to the painter, whatever the layout of the image.
fn paint(painter: &mut Painter, image: &DynamicImage) {
    fn rows<'a, const N: usize>(
        painter: &mut Painter,
        samples: &'a [u8],
        color: impl Fn(&'a [u8; N]) -> [u8; 4],
    ) {
        let width = painter.width as usize;
        for (row, samples) in samples.chunks_exact((width * N).max(1)).enumerate() {
            painter.row(row as u32, samples.as_chunks::<N>().0.iter().map(&color));
        }
    }
    match image {
        DynamicImage::ImageLuma8(image) => {
            rows(painter, image.as_raw(), |&[l]| [l, l, l, 255]);
        }
        DynamicImage::ImageLumaA8(image) => {
            rows(painter, image.as_raw(), |&[l, a]| [l, l, l, a]);
        }
        DynamicImage::ImageRgb8(image) => {
            rows(painter, image.as_raw(), |&[r, g, b]| [r, g, b, 255]);
        }
        DynamicImage::ImageRgba8(image) => rows(painter, image.as_raw(), |&rgba| rgba),
        // 16 bits a channel: rounded to 8.
        other => {
            let image = other.to_rgba8();
            rows(painter, image.as_raw(), |&rgba: &[u8; 4]| rgba);
        }
    }
}

/// What one colour turned out to mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Empty,
    Is(Material),
    Unknown,
}

/// Fills the planes, run by run.
struct Painter {
    palette: Palette,
    width: u32,
    pixels: PixelMap,
    /// The colours met: what they mean, how often, where first. In order of
    /// first appearance; found through `index`.
    met: Vec<(Color, Meaning, u64, [u32; 2])>,
    index: HashMap<[u8; 4], usize>,
    unknown: usize,
    /// There were more unknown colours than are counted.
    overflowed: bool,
}

impl Painter {
    fn new(palette: Palette, width: u32, height: u32) -> Self {
        Self {
            palette,
            width,
            pixels: PixelMap::empty(width, height),
            met: Vec::new(),
            index: HashMap::new(),
            unknown: 0,
            overflowed: false,
        }
    }

    /// Runs of one colour are the rule, so colours are looked up once a run.
    fn row(&mut self, row: u32, colors: impl Iterator<Item = [u8; 4]>) {
        let mut run: Option<([u8; 4], u32)> = None;
        let mut column = 0;
        for color in colors {
            match run {
                Some((current, _)) if current == color => {}
                Some((current, start)) => {
                    self.run(row, start, column, current);
                    run = Some((color, column));
                }
                None => run = Some((color, column)),
            }
            column += 1;
        }
        if let Some((current, start)) = run {
            self.run(row, start, column, current);
        }
    }

    fn run(&mut self, row: u32, from: u32, to: u32, color: [u8; 4]) {
        let index = match self.index.get(&color) {
            Some(&index) => index,
            None => match self.meet(color, [from, row]) {
                Some(index) => index,
                None => return,
            },
        };
        let (_, meaning, count, _) = &mut self.met[index];
        *count += u64::from(to - from);
        let plane = match meaning {
            Meaning::Is(Material::Solid) => &mut self.pixels.solid,
            Meaning::Is(Material::OneWay(_)) => &mut self.pixels.one_way,
            Meaning::Is(Material::Hazard) => &mut self.pixels.hazard,
            Meaning::Is(Material::Ladder) => &mut self.pixels.ladder,
            Meaning::Empty | Meaning::Unknown => return,
        };
        plane.set_run(row, from, to);
    }

    /// Notes a new colour, unless too many mean nothing already.
    fn meet(&mut self, rgba: [u8; 4], at: [u32; 2]) -> Option<usize> {
        let color = Color::from(rgba);
        let meaning = match self.palette.meaning(color) {
            Some(None) => Meaning::Empty,
            Some(Some(material)) => Meaning::Is(material),
            None if self.unknown == MAX_UNKNOWN_COLORS => {
                self.overflowed = true;
                return None;
            }
            None => {
                self.unknown += 1;
                Meaning::Unknown
            }
        };
        let index = self.met.len();
        self.met.push((color, meaning, 0, at));
        self.index.insert(rgba, index);
        Some(index)
    }

    fn finish(self, file: &str) -> Result<Painted, SourceError> {
        let mut unknown: Vec<_> = self
            .met
            .iter()
            .filter(|(_, meaning, ..)| *meaning == Meaning::Unknown)
            .collect();
        let Some(&&(.., first)) = unknown.first() else {
            return Ok(Painted {
                pixels: self.pixels,
                met: self.met,
            });
        };
        unknown.sort_by_key(|(color, _, count, _)| (std::cmp::Reverse(*count), *color));
        let mut common: Vec<String> = unknown
            .iter()
            .take(UNKNOWN_NAMED)
            .map(|(color, _, count, _)| format!("{color} ({count} pixels)"))
            .collect();
        if unknown.len() > UNKNOWN_NAMED {
            common.push("...".to_owned());
        }
        Err(SourceError::UnknownColors {
            file: file.to_owned(),
            distinct: unknown.len(),
            more: self.overflowed,
            first,
            example: unknown[0].0.to_string(),
            common,
        })
    }
}

/// A bitmap all of whose colours are known.
struct Painted {
    pixels: PixelMap,
    met: Vec<(Color, Meaning, u64, [u32; 2])>,
}

impl Painted {
    /// Why the pixels count as they do.
    fn decision(&self) -> String {
        let mut met: Vec<_> = self.met.iter().collect();
        met.sort_by_key(|(color, ..)| *color);
        let parts: Vec<String> = met
            .iter()
            .map(|(color, meaning, count, _)| {
                let meaning = match meaning {
                    Meaning::Is(Material::Solid) => "solid",
                    Meaning::Is(Material::OneWay(_)) => "one-way",
                    Meaning::Is(Material::Hazard) => "hazard",
                    Meaning::Is(Material::Ladder) => "ladder",
                    Meaning::Empty | Meaning::Unknown => "empty",
                };
                let color = if color.alpha == 0 {
                    "transparent".to_owned()
                } else {
                    color.to_string()
                };
                format!("{count} pixels {meaning} ({color})")
            })
            .collect();
        format!("bitmap: {}", parts.join(", "))
    }
}

#[cfg(test)]
#[path = "bitmap_test.rs"]
mod tests;
