//! Pictures of a layer, of a comparison and of guesses, with a legend.

use glam::Vec2;
use image::{RgbImage, RgbaImage};
use navmesh_bake::Rect;
use navmesh_runtime::mesh::{Layer, Marker, NavMesh};

use super::canvas::{Canvas, View};
use super::changes::Changes;
use super::legend::legend;
use super::list::{Colour, Form, Shape};
use super::scene;
use crate::report::diff::Diff;
use crate::report::format::number;

/// The longest side of a picture without its legend, in pixels: as large as a
/// texture can be on old graphics cards.
const MAX_SIDE: f32 = 4096.0;
/// The most pixels between two vertices. Small levels would only become coarse.
const MAX_SCALE: f32 = 24.0;
/// The least width of the legend, pixels: names of guesses have some eighty characters.
const MIN_WIDTH: u32 = 720;
/// How much of the level's picture can be seen beneath the mesh.
const ART: f32 = 0.6;
/// The opacity of terrain on a picture, which it must not hide.
const SOLID_ON_ART: f32 = 0.4;

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

/// Draws a layer of a mesh and on top of it a path: the line of the feet in
/// world units, or nothing. `art` is a picture of the level, of the part that
/// the grid covers; it is drawn beneath.
pub fn render(mesh: &NavMesh, layer: &Layer, route: &[Vec2], art: Option<&RgbaImage>) -> RgbImage {
    let grid = mesh.grid();
    let mut shapes = scene::of_layer(layer, None);
    let markers: Vec<&Marker> = mesh.markers().iter().collect();
    shapes.extend(scene::markers(grid, &markers));
    shapes.extend(scene::route(grid, route));
    if art.is_some() {
        for shape in shapes.iter_mut().filter(|shape| shape.layer == "terrain") {
            shape.paint = shape.paint.colour.faint(SOLID_ON_ART);
        }
    }
    let profile = layer.profile();
    let [width, height] = profile.body.map(|side| number(side.into()));
    let title = format!(
        "{}  agent {}  body {width} x {height}  spacing {}",
        mesh.provenance().source,
        profile.name,
        number(grid.spacing.into()),
    );
    let size = Vec2::new(grid.columns as f32, grid.rows as f32);
    draw(title, &shapes, [Vec2::ZERO, size], art)
}

/// Draws the layers of one agent in the coordinates of the new file. `old` and
/// `new` are the meshes that `diff` compares. `None` when only one of them has
/// the agent.
pub fn compare(old: &NavMesh, new: &NavMesh, diff: &Diff, agent: &str) -> Option<RgbImage> {
    let changes = Changes::of(diff, agent, old, new)?;
    let mut shapes = scene::of_layer(new.layer_named(agent)?, Some(&changes));
    shapes.retain(|shape| !["vertices", "fly", "gates", "heads"].contains(&shape.layer));
    let markers = new.markers().iter();
    let spawns: Vec<&Marker> = markers
        .filter(|marker| marker.class.eq_ignore_ascii_case("spawn"))
        .collect();
    shapes.extend(scene::markers(new.grid(), &spawns));
    let title = format!("{}  agent {agent}: old and new", new.provenance().source);
    let [least, end] = changes.bounds();
    let bounds = [least.as_vec2(), end.as_vec2()];
    Some(draw(title, &shapes, bounds, None))
}

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

/// Draws shapes with a margin and what rises above, such as jumps, and their legend. `art` is a
/// picture of the cells between the corners `min` and `max`.
fn draw(
    title: String,
    shapes: &[Shape],
    [min, max]: [Vec2; 2],
    art: Option<&RgbaImage>,
) -> RgbImage {
    let mut top = min.y;
    for shape in shapes {
        if let Form::Lines { lines, .. } = &shape.form {
            top = lines.iter().flatten().fold(top, |top, p| top.min(p.y));
        }
    }
    // A forged file may have a jump that rises without end.
    let top = top.max(min.y - (max.y - min.y)).floor();
    let (view, size) = part([Vec2::new(min.x, top) - 1.0, max + 1.0], MAX_SIDE);
    let width = size[0].max(MIN_WIDTH);
    let (legend, height) = legend(title, shapes, [width, size[1]]);
    let mut level = Canvas::new(size);
    if let Some(art) = art {
        level.image([min, max].map(|corner| view.point(corner)), art, ART);
    }
    level.draw(shapes, &view);
    let mut canvas = Canvas::new([width, height]);
    canvas.draw(&legend, &View::PIXELS);
    let mut picture = canvas.into_image();
    image::imageops::replace(&mut picture, &level.into_image(), 0, 0);
    picture
}

/// A view of the cells between two corners and its size in pixels, of which no
/// side is longer than `longest`.
pub fn part([min, max]: [Vec2; 2], longest: f32) -> (View, [u32; 2]) {
    let cells = max - min;
    let fit = (longest / cells.max_element()).min(MAX_SCALE);
    // Whole pixels keep rows and columns crisp; below 5 pixels they cannot be
    // distinguished anyway.
    let scale = if fit >= 5.0 { fit.floor() } else { fit };
    // Puts vertices in the middle of a pixel, where lines of one pixel are
    // sharpest. Vertices are half a cell across and a whole cell down.
    let is_odd = scale % 2.0 == 1.0;
    let crisp = Vec2::new(if is_odd { 0.0 } else { 0.5 }, 0.5);
    let offset = crisp - min * scale;
    let pixels = (cells * scale).ceil().max(Vec2::ONE).as_uvec2();
    (View { scale, offset }, pixels.to_array())
}
