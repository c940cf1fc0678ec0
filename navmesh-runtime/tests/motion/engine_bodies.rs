//! Bodies that an engine moves by exactly the velocity of each command.

use crate::levels;

use glam::Vec2;
use levels::{Dice, Level, sent, walking};
use navmesh_runtime::mesh::{EdgeSet, Layer};
use navmesh_runtime::motion::{AgentEvent, BodyCommand, BodyState, Environment, NavAgent};
use navmesh_runtime::search::{PathFinder, SnapTo};

/// A body that moves by the velocity of its command, down to the floor.
struct Kinematic(BodyState);

impl Kinematic {
    fn at_rest(position: Vec2) -> Self {
        Self(BodyState {
            position,
            velocity: Vec2::ZERO,
            grounded: true,
        })
    }

    fn follow(&mut self, layer: &Layer, command: BodyCommand, dt: f32) {
        let from = self.0.position;
        self.0.velocity = command.velocity;
        self.0.position += command.velocity * dt;
        self.0.grounded = false;
        if command.exact || command.drop_through || command.velocity.y < 0.0 {
            return;
        }
        // Across, and then down to a floor.
        let above = Vec2::new(self.0.position.x, from.y - 0.01);
        if let Some(floor) = layer.snap(
            above,
            SnapTo::FloorBelow(self.0.position.y - above.y + 0.01),
        ) {
            self.0.position.y = floor.position.y;
            self.0.grounded = true;
        }
    }
}

/// Whether a path was lost in the last step.
fn has_lost(agent: &NavAgent) -> bool {
    let mut events = agent.events().iter();
    events.any(|event| matches!(event, AgentEvent::PathLost(_)))
}

/// At any frame rate, in the same time as an agent that moves itself.
#[test]
fn a_flying_body_moved_as_planned_never_drifts() {
    let mut moved = 0;
    for seed in 0..20 {
        let dice = &mut Dice(seed);
        let level = Level::random(16, 12, EdgeSet::FLY, dice);
        let (environment, mut finder) = (Environment::new(level.layer()), PathFinder::new());
        let dt = 1.0 / dice.between(15.0, 144.0);
        let mut own = NavAgent::new(level.layer(), level.somewhere(dice));
        for _ in 0..40 {
            own.step(environment, &mut finder, 0.1);
        }
        own.go_to(level.somewhere(dice));
        let mut agent = own.clone();
        let mut body = Kinematic::at_rest(agent.pose().position);
        for _ in 0..600 {
            own.step(environment, &mut finder, dt);
            let command = agent.drive_with(environment, &mut finder, body.0, dt);
            body.follow(level.layer(), command, dt);
            let pose = agent.pose();
            assert!(command.exact && !has_lost(&agent), "seed {seed}, {pose:?}");
            assert!(
                body.0.position.distance(own.pose().position) < 0.2,
                "seed {seed}: {pose:?} {own:?}"
            );
            moved += u32::from(pose.activity.is_moving());
        }
        assert_eq!(agent.pose().activity, own.pose().activity, "seed {seed}");
    }
    assert!(moved > 1000, "{moved}");
}

/// Through jumps, at any usual frame rate.
#[test]
fn a_walking_body_moved_as_commanded_arrives() {
    let (mut trips, mut arrived, mut lost) = (0, 0, 0);
    for seed in 0..60 {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 14, walking(), dice);
        let (environment, mut finder) = (Environment::new(level.layer()), PathFinder::new());
        for _ in 0..8 {
            let dt = 1.0 / dice.between(50.0, 144.0);
            let mut agent = NavAgent::new(level.layer(), level.somewhere(dice));
            for _ in 0..40 {
                agent.step(environment, &mut finder, 0.1);
            }
            let mut body = Kinematic::at_rest(agent.pose().position);
            agent.go_to(level.somewhere(dice));
            agent.plan_now(environment, &mut finder);
            if !agent.is_under_way() {
                continue;
            }
            trips += 1;
            for _ in 0..3000 {
                let command = agent.drive_with(environment, &mut finder, body.0, dt);
                body.follow(level.layer(), command, dt);
                lost += u32::from(has_lost(&agent));
                let mut events = agent.events().iter();
                if events.any(|event| matches!(event, AgentEvent::Arrived { .. })) {
                    arrived += 1;
                    break;
                }
            }
        }
    }
    // A few stand in the walls that do not stop them, or land a step beyond a floor.
    println!("{arrived} of {trips} trips, {lost} paths lost");
    assert!(
        trips > 100 && arrived * 100 > 90 * trips && lost * 100 < 15 * trips,
        "{arrived} {trips} {lost}"
    );
}

/// A lower reported velocity slows the run, and the body accelerates from there.
#[test]
fn a_body_that_was_slowed_accelerates_again() {
    let level = Level::under_air(2, &["####################"], walking());
    let (environment, mut finder) = (Environment::new(level.layer()), PathFinder::new());
    let mut agent = sent(level.layer(), [20.0, 32.0], [290.0, 32.0]);
    let mut body = Kinematic::at_rest(Vec2::new(20.0, 32.0));
    for _ in 0..30 {
        let command = agent.drive_with(environment, &mut finder, body.0, 1.0 / 60.0);
        body.follow(level.layer(), command, 1.0 / 60.0);
    }
    assert_eq!(body.0.velocity.x, 90.0);
    body.0.velocity.x = 30.0;
    let command = agent.drive_with(environment, &mut finder, body.0, 0.05);
    // 600 units/s² of acceleration.
    assert!(
        (command.velocity.x - (30.0 + 600.0 * 0.05)).abs() < 1e-3,
        "{command:?}"
    );
}
