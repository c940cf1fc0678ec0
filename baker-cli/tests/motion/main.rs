//! Agents of the runtime on baked levels.

/// Whether one of an agent's events has a form.
macro_rules! has_event {
    ($events:expr, $form:pat) => {
        $events.iter().any(|event| matches!(event, $form))
    };
}

#[path = "../support/mod.rs"]
mod common;
mod crowd;
#[path = "../../../navmesh-runtime/tests/support/physics_body.rs"]
mod physics_body;
#[path = "../../../navmesh-runtime/tests/support/random.rs"]
mod random;
#[path = "../support/random_cases.rs"]
mod random_cases;
#[path = "../support/trips.rs"]
mod trips;

mod agent_invariants;
mod crowd_invariants;
mod crowd_paths;
mod movement_kinds;
mod one_way_barriers;
mod paths_are_optimal;
mod physics;
mod removed_ground;
mod round_bodies;
mod slopes;
mod slower_agents;
