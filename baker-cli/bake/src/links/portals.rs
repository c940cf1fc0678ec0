//! Links through portals, and over links that a game performs. [`Portals`] finds from the
//! markers what leads where; this stage finds the positions of both ends on platforms.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{
    AgentProfile, FloorSpot, Link, LinkLine, Marker, MarkerId, MarkerKind, Platforms, StepKind,
    TrajectoryParams,
};

use crate::connection::MAX_TOLERANCE;
use crate::layout::Layout;
use crate::portal_pairs::Portals;

/// The links through the portals among `markers` (in pixels), and the lines of those that a
/// game performs, for an agent. A portal that does not stand on a floor of this agent has
/// none.
pub fn portal_links(
    markers: &[Marker],
    platforms: &Platforms,
    layout: &Layout,
    agent: &AgentProfile,
    down: f32,
) -> Vec<(Link, Option<LinkLine>)> {
    let limits = layout.limits(agent);
    let spot = |marker: &Marker| {
        let spacing = layout.spacing as f32;
        let spot = platforms.spot_in(marker, limits.body.y as f32, spacing, down)?;
        // The nearest position on the lattice, on the same platform.
        let x = layout.round(f64::from(spot.position.x)) as f32;
        let on = platforms.get(spot.platform)?.clamp(x);
        let y = layout.lift(f64::from(on.y * down));
        let position = DVec2::new(f64::from(on.x), y * f64::from(down)).as_vec2();
        Some(FloorSpot { position, ..spot })
    };
    let mut links: Vec<(Link, Option<LinkLine>)> = Vec::new();
    for connection in Portals::of(markers).connections {
        let [from, to] = [connection.from, connection.to].map(|marker| &markers[marker]);
        let ends = match connection.line[..] {
            [first, .., last] => [point_marker(first), point_marker(last)],
            _ => [from.clone(), to.clone()],
        };
        let [Some(start), Some(end)] = ends.each_ref().map(spot) else {
            continue;
        };
        let mut points = connection.line;
        points.pop();
        points.splice(..points.len().min(1), [start.position]);
        points.push(end.position);
        let is_link = from.kind() == MarkerKind::Link;
        let mut seconds = connection.cost;
        if is_link && [from, to].iter().all(|own| own.number("time").is_none()) {
            let length = points.windows(2).map(|ends| ends[0].distance(ends[1]));
            seconds = length.sum::<f32>() / limits.run_speed as f32;
        }
        let is_known =
            |(link, _): &(Link, _)| [link.from, link.to] == [start, end].map(|s| s.position);
        let is_used = start != end && (!is_link || is_for(from, &agent.name));
        let Ok(params) = TrajectoryParams::steady(seconds) else {
            continue;
        };
        // A line is found by the ends of its link.
        if !is_used || is_link && links.iter().any(is_known) {
            continue;
        }
        let link = Link {
            kind: StepKind::Portal,
            from_platform: start.platform,
            to_platform: end.platform,
            from: start.position,
            to: end.position,
            duration: seconds,
            tolerance: MAX_TOLERANCE,
            params,
        };
        let marker = MarkerId(connection.from as u32);
        links.push((link, is_link.then_some(LinkLine { marker, points })));
    }
    links
}

/// A marker that is a point.
fn point_marker(position: Vec2) -> Marker {
    Marker {
        class: String::new(),
        name: String::new(),
        position,
        size: Vec2::ZERO,
        properties: Vec::new(),
    }
}

/// Whether a link is for an agent of that name: all are without a property `agents`.
fn is_for(link: &Marker, agent: &str) -> bool {
    let names = link.property("agents").unwrap_or_default();
    names.is_empty() || names.split(',').any(|name| name.trim() == agent)
}
