//! Sharing between agents: who may attack now, and who stands where. Pools work without
//! behaviour trees.

mod pools;
mod token;
mod waypoint;

pub use pools::Pools;
pub(crate) use token::TokenState;
pub use token::{Aggression, Token, TokenPool};
pub use waypoint::{Waypoint, WaypointClaim, WaypointPool};
