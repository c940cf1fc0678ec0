//! The games, played: what their enemies and bots do in many matches.

#[path = "../../../tests/support/random.rs"]
mod random;
#[path = "../../../tests/support/soak.rs"]
mod soak;

mod bestiary;
mod bestiary_sharing;
mod boss;
mod contest;
mod corners;
mod effects;
#[cfg(feature = "pictures")]
mod film;
mod lifecycle;
mod roguelike;
mod rooms;
