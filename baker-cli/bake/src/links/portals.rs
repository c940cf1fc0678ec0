//! Links through portals. [`Portals`] finds from the markers which portal leads
//! to which; this stage finds the positions of both ends on platforms.

use glam::DVec2;
use navmesh_runtime::mesh::{FloorSpot, Link, Marker, Platforms, StepKind, TrajectoryParams};

use crate::connection::MAX_TOLERANCE;
use crate::layout::Layout;
use crate::portal_pairs::Portals;

/// The links through the portals among `markers` (in world units, as the asset
/// has them), for a body of this height. A portal that does not stand on a floor of
/// this body has none.
pub fn portal_links(
    markers: &[Marker],
    platforms: &Platforms,
    layout: &Layout,
    height: f32,
    down: f32,
) -> Vec<Link> {
    let portals = Portals::of(markers);
    let spot = |marker: usize| {
        let spacing = layout.spacing as f32;
        let spot = platforms.spot_in(&markers[marker], height, spacing, down)?;
        // The nearest position on the lattice, on the same platform.
        let x = layout.round(f64::from(spot.position.x)) as f32;
        let on = platforms.get(spot.platform)?.clamp(x);
        let y = layout.lift(f64::from(on.y * down));
        let position = DVec2::new(f64::from(on.x), y * f64::from(down)).as_vec2();
        Some(FloorSpot { position, ..spot })
    };
    let links = portals.connections.iter().filter_map(|connection| {
        let (from, to) = (spot(connection.from)?, spot(connection.to)?);
        (from != to).then_some(Link {
            kind: StepKind::Portal,
            from_platform: from.platform,
            to_platform: to.platform,
            from: from.position,
            to: to.position,
            duration: connection.cost,
            tolerance: MAX_TOLERANCE,
            params: TrajectoryParams::steady(connection.cost).ok()?,
        })
    });
    links.collect()
}
