//! Level files to levels.

#[path = "../support/soak.rs"]
mod soak;

mod levels;
mod twins;
