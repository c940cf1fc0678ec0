//! What counts as collision, for all formats that have layers and objects.
//!
//! A reader describes layers, tiles and objects by their [`attributes`]; the
//! [`classifier`] decides what each of them is, by the rules that it documents;
//! the [`builder`] collects the level, and a [`summary`] of each layer for the
//! user; [`objects`] adds single objects as collision or as markers.

pub(super) mod attributes;
pub(super) mod builder;
pub(super) mod classifier;
pub(super) mod objects;
pub(super) mod summary;
