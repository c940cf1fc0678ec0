//! Path search in one layer of a mesh.
//!
//! A [`PathFinder`] answers a [`Query`] with the path that takes the least time:
//!
//! | motion | time |
//! |---|---|
//! | walking, also on slopes and over steps | horizontal distance over run speed |
//! | climbing | distance over climb speed |
//! | jumps, drops, portals | the duration of the link |
//! | flying, for agents that only fly | straight distance over run speed, in any direction |
//! | flying, for agents that also walk, and in searches with cost areas | the same, along the grid of free vertices; diagonally where all four vertices of the square are free |
//!
//! Agents that both walk and fly take off and land at `OnFloor` vertices. An agent
//! that stands at one is also in the air at the same vertex, if that is free and at
//! most a thousandth of the spacing from its feet; otherwise at the vertex above, if
//! that is free, and the distance between counts as flight.
//!
//! A [`Filter`] excludes edges, closes [`Doors`] and makes areas cost more, and a
//! query may hold the [profile](Query::profile) of a slower or weaker agent. Whether
//! the goal can be reached at all is mostly known without a search.
//!
//! [`Layer::index_routes`](crate::mesh::Layer::index_routes) makes searches on foot
//! faster.
//!
//! With a [departure](Query::departure), paths also lead over
//! [platforms that move](crate::mesh::MovingPlatform): the path that arrives first is found.
//!
//! Start and goal may be up to two spacings of the grid away from a place where the
//! agent can be; the path begins and ends at the nearest one.

mod any_angle;
mod closed_air;
pub(crate) mod columns;
mod cost_model;
mod doors;
mod endpoints;
mod filter;
mod finder;
mod flight_search;
pub(crate) mod free_space;
mod frontier;
pub(crate) mod goal_tree;
mod index_lookup;
mod link_search;
mod locate;
mod nearby_motion;
mod occupancy;
mod path;
mod path_writer;
mod query;
pub(crate) mod regions;
pub(crate) mod removal;
pub(crate) mod replacement;
pub(crate) mod rides;
mod sight;
mod snap;
mod target;

pub use doors::{Doors, UnknownDoor};
pub use filter::{CostArea, Filter};
pub use finder::PathFinder;
pub use path::{Path, Step};
pub(crate) use query::MAX_CLOCK;
pub use query::{NoPath, PathOutcome, Query, QueryError};
pub use regions::Rect;
pub use sight::line_of_sight;
pub use snap::{Snap, SnapTo};
