//! Behaviour trees, pools, and what the guide promises of them.

mod mock;
#[path = "../../../tests/support/random.rs"]
mod random;
#[path = "../../../tests/support/soak.rs"]
mod soak;

mod accuracy;
mod allocations;
mod data;
mod errands;
mod fuzz_cases;
mod kinds;
mod machines;
mod model;
mod navigator;
mod nodes;
mod pool_leaks;
mod pool_threads;
mod pools;
mod random_trees;
mod recipes;
mod saved_games;
mod tasks;
mod trace;
