//! From the coordinates of the old file to those of the new one.

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Grid, NavMesh};

use super::shift;

/// How places of the old file are found in the new one.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// What is added to the old coordinates, world units.
    pub(crate) shift: DVec2,
    /// Up to here two places are the same, world units.
    pub(crate) slack: f64,
    /// Side of a cell of the new grid.
    pub(crate) spacing: f64,
    /// What is added to a cell (column, row) of the old grid; `None` when
    /// the cells of the two do not cover each other.
    pub(crate) cells: Option<[i64; 2]>,
}

impl Frame {
    pub(crate) fn between(old: &NavMesh, new: &NavMesh) -> Self {
        let (a, b) = (old.grid(), new.grid());
        let shift = if a.y_axis == b.y_axis {
            shift::estimate(old, new).unwrap_or_default()
        } else {
            DVec2::ZERO
        };
        Self {
            shift,
            slack: f64::from(b.spacing.min(a.spacing)) / 128.0,
            spacing: b.spacing.into(),
            cells: cells(a, b, shift),
        }
    }

    /// Whether everything moved.
    pub(crate) fn moved(&self) -> bool {
        self.shift != DVec2::ZERO
    }

    /// A place of the old file in the new one's coordinates.
    pub(crate) fn place(&self, old: Vec2) -> DVec2 {
        old.as_dvec2() + self.shift
    }

    /// Whether a place of the old file is this place of the new one.
    pub(crate) fn same(&self, old: Vec2, new: Vec2) -> bool {
        (self.place(old) - new.as_dvec2()).abs().max_element() <= self.slack
    }
}

/// What is added to a cell of one grid to get the cell of the other that
/// covers the same square.
pub(super) fn cells(old: &Grid, new: &Grid, shift: DVec2) -> Option<[i64; 2]> {
    if old.spacing != new.spacing || old.y_axis != new.y_axis {
        return None;
    }
    let down = DVec2::new(1.0, f64::from(new.y_axis.down()));
    let between = old.origin.as_dvec2() + shift - new.origin.as_dvec2();
    let between = between * down / f64::from(new.spacing);
    let whole = between.round();
    ((between - whole).abs().max_element() < 1.0 / 128.0)
        .then_some([whole.x as i64, whole.y as i64])
}
