//! Matches of four bots without a window, and the table of the documentation:
//!
//! `cargo run --release -p navmesh-runtime --features interest --example contest`
//!
//! The argument, 200 if there is none, is the number of matches for each row.

mod game;
mod study;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let count = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 200,
    };
    let stage = game::Stage::load()?;
    study::write_table(std::io::stdout().lock(), &stage, count)?;
    Ok(())
}
