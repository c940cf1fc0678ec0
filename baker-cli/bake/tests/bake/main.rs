//! What the baker makes, compared with independent checks that share no code
//! with it.

#[path = "../../../tests/support/mod.rs"]
mod common;
#[path = "../../../../navmesh-runtime/tests/support/physics_body.rs"]
mod physics_body;
#[path = "../../../../navmesh-runtime/tests/support/random.rs"]
mod random;
#[path = "../../../tests/support/random_cases.rs"]
mod random_cases;

mod advice;
mod asset_snapshots;
mod climbed_surfaces;
mod configuration_spaces;
mod convex;
mod doors;
mod edge_cases;
mod fingerprints;
mod flights;
mod links_match_simulation;
mod live_levels;
mod low_ceilings;
mod markers;
mod movement_links_complete;
mod movement_links_match_simulation;
mod no_air_control;
mod platforms_match_geometry;
mod portal_pairs;
mod portals;
mod resources;
mod rides;
mod search_step;
mod smooth_links;
mod springs;
mod thinned_links;
mod thread_count;
mod units;
