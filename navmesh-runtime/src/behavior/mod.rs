//! Behaviour trees: what an agent does next.
//!
//! - [`Tree`]: the definition, a flat array of nodes, immutable and shared;
//!   made in code by a [`Builder`] or from data ([`TreeDef`]) by a
//!   [`Registry`].
//! - [`TreeState`]: what one agent is doing in it. [`TreeState::tick`] runs
//!   one update and allocates nothing.
//! - [`Task`], [`Composite`]: what a game adds; [`tasks`]: what is there
//!   already, for games that implement [`TaskContext`].
//! - [`Navigator`]: for games whose bodies are moved by
//!   [`motion`](crate::motion).
//! - [`Blackboard`]: an agent's own notes.
//! - [`Trace`]: what ran in the last ticks, and why.
//!
//! A tree is generic over the game's context `C`, which is passed to each
//! tick as `&mut C`: the world, and which agent this is. A context that borrows
//! is passed through [`Borrowed`]. Nothing here needs a nav mesh.
//!
//! `docs/behaviour.md` in the repository is an introduction of ten minutes,
//! and a reference of every node.

mod arity;
mod blackboard;
mod builder;
mod builder_nodes;
mod data;
mod engine;
mod error;
mod load;
mod memory;
mod navigator;
mod node;
mod params;
mod registry;
mod reload;
mod save;
mod sharing;
mod state;
mod status;
mod task;
mod task_context;
pub mod tasks;
mod tick;
mod timing;
mod trace;
mod tree;

pub use crate::coordination::{Borrowed, Context, ContextFamily};
pub use blackboard::{
    Blackboard, BoardError, BoardValue, Entity, Key, Schema, SchemaError, Value, ValueKind,
};
pub use builder::{Builder, MAX_DEPTH};
pub use data::{NodeDef, Priority, TreeDef, UtilityDef};
pub use error::BuildError;
pub use memory::{MemorySize, Word};
pub use navigator::Navigator;
pub use params::{Param, Params};
pub use registry::Registry;
pub use reload::Migration;
pub use state::TreeState;
pub use status::{IntoOutcome, Outcome, Status};
pub use task::{Composite, Task};
pub use task_context::{CueStep, Navigation, TaskContext};
pub use tick::{Children, Tick};
pub use trace::{TickTrace, Trace, TraceEvent, Visit};
pub use tree::{Pace, Tree, TurnRule};

/// The guide's examples, run as tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/behaviour.md")]
struct Guide;
