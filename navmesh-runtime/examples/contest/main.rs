//! Matches of four bots without a window, and the table of the documentation:
//!
//! `cargo run --release -p navmesh-runtime --features interest --example contest`
//!
//! The argument, 200 if there is none, is the number of matches for each row. With the
//! name of a file that ends in `.gif`, writes the animation of the documentation.

mod game;

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use game::{film, stage, study};

fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1);
    let stage = stage::Stage::load()?;
    let is_film = |text: &&String| Path::new(text).extension().is_some_and(|end| end == "gif");
    if let Some(file) = argument.as_ref().filter(is_film) {
        let file = BufWriter::new(File::create(file)?);
        return film::write(file, &mut film::scene(&stage), film::SECONDS);
    }
    let count = argument.map_or(Ok(200), |text| text.parse())?;
    study::write_table(std::io::stdout().lock(), &stage, count)?;
    Ok(())
}
