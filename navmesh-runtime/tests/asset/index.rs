//! Indices of routes in files.

use crate::hostile::{join_as, split};
use crate::worlds;

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{EdgeSet, NavMesh};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};
use worlds::{Dice, Plan};

const INDEX: [u8; 4] = *b"iIDX";

/// Keeps the index of each layer.
pub(crate) fn store(mesh: &mut NavMesh) {
    let names = mesh.layers().iter().map(|layer| &layer.profile().name);
    let names: Vec<String> = names.cloned().collect();
    for name in names {
        mesh.store_index(mesh.layer_id(&name).unwrap());
    }
}

/// A level on foot and one in the air, small enough for hundreds of searches.
fn levels() -> [NavMesh; 2] {
    let on_foot = EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY;
    [on_foot, EdgeSet::FLY].map(|edges| {
        let plan = Plan {
            columns: 80,
            rows: 50,
            links: 6,
            edges,
            ..Plan::random(&mut Dice(7))
        };
        let mut mesh = worlds::mesh(plan, 1, &mut Dice(8));
        store(&mut mesh);
        mesh
    })
}

/// The costs of paths between random places, and of those where there is none `None`.
pub(crate) fn costs(mesh: &NavMesh) -> Vec<Option<f64>> {
    let (grid, layer) = (mesh.grid(), &mesh.layers()[0]);
    let size = Vec2::new(grid.columns as f32, grid.rows as f32 * mesh.down()) * grid.spacing;
    let mut dice = Dice(9);
    let mut finder = PathFinder::new();
    let mut place = || grid.origin + size * Vec2::new(dice.unit(), dice.unit());
    let mut cost = || match finder.find(layer, &Query::new(place(), place())) {
        Ok(PathOutcome::Found(path)) => Some(path.cost),
        // Most of the places are above a floor; the others are nowhere.
        _ => None,
    };
    (0..60).map(|_| cost()).collect()
}

pub(crate) fn assert_equal(costs: &[Option<f64>], least: &[Option<f64>]) {
    for (cost, least) in costs.iter().zip(least) {
        assert_eq!(cost.is_some(), least.is_some());
        let (cost, least) = (cost.unwrap_or(0.0), least.unwrap_or(0.0));
        assert!(
            (cost - least).abs() <= 1e-5 * (1.0 + least),
            "{cost} {least}"
        );
    }
}

/// A mesh with other contents of the section.
fn with_index(mesh: &NavMesh, change: impl FnOnce(&mut Vec<u8>)) -> Option<NavMesh> {
    let mut sections = split(&asset::encode(mesh));
    let index = sections.iter_mut().find(|section| section.0 == INDEX);
    change(&mut index.expect("an index").1);
    asset::decode(&join_as([4, 0], &sections)).ok()
}

#[test]
fn paths_of_a_stored_index_cost_the_least() {
    for mesh in levels() {
        let stored = asset::decode(&asset::encode(&mesh)).unwrap();
        let searched = costs(&stored);
        assert!(searched.iter().flatten().count() > 10);
        assert!(stored.layers()[0].index_routes() > 0);
        assert_equal(&costs(&stored), &searched);
    }
}

/// A column of integers: a block with 32 bits each.
fn column(values: &[u32]) -> Vec<u8> {
    let number = |value: usize| match value {
        0..251 => vec![value as u8],
        _ => [&[0xFB][..], &(value as u16).to_le_bytes()].concat(),
    };
    let mut content = Vec::new();
    if !values.is_empty() {
        content.extend([16, 0, 0, 0, 0, 32]);
        content.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }
    [number(values.len()), number(content.len()), content].concat()
}

/// A mesh with another index.
fn forged(mesh: &NavMesh, levels: &[u32], gaps: &[u32]) -> NavMesh {
    let forged = with_index(mesh, |content| {
        content.truncate(1);
        content.extend([column(levels), column(gaps)].concat());
    });
    forged.expect("a valid section")
}

/// The number of nodes in the index of the only layer.
fn nodes(mesh: &NavMesh) -> usize {
    let mut nodes = 0;
    with_index(mesh, |content| {
        nodes = match content[1] {
            0xFB => u16::from_le_bytes([content[2], content[3]]).into(),
            small => small.into(),
        };
    });
    nodes
}

/// What is stored is used: with another order and no shortcuts, the index has another
/// size.
#[test]
fn a_stored_index_is_not_searched_for_again() {
    for mesh in levels() {
        let bare = forged(&mesh, &vec![0; nodes(&mesh)], &[]);
        let sizes = [&mesh, &bare].map(|mesh| mesh.layers()[0].index_routes());
        assert_ne!(sizes[0], sizes[1]);
    }
}

/// An index of another level is searched for.
#[test]
fn an_index_that_does_not_fit_is_replaced() {
    for mesh in levels() {
        let least = costs(&asset::decode(&asset::encode(&mesh)).unwrap());
        let levels: Vec<u32> = (0..nodes(&mesh) as u32).collect();
        for other in [
            forged(&mesh, &levels[1..], &[1, 2, 3]),
            forged(&mesh, &levels, &[u32::MAX; 9]),
        ] {
            let sizes = [&mesh, &other].map(|mesh| mesh.layers()[0].index_routes());
            assert_eq!(sizes[0], sizes[1]);
            assert_equal(&costs(&other), &least);
        }
    }
}

/// With an index of nonsense, paths still lead to the goal, but may cost more, or are
/// not found.
#[test]
fn forged_indices_do_no_harm() {
    for mesh in levels() {
        let least = costs(&asset::decode(&asset::encode(&mesh)).unwrap());
        let nodes = nodes(&mesh);
        let mut dice = Dice(10);
        let (mut worse, mut used) = (0, 0);
        for _ in 0..40 {
            let most = 1 + dice.below(nodes as u32);
            let levels: Vec<u32> = (0..nodes).map(|_| dice.below(most)).collect();
            let gap = 1 + dice.below(4);
            let gaps: Vec<u32> = (0..dice.below(300)).map(|_| dice.below(gap)).collect();
            let forged = forged(&mesh, &levels, &gaps);
            let sizes = [&mesh, &forged].map(|mesh| mesh.layers()[0].index_routes());
            used += u32::from(sizes[0] != sizes[1]);
            for (found, least) in costs(&forged).into_iter().zip(&least) {
                let Some(least) = *least else {
                    assert_eq!(found, None);
                    continue;
                };
                let (cost, slack) = (found.unwrap_or(f64::INFINITY), 1e-5 * (1.0 + least));
                assert!(cost >= least - slack, "{cost} {least}");
                worse += u32::from(cost > least + slack);
            }
        }
        assert!(used > 20 && worse > 20, "{used} {worse}");
    }
}

/// Where flights would take too long to index, a file says so, and nothing is tried after
/// loading.
#[test]
fn files_say_that_there_is_no_index() {
    let mut mesh = worlds::mesh(Plan::noisy(400, 120, EdgeSet::FLY), 1, &mut Dice(6));
    store(&mut mesh);
    let bytes = asset::encode(&mesh);
    let loaded = asset::decode(&bytes).unwrap();
    assert_eq!(asset::encode(&loaded), bytes);
    let layer = &loaded.layers()[0];
    let memory = allocation_counter::measure(|| assert_eq!(layer.index_routes(), 0));
    assert_eq!(memory.count_total, 0);
}
