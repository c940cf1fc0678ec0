//! Pictures and films of layers.
//!
//! What is drawn is a list of shapes (`list`), built from a layer and the
//! changes of a comparison (`scene`, `changes`). A canvas draws it as a picture;
//! the page of `navbake view` draws the same list.

mod canvas;
mod changes;
mod film;
mod legend;
mod list;
mod palette;
mod picture;
mod scene;

pub use film::film;
pub use picture::{compare, guesses, render};

pub(super) use changes::Changes;
pub(super) use scene::{marker_rect, markers, of_layer, route, standing};
