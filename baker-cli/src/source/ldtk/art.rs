//! Drawing the background, the tile layers and the auto layers of a level.

use std::collections::BTreeMap;

use glam::{DAffine2, DVec2};

use super::layers::pair;
use super::project::OpenLevel;
use crate::source::color::Color;
use crate::source::error::SourceError;
use crate::source::files::resolve;
use crate::source::json::Members;
use crate::source::picture::{PLAIN, Picture};
use crate::source::text::shorten;
use navmesh_bake::Rect;

pub fn draw(open: &OpenLevel<'_, '_>, picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let (place, level) = (open.place(), open.members);
    let size = |name| level.required(&place, name);
    let size = DVec2::new(size("pxWid")?, size("pxHei")?);
    let color = level.text(&place, "__bgColor")?.unwrap_or_default();
    if let Ok(Color(color)) = color.parse() {
        picture.fill(Rect::new(DVec2::ZERO, size), color);
    }
    background(open, &place, picture)?;
    let sides = tile_sides(open.project)?;
    // The first layer is in front of the others.
    for json in level.list(&place, "layerInstances")?.into_iter().rev() {
        let layer = json.members(&place)?;
        let visible = layer.text(&place, "visible")?;
        if visible.as_deref() != Some("false") {
            draw_layer(open.project_file, &layer, &sides, picture)?;
        }
    }
    Ok(())
}

/// Draws the level's background image.
fn background(
    open: &OpenLevel<'_, '_>,
    place: &str,
    picture: &mut Picture<'_>,
) -> Result<(), SourceError> {
    let level = open.members;
    let (Some(path), Some(json)) = (level.text(place, "bgRelPath")?, level.get("__bgPos")) else {
        return Ok(());
    };
    let position = json.members(place)?;
    let [x, y] = pair(&position, place, "topLeftPx")?;
    let [wide, high] = pair(&position, place, "scale")?;
    let mut part = [0.0; 4];
    for (to, item) in part.iter_mut().zip(position.list(place, "cropRect")?) {
        *to = item.scalar().and_then(|v| v.parse().ok()).unwrap_or(0.0);
    }
    if let Some(image) = picture.load(&beside(open.project_file, &path), None) {
        let at = DVec2::new(x, y);
        let placed = DAffine2::from_scale_angle_translation(DVec2::new(wide, high), 0.0, at);
        // `as` keeps what is no pixel of an image in range.
        picture.draw(&image, part.map(|v: f64| v as u32), &placed, PLAIN);
    }
    Ok(())
}

/// The side of a tile by the number of its tileset.
fn tile_sides(project: &Members<'_>) -> Result<BTreeMap<i64, f64>, SourceError> {
    let mut sides = BTreeMap::new();
    let Some(defs) = project.get("defs") else {
        return Ok(sides);
    };
    for json in defs.members("defs")?.list("defs", "tilesets")? {
        let tileset = json.members("defs.tilesets")?;
        let uid = tileset.number("defs.tilesets", "uid")?;
        let side = tileset.number("defs.tilesets", "tileGridSize")?;
        if let (Some(uid), Some(side)) = (uid, side) {
            sides.insert(uid as i64, side);
        }
    }
    Ok(sides)
}

/// Draws the tiles of a layer: those painted by hand and those of its rules.
fn draw_layer(
    project: &str,
    layer: &Members<'_>,
    sides: &BTreeMap<i64, f64>,
    picture: &mut Picture<'_>,
) -> Result<(), SourceError> {
    let name = layer.text("", "__identifier")?.unwrap_or_default();
    let place = format!("layer \"{}\"", shorten(&name));
    let Some(path) = layer.text(&place, "__tilesetRelPath")? else {
        return Ok(());
    };
    let number = |name: &str, default: f64| {
        Ok::<_, SourceError>(layer.number(&place, name)?.unwrap_or(default))
    };
    let offset = DVec2::new(
        number("__pxTotalOffsetX", 0.0)?,
        number("__pxTotalOffsetY", 0.0)?,
    );
    let opacity = number("__opacity", 1.0)?.clamp(0.0, 1.0) as f32;
    let uid = number("__tilesetDefUid", -1.0)? as i64;
    let side = sides
        .get(&uid)
        .copied()
        .unwrap_or(number("__gridSize", 0.0)?);
    for list in ["gridTiles", "autoLayerTiles"] {
        for json in layer.list(&place, list)? {
            let tile = json.members(&place)?;
            let at = DVec2::from(pair(&tile, &place, "px")?) + offset;
            let [left, top] = pair(&tile, &place, "src")?;
            let flips = tile.number(&place, "f")?.unwrap_or(0.0) as u32;
            let alpha = tile.number(&place, "a")?.unwrap_or(1.0).clamp(0.0, 1.0) as f32;
            let Some(image) = picture.load(&beside(project, &path), None) else {
                return Ok(());
            };
            let mirror = |bit: u32| {
                if flips & bit == 0 {
                    [1.0, 0.0]
                } else {
                    [-1.0, side]
                }
            };
            let ([x, right], [y, down]) = (mirror(1), mirror(2));
            let placed = DAffine2::from_translation(at + DVec2::new(right, down))
                * DAffine2::from_scale(DVec2::new(x, y));
            let part = [left, top, side, side].map(|v| v as u32);
            picture.draw(&image, part, &placed, [1.0, 1.0, 1.0, opacity * alpha]);
        }
    }
    Ok(())
}

/// The name of a file that the project names.
fn beside(project: &str, path: &str) -> String {
    resolve(project, path).unwrap_or_else(|_| path.to_owned())
}
