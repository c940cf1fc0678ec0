//! A little game, as far as its enemies need one: a level baked by `navbake`, a
//! player on a fixed round, and the bestiary, each enemy moved by a
//! [`NavAgent`](navmesh_runtime::motion::NavAgent) and minded by a behaviour
//! tree.
//!
//! - [`bestiary`]: the trees in code; [`files`]: the same trees from data.
//! - [`tasks`]: the leaves this game adds to the ready-made ones.
//! - [`view`]: what a tree sees and does, as one enemy; [`acts`]: what its cues
//!   mean.
//! - [`stage`]: the baked level and its pools; [`play`]: time goes by.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "shared by an example and by tests, which use different parts"
)]

pub mod acts;
pub mod bestiary;
pub mod body;
pub mod effects;
pub mod files;
pub mod play;
pub mod player;
pub mod stage;
pub mod tasks;
pub mod view;
