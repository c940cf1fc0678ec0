//! Agents in motion.

#[path = "../../examples/chase.rs"]
#[expect(dead_code, reason = "only its function is tested, not its `main`")]
mod chase;
mod motion_worlds;
#[path = "../support/soak.rs"]
mod soak;
#[path = "../support/worlds.rs"]
mod worlds;

mod arcs;
mod bodies;
mod commands;
mod crowds;
mod doors;
mod features;
mod hostile;
mod interruptions;
mod late_answers;
mod no_alloc;
mod portals;
mod queue;
mod resolve;
