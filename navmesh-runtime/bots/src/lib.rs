//! Bots for side-scrolling games, on top of [`navmesh_runtime`]. Each module is a
//! feature.
#![cfg_attr(
    feature = "interest",
    doc = "\n- [`interest`]: bots that choose targets by interest and play like people."
)]
#![cfg_attr(
    feature = "steering",
    doc = "\n- [`steering`]: local avoidance of walls, other agents and hazards."
)]
#![cfg_attr(
    feature = "turns",
    doc = "\n- [`turns`]: whose turn it is, in turn-based games."
)]
//!
//! The features `interest`, `steering` and `turns` are defaults. `behavior` adds nodes
//! of behaviour trees that choose targets by interest, also in tree files; `serde` adds
//! `Serialize` and `Deserialize` for data types.

#[cfg(feature = "interest")]
pub mod interest;
#[cfg(feature = "steering")]
pub mod steering;
#[cfg(feature = "turns")]
pub mod turns;

pub use glam;

// Compiles the code in README.md with the documentation tests.
#[cfg(all(doctest, feature = "steering"))]
#[doc = include_str!("../README.md")]
struct Readme;
