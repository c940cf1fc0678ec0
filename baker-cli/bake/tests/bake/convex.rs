//! Polygons of any kind become convex pieces that cover them exactly.

use glam::{DVec2, dvec2};
use navmesh_bake::{Rect, Shape, ShapeError};
use proptest::prelude::*;
use robust::{Coord, orient2d};

use crate::random_cases;

/// How far an ellipse may extend beyond the polygon that approximates it, pixels.
const ELLIPSE_TOLERANCE: f64 = 0.125;

/// Points, written as in Tiled.
fn points(list: &str) -> Vec<DVec2> {
    let pairs = list.split(' ').map(|pair| pair.split_once(',').unwrap());
    pairs
        .map(|(x, y)| dvec2(x.parse().unwrap(), y.parse().unwrap()))
        .collect()
}

fn corners(shape: &Shape) -> Vec<DVec2> {
    match shape {
        Shape::Convex(points) => points.clone(),
        Shape::Box(_) => panic!("a box"),
    }
}

/// The point at a fraction of a full turn.
fn polar(turn: f64, radius: f64) -> DVec2 {
    let angle = std::f64::consts::TAU * turn;
    dvec2(libm::cos(angle), libm::sin(angle)) * radius
}

/// Twice the signed area, by the shoelace formula.
fn area2(points: &[DVec2]) -> f64 {
    (0..points.len())
        .map(|i| points[i].perp_dot(points[(i + 1) % points.len()]))
        .sum()
}

/// Strictly inside by crossing number; not used for points on the outline.
fn inside(outline: &[DVec2], p: DVec2) -> bool {
    let mut odd = false;
    for i in 0..outline.len() {
        let (a, b) = (outline[i], outline[(i + 1) % outline.len()]);
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            odd = !odd;
        }
    }
    odd
}

/// Whether the outline turns left at each corner (y up), exactly: positive when it does.
fn turns(piece: &[DVec2]) -> Vec<f64> {
    let at = |i: usize| {
        let DVec2 { x, y } = piece[i % piece.len()];
        Coord { x, y }
    };
    (0..piece.len())
        .map(|i| orient2d(at(i), at(i + 1), at(i + 2)))
        .collect()
}

/// Checks that the pieces are convex, together have the area of the outline,
/// and have no corners of their own. Returns their number.
fn check(outline: &[DVec2]) -> usize {
    let pieces = Shape::polygon(outline).unwrap();
    let pieces: Vec<_> = pieces.iter().map(corners).collect();
    let total: f64 = pieces.iter().map(|piece| area2(piece).abs()).sum();
    assert!(
        (total - area2(outline).abs()).abs() <= 1e-9 * total.max(1.0),
        "areas differ: {total} {}",
        area2(outline)
    );
    for piece in &pieces {
        assert!(piece.iter().all(|p| outline.contains(p)), "a new corner");
        assert!(turns(piece).iter().all(|turn| *turn >= 0.0));
        let centre = piece.iter().sum::<DVec2>() / piece.len() as f64;
        assert!(inside(outline, centre), "a piece lies outside");
    }
    pieces.len()
}

#[test]
fn polygons_are_cut_into_few_pieces() {
    for (outline, most) in [
        ("0,0 4,0 4,4 2,4 0,4", 1),
        ("0,0 1,0 1,1 2,1 2,2 0,2", 2),
        ("0,0 7,0 7,5 6,5 6,1 4,1 4,5 3,5 3,1 1,1 1,5 0,5", 5),
        // A square with a square hole, connected by an edge in both directions.
        ("0,0 9,0 9,9 0,9 0,0 3,3 3,6 6,6 6,3 3,3", 8),
        // Two triangles that meet in a point, with the same winding order.
        ("0,0 4,0 2,2 4,4 0,4 2,2", 3),
    ] {
        let mut outline = points(outline);
        assert!(check(&outline) <= most, "{outline:?}");
        outline.reverse();
        assert!(check(&outline) <= most, "{outline:?}");
    }
    // A first corner that is repeated at the end, and a spike there.
    let corner = points("0,0 4,0 4,4");
    for repeated in [
        "0,0 4,0 4,4 0,0",
        "0,0 0,0 4,0 4,4 0,0 0,0",
        "-2,0 0,0 4,4 4,0 0,0",
    ] {
        let pieces = Shape::polygon(&points(repeated)).unwrap();
        let [Shape::Convex(found)] = &pieces[..] else {
            panic!("{repeated}: {pieces:?}");
        };
        let is_found = |at: &DVec2| found.contains(at);
        assert!(
            found.len() == 3 && corner.iter().all(is_found),
            "{repeated}: {found:?}"
        );
    }
    let radius = |i| if i % 2 == 0 { 9.0 } else { 3.0 };
    let star = (0..10).map(|i| polar(f64::from(i) / 10.0, radius(i)));
    check(&star.collect::<Vec<_>>());
    // A corner that touches the opposite side.
    let touching = Shape::polygon(&points("0,0 8,0 8,4 4,0 0,4")).unwrap();
    assert_eq!(touching.len(), 2);
}

/// As many points as maps may have, in the shapes that take longest to cut.
#[test]
fn large_outlines_are_cut() {
    let arm = |grow: f64| {
        (0..999).map(move |i| {
            let turn = 8.0 * f64::from(i) / 998.0;
            polar(turn, 20.0 + 10.0 * std::f64::consts::TAU * turn + grow)
        })
    };
    let back: Vec<DVec2> = arm(30.0).collect();
    let mut spiral: Vec<DVec2> = arm(0.0).chain(back.into_iter().rev()).collect();
    check(&spiral);
    spiral.reverse();
    check(&spiral);
    let height = |i| f64::from(i % 2 * (500 + i % 7));
    let teeth = (0..999).map(|i| dvec2(f64::from(i), height(i)));
    let comb: Vec<DVec2> = teeth.chain(points("998,-5 0,-5")).collect();
    check(&comb);
}

#[test]
fn outlines_must_not_cross_themselves() {
    for crossing in [
        // A bow tie; a pentagram; a bow tie whose crossing is a corner.
        "0,0 4,4 4,0 0,4",
        "0,3 10,3 2,9 5,0 8,9",
        "0,0 2,2 4,4 4,0 2,2 0,4",
        // Through a side at one of its corners, and back elsewhere.
        "0,0 8,0 8,8 4,0 2,-3 1,8 0,8",
    ] {
        let shapes = Shape::polygon(&points(crossing));
        assert_eq!(shapes, Err(ShapeError::SelfCrossing), "{crossing}");
    }
}

#[test]
fn degenerate_outlines_are_walls_or_errors() {
    let wall = Shape::Convex(points("0,0 8,4"));
    let line = points("0,0 4,2 2,1 8,4");
    assert_eq!(Shape::polygon(&line), Ok(vec![wall]));
    let walls = Shape::polyline(&points("0,0 1,0 1,0 1,5")).unwrap();
    assert_eq!(walls.len(), 2);
    let point = [DVec2::ONE; 5];
    assert_eq!(Shape::polygon(&point), Err(ShapeError::TooFew));
    assert_eq!(Shape::polyline(&point), Err(ShapeError::TooFew));
    assert_eq!(Shape::polygon(&[]), Err(ShapeError::TooFew));
    for bad in [f64::NAN, f64::INFINITY, 2e7] {
        let outline = [DVec2::ZERO, dvec2(bad, 0.0), DVec2::Y];
        assert_eq!(Shape::polygon(&outline), Err(ShapeError::Range));
    }
}

#[test]
fn round_shapes_touch_their_bounds() {
    let bounds = Rect::new(dvec2(10., 20.), dvec2(50., 100.));
    for shape in [Shape::ellipse(bounds), Shape::capsule(bounds)] {
        let points = corners(&shape.unwrap());
        let low = points.iter().copied().reduce(DVec2::min);
        let high = points.iter().copied().reduce(DVec2::max);
        assert_eq!((low, high), (Some(bounds.min), Some(bounds.max)));
        assert!(points.len() >= 12);
        assert!(turns(&points).iter().all(|turn| *turn > 0.0));
    }
    // Within the tolerance, at the largest step.
    let circle = Rect::new(dvec2(-40., -40.), dvec2(40., 40.));
    let circle = corners(&Shape::ellipse(circle).unwrap());
    for (i, point) in circle.iter().enumerate() {
        let middle = (point + circle[(i + 1) % circle.len()]) / 2.0;
        assert!(middle.length() >= 40.0 - ELLIPSE_TOLERANCE - 1e-9);
    }
    let flat = Shape::ellipse(Rect::new(dvec2(0., 5.), dvec2(8., 5.)));
    assert_eq!(corners(&flat.unwrap()), points("0,5 8,5"));
    let point = Rect::new(DVec2::ONE, DVec2::ONE);
    assert_eq!(Shape::ellipse(point), Err(ShapeError::TooFew));
}

proptest! {
    #![proptest_config(random_cases::cases(200))]

    /// Star-shaped outlines are simple; their pieces have the same area.
    #[test]
    fn pieces_of_star_shaped_polygons_have_their_area(radii in prop::collection::vec(1u32..40, 3..40)) {
        // Integer coordinates as in maps, with collinear and repeated corners.
        let corner = |(i, &r): (usize, &u32)| {
            polar(i as f64 / radii.len() as f64, f64::from(r) * 8.0).round()
        };
        let outline: Vec<DVec2> = radii.iter().enumerate().map(corner).collect();
        // Rounding can make edges cross; such outlines are refused.
        if let Ok(pieces) = Shape::polygon(&outline) {
            let total: f64 = pieces.iter().map(|piece| area2(&corners(piece)).abs()).sum();
            prop_assert!((total - area2(&outline).abs()).abs() <= 1e-6);
        }
    }

    /// Any points give convex pieces or an error, never a panic.
    #[test]
    fn any_outline_gives_convex_pieces_or_an_error(list in prop::collection::vec((0i8..12, 0i8..12), 0..14)) {
        let point = |&(x, y): &(i8, i8)| dvec2(f64::from(x), f64::from(y));
        let outline: Vec<DVec2> = list.iter().map(point).collect();
        for piece in Shape::polygon(&outline).unwrap_or_default() {
            prop_assert!(turns(&corners(&piece)).iter().all(|turn| *turn >= 0.0));
        }
    }
}
