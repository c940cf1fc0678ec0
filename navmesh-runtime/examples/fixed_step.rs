//! A game loop of its own: the guide `docs/engines.md` of the repository explains it.

use std::time::{Duration, Instant};

use navmesh_runtime::Navigator;
use navmesh_runtime::glam::Vec2;

const STEP: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args_os()
        .nth(1)
        .ok_or("usage: fixed_step LEVEL.navmesh")?;
    let mut nav = Navigator::load(file)?;
    let mesh = std::sync::Arc::clone(nav.mesh());
    let agent = mesh.layers().first().ok_or("baked for no agent")?.profile();
    let mut spawns = mesh.spawns().map(|spawn| spawn.position);
    let mut player = spawns.next().ok_or("the level has no spawn")?;
    let home = spawns.next().ok_or("the level has only one spawn")?;
    let mut enemy = nav.agent(&agent.name, home)?;
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
            enemy.update(&mut nav, STEP);
        }
        // The picture is between the last two steps.
        shown = before.lerp(enemy.pose().position, time / STEP);
        println!("{} at {shown:.0}", enemy.pose().activity.name());
        std::thread::sleep(Duration::from_millis(7));
    }
    println!("the player is caught");
    Ok(())
}
