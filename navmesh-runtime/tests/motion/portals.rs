//! Portals, and doors with names.

use crate::levels::{sent, with_doors};
use crate::worlds::{self, portal};

use glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, EdgeSet, LayerParts, Marker, NavMesh, NavMeshParts, PlatformId,
    Platforms, Provenance, StepKind, Units,
};
use navmesh_runtime::motion::{
    Activity, AgentEvent, BodyState, Environment, IdleReason, NavAgent, PathLostReason, Pose,
};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, Rect};

const TICK: f32 = 1.0 / 60.0;
const WEST: Vec2 = Vec2::new(40.0, 64.0);
const EAST: Vec2 = Vec2::new(300.0, 96.0);

fn marker(class: &str, name: &str, at: [f32; 4], properties: &[(&str, &str)]) -> Marker {
    let [x, y, width, height] = at;
    Marker {
        class: class.into(),
        name: name.into(),
        position: Vec2::new(x, y),
        size: Vec2::new(width, height),
        properties: properties
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect(),
    }
}

/// Two floors far apart, joined by a portal each way that takes `seconds`.
fn mesh(seconds: f32) -> NavMesh {
    let grid = worlds::grid(48, 16);
    let gravity = 800.0;
    let profile = AgentProfile {
        jump_height: 40.0,
        gravity,
        jump_speed: (2.0 * gravity * 40.0_f32).sqrt(),
        max_jump: [96.0, 40.0],
        max_drop: [96.0, 200.0],
        air_acceleration: None,
        edges: EdgeSet::FLOOR | EdgeSet::PORTAL,
        ..AgentProfile::ground("grunt", 16.0)
    };
    let [west, east] = [(PlatformId(0), WEST), (PlatformId(1), EAST)];
    NavMesh::new(NavMeshParts {
        provenance: Provenance::default(),
        units: Units::default(),
        grid,
        layers: vec![LayerParts {
            profile,
            blocked: BitGrid::new(grid.columns, grid.rows),
            platforms: Platforms::new([
                vec![Vec2::new(8.0, 64.0), Vec2::new(120.0, 64.0)],
                vec![Vec2::new(240.0, 96.0), Vec2::new(376.0, 96.0)],
            ])
            .unwrap(),
            links: vec![portal(west, east, seconds), portal(east, west, seconds)],
            barriers: vec![],
            air: vec![],
            lines: Vec::new(),
        }],
        markers: vec![
            marker("door", "gate", [340.0, 48.0, 8.0, 48.0], &[]),
            marker(
                "Door",
                "hatch",
                [60.0, 16.0, 8.0, 48.0],
                &[("closed", "true")],
            ),
            marker("door", "gate", [352.0, 48.0, 8.0, 48.0], &[]),
            marker("door", "flat", [0.0, 0.0, 8.0, 0.0], &[]),
            marker("door", "vault", [0.0, 0.0, 8.0, 8.0], &[]),
            marker(
                "door",
                "vault",
                [16.0, 0.0, 8.0, 8.0],
                &[("closed", "true")],
            ),
        ],
    })
    .unwrap()
}

/// Steps until the time is over or `done`. Returns all events, the last pose and
/// the time.
fn run(
    agent: &mut NavAgent,
    environment: Environment<'_>,
    seconds: f32,
    done: impl Fn(&NavAgent) -> bool,
) -> (Vec<AgentEvent>, Pose, f32) {
    let mut finder = PathFinder::new();
    let mut events = Vec::new();
    let mut time = 0.0;
    let mut pose = agent.pose();
    while time < seconds && !done(agent) {
        pose = agent.step(environment, &mut finder, TICK);
        events.extend_from_slice(agent.events());
        time += TICK;
    }
    (events, pose, time)
}

fn inside(agent: &NavAgent) -> bool {
    agent.pose().activity == Activity::InPortal
}

fn rests(agent: &NavAgent) -> bool {
    !agent.pose().activity.is_moving()
}

fn crossings(events: &[AgentEvent]) -> usize {
    let crosses = |event: &&AgentEvent| matches!(event, AgentEvent::Teleported { .. });
    events.iter().filter(crosses).count()
}

// The position changes at once after the portal's time, with an event.
#[test]
fn an_agent_waits_at_the_entrance_and_appears_at_the_exit() {
    let mesh = mesh(0.5);
    let layer = &mesh.layers()[0];
    let environment = Environment::new(layer);
    let mut agent = sent(layer, [80.0, 64.0], [330.0, 96.0]);
    let (mut events, pose, _) = run(&mut agent, environment, 5.0, inside);
    assert_eq!((pose.position, pose.velocity), (WEST, Vec2::ZERO));
    assert!(pose.activity.is_moving());
    let (more, pose, waited) = run(&mut agent, environment, 5.0, |a| !inside(a));
    events.extend(more);
    assert!((waited - 0.5).abs() < 2.5 * TICK, "{waited}");
    assert!(pose.position.distance(EAST) < 3.0, "{pose:?}");
    let (more, pose, _) = run(&mut agent, environment, 5.0, rests);
    events.extend(more);
    assert_eq!(pose.position, Vec2::new(330.0, 96.0));
    let (from, to) = (WEST, EAST);
    assert_eq!(
        events,
        [
            AgentEvent::EnteredPortal { from, to },
            AgentEvent::Teleported { from, to },
            AgentEvent::Arrived { at: pose.position },
        ]
    );
}

// The length of steps does not matter. A portal may take no time.
#[test]
fn time_left_after_a_portal_is_used() {
    for seconds in [0.0, 0.3] {
        let mesh = mesh(seconds);
        let layer = &mesh.layers()[0];
        let end_of = |ticks: u32| {
            let mut finder = PathFinder::new();
            let mut agent = sent(layer, [60.0, 64.0], [360.0, 96.0]);
            for _ in 0..ticks {
                agent.step(Environment::new(layer), &mut finder, 1.0 / ticks as f32);
            }
            agent.pose().position
        };
        let (one, many) = (end_of(1), end_of(240));
        assert!(one.distance(many) < 0.05, "{one} {many}");
        assert!(one.x > 305.0, "{one}");
    }
}

// Commands given in a portal take effect at the exit.
#[test]
fn a_portal_is_finished_before_anything_else() {
    let mesh = mesh(0.5);
    let layer = &mesh.layers()[0];
    let environment = Environment::new(layer);
    let begun = || {
        let mut agent = sent(layer, [60.0, 64.0], [330.0, 96.0]);
        run(&mut agent, environment, 5.0, inside);
        agent
    };

    let mut agent = begun();
    agent.go_to(Vec2::new(250.0, 96.0));
    let (events, pose, _) = run(&mut agent, environment, 5.0, rests);
    assert_eq!(pose.position, Vec2::new(250.0, 96.0));
    assert_eq!(crossings(&events), 1);

    let mut agent = begun();
    agent.go_to(Vec2::new(80.0, 64.0));
    let (events, pose, _) = run(&mut agent, environment, 9.0, rests);
    assert_eq!(pose.position, Vec2::new(80.0, 64.0), "there and back");
    assert_eq!(crossings(&events), 2);

    let mut agent = begun();
    agent.stop();
    let (_, pose, _) = run(&mut agent, environment, 2.0, |_| false);
    assert_eq!(pose.position, EAST);
    assert_eq!(pose.activity, Activity::Idle(IdleReason::Arrived));
}

// A stun in a portal leaves the agent at the entrance.
#[test]
fn a_stun_in_a_portal_keeps_it_at_the_entrance() {
    let mesh = mesh(0.5);
    let layer = &mesh.layers()[0];
    let environment = Environment::new(layer);
    let mut agent = sent(layer, [60.0, 64.0], [330.0, 96.0]);
    run(&mut agent, environment, 5.0, inside);
    agent.disable();
    let (events, pose, _) = run(&mut agent, environment, 1.0, |_| false);
    assert_eq!((events.len(), pose.position), (0, WEST));
    agent.enable();
    run(&mut agent, environment, 0.1, |_| false);
    let (_, pose, _) = run(&mut agent, environment, 5.0, rests);
    assert_eq!(pose.position, Vec2::new(330.0, 96.0));
}

// A door closes on the exit before the agent enters.
#[test]
fn a_portal_whose_exit_is_blocked_is_closed() {
    let mesh = mesh(0.5);
    let layer = &mesh.layers()[0];
    let mut doors = Doors::new();
    let mut agent = sent(layer, [110.0, 64.0], [370.0, 96.0]);
    run(&mut agent, with_doors(layer, &doors), 0.2, |_| false);
    doors.close_region(Rect::new(EAST - 20.0, EAST + 20.0));
    let environment = with_doors(layer, &doors);
    let (events, pose, _) = run(&mut agent, environment, 2.0, |_| false);
    assert!(
        events.contains(&AgentEvent::PathLost(PathLostReason::Door)),
        "{events:?}"
    );
    assert!(matches!(
        pose.activity,
        Activity::Idle(IdleReason::CannotReach(_))
    ));
}

// Doors of the level, by name.
#[test]
fn doors_of_the_level_open_and_close_by_name() {
    let mesh = mesh(0.0);
    let layer = &mesh.layers()[0];
    let mut doors = Doors::from_mesh(&mesh);
    assert_eq!(doors.is_closed("gate"), Some(false));
    assert_eq!(doors.is_closed("hatch"), Some(true), "its property says so");
    assert_eq!(doors.is_closed("flat"), None, "it has no height");
    assert_eq!(doors.is_closed("vault"), Some(true), "one of two");
    assert_eq!(doors.open("vault"), Ok(true));
    assert_eq!(doors.is_closed("vault"), Some(false));
    assert_eq!(doors.closed().len(), 1);
    assert_eq!(doors.close("gate"), Ok(true));
    assert_eq!(doors.close("gate"), Ok(false), "it is already");
    assert_eq!(doors.closed().len(), 3, "both of that name");
    assert_eq!(doors.open("hatch"), Ok(true));
    assert_eq!(doors.closed().len(), 2);
    let error = doors.open("gaet").unwrap_err().to_string();
    assert_eq!(
        error,
        "no door is named \"gaet\"; the doors are: gate, hatch, vault"
    );

    let mut agent = sent(layer, [300.0, 96.0], [370.0, 96.0]);
    let environment = with_doors(layer, &doors);
    let (_, pose, _) = run(&mut agent, environment, 2.0, |_| false);
    assert!(matches!(
        pose.activity,
        Activity::Idle(IdleReason::CannotReach(_))
    ));
    doors.open("gate").unwrap();
    let environment = with_doors(layer, &doors);
    let (_, pose, _) = run(&mut agent, environment, 3.0, |_| false);
    assert_eq!(pose.position, Vec2::new(370.0, 96.0), "it tries again");
}

#[test]
fn filters_close_doors_by_name() {
    let mesh = mesh(0.0);
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let query = Query::new(Vec2::new(20.0, 64.0), Vec2::new(370.0, 96.0));
    let open = finder.find(layer, &query).unwrap();
    let kinds: Vec<_> = open.path().unwrap().steps.iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [StepKind::Floor, StepKind::Portal, StepKind::Floor]);
    let mut doors = Doors::from_mesh(&mesh);
    doors.close("gate").unwrap();
    let mut closed = query;
    closed.filter.close_doors(&doors);
    assert!(matches!(
        finder.find(layer, &closed),
        Ok(PathOutcome::NoPath(_))
    ));
    let before = doors.clone();
    assert!(doors.close("flat").is_err());
    assert_eq!(doors, before);
}

// A game reads the events of a step before its physics moves the bodies, or after it.
#[test]
fn a_driven_body_is_moved_through_a_portal_once() {
    let mesh = mesh(0.1);
    let layer = &mesh.layers()[0];
    for moves_first in [true, false] {
        let mut finder = PathFinder::new();
        let mut agent = sent(layer, [60.0, 64.0], [330.0, 96.0]);
        let mut body = BodyState {
            position: agent.pose().position,
            velocity: Vec2::ZERO,
            grounded: true,
        };
        let mut events = Vec::new();
        for _ in 0..180 {
            let command = agent.drive_with(Environment::new(layer), &mut finder, body, TICK);
            (body.velocity, body.grounded) = (command.velocity, !command.exact);
            let moved = body.velocity * TICK;
            body.position += moved;
            for event in agent.events() {
                if let AgentEvent::Teleported { to, .. } = *event {
                    body.position = to + if moves_first { moved } else { Vec2::ZERO };
                }
            }
            events.extend_from_slice(agent.events());
        }
        let [
            AgentEvent::EnteredPortal { .. },
            AgentEvent::Teleported { .. },
            AgentEvent::Arrived { at },
        ] = events[..]
        else {
            panic!("{events:?}");
        };
        assert!(at.distance(Vec2::new(330.0, 96.0)) < 0.5, "{at}");
    }
}
