//! What the decisions of 32 bots among thousands of objects cost.

#[path = "../../navmesh-runtime/tests/support/random.rs"]
mod random;
#[path = "../../navmesh-runtime/tests/support/worlds.rs"]
mod worlds;

use divan::Bencher;
use glam::Vec2;
use navmesh_bots::interest::{FieldSettings, Interest, InterestField, Recovery, Seeker};
use navmesh_runtime::mesh::{EdgeSet, NavMesh};
use navmesh_runtime::search::{Doors, Filter, PathFinder, Rect};
use worlds::{Dice, Plan};

const OBJECTS: u32 = 2000;
const BOTS: usize = 32;

fn main() {
    divan::main();
}

/// A level of 300 × 100 vertices with 3,000 links on foot.
fn level(edges: EdgeSet) -> NavMesh {
    let plan = Plan {
        columns: 300,
        rows: 100,
        links: 10,
        row_step: 10,
        shelves: 0.0,
        noise: 0.005,
        edges,
        ..Plan::random(&mut Dice(1))
    };
    let mesh = worlds::mesh(Plan { tidy: true, ..plan }, 1, &mut Dice(11));
    mesh.layers()[0].index_routes();
    mesh
}

fn somewhere(mesh: &NavMesh, dice: &mut Dice) -> Vec2 {
    let grid = mesh.grid();
    let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
    grid.origin + Vec2::new(size.x * dice.unit(), mesh.down() * size.y * dice.unit())
}

/// A field with objects of four kinds; a quarter of them grows.
fn field(mesh: &NavMesh, finder: &mut PathFinder) -> InterestField<u32> {
    let layer = &mesh.layers()[0];
    let dice = &mut Dice(7);
    let mut field =
        InterestField::new(layer, FieldSettings::new(layer, 4)).expect("valid settings");
    field.prepare(layer, finder);
    for id in 0..OBJECTS {
        let at = somewhere(mesh, dice);
        let object = Interest::new((id % 4) as u8, at, dice.between(1.0, 50.0));
        let object = if id % 4 == 0 {
            Interest {
                growth: 1.0,
                limit: 1e5,
                ..object
            }
        } else {
            object
        };
        field
            .insert(layer, finder, id, object)
            .expect("valid numbers");
    }
    field
}

/// One tick: objects grow, one moves, and every bot decides.
fn tick(bencher: Bencher<'_, '_>, edges: EdgeSet, bots: usize) {
    let mesh = level(edges);
    let layer = &mesh.layers()[0];
    let (mut finder, dice) = (PathFinder::new(), &mut Dice(3));
    let mut field = field(&mesh, &mut finder);
    println!("{} zones", field.zones().len());
    let positions: Vec<Vec2> = (0..bots)
        .map(|_| field.zones()[dice.below(field.zones().len() as u32) as usize])
        .collect();
    let filter = Filter::default();
    let weights = [1.0, 0.5, 2.0, 0.0];
    let mut recoveries = vec![Recovery::default(); bots];
    let mut now = 0.0;
    bencher.bench_local(|| {
        now += 1.0 / 60.0;
        field.update(layer, &mut finder, now);
        field.move_to(layer, &mut finder, 1, somewhere(&mesh, dice));
        for (position, recovery) in positions.iter().zip(&mut recoveries) {
            let seeker = Seeker::new(*position, &weights, &filter);
            divan::black_box(field.choose(layer, &mut finder, &seeker, recovery));
        }
    });
}

fn foot() -> EdgeSet {
    EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY
}

#[divan::bench]
fn update_on_foot(bencher: Bencher<'_, '_>) {
    tick(bencher, foot(), 0);
}

#[divan::bench]
fn update_and_32_decisions_on_foot(bencher: Bencher<'_, '_>) {
    tick(bencher, foot(), BOTS);
}

#[divan::bench]
fn update_and_32_decisions_in_the_air(bencher: Bencher<'_, '_>) {
    tick(bencher, EdgeSet::FLY, BOTS);
}

/// One tick: one of 16 doors, as high as a body, opens or closes once the work for the
/// one before is done, and a part of that work is done.
fn door(bencher: Bencher<'_, '_>, edges: EdgeSet) {
    let mesh = level(edges);
    let layer = &mesh.layers()[0];
    let (mut finder, dice) = (PathFinder::new(), &mut Dice(5));
    let mut field = field(&mesh, &mut finder);
    let size = 2.0 * mesh.grid().spacing;
    let places: Vec<Rect> = (0..16)
        .map(|_| {
            let at = field.zones()[dice.below(field.zones().len() as u32) as usize];
            Rect::new(at - size, at + size)
        })
        .collect();
    let mut doors = Doors::new();
    let mut closed = vec![None; places.len()];
    let (mut changes, mut paths, mut most, mut pending) = (0, 0, 0, 0);
    bencher.bench_local(|| {
        if pending == 0 {
            let at = dice.below(16) as usize;
            closed[at] = match closed[at] {
                Some(door) => {
                    doors.open_region(door);
                    None
                }
                None => Some(doors.close_region(places[at])),
            };
            pending = field.set_doors(layer, &mut finder, &doors);
            changes += 1;
            paths += pending;
            most = most.max(pending);
        }
        pending = field.update(layer, &mut finder, 0.0);
    });
    println!("{changes} changes, {paths} paths searched again, at most {most} for one");
}

#[divan::bench]
fn door_on_foot(bencher: Bencher<'_, '_>) {
    door(bencher, foot());
}

#[divan::bench]
fn door_in_the_air(bencher: Bencher<'_, '_>) {
    door(bencher, EdgeSet::FLY);
}
