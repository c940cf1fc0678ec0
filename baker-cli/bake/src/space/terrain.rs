//! At which vertices the body is blocked.

use navmesh_runtime::mesh::BitGrid;
use rayon::prelude::*;

use crate::geometry::{ConfigurationSpace, Interval};
use crate::layout::Layout;
use crate::level::Rect;
use crate::progress::Progress;

/// The vertices at which the body is blocked, found row by row from the
/// intervals of x in which it is blocked at the row's height.
pub fn blocked_vertices(
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    progress: &dyn Progress,
) -> BitGrid {
    let rows: Vec<BitGrid> = (0..layout.rows)
        .into_par_iter()
        .map_init(Vec::new, |blocked, row| {
            let line = blocked_in_row(space, layout, row, layout.width(), blocked);
            progress.advance(1);
            line
        })
        .collect();
    let mut blocked = BitGrid::new(layout.columns, layout.rows);
    for (row, line) in (0..layout.rows).zip(&rows) {
        blocked.row_mut(row).copy_from_slice(line.row(0));
    }
    blocked
}

/// Finds the blocked vertices inside a rectangle again.
pub fn update_blocked(
    blocked: &mut BitGrid,
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    within: &Rect,
) {
    let columns = column_after(layout, within.min.x)..column_after(layout, within.max.x);
    let row_after = |y: f64| {
        let row = ((y - layout.area.min.y) / layout.spacing).ceil();
        row.clamp(0.0, f64::from(layout.rows)) as u32
    };
    // Some rows more, because of rounding.
    let rows = row_after(within.min.y).saturating_sub(2)..row_after(within.max.y);
    let x = Interval::new(within.min.x, within.max.x).intersection(&layout.width());
    let mut found = Vec::new();
    for row in rows {
        let line = blocked_in_row(space, layout, row, x, &mut found);
        for column in columns.clone() {
            blocked.set(column, row, line.get(column, 0));
        }
    }
}

/// The blocked vertices of a row, at least those within `window`.
fn blocked_in_row(
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    row: u32,
    window: Interval,
    blocked: &mut Vec<Interval>,
) -> BitGrid {
    let skin = space.skin();
    space.blocked_x(Interval::at(layout.row_y(row)), window, blocked);
    let mut line = BitGrid::new(layout.columns, 1);
    for interval in blocked.iter() {
        // Columns that lie inside by more than the skin.
        let first = column_after(layout, interval.lo + skin);
        let end = column_after(layout, interval.hi - skin);
        line.set_run(0, first, end);
    }
    line
}

/// The first column whose vertices lie to the right of `x`; the number of
/// columns when none does.
fn column_after(layout: &Layout, x: f64) -> u32 {
    let guess = layout.column_at(x).ceil().max(0.0);
    // The loops correct the rounding of the division.
    let mut column = guess.min(f64::from(layout.columns)) as u32;
    while column > 0 && layout.column_x(column - 1) > x {
        column -= 1;
    }
    while column < layout.columns && layout.column_x(column) <= x {
        column += 1;
    }
    column
}
