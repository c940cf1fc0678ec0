//! The number of cases of property tests: the default times the environment
//! variable `SOAK`. `PROPTEST_RNG_SEED` chooses which.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own part

use proptest::test_runner::Config;

/// Settings of property tests: failures are printed, not kept in files.
pub fn cases(cases: u32) -> Config {
    Config {
        cases: times(cases),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..Config::default()
    }
}

/// `count` times what the environment asks for.
pub fn times(count: u32) -> u32 {
    let asked = std::env::var("SOAK").ok();
    count * asked.and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// A number that depends on the seed, to add to the seeds of loops that are not
/// property tests.
pub fn offset() -> u64 {
    let asked = std::env::var("PROPTEST_RNG_SEED").ok();
    let seed: u64 = asked.and_then(|n| n.parse().ok()).unwrap_or(1);
    seed.wrapping_sub(1).wrapping_mul(1_000_000)
}
