//! The layer of one agent.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec2;

use super::air::{Air, AirCell, air_of_vertices};
use super::bits::BitGrid;
use super::climb_vertices::{ClimbVertices, climb_vertices};
use super::edge_set::EdgeSet;
use super::error::MeshError;
use super::flight_index::FlightIndex;
use super::floor_index::FloorIndex;
use super::floor_index::FloorSpot;
use super::floor_vertices::{FloorVertex, floor_vertices};
use super::grid::{Cell, Grid};
use super::ids::{LinkId, PlatformId, VertexId};
use super::limits::Limits;
use super::link::{Link, LinkLine, StepKind};
use super::link_graph::LinkGraph;
use super::moving_platform::{self, MovingPlatform};
use super::one_way_barrier::OneWayBarrier;
use super::platform::{Platform, PlatformKind, Platforms};
use super::profile::AgentProfile;
use super::route_index::{RouteIndex, RouteKind, StoredIndex};
use super::takeoff::{Takeoff, Takeoffs};
use super::terrain::Terrain;
use crate::graph::contraction::Contraction;

/// The parts of a [`Layer`], not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerParts {
    /// The agent it was baked for.
    pub profile: AgentProfile,
    /// The vertices at which the body is blocked. They may include `OnFloor`
    /// vertices: on a slope the feet can be higher in the cell than its
    /// vertex.
    pub blocked: BitGrid,
    /// The floors, ladders, walls and ceilings.
    pub platforms: Platforms,
    /// The links, sorted by the platform they leave.
    pub links: Vec<Link>,
    /// One-way walls and ceilings. No link crosses one against its direction.
    pub barriers: Vec<OneWayBarrier>,
    /// For agents that only fly: where the body is free, from the top down and from left
    /// to right. If it is empty, that is the edges and squares between free vertices.
    pub air: Vec<AirCell>,
    /// The lines of links over which the game moves agents.
    pub lines: Vec<LinkLine>,
}

/// A level, baked for one agent: terrain, platforms, links, and indices to
/// search them.
#[derive(Debug, Clone)]
pub struct Layer {
    identity: usize,
    grid: Grid,
    parts: LayerParts,
    floor: BitGrid,
    climbs: ClimbVertices,
    takeoffs: Takeoffs,
    /// For agents that both walk and fly: their `OnFloor` vertices, sorted.
    floor_vertices: Vec<FloorVertex>,
    /// For agents that fly.
    pub(crate) air: Option<Air>,
    floor_index: FloorIndex,
    graph: LinkGraph,
    /// The left and the right end of the bottoms of holes where ground was removed, with y
    /// downwards: what is below is not known.
    pub(crate) hole_bottoms: Vec<[Vec2; 2]>,
    moving: Vec<MovingPlatform>,
    /// What files hold of the index of routes, or of that of flights: the part that
    /// takes long to find.
    pub(crate) stored: StoredIndex,
    /// Built on demand: for the agent of the bake, and then for other kinds of agents,
    /// of which the first ones are set.
    routes: [OnceLock<(RouteKind, RouteIndex)>; MOST_ROUTES],
    /// Built on demand, for agents that only fly.
    flights: OnceLock<Option<FlightIndex>>,
}

/// Greatest number of kinds of agents that a layer has indices for: it limits the
/// memory if a game makes a new kind of every agent.
const MOST_ROUTES: usize = 9;

static NEXT_IDENTITY: AtomicUsize = AtomicUsize::new(0);

/// Compares what a file of them holds; the rest follows from that.
impl PartialEq for Layer {
    fn eq(&self, other: &Self) -> bool {
        (self.grid == other.grid && self.parts == other.parts)
            && (self.moving == other.moving && self.stored == other.stored)
    }
}

/// How often the platforms of a layer may pass one vertex on average. Real levels stay below
/// a third. Free space as wide as a body lies between walls that face each other, so only
/// where bodies are much narrower than the spacing could it be more than 4.
const OVERLAPPING: f32 = 4.0;

/// Checks that platforms lie in the grid, and that all together are not much longer than its
/// rows: whatever later divides them into pieces as long as a vertex is wide takes time and
/// memory in proportion to the grid.
fn check_extent(platforms: &Platforms, grid: &Grid) -> Result<(), MeshError> {
    let size = Vec2::new(grid.columns as f32, grid.rows as f32 * grid.y_axis.down());
    let (a, b) = (grid.origin, grid.origin + size * grid.spacing);
    let (min, max) = (a.min(b) - grid.spacing, a.max(b) + grid.spacing);
    let mut left = OVERLAPPING * (grid.vertices() + 2 * platforms.points()) as f32;
    for platform in platforms.iter() {
        let mut points = platform.surface.iter();
        if points.any(|point| point.cmplt(min).any() || point.cmpgt(max).any()) {
            return Err(MeshError::of(
                "platform",
                platform.id,
                "is outside of the grid",
            ));
        }
        let (low, high) = platform.extent();
        left -= (high - low) / grid.spacing;
        if left < 0.0 {
            let what = "overlaps too many other platforms";
            return Err(MeshError::of("platform", platform.id, what));
        }
    }
    Ok(())
}

/// A place exactly at a limit may lie just beyond it in other units, by rounding: limits are
/// longer by this factor.
pub(crate) const LIMIT: f32 = 1.0 + 1e-4;

impl Layer {
    /// Checks the parts against each other and builds the indices. `motions` are the numbers of
    /// the links' motions, as far as they are known to share them: see [`Takeoffs::new`].
    pub(crate) fn new(
        mut parts: LayerParts,
        motions: &[u32],
        grid: &Grid,
    ) -> Result<Self, MeshError> {
        let LayerParts {
            profile,
            blocked,
            platforms,
            links,
            barriers,
            air,
            lines,
        } = &mut parts;
        // First, because the checks below compute with its numbers.
        profile.validate()?;
        let (columns, rows) = (blocked.columns(), blocked.rows());
        if (columns, rows) != (grid.columns, grid.rows) {
            return Err(format!("the terrain is {columns} x {rows}, unlike the grid").into());
        }
        let flies = profile.edges.contains(EdgeSet::FLY);
        let walks = profile.edges.walks();
        check_extent(platforms, grid)?;
        let found = floor_vertices(platforms, grid, flies);
        let floor = found.plane;
        if !air.is_empty() && (walks || !flies) {
            return Err("it has air, and its agent does not only fly"
                .to_owned()
                .into());
        }
        let air = flies.then(|| {
            let cells = air.clone();
            let is_known = !cells.is_empty();
            let cells = if is_known {
                cells
            } else {
                air_of_vertices(blocked, grid)
            };
            Air::new(cells, grid)
        });
        let air = air.transpose()?;
        let climbs = climb_vertices(platforms, grid, &floor, blocked);
        platforms.set_vertices(found.counts, &climbs.counts);
        if !profile.climbs()
            && let Some(bad) = platforms.iter().find(|p| p.kind != PlatformKind::Floor)
        {
            let what = "belongs to an agent that does not climb";
            return Err(MeshError::of("platform", bad.id, what));
        }
        for (number, barrier) in barriers.iter().enumerate() {
            barrier.check(number)?;
        }
        if let Some(bad) = lines.iter().find(|line| !line.is_valid()) {
            let what = "has a line without two ends, or a coordinate that is not finite";
            return Err(MeshError::of("marker", bad.marker, what));
        }
        let takeoffs = Takeoffs::new(links, motions, platforms, profile, grid)?;
        let mut this = Self {
            // No other memory depends on the order of these numbers.
            identity: NEXT_IDENTITY.fetch_add(1, Ordering::Relaxed),
            grid: *grid,
            floor_index: FloorIndex::new(platforms, grid),
            air,
            graph: LinkGraph::default(),
            hole_bottoms: Vec::new(),
            moving: Vec::new(),
            takeoffs,
            parts,
            floor,
            climbs,
            floor_vertices: found.spots,
            stored: StoredIndex::Nothing,
            routes: Default::default(),
            flights: OnceLock::new(),
        };
        this.connect();
        if walks {
            (this.floor_vertices).sort_unstable_by_key(|spot| (spot.vertex, spot.platform));
        } else {
            // An agent that only flies stays in the air at its floors.
            this.floor_vertices = Vec::new();
        }
        Ok(this)
    }

    /// Finds which platforms and regions of air are connected, also by rides.
    fn connect(&mut self) {
        let contacts = self.floor_vertices.iter();
        let contacts = contacts
            .filter_map(|&spot| Some((spot.platform, self.region_of(self.contact(spot)?.0)?)));
        let platforms = self.platforms().len();
        let links = (0..platforms as u32).map(PlatformId).flat_map(|from| {
            let takeoffs = self.takeoffs(from).1.iter();
            takeoffs.map(move |takeoff| [from, takeoff.to_platform])
        });
        let regions = self.regions();
        self.graph = LinkGraph::new(platforms, links, regions, contacts, &self.moving);
        self.parts.platforms.components = self.graph.of_platforms().to_vec();
    }

    /// A number that only this layer and its clones have in this process. A
    /// search that continues over several frames, or keeps results, compares
    /// it to notice that it was given another layer.
    #[doc(hidden)]
    pub fn identity(&self) -> usize {
        self.identity
    }

    /// The grid, the same for all layers of a mesh.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The agent it was baked for, with the limits of the bake.
    pub fn profile(&self) -> &AgentProfile {
        &self.parts.profile
    }

    /// The parts it was made of: platforms, links and barriers as they are
    /// stored. Needs the feature `write`.
    #[cfg(feature = "write")]
    pub fn parts(&self) -> &LayerParts {
        &self.parts
    }

    pub(crate) fn stored_parts(&self) -> &LayerParts {
        &self.parts
    }

    /// The vertices at which the body is blocked.
    #[doc(hidden)]
    pub fn blocked(&self) -> &BitGrid {
        &self.parts.blocked
    }

    #[doc(hidden)]
    pub fn floor(&self) -> &BitGrid {
        &self.floor
    }

    /// The type of a vertex.
    pub fn terrain(&self, cell: Cell) -> Terrain {
        let planes = [
            (&self.floor, Terrain::OnFloor),
            (&self.parts.blocked, Terrain::InsideGeometry),
            (&self.climbs.wall, Terrain::OnWall),
            (&self.climbs.ceiling, Terrain::OnCeiling),
        ];
        let mut planes = planes.into_iter();
        let found = planes.find(|(plane, _)| plane.get(cell.column, cell.row));
        found.map_or(Terrain::InAir, |(_, terrain)| terrain)
    }

    /// The platforms, in order of their ids.
    pub fn platforms(&self) -> impl ExactSizeIterator<Item = Platform<'_>> + DoubleEndedIterator {
        self.parts.platforms.iter()
    }

    /// The kind of a platform; a floor if there is no such platform.
    pub(crate) fn kind(&self, id: PlatformId) -> PlatformKind {
        self.parts.platforms.kind(id)
    }

    /// A platform by its id.
    pub fn platform(&self, id: PlatformId) -> Option<Platform<'_>> {
        self.parts.platforms.get(id)
    }

    /// The coordinate of a spot along its platform.
    pub(crate) fn along(&self, spot: FloorSpot) -> f32 {
        self.kind(spot.platform).along(spot.position)
    }

    /// All links, sorted by the platform they leave.
    pub fn links(&self) -> &[Link] {
        &self.parts.links
    }

    /// The lines of links over which the game moves agents.
    pub fn lines(&self) -> &[LinkLine] {
        &self.parts.lines
    }

    /// The line of a link over which the game moves agents; `None` for other links.
    pub fn line_of(&self, link: &Link) -> Option<&LinkLine> {
        let ends = [Some(&link.from), Some(&link.to)];
        let mut lines = self.parts.lines.iter();
        lines.find(|line| {
            link.kind == StepKind::Portal && [line.points.first(), line.points.last()] == ends
        })
    }

    /// The platforms that move by a schedule.
    pub fn moving_platforms(&self) -> &[MovingPlatform] {
        &self.moving
    }

    /// Sets them, and checks every number and index.
    pub(crate) fn set_moving_platforms(
        &mut self,
        moving: Vec<MovingPlatform>,
    ) -> Result<(), MeshError> {
        let (platforms, profile) = (&self.parts.platforms, &self.parts.profile);
        for (number, platform) in moving.iter().enumerate() {
            let checked = platform.check(platforms, profile);
            checked.map_err(|what| moving_platform::bad(number, what))?;
        }
        let counts = moving
            .iter()
            .flat_map(|on| [on.boards.len(), on.exits.len()]);
        if (counts.chain([moving.len()])).any(|count| count > usize::from(u16::MAX)) {
            return Err(moving_platform::bad(
                0,
                "is one of too many, or has too many motions",
            ));
        }
        self.moving = moving;
        if !self.moving.is_empty() {
            self.connect();
        }
        Ok(())
    }

    /// One-way walls and ceilings.
    pub(crate) fn barriers(&self) -> &[OneWayBarrier] {
        &self.parts.barriers
    }

    /// A link by its id.
    pub fn link(&self, id: LinkId) -> Option<&Link> {
        self.parts.links.get(id.index())
    }

    /// The links that leave a platform, and the id of the first.
    pub(crate) fn links_from(&self, platform: PlatformId) -> (u32, &[Link]) {
        let range = self.takeoffs.of.range(platform.index());
        (range.start as u32, &self.parts.links[range])
    }

    /// The takeoffs of a platform, sorted along it, and the index of the first
    /// in [`all_takeoffs`](Self::all_takeoffs).
    pub(crate) fn takeoffs(&self, platform: PlatformId) -> (usize, &[Takeoff]) {
        let range = self.takeoffs.of.range(platform.index());
        (range.start, &self.takeoffs.all[range])
    }

    /// The takeoff of an index among all, and its link.
    pub(crate) fn takeoff(&self, index: u32) -> Option<(&Takeoff, &Link)> {
        let takeoff = self.takeoffs.all.get(index as usize)?;
        Some((takeoff, self.link(takeoff.link)?))
    }

    pub(crate) fn all_takeoffs(&self) -> &[Takeoff] {
        &self.takeoffs.all
    }

    /// See [`SnapTo::FloorBelow`](crate::search::SnapTo::FloorBelow).
    pub(crate) fn floor_below(&self, position: Vec2, depth: f32) -> Option<FloorSpot> {
        self.floor_within(position, self.grid.spacing * 1e-2, depth)
    }

    /// See [`SnapTo::FloorWithin`](crate::search::SnapTo::FloorWithin).
    pub(crate) fn floor_within(&self, position: Vec2, above: f32, depth: f32) -> Option<FloorSpot> {
        let down = self.grid.y_axis.down();
        let (above, depth) = (above * LIMIT, depth * LIMIT);
        self.floor_index
            .below(&self.parts.platforms, position, down, above, depth)
    }

    /// The left and the right end of the floor straight below a position, as far
    /// as the agent can walk from there: through a one-way wall, the floor goes on
    /// in the direction in which the wall lets the agent pass. `None` where no
    /// floor is below. For agents that only fly, too.
    pub fn platform_ends(&self, position: Vec2) -> Option<[Vec2; 2]> {
        let spot = self.floor_below(position, f32::INFINITY)?;
        let platform = self.platform(spot.platform)?;
        Some([-1.0, 1.0].map(|side| self.platform_end(platform, side)))
    }

    /// The end of a floor to the left (`side` is -1) or to the right (1).
    fn platform_end<'a>(&'a self, mut platform: Platform<'a>, side: f32) -> Vec2 {
        let slack = self.grid.spacing * 1e-3;
        loop {
            let end = if side < 0.0 {
                platform.left()
            } else {
                platform.right()
            };
            let mut links = self.links_from(platform.id).1.iter();
            let step = links.find(|link| {
                link.kind == StepKind::OneWayStep
                    && link.from.distance(end) <= slack
                    && (link.to.x - end.x) * side > 0.0
            });
            // Each step leads further to that side, so this ends.
            match step.and_then(|step| self.platform(step.to_platform)) {
                Some(next) => platform = next,
                None => return end,
            }
        }
    }

    /// See [`SnapTo::NearestFloor`](crate::search::SnapTo::NearestFloor).
    pub(crate) fn nearest_floor(&self, position: Vec2, radius: f32) -> Option<FloorSpot> {
        (self.floor_index).nearest(&self.parts.platforms, position, radius * LIMIT, true)
    }

    /// See [`SnapTo::NearestHold`](crate::search::SnapTo::NearestHold).
    pub(crate) fn nearest_hold(&self, position: Vec2, radius: f32) -> Option<FloorSpot> {
        if self.climbs.counts.is_empty() {
            return None;
        }
        (self.floor_index).nearest(&self.parts.platforms, position, radius * LIMIT, false)
    }

    /// The point nearest to a position among the platforms that an agent on one of them
    /// may reach. `None` if two platforms are equally near.
    pub(crate) fn nearest_reachable(&self, from: PlatformId, to: Vec2) -> Option<FloorSpot> {
        let component = self.graph.component(from)?;
        let (mut least, mut nearest) = (f32::INFINITY, None);
        for platform in self.graph.reachable(component) {
            let Some(surface) = self.platform(platform) else {
                continue;
            };
            let (left, right) = (surface.left().x, surface.right().x);
            if (left - to.x).max(to.x - right) > least {
                continue;
            }
            let position = surface.nearest_between(to, f32::NEG_INFINITY, f32::INFINITY);
            let distance = to.distance(position);
            if distance < least {
                (least, nearest) = (distance, Some(FloorSpot { platform, position }));
            } else if distance == least {
                nearest = None;
            }
        }
        nearest
    }

    /// Which parts of the layer are connected, and in which direction. Needs the
    /// feature `write`.
    #[cfg(feature = "write")]
    pub fn link_graph(&self) -> &LinkGraph {
        &self.graph
    }

    pub(crate) fn graph(&self) -> &LinkGraph {
        &self.graph
    }

    /// The region of the air that a free vertex belongs to: two vertices are in
    /// one region when an agent can fly between them. Regions are numbered from
    /// 0 in reading order of their first vertex. `None` for a blocked vertex
    /// and for agents that do not fly. Needs the feature `write`.
    #[cfg(feature = "write")]
    pub fn air_region(&self, cell: Cell) -> Option<u32> {
        let inside = cell.column < self.grid.columns && cell.row < self.grid.rows;
        let free = inside && !self.parts.blocked.get(cell.column, cell.row);
        free.then(|| self.region_of(cell)).flatten()
    }

    fn regions(&self) -> u32 {
        self.air.as_ref().map_or(0, |air| air.regions)
    }

    fn region_of(&self, cell: Cell) -> Option<u32> {
        self.region_at(self.grid.position(cell))
    }

    /// The region of the air that a position belongs to.
    pub(crate) fn region_at(&self, at: Vec2) -> Option<u32> {
        self.air.as_ref()?.region_at(self.grid.y_down(at))
    }

    /// The air of an agent that only flies.
    pub(crate) fn exact_air(&self) -> Option<&Air> {
        self.air.as_ref().filter(|_| !self.profile().edges.walks())
    }

    /// Builds an index of the cheapest routes, unless it exists, for all path
    /// searches in this layer. Returns its size in bytes of memory; 0 for agents
    /// that both walk and fly, which have none, and for large levels full of corners,
    /// where flights would take too long to index.
    ///
    /// With the index, queries of agents with the limits of the bake take
    /// microseconds: they look the route up instead of searching for it. If a filter
    /// changes the route, and for slower agents on foot, the index guides the search. For
    /// these, build
    /// [an index of their own](crate::search::PathFinder::index_routes). The paths cost
    /// the same with and without an index.
    ///
    /// Building takes much longer than loading, unless the level was baked with
    /// `index_routes = true`. Call this while the level loads, or on another thread: searches
    /// do not wait for it.
    ///
    /// ```
    /// # fn load(mesh: &navmesh_runtime::mesh::NavMesh) {
    /// for layer in mesh.layers() {
    ///     layer.index_routes();
    /// }
    /// # }
    /// ```
    pub fn index_routes(&self) -> usize {
        let known = self.stored.contraction();
        if self.can_index_routes() {
            let index = self.routes[0].get_or_init(|| self.build_routes(known).0);
            return index.1.bytes();
        }
        let index = self.flights.get_or_init(|| {
            let is_possible = self.stored != StoredIndex::TooLarge;
            Some(is_possible.then(|| self.build_flights(known))??.0)
        });
        index.as_ref().map_or(0, FlightIndex::bytes)
    }

    /// Builds the index of routes, and keeps what takes long to find about it.
    #[cfg(feature = "write")]
    pub(crate) fn store_index(&mut self) {
        if self.can_index_routes() {
            let (index, found) = self.build_routes(None);
            self.routes[0] = OnceLock::from(index);
            self.stored = found.map_or(StoredIndex::Nothing, StoredIndex::Found);
        } else if self.exact_air().is_some() {
            let (index, found) = self.build_flights(None).unzip();
            self.flights = OnceLock::from(index);
            self.stored = found
                .flatten()
                .map_or(StoredIndex::TooLarge, StoredIndex::Found);
        }
    }

    /// Whether agents only move on foot.
    pub(crate) fn can_index_routes(&self) -> bool {
        let edges = self.profile().edges;
        edges.walks() && !edges.contains(EdgeSet::FLY)
    }

    /// The kind of the agent of the bake.
    pub(crate) fn route_kind(&self) -> RouteKind {
        let profile = self.profile();
        RouteKind {
            limits: Limits::new(profile, profile),
            caution: 0.0,
            replace_jumps: false,
        }
    }

    /// The index for the agent of the bake. See [`RouteIndex::new`].
    fn build_routes(
        &self,
        known: Option<&Contraction>,
    ) -> ((RouteKind, RouteIndex), Option<Contraction>) {
        let kind = self.route_kind();
        let edges = kind.limits.edges;
        let (index, found) = self.routes_of(
            &kind,
            |takeoff| {
                let is_allowed =
                    edges.contains(takeoff.kind.edge()) && edges.contains(takeoff.needs);
                is_allowed.then_some(takeoff.duration)
            },
            known,
        );
        ((kind, index), found)
    }

    /// See [`FlightIndex::new`].
    fn build_flights(
        &self,
        known: Option<&Contraction>,
    ) -> Option<(FlightIndex, Option<Contraction>)> {
        let air = self.exact_air()?;
        // Files without air may have an index of another kind.
        let known = known.filter(|_| !self.parts.air.is_empty());
        FlightIndex::new(air, Air::rounding(&self.grid), known)
    }

    /// Builds an index for another kind of agent, unless it exists. Returns its size
    /// in bytes of memory; 0 when there is no room for it.
    pub(crate) fn index_routes_of(
        &self,
        kind: &RouteKind,
        cost_of: impl FnMut(&Takeoff) -> Option<f32>,
    ) -> usize {
        if let Some(index) = self.find_routes(kind).and_then(|i| self.routes(i)) {
            return index.bytes();
        }
        let slots = &self.routes[1..];
        // Before building an index for which there is no room.
        if slots.iter().all(|slot| slot.get().is_some()) {
            return 0;
        }
        let mut entry = (*kind, self.routes_of(kind, cost_of, None).0);
        let bytes = entry.1.bytes();
        for slot in slots {
            // Another thread may have been faster.
            match slot.set(entry) {
                Ok(()) => return bytes,
                Err(back) => entry = back,
            }
        }
        0
    }

    /// The index for a kind of agent. See [`RouteIndex::new`].
    fn routes_of(
        &self,
        RouteKind { limits, .. }: &RouteKind,
        cost_of: impl FnMut(&Takeoff) -> Option<f32>,
        known: Option<&Contraction>,
    ) -> (RouteIndex, Option<Contraction>) {
        let Takeoffs { all, of, .. } = &self.takeoffs;
        let speed_on = |kind: PlatformKind| {
            let is_allowed = limits.edges.contains(kind.edge());
            is_allowed.then(|| limits.speed_on(kind) as f32)
        };
        RouteIndex::new(&self.parts.platforms, all, of, speed_on, cost_of, known)
    }

    /// The number of the index of the cheapest routes for a kind of agent, if it was
    /// built; that for the agent of the bake has number 0.
    pub(crate) fn find_routes(&self, kind: &RouteKind) -> Option<usize> {
        let mut slots = self.routes.iter();
        slots.position(|slot| slot.get().is_some_and(|(of, _)| of == kind))
    }

    /// An index of the cheapest routes, by its number.
    pub(crate) fn routes(&self, number: usize) -> Option<&RouteIndex> {
        self.routes.get(number)?.get().map(|(_, index)| index)
    }

    /// The index of the shortest flights of agents that only fly, if it was built.
    pub(crate) fn flights(&self) -> Option<&FlightIndex> {
        self.flights.get()?.as_ref()
    }

    /// Calls `see` with the segments of platforms near a box.
    pub(crate) fn floor_segments(
        &self,
        min: Vec2,
        max: Vec2,
        see: impl FnMut(PlatformId, Vec2, Vec2),
    ) {
        self.floor_index
            .segments(&self.parts.platforms, min, max, see);
    }

    /// The feet at an `OnFloor` vertex, for agents that both walk and fly, each
    /// with its number: several where a one-way top is just above another
    /// floor.
    pub(crate) fn floor_spots(
        &self,
        vertex: VertexId,
    ) -> impl Iterator<Item = (u32, FloorVertex)> + use<'_> {
        let spots = &self.floor_vertices;
        let first = spots.partition_point(|spot| spot.vertex < vertex);
        (first as u32..)
            .zip(spots.get(first..).unwrap_or_default())
            .take_while(move |(_, spot)| spot.vertex == vertex)
            .map(|(number, spot)| (number, *spot))
    }

    /// The feet at an `OnFloor` vertex on one platform, with their number.
    pub(crate) fn floor_spot_on(
        &self,
        platform: PlatformId,
        vertex: VertexId,
    ) -> Option<(u32, FloorVertex)> {
        let spots = &self.floor_vertices;
        let key = (vertex, platform);
        let at = spots.binary_search_by_key(&key, |spot| (spot.vertex, spot.platform));
        let number = at.ok()? as u32;
        Some((number, self.floor_spot(number)?))
    }

    /// The feet at an `OnFloor` vertex by their number.
    pub(crate) fn floor_spot(&self, number: u32) -> Option<FloorVertex> {
        self.floor_vertices.get(number as usize).copied()
    }

    /// The vertex at which an agent that stands at an `OnFloor` vertex starts
    /// to fly, and how much higher that is: the vertex itself if it is free and
    /// at the height of the feet, or else the free vertex above it.
    pub(crate) fn contact(&self, spot: FloorVertex) -> Option<(Cell, f32)> {
        let cell = self.grid.cell(spot.vertex);
        let gap = |cell: Cell| (self.grid.row_y(cell.row) - spot.height).abs();
        if !self.parts.blocked.get(cell.column, cell.row) && gap(cell) <= self.grid.spacing * 1e-3 {
            return Some((cell, 0.0));
        }
        let above = Cell {
            row: cell.row.checked_sub(1)?,
            ..cell
        };
        (!self.parts.blocked.get(above.column, above.row)).then(|| (above, gap(above)))
    }

    /// The greatest horizontal speed of any edge except portals, units/s: the
    /// run speed, unless a link is faster.
    pub(crate) fn top_speed(&self) -> f32 {
        self.takeoffs.top_speed
    }

    #[doc(hidden)]
    pub fn portals(&self) -> impl Iterator<Item = &Link> {
        let portals = &self.takeoffs.portals;
        portals.iter().filter_map(|&id| self.link(id))
    }
}
