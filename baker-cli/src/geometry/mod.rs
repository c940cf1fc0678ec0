//! Where a body is blocked: the level as configuration space.
//!
//! A body of width w and height h with its feet at p is blocked when its box
//! overlaps something it cannot enter; touching is free. This is the same as a
//! point moving among obstacles that have been grown by the body, its
//! *configuration space*. [`ConfigurationSpace`] has two implementations:
//! `ShapeSpace` over convex pieces and `PixelSpace` over bitmaps.
//!
//! Coordinates here are world units with y **down**, whatever the level's
//! `y_axis`; the last stage of a bake converts them.

mod barrier;
mod configuration_space;
mod convex_polygon;
mod interval;
mod ladder;
mod motion_clear;
mod pixel_space;
mod shape_space;

use crate::source::{Collision, Level};

pub use barrier::BarrierLine;
pub(crate) use barrier::{Walls, within};
pub use configuration_space::{Blocker, Body, ConfigurationSpace, TopEdge};
pub use interval::Interval;
pub(crate) use interval::{cut_out, merge, subtract};
pub use ladder::Ladder;
pub(crate) use motion_clear::{Motion, top_depth};

/// The configuration space of a body in a level.
pub fn configuration_space(level: &Level, body: Body) -> Box<dyn ConfigurationSpace> {
    match &level.collision {
        Collision::Shapes(pieces) => Box::new(shape_space::ShapeSpace::new(pieces, body)),
        Collision::Pixels(map) => Box::new(pixel_space::PixelSpace::new(map, body)),
    }
}
