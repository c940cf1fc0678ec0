//! `cargo +nightly fuzz run forged`: baked files with changed fields.
#![no_main]

use std::sync::LazyLock;

use navmesh_runtime::asset;
use navmesh_runtime::mesh::NavMesh;

#[path = "../cases/forged.rs"]
mod forged;
#[path = "../cases/mesh.rs"]
mod mesh;

static MESHES: LazyLock<Vec<NavMesh>> = LazyLock::new(|| {
    let files: [&[u8]; 3] = [
        include_bytes!("../../games/levels/arena.navmesh"),
        include_bytes!("../../games/levels/dungeon.navmesh"),
        include_bytes!("../../games/levels/rooms.navmesh"),
    ];
    files.map(|file| asset::decode(file).expect("the levels of the games")).into()
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let [which, case @ ..] = bytes {
        forged::run(&MESHES[usize::from(*which) % MESHES.len()], case);
    }
});
