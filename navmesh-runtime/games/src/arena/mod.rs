//! A small game: a level baked by `navbake`, a player, and ten kinds of enemies. A
//! [`NavAgent`](navmesh_runtime::motion::NavAgent) moves each enemy, and a
//! behaviour tree decides for it.
//!
//! - [`bestiary`]: the trees in code; [`files`]: the same trees from files.
//! - [`tasks`]: the tasks that this game adds to the ready-made ones.
//! - [`view`]: what a tree sees and does; [`acts`]: the names of its cues.
//! - [`stage`]: the baked level and its pools; [`play`]: the game loop.
//! - [`director`]: owns the enemies; [`player`]: scripts and keys.
//! - [`study`]: a table of what each kind of enemy does.
//! - `picture`: draws a frame; `film`: the animation of the documentation.

pub mod acts;
pub mod bestiary;
pub mod body;
pub mod director;
pub mod effects;
pub mod files;
#[cfg(feature = "pictures")]
pub mod film;
#[cfg(feature = "pictures")]
pub mod picture;
pub mod play;
pub mod player;
pub mod stage;
pub mod study;
pub mod tasks;
pub mod view;
