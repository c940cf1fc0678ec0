//! By how much a whole level moved.
//!
//! A level that grew to the left or to the top has all its coordinates
//! shifted. Every pair of things of one shape, one in each file, votes for the
//! shift between them, with the weight of its size; since at one shift every
//! thing has one partner at most, the votes of a shift are how much of the
//! level it brings to lie on itself.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Layer, NavMesh};

/// Steps of a spacing within which votes are for one shift.
const STEPS: f64 = 16.0;
/// Pairs of one shape that vote, at most; more say nothing that fewer do not.
const MOST_PAIRS: usize = 1 << 17;
/// The part of the smaller level that must lie on the other.
const LEAST: f64 = 0.2;

/// The places of things of one shape in the old and in the new file, and
/// their weight.
#[derive(Default)]
struct Alike {
    places: [Vec<DVec2>; 2],
    weight: f64,
}

/// What things look like wherever they are.
type Shapes = BTreeMap<(u8, String, Vec<[i64; 2]>), Alike>;

/// What is to be added to the coordinates of `old`; `None` for nothing, also
/// when two shifts are equally good.
pub(super) fn estimate(old: &NavMesh, new: &NavMesh) -> Option<DVec2> {
    let step = f64::from(new.grid().spacing) / STEPS;
    let mut shapes = Shapes::new();
    for (side, (mesh, other)) in [(old, new), (new, old)].into_iter().enumerate() {
        for layer in mesh.layers() {
            if other.layer(&layer.profile().name).is_some() {
                add_platforms(&mut shapes, side, layer, step);
                if layer.platforms().is_empty() && old.grid().spacing == new.grid().spacing {
                    add_tops(&mut shapes, side, layer);
                }
            }
        }
        for marker in mesh.markers() {
            let name = format!("{:?} {:?}", marker.class, marker.name);
            let alike = shapes.entry((2, name, Vec::new())).or_default();
            alike.weight = 1.0;
            alike.places[side].push(marker.position.as_dvec2());
        }
    }
    vote(&shapes, step)
}

/// A platform looks like its surface, seen from its left lip.
fn add_platforms(shapes: &mut Shapes, side: usize, layer: &Layer, step: f64) {
    let spacing = f64::from(layer.grid().spacing);
    for platform in layer.platforms().iter() {
        let left = platform.left();
        let seen = |p: &Vec2| {
            let from_left = ((*p - left).as_dvec2() / step).round();
            [from_left.x as i64, from_left.y as i64]
        };
        let surface = platform.surface().iter().map(seen).collect();
        let key = (0, layer.profile().name.clone(), surface);
        let alike = shapes.entry(key).or_default();
        alike.weight = 1.0 + f64::from(platform.right().x - left.x) / spacing;
        alike.places[side].push(left.as_dvec2());
    }
}

/// Where nobody walks: the upper borders of what is blocked.
fn add_tops(shapes: &mut Shapes, side: usize, layer: &Layer) {
    let (grid, blocked) = (layer.grid(), layer.blocked());
    for row in 1..grid.rows {
        for run in blocked.runs(row) {
            let mut start = run.start;
            for column in run.start..=run.end {
                if column < run.end && !blocked.get(column, row - 1) {
                    continue;
                }
                if start < column {
                    let length = i64::from(column - start);
                    let key = (1, layer.profile().name.clone(), vec![[length, 0]]);
                    let alike = shapes.entry(key).or_default();
                    alike.weight = length as f64;
                    let place = Vec2::new(grid.column_x(start), grid.row_y(row));
                    alike.places[side].push(place.as_dvec2());
                }
                start = column + 1;
            }
        }
    }
}

/// Votes for one shift: their weight, and the shifts themselves.
#[derive(Default, Clone, Copy)]
struct Votes {
    weight: f64,
    sum: DVec2,
    count: f64,
}

fn vote(shapes: &Shapes, step: f64) -> Option<DVec2> {
    let mut votes: BTreeMap<[i64; 2], Votes> = BTreeMap::new();
    let mut total = [0.0; 2];
    for Alike { places, weight } in shapes.values() {
        let [old, new] = places;
        total[0] += weight * old.len() as f64;
        total[1] += weight * new.len() as f64;
        if old.len() * new.len() > MOST_PAIRS {
            continue;
        }
        for a in old {
            for b in new {
                let shift = *b - *a;
                let key = (shift / step).round();
                let votes = votes.entry([key.x as i64, key.y as i64]).or_default();
                votes.weight += weight;
                votes.sum += shift;
                votes.count += 1.0;
            }
        }
    }
    let stays = votes.get(&[0, 0]).map_or(0.0, |v| v.weight);
    let mut best: Option<Votes> = None;
    let mut rivals = false;
    for (_, votes) in votes.iter().filter(|(key, _)| **key != [0, 0]) {
        let most = best.map_or(0.0, |b| b.weight);
        if votes.weight >= most {
            rivals = votes.weight == most;
            best = Some(*votes);
        }
    }
    let best = best.filter(|b| !rivals && b.weight > stays)?;
    (best.weight >= LEAST * total[0].min(total[1])).then(|| best.sum / best.count)
}
