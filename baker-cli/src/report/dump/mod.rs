//! Everything in a mesh: as text that is stable line by line, and as JSON.
//!
//! The text names things by where they are, never by a number that one more
//! platform would change for all after it, and sorts them, so a version
//! control system shows just what a level edit did. The JSON is for programs:
//! ids and all.

mod json;
mod text;

use navmesh_runtime::mesh::{Cell, Grid, Layer};

pub(crate) use json::ProfileJson;
pub use json::json;
pub use text::text;

/// A letter per vertex of a row.
fn terrain_row(layer: &Layer, grid: &Grid, row: u32) -> String {
    (0..grid.columns)
        .map(|column| layer.terrain(Cell { column, row }).symbol())
        .collect()
}

#[cfg(test)]
#[path = "dump_test.rs"]
mod tests;
