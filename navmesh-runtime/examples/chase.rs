//! A grunt chases a player. `cargo run --example chase -- LEVEL.navmesh`

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::motion::{Event, NavAgent, World};
use navmesh_runtime::search::PathFinder;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args_os()
        .nth(1)
        .ok_or("usage: chase LEVEL.navmesh")?;
    let mesh = asset::decode(&std::fs::read(file)?)?;
    let layer = mesh.layers().first().ok_or("the mesh has no layer")?;
    // Any two places will do: the ends of the first and the last platform.
    let mut floors = layer.platforms().iter();
    let first = floors.next().ok_or("nothing to stand on")?;
    let last = floors.next_back().unwrap_or(first);
    let (spawn, mut player) = (first.left(), last.right());

    let mut finder = PathFinder::new();
    let mut grunt = NavAgent::new(layer, spawn);
    grunt.set_approach(true);
    for frame in 0..1200 {
        // The player paces up and down; the grunt looks where twice a second.
        player = last.clamp(player.x + if frame / 240 % 2 == 0 { -1.0 } else { 1.0 });
        if frame % 30 == 0 {
            grunt.set_destination(player);
        }
        let pose = grunt.step(World::new(layer), &mut finder, 1.0 / 60.0);
        for event in grunt.events() {
            if !matches!(event, Event::Arrived { .. }) {
                println!("{frame:>5} {event:?}");
            }
        }
        if frame % 30 == 0 {
            let Vec2 { x, y } = pose.position;
            println!(
                "{frame:>5} {:>9} at {x:>8.2} {y:>8.2}",
                pose.activity.name()
            );
        }
    }
    Ok(())
}
