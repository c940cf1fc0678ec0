//! What counts as collision, for all formats that have layers and objects.
//!
//! A reader describes layers, tiles and objects by their [`attributes`]; the
//! [`classifier`] decides what each of them is, by the rules that it documents,
//! and gives a [`classification`]; a [`survey`] of all layers decides what their
//! names mean beside each other; the [`builder`] collects the level from each
//! [`level_layer`], and a [`summary`] of each layer for the
//! user; [`advice`] is what the user should look at;
//! [`objects`] adds single objects as collision or as markers, and [`places`] looks
//! at where they are.

mod advice;
mod attributes;
mod builder;
mod classification;
mod classifier;
mod level_layer;
mod objects;
mod places;
mod summary;
mod survey;

pub use attributes::Attributes;
pub use builder::LevelBuilder;
pub use classification::{Classification, LayerKind};
pub use classifier::Item;
pub use level_layer::LevelLayer;
pub use objects::LayerObject;
pub use summary::{IntGridValue, agreeing, count, no_effect};
pub use survey::{FULL, MIN_CELLS};
