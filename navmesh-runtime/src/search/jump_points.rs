//! Jump-point search, for agents that fly.
//!
//! Fly edges join free vertices to their eight neighbours, diagonally only
//! where all four vertices of the square are free. Straight lines are scanned in
//! whole words of the bit occupancy; only vertices at which a shortest path may
//! have to turn become nodes. After Harabor and Grastien, "Online Graph Pruning
//! for Pathfinding on Grid Maps" (2011), in the variant that cuts no corners.

use super::occupancy::Occupancy;
use crate::mesh::{Cell, fly_step};

/// A direction of flight, as steps in columns and rows.
type Direction = (i32, i32);

/// Calls `see` with the next jump points of a node that was reached from `parent`;
/// from the start of a search there is none.
#[inline]
pub fn jump_points(
    occupancy: Occupancy<'_>,
    at: Cell,
    parent: Option<Cell>,
    goal: Cell,
    mut see: impl FnMut(Cell),
) {
    directions(occupancy, at, parent, |direction| {
        if let Some(next) = jump(occupancy, at, direction, goal) {
            see(next);
        }
    });
}

/// Calls `see` with the directions in which a shortest path through a node can go on.
fn directions(
    occupancy: Occupancy<'_>,
    at: Cell,
    parent: Option<Cell>,
    mut see: impl FnMut(Direction),
) {
    let Some(parent) = parent else {
        let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter();
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        return straight.chain(diagonal).for_each(see);
    };
    let [x, y] = [(at.column, parent.column), (at.row, parent.row)]
        .map(|(to, from)| (i64::from(to) - i64::from(from)).signum() as i32);
    let is_free = |x, y| {
        let column = at.column.wrapping_add_signed(x);
        occupancy
            .rows
            .is_free(column, at.row.wrapping_add_signed(y))
    };
    see((x, y));
    if x != 0 && y != 0 {
        see((x, 0));
        see((0, y));
    } else {
        // Past the end of a wall, paths can come round it.
        for side in [-1, 1] {
            let (behind, beside, ahead) = if y == 0 {
                ((-x, side), (0, side), (x, side))
            } else {
                ((side, -y), (side, 0), (side, y))
            };
            if !is_free(behind.0, behind.1) && is_free(beside.0, beside.1) {
                see(beside);
                see(ahead);
            }
        }
    }
}

/// The next node in a direction.
fn jump(occupancy: Occupancy<'_>, from: Cell, (x, y): Direction, goal: Cell) -> Option<Cell> {
    if y == 0 {
        let column = occupancy.across(from, x > 0, goal)?;
        return Some(Cell { column, ..from });
    }
    if x == 0 {
        let row = occupancy.along(from, y > 0, goal)?;
        return Some(Cell { row, ..from });
    }
    let mut at = from;
    loop {
        at = fly_step(occupancy.rows, at, [x, y])?;
        if at == goal
            || occupancy.across(at, x > 0, goal).is_some()
            || occupancy.along(at, y > 0, goal).is_some()
        {
            return Some(at);
        }
    }
}
