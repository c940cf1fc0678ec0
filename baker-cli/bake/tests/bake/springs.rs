//! Springs: bodies that touch one are thrown, which small steps repeat that share no code
//! with the bake.

use crate::common::rows;

use glam::{DVec2, Vec2};
use navmesh_bake::{Level, LevelMarker, NoProgress, Rect, Settings, bake};
use navmesh_runtime::Navigator;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{AgentProfile, Layer, Link, NavMesh, StepKind};
use navmesh_runtime::motion::{AgentEvent, BodyState};
use navmesh_runtime::search::{PathFinder, Query};

const TILE: f64 = 16.0;

/// A ledge that no agent can jump to, and a spring below.
const ROWS: [&str; 9] = [
    "........................",
    "........................",
    "................########",
    "........................",
    "........................",
    "..####..................",
    "........................",
    "........................",
    "########################",
];

const FLOOR: f64 = 128.0;
const LEDGE: f64 = 32.0;

/// The spring, in front of the ledge.
const SPRING: Rect = Rect::new(DVec2::new(200.0, 120.0), DVec2::new(216.0, FLOOR));

/// How high it throws a body.
const HEIGHT: f64 = 130.0;

fn level(class: &str, properties: &[(&str, &str)]) -> Level {
    let mut level = rows::level("springs", TILE as u32, &ROWS);
    level.markers.push(LevelMarker {
        class: class.into(),
        name: "spring".into(),
        area: SPRING,
        properties: (properties.iter())
            .map(|(key, value)| ((*key).into(), (*value).into()))
            .collect(),
    });
    level
}

/// Agents that steer in each of the three ways.
fn agents() -> Vec<AgentProfile> {
    let smooth = AgentProfile::ground("smooth", 16.0);
    let free = AgentProfile {
        name: "free".into(),
        air_control: true,
        air_acceleration: None,
        ..smooth.clone()
    };
    let fixed = AgentProfile {
        name: "fixed".into(),
        air_control: false,
        air_acceleration: None,
        ..smooth.clone()
    };
    vec![smooth, free, fixed]
}

fn baked(class: &str, properties: &[(&str, &str)]) -> NavMesh {
    let settings = Settings::for_agents(agents());
    bake(&level(class, properties), &settings, &NoProgress).unwrap()
}

fn with_height() -> NavMesh {
    baked("Spring", &[("height", "130")])
}

fn springs(layer: &Layer) -> Vec<&Link> {
    let links = layer.links().iter();
    links.filter(|link| link.kind == StepKind::Spring).collect()
}

/// Whether a body with its feet there overlaps a tile.
fn is_blocked(feet: DVec2, body: DVec2) -> bool {
    let hair = 1e-3;
    let low = feet - DVec2::new(0.5 * body.x, body.y) + hair;
    let high = feet + DVec2::new(0.5 * body.x, 0.0) - hair;
    ROWS.iter().enumerate().any(|(row, line)| {
        line.chars().enumerate().any(|(column, tile)| {
            let min = DVec2::new(column as f64, row as f64) * TILE;
            tile == '#' && low.cmplt(min + TILE).all() && min.cmplt(high).all()
        })
    })
}

fn touches_spring(feet: DVec2, body: DVec2) -> bool {
    let low = feet - DVec2::new(0.5 * body.x, body.y);
    let high = feet + DVec2::new(0.5 * body.x, 0.0);
    low.cmplt(SPRING.max).all() && SPRING.min.cmplt(high).all()
}

fn size(layer: &Layer) -> DVec2 {
    let [width, height] = layer.profile().body.map(f64::from);
    DVec2::new(width, height)
}

/// Follows a link in small steps, from a place some distance to the right. Returns where the
/// body lands.
fn replay(layer: &Layer, link: &Link, aside: f64) -> DVec2 {
    let (profile, body) = (layer.profile(), size(layer));
    let motion = link.trajectory(profile, 1.0).unwrap();
    let gravity = f64::from(profile.gravity);
    let fastest = profile.max_fall_speed.map_or(f64::INFINITY, f64::from);
    let dt = 1.0 / 8000.0;
    let mut at = link.from.as_dvec2() + DVec2::new(aside, 0.0);
    // The spring throws every body as high.
    let mut fall = -(2.0 * gravity * HEIGHT).sqrt();
    let steps = (motion.duration / dt).ceil() as u32;
    for step in 0..steps {
        let across = motion.velocity((f64::from(step) + 0.5) * dt).x;
        let speed = f64::from(profile.run_speed) * 1.001;
        assert!(across.abs() <= speed, "{across}");
        let next = (fall + gravity * dt).min(fastest);
        let landing = f64::from(link.to.y);
        let moved = at + DVec2::new(across, 0.5 * (fall + next)) * dt;
        (at, fall) = (moved, next);
        if fall > 0.0 {
            at.y = at.y.min(landing);
            assert!(!touches_spring(at, body), "it falls onto the spring: {at}");
        }
        assert!(!is_blocked(at, body), "{link:?} hits a tile at {at}");
    }
    at
}

#[test]
fn a_spring_throws_agents_onto_a_ledge() {
    let mesh = with_height();
    for layer in mesh.layers() {
        let (name, links) = (&layer.profile().name, springs(layer));
        let half = 0.5 * size(layer).x;
        let onto = |link: &&&Link| f64::from(link.to.y) == LEDGE;
        assert!(links.iter().any(|l| onto(&l)), "{name}: {links:?}");
        for link in links {
            let from = link.from.as_dvec2();
            let off = [SPRING.min.x - half - from.x, from.x - SPRING.max.x - half];
            assert!(off.iter().any(|off| off.abs() < 0.1), "{name}: {from}");
            assert_eq!(from.y, FLOOR);
            let landing = replay(layer, link, 0.0);
            assert!(
                landing.distance(link.to.as_dvec2()) < 0.5,
                "{name}: {landing}"
            );
            if link.params.start_speed().is_none() {
                continue;
            }
            // A body touches the spring up to a step after the end of the floor.
            let towards = if off[0].abs() < 0.1 { 1.0 } else { -1.0 };
            let late = f64::from(link.tolerance * layer.profile().run_speed).min(2.5);
            let landing = replay(layer, link, towards * late);
            let on = layer.platform(link.to_platform).unwrap();
            let ends = [on.left().x - 0.01, on.right().x + 0.01].map(f64::from);
            assert!(ends[0] <= landing.x && landing.x <= ends[1], "{landing}");
        }
    }
}

#[test]
fn agents_neither_rest_on_springs_nor_walk_over_them() {
    let mesh = with_height();
    for layer in mesh.layers() {
        let body = size(layer);
        for platform in layer.platforms().filter(|p| f64::from(p.left().y) == FLOOR) {
            let ends = [platform.left(), platform.right()].map(Vec2::as_dvec2);
            let inside = |x: f64| {
                x > SPRING.min.x - 0.5 * body.x + 0.1 && x < SPRING.max.x + 0.5 * body.x - 0.1
            };
            assert!(!inside(ends[0].x) && !inside(ends[1].x));
            assert_eq!(
                ends[0].x < SPRING.min.x,
                ends[1].x < SPRING.min.x,
                "{ends:?}"
            );
        }
        for link in layer.links().iter().filter(|l| l.kind.is_airborne()) {
            let motion = link.trajectory(layer.profile(), 1.0).unwrap();
            for part in 0..=400 {
                let offset = motion.offset(motion.duration * f64::from(part) / 400.0);
                let feet = link.from.as_dvec2() + DVec2::new(offset.x, -offset.y);
                let inside = touches_spring(feet + DVec2::new(0.0, -0.01), body - 0.02);
                assert!(link.kind == StepKind::Spring || !inside, "{link:?}");
            }
        }
    }
}

#[test]
fn the_words_and_the_ways_to_say_how_fast() {
    let count = |class: &str, properties: &[(&str, &str)]| {
        let mesh = baked(class, properties);
        let layers = mesh.layers().iter();
        layers.map(|layer| springs(layer).len()).sum::<usize>()
    };
    let gravity = f64::from(agents()[0].gravity);
    let speed = (2.0 * gravity * HEIGHT).sqrt().to_string();
    let expected = count("spring", &[("height", "130")]);
    assert!(expected > 0);
    assert_eq!(count("Jump_Pad", &[("velocity", &speed)]), expected);
    assert_eq!(
        count("trampoline", &[("height", "130"), ("direction", "up")]),
        expected
    );
    for nothing in [
        &[][..],
        &[("height", "-3")],
        &[("velocity", "x")],
        &[("height", "130"), ("direction", "left")],
    ] {
        assert_eq!(count("spring", nothing), 0, "{nothing:?}");
    }
    // One that is pressed does not cut the floor.
    let mesh = baked(
        "spring",
        &[("height", "130"), ("only_when_pressed", "true")],
    );
    for layer in mesh.layers() {
        let floors = layer.platforms().filter(|p| f64::from(p.left().y) == FLOOR);
        assert_eq!(floors.count(), 1);
        assert!(!springs(layer).is_empty());
    }
}

#[test]
fn springs_are_stored_where_older_readers_skip_them() {
    let mesh = with_height();
    let bytes = asset::encode(&mesh);
    assert_eq!(asset::decode(&bytes).unwrap(), mesh);
    assert_eq!(asset::peek(&bytes).unwrap().version, (4, 1));
}

#[test]
fn an_agent_reaches_the_ledge_over_the_spring() {
    let mesh = with_height();
    let [start, goal] = [
        Vec2::new(100.0, FLOOR as f32),
        Vec2::new(340.0, LEDGE as f32),
    ];
    for layer in mesh.layers() {
        let mut finder = PathFinder::new();
        let found = finder.find(layer, &Query::new(start, goal)).unwrap();
        let kinds: Vec<StepKind> = found.path().unwrap().steps.iter().map(|s| s.kind).collect();
        assert!(kinds.contains(&StepKind::Spring), "{kinds:?}");
    }
    let names: Vec<String> = agents().into_iter().map(|agent| agent.name).collect();
    for name in names {
        let mut nav = Navigator::new(mesh.clone());
        let mut agent = nav.agent(&name, start).unwrap();
        agent.go_to(goal);
        let mut events = Vec::new();
        for _ in 0..600 {
            agent.update(&mut nav, 1.0 / 60.0);
            events.extend_from_slice(agent.events());
        }
        let kinds: Vec<_> = events.iter().map(AgentEvent::name).collect();
        assert_eq!(kinds, ["thrown", "landed", "arrived"], "{name}");
        assert_eq!(agent.pose().position, goal);
    }
}

/// A body of a game: it walks, falls, is stopped by tiles, and thrown when it touches the spring,
/// or up to two steps later: engines report then that a body is in an area.
#[test]
fn a_driven_body_is_thrown_by_the_spring_of_the_game() {
    let mesh = with_height();
    let [start, goal] = [
        Vec2::new(100.0, FLOOR as f32),
        Vec2::new(340.0, LEDGE as f32),
    ];
    let agents = agents().into_iter().filter(|agent| agent.air_control);
    for (profile, late) in agents.flat_map(|agent| [0, 1, 2].map(|late| (agent.clone(), late))) {
        let name = &profile.name;
        let mut nav = Navigator::new(mesh.clone());
        let body = DVec2::from(profile.body.map(f64::from));
        let gravity = f64::from(profile.gravity);
        let dt = 1.0 / 60.0;
        let mut agent = nav.agent(name, start).unwrap();
        agent.go_to(goal);
        let (mut at, mut velocity, mut grounded, mut touched) =
            (start.as_dvec2(), DVec2::ZERO, true, 0);
        let mut events = Vec::new();
        for _ in 0..900 {
            let state = BodyState {
                position: at.as_vec2(),
                velocity: velocity.as_vec2(),
                grounded,
            };
            let command = agent.drive(&mut nav, state, dt as f32);
            events.extend_from_slice(agent.events());
            assert!(!command.exact, "{name}");
            velocity.x = f64::from(command.velocity.x);
            if let Some(jump) = command.jump {
                velocity.y = f64::from(jump.y);
            }
            velocity.y += gravity * dt;
            let aside = at + DVec2::new(velocity.x * dt, 0.0);
            if !is_blocked(aside, body) {
                at = aside;
            }
            let below = at + DVec2::new(0.0, velocity.y * dt);
            grounded = false;
            if !is_blocked(below, body) {
                at = below;
            } else if velocity.y > 0.0 {
                at.y = (below.y / TILE).floor() * TILE;
                (velocity.y, grounded) = (0.0, true);
            } else {
                velocity.y = 0.0;
            }
            touched = if touches_spring(at, body) {
                touched + 1
            } else {
                0
            };
            if touched == late + 1 {
                velocity.y = -(2.0 * gravity * HEIGHT).sqrt();
                grounded = false;
            }
        }
        let kinds: Vec<_> = events.iter().map(AgentEvent::name).collect();
        assert_eq!(kinds, ["thrown", "landed", "arrived"], "{name}, {late}");
        assert!(at.distance(goal.as_dvec2()) < 2.0, "{name}: {at}");
    }
}
