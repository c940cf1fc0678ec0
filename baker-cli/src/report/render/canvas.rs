//! Draws display lists with anti-aliasing.

use std::collections::HashSet;
use std::f32::consts::PI;

use glam::Vec2;
use image::{RgbImage, RgbaImage};
use noto_sans_mono_bitmap::{
    FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width,
};
use tiny_skia::{
    Color, ColorU8, FillRule, LineCap, LineJoin, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke,
    StrokeDash, Transform,
};

use super::list::{Colour, Form, Mark, Paint, Shape};
use super::palette::BACKGROUND;

/// Positions are kept within this many pixels, far outside of every picture:
/// jumps of a forged file may lead 10^10 cells away.
const FAR: Vec2 = Vec2::splat(1e6);

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
        (cell * self.scale + self.offset).clamp(-FAR, FAR)
    }
}

/// A picture. Everything outside is cut off.
#[derive(Clone)]
pub struct Canvas(Pixmap);

impl Canvas {
    /// A picture filled with the background.
    pub fn new([width, height]: [u32; 2]) -> Self {
        let pixels = Pixmap::new(width, height);
        let mut pixels = pixels.expect("the sides of a picture are between 1 and some thousand");
        pixels.fill(colour(BACKGROUND.solid(), 1.0));
        Self(pixels)
    }

    /// Draws shapes, back to front.
    pub fn draw(&mut self, shapes: &[Shape], view: &View) {
        let scale = view.scale;
        // The corners of all labels so far.
        let mut labels: Vec<[Vec2; 2]> = Vec::new();
        for shape in shapes {
            if scale < shape.zoom[0] || shape.zoom[1] <= scale {
                continue;
            }
            let mut paint = tiny_skia::Paint::default();
            paint.set_color(colour(shape.paint, scale));
            let mut path = PathBuilder::new();
            match &shape.form {
                Form::Areas { rects } => {
                    for [left, top, right, bottom] in rects {
                        let corners = [Vec2::new(*left, *top), Vec2::new(*right, *bottom)];
                        push_rect(&mut path, corners.map(|corner| view.point(corner)));
                    }
                }
                Form::Lattice { rects, radius } => {
                    for at in rects.iter().flat_map(|rect| middles(*rect)) {
                        push_mark(&mut path, Mark::Disc, view.point(at), radius.at(scale));
                    }
                }
                Form::Marks {
                    mark,
                    points,
                    radius,
                } => {
                    for at in points {
                        push_mark(&mut path, *mark, view.point(*at), radius.at(scale));
                    }
                }
                Form::Lines {
                    lines,
                    width,
                    head,
                    dash,
                } => {
                    let mut strokes = PathBuilder::new();
                    // A small file can hold 700,000 equal links.
                    let mut drawn = HashSet::new();
                    for line in lines {
                        let line: Vec<Vec2> = line.iter().map(|p| view.point(*p)).collect();
                        let bits = line.iter().map(|p| p.to_array().map(f32::to_bits));
                        if !drawn.insert(bits.collect::<Vec<_>>()) {
                            continue;
                        }
                        push_line(&mut strokes, &line);
                        if let Some(head) = head {
                            push_head(&mut path, &line, head.at(scale));
                        }
                    }
                    let dash = dash.map(|dash| dash.at(scale));
                    let stroke = Stroke {
                        width: width.at(scale),
                        line_cap: LineCap::Round,
                        line_join: LineJoin::Round,
                        dash: dash.and_then(|dash| StrokeDash::new(vec![dash, 1.3 * dash], 0.0)),
                        ..Stroke::default()
                    };
                    self.paint(strokes, &paint, Some(&stroke));
                }
                Form::Labels { texts, height } => {
                    // Large pictures are shown smaller than they are.
                    let height = if scale >= 16.0 { 24 } else { *height };
                    for (at, lift, text) in texts {
                        let size = Vec2::new(text_width(text, height), height as f32);
                        let min = view.point(*at).round() - Vec2::new(0.0, lift + size.y);
                        let max = min + size;
                        let mut before = labels.iter();
                        if !before.any(|[a, b]| min.cmplt(*b).all() && a.cmplt(max).all()) {
                            labels.push([min, max]);
                            self.text([min, max], text, height, shape.paint.colour);
                        }
                    }
                }
            }
            self.paint(path, &paint, None);
        }
    }

    /// Fills a path, or draws along it.
    fn paint(&mut self, path: PathBuilder, paint: &tiny_skia::Paint<'_>, stroke: Option<&Stroke>) {
        let (Some(path), place) = (path.finish(), Transform::identity()) else {
            return;
        };
        let (pixels, rule) = (&mut self.0, FillRule::Winding);
        match stroke {
            Some(stroke) => pixels.stroke_path(&path, paint, stroke, place, None),
            None => pixels.fill_path(&path, paint, rule, place, None),
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
        let place = Transform::from_row(scale.x, 0.0, 0.0, scale.y, min.x, min.y);
        let paint = PixmapPaint {
            opacity,
            ..PixmapPaint::default()
        };
        self.0
            .draw_pixmap(0, 0, pixels.as_ref(), &paint, place, None);
    }

    /// Writes text between two corners, on a darkened background.
    fn text(&mut self, [min, max]: [Vec2; 2], text: &str, height: u32, colour: Colour) {
        let mut behind = PathBuilder::new();
        push_rect(&mut behind, [min, max]);
        let mut paint = tiny_skia::Paint::default();
        paint.set_color(self::colour(BACKGROUND.faint(0.6), 1.0));
        self.paint(behind, &paint, None);
        let (weight, height) = font(height);
        let mut left = min.x as i32;
        for c in text.chars() {
            // Characters of other scripts are shown as the sign for an unknown one.
            let glyph = get_raster(c, weight, height);
            let glyph = glyph.or_else(|| get_raster('\u{fffd}', weight, height));
            for (y, row) in (min.y as i32..).zip(glyph.iter().flat_map(RasterizedChar::rows)) {
                for (x, cover) in (left..).zip(row) {
                    self.blend(x, y, colour, *cover);
                }
            }
            left += get_raster_width(weight, height) as i32;
        }
    }

    /// Blends a colour into a pixel of which it covers a part, 0 to 255.
    fn blend(&mut self, x: i32, y: i32, colour: Colour, cover: u8) {
        let (width, height) = (self.0.width() as i32, self.0.height() as i32);
        if cover > 0 && (0..width).contains(&x) && (0..height).contains(&y) {
            let index = 4 * (y * width + x) as usize;
            for (to, from) in self.0.data_mut()[index..].iter_mut().zip(colour.rgb()) {
                let step = (i32::from(from) - i32::from(*to)) * i32::from(cover) / 255;
                *to = (i32::from(*to) + step) as u8;
            }
        }
    }

    /// The picture as 8-bit RGB. All pixels are opaque.
    pub fn into_image(self) -> RgbImage {
        let (width, height) = (self.0.width(), self.0.height());
        let pixels = self.0.pixels().iter();
        let bytes = pixels
            .flat_map(|p| [p.red(), p.green(), p.blue()])
            .collect();
        RgbImage::from_raw(width, height, bytes).unwrap_or_default()
    }
}

fn colour(paint: Paint, scale: f32) -> Color {
    let [r, g, b] = paint.colour.rgb();
    let mut colour = Color::from_rgba8(r, g, b, 255);
    colour.set_alpha(paint.alpha.at(scale));
    colour
}

/// The nearest size of the font.
const fn font(height: u32) -> (FontWeight, RasterHeight) {
    match height {
        24.. => (FontWeight::Regular, RasterHeight::Size24),
        _ => (FontWeight::Regular, RasterHeight::Size16),
    }
}

/// The width of a text in pixels; all characters are equally wide.
pub fn text_width(text: &str, height: u32) -> f32 {
    let (weight, size) = font(height);
    (text.chars().count() * get_raster_width(weight, size)) as f32
}

/// The middles of the cells of a rectangle.
fn middles([left, top, right, bottom]: [f32; 4]) -> impl Iterator<Item = Vec2> {
    let (columns, rows) = ((right - left).round() as u32, (bottom - top).round() as u32);
    let first = Vec2::new(left, top) + 0.5;
    let cells = (0..rows).flat_map(move |row| (0..columns).map(move |column| [column, row]));
    cells.map(move |cell| first + Vec2::from(cell.map(|index| index as f32)))
}

fn push_rect(path: &mut PathBuilder, [min, max]: [Vec2; 2]) {
    if let Some(rect) = Rect::from_ltrb(min.x, min.y, max.x, max.y) {
        path.push_rect(rect);
    }
}

fn push_polygon<const N: usize>(path: &mut PathBuilder, points: [Vec2; N]) {
    push_line(path, &points);
    path.close();
}

/// A line of one point is a dot.
fn push_line(path: &mut PathBuilder, line: &[Vec2]) {
    if let Some(point) = line.first() {
        path.move_to(point.x, point.y);
    }
    for point in &line[usize::from(line.len() > 1)..] {
        path.line_to(point.x, point.y);
    }
}

fn push_mark(path: &mut PathBuilder, mark: Mark, at: Vec2, radius: f32) {
    let [across, down] = [Vec2::X * radius, Vec2::Y * radius];
    match mark {
        Mark::Disc if radius >= 1.0 => path.push_circle(at.x, at.y, radius),
        Mark::Disc => {
            // So small a square of the same area looks the same.
            let half = 0.5 * PI.sqrt() * radius;
            push_rect(path, [at - half, at + half]);
        }
        Mark::Diamond => {
            let points = [at, at + across - down, at - 2.0 * down, at - across - down];
            push_polygon(path, points);
        }
        Mark::Cross => {
            for arm in [across + down, across - down] {
                let side = arm.perp() / 6.0;
                let corners = [arm + side, side - arm, -arm - side, arm - side];
                push_polygon(path, corners.map(|corner| at + corner));
            }
        }
    }
}

/// An arrow head with its tip at the end of a line. Its direction is that over
/// its length: the last piece of a curve may be too short to have one.
fn push_head(path: &mut PathBuilder, line: &[Vec2], length: f32) {
    let Some(&tip) = line.last() else { return };
    let mut back = line.iter().rev();
    let tail = back.find(|point| tip.distance(**point) >= length);
    let along = (tip - tail.unwrap_or(&line[0])).normalize_or_zero() * length;
    let side = along.perp() * 0.42;
    push_polygon(path, [tip, tip - along + side, tip - along - side]);
}
