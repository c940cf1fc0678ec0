//! The number of cases of property tests: in a plain run a fifth of the number in the
//! test, and `SOAK` times as many where that environment variable is set (`.ci/run` sets
//! 5). `PROPTEST_RNG_SEED` selects other cases.
#![allow(dead_code)] // each test binary uses its own part

use proptest::test_runner::Config;

/// The `SOAK` with which the numbers in the tests are those that are tried.
const FULL: u32 = 5;

fn soak() -> u32 {
    let asked = std::env::var("SOAK").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The settings of a property test. Failures are printed, not stored in files.
pub(crate) fn cases(cases: u32) -> Config {
    Config {
        cases: (cases * soak()).div_ceil(FULL),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..Config::default()
    }
}

/// The number of samples for figures that fewer samples would not show: not reduced in
/// a plain run.
pub(crate) fn samples(count: u32) -> u32 {
    count * soak().max(FULL) / FULL
}
