//! What each command does, one by one. Features: A2, A6 to A11.

use crate::chase;
use crate::motion_worlds;

use glam::Vec2;
use motion_worlds::{Level, SPACING, gap, settle, walking};
use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::motion::{
    Activity, AgentEvent, Environment, Facing, IdleReason, NavAgent, PathLostReason, Stranded,
    platform_edges,
};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{NoPath, PathFinder, Rect, StepKind};

const DT: f32 = 1.0 / 60.0;

/// An agent in the middle of its first jump.
fn jumper(level: &Level, finder: &mut PathFinder) -> NavAgent {
    let mut agent = NavAgent::new(level.layer(), Vec2::new(40.0, 144.0));
    agent.set_destination(Vec2::new(290.0, 144.0));
    for _ in 0..600 {
        if agent
            .step(Environment::new(level.layer()), finder, DT)
            .activity
            == Activity::Jumping
            && agent.velocity().y > -60.0
        {
            return agent;
        }
    }
    panic!("it never jumps: {:?}", agent.pose());
}

#[test]
fn it_runs_and_jumps_to_where_it_is_sent() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 144.0));
    agent.set_destination(Vec2::new(290.0, 144.0));
    let events = settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Arrived));
    assert_eq!(agent.position(), Vec2::new(290.0, 144.0));
    assert_eq!(agent.pose().facing, Facing::Right);
    let jumps = events
        .iter()
        .filter(|e| matches!(e, AgentEvent::Jumped { .. }));
    assert!(jumps.count() >= 1, "{events:?}");
    assert!(matches!(events.last(), Some(AgentEvent::Arrived { .. })));
}

#[test]
fn a6_in_a_jump_it_lands_before_it_turns_back() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = jumper(&level, &mut finder);
    agent.set_destination(Vec2::new(20.0, 144.0));
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
    assert_eq!(agent.position(), Vec2::new(20.0, 144.0));
}

#[test]
fn a6_on_floor_it_turns_where_it_is() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 144.0));
    agent.set_destination(Vec2::new(100.0, 144.0));
    for _ in 0..20 {
        agent.step(Environment::new(level.layer()), &mut finder, DT);
    }
    assert_eq!(agent.velocity().x, 90.0);
    agent.set_destination(Vec2::new(20.0, 144.0));
    let at = agent.position();
    agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert!((agent.velocity().x - 75.0).abs() < 1e-3, "it brakes first");
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.position().x, 20.0);
    assert!(at.x > 20.0);
}

#[test]
fn a7_it_falls_to_the_first_floor_below_or_is_stranded() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(40.0, 30.0));
    let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert_eq!(pose.activity, Activity::Dropping);
    let fallen = 0.5 * 800.0 * DT * DT;
    assert!((pose.position.y - 30.0 - fallen).abs() < 1e-4);
    let events = settle(&mut agent, &level, &mut finder);
    assert_eq!(
        events,
        [AgentEvent::Landed {
            at: Vec2::new(40.0, 80.0)
        }]
    );
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::NoDestination));

    // Over the pit there is nothing.
    agent.teleport(Vec2::new(202.0, 100.0));
    agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert_eq!(agent.activity(), Activity::Stranded(Stranded::NothingBelow));
    assert_eq!(
        agent.events(),
        [AgentEvent::Stranded(Stranded::NothingBelow)]
    );
    // Not even a destination helps; a teleport does.
    agent.set_destination(Vec2::new(20.0, 144.0));
    agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert_eq!(agent.activity(), Activity::Stranded(Stranded::NothingBelow));
    agent.teleport(Vec2::new(60.0, 144.0));
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Arrived));
    agent.teleport(Vec2::new(f32::NAN, 0.0));
    agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert_eq!(agent.activity(), Activity::Stranded(Stranded::NotFinite));
}

#[test]
fn a8_a_stun_in_a_jump_ends_in_a_drop_and_the_destination_is_kept() {
    let (level, mut finder) = (gap(), PathFinder::new());
    // Over the floor still, so that there is something to fall on.
    let mut agent = NavAgent::new(level.layer(), Vec2::new(60.0, 80.0));
    agent.set_destination(Vec2::new(290.0, 144.0));
    while !matches!(
        agent
            .step(Environment::new(level.layer()), &mut finder, DT)
            .activity,
        Activity::Jumping | Activity::Dropping
    ) {}
    let at = agent.position();
    agent.disable();
    for _ in 0..10 {
        let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
        assert_eq!((pose.activity, pose.position), (Activity::Disabled, at));
        assert_eq!(pose.velocity, Vec2::ZERO);
    }
    agent.enable();
    let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
    assert!(matches!(agent.events()[0], AgentEvent::Dropped { from, .. } if from == at));
    // Beside the ledge it comes from, it falls where nothing can be in the way.
    assert_eq!(pose.activity, Activity::Dropping);
    assert!((pose.position.x - at.x).abs() <= SPACING);
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.position(), Vec2::new(290.0, 144.0));
}

#[test]
fn a9_it_stops_at_once_but_finishes_a_jump() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = jumper(&level, &mut finder);
    agent.stop();
    let events = settle(&mut agent, &level, &mut finder);
    assert!(
        matches!(events[..], [AgentEvent::Landed { .. }]),
        "{events:?}"
    );
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::NoDestination));
    assert_eq!(agent.destination(), None);

    agent.set_destination(Vec2::new(20.0, 144.0));
    agent.step(Environment::new(level.layer()), &mut finder, 0.01);
    agent.stop();
    let at = agent.position();
    let pose = agent.step(Environment::new(level.layer()), &mut finder, DT);
    if !matches!(pose.activity, Activity::Jumping | Activity::Dropping) {
        assert_eq!((pose.position, pose.velocity), (at, Vec2::ZERO));
    }
}

#[test]
fn a10_a_door_on_the_way_makes_it_plan_anew() {
    let (level, mut finder, mut doors) = (gap(), PathFinder::new(), Doors::new());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 144.0));
    agent.set_destination(Vec2::new(100.0, 144.0));
    let world = Environment::new(level.layer());
    agent.step(world.with_doors(&doors), &mut finder, DT);
    // Behind it: none of its business.
    doors.close_region(Rect::new(Vec2::new(0.0, 100.0), Vec2::new(2.0, 144.0)));
    agent.step(world.with_doors(&doors), &mut finder, DT);
    assert_eq!(agent.events(), []);
    let door = doors.close_region(Rect::new(Vec2::new(70.0, 60.0), Vec2::new(74.0, 144.0)));
    let pose = agent.step(world.with_doors(&doors), &mut finder, DT);
    assert!(
        agent
            .events()
            .contains(&AgentEvent::PathLost(PathLostReason::Door))
    );
    assert!(
        matches!(pose.activity, Activity::Idle(IdleReason::CannotReach(_))),
        "{pose:?}"
    );
    assert!(pose.position.x < 64.0);
    doors.open_region(door);
    for _ in 0..200 {
        agent.step(world.with_doors(&doors), &mut finder, DT);
    }
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Arrived));
}

#[test]
fn a11_the_edges_of_a_platform_are_its_lips() {
    let level = gap();
    let edges = platform_edges(level.layer(), Vec2::new(50.0, 100.0)).unwrap();
    assert_eq!(edges.beneath, Vec2::new(50.0, 144.0));
    assert!(edges.left.x <= 6.0 && edges.right.x > 117.0 && edges.right.x < 118.0);
    assert_eq!(edges.nearer_to(Vec2::new(30.0, 0.0)), edges.left);
    assert_eq!(edges.nearer_to(Vec2::new(90.0, 0.0)), edges.right);
    assert!(platform_edges(level.layer(), Vec2::new(202.0, 100.0)).is_none());
    assert!(platform_edges(level.layer(), Vec2::NAN).is_none());
}

#[test]
fn where_it_cannot_go_it_says_why_and_goes_near_on_request() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 144.0));
    let far = Vec2::new(100.0, 20.0);
    agent.set_destination(far);
    let events = settle(&mut agent, &level, &mut finder);
    let why = NoPath::GoalNotNavigable;
    assert_eq!(events, [AgentEvent::CannotReach(why)]);
    assert_eq!(
        agent.activity(),
        Activity::Idle(IdleReason::CannotReach(why))
    );
    agent.set_or_nearest(true);
    agent.set_destination(far);
    settle(&mut agent, &level, &mut finder);
    assert_eq!(
        agent.activity(),
        Activity::Idle(IdleReason::NearestReached(why))
    );
    agent.set_destination(Vec2::INFINITY);
    assert!(matches!(
        agent.activity(),
        Activity::Idle(IdleReason::Rejected(_))
    ));
}

#[test]
fn a_body_moved_by_the_engine_is_followed_and_a_drift_replans() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let world = Environment::new(level.layer());
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 144.0));
    agent.set_destination(Vec2::new(100.0, 144.0));
    // The engine lags a little behind what is wanted.
    for _ in 0..120 {
        let pose = agent.step(world, &mut finder, DT);
        let lag = pose.velocity.x * DT * 0.1;
        agent.sync(pose.position - Vec2::new(lag, 0.0), pose.velocity);
        assert!(
            !agent
                .events()
                .iter()
                .any(|e| matches!(e, AgentEvent::PathLost(_)))
        );
    }
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Arrived));
    agent.set_destination(Vec2::new(20.0, 144.0));
    agent.step(world, &mut finder, DT);
    // A blast throws it up.
    agent.sync(agent.position() - Vec2::new(0.0, SPACING * 2.0), Vec2::ZERO);
    let pose = agent.step(world, &mut finder, DT);
    assert_eq!(
        agent.events()[0],
        AgentEvent::PathLost(PathLostReason::Drift)
    );
    assert_eq!(pose.activity, Activity::Dropping);
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.position().x, 20.0);
}

#[test]
fn a_swapped_level_is_entered_from_where_it_is() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let other = Level::parse(
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
            "....................",
            "####################",
        ],
        walking(),
    );
    let mut agent = jumper(&level, &mut finder);
    let pose = agent.step(Environment::new(other.layer()), &mut finder, DT);
    assert_eq!(
        agent.events()[0],
        AgentEvent::PathLost(PathLostReason::Level)
    );
    assert_eq!(pose.activity, Activity::Dropping);
    settle(&mut agent, &other, &mut finder);
    assert_eq!(agent.position(), Vec2::new(290.0, 160.0));
}

#[test]
fn a4_a_flier_takes_the_straight_way_it_sees_and_rounds_corners() {
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
fn where_y_grows_upwards_everything_is_mirrored() {
    let level = gap();
    let mirror = level.upwards();
    let (mut a_finder, mut b_finder) = (PathFinder::new(), PathFinder::new());
    let spawn = Vec2::new(40.0, 20.0);
    let flip = Vec2::new(1.0, -1.0);
    let mut a = NavAgent::new(level.layer(), spawn);
    let mut b = NavAgent::new(mirror.layer(), spawn * flip);
    let goal = Vec2::new(290.0, 144.0);
    a.set_destination(goal);
    b.set_destination(goal * flip);
    for _ in 0..600 {
        let p = a.step(Environment::new(level.layer()), &mut a_finder, DT);
        let q = b.step(Environment::new(mirror.layer()), &mut b_finder, DT);
        assert!(p.position.distance(q.position * flip) < 1e-3, "{p:?} {q:?}");
        assert!(p.velocity.distance(q.velocity * flip) < 1e-2);
        assert_eq!(p.activity, q.activity);
    }
    assert_eq!(a.activity(), Activity::Idle(IdleReason::Arrived));
}

#[test]
fn the_chase_example_ends_near_the_player() {
    let level = gap();
    let pose = chase::chase(&level.mesh).unwrap();
    // The player ends at the left end of the last floor.
    assert_eq!(pose.activity, Activity::Idle(IdleReason::Arrived));
    assert!(pose.position.x > 217.0, "{pose:?}");
}

#[test]
fn an_agent_stays_where_it_is_in_a_layer_of_another_agent() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let other = level.of_agent("another");
    let other = Environment::new(&other.layers()[0]);
    let mut agent = NavAgent::new(level.layer(), Vec2::new(20.0, 144.0));
    agent.set_destination(Vec2::new(100.0, 144.0));
    let before = agent.step(Environment::new(level.layer()), &mut finder, DT);
    for (step, agent_moved) in [(0, false), (1, false), (2, true)] {
        if agent_moved {
            agent.teleport(before.position);
        }
        let pose = agent.step(other, &mut finder, DT);
        assert_eq!(pose.position, before.position);
        assert_eq!(pose.activity, Activity::Stranded(Stranded::WrongLayer));
        let reported = agent.events() == [AgentEvent::Stranded(Stranded::WrongLayer)];
        assert_eq!(reported, step != 1, "an event when it begins");
    }
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Arrived));
    // A copy of the level is another layer of the same agent.
    let copy = level.of_agent("agent");
    let pose = agent.step(Environment::new(&copy.layers()[0]), &mut finder, DT);
    assert_eq!(pose.activity, Activity::Idle(IdleReason::Arrived));
}
