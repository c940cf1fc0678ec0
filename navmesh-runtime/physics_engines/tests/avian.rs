//! Trips of a character that avian2d moves.

mod characters;
#[path = "../../../baker-cli/tests/support/mod.rs"]
mod common;
#[path = "../../tests/support/physics_body.rs"]
mod physics_body;
#[path = "../../../baker-cli/tests/support/random_cases.rs"]
mod random_cases;
#[path = "../../../baker-cli/tests/support/trips.rs"]
mod trips;

use physics_engines::avian as engine;
