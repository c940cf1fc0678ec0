//! How many cases property tests try: in a plain run a fifth of the numbers in the
//! tests, and `SOAK` times as many where that environment variable is set. `.ci/run` sets 5,
//! so it tries all of them. `PROPTEST_RNG_SEED` chooses which.
#![allow(dead_code)] // each test binary uses its own part

use proptest::test_runner::Config;

/// The `SOAK` with which the numbers in the tests are those that are tried.
const FULL: u32 = 5;

/// The factor that the environment asks for.
fn soak() -> u32 {
    let asked = std::env::var("SOAK").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Settings of property tests: failures are printed, not kept in files.
pub fn cases(cases: u32) -> Config {
    Config {
        cases: times(cases),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..Config::default()
    }
}

/// How many of `count` cases are tried.
pub fn times(count: u32) -> u32 {
    (count * soak()).div_ceil(FULL)
}

/// A lower bound on a sum over [`times`] cases, from that on the sum over all of them.
/// Few cases differ more, so a plain run only asks for a part of its share.
pub fn share(sum: usize) -> usize {
    match soak() {
        soak if soak < FULL => sum * soak as usize / FULL as usize / 5,
        _ => sum,
    }
}

/// How many of `count` things must succeed where a share of them does: two standard
/// errors fewer where not all cases are tried.
pub fn least(count: usize, share: f64) -> f64 {
    let count = count as f64;
    let error = (count * share * (1.0 - share)).sqrt();
    count * share - if soak() < FULL { 2.0 * error } else { 0.0 }
}

/// How many samples of `count` are taken for figures that fewer samples would not
/// show: all of them also in a plain run.
pub fn samples(count: u32) -> u32 {
    count * soak().max(FULL) / FULL
}

/// A number that depends on the seed, to add to the seeds of loops that are not
/// property tests.
pub fn offset() -> u64 {
    let asked = std::env::var("PROPTEST_RNG_SEED").ok();
    let seed: u64 = asked.and_then(|n| n.parse().ok()).unwrap_or(1);
    seed.wrapping_sub(1).wrapping_mul(1_000_000)
}
