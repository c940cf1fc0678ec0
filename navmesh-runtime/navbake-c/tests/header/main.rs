//! The committed header is the one that the source gives, and so are the modules for C# and
//! Lua.
//!
//! `UPDATE_HEADER=1 cargo test --test header` writes them.

mod c;
mod csharp;
mod lua;
mod model;

use std::path::Path;

use cbindgen::{Config, DocumentationStyle, EnumConfig, ExportConfig, Language, RenameRule, Style};

/// What the source exports.
fn items() -> Vec<model::Item> {
    let crate_dir = env!("CARGO_MANIFEST_DIR");
    let enums = [
        "NbActivity",
        "NbAvoidance",
        "NbReason",
        "NbEventKind",
        "NbStepKind",
        "NbMarkerKind",
        "NbFound",
        "NbStatus",
        "NbCall",
    ];
    let config = Config {
        language: Language::C,
        documentation: true,
        documentation_style: DocumentationStyle::C99,
        usize_is_size_t: true,
        style: Style::Both,
        no_includes: true,
        export: ExportConfig {
            include: enums.map(str::to_owned).to_vec(),
            ..ExportConfig::default()
        },
        enumeration: EnumConfig {
            rename_variants: RenameRule::ScreamingSnakeCase,
            prefix_with_name: true,
            ..EnumConfig::default()
        },
        ..Config::default()
    };
    let mut text = Vec::new();
    cbindgen::Builder::new()
        .with_crate(crate_dir)
        .with_config(config)
        .generate()
        .expect("the source can be parsed")
        .write(&mut text);
    model::items(&String::from_utf8(text).expect("the source is UTF-8"))
}

/// Compares a committed file with the one that the source gives.
fn is_current(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("include")
        .join(name);
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, text).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed.replace('\r', "") == text,
        "include/{name} is not what the source gives: run \
         `UPDATE_HEADER=1 cargo test --test header` and read `git diff`"
    );
}

#[test]
fn the_header_is_current() {
    is_current("navbake.h", &c::header(&items()));
}

#[test]
fn the_module_for_c_sharp_is_current() {
    is_current("Navbake.cs", &csharp::module(&items()));
}

#[test]
fn the_module_for_lua_is_current() {
    is_current("navbake.lua", &lua::module(&items()));
}

#[test]
fn every_function_of_the_library_is_in_the_header() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let items = items();
    let mut count = 0;
    for file in std::fs::read_dir(source).expect("the folder exists") {
        let file = file.expect("the folder can be read").path();
        let text = std::fs::read_to_string(file).expect("a source file");
        for line in text.lines().filter(|line| line.starts_with("pub ")) {
            let Some((_, name)) = line.split_once("extern \"C\" fn ") else {
                continue;
            };
            let name = name.split('(').next().unwrap_or_default();
            assert!(
                items.iter().any(|item| item.name == name),
                "{name} is missing"
            );
            count += 1;
        }
    }
    assert!(count > 50, "{count} functions were found");
}
