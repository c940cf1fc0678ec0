//! The point nearest to a target among those reached.

use glam::Vec2;

use crate::mesh::{Platform, nearest_on};

/// The best point so far for a partial path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest<T> {
    best: Option<Candidate<T>>,
}

impl<T> Default for Nearest<T> {
    fn default() -> Self {
        Self { best: None }
    }
}

/// A point reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<T> {
    distance: f32,
    /// What it costs to reach it.
    pub(super) cost: f64,
    pub(super) position: Vec2,
    /// How it was reached.
    pub(super) how: T,
}

impl<T: Copy> Nearest<T> {
    pub(super) fn clear(&mut self) {
        self.best = None;
    }

    pub(super) fn get(&self) -> Option<Candidate<T>> {
        self.best
    }

    /// Keeps the nearer one; of two equally near ones, the one that costs
    /// less.
    pub(super) fn offer(&mut self, target: Vec2, position: Vec2, cost: f64, how: T) {
        let distance = target.distance(position);
        let better = self.best.is_none_or(|best| {
            (distance.total_cmp(&best.distance))
                .then(cost.total_cmp(&best.cost))
                .is_lt()
        });
        if better {
            self.best = Some(Candidate {
                distance,
                cost,
                position,
                how,
            });
        }
    }
}

/// The point of a platform nearest to a target, between two coordinates along
/// it.
pub(super) fn nearest_between(platform: &Platform<'_>, target: Vec2, low: f32, high: f32) -> Vec2 {
    if platform.kind().is_upright() {
        return platform.at(target.y.max(low).min(high));
    }
    let (low, high) = (low.max(platform.left().x), high.min(platform.right().x));
    let clamped = |point: Vec2| {
        // Along a segment the distance only falls or only rises towards its
        // nearest point, so a clamped one is nearest of those allowed.
        if (low..=high).contains(&point.x) {
            point
        } else {
            platform.clamp(point.x.clamp(low, high.max(low)))
        }
    };
    let surface = platform.surface();
    let mut best = clamped(surface[0]);
    for pair in surface.windows(2) {
        if pair[1].x < low || pair[0].x > high {
            continue;
        }
        let point = clamped(nearest_on(pair[0], pair[1], target));
        if point.distance_squared(target) < best.distance_squared(target) {
            best = point;
        }
    }
    best
}
