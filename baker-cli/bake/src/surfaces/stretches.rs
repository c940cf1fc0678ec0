//! Straight pieces of surface that carry the body.

use std::cmp::Ordering;

use glam::DVec2;
use rayon::prelude::*;

use crate::agent_limits::AgentLimits;
use crate::connection::reading_order;
use crate::geometry::{ConfigurationSpace, Interval, TopEdge, subtract};
use crate::layout::Layout;

/// A straight piece of surface on which the feet rest: free of obstacles,
/// supported everywhere inside it, and no steeper than the agent walks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    pub left: DVec2,
    pub right: DVec2,
    /// Whether an obstacle stops the body at the left end; otherwise its
    /// support ends there.
    pub blocked_left: bool,
    /// The same at the right end.
    pub blocked_right: bool,
}

impl Stretch {
    /// The part of an edge within `x`. An obstacle ends it, except at the ends
    /// of the edge.
    fn part(edge: &TopEdge, x: Interval) -> Self {
        Self {
            left: edge.at(x.lo),
            right: edge.at(x.hi),
            blocked_left: x.lo > edge.left.x,
            blocked_right: x.hi < edge.right.x,
        }
    }

    /// Whether both ends have one height.
    pub fn is_flat(&self) -> bool {
        self.left.y == self.right.y
    }

    /// The point of its line at `x`, which may lie beyond its ends.
    pub fn at(&self, x: f64) -> DVec2 {
        let Self { left, right, .. } = *self;
        let one_way = false;
        let edge = TopEdge {
            left,
            right,
            one_way,
        };
        edge.at(x)
    }

    /// The height of its line at `x`, or at its nearer end.
    pub fn clamped_height_at(&self, x: f64) -> f64 {
        if x >= self.right.x {
            return self.right.y;
        }
        self.at(x.max(self.left.x)).y
    }

    /// Orders from left to right, then top to bottom.
    pub fn order(&self, other: &Self) -> Ordering {
        reading_order(self.left, other.left).then(reading_order(self.right, other.right))
    }
}

/// Finds all stretches in the area, ordered by [`Stretch::order`].
pub fn find_stretches(
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    limits: &AgentLimits,
) -> Vec<Stretch> {
    let area = layout.area;
    // The level is searched in bands, one task each: at least 8 cells high,
    // because smaller tasks cost more time to start than they save, and at most
    // 512 of them. The first and last band are open, because an obstacle whose
    // top is far outside the area can carry on a long slope inside it.
    let height = (8.0 * layout.spacing).max(area.size().y / 512.0);
    let bands = (area.size().y / height).ceil() as u32;
    let begin = |band: u32| match band.checked_sub(1) {
        None => f64::NEG_INFINITY,
        Some(above) if above > bands => f64::INFINITY,
        Some(above) => area.min.y + f64::from(above) * height,
    };
    // The slack admits slopes of exactly the limit in spite of rounding.
    let steepest = limits.slope * (1.0 + 1e-9) + 1e-12;
    let mut all: Vec<Stretch> = (0..=bands + 1)
        .into_par_iter()
        .flat_map_iter(|i| {
            let (mut found, mut covered) = (Vec::new(), Vec::new());
            for edge in space.top_edges(Interval::new(begin(i), begin(i + 1))) {
                let (left, right) = (edge.left, edge.right);
                let outside = right.x < area.min.x
                    || left.x > area.max.x
                    || left.y.min(right.y) > area.max.y
                    || left.y.max(right.y) <= area.min.y;
                if outside || (right.y - left.y).abs() > (right.x - left.x) * steepest {
                    continue;
                }
                space.covered([left, right], &mut covered);
                subtract(edge.x(), &covered, |x| {
                    // A single point does not carry the body.
                    if x.lo < x.hi {
                        found.push(Stretch::part(&edge, x));
                    }
                });
            }
            found
        })
        .collect();
    all.par_sort_by(Stretch::order);
    all
}
