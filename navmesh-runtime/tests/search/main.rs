//! Path search, compared with plain searches that share no code with it.

mod oracle;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/soak.rs"]
mod soak;
#[path = "../support/worlds.rs"]
mod worlds;

mod budget;
mod caution;
mod filters;
mod locate;
mod optimal;
mod portals;
mod resources;
mod route_index;
