//! Portals that lead nowhere, or that no agent can stand in.

use navmesh_runtime::mesh::{EdgeSet, Layer, LinkKind, NavMesh, Portals};

use super::finding::Draft;

pub(super) fn find(mesh: &NavMesh) -> Vec<Draft> {
    let portals = mesh.portals();
    let mut found: Vec<(usize, String)> = portals
        .faults()
        .iter()
        .map(|(index, fault)| (*index, fault.to_string()))
        .collect();
    let users: Vec<&Layer> = mesh
        .layers()
        .iter()
        .filter(|layer| {
            layer.profile().edges.contains(EdgeSet::PORTAL) && !layer.platforms().is_empty()
        })
        .collect();
    if users.is_empty() {
        if let Some(way) = portals.ways().first() {
            let message = "no agent on foot is baked that uses portals: add \"portal\" to the \
                           `edges` of those that should";
            found.push((way.from, message.to_owned()));
        }
    } else {
        found.extend(hanging(mesh, &portals, &users));
    }
    // Stable: what is wrong with one portal stays in its order.
    found.sort_by_key(|(index, _)| *index);
    found
        .into_iter()
        .map(|(index, message)| Draft::of_marker(mesh, index, message))
        .collect()
}

/// Portals with a partner that are no end of a link for any agent. Where a
/// pair has no link, the one that hangs is told, or both.
fn hanging(mesh: &NavMesh, portals: &Portals, users: &[&Layer]) -> Vec<(usize, String)> {
    let mut paired: Vec<usize> = portals
        .ways()
        .iter()
        .flat_map(|way| [way.from, way.to])
        .collect();
    paired.sort_unstable();
    paired.dedup();
    let hangs = |index: usize| {
        let marker = &mesh.markers()[index];
        !users.iter().any(|layer| layer.spot_in(marker).is_some())
    };
    let linked = |index: usize| {
        portals.ways().iter().any(|way| {
            [way.from, way.to].contains(&index)
                && users
                    .iter()
                    .any(|layer| has_link(mesh, layer, [way.from, way.to]))
        })
    };
    paired
        .into_iter()
        .filter_map(|index| {
            let message = if hangs(index) {
                "no agent that uses portals can stand in it: put its lower edge on the floor"
            } else if linked(index) || partner_hangs(portals, index, &hangs) {
                return None;
            } else {
                "no agent can stand both in it and in its partner: make room for a body at both"
            };
            Some((index, message.to_owned()))
        })
        .collect()
}

fn partner_hangs(portals: &Portals, index: usize, hangs: &impl Fn(usize) -> bool) -> bool {
    portals
        .ways()
        .iter()
        .any(|way| (way.from == index && hangs(way.to)) || (way.to == index && hangs(way.from)))
}

fn has_link(mesh: &NavMesh, layer: &Layer, ends: [usize; 2]) -> bool {
    let [Some(from), Some(to)] = ends.map(|index| layer.spot_in(&mesh.markers()[index])) else {
        return false;
    };
    // The baker moves ends onto its lattice.
    let near = mesh.grid().spacing * 1e-2;
    layer.links().iter().any(|link| {
        link.kind == LinkKind::Portal
            && link.from.distance(from.position) <= near
            && link.to.distance(to.position) <= near
    })
}
