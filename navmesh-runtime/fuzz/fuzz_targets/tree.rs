//! `cargo +nightly fuzz run tree`: tree files, and replacing one by another.
#![no_main]

#[path = "../cases/tree.rs"]
mod tree;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    tree::run(bytes);
});
