//! Object layers: collision and markers.

use glam::DVec2;
use tiled::{Map, ObjectLayer, ObjectShape, ObjectTile};

use super::tiles::{self, ClassifiedTile, DrawnTile, tile_attributes, tileset_attributes};
use crate::source::classify::{Attributes, LayerObject, LevelBuilder, LevelLayer};
use crate::source::error::SourceError;
use crate::source::shapes;
use crate::source::words;
use navmesh_bake::Rect;

/// Reads an object layer.
pub fn read(
    builder: &mut LevelBuilder<'_>,
    layer: &mut LevelLayer,
    objects: &ObjectLayer<'_>,
) -> Result<(), SourceError> {
    for object in objects.objects() {
        layer.summary.items += 1;
        let (class, name) = (&object.user_type, &object.name);
        let shown = object.get_tile();
        let tile = shown.as_ref().and_then(ObjectTile::get_tile);
        let attributes = tiles::attributes(class, name, &object.properties, tile.as_ref());
        let position = [object.x, object.y];
        let placed = LayerObject::new(object.id(), &attributes, position, object.rotation, layer);
        let before = layer.summary.collision_count();
        match shown {
            Some(tile) => add_tile(builder, layer, &placed, &tile, &object.shape)?,
            None => placed.add(builder, layer, &object.shape)?,
        }
        let is_collision = layer.summary.collision_count() > before;
        layer.summary.hidden += u64::from(is_collision && !object.visible);
    }
    Ok(())
}

/// The area of an object's bounding box, pixels.
pub fn area(shape: &ObjectShape) -> f64 {
    let extent = Rect::around(shapes::extent(shape));
    extent.map_or(0.0, |extent| extent.size().x * extent.size().y)
}

/// The most cells that objects may cover together to be compared with layers.
const MAX_OBJECT_CELLS: usize = 1 << 20;

/// Column and row of the cells of the map whose centres lie in bounding boxes
/// of objects; none if they are too many. Rotation does not count.
pub fn cells(map: &Map, objects: &ObjectLayer<'_>) -> Vec<[i32; 2]> {
    let cell = DVec2::new(f64::from(map.tile_width), f64::from(map.tile_height));
    let size = DVec2::new(f64::from(map.width), f64::from(map.height));
    let mut cells = Vec::new();
    for object in objects.objects() {
        let at = DVec2::new(f64::from(object.x), f64::from(object.y));
        let Some(extent) = Rect::around(shapes::extent(&object.shape)) else {
            continue;
        };
        let nearest = |corner: DVec2| ((corner + at) / cell).round().clamp(DVec2::ZERO, size);
        let (first, end) = (nearest(extent.min), nearest(extent.max));
        if (end - first).element_product() + cells.len() as f64 > MAX_OBJECT_CELLS as f64 {
            return Vec::new();
        }
        for row in first.y as i32..end.y as i32 {
            cells.extend((first.x as i32..end.x as i32).map(|column| [column, row]));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Adds an object that shows a tile, which has the tile's shapes.
fn add_tile(
    builder: &mut LevelBuilder<'_>,
    layer: &mut LevelLayer,
    object: &LayerObject<'_>,
    shown: &ObjectTile<'_>,
    shape: &ObjectShape,
) -> Result<(), SourceError> {
    let line = object.attributes.line;
    let own = tile_attributes(shown.get_tile().as_ref());
    let shared = tileset_attributes(shown.get_tileset());
    let Some(drawn) = DrawnTile::of_object(shown, shape) else {
        builder.warn(None, line, &object.origin, "its tile has no size");
        object.add_marker(builder, layer, Some(&own), vec![DVec2::ZERO]);
        return Ok(());
    };
    let ClassifiedTile {
        pieces,
        numbers,
        full,
    } = drawn.classify(builder, layer, &own, shared.as_ref(), Some(object))?;
    if let Some(full) = full {
        *layer.summary.full.entry(full).or_default() += 1;
    }
    let mut is_ruled = false;
    for number in numbers {
        layer.summary.add(number);
        is_ruled |= layer.summary.is_ruled(number);
    }
    if !pieces.is_empty() {
        return object.add_pieces(builder, layer, pieces);
    }
    if !is_ruled && !words::has_word(&layer.name, words::MOVEMENT) {
        let Attributes { class, name, .. } = object.attributes;
        let is_plain = class.is_empty() && name.is_empty() && own.class.is_empty();
        let is_plain = is_plain && !own.is_thing() && !object.attributes.is_thing();
        layer.summary.plain_tiles += u64::from(is_plain);
        layer.summary.note_obstacle(&object.names(Some(&own)));
    }
    let corners = Rect::new(DVec2::ZERO, drawn.size).corners();
    let points = corners.map(|corner| drawn.drawn.transform_point2(corner));
    object.add_marker(builder, layer, Some(&own), points.to_vec());
    Ok(())
}
