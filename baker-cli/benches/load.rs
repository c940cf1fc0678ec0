//! The time to read and to write a level of 150,000 vertices.

#[path = "../../navmesh-runtime/tests/support/random.rs"]
mod random;
#[path = "../../navmesh-runtime/tests/support/worlds.rs"]
mod worlds;

use divan::{Bencher, black_box};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::EdgeSet;

fn main() {
    for edges in kinds() {
        let mesh = worlds::large(edges);
        let layer = &mesh.layers()[0];
        println!(
            "{:?}: {} vertices, {} platforms, {} links, {} bytes",
            edges.names().collect::<Vec<_>>(),
            u64::from(mesh.grid().columns) * u64::from(mesh.grid().rows),
            layer.platforms().len(),
            layer.links().len(),
            asset::encode(&mesh).len(),
        );
        for section in asset::peek(&asset::encode(&mesh))
            .expect("it is valid")
            .sections
        {
            println!("    {section}: {} bytes", section.length);
        }
    }
    divan::main();
}

/// Agents that walk, that fly, and that do both.
fn kinds() -> [EdgeSet; 3] {
    let all = EdgeSet::ALL - EdgeSet::CLIMB;
    [all - EdgeSet::FLY, EdgeSet::FLY, all]
}

#[divan::bench(args = [0, 1, 2])]
fn decode(bencher: Bencher<'_, '_>, kind: usize) {
    let bytes = asset::encode(&worlds::large(kinds()[kind]));
    bencher.bench(|| asset::decode(black_box(&bytes)));
}

#[divan::bench]
fn encode(bencher: Bencher<'_, '_>) {
    let mesh = worlds::large(kinds()[0]);
    bencher.bench(|| asset::encode(black_box(&mesh)));
}
