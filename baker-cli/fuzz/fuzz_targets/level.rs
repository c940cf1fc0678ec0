//! `cargo +nightly fuzz run level`: levels of every format, up to a bake.
#![no_main]

#[path = "../cases/level.rs"]
mod level;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    level::run(bytes);
});
