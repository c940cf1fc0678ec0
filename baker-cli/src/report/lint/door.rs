//! Doors that cannot close anything, or cannot be named.

use navmesh_runtime::mesh::{MarkerKind, NavMesh};

use super::finding::Draft;

pub(super) fn find(mesh: &NavMesh) -> Vec<Draft> {
    let doors = mesh.markers().iter().enumerate();
    let doors = doors.filter(|(_, marker)| marker.kind() == MarkerKind::Door);
    doors
        .filter_map(|(index, marker)| {
            let message = if marker.size.min_element() <= 0.0 {
                "it has no width or no height, so it closes nothing: draw it as a rectangle"
            } else if marker.name.is_empty() {
                "it has no name, so a game cannot close it by one: give it a name"
            } else {
                return None;
            };
            Some(Draft::of_marker(mesh, index, message.to_owned()))
        })
        .collect()
}
