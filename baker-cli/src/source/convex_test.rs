//! Polygons of any kind become convex pieces that cover them exactly. N1.

use glam::{DVec2, dvec2};
use proptest::prelude::*;

use super::*;

fn points(list: &[(f64, f64)]) -> Vec<DVec2> {
    list.iter().map(|&(x, y)| dvec2(x, y)).collect()
}

fn corners(shape: &Shape) -> Vec<DVec2> {
    match shape {
        Shape::Convex(points) => points.clone(),
        Shape::Box(_) => panic!("a box"),
    }
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

fn check(outline: &[DVec2]) -> usize {
    let pieces = Shape::polygon(outline).unwrap();
    let total: f64 = pieces
        .iter()
        .map(|piece| area2(&corners(piece)).abs())
        .sum();
    assert!(
        (total - area2(outline).abs()).abs() <= 1e-9 * total.max(1.0),
        "areas differ: {total} {}",
        area2(outline)
    );
    for piece in &pieces {
        let piece = corners(piece);
        assert!(piece.iter().all(|p| outline.contains(p)), "a new corner");
        for i in 0..piece.len() {
            let n = piece.len();
            assert!(side(piece[i], piece[(i + 1) % n], piece[(i + 2) % n]) >= 0.0);
        }
        let centre = piece.iter().sum::<DVec2>() / piece.len() as f64;
        assert!(inside(outline, centre), "a piece lies outside");
    }
    pieces.len()
}

#[test]
fn convex_polygons_stay_whole() {
    let square = points(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 4.0), (0.0, 4.0)]);
    assert_eq!(check(&square), 1);
    let mut reversed = square;
    reversed.reverse();
    assert_eq!(check(&reversed), 1);
}

#[test]
fn concave_polygons_are_cut() {
    let l = [(0., 0.), (1., 0.), (1., 1.), (2., 1.), (2., 2.), (0., 2.)];
    assert_eq!(check(&points(&l)), 2);
    let comb = [
        (0., 0.),
        (7., 0.),
        (7., 5.),
        (6., 5.),
        (6., 1.),
        (4., 1.),
        (4., 5.),
        (3., 5.),
        (3., 1.),
        (1., 1.),
        (1., 5.),
        (0., 5.),
    ];
    assert!(check(&points(&comb)) <= 5);
    let star: Vec<DVec2> = (0..10)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::PI / 5.0;
            dvec2(libm::cos(angle), libm::sin(angle)) * if i % 2 == 0 { 9.0 } else { 3.0 }
        })
        .collect();
    check(&star);
}

/// As many points as maps may have, in the shapes that take longest to cut.
#[test]
fn large_outlines_are_cut() {
    let spiral = |turns: f64, reverse: bool| {
        let arm = |grow: f64| {
            (0..999).map(move |i| {
                let angle = turns * std::f64::consts::TAU * f64::from(i) / 998.0;
                dvec2(libm::cos(angle), libm::sin(angle)) * (20.0 + 10.0 * angle + grow)
            })
        };
        let mut outline: Vec<DVec2> = arm(0.0)
            .chain(arm(30.0).collect::<Vec<_>>().into_iter().rev())
            .collect();
        if reverse {
            outline.reverse();
        }
        outline
    };
    check(&spiral(8.0, false));
    check(&spiral(8.0, true));
    let comb: Vec<DVec2> = (0..999)
        .map(|i| {
            dvec2(
                f64::from(i),
                if i % 2 == 0 {
                    0.0
                } else {
                    500.0 + f64::from(i % 7)
                },
            )
        })
        .chain([dvec2(998.0, -5.0), dvec2(0.0, -5.0)])
        .collect();
    check(&comb);
}

#[test]
fn outlines_may_touch_themselves() {
    // A square with a square hole, connected by an edge in both directions.
    let keyhole = [
        (0., 0.),
        (9., 0.),
        (9., 9.),
        (0., 9.),
        (0., 0.),
        (3., 3.),
        (3., 6.),
        (6., 6.),
        (6., 3.),
        (3., 3.),
    ];
    check(&points(&keyhole));
    // Two triangles that meet in a point, with the same winding order.
    let meeting = [(0., 0.), (4., 0.), (2., 2.), (4., 4.), (0., 4.), (2., 2.)];
    check(&points(&meeting));
    // A corner that touches the opposite side.
    let touching = [(0., 0.), (8., 0.), (8., 4.), (4., 0.), (0., 4.)];
    let pieces = Shape::polygon(&points(&touching)).unwrap();
    assert_eq!(pieces.len(), 2);
}

#[test]
fn outlines_must_not_cross_themselves() {
    for crossing in [
        // A bow tie; a pentagram; a bow tie whose crossing is a corner.
        vec![(0., 0.), (4., 4.), (4., 0.), (0., 4.)],
        vec![(0., 3.), (10., 3.), (2., 9.), (5., 0.), (8., 9.)],
        vec![(0., 0.), (2., 2.), (4., 4.), (4., 0.), (2., 2.), (0., 4.)],
        // Through a side at one of its corners, and back elsewhere.
        vec![
            (0., 0.),
            (8., 0.),
            (8., 8.),
            (4., 0.),
            (2., -3.),
            (1., 8.),
            (0., 8.),
        ],
    ] {
        assert_eq!(
            Shape::polygon(&points(&crossing)),
            Err(ShapeError::SelfCrossing),
            "{crossing:?}"
        );
    }
}

#[test]
fn degenerate_outlines_are_walls_or_errors() {
    let line = points(&[(0., 0.), (4., 2.), (2., 1.), (8., 4.)]);
    assert_eq!(
        Shape::polygon(&line),
        Ok(vec![Shape::Convex(points(&[(0., 0.), (8., 4.)]))])
    );
    assert_eq!(
        Shape::polygon(&points(&[(1., 1.); 5])),
        Err(ShapeError::TooFew)
    );
    assert_eq!(Shape::polygon(&[]), Err(ShapeError::TooFew));
    for bad in [f64::NAN, f64::INFINITY, 2e7] {
        assert_eq!(
            Shape::polygon(&points(&[(0., 0.), (bad, 0.), (0., 1.)])),
            Err(ShapeError::Range)
        );
    }
    assert_eq!(
        Shape::polyline(&points(&[(1., 1.), (1., 1.)])),
        Err(ShapeError::TooFew)
    );
    assert_eq!(
        Shape::polyline(&points(&[(0., 0.), (1., 0.), (1., 0.), (1., 5.)]))
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn round_shapes_touch_their_bounds() {
    let bounds = Rect::new(dvec2(10., 20.), dvec2(50., 100.));
    for shape in [
        Shape::ellipse(bounds).unwrap(),
        Shape::capsule(bounds).unwrap(),
    ] {
        let points = corners(&shape);
        let (mut low, mut high) = (points[0], points[0]);
        for &p in &points {
            low = low.min(p);
            high = high.max(p);
        }
        assert_eq!((low, high), (bounds.min, bounds.max));
        assert!(points.len() >= 12);
        let n = points.len();
        for i in 0..n {
            assert!(side(points[i], points[(i + 1) % n], points[(i + 2) % n]) > 0.0);
        }
    }
    // Within the tolerance, at the largest step.
    let ellipse = corners(&Shape::ellipse(Rect::new(dvec2(-40., -40.), dvec2(40., 40.))).unwrap());
    let n = ellipse.len();
    for i in 0..n {
        let middle = (ellipse[i] + ellipse[(i + 1) % n]) / 2.0;
        assert!(middle.length() >= 40.0 - ELLIPSE_TOLERANCE - 1e-9);
    }
    let flat = Rect::new(dvec2(0., 5.), dvec2(8., 5.));
    assert_eq!(
        corners(&Shape::ellipse(flat).unwrap()),
        points(&[(0., 5.), (8., 5.)])
    );
    let point = Rect::new(dvec2(1., 1.), dvec2(1., 1.));
    assert_eq!(Shape::ellipse(point), Err(ShapeError::TooFew));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Star-shaped outlines are simple; their pieces have the same area.
    #[test]
    fn pieces_of_star_shaped_polygons_have_their_area(radii in prop::collection::vec(1u32..40, 3..40)) {
        let n = radii.len() as f64;
        let outline: Vec<DVec2> = radii
            .iter()
            .enumerate()
            .map(|(i, &r)| {
                let angle = std::f64::consts::TAU * i as f64 / n;
                // Integer coordinates as in maps, with collinear and repeated
                // corners.
                (dvec2(libm::cos(angle), libm::sin(angle)) * f64::from(r) * 8.0).round()
            })
            .collect();
        // Rounding can make edges cross; such outlines are refused.
        if let Ok(pieces) = Shape::polygon(&outline) {
            let total: f64 = pieces.iter().map(|piece| area2(&corners(piece)).abs()).sum();
            prop_assert!((total - area2(&outline).abs()).abs() <= 1e-6);
        }
    }

    /// Any points give convex pieces or an error, never a panic.
    #[test]
    fn any_outline_gives_convex_pieces_or_an_error(list in prop::collection::vec((0i8..12, 0i8..12), 0..14)) {
        let outline: Vec<DVec2> = list
            .iter()
            .map(|&(x, y)| dvec2(f64::from(x), f64::from(y)))
            .collect();
        if let Ok(pieces) = Shape::polygon(&outline) {
            for piece in &pieces {
                let piece = corners(piece);
                let n = piece.len();
                for i in 0..n {
                    prop_assert!(side(piece[i], piece[(i + 1) % n], piece[(i + 2) % n]) >= 0.0);
                }
            }
        }
    }
}
