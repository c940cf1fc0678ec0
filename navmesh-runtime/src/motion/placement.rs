//! Finds a place for an agent: after spawning, a stun or a push, or in a new
//! level.
//!
//! An agent in mid-air falls. The floor straight below it is known exactly;
//! what else may be in the way of the fall (hazards, ground too steep to stand
//! on) is known at grid vertices only. Between two columns of free vertices a
//! fall is certainly free.

use glam::Vec2;

use super::report::Stranded;
#[cfg(feature = "write")]
use crate::mesh::PlatformId;
use crate::mesh::{Cell, EdgeSet, FloorSpot, Layer};
use crate::search::free_space::FreeSpace;
use crate::search::{Location, locate};

/// The constants here are distances, in grid spacings, below which two
/// positions count as equal.
///
/// Feet at most this far above a floor or beside a ladder are on it: engines
/// leave a body about that far from what it touches.
const CONTACT: f32 = 1e-2;
/// Feet at most this far inside a floor or a wall are moved out of it. Physics
/// engines let bodies rest a little inside what they touch; bodies deeper inside
/// were put there by the level.
const TOLERANCE: f32 = 0.25;
/// The end of a platform is rounded to `f32`, so a body beside a wall may be
/// just beyond the end of the floor it stands over.
const ROUNDING: f32 = 2e-3;
/// A body that touches a one-way barrier is not beyond it.
const BARRIER: f32 = ROUNDING * 1e-3;
/// A position this near to a row or column of vertices is on it, so that the
/// rounding of a division does not change the result.
const ON_VERTEX: f32 = 1e-4;

/// What an agent does when it is put at a position: see [`place`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Placement {
    /// It stands on a floor, or holds on to a ladder, a wall or a ceiling.
    On(FloorSpot),
    /// It hovers at this position (feet, world units).
    Hovering(Vec2),
    /// It falls to a floor: level to the x of `over`, then straight down.
    Falling {
        /// World units; the x of the position itself where nothing is in the way.
        over: f32,
        /// Where it lands.
        to: FloorSpot,
    },
}

impl Placement {
    /// Where the agent comes to rest: feet, world units.
    pub fn position(&self) -> Vec2 {
        match self {
            Self::On(spot) | Self::Falling { to: spot, .. } => spot.position,
            Self::Hovering(at) => *at,
        }
    }

    /// The platform on which the agent comes to rest; `None` in the air. Needs the
    /// feature `write`.
    #[cfg(feature = "write")]
    pub fn platform(&self) -> Option<PlatformId> {
        match self {
            Self::On(spot) | Self::Falling { to: spot, .. } => Some(spot.platform),
            Self::Hovering(_) => None,
        }
    }
}

/// Finds the place of an agent of this layer whose feet were put at a position
/// (world units).
///
/// Agents use it when they are created, teleported, pushed or enabled, and when they
/// enter another level. The result is the first of these that exists:
///
/// 1. the floor, ladder, wall or ceiling at the feet;
/// 2. the floor that the feet are inside of, or that a wall at the feet stands
///    on, at most a quarter of the grid's spacing away: physics engines let
///    bodies rest slightly inside the ground;
/// 3. for agents that fly, the position itself where the body is free there;
/// 4. for agents that walk, a fall to the first floor below: straight down, or
///    sideways by less than a spacing and then down, where something is in the
///    way;
/// 5. for a position inside geometry, the nearest place within two spacings.
///
/// A position inside a floor, at most two spacings below its top, is no shaft to
/// fall through: rule 5 applies.
///
/// ```
/// # use glam::Vec2;
/// # use navmesh_runtime::mesh::Layer;
/// use navmesh_runtime::motion::place;
///
/// # fn game(layer: &Layer, spawn: Vec2) {
/// match place(layer, spawn) {
///     Ok(placement) => println!("an agent put at {spawn} ends at {}", placement.position()),
///     Err(why) => println!("an agent put at {spawn} is stranded: {why}"),
/// }
/// # }
/// ```
///
/// # Errors
/// When there is no such place.
pub fn place(layer: &Layer, at: Vec2) -> Result<Placement, Stranded> {
    if !at.is_finite() {
        return Err(Stranded::NotFinite);
    }
    let edges = layer.profile().edges;
    let (walks, flies) = (edges.walks(), edges.contains(EdgeSet::FLY));
    let spacing = layer.grid().spacing;
    let (contact, tolerance) = (spacing * CONTACT, spacing * TOLERANCE);
    let space = FreeSpace::new(layer, [&[], &[]]);
    let is_free = space.has(at);
    if walks {
        let touched = layer
            .floor_below(at, contact)
            .or_else(|| layer.nearest_hold(at, contact))
            .or_else(|| layer.floor_within(at, tolerance, contact))
            .or_else(|| (!is_free).then(|| layer.nearest_floor(at, tolerance))?);
        if let Some(spot) = touched {
            return Ok(Placement::On(spot));
        }
    }
    if flies && is_free {
        return Ok(Placement::Hovering(at));
    }
    if !walks {
        // Straight out of a floor or a wall: the nearest vertex is up to half a spacing
        // to the side.
        if flies && let Some(to) = space.nearest_known(at.as_dvec2(), |_| true) {
            return Ok(Placement::Hovering(to.as_vec2()));
        }
        let nearest = locate(layer, at).ok_or(Stranded::NoFreeVertex)?;
        return Ok(Placement::Hovering(nearest.position(layer)));
    }
    if let Some((over, to)) = landing(layer, at) {
        let down = layer.grid().y_axis.down();
        return Ok(if (to.position.y - at.y) * down > 0.0 {
            Placement::Falling { over, to }
        } else {
            Placement::On(to)
        });
    }
    // Only an agent inside geometry is moved out of it. An agent in free space
    // with nothing below is stranded: no other place is the right one.
    let nearest = layer.grid().nearest_cell(at);
    if layer.blocked().get(nearest.column, nearest.row) {
        match locate(layer, at) {
            Some(Location::Floor(spot)) => return Ok(Placement::On(spot)),
            Some(air) => return Ok(Placement::Hovering(air.position(layer))),
            None => {}
        }
    }
    // Feet inside the ground, nearer to a free vertex above it.
    let above = (!is_free).then(|| layer.floor_within(at, spacing, 0.0));
    above
        .flatten()
        .map(Placement::On)
        .ok_or(Stranded::NothingBelow)
}

/// The fall of a body in mid-air to the first floor below: the x to which it moves at
/// the height where it begins, and where it lands.
///
/// 1. straight down, where the vertices on both sides are free all the way;
/// 2. or else sideways to a column of vertices (less than a spacing away) that
///    is free all the way down, then down along it. A column above the floor
///    straight below the body is preferred, then the nearer column;
/// 3. or else straight down, between walls that already stand beside the body
///    where the fall begins, or whose tops are floors that end beside it. Not
///    close below a floor, where the body is inside that floor.
fn landing(layer: &Layer, from: Vec2) -> Option<(f32, FloorSpot)> {
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
        .map(|spot| (from.x, spot));
    let columns = Columns::beside(layer, from);
    let is_free = |column: Option<u32>, to: FloorSpot| {
        column.is_some_and(|column| columns.is_free(column, to.position.y))
    };
    if straight.is_some_and(|(_, to)| columns.beside.iter().all(|c| is_free(*c, to))) {
        return straight;
    }
    let down = layer.grid().y_axis.down();
    let aside = columns.beside.map(|column| {
        let x = layer.grid().column_x(column?);
        let spot = below(x)?;
        // A floor at the height of the feet is the one the body fell off.
        let falls = (spot.position.y - from.y) * down > rounding;
        let is_stopped = is_beyond_a_barrier(Vec2::new(x, from.y));
        (falls && is_free(column, spot) && !is_stopped).then_some((x, spot))
    });
    let platform = straight.map(|(_, to)| to.platform);
    let is_below = |(_, to): &&(f32, FloorSpot)| Some(to.platform) == platform;
    let aside = (aside.iter().flatten().find(is_below))
        .or(aside.iter().flatten().next())
        .copied();
    // A shaft has no floor straight above. Farther up than two spacings, `place` would not
    // find that floor either.
    let is_inside = layer.floor_within(from, 2.0 * spacing, 0.0).is_some();
    aside.or(straight.filter(|(_, to)| {
        let is_a_shaft = |column: u32| columns.is_a_shaft(column, to.position.y);
        !is_inside && columns.beside.iter().all(|c| c.is_none_or(is_a_shaft))
    }))
}

/// The columns of vertices on both sides of a point in mid-air.
struct Columns<'a> {
    layer: &'a Layer,
    from: Vec2,
    /// The row of the point, as a fractional number of the grid.
    row: f32,
    /// The nearer one first; both are the same for a point on a column. `None` outside
    /// of the grid.
    beside: [Option<u32>; 2],
}

impl<'a> Columns<'a> {
    fn beside(layer: &'a Layer, from: Vec2) -> Self {
        let grid = layer.grid();
        let at = (from.x - grid.origin.x) / grid.spacing - 0.5;
        let nearest = at.round();
        let other = if (at - nearest).abs() < ON_VERTEX {
            nearest
        } else {
            nearest + (at - nearest).signum()
        };
        let inside =
            |column: f32| (column >= 0.0 && column < grid.columns as f32).then_some(column as u32);
        Self {
            layer,
            from,
            row: Self::row(layer, from.y),
            beside: [nearest, other].map(inside),
        }
    }

    fn row(layer: &Layer, y: f32) -> f32 {
        let grid = layer.grid();
        (y - grid.origin.y) * grid.y_axis.down() / grid.spacing - 1.0
    }

    /// The rows from just above the point to the last above a floor. The
    /// floor itself may lie in a slope, inside a cell.
    fn rows(&self, floor: f32) -> std::ops::Range<u32> {
        let first = (self.row + ON_VERTEX).floor().max(0.0);
        let last = (Self::row(self.layer, floor) - ON_VERTEX).ceil() - 1.0;
        if last < first {
            // The fall stays within a cell.
            return 0..0;
        }
        // A floor may lie far below the grid.
        first as u32..(last as u32).saturating_add(1).min(self.layer.grid().rows)
    }

    fn is_free(&self, column: u32, floor: f32) -> bool {
        let blocked = self.layer.blocked();
        self.rows(floor).all(|row| !blocked.get(column, row))
    }

    /// Whether all that blocks a column is beside a fall straight down: it stands there
    /// already where the fall begins, or has a floor on top that ends before that.
    fn is_a_shaft(&self, column: u32, floor: f32) -> bool {
        let (layer, grid) = (self.layer, self.layer.grid());
        let ends_before = |top: FloorSpot| {
            let platform = layer.platform(top.platform);
            platform.is_some_and(|platform| !platform.spans(self.from.x))
        };
        // Above the grid there are no walls.
        let mut is_beside = self.row + ON_VERTEX >= 0.0;
        self.rows(floor).all(|row| {
            let is_blocked = layer.blocked().get(column, row);
            let is_met = is_blocked && !is_beside;
            let vertex = grid.position(Cell { column, row });
            is_beside = is_blocked
                || layer
                    .floor_below(vertex, grid.spacing)
                    .is_some_and(ends_before);
            !is_met
        })
    }
}
