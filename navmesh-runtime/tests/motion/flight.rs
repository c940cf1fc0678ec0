//! Agents that fly.

use crate::levels;
use crate::soak;

use glam::Vec2;
use levels::{Dice, Level, sent, settle};
use navmesh_runtime::mesh::{EdgeSet, StepKind};
use navmesh_runtime::motion::{Activity, AgentEvent, Environment, IdleReason, NavAgent, PathQueue};
use navmesh_runtime::search::{NoPath, PathFinder};
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

#[test]
fn a_flier_flies_straight_and_rounds_corners() {
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
    let mut agent = sent(level.layer(), [28.0, 104.0], [292.0, 104.0]);
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
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    assert!(slowest_in_mid_flight > 10.0, "it need not stop at corners");
    assert!(seconds < 6.0, "{seconds}");
}

#[test]
fn a_flier_stops_when_no_path_is_found() {
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
    let mut agent = sent(level.layer(), [20.0, 32.0], [470.0, 32.0]);
    for _ in 0..60 {
        agent.step(environment, &mut finder, DT);
    }
    let at = agent.pose().position;
    // Enclosed by walls.
    agent.go_to(Vec2::new(50.0, 80.0));
    agent.step(environment, &mut finder, DT);
    let why = NoPath::Disconnected;
    assert_eq!(agent.events(), [AgentEvent::CannotReach(why)]);
    while agent
        .step(environment, &mut finder, DT)
        .activity
        .is_moving()
    {}
    let pose = agent.pose();
    assert_eq!(pose.activity, Activity::Idle(IdleReason::CannotReach(why)));
    // It brakes at 600 units/s² from 90 units/s.
    assert!(pose.position.distance(at) < 7.0, "{pose:?}");
    assert_eq!(pose.velocity, Vec2::ZERO);
}

#[test]
fn a_flier_ends_at_the_destination_itself_where_that_is_free() {
    let level = Level::under_air(8, &["####################"], EdgeSet::FLY);
    let mut finder = PathFinder::new();
    let mut agent = NavAgent::new(level.layer(), Vec2::new(28.0, 64.0));
    // Not at a vertex; a free one above the floor; inside the floor.
    for (to, end) in [
        ([201.3, 50.7], [201.3, 50.7]),
        ([30.1, 127.2], [30.1, 127.2]),
        ([30.1, 133.0], [30.1, 128.0]),
    ] {
        agent.go_to(to.into());
        settle(&mut agent, &level, &mut finder);
        assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
        assert_eq!(agent.pose().position, Vec2::from(end));
    }
}

proptest! {
    #![proptest_config(soak::cases(24))]

    /// New destinations at any time, with paths found at once or later: velocity
    /// and acceleration stay within the limits at every instant, and the body
    /// never enters geometry.
    #[test]
    fn no_storm_of_destinations_breaks_the_limits_of_a_flier(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let level = Level::random(12 + dice.below(16), 8 + dice.below(8), EdgeSet::FLY, dice);
        let environment = Environment::new(level.layer());
        let (mut finder, mut queue) = (PathFinder::new(), PathQueue::new());
        let is_queued = dice.chance(0.5);
        let mut agent = NavAgent::new(level.layer(), level.somewhere(dice));
        let mut step = |agent: &mut NavAgent, dt: f32| {
            if is_queued {
                queue.work(level.layer(), 3);
                agent.step(environment, &mut queue, dt)
            } else {
                agent.step(environment, &mut finder, dt)
            }
        };
        step(&mut agent, 0.0);
        let mut target = level.somewhere(dice);
        let follows = dice.chance(0.5);
        let dt = 1.0 / 240.0;
        let mut before = agent.pose();
        let mut moved = 0.0;
        for _ in 0..40 {
            if follows {
                // A player that moves on.
                target = level.somewhere(dice).lerp(target, 0.8);
            } else {
                target = level.somewhere(dice);
            }
            agent.go_to(target);
            for _ in 0..dice.below(120) {
                let pose = step(&mut agent, dt);
                let change = pose.velocity.distance(before.velocity);
                prop_assert!(change <= 600.0 * dt * 1.01 + 0.01, "{:?} {:?}", before, pose);
                prop_assert!(pose.velocity.length() <= 90.05, "{:?}", pose);
                let mean = (pose.velocity + before.velocity) * 0.5;
                let step = pose.position - before.position;
                // Within one sample the velocity may change by 2.5 units/s and back.
                prop_assert!(step.distance(mean * dt) < 7e-3, "{:?} {:?}", before, pose);
                prop_assert!(!level.is_blocked(pose.position), "{:?} {:?}", before, pose);
                moved += step.length();
                before = pose;
            }
        }
        // Then it comes to rest, at the destination itself where that is free.
        for _ in 0..60 * 240 {
            before = step(&mut agent, dt);
            if !before.activity.is_moving() && before.activity != Activity::Idle(IdleReason::Waiting) {
                break;
            }
        }
        // It may have been put where it has no place.
        let rests = matches!(before.activity, Activity::Idle(_) | Activity::Stranded(_));
        prop_assert!(rests, "{before:?}");
        let is_open = [-8.0_f32, 0.0, 8.0].iter().all(|dx| {
            [-8.0_f32, 0.0, 8.0].iter().all(|dy| {
                let at = target + Vec2::new(*dx, *dy);
                !level.is_blocked(at) && at.cmpgt(Vec2::new(12.0, 24.0)).all() && at.cmplt(level.size() - 12.0).all()
            })
        });
        if before.activity == Activity::Idle(IdleReason::Arrived) && is_open {
            prop_assert_eq!(before.position, target);
        }
        prop_assert!(moved > 0.0 || !matches!(before.activity, Activity::Idle(IdleReason::Arrived)));
    }
}
