//! The navigation mesh of a level.
//!
//! A [`NavMesh`] is one level, baked for one or more agents. Each agent has a
//! [`Layer`]: the [`Terrain`] of every grid vertex for that agent's body, the
//! [`Platform`]s it can walk on or climb along, and the [`Link`]s (jumps, drops
//! and others) between them. Floor edges follow from platforms and fly edges
//! from terrain, so they are not stored.
//!
//! A `NavMesh` can only be made by [`NavMesh::new`] (loading calls it), which
//! checks every index and number. Code that has a mesh does not check again.

mod air;
mod bits;
mod climb_vertices;
mod contraction;
mod edge_set;
mod error;
mod fall;
mod flight_index;
mod floor_index;
mod floor_vertices;
mod graph;
mod grid;
mod groups;
mod hierarchy;
mod hub_labels;
mod ids;
mod layer;
mod link;
mod link_check;
mod link_graph;
mod marker;
mod marker_placement;
mod memory;
mod navmesh;
mod one_way_barrier;
mod platform;
mod portals;
mod profile;
mod reachability;
mod route_index;
mod routes;
mod takeoff;
mod terrain;
mod trajectory;
mod typed_markers;

pub(crate) use air::transpose_into;
pub use bits::BitGrid;
pub(crate) use contraction::{Contraction, StoredIndex};
pub use edge_set::EdgeSet;
pub use error::MeshError;
pub use fall::Fall;
pub(crate) use flight_index::{direction, octile, turn};
pub use floor_index::FloorSpot;
pub(crate) use floor_index::nearest_on;
pub(crate) use floor_vertices::FloorVertex;
pub use grid::{Cell, Grid, Units, YAxis};
pub(crate) use groups::Groups;
pub(crate) use hierarchy::{Hierarchy, NONE, Seed};
pub(crate) use hub_labels::Hubs;
pub use ids::{LayerId, LinkId, PlatformId, VertexId};
pub use layer::{Layer, LayerParts};
pub use link::{Link, LinkKind};
pub(crate) use link_check::SPEED_SLACK;
pub use link_graph::LinkGraph;
pub use marker::{Marker, MarkerKind};
pub(crate) use memory::layer_memory;
pub use navmesh::{Fingerprint, NavMesh, NavMeshParts, Provenance};
pub use one_way_barrier::{Direction, OneWayBarrier};
pub use platform::{Platform, PlatformKind, Platforms};
pub use portals::{PortalConnection, Portals};
pub use profile::{AgentProfile, ProfileError};
pub use reachability::Reachability;
pub(crate) use route_index::{RouteIndex, RouteKind};
pub(crate) use routes::Routes;
pub(crate) use takeoff::Takeoff;
pub use terrain::Terrain;
pub use trajectory::{Acceleration, Launch, Leg, Trajectory, TrajectoryParams};
pub(crate) use trajectory::{Knots, last_time};
pub use typed_markers::{RegionMarker, SpawnMarker, WaypointMarker};
