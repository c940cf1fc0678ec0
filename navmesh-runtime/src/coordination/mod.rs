//! Sharing between agents: who may attack now, who stands where.
//!
//! - [`TokenPool`]: a number of permits ("two may attack at once"). A
//!   [`Token`] is a guard: dropping it gives the permit back, whatever
//!   happened to its holder.
//! - [`WaypointPool`]: places of which each is used by one agent at a time; a
//!   [`WaypointClaim`] is a guard in the same way.
//! - [`Score`]: how good a waypoint is, put together from [`Measure`]s and the
//!   game's own functions.
//! - [`Pools`]: pools by name, the way behaviour trees refer to them.
//!
//! None of it needs a behaviour tree. Pools are handles: cloning one gives
//! another handle to the same pool. They may be shared between threads; see
//! [`TokenPool`] for what that means for determinism.

mod context;
mod pools;
mod scene;
mod token;
mod utility;
mod waypoint;

pub use context::{Borrowed, Context, ContextFamily};
pub use pools::{Pools, UnknownPool};
pub use scene::Scene;
pub use token::{Aggression, Token, TokenPool};
pub(crate) use utility::Term;
pub use utility::{Measure, Score};
pub use waypoint::{Waypoint, WaypointClaim, WaypointPool};
