//! Agents of the runtime on baked levels.

#[path = "../support/mod.rs"]
mod common;
#[path = "../support/soak.rs"]
mod soak;
mod storm;

mod baked;
mod crowds;
mod gates;
mod movement;
mod path_optimal;
mod storms;
