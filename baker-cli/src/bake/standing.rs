//! Stage 2: every stretch of surface the body can stand on.

use std::cmp::Ordering;

use glam::DVec2;
use rayon::prelude::*;

use super::{Layout, Limits};
use crate::geometry::{Band, BodySpace, Ledge};

/// A straight stretch of surface on which the feet rest: free of obstacles,
/// supported from below everywhere inside it, and no steeper than the agent
/// walks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Left end.
    pub left: DVec2,
    /// Right end.
    pub right: DVec2,
    /// Whether the body bumps into something at the left end; otherwise its
    /// support ends there.
    pub blocked_left: bool,
    /// The same at the right end.
    pub blocked_right: bool,
}

impl Stretch {
    /// Whether both ends have one height.
    pub fn is_flat(&self) -> bool {
        self.left.y == self.right.y
    }

    /// The height of its line at `x`, which may lie beyond its ends.
    pub fn height_at(&self, x: f64) -> f64 {
        let (left, right) = (self.left, self.right);
        let one_way = false;
        Ledge {
            left,
            right,
            one_way,
        }
        .y_at(x)
    }

    /// From left to right, then top to bottom.
    pub fn order(&self, other: &Self) -> Ordering {
        let (a, b) = (self, other);
        (a.left.x.total_cmp(&b.left.x))
            .then(a.left.y.total_cmp(&b.left.y))
            .then(a.right.x.total_cmp(&b.right.x))
            .then(a.right.y.total_cmp(&b.right.y))
    }
}

/// All stretches in the area, from left to right, then top to bottom.
pub fn stretches(space: &dyn BodySpace, layout: &Layout, limits: &Limits) -> Vec<Stretch> {
    // The grid's rows and the height of a body around them; obstacles whose
    // top is far above can still carry on a long slope further down.
    let area = layout.area;
    let step = (8.0 * layout.spacing).max(area.size().y / 512.0);
    let bands = (area.size().y / step).ceil() as u32;
    let steepest = limits.slope * (1.0 + 1e-9) + 1e-12;
    let mut all: Vec<Stretch> = (0..=bands + 1)
        .into_par_iter()
        .flat_map_iter(|i| {
            let band = if i == 0 {
                Band::new(f64::NEG_INFINITY, area.min.y)
            } else if i > bands {
                Band::new(area.min.y + f64::from(bands) * step, f64::INFINITY)
            } else {
                Band::new(
                    area.min.y + f64::from(i - 1) * step,
                    area.min.y + f64::from(i) * step,
                )
            };
            let mut found = Vec::new();
            space.ledges(band, &mut |ledge| {
                let (rise, run) = (
                    (ledge.right.y - ledge.left.y).abs(),
                    ledge.right.x - ledge.left.x,
                );
                let outside = ledge.right.x < area.min.x
                    || ledge.left.x > area.max.x
                    || ledge.left.y.min(ledge.right.y) > area.max.y
                    || ledge.left.y.max(ledge.right.y) <= area.min.y;
                if outside || rise > run * steepest {
                    return;
                }
                space.free_parts(&ledge, &mut |part| found.push(stretch(&ledge, part)));
            });
            found
        })
        .collect();
    all.par_sort_by(Stretch::order);
    all
}

fn stretch(ledge: &Ledge, part: crate::geometry::FreePart) -> Stretch {
    Stretch {
        left: DVec2::new(part.x.lo, ledge.y_at(part.x.lo)),
        right: DVec2::new(part.x.hi, ledge.y_at(part.x.hi)),
        blocked_left: part.blocked_left,
        blocked_right: part.blocked_right,
    }
}
