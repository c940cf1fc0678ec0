//! Bakes levels, and checks every link and platform with the tests' replay and
//! walk, which share no code with the baker:
//!
//! `cargo run --release -p navbake --example replay -- LEVEL...`

#[path = "../tests/support/mod.rs"]
mod common;

use baker_cli::source::{Rules, read};
use common::drawn::Drawn;
use common::replay::replay;
use common::walk::stumbles;
use navmesh_bake::{NoProgress, Settings, bake, default_agents};

fn main() {
    for path in std::env::args().skip(1) {
        let level = match read(path.as_ref(), &Rules::default()) {
            Ok(level) => level,
            Err(error) => {
                println!(
                    "{path}: {}",
                    error.to_string().lines().next().unwrap_or_default()
                );
                continue;
            }
        };
        let tile = level.tile_size.map_or(16, |[w, h]| w.min(h)) as f32;
        let start = std::time::Instant::now();
        let mesh = match bake(
            &level,
            &Settings::for_agents(default_agents(tile)),
            &NoProgress,
        ) {
            Ok(mesh) => mesh,
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        let took = start.elapsed().as_secs_f64();
        let bytes = navmesh_runtime::asset::encode(&mesh).len();
        let world = Drawn::with_gates(&level);
        for layer in mesh
            .layers()
            .iter()
            .filter(|layer| !layer.links().is_empty())
        {
            let mut wrong = replay(&world, &mesh, layer);
            wrong.extend(stumbles(&world, layer));
            println!(
                "{path}: {} vertices, {} platforms, {} jumps, {} drops, {took:.3} s, {bytes} bytes; {} violations",
                mesh.grid().columns * mesh.grid().rows,
                layer.platforms().len(),
                layer
                    .links()
                    .iter()
                    .filter(|l| l.kind.name() == "jump")
                    .count(),
                layer
                    .links()
                    .iter()
                    .filter(|l| l.kind.name() == "drop")
                    .count(),
                wrong.len()
            );
            wrong.iter().take(5).for_each(|w| println!("  {w}"));
        }
    }
}
