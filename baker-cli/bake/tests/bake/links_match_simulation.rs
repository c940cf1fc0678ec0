//! Every baked link can be made, and every link that can be made is baked:
//! compared with a replay and an exhaustive search that share no code with the
//! baker. For agents that change their speed in the air at once; `smooth_links.rs`
//! has the others.

use crate::common;
use crate::random_cases;

use common::completeness::Completeness;
use common::drawn::Drawn;
use common::fixtures::fixture;
use common::reachable::{Detail, View, baked, can_do, closure};
use common::replay::replay;
use common::{Tiles, draw, tiles};
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, NavMesh};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

fn settings(air_control: bool, width: f32, stretch: f32) -> Settings {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.air_acceleration = None;
    agent.body[0] = width;
    agent.air_control = air_control;
    let mut settings = Settings::for_agents(vec![agent]);
    settings.link_stretch = stretch;
    settings
}

fn baked_mesh(world: &Tiles, air_control: bool, stretch: f32) -> NavMesh {
    bake(
        &world.level(),
        &settings(air_control, 12.0, stretch),
        &NoProgress,
    )
    .unwrap()
}

proptest! {
    #![proptest_config(random_cases::cases(14))]

    /// Soundness: every link, replayed.
    #[test]
    fn every_baked_link_can_be_made(
        world in tiles(6..24, 5..14, 16),
        air_control in any::<bool>(),
        width in 8u32..16,
        thin in any::<bool>(),
    ) {
        let stretch = if thin { 1.1 } else { 1.0 };
        for level in [world.level(), world.bitmap()] {
            let mesh = bake(&level, &settings(air_control, width as f32, stretch), &NoProgress).unwrap();
            let wrong = replay(&world, &mesh, &mesh.layers()[0]);
            prop_assert!(wrong.is_empty(), "{:#?}\n{:#?}", wrong, world.lines());
        }
    }
}

fn assert_complete(air_control: bool, at_least: usize) {
    let detail = Detail {
        take_offs: 8.0,
        launches: 24,
        dt: 1.0 / 120.0,
    };
    let mut runner = TestRunner::deterministic();
    let mut total = Completeness::default();
    for _ in 0..random_cases::times(14) {
        let world = draw(&mut runner, &tiles(8..20, 6..12, 16));
        let meshes = [1.0, 1.1].map(|stretch| baked_mesh(&world, air_control, stretch));
        let layers = meshes.each_ref().map(|mesh| &mesh.layers()[0]);
        total.compare(&world, layers, detail, true);
    }
    total.tell("tiles", air_control);
    let linked = random_cases::least(total.can, 0.99);
    total.assert_complete(random_cases::share(at_least), linked);
}

/// With air control: at least 99 % of the pairs are linked, all of them over
/// several links when thinned, and no impossible pair is.
#[test]
fn every_link_that_can_be_made_is_baked() {
    assert_complete(true, 175);
}

/// The same for bodies that keep their horizontal speed in the air.
#[test]
fn every_ballistic_link_that_can_be_made_is_baked() {
    assert_complete(false, 115);
}

/// Both checks on fixtures with slopes and organic ground.
#[test]
fn links_of_the_fixtures_are_possible_and_complete() {
    for name in ["ledges.tmx", "organic.png"] {
        let level = fixture(name);
        // Organic ground has edges at every pixel row, so the search takes
        // longer.
        let organic = name == "organic.png";
        let detail = Detail {
            take_offs: if organic { 24.0 } else { 4.0 },
            launches: if organic { 8 } else { 24 },
            dt: 1.0 / 120.0,
        };
        let world = Drawn::new(&level);
        for air_control in [true, false] {
            let baked_with =
                |stretch| bake(&level, &settings(air_control, 12.0, stretch), &NoProgress).unwrap();
            let (all, thinned) = (baked_with(1.0), baked_with(1.1));
            for mesh in [&all, &thinned] {
                let wrong = replay(&world, mesh, &mesh.layers()[0]);
                assert!(wrong.is_empty(), "{name}: {wrong:#?}");
            }
            let layer = &all.layers()[0];
            let can = can_do(&world, layer, detail, View::Strict);
            let (links, thin) = (baked(layer), baked(&thinned.layers()[0]));
            let missing: Vec<_> = can.difference(&links).collect();
            println!(
                "{name}, air control {air_control}: {} of {} pairs, missing {missing:?}",
                can.len() - missing.len(),
                can.len()
            );
            assert!(can.len() > 20, "{name} is too easy");
            assert!(missing.len() * 100 <= can.len(), "{name}: {missing:?}");
            let lost: Vec<_> = closure(&can).difference(&closure(&thin)).copied().collect();
            assert!(lost.is_empty(), "{name}: {lost:?}");
        }
    }
}
