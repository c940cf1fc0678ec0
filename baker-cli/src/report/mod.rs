//! What people look at: a baked mesh as text, as JSON, as a picture.
//!
//! - [`dump`]: everything, stable line by line.
//! - [`inspect`]: counts and sizes.
//! - [`route`]: one path.
//! - [`render`]: a picture.

pub mod dump;
pub mod explain;
mod facts;
pub mod inspect;
mod json;
pub mod lint;
pub mod render;
pub mod route;
#[cfg(test)]
mod sample;

pub use facts::{EdgeCounts, edge_counts};
