//! Motions through the air: where they start and end, what they can reach, and
//! their exact trajectories.

pub mod endpoints;
mod few_stretches;
pub mod funnel;
mod held_motion;
pub mod landing_index;
mod launch_search;
mod missing_landings;
pub mod moves;
mod reachable_intervals;
mod reachable_speeds;
mod region;
mod slab_traversal;
mod smooth_motion;
mod smooth_reach;
mod state_set;
pub mod take_off;
mod timing;
pub mod tolerance;
pub mod trajectory_solver;
pub mod vertical_motion;
