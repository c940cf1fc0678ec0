//! `cargo +nightly fuzz run mesh`: forged baked files.
#![no_main]

#[path = "../cases/mesh.rs"]
mod mesh;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    mesh::run(bytes);
});
