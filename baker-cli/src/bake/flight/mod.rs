//! Motions through the air: where they start and end, what they can reach, and
//! their exact trajectories.

mod columns;
pub(super) mod endpoints;
mod found_landings;
pub(super) mod funnel;
pub(super) mod landing_index;
pub(super) mod moves;
mod reachable_intervals;
mod reachable_speeds;
mod region;
mod slab_walk;
mod smooth_motion;
pub(super) mod take_off;
mod take_off_choice;
pub(super) mod tolerance;
pub(super) mod trajectory_solver;
pub(super) mod vertical_motion;
