//! Sharing between agents: who may attack now, and who stands where.
//!
//! - [`TokenPool`]: a number of permits ("two may attack at once"). A
//!   [`Token`] returns its permit when it is dropped.
//! - [`WaypointPool`]: positions that one agent at a time may use. A
//!   [`WaypointClaim`] frees its position when it is dropped.
//! - [`Pools`]: pools by name, as behaviour trees refer to them.
//!
//! Pools work without behaviour trees. A pool is a handle: a clone refers to
//! the same pool. Threads may share pools; see [`TokenPool`] for what that
//! means for determinism.

mod pools;
mod token;
mod waypoint;

pub use pools::Pools;
pub(crate) use token::TokenState;
pub use token::{Aggression, Token, TokenPool};
pub use waypoint::{Waypoint, WaypointClaim, WaypointPool};
