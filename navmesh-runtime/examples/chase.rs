//! A grunt chases a player: what a game does in every frame.
//!
//! `cargo run -p navmesh-runtime --example chase -- LEVEL.navmesh`

use std::error::Error;

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::motion::{Environment, NavAgent, Pose};
use navmesh_runtime::search::PathFinder;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os()
        .nth(1)
        .ok_or("usage: chase LEVEL.navmesh")?;
    let end = chase(&asset::load(file)?)?;
    println!("the grunt ends {} at {}", end.activity.name(), end.position);
    Ok(())
}

/// Runs twenty seconds of a chase. Returns the grunt's pose at the end.
pub(crate) fn chase(mesh: &NavMesh) -> Result<Pose, Box<dyn Error>> {
    let layer = mesh.layers().first().ok_or("the mesh has no layer")?;
    let player = Player::on(mesh)?;
    let mut finder = PathFinder::new();
    let mut grunt = NavAgent::new(layer, player.home);
    // It goes as near as it can when it cannot reach the player.
    grunt.set_or_nearest(true);
    for frame in 0..1200 {
        // It sees the player twice a second.
        if frame % 30 == 0 {
            grunt.set_destination(player.position(frame));
        }
        let pose = grunt.step(Environment::new(layer), &mut finder, 1.0 / 60.0);
        // A game draws the body here, and plays sounds and effects of events.
        for event in grunt.events() {
            println!("{frame:>5}  {:<12} at {:.1}", event.name(), pose.position);
        }
    }
    Ok(grunt.pose())
}

/// A player that walks to and fro on the last platform.
struct Player<'a> {
    home: Vec2,
    stage: navmesh_runtime::mesh::Platform<'a>,
}

impl<'a> Player<'a> {
    fn on(mesh: &'a NavMesh) -> Result<Self, Box<dyn Error>> {
        let mut floors = mesh.layers().iter().flat_map(|l| l.platforms().iter());
        let home = floors.next().ok_or("there is nothing to stand on")?;
        Ok(Self {
            home: home.left(),
            stage: floors.next_back().unwrap_or(home),
        })
    }

    fn position(&self, frame: u16) -> Vec2 {
        let (right, back) = (self.stage.right().x, frame / 240 % 2 == 1);
        let distance = f32::from(if back { 240 - frame % 240 } else { frame % 240 });
        self.stage.clamp(right - distance)
    }
}
