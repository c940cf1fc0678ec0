//! Trips of the characters of an engine through baked levels: those of
//! `cargo test -p navbake --test motion physics`.

use crate::common::rows;
use crate::engine::{Character, World};
use crate::physics_body::{Body, Trip};
use crate::trips::{Report, stages, travel};

use glam::Vec2;
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, NavMesh};
use navmesh_runtime::motion::{BodyCommand, BodyState};

impl Body for Character<'_> {
    fn state(&self) -> BodyState {
        self.state()
    }

    fn step(&mut self, command: BodyCommand, dt: f64) {
        self.step(command, dt as f32);
    }
}

/// Percent of trips that must be completed, and without planning again.
fn least(hz: f64, factor: f32, size: f32) -> [f64; 2] {
    match factor {
        _ if size < 1.0 => [99.5, 96.0],
        f32::INFINITY => [99.0, 96.5],
        8.0 if hz >= 50.0 => [99.9, 99.0],
        _ => [99.0, 98.0],
    }
}

fn assert_trips(factor: f32, size: f32) {
    let stages = stages(factor);
    let worlds = stages.iter().map(|stage| {
        let tiles = &stage.tiles;
        World::from_tiles(&tiles.rows, tiles.side as f32)
    });
    let worlds: Vec<World> = worlds.collect();
    let mut report = Report::default();
    for hz in [30.0, 50.0, 60.0, 144.0] {
        let score = travel(&stages, |number, stage, from| {
            let layer = stage.layer();
            let air = factor * layer.profile().run_speed;
            let body = Character::new(&worlds[number], layer, air, from).sized(size);
            Trip::with_body(layer, body, air.into(), from, hz)
        });
        let row = format!("{hz} Hz, {factor} x, {size} of the body");
        report.add(&row, score, least(hz, factor, size));
    }
    report.assert();
}

#[test]
fn characters_complete_trips_at_8_times_run_speed() {
    assert_trips(8.0, 1.0);
}

#[test]
fn characters_complete_trips_at_20_times_run_speed() {
    assert_trips(20.0, 1.0);
}

#[test]
fn characters_complete_trips_at_4_times_run_speed() {
    assert_trips(4.0, 1.0);
}

#[test]
fn characters_that_are_a_tenth_smaller_than_baked_complete_trips() {
    assert_trips(8.0, 0.9);
}

/// Links whose speed changes at once, for bodies that can do so.
#[test]
fn characters_complete_trips_without_a_limit() {
    assert_trips(f32::INFINITY, 1.0);
}

/// A level of one row of text for each row of tiles, and its mesh.
fn level(rows: &[&str]) -> (World, NavMesh) {
    let bytes: Vec<Vec<u8>> = rows.iter().map(|row| row.bytes().collect()).collect();
    let level = rows::level("level", 16, rows);
    let settings = Settings::for_agents(vec![AgentProfile::ground("ground", 16.0)]);
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    (World::from_tiles(&bytes, 16.0), mesh)
}

const DT: f32 = 1.0 / 60.0;

/// The seams of a floor do not stop it, and it does not sink in.
#[test]
fn a_character_runs_evenly() {
    let floor = "#".repeat(48);
    let (world, mesh) = level(&["", "", "", &floor]);
    let layer = &mesh.layers()[0];
    let mut character = Character::new(&world, layer, 720.0, Vec2::new(20.0, 48.0));
    let command = BodyCommand {
        velocity: Vec2::new(90.0, 0.0),
        ..BodyCommand::default()
    };
    for _ in 0..420 {
        character.step(command, DT);
        assert!(character.grounded, "{}", character.position);
        assert!((character.position.y - 48.0).abs() < 0.05);
    }
    // It gets up to speed in six steps.
    assert!(
        (character.position.x - (20.0 + 417.5 * 1.5)).abs() < 0.1,
        "{}",
        character.position
    );
}

/// A one-way top lets it pass upwards, carries it, and lets it drop through.
#[test]
fn a_character_uses_one_way_platforms() {
    let (world, mesh) = level(&["....", "....", "....", ".--.", "....", "####"]);
    let layer = &mesh.layers()[0];
    let at = Vec2::new(32.0, 80.0);
    let mut character = Character::new(&world, layer, 720.0, at);
    let order = |speed: f32, drop_through| BodyCommand {
        jump: Some(Vec2::new(0.0, -speed)),
        drop_through,
        ..BodyCommand::default()
    };
    let mut land = |command: BodyCommand| {
        character.step(command, DT);
        assert!(!character.grounded);
        let steps = (0..60).position(|_| {
            character.step(BodyCommand::default(), DT);
            character.grounded
        });
        assert!(steps.is_some(), "{}", character.position);
        character.position.y
    };
    let jump = layer.profile().jump_speed;
    let on_top = land(order(jump, false));
    assert!((on_top - 48.0).abs() < 0.05, "{on_top}");
    let below = land(order(0.0, true));
    assert!((below - 80.0).abs() < 0.05, "{below}");
}
