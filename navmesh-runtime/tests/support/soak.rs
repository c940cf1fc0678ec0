//! How many cases property tests try: as many as they say, times the number
//! in the environment variable `SOAK`. `PROPTEST_RNG_SEED` chooses which.

use proptest::test_runner::Config;

/// Settings of property tests: failures are printed, not kept in files.
pub(crate) fn cases(cases: u32) -> Config {
    let asked = std::env::var("SOAK").ok();
    Config {
        cases: cases * asked.and_then(|n| n.parse().ok()).unwrap_or(1),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..Config::default()
    }
}
