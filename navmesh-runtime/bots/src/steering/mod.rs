//! Context steering: an agent avoids what is near while it goes where it wants.
//!
//! [motion]: navmesh_runtime::guide::motion
//! [machines]: https://crates.io/crates/navmesh-behavior
//!
#![doc = include_str!("../../docs/steering.md")]

mod agent;
mod breadcrumbs;
mod context_map;
mod favours;

pub use agent::{Obstacle, Steering, SteeringLimits, Surroundings};
pub use breadcrumbs::Breadcrumbs;
pub use context_map::ContextMap;
pub use favours::{Danger, Favour};
