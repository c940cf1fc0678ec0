//! The navigation mesh of a level.
//!
//! A [`NavMesh`] is one level, baked for one or more agents. Each agent has a
//! [`Layer`]: the [`Terrain`] of every grid vertex for that agent's body, the
//! [`Platform`]s it can walk on or climb along, and the [`Link`]s (jumps, drops
//! and others) between them. Floor edges follow from platforms and fly edges
//! from terrain, so they are not stored.
//!
//! A `NavMesh` is checked when it is made or loaded, every index and number. Code
//! that has a mesh does not check again. The feature `write` adds what makes
//! meshes, and more of what is in them, for bakers and editors.
#![cfg_attr(
    not(feature = "write"),
    allow(
        dead_code,
        clippy::struct_field_names,
        reason = "exported for bakers and editors"
    )
)]

mod air;
mod air_gates;
mod bits;
mod climb_vertices;
mod edge_set;
mod error;
mod fall;
mod flight_index;
mod floor_index;
mod floor_vertices;
mod grid;
mod ids;
mod layer;
pub(crate) mod limits;
mod link;
mod link_check;
mod link_graph;
mod marker;
#[cfg(feature = "write")]
mod marker_placement;
mod moving_platform;
mod navmesh;
mod one_way_barrier;
mod platform;
mod profile;
mod ride;
mod route_index;
mod takeoff;
mod terrain;
pub(crate) mod trajectory;
mod typed_markers;

#[cfg(not(feature = "write"))]
pub(crate) use air::AirCell;
pub(crate) use air::{Air, NONE as NO_CORNER, fly_step};
pub(crate) use air_gates::Gate;
pub use edge_set::EdgeSet;
pub use error::MeshError;
pub(crate) use flight_index::FlightIndex;
pub(crate) use floor_vertices::FloorVertex;
pub use grid::{Cell, Grid, Units, YAxis};
pub(crate) use ids::VertexId;
pub use ids::{LayerId, LinkId, MarkerId, PlatformId};
pub(crate) use layer::LIMIT;
pub use layer::Layer;
pub(crate) use limits::{Limits, SLACK, time_scale};
pub use link::{Link, LinkLine, StepKind};
pub(crate) use link_check::SPEED_SLACK;
pub use marker::{Marker, MarkerKind};
pub use moving_platform::{MovingPlatform, Schedule, TICKS, Transfer};
pub use navmesh::{Fingerprint, NavMesh, Provenance};
pub use platform::{Platform, PlatformKind};
pub(crate) use platform::{is_step, nearest_on};
pub use profile::{AgentProfile, ProfileError};
pub(crate) use ride::{Ride, RideEnd, Timetable};
pub(crate) use route_index::{RouteIndex, RouteKind, Seeds, StoredIndex};
pub(crate) use takeoff::Takeoff;
pub use terrain::Terrain;
pub(crate) use trajectory::{Knots, last_time};
pub use typed_markers::{RegionMarker, SpawnMarker, WaypointMarker};

/// For bakers and editors.
#[cfg(feature = "write")]
pub use self::{
    air::{AirCell, Slab, air_of_vertices, assemble},
    bits::BitGrid,
    fall::Fall,
    floor_index::FloorSpot,
    layer::LayerParts,
    link_graph::LinkGraph,
    marker::marker_kind,
    moving_platform::{Contact, Rider},
    navmesh::NavMeshParts,
    one_way_barrier::{Direction, OneWayBarrier},
    platform::Platforms,
    trajectory::{Acceleration, Launch, Leg, Trajectory, TrajectoryParams},
};
#[cfg(not(feature = "write"))]
pub(crate) use self::{
    bits::BitGrid,
    fall::Fall,
    floor_index::FloorSpot,
    layer::LayerParts,
    moving_platform::Rider,
    navmesh::NavMeshParts,
    one_way_barrier::{Direction, OneWayBarrier},
    platform::Platforms,
    trajectory::{Acceleration, Launch, Leg, Trajectory, TrajectoryParams},
};
