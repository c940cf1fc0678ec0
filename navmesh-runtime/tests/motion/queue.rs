//! Agents that share one queue: order, budget, and answers that come later than
//! the next destination.

use crate::levels;

use glam::Vec2;
use levels::{gap, sent, wide_floors, with_doors};
use navmesh_runtime::motion::{Activity, AgentEvent, Environment, IdleReason, NavAgent, PathQueue};
use navmesh_runtime::search::{Doors, Rect};

const DT: f32 = 1.0 / 60.0;

#[test]
fn a_queue_answers_in_order_and_within_its_budget() {
    let level = gap();
    let layer = level.layer();
    let run = || {
        let mut queue = PathQueue::new();
        let mut agents: Vec<_> = (0..40)
            .map(|i| {
                sent(
                    layer,
                    [10.0 + 2.0 * i as f32, 144.0],
                    [290.0 - i as f32, 144.0],
                )
            })
            .collect();
        let mut first_move = vec![None; agents.len()];
        let mut trace = Vec::new();
        for frame in 0..1200 {
            for (agent, first) in agents.iter_mut().zip(&mut first_move) {
                let pose = agent.step(Environment::new(layer), &mut queue, DT);
                if pose.activity.is_moving() && first.is_none() {
                    *first = Some(frame);
                }
                trace.push((pose.position.x.to_bits(), pose.position.y.to_bits()));
            }
            assert!(queue.work(layer, 6) <= 6);
        }
        assert!(queue.is_empty());
        assert!(
            agents
                .iter()
                .all(|a| a.pose().activity == Activity::Idle(IdleReason::Arrived))
        );
        (first_move, trace)
    };
    let (first_move, trace) = run();
    let frames: Vec<i32> = first_move.into_iter().map(Option::unwrap).collect();
    assert!(frames.is_sorted(), "in the order of requests: {frames:?}");
    assert!(
        frames.last() > frames.first(),
        "it takes more than one frame"
    );
    assert!(run().1 == trace, "the same every time");
}

#[test]
fn the_present_path_is_followed_until_the_answer() {
    let level = gap();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agent = sent(layer, [20.0, 144.0], [290.0, 144.0]);
    agent.step(Environment::new(layer), &mut queue, DT);
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Waiting));
    queue.work(layer, 1000);
    for _ in 0..10 {
        agent.step(Environment::new(layer), &mut queue, DT);
    }
    agent.go_to(Vec2::new(10.0, 144.0));
    for _ in 0..10 {
        let pose = agent.step(Environment::new(layer), &mut queue, DT);
        assert!(pose.velocity.x > 0.0, "it follows its path meanwhile");
    }
    // It may have left the platform from which it planned.
    for _ in 0..600 {
        agent.step(Environment::new(layer), &mut queue, DT);
        queue.work(layer, 1000);
    }
    assert_eq!(agent.pose().position, Vec2::new(10.0, 144.0));
    agent.go_to(Vec2::new(290.0, 144.0));
    agent.step(Environment::new(layer), &mut queue, DT);
    assert_eq!(queue.len(), 1);
    agent.cancel_requests(&mut queue);
    assert_eq!(queue.len(), 0);
}

/// The target moves every frame; the queue needs several frames for an answer.
#[test]
fn a_destination_that_moves_every_frame_delays_no_answer() {
    let level = wide_floors();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agents: Vec<NavAgent> = (0..20)
        .map(|i| NavAgent::new(layer, Vec2::new(10.0 + 2.0 * i as f32, 144.0)))
        .collect();
    let target = |frame: i32| Vec2::new(280.0 - (frame % 40) as f32, 144.0);
    for frame in 0..900 {
        for agent in &mut agents {
            agent.go_to(target(frame));
            agent.step(Environment::new(layer), &mut queue, DT);
            for event in agent.events() {
                assert!(
                    !matches!(event, AgentEvent::CannotReach(_) | AgentEvent::PathLost(_)),
                    "{event:?}"
                );
                // It arrives at the last destination only.
                if let AgentEvent::Arrived { at } = event {
                    assert_eq!(*at, target(frame));
                }
            }
        }
        queue.work(layer, 3);
    }
    let across = agents
        .iter()
        .filter(|a| a.pose().position.x > 186.0)
        .count();
    assert_eq!(across, agents.len(), "all crossed the gap");
}

/// An agent that waits may get new destinations; it is answered once, for the
/// last destination, from where it is then.
#[test]
fn a_new_destination_keeps_its_place_in_the_queue() {
    let level = wide_floors();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agents: Vec<NavAgent> = (0..5)
        .map(|i| NavAgent::new(layer, Vec2::new(90.0 + 2.0 * i as f32, 144.0)))
        .collect();
    let mut answers = 0;
    for x in [290.0, 20.0, 250.0, 10.0] {
        for agent in &mut agents {
            agent.go_to(Vec2::new(x, 144.0));
            agent.step(Environment::new(layer), &mut queue, DT);
        }
        assert_eq!(queue.len(), agents.len());
    }
    for _ in 0..300 {
        answers += queue.work(layer, 1);
        for agent in &mut agents {
            let before = agent.pose().position;
            let pose = agent.step(Environment::new(layer), &mut queue, DT);
            assert!(pose.position.x <= before.x, "only to the left");
        }
    }
    assert_eq!(answers as usize, agents.len());
    assert!(
        agents
            .iter()
            .all(|a| a.pose().position == Vec2::new(10.0, 144.0))
    );
}

#[test]
fn answers_for_an_earlier_destination_are_not_reported() {
    let level = wide_floors();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agent = NavAgent::new(layer, Vec2::new(20.0, 144.0));
    // Not reachable.
    agent.go_to(Vec2::new(150.0, 20.0));
    agent.step(Environment::new(layer), &mut queue, DT);
    agent.go_to(Vec2::new(290.0, 144.0));
    for _ in 0..600 {
        queue.work(layer, 1);
        agent.step(Environment::new(layer), &mut queue, DT);
        let is_reported = |e: &AgentEvent| matches!(e, AgentEvent::CannotReach(_));
        assert!(!agent.events().iter().any(is_reported));
    }
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    assert_eq!(agent.pose().position, Vec2::new(290.0, 144.0));
}

#[test]
fn an_agent_has_one_request_at_most() {
    let level = wide_floors();
    let layer = level.layer();
    let (mut queue, mut doors) = (PathQueue::new(), Doors::new());
    let mut agent = NavAgent::new(layer, Vec2::new(20.0, 144.0));
    for i in 0..8 {
        // A door makes it plan again; then it gets another destination.
        doors.close_region(Rect::new(Vec2::ZERO, Vec2::splat(4.0)));
        agent.step(with_doors(layer, &doors), &mut queue, DT);
        agent.stop();
        agent.go_to(Vec2::new(290.0 - i as f32, 144.0));
        agent.step(with_doors(layer, &doors), &mut queue, DT);
        assert_eq!(queue.len(), 1);
    }
    agent.cancel_requests(&mut queue);
    assert!(queue.is_empty());
}

/// Tickets of two queues have the same numbers.
#[test]
fn tickets_of_another_queue_are_ignored() {
    let level = wide_floors();
    let layer = level.layer();
    let mut queues = [PathQueue::new(), PathQueue::new()];
    let mut agents =
        [(20.0, 100.0), (290.0, 200.0)].map(|(x, to)| sent(layer, [x, 144.0], [to, 144.0]));
    for (agent, queue) in agents.iter_mut().zip(&mut queues) {
        agent.step(Environment::new(layer), queue, DT);
        queue.work(layer, 100);
    }
    let [one, other] = &mut agents;
    let [_, queue] = &mut queues;
    one.step(Environment::new(layer), queue, DT);
    assert!(one.events().is_empty(), "{:?}", one.events());
    // Nor does it cancel the request of another agent.
    one.stop();
    one.step(Environment::new(layer), queue, DT);
    other.step(Environment::new(layer), queue, DT);
    assert_eq!(other.pose().activity, Activity::Running);
}

/// A search that has begun goes on for the old destination, and is outdated.
#[test]
fn a_destination_that_changes_during_the_search_is_reached() {
    let level = gap();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agent = sent(layer, [20.0, 144.0], [290.0, 144.0]);
    agent.step(Environment::new(layer), &mut queue, DT);
    queue.work(layer, 1);
    assert_eq!(queue.len(), 1, "the search has begun and goes on");
    let to = Vec2::new(60.0, 144.0);
    agent.go_to(to);
    for _ in 0..600 {
        agent.step(Environment::new(layer), &mut queue, DT);
        queue.work(layer, 1000);
    }
    assert_eq!(agent.pose().position, to);
}

/// A request that waits in the queue is moved to where the agent is when it gets another
/// destination; a search that has begun goes on from where it began.
#[test]
fn a_request_begins_where_the_agent_last_got_a_destination() {
    let level = gap();
    let layer = level.layer();
    for is_begun in [false, true] {
        let mut queue = PathQueue::new();
        let mut agent = sent(layer, [20.0, 144.0], [260.0, 144.0]);
        agent.step(Environment::new(layer), &mut queue, DT);
        queue.work(layer, 1000);
        agent.step(Environment::new(layer), &mut queue, DT);
        // It asks on the left floor, and goes on along its path to the right one.
        agent.go_to(Vec2::new(270.0, 144.0));
        agent.step(Environment::new(layer), &mut queue, DT);
        if is_begun {
            queue.work(layer, 1);
            assert_eq!(queue.len(), 1, "the search has begun and goes on");
        }
        let mut events = Vec::new();
        while agent.pose().position.x < 222.0 {
            agent.step(Environment::new(layer), &mut queue, DT);
            events.extend_from_slice(agent.events());
        }
        let to = Vec2::new(290.0, 144.0);
        agent.go_to(to);
        agent.step(Environment::new(layer), &mut queue, DT);
        queue.work(layer, 1000);
        agent.step(Environment::new(layer), &mut queue, DT);
        let is_answered = agent
            .remaining_path()
            .last()
            .is_some_and(|step| step.to == to);
        assert_eq!((is_answered, queue.is_empty()), (!is_begun, !is_begun));
        for _ in 0..200 {
            events.extend_from_slice(agent.events());
            queue.work(layer, 1000);
            agent.step(Environment::new(layer), &mut queue, DT);
        }
        events.extend_from_slice(agent.events());
        let is_lost = |event: &AgentEvent| matches!(event, AgentEvent::PathLost(_));
        assert!(!events.iter().any(is_lost), "{is_begun}: {events:?}");
        assert_eq!(agent.pose().position, to, "{is_begun}");
    }
}
