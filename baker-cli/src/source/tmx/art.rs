//! Drawing the tile layers, image layers and tile objects of a map.

use glam::{DAffine2, DVec2};
use tiled::{ImageLayer, Layer, LayerTileData, LayerType, Map, ObjectLayer};

use super::cells;
use super::tiles::{DrawnTile, file_and_color};
use crate::source::picture::{PLAIN, Picture, Tint};
use crate::source::shapes::object_transform;
use navmesh_bake::Rect;

pub fn draw(map: &Map, picture: &mut Picture<'_>) {
    let mut artist = Artist {
        cell: DVec2::new(f64::from(map.tile_width), f64::from(map.tile_height)),
        map,
        picture,
    };
    if let Some(color) = map.background_color {
        let size = DVec2::new(f64::from(map.width), f64::from(map.height)) * artist.cell;
        let area = if map.infinite() {
            artist.picture.area()
        } else {
            Rect::new(DVec2::ZERO, size)
        };
        let color = [color.red, color.green, color.blue, color.alpha];
        artist.picture.fill(area, color);
    }
    for layer in map.layers() {
        artist.layer(layer, DVec2::ZERO, PLAIN);
    }
}

struct Artist<'m, 'p, 'f> {
    map: &'m Map,
    cell: DVec2,
    picture: &'p mut Picture<'f>,
}

impl Artist<'_, '_, '_> {
    /// Draws a visible layer; `offset` and `tint` are those of the groups around
    /// it. The guard has bounded the depth.
    fn layer(&mut self, layer: Layer<'_>, offset: DVec2, mut tint: Tint) {
        if !layer.visible {
            return;
        }
        let offset = offset + DVec2::new(f64::from(layer.offset_x), f64::from(layer.offset_y));
        tint[3] *= layer.opacity.clamp(0.0, 1.0);
        if let Some(color) = layer.tint_color {
            let channels = [color.red, color.green, color.blue, color.alpha];
            for (part, channel) in tint.iter_mut().zip(channels) {
                *part *= f32::from(channel) / 255.0;
            }
        }
        match layer.layer_type() {
            LayerType::Group(group) => {
                for layer in group.layers() {
                    self.layer(layer, offset, tint);
                }
            }
            LayerType::Tiles(tiles) => {
                for (tile, at) in cells::used(&tiles) {
                    self.cell(tile, at, offset, tint);
                }
            }
            LayerType::Objects(objects) => self.objects(&objects, offset, tint),
            LayerType::Image(image) => self.image(&image, offset, tint),
        }
    }

    fn cell(&mut self, tile: &LayerTileData, at: [i32; 2], offset: DVec2, tint: Tint) {
        let tileset = self.map.tilesets().get(tile.tileset_index());
        let drawn = tileset.and_then(|tileset| DrawnTile::in_cell(tileset, tile, self.cell));
        let corner = DVec2::from(at.map(f64::from)) * self.cell + offset;
        self.tile(drawn, DAffine2::from_translation(corner), tint);
    }

    fn objects(&mut self, objects: &ObjectLayer<'_>, offset: DVec2, tint: Tint) {
        for object in objects.objects().filter(|object| object.visible) {
            let at = object_transform(object.x, object.y, object.rotation);
            let at = DAffine2::from_translation(offset) * at;
            if let Some(shown) = object.get_tile() {
                self.tile(DrawnTile::of_object(&shown, &object.shape), at, tint);
            }
        }
    }

    /// Draws a tile of a cell or an object that is `at` a place of the level.
    fn tile(&mut self, drawn: Option<DrawnTile<'_>>, at: DAffine2, tint: Tint) {
        let Some((drawn, picture)) = drawn.and_then(|tile| Some((tile.drawn, tile.picture()?)))
        else {
            return;
        };
        if let Some(pixels) = self.picture.load(&picture.image, picture.clear) {
            let part = picture.part.rect(pixels.width());
            self.picture.draw(&pixels, part, &(at * drawn), tint);
        }
    }

    /// Draws the image of a layer, repeated over the picture where the layer
    /// says so.
    fn image(&mut self, layer: &ImageLayer<'_>, offset: DVec2, tint: Tint) {
        let image = layer.image.as_ref().and_then(file_and_color);
        let Some(pixels) = image.and_then(|(name, clear)| self.picture.load(&name, clear)) else {
            return;
        };
        let (width, height) = pixels.dimensions();
        let area = self.picture.area();
        // The first and the last copy that can be seen.
        let copies = |repeats: bool, from: f64, to: f64, at: f64, side: u32| {
            let side = f64::from(side.max(1));
            if repeats {
                ((from - at) / side).floor() as i64..=((to - at) / side).ceil() as i64
            } else {
                0..=0
            }
        };
        let rows = copies(layer.repeat_y, area.min.y, area.max.y, offset.y, height);
        for row in rows {
            let columns = copies(layer.repeat_x, area.min.x, area.max.x, offset.x, width);
            for column in columns {
                let step = DVec2::new(
                    column as f64 * f64::from(width),
                    row as f64 * f64::from(height),
                );
                let placed = DAffine2::from_translation(offset + step);
                let whole = [0, 0, width, height];
                if !self.picture.draw(&pixels, whole, &placed, tint) {
                    return;
                }
            }
        }
    }
}
