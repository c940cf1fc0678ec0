//! The data a game navigates by: what a baked asset holds, once loaded.
//!
//! A [`NavMesh`] is one level baked for one or more agents. Each agent has a
//! [`Layer`]: the terrain of every grid vertex as that agent's body meets it,
//! the [`Platform`]s it can walk on or climb along, and the [`Link`]s (jumps,
//! drops and others) between them. Floor and fly edges are not stored: floor edges follow from
//! platforms, fly edges from terrain.
//!
//! A `NavMesh` can only be made by [`NavMesh::new`], which checks every index
//! and number, so code that holds one need not check again.

mod air;
mod arc;
mod bits;
mod climb_vertices;
mod components;
mod connectivity;
mod error;
mod fall;
mod floor_index;
mod floor_vertices;
mod gate;
mod grid;
mod ids;
mod layer;
mod link;
mod link_check;
mod marked;
mod marker;
mod navmesh;
mod platform;
mod portals;
mod presets;
mod profile;
mod reach;
mod standing_in;
mod takeoff;
mod terrain;

pub(crate) use air::{Air, transpose_into};
pub use arc::{Arc, ArcError, MAX_LAUNCHES, MAX_LEGS, Program};
pub use bits::BitGrid;
pub use error::MeshError;
pub use fall::Fall;
pub use floor_index::FloorSpot;
pub(crate) use floor_index::nearest_on;
pub(crate) use floor_vertices::FloorVertex;
pub use gate::{Gate, Way};
pub use grid::{Cell, Grid, Units, YAxis};
pub use ids::{LinkId, PlatformId, VertexId};
pub use layer::{Layer, LayerParts};
pub use link::{Link, LinkKind};
pub use marked::{Area, Door, Spawn, Waypoint};
pub use marker::{Marker, MarkerKind};
pub use navmesh::{Fingerprint, Input, NavMesh, NavMeshParts, Provenance};
pub use platform::{Platform, PlatformKind, Platforms};
pub use portals::{PortalFault, PortalWay, Portals};
pub use presets::jump_from;
pub use profile::{AgentProfile, EdgeSet, MAX_AIR_JUMPS, ProfileError};
pub use reach::Reach;
pub(crate) use takeoff::Takeoff;
pub use terrain::Terrain;
