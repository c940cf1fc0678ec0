//! Guides: a page for each task, with complete examples. Their code is compiled
//! with the documentation tests.
//!
//! The pages are the files in the folder `docs` of this package. Their links to
//! examples and pictures lead to files of the repository.

// Of two definitions of a link, Markdown takes the first: here the links between
// guides lead to modules, in the files to other files.

#[doc = "[behaviour]: ../behaviour/index.html"]
#[doc = "[steering]: ../steering/index.html\n"]
#[doc = include_str!("../docs/motion.md")]
pub mod motion {}

#[cfg(feature = "interest")]
#[doc = include_str!("../docs/interest.md")]
pub mod interest {}

#[cfg(feature = "steering")]
#[doc = "[motion]: ../motion/index.html"]
#[doc = "[machines]: ../behaviour/index.html#state-machines\n"]
#[doc = include_str!("../docs/steering.md")]
pub mod steering {}

#[cfg(all(feature = "behavior", feature = "serde"))]
#[doc = include_str!("../docs/behaviour.md")]
pub mod behaviour {}
