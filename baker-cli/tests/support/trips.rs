//! Trips of bodies in generated levels and fixtures: how many arrive in time. Used
//! by the tests of several packages.
#![allow(dead_code)] // each test binary uses its own part

use crate::common;
use crate::physics_body;
use crate::random_cases;

use common::baked_level::Random;
use common::fixtures::{fixture, fixtures};
use common::{draw, rows, tiles};
use glam::Vec2;
use navmesh_bake::Level;
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, Layer, NavMesh};
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

/// An agent that runs `pace` times as fast as the preset, and changes its speed in
/// the air by `factor` times its run speed in a second.
pub fn agent(pace: f32, factor: f32) -> AgentProfile {
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

/// The same level, with all links that the bake finds.
pub fn with_all_links(stage: &Stage) -> NavMesh {
    let mut settings = Settings::for_agents(vec![stage.layer().profile().clone()]);
    settings.link_stretch = 1.0;
    let rows = stage.tiles.rows.iter();
    let rows: Vec<&str> = rows.map(|row| std::str::from_utf8(row).unwrap()).collect();
    let level = rows::level(&stage.name, stage.tiles.side as u32, &rows);
    bake(&level, &settings, &NoProgress).unwrap()
}

/// So many generated levels, for the agents that are made for each of them.
fn generated(levels: u32, mut agent: impl FnMut(u32) -> (String, AgentProfile)) -> Vec<Stage> {
    let mut runner = TestRunner::deterministic();
    let stages = (0..random_cases::samples(levels)).map(|number| {
        let world = draw(&mut runner, &tiles(18..40, 9..20, 16));
        let (name, agent) = agent(number);
        Stage {
            name: format!("level {number}, {name}"),
            tiles: Tiles::parse(&world.lines(), 16.0),
            mesh: baked(&world.level(), agent),
        }
    });
    stages.collect()
}

/// Generated levels of ice: floors on which an agent takes a second to reach its run
/// speed, and another one to stop. Run-ups matter in one trip of ten, so there are many.
pub fn icy_stages() -> Vec<Stage> {
    generated(64, |_| {
        let mut agent = agent(1.0, 8.0);
        (agent.acceleration, agent.deceleration) = (agent.run_speed, agent.run_speed);
        ("ice".to_owned(), agent)
    })
}

/// Generated levels for agents that jump again in the air.
pub fn double_jump_stages(factor: f32) -> Vec<Stage> {
    generated(8, |_| {
        let mut agent = agent(1.0, factor);
        agent.air_jumps = 1;
        ("double jumps".to_owned(), agent)
    })
}

/// Generated levels, and the fixtures that are made of whole tiles.
pub fn stages(factor: f32) -> Vec<Stage> {
    let mut stages = generated(12, |number| {
        // A third runs slower, and a third faster than the preset.
        let pace = [1.0, 0.6, 1.6][number as usize % 3];
        (format!("{pace} x as fast"), agent(pace, factor))
    });
    for name in ["arena.tmx", "rooms.tmx"] {
        let level = fixture(name);
        let mut agent = agent(1.0, factor);
        // The ledges are high for the preset.
        agent.jump_height = 84.0;
        (agent.gravity, agent.jump_speed) = AgentProfile::jump_from(84.0, 0.42);
        agent.max_jump = [112.0, 84.0];
        stages.push(Stage {
            name: name.to_owned(),
            tiles: map_tiles(&std::fs::read_to_string(fixtures().join(name)).unwrap()),
            mesh: baked(&level, agent),
        });
    }
    stages
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
fn somewhere(layer: &Layer, random: &mut Random) -> Vec2 {
    let mut platforms = layer.platforms();
    let number = random.below(platforms.len() as u32) as usize;
    let platform = platforms.nth(number).unwrap();
    let (low, high) = platform.extent();
    let at = random.between(f64::from(low), f64::from(high));
    platform.at(at as f32)
}

/// Trips, and those that were completed, also without planning again.
#[derive(Debug, Default)]
pub struct Score {
    trips: u32,
    completed: u32,
    straight: u32,
    /// Trips of which the quickest path has a link without tolerance.
    fragile: u32,
    /// Trips left out because the body fits nowhere at one of their ends, or does not stand
    /// where they begin: it is not the body that was baked.
    impossible: u32,
    failures: Vec<String>,
}

impl Score {
    /// Adds the trips of a level; `None` for one that is impossible.
    pub fn travel<'a, B: Body>(
        &mut self,
        name: &str,
        layer: &'a Layer,
        seed: u64,
        mut trip: impl FnMut([Vec2; 2]) -> Option<Trip<'a, B>>,
    ) {
        for ends in routes(layer, seed) {
            match trip(ends) {
                Some(trip) => self.add(name, layer, ends, trip),
                None => self.impossible += 1,
            }
        }
    }

    /// Adds a trip, whose body stands at its beginning.
    pub fn add<B: Body>(
        &mut self,
        name: &str,
        layer: &Layer,
        [from, to]: [Vec2; 2],
        mut trip: Trip<'_, B>,
    ) {
        trip.go(to, Body::step);
        let is_straight = trip.has_arrived() && !trip.has_replanned();
        self.trips += 1;
        self.fragile += u32::from(!has_tolerances(layer, [from, to]));
        self.completed += u32::from(trip.has_arrived());
        self.straight += u32::from(is_straight);
        if !is_straight {
            let failure = describe(name, layer, [from, to], &trip);
            self.failures.push(failure);
        }
    }

    fn percent(&self) -> [f64; 2] {
        [self.completed, self.straight].map(|n| 100.0 * f64::from(n) / f64::from(self.trips))
    }
}

/// Random trips for which there is a path.
pub fn routes(layer: &Layer, seed: u64) -> Vec<[Vec2; 2]> {
    if layer.platforms().len() == 0 {
        return Vec::new();
    }
    let random = &mut Random(seed);
    let ends = std::iter::repeat_with(|| [(); 2].map(|()| somewhere(layer, random)));
    let mut finder = PathFinder::new();
    ends.take(TRIPS as usize)
        .filter(|[from, to]| {
            let found = finder.find(layer, &Query::new(*from, *to));
            matches!(found, Ok(PathOutcome::Found(_)))
        })
        .collect()
}

/// Whether every jump and drop of the quickest path has a tolerance. The others need a body
/// that fits a gap exactly or lands at its very apex.
pub fn has_tolerances(layer: &Layer, [from, to]: [Vec2; 2]) -> bool {
    let mut finder = PathFinder::new();
    let Ok(PathOutcome::Found(path)) = finder.find(layer, &Query::new(from, to)) else {
        return false;
    };
    let mut links = path.steps.iter().filter_map(|step| layer.link(step.link?));
    links.all(|link| !link.kind.is_airborne() || link.tolerance > 0.0)
}

/// Lets bodies travel in each level: `trip` prepares one that begins at a position.
pub fn travel<'a, B: Body>(
    stages: &'a [Stage],
    mut trip: impl FnMut(usize, &'a Stage, Vec2) -> Trip<'a, B>,
) -> Score {
    let mut score = Score::default();
    for (number, stage) in stages.iter().enumerate() {
        score.travel(&stage.name, stage.layer(), number as u64, |[from, _]| {
            Some(trip(number, stage, from))
        });
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
    /// Prints the figures of `row`, which should be at least these percentages. They are
    /// those of the levels in the tests: with more, a standard error less is enough.
    pub fn add(&mut self, row: &str, score: Score, least: [f64; 2]) {
        let percent = score.percent();
        let [completed, straight] = percent;
        let (trips, fragile) = (score.trips, score.fragile);
        let line = format!("{row}: {completed:.2} / {straight:.2}");
        let impossible = score.impossible;
        println!("{line} of {trips} trips, {fragile} fragile, {impossible} impossible");
        for failure in &score.failures {
            println!("    {failure}");
        }
        let has_more = random_cases::samples(1) > 1;
        let least = least.map(|least| {
            let error = (least * (100.0 - least) / f64::from(trips)).sqrt();
            least - if has_more { error } else { 0.0 }
        });
        let is_too_low = percent.iter().zip(least).any(|(is, least)| *is < least);
        if is_too_low || trips < 100 || 25 * impossible > trips {
            self.wrong.push((line, score.failures));
        }
    }

    pub fn assert(&self) {
        assert!(self.wrong.is_empty(), "{:#?}", self.wrong);
    }
}
