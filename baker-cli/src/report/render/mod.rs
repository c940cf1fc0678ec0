//! Pictures and films of layers.
//!
//! Vertices are white in air, green on floor and red inside geometry; fly edges
//! are white, floors green, jumps blue, drops red; markers light grey.

mod canvas;
mod compare;
mod film;
mod font;
mod layer;
mod legend;
mod markers;
mod palette;
mod projection;

pub use compare::compare;
pub use film::film;
pub use layer::render;
