//! Moving agents along paths, through every interruption.
//!
//! Step a [`NavAgent`] once per update. It runs, climbs, jumps and flies along
//! its path in closed form, so the length of updates does not change where it
//! goes. A game can send it elsewhere, stop, stun or teleport it, close doors
//! and swap the level at any time.
//!
//! [`guide::motion`](crate::guide::motion) is the guide for game code.
//!
//! Paths come from a [`PathFinder`](crate::search::PathFinder), which answers at
//! once, or from a [`PathQueue`], which many agents share and which has a budget
//! for each frame.
//!
//! ```
//! # use glam::Vec2;
//! # use navmesh_runtime::mesh::NavMesh;
//! use navmesh_runtime::motion::{NavAgent, Environment};
//! use navmesh_runtime::search::PathFinder;
//!
//! # fn game(mesh: &NavMesh, spawn: Vec2, player: Vec2) {
//! # let Some(layer) = mesh.layer_named("grunt") else { return };
//! let mut finder = PathFinder::new();
//! let mut grunt = NavAgent::new(layer, spawn);
//! grunt.go_to(player);
//! loop {
//!     let pose = grunt.step(Environment::new(layer), &mut finder, 1.0 / 60.0);
//!     println!("{} at {}", pose.activity.name(), pose.position);
//! #   break;
//! }
//! # }
//! ```

mod agent;
mod air_course;
mod airborne;
mod body;
pub(crate) mod crowd;
mod doors;
mod flight_curve;
mod flights;
mod follower;
mod free_flight;
pub(crate) mod kinematics;
mod memory;
mod movement;
mod mover;
mod new_version;
mod pilot;
mod plan;
pub(crate) mod queue;
mod report;
mod riding;
mod settings;
mod steering;

pub use agent::NavAgent;
pub use airborne::Airborne;
pub use body::{BodyCommand, BodyState};
pub use crowd::Avoidance;
pub use queue::PathQueue;
pub use report::{Activity, AgentEvent, Facing, IdleReason, PathLostReason, Pose, Stranded};
pub use settings::Environment;
