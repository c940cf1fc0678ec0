//! The line that the feet follow on a platform.

use std::cmp::Ordering;

use glam::DVec2;
use navmesh_runtime::mesh::PlatformKind;

use crate::connection::reading_order;
use crate::geometry::height_on;
use crate::level::Rect;

/// A maximal line that the agent walks or climbs without a break.
#[derive(Debug, Clone, PartialEq)]
pub struct PlatformLine {
    pub kind: PlatformKind,
    /// Positions of the feet on the lattice, at least one: floors and ceilings
    /// from left to right, ladders and walls from top to bottom. A step is a
    /// ramp one quantum of the lattice wide.
    pub points: Vec<DVec2>,
    /// The x at which support ends to the left, when the body can walk off
    /// there: it falls from exactly this x on. `None` for ladders, walls and
    /// ceilings.
    pub edge_left: Option<f64>,
    /// The same to the right.
    pub edge_right: Option<f64>,
}

impl PlatformLine {
    /// The straight line of a ladder, wall or ceiling.
    pub fn climbed(kind: PlatformKind, from: DVec2, to: DVec2) -> Self {
        Self {
            kind,
            points: vec![from, to],
            edge_left: None,
            edge_right: None,
        }
    }

    /// The left or upper end.
    pub fn start(&self) -> DVec2 {
        self.points[0]
    }

    /// The right or lower end.
    pub fn end(&self) -> DVec2 {
        self.points[self.points.len() - 1]
    }

    /// The coordinate of a point along the line.
    pub fn along(&self, point: DVec2) -> f64 {
        if self.kind.is_upright() {
            point.y
        } else {
            point.x
        }
    }

    /// Its bounding box.
    pub fn bounds(&self) -> Rect {
        let nothing = Rect::new(DVec2::INFINITY, DVec2::NEG_INFINITY);
        Rect::around(self.points.iter().copied()).unwrap_or(nothing)
    }

    /// How far it goes along.
    pub fn length(&self) -> f64 {
        self.along(self.end()) - self.along(self.start())
    }

    /// The height at `x` of a line that is not upright, clamped to its ends.
    pub fn height_at(&self, x: f64) -> f64 {
        height_on(&self.points, x)
    }

    /// How far a line that is not upright goes to the left and to the right of a point on
    /// it without rising above the point.
    pub fn not_higher_beside(&self, at: DVec2) -> [f64; 2] {
        let is_left = |point: &DVec2| point.x < at.x;
        let left = self.points.iter().rev().filter(|point| is_left(point));
        let right = self.points.iter().filter(|point| !is_left(point));
        [
            not_higher(left.copied(), at),
            not_higher(right.copied(), at),
        ]
    }

    /// Its flat segments, from left to right; none of an upright line.
    pub fn flat_segments(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let pairs = self.points.windows(2).map(|pair| (pair[0], pair[1]));
        pairs.filter(|(a, b)| a.y == b.y && !self.kind.is_upright())
    }

    /// Orders lines by their start, from left to right, then top to bottom.
    pub fn order(&self, other: &Self) -> Ordering {
        reading_order(self.start(), other.start())
    }
}

/// How far away from a point a line that leads away from it rises above it.
fn not_higher(line: impl Iterator<Item = DVec2>, from: DVec2) -> f64 {
    let mut last = from;
    for point in line {
        if point.y < from.y {
            let share = (from.y - last.y) / (point.y - last.y);
            return (last.lerp(point, share).x - from.x).abs();
        }
        last = point;
    }
    f64::INFINITY
}
