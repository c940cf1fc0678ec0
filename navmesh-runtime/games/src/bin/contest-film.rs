//! Writes the animation of the documentation of interest:
//!
//! `cargo run --release -p navmesh-games --features pictures --bin contest-film -- OUT.gif`

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use navmesh_games::contest::{film, stage};

fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args_os()
        .nth(1)
        .ok_or("usage: contest-film OUT.gif")?;
    let stage = stage::Stage::load()?;
    let file = BufWriter::new(File::create(out)?);
    film::write(file, &mut film::scene(&stage), film::SECONDS)
}
