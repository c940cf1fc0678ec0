//! Divides a layer into zones, and finds the zones near each.

use std::collections::VecDeque;
use std::ops::Range;

use glam::Vec2;

use navmesh_runtime::mesh::{Cell, EdgeSet, Layer, Link, PlatformId, PlatformKind, StepKind};
use navmesh_runtime::search::{
    Doors, Filter, Path, PathFinder, Query, Rect, Snap, SnapTo, line_of_sight,
};
use navmesh_runtime::shared::{FreeSpace, grown, link_bounds, overlap, segment_inside};

/// No zone: the entry of a vertex at which the agent cannot be.
const NONE: u32 = u32::MAX;

/// How many vertices away the zone of a position without one is looked for: as far as a
/// search looks for a place.
const NEAR_VERTICES: u32 = 2;

/// The zones of a layer: pieces of platforms, and for agents that fly, sets of
/// free vertices around one that sees them.
#[derive(Debug, Clone)]
pub struct Zones {
    pub layer: usize,
    pub centers: Vec<Vec2>,
    /// The zones from left to right.
    by_x: Vec<u32>,
    /// The first zone of each platform, and the end of the last.
    platforms: Vec<u32>,
    /// The zone of each vertex; empty for agents that do not fly.
    vertices: Vec<u32>,
    /// For each zone, those from which it is near; found when first needed.
    near: Vec<Option<Box<[Near]>>>,
    /// For each zone, those of the known ones that are near it, and the duration of the
    /// path to them with every door open, seconds.
    pub ahead: Vec<Vec<(u32, f32)>>,
    /// Seconds within which a zone is near.
    spread: f32,
    /// Closed doors, as rectangles that the feet may not be in.
    closed: Vec<Rect>,
    /// The query of paths with these doors.
    query: Query,
    /// Paths that doors may have changed: the zone at the end, and the index of the
    /// path among those to it.
    pub stale: VecDeque<(u32, usize)>,
    pub bound: TimeBound,
}

/// A zone from which another one is near.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    pub zone: u32,
    /// The duration of the path between the two centres with the closed doors,
    /// infinite without a path.
    pub seconds: f32,
    /// The same with every door open: less than the spread.
    open: f32,
    /// A rectangle around the path: a door outside of it does not block the path.
    bounds: Rect,
    is_stale: bool,
}

/// Searches for paths in a layer.
pub struct Paths<'a> {
    pub layer: &'a Layer,
    pub finder: &'a mut PathFinder,
}

impl Paths<'_> {
    /// The duration of the path of a query between two positions, infinite without
    /// one, and a rectangle around it.
    pub fn measure(&mut self, query: &mut Query, from: Vec2, to: Vec2) -> (f32, Rect) {
        (query.from, query.to) = (from, to);
        let path = self.finder.find(self.layer, query).ok();
        let path = path.and_then(|outcome| outcome.path());
        path.map_or((f32::INFINITY, Rect::new(from, to)), |path| {
            (path.cost as f32, around(self.layer, path))
        })
    }
}

/// Where an agent goes to take an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub zone: u32,
    /// Feet, world units.
    pub position: Vec2,
}

impl Zones {
    pub fn new(layer: &Layer, size: f32, spread: f32) -> Self {
        let mut this = Self {
            layer: layer.identity(),
            centers: Vec::new(),
            by_x: Vec::new(),
            platforms: vec![0],
            vertices: Vec::new(),
            near: Vec::new(),
            ahead: Vec::new(),
            spread,
            closed: Vec::new(),
            query: Query::new(Vec2::ZERO, Vec2::ZERO),
            stale: VecDeque::new(),
            bound: TimeBound::new(layer),
        };
        let edges = layer.profile().edges;
        for platform in layer.platforms() {
            // An agent that only flies has floors, but is never on them.
            if edges.walks() {
                let (low, high) = platform.extent();
                // Pieces of equal length, none longer than the size.
                let count = ((high - low) / size).ceil().max(1.0) as u32;
                this.centers.extend(
                    (0..count).map(|i| {
                        platform.at(low + (high - low) * ((i as f32 + 0.5) / count as f32))
                    }),
                );
            }
            this.platforms.push(this.centers.len() as u32);
        }
        if edges.contains(EdgeSet::FLY) {
            this.cover_air(layer, size);
        }
        this.by_x = (0..this.centers.len() as u32).collect();
        let x = |zone: &u32| this.centers[*zone as usize].x;
        (this.by_x).sort_by(|a, b| x(a).total_cmp(&x(b)));
        this.near = vec![None; this.centers.len()];
        this.ahead = vec![Vec::new(); this.centers.len()];
        this
    }

    /// Assigns every free vertex to the nearest centre that a body flies straight
    /// to, at most `size` away. Centers are the vertices of a lattice and then, in
    /// reading order, every vertex without one.
    fn cover_air(&mut self, layer: &Layer, size: f32) {
        let grid = layer.grid();
        let space = FreeSpace::new(layer, [&[], &[]]);
        let step = ((size / grid.spacing) as u32).max(1);
        let [across, down] = [grid.columns, grid.rows].map(|count| count.div_ceil(step));
        // The zones by the block of the lattice that their centre is in.
        let mut blocks: Vec<Vec<u32>> = vec![Vec::new(); across as usize * down as usize];
        let block = |cell: Cell| (cell.row / step * across + cell.column / step) as usize;
        self.vertices = vec![NONE; grid.vertices()];
        // Near a floor, agents that also walk are taken to stand on it.
        let walks = layer.profile().edges.walks();
        let is_air = |cell: Cell| {
            !layer.blocked().get(cell.column, cell.row) && (!walks || is_at_vertex(layer, cell))
        };
        let cells: Vec<Cell> = (0..grid.rows)
            .flat_map(|row| (0..grid.columns).map(move |column| Cell { column, row }))
            .filter(|cell| is_air(*cell))
            .collect();
        let on_lattice = |at: u32| at % step == step / 2;
        let is_center = |cell: &&Cell| on_lattice(cell.column) && on_lattice(cell.row);
        for &cell in cells.iter().filter(is_center) {
            blocks[block(cell)].push(self.centers.len() as u32);
            self.centers.push(grid.position(cell));
        }
        let span = |at: u32, end: u32| at.saturating_sub(1)..(at + 2).min(end);
        let mut found: Vec<(f32, u32)> = Vec::new();
        for cell in cells {
            let at = grid.position(cell);
            found.clear();
            for row in span(cell.row / step, down) {
                for column in span(cell.column / step, across) {
                    let near = &blocks[(row * across + column) as usize];
                    found.extend(near.iter().filter_map(|&zone| {
                        let distance = self.center(zone).distance(at);
                        (distance <= size).then_some((distance, zone))
                    }));
                }
            }
            found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let seen = (found.iter()).find(|(_, zone)| space.sees(self.center(*zone), at));
            let zone = seen.map_or(self.centers.len() as u32, |(_, zone)| *zone);
            if seen.is_none() {
                self.centers.push(at);
                blocks[block(cell)].push(zone);
            }
            self.vertices[grid.vertex(cell).0 as usize] = zone;
        }
    }

    pub fn len(&self) -> usize {
        self.centers.len()
    }

    pub fn center(&self, zone: u32) -> Vec2 {
        self.centers[zone as usize]
    }

    /// The zone of a place in the layer.
    pub fn of(&self, layer: &Layer, place: Snap) -> Option<u32> {
        if let Some(platform) = place.platform {
            let along = layer.platform(platform)?.along(place.position);
            return self.on_platform(layer, platform, along);
        }
        let nearest = layer.grid().nearest_cell(place.position);
        let zone = self.of_vertex(layer, nearest);
        // Between a wall and the last free vertex before it, the nearest may be blocked.
        zone.or_else(|| self.seen_from(layer, place.position))
    }

    fn of_vertex(&self, layer: &Layer, cell: Cell) -> Option<u32> {
        let vertex = layer.grid().vertex(cell).0 as usize;
        let zone = self.vertices.get(vertex).copied();
        zone.filter(|zone| *zone != NONE)
    }

    /// The zone of the nearest vertex from which a body flies straight to a position.
    fn seen_from(&self, layer: &Layer, position: Vec2) -> Option<u32> {
        let (grid, space) = (layer.grid(), FreeSpace::new(layer, [&[], &[]]));
        let nearest = grid.nearest_cell(position);
        let mut best: Option<(f32, u32)> = None;
        for row in near_lines(nearest.row, grid.rows) {
            for column in near_lines(nearest.column, grid.columns) {
                let cell = Cell { column, row };
                let at = grid.position(cell);
                let distance = at.distance(position);
                if best.is_none_or(|(least, _)| distance < least)
                    && let Some(zone) = self.of_vertex(layer, cell)
                    && space.sees(at, position)
                {
                    best = Some((distance, zone));
                }
            }
        }
        best.map(|(_, zone)| zone)
    }

    fn on_platform(&self, layer: &Layer, id: PlatformId, along: f32) -> Option<u32> {
        let first = self.platforms[id.index()];
        let count = self.platforms[id.index() + 1] - first;
        let (low, high) = layer.platform(id)?.extent();
        let share = ((along - low) / (high - low)).max(0.0);
        let piece = (share * count as f32) as u32;
        (count > 0).then(|| first + piece.min(count - 1))
    }

    /// The nearest place from which a free line leads to an object, at most `reach`
    /// away. The line ends at the middle of the body, because feet on a slope are
    /// outside all boxes of free vertices. So it also begins at the middle of a body
    /// that stands at the object.
    pub fn join(&self, layer: &Layer, doors: &Doors, object: Vec2, reach: f32) -> Option<Place> {
        if !object.is_finite() {
            return None;
        }
        let (grid, profile) = (layer.grid(), layer.profile());
        let (walks, flies) = (profile.edges.walks(), profile.edges.contains(EdgeSet::FLY));
        // Agents that only fly are free between vertices as well.
        let mut spots = [layer.snap(object, SnapTo::PathEnd), None, None];
        if walks {
            spots = [
                layer.snap(object, SnapTo::FloorBelow(reach)),
                layer.snap(object, SnapTo::NearestFloor(reach)),
                layer.snap(object, SnapTo::NearestHold(reach)),
            ];
        }
        // A search takes a vertex for a place up to two spacings away.
        let corner = Vec2::splat(reach + 2.0 * grid.spacing);
        let [a, b] = [object - corner, object + corner].map(|p| grid.nearest_cell(p));
        let rows = a.row.min(b.row)..=a.row.max(b.row);
        let cells = rows.flat_map(|row| (a.column..=b.column).map(move |column| (column, row)));
        let vertices = cells.filter_map(|(column, row)| {
            let is_air = flies && !layer.blocked().get(column, row);
            (is_air || walks && layer.floor().get(column, row))
                .then(|| grid.position(Cell { column, row }))
        });
        let spots = spots.into_iter().flatten().map(|spot| spot.position);
        // The place that a search takes a position for, and takes for itself: above a floor
        // that is higher than its vertex, the first place is a free vertex, and a search
        // from there begins on the floor.
        let places = spots.chain(vertices).filter_map(|position| {
            let first = layer.snap(position, SnapTo::PathEnd)?;
            let place = layer.snap(first.position, SnapTo::PathEnd)?;
            Some((place.position.distance(object), place))
        });
        let mut places: Vec<_> = places.filter(|(distance, _)| *distance <= reach).collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let middle = Vec2::new(0.0, -0.5 * profile.body[1] * grid.y_axis.down());
        let below = layer.snap(object, SnapTo::FloorBelow(profile.body[1]));
        let standing = below.map(|spot| spot.position + middle).filter(|at| {
            let mut closed = doors.closed().iter();
            closed.all(|door| segment_inside(*door, object, *at).is_none())
        });
        places.into_iter().find_map(|(_, place)| {
            let position = place.position;
            let zone = self.of(layer, place)?;
            let to = position + middle;
            let is_free = |from| line_of_sight(layer, doors, from, to);
            (is_free(object) || standing.is_some_and(|at| at == to || is_free(at)))
                .then_some(Place { zone, position })
        })
    }

    /// The zones from which one is less than the spread away when every door is open,
    /// and the durations of the paths with the closed doors.
    pub fn near(&mut self, paths: &mut Paths<'_>, zone: u32) -> &[Near] {
        if self.near[zone as usize].is_none() {
            let found = self.find_near(paths, zone);
            for near in &found {
                self.ahead[near.zone as usize].push((zone, near.open));
            }
            self.near[zone as usize] = Some(found);
        }
        self.near[zone as usize].as_deref().unwrap_or_default()
    }

    /// The zones from which a path to a position may be short enough, and some others.
    fn around(&self, position: Vec2) -> &[u32] {
        if self.bound.out_of_portals(position) <= self.spread + self.bound.slack {
            return &self.by_x;
        }
        let reach = self.bound.length(self.spread);
        let left_of = |x: f32| self.by_x.partition_point(|zone| self.center(*zone).x < x);
        &self.by_x[left_of(position.x - reach)..left_of(position.x + reach)]
    }

    fn find_near(&mut self, paths: &mut Paths<'_>, zone: u32) -> Box<[Near]> {
        let center = self.center(zone);
        let mut open = Query::new(center, center);
        let mut around: Vec<u32> = self.around(center).to_vec();
        around.sort_unstable();
        let near = around.into_iter().filter_map(|from| {
            let at = self.center(from);
            let is_self = from == zone;
            let through_portals = self.bound.through_portals(at);
            if !is_self && self.bound.least(at, through_portals, center) > self.spread {
                return None;
            }
            let (seconds, bounds) = if is_self {
                (0.0, Rect::new(at, at))
            } else {
                paths.measure(&mut open, at, center)
            };
            (seconds < self.spread).then_some(Near {
                zone: from,
                seconds,
                open: seconds,
                bounds,
                is_stale: false,
            })
        });
        let mut near: Box<[Near]> = near.collect();
        for near in &mut near {
            if near.zone != zone && near.crosses(&self.closed) {
                let from = self.centers[near.zone as usize];
                (near.seconds, near.bounds) = paths.measure(&mut self.query, from, center);
            }
        }
        near
    }

    /// The zones beside a place on its platform whose surroundings are known, and the
    /// seconds from the place to their centres with every door open.
    pub fn beside(&self, layer: &Layer, place: Place) -> [Option<(u32, f32)>; 2] {
        let end = self.platforms.partition_point(|first| *first <= place.zone);
        let id = PlatformId(end.saturating_sub(1) as u32);
        let zones = match self.platforms.get(id.index()..=end) {
            Some([first, end]) => *first..*end,
            _ => 0..0,
        };
        let profile = layer.profile();
        let platform = layer.platform(id);
        [place.zone.wrapping_sub(1), place.zone + 1].map(|zone| {
            let platform = platform.filter(|platform| {
                let is_known = zones.contains(&zone) && self.near[zone as usize].is_some();
                is_known && profile.edges.contains(platform.kind.edge())
            })?;
            let speed = match platform.kind {
                PlatformKind::Floor => profile.run_speed,
                _ => profile.climb_speed,
            };
            let length = platform.along(self.center(zone)) - platform.along(place.position);
            Some((zone, length.abs() / speed))
        })
    }

    /// Sets the closed doors, and finds the paths that may change with those that are
    /// opened or closed by it; [`settle`](Self::settle) searches them again.
    pub fn set_doors(&mut self, layer: &Layer, doors: &Doors, opened: &[Rect]) {
        self.query.filter = Filter::default();
        self.query.filter.close_doors(doors);
        let old = std::mem::take(&mut self.closed);
        let closed = doors.closed().iter().map(|door| grown(*door, layer));
        self.closed.extend(closed);
        let new = difference(&self.closed, &old);
        let is_opened = self.affected(layer, opened);
        for ((zone, near), is_opened) in (0..).zip(&mut self.near).zip(is_opened) {
            for (index, near) in near.iter_mut().flatten().enumerate() {
                // A path that is as short as with open doors does not become shorter,
                // and one that no closed door crosses does not become longer.
                let may_change = is_opened && near.seconds > near.open || near.crosses(&new);
                if may_change && near.zone != zone && !near.is_stale {
                    near.is_stale = true;
                    self.stale.push_back((zone, index));
                }
            }
        }
    }

    /// Searches the next path that doors may have changed. Returns the zones at its
    /// ends, and its duration before and now, seconds.
    pub fn settle(&mut self, paths: &mut Paths<'_>) -> Option<(u32, u32, [f32; 2])> {
        let (to, index) = self.stale.pop_front()?;
        let near = self.near[to as usize].as_mut()?.get_mut(index)?;
        let ends = [near.zone, to].map(|zone| self.centers[zone as usize]);
        let old = near.seconds;
        (near.seconds, near.bounds) = paths.measure(&mut self.query, ends[0], ends[1]);
        near.is_stale = false;
        Some((near.zone, to, [old, near.seconds]))
    }

    /// For each zone, whether its surroundings are known and may change with some doors:
    /// an agent can get from one of the doors to the zone within the spread.
    fn affected(&self, layer: &Layer, doors: &[Rect]) -> Vec<bool> {
        let doors: Vec<Rect> = doors.iter().map(|door| grown(*door, layer)).collect();
        // A jump through a door is longer than what is left of it behind the door.
        let links: Vec<Vec2> = (layer.links().iter())
            .filter(|link| {
                let mut doors = doors.iter();
                link.kind.is_airborne()
                    && doors.any(|door| overlap(link_bounds(layer, link, 0.0), *door))
            })
            .map(|link| link.from)
            .collect();
        let zones = self.centers.iter().zip(&self.near);
        zones
            .map(|(center, near)| near.is_some() && self.is_behind(&doors, &links, *center))
            .collect()
    }

    /// Whether a position is within the spread of one of some doors, or of one of the
    /// starts of links through them.
    fn is_behind(&self, doors: &[Rect], links: &[Vec2], center: Vec2) -> bool {
        let portals = self.bound.portals.iter().map(|portal| portal.from);
        let exits = portals
            .chain([center])
            .flat_map(|end| doors.iter().map(move |door| end.clamp(door.min, door.max)));
        exits.chain(links.iter().copied()).any(|at| {
            let through_portals = self.bound.through_portals(at);
            self.bound.least(at, through_portals, center) <= self.spread
        })
    }
}

impl Near {
    /// Whether one of some doors may block the path.
    fn crosses(&self, doors: &[Rect]) -> bool {
        self.seconds.is_finite() && doors.iter().any(|door| overlap(self.bounds, *door))
    }
}

/// The rectangles of a list that are not in another one.
pub fn difference(list: &[Rect], other: &[Rect]) -> Vec<Rect> {
    let missing = list.iter().filter(|rect| !other.contains(rect));
    missing.copied().collect()
}

/// A rectangle that contains the feet on a path.
fn around(layer: &Layer, path: &Path) -> Rect {
    let Rect { mut min, mut max } = Rect::new(path.start, path.end);
    for step in &path.steps {
        let mut rect = Rect::new(step.from, step.to);
        let link = step.link.and_then(|id| layer.link(id));
        if let Some(link) = link.filter(|link| link.kind.is_airborne()) {
            rect = link_bounds(layer, link, 0.0);
        } else if link.is_none()
            && let Some(platform) = step.platform.and_then(|id| layer.platform(id))
        {
            let Rect {
                min: left,
                max: right,
            } = rect;
            for point in platform.surface {
                if (left.x..=right.x).contains(&point.x) {
                    rect = Rect {
                        min: rect.min.min(*point),
                        max: rect.max.max(*point),
                    };
                }
            }
        }
        (min, max) = (min.min(rect.min), max.max(rect.max));
    }
    Rect { min, max }
}

/// A lower bound of the time between two positions, without a search: straight at
/// the greatest speed of any motion, or through portals, which have no length.
#[derive(Debug, Clone)]
pub struct TimeBound {
    top_speed: f32,
    /// How much shorter than the bound a path may be: by steps of almost no length.
    pub slack: f32,
    pub portals: Vec<Link>,
}

impl TimeBound {
    fn new(layer: &Layer) -> Self {
        let profile = layer.profile();
        let mut top_speed = profile.run_speed.max(profile.climb_speed);
        // Ends of links that meet within this length are steps, not motions.
        let hair = 0.01 * layer.grid().spacing;
        for link in layer.links() {
            let length = link.from.distance(link.to);
            if link.kind != StepKind::Portal && length > hair {
                top_speed = top_speed.max(length / link.duration.max(f32::MIN_POSITIVE));
            }
        }
        // A start may be up to two spacings from where the search locates it; in flight,
        // choices begin where the search does.
        let spacings = if profile.edges.walks() { 4.0 } else { 0.01 };
        Self {
            top_speed,
            slack: spacings * layer.grid().spacing / top_speed,
            portals: layer.portals().copied().collect(),
        }
    }

    /// The least time between two positions without portals.
    #[inline]
    pub fn straight(&self, from: Vec2, to: Vec2) -> f32 {
        // Less than what rounding adds to a path of a hundred steps.
        from.distance(to) * (1.0 - 1e-5) / self.top_speed
    }

    /// What [`straight`](Self::straight) may be long in some seconds, and a little more.
    pub fn length(&self, seconds: f32) -> f32 {
        (seconds + self.slack) * self.top_speed * 1.001
    }

    /// The least time from a position through a portal.
    pub fn through_portals(&self, from: Vec2) -> f32 {
        self.portals.iter().fold(f32::INFINITY, |least, portal| {
            least.min(self.straight(from, portal.from) + portal.duration)
        })
    }

    /// The least time from the exit of a portal to a position.
    pub fn out_of_portals(&self, to: Vec2) -> f32 {
        let exits = self.portals.iter().map(|portal| portal.to);
        exits.fold(f32::INFINITY, |least, exit| {
            least.min(self.straight(exit, to))
        })
    }

    /// The least time between two positions, of which the first has this least time
    /// [into portals](Self::through_portals).
    #[inline]
    pub fn least(&self, from: Vec2, through_portals: f32, to: Vec2) -> f32 {
        let through = through_portals + self.out_of_portals(to);
        (self.straight(from, to).min(through) - self.slack).max(0.0)
    }
}

/// The columns or rows near to one of some number.
fn near_lines(at: u32, count: u32) -> Range<u32> {
    at.saturating_sub(NEAR_VERTICES)..count.min(at + NEAR_VERTICES + 1)
}

/// Whether a search that begins at a vertex begins in the air there.
fn is_at_vertex(layer: &Layer, cell: Cell) -> bool {
    let vertex = layer.grid().position(cell);
    layer
        .snap(vertex, SnapTo::PathEnd)
        .is_some_and(|place| place.platform.is_none() && place.position == vertex)
}
