//! Every stored case of the fuzz target `reports`, and those of the runtime's target
//! `mesh`. What the fuzzer finds is added to `fuzz/seeds/reports`.

#[path = "../../fuzz/cases/reports.rs"]
mod reports;

#[test]
fn reports_are_written_about_every_stored_mesh() {
    let mut accepted = 0;
    for folder in ["fuzz/seeds/reports", "../navmesh-runtime/fuzz/seeds/mesh"] {
        let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            println!("{}", path.display());
            accepted += usize::from(reports::run(&std::fs::read(&path).unwrap()));
        }
    }
    assert!(accepted >= 9, "{accepted}");
}
