//! The same level and settings give the same bytes, with any number of threads
//! and in every run.

use crate::common;

use common::fixtures::fixture;
use navmesh_bake::Level;
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_runtime::asset;
use proptest::test_runner::TestRunner;

fn bytes(level: &Level, threads: usize) -> Vec<u8> {
    let mut settings = Settings::for_agents(default_agents(16.0));
    settings.index_routes = true;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| asset::encode(&bake(level, &settings, &NoProgress).unwrap()))
}

fn same_bytes(level: &Level) {
    let expected = bytes(level, 1);
    assert!(expected.len() > 200, "nothing was baked");
    for threads in [1, 2, 7] {
        assert!(
            bytes(level, threads) == expected,
            "{} differs with {threads} threads",
            level.source
        );
    }
    // Decoding and encoding again gives the same bytes.
    let mesh = asset::decode(&expected).unwrap();
    assert!(asset::encode(&mesh) == expected);
}

#[test]
fn fixtures_bake_to_the_same_bytes() {
    for name in ["ledges.tmx", "organic.png"] {
        same_bytes(&fixture(name));
    }
}

#[test]
fn random_levels_bake_to_the_same_bytes() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..3 {
        let world = common::draw(&mut runner, &common::tiles(20..40, 10..20, 16));
        same_bytes(&world.level());
    }
}
