//! Links that a game performs: ropes, zip lines, jumps of a cut scene.

use crate::levels::sent;
use crate::worlds::{self, portal};

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, EdgeSet, LayerParts, LinkLine, Marker, MarkerId, NavMesh, NavMeshParts,
    PlatformId, Platforms, Provenance, Units,
};
use navmesh_runtime::motion::{
    Activity, AgentEvent, BodyState, Environment, NavAgent, PathLostReason,
};
use navmesh_runtime::search::PathFinder;
use navmesh_runtime::{Navigator, mesh::MarkerKind};

const TICK: f32 = 1.0 / 60.0;
const WEST: Vec2 = Vec2::new(40.0, 64.0);
const EAST: Vec2 = Vec2::new(300.0, 96.0);
const HIGH: Vec2 = Vec2::new(170.0, 20.0);
const SECONDS: f32 = 1.5;
const ROPE: MarkerId = MarkerId(0);

fn points() -> Vec<Vec2> {
    vec![WEST, HIGH, EAST]
}

fn parts() -> NavMeshParts {
    let grid = worlds::grid(48, 16);
    let profile = AgentProfile {
        edges: EdgeSet::FLOOR | EdgeSet::PORTAL | EdgeSet::DROP,
        ..AgentProfile::ground("grunt", 16.0)
    };
    let [west, east] = [(PlatformId(0), WEST), (PlatformId(1), EAST)];
    let back = points().into_iter().rev().collect();
    let lines = [points(), back].map(|points| LinkLine {
        marker: ROPE,
        points,
    });
    NavMeshParts {
        provenance: Provenance::default(),
        units: Units::default(),
        grid,
        layers: vec![LayerParts {
            profile,
            blocked: BitGrid::new(grid.columns, grid.rows),
            platforms: Platforms::new([
                vec![Vec2::new(8.0, 64.0), Vec2::new(200.0, 64.0)],
                vec![Vec2::new(240.0, 96.0), Vec2::new(376.0, 96.0)],
            ])
            .unwrap(),
            links: vec![portal(west, east, SECONDS), portal(east, west, SECONDS)],
            barriers: vec![],
            air: vec![],
            lines: lines.to_vec(),
        }],
        markers: vec![Marker {
            class: "link".into(),
            name: "rope".into(),
            position: Vec2::new(40.0, 20.0),
            size: Vec2::new(260.0, 76.0),
            properties: vec![("sound".into(), "creak".into())],
        }],
    }
}

fn mesh() -> NavMesh {
    NavMesh::new(parts()).unwrap()
}

/// Where a body is after some seconds on the line, by its length.
fn on_rope(seconds: f32) -> Vec2 {
    let [first, second] = [WEST.distance(HIGH), HIGH.distance(EAST)];
    let gone = (first + second) * seconds / SECONDS;
    if gone < first {
        WEST + (HIGH - WEST) * (gone / first)
    } else {
        HIGH + (EAST - HIGH) * ((gone - first) / second)
    }
}

/// An agent that has just begun the link, and the navigator.
fn begun() -> (Navigator, NavAgent) {
    let mut nav = Navigator::new(mesh());
    let mut agent = nav.agent("grunt", Vec2::new(60.0, 64.0)).unwrap();
    agent.go_to(Vec2::new(330.0, 96.0));
    for _ in 0..120 {
        agent.update(&mut nav, TICK);
        let started = AgentEvent::LinkStarted {
            marker: ROPE,
            from: WEST,
            to: EAST,
        };
        if agent.events().contains(&started) {
            return (nav, agent);
        }
    }
    panic!("the agent does not take the link");
}

#[test]
fn an_agent_moves_along_the_line_by_itself() {
    let (mut nav, mut agent) = begun();
    let rope = nav.mesh().marker(ROPE).unwrap();
    assert_eq!(
        (rope.name.as_str(), rope.kind()),
        ("rope", MarkerKind::Link)
    );
    assert_eq!(agent.pose().activity, Activity::InPortal);
    let line = agent.link_line(nav.layer_of(&agent).unwrap());
    assert_eq!(line.map(|line| line.points.clone()), Some(points()));
    // The step in which it began has used some time.
    let total = WEST.distance(HIGH) + HIGH.distance(EAST);
    let begun = agent.pose().position.distance(WEST) / total * SECONDS;
    assert!((0.0..TICK).contains(&begun), "{begun}");
    let steps = (SECONDS / TICK) as u32 - 1;
    for step in 1..=steps {
        let pose = agent.update(&mut nav, TICK);
        let expected = on_rope(begun + step as f32 * TICK);
        assert!(
            pose.position.distance(expected) < 0.05,
            "{step}: {pose:?} {expected}"
        );
        assert!((pose.velocity.length() - total / SECONDS).abs() < 0.5);
        assert_eq!(agent.events(), []);
    }
    agent.update(&mut nav, 2.0 * TICK);
    let finished = AgentEvent::LinkFinished {
        marker: ROPE,
        to: EAST,
    };
    assert_eq!(agent.events(), [finished]);
    for _ in 0..120 {
        agent.update(&mut nav, TICK);
    }
    assert_eq!(agent.pose().position, Vec2::new(330.0, 96.0));
}

#[test]
fn a_game_finishes_a_link_early() {
    let (mut nav, mut agent) = begun();
    agent.finish_link();
    let pose = agent.update(&mut nav, TICK);
    assert!(matches!(
        agent.events(),
        [AgentEvent::LinkFinished { to: EAST, .. }]
    ));
    // It uses no more than the time of the step.
    assert!(pose.position.distance(EAST) < 160.0 * TICK, "{pose:?}");
    agent.finish_link();
    agent.update(&mut nav, TICK);
    assert_eq!(agent.events(), [], "there is nothing to finish");
}

#[test]
fn a_stun_or_a_launch_takes_an_agent_off_the_line() {
    for is_stun in [true, false] {
        let (mut nav, mut agent) = begun();
        for _ in 0..20 {
            agent.update(&mut nav, TICK);
        }
        let at = agent.pose().position;
        assert!((60.0..190.0).contains(&at.x) && at.y < 60.0, "{at}");
        if is_stun {
            agent.stun();
        } else {
            agent.launch(Vec2::ZERO);
        }
        let mut events = Vec::new();
        for _ in 0..120 {
            agent.update(&mut nav, TICK);
            events.extend_from_slice(agent.events());
            if is_stun {
                assert!((agent.pose().position.x - at.x).abs() < 1.0, "it falls");
            }
        }
        let has_landed =
            |event: &AgentEvent| matches!(event, AgentEvent::Landed { at } if at.y == 64.0);
        assert!(events.iter().any(has_landed), "{events:?}");
        agent.enable();
        for _ in 0..400 {
            agent.update(&mut nav, TICK);
        }
        assert_eq!(agent.pose().position, Vec2::new(330.0, 96.0), "{is_stun}");
    }
}

/// Drives a body for some seconds. `moves` is what the game does with it while it is on the
/// line: `None` follows the command.
fn drive(
    seconds: f32,
    mut moves: impl FnMut(&mut NavAgent, f32) -> Option<Vec2>,
) -> (Vec<AgentEvent>, Vec2) {
    let mesh = mesh();
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let mut agent = sent(layer, [60.0, 64.0], [330.0, 96.0]);
    let mut body = BodyState {
        position: agent.pose().position,
        velocity: Vec2::ZERO,
        grounded: true,
    };
    let (mut events, mut on_line) = (Vec::new(), None);
    for _ in 0..(seconds / TICK) as u32 {
        let command = agent.drive_with(Environment::new(layer), &mut finder, body, TICK);
        events.extend_from_slice(agent.events());
        let is_on = agent.link_line(layer).is_some();
        on_line = is_on.then_some(on_line.map_or(0.0, |time| time + TICK));
        body.velocity = command.velocity;
        let moved = on_line.and_then(|time| moves(&mut agent, time));
        body.position = moved.unwrap_or(body.position + command.velocity * TICK);
        body.grounded = !command.exact;
    }
    (events, body.position)
}

#[test]
fn a_driven_body_follows_the_line() {
    let (events, end) = drive(5.0, |_, _| None);
    assert!(
        matches!(
            events[..],
            [
                AgentEvent::LinkStarted { .. },
                AgentEvent::LinkFinished { .. },
                AgentEvent::Arrived { .. }
            ]
        ),
        "{events:?}"
    );
    assert!(end.distance(Vec2::new(330.0, 96.0)) < 0.5, "{end}");
}

// The game takes twice as long as the level says, over another way, and says so.
#[test]
fn a_game_moves_the_body_in_its_own_way() {
    let (events, end) = drive(8.0, |agent, time| {
        let part = time / (2.0 * SECONDS);
        if part > 1.0 {
            agent.finish_link();
        }
        let bow = Vec2::NEG_Y * 100.0 * part * (1.0 - part);
        Some(WEST.lerp(EAST, part.min(1.0)) + bow)
    });
    let kinds: Vec<_> = events.iter().map(AgentEvent::name).collect();
    assert_eq!(kinds, ["link_started", "link_finished", "arrived"]);
    assert!(end.distance(Vec2::new(330.0, 96.0)) < 0.5, "{end}");
}

// The game leaves the body at the start: the agent waits for some time, and tries again from
// where the body is.
#[test]
fn a_body_that_is_not_moved_is_not_lost() {
    let (events, end) = drive(9.0, |_, _| Some(WEST));
    let kinds: Vec<_> = events.iter().map(AgentEvent::name).collect();
    assert_eq!(kinds[..2], ["link_started", "link_finished"]);
    assert!(
        events.contains(&AgentEvent::PathLost(PathLostReason::Drift)),
        "{events:?}"
    );
    assert_eq!(end, WEST);
}

#[test]
fn lines_are_stored_and_checked() {
    let mesh = mesh();
    let bytes = asset::encode(&mesh);
    assert_eq!(asset::decode(&bytes).unwrap(), mesh);
    assert_eq!(asset::peek(&bytes).unwrap().version, (4, 1));
    let mut plain = parts();
    plain.layers[0].lines.clear();
    let plain = asset::encode(&NavMesh::new(plain).unwrap());
    assert_eq!(asset::peek(&plain).unwrap().version, (4, 0));

    for break_it in [
        |line: &mut LinkLine| line.marker = MarkerId(1),
        |line: &mut LinkLine| line.points.truncate(1),
        |line: &mut LinkLine| line.points[1].x = f32::NAN,
    ] {
        let mut parts = parts();
        break_it(&mut parts.layers[0].lines[0]);
        assert!(NavMesh::new(parts).is_err());
    }
}

// A reader of version 4.0 skips the lines: the agent is teleported.
#[test]
fn an_older_reader_takes_a_link_for_a_portal() {
    let mut bytes = asset::encode(&mesh());
    let at = bytes.windows(4).position(|kind| kind == b"iWAY").unwrap();
    bytes[at..at + 4].copy_from_slice(b"iOLD");
    let table = 16 + 16 * u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let check = crc32fast::hash(&bytes[..table]);
    bytes[table..table + 4].copy_from_slice(&check.to_le_bytes());
    let mut nav = Navigator::new(asset::decode(&bytes).unwrap());
    let mut agent = nav.agent("grunt", Vec2::new(60.0, 64.0)).unwrap();
    agent.go_to(Vec2::new(330.0, 96.0));
    let mut events = Vec::new();
    for _ in 0..300 {
        agent.update(&mut nav, TICK);
        events.extend_from_slice(agent.events());
    }
    let kinds: Vec<_> = events.iter().map(AgentEvent::name).collect();
    assert_eq!(kinds, ["entered_portal", "teleported", "arrived"]);
}
