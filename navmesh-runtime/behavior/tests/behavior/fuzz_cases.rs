//! Every stored case of the fuzz target `tree`. What the fuzzer finds is added to
//! `fuzz/seeds/tree`.

#[path = "../../../fuzz/cases/tree.rs"]
mod tree;

#[test]
fn stored_trees_are_built_or_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds/tree");
    let mut built = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        built += usize::from(tree::run(&std::fs::read(&path).unwrap()));
    }
    assert!(built >= 8, "{built}");
}
