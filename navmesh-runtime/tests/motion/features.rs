//! What the filter shapes, what merging is for, and how a fall keeps clear.
//! Features: A1, A2, A7.

use crate::motion_worlds;

use glam::Vec2;
use motion_worlds::{Level, SPACING, walking};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
use navmesh_runtime::motion::{Activity, AgentEvent, Environment, IdleReason, NavAgent};
use navmesh_runtime::search::{Filter, PathFinder, StepKind};

const DT: f32 = 1.0 / 60.0;

/// A floor with a gap and a wall in the middle of its right half.
fn level(edges: EdgeSet) -> Level {
    Level::parse(
        &[
            "....................",
            "....................",
            "....................",
            "....................",
            "..............#.....",
            "..............#.....",
            "#######..###########",
            "#######..###########",
        ],
        edges,
    )
}

/// Runs an agent until it rests; its greatest speed across, and its jumps.
fn run(agent: &mut NavAgent, level: &Level) -> (f32, usize) {
    let mut finder = PathFinder::new();
    let (mut fastest, mut jumps) = (0.0_f32, 0);
    for _ in 0..2000 {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
        fastest = fastest.max(pose.velocity.x.abs());
        jumps += (agent.events().iter())
            .filter(|e| matches!(e, AgentEvent::Jumped { .. }))
            .count();
        if !pose.activity.is_moving() {
            break;
        }
    }
    (fastest, jumps)
}

#[test]
fn a1_filter_and_profile_shape_the_search_and_the_motion() {
    let level = level(walking());
    let (from, to) = (Vec2::new(20.0, 96.0), Vec2::new(180.0, 96.0));
    let sent = |filter: Filter, profile: &AgentProfile| {
        let mut agent = NavAgent::new(level.layer(), from);
        agent.set_filter(filter);
        agent.set_profile(profile.clone()).unwrap();
        agent.set_destination(to);
        let (fastest, jumps) = run(&mut agent, &level);
        (agent.activity(), fastest, jumps)
    };
    let arrived = Activity::Idle(IdleReason::Arrived);
    let baked = level.layer().profile();
    assert_eq!(sent(Filter::default(), baked), (arrived, 90.0, 1));
    let mut no_jumps = Filter::default();
    no_jumps.edges = EdgeSet::all().without(EdgeSet::JUMP);
    let mut jumps_short = baked.clone();
    jumps_short.max_jump = [10.0, 50.0];
    let mut jumps_never = baked.clone();
    jumps_never.edges = baked.edges.without(EdgeSet::JUMP);
    for (filter, profile) in [
        (no_jumps, baked),
        (Filter::default(), &jumps_short),
        (Filter::default(), &jumps_never),
    ] {
        let (activity, _, jumps) = sent(filter, profile);
        assert!(matches!(
            activity,
            Activity::Idle(IdleReason::CannotReach(_))
        ));
        assert_eq!(jumps, 0);
    }
    // Slow, it jumps all the same, in a higher arc where it must.
    let mut slow = baked.clone();
    slow.run_speed = 50.0;
    let (activity, fastest, jumps) = sent(Filter::default(), &slow);
    assert_eq!((activity, jumps), (arrived, 1));
    assert!((49.9..50.01).contains(&fastest), "{fastest}");
}

#[test]
fn a2_a_walk_past_many_vertices_is_one_step_at_full_speed() {
    let level = level(walking());
    let mut finder = PathFinder::new();
    let mut agent = NavAgent::new(level.layer(), Vec2::new(10.0, 96.0));
    agent.set_destination(Vec2::new(105.0, 96.0));
    let world = Environment::new(level.layer());
    agent.step(world, &mut finder, 0.0);
    let kinds: Vec<_> = agent.remaining_path().iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [StepKind::Floor]);
    // Once at full speed it stays so until it brakes for the end.
    let mut speeds = Vec::new();
    while agent.step(world, &mut finder, DT).activity.is_moving() {
        speeds.push(agent.velocity().x);
    }
    let full = speeds.iter().filter(|&&v| v == 90.0).count();
    let slow = speeds.len() - full;
    assert!(full > 40 && slow < 20, "{speeds:?}");
}

#[test]
fn a7_a_fall_beside_a_wall_keeps_to_what_is_free() {
    let level = level(walking());
    let mut finder = PathFinder::new();
    let world = Environment::new(level.layer());
    // Pressed to the wall on either side, and free of it.
    for (x, moves) in [(217.9, true), (246.1, true), (180.0, false), (183.0, false)] {
        let at = Vec2::new(x, 70.0);
        assert!(!level.is_blocked(at));
        let mut agent = NavAgent::new(level.layer(), at);
        loop {
            let pose = agent.step(world, &mut finder, 0.004);
            assert!(!level.is_blocked(pose.position), "{pose:?}");
            if !pose.activity.is_moving() {
                break;
            }
        }
        let end = agent.position();
        assert_eq!(end.y, 96.0);
        assert_eq!((end.x - x).abs() > 1e-3, moves, "{end}");
        assert!((end.x - x).abs() <= SPACING);
    }
}
