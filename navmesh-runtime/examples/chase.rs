//! A grunt chases a player. `cargo run --example chase -- LEVEL.navmesh`

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::motion::{Event, NavAgent, Pose, World};
use navmesh_runtime::search::PathFinder;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args_os()
        .nth(1)
        .ok_or("usage: chase LEVEL.navmesh")?;
    chase(&asset::decode(&std::fs::read(file)?)?)?;
    Ok(())
}

/// Twenty seconds of a chase; where the grunt is in the end.
pub(crate) fn chase(mesh: &NavMesh) -> Result<Pose, Box<dyn std::error::Error>> {
    let layer = mesh.layers().first().ok_or("the mesh has no layer")?;
    let mut floors = layer.platforms().iter();
    let home = floors.next().ok_or("there is nothing to stand on")?;
    let stage = floors.next_back().unwrap_or(home);
    let mut player = stage.right();

    let mut finder = PathFinder::new();
    let mut grunt = NavAgent::new(layer, home.left());
    grunt.set_approach(true);
    for frame in 0..1200 {
        // The player paces up and down; twice a second the grunt looks where.
        let pace = if frame / 240 % 2 == 0 { -1.0 } else { 1.0 };
        player = stage.clamp(player.x + pace);
        if frame % 30 == 0 {
            grunt.set_destination(player);
        }
        let pose = grunt.step(World::new(layer), &mut finder, 1.0 / 60.0);
        for event in grunt.events() {
            match event {
                Event::Jumped { from, to } => println!("{frame:>5} jumps from {from} to {to}"),
                Event::CannotReach(why) => println!("{frame:>5} {why}"),
                _ => {}
            }
        }
        if frame % 60 == 0 {
            let Vec2 { x, y } = pose.position;
            println!("{frame:>5} {} at {x:.1}, {y:.1}", pose.activity.name());
        }
    }
    Ok(grunt.pose())
}
