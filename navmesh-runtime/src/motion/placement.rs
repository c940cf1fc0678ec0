//! Finds a place for an agent: after spawning, a stun or a push, or in a new
//! level.
//!
//! An agent in mid-air falls. The floor straight below it is known exactly;
//! what else may be in the way of the fall (hazards, ground too steep to stand
//! on) is known at grid vertices only. Between two columns of free vertices a
//! fall is certainly free.

use glam::Vec2;

use super::airborne::Airborne;
use super::movement::Movement;
use super::report::Stranded;
use crate::mesh::{AgentProfile, EdgeSet, Fall, FloorSpot, Layer};
use crate::search::free_space::FreeSpace;
use crate::search::limits::time_scale;
use crate::search::{Location, StepKind, locate};

/// The constants here are distances, in grid spacings, below which two
/// positions count as equal.
///
/// Feet at most this far above a floor or beside a ladder are on it: engines
/// leave a body about that far from what it touches.
const CONTACT: f32 = 1e-2;
/// The end of a platform is rounded to `f32`, so a body beside a wall may be
/// just beyond the end of the floor it stands over.
const ROUNDING: f32 = 2e-3;
/// A body that touches a one-way barrier is not beyond it.
const BARRIER: f32 = ROUNDING * 1e-3;
/// A position this near to a row or column of vertices is on it, so that the
/// rounding of a division does not change the result.
const ON_VERTEX: f32 = 1e-4;

/// The movement of an agent that was put at a position: on the floor or the
/// climbed platform at its feet, or hovering where that is free, or else
/// falling to the first floor below. Inside geometry it is put at the nearest
/// place within two spacings.
pub(super) fn find_place(layer: &Layer, profile: &AgentProfile, at: Vec2) -> Movement {
    if !at.is_finite() {
        return Movement::Stranded(Stranded::NotFinite);
    }
    let edges = layer.profile().edges;
    let (walks, flies) = (edges.walks(), edges.contains(EdgeSet::FLY));
    let contact = layer.grid().spacing * CONTACT;
    if walks
        && let Some(spot) = (layer.floor_below(at, contact)).or(layer.nearest_hold(at, contact))
    {
        return on_spot(layer, spot);
    }
    if flies && FreeSpace::new(layer, [&[], &[]]).has(at) {
        return Movement::hovering(at);
    }
    if !walks {
        let place = locate(layer, at);
        return place.map_or(Movement::Stranded(Stranded::NoFreeVertex), |place| {
            Movement::hovering(place.position(layer))
        });
    }
    if let Some(landing) = landing(layer, at) {
        let to = landing.spot.position;
        let down = layer.grid().y_axis.down();
        let baked = layer.profile();
        // The baked fall with its time scaled to the agent's own gravity.
        let fall = Fall {
            gravity: f64::from(profile.gravity),
            max_speed: baked.fall().max_speed * time_scale(profile, baked),
        };
        let speed = profile.run_speed;
        return match Airborne::fall(at, landing.x, to, speed, fall, down) {
            Some(fall) => Movement::Airborne(fall, StepKind::Drop, landing.spot.platform),
            None => on_spot(layer, landing.spot),
        };
    }
    // Only an agent inside geometry is moved out of it. An agent in free space
    // with nothing below is stranded: no other place is the right one.
    let nearest = layer.grid().nearest_cell(at);
    let is_inside = layer.blocked().get(nearest.column, nearest.row);
    match is_inside.then(|| locate(layer, at)).flatten() {
        Some(Location::Floor(spot)) => on_spot(layer, spot),
        Some(Location::Air(cell)) => Movement::hovering(layer.grid().position(cell)),
        None => Movement::Stranded(Stranded::NothingBelow),
    }
}

fn on_spot(layer: &Layer, spot: FloorSpot) -> Movement {
    Movement::on_platform(layer, spot.platform, spot.position, 0.0)
}

/// A fall: sideways to `x` at the height where it begins, then down to a floor.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Landing {
    x: f32,
    spot: FloorSpot,
}

/// The fall of a body in mid-air to the first floor below:
///
/// 1. straight down, where the vertices on both sides are free all the way;
/// 2. or else sideways to a column of vertices (less than a spacing away) that
///    is free all the way down, then down along it. A column above the floor
///    straight below the body is preferred, then the nearer column;
/// 3. or else straight down, between walls that already stand beside the body
///    where the fall begins.
fn landing(layer: &Layer, from: Vec2) -> Option<Landing> {
    let spacing = layer.grid().spacing;
    let below = |x: f32| layer.floor_below(Vec2::new(x, from.y), f32::INFINITY);
    let is_beyond_a_barrier = |to: Vec2| {
        let mut barriers = layer.barriers().iter();
        barriers.any(|barrier| barrier.is_between(from, to, spacing * BARRIER))
    };
    let rounding = spacing * ROUNDING;
    let straight = [0.0, -rounding, rounding]
        .into_iter()
        .filter_map(|aside| below(from.x + aside))
        .find(|spot| !is_beyond_a_barrier(spot.position))
        .map(|spot| Landing { x: from.x, spot });
    let columns = Columns::beside(layer, from);
    if straight.is_some_and(|l| columns.both(|c| columns.is_free(layer, c, l.spot.position.y))) {
        return straight;
    }
    let down = layer.grid().y_axis.down();
    let aside = columns.nearer_first().map(|column| {
        let x = layer.grid().column_x(Columns::inside(layer, column)?);
        let spot = below(x)?;
        // A floor at the height of the feet is the one the body fell off.
        let falls = (spot.position.y - from.y) * down > rounding;
        let is_free = columns.is_free(layer, column, spot.position.y);
        let is_stopped = is_beyond_a_barrier(Vec2::new(x, from.y));
        (falls && is_free && !is_stopped).then_some(Landing { x, spot })
    });
    let platform = straight.map(|l| l.spot.platform);
    let is_below = |l: &&Landing| Some(l.spot.platform) == platform;
    let aside = (aside.iter().flatten().find(is_below))
        .or(aside.iter().flatten().next())
        .copied();
    aside.or(straight.filter(|l| columns.both(|c| columns.is_a_shaft(layer, c, l.spot.position.y))))
}

/// The column and the row of a point as fractional numbers of the grid, which
/// give the columns of vertices on both sides of it.
struct Columns {
    at: f32,
    row: f32,
}

impl Columns {
    fn beside(layer: &Layer, from: Vec2) -> Self {
        let grid = layer.grid();
        Self {
            at: (from.x - grid.origin.x) / grid.spacing - 0.5,
            row: (from.y - grid.origin.y) * grid.y_axis.down() / grid.spacing - 1.0,
        }
    }

    /// The columns on both sides, the nearer one first. Both are the same for a
    /// point on a column.
    fn nearer_first(&self) -> [f32; 2] {
        let nearest = self.at.round();
        if (self.at - nearest).abs() < ON_VERTEX {
            [nearest; 2]
        } else if self.at < nearest {
            [nearest, nearest - 1.0]
        } else {
            [nearest, nearest + 1.0]
        }
    }

    fn both(&self, is_so: impl Fn(f32) -> bool) -> bool {
        self.nearer_first().into_iter().all(is_so)
    }

    fn inside(layer: &Layer, column: f32) -> Option<u32> {
        (column >= 0.0 && column < layer.grid().columns as f32).then_some(column as u32)
    }

    /// The rows from just above the point to the last above a floor. The
    /// floor itself may lie in a slope, inside a cell.
    fn rows(&self, layer: &Layer, floor: f32) -> std::ops::Range<u32> {
        let grid = layer.grid();
        let floor = (floor - grid.origin.y) * grid.y_axis.down() / grid.spacing - 1.0;
        let first = (self.row + ON_VERTEX).floor().max(0.0);
        let last = (floor - ON_VERTEX).ceil() - 1.0;
        if last < first {
            // The fall stays within a cell.
            return 0..0;
        }
        first as u32..(last as u32 + 1).min(grid.rows)
    }

    fn is_free(&self, layer: &Layer, column: f32, floor: f32) -> bool {
        Self::inside(layer, column).is_some_and(|column| {
            let blocked = layer.blocked();
            self.rows(layer, floor).all(|row| !blocked.get(column, row))
        })
    }

    /// Whether the column is a wall from where the fall begins, and free once
    /// that wall has ended.
    fn is_a_shaft(&self, layer: &Layer, column: f32, floor: f32) -> bool {
        Self::inside(layer, column).is_none_or(|column| {
            let blocked = layer.blocked();
            let rows = self.rows(layer, floor).map(|row| blocked.get(column, row));
            // Above the grid there are no walls.
            let begins_inside = self.row + ON_VERTEX >= 0.0;
            let mut rest = rows.skip_while(|is_blocked| begins_inside && *is_blocked);
            rest.all(|is_blocked| !is_blocked)
        })
    }
}
