//! Guides: a page for each task, with complete examples. Their code is compiled
//! with the documentation tests.

#[cfg(all(feature = "interest", feature = "behavior", feature = "serde"))]
#[doc = include_str!("../docs/interest.md")]
pub mod interest {}

#[cfg(feature = "steering")]
#[doc = "[motion]: navmesh_runtime::guide::motion"]
#[doc = "[machines]: navmesh_behavior\n"]
#[doc = include_str!("../docs/steering.md")]
pub mod steering {}
