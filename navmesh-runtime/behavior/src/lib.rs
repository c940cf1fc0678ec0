//! Behaviour trees and state machines: an agent decides what to do next. With
//! pools that agents share.
//!
//! - [`Tree`]: the definition, shared by all agents of a kind. A [`Builder`]
//!   builds it in code, a [`Registry`] from a file ([`TreeDef`]).
//! - [`TreeState`]: what one agent is doing in its tree.
//!   [`TreeState::tick`] runs one update and allocates nothing.
//! - [`Context`]: what the game passes to each tick.
//! - [`Node`]: nodes of the game's own. [`AgentTask`]: the ready-made leaves, for
//!   views that implement [`TaskContext`].
//! - [`Actor`]: an agent of [`navmesh_runtime`], for which [`TaskContext`] is ready.
//! - [`Perception`]: what an agent knows of its target.
//! - [`Blackboard`]: an agent's own notes.
//! - [`Trace`]: which nodes ran in the last ticks, and why.
//! - [`TokenPool`]: a number of permits ("two may attack at once"). A
//!   [`Token`] returns its permit when it is dropped.
//! - [`WaypointPool`]: positions that one agent at a time may use. A
//!   [`WaypointClaim`] frees its position when it is dropped.
//! - [`Pools`]: pools by name, as behaviour trees refer to them.
//!
//! Trees need no nav mesh: a game can move its agents as it likes. Pools work
//! without trees. A pool is a handle: a clone refers to the same pool. Threads may
//! share pools; see [`TokenPool`] for what that means for determinism.
//!
//! The [`guide`] has complete examples and a table of all nodes.

mod accuracy;
mod blackboard;
mod builder;
mod context;
mod coordination;
mod errands;
mod error;
pub mod guide;
mod node;
mod nodes;
mod params;
mod perception;
mod registry;
mod score;
mod state;
mod status;
mod tasks;
mod tick;
mod trace;
mod tree;

pub use accuracy::Accuracy;
pub use blackboard::{Blackboard, BoardError, Entity, Key, NamedKey, Schema, Value};
pub use builder::Builder;
pub use context::{Actor, Context, CueStep, Navigation, TaskContext};
pub use coordination::{
    Aggression, Pools, Token, TokenPool, Waypoint, WaypointClaim, WaypointPool,
};
pub use error::BuildError;
pub use node::Node;
pub use nodes::NodeKind;
pub use nodes::composites::Pace;
pub use nodes::decorators::TurnRule;
pub use nodes::notes::Comparison;
pub use nodes::sharing::Priority;
pub use perception::Perception;
pub use registry::Registry;
pub use score::{Measure, Score};
pub use state::{Migration, TreeState};
pub use status::{Outcome, Status};
pub use tasks::{AgentTask, Frame, Region, Wait};
pub use tick::Tick;
pub use trace::Trace;
pub use tree::{Tree, TreeDef};

pub use glam;

// Compiles the code in README.md with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
