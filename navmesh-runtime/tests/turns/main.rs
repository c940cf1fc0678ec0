//! The turn order, and the example `roguelike` (T1, T2, T3, E9, E10).

#[path = "../../examples/roguelike/game.rs"]
mod game;

mod order;
mod roguelike;
