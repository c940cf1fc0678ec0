//! Context steering: an agent avoids what is near while it goes where it wants.
//!
//! For agents that fly, and in games that are seen from above. A path search knows
//! the level but not the other agents; steering sees what is near, and turns the
//! agent a little in every frame. Both work together: the search gives the next
//! [waypoint](Surroundings::waypoint), and steering goes there.
//!
//! - [`Steering`]: one agent, its [`Favour`]s and [`Danger`]s; from its
//!   [`Surroundings`] follows its velocity.
//! - [`Breadcrumbs`]: the trail of a target, for chasers that have lost sight of it.
//! - [`ContextMap`]: interest and danger per heading, for games with rules of their
//!   own.

mod agent;
mod breadcrumbs;
mod context_map;
mod surroundings;

pub use agent::{Steering, SteeringLimits};
pub use breadcrumbs::Breadcrumbs;
pub use context_map::{Choice, ContextMap};
pub use surroundings::{Danger, Favour, Obstacle, Surroundings};
