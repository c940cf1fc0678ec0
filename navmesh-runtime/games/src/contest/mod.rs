//! A match of four bots, and what is measured of many matches.

pub mod bot;
#[cfg(feature = "pictures")]
pub mod film;
pub mod rules;
pub mod stage;
pub mod study;
pub mod tactics;
