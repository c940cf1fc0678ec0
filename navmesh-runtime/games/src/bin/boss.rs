//! A flying boss whose phases swap what it wants: it circles the player, darts in
//! and out, then flees to heal. Its phases are a state machine in `boss.ron`.
//!
//! `cargo run -p navmesh-games --bin boss`
//!
//! Prints a line whenever the phase changes, and where the boss is once a second.

use std::error::Error;

use navmesh_games::boss::{Fight, TREE};

fn main() -> Result<(), Box<dyn Error>> {
    let mut fight = Fight::new(TREE)?;
    let mut phase = String::new();
    for frame in 0..60 * 60 {
        fight.step();
        let is_new = fight.phase() != phase;
        if is_new {
            fight.phase().clone_into(&mut phase);
        }
        if is_new || frame % 60 == 0 {
            let (boss, seconds) = (&fight.boss, fight.seconds());
            let distance = boss.position.distance(fight.player);
            println!(
                "{seconds:5.1} s  {phase:8} health {:3}  at {:3.0}, {:3.0}, {distance:3.0} from the player",
                boss.health, boss.position.x, boss.position.y
            );
        }
    }
    Ok(())
}
