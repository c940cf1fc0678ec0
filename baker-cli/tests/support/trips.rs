//! Trips of bodies in generated levels and fixtures: how many arrive in time. Used
//! by the tests of several packages.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own part

use crate::common;
use crate::physics_body;
use crate::random_cases;

use std::path::{Path, PathBuf};

use baker_cli::bake::{NoProgress, Settings, bake};
use baker_cli::source::{Level, Rules, read};
use common::baked_level::Random;
use common::{draw, tiles};
use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, Layer, Link, LinkKind, NavMesh};
use navmesh_runtime::motion::AgentEvent;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};
use physics_body::{Body, Tiles, Trip};
use proptest::test_runner::TestRunner;

/// Trips in each level.
const TRIPS: u32 = 24;

/// A level, and its mesh.
pub struct Stage {
    name: String,
    pub tiles: Tiles,
    mesh: NavMesh,
}

impl Stage {
    pub fn layer(&self) -> &Layer {
        &self.mesh.layers()[0]
    }
}

/// The agent of a stage: it runs `pace` times as fast as the preset, and changes
/// its speed in the air by `factor` times its run speed in a second.
fn agent(pace: f32, factor: f32) -> AgentProfile {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.run_speed *= pace;
    agent.acceleration *= pace;
    agent.deceleration *= pace;
    agent.air_acceleration = factor.is_finite().then_some(factor * agent.run_speed);
    agent
}

fn baked(level: &Level, agent: AgentProfile) -> NavMesh {
    bake(level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap()
}

/// Generated levels, and the fixtures that are made of whole tiles.
pub fn stages(factor: f32) -> Vec<Stage> {
    let mut stages = Vec::new();
    let mut runner = TestRunner::deterministic();
    for number in 0..random_cases::times(12) {
        let world = draw(&mut runner, &tiles(18..40, 9..20, 16));
        // A third runs slower, and a third faster than the preset.
        let pace = [1.0, 0.6, 1.6][number as usize % 3];
        stages.push(Stage {
            name: format!("level {number}, {pace} x as fast"),
            tiles: Tiles::parse(&world.lines(), 16.0),
            mesh: baked(&world.level(), agent(pace, factor)),
        });
    }
    for name in ["arena.tmx", "rooms.tmx"] {
        let path = fixtures().join(name);
        let level = read(&path, &Rules::default()).unwrap();
        let mut agent = agent(1.0, factor);
        // The ledges are high for the preset.
        agent.jump_height = 84.0;
        (agent.gravity, agent.jump_speed) = AgentProfile::jump_from(84.0, 0.42);
        agent.max_jump = [112.0, 84.0];
        stages.push(Stage {
            name: name.to_owned(),
            tiles: map_tiles(&std::fs::read_to_string(&path).unwrap()),
            mesh: baked(&level, agent),
        });
    }
    stages
}

/// The fixtures of the repository, which this package is somewhere in.
fn fixtures() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = folders.find_map(|folder| Some(folder.join("fixtures")).filter(|f| f.is_dir()));
    found.unwrap()
}

/// The first tile layer of a map, all of whose tiles are solid.
fn map_tiles(map: &str) -> Tiles {
    let (_, data) = map.split_once("<data encoding=\"csv\">").unwrap();
    let (rows, _) = data.split_once("</data>").unwrap();
    let row = |row: &str| {
        let tiles = row.split(',').filter(|tile| !tile.is_empty());
        tiles
            .map(|tile| if tile == "0" { b'.' } else { b'#' })
            .collect()
    };
    Tiles {
        rows: rows.trim().lines().map(row).collect(),
        side: 16.0,
    }
}

/// A random point of a random platform.
fn somewhere(layer: &Layer, random: &mut Random) -> (u32, Vec2) {
    let platforms = layer.platforms();
    let number = random.below(platforms.len() as u32) as usize;
    let platform = platforms.iter().nth(number).unwrap();
    let (low, high) = platform.extent();
    let at = random.between(f64::from(low), f64::from(high));
    (number as u32, platform.at(at as f32))
}

/// Whether a route leads from one platform to another over links of a kind.
fn leads(layer: &Layer, from: u32, to: u32, counts: impl Fn(&Link) -> bool) -> bool {
    let mut seen = vec![from];
    let mut at = 0;
    while at < seen.len() {
        let here = seen[at];
        at += 1;
        for link in layer.links() {
            if link.from_platform.0 == here && counts(link) && !seen.contains(&link.to_platform.0) {
                seen.push(link.to_platform.0);
            }
        }
    }
    seen.contains(&to)
}

/// Whether a link allows a body to be off by a little. The others need a body that
/// fits a gap exactly or lands at its very apex.
fn has_tolerance(link: &Link) -> bool {
    !link.kind.is_airborne() || link.tolerance > 0.0
}

/// Whether a body that a jump takes to its landing may be a little higher and a
/// little to the side there. The tolerance of a link whose speed changes at once is
/// of time only. If the gap at the landing is as high as the body, then the body
/// enters it only at a single height, which it passes between two steps.
fn has_headroom(stage: &Stage, link: &Link) -> bool {
    const HAIR: f32 = 0.02;
    let [width, height] = stage.layer().profile().body;
    let side = stage.tiles.side as f32;
    let row = ((link.to.y - height - HAIR) / side).floor();
    let columns = [-1.0, 1.0].map(|x| link.to.x + x * (0.5 * width + HAIR));
    let [left, right] = columns.map(|x| (x / side).floor().max(0.0) as usize);
    let line = (row >= 0.0).then(|| &stage.tiles.rows[row as usize]);
    let is_solid = |column| line.and_then(|line| line.get(column)) == Some(&b'#');
    link.kind != LinkKind::Jump || !(left..=right).any(is_solid)
}

/// Trips, and those that were completed, also without planning again, and of those
/// that need no jump into a gap as high as the body.
#[derive(Debug, Default)]
pub struct Score {
    trips: u32,
    completed: u32,
    straight: u32,
    with_room: u32,
    completed_with_room: u32,
    failures: Vec<String>,
}

impl Score {
    fn percent(&self) -> [f64; 3] {
        let percent = |n, of| 100.0 * f64::from(n) / f64::from(of);
        [
            percent(self.completed, self.trips),
            percent(self.straight, self.trips),
            percent(self.completed_with_room, self.with_room),
        ]
    }
}

/// Lets bodies travel in each level: `trip` prepares one that begins at a position.
pub fn travel<'a, B: Body>(
    stages: &'a [Stage],
    mut trip: impl FnMut(usize, &'a Stage, Vec2) -> Trip<'a, B>,
) -> Score {
    let mut score = Score::default();
    for (number, stage) in stages.iter().enumerate() {
        let layer = stage.layer();
        if layer.platforms().is_empty() {
            continue;
        }
        let random = &mut Random(number as u64);
        for _ in 0..TRIPS {
            let [(a, from), (b, to)] = [(); 2].map(|()| somewhere(layer, random));
            let mut finder = PathFinder::new();
            let found = finder.find(layer, &Query::new(from, to));
            let is_found = matches!(found, Ok(PathOutcome::Found(_)));
            if !is_found || !leads(layer, a, b, has_tolerance) {
                continue;
            }
            let mut trip = trip(number, stage, from);
            trip.go(to, Body::step);
            let is_straight = trip.has_arrived() && !trip.has_replanned();
            score.trips += 1;
            score.completed += u32::from(trip.has_arrived());
            score.straight += u32::from(is_straight);
            let with_room = |link: &Link| has_tolerance(link) && has_headroom(stage, link);
            if leads(layer, a, b, with_room) {
                score.with_room += 1;
                score.completed_with_room += u32::from(trip.has_arrived());
            }
            if !is_straight {
                score
                    .failures
                    .push(describe(&stage.name, layer, [from, to], &trip));
            }
        }
    }
    score
}

/// The level, the trip, and the link on which it was first lost, with what the
/// body did there.
fn describe<B: Body>(
    level: &str,
    layer: &Layer,
    [from, to]: [Vec2; 2],
    trip: &Trip<'_, B>,
) -> String {
    let lost =
        |event: &AgentEvent| matches!(event, AgentEvent::PathLost(_) | AgentEvent::Stuck { .. });
    let events = &trip.events;
    let first = events.iter().position(lost).unwrap_or(events.len());
    let take_off = |event: &AgentEvent| match *event {
        AgentEvent::Jumped { from, to } | AgentEvent::Dropped { from, to } => Some((from, to)),
        _ => None,
    };
    let last = events[..first]
        .iter()
        .rposition(|event| take_off(event).is_some());
    let taken = last.and_then(|at| take_off(&events[at]));
    let link = taken.and_then(|(from, to)| {
        let links = layer.links().iter().filter(|link| link.to == to);
        links.min_by(|a, b| a.from.distance(from).total_cmp(&b.from.distance(from)))
    });
    let link = link.map_or("no link".to_owned(), |link| {
        let (kind, tolerance) = (link.kind.name(), link.tolerance);
        format!(
            "{kind} {} -> {} tolerance {tolerance:.3}",
            link.from, link.to
        )
    });
    let until = events.len().min(first + 3);
    let after = &events[last.unwrap_or(first).min(until)..until];
    let arrived = if trip.has_arrived() {
        "arrived"
    } else {
        "not arrived"
    };
    format!("{level}, {from} -> {to}: {arrived}, {link}, {after:?}")
}

/// The figures of a table, and those that are too low.
#[derive(Debug, Default)]
pub struct Report {
    wrong: Vec<(String, Vec<String>)>,
}

impl Report {
    /// Prints the figures of `row`, which should be at least these percentages.
    pub fn add(&mut self, row: &str, score: Score, least: [f64; 3]) {
        let percent = score.percent();
        let [completed, straight, with_room] = percent;
        let line = format!("{row}: {completed:.2} / {straight:.2}");
        let (trips, roomy) = (score.trips, score.with_room);
        println!("{line} of {trips} trips; {with_room:.2} of {roomy} with headroom");
        for failure in &score.failures {
            println!("    {failure}");
        }
        if percent.iter().zip(least).any(|(is, least)| *is < least) || roomy < 100 {
            self.wrong.push((line, score.failures));
        }
    }

    pub fn assert(&self) {
        assert!(self.wrong.is_empty(), "{:#?}", self.wrong);
    }
}
