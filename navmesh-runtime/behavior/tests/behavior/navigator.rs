//! `Navigation` for an agent that `motion` moves, with paths found at once and
//! from a queue.

use glam::Vec2;
use navmesh_behavior::Navigation;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::motion::{AgentEvent, Environment, NavAgent, PathQueue};
use navmesh_runtime::search::PathFinder;
use navmesh_runtime::shared::PathSource;

use Navigation::{AtDestination, Moving, Planning, Stopped};

const HERE: Vec2 = Vec2::new(96.0, 352.0);
const THERE: Vec2 = Vec2::new(160.0, 192.0);
/// Far outside the level.
const NOWHERE: Vec2 = Vec2::new(-4000.0, -4000.0);

fn arena() -> NavMesh {
    let bytes = include_bytes!("../../../games/levels/arena.navmesh");
    asset::decode(bytes).expect("a valid asset")
}

/// Steps until the body rests, and returns its state.
fn rest(agent: &mut NavAgent, level: Environment<'_>, paths: &mut impl PathSource) -> Navigation {
    for _ in 0..60 * 60 {
        if !matches!(Navigation::from(&*agent), Moving | Planning) {
            break;
        }
        agent.step(level, paths, 1.0 / 60.0);
    }
    Navigation::from(&*agent)
}

#[test]
fn start_returns_whether_there_is_a_path() {
    let mesh = arena();
    let layer = mesh.layer_named("walker").expect("it is there");
    let (level, mut finder) = (Environment::new(layer), PathFinder::new());
    let mut agent = NavAgent::new(layer, HERE);
    assert_eq!(Navigation::from(&agent), Stopped, "never sent anywhere");

    assert!(agent.start(level, &mut finder, THERE));
    assert_eq!(Navigation::from(&agent), Moving);
    assert_eq!(agent.pose().position, HERE, "it has planned, not moved");
    assert_eq!(rest(&mut agent, level, &mut finder), AtDestination);
    assert!(agent.pose().position.distance(THERE) < 1.0);

    // To its own position, where it arrives at once. A game that reads events after
    // each step sees that too, once.
    assert!(agent.start(level, &mut finder, THERE));
    assert_eq!(Navigation::from(&agent), AtDestination);
    let mut arrivals = || {
        agent.step(level, &mut finder, 1.0 / 60.0);
        let is_arrival = |event: &&AgentEvent| matches!(event, AgentEvent::Arrived { .. });
        agent.events().iter().filter(is_arrival).count()
    };
    assert_eq!([arrivals(), arrivals()], [1, 0]);
    assert_eq!(rest(&mut agent, level, &mut finder), AtDestination);

    assert!(!agent.start(level, &mut finder, NOWHERE));
    assert_eq!(Navigation::from(&agent), Stopped);
    assert!(!agent.start(level, &mut finder, Vec2::NAN));
    agent.disable();
    assert!(!agent.start(level, &mut finder, HERE));
}

#[test]
fn an_agent_that_goes_to_the_nearest_point_stops_short_of_its_destination() {
    let mesh = arena();
    let layer = mesh.layer_named("walker").expect("it is there");
    let (level, mut finder) = (Environment::new(layer), PathFinder::new());
    let mut agent = NavAgent::new(layer, HERE);
    let in_the_air = THERE - Vec2::Y * 60.0;
    assert!(!agent.start(level, &mut finder, in_the_air));
    agent.set_allow_partial_path(true);
    assert!(agent.start(level, &mut finder, in_the_air));
    assert_eq!(rest(&mut agent, level, &mut finder), Stopped);
    let at = agent.pose().position;
    assert!(at.distance(in_the_air) < HERE.distance(in_the_air), "{at}");
}

#[test]
fn start_in_a_jump_plans_from_the_landing() {
    let mesh = arena();
    let layer = mesh.layer_named("walker").expect("it is there");
    let (level, mut finder) = (Environment::new(layer), PathFinder::new());
    let mut agent = NavAgent::new(layer, HERE);
    assert!(agent.start(level, &mut finder, THERE));
    while agent.pose().activity.name() != "jumping" {
        agent.step(level, &mut finder, 1.0 / 60.0);
    }
    assert!(agent.start(level, &mut finder, HERE));
    assert_eq!(rest(&mut agent, level, &mut finder), AtDestination);
    assert!(agent.pose().position.distance(HERE) < 1.0);

    assert!(agent.start(level, &mut finder, THERE));
    while agent.pose().activity.name() != "jumping" {
        agent.step(level, &mut finder, 1.0 / 60.0);
    }
    assert!(!agent.start(level, &mut finder, NOWHERE));
    assert_eq!(
        Navigation::from(&agent),
        Moving,
        "the jump is finished first"
    );
    assert_eq!(rest(&mut agent, level, &mut finder), Stopped);
}

#[test]
fn with_a_queue_the_path_is_found_later() {
    let mesh = arena();
    let layer = mesh.layer_named("walker").expect("it is there");
    let (level, mut queue) = (Environment::new(layer), PathQueue::new());
    for (goal, end) in [(THERE, AtDestination), (NOWHERE, Stopped)] {
        let mut agent = NavAgent::new(layer, HERE);
        assert!(agent.start(level, &mut queue, goal));
        assert_eq!(Navigation::from(&agent), Planning);
        queue.work(layer, 10_000);
        assert_eq!(rest(&mut agent, level, &mut queue), end);
    }
}
