//! Images of levels: decoding them, and drawing what a level shows.
//!
//! The readers of the formats place images; [`Picture`] draws them.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::rc::Rc;

use glam::{DAffine2, DVec2};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits, Rgba, RgbaImage};

use super::error::{Fault, SourceError};
use super::files::{FileProvider, resolve};
use super::limits::MAX_FILE_BYTES;
use super::text;
use navmesh_bake::Rect;

/// The largest width or height of a bitmap, pixels. Up to here, the f32
/// coordinates of baked files resolve 1/256 of a pixel.
const MAX_BITMAP_SIDE: u32 = 65_535;

/// The most pixels of a bitmap, 8192 x 8192 for a square. Decoded with 16 bits
/// in each of four channels they take 512 MiB, the most that is allocated.
const MAX_BITMAP_PIXELS: u64 = 1 << 26;
const MAX_DECODED_BYTES: u64 = MAX_BITMAP_PIXELS * 8;

/// The longest side of the picture, as of those of `navbake render`.
const MAX_SIDE: f64 = 4096.0;

/// The most pixels of all images together; they are in memory at the same time,
/// with four bytes each.
const MAX_IMAGE_PIXELS: u64 = 1 << 27;

/// The most pixels that are drawn, overlapping ones counted as often as they
/// are drawn: 32 layers that fill the largest picture. A few bytes of a map can
/// require any number.
const MAX_DRAWN_PIXELS: u64 = 1 << 29;

/// What a part of a level looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Art {
    /// The part, transparent where nothing is drawn. A pixel is one pixel of the
    /// level, or several in large levels.
    pub image: RgbaImage,
    /// What could not be drawn; each begins with the name of the level's file.
    pub warnings: Vec<String>,
}

/// Colour and opacity of what is drawn: each channel is multiplied by it.
pub type Tint = [f32; 4];

/// No change of colour and opacity.
pub const PLAIN: Tint = [1.0; 4];

/// The name of an image, and its colour that is transparent.
type ImageKey = (String, Option<[u8; 3]>);

/// The picture of a part of a level.
pub struct Picture<'f> {
    /// The level's file, which names of images are relative to.
    file: String,
    pub files: &'f dyn FileProvider,
    /// The top-left corner of the picture in the level.
    corner: DVec2,
    /// Pixels of the picture in a pixel of the level.
    scale: f64,
    image: RgbaImage,
    /// `None` for those that could not be read.
    images: BTreeMap<ImageKey, Option<Rc<RgbaImage>>>,
    image_pixels_left: u64,
    pixels_left: u64,
    warnings: Vec<String>,
}

impl<'f> Picture<'f> {
    pub fn new(file: &str, files: &'f dyn FileProvider, area: Rect) -> Self {
        let size = area.size().max(DVec2::ONE);
        let scale = (MAX_SIDE / size.max_element()).min(1.0);
        let size = (size * scale).ceil().min(DVec2::splat(MAX_SIDE));
        Self {
            file: file.to_owned(),
            files,
            corner: area.min,
            scale,
            image: RgbaImage::new(size.x as u32, size.y as u32),
            images: BTreeMap::new(),
            image_pixels_left: MAX_IMAGE_PIXELS,
            pixels_left: MAX_DRAWN_PIXELS,
            warnings: Vec::new(),
        }
    }

    /// What was drawn; warnings begin with this name of the level's file.
    pub fn finish(self, file: &str) -> Art {
        let warnings = self.warnings.iter();
        let warnings = warnings.map(|warning| format!("{file}: {warning}"));
        Art {
            warnings: warnings.collect(),
            image: self.image,
        }
    }

    /// The area that the picture shows, in level pixels.
    pub fn area(&self) -> Rect {
        let size = DVec2::new(self.image.width().into(), self.image.height().into());
        Rect::new(self.corner, self.corner + size / self.scale)
    }

    pub fn warn(&mut self, warning: &str) {
        self.warnings.push(warning.to_owned());
    }

    /// The image of this name, relative to the level's file. Pixels of the
    /// colour `clear` are transparent in it. A warning, once for each image,
    /// when it cannot be read.
    pub fn load(&mut self, name: &str, clear: Option<[u8; 3]>) -> Option<Rc<RgbaImage>> {
        let key = (name.to_owned(), clear);
        if let Some(known) = self.images.get(&key) {
            return known.clone();
        }
        let image = match self.read(name) {
            Ok(image) => Some(Rc::new(without(image, clear))),
            Err(problem) => {
                let name = text::shorten_to(name, 200);
                let warning = format!("image \"{name}\" is not drawn: {problem}");
                self.warnings.push(warning);
                None
            }
        };
        self.images.insert(key, image.clone());
        image
    }

    fn read(&mut self, name: &str) -> Result<RgbaImage, String> {
        let too_large = "the images of the level are too large";
        if self.image_pixels_left == 0 {
            return Err(too_large.to_owned());
        }
        let name = resolve(&self.file, name)?;
        let bytes = self.files.read(&name, MAX_FILE_BYTES);
        let bytes = bytes.map_err(|error| error.to_string())?;
        if !bytes.starts_with(b"\x89PNG") {
            return Err("it is not a PNG".to_owned());
        }
        let image = decode(&name, &bytes).map_err(|error| match error {
            SourceError::Invalid(fault) => fault.problem,
            error => error.to_string(),
        })?;
        let pixels = u64::from(image.width()) * u64::from(image.height());
        let left = self.image_pixels_left.checked_sub(pixels);
        // Once they are too large, no more are decoded.
        self.image_pixels_left = left.unwrap_or(0);
        left.ok_or(too_large)?;
        Ok(image.into_rgba8())
    }

    /// Draws the part `x, y, width, height` of an image. `placed` maps from
    /// pixels of the part to the level. Returns whether more can be drawn.
    pub fn draw(
        &mut self,
        image: &RgbaImage,
        [left, top, width, height]: [u32; 4],
        placed: &DAffine2,
        tint: Tint,
    ) -> bool {
        let onto = DAffine2::from_scale(DVec2::splat(self.scale))
            * DAffine2::from_translation(-self.corner)
            * *placed;
        let back = onto.inverse();
        let size = DVec2::new(width.into(), height.into());
        let corners = Rect::new(DVec2::ZERO, size).corners();
        let corners = corners.map(|corner| onto.transform_point2(corner));
        if !back.is_finite() || !corners.iter().all(|corner| corner.is_finite()) {
            return true;
        }
        // The pixels whose middle may be inside.
        let whole = [self.image.width(), self.image.height()].map(f64::from);
        let whole = DVec2::from(whole);
        let min = corners.into_iter().fold(whole, DVec2::min).max(DVec2::ZERO);
        let max = corners.into_iter().fold(DVec2::ZERO, DVec2::max).min(whole);
        let [x0, y0] = [min.x.floor() as u32, min.y.floor() as u32];
        let [x1, y1] = [max.x.ceil() as u32, max.y.ceil() as u32];
        let pixels = u64::from(x1.saturating_sub(x0)) * u64::from(y1.saturating_sub(y0));
        // Images outside the picture take time too.
        let Some(pixels_left) = self.pixels_left.checked_sub(pixels.max(16)) else {
            if self.pixels_left > 0 {
                let warning = "the level shows more than can be drawn; the picture is not complete";
                self.warnings.push(warning.to_owned());
            }
            self.pixels_left = 0;
            return false;
        };
        self.pixels_left = pixels_left;
        for y in y0..y1 {
            for x in x0..x1 {
                let at = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let at = back.transform_point2(at);
                if at.cmplt(DVec2::ZERO).any() || at.cmpge(size).any() {
                    continue;
                }
                let column = left.saturating_add(at.x as u32);
                let row = top.saturating_add(at.y as u32);
                if let Some(from) = image.get_pixel_checked(column, row) {
                    blend(self.image.get_pixel_mut(x, y), *from, tint);
                }
            }
        }
        true
    }

    /// Fills a rectangle of the level.
    pub fn fill(&mut self, area: Rect, color: [u8; 4]) {
        let image = RgbaImage::from_pixel(1, 1, Rgba(color));
        let placed = DAffine2::from_scale_angle_translation(area.size(), 0.0, area.min);
        self.draw(&image, [0, 0, 1, 1], &placed, PLAIN);
    }
}

/// Decodes a PNG whose size is within the limits.
pub fn decode(name: &str, bytes: &[u8]) -> Result<DynamicImage, SourceError> {
    let fault = |problem: String, advice: &str| Fault::of_file(name, problem, advice);
    let broken = |error: image::ImageError| {
        let problem = format!("this is not a PNG that can be read: {error}");
        fault(problem, "save it again as PNG")
    };
    let smaller = "split the level, or draw it at a smaller scale";
    // Set before the decoder reads anything, so that they hold for text and
    // colour-profile chunks too, which come before the pixels.
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_BITMAP_SIDE);
    limits.max_image_height = Some(MAX_BITMAP_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| match error {
        image::ImageError::Limits(_) => fault(
            format!("wider or higher than {MAX_BITMAP_SIDE} pixels"),
            smaller,
        ),
        error => broken(error),
    })?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_BITMAP_PIXELS {
        let problem = format!("{width} x {height} pixels, more than {MAX_BITMAP_PIXELS} in all");
        return Err(fault(problem, smaller).into());
    }
    // Image viewers turn such an image, and games do not.
    if decoder.orientation().map_err(broken)? != Orientation::NoTransforms {
        let problem = "its EXIF data say that it is shown turned or mirrored".to_owned();
        return Err(fault(problem, "save it without EXIF data").into());
    }
    Ok(DynamicImage::from_decoder(decoder).map_err(broken)?)
}

/// The image with pixels of a colour transparent.
fn without(mut image: RgbaImage, clear: Option<[u8; 3]>) -> RgbaImage {
    if let Some(clear) = clear {
        for pixel in image.pixels_mut().filter(|pixel| pixel.0[..3] == clear) {
            pixel.0[3] = 0;
        }
    }
    image
}

/// Draws a pixel over another; both have straight alpha.
fn blend(onto: &mut Rgba<u8>, from: Rgba<u8>, tint: Tint) {
    let channel = |i: usize| f32::from(from.0[i]) * tint[i];
    let over = channel(3) / 255.0;
    let under = f32::from(onto.0[3]) / 255.0 * (1.0 - over);
    let alpha = over + under;
    if over <= 0.0 || alpha <= 0.0 {
        return;
    }
    for i in 0..3 {
        let mixed = (channel(i) * over + f32::from(onto.0[i]) * under) / alpha;
        onto.0[i] = mixed.round() as u8;
    }
    onto.0[3] = (alpha * 255.0).round() as u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemoryFiles;

    #[test]
    fn images_are_drawn_turned_tinted_and_cut() {
        let files = MemoryFiles::default();
        let area = Rect::new(DVec2::new(10.0, 0.0), DVec2::new(14.0, 2.0));
        let mut picture = Picture::new("a.tmx", &files, area);
        assert_eq!(picture.area(), area);
        // Two pixels, red and blue, turned by a quarter: red above blue.
        let mut image = RgbaImage::new(2, 1);
        image.put_pixel(0, 0, Rgba([255, 0, 0, 255]));
        image.put_pixel(1, 0, Rgba([0, 0, 255, 255]));
        let quarter = DAffine2::from_cols(DVec2::Y, DVec2::NEG_X, DVec2::new(12.0, 0.0));
        picture.draw(&image, [0, 0, 2, 1], &quarter, [1.0, 1.0, 1.0, 0.5]);
        assert_eq!(picture.image.get_pixel(1, 0).0, [255, 0, 0, 128]);
        assert_eq!(picture.image.get_pixel(1, 1).0, [0, 0, 255, 128]);
        assert_eq!(picture.image.get_pixel(0, 0).0, [0; 4]);
        // Only a part of it, beyond the left and the top border.
        picture.fill(
            Rect::new(DVec2::new(-50.0, -1.0), DVec2::new(11.0, 1.0)),
            [9; 4],
        );
        assert_eq!(picture.image.get_pixel(0, 0).0, [9; 4]);
        assert_eq!(picture.image.get_pixel(0, 1).0, [0; 4]);
        assert_eq!(picture.load("none.png", None), None);
        assert_eq!(picture.load("none.png", None), None);
        assert_eq!(picture.warnings.len(), 1, "{:?}", picture.warnings);
    }

    #[test]
    fn what_is_drawn_is_limited() {
        let files = MemoryFiles::default();
        let area = Rect::new(DVec2::ZERO, DVec2::splat(1e6));
        let mut picture = Picture::new("a.tmx", &files, area);
        assert_eq!(picture.image.dimensions(), (4096, 4096));
        picture.pixels_left = 4096 * 4096;
        picture.fill(area, [1; 4]);
        picture.fill(area, [2; 4]);
        picture.fill(area, [3; 4]);
        assert_eq!(picture.image.get_pixel(9, 9).0, [1; 4]);
        assert!(picture.warnings.is_empty());
        let small = Rect::new(DVec2::ZERO, DVec2::splat(1e3));
        picture.pixels_left = 1;
        picture.fill(small, [2; 4]);
        picture.fill(small, [3; 4]);
        assert_eq!(picture.warnings.len(), 1);
    }
}
