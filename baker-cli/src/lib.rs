//! Reads level files and bakes them into navigation meshes: the command
//! `navbake`. The bake itself is the crate [`navmesh_bake`].
//!
//! - [`source`]: reads level files into a [`source::LevelFile`].
//! - [`config`][]: `navbake.toml`.
//! - [`report`]: what the commands print, draw and check.
//! - `cli`: the command `navbake`, with the feature `cli`.
//!
//! Without the feature `cli`, which is on by default, the library compiles for web pages:
//! [`source::read_from`] reads levels from [`source::MemoryFiles`].

// Some of what reports write is for the command alone.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod report;
pub mod source;

pub use glam;

use navmesh_bake as bake;

// Compiles the code in README.md with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
