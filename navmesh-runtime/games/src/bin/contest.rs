//! Matches of four bots without a window, and the table of the documentation:
//!
//! `cargo run --release -p navmesh-games --bin contest`
//!
//! The argument, 200 if there is none, is the number of matches for each row.

use std::error::Error;

use navmesh_games::contest::{stage, study};

fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1);
    let stage = stage::Stage::load()?;
    let count = argument.map_or(Ok(200), |text| text.parse())?;
    study::write_table(std::io::stdout().lock(), &stage, count)?;
    Ok(())
}
