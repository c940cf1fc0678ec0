//! Every stored case of the fuzz targets `level` and `settings`. What the fuzzers
//! find is added to `fuzz/seeds`.

#[path = "../../fuzz/cases/level.rs"]
mod level;
#[path = "../../fuzz/cases/settings.rs"]
mod settings;

/// Runs the cases of a target and returns how many were accepted.
fn accepted(target: &str, run: fn(&[u8]) -> bool) -> usize {
    let folder = format!("{}/fuzz/seeds/{target}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(folder).unwrap();
    let accept = |entry: &std::fs::DirEntry| {
        let path = entry.path();
        println!("{}", path.display());
        run(&std::fs::read(&path).unwrap())
    };
    entries
        .filter(|entry| accept(entry.as_ref().unwrap()))
        .count()
}

#[test]
fn stored_levels_are_baked_or_refused() {
    assert!(accepted("level", level::run) >= 9);
}

#[test]
fn stored_settings_are_valid_or_refused() {
    assert!(accepted("settings", settings::run) >= 2);
}
