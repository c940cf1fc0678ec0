//! What people look at: a baked mesh as text, as JSON, as a picture.
//!
//! - [`dump`]: everything, stable line by line.
//! - [`diff`]: two bakes compared by meaning.
//! - [`inspect`]: counts and sizes.
//! - [`route`]: one path.
//! - [`simulation`]: an agent that moves.
//! - [`render`]: a picture, or an animation.
//! - [`view`]: a page to look at it with.

pub mod diff;
pub mod dump;
pub mod explain;
mod facts;
mod gate_fact;
pub mod inspect;
mod json;
pub mod lint;
pub mod render;
pub mod route;
#[cfg(test)]
mod sample;
pub mod simulation;
pub mod view;

pub use facts::{EdgeCounts, edge_counts};
pub use gate_fact::GateFact;
