//! Reports about one small mesh.

mod diff;
mod dump;
mod film;
mod fuzz_cases;
mod inspect;
mod lint;
mod render;
mod route;
mod sample;
mod simulation;
