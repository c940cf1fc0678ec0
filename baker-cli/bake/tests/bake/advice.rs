//! Warnings about levels that are probably not meant as they are read.

use navmesh_bake::tools::advice;
use navmesh_bake::{Collision, Level, PixelMap, Settings, default_agents};
use navmesh_runtime::mesh::EdgeSet;

use crate::common::rows;

fn warnings(level: &Level) -> Vec<String> {
    advice(level, &Settings::for_agents(default_agents(16.0)))
}

#[test]
fn ladders_need_an_agent_that_climbs() {
    let level = rows::level("ladder", 16, &["H...", "####"]);
    assert!(warnings(&level)[0].contains("no agent climbs"));
    let mut agents = default_agents(16.0);
    agents[0].edges = agents[0].edges | EdgeSet::LADDER;
    assert!(advice(&level, &Settings::for_agents(agents)).is_empty());
}

/// A bitmap whose lowest rows are solid.
fn bitmap(width: u32, height: u32, floor: u32) -> Level {
    let mut pixels = PixelMap::empty(width, height);
    for row in height - floor..height {
        pixels.solid.set_run(row, 0, width);
    }
    let mut level = rows::level("bitmap", 16, &["."]);
    level.collision = Collision::Pixels(pixels);
    level
}

#[test]
fn bitmaps_of_one_pixel_for_each_tile_are_recognized() {
    assert!(warnings(&bitmap(400, 200, 40)).is_empty());
    // Thin lines of a large drawing.
    assert!(warnings(&bitmap(1600, 200, 3)).is_empty());
    for (width, height, floor) in [(400, 200, 3), (64, 64, 20)] {
        let warnings = warnings(&bitmap(width, height, floor));
        assert!(warnings[0].contains("pixels_per_unit"), "{warnings:?}");
        let mut settings = Settings::for_agents(default_agents(16.0));
        settings.units.pixels_per_unit = 0.0625;
        assert!(advice(&bitmap(width, height, floor), &settings).is_empty());
    }
}
