//! Motions through the air: where they start and end, what they can reach, and
//! their exact trajectories.

mod columns;
pub mod endpoints;
mod found_landings;
pub mod funnel;
pub mod landing_index;
pub mod moves;
mod reachable_intervals;
mod reachable_speeds;
mod region;
mod slab_traversal;
mod smooth_motion;
pub mod take_off;
pub mod tolerance;
pub mod trajectory_solver;
pub mod vertical_motion;
