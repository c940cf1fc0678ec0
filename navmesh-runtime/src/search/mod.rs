//! Finding paths.
//!
//! A [`PathFinder`] answers a [`Query`] in one [`Layer`](crate::mesh::Layer)
//! of a mesh. What it minimises is time:
//!
//! - walking takes the horizontal distance over the run speed, on slopes and
//!   over steps too;
//! - a jump or a drop takes the duration of its link, and so does a portal;
//! - flying takes the straight distance over the run speed, from free vertex
//!   to neighbouring free vertex, diagonally only where all four vertices of
//!   the square are free. A vertex is free when the body is not blocked at
//!   it, whatever its type;
//! - agents that both walk and fly take off and land at `OnFloor` vertices.
//!   Standing at one is also being in the air at the same vertex, if it is free
//!   and no farther than a thousandth of the spacing from the height of the
//!   feet; otherwise, at the vertex above, if that is free, and the way between
//!   feet and vertex takes its length over the run speed, both ways.
//!
//! A [`Filter`] leaves edges out, closes doors and makes areas dearer. With
//! none, whether the goal can be reached at all is known before searching.
//!
//! Start and goal may be anywhere near a place where the agent can be: see
//! [`locate`].

mod cost_model;
mod doors;
mod filter;
mod finder;
pub(crate) mod free_space;
mod frontier;
pub(crate) mod goal_tree;
mod jump_points;
pub(crate) mod limits;
mod link_search;
mod locate;
mod path;
mod path_writer;
mod planes;
mod problem;
mod query;
pub(crate) mod regions;
pub(crate) mod resolve;
mod sight;

pub use doors::{DoorId, Doors, UnknownDoor};
pub use filter::{CostArea, Filter, TerrainSet};
pub use finder::PathFinder;
pub use locate::{Location, locate};
pub use path::{Path, Step, StepKind};
pub use query::{NoPath, PathOutcome, Query, QueryError};
pub use regions::Rect;
pub use sight::line_of_sight;
