//! Tiles: their attributes, size, collision shapes, and where they are drawn.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{DAffine2, DMat2, DVec2, Vec2Swizzles as _};
use tiled::{
    FillMode, Image, LayerTileData, ObjectAlignment, ObjectShape, ObjectTile, Properties,
    PropertyValue, Tile, TileRenderSize, Tileset,
};

use super::crate_reader::real_name;
use super::guard::{DEFAULT_PREFIX, LINE_PROPERTY, MISSING_PROPERTY, SOURCE_PROPERTY};
use crate::source::classify::{Attributes, LevelBuilder, RawItem, RawPart};
use crate::source::error::SourceError;
use crate::source::shapes;
use crate::source::tile_picture::{TilePart, TilePicture};
use navmesh_bake::Rect;

/// The attributes of a layer, tile, or object that shows the tile `shown`. The guard has
/// written all properties as text, and the line as one of them.
pub fn attributes(
    class: &str,
    name: &str,
    properties: &Properties,
    shown: Option<&Tile<'_>>,
) -> Attributes {
    let is_set = |name: &str| {
        let tile = shown.map(|tile| &tile.properties);
        let mut all = tile.into_iter().chain([properties]);
        all.any(|properties| properties.contains_key(name))
    };
    let mut texts = BTreeMap::new();
    let (mut line, mut template) = (None, None);
    for (name, value) in properties {
        match value {
            PropertyValue::StringValue(value) if name == LINE_PROPERTY => line = value.parse().ok(),
            PropertyValue::StringValue(value) if name == SOURCE_PROPERTY => {
                let place = value.split_once(' ');
                template =
                    place.and_then(|(line, file)| Some((line.parse().ok()?, file.to_owned())));
            }
            PropertyValue::StringValue(value) => {
                let default = name.strip_prefix(DEFAULT_PREFIX);
                if default.is_none_or(|name| !is_set(name)) {
                    texts.insert(default.unwrap_or(name).to_owned(), value.clone());
                }
            }
            _ => {}
        }
    }
    let mut attributes = Attributes::new(class, name, texts, line);
    attributes.template = template;
    attributes
}

/// The attributes of a tile; none for tiles that the tileset does not list.
pub fn tile_attributes(tile: Option<&Tile<'_>>) -> Attributes {
    tile.map_or_else(Attributes::default, |tile| {
        attributes(&tile.user_type, "", &tile.properties, None)
    })
}

/// The attributes of a tileset, if they say what its tiles are.
pub fn tileset_attributes(tileset: &Tileset) -> Option<Rc<Attributes>> {
    let own = attributes(&tileset.user_type, "", &tileset.properties, None);
    own.stated("tileset", false).map(|_| Rc::new(own))
}

/// A tile in a cell, or shown by an object.
pub struct DrawnTile<'a> {
    pub tileset: &'a Tileset,
    pub id: u32,
    /// `None` for tiles that the tileset does not list.
    pub tile: Option<Tile<'a>>,
    /// Width and height of its image, pixels; zero when it is not known.
    pub size: DVec2,
    /// From the tile's pixels to where it is drawn, relative to the top-left corner
    /// of its cell, or to the position of its object before its rotation.
    pub drawn: DAffine2,
}

impl<'a> DrawnTile<'a> {
    /// The tile of a cell. Tiled puts the bottom-left corner of a tile on that of
    /// its cell, so large tiles extend beyond the top and the right of the cell.
    /// `None` when it has no area.
    pub fn in_cell(tileset: &'a Tileset, tile: &LayerTileData, cell: DVec2) -> Option<Self> {
        let (id, flips) = (tile.id(), [tile.flip_d, tile.flip_h, tile.flip_v]);
        let tile = tileset.get_tile(id);
        let size = tile_size(tileset, tile.as_ref());
        let (filled, corner) = match tileset.tile_render_size {
            TileRenderSize::Tile => (size, offset(tileset)),
            TileRenderSize::Grid => filled(tileset, size, cell, flips),
        };
        let bottom_left = DVec2::new(0.0, cell.y) + corner;
        Some(Self {
            tileset,
            id,
            tile,
            size,
            drawn: drawn(size, filled, flips, bottom_left)?,
        })
    }

    /// The tile that an object of this shape shows. `None` when it has no area.
    pub fn of_object(shown: &'a ObjectTile<'_>, shape: &ObjectShape) -> Option<Self> {
        use ObjectAlignment as A;
        let (tileset, tile) = (shown.get_tileset(), shown.get_tile());
        let own = tile_size(tileset, tile.as_ref());
        let size = match *shape {
            ObjectShape::Rect { width, height } if width != 0.0 || height != 0.0 => {
                DVec2::new(f64::from(width), f64::from(height))
            }
            _ => own,
        };
        // The point of the tile that is at the object's position, as fractions of
        // its size from the top left.
        let (right, down) = match tileset.object_alignment {
            A::TopLeft => (0.0, 0.0),
            A::Top => (0.5, 0.0),
            A::TopRight => (1.0, 0.0),
            A::Left => (0.0, 0.5),
            A::Center => (0.5, 0.5),
            A::Right => (1.0, 0.5),
            A::Unspecified | A::BottomLeft => (0.0, 1.0),
            A::Bottom => (0.5, 1.0),
            A::BottomRight => (1.0, 1.0),
        };
        let flips = [shown.flip_d, shown.flip_h, shown.flip_v];
        let (filled, corner) = filled(tileset, own, size, flips);
        let corner = DVec2::new(-right * size.x, (1.0 - down) * size.y) + corner;
        Some(Self {
            tileset,
            id: shown.id(),
            tile,
            size: own,
            drawn: drawn(own, filled, flips, corner)?,
        })
    }

    /// Where its picture is, if it has one.
    pub fn picture(&self) -> Option<TilePicture> {
        let tileset = self.tileset;
        let (image, part) = if let Some(image) = &tileset.image {
            let part = TilePart::Numbered {
                number: self.id,
                size: [tileset.tile_width, tileset.tile_height],
                margin: tileset.margin,
                spacing: tileset.spacing,
            };
            (image, part)
        } else {
            let tile = self.tile.as_ref()?;
            let part = tile.image_rect.as_ref()?;
            let part = [part.x, part.y, part.width, part.height].map(|v| v.max(0) as u32);
            (tile.image.as_ref()?, TilePart::Rect(part))
        };
        let (image, clear) = file_and_color(image)?;
        Some(TilePicture { image, clear, part })
    }

    /// The tile with its collision shapes, or the whole of it where there is none: `own` are
    /// its attributes, `shared` those of its tileset, `object` the place of the object that
    /// shows it.
    pub fn item(
        &self,
        builder: &mut LevelBuilder<'_>,
        own: Rc<Attributes>,
        shared: Option<Rc<Attributes>>,
        object: Option<&DAffine2>,
    ) -> Result<RawItem, SourceError> {
        let place = object.copied().unwrap_or(DAffine2::IDENTITY);
        let mut parts = Vec::new();
        let shapes = self.tile.as_ref().and_then(|tile| tile.collision.as_ref());
        for shape in shapes.iter().flat_map(|shapes| shapes.object_data()) {
            let own = attributes(&shape.user_type, &shape.name, &shape.properties, None);
            let (number, id, name) = (shape.id(), self.id, &self.tileset.name);
            let origin = format!("object {number} of tile {id} of tileset \"{name}\"");
            let (line, file) = match &own.template {
                Some((line, file)) => (Some(*line), Some(file.as_str())),
                None => (own.line, None),
            };
            let outline = shapes::outline(&shape.shape);
            let outline = builder.outline(outline, file, line, &origin)?;
            // Shapes without extent do not count.
            if !outline.is_empty() {
                let at = shapes::object_transform(shape.x, shape.y, shape.rotation);
                let at = place * (self.drawn * at);
                parts.push(RawPart {
                    own: Some(own),
                    shapes: outline
                        .iter()
                        .map(|shape| shapes::transform(shape, &at))
                        .collect(),
                });
            }
        }
        let has_shapes = !parts.is_empty();
        if !has_shapes {
            let whole = shapes::rectangle(Rect::new(DVec2::ZERO, self.size));
            let at = place * self.drawn;
            parts.push(RawPart {
                own: None,
                shapes: whole
                    .iter()
                    .map(|shape| shapes::transform(shape, &at))
                    .collect(),
            });
        }
        let missing = match self.tileset.properties.get(MISSING_PROPERTY) {
            Some(PropertyValue::StringValue(file)) if !has_shapes => builder.missing(file),
            _ => None,
        };
        let shared = shared.map(|shared| ("tileset", shared));
        let chain = std::iter::once(("tile", own)).chain(shared).collect();
        Ok(RawItem {
            tile: Some((self.tileset.name.clone(), self.id)),
            has_shapes,
            missing,
            ..RawItem::new(chain, parts)
        })
    }
}

/// The name of an image, if it has one, and its colour that is transparent.
pub fn file_and_color(image: &Image) -> Option<(String, Option<[u8; 3]>)> {
    let name = real_name(&image.source);
    let clear = image.transparent_colour;
    let clear = clear.map(|color| [color.red, color.green, color.blue]);
    (!name.is_empty()).then(|| (name.to_owned(), clear))
}

/// Whether a tile is mirrored: first across its diagonal, then left to right,
/// then top to bottom.
type Flips = [bool; 3];

/// Width and height of a tile's image, pixels; zero when it is not known.
fn tile_size(tileset: &Tileset, tile: Option<&Tile<'_>>) -> DVec2 {
    let whole = DVec2::new(tileset.tile_width.into(), tileset.tile_height.into());
    if tileset.image.is_some() {
        return whole;
    }
    tile.and_then(|tile| tile.image.as_ref())
        .map_or(whole, |image| {
            DVec2::new(f64::from(image.width), f64::from(image.height))
        })
}

/// From a tile's pixels to where it is drawn: scaled to `size`, mirrored, the
/// result's bottom-left corner at `corner`. `None` when the tile has no area.
fn drawn(
    tile: DVec2,
    size: DVec2,
    [diagonal, horizontal, vertical]: Flips,
    corner: DVec2,
) -> Option<DAffine2> {
    if tile.min_element() <= 0.0 || size.min_element() <= 0.0 {
        return None;
    }
    let mut matrix = DMat2::from_diagonal(size / tile);
    let mut size = size;
    if diagonal {
        matrix = DMat2::from_cols(DVec2::Y, DVec2::X) * matrix;
        size = size.yx();
    }
    let mut origin = DVec2::new(corner.x, corner.y - size.y);
    let mut mirror = DVec2::ONE;
    if horizontal {
        mirror.x = -1.0;
        origin.x += size.x;
    }
    if vertical {
        mirror.y = -1.0;
        origin.y += size.y;
    }
    Some(DAffine2::from_mat2_translation(
        DMat2::from_diagonal(mirror) * matrix,
        origin,
    ))
}

/// How a tile of the size `image` is scaled to a space, before it is turned: its size,
/// and how far from the bottom-left corner of the space it is drawn. Tiled scales the
/// offset of the tileset too.
fn filled(tileset: &Tileset, image: DVec2, space: DVec2, [diagonal, ..]: Flips) -> (DVec2, DVec2) {
    let mut scale = space / image.max(DVec2::splat(f64::MIN_POSITIVE));
    let mut size = space;
    if tileset.fill_mode == FillMode::PreserveAspectFit {
        scale = DVec2::splat(scale.min_element());
        size = image * scale;
    }
    let spare = (space - size) / 2.0;
    let spare = if diagonal { spare.yx() } else { spare };
    let corner = offset(tileset) * scale + DVec2::new(spare.x, -spare.y);
    (size, corner)
}

/// How far the tiles of a tileset are drawn from their places.
fn offset(tileset: &Tileset) -> DVec2 {
    DVec2::new(f64::from(tileset.offset_x), f64::from(tileset.offset_y))
}
