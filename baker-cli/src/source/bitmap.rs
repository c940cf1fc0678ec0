//! Collision bitmaps: a pixel is a unit of the level, and its colour says what
//! is there (see [`Palette`]).

use std::collections::HashMap;
use std::io::Cursor;

use glam::DVec2;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};

use super::color::Color;
use super::error::{Fault, NOTHING_TO_STAND_ON, SourceError};
use super::files::{FileProvider, check_size, input};
use super::level::{Collision, Level, Material, PixelMap, Rect};
use super::limits::MAX_FILE_BYTES;
use super::palette::Palette;

/// The largest width or height of a bitmap, pixels. Up to here, the f32
/// coordinates of baked files resolve 1/256 of a pixel.
const MAX_BITMAP_SIDE: u32 = 65_535;

/// The most pixels of a bitmap, 8192 x 8192 for a square. Decoded with 16 bits
/// in each of four channels they take 512 MiB, the most that is allocated.
const MAX_BITMAP_PIXELS: u64 = 1 << 26;
const MAX_DECODED_BYTES: u64 = MAX_BITMAP_PIXELS * 8;

/// The most unknown colours that are counted. A bitmap with more is a picture,
/// not a level, and one with a colour for each pixel must not fill the memory.
const MAX_UNKNOWN_COLORS: usize = 4096;

/// How many of the unknown colours an error lists.
const MAX_LISTED_COLORS: usize = 5;

/// Reads a PNG.
pub(super) fn read(
    name: &str,
    bytes: &[u8],
    files: &dyn FileProvider,
    palette: Palette,
) -> Result<Level, SourceError> {
    check_size(name, bytes.len() as u64, MAX_FILE_BYTES)?;
    let image = decode(name, bytes)?;
    let (width, height) = (image.width(), image.height());
    let mut painter = Painter::new(palette, width, height);
    paint(&mut painter, &image);
    let counts = painter.finish(name)?;
    let mut warnings = Vec::new();
    if counts.pixels.solid.count_ones() + counts.pixels.one_way.count_ones() == 0 {
        warnings.push(format!("{name}: {NOTHING_TO_STAND_ON}"));
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

/// Decodes a PNG whose size is within the limits.
fn decode(name: &str, bytes: &[u8]) -> Result<DynamicImage, SourceError> {
    let fault = |problem: String, advice: &str| Fault::of_file(name, problem, advice);
    let broken = |error: image::ImageError| {
        fault(
            format!("this is not a PNG that can be read: {error}"),
            "save it again as PNG",
        )
    };
    // Set before the decoder reads anything, so that they hold for text and
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
            format!("{width} x {height} pixels, more than {MAX_BITMAP_PIXELS} in all"),
            "split the level, or draw it at a smaller scale",
        )
        .into());
    }
    Ok(DynamicImage::from_decoder(decoder).map_err(broken)?)
}

/// Paints every pixel, for all pixel layouts.
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

/// What a colour means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Empty,
    Is(Material),
    Unknown,
}

/// Fills the bit planes, run by run.
struct Painter {
    palette: Palette,
    width: u32,
    pixels: PixelMap,
    /// The colours found: meaning, number of pixels, first pixel. In order of
    /// first appearance; looked up through `index`.
    found: Vec<(Color, Meaning, u64, [u32; 2])>,
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
            found: Vec::new(),
            index: HashMap::new(),
            unknown: 0,
            overflowed: false,
        }
    }

    /// Paints a row. Colours are looked up once for each run, because runs of
    /// one colour are long.
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
            None => match self.add_color(color, [from, row]) {
                Some(index) => index,
                None => return,
            },
        };
        let (_, meaning, count, _) = &mut self.found[index];
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

    /// Adds a new colour, unless too many are unknown already.
    fn add_color(&mut self, rgba: [u8; 4], at: [u32; 2]) -> Option<usize> {
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
        let index = self.found.len();
        self.found.push((color, meaning, 0, at));
        self.index.insert(rgba, index);
        Some(index)
    }

    fn finish(self, file: &str) -> Result<Painted, SourceError> {
        let mut unknown: Vec<_> = self
            .found
            .iter()
            .filter(|(_, meaning, ..)| *meaning == Meaning::Unknown)
            .collect();
        let Some(&&(.., first)) = unknown.first() else {
            return Ok(Painted {
                pixels: self.pixels,
                found: self.found,
            });
        };
        unknown.sort_by_key(|(color, _, count, _)| (std::cmp::Reverse(*count), *color));
        let mut common: Vec<String> = unknown
            .iter()
            .take(MAX_LISTED_COLORS)
            .map(|(color, _, count, _)| format!("{color} ({count} pixels)"))
            .collect();
        if unknown.len() > MAX_LISTED_COLORS {
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

/// A bitmap of which all colours are known.
struct Painted {
    pixels: PixelMap,
    found: Vec<(Color, Meaning, u64, [u32; 2])>,
}

impl Painted {
    /// The decision: how many pixels have which meaning.
    fn decision(&self) -> String {
        let mut found: Vec<_> = self.found.iter().collect();
        found.sort_by_key(|(color, ..)| *color);
        let parts: Vec<String> = found
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
