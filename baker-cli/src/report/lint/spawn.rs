//! Spawns inside geometry, over nothing, or for an agent that is not there.

use navmesh_runtime::mesh::{Layer, MarkerKind, NavMesh};

use super::finding::Draft;
use super::graph::{is_inside, start};

pub(super) fn find(mesh: &NavMesh) -> Vec<Draft> {
    let markers = mesh.markers().iter().enumerate();
    let numbers = markers.filter(|(_, m)| m.kind() == MarkerKind::Spawn);
    let spawns = numbers.map(|(index, _)| index).zip(mesh.spawns());
    spawns
        .filter_map(|(index, spawn)| {
            let message = match spawn.agent.map(|agent| (agent, mesh.layer_named(agent))) {
                Some((_, Some(layer))) => complaint(&[layer], spawn.position),
                Some((agent, None)) => Some(format!(
                    "it is for the agent {agent:?}, but none of that name is baked; correct its \
                     property `agent`"
                )),
                None => complaint(&anyone(mesh), spawn.position),
            };
            Some(Draft::of_marker(mesh, index, message?))
        })
        .collect()
}

/// Whom a spawn for anyone is for: agents on foot, or where there are none,
/// all.
fn anyone(mesh: &NavMesh) -> Vec<&Layer> {
    let all = || mesh.layers().iter();
    let on_foot: Vec<&Layer> = all().filter(|l| l.profile().edges.walks()).collect();
    if on_foot.is_empty() {
        all().collect()
    } else {
        on_foot
    }
}

/// What is wrong when none of some agents can begin at a position.
fn complaint(layers: &[&Layer], position: glam::Vec2) -> Option<String> {
    if layers.is_empty() || layers.iter().any(|layer| start(layer, position).is_some()) {
        return None;
    }
    let inside = layers.iter().all(|layer| is_inside(layer, position));
    Some(if inside {
        "it is inside geometry: move it out".to_owned()
    } else {
        "there is no floor below: whoever begins here falls out of the level; move it, or say \
         who flies from here with its property `agent`"
            .to_owned()
    })
}
