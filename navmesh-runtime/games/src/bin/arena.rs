//! Enemies in a baked level, each with a behaviour tree from `trees/`, against a
//! player that runs through the whole level. Writes an animated GIF that shows
//! the running nodes and the free tokens and waypoints.
//!
//! `cargo run --release -p navmesh-games --features pictures --bin arena -- OUT.gif [SECONDS [low|medium|high [arena|rooms [KIND]]]]`
//!
//! Without seconds, the animation of the documentation. With a kind of enemy,
//! also prints what the first enemy of that kind did in the last tick, as a tree,
//! and its last three ticks as JSON lines.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use navmesh_behavior::Aggression;
use navmesh_behavior::Trace;
use navmesh_games::arena::body::Kind;
use navmesh_games::arena::film;
use navmesh_games::arena::play::Arena;
use navmesh_games::arena::player::Script;
use navmesh_games::arena::stage;

const USAGE: &str = "usage: arena OUT.gif [SECONDS [low|medium|high [arena|rooms [KIND]]]]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let out = args.next().ok_or(USAGE)?;
    let mut next = || {
        args.next()
            .map(|text| text.into_string().map_err(|_| USAGE))
    };
    let file = BufWriter::new(File::create(&out)?);
    let Some(seconds) = next().transpose()? else {
        return film::write(file, &mut film::scene()?, film::SECONDS);
    };
    let seconds: f32 = seconds.parse()?;
    let aggression = match next().transpose()?.as_deref() {
        Some("low") => Aggression::Low,
        None | Some("medium") => Aggression::Medium,
        Some("high") => Aggression::High,
        Some(_) => return Err(USAGE.into()),
    };
    let asset = match next().transpose()?.as_deref() {
        None | Some("arena") => stage::ARENA,
        Some("rooms") => stage::ROOMS,
        Some(_) => return Err(USAGE.into()),
    };
    let mut arena = Arena::without_enemies(asset, aggression)?;
    arena.populate(|_| true)?;
    arena.player.script = Script::Run(1);
    if let Some(name) = next().transpose()? {
        let kind = Kind::named(&name).ok_or(USAGE)?;
        let mut bodies = arena.enemies.iter();
        let first = bodies.position(|body| body.kind == kind).ok_or(USAGE)?;
        arena.enemies.state_mut(first).trace = Some(Box::new(Trace::new(3)));
    }
    film::write(file, &mut arena, seconds)?;
    for enemy in 0..arena.enemies.len() {
        let state = arena.enemies.state(enemy);
        if let Some(trace) = &state.trace {
            print!(
                "{}{}",
                trace.text(state.tree()),
                trace.json_lines(state.tree())
            );
        }
    }
    Ok(())
}
