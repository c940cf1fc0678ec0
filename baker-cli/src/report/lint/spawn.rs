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
            let message = match spawn.agent {
                Some(agent) => match mesh.layer(agent) {
                    None => Some(format!(
                        "it is for the agent {agent:?}, but none of that name is baked; correct \
                         its property `agent`"
                    )),
                    Some(layer) => complaint(&[layer], spawn.position),
                },
                None => {
                    let all: Vec<&Layer> = mesh.layers().iter().collect();
                    let on_foot = all.iter().copied();
                    let on_foot: Vec<&Layer> =
                        on_foot.filter(|l| l.profile().edges.walks()).collect();
                    complaint(
                        if on_foot.is_empty() { &all } else { &on_foot },
                        spawn.position,
                    )
                }
            };
            Some(Draft::of_marker(mesh, index, message?))
        })
        .collect()
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
