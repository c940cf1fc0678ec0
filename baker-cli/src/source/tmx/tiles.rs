//! Tiles: their attributes, size, collision shapes, and where they are drawn.

use std::collections::BTreeMap;

use glam::{DAffine2, DMat2, DVec2, Vec2Swizzles as _};
use tiled::{
    FillMode, Image, LayerTileData, ObjectAlignment, ObjectShape, ObjectTile, Properties,
    PropertyValue, Tile, TileRenderSize, Tileset,
};

use super::crate_reader::real_name;
use super::guard::{DEFAULT_PREFIX, LINE_PROPERTY, MISSING_PROPERTY, SOURCE_PROPERTY};
use crate::source::classify::{
    Attributes, Classification, Item, LayerObject, LevelBuilder, LevelLayer,
};
use crate::source::error::SourceError;
use crate::source::shapes;
use crate::source::tile_picture::{FullTile, TilePart, TilePicture};
use navmesh_bake::{Material, Rect, Shape};

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
pub fn tileset_attributes(tileset: &Tileset) -> Option<Attributes> {
    let own = attributes(&tileset.user_type, "", &tileset.properties, None);
    own.declares().then_some(own)
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

/// What a tile is in a layer.
pub struct ClassifiedTile {
    /// The pieces of collision.
    pub pieces: Vec<(Shape, Material)>,
    /// The numbers of the classifications in the layer's summary.
    pub numbers: Vec<usize>,
    /// It is a full block only because of the layer.
    pub full: Option<FullTile>,
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

    /// Classifies every collision shape drawn on the tile, or the whole tile where
    /// there is none; `own` are its attributes, `shared` those of its tileset.
    pub fn classify(
        &self,
        builder: &mut LevelBuilder<'_>,
        layer: &mut LevelLayer,
        own: &Attributes,
        shared: Option<&Attributes>,
        object: Option<&LayerObject<'_>>,
    ) -> Result<ClassifiedTile, SourceError> {
        let mut parts = Vec::new();
        let shapes = self.tile.as_ref().and_then(|tile| tile.collision.as_ref());
        for shape in shapes.iter().flat_map(|shapes| shapes.object_data()) {
            let attributes = attributes(&shape.user_type, &shape.name, &shape.properties, None);
            let (number, id, name) = (shape.id(), self.id, &self.tileset.name);
            let place = format!("object {number} of tile {id} of tileset \"{name}\"");
            let (line, file) = match &attributes.template {
                Some((line, file)) => (Some(*line), Some(file.as_str())),
                None => (attributes.line, None),
            };
            let outline = shapes::outline(&shape.shape);
            let outline = builder.outline(outline, file, line, &place)?;
            // Shapes without extent do not count.
            if !outline.is_empty() {
                let at = shapes::object_transform(shape.x, shape.y, shape.rotation);
                parts.push((Some(attributes), outline, self.drawn * at));
            }
        }
        let has_shapes = !parts.is_empty();
        if !has_shapes {
            let whole = shapes::rectangle(Rect::new(DVec2::ZERO, self.size));
            parts.push((None, whole, self.drawn));
        }
        let mut pieces = Vec::new();
        let mut numbers = Vec::new();
        let tileset = self.tileset.name.to_lowercase();
        for (shape, outline, at) in &parts {
            let owner = object.map(|object| ("object", object.attributes));
            let shape = shape.as_ref().map(|shape| ("shape", shape));
            let chain = owner.into_iter().chain(shape);
            let shared = shared.map(|shared| ("tileset", shared));
            let chain: Vec<_> = chain.chain([("tile", own)]).chain(shared).collect();
            let item = Item {
                tile: Some((&tileset, self.id)),
                chain: &chain,
                has_shapes,
                is_object: object.is_some(),
            };
            let classification = builder.classifier.item(&item, layer);
            let number = layer.summary.number(&classification);
            if let Some(object) = object.filter(|_| numbers.is_empty()) {
                let names = object.names(Some(own));
                layer.summary.note_object(&classification, &names);
            }
            if !numbers.contains(&number) {
                numbers.push(number);
            }
            if let Classification::Collision(material, _) = classification {
                let at = object.map_or(*at, |object| object.at * *at);
                pieces.extend(shapes::placed(outline, material, &at));
            }
        }
        // Of a tileset that does not exist, nothing says whether its tiles have shapes,
        // so they must not be solid as a whole.
        if !has_shapes
            && !pieces.is_empty()
            && let Some(PropertyValue::StringValue(file)) =
                self.tileset.properties.get(MISSING_PROPERTY)
        {
            builder.check_exists(file)?;
        }
        let is_block = !has_shapes && matches!(pieces.as_slice(), [(_, Material::Solid)]);
        let mut all = numbers.iter();
        let is_full = is_block && all.all(|&number| layer.summary.is_of_layer(number));
        let full = is_full.then(|| FullTile {
            tileset: self.tileset.name.clone(),
            id: self.id,
            picture: self.picture(),
        });
        Ok(ClassifiedTile {
            pieces,
            numbers,
            full,
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
