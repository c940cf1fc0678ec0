//! The guide: complete examples and a table of all nodes. Its code is compiled with
//! the documentation tests.
//!
#![doc = include_str!("../docs/behaviour.md")]
