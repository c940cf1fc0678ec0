//! Nine kinds of enemies in a baked level, each with a behaviour tree from
//! `trees/`, against a player who walks a fixed round. Writes an animated GIF
//! that shows the running nodes and the free tokens and waypoints.
//!
//! `cargo run --release --example arena -- OUT.gif [SECONDS [low|medium|high [KIND]]]`
//!
//! With a kind of enemy, also prints what the first enemy of that kind did in
//! the last tick, as a tree, and its last three ticks as JSON lines.

mod canvas;
mod game;
mod picture;

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use canvas::Animation;
use game::body::Kind;
use game::files;
use game::play::Arena;
use navmesh_runtime::behavior::Trace;
use navmesh_runtime::coordination::Aggression;

const USAGE: &str = "usage: arena OUT.gif [SECONDS [low|medium|high [KIND]]]";
/// Frames of the game per frame of the animation.
const SKIP: u32 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let out = args.next().ok_or(USAGE)?;
    let seconds: f32 = match args.next() {
        Some(text) => text.to_str().ok_or(USAGE)?.parse()?,
        None => 30.0,
    };
    let aggression = match args.next().as_deref().and_then(|text| text.to_str()) {
        Some("low") => Aggression::Low,
        None | Some("medium") => Aggression::Medium,
        Some("high") => Aggression::High,
        Some(_) => return Err(USAGE.into()),
    };
    let mut arena = Arena::new(aggression, |kind| files::tree(files::file(kind)))?;
    if let Some(name) = args.next() {
        let kind = name.to_str().and_then(Kind::named).ok_or(USAGE)?;
        let mut bodies = arena.bodies.iter();
        let first = bodies.position(|body| body.kind == kind).ok_or(USAGE)?;
        arena.traced = Some((first, Trace::new(3)));
    }
    let backdrop = picture::backdrop(&arena);
    let file = BufWriter::new(File::create(&out)?);
    let mut animation = Animation::new(file, &backdrop, &picture::PALETTE, 10)?;
    for frame in 0..(seconds * 60.0) as u32 {
        if frame % SKIP == 0 {
            animation.add(&picture::draw(&arena, &backdrop))?;
        }
        arena.step();
    }
    if let Some((enemy, trace)) = &arena.traced {
        let tree = &arena.trees[*enemy].0;
        print!("{}{}", trace.text(tree), trace.json_lines(tree));
    }
    Ok(())
}
