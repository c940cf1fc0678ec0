//! `cargo +nightly fuzz run settings`: `navbake.toml`.
#![no_main]

#[path = "../cases/settings.rs"]
mod settings;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    settings::run(bytes);
});
