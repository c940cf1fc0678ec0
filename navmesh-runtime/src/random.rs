//! The random source of everything that acts at random.

/// A random number from 0 up to but without 1, and the next state (`SplitMix64`):
/// the same numbers for a seed on every platform.
pub fn unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    (mix(*state) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Changes about half of the bits for every bit of `z`: the last steps of `SplitMix64`.
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
