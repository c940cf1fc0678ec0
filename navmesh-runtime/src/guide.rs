//! Guides: a page for each task, with complete examples. Their code is compiled
//! with the documentation tests.

#[doc = include_str!("../docs/motion.md")]
pub mod motion {}

#[cfg(feature = "interest")]
#[doc = include_str!("../docs/interest.md")]
pub mod interest {}

#[cfg(feature = "steering")]
#[doc = include_str!("../docs/steering.md")]
pub mod steering {}

#[cfg(all(feature = "behavior", feature = "serde"))]
#[doc = include_str!("../docs/behaviour.md")]
pub mod behaviour {}
