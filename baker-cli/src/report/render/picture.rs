//! Pictures of 8-bit RGB pixels.

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

/// A picture of 8-bit RGB pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// A picture from its pixels, row by row from the top.
    pub(super) const fn new(width: u32, pixels: Vec<[u8; 3]>) -> Self {
        Self { width, pixels }
    }

    /// Width, pixels.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height, pixels.
    pub fn height(&self) -> u32 {
        (self.pixels.len() / (self.width as usize).max(1)) as u32
    }

    /// The pixels, row by row from the top.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// The pixel in a column and a row; black outside.
    pub(super) fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let index = y as usize * self.width as usize + x as usize;
        self.pixels.get(index).copied().unwrap_or_default()
    }

    /// The picture as PNG.
    ///
    /// # Errors
    /// When it is empty.
    pub fn to_png(&self) -> Result<Vec<u8>, EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height());
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        // Pictures are lines on flat colour. Filters would make equal pixels
        // differ, and the file larger.
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(bytes)
    }
}
