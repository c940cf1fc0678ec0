//! What each command does.

use crate::chase;
use crate::levels;

use glam::Vec2;
use levels::{Level, SPACING, gap, sent, settle, wall_and_gap, with_doors};
use navmesh_runtime::Navigator;
use navmesh_runtime::mesh::{EdgeSet, StepKind};
use navmesh_runtime::motion::{
    Activity, AgentEvent, BodyState, Environment, Facing, IdleReason, NavAgent, PathLostReason,
};
use navmesh_runtime::search::{Doors, NoPath, PathFinder, Rect, SnapTo};

const DT: f32 = 1.0 / 60.0;

/// An agent in the middle of its first jump.
pub(crate) fn jumper(level: &Level, finder: &mut PathFinder) -> NavAgent {
    let mut agent = sent(level.layer(), [40.0, 144.0], [290.0, 144.0]);
    for _ in 0..600 {
        if agent
            .step(Environment::new(level.layer()), finder, DT)
            .activity
            == Activity::Jumping
            && agent.pose().velocity.y > -60.0
        {
            return agent;
        }
    }
    panic!("no jump: {:?}", agent.pose());
}

#[test]
fn an_agent_runs_and_jumps_to_its_destination() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = sent(level.layer(), [20.0, 144.0], [290.0, 144.0]);
    let events = settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    assert_eq!(agent.pose().position, Vec2::new(290.0, 144.0));
    assert_eq!(agent.pose().facing, Facing::Right);
    let jumps = events
        .iter()
        .filter(|e| matches!(e, AgentEvent::Jumped { .. }));
    assert!(jumps.count() >= 1, "{events:?}");
    assert!(matches!(events.last(), Some(AgentEvent::Arrived { .. })));
}

#[test]
fn an_agent_lands_before_it_turns_back() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = jumper(&level, &mut finder);
    agent.go_to(Vec2::new(20.0, 144.0));
    let mut landed = None;
    for _ in 0..600 {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
        if let Some(AgentEvent::Landed { at }) = agent
            .events()
            .iter()
            .find(|e| matches!(e, AgentEvent::Landed { .. }))
        {
            landed = landed.or(Some(*at));
        }
        assert!(landed.is_some() || pose.activity == Activity::Jumping);
        if !pose.activity.is_moving() {
            break;
        }
    }
    assert!(landed.unwrap().x > 112.0);
    assert_eq!(agent.pose().position, Vec2::new(20.0, 144.0));
}

#[test]
fn an_agent_on_a_floor_turns_at_once() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = sent(level.layer(), [20.0, 144.0], [100.0, 144.0]);
    for _ in 0..20 {
        agent.step(Environment::new(level.layer()), &mut finder, DT);
    }
    assert_eq!(agent.pose().velocity.x, 90.0);
    agent.go_to(Vec2::new(20.0, 144.0));
    let at = agent.pose().position;
    agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert!(
        (agent.pose().velocity.x - 75.0).abs() < 1e-3,
        "it brakes first"
    );
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.pose().position.x, 20.0);
    assert!(at.x > 20.0);
}

#[test]
fn a_stun_in_a_jump_ends_in_a_drop_and_the_destination_is_kept() {
    let (level, mut finder) = (gap(), PathFinder::new());
    // Still over the floor, so that there is something to land on.
    let mut agent = sent(level.layer(), [60.0, 80.0], [290.0, 144.0]);
    while !matches!(
        agent
            .step(Environment::new(level.layer()), &mut finder, DT)
            .activity,
        Activity::Jumping | Activity::Dropping
    ) {}
    let at = agent.pose().position;
    agent.disable();
    for _ in 0..10 {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
        assert_eq!((pose.activity, pose.position), (Activity::Disabled, at));
        assert_eq!(pose.velocity, Vec2::ZERO);
    }
    agent.enable();
    let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert!(matches!(agent.events()[0], AgentEvent::Dropped { from, .. } if from == at));
    // Beside its ledge, it falls where nothing is in the way.
    assert_eq!(pose.activity, Activity::Dropping);
    assert!((pose.position.x - at.x).abs() <= SPACING);
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.pose().position, Vec2::new(290.0, 144.0));
}

#[test]
fn an_agent_stops_at_once_except_in_a_jump() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = jumper(&level, &mut finder);
    agent.stop();
    let events = settle(&mut agent, &level, &mut finder);
    assert!(
        matches!(events[..], [AgentEvent::Landed { at }, AgentEvent::Arrived { at: there }] if at == there),
        "{events:?}"
    );
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    assert_eq!(agent.destination(), Some(agent.pose().position));
    // A stop where it already is reports nothing again, also after a push.
    agent.stop();
    assert_eq!(settle(&mut agent, &level, &mut finder), []);
    let at = agent.pose().position + Vec2::new(8.0, 0.0);
    agent.teleport(at);
    assert_eq!(settle(&mut agent, &level, &mut finder), []);
    assert_eq!((agent.pose().position, agent.destination()), (at, Some(at)));

    agent.go_to(Vec2::new(20.0, 144.0));
    agent.step(Environment::new(level.layer()), &mut finder, 0.01);
    agent.stop();
    let at = agent.pose().position;
    let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
    if !matches!(pose.activity, Activity::Jumping | Activity::Dropping) {
        assert_eq!((pose.position, pose.velocity), (at, Vec2::ZERO));
    }
}

#[test]
fn a_door_closed_on_the_path_makes_the_agent_plan_again() {
    let (level, mut finder, mut doors) = (gap(), PathFinder::new(), Doors::new());
    let mut agent = sent(level.layer(), [20.0, 144.0], [100.0, 144.0]);
    let environment = Environment::new(level.layer());
    agent.step(with_doors(environment.layer, &doors), &mut finder, DT);
    // A door behind it does not matter.
    doors.close_region(Rect::new(Vec2::new(0.0, 100.0), Vec2::new(2.0, 144.0)));
    agent.step(with_doors(environment.layer, &doors), &mut finder, DT);
    assert_eq!(agent.events(), []);
    let door = doors.close_region(Rect::new(Vec2::new(70.0, 60.0), Vec2::new(74.0, 144.0)));
    let mut pose = agent.step(with_doors(environment.layer, &doors), &mut finder, DT);
    assert!(
        agent
            .events()
            .contains(&AgentEvent::PathLost(PathLostReason::Door))
    );
    // It brakes.
    while pose.activity == Activity::Running {
        pose = agent.step(with_doors(environment.layer, &doors), &mut finder, DT);
    }
    assert!(
        matches!(pose.activity, Activity::Idle(IdleReason::CannotReach(_))),
        "{pose:?}"
    );
    assert!(pose.position.x < 64.0);
    doors.open_region(door);
    for _ in 0..200 {
        agent.step(with_doors(environment.layer, &doors), &mut finder, DT);
    }
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
}

#[test]
fn platform_ends_are_the_ends_of_the_platform() {
    let level = gap();
    let layer = level.layer();
    let below = |at| layer.snap(at, SnapTo::FloorBelow(f32::INFINITY));
    let spot = below(Vec2::new(50.0, 100.0)).unwrap();
    assert_eq!(spot.position, Vec2::new(50.0, 144.0));
    let platform = layer.platform(spot.platform.unwrap()).unwrap();
    let (left, right) = (platform.left(), platform.right());
    assert!(left.x <= 6.0 && right.x > 117.0 && right.x < 118.0);
    assert!(below(Vec2::new(202.0, 100.0)).is_none());
    assert!(below(Vec2::NAN).is_none());
}

/// A target that jumps is out of reach for most of each jump.
#[test]
fn a_target_that_moves_on_out_of_reach_is_reported_once() {
    for partial in [false, true] {
        let (level, mut finder) = (gap(), PathFinder::new());
        let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 144.0));
        agent.set_allow_partial_path(partial);
        let (jumps, mut reports) = (8, 0);
        for step in 0..60 * jumps {
            let rise = 40.0 * (std::f32::consts::PI * (step % 60) as f32 / 60.0).sin();
            agent.go_to(Vec2::new(30.0 + 0.1 * step as f32, 144.0 - rise));
            agent.step(Environment::new(level.layer()), &mut finder, DT);
            let events = agent.events().iter();
            reports += events
                .filter(|e| matches!(e, AgentEvent::CannotReach(_)))
                .count();
        }
        assert_eq!(reports, jumps, "{partial}");
        // Another target is.
        for to in [Vec2::new(30.0, 20.0), Vec2::new(100.0, 20.0)] {
            agent.go_to(to);
            agent.step(Environment::new(level.layer()), &mut finder, DT);
            let why = AgentEvent::CannotReach(NoPath::GoalNotNavigable);
            assert_eq!(agent.events(), [why], "{partial} {to}");
        }
    }
}

#[test]
fn an_unreachable_destination_is_reported_and_approached_on_request() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 144.0));
    let far = Vec2::new(100.0, 20.0);
    agent.go_to(far);
    let events = settle(&mut agent, &level, &mut finder);
    let why = NoPath::GoalNotNavigable;
    assert_eq!(events, [AgentEvent::CannotReach(why)]);
    assert_eq!(
        agent.pose().activity,
        Activity::Idle(IdleReason::CannotReach(why))
    );
    agent.set_allow_partial_path(true);
    agent.go_to(far);
    settle(&mut agent, &level, &mut finder);
    assert_eq!(
        agent.pose().activity,
        Activity::Idle(IdleReason::NearestReached(why))
    );
    agent.go_to(Vec2::INFINITY);
    assert!(matches!(
        agent.pose().activity,
        Activity::Idle(IdleReason::Rejected(_))
    ));
}

#[test]
fn a_body_moved_by_the_engine_is_followed_and_a_drift_replans() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let environment = Environment::new(level.layer());
    let mut agent = sent(level.layer(), [20.0, 144.0], [100.0, 144.0]);
    let mut body = BodyState {
        position: Vec2::new(20.0, 144.0),
        velocity: Vec2::ZERO,
        grounded: true,
    };
    // The body lags a little behind the commands.
    for _ in 0..120 {
        let command = agent.drive_with(environment, &mut finder, body, DT);
        body.velocity = command.velocity;
        body.position += command.velocity * DT * 0.9;
        let mut events = agent.events().iter();
        assert!(!events.any(|event| matches!(event, AgentEvent::PathLost(_))));
    }
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    agent.go_to(Vec2::new(20.0, 144.0));
    agent.drive_with(environment, &mut finder, body, DT);
    // An explosion throws the body up, where nothing carries it.
    body.position.y -= SPACING * 2.0;
    (body.velocity, body.grounded) = (Vec2::ZERO, false);
    let drift = AgentEvent::PathLost(PathLostReason::Drift);
    agent.drive_with(environment, &mut finder, body, DT);
    assert_eq!(agent.events(), [drift]);
    for _ in 0..240 {
        let command = agent.drive_with(environment, &mut finder, body, DT);
        body.velocity = command.velocity;
        body.position += command.velocity * DT;
        body.grounded = body.position.y >= 144.0;
        body.position.y = body.position.y.min(144.0);
        assert!(!agent.events().contains(&drift), "once");
    }
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    assert!((body.position.x - 20.0).abs() < 0.5, "{}", body.position);
}

/// The same for a body that flies, and moves exactly.
#[test]
fn a_flying_body_that_is_pushed_away_replans() {
    let (level, mut finder) = (
        Level::under_air(8, &["######"], EdgeSet::FLY),
        PathFinder::new(),
    );
    let environment = Environment::new(level.layer());
    let mut agent = sent(level.layer(), [16.0, 40.0], [80.0, 40.0]);
    let mut body = BodyState {
        position: Vec2::new(16.0, 40.0),
        velocity: Vec2::ZERO,
        grounded: false,
    };
    let drift = AgentEvent::PathLost(PathLostReason::Drift);
    for tick in 0..200 {
        if tick == 20 {
            body.position.y += 3.0 * SPACING;
        }
        let command = agent.drive_with(environment, &mut finder, body, DT);
        assert!(command.exact);
        assert_eq!(agent.events().contains(&drift), tick == 20, "{tick}");
        body.velocity = command.velocity;
        body.position += command.velocity * DT;
    }
    assert_eq!(agent.pose().activity, Activity::Idle(IdleReason::Arrived));
    assert!(
        body.position.distance(Vec2::new(80.0, 40.0)) < 0.1,
        "{}",
        body.position
    );
}

#[test]
fn motion_is_mirrored_where_y_grows_upwards() {
    let level = gap();
    let mirror = level.upwards();
    let (mut a_finder, mut b_finder) = (PathFinder::new(), PathFinder::new());
    let spawn = Vec2::new(40.0, 20.0);
    let flip = Vec2::new(1.0, -1.0);
    let mut a = NavAgent::new(level.layer(), spawn);
    let mut b = NavAgent::new(mirror.layer(), spawn * flip);
    let goal = Vec2::new(290.0, 144.0);
    a.go_to(goal);
    b.go_to(goal * flip);
    for _ in 0..600 {
        let p = a.step(Environment::new(level.layer()), &mut a_finder, DT);
        let q = b.step(Environment::new(mirror.layer()), &mut b_finder, DT);
        assert!(p.position.distance(q.position * flip) < 1e-3, "{p:?} {q:?}");
        assert!(p.velocity.distance(q.velocity * flip) < 1e-2);
        assert_eq!(p.activity, q.activity);
    }
    assert_eq!(a.pose().activity, Activity::Idle(IdleReason::Arrived));
}

#[test]
fn the_chase_example_catches_the_player() {
    let level = gap();
    let chase::Chase {
        caught, visited, ..
    } = chase::chase(&mut Navigator::new(level.mesh.clone())).unwrap();
    assert!(caught >= 5, "{caught}");
    assert!(visited >= 3, "{visited}");
}

#[test]
fn a_walk_past_many_vertices_is_one_step_at_full_speed() {
    let level = wall_and_gap();
    let mut finder = PathFinder::new();
    let mut agent = sent(level.layer(), [10.0, 96.0], [105.0, 96.0]);
    let environment = Environment::new(level.layer());
    agent.step(environment, &mut finder, 0.0);
    let kinds: Vec<_> = agent.remaining_path().iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [StepKind::Floor]);
    // It keeps its full speed until it brakes for the end.
    let mut speeds = Vec::new();
    while agent
        .step(environment, &mut finder, DT)
        .activity
        .is_moving()
    {
        speeds.push(agent.pose().velocity.x);
    }
    let full = speeds.iter().filter(|&&v| v == 90.0).count();
    let slow = speeds.len() - full;
    assert!(full > 40 && slow < 20, "{speeds:?}");
}
