//! Characters of physics engines whose agents are driven with
//! [`NavAgent::drive_with`](navmesh_runtime::motion::NavAgent::drive_with): the loop of
//! docs/motion.md with the types of an engine. The tests let them travel through
//! levels; the rest is for games to copy.

#[cfg(feature = "avian")]
pub mod avian;
mod one_way;
pub mod rapier;
mod tiles;
