//! Doors that agents break: walls of crates, cracked floors.

use crate::worlds::{self, portal};

use glam::Vec2;
use navmesh_runtime::Navigator;
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, EdgeSet, LayerParts, Marker, MarkerId, NavMesh, NavMeshParts,
    PlatformId, Platforms, Provenance, Units,
};
use navmesh_runtime::motion::{Activity, AgentEvent, BodyState, IdleReason, NavAgent};
use navmesh_runtime::search::NoPath;

const TICK: f32 = 1.0 / 60.0;
const FLOOR: f32 = 96.0;
const START: Vec2 = Vec2::new(100.0, FLOOR);
const GOAL: Vec2 = Vec2::new(330.0, FLOOR);
const WALL: MarkerId = MarkerId(1);
/// The left side of the wall.
const SIDE: f32 = 200.0;

/// A floor with a wall of crates on it, and a portal around that takes `detour` seconds.
fn level(class: &str, properties: &[(&str, &str)], detour: Option<f32>) -> Navigator {
    let grid = worlds::grid(48, 16);
    let profile = AgentProfile {
        edges: EdgeSet::FLOOR | EdgeSet::PORTAL,
        ..AgentProfile::ground("grunt", 16.0)
    };
    let [west, east] = [40.0, 300.0].map(|x| (PlatformId(0), Vec2::new(x, FLOOR)));
    let detour = detour.map(|seconds| portal(west, east, seconds));
    let marker = |class: &str, name: &str, at: [f32; 4], properties: &[(&str, &str)]| Marker {
        class: class.into(),
        name: name.into(),
        position: Vec2::new(at[0], at[1]),
        size: Vec2::new(at[2], at[3]),
        properties: (properties.iter())
            .map(|(key, value)| ((*key).into(), (*value).into()))
            .collect(),
    };
    let mesh = NavMesh::new(NavMeshParts {
        provenance: Provenance::default(),
        units: Units::default(),
        grid,
        layers: vec![LayerParts {
            profile,
            blocked: BitGrid::new(grid.columns, grid.rows),
            platforms: Platforms::new([vec![Vec2::new(8.0, FLOOR), Vec2::new(376.0, FLOOR)]])
                .unwrap(),
            links: detour.into_iter().collect(),
            barriers: vec![],
            air: vec![],
            lines: vec![],
        }],
        markers: vec![
            marker("area", "", [0.0; 4], &[]),
            marker(class, "crates", [SIDE, 48.0, 8.0, 48.0], properties),
        ],
    });
    Navigator::new(mesh.unwrap())
}

fn breaker(nav: &Navigator, price: Option<f32>) -> NavAgent {
    let mut agent = nav.agent("grunt", START).unwrap();
    agent.set_break_cost(price);
    agent.go_to(GOAL);
    agent
}

/// All events of some seconds.
fn run(nav: &mut Navigator, agent: &mut NavAgent, seconds: f32) -> Vec<AgentEvent> {
    let mut events = Vec::new();
    for _ in 0..(seconds / TICK) as u32 {
        agent.update(nav, TICK);
        events.extend_from_slice(agent.events());
    }
    events
}

fn names(events: &[AgentEvent]) -> Vec<&str> {
    events.iter().map(AgentEvent::name).collect()
}

#[test]
fn an_agent_stops_in_front_of_what_it_has_to_break() {
    for (class, properties) in [
        ("Breakable", &[][..]),
        ("door", &[("breakable", "true")]),
        ("breakable", &[("closed", "true")]),
    ] {
        let mut nav = level(class, properties, None);
        assert_eq!(nav.doors().is_closed("crates"), Some(true), "{class}");
        let mut agent = breaker(&nav, Some(2.0));
        let events = run(&mut nav, &mut agent, 4.0);
        let at = agent.pose().position;
        let [
            AgentEvent::BlockedBy {
                marker,
                at: reported,
            },
        ] = events[..]
        else {
            panic!("{class}: {events:?}");
        };
        assert_eq!((marker, reported), (WALL, at));
        assert_eq!(nav.mesh().marker(marker).unwrap().name, "crates");
        let room = SIDE - agent.profile().body[0] / 2.0 - at.x;
        assert!((0.0..0.1).contains(&room), "{room} before the wall");
        let reason = IdleReason::NearestReached(NoPath::BlockedBy(WALL));
        assert_eq!(agent.pose().activity, Activity::Idle(reason));

        nav.doors_mut().open("crates").unwrap();
        assert_eq!(names(&run(&mut nav, &mut agent, 4.0)), ["arrived"]);
        assert_eq!(agent.pose().position, GOAL);
    }
}

#[test]
fn the_price_decides_between_the_wall_and_the_way_around() {
    // The way over the wall is 230 units long, that around 60 and 30 and a second.
    let seconds = |nav: &Navigator| 140.0 / nav.agent("grunt", START).unwrap().profile().run_speed;
    for (more, breaks) in [(0.3, true), (-0.3, false)] {
        let mut nav = level("breakable", &[], Some(3.0));
        let price = 3.0 - seconds(&nav) - more;
        let mut agent = breaker(&nav, Some(price));
        let events = run(&mut nav, &mut agent, 9.0);
        let expected: &[&str] = if breaks {
            &["blocked_by"]
        } else {
            &["entered_portal", "teleported", "arrived"]
        };
        assert_eq!(names(&events), expected, "{price}");
    }
    // One that breaks nothing takes the way around, or has none.
    let mut nav = level("breakable", &[], Some(3.0));
    let mut agent = breaker(&nav, None);
    let events = run(&mut nav, &mut agent, 9.0);
    assert_eq!(names(&events), ["entered_portal", "teleported", "arrived"]);
    let mut nav = level("breakable", &[], None);
    let mut agent = breaker(&nav, None);
    assert_eq!(names(&run(&mut nav, &mut agent, 3.0)), ["cannot_reach"]);
    // A door that is not breakable is closed for all.
    let mut nav = level("door", &[("closed", "true")], None);
    let mut agent = breaker(&nav, Some(0.0));
    assert_eq!(names(&run(&mut nav, &mut agent, 3.0)), ["cannot_reach"]);
}

#[test]
fn a_wall_that_was_broken_before_is_no_obstacle() {
    let mut nav = level("breakable", &[("closed", "false")], None);
    let mut agent = breaker(&nav, Some(1.0));
    assert_eq!(names(&run(&mut nav, &mut agent, 4.0)), ["arrived"]);
}

#[test]
fn a_driven_body_stops_in_front_of_a_wall() {
    let mut nav = level("breakable", &[], None);
    let mut agent = breaker(&nav, Some(2.0));
    let mut body = BodyState {
        position: START,
        velocity: Vec2::ZERO,
        grounded: true,
    };
    let mut events = Vec::new();
    for step in 0..600 {
        if step == 300 {
            nav.doors_mut().open("crates").unwrap();
        }
        let command = agent.drive(&mut nav, body, TICK);
        events.extend_from_slice(agent.events());
        body.velocity = Vec2::new(command.velocity.x, 0.0);
        body.position += body.velocity * TICK;
        let side = body.position.x + agent.profile().body[0] / 2.0;
        assert!(step >= 300 || side <= SIDE + 0.01, "{side}");
    }
    assert_eq!(names(&events), ["blocked_by", "arrived"]);
}
