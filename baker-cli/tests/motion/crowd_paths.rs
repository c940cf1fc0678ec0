//! Crowds of agents that climb and use barriers, portals and doors get the
//! paths that each agent gets alone.

use crate::common;

use common::fixtures::baked_as_configured;
use glam::Vec2;
use navmesh_runtime::mesh::{Layer, StepKind};
use navmesh_runtime::motion::PathQueue;
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{Filter, PathFinder, PathOutcome, Query};
use navmesh_runtime::shared::{PathSource, Ticket};

/// Points on all platforms.
fn spots(layer: &Layer) -> Vec<Vec2> {
    let spread = |p: navmesh_runtime::mesh::Platform<'_>| {
        let (low, high) = p.extent();
        [0.1, 0.5, 0.9].map(|t| p.at(low + (high - low) * t))
    };
    layer.platforms().flat_map(spread).collect()
}

#[test]
fn crowds_get_the_paths_of_single_agents() {
    let mut kinds = Vec::new();
    for name in ["movement.tmx", "portals.tmx"] {
        let (_, mesh) = baked_as_configured(name);
        let mut doors = Doors::from_mesh(&mesh);
        for closed in [false, true] {
            for door in mesh.doors() {
                let set = if closed { Doors::close } else { Doors::open };
                set(&mut doors, &door.marker.name).unwrap();
            }
            let mut filter = Filter::default();
            filter.close_doors(&doors);
            for layer in mesh.layers() {
                crowd(layer, &filter, &mut kinds);
            }
        }
    }
    for kind in [
        StepKind::Jump,
        StepKind::Ladder,
        StepKind::WallClimb,
        StepKind::CeilingClimb,
        StepKind::DropThrough,
        StepKind::Portal,
    ] {
        assert!(kinds.contains(&kind), "no path uses {}", kind.name());
    }
}

/// From everywhere to a few goals.
fn crowd(layer: &Layer, filter: &Filter, kinds: &mut Vec<StepKind>) {
    let (mut queue, mut finder) = (PathQueue::new(), PathFinder::new());
    let spots = spots(layer);
    for &goal in spots.iter().step_by(7) {
        let queries: Vec<Query> = spots
            .iter()
            .map(|&from| Query {
                filter: filter.clone(),
                ..Query::new(from, goal)
            })
            .collect();
        let mut tickets: Vec<Option<Ticket>> = vec![None; queries.len()];
        for (ticket, query) in tickets.iter_mut().zip(&queries) {
            let _ = queue.ask(layer, ticket, query);
        }
        queue.work(layer, u32::MAX);
        for (ticket, query) in tickets.iter_mut().zip(&queries) {
            match (
                queue.ask(layer, ticket, query).unwrap(),
                finder.find(layer, query).unwrap(),
            ) {
                (PathOutcome::Found(found), PathOutcome::Found(path)) => {
                    let (cost, steps) = (found.cost, &found.steps);
                    assert!(
                        (cost - path.cost).abs() <= 1e-6 * cost.max(1.0),
                        "{}: {cost} is not {}: {query:?}",
                        layer.profile().name,
                        path.cost
                    );
                    assert_eq!(
                        steps.last().map(|step| step.to),
                        path.steps.last().map(|step| step.to)
                    );
                    kinds.extend(steps.iter().map(|step| step.kind));
                }
                (PathOutcome::NoPath(why), PathOutcome::NoPath(own)) => assert_eq!(why, own),
                (reply, outcome) => panic!("{reply:?} is not {outcome:?}"),
            }
        }
    }
}
