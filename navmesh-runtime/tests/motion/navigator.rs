//! `Navigator` gives agents what they would get from a layer, doors and a finder
//! of the game's own.

use crate::levels;

use std::sync::Arc;

use glam::Vec2;
use levels::{Dice, Level, gap, walking, wide_floors};
use navmesh_runtime::motion::{
    Activity, AgentEvent, BodyState, Environment, IdleReason, NavAgent, PathLostReason, Stranded,
};
use navmesh_runtime::search::{PathFinder, PathOutcome, Rect};
use navmesh_runtime::{Navigator, UnknownAgent};

const DT: f32 = 1.0 / 60.0;

fn agent_of(nav: &Navigator, at: Vec2) -> NavAgent {
    let name = nav.mesh().layers()[0].profile().name.clone();
    nav.agent(&name, at).unwrap()
}

#[test]
fn agents_move_as_with_a_layer_and_a_finder() {
    let mut moved = 0.0;
    for seed in 0..12 {
        let mut dice = Dice(seed);
        let level = Level::random(20, 12, walking(), &mut dice);
        let (from, to) = (level.somewhere(&mut dice), level.somewhere(&mut dice));
        let mut nav = Navigator::new(level.mesh.clone());
        let mut finder = PathFinder::new();
        let mut one = agent_of(&nav, from);
        let mut other = NavAgent::new(level.layer(), from);
        for agent in [&mut one, &mut other] {
            agent.set_allow_partial_path(true);
            agent.go_to(to);
        }
        for _ in 0..600 {
            let before = one.pose().position;
            let pose = one.update(&mut nav, DT);
            moved += before.distance(pose.position);
            let expected = other.step(Environment::new(level.layer()), &mut finder, DT);
            assert_eq!((pose, one.events()), (expected, other.events()), "{seed}");
        }
    }
    assert!(moved > 500.0, "{moved}");
}

#[test]
fn bodies_get_the_commands_that_they_get_without_it() {
    let level = gap();
    let (from, to) = (Vec2::new(24.0, 144.0), Vec2::new(280.0, 144.0));
    let mut nav = Navigator::new(level.mesh.clone());
    let mut finder = PathFinder::new();
    let (mut one, mut other) = (agent_of(&nav, from), NavAgent::new(level.layer(), from));
    one.go_to(to);
    other.go_to(to);
    let mut body = BodyState {
        position: from,
        velocity: Vec2::ZERO,
        grounded: true,
    };
    for _ in 0..30 {
        let command = one.drive(&mut nav, body, DT);
        let environment = Environment::new(level.layer());
        assert_eq!(
            command,
            other.drive_with(environment, &mut finder, body, DT)
        );
        body.velocity.x = command.velocity.x;
        body.position += body.velocity * DT;
    }
    assert!(body.position.x > from.x + 10.0);
}

#[test]
fn an_unknown_agent_is_an_error_with_the_known_names() {
    let nav = Navigator::new(gap().mesh);
    let known: Vec<String> = nav
        .mesh()
        .layers()
        .iter()
        .map(|l| l.profile().name.clone())
        .collect();
    let error = nav.agent("ogre", Vec2::ZERO).unwrap_err();
    assert_eq!(
        error,
        UnknownAgent {
            name: "ogre".to_owned(),
            known: known.clone()
        }
    );
    assert!(error.to_string().contains("\"ogre\"") && error.to_string().contains(&known[0]));
}

#[test]
fn an_agent_of_another_level_stays_where_it_is() {
    let level = gap();
    let stranger = level.of_agent("stranger");
    let mut agent = Navigator::new(stranger)
        .agent("stranger", Vec2::new(24.0, 144.0))
        .unwrap();
    let mut nav = Navigator::new(level.mesh);
    agent.go_to(Vec2::new(280.0, 144.0));
    let pose = agent.update(&mut nav, DT);
    assert_eq!(pose.activity, Activity::Stranded(Stranded::WrongLayer));
    assert!(nav.layer_of(&agent).is_none() && nav.environment_of(&agent).is_none());
    assert!(nav.find_path(&agent, Vec2::ZERO).is_none());
    assert!(!agent.try_go_to(&mut nav, Vec2::ZERO));
}

#[test]
fn agents_plan_again_when_a_door_of_the_level_closes() {
    let level = wide_floors();
    let door = Rect::new(Vec2::new(240.0, 0.0), Vec2::new(248.0, 200.0));
    let mut nav = Navigator::new(level.with_door("gate", door));
    let mut agent = agent_of(&nav, Vec2::new(24.0, 144.0));
    let to = Vec2::new(300.0, 144.0);
    assert!(agent.try_go_to(&mut nav, to));
    agent.update(&mut nav, 0.2);
    nav.doors_mut().close("gate").unwrap();
    agent.update(&mut nav, DT);
    assert!(
        agent
            .events()
            .contains(&AgentEvent::PathLost(PathLostReason::Door))
    );
    // It brakes.
    while agent.pose().activity == Activity::Running {
        agent.update(&mut nav, DT);
    }
    assert!(matches!(
        agent.pose().activity,
        Activity::Idle(IdleReason::CannotReach(_))
    ));
    assert!(matches!(
        nav.find_path(&agent, to),
        Some(Ok(PathOutcome::NoPath(_)))
    ));
    assert!(!agent.try_go_to(&mut nav, to));
    assert!(!nav.line_of_sight(&agent, Vec2::new(200.0, 100.0), Vec2::new(300.0, 100.0)));

    // A new version of the level keeps what is closed.
    nav.set_mesh(level.with_door("gate", door));
    assert_eq!(nav.doors().is_closed("gate"), Some(true));
    let boulder = nav
        .doors_mut()
        .close_region(Rect::new(Vec2::ZERO, Vec2::ONE));
    nav.set_mesh(level.mesh.clone());
    assert_eq!(nav.doors().is_closed("gate"), None);
    assert_eq!(nav.doors().closed(), [Rect::new(Vec2::ZERO, Vec2::ONE)]);
    assert!(nav.doors_mut().open_region(boulder));
    assert!(agent.try_go_to(&mut nav, to));
    let mut arrived = false;
    for _ in 0..600 {
        agent.update(&mut nav, DT);
        arrived |= agent
            .events()
            .iter()
            .any(|e| matches!(e, AgentEvent::Arrived { .. }));
    }
    assert!(arrived);
}

#[test]
fn with_a_budget_agents_wait_for_their_turn() {
    let mut nav = Navigator::new(gap().mesh);
    nav.set_budget(Some(1));
    let mut agents: Vec<NavAgent> = (0..6)
        .map(|i| agent_of(&nav, Vec2::new(16.0 + 8.0 * i as f32, 144.0)))
        .collect();
    for agent in &mut agents {
        agent.go_to(Vec2::new(280.0, 144.0));
        let pose = agent.update(&mut nav, DT);
        assert_eq!(pose.activity, Activity::Idle(IdleReason::Waiting));
    }
    assert_eq!(nav.waiting(), 6);
    nav.forget(&mut agents.pop().unwrap());
    assert_eq!(nav.waiting(), 5);
    let mut frames = 0;
    while nav.waiting() > 0 {
        nav.work();
        frames += 1;
    }
    assert!(frames > 5, "{frames}");
    for agent in &mut agents {
        assert!(agent.update(&mut nav, DT).activity.is_moving());
    }
    // Without a budget they are answered at once again.
    nav.set_budget(None);
    let mut agent = agent_of(&nav, Vec2::new(24.0, 144.0));
    agent.go_to(Vec2::new(280.0, 144.0));
    assert!(agent.update(&mut nav, DT).activity.is_moving());
    assert_eq!((nav.work(), nav.waiting()), (0, 0));
}

#[test]
fn the_index_may_be_built_on_another_thread() {
    let mesh = Arc::new(gap().mesh);
    let nav = Navigator::new(Arc::clone(&mesh));
    nav.index_routes_in_background();
    // Builds it here if the thread has not yet, or waits for the thread.
    assert!(mesh.layers()[0].index_routes() > 0);
}
