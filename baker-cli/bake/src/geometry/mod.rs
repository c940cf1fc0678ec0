//! Where a body is blocked: the level as configuration space.
//!
//! A body of width w and height h with its feet at p is blocked when its box
//! overlaps something it cannot enter; touching is free. This is the same as a
//! point moving among obstacles that have been grown by the body, its
//! *configuration space*. [`ConfigurationSpace`] has two implementations:
//! `ShapeSpace` over convex pieces and `PixelSpace` over bitmaps.
//!
//! Coordinates here are level pixels with y **down**, whatever the level's units and
//! `y_axis`; the last stage of a bake converts them.

mod configuration_space;
mod convex_polygon;
mod interval;
mod ladder;
mod motion_clear;
mod one_way_barrier;
mod pixel_space;
mod shape_space;

use glam::DVec2;

use crate::level::{Collision, Level, Rect};

pub use configuration_space::{Blocker, Body, ConfigurationSpace, Side, TopEdge};
pub use interval::{Interval, cut_out, merge, sort_and_dedup, subtract};
pub use ladder::Ladder;
pub use motion_clear::{Motion, top_depth};
pub use one_way_barrier::{OneWayBarrier, Walls, within};

/// The height at `x` of a line from left to right, clamped to its ends.
pub fn height_on(line: &[DVec2], x: f64) -> f64 {
    let after = line.partition_point(|p| p.x <= x).max(1);
    let a = line[after - 1];
    match line.get(after) {
        Some(b) if a.x < x => a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)),
        _ => a.y,
    }
}

/// The configuration space of a body in a level. The rectangles `closed`, in level pixels,
/// are closed doors: they block, but nothing stands on them or climbs them. With `within`,
/// it has what meets that rectangle, and the heights and one-way walls of all.
pub fn configuration_space(
    level: &Level,
    within: Option<&Rect>,
    closed: &[Rect],
    body: Body,
) -> Box<dyn ConfigurationSpace> {
    match &level.collision {
        Collision::Shapes(pieces) => {
            let space = shape_space::ShapeSpace::new(pieces, within, closed, body);
            Box::new(space)
        }
        Collision::Pixels(map) => {
            let part = within.map(|within| map.part(within));
            let map = part.as_ref().unwrap_or(map);
            Box::new(pixel_space::PixelSpace::new(map, closed, body))
        }
    }
}
