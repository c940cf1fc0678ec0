//! Trips of the character controller of rapier2d.

mod characters;
#[path = "../../../baker-cli/tests/support/mod.rs"]
mod common;
mod hills;
#[path = "../../tests/support/physics_body.rs"]
mod physics_body;
#[path = "../../../baker-cli/tests/support/random_cases.rs"]
mod random_cases;
#[path = "../../../baker-cli/tests/support/trips.rs"]
mod trips;

use physics_engines::rapier as engine;
