//! Behaviour trees, pools, and the enemies of the example `arena`.

#[path = "../../examples/arena/game/mod.rs"]
mod game;
mod mock;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/soak.rs"]
mod soak;

mod allocations;
mod bestiary;
mod bestiary_sharing;
mod data;
mod effects;
mod film;
mod fuzz_cases;
mod lifecycle;
mod machines;
mod navigator;
mod nodes;
mod pool_leaks;
mod pool_threads;
mod pools;
mod recipes;
mod rooms;
mod tasks;
mod trace;
