//! Reads level files and bakes them into navigation meshes: the command
//! `navbake`. The bake itself is the crate [`navmesh_bake`].
//!
//! - [`source`]: reads level files into a [`source::LevelFile`].
//! - [`report`]: what the commands print, draw and check.
//! - [`cli`]: the command `navbake`.

pub mod cli;
pub mod report;
pub mod source;

pub use glam;

use navmesh_bake as bake;

// Compiles the code in README.md with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
