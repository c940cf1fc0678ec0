//! Measures a bake and its stages, for a generated level of 1000 × 1000 tiles
//! and a generated bitmap of 2048 × 1024 pixels.
//!
//! `cargo bench -p navbake-benches --bench bake`

mod levels;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use levels::{Noise, tile_level};
use navmesh_bake::{Collision, Level, PixelMap};
use navmesh_bake::{Progress, Settings, Stage, bake};
use navmesh_runtime::mesh::AgentProfile;

/// Records when each stage begins.
#[derive(Default)]
struct Clock(Mutex<Vec<(Stage, Instant)>>);

impl Progress for Clock {
    fn begin(&self, _agent: &str, stage: Stage, _total: u64) {
        if let Ok(mut stages) = self.0.lock() {
            stages.push((stage, Instant::now()));
        }
    }
}

/// Hills, overhangs and specks: layered sines and noise.
fn bitmap_level(width: u32, height: u32) -> Level {
    let mut noise = Noise(11);
    let mut map = PixelMap::empty(width, height);
    for y in 0..height {
        for x in 0..width {
            let (fx, fy) = (f64::from(x), f64::from(y));
            let v = (fx / 61.0).sin()
                + (fy / 37.0 + (fx / 97.0).sin() * 2.0).sin()
                + (fx / 23.0 + fy / 41.0).sin() * 0.5;
            map.solid.set(x, y, v > 0.9 || y + 8 > height);
        }
    }
    for _ in 0..400 {
        let (x, y) = (
            noise.below(u64::from(width)) as u32,
            noise.below(u64::from(height)) as u32,
        );
        map.solid.set(x, y, true);
    }
    Level::in_memory(
        "bitmap",
        Collision::Pixels(map),
        f64::from(width),
        f64::from(height),
    )
}

fn measure(name: &str, level: &Level) {
    let settings = Settings::for_agents(vec![AgentProfile::ground("ground", 16.0)]);
    let clock = Clock::default();
    let start = Instant::now();
    let mesh = match bake(level, &settings, &clock) {
        Ok(mesh) => mesh,
        Err(error) => {
            println!("{name}: {error}");
            return;
        }
    };
    let end = Instant::now();
    let mut stages = clock.0.into_inner().unwrap_or_default();
    let layer = &mesh.layers()[0];
    let vertices = mesh.grid().columns * mesh.grid().rows;
    println!(
        "{name}: {:.2} s, {} vertices, {} platforms, {} links",
        (end - start).as_secs_f64(),
        vertices,
        layer.platforms().len(),
        layer.links().len()
    );
    stages.push((Stage::Links, end));
    for pair in stages.windows(2) {
        let took: Duration = pair[1].1 - pair[0].1;
        let rate = match pair[0].0 {
            Stage::Terrain => format!(
                "{:.1} M vertices/s",
                f64::from(vertices) / took.as_secs_f64() / 1e6
            ),
            Stage::Platforms => format!(
                "{:.0} platforms/s",
                layer.platforms().len() as f64 / took.as_secs_f64()
            ),
            Stage::Index => String::new(),
            Stage::Links => format!(
                "{:.0} links kept/s",
                layer.links().len() as f64 / took.as_secs_f64()
            ),
        };
        println!(
            "  {:<10} {:>8.3} s  {rate}",
            pair[0].0.name(),
            took.as_secs_f64()
        );
    }
}

fn main() {
    // The side length may be given as an argument; the default is 1000 tiles.
    let side = std::env::args()
        .find_map(|a| a.parse().ok())
        .unwrap_or(1000);
    measure(
        &format!("{side} x {side} tiles, as dense as drawn levels"),
        &tile_level(side, 6, 30),
    );
    let quarter = side / 4;
    measure(
        &format!("{quarter} x {quarter} tiles, crowded"),
        &tile_level(quarter, 3, 38),
    );
    measure("2048 x 1024 pixels", &bitmap_level(2048, 1024));
}
