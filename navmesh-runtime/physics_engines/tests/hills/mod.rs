//! Trips over slopes, steps and slanted one-way tops.

use crate::common::baked_level::{Random, crossed_hills};
use crate::engine::{Character, World};
use crate::physics_body::Trip;
use crate::random_cases;
use crate::trips::{Report, Score};

use navmesh_bake::{Collision, Material, Shape};
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, NavMesh};

/// Width of the capsules.
const ROUND: f32 = 12.0;

/// A level for an agent that is so many units wide.
fn hills(seed: u64, width: f32) -> (World, NavMesh) {
    let level = crossed_hills(&mut Random(seed));
    let mut agent = AgentProfile::ground("agent", 16.0);
    agent.body[0] = width;
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let Collision::Shapes(pieces) = &level.collision else {
        panic!("these levels are shapes");
    };
    let shapes = pieces.iter().map(|piece| {
        let Shape::Convex(corners) = &piece.shape else {
            panic!("these levels have no boxes");
        };
        let corners = corners.iter().map(|corner| corner.as_vec2());
        (corners.collect(), piece.material != Material::Solid)
    });
    (World::from_shapes(shapes.collect()), mesh)
}

/// Lets boxes travel, or capsules whose agents are three quarters as wide.
fn travel(report: &mut Report, round: Option<f32>, least: [f64; 2]) {
    let width = round.map_or(12.0, |round| 0.75 * round);
    let seeds = 0..u64::from(random_cases::samples(24));
    let levels: Vec<_> = seeds.map(|seed| (seed, hills(seed, width))).collect();
    for hz in [30.0, 50.0, 60.0, 144.0] {
        let mut score = Score::default();
        for (seed, (world, mesh)) in &levels {
            let layer = &mesh.layers()[0];
            let air = layer.profile().air_acceleration.unwrap();
            score.travel(&format!("level {seed}"), layer, *seed, |[from, _]| {
                let body = Character::new(world, layer, air, from).on_hills(layer, round);
                Some(Trip::with_body(layer, body, air.into(), from, hz))
            });
        }
        let name = if round.is_some() { "capsules" } else { "boxes" };
        report.add(&format!("hills, {name}, {hz} Hz"), score, least);
    }
}

#[test]
fn characters_complete_trips_over_hills() {
    let mut report = Report::default();
    travel(&mut report, None, [97.0, 95.0]);
    travel(&mut report, Some(ROUND), [85.0, 82.0]);
    report.assert();
}
