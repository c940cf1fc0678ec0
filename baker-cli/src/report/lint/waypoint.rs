//! Waypoints that no agent can be at.
//!
//! One of the pool `ground` is for agents on foot, one of the pool `air` for
//! those that fly; others are for all. It is enough that one of them can get
//! there from a spawn, or stand there in a level without spawns.

use navmesh_runtime::mesh::{EdgeSet, Layer, NavMesh, WaypointMarker};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, locate};

use super::finding::Draft;
use super::graph::{is_inside, spawns_of, start};

pub(super) fn find(mesh: &NavMesh) -> Vec<Draft> {
    let mut finder = PathFinder::new();
    let numbers = numbers(mesh);
    let waypoints = numbers.into_iter().zip(mesh.waypoints());
    waypoints
        .filter_map(|(index, waypoint)| {
            let message = complaint(mesh, &waypoint, &mut finder)?;
            Some(Draft::of_marker(mesh, index, message))
        })
        .collect()
}

/// The numbers of the waypoints among the markers.
fn numbers(mesh: &NavMesh) -> Vec<usize> {
    let kind = navmesh_runtime::mesh::MarkerKind::Waypoint;
    let markers = mesh.markers().iter().enumerate();
    markers
        .filter(|(_, m)| m.kind() == kind)
        .map(|(i, _)| i)
        .collect()
}

fn complaint(
    mesh: &NavMesh,
    waypoint: &WaypointMarker<'_>,
    finder: &mut PathFinder,
) -> Option<String> {
    let for_pool = |layer: &&Layer| {
        let edges = layer.profile().edges;
        match waypoint.marker.property("pool") {
            Some("ground") => edges.walks(),
            Some("air") => edges.contains(EdgeSet::FLY),
            _ => true,
        }
    };
    let layers: Vec<&Layer> = mesh.layers().iter().filter(for_pool).collect();
    if layers.is_empty() {
        return Some(format!(
            "it is in the pool {:?}, but no agent is baked that {}; bake one, or correct the pool",
            waypoint.pool,
            if waypoint.pool == "air" {
                "flies"
            } else {
                "walks"
            },
        ));
    }
    let can_be = |layer: &&&Layer| locate(layer, waypoint.position).is_some();
    let there: Vec<&&Layer> = layers.iter().filter(can_be).collect();
    if there.is_empty() {
        let inside = layers
            .iter()
            .all(|layer| is_inside(layer, waypoint.position));
        return Some(if inside {
            "it is inside geometry: move it out".to_owned()
        } else if waypoint.marker.property("pool") == Some("ground") {
            "no agent on foot can stand there: move it onto the floor".to_owned()
        } else {
            "no agent can be there: move it onto the floor, or to where one flies".to_owned()
        });
    }
    let mut is_reached = |layer: &Layer| {
        let mut begins = false;
        for spawn in spawns_of(mesh, layer) {
            let Some(place) = start(layer, spawn.position) else {
                continue;
            };
            begins = true;
            let query = Query::new(place.position(layer), waypoint.position);
            if let Ok(PathOutcome::Found(_)) = finder.find(layer, &query) {
                return true;
            }
        }
        !begins
    };
    if there.into_iter().any(|layer| is_reached(layer)) {
        return None;
    }
    Some("no agent gets there from a spawn: add a way, or move it".to_owned())
}
