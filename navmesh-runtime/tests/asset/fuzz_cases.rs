//! Every stored case of the fuzz target `mesh`. What the fuzzer finds is added to
//! `fuzz/seeds/mesh`.

#[path = "../../fuzz/cases/mesh.rs"]
mod mesh;

#[test]
fn stored_meshes_are_accepted_or_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/mesh");
    let mut accepted = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        accepted += usize::from(mesh::run(&std::fs::read(&path).unwrap()));
    }
    assert!(accepted >= 9, "{accepted}");
}
