//! Snapping: the place for a position at which an agent can be.

use glam::{DVec2, Vec2};

use super::columns::Columns;
use super::free_space::FreeSpace;
use super::locate::{Location, free_vertex, locate};
use super::target::{TargetBody, place_of_target};
use crate::mesh::{EdgeSet, FloorSpot, LIMIT, Layer, PlatformId};

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
/// What [`Layer::snap`] looks for. Lengths are world units.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SnapTo {
    /// The highest floor straight below, at most this far under the position. A
    /// floor up to 1/100 of the grid's spacing above the position counts as well,
    /// so that rounded feet do not fall through.
    FloorBelow(f32),
    /// The highest floor straight above or below.
    FloorWithin {
        /// How far it may be above the position.
        above: f32,
        /// How far it may be below.
        below: f32,
    },
    /// The nearest point of a floor, at most this far away.
    NearestFloor(f32),
    /// The nearest point of a ladder, wall or ceiling, at most this far away.
    NearestHold(f32),
    /// The place of the agent that is nearest to the body of a target, whose feet are at
    /// the position: where an agent that walks or climbs waits for it. The first of these
    /// that exists.
    ///
    /// 1. the floor that the target stands on. Next to a wall or at the end of a platform, it
    ///    may stand where the feet of the agent cannot be; then it is the nearest point of
    ///    the floor at which the bodies touch;
    /// 2. the ladder, wall or ceiling that the target holds on to;
    /// 3. the floor on which it lands from mid-air, at any depth;
    /// 4. the place nearest to its body, at any distance, for instance in front of a passage
    ///    that is too low for the agent.
    ///
    /// Layers of agents that only fly have floors too: such agents go to the target itself.
    Target {
        /// The width and the height of the target's body, at least 0; `None` for a target
        /// that is as large as the agent.
        body: Option<[f32; 2]>,
    },
    /// The place that a path search takes the position for: the first of these
    /// that exists, within the edges of the layer's [profile](Layer::profile).
    ///
    /// 1. for agents that climb, the ladder, wall or ceiling at the position, where
    ///    no floor is;
    /// 2. for agents that walk, the floor straight below, at most one spacing down;
    /// 3. for agents that fly, the nearest free position within two spacings; for those
    ///    that also walk, the nearest free vertex;
    /// 4. for agents that walk, the nearest floor within two spacings;
    /// 5. for agents that climb, the nearest ladder, wall or ceiling within two
    ///    spacings.
    PathEnd,
    /// Where an agent comes to rest that is put at the position: the first of these
    /// that exists. Agents use it when they are created, teleported, pushed or
    /// enabled, and when they enter another level.
    ///
    /// 1. the floor, ladder, wall or ceiling at the feet;
    /// 2. the floor that the feet are inside of, or that a wall at the feet stands
    ///    on, at most a quarter of the grid's spacing away: physics engines let
    ///    bodies rest slightly inside the ground;
    /// 3. for agents that fly, the position itself where the body is free there;
    /// 4. for agents that walk, where the body overlaps a wall or a ceiling, or where the
    ///    mesh does not prove that it is free: the nearest free place beside or below,
    ///    less than a spacing away ([`Snap::start`]), or the top of the floor that the feet
    ///    are inside of, if that is nearer;
    /// 5. for agents that walk, from there a fall to the first floor below: straight
    ///    down, or sideways by less than a spacing and then down, where something is in
    ///    the way ([`Snap::fall_x`]);
    /// 6. for a position inside geometry, the nearest place within two spacings.
    ///
    /// A position inside a floor, at most two spacings below its top, is no shaft to
    /// fall through.
    Rest,
}

/// A place at which an agent can be: the result of [`Layer::snap`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Snap {
    /// Feet, world units.
    pub position: Vec2,
    /// The floor, ladder, wall or ceiling at the feet; `None` in the air.
    pub platform: Option<PlatformId>,
    /// For [`SnapTo::Rest`], where the agent begins to fall or rests: the given position,
    /// unless that is inside geometry or so near to it that the mesh does not prove the
    /// body to be free there. For everything else, it equals `position`.
    pub start: Vec2,
    /// For [`SnapTo::Rest`], if the agent falls to `position`: it moves level from
    /// `start` to this x, which is that of `start` where nothing is in the way, and
    /// then straight down.
    pub fall_x: Option<f32>,
}

impl Snap {
    fn on(spot: FloorSpot) -> Self {
        Self {
            position: spot.position,
            platform: Some(spot.platform),
            start: spot.position,
            fall_x: None,
        }
    }

    fn in_air(position: Vec2) -> Self {
        Self {
            position,
            platform: None,
            start: position,
            fall_x: None,
        }
    }

    fn located(location: Location) -> Self {
        match location {
            Location::Floor(spot) => Self::on(spot),
            Location::Air(at) => Self::in_air(at),
        }
    }
}

impl Layer {
    /// Finds the place for a position (feet, world units) at which an agent of this
    /// layer can be. `None` where there is none, and for a position that is not
    /// finite.
    ///
    /// ```
    /// # use glam::Vec2;
    /// # use navmesh_runtime::mesh::Layer;
    /// use navmesh_runtime::search::SnapTo;
    ///
    /// # fn game(layer: &Layer, spawn: Vec2) {
    /// match layer.snap(spawn, SnapTo::Rest) {
    ///     Some(place) => println!("an agent put at {spawn} ends at {}", place.position),
    ///     None => println!("an agent put at {spawn} is stranded"),
    /// }
    /// # }
    /// ```
    pub fn snap(&self, at: Vec2, to: SnapTo) -> Option<Snap> {
        let spot = match to {
            SnapTo::FloorBelow(depth) => self.floor_below(at, depth),
            SnapTo::FloorWithin { above, below } => self.floor_within(at, above, below),
            SnapTo::NearestFloor(radius) => self.nearest_floor(at, radius),
            SnapTo::NearestHold(radius) => self.nearest_hold(at, radius),
            SnapTo::Target { body } => place_of_target(self, &TargetBody::new(self, at, body)),
            SnapTo::PathEnd => {
                return locate(self, at, self.profile().edges).map(Snap::located);
            }
            SnapTo::Rest => return rest(self, at),
        };
        spot.map(Snap::on)
    }
}

/// See [`SnapTo::Rest`].
fn rest(layer: &Layer, at: Vec2) -> Option<Snap> {
    if !at.is_finite() {
        return None;
    }
    let edges = layer.profile().edges;
    let (walks, flies) = (edges.walks(), edges.contains(EdgeSet::FLY));
    let spacing = layer.grid().spacing;
    let (contact, tolerance) = (spacing * CONTACT, spacing * TOLERANCE);
    let space = FreeSpace::new(layer, [&[], &[]]);
    let is_free = space.has(at);
    let path_end = || locate(layer, at, edges).map(Snap::located);
    if walks {
        let touched = layer
            .floor_below(at, contact)
            .or_else(|| layer.nearest_hold(at, contact))
            .or_else(|| layer.floor_within(at, tolerance, contact))
            .or_else(|| (!is_free).then(|| layer.nearest_floor(at, tolerance))?);
        if let Some(spot) = touched {
            return Some(Snap::on(spot));
        }
    }
    if flies && is_free {
        return Some(Snap::in_air(at));
    }
    if !walks {
        // Straight out of a floor or a wall: the nearest vertex is up to half a spacing
        // to the side.
        if flies && let Some(to) = space.nearest_known(at.as_dvec2(), |_| true) {
            return Some(Snap::in_air(to.as_vec2()));
        }
        return path_end();
    }
    if is_free {
        // An agent in free space with nothing below is stranded: no other place is the
        // right one.
        return fall(layer, at);
    }
    let down = layer.grid().y_axis.down();
    // Feet inside the ground.
    let top = layer.floor_within(at, 2.0 * spacing, 0.0);
    let rise = top.map_or(f32::INFINITY, |top| LIMIT * top.position.distance(at));
    let is_way_out = |to: DVec2| {
        let to = to.as_vec2();
        (to.y - at.y) * down >= 0.0 && to.distance(at) <= rise && fall(layer, to).is_some()
    };
    let beside = (space.nearest_known(at.as_dvec2(), is_way_out))
        .or_else(|| space.nearest_vertex(at.as_dvec2(), is_way_out));
    let nearest = layer.grid().nearest_cell(at);
    let is_inside = layer.blocked().get(nearest.column, nearest.row);
    (beside.and_then(|to| fall(layer, to.as_vec2())))
        .or(top.map(Snap::on))
        .or_else(|| fall(layer, at))
        .or_else(|| path_end().filter(|_| is_inside))
        .or_else(|| {
            let vertex = free_vertex(layer, at, 3.0 * spacing, |vertex| {
                let to = layer.grid().position(vertex);
                space.passes(at.as_dvec2(), to.as_dvec2()) && fall(layer, to).is_some()
            });
            fall(layer, layer.grid().position(vertex?))
        })
}

/// The place where a body that is free at a position comes to rest below it.
fn fall(layer: &Layer, from: Vec2) -> Option<Snap> {
    let (over, to) = landing(layer, from)?;
    let down = layer.grid().y_axis.down();
    let falls = (to.position.y - from.y) * down > 0.0;
    let start = if falls { from } else { to.position };
    Some(Snap {
        start,
        fall_x: falls.then_some(over),
        ..Snap::on(to)
    })
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
    let aside = (aside.iter().flatten())
        .find(|(_, to)| Some(to.platform) == platform)
        .or(aside.iter().flatten().next())
        .copied();
    aside.or(straight.filter(|(_, to)| columns.are_beside_a_shaft(to.position.y)))
}
