//! Bakes levels of side-scrolling games into navigation meshes.
//!
//! - [`source`]: reads level files into a [`source::Level`].
//! - [`geometry`]: where an agent's body is blocked.
//! - [`bake`]: turns a level and agents into a mesh.
//! - [`report`]: what the commands print, draw and check.
//! - [`cli`]: the command `navbake`.

pub mod bake;
pub mod cli;
pub mod geometry;
pub mod report;
pub mod source;

pub use glam;

// The name by which files that tests share with those of other crates import it.
#[cfg(test)]
extern crate self as baker_cli;

// Compiles the code in README.md with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
