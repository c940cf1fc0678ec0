//! Measures edits of a level that is kept: the time of `LiveLevel::update` after edits
//! anywhere, in levels of several sizes.
//!
//! `RAYON_NUM_THREADS=1 cargo bench -p navbake-benches --bench live [-- SIDES]`: sides in
//! tiles.

mod levels;

use std::error::Error;
use std::time::Instant;

use levels::{Noise, tile_level};
use navmesh_bake::glam::DVec2;
use navmesh_bake::{LiveLevel, Material, Rect, Settings, default_agents};

/// Side of a tile.
const TILE: f64 = 16.0;

/// Name, size in tiles, and number of the edits that are measured.
const EDITS: [(&str, [u64; 2], usize); 3] = [
    ("one tile", [1, 1], 40),
    ("hole of 10 × 10", [10, 10], 20),
    ("screen of 40 × 23", [40, 23], 10),
];

fn main() -> Result<(), Box<dyn Error>> {
    let given = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let mut sides: Vec<usize> = given.collect();
    if sides.is_empty() {
        sides = vec![250, 500, 1000];
    }
    for side in sides {
        measure(side)?;
    }
    Ok(())
}

fn measure(side: usize) -> Result<(), Box<dyn Error>> {
    let level = tile_level(side, 5, 45);
    let mut agents = default_agents(TILE as f32);
    agents.truncate(1);
    let begin = Instant::now();
    let mut live = LiveLevel::new(level, Settings::for_agents(agents))?;
    let layer = &live.mesh().layers()[0];
    println!(
        "{side} × {side} tiles, {} platforms, {} links: baked in {:.2} s",
        layer.platforms().len(),
        layer.links().len(),
        begin.elapsed().as_secs_f64()
    );
    let mut noise = Noise(11);
    for (name, size, count) in EDITS {
        let mut times = Vec::new();
        for number in 0..count {
            let [x, y] = size.map(|size| noise.below((side as u64).saturating_sub(size).max(1)));
            let min = DVec2::new(x as f64, y as f64) * TILE;
            let cells = Rect::new(min, min + DVec2::new(size[0] as f64, size[1] as f64) * TILE);
            // Every other edit is solid.
            let material = (number % 2 == 1).then_some(Material::Solid);
            live.set_cells(cells, material);
            let begin = Instant::now();
            live.update()?;
            times.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let [p50, p99] =
            [0.5, 0.99].map(|share| times[(share * (count - 1) as f64).round() as usize]);
        println!("  {name}: p50 {p50:.1} ms, p99 {p99:.1} ms");
    }
    Ok(())
}
