//! Many agents that share one queue. Features: A6.

use crate::motion_worlds;

use glam::Vec2;
use motion_worlds::gap;
use navmesh_runtime::motion::{Activity, Environment, IdleReason, NavAgent, PathQueue};

const DT: f32 = 1.0 / 60.0;

#[test]
fn a_queue_answers_in_order_and_within_its_budget() {
    let level = gap();
    let layer = level.layer();
    let run = || {
        let mut queue = PathQueue::new();
        let mut agents: Vec<_> = (0..40)
            .map(|i| {
                let mut agent = NavAgent::new(layer, Vec2::new(10.0 + 2.0 * i as f32, 144.0));
                agent.set_destination(Vec2::new(290.0 - i as f32, 144.0));
                agent
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
                .all(|a| a.activity() == Activity::Idle(IdleReason::Arrived))
        );
        (first_move, trace)
    };
    let (first_move, trace) = run();
    let frames: Vec<i32> = first_move.into_iter().map(Option::unwrap).collect();
    assert!(frames.is_sorted(), "first come, first served: {frames:?}");
    assert!(
        frames.last() > frames.first(),
        "it takes more than one frame"
    );
    assert!(run().1 == trace, "the same every time");
}

#[test]
fn a_late_answer_finds_it_on_its_present_path() {
    let level = gap();
    let layer = level.layer();
    let mut queue = PathQueue::new();
    let mut agent = NavAgent::new(layer, Vec2::new(20.0, 144.0));
    agent.set_destination(Vec2::new(290.0, 144.0));
    agent.step(Environment::new(layer), &mut queue, DT);
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Waiting));
    queue.work(layer, 1000);
    for _ in 0..10 {
        agent.step(Environment::new(layer), &mut queue, DT);
    }
    agent.set_destination(Vec2::new(10.0, 144.0));
    for _ in 0..10 {
        let pose = agent.step(Environment::new(layer), &mut queue, DT);
        assert!(pose.velocity.x > 0.0, "it keeps to its path meanwhile");
    }
    // By now it may have left the platform it asked from.
    for _ in 0..600 {
        agent.step(Environment::new(layer), &mut queue, DT);
        queue.work(layer, 1000);
    }
    assert_eq!(agent.position(), Vec2::new(10.0, 144.0));
    agent.set_destination(Vec2::new(290.0, 144.0));
    agent.step(Environment::new(layer), &mut queue, DT);
    assert_eq!(queue.len(), 1);
    agent.cancel_requests(&mut queue);
    assert_eq!(queue.len(), 0);
}
