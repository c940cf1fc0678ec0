//! How the coordinates of the old file map to those of the new one, and which thing is which.
//!
//! A level that grew to the left or to the top has all its coordinates shifted. Markers whose
//! name occurs only once, and the corners of the two grids, give offsets by which it may be
//! shifted. The one at which most blocked cells coincide is taken.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Cell, Grid, NavMesh};
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::counts::cells;
use crate::report::format::by_numbers;

/// Offsets that differ by less than this part of a spacing are equal.
const STEPS: f64 = 16.0;
/// How many offsets are compared by the cells that coincide, those of most markers first.
/// Each takes a pass over all cells of the level.
const CANDIDATES: usize = 12;
/// With how many things of each square around it one thing is compared, those of nearest
/// number first. A level that people draw has fewer; a forged one may have a million at one
/// point.
const COMPARED: usize = 512;
/// How many partners of a thing are considered at a time.
const KEPT: usize = 16;
/// How often the things without a partner are compared again. Those whose partners were
/// better ones of others need a second round.
const ROUNDS: usize = 8;

/// Maps places of the old file to places of the new one.
#[derive(Debug, Clone)]
pub struct Alignment {
    /// Added to old coordinates, world units.
    pub shift: DVec2,
    /// Two places this close together are the same place, world units.
    pub slack: f64,
    /// Side of a cell of the new grid.
    pub spacing: f64,
    /// Whether the cells of the two grids coincide.
    pub has_cells: bool,
}

impl Alignment {
    pub fn between(old: &NavMesh, new: &NavMesh) -> Self {
        let (a, b) = (old.grid(), new.grid());
        let shift = find_shift(old, new).unwrap_or_default();
        Self {
            shift,
            slack: f64::from(b.spacing.min(a.spacing)) / 128.0,
            spacing: b.spacing.into(),
            has_cells: coincide(a, b, shift),
        }
    }

    /// Whether the level as a whole moved.
    pub fn moved(&self) -> bool {
        self.shift != DVec2::ZERO
    }

    /// A place of the old file in the coordinates of the new one.
    pub fn place(&self, old: Vec2) -> DVec2 {
        old.as_dvec2() + self.shift
    }

    /// Whether a place of the old file is this place of the new one.
    pub fn same(&self, old: Vec2, new: Vec2) -> bool {
        is_near(self.place(old), new.as_dvec2(), self.slack)
    }

    /// The cell of the old grid at a place of the new file.
    pub fn old_cell(&self, new: Vec2, old: &Grid) -> Option<Cell> {
        old_cell(new, self.shift, old)
    }
}

fn old_cell(new: Vec2, shift: DVec2, old: &Grid) -> Option<Cell> {
    old.cell_at((new.as_dvec2() - shift).as_vec2())
}

/// Whether two places are at most `slack` apart, both across and along y.
pub fn is_near(a: DVec2, b: DVec2, slack: f64) -> bool {
    (a - b).abs().max_element() <= slack
}

/// Whether the cells of the old grid, once moved, lie on those of the new one.
fn coincide(old: &Grid, new: &Grid, shift: DVec2) -> bool {
    let between = old.origin.as_dvec2() + shift - new.origin.as_dvec2();
    let in_cells = between / f64::from(new.spacing);
    old.spacing == new.spacing && is_near(in_cells, in_cells.round(), 1.0 / 128.0)
}

/// What to add to the coordinates of `old`. `None` when nothing moved, and when two shifts
/// are equally good.
fn find_shift(old: &NavMesh, new: &NavMesh) -> Option<DVec2> {
    let step = f64::from(new.grid().spacing) / STEPS;
    let (before, after) = (markers(old), markers(new));
    // The number of markers that moved by it, and the offset.
    let corners = corner_offsets(old.grid(), new.grid());
    let mut offsets = corners.map(|offset| (0, offset)).to_vec();
    for (name, places) in &before {
        if let ([a], Some([b])) = (&places[..], after.get(name).map(|alike| &alike[..])) {
            offsets.push((1, *b - *a));
        }
    }
    // By offset in steps: the number of markers that moved by it, and the offset.
    let mut found: BTreeMap<[i64; 2], (usize, DVec2)> = BTreeMap::new();
    for (markers, offset) in offsets {
        let steps = (offset / step).round().as_i64vec2();
        found.entry(steps.to_array()).or_insert((0, offset)).0 += markers;
    }
    let at_rest = found.remove(&[0, 0]).map_or(0, |(markers, _)| markers);
    let mut candidates: Vec<(usize, DVec2)> = found.into_values().collect();
    candidates.sort_by_key(|(markers, _)| Reverse(*markers));
    candidates.truncate(CANDIDATES);
    let unmoved = coinciding(old, new, DVec2::ZERO);
    let scores = candidates.into_iter().map(|(markers, shift)| {
        // Where cells do not coincide, the markers decide.
        let score = coinciding(old, new, shift).filter(|_| unmoved.is_some());
        (score, markers, shift)
    });
    let mut scores: Vec<_> = scores.collect();
    scores.sort_by_key(|(score, markers, _)| Reverse((*score, *markers)));
    let (score, markers, shift) = *scores.first()?;
    let is_tied = (scores.get(1)).is_some_and(|other| (other.0, other.1) == (score, markers));
    let is_better = match (score, unmoved) {
        // Below 0, the two levels have too little in common.
        (Some(moved), Some(unmoved)) if moved != unmoved => moved > unmoved.max(0),
        _ => unmoved.is_none_or(|unmoved| unmoved <= 0) && markers > at_rest,
    };
    (is_better && !is_tied).then_some(shift)
}

/// The places of markers by class, name and id.
fn markers(mesh: &NavMesh) -> BTreeMap<(&str, &str, Option<&str>), Vec<DVec2>> {
    let mut markers: BTreeMap<_, Vec<DVec2>> = BTreeMap::new();
    for marker in mesh.markers() {
        let name = (&*marker.class, &*marker.name, marker.property("id"));
        let places = markers.entry(name).or_default();
        places.push(marker.position.as_dvec2());
    }
    markers
}

/// By how much each corner of a grid moved.
fn corner_offsets(old: &Grid, new: &Grid) -> [DVec2; 4] {
    let [was, is] = [old, new].map(|grid| {
        let size = DVec2::new(grid.columns.into(), grid.rows.into()) * f64::from(grid.spacing);
        let first = grid.origin.as_dvec2();
        let down = DVec2::new(1.0, grid.y_axis.down().into());
        [first, first + size * down]
    });
    let [first, last] = [is[0] - was[0], is[1] - was[1]];
    [
        first,
        last,
        DVec2::new(first.x, last.y),
        DVec2::new(last.x, first.y),
    ]
}

/// The number of vertices blocked in both files minus those blocked in only one, where the
/// grids overlap. `None` when their cells do not coincide.
fn coinciding(old: &NavMesh, new: &NavMesh, shift: DVec2) -> Option<i64> {
    if !coincide(old.grid(), new.grid(), shift) {
        return None;
    }
    let mut score = 0;
    for layer in new.layers() {
        let Some(before) = old.layer_named(&layer.profile().name) else {
            continue;
        };
        for cell in cells(new.grid()) {
            if let Some(was) = old_cell(middle(new.grid(), cell), shift, old.grid()) {
                let was = before.parts().blocked.get(was.column, was.row);
                let is = layer.parts().blocked.get(cell.column, cell.row);
                score += i64::from(was && is) - i64::from(was != is);
            }
        }
    }
    Some(score)
}

/// The middle of a cell: at its border, rounding would decide to which cell it belongs.
pub fn middle(grid: &Grid, cell: Cell) -> Vec2 {
    grid.position(cell) - Vec2::new(0.0, 0.5 * grid.spacing * grid.y_axis.down())
}

/// What became what.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Replaced<T> {
    /// Before.
    pub old: T,
    /// After.
    pub new: T,
}

/// A thing that both files have, before and after.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Edited<T> {
    /// What changed.
    pub what: Vec<&'static str>,
    /// Before.
    pub old: T,
    /// After.
    pub new: T,
}

/// Which things of the old file are which of the new one, by their numbers.
pub struct Matching {
    /// Old and new.
    pub pairs: Vec<(usize, usize)>,
    /// Those of the old file without a partner, ascending.
    pub old: Vec<usize>,
    /// Those of the new file.
    pub new: Vec<usize>,
}

impl Matching {
    /// No pair of so many things.
    pub fn none(old: usize, new: usize) -> Self {
        Self {
            pairs: Vec::new(),
            old: (0..old).collect(),
            new: (0..new).collect(),
        }
    }

    /// Adds pairs, of which several may have one thing in common.
    pub fn add(&mut self, pairs: &[(usize, usize)]) {
        let (old, new): (BTreeSet<_>, BTreeSet<_>) = pairs.iter().copied().unzip();
        self.old.retain(|o| !old.contains(o));
        self.new.retain(|n| !new.contains(n));
        self.pairs.extend(pairs);
    }

    /// Pairs things without a partner, each with at most one. The place of each thing of the old
    /// file is that in the new one; those of a pair are at most `within` apart. Pairs of least
    /// `order` come first; it is `None` where two things cannot be a pair.
    ///
    /// Time and memory grow with the number of things, also where all are at one point.
    pub fn add_nearest<const N: usize>(
        &mut self,
        places: [&[DVec2]; 2],
        within: f64,
        mut order: impl FnMut(usize, usize) -> Option<[f64; N]>,
    ) {
        for _ in 0..ROUNDS {
            let sides = [(&self.old, places[0]), (&self.new, places[1])];
            let squares = sides.map(|(ids, places)| {
                let mut squares: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
                for id in ids {
                    let square = squares.entry(square(places[*id], within));
                    square.or_default().push(*id);
                }
                squares
            });
            let mut candidates = Vec::new();
            for (at, ids) in &squares[0] {
                for (rank, o) in ids.iter().enumerate() {
                    let mut of_one = Vec::new();
                    for near in around(*at).filter_map(|at| squares[1].get(&at)) {
                        let start = rank.min(near.len()).saturating_sub(COMPARED / 2);
                        for (other, n) in near.iter().enumerate().skip(start).take(COMPARED) {
                            let apart = rank.abs_diff(other);
                            of_one.extend(order(*o, *n).map(|order| (order, apart, *o, *n)));
                        }
                    }
                    if of_one.len() > KEPT {
                        of_one.select_nth_unstable_by(KEPT, in_order);
                        of_one.truncate(KEPT);
                    }
                    candidates.append(&mut of_one);
                }
            }
            candidates.sort_by(in_order);
            let (mut paired, mut taken) = (BTreeSet::new(), BTreeSet::new());
            let mut pairs = Vec::new();
            for (_, _, o, n) in candidates {
                if !paired.contains(&o) && taken.insert(n) {
                    paired.insert(o);
                    pairs.push((o, n));
                }
            }
            if pairs.is_empty() {
                break;
            }
            self.add(&pairs);
        }
    }
}

/// Of equal pairs, those come first that have the same number among the places around.
fn in_order<const N: usize>(
    a: &([f64; N], usize, usize, usize),
    b: &([f64; N], usize, usize, usize),
) -> Ordering {
    by_numbers(&a.0, &b.0).then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3)))
}

/// The square of side `within` that has a place.
fn square(place: DVec2, within: f64) -> [i64; 2] {
    let square = (place / within.max(f64::MIN_POSITIVE)).floor();
    square.as_i64vec2().to_array()
}

/// A square and its eight neighbours.
fn around([x, y]: [i64; 2]) -> impl Iterator<Item = [i64; 2]> {
    let offsets = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
    offsets.map(move |(dx, dy)| [x.saturating_add(dx), y.saturating_add(dy)])
}
