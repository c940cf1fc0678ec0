//! Object layers: collision and markers.

use std::collections::BTreeMap;

use glam::{DAffine2, DVec2};
use tiled::{ObjectLayer, ObjectShape, ObjectTile};

use super::tiles::{self, Flips, tile_attributes, tile_shapes};
use crate::source::classify::builder::{LevelBuilder, OpenLayer};
use crate::source::classify::classifier::{Classification, Item};
use crate::source::classify::objects::LayerObject;
use crate::source::error::SourceError;
use crate::source::level::{Rect, Shape};
use crate::source::shapes;

/// Reads an object layer.
pub(super) fn read(
    builder: &mut LevelBuilder<'_>,
    names: &BTreeMap<String, String>,
    layer: &mut OpenLayer,
    objects: &ObjectLayer<'_>,
) -> Result<(), SourceError> {
    for object in objects.objects() {
        layer.summary.items += 1;
        let attributes = tiles::attributes(&object.user_type, &object.name, &object.properties);
        let position = [object.x, object.y];
        let placed = LayerObject::new(object.id(), &attributes, position, object.rotation, layer);
        match object.get_tile() {
            Some(tile) => add_tile(builder, names, layer, &placed, &tile, &object.shape)?,
            None => placed.add(builder, layer, &object.shape)?,
        }
    }
    Ok(())
}

/// Adds an object that shows a tile, which has the tile's shapes.
fn add_tile(
    builder: &mut LevelBuilder<'_>,
    names: &BTreeMap<String, String>,
    layer: &mut OpenLayer,
    object: &LayerObject<'_>,
    shown: &ObjectTile<'_>,
    shape: &ObjectShape,
) -> Result<(), SourceError> {
    let tileset = shown.get_tileset();
    let tile = shown.get_tile();
    let tile_attributes = tile_attributes(tile.as_ref());
    let own = tiles::tile_size(tileset, tile.as_ref());
    let size = match *shape {
        ObjectShape::Rect { width, height } if width != 0.0 || height != 0.0 => {
            DVec2::new(f64::from(width), f64::from(height))
        }
        _ => own,
    };
    let flips = Flips {
        diagonal: shown.flip_d,
        horizontal: shown.flip_h,
        vertical: shown.flip_v,
    };
    let line = object.attributes.line;
    let Some(drawn) = tiles::tile_of_object(tileset, own, size, flips) else {
        builder.warn(None, line, &object.origin, "its tile has no size");
        object.add_marker(builder, layer, Some(&tile_attributes), vec![DVec2::ZERO]);
        return Ok(());
    };
    let tile_shapes = tile_shapes(builder, names, tileset, shown.id(), tile.as_ref())?;
    let mut pieces = Vec::new();
    let mut numbers = Vec::new();
    let mut is_collision = false;
    let mut add = |item: &Item<'_>, shapes: &[Shape], at: &DAffine2| {
        let classification = builder.classify(item, layer);
        let number = layer.summary.number(&classification);
        if !numbers.contains(&number) {
            numbers.push(number);
        }
        if let Classification::Collision(material, _) = classification {
            is_collision = true;
            pieces.extend(object.placed(shapes, material, at));
        }
    };
    if tile_shapes.is_empty() {
        let item = Item {
            chain: &[("object", object.attributes), ("tile", &tile_attributes)],
            has_shapes: false,
            is_object: true,
        };
        let whole = shapes::rectangle(Rect::new(DVec2::ZERO, own));
        add(&item, &whole, &drawn);
    }
    for shape in &tile_shapes {
        let item = Item {
            chain: &[
                ("object", object.attributes),
                ("shape", &shape.attributes),
                ("tile", &tile_attributes),
            ],
            has_shapes: true,
            is_object: true,
        };
        add(&item, &shape.pieces, &(drawn * shape.at));
    }
    for number in numbers {
        layer.summary.add(number);
    }
    if is_collision {
        builder.charge(0, pieces.len() as u64, layer)?;
        return builder.add_pieces(&object.origin, line, pieces);
    }
    let corners = shapes::extent(&ObjectShape::Rect {
        width: own.x as f32,
        height: own.y as f32,
    });
    let points = corners.into_iter().map(|p| drawn.transform_point2(p));
    object.add_marker(builder, layer, Some(&tile_attributes), points.collect());
    Ok(())
}
