//! Agents that keep apart: what players see, counted from the poses alone.

use crate::levels;
use crate::physics_body;

use glam::Vec2;
use levels::{Dice, Level, walking};
use navmesh_runtime::mesh::{
    EdgeSet, Launch, Link, NavMesh, PlatformId, PlatformKind, Platforms, StepKind, TrajectoryParams,
};
use navmesh_runtime::motion::Avoidance;
use navmesh_runtime::{AgentEvent, NavAgent, Navigator};
use physics_body::{Body, Character, Drive, Limits, Tiles};

const DT: f32 = 1.0 / 60.0;

/// Agents in a level, each with its destination.
struct Scene {
    mesh: NavMesh,
    trips: Vec<[Vec2; 2]>,
}

/// What a player sees.
#[derive(Debug, Default, Clone, PartialEq)]
struct Seen {
    /// Seconds until all had arrived.
    seconds: f32,
    arrived: usize,
    /// Frames in which an agent stands in another one, per agent and minute.
    overlaps: f32,
    /// The longest time that one stood before it had arrived, seconds.
    wait: f32,
    /// Changes of direction per agent and minute.
    turns: f32,
    places: Vec<Vec2>,
}

/// Whether two bodies are inside of each other by more than a tenth.
fn overlap(a: Vec2, b: Vec2) -> bool {
    let off = (a - b).abs();
    off.x < 0.9 * levels::BODY[0] && off.y < 0.9 * levels::BODY[1]
}

impl Scene {
    fn new(mesh: NavMesh, trips: impl IntoIterator<Item = [Vec2; 2]>) -> Self {
        let trips = trips.into_iter().collect();
        Self { mesh, trips }
    }

    fn run(&self, avoidance: Avoidance) -> Seen {
        self.film(avoidance, 60.0, |_, _| {})
    }

    fn film(
        &self,
        avoidance: Avoidance,
        longest: f32,
        mut show: impl FnMut(u32, &[NavAgent]),
    ) -> Seen {
        let mut nav = Navigator::new(self.mesh.clone());
        let mut agents: Vec<NavAgent> = (self.trips.iter())
            .map(|[from, to]| {
                let mut agent = nav.agent("agent", *from).unwrap();
                agent.set_avoidance(avoidance);
                agent.go_to(*to);
                agent
            })
            .collect();
        let count = agents.len();
        let mut seen = Seen::default();
        let (mut arrived, mut stood) = (vec![false; count], vec![0.0_f32; count]);
        let mut headings = vec![0.0_f32; count];
        let (mut overlaps, mut turns, mut frames) = (0_u32, 0_u32, 0_u32);
        while seen.arrived < count && seen.seconds < longest {
            for (i, agent) in agents.iter_mut().enumerate() {
                let before = agent.pose().position;
                let pose = agent.update(&mut nav, DT);
                let moved = pose.position - before;
                let is_there = agent
                    .events()
                    .iter()
                    .any(|e| matches!(e, AgentEvent::Arrived { .. }));
                arrived[i] |= is_there;
                stood[i] = if moved.length() < 0.05 && !arrived[i] {
                    stood[i] + DT
                } else {
                    0.0
                };
                seen.wait = seen.wait.max(stood[i]);
                if moved.x.abs() > 0.01 {
                    turns += u32::from(headings[i] * moved.x < 0.0);
                    headings[i] = moved.x;
                }
            }
            for (i, a) in agents.iter().enumerate() {
                let mut others = agents.iter().enumerate().filter(|(j, _)| *j != i);
                let at = a.pose().position;
                overlaps += u32::from(others.any(|(_, b)| overlap(at, b.pose().position)));
            }
            show(frames, &agents);
            frames += 1;
            seen.seconds += DT;
            seen.arrived = arrived.iter().filter(|there| **there).count();
        }
        let minutes = count as f32 * seen.seconds / 60.0;
        (seen.overlaps, seen.turns) = (overlaps as f32 / minutes, turns as f32 / minutes);
        seen.places = agents.iter().map(|agent| agent.pose().position).collect();
        seen
    }
}

/// Two streams of ten that change sides.
fn streams(mesh: NavMesh, width: f32, y: f32) -> Scene {
    let left = (0..10).map(|i| Vec2::new(20.0 + 18.0 * i as f32, y));
    let across = Vec2::new(width - 202.0, 0.0);
    let trips = left.flat_map(|at| {
        let other = Vec2::new(width - at.x, y);
        [[at, at + across], [other, other - across]]
    });
    Scene::new(mesh, trips)
}

fn floor_level() -> Level {
    Level::under_air(4, &["#".repeat(50).as_str()], walking())
}

fn floor() -> Scene {
    streams(floor_level().mesh, 800.0, 64.0)
}

fn one_way() -> Scene {
    let scene = floor();
    Scene::new(scene.mesh, scene.trips.into_iter().step_by(2))
}

/// With jumps up to the ledges of a level, whose floor is its last platform.
fn with_ways_up(level: &Level) -> NavMesh {
    level.with(|layer| {
        let platforms: Vec<_> = layer.platforms.iter().collect();
        let Some((floor, ledges)) = platforms.split_last() else {
            return;
        };
        let launch = Launch {
            time: 0.0,
            speed: 282.0,
        };
        let rise = TrajectoryParams::new(&[launch], &[]).unwrap();
        let ups = ledges.iter().flat_map(|ledge| {
            [(ledge.left(), -1.0), (ledge.right(), 1.0)].map(|(end, side)| Link {
                kind: StepKind::Jump,
                from_platform: floor.id,
                to_platform: ledge.id,
                from: floor.clamp(end.x + 16.0 * side),
                to: end,
                duration: 0.0,
                tolerance: 0.0,
                params: rise,
            })
        });
        let ups: Vec<Link> = ups.collect();
        layer.links.retain(|link| link.from_platform != floor.id);
        layer.links.extend(ups);
    })
}

/// Each side has a ledge to wait on.
fn turnout() -> Scene {
    let ledges = format!("{0}######{1}######{0}", ".".repeat(14), ".".repeat(10));
    let air = ".".repeat(50);
    let rows = [
        air.as_str(),
        &air,
        &air,
        &ledges,
        &air,
        &air,
        &"#".repeat(50),
    ];
    let level = Level::parse(&rows, walking());
    streams(with_ways_up(&level), level.size().x, 96.0)
}

/// A floor, a ladder, and a floor above it.
fn ladder(trips: impl IntoIterator<Item = [Vec2; 2]>) -> Scene {
    let level = Level::under_air(12, &["#".repeat(40).as_str()], walking());
    let (low, high, x) = (192.0, 96.0, 320.0);
    let at = |x: f32, y: f32| Vec2::new(x, y);
    let mesh = level.with(|layer| {
        layer.profile.edges = walking() | EdgeSet::LADDER;
        layer.profile.climb_speed = 60.0;
        layer.platforms = Platforms::of_kinds([
            (PlatformKind::Floor, vec![at(8.0, low), at(632.0, low)]),
            (PlatformKind::Floor, vec![at(x, high), at(632.0, high)]),
            (PlatformKind::Ladder, vec![at(x, high), at(x, low)]),
        ])
        .unwrap();
        let step = |from: u32, to: u32, y: f32| Link {
            kind: StepKind::Ladder,
            from_platform: PlatformId(from),
            to_platform: PlatformId(to),
            from: at(x, y),
            to: at(x, y),
            duration: 0.0,
            tolerance: 0.25,
            params: TrajectoryParams::steady(0.0).unwrap(),
        };
        layer.links = vec![
            step(0, 2, low),
            step(1, 2, high),
            step(2, 0, low),
            step(2, 1, high),
        ];
    });
    Scene::new(mesh, trips)
}

fn up_a_ladder() -> Scene {
    ladder((0..10).map(|i| {
        let i = i as f32;
        [
            Vec2::new(20.0 + 18.0 * i, 192.0),
            Vec2::new(420.0 + 18.0 * i, 96.0),
        ]
    }))
}

/// Five go up and five go down.
fn both_ways_on_a_ladder() -> Scene {
    ladder((0..5).flat_map(|i| {
        let [low, high] = [
            Vec2::new(20.0 + 18.0 * i as f32, 192.0),
            Vec2::new(420.0 + 18.0 * i as f32, 96.0),
        ];
        [[low, high], [high, low]]
    }))
}

fn one_point() -> Scene {
    let level = Level::under_air(4, &["#".repeat(80).as_str()], walking());
    let at = |i: i32| Vec2::new(20.0 + 24.0 * i as f32, 64.0);
    Scene::new(
        level.mesh.clone(),
        (0..50).map(|i| [at(i), Vec2::new(640.0, 64.0)]),
    )
}

fn jump() -> Scene {
    let level = levels::wide_floors();
    let at = |i: i32| Vec2::new(15.0 + 13.6 * i as f32, 144.0);
    Scene::new(
        level.mesh.clone(),
        (0..10).map(|i| [at(i), at(i) + Vec2::new(162.0, 0.0)]),
    )
}

/// Ten fliers from each side, through a gap of two tiles.
fn fliers() -> Scene {
    let wall = format!("{0}#{0}", ".".repeat(20));
    let gap = ".".repeat(41);
    let mut rows = vec![wall.as_str(); 9];
    rows.extend([gap.as_str(); 2]);
    rows.extend(vec![wall.as_str(); 9]);
    let level = Level::parse(&rows, EdgeSet::FLY);
    let trips = (0..10).flat_map(|i| {
        let y = 30.0 + 28.0 * i as f32;
        let [left, right] = [Vec2::new(60.0, y), Vec2::new(596.0, y)];
        [[left, right], [right, left]]
    });
    Scene::new(level.mesh.clone(), trips)
}

fn scenes() -> [(&'static str, Scene); 8] {
    [
        ("opposing streams", floor()),
        ("with a turnout", turnout()),
        ("up a ladder", up_a_ladder()),
        ("both ways on a ladder", both_ways_on_a_ladder()),
        ("50 to one point", one_point()),
        ("a jump for all", jump()),
        ("fliers through a gap", fliers()),
        (
            "fliers, one way",
            Scene::new(fliers().mesh, fliers().trips.into_iter().step_by(2)),
        ),
    ]
}

fn counted(name: &str, scene: &Scene, avoidance: Avoidance) -> Seen {
    let seen = scene.run(avoidance);
    println!(
        "{name:24} {:8} {:2} in {:4.1} s, {:4.0} overlaps, {:4.1} s wait, {:4.1} turns",
        format!("{avoidance:?}"),
        seen.arrived,
        seen.seconds,
        seen.overlaps,
        seen.wait,
        seen.turns
    );
    assert_eq!(seen.arrived, scene.trips.len(), "{name}");
    seen
}

/// The table of the guide. Where all go one way, nobody stands in another one. Where two
/// streams meet and there is no place to make way, they pass through each other.
#[test]
fn agents_keep_apart() {
    for (name, scene) in scenes() {
        let free = counted(name, &scene, Avoidance::Overlap);
        let queued = counted(name, &scene, Avoidance::Queue);
        let yielding = counted(name, &scene, Avoidance::Yield);
        assert_eq!(queued, scene.run(Avoidance::Queue), "{name}: a second run");
        let meet = ["opposing", "turnout", "both ways", "through a gap"];
        let meets = meet.iter().any(|word| name.contains(word));
        for seen in [&queued, &yielding] {
            assert!(meets || seen.overlaps == 0.0, "{name}");
            assert!(seen.wait < 3.0, "{name}");
            assert!(seen.turns <= if meets { 10.0 } else { 0.5 }, "{name}");
            assert!(!meets || seen.overlaps < free.overlaps, "{name}");
        }
        assert!(queued.seconds < 3.0 * free.seconds + 1.0, "{name}");
    }
}

/// Bodies of a physics engine keep apart, too, on a floor and at a jump.
#[test]
fn driven_bodies_keep_apart() {
    let air = f64::from(levels::profile(walking()).run_speed) * 8.0;
    for (name, scene, level) in [
        ("one way", one_way(), floor_level()),
        ("a jump for all", jump(), levels::wide_floors()),
        ("opposing streams", floor(), floor_level()),
    ] {
        let tile = |solid: &bool| if *solid { b'#' } else { b'.' };
        let rows = level.rows.iter();
        let tiles = Tiles {
            rows: rows.map(|row| row.iter().map(tile).collect()).collect(),
            side: f64::from(levels::TILE),
        };
        let mut overlaps = [0; 2];
        for (avoidance, count) in [Avoidance::Overlap, Avoidance::Queue]
            .into_iter()
            .zip(&mut overlaps)
        {
            let mut nav = Navigator::new(scene.mesh.clone());
            let limits = Limits::new(level.layer(), Drive::Gravity, air / 120.0);
            let mut crowd: Vec<(NavAgent, Character<'_>, bool)> = (scene.trips.iter())
                .map(|[from, to]| {
                    let mut agent = nav.agent("agent", *from).unwrap();
                    agent.set_air_acceleration(air as f32);
                    agent.set_avoidance(avoidance);
                    agent.go_to(*to);
                    (
                        agent,
                        Character::new(&tiles, limits, from.as_dvec2()),
                        false,
                    )
                })
                .collect();
            let mut frames = 0;
            while frames < 1800 && crowd.iter().any(|(.., arrived)| !arrived) {
                for (agent, body, arrived) in &mut crowd {
                    let command = agent.drive(&mut nav, body.state(), DT);
                    body.step(command, DT.into());
                    let mut events = agent.events().iter();
                    *arrived |= events.any(|e| matches!(e, AgentEvent::Arrived { .. }));
                }
                for i in 0..crowd.len() {
                    let at = |j: usize| crowd[j].1.state().position;
                    *count += u32::from((0..crowd.len()).any(|j| j != i && overlap(at(i), at(j))));
                }
                frames += 1;
            }
            let arrived = crowd.iter().filter(|(.., arrived)| *arrived).count();
            println!("{name:20} {avoidance:?}: {arrived} in {frames} frames, {count} overlaps");
            assert_eq!(arrived, crowd.len(), "{name} {avoidance:?}");
        }
        // Streams that meet pass through each other, and more slowly.
        let share = if name.contains("opposing") { 1.2 } else { 0.05 };
        assert!(
            f64::from(overlaps[1]) <= share * f64::from(overlaps[0]),
            "{name}"
        );
    }
}

/// Of two ways that take about as long, chasers of one target take both.
#[test]
fn chasers_spread_over_ways_that_cost_little_more() {
    let ledge = format!("{0}######{0}", ".".repeat(20));
    let air = ".".repeat(46);
    let rows = [
        air.as_str(),
        &air,
        &air,
        &ledge,
        &air,
        &air,
        &"#".repeat(46),
    ];
    let mesh = with_ways_up(&Level::parse(&rows, walking()));
    for spreads in [false, true] {
        let mut nav = Navigator::new(mesh.clone());
        // A little to the left of the middle.
        let mut agents: Vec<NavAgent> = (0..6)
            .map(|_| nav.agent("agent", Vec2::new(360.0, 96.0)).unwrap())
            .collect();
        let mut sides = [0; 2];
        for frame in 0..240 {
            for agent in &mut agents {
                agent.set_spread(spreads);
                if frame % 20 == 0 {
                    agent.go_to(Vec2::new(368.0, 48.0 + 0.001 * frame as f32));
                }
                agent.update(&mut nav, DT);
                for event in agent.events() {
                    if let AgentEvent::Jumped { from, .. } = event {
                        sides[usize::from(from.x > 368.0)] += 1;
                    }
                }
            }
        }
        assert_eq!(sides, if spreads { [3, 3] } else { [6, 0] });
    }
}

/// An agent that is dropped, forgotten or switched off is in nobody's way, and clones of one
/// agent are several.
#[test]
fn agents_that_are_gone_are_in_nobodys_way() {
    for how in 0..4 {
        let mut nav = Navigator::new(floor_level().mesh);
        let mut agents: Vec<NavAgent> = vec![nav.agent("agent", Vec2::new(400.0, 64.0)).unwrap()];
        agents[0].set_avoidance(Avoidance::Queue);
        agents.push(agents[0].clone());
        agents[1].teleport(Vec2::new(300.0, 64.0));
        agents[1].go_to(Vec2::new(600.0, 64.0));
        for frame in 0..75 {
            for agent in &mut agents {
                agent.update(&mut nav, DT);
            }
            if frame == 20 && how > 0 {
                let mut gone = agents.remove(0);
                match how {
                    1 => nav.forget(&mut gone),
                    2 => gone.set_avoidance(Avoidance::Overlap),
                    _ => {}
                }
                if how == 2 {
                    gone.update(&mut nav, DT);
                }
            }
        }
        let x = agents.last().unwrap().pose().position.x;
        let stood_before_it = (370.0..400.0).contains(&x);
        assert_eq!(stood_before_it, how == 0 || how == 3, "{how}: {x}");
    }
}

#[test]
fn agents_that_keep_apart_allocate_nothing() {
    let mesh = floor_level().mesh;
    let mut nav = Navigator::new(mesh);
    let mut agents: Vec<NavAgent> = (0..30)
        .map(|i| {
            nav.agent("agent", Vec2::new(20.0 + 20.0 * i as f32, 64.0))
                .unwrap()
        })
        .collect();
    let mut round = |seed: u64| {
        let mut dice = Dice(seed);
        for frame in 0..600 {
            for (i, agent) in agents.iter_mut().enumerate() {
                agent.set_avoidance(if i % 3 == 0 {
                    Avoidance::Yield
                } else {
                    Avoidance::Queue
                });
                agent.set_spread(i % 2 == 0);
                if (frame + i) % 120 == 0 {
                    agent.go_to(Vec2::new(dice.between(20.0, 780.0), 64.0));
                }
                agent.update(&mut nav, DT);
            }
        }
    };
    round(1);
    assert_eq!(allocation_counter::measure(|| round(1)).count_total, 0);
}
