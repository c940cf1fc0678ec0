//! Bodies that an engine moves with the velocity of the pose, and reports with
//! `sync`.

use crate::levels;

use glam::Vec2;
use levels::{Dice, Level, sent, walking};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{AgentEvent, Environment, NavAgent};
use navmesh_runtime::search::PathFinder;

/// At any frame rate, through every jump, in the same time as an agent that is
/// not reported.
#[test]
fn a_body_moved_as_planned_never_drifts() {
    let mut moved = 0;
    for seed in 0..30 {
        let dice = &mut Dice(seed);
        let edges = [walking(), EdgeSet::FLY, walking() | EdgeSet::FLY][seed as usize % 3];
        let level = Level::random(16, 12, edges, dice);
        let (environment, mut finder) = (Environment::new(level.layer()), PathFinder::new());
        let dt = 1.0 / dice.between(15.0, 144.0);
        let mut own = NavAgent::new(level.layer(), level.somewhere(dice));
        for _ in 0..40 {
            own.step(environment, &mut finder, 0.1);
        }
        own.go_to(level.somewhere(dice));
        let mut agent = own.clone();
        let (mut body, mut velocity) = (agent.pose().position, Vec2::ZERO);
        for _ in 0..600 {
            own.step(environment, &mut finder, dt);
            agent.sync(body, velocity);
            let pose = agent.step(environment, &mut finder, dt);
            velocity = pose.velocity;
            body += velocity * dt;
            let is_lost = |e: &AgentEvent| matches!(e, AgentEvent::PathLost(_));
            assert!(!agent.events().iter().any(is_lost), "seed {seed}, {pose:?}");
            assert!(
                body.distance(own.pose().position) < 0.2,
                "seed {seed}: {pose:?} {own:?}"
            );
            moved += u32::from(pose.activity.is_moving());
        }
        assert_eq!(agent.pose().activity, own.pose().activity, "seed {seed}");
    }
    assert!(moved > 1000, "{moved}");
}

/// A lower reported velocity slows the run; two reports count once.
#[test]
fn a_body_that_was_slowed_accelerates_again() {
    let level = Level::under_air(2, &["####################"], walking());
    let (environment, mut finder) = (Environment::new(level.layer()), PathFinder::new());
    let mut agent = sent(level.layer(), [20.0, 32.0], [290.0, 32.0]);
    for _ in 0..30 {
        agent.step(environment, &mut finder, 1.0 / 60.0);
    }
    assert_eq!(agent.pose().velocity.x, 90.0);
    for _ in 0..2 {
        agent.sync(agent.pose().position, Vec2::new(30.0, 0.0));
    }
    let before = agent.pose().position;
    let pose = agent.step(environment, &mut finder, 0.05);
    // 600 units/s² of acceleration.
    assert!(
        (pose.velocity.x - (30.0 + 0.5 * 600.0 * 0.05)).abs() < 1e-3,
        "{pose:?}"
    );
    assert!((pose.position.x - before.x - pose.velocity.x * 0.05).abs() < 1e-3);
}
