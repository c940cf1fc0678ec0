//! The motion of links.

use navmesh_runtime::mesh::{Layer, Link, Trajectory};

/// The trajectory of a link; `None` for links that are not airborne.
pub(super) fn trajectory_of(link: &Link, layer: &Layer) -> Option<Trajectory> {
    let down = layer.grid().y_axis.down();
    link.trajectory(layer.profile().fall(), down).ok()
}
