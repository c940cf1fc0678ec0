//! Outlines of objects as shapes, and shapes in place.

use glam::{DAffine2, DMat2, DVec2};
use tiled::ObjectShape;

use navmesh_bake::{Material, Piece, Rect, Shape, ShapeError};

/// A rotation, clockwise; quarter turns are exact.
fn rotation(degrees: f32) -> DMat2 {
    let degrees = f64::from(degrees).rem_euclid(360.0);
    let angle = degrees.to_radians();
    let (sin, cos) = match degrees {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        // libm gives the same bits on every machine.
        _ => (libm::sin(angle), libm::cos(angle)),
    };
    // y points down, so this is clockwise.
    DMat2::from_cols(DVec2::new(cos, sin), DVec2::new(-sin, cos))
}

/// From an object's own coordinates to those of its layer or tile.
pub fn object_transform(x: f32, y: f32, degrees: f32) -> DAffine2 {
    DAffine2::from_mat2_translation(rotation(degrees), DVec2::new(f64::from(x), f64::from(y)))
}

/// An object's convex pieces relative to its position, before its rotation.
/// Points and texts have none.
pub fn outline(shape: &ObjectShape) -> Result<Vec<Shape>, ShapeError> {
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
        ObjectShape::Ellipse { width, height } => Ok(vec![Shape::ellipse(sized(width, height))?]),
        ObjectShape::Capsule { width, height } => Ok(vec![Shape::capsule(sized(width, height))?]),
        ObjectShape::Polygon { points } => {
            let pieces = Shape::polygon(&vectors(points))?;
            Ok(pieces.into_iter().map(as_box).collect())
        }
        ObjectShape::Polyline { points } => Shape::polyline(&vectors(points)),
        ObjectShape::Point(..) | ObjectShape::Text { .. } => Ok(Vec::new()),
    }
}

/// Points that span an object's bounding box, relative to its position,
/// before its rotation.
pub fn extent(shape: &ObjectShape) -> Vec<DVec2> {
    match shape {
        ObjectShape::Rect { width, height }
        | ObjectShape::Ellipse { width, height }
        | ObjectShape::Capsule { width, height }
        | ObjectShape::Text { width, height, .. } => {
            let size = DVec2::new(f64::from(*width), f64::from(*height));
            Rect::new(DVec2::ZERO, size).corners().to_vec()
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

/// A rectangle as a shape: a thin wall when it has no width or no height,
/// nothing when it has neither.
pub fn rectangle(rect: Rect) -> Vec<Shape> {
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
pub fn as_box(shape: Shape) -> Shape {
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
pub fn transform(shape: &Shape, at: &DAffine2) -> Shape {
    match shape {
        Shape::Box(rect) => {
            let corners = rect.corners().map(|corner| at.transform_point2(corner));
            let [x, y] = [at.matrix2.x_axis, at.matrix2.y_axis];
            if (x.y == 0.0 && y.x == 0.0) || (x.x == 0.0 && y.y == 0.0) {
                let [a, _, b, _] = corners;
                Shape::Box(Rect::new(a.min(b), a.max(b)))
            } else {
                Shape::Convex(corners.to_vec())
            }
        }
        Shape::Convex(points) => {
            Shape::Convex(points.iter().map(|p| at.transform_point2(*p)).collect())
        }
    }
}

/// Shapes moved, turned, scaled or mirrored, as pieces of a material.
pub fn placed(shapes: &[Shape], material: Material, at: &DAffine2) -> Vec<(Shape, Material)> {
    let placed = shapes.iter().map(|shape| transform(shape, at));
    placed.map(|shape| (shape, material)).collect()
}

/// Slanted shapes are kept to this distance from the level at least, and to that
/// of its size, in pixels. Bodies that jump or fall out of the level do not get
/// further.
const MIN_MARGIN: f64 = 2048.0;

/// Cuts off the parts of slanted shapes that no body can get to. The bake takes
/// time and memory for the height of every slanted shape.
pub fn clip(pieces: &mut Vec<Piece>, level: Rect) {
    let margin = DVec2::splat(level.size().max_element().max(MIN_MARGIN));
    let window = Rect::new(level.min - margin, level.max + margin);
    let is_outside = |p: &DVec2| *p != p.clamp(window.min, window.max);
    pieces.retain_mut(|piece| match &mut piece.shape {
        Shape::Convex(points) if points.iter().any(is_outside) => {
            *points = clipped(points, window).unwrap_or_default();
            !points.is_empty()
        }
        _ => true,
    });
}

/// The part of a convex shape in a rectangle; `None` where there is none.
fn clipped(points: &[DVec2], window: Rect) -> Option<Vec<DVec2>> {
    let sides = [
        (0, window.min, 1.0),
        (1, window.min, 1.0),
        (0, window.max, -1.0),
        (1, window.max, -1.0),
    ];
    let mut points = points.to_vec();
    for (axis, corner, sign) in sides {
        let inside = |p: DVec2| (p[axis] - corner[axis]) * sign >= 0.0;
        let next = points.iter().cycle().skip(1);
        let mut kept = Vec::with_capacity(points.len() + 1);
        for (&a, &b) in points.iter().zip(next) {
            if inside(a) {
                kept.push(a);
            }
            if inside(a) != inside(b) {
                let mut cut = a.lerp(b, (corner[axis] - a[axis]) / (b[axis] - a[axis]));
                cut[axis] = corner[axis];
                kept.push(cut);
            }
        }
        // A thin wall is passed there and back, so its cut comes twice.
        kept.dedup();
        if kept.len() > 1 && kept.first() == kept.last() {
            kept.pop();
        }
        points = kept;
    }
    (points.len() > 1).then_some(points)
}
