//! The number of cases of property tests: their own number times that in the
//! environment variable `SOAK`. `PROPTEST_RNG_SEED` selects other cases.

use proptest::test_runner::Config;

/// The settings of a property test. Failures are printed, not stored in files.
pub(crate) fn cases(cases: u32) -> Config {
    let times = std::env::var("SOAK").ok();
    Config {
        cases: cases * times.and_then(|n| n.parse().ok()).unwrap_or(1),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..Config::default()
    }
}
