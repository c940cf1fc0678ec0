//! Free space in slabs. N2.

use crate::common;
use crate::soak;

use baker_cli::bake::Slabs;
use baker_cli::geometry::{BodyShape, Interval, body_space};
use baker_cli::source::{Collision, Material, PassDirection, Piece, Shape};
use common::{Tiles, rich_tiles};
use glam::DVec2;
use proptest::prelude::*;

proptest! {
    #![proptest_config(soak::cases(64))]

    /// Wall climbers need cuts that are known only once the walls are: slabs
    /// cut further are those that all cuts give at once.
    #[test]
    fn slabs_cut_further_are_those_cut_at_once(
        world in rich_tiles(3..14, 3..10, 8),
        slope in any::<Option<bool>>(),
        cuts in prop::collection::vec(-40i32..400, 0..12),
        more in prop::collection::vec(-40i32..400, 0..12),
    ) {
        let quarters = |v: Vec<i32>| v.into_iter().map(|v| f64::from(v) * 0.25);
        let cuts: Vec<f64> = quarters(cuts).collect();
        let more: Vec<f64> = quarters(more).collect();
        let shape = BodyShape { size: DVec2::new(6.0, 10.0), scale: 1.0, skin: 1e-6, ..BodyShape::default() };
        let mut level = world.level();
        if let (Some(one_way), Collision::Shapes(pieces)) = (slope, &mut level.collision) {
            pieces.push(ramp(&world, one_way));
        }
        let bounds = Interval::new(0.0, level.bounds.max.x);
        let both: Vec<f64> = cuts.iter().chain(&more).copied().collect();
        for level in [level, world.bitmap()] {
            let space = body_space(&level, shape);
            let at_once = Slabs::new(space.as_ref(), bounds, 1.0, &both);
            let further = Slabs::new(space.as_ref(), bounds, 1.0, &cuts).refined(space.as_ref(), more.clone());
            prop_assert_eq!(further, at_once);
        }
    }
}

/// A slope across the level.
fn ramp(world: &Tiles, one_way: bool) -> Piece {
    let (width, height) = (world.columns() as f64 * 8.0, world.rows.len() as f64 * 8.0);
    let corners = [(0.0, height), (width, 0.5 * height), (width, height)];
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
