//! The committed header is the one that the source gives, and so are its declarations in
//! C#.
//!
//! `UPDATE_HEADER=1 cargo test --test header` writes both.

mod csharp;

use std::path::Path;

use cbindgen::{Config, DocumentationStyle, EnumConfig, ExportConfig, Language, RenameRule, Style};

/// The top of the header: what holds for all functions.
const CONTRACT: &str = "\
/* navbake.h: nav meshes of side-scrolling levels, paths in them, and agents that
   follow the paths. Generated from the source of navbake-c; do not edit.

   The guide, with complete programs for C and C#, is docs/engines.md.

   Errors
     Functions return NB_RESULT_OK, which is 0, or an error. Then
     nb_error_message() says what is wrong, and results are not written unless the
     function says so. Nothing aborts the program.

   Pointers
     - Handles (NbMesh *, NbAgent *, ...) come from a function ..._new or _load, and
       are freed once by the function ..._free of their type. Free functions accept
       null. After an error the handle is null.
     - A null handle is an error, unless the function says that it may be null. A
       pointer that is neither null nor valid is undefined behaviour, as in all of C.
     - Texts are UTF-8 and end with a zero. The library keeps no pointer to them.
     - Buffers belong to the caller. A capacity is the number of elements, for texts
       of bytes with the zero. Pointers for results do not overlap.

   Structs
     The first field of most structs is their size: set it to sizeof before the call.
     Lists have an argument for the size of their elements. So a program works with
     later versions of the library, which add fields at the end.

   Threads
     Every function may be called on every thread. Only one call uses an object at a
     time: a second one at the same time returns NB_RESULT_ERROR_BUSY, without waiting.
     A level (NbMesh) may be used by all threads at once. No object may be freed while
     it is in use.

   Units
     Positions are world units, those of an agent's feet: the bottom centre of its
     body. Time is an argument, in seconds. The same calls give the same results. */";

fn header() -> String {
    let crate_dir = env!("CARGO_MANIFEST_DIR");
    let enums = [
        "NbActivity",
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
        header: Some(CONTRACT.to_owned()),
        include_guard: Some("NAVBAKE_H".to_owned()),
        cpp_compat: true,
        documentation: true,
        documentation_style: DocumentationStyle::C99,
        usize_is_size_t: true,
        style: Style::Both,
        line_length: 90,
        no_includes: true,
        sys_includes: ["stddef.h", "stdint.h"].map(str::to_owned).to_vec(),
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
    String::from_utf8(text).expect("the source is UTF-8")
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
    is_current("navbake.h", &header());
}

#[test]
fn the_declarations_in_c_sharp_are_current() {
    is_current("Navbake.cs", &csharp::declarations(&header()));
}

#[test]
fn every_function_of_the_library_is_in_the_header() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let header = header();
    let mut count = 0;
    for file in std::fs::read_dir(source).expect("the folder exists") {
        let file = file.expect("the folder can be read").path();
        let text = std::fs::read_to_string(file).expect("a source file");
        for line in text.lines().filter(|line| line.starts_with("pub ")) {
            let Some((_, name)) = line.split_once("extern \"C\" fn ") else {
                continue;
            };
            let name = name.split('(').next().unwrap_or_default();
            assert!(header.contains(&format!("{name}(")), "{name} is missing");
            count += 1;
        }
    }
    assert!(count > 50, "{count} functions were found");
}
