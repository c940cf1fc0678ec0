//! Several paths to one goal that really differ.

use std::cmp::Ordering;

use glam::Vec2;

use navmesh_runtime::mesh::{Layer, PlatformKind};
use navmesh_runtime::search::{CostArea, Path, PathFinder, Query, QueryError};
use navmesh_runtime::search::{Rect, Step, StepKind};

/// What counts as an alternative to the cheapest path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RouteLimits {
    /// Greatest number of paths with the cheapest, 1 to 8.
    pub count: usize,
    /// Greatest duration, as a multiple of that of the cheapest path; 1 or more.
    pub stretch: f64,
    /// Greatest part that a path shares with each of the others, 0 to 1: the share of
    /// its length that is at most a spacing away from the other path. It holds for both
    /// of any two paths. Jumps count by the straight line between their ends, portals
    /// not at all.
    pub shared: f32,
}

impl Default for RouteLimits {
    /// Four paths, up to twice as long, that share half of their length.
    fn default() -> Self {
        Self {
            count: 4,
            stretch: 2.0,
            shared: 0.5,
        }
    }
}

/// Greatest number of alternatives.
const MOST_ROUTES: usize = 8;
/// How much more a second costs on a path that was found before. With less, more
/// searches find the same path again; with more, longer ones are found too early.
const PENALTY: f32 = 0.5;
/// Searches for each path that is wanted: most levels have fewer alternatives than
/// are wanted, so the number must be limited.
const TRIES: usize = 3;
/// The length of a piece of a path that is penalized, in spacings.
const PIECE: f32 = 4.0;
/// Greatest number of points of a step; a path has at most this number and one for each
/// step. Only paths longer than 50,000 spacings have points farther apart than half a
/// spacing. Nothing in a file bounds the length of a path in spacings.
pub const MOST_POINTS: f32 = 1e5;
/// Greatest number of pieces of a step that are penalized. Each is a cost area, which
/// later searches sum up.
const MOST_PIECES: f32 = 256.0;

impl RouteLimits {
    /// Finds the cheapest path and others that differ from it and from each other, in
    /// the order in which they are found. Empty when there is no path.
    ///
    /// This is the penalty method: search, make what was found cost 1.5 times as much,
    /// and search again. A path counts if it keeps to the limits. There may be other
    /// alternatives that the method does not find. Makes at most three searches for each
    /// path that is wanted.
    ///
    /// The [`cost`](Path::cost) of each path is its duration in seconds; only that of
    /// the first includes what the filter of the query adds.
    ///
    /// # Errors
    /// When the query holds a number that is out of range.
    pub fn find(
        &self,
        layer: &Layer,
        finder: &mut PathFinder,
        query: &Query,
    ) -> Result<Vec<Path>, QueryError> {
        let mut query = query.clone();
        query.allow_partial_path = false;
        let count = self.count.clamp(1, MOST_ROUTES);
        let mut found: Vec<(Path, Vec<Vec2>, Cells)> = Vec::new();
        for _ in 0..count * TRIES {
            let Some(path) = finder.find(layer, &query)?.path() else {
                break;
            };
            let points = samples(layer, &path.steps, 0.5 * layer.grid().spacing);
            let cells = Cells::new(layer, &points);
            let seconds = duration(path);
            penalize(layer, path, &mut query);
            let best = found.first();
            let is_short = best.is_none_or(|(p, ..)| seconds <= self.stretch * duration(p));
            let differs = |(_, other, near): &(Path, Vec<Vec2>, Cells)| {
                near.shared(&points) <= self.shared && cells.shared(other) <= self.shared
            };
            if is_short && found.iter().all(differs) {
                let mut path = path.clone();
                if !found.is_empty() {
                    path.cost = seconds;
                }
                let is_last = path.steps.is_empty() || found.len() + 1 == count;
                found.push((path, points, cells));
                if is_last {
                    break;
                }
            }
        }
        Ok(found.into_iter().map(|(path, ..)| path).collect())
    }
}

/// The seconds that a path takes.
pub fn duration(path: &Path) -> f64 {
    path.steps.iter().map(|step| f64::from(step.duration)).sum()
}

/// Makes what a path uses cost more.
fn penalize(layer: &Layer, path: &Path, query: &mut Query) {
    let margin = Vec2::splat(0.5 * layer.grid().spacing);
    let mut points = Vec::new();
    for step in &path.steps {
        if let Some(link) = step.link {
            query.filter.avoided.push((link, PENALTY * step.duration));
            continue;
        }
        points.clear();
        let least = step.from.distance(step.to) / MOST_PIECES;
        let piece = least.max(PIECE * layer.grid().spacing);
        sample_step(layer, step, piece, &mut points);
        points.push(step.to);
        // Level and upright stretches are one piece: each costs time in a search.
        let mut kept = vec![step.from];
        for trio in points.windows(3) {
            let is_level = trio.iter().all(|p| p.y == trio[0].y);
            let is_upright = trio.iter().all(|p| p.x == trio[0].x);
            if !(is_level || is_upright) {
                kept.push(trio[1]);
            }
        }
        kept.push(step.to);
        for pair in kept.windows(2) {
            let piece = Rect::new(pair[0], pair[1]);
            query.filter.costs.push(CostArea {
                area: Rect {
                    min: piece.min - margin,
                    max: piece.max + margin,
                },
                factor: 1.0 + PENALTY,
            });
        }
    }
}

/// The points of a path, by cells with sides of a spacing.
pub struct Cells {
    spacing: f64,
    /// Each with its cell, and sorted by it.
    points: Vec<([f64; 2], Vec2)>,
}

impl Cells {
    /// Parts of a cell along each axis, of which each keeps one point. A distance is off
    /// by the diagonal of a part at most, 0.18 spacings, and a path that passes a cell
    /// a thousand times is compared with at most 64 points of it.
    const PARTS: f64 = 8.0;

    pub fn new(layer: &Layer, points: &[Vec2]) -> Self {
        Self::with_side(layer.grid().spacing, points)
    }

    fn with_side(spacing: f32, points: &[Vec2]) -> Self {
        let spacing = f64::from(spacing);
        let part = |point: Vec2| (point.as_dvec2() * (Self::PARTS / spacing)).floor();
        let mut parts: Vec<_> = points.iter().map(|&p| (part(p).to_array(), p)).collect();
        parts.sort_by(|(a, _), (b, _)| order(a, b));
        parts.dedup_by(|(a, _), (b, _)| a == b);
        let points = parts.iter().map(|&(_, p)| (cell(p, spacing), p));
        let mut points: Vec<_> = points.collect();
        points.sort_by(|(a, _), (b, _)| order(a, b));
        Self { spacing, points }
    }

    /// The share of some points that are at most a spacing away. See
    /// [`RouteLimits::shared`].
    pub fn shared(&self, points: &[Vec2]) -> f32 {
        // Beside a path along the next row of vertices, the nearest of its points is up to
        // a quarter of a spacing and the diagonal of a part farther along.
        let reach = 1.1 * self.spacing;
        let near = points.iter().filter(|&&point| {
            let mut others = self.around(point);
            others.any(|other| f64::from(other.distance(point)) <= reach)
        });
        near.count() as f32 / points.len().max(1) as f32
    }

    /// The points in the cell of a point and in those beside it.
    fn around(&self, point: Vec2) -> impl Iterator<Item = Vec2> + use<'_> {
        let [x, y] = cell(point, self.spacing);
        [x - 1.0, x, x + 1.0].into_iter().flat_map(move |x| {
            let first = self
                .points
                .partition_point(|(c, _)| order(c, &[x, y - 1.0]).is_lt());
            let rest = self.points.get(first..).unwrap_or_default().iter();
            let column = rest.take_while(move |(c, _)| order(c, &[x, y + 1.0]).is_le());
            column.map(|&(_, point)| point)
        })
    }
}

/// The cell of a point. Far from the origin it is no whole number, and then only
/// points at the same place share one.
fn cell(point: Vec2, spacing: f64) -> [f64; 2] {
    (point.as_dvec2() / spacing).floor().to_array()
}

fn order(a: &[f64; 2], b: &[f64; 2]) -> Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}

/// Points along steps, at most `gap` apart (world units), with their start and end.
pub fn samples(layer: &Layer, steps: &[Step], gap: f32) -> Vec<Vec2> {
    let length: f32 = steps.iter().map(|step| step.from.distance(step.to)).sum();
    let gap = gap.max(length / MOST_POINTS);
    let mut points = Vec::new();
    for step in steps {
        sample_step(layer, step, gap, &mut points);
    }
    points.extend(steps.last().map(|step| step.to));
    points
}

/// The start of a step and points along it, without its end.
pub fn sample_step(layer: &Layer, step: &Step, gap: f32, points: &mut Vec<Vec2>) {
    if step.kind == StepKind::Portal {
        points.push(step.from);
        return;
    }
    let platform = step.platform.and_then(|id| layer.platform(id));
    let floor = platform.filter(|p| step.link.is_none() && p.kind == PlatformKind::Floor);
    let count = (step.from.distance(step.to) / gap)
        .ceil()
        .clamp(1.0, MOST_POINTS) as u32;
    points.extend((0..count).map(|i| {
        let point = step.from.lerp(step.to, i as f32 / count as f32);
        floor.map_or(point, |floor| floor.clamp(point.x))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many points are looked at to compare some points with themselves.
    fn looked_at(spacing: f32, points: &[Vec2]) -> usize {
        let cells = Cells::with_side(spacing, points);
        assert_eq!(cells.shared(points), 1.0);
        points.iter().map(|&p| cells.around(p).count()).sum()
    }

    #[test]
    fn comparing_paths_takes_time_in_proportion_to_their_points() {
        let line = |count: u16, gap: f32| -> Vec<Vec2> {
            let at = |i| Vec2::new(64.0, f32::from(i) * gap);
            (0..count).map(at).collect()
        };
        for count in [10_000, 20_000] {
            let points = usize::from(count);
            // Half a spacing apart, all in a few cells, and as far apart as in a file
            // whose spacing is next to nothing.
            assert!(looked_at(8.0, &line(count, 4.0)) <= 8 * points);
            assert!(looked_at(8.0, &line(count, 1e-3)) <= 64 * points);
            assert!(looked_at(2.5e-24, &line(count, 4.0)) <= 8 * points);
        }
    }

    #[test]
    fn shared_parts_are_those_within_a_spacing() {
        let line = |x: f32, from: f32| -> Vec<Vec2> {
            (0..100)
                .map(|i| Vec2::new(x, from + 4.0 * i as f32))
                .collect()
        };
        let cells = Cells::with_side(8.0, &line(0.0, 0.0));
        assert_eq!(cells.shared(&line(6.5, 0.0)), 1.0);
        // Along the next row of vertices, between its points.
        assert_eq!(cells.shared(&line(8.0, 2.0)), 1.0);
        assert_eq!(cells.shared(&line(-9.5, 0.0)), 0.0);
        let half = cells.shared(&line(0.0, 200.0));
        assert!((half - 0.52).abs() < 0.02, "{half}");
    }
}
