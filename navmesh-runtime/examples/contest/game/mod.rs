//! A match of four bots, and what is measured of many matches.

pub(crate) mod bot;
#[path = "../../arena/game/canvas.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the example `arena` uses all of it"
)]
mod canvas;
pub(crate) mod film;
pub(crate) mod rules;
pub(crate) mod stage;
pub(crate) mod study;
pub(crate) mod tactics;
