//! Reading and writing baked files.

#[path = "../support/random.rs"]
mod random;
#[path = "../support/soak.rs"]
mod soak;
#[path = "../support/worlds.rs"]
mod worlds;

mod fuzz_cases;
mod hostile;
mod index;
mod round_trip;
mod versions;
