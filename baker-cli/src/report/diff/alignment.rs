//! How the coordinates of the old file map to those of the new one.
//!
//! A level that grew to the left or to the top has all its coordinates
//! shifted. To find the shift, every pair of things of the same shape, one in
//! each file, votes for the offset between them, weighted by its size up to a
//! limit. At the right offset every thing has at most one partner, so the
//! votes of an offset measure how much of the level lies on itself. Among the
//! offsets with the most votes, the terrain decides.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Cell, Grid, Layer, NavMesh};

use crate::report::counts::{cells, runs};
use crate::report::format::by_numbers;

/// Maps places of the old file to places of the new one.
#[derive(Debug, Clone)]
pub(crate) struct Alignment {
    /// Added to old coordinates, world units.
    pub(crate) shift: DVec2,
    /// Two places this close together are the same place, world units.
    pub(crate) slack: f64,
    /// Side of a cell of the new grid.
    pub(crate) spacing: f64,
    /// Added to a cell (column, row) of the old grid; `None` when the cells of
    /// the two grids do not coincide.
    pub(crate) cells: Option<[i64; 2]>,
}

impl Alignment {
    /// Of two meshes with the same direction of y.
    pub(crate) fn between(old: &NavMesh, new: &NavMesh) -> Self {
        let (a, b) = (old.grid(), new.grid());
        let shift = estimate_shift(old, new).unwrap_or_default();
        Self {
            shift,
            slack: f64::from(b.spacing.min(a.spacing)) / 128.0,
            spacing: b.spacing.into(),
            cells: cell_offset(a, b, shift),
        }
    }

    /// The mapping from the new file to the old one.
    pub(crate) fn reversed(&self) -> Self {
        Self {
            shift: -self.shift,
            cells: self.cells.map(|offset| offset.map(|v| -v)),
            ..self.clone()
        }
    }

    /// Whether the level as a whole moved.
    pub(crate) fn moved(&self) -> bool {
        self.shift != DVec2::ZERO
    }

    /// A place of the old file in the coordinates of the new one.
    pub(crate) fn place(&self, old: Vec2) -> DVec2 {
        old.as_dvec2() + self.shift
    }

    /// Whether a place of the old file is this place of the new one.
    pub(crate) fn same(&self, old: Vec2, new: Vec2) -> bool {
        (self.place(old) - new.as_dvec2()).abs().max_element() <= self.slack
    }

    /// The cell of the old grid that coincides with a cell of the new one.
    pub(super) fn old_cell(&self, cell: Cell, old: &Grid) -> Option<Cell> {
        shifted_back(cell, self.cells?, old)
    }
}

/// What is added to a cell of the old grid to get the cell of the new grid
/// that covers the same square.
fn cell_offset(old: &Grid, new: &Grid, shift: DVec2) -> Option<[i64; 2]> {
    if old.spacing != new.spacing {
        return None;
    }
    let down = DVec2::new(1.0, f64::from(new.y_axis.down()));
    let between = old.origin.as_dvec2() + shift - new.origin.as_dvec2();
    let between = between * down / f64::from(new.spacing);
    let whole = between.round();
    // Farther away than any grid is wide, but not so far that sums overflow.
    let far = DVec2::splat(f64::from(u32::MAX));
    let cells = whole.clamp(-far, far).as_i64vec2();
    ((between - whole).abs().max_element() < 1.0 / 128.0).then_some(cells.to_array())
}

fn shifted_back(cell: Cell, offset: [i64; 2], old: &Grid) -> Option<Cell> {
    let at = |v: u32, by: i64, end: u32| u32::try_from(i64::from(v) - by).ok().filter(|v| *v < end);
    Some(Cell {
        column: at(cell.column, offset[0], old.columns)?,
        row: at(cell.row, offset[1], old.rows)?,
    })
}

/// Pairs candidates (order, old index, new index), the least order first, so
/// that every index has at most one partner.
pub(super) fn pair_nearest<const N: usize>(
    mut candidates: Vec<([f64; N], usize, usize)>,
) -> Vec<(usize, usize)> {
    candidates.sort_by(|a, b| by_numbers(&a.0, &b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
    let pairs = candidates.into_iter().map(|(_, o, n)| (o, n));
    pairs
        .filter(|(o, n)| !old.contains(o) && new.insert(*n) && old.insert(*o))
        .collect()
}

/// Indices of things sorted by an x.
pub(super) struct ByX(Vec<(f64, usize)>);

impl ByX {
    pub(super) fn new(things: impl IntoIterator<Item = (f64, usize)>) -> Self {
        let mut order: Vec<(f64, usize)> = things.into_iter().collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self(order)
    }

    /// The things whose x is between two values.
    pub(super) fn between(&self, low: f64, high: f64) -> impl Iterator<Item = usize> {
        let first = self.0.partition_point(|(x, _)| *x < low);
        (self.0[first..].iter())
            .take_while(move |(x, _)| *x <= high)
            .map(|(_, i)| *i)
    }
}

/// Votes within this part of a spacing count for the same shift.
const STEPS: f64 = 16.0;
/// Things that are alike and have more pairs than this are not compared pair by pair: it
/// would take seconds. As shapes do not vote then, their votes do not spread over all
/// shifts.
pub(super) const MOST_PAIRS: usize = 1 << 17;
/// The part of the smaller level that must lie on the other one. Below it the
/// files have too little in common to find a shift.
const LEAST_PART: f64 = 0.15;
/// Size in cells beyond which a larger thing has no more weight: a floor as
/// wide as the level grows with the level, so its length says little.
const HEAVIEST: f64 = 4.0;
/// How many of the shifts with the most votes are compared by terrain.
const CANDIDATES: usize = 8;

/// Where things of one shape are in the old and in the new file, and their
/// weight.
#[derive(Default)]
struct Alike {
    places: [Vec<DVec2>; 2],
    weight: f64,
}

/// Things by a description of their shape that is independent of their place.
#[derive(Default)]
struct Shapes(BTreeMap<(u8, String, Vec<[i64; 2]>), Alike>);

impl Shapes {
    /// Adds a thing of the old (0) or of the new file (1).
    fn add(&mut self, side: usize, shape: (u8, String, Vec<[i64; 2]>), weight: f64, place: Vec2) {
        let alike = self.0.entry(shape).or_default();
        alike.weight = weight;
        alike.places[side].push(place.as_dvec2());
    }
}

/// What to add to the coordinates of `old`. `None` when nothing moved, and
/// when two shifts are equally good.
fn estimate_shift(old: &NavMesh, new: &NavMesh) -> Option<DVec2> {
    let step = f64::from(new.grid().spacing) / STEPS;
    let mut shapes = Shapes::default();
    for (side, (mesh, other)) in [(old, new), (new, old)].into_iter().enumerate() {
        for layer in mesh.layers() {
            if other.layer_named(&layer.profile().name).is_some() {
                add_platforms(&mut shapes, side, layer, step);
                if layer.platforms().len() == 0 && old.grid().spacing == new.grid().spacing {
                    add_tops(&mut shapes, side, layer);
                }
            }
        }
        for marker in mesh.markers() {
            let name = format!("{:?} {:?}", marker.class, marker.name);
            shapes.add(side, (2, name, Vec::new()), 1.0, marker.position);
        }
    }
    elect(&vote(&shapes, step), old, new)
}

/// The shape of a platform is its surface relative to its left end.
fn add_platforms(shapes: &mut Shapes, side: usize, layer: &Layer, step: f64) {
    let spacing = f64::from(layer.grid().spacing);
    for platform in layer.platforms() {
        let left = platform.left();
        let relative = |p: &Vec2| {
            let from_left = ((*p - left).as_dvec2() / step).round();
            [from_left.x as i64, from_left.y as i64]
        };
        let surface = platform.surface.iter().map(relative).collect();
        let shape = (0, layer.profile().name.clone(), surface);
        let cells = f64::from(platform.right().x - left.x) / spacing;
        shapes.add(side, shape, 1.0 + cells.min(HEAVIEST), left);
    }
}

/// For layers without platforms: the upper borders of blocked runs.
fn add_tops(shapes: &mut Shapes, side: usize, layer: &Layer) {
    let (grid, blocked) = (layer.grid(), &layer.parts().blocked);
    for row in 1..grid.rows {
        let is_top = |column| blocked.get(column, row) && !blocked.get(column, row - 1);
        for (run, _) in runs(grid.columns, is_top).filter(|(_, is_top)| *is_top) {
            let shape = vec![[run.len() as i64, 0]];
            let shape = (1, layer.profile().name.clone(), shape);
            let weight = (run.len() as f64).min(HEAVIEST);
            let place = Vec2::new(grid.column_x(run.start), grid.row_y(row));
            shapes.add(side, shape, weight, place);
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

impl Votes {
    fn shift(&self) -> DVec2 {
        self.sum / self.count
    }
}

/// The shifts with the most votes, best first.
fn vote(shapes: &Shapes, step: f64) -> Vec<Votes> {
    let mut votes: BTreeMap<[i64; 2], Votes> = BTreeMap::new();
    let mut total = [0.0; 2];
    for Alike { places, weight } in shapes.0.values() {
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
    let unmoved = votes.get(&[0, 0]).map_or(0.0, |v| v.weight);
    let enough = LEAST_PART * total[0].min(total[1]);
    let mut best: Vec<Votes> = (votes.iter())
        .filter(|(key, votes)| **key != [0, 0] && votes.weight >= enough && votes.weight > unmoved)
        .map(|(_, votes)| *votes)
        .collect();
    // Of as many votes the smaller shift first, so that it does not matter which file is
    // the old one.
    let length = |votes: &Votes| votes.shift().length_squared();
    best.sort_by(|a, b| (b.weight.total_cmp(&a.weight)).then(length(a).total_cmp(&length(b))));
    best.truncate(CANDIDATES);
    best
}

/// Of the shifts with the most votes, the one at which most blocked vertices
/// coincide.
fn elect(candidates: &[Votes], old: &NavMesh, new: &NavMesh) -> Option<DVec2> {
    let first = candidates.first()?;
    let agreement = |shift| agreement(old, new, shift);
    let (Some(_), Some(unmoved)) = (agreement(first.shift()), agreement(DVec2::ZERO)) else {
        // The cells do not coincide, so terrain cannot be compared.
        let tied = candidates.get(1).is_some_and(|v| v.weight == first.weight);
        return (!tied).then(|| first.shift());
    };
    let mut scores: Vec<(i64, f64, DVec2)> = (candidates.iter())
        .filter_map(|votes| Some((agreement(votes.shift())?, votes.weight, votes.shift())))
        .collect();
    // Stable: of those that agree as much, the one with the most votes stays first.
    scores.sort_by_key(|score| std::cmp::Reverse(score.0));
    let &(score, weight, shift) = scores.first()?;
    let tied = (scores.get(1)).is_some_and(|(s, w, _)| (*s, *w) == (score, weight));
    (!tied && (score > unmoved || score == 0 && unmoved == 0)).then_some(shift)
}

/// The number of vertices blocked in both files minus those blocked in only
/// one, where the grids overlap. `None` when their cells do not coincide.
fn agreement(old: &NavMesh, new: &NavMesh, shift: DVec2) -> Option<i64> {
    let offset = cell_offset(old.grid(), new.grid(), shift)?;
    let mut score = 0;
    for layer in new.layers() {
        let Some(before) = old.layer_named(&layer.profile().name) else {
            continue;
        };
        for cell in cells(new.grid()) {
            let Some(was) = shifted_back(cell, offset, old.grid()) else {
                continue;
            };
            let was = before.parts().blocked.get(was.column, was.row);
            let is = layer.parts().blocked.get(cell.column, cell.row);
            score += match (was, is) {
                (true, true) => 1,
                (false, false) => 0,
                _ => -1,
            };
        }
    }
    Some(score)
}
