//! Stage 9: ways through portals. Which portal leads to which is the
//! runtime's to say ([`Portals`]); here they are put on the floor.

use glam::DVec2;
use navmesh_runtime::mesh::{
    FloorSpot, Link, LinkKind, Marker, Platforms, Portals, TrajectoryParams,
};

use super::Layout;

/// How forgiving a portal is: as much as is told apart, seconds.
const TOLERANCE: f32 = 0.25;

/// The links through the portals among `markers` (world units, as the asset
/// has them), for a body of this width and height. Portals that do not stand
/// on a floor of this body have none.
pub fn portal_links(
    markers: &[Marker],
    platforms: &Platforms,
    layout: &Layout,
    [_, height]: [f32; 2],
    down: f32,
) -> Vec<Link> {
    let portals = Portals::of(markers);
    let spot = |marker: usize| {
        let spacing = layout.spacing as f32;
        let spot = platforms.spot_in(&markers[marker], height, spacing, down)?;
        on_lattice(spot, platforms, layout, down)
    };
    let links = portals.ways().iter().filter_map(|way| {
        let (from, to) = (spot(way.from)?, spot(way.to)?);
        let is_nowhere = from == to;
        (!is_nowhere).then_some(Link {
            kind: LinkKind::Portal,
            from_platform: from.platform,
            to_platform: to.platform,
            from: from.position,
            to: to.position,
            duration: way.cost,
            tolerance: TOLERANCE,
            params: TrajectoryParams::steady(way.cost).ok()?,
        })
    });
    links.collect()
}

/// The same spot where f32 holds it exactly.
fn on_lattice(
    spot: FloorSpot,
    platforms: &Platforms,
    layout: &Layout,
    down: f32,
) -> Option<FloorSpot> {
    let platform = platforms.get(spot.platform)?;
    let x = layout.round(f64::from(spot.position.x)) as f32;
    let on = platform.clamp(x);
    // Upwards, so that feet never sink in.
    let y = layout.floor(f64::from(on.y * down) + layout.quantum * 1e-3);
    let position = DVec2::new(f64::from(on.x), y * f64::from(down)).as_vec2();
    Some(FloorSpot { position, ..spot })
}
