//! Where a body is blocked: the level seen from an agent's feet.
//!
//! A body of width w and height h with its feet at p is blocked when its box
//! overlaps something it cannot enter; touching is free. In other words the
//! feet are a point moving among obstacles grown by the body (its
//! *configuration space*). [`BodySpace`] is that one predicate and what
//! follows from it, with two implementations: [`ShapeSpace`] over convex
//! pieces and [`PixelSpace`] over bitmaps. [`body_space`] picks the one a
//! level needs.
//!
//! Coordinates here are world units with y **down**, whatever the level's
//! `y_axis`; the last stage of a bake turns them round.

mod clear;
mod convex;
mod gate;
mod interval;
mod ladder;
mod pixels;
mod shapes;
mod space;

pub use clear::is_clear;
pub use convex::Convex;
pub use gate::{OneWayBarrier, beside_gates};
pub use interval::{Interval, cut_out, merge, subtract};
pub use ladder::Ladder;
pub use pixels::PixelSpace;
pub use shapes::ShapeSpace;
pub use space::{Band, Blocker, BodyShape, BodySpace, FreePart, Ledge, body_space};
