//! Slabs that are cut a second time.

use glam::DVec2;
use proptest::prelude::*;

use crate::bake::space::slabs::Slabs;
use crate::geometry::{Body, Interval, configuration_space};
use crate::source::{Collision, Level, Material, PassDirection, Piece, Shape};

/// Side of a tile of the random levels, in world units.
const TILE: u32 = 8;

/// Rows of random tiles of every material, mostly air.
fn random_rows() -> impl Strategy<Value = Vec<String>> {
    (3_usize..14).prop_flat_map(|columns| {
        let tile = prop::sample::select("......##-^H<>v".chars().collect::<Vec<_>>());
        let row = prop::collection::vec(tile, columns).prop_map(String::from_iter);
        prop::collection::vec(row, 3..10)
    })
}

/// A slope from the lower left corner of the level to half its right side.
fn slope(level: &Level, one_way: bool) -> Piece {
    let size = level.bounds.max;
    let corners = [(0.0, size.y), (size.x, 0.5 * size.y), (size.x, size.y)];
    Piece {
        shape: Shape::Convex(corners.map(DVec2::from).to_vec()),
        material: if one_way {
            Material::OneWay(PassDirection::Up)
        } else {
            Material::Solid
        },
        origin: 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// The heights of walls are known only after a first set of slabs. Cutting
    /// that set again must give the slabs that all heights at once give.
    #[test]
    fn refined_slabs_equal_slabs_cut_at_once(
        rows in random_rows(),
        with_slope in any::<Option<bool>>(),
        first in prop::collection::vec(-40_i32..400, 0..12),
        second in prop::collection::vec(-40_i32..400, 0..12),
    ) {
        let quarters = |v: Vec<i32>| -> Vec<f64> { v.into_iter().map(|v| f64::from(v) * 0.25).collect() };
        let (first, second) = (quarters(first), quarters(second));
        let body = Body { size: DVec2::new(6.0, 10.0), scale: 1.0, skin: 1e-6, ..Body::default() };
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut level = Level::from_rows("random", TILE, &rows);
        let piece = with_slope.map(|one_way| slope(&level, one_way));
        if let Collision::Shapes(pieces) = &mut level.collision {
            pieces.extend(piece);
        }
        let bounds = Interval::new(0.0, level.bounds.max.x);
        let both: Vec<f64> = first.iter().chain(&second).copied().collect();
        for level in [level, Level::bitmap_from_rows("random", TILE, &rows)] {
            let space = configuration_space(&level, body);
            let at_once = Slabs::new(space.as_ref(), bounds, 1.0, &both);
            let refined = Slabs::new(space.as_ref(), bounds, 1.0, &first).refined(space.as_ref(), second.clone());
            prop_assert_eq!(refined, at_once);
        }
    }
}
