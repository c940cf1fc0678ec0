//! Loads navigation meshes baked by `navbake`, finds paths in them, and moves
//! the agents of side-scrolling games along these paths.
//!
//! ```no_run
//! use navmesh_runtime::Navigator;
//! use navmesh_runtime::glam::Vec2;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // When the level is loaded:
//!     let mut nav = Navigator::load("level.navmesh")?;
//!     let start = nav.mesh().spawns().next().ok_or("the level has no spawn")?.position;
//!     let mut grunt = nav.agent("grunt", start)?;
//!     grunt.go_to(start + Vec2::new(200.0, 0.0));
//!
//!     // In every frame:
//!     for _ in 0..600 {
//!         let pose = grunt.update(&mut nav, 1.0 / 60.0);
//!         println!("{} at {}", pose.activity.name(), pose.position);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! | to | use |
//! |---|---|
//! | load a level, and keep its mesh, doors and path searches | [`Navigator`] |
//! | send an agent somewhere | [`NavAgent::go_to`] |
//! | let it move exactly, once per frame | [`NavAgent::update`] |
//! | let a physics engine move its body | [`NavAgent::drive`] |
//! | hear what happened to it | [`NavAgent::events`] |
//! | open and close doors | [`Navigator::doors_mut`] |
//! | only find paths, or ask for a line of sight | [`Navigator::find_path`], [`Navigator::line_of_sight`] |
//! | limit the work of a frame | [`Navigator::set_budget`] |
//! | put a position on the floor | [`Layer::snap`] |
//! | find spawns, waypoints and areas | [`NavMesh::spawns`], [`NavMesh::waypoints`], [`NavMesh::areas`] |
//!
//! The types that most games use are exported here. The modules hold the rest; each
//! uses only those above it:
//!
//! - [`mesh`]: the navigation mesh: grid, terrain, platforms, links, markers.
//! - [`asset`]: reading `.navmesh` files.
//! - [`search`]: path search.
//! - [`motion`]: agents that follow paths.
//! - [`guide`]: a page for each task, with complete examples.
//!
//! All positions are world units and are those of an agent's **feet**: the
//! bottom centre of its body. Time is an argument; no function reads a clock.
//!
//! Two crates build on this one: `navmesh-behavior` (behaviour trees, and pools that
//! agents share) and `navmesh-bots` (interest, local steering, turn order).
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `serde` | yes | `Serialize` and `Deserialize` for data types |
//! | `write` | no | making and encoding meshes, and reading their parts: for bakers and editors |
//!
//! Without features the crate loads meshes, finds paths and moves agents, and
//! depends on bincode, crc32fast, glam and thiserror only.
//!
//! # glam
//!
//! Vectors are those of [`glam`], which is exported again as
//! `navmesh_runtime::glam`. Versions 0.30 to 0.34 are accepted. An engine with
//! its own glam shares its vector types once both use the same version, here
//! 0.30.10:
//!
//! ```sh
//! cargo update -p glam --precise 0.30.10
//! ```

pub mod asset;
mod graph;
pub mod guide;
pub mod mesh;
pub mod motion;
mod navigator;
mod random;
pub mod search;
#[doc(hidden)]
pub mod shared;

pub use glam;

pub use mesh::{Layer, NavMesh};
pub use motion::{AgentEvent, NavAgent, Pose};
pub use navigator::{Navigator, UnknownAgent};
pub use search::{Path, PathOutcome};

// Compiles the code in README.md with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
