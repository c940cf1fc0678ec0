//! Searches spread over frames, and what they allocate.

use crate::worlds;

use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, NavMesh};
use navmesh_runtime::search::{CostArea, Doors, Filter, PathFinder, PathOutcome, Query, Rect};
use worlds::{Dice, Plan};

fn kinds() -> [EdgeSet; 3] {
    let foot = EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY;
    [foot, EdgeSet::FLY, EdgeSet::ALL - EdgeSet::CLIMB]
}

fn world(edges: EdgeSet) -> NavMesh {
    let plan = Plan::noisy(90, 50, edges);
    worlds::mesh(plan, 1, &mut Dice(4))
}

fn queries(mesh: &NavMesh, seed: u64) -> Vec<Query> {
    let mut dice = Dice(seed);
    let size = Vec2::new(mesh.grid().columns as f32, mesh.grid().rows as f32) * mesh.grid().spacing;
    let mut queries = Vec::new();
    for i in 0..60 {
        let mut somewhere = || mesh.grid().origin + size * Vec2::new(dice.unit(), dice.unit());
        let mut query = Query::new(somewhere(), somewhere());
        let mut filter = Filter::default();
        if i % 3 == 0 {
            let mut doors = Doors::new();
            doors.close_region(Rect::new(somewhere(), somewhere()));
            filter.close_doors(&doors);
            query.profile = Some(AgentProfile {
                run_speed: 80.0,
                ..mesh.layers()[0].profile().clone()
            });
        }
        if i % 4 == 0 {
            let area = Rect::new(somewhere(), somewhere());
            filter.costs.push(CostArea { area, factor: 2.0 });
        }
        query = Query { filter, ..query };
        queries.push(if i % 5 == 0 {
            Query {
                allow_partial_path: true,
                ..query
            }
        } else {
            query
        });
    }
    queries
}

#[test]
fn the_outcome_does_not_depend_on_the_budget_of_a_step() {
    for edges in kinds() {
        let mesh = world(edges);
        let layer = &mesh.layers()[0];
        let (mut whole, mut stepped) = (PathFinder::new(), PathFinder::new());
        let mut paused = 0;
        for (i, query) in queries(&mesh, 1).into_iter().enumerate() {
            let expected = whole.find(layer, &query).unwrap();
            let budget = [1, 2, 7, 100][i % 4];
            stepped.start(layer, &query).unwrap();
            let mut expanded = 0;
            while stepped.step(layer, budget).unwrap() == PathOutcome::BudgetExhausted {
                paused += 1;
                let now = stepped.expanded();
                assert!(now >= expanded || now == 0);
                expanded = now;
            }
            // Once it is over, it says the same again.
            for _ in 0..2 {
                assert_eq!(stepped.step(layer, budget).unwrap(), expected, "{query:?}");
            }
        }
        assert!(paused > 100, "{paused}");
    }
}

#[test]
fn a_budget_of_zero_expands_nothing() {
    let mesh = world(EdgeSet::FLY);
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let queries = queries(&mesh, 2);
    let far = queries.iter().find(|query| {
        let mut finder = PathFinder::new();
        let outcome = finder.find(layer, query).unwrap();
        outcome.path().is_some_and(|path| path.steps.len() > 3)
    });
    finder.start(layer, far.unwrap()).unwrap();
    assert_eq!(finder.step(layer, 0).unwrap(), PathOutcome::BudgetExhausted);
    assert_eq!(finder.expanded(), 0);
}

/// Queries that were answered before allocate nothing.
#[test]
fn a_warm_finder_allocates_nothing() {
    let [foot, air, both] = kinds().map(world);
    let indexed = [foot.clone(), air.clone()];
    for mesh in &indexed {
        assert!(mesh.layers()[0].index_routes() > 0);
    }
    let meshes = [foot, air, both, indexed[0].clone(), indexed[1].clone()];
    let mut finder = PathFinder::new();
    let mut ask = |mesh: &NavMesh, queries: &[Query]| {
        for query in queries {
            let _ = std::hint::black_box(finder.find(&mesh.layers()[0], query).unwrap());
        }
    };
    let mut all = meshes.each_ref().map(|mesh| queries(mesh, 3));
    // When a door has moved, fliers allocate.
    for at in [1, 4] {
        all[at]
            .iter_mut()
            .for_each(|query| query.filter = Filter::default());
    }
    for (mesh, queries) in meshes.iter().zip(&all) {
        ask(mesh, queries);
    }
    let cold = allocation_counter::measure(|| {
        let mut other = PathFinder::new();
        let _ = other.find(&meshes[1].layers()[0], &all[1][0]);
    });
    assert!(cold.count_total > 0);
    let warm = allocation_counter::measure(|| {
        for (mesh, queries) in meshes.iter().zip(&all) {
            ask(mesh, queries);
        }
    });
    assert_eq!((warm.count_total, warm.bytes_total), (0, 0));
}

/// Open air around a closed box: for a goal inside or in a wall, the nearest point
/// is found without a search of all the air.
#[test]
fn an_unreachable_goal_in_the_air_costs_little() {
    let mut parts = worlds::parts(
        Plan {
            columns: 400,
            rows: 300,
            links: 0,
            shelves: 0.0,
            noise: 0.0,
            row_step: 999,
            edges: EdgeSet::FLY,
            tidy: true,
            y_axis: navmesh_runtime::mesh::YAxis::Down,
        },
        1,
        &mut Dice(1),
    );
    parts.layers[0].air.clear();
    let blocked = &mut parts.layers[0].blocked;
    for row in 100..=140 {
        for column in 200..=260 {
            let is_inside = (104..=136).contains(&row) && (204..=256).contains(&column);
            blocked.set(column, row, !is_inside);
        }
    }
    let mesh = NavMesh::new(parts).unwrap();
    let layer = &mesh.layers()[0];
    let at = |column, row| {
        mesh.grid()
            .position(navmesh_runtime::mesh::Cell { column, row })
    };
    let mut finder = PathFinder::new();
    for (goal, nearest) in [
        // Inside the box, in its wall, and far outside the level.
        (at(205, 120), at(199, 120)),
        (at(230, 102), at(230, 99)),
        (at(399, 150) + Vec2::X * 5000.0, at(399, 150)),
    ] {
        let query = Query {
            allow_partial_path: true,
            ..Query::new(at(30, 250), goal)
        };
        let outcome = finder.find(layer, &query).unwrap();
        let PathOutcome::Nearest(path, _) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(path.end, nearest);
        let expanded = finder.expanded();
        assert!(expanded < 100, "{expanded} of 120,000");
    }
}
