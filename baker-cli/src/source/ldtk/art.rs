//! Drawing the background, the tile layers and the auto layers of a level.

use glam::{DAffine2, DVec2};

use super::project::{LdtkProject, OpenLevel};
use super::schema::Layer;
use crate::source::color::Color;
use crate::source::error::SourceError;
use crate::source::files::resolve;
use crate::source::json::Json;
use crate::source::picture::{PLAIN, Picture};
use navmesh_bake::Rect;

pub fn draw(open: &OpenLevel<'_, '_>, picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let level = &open.level;
    let size = DVec2::new(level.px_wid, level.px_hei);
    if let Ok(Color(color)) = level.color.parse() {
        picture.fill(Rect::new(DVec2::ZERO, size), color);
    }
    background(open, picture);
    // The first layer is in front of the others.
    for raw in level.layer_instances.iter().flatten().rev() {
        let layer: Layer<'_> = Json::new(open.file, raw).read(&open.place())?;
        if layer.visible != Some(false) {
            draw_layer(open.project, &layer, picture);
        }
    }
    Ok(())
}

/// Draws the level's background image.
fn background(open: &OpenLevel<'_, '_>, picture: &mut Picture<'_>) {
    let level = &open.level;
    let (Some(path), Some(at)) = (&level.bg_rel_path, &level.background) else {
        return;
    };
    let mut part = [0; 4];
    for (to, side) in part.iter_mut().zip(&at.crop_rect) {
        // `as` keeps what is no pixel of an image in range.
        *to = *side as u32;
    }
    if let Some(image) = picture.load(&beside(&open.project.file, path), None) {
        let [scale, corner] = [at.scale, at.top_left_px].map(|pair| DVec2::from(pair.0));
        let placed = DAffine2::from_scale_angle_translation(scale, 0.0, corner);
        picture.draw(&image, part, &placed, PLAIN);
    }
}

/// Draws the tiles of a layer: those painted by hand and those of its rules.
fn draw_layer(project: &LdtkProject, layer: &Layer<'_>, picture: &mut Picture<'_>) {
    let Some(path) = &layer.image else {
        return;
    };
    let offset = DVec2::new(layer.offset_x, layer.offset_y);
    let opacity = layer.opacity.unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    let tileset = layer
        .tileset
        .and_then(|uid| project.definitions.tilesets.get(&uid));
    let side = tileset
        .and_then(|tileset| tileset.side)
        .unwrap_or(layer.side);
    for tile in layer.grid_tiles.iter().chain(&layer.auto_layer_tiles) {
        let Some(image) = picture.load(&beside(&project.file, path), None) else {
            return;
        };
        let mirror = |bit: u32| {
            if tile.f & bit == 0 {
                [1.0, 0.0]
            } else {
                [-1.0, side]
            }
        };
        let ([x, right], [y, down]) = (mirror(1), mirror(2));
        let at = DVec2::from(tile.px.0) + offset + DVec2::new(right, down);
        let placed = DAffine2::from_translation(at) * DAffine2::from_scale(DVec2::new(x, y));
        let [left, top] = tile.src.0;
        let part = [left, top, side, side].map(|v| v as u32);
        let alpha = tile.a.unwrap_or(1.0).clamp(0.0, 1.0) as f32;
        picture.draw(&image, part, &placed, [1.0, 1.0, 1.0, opacity * alpha]);
    }
}

/// The name of a file that the project names.
fn beside(project: &str, path: &str) -> String {
    resolve(project, path).unwrap_or_else(|_| path.to_owned())
}
