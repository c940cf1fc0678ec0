//! Bots that choose targets by interest and play like people.
//!
#![doc = include_str!("../../docs/interest.md")]

mod cells;
mod field;
mod habits;
#[cfg(feature = "behavior")]
mod nodes;
mod pursuit;
mod routes;

pub use field::{DangerArea, FieldSettings, Interest, InterestField, InvalidInterest};
pub use field::{Seeker, Target};
pub use habits::{DecisionMemory, Handicap, Hysteresis, Recovery, Stimulus};
#[cfg(feature = "behavior")]
pub use nodes::{InterestContext, InterestTask, KeepDecision, Recover};
pub use pursuit::{Course, Dash, heading, shortcut};
pub use routes::RouteLimits;
