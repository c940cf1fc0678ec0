//! Two meshes in one direction of y.

use std::borrow::Cow;

use glam::Vec2;
use navmesh_runtime::mesh::{
    Direction, Layer, LayerParts, MeshError, NavMesh, NavMeshParts, Platforms,
};

/// A mesh with y in the direction of another one, so that their positions can be
/// compared.
pub(crate) fn in_direction_of<'a>(mesh: &'a NavMesh, other: &NavMesh) -> Cow<'a, NavMesh> {
    if mesh.grid().y_axis == other.grid().y_axis {
        return Cow::Borrowed(mesh);
    }
    // The checks of a mesh do not depend on the direction of y, so this does not fail.
    mirrored(mesh, other).map_or(Cow::Borrowed(mesh), Cow::Owned)
}

fn mirrored(mesh: &NavMesh, other: &NavMesh) -> Result<NavMesh, MeshError> {
    let (mut units, mut grid) = (mesh.units(), *mesh.grid());
    units.y_axis = other.grid().y_axis;
    grid.y_axis = other.grid().y_axis;
    grid.origin = turned(grid.origin);
    let mut markers = mesh.markers().to_vec();
    for marker in &mut markers {
        marker.position = turned(marker.position);
    }
    let layers = mesh.layers().iter().map(mirrored_layer);
    NavMesh::new(NavMeshParts {
        provenance: mesh.provenance().clone(),
        units,
        grid,
        layers: layers.collect::<Result<_, _>>()?,
        markers,
    })
}

fn mirrored_layer(layer: &Layer) -> Result<LayerParts, MeshError> {
    let mut parts = layer.parts().clone();
    let platforms = layer.platforms().map(|platform| {
        let mut surface: Vec<Vec2> = platform.surface.iter().copied().map(turned).collect();
        if platform.kind.is_upright() {
            // These begin at the smaller y.
            surface.reverse();
        }
        (platform.kind, surface)
    });
    parts.platforms = Platforms::of_kinds(platforms)?;
    for link in &mut parts.links {
        (link.from, link.to) = (turned(link.from), turned(link.to));
    }
    for barrier in &mut parts.barriers {
        if barrier.pass == Direction::Down {
            barrier.at = 0.0 - barrier.at;
        } else {
            (barrier.low, barrier.high) = (0.0 - barrier.high, 0.0 - barrier.low);
        }
    }
    Ok(parts)
}

/// Not the negative of y, which is -0 for 0.
fn turned(position: Vec2) -> Vec2 {
    Vec2::new(position.x, 0.0 - position.y)
}
