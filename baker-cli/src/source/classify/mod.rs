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
pub(super) mod attributes;
pub(super) mod builder;
pub(super) mod classification;
pub(super) mod classifier;
pub(super) mod level_layer;
pub(super) mod objects;
mod places;
pub(super) mod summary;
pub(super) mod survey;
