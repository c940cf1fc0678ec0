//! Guides: a page for each task, with complete examples. Their code is compiled
//! with the documentation tests.
//!
//! The pages are the files in the folder `docs` of this package. Their links to
//! examples and pictures lead to files of the repository.

// Of two definitions of a link, Markdown takes the first: here the links between
// guides lead to other crates, in the files to other files.

#[doc = "[behaviour]: https://docs.rs/navmesh-behavior"]
#[doc = "[steering]: https://docs.rs/navmesh-bots\n"]
#[doc = include_str!("../docs/motion.md")]
pub mod motion {}
