//! The picture of what was guessed to be collision in a level.

use glam::Vec2;
use image::{RgbImage, RgbaImage};
use navmesh_bake::Rect;

use super::canvas::{Canvas, View};
use super::list::{Colour, Form, Mark, Shape, Size};
use super::palette::TEXT;
use super::picture::{MAX_SIDE, part};

/// Colours that can be distinguished beside each other.
const COLOURS: [Colour; 8] = [
    Colour(0xff_5a4f),
    Colour(0x4c_9dff),
    Colour(0xff_d63d),
    Colour(0x3d_dc68),
    Colour(0xff_45e0),
    Colour(0x1f_d6c1),
    Colour(0xff_8a3d),
    Colour(0xb5_8cff),
];

/// How much of the level's picture can be seen beneath, and of what was guessed above it.
const ART: f32 = 0.6;
const GUESS: f32 = 0.55;

/// The height of the text below the picture, and of a line of it, pixels.
const TEXT_HEIGHT: u32 = 16;
const LINE: f32 = 24.0;

/// Draws the part `bounds` of a level, in level pixels, with the areas of each guess in a
/// colour of its own, and its name below. `art` is the picture of the level.
pub fn guesses(
    title: String,
    bounds: Rect,
    art: &RgbaImage,
    guesses: &[(String, &[Rect])],
) -> RgbImage {
    let corners = [bounds.min.as_vec2(), bounds.max.as_vec2()];
    let (view, [width, height]) = part(corners, MAX_SIDE);
    let mut level = Canvas::new([width, height]);
    level.image(corners.map(|corner| view.point(corner)), art, ART);
    let top = height as f32;
    let at = |line: usize| Vec2::new(3.0 * LINE / 2.0, top + LINE * (line as f32 + 1.0));
    let mut texts = vec![(Vec2::new(LINE / 2.0, at(0).y), 0.0, title)];
    let mut samples = Vec::new();
    for (i, ((name, areas), colour)) in guesses.iter().zip(COLOURS).enumerate() {
        let rects = areas
            .iter()
            .map(|Rect { min, max }| [min.x as f32, min.y as f32, max.x as f32, max.y as f32]);
        level.draw(
            &[Shape::areas("", colour.faint(GUESS), rects.collect())],
            &view,
        );
        let at = at(i + 1);
        let dot = vec![at - Vec2::new(LINE / 2.0, LINE / 4.0)];
        samples.push(Shape::marks(
            "",
            colour.solid(),
            Mark::Disc,
            dot,
            Size::fixed(LINE / 4.0),
        ));
        texts.push((at, 0.0, name.clone()));
    }
    let lines = texts.len() as u32;
    let height_of_text = (lines + 1) * LINE as u32;
    let form = Form::Labels {
        texts,
        height: TEXT_HEIGHT,
    };
    samples.push(Shape::new("", TEXT.solid(), form));
    let mut canvas = Canvas::new([width.max(MIN_WIDTH), height + height_of_text]);
    canvas.draw(&samples, &View::PIXELS);
    let mut picture = canvas.into_image();
    image::imageops::replace(&mut picture, &level.into_image(), 0, 0);
    picture
}

/// The least width of the picture, pixels: names have some eighty characters.
const MIN_WIDTH: u32 = 720;
