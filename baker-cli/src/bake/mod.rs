//! Level and agents to nav mesh, one stage a file.
//!
//! | stage | file | from | to |
//! |---|---|---|---|
//! | terrain | `terrain` | [`crate::geometry::BodySpace`] | blocked vertices |
//! | standing | `standing` | the same | [`Stretch`]es of surface |
//! | forks | `forks` | stretches | stretches parted at one-way tops |
//! | platforms | `platforms` | stretches | [`Floor`]s |
//! | gates | `gates` | floors | floors cut at one-way walls |
//! | slabs | `slabs` | the same as terrain | free space in [`Slabs`] |
//! | climbs | `climbs` | slabs | ladders, walls and ceilings, as more floors |
//! | places | `places` | floors | [`Places`] links may join |
//! | moves | `moves` (with `launches`, `reach`, `constant`) | all of these | every [`Move`] that can be made |
//! | arcs | `arcs` (with `legs`) | moves | checked arcs |
//! | links | `links` | arcs | the [`Connection`]s kept |
//! | portals | `portals` | platforms, markers | more links |
//! | doors | `doors` | the level with its doors closed | ways round them |
//!
//! [`bake`] runs them for every agent; [`Ground`] those that only some agents
//! need.

mod arcs;
mod climbs;
mod constant;
mod defaults;
mod doors;
mod error;
mod fingerprint;
mod flight;
mod forks;
mod gates;
mod ground;
mod landings;
mod launch;
mod launches;
mod layout;
mod legs;
mod limits;
mod links;
mod moves;
mod pipeline;
mod places;
mod platforms;
mod portals;
mod progress;
mod reach;
mod rows;
mod settings;
mod slab_clear;
mod slabs;
mod standing;
mod take_off;
mod terrain;
mod tolerance;

pub use arcs::{ArcSolver, Checked};
pub use climbs::{climbs, steps};
pub use defaults::{default_agents, default_air, default_ground, jump_from};
pub use doors::{add_ways_round, closed_levels};
pub use error::BakeError;
pub use fingerprint::{baker_revision, settings_fingerprint, source_fingerprint};
pub use flight::Flight;
pub use forks::{Fork, part_at_tops, ways_up};
pub use gates::{gates, world_gates};
pub use ground::Ground;
pub use landings::Landings;
pub use launch::{Launch, Leave};
pub use layout::Layout;
pub use legs::{Legs, fewest_legs};
pub use limits::Limits;
pub use links::{Connection, links};
pub use moves::{Move, Scratch, World};
pub use pipeline::bake;
pub use places::{Place, Places};
pub use platforms::{Floor, platforms};
pub use portals::portal_links;
pub use progress::{NoProgress, Progress, Stage};
pub use reach::{FunnelGate, Node, Reach, Within};
pub use rows::Rows;
pub use settings::Settings;
pub use slab_clear::slabs_clear;
pub use slabs::Slabs;
pub use standing::{Stretch, stretches};
pub use take_off::TakeOff;
pub use terrain::blocked_vertices;
