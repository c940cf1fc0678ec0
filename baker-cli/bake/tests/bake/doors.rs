//! Closed doors of a baked level, compared with the same level baked with solid
//! walls where the doors are.

use crate::common;

use std::collections::BTreeSet;

use common::fixtures::fixture;
use glam::{DVec2, Vec2};
use navmesh_bake::{Collision, Level, LevelMarker, Material, Piece, Rect, Shape};
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_runtime::mesh::{Layer, NavMesh};
use navmesh_runtime::search::Doors;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query, SnapTo, StepKind};
use proptest::test_runner::TestRunner;

fn baked(level: &Level) -> NavMesh {
    let mut agents = default_agents(16.0);
    // Each level is baked many times, and that takes several times as long with a
    // limit; what is done about doors does not depend on it.
    agents[0].air_acceleration = None;
    let settings = Settings::for_agents(agents);
    bake(level, &settings, &NoProgress).unwrap()
}

/// The level with walls in place of its doors.
fn walled(level: &Level) -> Level {
    let mut walled = level.clone();
    let Collision::Shapes(pieces) = &mut walled.collision else {
        panic!("drawn in shapes");
    };
    for door in level.markers.iter().filter(|m| m.class == "door") {
        pieces.push(Piece {
            shape: Shape::Box(door.area),
            material: Material::Solid,
            origin: 0,
        });
    }
    walled
}

/// Whether a body with its feet here overlaps a door by more than rounding.
fn overlaps(door: &Rect, feet: DVec2, [width, height]: [f32; 2]) -> bool {
    let half = DVec2::new(f64::from(width) / 2.0, 0.0);
    let (min, max) = (
        feet - half - DVec2::new(0.0, f64::from(height)),
        feet + half,
    );
    let hair = 1e-2;
    min.x + hair < door.max.x
        && max.x - hair > door.min.x
        && min.y + hair < door.max.y
        && max.y - hair > door.min.y
}

/// The defects of a path past closed doors, checked in fine steps.
fn keeps_clear(layer: &Layer, doors: &[Rect], path: &navmesh_runtime::search::Path) -> bool {
    let body = layer.profile().body;
    let clear = |feet: DVec2| !doors.iter().any(|door| overlaps(door, feet, body));
    path.steps.iter().all(|step| {
        let link = step.link.and_then(|id| layer.link(id));
        let arc = link.and_then(|l| l.trajectory(layer.profile(), 1.0).ok());
        (0..=200).all(|i| {
            let part = f64::from(i) / 200.0;
            let straight = step.from.as_dvec2().lerp(step.to.as_dvec2(), part);
            let feet = match (step.kind, arc) {
                (_, Some(arc)) => {
                    step.from.as_dvec2() + arc.offset(arc.duration * part) * DVec2::new(1.0, -1.0)
                }
                (StepKind::Portal, _) => {
                    let end = if i < 100 { step.from } else { step.to };
                    end.as_dvec2()
                }
                (StepKind::Floor, _) => {
                    let platform = layer.platform(step.platform.unwrap()).unwrap();
                    platform.at(straight.x as f32).as_dvec2()
                }
                _ => straight,
            };
            clear(feet)
        })
    })
}

/// Positions on floors of both bakes, far enough from the doors that nothing
/// stands on a door or leans against it.
fn places(open: &Layer, solid: &Layer, doors: &[Rect]) -> Vec<Vec2> {
    let mut places = Vec::new();
    for platform in open.platforms() {
        let ends = platform.left().x..=platform.right().x;
        let columns = (0..open.grid().columns).map(|column| open.grid().column_x(column));
        for x in columns.filter(|x| ends.contains(x)) {
            let at = platform.at(x);
            let is_floor = solid.snap(at, SnapTo::FloorBelow(0.01)).is_some();
            let body = open.profile().body;
            let free = doors
                .iter()
                .all(|door| !overlaps(door, at.as_dvec2(), body));
            if is_floor && free {
                places.push(at);
            }
        }
    }
    places
}

/// Counts pairs that are reached with walls but not with closed doors, pairs
/// that are reached the other way round, and all pairs.
fn compare(level: &Level, agent: &str, stride: usize) -> [usize; 3] {
    let (open, solid) = (baked(level), baked(&walled(level)));
    let mut doors = Doors::from_mesh(&open);
    let names: BTreeSet<String> = open.doors().map(|door| door.marker.name.clone()).collect();
    for name in &names {
        doors.close(name).unwrap();
    }
    let rects: Vec<Rect> = level
        .markers
        .iter()
        .filter(|m| m.class == "door")
        .map(|m| m.area)
        .collect();
    assert_eq!(doors.closed().len(), rects.len());
    let (layer, wall) = (
        open.layer_named(agent).unwrap(),
        solid.layer_named(agent).unwrap(),
    );
    let places = places(layer, wall, &rects);
    let mut finder = PathFinder::new();
    let [mut lost, mut gained, mut all] = [0; 3];
    for from in places.iter().step_by(stride) {
        for to in places.iter().step_by(stride) {
            let mut query = Query::new(*from, *to);
            // The walled level can be walked on top of a door; the open level
            // cannot.
            let walled = match finder.find(wall, &query).unwrap() {
                PathOutcome::Found(path) => path.steps.iter().all(|step| {
                    let on_floor = |at| layer.snap(at, SnapTo::FloorBelow(0.01)).is_some();
                    on_floor(step.from) && on_floor(step.to)
                }),
                _ => false,
            };
            query.filter.close_doors(&doors);
            let closed = match finder.find(layer, &query).unwrap() {
                PathOutcome::Found(path) => {
                    assert!(keeps_clear(layer, &rects, path), "{from} {to} {path:?}");
                    true
                }
                _ => false,
            };
            all += 1;
            lost += usize::from(walled && !closed);
            gained += usize::from(closed && !walled);
        }
    }
    [lost, gained, all]
}

#[test]
fn closed_doors_of_the_fixture_block_like_walls() {
    let [lost, gained, all] = compare(&fixture("portals.tmx"), "ground", 3);
    assert_eq!((lost, gained), (0, 0));
    assert!(all > 500, "{all}");
}

// Doors anywhere in random levels. Thinning may drop a link because there is
// one through a door; it must be there when the door closes.
#[test]
fn paths_past_closed_doors_keep_clear_of_them() {
    let mut runner = TestRunner::deterministic();
    let mut sums = [0; 3];
    for i in 0..12 {
        let world = common::draw(&mut runner, &common::tiles(10..22, 8..14, 16));
        let mut level = world.level();
        for k in 0..2 {
            let min = DVec2::new(
                32.0 + f64::from((i * 37 + k * 90) % 120),
                24.0 + f64::from(k * 56),
            );
            let area = Rect::new(min, min + DVec2::new(12.0, 56.0));
            level.markers.push(LevelMarker {
                class: "door".into(),
                name: format!("door {k}"),
                area,
                properties: Vec::new(),
            });
        }
        let found = compare(&level, "ground", 4);
        for (sum, one) in sums.iter_mut().zip(found) {
            *sum += one;
        }
    }
    let [lost, gained, all] = sums;
    println!("{lost} lost, {gained} gained of {all}");
    assert!(all > 1000, "{all}");
    // Every path that was found keeps clear of the doors. A few of them the
    // walled bake does not find, because it tries no more trajectories than any
    // other bake.
    assert!(gained * 50 <= all, "{gained} of {all}");
    assert_eq!(lost, 0, "a closed door blocks a path that does not use it");
}
