//! The places at which positions are located.

use crate::oracle;
use crate::soak;
use crate::worlds;

use glam::Vec2;
use navmesh_runtime::mesh::{EdgeSet, Platform};
use navmesh_runtime::search::SnapTo;
use proptest::prelude::*;
use worlds::{Dice, Plan};

/// Whether a floor is above or below a position.
fn spans(platform: &Platform<'_>, x: f32) -> bool {
    platform.left().x <= x && x <= platform.right().x
}

proptest! {
    #![proptest_config(soak::cases(60))]

    #[test]
    fn places_agree_with_a_plain_search(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let foot = EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY;
        let edges = [foot, EdgeSet::FLY, foot | EdgeSet::FLY][dice.below(3) as usize];
        let plan = Plan { columns: 40, rows: 20, edges, ..Plan::random(&mut dice) };
        let mesh = worlds::mesh(plan, 1, &mut dice);
        let (layer, grid, down) = (&mesh.layers()[0], mesh.grid(), mesh.down());
        let size = Vec2::new(40.0, 20.0) * grid.spacing;
        for _ in 0..40 {
            let at = grid.origin + size * Vec2::new(dice.unit(), down * dice.unit());
            let depth = grid.spacing * 6.0 * dice.unit();
            let below = layer.snap(at, SnapTo::FloorBelow(depth));
            let highest = layer
                .platforms()
                .filter(|p| spans(p, at.x))
                .map(|p| p.at(at.x).y)
                .map(|y| (y - at.y) * down)
                .filter(|d| (-grid.spacing * 1e-2..=depth).contains(d))
                .fold(f32::INFINITY, f32::min);
            match below {
                Some(spot) => {
                    prop_assert_eq!(spot.position.x, at.x);
                    let found = (spot.position.y - at.y) * down;
                    // At a step the upper height may count where `at` is the
                    // lower one.
                    prop_assert!(found <= highest + 1e-3, "{found} {highest}");
                }
                None => prop_assert!(highest.is_infinite(), "{highest}"),
            }
            let radius = grid.spacing * 4.0 * dice.unit();
            let nearest = layer.snap(at, SnapTo::NearestFloor(radius));
            let mut least = f32::INFINITY;
            for platform in layer.platforms() {
                let (a, b) = (platform.left().x, platform.right().x);
                for i in 0..=100_u8 {
                    let point = platform.clamp(a + (b - a) * f32::from(i) / 100.0);
                    least = least.min(point.distance(at));
                }
            }
            match nearest {
                Some(spot) => {
                    let distance = spot.position.distance(at);
                    prop_assert!(distance <= radius && distance <= least * 1.0001 + 1e-3);
                    let platform = layer.platform(spot.platform.unwrap()).unwrap();
                    prop_assert!(spans(&platform, spot.position.x));
                }
                None => prop_assert!(least > radius * 0.999, "{least} {radius}"),
            }
            let (place, known) = (layer.snap(at, SnapTo::PathEnd), oracle::place(layer, at, plan.edges));
            if plan.edges.walks() {
                prop_assert_eq!(place, known);
            } else if let Some(vertex) = known {
                // Fliers begin anywhere between free vertices.
                let distance = place.unwrap().position.distance(at);
                prop_assert!(distance <= vertex.position.distance(at) + 1e-3);
            }
        }
    }
}

#[test]
fn positions_outside_any_level_have_no_place() {
    let mesh = worlds::large(EdgeSet::ALL - EdgeSet::CLIMB);
    let layer = &mesh.layers()[0];
    for at in [
        Vec2::NAN,
        Vec2::INFINITY,
        Vec2::splat(-1e30),
        Vec2::splat(1e30),
    ] {
        assert_eq!(layer.snap(at, SnapTo::PathEnd), None);
    }
}
