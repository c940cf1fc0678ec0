//! Reading and writing baked files.

#[path = "../support/soak.rs"]
mod soak;
#[path = "../support/worlds.rs"]
mod worlds;

mod hostile;
mod round_trip;
