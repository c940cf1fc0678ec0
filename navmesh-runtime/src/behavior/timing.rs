//! Counting seconds on an agent's own clock.
//!
//! A stamp is the time something began, packed so that zero means "not yet".
//! The first tick of a node is the moment it begins: a wait of one second is
//! over in the first tick that comes a second later, and the second of two
//! waits begins in the tick in which the first ends.

/// Packs a time of 0 or more.
#[inline]
pub(super) fn stamp(now: f64) -> u64 {
    // The sign bit is free: the clock starts at 0 and never runs backwards.
    now.to_bits() | 1 << 63
}

/// The time of a stamp; `None` before there is one.
#[inline]
pub(super) fn stamped(word: u64) -> Option<f64> {
    (word != 0).then(|| f64::from_bits(word & !(1 << 63)))
}

/// Whether `seconds` have passed since a stamp.
///
/// Frame times are rounded numbers: ten of 0.1 s add up to a hair less or more
/// than 1 s. A millionth of slack makes both count as there.
#[inline]
pub(super) fn reached(word: u64, now: f64, seconds: f32) -> bool {
    stamped(word).is_some_and(|start| (now - start) * 1.000_001 >= f64::from(seconds))
}
