//! Both configuration spaces agree with brute force, and the way between free
//! neighbours is free.

use crate::common;
use crate::random_cases;

use common::{Geometry, Tiles, on_floor, rows, tiles};
use glam::DVec2;
use navmesh_bake::tools::{Body, ConfigurationSpace, Interval, configuration_space};
use navmesh_bake::{Collision, Material, Piece, Shape};
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use proptest::prelude::*;

const SKIN: f64 = 1e-6;

fn shape(body: DVec2) -> Body {
    Body {
        size: body,
        skin: SKIN,
        ..Body::default()
    }
}

fn spaces(world: &Tiles, body: DVec2) -> [Box<dyn ConfigurationSpace>; 2] {
    [
        configuration_space(&world.level(), None, &[], shape(body)),
        configuration_space(&world.bitmap(), None, &[], shape(body)),
    ]
}

/// Bodies and points on a fine lattice, so that touching happens often.
fn quarter(range: std::ops::Range<i32>) -> impl Strategy<Value = f64> {
    range.prop_map(|v| f64::from(v) * 0.25)
}

/// A slope that goes up to the right, for a body 4 wide and 6 high.
#[test]
fn a_slope_is_grown_by_the_body() {
    let corners = [(0.0, 10.0), (10.0, 0.0), (10.0, 10.0)];
    let mut level = rows::level("slope", 10, &["."]);
    level.collision = Collision::Shapes(vec![Piece {
        shape: Shape::Convex(corners.map(DVec2::from).to_vec()),
        material: Material::Solid,
        origin: 0,
    }]);
    let space = configuration_space(&level, None, &[], shape(DVec2::new(4.0, 6.0)));

    // The slope begins half a body early.
    let tops = space.top_edges(Interval::EVERYTHING);
    let ends: Vec<_> = tops.iter().map(|top| (top.left, top.right)).collect();
    let [foot, corner, end] = [(-2.0, 10.0), (8.0, 0.0), (12.0, 0.0)].map(DVec2::from);
    assert_eq!(ends, [(foot, corner), (corner, end)]);

    let blocked = |band: Interval| {
        let mut out = Vec::new();
        space.blocked_x(band, Interval::new(-40.0, 40.0), &mut out);
        out
    };
    let inside = Interval::new(3.0, 12.0);
    assert_eq!(blocked(Interval::at(5.0)), [inside]);
    assert_eq!(blocked(Interval::new(2.0, 5.0)), [inside]);
    assert_eq!(blocked(Interval::at(0.0)), []);
    let blocked_at = |x: f64| space.blocked(DVec2::new(x, 5.0));
    assert!(blocked_at(3.1) && !blocked_at(3.0) && !blocked_at(2.9));

    // A piece does not cover its own edge.
    let mut covered = Vec::new();
    space.covered([tops[0].left, tops[0].right], &mut covered);
    assert_eq!(covered, []);
    space.covered(
        [DVec2::new(-10.0, 5.0), DVec2::new(20.0, 5.0)],
        &mut covered,
    );
    assert_eq!(covered, [inside]);
    // An upright line through it: the slope is at the height 5 there.
    space.covered(
        [DVec2::new(3.0, -10.0), DVec2::new(3.0, 30.0)],
        &mut covered,
    );
    assert_eq!(covered, [Interval::new(5.0, 16.0)]);
}

proptest! {
    #![proptest_config(random_cases::cases(80))]

    #[test]
    fn shapes_pixels_and_brute_force_agree_on_blocked(
        world in tiles(3..14, 3..10, 8),
        (w, h) in (quarter(1..60), quarter(1..60)),
        points in prop::collection::vec((quarter(-40..500), quarter(-40..400)), 60),
    ) {
        let body = DVec2::new(w, h);
        let [shapes, pixels] = spaces(&world, body);
        for (x, y) in points {
            let p = DVec2::new(x, y);
            let expected = world.blocked(p, body, SKIN);
            prop_assert_eq!(shapes.blocked(p), expected, "shapes at {}", p);
            prop_assert_eq!(pixels.blocked(p), expected, "pixels at {}", p);
        }
    }

    #[test]
    fn blocked_intervals_are_where_some_height_is_blocked(
        world in tiles(3..14, 3..10, 8),
        (w, h) in (quarter(1..60), quarter(1..60)),
        (top, height) in (quarter(-20..320), quarter(0..80)),
    ) {
        let body = DVec2::new(w, h);
        let band = Interval::new(top, top + height);
        let window = Interval::new(-40.0, 160.0);
        let [shapes, pixels] = spaces(&world, body);
        let (mut a, mut b) = (Vec::new(), Vec::new());
        shapes.blocked_x(band, window, &mut a);
        pixels.blocked_x(band, window, &mut b);
        for i in -160..640 {
            // Between lattice points, so that no end is hit.
            let x = f64::from(i) * 0.25 + 0.11;
            let inside = |list: &[Interval]| list.iter().any(|v| v.lo < x && x < v.hi);
            let steps = (height * 4.0) as i32;
            let heights: Vec<f64> = if steps == 0 {
                vec![top]
            } else {
                (0..steps).map(|s| top + f64::from(s) * 0.25 + 0.11).collect()
            };
            let expected = heights.iter().any(|&y| world.blocked(DVec2::new(x, y), body, 0.0));
            prop_assert_eq!(inside(&a), expected, "shapes at {}", x);
            prop_assert_eq!(inside(&b), expected, "pixels at {}", x);
        }
    }

    /// Between orthogonally adjacent free vertices, and diagonal ones with all
    /// four corners free, the way is free.
    #[test]
    fn sweeps_between_free_vertices_are_free(
        world in tiles(3..12, 3..9, 8),
        spacing in 1u32..9,
        (dw, dh) in (quarter(0..20), quarter(0..20)),
    ) {
        let s = f64::from(spacing);
        let body = DVec2::new(s + dw, s + dh);
        let columns = (world.columns() as u32 * 8 / spacing) as i32;
        let rows = (world.rows.len() as u32 * 8 / spacing) as i32;
        let at = |c: i32, r: i32| DVec2::new((f64::from(c) + 0.5) * s, f64::from(r + 1) * s);
        let free = |p: DVec2| !world.blocked(p, body, 0.0);
        for r in 0..rows {
            for c in 0..columns {
                if !free(at(c, r)) {
                    continue;
                }
                for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let corners = [at(c + dc, r), at(c, r + dr), at(c + dc, r + dr)];
                    if corners.iter().any(|p| !free(*p)) {
                        continue;
                    }
                    for step in 1..16 {
                        let p = at(c, r).lerp(at(c + dc, r + dr), f64::from(step) / 16.0);
                        prop_assert!(free(p), "{p} between {:?} and {:?}", (c, r), (c + dc, r + dr));
                    }
                }
            }
        }
    }

    /// A tile level and its bitmap bake to the same terrain and platforms.
    #[test]
    fn tile_levels_and_their_bitmaps_bake_alike(world in tiles(4..16, 4..12, 8)) {
        let mut agents = default_agents(8.0);
        // Links do not matter here, and take most of the time with a limit.
        agents[0].air_acceleration = None;
        let settings = Settings::for_agents(agents);
        let a = bake(&world.level(), &settings, &NoProgress).unwrap();
        let b = bake(&world.bitmap(), &settings, &NoProgress).unwrap();
        for (a, b) in a.layers().iter().zip(b.layers()) {
            prop_assert_eq!(&a.parts().blocked, &b.parts().blocked);
            prop_assert_eq!(on_floor(a), on_floor(b));
            let surfaces = |l: &navmesh_runtime::mesh::Layer| -> Vec<Vec<glam::Vec2>> {
                l.platforms().map(|p| p.surface.to_vec()).collect()
            };
            prop_assert_eq!(surfaces(a), surfaces(b));
        }
    }
}
