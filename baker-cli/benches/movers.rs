//! Measures a level of 250 × 250 tiles with ten platforms that move, and with the same ten
//! platforms standing: the bake, and 300 queries over them.
//!
//! `cargo bench -p navbake-benches --bench movers`
#![allow(clippy::expect_used)] // a benchmark that cannot bake has nothing to measure

mod levels;

use std::hint::black_box;
use std::time::Instant;

use glam::{DVec2, Vec2};
use levels::{Noise, tile_level};
use navmesh_bake::{Collision, Level, LevelMarker, Material, NoProgress, Piece, Rect, Shape};
use navmesh_bake::{Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, NavMesh};
use navmesh_runtime::search::{PathFinder, Query};

const TILE: f64 = 16.0;
const SIDE: usize = 250;

/// Where the platforms begin, and how far each moves.
fn platforms() -> Vec<(Rect, DVec2)> {
    let mut noise = Noise(3);
    let mut place = || 10 + noise.below(SIDE as u64 - 30);
    let size = DVec2::new(32.0, 8.0);
    let places = (0..10).map(|number| {
        let min = DVec2::new(place() as f64, place() as f64) * TILE;
        let way = [DVec2::new(96.0, 0.0), DVec2::new(0.0, -96.0)][number % 2];
        (Rect::new(min, min + size), way)
    });
    places.collect()
}

fn level(moves: bool) -> Level {
    let mut level = tile_level(SIDE, 4, 30);
    for (number, (area, way)) in platforms().into_iter().enumerate() {
        let name = format!("way {number}");
        if !moves {
            if let Collision::Shapes(pieces) = &mut level.collision {
                pieces.push(Piece {
                    shape: Shape::Box(area),
                    material: Material::Solid,
                    origin: 0,
                });
            }
            continue;
        }
        let text = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let end = area.min + way;
        let points = format!("{},{} {},{}", area.min.x, area.min.y, end.x, end.y);
        level.markers.push(LevelMarker {
            class: "platform_path".into(),
            name: name.clone(),
            area: Rect::around([area.min, end]).expect("two points"),
            properties: vec![text("points", &points)],
        });
        level.markers.push(LevelMarker {
            class: "moving_platform".into(),
            name: format!("platform {number}"),
            area,
            properties: vec![text("path", &name), text("speed", "48"), text("pause", "1")],
        });
    }
    level
}

/// Seconds of the fastest of five bakes.
fn bakes(level: &Level, settings: &Settings) -> (f64, NavMesh) {
    let runs = (0..5).map(|_| {
        let begin = Instant::now();
        let mesh = bake(level, settings, &NoProgress).expect("the level is valid");
        (begin.elapsed().as_secs_f64(), mesh)
    });
    runs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("five bakes")
}

/// Mean seconds of queries between floors.
fn queries(mesh: &NavMesh) -> f64 {
    let layer = &mesh.layers()[0];
    layer.index_routes();
    let floors: Vec<Vec2> = layer.platforms().map(|own| own.left()).collect();
    let (mut noise, mut finder) = (Noise(5), PathFinder::new());
    let mut place = || floors[noise.below(floors.len() as u64) as usize];
    let queries = (0..300).map(|number| Query {
        departure: Some(0.7 * f64::from(number)),
        ..Query::new(place(), place())
    });
    let queries: Vec<Query> = queries.collect();
    let begin = Instant::now();
    for query in &queries {
        black_box(finder.find(layer, query).ok());
    }
    begin.elapsed().as_secs_f64() / queries.len() as f64
}

fn main() {
    let settings = Settings::for_agents(vec![AgentProfile::ground("ground", 16.0)]);
    let [standing, moving] = [false, true].map(|moves| {
        let (seconds, mesh) = bakes(&level(moves), &settings);
        let query = queries(&mesh);
        let on = mesh.layers()[0].moving_platforms();
        println!(
            "{} of 10 platforms move: bake {seconds:.2} s, query {:.1} µs",
            on.len(),
            query * 1e6
        );
        [seconds, query]
    });
    println!(
        "times as long: bake {:.1}, query {:.1}",
        moving[0] / standing[0],
        moving[1] / standing[1]
    );
}
