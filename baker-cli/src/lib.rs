//! Bake side-scroller levels into nav meshes.
//!
//! - [`source`]: level files to [`source::Level`].
//! - [`geometry`]: where a body is blocked.
//! - [`bake`]: level and agents to nav mesh.
//! - [`report`]: what people look at.
//! - [`cli`]: the `navbake` command.

pub mod bake;
pub mod cli;
pub mod geometry;
pub mod report;
pub mod source;

// The code in the README is compiled with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
