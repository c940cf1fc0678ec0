//! Agents that fly (A4).

use crate::levels;

use glam::Vec2;
use levels::Level;
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{Activity, AgentEvent, Environment, IdleReason, NavAgent};
use navmesh_runtime::search::{NoPath, PathFinder, StepKind};

const DT: f32 = 1.0 / 60.0;

#[test]
fn a4_a_flier_flies_straight_and_rounds_corners() {
    let level = Level::parse(
        &[
            "####################",
            "#..................#",
            "#..................#",
            "#........##........#",
            "#........##........#",
            "#........##........#",
            "#........##........#",
            "####################",
        ],
        EdgeSet::FLY,
    );
    let mut finder = PathFinder::new();
    let mut agent = NavAgent::new(level.layer(), Vec2::new(28.0, 104.0));
    agent.set_destination(Vec2::new(292.0, 104.0));
    agent.step(Environment::new(level.layer()), &mut finder, 0.0);
    let route = agent.remaining_path();
    assert!(
        route.len() <= 4 && route.iter().all(|s| s.kind == StepKind::Fly),
        "{route:?}"
    );
    let mut slowest_in_mid_flight = f32::INFINITY;
    let mut seconds = 0.0;
    loop {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
        seconds += DT;
        assert!(!level.is_blocked(pose.position), "{pose:?}");
        assert!(pose.velocity.length() <= 90.05);
        if pose.activity != Activity::Flying {
            break;
        }
        if (100.0..220.0).contains(&pose.position.x) {
            slowest_in_mid_flight = slowest_in_mid_flight.min(pose.velocity.length());
        }
    }
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Arrived));
    assert!(slowest_in_mid_flight > 10.0, "it need not stop at corners");
    assert!(seconds < 6.0, "{seconds}");
}

#[test]
fn a4_a_flier_stops_when_no_path_is_found() {
    let level = Level::under_air(
        3,
        &[
            "#######.......................",
            "#.....#.......................",
            "#######.......................",
        ],
        EdgeSet::FLY,
    );
    let environment = Environment::new(level.layer());
    let mut finder = PathFinder::new();
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 32.0));
    agent.set_destination(Vec2::new(470.0, 32.0));
    for _ in 0..60 {
        agent.step(environment, &mut finder, DT);
    }
    let at = agent.position();
    // Enclosed by walls.
    agent.set_destination(Vec2::new(50.0, 80.0));
    let pose = agent.step(environment, &mut finder, DT);
    let why = NoPath::Disconnected;
    assert_eq!(agent.events(), [AgentEvent::CannotReach(why)]);
    assert_eq!(pose.activity, Activity::Idle(IdleReason::CannotReach(why)));
    assert_eq!((pose.position, pose.velocity), (at, Vec2::ZERO));
}
