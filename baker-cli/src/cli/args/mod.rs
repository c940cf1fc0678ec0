//! What arguments of several commands have in common.
//!
//! - `group`: arguments that several commands take.
//! - `position`, `order`, `number`: what their values are read as.

mod group;
mod number;
mod order;
mod position;

pub(super) use group::{BakedFile, ConfigFile, Form};
pub(super) use number::{frequency, seconds};
pub(super) use order::{Later, Stun};
pub(super) use position::{Ends, Point};
