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
mod bits;
mod climb_vertices;
mod error;
mod fall;
mod floor_index;
mod floor_vertices;
mod grid;
mod ids;
mod layer;
mod link;
mod link_check;
mod link_graph;
mod marker;
mod marker_placement;
mod navmesh;
mod one_way_barrier;
mod platform;
mod portals;
mod presets;
mod profile;
mod reachability;
mod takeoff;
mod terrain;
mod trajectory;
mod typed_markers;

pub(crate) use air::{Air, transpose_into};
pub use bits::BitGrid;
pub use error::MeshError;
pub use fall::Fall;
pub use floor_index::FloorSpot;
pub(crate) use floor_index::nearest_on;
pub(crate) use floor_vertices::FloorVertex;
pub use grid::{Cell, Grid, Units, YAxis};
pub use ids::{LayerId, LinkId, PlatformId, VertexId};
pub use layer::{Layer, LayerParts};
pub use link::{Link, LinkKind};
pub use link_graph::{LinkGraph, flood};
pub use marker::{Marker, MarkerKind};
pub use navmesh::{Fingerprint, Input, NavMesh, NavMeshParts, Provenance};
pub use one_way_barrier::{Direction, OneWayBarrier};
pub use platform::{Platform, PlatformKind, Platforms};
pub use portals::{PortalFault, PortalWay, Portals};
pub use presets::jump_from;
pub use profile::{AgentProfile, EdgeSet, MAX_AIR_JUMPS, ProfileError};
pub use reachability::Reachability;
pub(crate) use takeoff::Takeoff;
pub use terrain::Terrain;
pub use trajectory::{
    Launch, Leg, MAX_LAUNCHES, MAX_LEGS, Trajectory, TrajectoryError, TrajectoryParams,
};
pub use typed_markers::{AreaMarker, DoorMarker, SpawnMarker, WaypointMarker};
