//! Divides a layer into zones, and finds the zones near each.

use glam::Vec2;

use crate::mesh::{Cell, EdgeSet, Layer, LinkKind, PlatformId};
use crate::search::free_space::FreeSpace;
use crate::search::regions::{arc_inside, grown};
use crate::search::{Doors, Location, PathFinder, Query, Rect, line_of_sight, locate};

/// No zone: the entry of a vertex at which the agent cannot be.
const NONE: u32 = u32::MAX;

/// The zones of a layer: pieces of platforms, and for agents that fly, sets of
/// free vertices around one that sees them.
#[derive(Debug, Clone)]
pub(super) struct Zones {
    /// The identity of the layer.
    pub(super) layer: usize,
    pub(super) centers: Vec<Vec2>,
    /// The first zone of each platform, and the end of the last.
    platforms: Vec<u32>,
    /// The zone of each vertex; empty for agents that do not fly.
    vertices: Vec<u32>,
    /// For each zone, those from which it is near; found when first needed.
    near: Vec<Option<Box<[Near]>>>,
    pub(super) bound: TimeBound,
}

/// A zone from which another one is near.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    pub(super) zone: u32,
    /// The duration of the path between the two centers.
    pub(super) seconds: f32,
}

/// Where an agent goes to take an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) zone: u32,
    /// Feet, world units.
    pub(super) position: Vec2,
}

impl Zones {
    pub(super) fn new(layer: &Layer, size: f32) -> Self {
        let mut this = Self {
            layer: layer.identity(),
            centers: Vec::new(),
            platforms: vec![0],
            vertices: Vec::new(),
            near: Vec::new(),
            bound: TimeBound::new(layer),
        };
        let edges = layer.profile().edges;
        for platform in layer.platforms().iter() {
            // An agent that only flies has floors, but is never on them.
            if edges.walks() {
                let (low, high) = platform.extent();
                let count = pieces(high - low, size);
                let middle = |i: u32| low + (high - low) * ((i as f32 + 0.5) / count as f32);
                this.centers
                    .extend((0..count).map(|i| platform.at(middle(i))));
            }
            this.platforms.push(this.centers.len() as u32);
        }
        if edges.contains(EdgeSet::FLY) {
            this.cover_air(layer, size);
        }
        this.near = vec![None; this.centers.len()];
        this
    }

    /// Assigns every free vertex to the nearest center that a body flies straight
    /// to, at most `size` away. Centers are the vertices of a lattice and then, in
    /// reading order, every vertex without one.
    fn cover_air(&mut self, layer: &Layer, size: f32) {
        let grid = layer.grid();
        let space = FreeSpace::new(layer, [&[], &[]]);
        let step = ((size / grid.spacing) as u32).max(1);
        let [across, down] = [grid.columns, grid.rows].map(|count| count.div_ceil(step));
        let mut blocks: Vec<Vec<u32>> = vec![Vec::new(); across as usize * down as usize];
        let block = |cell: Cell| (cell.row / step * across + cell.column / step) as usize;
        self.vertices = vec![NONE; grid.len()];
        // Near a floor, agents that also walk are taken to stand on it.
        let walks = layer.profile().edges.walks();
        let is_air = |cell: Cell| {
            !layer.blocked().get(cell.column, cell.row)
                && (!walks || locate(layer, grid.position(cell)) == Some(Location::Air(cell)))
        };
        let cells: Vec<Cell> = (0..grid.rows)
            .flat_map(|row| (0..grid.columns).map(move |column| Cell { column, row }))
            .filter(|cell| is_air(*cell))
            .collect();
        let on_lattice = |at: u32| at % step == step / 2;
        let mut found: Vec<(f32, u32)> = Vec::new();
        for only_lattice in [true, false] {
            for &cell in &cells {
                let at = grid.position(cell);
                found.clear();
                if only_lattice {
                    if !(on_lattice(cell.column) && on_lattice(cell.row)) {
                        continue;
                    }
                } else {
                    let span = |at: u32, end: u32| at.saturating_sub(1)..(at + 2).min(end);
                    for row in span(cell.row / step, down) {
                        for column in span(cell.column / step, across) {
                            let near = blocks.get((row * across + column) as usize);
                            found.extend(near.into_iter().flatten().filter_map(|&zone| {
                                let distance = self.center(zone)?.distance(at);
                                (distance <= size).then_some((distance, zone))
                            }));
                        }
                    }
                    found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                }
                let seen = found.iter().find(|(_, zone)| {
                    self.center(*zone)
                        .is_some_and(|center| space.sees(center, at))
                });
                let zone = seen.map_or(self.centers.len() as u32, |(_, zone)| *zone);
                if seen.is_none() {
                    self.centers.push(at);
                    if let Some(block) = blocks.get_mut(block(cell)) {
                        block.push(zone);
                    }
                }
                if let Some(vertex) = self.vertices.get_mut(grid.vertex(cell).index()) {
                    *vertex = zone;
                }
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.centers.len()
    }

    fn center(&self, zone: u32) -> Option<Vec2> {
        self.centers.get(zone as usize).copied()
    }

    /// The zone of a place in the layer.
    pub(super) fn of(&self, layer: &Layer, place: Location) -> Option<u32> {
        match place {
            Location::Floor(spot) => self.on_platform(layer, spot.platform, layer.along(spot)),
            Location::Air(cell) => {
                let zone = *self.vertices.get(layer.grid().vertex(cell).index())?;
                (zone != NONE).then_some(zone)
            }
        }
    }

    fn on_platform(&self, layer: &Layer, id: PlatformId, along: f32) -> Option<u32> {
        let first = *self.platforms.get(id.index())?;
        let count = self.platforms.get(id.index() + 1)? - first;
        let (low, high) = layer.platform(id)?.extent();
        let share = ((along - low) / (high - low)).max(0.0);
        let piece = (share * count as f32) as u32;
        (count > 0).then(|| first + piece.min(count - 1))
    }

    /// The nearest place from which a free line leads to an object, at most `reach`
    /// away. The line ends at the middle of the body, because feet on a slope are
    /// outside all boxes of free vertices.
    pub(super) fn join(
        &self,
        layer: &Layer,
        doors: &Doors,
        object: Vec2,
        reach: f32,
    ) -> Option<Place> {
        if !object.is_finite() {
            return None;
        }
        let grid = layer.grid();
        let edges = layer.profile().edges;
        let mut places: Vec<(f32, Location)> = Vec::new();
        let mut add = |place: Option<Location>| {
            let distance = |place: Location| place.position(layer).distance(object);
            places.extend(
                place
                    .map(|place| (distance(place), place))
                    .filter(|(distance, _)| *distance <= reach),
            );
        };
        if edges.walks() {
            let spots = [
                layer.floor_below(object, reach),
                layer.nearest_floor(object, reach),
                layer.nearest_hold(object, reach),
            ];
            spots
                .into_iter()
                .flatten()
                .for_each(|spot| add(settled(layer, spot.position)));
        }
        // A search takes a vertex for a place up to two spacings away.
        let corner = Vec2::splat(reach + 2.0 * grid.spacing);
        let [a, b] = [object - corner, object + corner].map(|p| grid.nearest_cell(p));
        for row in a.row.min(b.row)..=a.row.max(b.row) {
            for column in a.column..=b.column {
                let cell = Cell { column, row };
                let is_air = edges.contains(EdgeSet::FLY) && !layer.blocked().get(column, row);
                if is_air || edges.walks() && layer.floor().get(column, row) {
                    add(settled(layer, grid.position(cell)));
                }
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let middle = Vec2::new(0.0, -0.5 * layer.profile().body[1] * grid.y_axis.down());
        places.into_iter().find_map(|(_, place)| {
            let position = place.position(layer);
            let zone = self.of(layer, place)?;
            line_of_sight(layer, doors, object, position + middle)
                .then_some(Place { zone, position })
        })
    }

    /// The zones from which one is at most `spread` seconds away, by the paths of a
    /// query, and those seconds.
    pub(super) fn near(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        query: &mut Query,
        zone: u32,
        spread: f32,
    ) -> &[Near] {
        let known = self.near.get(zone as usize).is_some_and(Option::is_some);
        if let (false, Some(center)) = (known, self.center(zone)) {
            let tails = self.bound.tails(center);
            let near = (0..).zip(&self.centers).filter_map(|(from, &at)| {
                if from == zone {
                    return Some(Near { zone, seconds: 0.0 });
                }
                if self.bound.before(&tails, at, center) > spread {
                    return None;
                }
                (query.from, query.to) = (at, center);
                let outcome = finder.find(layer, query).ok()?;
                let seconds = outcome.path()?.cost as f32;
                (seconds < spread).then_some(Near {
                    zone: from,
                    seconds,
                })
            });
            let near: Box<[Near]> = near.collect();
            if let Some(slot) = self.near.get_mut(zone as usize) {
                *slot = Some(near);
            }
        }
        let near = self.near.get(zone as usize).and_then(Option::as_ref);
        near.map_or(&[], |near| near)
    }

    /// The zones whose surroundings are known and may change with some doors: those
    /// that an agent can reach from one of the doors in `spread` seconds.
    pub(super) fn affected(&self, layer: &Layer, doors: &[Rect], spread: f32) -> Vec<u32> {
        let down = layer.grid().y_axis.down();
        let doors: Vec<Rect> = doors.iter().map(|door| grown(*door, layer)).collect();
        // A jump through a door is longer than what is left of it behind the door.
        let links = layer.links().iter().filter(|link| {
            let arc = link.trajectory(layer.profile().fall(), down);
            arc.is_ok_and(|arc| {
                let mut doors = doors.iter();
                doors.any(|door| arc_inside(*door, link, &arc, down) > 0.0)
            })
        });
        let links: Vec<Vec2> = links.map(|link| link.from).collect();
        let known = (0..).zip(&self.near).filter(|(_, near)| near.is_some());
        let affected = known.filter(|(zone, _)| {
            self.center(*zone).is_some_and(|center| {
                let tails = self.bound.tails(center);
                let nearest = |door: &Rect, at: Vec2| at.clamp(door.min, door.max);
                let portals = || self.bound.portals.iter().map(|portal| portal.from);
                let ends = || std::iter::once(center).chain(portals());
                let exits = doors
                    .iter()
                    .flat_map(|door| ends().map(|end| nearest(door, end)));
                let mut starts = exits.chain(links.iter().copied());
                starts.any(|start| self.bound.before(&tails, start, center) <= spread)
            })
        });
        affected.map(|(zone, _)| zone).collect()
    }

    /// Forgets the surroundings of zones, which have changed.
    pub(super) fn forget(&mut self, zones: &[u32]) {
        for zone in zones {
            if let Some(near) = self.near.get_mut(*zone as usize) {
                *near = None;
            }
        }
    }
}

/// The place that a search takes a position for, and takes for itself: above a floor
/// that is higher than its vertex, the first place is a free vertex, and a search from
/// there begins on the floor.
fn settled(layer: &Layer, position: Vec2) -> Option<Location> {
    locate(layer, locate(layer, position)?.position(layer))
}

/// The number of pieces of a length, none longer than `size`.
fn pieces(length: f32, size: f32) -> u32 {
    (length / size).ceil().clamp(1.0, 65_536.0) as u32
}

/// A lower bound of the time between two positions, without a search: straight at
/// the greatest speed of any motion, or through portals, which have no length.
#[derive(Debug, Clone)]
pub(super) struct TimeBound {
    top_speed: f32,
    /// How much shorter than the bound a path may be: by steps of almost no length.
    slack: f32,
    portals: Vec<Portal>,
}

#[derive(Debug, Clone, Copy)]
struct Portal {
    from: Vec2,
    to: Vec2,
    cost: f32,
}

impl TimeBound {
    fn new(layer: &Layer) -> Self {
        let profile = layer.profile();
        let mut top_speed = profile.run_speed.max(profile.climb_speed);
        // Ends of links that meet within this length are steps, not motions.
        let hair = 0.01 * layer.grid().spacing;
        for link in layer.links() {
            let length = link.from.distance(link.to);
            if link.kind != LinkKind::Portal && length > hair {
                top_speed = top_speed.max(length / link.duration.max(f32::MIN_POSITIVE));
            }
        }
        let portals = layer.portals().map(|link| Portal {
            from: link.from,
            to: link.to,
            cost: link.duration,
        });
        Self {
            top_speed,
            // A start may be up to two spacings from where the search locates it.
            slack: 4.0 * layer.grid().spacing / top_speed,
            portals: portals.collect(),
        }
    }

    fn straight(&self, from: Vec2, to: Vec2) -> f32 {
        from.distance(to) / self.top_speed
    }

    /// For each portal, the least time from its entrance to an end.
    fn tails(&self, end: Vec2) -> Vec<f32> {
        let ends = self.portals.iter();
        let mut tails: Vec<f32> = ends.map(|p| p.cost + self.straight(p.to, end)).collect();
        // Each round may add a portal to a chain, and none is used twice.
        for _ in 1..self.portals.len() {
            for i in 0..tails.len() {
                let through = self.portals.iter().zip(&tails).map(|(next, tail)| {
                    self.portals[i].cost + self.straight(self.portals[i].to, next.from) + tail
                });
                tails[i] = through.fold(tails[i], f32::min);
            }
        }
        tails
    }

    fn before(&self, tails: &[f32], from: Vec2, end: Vec2) -> f32 {
        let through = self.portals.iter().zip(tails);
        let through = through.map(|(portal, tail)| self.straight(from, portal.from) + tail);
        through.fold(self.straight(from, end), f32::min) - self.slack
    }

    /// For each portal, its exit and the least time to it from a start.
    pub(super) fn heads(&self, start: Vec2, heads: &mut Vec<(Vec2, f32)>) {
        heads.clear();
        let starts = self.portals.iter();
        heads.extend(starts.map(|p| (p.to, self.straight(start, p.from) + p.cost)));
        for _ in 1..self.portals.len() {
            for i in 0..heads.len() {
                let entrance = self.portals[i];
                let through = heads
                    .iter()
                    .map(|(exit, head)| head + self.straight(*exit, entrance.from) + entrance.cost);
                heads[i].1 = through.fold(heads[i].1, f32::min);
            }
        }
    }

    /// The least time from a start, whose `heads` are given, to an end.
    #[inline]
    pub(super) fn after(&self, heads: &[(Vec2, f32)], start: Vec2, end: Vec2) -> f32 {
        let through = heads.iter();
        let through = through.map(|(exit, head)| head + self.straight(*exit, end));
        (through.fold(self.straight(start, end), f32::min) - self.slack).max(0.0)
    }
}
