//! The extension for Tiled, on the parts of Tiled's scripting interface that it uses.

use crate::page::has_node;
use crate::sandbox::Sandbox;

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// What the extension shows after a map was saved in Tiled.
fn save_in_tiled(sandbox: &Sandbox, map: &str, program: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = Command::new("node")
        .arg(folder.join("tests/editors/tiled.js"))
        .arg(folder.join("editors/tiled/navbake.js"))
        .arg(program)
        .arg(sandbox.path(map))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&run.stderr);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

#[test]
fn maps_are_baked_when_they_are_saved_and_issues_select_what_they_name() {
    if !has_node("the extension for Tiled") {
        return;
    }
    let navbake = env!("CARGO_BIN_EXE_navbake");
    let sandbox = Sandbox::new();
    sandbox.fixture("tiles.tsx");
    sandbox.fixture("tiles.png");
    sandbox.fixture("portals.tmx");
    let map = std::fs::read_to_string(sandbox.path("portals.tmx")).unwrap();
    sandbox.write("portals.tmx", &map.replacen("\"spawn\"", "\"spwan\"", 1));

    // Without a configuration or a baked file, only the menu bakes a map.
    let shown = save_in_tiled(&sandbox, "portals.tmx", navbake);
    assert_eq!(shown["afterSaving"], json!(0), "{shown}");
    assert!(sandbox.path("portals.navmesh").exists());

    let shown = save_in_tiled(&sandbox, "portals.tmx", navbake);
    assert_eq!(shown["afterSaving"], json!(2), "{shown}");
    let warning = &shown["shown"][0];
    assert_eq!(warning["kind"], "warning", "{shown}");
    assert!(
        warning["text"].as_str().unwrap().contains("\"spwan\""),
        "{shown}"
    );
    assert_eq!(warning["object"], json!(1), "{shown}");

    sandbox.write("portals.tmx", &map.replace("</map>", ""));
    let shown = save_in_tiled(&sandbox, "portals.tmx", navbake);
    assert_eq!(shown["shown"][0]["kind"], "error", "{shown}");

    let shown = save_in_tiled(&sandbox, "portals.tmx", "there/is/no/navbake");
    let text = shown["shown"][0]["text"].as_str().unwrap();
    assert!(text.contains("cannot be run: install it"), "{shown}");
}
