//! Rules about markers: spawns, portals, doors and waypoints.

use std::collections::BTreeSet;

use glam::Vec2;
use navmesh_runtime::mesh::{
    EdgeSet, Layer, Marker, MarkerKind, NavMesh, SpawnMarker, StepKind, WaypointMarker,
};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, Snap, SnapTo};

use crate::bake::tools::{Portals, movers};
use crate::report::connections::is_for;

/// The markers of a kind with their indices.
fn of_kind(mesh: &NavMesh, kind: MarkerKind) -> impl Iterator<Item = (usize, &Marker)> {
    let markers = mesh.markers().iter().enumerate();
    markers.filter(move |(_, marker)| marker.kind() == kind)
}

/// The spawns that are meant for an agent.
pub fn spawns_of<'m>(mesh: &'m NavMesh, layer: &'m Layer) -> impl Iterator<Item = SpawnMarker<'m>> {
    mesh.spawns().filter(|spawn| is_for(spawn, layer))
}

/// Whether the runtime had to move a body out of geometry. It does so for any
/// position within two spacings of a place. In a level that is a mistake, except
/// for the small depth at which bodies rest in what they touch.
fn is_moved_out(layer: &Layer, rest: &Snap, position: Vec2) -> bool {
    if rest.fall_x.is_some() {
        // It would fall through what it is inside.
        return is_inside(layer, position);
    }
    // A quarter of the spacing is the depth that `SnapTo::Rest` documents, plus the
    // rounding of positions.
    rest.position.distance(position) > 0.251 * layer.grid().spacing
}

/// Whether the cell of a position is blocked for the feet. On a line between cells, that is
/// the upper one on the right, also where units round a position to its other side.
fn is_inside(layer: &Layer, position: Vec2) -> bool {
    let grid = layer.grid();
    let beside = Vec2::new(1.0, -grid.y_axis.down()) * (1e-4 * grid.spacing);
    let cell = grid.cell_at(position + beside);
    cell.is_some_and(|cell| layer.parts().blocked.get(cell.column, cell.row))
}

/// Spawns inside geometry, without floor below, or for an unknown agent; `of_bake` are only the
/// last. As all rules about markers, returns the index of each marker and the message.
pub fn broken_spawns(mesh: &NavMesh, of_bake: bool) -> Vec<(usize, String)> {
    let indices = of_kind(mesh, MarkerKind::Spawn).map(|(index, _)| index);
    let errors = indices.zip(mesh.spawns()).filter_map(|(index, spawn)| {
        let message = match spawn.agent.map(|agent| (agent, mesh.layer_named(agent))) {
            Some((agent, None)) => format!(
                "it is for the agent {agent:?}, but no agent of this name is baked; correct its \
                 property `agent`, or add the agent to navbake.toml"
            ),
            _ if of_bake => return None,
            Some((_, Some(layer))) => spawn_error(&[layer], spawn.position)?,
            None => spawn_error(&default_agents(mesh), spawn.position)?,
        };
        Some((index, message))
    });
    errors.collect()
}

/// The agents that a spawn without property `agent` is for: those on foot, or
/// all when none is on foot.
fn default_agents(mesh: &NavMesh) -> Vec<&Layer> {
    let mut layers: Vec<&Layer> = mesh.layers().iter().collect();
    if layers.iter().any(|layer| layer.profile().edges.walks()) {
        layers.retain(|layer| layer.profile().edges.walks());
    }
    layers
}

/// The message for a position at which none of the agents can begin.
fn spawn_error(layers: &[&Layer], position: Vec2) -> Option<String> {
    let mut are_stuck = true;
    for layer in layers {
        let rest = layer.snap(position, SnapTo::Rest);
        if rest.is_some_and(|rest| !is_moved_out(layer, &rest, position)) {
            return None;
        }
        are_stuck &= rest.is_some() || is_inside(layer, position);
    }
    let message = if are_stuck {
        "it is inside geometry: move it out"
    } else {
        "there is no floor below, so the agent falls out of the level: move the spawn, or name a \
         flying agent in its property `agent`"
    };
    (!layers.is_empty()).then(|| message.to_owned())
}

/// Doors that close nothing or cannot be addressed.
pub fn broken_doors(mesh: &NavMesh) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, marker) in of_kind(mesh, MarkerKind::Door) {
        if marker.size.min_element() <= 0.0 {
            let message =
                "it has no width or no height, so it closes nothing: draw it as a rectangle";
            found.push((index, message.to_owned()));
        } else if marker.name.is_empty() {
            let message = "it has no name, so a game cannot open or close it: give it a name";
            found.push((index, message.to_owned()));
        }
    }
    for flag in ["closed", "breakable"] {
        found.extend(misread_flags(mesh, MarkerKind::Door, flag));
    }
    found
}

/// Markers whose property should be true or false and is neither.
fn misread_flags<'m>(
    mesh: &'m NavMesh,
    kind: MarkerKind,
    name: &'m str,
) -> impl Iterator<Item = (usize, String)> {
    of_kind(mesh, kind).filter_map(move |(index, marker)| {
        let text = marker.property(name).filter(|text| !text.is_empty())?;
        let message = format!("its {name} is {text:?}, but must be true or false; false is used");
        marker.flag(name).is_none().then_some((index, message))
    })
}

/// Portals without a partner, and portals that no agent can use.
pub fn broken_portals(mesh: &NavMesh) -> Vec<(usize, String)> {
    let portals = Portals::of(mesh.markers());
    let mut found = portals.errors.clone();
    for kind in [MarkerKind::Portal, MarkerKind::Link] {
        found.extend(misread_flags(mesh, kind, "one_way"));
    }
    let layers = mesh.layers().iter();
    let users = layers.filter(|layer| {
        let edges = layer.profile().edges;
        edges.contains(EdgeSet::PORTAL) && edges.walks() && layer.platforms().len() > 0
    });
    let users: Vec<&Layer> = users.collect();
    if !users.is_empty() {
        found.extend(unusable_portals(mesh, &portals, &users));
        found.extend(unusable_links(mesh, &users));
    } else if let Some(first) = portals.connections.first() {
        let message = "no baked agent on foot uses portals: add \"portal\" to the `edges` of the \
                       agents that should";
        found.push((first.from, message.to_owned()));
    }
    found.extend(unusable_springs(mesh));
    found.extend(unusable_platforms(mesh));
    // Stable: the findings about one portal keep their order.
    found.sort_by_key(|(index, _)| *index);
    found
}

/// Portals with a partner but without a link for any agent. Where a pair has
/// no link because one end is not on a floor, only that end is reported.
fn unusable_portals(mesh: &NavMesh, portals: &Portals, users: &[&Layer]) -> Vec<(usize, String)> {
    let pairs = portals.connections.iter().filter(|c| c.line.is_empty());
    let pairs: Vec<[usize; 2]> = pairs.map(|c| [c.from, c.to]).collect();
    let paired: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
    let spots = paired.iter().filter(|index| {
        let marker = &mesh.markers()[**index];
        users.iter().any(|layer| layer.spot_in(marker).is_some())
    });
    let on_floor: BTreeSet<usize> = spots.copied().collect();
    let errors = paired.into_iter().filter_map(|index| {
        let own = pairs.iter().filter(|ends| ends.contains(&index));
        let message = if !on_floor.contains(&index) {
            "no agent that uses portals can stand in it: put its lower edge on the floor"
        } else if own
            .clone()
            .any(|ends| users.iter().any(|layer| has_link(mesh, layer, *ends)))
            || own.flatten().any(|end| !on_floor.contains(end))
        {
            return None;
        } else {
            "no agent can stand both in it and in its partner: make room for a body at both"
        };
        Some((index, message.to_owned()))
    });
    errors.collect()
}

/// Links with a line that is for no agent, and links without one for an agent that they name.
fn unusable_links(mesh: &NavMesh, users: &[&Layer]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, marker) in of_kind(mesh, MarkerKind::Link) {
        let has_line = |layer: &&&Layer| {
            let mut lines = layer.lines().iter();
            lines.any(|line| line.marker.index() == index)
        };
        let names = marker.property("agents").unwrap_or_default().split(',');
        for name in names.map(str::trim).filter(|name| !name.is_empty()) {
            let layer = users.iter().find(|layer| layer.profile().name == name);
            if layer.is_none() {
                let message = format!("no baked agent on foot that uses portals is named {name:?}");
                found.push((index, message));
            } else if marker.property("points").is_some()
                && !layer.is_some_and(|own| has_line(&own))
            {
                found.push((index, format!("{name:?} cannot stand at both of its ends")));
            }
        }
        let is_broken = found.last().is_some_and(|(last, _)| *last == index);
        let is_unused = marker.property("points").is_some() && !users.iter().any(|l| has_line(&l));
        if is_unused && !is_broken {
            let message = "no agent that uses portals can stand at both of its ends: put them on \
                           floors, not more than the height of a body above";
            found.push((index, message.to_owned()));
        }
    }
    found
}

/// Springs without a speed, and meshes whose springs throw nothing.
fn unusable_springs(mesh: &NavMesh) -> impl Iterator<Item = (usize, String)> {
    let mut layers = mesh.layers().iter();
    let is_used = layers.any(|layer| (layer.links().iter()).any(|l| l.kind == StepKind::Spring));
    let springs = of_kind(mesh, MarkerKind::Spring);
    springs.filter_map(move |(index, marker)| {
        let speeds = ["velocity", "height"].map(|name| marker.number(name));
        let way = marker
            .property("direction")
            .map(str::trim)
            .unwrap_or_default();
        let message = if !["", "up"].contains(&way) {
            "its direction is not up, so agents only keep away from it"
        } else if !speeds.into_iter().flatten().any(|speed| speed > 0.0) {
            "it has neither `velocity` nor `height` above 0, so agents only keep away from it"
        } else if is_used {
            return None;
        } else {
            "no agent is thrown by it: put it on a floor, with floor beside it and above"
        };
        Some((index, message.to_owned()))
    })
}

/// Platforms that move on which no agent rides.
fn unusable_platforms(mesh: &NavMesh) -> Vec<(usize, String)> {
    let quantum = f64::from(f32::MIN_POSITIVE);
    let found = movers(mesh.markers(), 1.0, quantum).into_iter();
    let is_used = |index: usize| {
        let mut all = mesh.layers().iter().flat_map(Layer::moving_platforms);
        all.any(|on| on.marker.index() == index && !on.boards.is_empty())
    };
    let messages = found.filter_map(|(index, mover)| {
        let message = match mover {
            Err(problem) => format!("{problem}; it is as if it were not there"),
            Ok(_) if is_used(index) => return None,
            Ok(_) => "no agent can get on and off it: it may be out of reach or faster than they \
                      run, or leave no room to stand on all of its way"
                .to_owned(),
        };
        Some((index, message))
    });
    messages.collect()
}

/// Whether a link leads from where a body stands in one portal to where one stands in
/// another. Of two places that are equally near, the bake chose one.
fn has_link(mesh: &NavMesh, layer: &Layer, ends: [usize; 2]) -> bool {
    let [from, to] = ends.map(|index| &mesh.markers()[index]);
    layer.links().iter().any(|link| {
        link.kind == StepKind::Portal
            && stands_in(layer, from, link.from)
            && stands_in(layer, to, link.to)
    })
}

/// Whether a body with its feet at a position of a floor stands in a marker, see
/// [`Layer::spot_in`].
fn stands_in(layer: &Layer, marker: &Marker, feet: Vec2) -> bool {
    let (grid, [_, height]) = (layer.grid(), layer.profile().body);
    let down = grid.y_axis.down();
    // The baker rounds the ends of links to its lattice.
    let near = grid.spacing * 1e-2;
    let [min, max] = marker.bounds(down);
    let below = (feet.y - marker.feet(down).y) * down;
    (min.x - near..=max.x + near).contains(&feet.x)
        && (min.y - max.y - near..=height.max(grid.spacing) + near).contains(&below)
}

/// Waypoints that no agent can reach.
///
/// Waypoints of the pool `ground` are for agents on foot, those of the pool
/// `air` for agents that fly, all others for every agent. It is enough that one
/// agent can reach a waypoint from a spawn or, in a level without spawns, that
/// one agent can be placed there.
pub fn unreachable_waypoints(mesh: &NavMesh) -> Vec<(usize, String)> {
    let mut finder = PathFinder::new();
    let indices = of_kind(mesh, MarkerKind::Waypoint).map(|(index, _)| index);
    (indices.zip(mesh.waypoints()))
        .filter_map(|(index, point)| Some((index, waypoint_error(mesh, &point, &mut finder)?)))
        .collect()
}

fn waypoint_error(
    mesh: &NavMesh,
    waypoint: &WaypointMarker<'_>,
    finder: &mut PathFinder,
) -> Option<String> {
    const INSIDE: &str = "it is inside geometry: move it out";
    let (pool, position) = (waypoint.marker.property("pool"), waypoint.position);
    let mut layers: Vec<&Layer> = mesh.layers().iter().collect();
    layers.retain(|layer| match pool {
        Some("ground") => layer.profile().edges.walks(),
        Some("air") => layer.profile().edges.contains(EdgeSet::FLY),
        _ => true,
    });
    if layers.is_empty() {
        let pool = waypoint.pool;
        let verb = if pool == "air" { "flies" } else { "walks" };
        return Some(format!(
            "it is in the pool {pool:?}, but no agent is baked that {verb}; bake one, or correct \
             the pool"
        ));
    }
    let all_inside = layers.iter().all(|layer| is_inside(layer, position));
    layers.retain(|layer| layer.snap(position, SnapTo::PathEnd).is_some());
    let message = if layers.is_empty() && all_inside {
        INSIDE
    } else if layers.is_empty() && pool == Some("ground") {
        "no agent on foot can stand there: move it onto the floor"
    } else if layers.is_empty() {
        "no agent can be there: move it onto the floor, or to where an agent flies"
    } else if layers.iter().all(|layer| {
        let rest = layer.snap(position, SnapTo::Rest);
        rest.is_some_and(|rest| is_moved_out(layer, &rest, position))
    }) {
        INSIDE
    } else if layers
        .iter()
        .any(|layer| is_reached(mesh, layer, position, finder))
    {
        return None;
    } else {
        "no agent can reach it from a spawn: add a way, or move it"
    };
    Some(message.to_owned())
}

/// Whether a path leads to a position from a spawn, if any agent of the layer has one.
fn is_reached(mesh: &NavMesh, layer: &Layer, to: Vec2, finder: &mut PathFinder) -> bool {
    let starts =
        spawns_of(mesh, layer).filter_map(|spawn| layer.snap(spawn.position, SnapTo::Rest));
    let mut starts = starts.peekable();
    starts.peek().is_none()
        || starts.any(|start| {
            let query = Query {
                departure: Some(0.0),
                ..Query::new(start.position, to)
            };
            let found = finder.find(layer, &query);
            matches!(found, Ok(PathOutcome::Found(_)))
        })
}
