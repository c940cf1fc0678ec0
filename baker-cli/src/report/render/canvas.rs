//! Drawing: anti-aliased strokes, dots and text.

use glam::Vec2;

use super::font;

/// A colour with its opacity, 0 to 1 each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Colour {
    rgb: [f32; 3],
    alpha: f32,
}

impl Colour {
    /// An opaque colour, `0xRRGGBB`.
    pub(super) const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        let rgb = [r as f32 / 255.0, g as f32 / 255.0, b as f32 / 255.0];
        Self { rgb, alpha: 1.0 }
    }

    /// The colour as 8-bit RGB, without its opacity.
    pub(super) fn bytes(self) -> [u8; 3] {
        self.rgb.map(|v| (v * 255.0).round() as u8)
    }

    /// The same colour with another opacity.
    #[must_use]
    pub(super) const fn alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }
}

/// A picture. Coordinates are in pixels from the top left; pixel (0, 0)
/// covers the square from (0, 0) to (1, 1). Everything outside is cut off.
#[derive(Clone)]
pub(super) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<[f32; 3]>,
    /// How much of each pixel the current stroke covers; zero between strokes.
    cover: Vec<f32>,
}

impl Canvas {
    /// A picture filled with a colour.
    pub(super) fn new(width: u32, height: u32, background: Colour) -> Self {
        let size = width as usize * height as usize;
        Self {
            width,
            height,
            pixels: vec![background.rgb; size],
            cover: vec![0.0; size],
        }
    }

    /// Blends a colour into a pixel of which it covers the part `cover`.
    fn blend(&mut self, x: u32, y: u32, colour: Colour, cover: f32) {
        let a = colour.alpha * cover;
        let index = self.index(x, y);
        for (to, from) in self.pixels[index].iter_mut().zip(colour.rgb) {
            *to += (from - *to) * a;
        }
    }

    /// The pixels between two corners, clipped to the picture: `x0, y0, x1, y1`.
    fn bounds(&self, min: Vec2, max: Vec2) -> [u32; 4] {
        let cut = |v: f32, end: u32| (v.max(0.0) as u32).min(end);
        [
            cut(min.x.floor(), self.width),
            cut(min.y.floor(), self.height),
            cut(max.x.ceil(), self.width),
            cut(max.y.ceil(), self.height),
        ]
    }

    fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// Fills an axis-aligned rectangle, its borders anti-aliased.
    pub(super) fn rect(&mut self, min: Vec2, max: Vec2, colour: Colour) {
        let [x0, y0, x1, y1] = self.bounds(min, max);
        let part = |at: u32, lo: f32, hi: f32| {
            (hi.min(at as f32 + 1.0) - lo.max(at as f32)).clamp(0.0, 1.0)
        };
        for y in y0..y1 {
            let rows = part(y, min.y, max.y);
            for x in x0..x1 {
                self.blend(x, y, colour, rows * part(x, min.x, max.x));
            }
        }
    }

    /// Stretches an image over a rectangle.
    pub(super) fn image(&mut self, min: Vec2, max: Vec2, image: &image::RgbaImage, opacity: f32) {
        let [x0, y0, x1, y1] = self.bounds(min, max);
        let size = Vec2::new(image.width() as f32, image.height() as f32);
        let scale = size / (max - min);
        for y in y0..y1 {
            for x in x0..x1 {
                let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let at = (middle - min) * scale;
                let inside = at.cmpge(Vec2::ZERO).all();
                let pixel = image.get_pixel_checked(at.x as u32, at.y as u32);
                if let Some(image::Rgba([r, g, b, a])) = pixel.filter(|_| inside) {
                    let colour = Colour {
                        rgb: [r, g, b].map(|v| f32::from(*v) / 255.0),
                        alpha: f32::from(*a) / 255.0,
                    };
                    self.blend(x, y, colour, opacity);
                }
            }
        }
    }

    /// Fills a circle.
    pub(super) fn disc(&mut self, centre: Vec2, radius: f32, colour: Colour) {
        self.stroke(&[centre, centre], radius * 2.0, colour);
    }

    /// Draws a line with round ends and joints. Where it crosses itself it is
    /// not more opaque.
    pub(super) fn stroke(&mut self, points: &[Vec2], width: f32, colour: Colour) {
        if let [only] = points {
            return self.stroke(&[*only, *only], width, colour);
        }
        // Lines narrower than a pixel get fainter instead.
        let half = (width * 0.5).max(0.5);
        let colour = colour.alpha(colour.alpha * (width * 0.5 / half));
        let reach = Vec2::splat(half + 1.0);
        let mut all = [u32::MAX, u32::MAX, 0, 0];
        for pair in points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if !(a.is_finite() && b.is_finite()) {
                continue;
            }
            let [x0, y0, x1, y1] = self.bounds(a.min(b) - reach, a.max(b) + reach);
            let [left, top, right, bottom] = all;
            all = [left.min(x0), top.min(y0), right.max(x1), bottom.max(y1)];
            let along = b - a;
            // A disc is a line without length: 0 / 0 would leave it empty.
            let square = along.length_squared().max(1e-12);
            for y in y0..y1 {
                // Only the part of the line that is near to this row: a long
                // diagonal would otherwise visit its whole bounding box.
                let middle = y as f32 + 0.5;
                let at = |edge: f32| ((edge - a.y) / along.y).clamp(0.0, 1.0);
                let [t0, t1] = if along.y.abs() < 1e-3 {
                    [0.0, 1.0]
                } else {
                    [at(middle - reach.y), at(middle + reach.y)]
                };
                let [u, v] = [a.x + along.x * t0, a.x + along.x * t1];
                let first = ((u.min(v) - reach.x).floor().max(0.0) as u32).max(x0);
                let last = ((u.max(v) + reach.x).ceil().max(0.0) as u32).min(x1);
                for x in first..last {
                    let p = Vec2::new(x as f32 + 0.5, middle) - a;
                    let t = (p.dot(along) / square).clamp(0.0, 1.0);
                    // Falls from 1 to 0 over the pixel around the border.
                    let cover = (half + 0.5 - (p - along * t).length()).clamp(0.0, 1.0);
                    let index = self.index(x, y);
                    let now = &mut self.cover[index];
                    *now = now.max(cover);
                }
            }
        }
        let [x0, y0, x1, y1] = all;
        for (x, y) in (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y))) {
            let index = self.index(x, y);
            let cover = std::mem::take(&mut self.cover[index]);
            if cover > 0.0 {
                self.blend(x, y, colour, cover);
            }
        }
    }

    /// Draws the outline of a rectangle between two opposite corners.
    pub(super) fn frame(&mut self, a: Vec2, b: Vec2, width: f32, colour: Colour) {
        let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y), a];
        self.stroke(&corners, width, colour);
    }

    /// Draws a diagonal cross.
    pub(super) fn cross(&mut self, middle: Vec2, arm: f32, width: f32, colour: Colour) {
        for way in [Vec2::splat(arm), Vec2::new(arm, -arm)] {
            self.stroke(&[middle - way, middle + way], width, colour);
        }
    }

    /// Draws dashes of about a length along a line, with gaps as long; there is
    /// a dash at both ends.
    pub(super) fn dashes(&mut self, line: &[Vec2], length: f32, width: f32, colour: Colour) {
        let total: f32 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let gaps = ((total / length - 1.0) / 2.0).floor().max(0.0);
        let length = total / (2.0 * gaps + 1.0);
        let mut dash: Vec<Vec2> = line.first().copied().into_iter().collect();
        let (mut left, mut on) = (length, true);
        for pair in line.windows(2) {
            let (mut from, to) = (pair[0], pair[1]);
            while from.distance(to) > left {
                from += (to - from) * (left / from.distance(to));
                dash.push(from);
                if on {
                    self.stroke(&dash, width, colour);
                }
                dash = vec![from];
                (left, on) = (length, !on);
            }
            left -= from.distance(to);
            dash.push(to);
        }
        if on {
            self.stroke(&dash, width, colour);
        }
    }

    pub(super) fn triangle(&mut self, corners: [Vec2; 3], colour: Colour) {
        let [a, b, c] = corners;
        let turn = (b - a).perp_dot(c - a);
        if !turn.is_finite() || turn == 0.0 {
            return;
        }
        // In this order, the inside is at a positive depth behind every side.
        let corners = if turn > 0.0 { [a, b, c] } else { [a, c, b] };
        let one = Vec2::ONE;
        let [x0, y0, x1, y1] = self.bounds(a.min(b).min(c) - one, a.max(b).max(c) + one);
        for y in y0..y1 {
            for x in x0..x1 {
                let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let depth = |i: usize| {
                    let (from, to) = (corners[i], corners[(i + 1) % 3]);
                    (to - from).normalize_or_zero().perp_dot(p - from)
                };
                let inside = depth(0).min(depth(1)).min(depth(2));
                self.blend(x, y, colour, (inside + 0.5).clamp(0.0, 1.0));
            }
        }
    }

    /// Draws an arrow head with its tip at the end of a line.
    pub(super) fn arrow_head(&mut self, line: &[Vec2], length: f32, colour: Colour) {
        let Some(&tip) = line.last() else { return };
        // The direction over the length of the head: the last piece of a curve
        // may be too short to have one.
        let tail = (line.iter().rev())
            .find(|p| (tip - **p).length() >= length)
            .unwrap_or(&line[0]);
        let along = (tip - *tail).normalize_or_zero() * length;
        let side = along.perp() * 0.42;
        let base = tip - along;
        self.triangle([tip, base + side, base - side], colour);
    }

    /// Writes text with its top-left corner at `at` and dots of `dot` pixels.
    pub(super) fn text(&mut self, at: Vec2, dot: u32, text: &str, colour: Colour) {
        let size = dot as f32;
        for (i, c) in text.chars().enumerate() {
            let left = at.x + (i as u32 * font::ADVANCE) as f32 * size;
            for (row, bits) in font::glyph(c).into_iter().enumerate() {
                for column in 0..font::WIDTH {
                    if bits >> (font::WIDTH - 1 - column) & 1 == 1 {
                        let min = Vec2::new(left + column as f32 * size, at.y + row as f32 * size);
                        self.rect(min, min + size, colour);
                    }
                }
            }
        }
    }

    /// The picture as 8-bit RGB.
    pub(super) fn into_image(self) -> image::RgbImage {
        let bytes = (self.pixels.iter().flatten())
            .map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8)
            .collect();
        image::RgbImage::from_raw(self.width, self.height, bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Colour = Colour::hex(0);
    const WHITE: Colour = Colour::hex(0xff_ffff);

    #[test]
    fn a_stroke_that_turns_back_is_not_more_opaque() {
        let mut canvas = Canvas::new(20, 9, BLACK);
        let ends = [Vec2::new(2.0, 4.5), Vec2::new(18.0, 4.5)];
        canvas.stroke(&[ends[0], ends[1], ends[0]], 2.0, WHITE.alpha(0.5));
        let column: f32 = (0..9).map(|y| canvas.pixels[y * 20 + 10][0]).sum();
        assert!(
            (column - 1.0).abs() < 1e-5,
            "2 pixels, half opaque: {column}"
        );
        assert!(canvas.cover.iter().all(|c| *c == 0.0));
    }

    #[test]
    fn everything_outside_is_cut_off() {
        let mut canvas = Canvas::new(4, 4, BLACK);
        canvas.stroke(
            &[Vec2::new(-50.0, -50.0), Vec2::new(50.0, f32::NAN)],
            3.0,
            WHITE,
        );
        canvas.rect(Vec2::splat(-9.0), Vec2::splat(0.5), WHITE);
        canvas.disc(Vec2::splat(90.0), 3.0, WHITE);
        let image = canvas.into_image();
        assert_eq!(image.get_pixel(0, 0).0, [64; 3], "a quarter of a pixel");
        assert_eq!(image.get_pixel(1, 1).0, [0; 3]);
    }

    #[test]
    fn a_triangle_covers_its_area() {
        let mut canvas = Canvas::new(30, 30, BLACK);
        let corners = [[3.0, 3.0], [23.0, 3.0], [3.0, 23.0]].map(Vec2::from);
        canvas.triangle(corners, WHITE);
        let area: f32 = canvas.pixels.iter().map(|p| p[0]).sum();
        assert!((area - 200.0).abs() < 4.0, "{area}");
    }
}
