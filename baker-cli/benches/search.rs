//! What a path costs, beside `pathfinding::astar` on the same expanded graph.
//!
//! Every benchmark answers the same queries over and over, one an iteration.

#[path = "../../navmesh-runtime/tests/search/oracle.rs"]
mod oracle;
#[path = "../../navmesh-runtime/tests/support/random.rs"]
mod random;
#[path = "../../navmesh-runtime/tests/support/worlds.rs"]
mod worlds;

use std::collections::BTreeMap;

use divan::{Bencher, black_box};
use glam::Vec2;
use navmesh_runtime::mesh::{EdgeSet, NavMesh};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, SnapTo};
use oracle::{Node, Rules};
use worlds::Dice;

fn main() {
    divan::main();
}

const QUERIES: usize = 64;

fn foot() -> EdgeSet {
    EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY
}

/// A generated level; or the baked file that `NAVMESH` names, for its first
/// agent, whatever edges that has.
fn level(edges: EdgeSet) -> NavMesh {
    match std::env::var("NAVMESH") {
        Ok(path) => navmesh_runtime::asset::load(path).expect("NAVMESH names a baked file"),
        Err(_) => worlds::large(edges),
    }
}

/// Queries between random positions that have a path.
fn queries(mesh: &NavMesh) -> Vec<Query> {
    let (mut dice, mut finder) = (Dice(5), PathFinder::new());
    let size = Vec2::new(mesh.grid().columns as f32, mesh.grid().rows as f32) * mesh.grid().spacing;
    let mut somewhere = || mesh.grid().origin + size * Vec2::new(dice.unit(), dice.unit());
    let mut queries = Vec::new();
    let mut expanded = 0;
    while queries.len() < QUERIES {
        let query = Query::new(somewhere(), somewhere());
        if let Ok(PathOutcome::Found(_)) = finder.find(&mesh.layers()[0], &query) {
            expanded += finder.expanded();
            queries.push(query);
        }
    }
    println!("nodes looked at: {} a query", expanded as usize / QUERIES);
    queries
}

fn bench_finder(bencher: Bencher<'_, '_>, edges: EdgeSet) {
    let mesh = level(edges);
    let queries = queries(&mesh);
    let mut finder = PathFinder::new();
    let mut next = queries.iter().cycle();
    bencher.bench_local(|| {
        let query = next.next().expect("a cycle has no end");
        let outcome = finder.find(&mesh.layers()[0], black_box(query));
        black_box(outcome.map(|o| o.path().map(|path| path.cost)))
    });
}

fn bench_peer(bencher: Bencher<'_, '_>, edges: EdgeSet) {
    let mesh = level(edges);
    let layer = &mesh.layers()[0];
    let queries = queries(&mesh);
    let place = |p| layer.snap(p, SnapTo::PathEnd).expect("queries have paths");
    let places: Vec<_> = queries
        .iter()
        .map(|q| [place(q.from), place(q.to)])
        .collect();
    let graph = oracle::graph(
        layer,
        mesh.grid(),
        &Rules::plain(layer),
        places.as_flattened(),
    );
    // Dense numbers and integer nanoseconds, as a user of the crate would.
    let number: BTreeMap<Node, usize> = graph.keys().copied().zip(0..).collect();
    let next: Vec<Vec<(usize, u64)>> = graph
        .values()
        .map(|edges| {
            edges
                .iter()
                .map(|&(to, cost)| (number[&to], (cost * 1e9) as u64))
                .collect()
        })
        .collect();
    let mut position = vec![Vec2::ZERO; number.len()];
    for (node, &i) in &number {
        position[i] = match *node {
            Node::Air(column, row) => mesh
                .grid()
                .position(navmesh_runtime::mesh::Cell { column, row }),
            Node::Port(_, x) => Vec2::new(oracle::unsortable(x), 0.0),
        };
    }
    let speed = layer.profile().run_speed;
    let ends: Vec<[usize; 2]> = places
        .iter()
        .map(|pair| pair.map(|place| number[&oracle::node(layer, place)]))
        .collect();
    let mut ends = ends.iter().cycle();
    bencher.bench_local(|| {
        let &[from, to] = ends.next().expect("a cycle has no end");
        let ahead = |&n: &usize| {
            let d = (position[n] - position[to]).abs();
            let length = if edges.walks() {
                d.x
            } else {
                d.max_element() + (std::f32::consts::SQRT_2 - 1.0) * d.min_element()
            };
            (f64::from(length / speed) * 0.999_999e9) as u64
        };
        let path = pathfinding::prelude::astar(
            &black_box(from),
            |&n| next[n].iter().copied(),
            ahead,
            |&n| n == to,
        );
        black_box(path.map(|(_, cost)| cost))
    });
}

#[divan::bench]
fn ground(bencher: Bencher<'_, '_>) {
    bench_finder(bencher, foot());
}

#[divan::bench]
fn ground_pathfinding_astar(bencher: Bencher<'_, '_>) {
    bench_peer(bencher, foot());
}

#[divan::bench]
fn flight(bencher: Bencher<'_, '_>) {
    bench_finder(bencher, EdgeSet::FLY);
}

#[divan::bench]
fn flight_pathfinding_astar(bencher: Bencher<'_, '_>) {
    bench_peer(bencher, EdgeSet::FLY);
}

#[divan::bench]
fn both(bencher: Bencher<'_, '_>) {
    bench_finder(bencher, EdgeSet::ALL - EdgeSet::CLIMB);
}
