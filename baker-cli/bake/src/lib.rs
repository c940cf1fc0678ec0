//! Bakes the collision of a side-scroller level into a navigation mesh.
//!
//! [`bake`] turns a [`Level`] and [`Settings`] into a
//! [`NavMesh`](navmesh_runtime::NavMesh). A level is made of [`Shape`]s or a
//! [`PixelMap`]; [`default_agents`] fit levels without a configuration.
//!
//! A bake reads no files and prints nothing, so games and editors can bake at run
//! time, also in a browser. The command `navbake` bakes the files of level editors
//! with this crate.
//!
//! # Stages
//!
//! These run for every agent. Each stage has its own file, and
//! most make a type of their own:
//!
//! | stage | module | reads | makes |
//! |---|---|---|---|
//! | layout | `layout` | level, settings | `Layout`: grid and lattice |
//! | terrain | `space::terrain` | configuration space | blocked vertices |
//! | stretches | `surfaces::stretches` | configuration space | `Stretch`: straight surface that carries the body |
//! | one-way tops | `surfaces::one_way_tops` | stretches | stretches split where they lead beneath a top |
//! | platforms | `surfaces::platforms` | stretches | `PlatformLine`: the line of the feet |
//! | climbing | `surfaces::climbs` | configuration space | ladders, walls and ceilings as platforms |
//! | barriers | `surfaces::barriers` | platforms | platforms split at one-way walls, ceilings and tops |
//! | slabs | `space::slabs` | configuration space | `Slabs`: free space between heights |
//! | endpoints | `flight::endpoints` | platforms, slabs | `Endpoints`: where links may start and end |
//! | moves | `flight::moves` | all of these | `Move`: what the agent can do in the air |
//! | trajectories | `flight::trajectory_solver` | moves | `Connection`: a link |
//! | thinning | `links::spanner` | links | `PlatformLinks`: the links that are kept of each platform |
//! | routes over other platforms | `links::bypass` | these links | those that no such route replaces |
//! | portals | `links::portals` | platforms, markers | links through portals |
//! | platforms that move | `links::movers`, `links::rides` | platforms, markers | motions onto and off them |
//! | changes | `links::link_cache` | the last bake | the links of platforms around which nothing has changed |
//! | doors | `links::closed_doors` | bakes with doors closed | links around closed doors |
//!
//! [`AgentMoves`](tools::AgentMoves) runs the same stages for one pair of platforms.

mod advice;
mod agent_limits;
mod connection;
mod convex;
mod diagnosis;
mod error;
mod fingerprint;
mod flight;
mod geometry;
mod layout;
mod level;
mod links;
mod live;
mod merge;
mod pipeline;
mod portal_pairs;
mod progress;
#[cfg(test)]
#[path = "../tests/support/rows.rs"]
mod rows;
mod settings;
mod space;
#[cfg(test)]
mod stages_test;
mod surfaces;
mod world;

pub use error::BakeError;
pub use level::{
    Collision, Level, LevelMarker, MAX_COORDINATE, Material, PassDirection, Piece, PixelMap, Rect,
    Shape, ShapeError,
};
pub use live::{LayerChanges, LevelUpdate, LiveLevel, ShapeId};
pub use pipeline::bake;
pub use progress::{NoProgress, Progress, SharedProgress, Stage};
pub use settings::{Settings, default_agents};

/// What programs need that examine levels and bakes: warnings, whether a mesh is stale,
/// why a link is missing, where a body is blocked. Games that bake need none of it.
pub mod tools {
    pub use crate::advice::{MOST_TILES, advice};
    pub use crate::convex::check_range;
    pub use crate::diagnosis::{AgentMoves, MissReason, NearMiss};
    pub use crate::fingerprint::{BAKER_REVISION, level_fingerprint, settings_fingerprint};
    pub use crate::geometry::{
        Blocker, Body, ConfigurationSpace, Interval, Ladder, OneWayBarrier, Side, TopEdge,
        configuration_space, height_on,
    };
    pub use crate::layout::{grid_spacing, spacing_limit};
    pub use crate::links::movers::{Mover, movers};
    pub use crate::merge::{CellRect, merge_cells};
    pub use crate::portal_pairs::{POINTS, PortalConnection, Portals};
}

pub use glam;

// The name by which files that tests share with those of other crates import it.
#[cfg(test)]
extern crate self as navmesh_bake;

// Compiles the code in these files with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../docs/changing-levels.md")]
struct ChangingLevels;
