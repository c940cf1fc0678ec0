//! Guides: a page for each task, with complete examples. Their code is compiled
//! with the documentation tests.

#[doc = include_str!("../docs/motion.md")]
pub mod motion {}
