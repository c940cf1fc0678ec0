//! The animation of the documentation.

use std::error::Error;
use std::io::Write;

use navmesh_behavior::Aggression;

use super::picture;
use super::play::Arena;
use super::player::Script;
use crate::canvas::Animation;

/// Frames of the game per frame of an animation.
const SKIP: u32 = 6;

/// Writes an animation of some seconds of the game.
pub fn write(out: impl Write, arena: &mut Arena, seconds: f32) -> Result<(), Box<dyn Error>> {
    let backdrop = picture::backdrop(arena);
    let mut animation = Animation::new(out, &backdrop, &picture::PALETTE, 10)?;
    for frame in 0..(seconds / arena.dt).round() as u32 {
        if frame % SKIP == 0 {
            animation.add(&picture::draw(arena, &backdrop))?;
        }
        arena.step();
    }
    Ok(())
}

/// The seconds of the documentation's animation.
pub const SECONDS: f32 = 12.0;

/// The game at the beginning of the documentation's animation: a run in which
/// enemies of all kinds attack.
pub fn scene() -> Result<Arena, Box<dyn Error>> {
    let mut arena = Arena::new(Aggression::Medium)?;
    arena.player.script = Script::Run(68);
    arena.run(40.0);
    Ok(arena)
}
