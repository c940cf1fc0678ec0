//! A room seen from above in the terminal, where a zombie and a jester have
//! turns at speeds of their own.
//!
//! `cargo run -p navmesh-games --bin roguelike`
//!
//! Moves are letters, one or several on a line: `h` left, `j` down, `k` up, `l`
//! right, `y` `u` `b` `n` diagonally, `.` waits, `q` leaves. Walk into an enemy to
//! hit it. Before each move an enemy that will have one turn is shown as `(z)`,
//! and one that will have more as `[z]`.

use std::error::Error;
use std::io::{self, BufRead as _};

use navmesh_games::roguelike::Game;

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new()?;
    print!("{game}");
    for line in io::stdin().lock().lines() {
        for letter in line?.trim().chars() {
            if letter == 'q' || game.is_over() {
                return Ok(());
            }
            if !game.play(letter) {
                println!("`{letter}` is no move, or the way is blocked");
            }
        }
        print!("{game}");
    }
    Ok(())
}
