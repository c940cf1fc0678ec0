//! Draws display lists with anti-aliasing.

use glam::Vec2;
use image::{RgbImage, RgbaImage};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use tiny_skia::{
    Color, ColorU8, FillRule, FilterQuality, LineCap, LineJoin, Path, PathBuilder, Pixmap,
    PixmapPaint, Rect, Stroke, StrokeDash, Transform,
};

use super::list::{Colour, Form, Mark, Paint, Shape};
use super::palette::BACKGROUND;

/// No side of a picture is longer, in pixels. Positions are kept within some
/// times this: jumps of a forged file may lead 10^10 cells away.
const FAR: f32 = 1e6;

/// Where cells are in a picture.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Pixels per cell.
    pub scale: f32,
    /// Where the top-left corner of the grid is, in pixels.
    pub offset: Vec2,
}

impl View {
    /// Cells are pixels.
    pub const PIXELS: Self = Self {
        scale: 1.0,
        offset: Vec2::ZERO,
    };

    pub fn point(&self, cell: Vec2) -> Vec2 {
        let point = cell * self.scale + self.offset;
        point.clamp(Vec2::splat(-FAR), Vec2::splat(FAR))
    }
}

/// A picture. Everything outside is cut off.
#[derive(Clone)]
pub struct Canvas(Pixmap);

impl Canvas {
    /// A picture filled with the background.
    ///
    /// # Panics
    /// When a side is 0 or there is no memory for the picture.
    pub fn new([width, height]: [u32; 2]) -> Self {
        let pixels = Pixmap::new(width, height);
        let mut pixels = pixels.expect("a side of a picture is between 1 and some thousand");
        pixels.fill(colour(BACKGROUND.solid(), 1.0));
        Self(pixels)
    }

    /// Draws shapes, back to front.
    pub fn draw(&mut self, shapes: &[Shape], view: &View) {
        let zoom = view.scale;
        // The rectangles of all labels so far.
        let mut labels = Vec::new();
        for shape in shapes
            .iter()
            .filter(|s| s.zoom[0] <= zoom && zoom < s.zoom[1])
        {
            let mut paint = tiny_skia::Paint::default();
            paint.set_color(colour(shape.paint, zoom));
            match &shape.form {
                Form::Areas { rects } => {
                    let rects = rects.iter().filter_map(|rect| on_view(*rect, view));
                    self.fill(rects, &paint);
                }
                Form::Lattice { rects, radius } => {
                    for rect in rects {
                        self.fill(lattice(*rect, radius.at(zoom), view), &paint);
                    }
                }
                Form::Marks {
                    mark,
                    points,
                    radius,
                } => {
                    let points = points.iter().map(|point| view.point(*point));
                    if *mark == Mark::Cross {
                        let arms = points.flat_map(|at| cross(at, radius.at(zoom)));
                        self.stroke(arms, radius.at(zoom) / 3.0, None, &paint);
                    } else {
                        self.fill(
                            points.filter_map(|at| filled(*mark, at, radius.at(zoom))),
                            &paint,
                        );
                    }
                }
                Form::Lines {
                    lines,
                    width,
                    head,
                    dash,
                } => {
                    let lines = lines
                        .iter()
                        .map(|line| line.iter().map(|p| view.point(*p)).collect());
                    let lines: Vec<Vec<Vec2>> = lines.collect();
                    let heads = head.map(|head| {
                        let heads = lines
                            .iter()
                            .filter_map(|line| arrow_head(line, head.at(zoom)));
                        heads.collect::<Vec<_>>()
                    });
                    self.stroke(
                        lines,
                        width.at(zoom),
                        dash.map(|dash| dash.at(zoom)),
                        &paint,
                    );
                    self.fill(heads.into_iter().flatten(), &paint);
                }
                Form::Labels { texts, height } => {
                    for (at, text) in texts {
                        let at = view.point(*at).round();
                        let size = Vec2::new(text_width(text, *height), *height as f32);
                        let (min, max) = (at - Vec2::new(0.0, size.y), at + Vec2::new(size.x, 0.0));
                        let covers = |other: &(Vec2, Vec2)| {
                            min.cmplt(other.1).all() && other.0.cmplt(max).all()
                        };
                        if !labels.iter().any(covers) {
                            self.text(min, text, *height, shape.paint.colour);
                            labels.push((min, max));
                        }
                    }
                }
            }
        }
    }

    fn fill(&mut self, paths: impl IntoIterator<Item = Path>, paint: &tiny_skia::Paint<'_>) {
        let mut all = PathBuilder::new();
        for path in paths {
            all.push_path(&path);
        }
        if let Some(path) = all.finish() {
            let identity = Transform::identity();
            self.0
                .fill_path(&path, paint, FillRule::Winding, identity, None);
        }
    }

    fn stroke(
        &mut self,
        lines: impl IntoIterator<Item = Vec<Vec2>>,
        width: f32,
        dash: Option<f32>,
        paint: &tiny_skia::Paint<'_>,
    ) {
        let mut path = PathBuilder::new();
        for line in lines {
            if let Some((first, rest)) = line.split_first() {
                path.move_to(first.x, first.y);
                // A line of one point is a dot.
                for point in if rest.is_empty() { &line } else { rest } {
                    path.line_to(point.x, point.y);
                }
            }
        }
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: dash.and_then(|length| StrokeDash::new(vec![length, 1.3 * length], 0.0)),
            ..Stroke::default()
        };
        if let Some(path) = path.finish() {
            self.0
                .stroke_path(&path, paint, &stroke, Transform::identity(), None);
        }
    }

    /// Stretches an image over the rectangle between two corners.
    pub fn image(&mut self, [min, max]: [Vec2; 2], image: &RgbaImage, opacity: f32) {
        let Some(mut pixels) = Pixmap::new(image.width(), image.height()) else {
            return;
        };
        for (to, from) in pixels.pixels_mut().iter_mut().zip(image.pixels()) {
            let [r, g, b, a] = from.0;
            *to = ColorU8::from_rgba(r, g, b, a).premultiply();
        }
        let scale = (max - min) / Vec2::new(image.width() as f32, image.height() as f32);
        let paint = PixmapPaint {
            opacity,
            quality: FilterQuality::Nearest,
            ..PixmapPaint::default()
        };
        let place = Transform::from_row(scale.x, 0.0, 0.0, scale.y, min.x, min.y);
        self.0
            .draw_pixmap(0, 0, pixels.as_ref(), &paint, place, None);
    }

    /// Writes text with its top-left corner at a pixel, on a darkened background.
    fn text(&mut self, at: Vec2, text: &str, height: u32, colour: Colour) {
        let size = Vec2::new(text_width(text, height), height as f32);
        let mut paint = tiny_skia::Paint::default();
        paint.set_color(self::colour(BACKGROUND.faint(0.6), 1.0));
        self.fill(path_of_rect(at, at + size), &paint);
        let (weight, height) = font(height);
        let mut left = at.x as i32;
        for c in text.chars() {
            // Characters of other scripts are shown as the sign for an unknown one.
            let glyph = get_raster(c, weight, height);
            let glyph = glyph.or_else(|| get_raster('\u{fffd}', weight, height));
            let rows = glyph.iter().flat_map(|glyph| glyph.rows());
            for (row, bits) in (at.y as i32..).zip(rows) {
                for (column, cover) in (left..).zip(bits.iter()) {
                    self.blend(column, row, colour, *cover);
                }
            }
            left += get_raster_width(weight, height) as i32;
        }
    }

    /// Blends a colour into a pixel of which it covers a part, 0 to 255.
    fn blend(&mut self, x: i32, y: i32, colour: Colour, cover: u8) {
        let (width, height) = (self.0.width() as i32, self.0.height() as i32);
        if cover == 0 || !(0..width).contains(&x) || !(0..height).contains(&y) {
            return;
        }
        let index = 4 * (y * width + x) as usize;
        for (to, from) in self.0.data_mut()[index..].iter_mut().zip(colour.rgb()) {
            let step = (i32::from(from) - i32::from(*to)) * i32::from(cover) / 255;
            *to = (i32::from(*to) + step) as u8;
        }
    }

    /// The picture as 8-bit RGB. All pixels are opaque.
    pub fn into_image(self) -> RgbImage {
        let (width, height) = (self.0.width(), self.0.height());
        let bytes = self.0.data().as_chunks::<4>().0.iter();
        let bytes = bytes.flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        RgbImage::from_raw(width, height, bytes).unwrap_or_default()
    }
}

fn colour(paint: Paint, zoom: f32) -> Color {
    let [r, g, b] = paint.colour.rgb();
    let mut colour = Color::from_rgba8(r, g, b, 255);
    colour.set_alpha(paint.alpha.at(zoom));
    colour
}

/// The nearest size of the font.
fn font(height: u32) -> (FontWeight, RasterHeight) {
    let size = if height < 24 {
        RasterHeight::Size16
    } else {
        RasterHeight::Size24
    };
    (FontWeight::Regular, size)
}

/// The width of a text in pixels; all characters are equally wide.
pub fn text_width(text: &str, height: u32) -> f32 {
    let (weight, size) = font(height);
    (text.chars().count() * get_raster_width(weight, size)) as f32
}

fn path_of_rect(min: Vec2, max: Vec2) -> Option<Path> {
    Rect::from_ltrb(min.x, min.y, max.x, max.y).map(PathBuilder::from_rect)
}

fn on_view([left, top, right, bottom]: [f32; 4], view: &View) -> Option<Path> {
    let corners = [[left, top], [right, bottom]].map(|corner| view.point(corner.into()));
    path_of_rect(corners[0], corners[1])
}

/// A dot in the middle of every cell of a rectangle.
fn lattice(
    [left, top, right, bottom]: [f32; 4],
    radius: f32,
    view: &View,
) -> impl Iterator<Item = Path> {
    let columns = (right - left).round() as u32;
    let count = columns * (bottom - top).round() as u32;
    let first = Vec2::new(left, top) + 0.5;
    (0..count).filter_map(move |i| {
        let at = view.point(first + Vec2::new((i % columns) as f32, (i / columns) as f32));
        filled(Mark::Disc, at, radius)
    })
}

fn filled(mark: Mark, at: Vec2, radius: f32) -> Option<Path> {
    if mark == Mark::Disc && radius >= 1.0 {
        return PathBuilder::from_circle(at.x, at.y, radius);
    }
    if mark == Mark::Disc {
        // So small a square looks the same.
        let half = 0.5 * std::f32::consts::PI.sqrt() * radius;
        return path_of_rect(at - half, at + half);
    }
    let mut path = PathBuilder::new();
    path.move_to(at.x, at.y);
    path.line_to(at.x + radius, at.y - radius);
    path.line_to(at.x, at.y - 2.0 * radius);
    path.line_to(at.x - radius, at.y - radius);
    path.close();
    path.finish()
}

fn cross(at: Vec2, arm: f32) -> [Vec<Vec2>; 2] {
    let ways = [Vec2::splat(arm), Vec2::new(arm, -arm)];
    ways.map(|way| vec![at - way, at + way])
}

/// An arrow head with its tip at the end of a line.
fn arrow_head(line: &[Vec2], length: f32) -> Option<Path> {
    let tip = *line.last()?;
    // The direction over the length of the head: the last piece of a curve may be
    // too short to have one.
    let is_far = |point: &&Vec2| tip.distance(**point) >= length;
    let tail = line.iter().rev().find(is_far).or(line.first())?;
    let base = tip - (tip - *tail).normalize_or_zero() * length;
    let side = (tip - base).perp() * 0.42;
    let mut path = PathBuilder::new();
    path.move_to(tip.x, tip.y);
    path.line_to(base.x + side.x, base.y + side.y);
    path.line_to(base.x - side.x, base.y - side.y);
    path.close();
    path.finish()
}
