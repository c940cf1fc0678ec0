//! By how much a whole level moved.
//!
//! A level that grew to the left or to the top has all its coordinates
//! shifted. Every pair of things of one shape, one in each file, votes for the
//! shift between them, with the weight of its size up to a limit; since at one
//! shift every thing has one partner at most, the votes of a shift are how much
//! of the level it brings to lie on itself. Of the best, the terrain decides.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Cell, Layer, NavMesh};

/// Steps of a spacing within which votes are for one shift.
const STEPS: f64 = 16.0;
/// Pairs of one shape that vote, at most; more say nothing that fewer do not.
const MOST_PAIRS: usize = 1 << 17;
/// The part of the smaller level that must lie on the other.
const LEAST: f64 = 0.15;
/// Cells beyond which a longer thing weighs no more: a floor as wide as the
/// level is one thing, and grows with the level.
const HEAVIEST: f64 = 4.0;
/// Shifts that are looked at closely.
const CANDIDATES: usize = 8;

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
            if other.layer_named(&layer.profile().name).is_some() {
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
    elect(&vote(&shapes, step), old, new)
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
        let cells = f64::from(platform.right().x - left.x) / spacing;
        alike.weight = 1.0 + cells.min(HEAVIEST);
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
                    alike.weight = (length as f64).min(HEAVIEST);
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

/// The shifts with most votes, best first.
fn vote(shapes: &Shapes, step: f64) -> Vec<Votes> {
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
    let enough = LEAST * total[0].min(total[1]);
    let mut best: Vec<Votes> = (votes.iter())
        .filter(|(key, votes)| **key != [0, 0] && votes.weight >= enough && votes.weight > stays)
        .map(|(_, votes)| *votes)
        .collect();
    best.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    best.truncate(CANDIDATES);
    best
}

/// Of the shifts that got most votes, the one that brings most of what is
/// blocked to lie on itself.
fn elect(candidates: &[Votes], old: &NavMesh, new: &NavMesh) -> Option<DVec2> {
    let first = candidates.first()?;
    let shift = |votes: &Votes| votes.sum / votes.count;
    let agreement = |shift| agreement(old, new, shift);
    let (Some(_), Some(stays)) = (agreement(shift(first)), agreement(DVec2::ZERO)) else {
        // The cells do not fall together: the votes must do.
        let tied = candidates.get(1).is_some_and(|v| v.weight == first.weight);
        return (!tied).then(|| shift(first));
    };
    let mut scores: Vec<(i64, f64, DVec2)> = (candidates.iter())
        .filter_map(|votes| Some((agreement(shift(votes))?, votes.weight, shift(votes))))
        .collect();
    scores.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
    let &(score, weight, shift) = scores.first()?;
    let tied = (scores.get(1)).is_some_and(|(s, w, _)| (*s, *w) == (score, weight));
    (!tied && (score > stays || score == 0 && stays == 0)).then_some(shift)
}

/// Vertices blocked in both files, less those blocked in one, where the grids
/// overlap. `None` when their cells do not fall together.
fn agreement(old: &NavMesh, new: &NavMesh, shift: DVec2) -> Option<i64> {
    let offset = super::frame::cells(old.grid(), new.grid(), shift)?;
    let mut score = 0;
    for layer in new.layers() {
        let Some(before) = old.layer_named(&layer.profile().name) else {
            continue;
        };
        for row in 0..new.grid().rows {
            for column in 0..new.grid().columns {
                let cell = Cell { column, row };
                let Some(was) = super::terrain::before(cell, offset, old.grid()) else {
                    continue;
                };
                let was = before.blocked().get(was.column, was.row);
                let is = layer.blocked().get(column, row);
                score += match (was, is) {
                    (true, true) => 1,
                    (false, false) => 0,
                    _ => -1,
                };
            }
        }
    }
    Some(score)
}
