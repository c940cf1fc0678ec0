//! Object layers.

use std::rc::Rc;

use glam::DVec2;
use tiled::{ObjectLayer, ObjectShape, ObjectTile};

use super::tiles::{self, DrawnTile, tile_attributes, tileset_attributes};
use crate::source::classify::{LayerObject, LevelBuilder, LevelLayer, RawItem, RawPart};
use crate::source::error::SourceError;
use navmesh_bake::Rect;

/// Reads an object layer.
pub fn read(
    builder: &mut LevelBuilder<'_>,
    layer: &mut LevelLayer,
    objects: &ObjectLayer<'_>,
) -> Result<(), SourceError> {
    for object in objects.objects() {
        let (class, name) = (&object.user_type, &object.name);
        let shown = object.get_tile();
        let tile = shown.as_ref().and_then(ObjectTile::get_tile);
        let attributes = tiles::attributes(class, name, &object.properties, tile.as_ref());
        let (id, at) = (object.id(), [object.x, object.y]);
        let placed = LayerObject::new(Some(id), id, attributes, at, object.rotation, layer);
        match shown {
            Some(tile) => add_tile(builder, layer, placed, &tile, &object.shape)?,
            None => placed.add(layer, &object.shape),
        }
    }
    Ok(())
}

/// Adds an object that shows a tile, which has the tile's shapes.
fn add_tile(
    builder: &mut LevelBuilder<'_>,
    layer: &mut LevelLayer,
    object: LayerObject,
    shown: &ObjectTile<'_>,
    shape: &ObjectShape,
) -> Result<(), SourceError> {
    let own = Rc::new(tile_attributes(shown.get_tile().as_ref()));
    let Some(drawn) = DrawnTile::of_object(shown, shape) else {
        let line = object.attributes.line;
        builder.warn(None, line, &object.origin, "its tile has no size");
        let tile = RawItem::new(vec![("tile", own)], vec![RawPart::default()]);
        object.add_tile(layer, vec![DVec2::ZERO], tile);
        return Ok(());
    };
    let shared = tileset_attributes(shown.get_tileset());
    let tile = drawn.item(builder, own, shared, Some(&object.at))?;
    let corners = Rect::new(DVec2::ZERO, drawn.size).corners();
    let points = corners.map(|corner| drawn.drawn.transform_point2(corner));
    object.add_tile(layer, points.to_vec(), tile);
    Ok(())
}
