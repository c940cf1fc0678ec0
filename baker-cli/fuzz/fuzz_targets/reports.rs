//! `cargo +nightly fuzz run reports`: reports about forged baked files.
#![no_main]

#[path = "../cases/reports.rs"]
mod reports;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reports::run(bytes);
});
