//! Every stored case of the fuzz target `mesh`, and random ones of `forged`. What the fuzzer
//! finds is added to `fuzz/seeds/mesh`.

use navmesh_runtime::asset;
use navmesh_runtime::mesh::NavMesh;

#[path = "../../fuzz/cases/forged.rs"]
mod forged;
#[path = "../../fuzz/cases/mesh.rs"]
mod mesh;

use crate::random::Dice;
use crate::soak;

#[test]
fn stored_meshes_are_accepted_or_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/mesh");
    let mut accepted = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        accepted += usize::from(mesh::run(&std::fs::read(&path).unwrap()));
    }
    assert!(accepted >= 10, "{accepted}");
}

#[test]
fn meshes_with_changed_fields_are_refused_or_harmless() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/mesh");
    let mut meshes: Vec<NavMesh> = Vec::new();
    for name in [
        "dungeon-0",
        "three-agents-1",
        "smooth-0",
        "indexed-0",
        "moving-0",
    ] {
        let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
        meshes.push(asset::decode(&bytes[mesh::COMMANDS..]).unwrap());
    }
    let (mut accepted, cases) = (0, soak::cases(1000).cases);
    for number in 0..cases {
        let dice = &mut Dice::case(number.into());
        let changes = 1 + dice.below(4) as usize;
        let case: Vec<u8> = (0..mesh::COMMANDS + 6 * changes)
            .map(|_| dice.below(256) as u8)
            .collect();
        let mesh = &meshes[dice.below(5) as usize];
        println!("case {number}");
        accepted += u32::from(forged::run(mesh, &case));
    }
    // Many changes are within the limits, and many are not.
    assert!(
        accepted > cases / 10 && accepted < 9 * cases / 10,
        "{accepted} of {cases}"
    );
}
