//! Plays games of the example `arena` and prints what each kind of enemy does: `enemies [SEEDS]`.

use std::error::Error;

use navmesh_games::arena::study::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = std::env::args()
        .nth(1)
        .map_or(Ok(4), |seeds| seeds.parse())?;
    print!("{}", Table::of_games(seeds)?.text());
    Ok(())
}
