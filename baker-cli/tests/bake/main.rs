//! What the baker finds, compared with referees that share no code with it.

#[path = "../support/mod.rs"]
mod common;
#[path = "../support/soak.rs"]
mod soak;

mod deterministic;
mod doors;
mod edges;
mod floors_truth;
mod geometry_spaces;
mod golden;
mod links_spanner;
mod links_truth;
mod markers;
mod movement_complete;
mod movement_truth;
mod slabs;
