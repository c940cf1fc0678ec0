//! Load nav meshes baked by `navbake` and move side-scroller agents over them.
//!
//! The crate is layered, and imports run one way:
//!
//! - [`mesh`]: the data: grid, terrain, platforms, links, layers.
//! - [`asset`]: bytes to mesh and back.
//! - [`search`]: finding paths.
//! - [`motion`]: following them.
//! - [`behavior`] and [`coordination`]: deciding where to go, and sharing.
//!
//! [`guide`] has a page for each task, with complete examples.
//!
//! All positions are world units and name an agent's **feet**: the bottom
//! centre of its box. Time is passed in; nothing here reads a clock.

pub mod asset;
#[cfg(feature = "behavior")]
pub mod behavior;
#[cfg(feature = "behavior")]
pub mod coordination;
pub mod guide;
pub mod mesh;
pub mod motion;
pub mod search;

// Compiles the code in README.md with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
