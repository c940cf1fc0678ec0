//! From tasks to motion (B13): what `start_navigation` and its kin are told of an
//! agent that `motion` moves, with paths at once and from a queue.

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::behavior::{Navigation, Navigator};
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::motion::{Environment, NavAgent, PathQueue, PathSource};
use navmesh_runtime::search::PathFinder;

const HERE: Vec2 = Vec2::new(96.0, 352.0);
const THERE: Vec2 = Vec2::new(160.0, 192.0);
/// Far outside the level.
const NOWHERE: Vec2 = Vec2::new(-4000.0, -4000.0);

fn arena() -> NavMesh {
    let bytes = include_bytes!("../../examples/arena/arena.navmesh");
    asset::decode(bytes).expect("a sound asset")
}

/// Steps until the body rests, and says what came of it.
fn rest(agent: &mut NavAgent, world: Environment<'_>, paths: &mut impl PathSource) -> Navigation {
    for _ in 0..60 * 60 {
        if Navigation::of(agent) != Navigation::Moving {
            break;
        }
        agent.step(world, paths, 1.0 / 60.0);
    }
    Navigation::of(agent)
}

#[test]
fn a_start_says_at_once_whether_there_is_a_way() {
    let mesh = arena();
    let layer = mesh.layer_named("walker").expect("it is there");
    let (world, mut finder) = (Environment::new(layer), PathFinder::new());
    let mut agent = NavAgent::new(layer, HERE);
    assert_eq!(
        Navigation::of(&agent),
        Navigation::Stopped,
        "never sent anywhere"
    );

    assert!(Navigator::new(&mut agent, world).start(THERE, &mut finder));
    assert_eq!(Navigation::of(&agent), Navigation::Moving);
    assert_eq!(agent.position(), HERE, "planned, not moved");
    assert_eq!(
        rest(&mut agent, world, &mut finder),
        Navigation::AtDestination
    );
    assert!(agent.position().distance(THERE) < 1.0);

    // To where it is already.
    assert!(Navigator::new(&mut agent, world).start(THERE, &mut finder));
    assert_eq!(
        rest(&mut agent, world, &mut finder),
        Navigation::AtDestination
    );

    assert!(!Navigator::new(&mut agent, world).start(NOWHERE, &mut finder));
    assert_eq!(Navigation::of(&agent), Navigation::Stopped);
    assert!(!Navigator::new(&mut agent, world).start(Vec2::NAN, &mut finder));
    agent.disable();
    assert!(!Navigator::new(&mut agent, world).start(HERE, &mut finder));
}

#[test]
fn a_start_in_a_jump_counts_from_its_landing() {
    let mesh = arena();
    let layer = mesh.layer_named("walker").expect("it is there");
    let (world, mut finder) = (Environment::new(layer), PathFinder::new());
    let mut agent = NavAgent::new(layer, HERE);
    assert!(Navigator::new(&mut agent, world).start(THERE, &mut finder));
    while agent.activity().name() != "jumping" {
        agent.step(world, &mut finder, 1.0 / 60.0);
    }
    assert!(Navigator::new(&mut agent, world).start(HERE, &mut finder));
    assert_eq!(
        rest(&mut agent, world, &mut finder),
        Navigation::AtDestination
    );
    assert!(agent.position().distance(HERE) < 1.0);

    assert!(Navigator::new(&mut agent, world).start(THERE, &mut finder));
    while agent.activity().name() != "jumping" {
        agent.step(world, &mut finder, 1.0 / 60.0);
    }
    assert!(!Navigator::new(&mut agent, world).start(NOWHERE, &mut finder));
    assert_eq!(
        Navigation::of(&agent),
        Navigation::Moving,
        "the jump is finished first"
    );
    assert_eq!(rest(&mut agent, world, &mut finder), Navigation::Stopped);
}

#[test]
fn with_a_queue_the_answer_comes_later() {
    let mesh = arena();
    let layer = mesh.layer_named("walker").expect("it is there");
    let (world, mut queue) = (Environment::new(layer), PathQueue::new());
    for (goal, end) in [
        (THERE, Navigation::AtDestination),
        (NOWHERE, Navigation::Stopped),
    ] {
        let mut agent = NavAgent::new(layer, HERE);
        assert!(Navigator::new(&mut agent, world).start(goal, &mut queue));
        assert_eq!(Navigation::of(&agent), Navigation::Moving, "it waits");
        queue.work(layer, 10_000);
        assert_eq!(rest(&mut agent, world, &mut queue), end);
    }
}
