//! Context steering, breadcrumbs and clearance (S1, S2, S3, S4, S6).

mod boss;
mod breadcrumbs;
mod clearance;
mod context_map;
mod favours;
#[path = "../../examples/boss/game.rs"]
mod game;
mod oscillation;
#[path = "../support/random.rs"]
mod random;
mod safety;
mod world;
