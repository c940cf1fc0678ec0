//! Several paths to one goal that really differ.

use glam::Vec2;

use super::cells::Cells;
use navmesh_runtime::mesh::{Layer, PlatformKind, StepKind};
use navmesh_runtime::search::{CostArea, Path, PathFinder, Query, QueryError};
use navmesh_runtime::search::{Rect, Step};

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
            let cells = Cells::new(layer.grid().spacing, &points);
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
