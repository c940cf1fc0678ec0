//! The random source of tests and benches.
// Each test binary uses a part of this.
#![allow(dead_code, missing_docs)]

/// A small random number generator (`SplitMix64`): the same numbers for a seed
/// on every platform.
pub struct Dice(pub u64);

impl Dice {
    /// For a case of a test: `PROPTEST_RNG_SEED` selects others.
    pub fn case(number: u64) -> Self {
        let asked = std::env::var("PROPTEST_RNG_SEED").ok();
        let seed: u64 = asked.and_then(|n| n.parse().ok()).unwrap_or(1);
        Self(
            seed.wrapping_sub(1)
                .wrapping_mul(1_000_000)
                .wrapping_add(number),
        )
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A whole number from 0 up to but without `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        (self.word() % u64::from(end.max(1))) as u32
    }

    /// A number from 0 up to but without 1.
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// `true` with probability `p`.
    pub fn chance(&mut self, p: f32) -> bool {
        self.unit() < p
    }
}
