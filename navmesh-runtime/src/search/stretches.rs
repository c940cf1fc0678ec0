//! Stretches of platforms with something special about them: those that a
//! closed door covers, those in areas where time counts for more.

use glam::Vec2;

use super::Rect;
use super::regions::segment_inside;
use crate::mesh::{Layer, PlatformId};

/// A stretch of a platform with something special about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stretch {
    platform: PlatformId,
    pub(super) low: f32,
    pub(super) high: f32,
    /// What a second on it adds to its cost.
    pub(super) extra: f32,
}

/// Such stretches, by platform, from the left.
#[derive(Debug, Clone, Default)]
pub(super) struct Stretches {
    list: Vec<Stretch>,
}

impl Stretches {
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds those at which the feet are inside a rectangle.
    pub(super) fn add(&mut self, layer: &Layer, rect: Rect, extra: f32) {
        layer.floor_segments(rect.min, rect.max, |platform, a, b| {
            let Some((enter, leave)) = segment_inside(rect, a, b) else {
                return;
            };
            let (a, b) = ends_along(layer, platform, a, b);
            let along = |t: f64| (f64::from(a) + f64::from(b - a) * t) as f32;
            let (low, high) = if a == b {
                // All there is of a platform of one point.
                (a.next_down(), a.next_up())
            } else {
                (along(enter), along(leave))
            };
            self.list.push(Stretch {
                platform,
                low,
                high,
                extra,
            });
        });
    }

    /// Puts them in order, once all are there.
    pub(super) fn sort(&mut self) {
        self.list.sort_unstable_by(|a, b| {
            (a.platform.cmp(&b.platform))
                .then(a.low.total_cmp(&b.low))
                .then(a.high.total_cmp(&b.high))
                .then(a.extra.total_cmp(&b.extra))
        });
    }

    /// Makes those that meet one: a border inside is no place to stand.
    pub(super) fn unite(&mut self) {
        self.list.dedup_by(|next, kept| {
            let joined = next.platform == kept.platform && next.low <= kept.high;
            if joined {
                kept.high = kept.high.max(next.high);
            }
            joined
        });
    }

    /// Those of one platform.
    pub(super) fn on(&self, platform: PlatformId) -> impl Iterator<Item = &Stretch> {
        let first = self.list.partition_point(|s| s.platform < platform);
        self.list[first..]
            .iter()
            .take_while(move |s| s.platform == platform)
    }
}

/// The coordinates along a platform of two points of it.
fn ends_along(layer: &Layer, platform: PlatformId, a: Vec2, b: Vec2) -> (f32, f32) {
    layer
        .platform(platform)
        .map_or((a.x, b.x), |p| (p.along(a), p.along(b)))
}
