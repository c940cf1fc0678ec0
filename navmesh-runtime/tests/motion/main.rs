//! Agents in motion.

#[path = "../../examples/chase.rs"]
#[expect(dead_code, reason = "only its function is tested, not its `main`")]
mod chase;
mod levels;
#[path = "../support/physics_body.rs"]
mod physics_body;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/soak.rs"]
mod soak;
#[path = "../support/worlds.rs"]
mod worlds;

mod airborne;
mod allocations;
mod apart;
mod breakable;
mod commands;
mod crowd_soak;
mod crowds;
mod doors;
mod engine_bodies;
mod flight;
mod interruptions;
mod invalid_input;
mod kinematics;
mod launches;
mod limits;
mod navigator;
mod performed_links;
mod physics;
mod placement;
mod portals;
mod queue;
mod removal;
mod targets;
