//! The picture of what was guessed to be collision in a level.

use image::{RgbImage, RgbaImage};
use navmesh_bake::Rect;

use super::list::{Colour, Shape};
use super::picture::draw;

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

/// How much can be seen of what was guessed, above the picture of the level.
const GUESS: f32 = 0.55;

/// Draws the part `bounds` of a level, in level pixels, with the areas of each guess in a
/// colour of its own, and its name below. `art` is the picture of the level.
pub fn guesses(
    title: String,
    bounds: Rect,
    art: &RgbaImage,
    guesses: &[(String, &[Rect])],
) -> RgbImage {
    let mut shapes = Vec::new();
    for ((name, areas), colour) in guesses.iter().zip(COLOURS) {
        let rects = areas
            .iter()
            .map(|Rect { min, max }| [min.x as f32, min.y as f32, max.x as f32, max.y as f32]);
        let areas = Shape::areas("", colour.faint(GUESS), rects.collect());
        shapes.push(areas.named(name.clone(), None));
    }
    let corners = [bounds.min.as_vec2(), bounds.max.as_vec2()];
    draw(title, &shapes, corners, Some(art))
}
