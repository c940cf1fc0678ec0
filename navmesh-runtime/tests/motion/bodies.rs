//! Bodies that an engine moves, as the guide says: the wanted velocity for the
//! time of a step, then a report of where the body is. Issue: `sync`.

use crate::motion_worlds;

use glam::Vec2;
use motion_worlds::{Dice, Level, walking};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{AgentEvent, Environment, NavAgent};
use navmesh_runtime::search::PathFinder;

/// At any frame rate, through every jump, and in the same time as an agent
/// that moves itself.
#[test]
fn a_body_that_does_as_it_is_told_never_drifts() {
    let mut moved = 0;
    for seed in 0..30 {
        let dice = &mut Dice(seed);
        let edges = [walking(), EdgeSet::FLY, walking() | EdgeSet::FLY][seed as usize % 3];
        let level = Level::random(16, 12, edges, dice);
        let (world, mut finder) = (Environment::new(level.layer()), PathFinder::new());
        let dt = 1.0 / dice.between(15.0, 144.0);
        let mut own = NavAgent::new(level.layer(), level.somewhere(dice));
        for _ in 0..40 {
            own.step(world, &mut finder, 0.1);
        }
        own.set_destination(level.somewhere(dice));
        let mut agent = own.clone();
        let (mut body, mut velocity) = (agent.position(), Vec2::ZERO);
        for _ in 0..600 {
            own.step(world, &mut finder, dt);
            agent.sync(body, velocity);
            let pose = agent.step(world, &mut finder, dt);
            velocity = pose.velocity;
            body += velocity * dt;
            let is_lost = |e: &AgentEvent| matches!(e, AgentEvent::PathLost(_));
            assert!(!agent.events().iter().any(is_lost), "seed {seed}, {pose:?}");
            assert!(
                body.distance(own.position()) < 0.2,
                "seed {seed}: {pose:?} {own:?}"
            );
            moved += u32::from(pose.activity.is_moving());
        }
        assert_eq!(agent.activity(), own.activity(), "seed {seed}");
    }
    assert!(moved > 1000, "{moved}");
}

/// What stops a body, slows its run; reported twice it counts once.
#[test]
fn a_body_that_is_held_back_runs_on_from_what_is_left() {
    let level = Level::parse(
        &[
            "....................",
            "....................",
            "####################",
        ],
        walking(),
    );
    let (world, mut finder) = (Environment::new(level.layer()), PathFinder::new());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 32.0));
    agent.set_destination(Vec2::new(290.0, 32.0));
    for _ in 0..30 {
        agent.step(world, &mut finder, 1.0 / 60.0);
    }
    assert_eq!(agent.velocity().x, 90.0);
    for _ in 0..2 {
        agent.sync(agent.position(), Vec2::new(30.0, 0.0));
    }
    let before = agent.position();
    let pose = agent.step(world, &mut finder, 0.05);
    // 600 units/s² of acceleration.
    assert!(
        (pose.velocity.x - (30.0 + 0.5 * 600.0 * 0.05)).abs() < 1e-3,
        "{pose:?}"
    );
    assert!((pose.position.x - before.x - pose.velocity.x * 0.05).abs() < 1e-3);
}
