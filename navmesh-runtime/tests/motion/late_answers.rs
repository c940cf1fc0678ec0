//! Answers that come later than the next change of mind, or from another
//! queue. Features: A4, A6, A10.

use crate::motion_worlds;

use glam::Vec2;
use motion_worlds::{Level, walking};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{Activity, AgentEvent, Environment, IdleReason, NavAgent, PathQueue};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{NoPath, PathFinder, Rect};

const DT: f32 = 1.0 / 60.0;

/// Two floors with a gap to jump between them.
fn gap() -> Level {
    Level::parse(
        &[
            "....................",
            "....................",
            "....................",
            "....................",
            "....................",
            "....................",
            "....................",
            "....................",
            "....................",
            "##########..########",
        ],
        walking(),
    )
}

/// A target that moves every frame, and a queue that is never done in one.
#[test]
fn a6_who_changes_its_mind_every_frame_is_answered_like_anyone() {
    let level = gap();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agents: Vec<NavAgent> = (0..20)
        .map(|i| NavAgent::new(layer, Vec2::new(10.0 + 2.0 * i as f32, 144.0)))
        .collect();
    let target = |frame: i32| Vec2::new(280.0 - (frame % 40) as f32, 144.0);
    for frame in 0..900 {
        for agent in &mut agents {
            agent.set_destination(target(frame));
            agent.step(Environment::new(layer), &mut queue, DT);
            for event in agent.events() {
                assert!(
                    !matches!(event, AgentEvent::CannotReach(_) | AgentEvent::PathLost(_)),
                    "{event:?}"
                );
                // Only where it was sent last is where it arrives.
                if let AgentEvent::Arrived { at } = event {
                    assert_eq!(*at, target(frame));
                }
            }
        }
        queue.work(layer, 3);
    }
    let across = agents.iter().filter(|a| a.position().x > 186.0).count();
    assert_eq!(across, agents.len(), "all have crossed the gap");
}

/// Whoever waits may change its mind as often as it likes, and is answered
/// once: about where it wants to go by then, from where it is by then.
#[test]
fn a6_a_question_that_waits_is_put_anew_in_its_place() {
    let level = gap();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agents: Vec<NavAgent> = (0..5)
        .map(|i| NavAgent::new(layer, Vec2::new(90.0 + 2.0 * i as f32, 144.0)))
        .collect();
    let mut answers = 0;
    for wish in [290.0, 20.0, 250.0, 10.0] {
        for agent in &mut agents {
            agent.set_destination(Vec2::new(wish, 144.0));
            agent.step(Environment::new(layer), &mut queue, DT);
        }
        assert_eq!(queue.len(), agents.len());
    }
    for _ in 0..300 {
        answers += queue.work(layer, 1);
        for agent in &mut agents {
            let before = agent.position();
            let pose = agent.step(Environment::new(layer), &mut queue, DT);
            assert!(pose.position.x <= before.x, "to the left, and nowhere else");
        }
    }
    assert_eq!(answers as usize, agents.len());
    assert!(
        agents
            .iter()
            .all(|a| a.position() == Vec2::new(10.0, 144.0))
    );
}

#[test]
fn a6_no_answer_to_an_earlier_question_is_told() {
    let level = gap();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agent = NavAgent::new(layer, Vec2::new(20.0, 144.0));
    // Nowhere.
    agent.set_destination(Vec2::new(150.0, 20.0));
    agent.step(Environment::new(layer), &mut queue, DT);
    agent.set_destination(Vec2::new(290.0, 144.0));
    for _ in 0..600 {
        queue.work(layer, 1);
        agent.step(Environment::new(layer), &mut queue, DT);
        let is_told = |e: &AgentEvent| matches!(e, AgentEvent::CannotReach(_));
        assert!(!agent.events().iter().any(is_told));
    }
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Arrived));
    assert_eq!(agent.position(), Vec2::new(290.0, 144.0));
}

#[test]
fn a10_no_question_is_left_behind_in_the_queue() {
    let level = gap();
    let layer = level.layer();
    let (mut queue, mut doors) = (PathQueue::new(), Doors::new());
    let mut agent = NavAgent::new(layer, Vec2::new(20.0, 144.0));
    for i in 0..8 {
        // A door makes it ask anew; then it changes its mind.
        doors.close_region(Rect::new(Vec2::ZERO, Vec2::splat(4.0)));
        agent.step(Environment::new(layer).with_doors(&doors), &mut queue, DT);
        agent.stop();
        agent.set_destination(Vec2::new(290.0 - i as f32, 144.0));
        agent.step(Environment::new(layer).with_doors(&doors), &mut queue, DT);
        assert_eq!(queue.len(), 1);
    }
    agent.cancel_requests(&mut queue);
    assert!(queue.is_empty());
}

/// Tickets of two queues look alike.
#[test]
fn an_answer_from_another_queue_is_nobodys() {
    let level = gap();
    let layer = level.layer();
    let mut queues = [PathQueue::new(), PathQueue::new()];
    let mut agents = [(20.0, 100.0), (290.0, 200.0)].map(|(x, to)| {
        let mut agent = NavAgent::new(layer, Vec2::new(x, 144.0));
        agent.set_destination(Vec2::new(to, 144.0));
        agent
    });
    for (agent, queue) in agents.iter_mut().zip(&mut queues) {
        agent.step(Environment::new(layer), queue, DT);
        queue.work(layer, 100);
    }
    let [one, other] = &mut agents;
    let [_, queue] = &mut queues;
    one.step(Environment::new(layer), queue, DT);
    assert!(one.events().is_empty(), "{:?}", one.events());
    // Nor does it take back what another asked.
    one.stop();
    one.step(Environment::new(layer), queue, DT);
    other.step(Environment::new(layer), queue, DT);
    assert_eq!(other.activity(), Activity::Running);
}

#[test]
fn a4_a_flier_that_cannot_get_there_stops_where_it_learns_so() {
    let level = Level::parse(
        &[
            "..............................",
            "..............................",
            "..............................",
            "#######.......................",
            "#.....#.......................",
            "#######.......................",
        ],
        EdgeSet::FLY,
    );
    let world = Environment::new(level.layer());
    let mut finder = PathFinder::new();
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 32.0));
    agent.set_destination(Vec2::new(470.0, 32.0));
    for _ in 0..60 {
        agent.step(world, &mut finder, DT);
    }
    let at = agent.position();
    // Walled in.
    agent.set_destination(Vec2::new(50.0, 80.0));
    let pose = agent.step(world, &mut finder, DT);
    let why = NoPath::Disconnected;
    assert_eq!(agent.events(), [AgentEvent::CannotReach(why)]);
    assert_eq!(pose.activity, Activity::Idle(IdleReason::CannotReach(why)));
    assert_eq!((pose.position, pose.velocity), (at, Vec2::ZERO));
}
