//! A game loop of its own: the guide `docs/engines.md` of the repository explains it.

use std::time::{Duration, Instant};

use navmesh_runtime::glam::Vec2;
use navmesh_runtime::{Environment, NavAgent, PathFinder, asset};

const STEP: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args_os()
        .nth(1)
        .ok_or("usage: fixed_step LEVEL.navmesh")?;
    let mesh = asset::load(file)?;
    let layer = mesh.layers().first().ok_or("baked for no agent")?;
    layer.index_routes();
    let spawn = |n: usize| mesh.spawns().nth(n).ok_or("the level has too few spawns");
    let mut finder = PathFinder::new();
    let mut player = spawn(0)?.position;
    let mut enemy = NavAgent::new(layer, spawn(1)?.position);
    enemy.set_allow_partial_path(true);
    let ([mut shown, mut before], mut time, mut last) =
        ([enemy.pose().position; 2], 0.0, Instant::now());
    while shown.distance(player) > 16.0 {
        // Steps of the game have one length, whatever the screen does.
        time += last.elapsed().as_secs_f32().min(0.25);
        last = Instant::now();
        while time >= STEP {
            time -= STEP;
            before = enemy.pose().position;
            player += Vec2::new(0.25, 0.0);
            enemy.go_to(player);
            enemy.step(Environment::new(layer), &mut finder, STEP);
        }
        // The picture is between the last two steps.
        shown = before.lerp(enemy.pose().position, time / STEP);
        println!("{} at {shown:.0}", enemy.pose().activity.name());
        std::thread::sleep(Duration::from_millis(7));
    }
    println!("the player is caught");
    Ok(())
}
