//! Where things are drawn: objects' outlines, tiles' places, flips and turns.

use glam::{DAffine2, DMat2, DVec2};
use tiled::{FillMode, ObjectAlignment, ObjectShape, Tile, TileRenderSize, Tileset};

use crate::source::level::{Rect, Shape, ShapeError};

/// How a tile is mirrored: first across its diagonal, then left to right, then
/// top to bottom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Flips {
    pub(super) diagonal: bool,
    pub(super) horizontal: bool,
    pub(super) vertical: bool,
}

/// Width and height of a tile's image, pixels; zero when it is not known.
pub(super) fn tile_size(tileset: &Tileset, tile: Option<&Tile<'_>>) -> DVec2 {
    let whole = DVec2::new(
        f64::from(tileset.tile_width),
        f64::from(tileset.tile_height),
    );
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
fn drawn(tile: DVec2, size: DVec2, flips: Flips, corner: DVec2) -> Option<DAffine2> {
    if tile.min_element() <= 0.0 || size.min_element() <= 0.0 {
        return None;
    }
    let mut matrix = DMat2::from_diagonal(size / tile);
    let mut size = size;
    if flips.diagonal {
        matrix = DMat2::from_cols(DVec2::Y, DVec2::X) * matrix;
        size = DVec2::new(size.y, size.x);
    }
    let mut origin = DVec2::new(corner.x, corner.y - size.y);
    let mut mirror = DVec2::ONE;
    if flips.horizontal {
        mirror.x = -1.0;
        origin.x += size.x;
    }
    if flips.vertical {
        mirror.y = -1.0;
        origin.y += size.y;
    }
    Some(DAffine2::from_mat2_translation(
        DMat2::from_diagonal(mirror) * matrix,
        origin,
    ))
}

/// Where a cell's tile is drawn relative to the cell's top-left corner. Tiled
/// puts the bottom-left corner of a tile on that of its cell, so large tiles
/// stand out over the top and to the right.
pub(super) fn tile_in_cell(
    tileset: &Tileset,
    tile: DVec2,
    cell: DVec2,
    flips: Flips,
) -> Option<DAffine2> {
    let offset = DVec2::new(f64::from(tileset.offset_x), f64::from(tileset.offset_y));
    let bottom_left = DVec2::new(0.0, cell.y) + offset;
    match (tileset.tile_render_size, tileset.fill_mode) {
        (TileRenderSize::Tile, _) => drawn(tile, tile, flips, bottom_left),
        (TileRenderSize::Grid, FillMode::Stretch) => {
            // The whole cell, turned or not.
            let size = if flips.diagonal {
                DVec2::new(cell.y, cell.x)
            } else {
                cell
            };
            drawn(tile, size, flips, bottom_left)
        }
        (TileRenderSize::Grid, FillMode::PreserveAspectFit) => {
            let turned = if flips.diagonal {
                DVec2::new(tile.y, tile.x)
            } else {
                tile
            };
            let scale = (cell / turned.max(DVec2::splat(f64::MIN_POSITIVE))).min_element();
            let spare = (cell - turned * scale) / 2.0;
            let corner = bottom_left + DVec2::new(spare.x, -spare.y);
            drawn(tile, tile * scale, flips, corner)
        }
    }
}

/// Where a tile object is drawn relative to its position, before its rotation.
pub(super) fn tile_of_object(
    tileset: &Tileset,
    tile: DVec2,
    size: DVec2,
    flips: Flips,
) -> Option<DAffine2> {
    use ObjectAlignment as A;
    // Which point of the tile stands at the object's position, as fractions of
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
    let offset = DVec2::new(f64::from(tileset.offset_x), f64::from(tileset.offset_y));
    let scale = size / tile.max(DVec2::splat(f64::MIN_POSITIVE));
    let corner = DVec2::new(-right * size.x, (1.0 - down) * size.y) + offset * scale;
    drawn(tile, size, flips, corner)
}

/// The turn of an object about its position, clockwise; quarter turns are
/// exact.
pub(super) fn turn(degrees: f32) -> DMat2 {
    let degrees = f64::from(degrees).rem_euclid(360.0);
    let (sin, cos) = if degrees == 0.0 {
        (0.0, 1.0)
    } else if degrees == 90.0 {
        (1.0, 0.0)
    } else if degrees == 180.0 {
        (0.0, -1.0)
    } else if degrees == 270.0 {
        (-1.0, 0.0)
    } else {
        // Of libm, so that every machine gets the same bits.
        let angle = degrees.to_radians();
        (libm::sin(angle), libm::cos(angle))
    };
    // y points down, so this is clockwise to the eye.
    DMat2::from_cols(DVec2::new(cos, sin), DVec2::new(-sin, cos))
}

/// From an object's own coordinates to those of what holds it.
pub(super) fn object_place(x: f32, y: f32, rotation: f32) -> DAffine2 {
    DAffine2::from_mat2_translation(turn(rotation), DVec2::new(f64::from(x), f64::from(y)))
}

/// An object's convex pieces relative to its position, before its rotation.
/// Points and texts have none.
pub(super) fn outline(shape: &ObjectShape) -> Result<Vec<Shape>, ShapeError> {
    let sized = |width: &f32, height: &f32| {
        let corner = DVec2::new(f64::from(*width), f64::from(*height));
        Rect::new(corner.min(DVec2::ZERO), corner.max(DVec2::ZERO))
    };
    match shape {
        ObjectShape::Rect { width, height } => Ok(rectangle(sized(width, height))),
        ObjectShape::Ellipse { width, height } | ObjectShape::Capsule { width, height }
            if *width == 0.0 && *height == 0.0 =>
        {
            Ok(Vec::new())
        }
        ObjectShape::Ellipse { width, height } => {
            Shape::ellipse(sized(width, height)).map(|shape| vec![shape])
        }
        ObjectShape::Capsule { width, height } => {
            Shape::capsule(sized(width, height)).map(|shape| vec![shape])
        }
        ObjectShape::Polygon { points } => Ok(Shape::polygon(&vectors(points))?
            .into_iter()
            .map(as_box)
            .collect()),
        ObjectShape::Polyline { points } => Shape::polyline(&vectors(points)),
        ObjectShape::Point(..) | ObjectShape::Text { .. } => Ok(Vec::new()),
    }
}

/// The points an object's bounding box is spanned by, relative to its
/// position, before its rotation.
pub(super) fn extent(shape: &ObjectShape) -> Vec<DVec2> {
    match shape {
        ObjectShape::Rect { width, height }
        | ObjectShape::Ellipse { width, height }
        | ObjectShape::Capsule { width, height }
        | ObjectShape::Text { width, height, .. } => {
            let (w, h) = (f64::from(*width), f64::from(*height));
            vec![
                DVec2::ZERO,
                DVec2::new(w, 0.0),
                DVec2::new(w, h),
                DVec2::new(0.0, h),
            ]
        }
        ObjectShape::Polygon { points } | ObjectShape::Polyline { points } => vectors(points),
        ObjectShape::Point(..) => vec![DVec2::ZERO],
    }
}

fn vectors(points: &[(f32, f32)]) -> Vec<DVec2> {
    points
        .iter()
        .map(|&(x, y)| DVec2::new(f64::from(x), f64::from(y)))
        .collect()
}

/// A rectangle, a thin wall when it has no width or no height, nothing when it
/// has neither.
pub(super) fn rectangle(rect: Rect) -> Vec<Shape> {
    let size = rect.size();
    if size == DVec2::ZERO {
        Vec::new()
    } else if size.min_element() == 0.0 {
        vec![Shape::Convex(vec![rect.min, rect.max])]
    } else {
        vec![Shape::Box(rect)]
    }
}

/// A quadrilateral that is an upright rectangle, as a box: boxes can be merged.
fn as_box(shape: Shape) -> Shape {
    let Shape::Convex(points) = &shape else {
        return shape;
    };
    let [a, b, c, d] = points[..] else {
        return shape;
    };
    let upright = (a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y)
        || (a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x);
    if upright {
        Shape::Box(Rect::new(a.min(c), a.max(c)))
    } else {
        shape
    }
}

/// A shape moved, turned, scaled or mirrored.
pub(super) fn place(shape: &Shape, at: &DAffine2) -> Shape {
    match shape {
        Shape::Box(rect) => {
            let corners = [
                rect.min,
                DVec2::new(rect.max.x, rect.min.y),
                rect.max,
                DVec2::new(rect.min.x, rect.max.y),
            ]
            .map(|corner| at.transform_point2(corner));
            let [x, y] = [at.matrix2.x_axis, at.matrix2.y_axis];
            if (x.y == 0.0 && y.x == 0.0) || (x.x == 0.0 && y.y == 0.0) {
                Shape::Box(Rect::new(
                    corners[0].min(corners[2]),
                    corners[0].max(corners[2]),
                ))
            } else {
                Shape::Convex(corners.to_vec())
            }
        }
        Shape::Convex(points) => {
            Shape::Convex(points.iter().map(|p| at.transform_point2(*p)).collect())
        }
    }
}

/// The bounding box of some points; `None` without any.
pub(super) fn bounds(points: impl IntoIterator<Item = DVec2>) -> Option<Rect> {
    points.into_iter().fold(None, |bounds, point| {
        Some(match bounds {
            None => Rect::new(point, point),
            Some(Rect { min, max }) => Rect::new(min.min(point), max.max(point)),
        })
    })
}
