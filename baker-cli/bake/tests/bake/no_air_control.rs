//! Every link of agents without air control is baked, for tiles and bodies of many
//! sizes, also where only a narrow range of speeds or positions leads there: compared
//! with a finer exhaustive search.

use crate::common;
use crate::random_cases;

use common::completeness::Completeness;
use common::reachable::Detail;
use common::{draw, tiles};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
use proptest::test_runner::TestRunner;

#[test]
fn narrow_ways_are_found_without_air_control() {
    let mut runner = TestRunner::deterministic();
    let mut total = Completeness::default();
    // Tiles, and the body's width and height.
    let sizes = [
        (7, [4.0, 6.0]),
        (11, [9.0, 10.0]),
        (16, [14.0, 15.0]),
        (16, [12.0, 20.0]),
        (23, [15.0, 22.0]),
        (33, [28.0, 40.0]),
    ];
    for (side, body) in sizes {
        let mut agent = AgentProfile::ground("ground", side as f32);
        (agent.body, agent.air_control) = (body, false);
        agent.edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP;
        let detail = Detail {
            take_offs: f64::from(side) / 16.0,
            launches: 96,
            dt: 1.0 / 60.0,
        };
        for _ in 0..random_cases::times(5) {
            let world = draw(&mut runner, &tiles(8..16, 6..10, side));
            let meshes = [1.0, 1.1].map(|stretch| world.baked(agent.clone(), stretch));
            let layers = meshes.each_ref().map(|mesh| &mesh.layers()[0]);
            total.compare(&world, layers, detail, true);
        }
        total.tell(&format!("{side} px, {body:?}"), false);
    }
    let linked = random_cases::least(total.can, 0.99);
    total.assert_complete(random_cases::share(250), linked);
}
