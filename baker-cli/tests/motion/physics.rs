//! Bodies that a fixed-step controller moves along baked paths, with own gravity
//! or a servo and bounded acceleration in the air. The controller shares no code
//! with baker or runtime. A13.

use crate::common;
use crate::physics_body;
use crate::random_cases;

use baker_cli::bake::{NoProgress, Settings, bake};
use common::baked_level::Random;
use common::{draw, tiles};
use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, Layer, NavMesh};
use navmesh_runtime::motion::{AgentEvent, Airborne};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};
use physics_body::{Drive, Limits, Tiles, Trip};
use proptest::test_runner::TestRunner;

/// Trips in each level.
const TRIPS: u32 = 24;

/// A level, and its mesh.
struct Stage {
    tiles: Tiles,
    mesh: NavMesh,
}

/// Levels, baked for an agent that changes its speed in the air by `factor`
/// times its run speed in a second.
fn stages(factor: f32) -> Vec<Stage> {
    let mut runner = TestRunner::deterministic();
    let mut stage = || {
        let world = draw(&mut runner, &tiles(18..40, 9..20, 16));
        let mut agent = AgentProfile::ground("ground", 16.0);
        agent.air_acceleration = factor.is_finite().then_some(factor * agent.run_speed);
        let settings = Settings::for_agents(vec![agent]);
        Stage {
            tiles: Tiles::parse(&world.lines(), 16.0),
            mesh: bake(&world.level(), &settings, &NoProgress).unwrap(),
        }
    };
    (0..random_cases::times(12)).map(|_| stage()).collect()
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

/// Whether a route leads from one platform to another over links that allow a
/// body to be off by a little. The others need a body that fits a gap exactly or
/// lands at its very apex.
fn has_tolerance(layer: &Layer, from: u32, to: u32) -> bool {
    let mut seen = vec![from];
    let mut at = 0;
    while at < seen.len() {
        let here = seen[at];
        at += 1;
        for link in layer.links() {
            let is_safe = !link.kind.is_airborne() || link.tolerance > 0.0;
            if link.from_platform.0 == here && is_safe && !seen.contains(&link.to_platform.0) {
                seen.push(link.to_platform.0);
            }
        }
    }
    seen.contains(&to)
}

/// Trips, and those that were completed, also without planning again.
#[derive(Debug, Default)]
struct Score {
    trips: u32,
    completed: u32,
    straight: u32,
    failures: Vec<String>,
}

impl Score {
    fn percent(&self) -> [f64; 2] {
        [self.completed, self.straight].map(|n| 100.0 * f64::from(n) / f64::from(self.trips))
    }
}

fn travel(stages: &[Stage], drive: Drive, hz: f64, factor: f32) -> Score {
    let mut score = Score::default();
    for (number, stage) in stages.iter().enumerate() {
        let layer = &stage.mesh.layers()[0];
        if layer.platforms().is_empty() {
            continue;
        }
        let random = &mut Random(number as u64);
        for _ in 0..TRIPS {
            let [(a, from), (b, to)] = [(); 2].map(|()| somewhere(layer, random));
            let mut finder = PathFinder::new();
            let found = finder.find(layer, &Query::new(from, to));
            let is_found = matches!(found, Ok(PathOutcome::Found(_)));
            if !is_found || factor.is_finite() && !has_tolerance(layer, a, b) {
                continue;
            }
            let limits = Limits::new(layer, drive, factor.into());
            let mut trip = Trip::new(layer, &stage.tiles, limits, from, hz);
            #[expect(
                clippy::redundant_closure_for_method_calls,
                reason = "the method is for one lifetime"
            )]
            trip.go(to, |body, command, dt| body.step(command, dt));
            let is_straight = trip.has_arrived() && !trip.has_replanned();
            score.trips += 1;
            score.completed += u32::from(trip.has_arrived());
            score.straight += u32::from(is_straight);
            if !is_straight {
                score.failures.push(describe(number, from, to, &trip));
            }
        }
    }
    score
}

/// The level, the trip, and the jump after which it was lost.
fn describe(level: usize, from: Vec2, to: Vec2, trip: &Trip<'_>) -> String {
    let lost = |event: &AgentEvent| matches!(event, AgentEvent::PathLost(_));
    let events = &trip.events;
    let first = events.iter().position(lost).unwrap_or(events.len());
    let last = events[..first].iter().rev().find_map(|event| match event {
        AgentEvent::Jumped { from, to } | AgentEvent::Dropped { from, to } => {
            Some(format!("{from} -> {to}"))
        }
        _ => None,
    });
    let arrived = trip.has_arrived();
    format!("level {level}, {from} -> {to}: arrived {arrived}, last link {last:?}")
}

/// Percent of trips that must be completed, and without planning again. The
/// margins of links are for 60 steps a second; at 30, a body moves a quarter of
/// its width in a step.
fn least(hz: f64, factor: f32) -> [f64; 2] {
    if factor.is_infinite() {
        [92.0, 85.0]
    } else if hz >= 60.0 {
        [99.0, 97.0]
    } else if hz >= 50.0 {
        [98.0, 93.0]
    } else {
        [94.0, 90.0]
    }
}

fn assert_trips(factor: f32) {
    let stages = stages(factor);
    let mut wrong = Vec::new();
    for drive in [Drive::Servo, Drive::Gravity] {
        for hz in [30.0, 50.0, 60.0, 144.0] {
            let score = travel(&stages, drive, hz, factor);
            let [completed, straight] = score.percent();
            let trips = score.trips;
            let line = format!("{drive:?} {hz} Hz, {factor} x: {completed:.2} / {straight:.2}");
            println!("{line} of {trips} trips");
            for failure in &score.failures {
                println!("    {failure}");
            }
            let [least_completed, least_straight] = least(hz, factor);
            if completed < least_completed || straight < least_straight || trips < 100 {
                wrong.push((line, score.failures));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn bodies_complete_trips_at_8_times_run_speed() {
    assert_trips(8.0);
}

#[test]
fn bodies_complete_trips_at_20_times_run_speed() {
    assert_trips(20.0);
}

#[test]
fn bodies_complete_trips_at_4_times_run_speed() {
    assert_trips(4.0);
}

/// An agent slower than baked keeps to its acceleration in the air.
#[test]
fn slower_agents_jump_smoothly() {
    let (mut links, mut taken) = (0, 0);
    for Stage { mesh, .. } in &stages(8.0) {
        let layer = &mesh.layers()[0];
        let mut slow = layer.profile().clone();
        slow.run_speed *= 0.7;
        slow.gravity *= 0.9;
        let most = f64::from(slow.air_acceleration.unwrap());
        for link in layer.links().iter().filter(|l| l.kind.is_airborne()) {
            links += 1;
            let Some(mut flight) = Airborne::along(link, layer, &slow) else {
                continue;
            };
            taken += 1;
            let dt = flight.duration() / 256.0;
            for _ in 0..256 {
                let before = f64::from(flight.velocity().x);
                let _ = flight.advance(dt);
                let after = f64::from(flight.velocity().x);
                let change = (after - before).abs();
                assert!(change <= most * dt * 1.001 + 1e-3, "{link:?}: {change}");
                assert!(after.abs() <= f64::from(slow.run_speed) * 1.001, "{link:?}");
            }
        }
    }
    println!("{taken} of {links} links");
    assert!(4 * taken > links, "{taken} of {links}");
}

/// Links whose speed changes at once, for bodies that can do so.
#[test]
fn bodies_complete_trips_without_a_limit() {
    assert_trips(f32::INFINITY);
}
