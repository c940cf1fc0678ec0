//! Small games that show the crates. Each is a module without input and output, which
//! the programs in `bin` show, and which the tests play.
//!
//! - [`arena`]: ten kinds of enemies with behaviour trees, pools and stuns.
//! - [`boss`]: a flying boss whose phases are a state machine, with steering.
//! - [`contest`]: matches of bots that choose targets by interest.
//! - [`roguelike`]: a room seen from above, with turns.
#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "games, not libraries"
)]

pub mod arena;
pub mod boss;
#[cfg(feature = "pictures")]
pub mod canvas;
pub mod contest;
pub mod roguelike;
