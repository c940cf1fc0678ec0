//! Filters: what a path may not use, and what costs more.

use super::doors::Doors;
use super::regions::{Rect, closed_to_feet};
use crate::mesh::{EdgeSet, Layer, LinkId, Terrain};

/// A rectangle in which time costs more, for instance a swamp or the range of a
/// turret.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostArea {
    /// The rectangle, world units.
    pub area: Rect,
    /// What a second with the feet inside counts as: finite, 1 or more. Where
    /// areas overlap, their additions to 1 are summed.
    pub factor: f32,
}

/// What the path of a query may not use, and what costs more than its time. The
/// default excludes nothing.
///
/// Limits of the agent itself, such as its speeds, are in
/// [`Query::profile`](super::Query::profile).
///
/// ```
/// use navmesh_runtime::mesh::EdgeSet;
/// use navmesh_runtime::search::Filter;
///
/// let mut careful = Filter::default();
/// careful.edges = EdgeSet::ALL - EdgeSet::DROP_THROUGH;
/// careful.caution = 0.5;
/// ```
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct Filter {
    /// Kinds of edges that may be used, of those that the layer was baked with.
    pub edges: EdgeSet,
    /// Whether agents that fly keep off the floor: no `OnFloor` vertices are used,
    /// except by jumps and drops that pass through them. Agents that walk and fly then
    /// only fly; agents that only walk find no path.
    pub keep_off_floor: bool,
    /// Whether agents that fly stay at the floor: no `InAir` vertices are used, except
    /// by jumps and drops that pass through them.
    pub keep_to_floor: bool,
    /// Whether a jump or drop that is beyond the agent's
    /// [profile](super::Query::profile) may be replaced by another one from the
    /// same take-off to the same landing: higher and slower, or with less of a
    /// launch. Only where the vertices and platforms of the layer prove it to be
    /// free. [`NavAgent`](crate::motion::NavAgent) always sets this.
    pub replace_jumps: bool,
    /// Closed doors: see [`close_doors`](Self::close_doors).
    pub(crate) closed: Vec<Rect>,
    /// Links that cost more, in seconds; infinite for those that may not be used.
    #[doc(hidden)]
    pub avoided: Vec<(LinkId, f32)>,
    /// Rectangles in which time costs more.
    pub costs: Vec<CostArea>,
    /// Extra cost, in seconds, of links with zero tolerance: those that fail
    /// when the agent takes off late. A link with a tolerance of a quarter of a
    /// second, the greatest that is baked, costs nothing extra, others in
    /// proportion. Finite, 0 or more.
    pub caution: f32,
}

/// The tolerance, in seconds, from which a link counts as safe: the greatest one
/// that the baker distinguishes.
const SAFE_TOLERANCE: f32 = 0.25;

impl Default for Filter {
    fn default() -> Self {
        Self {
            edges: EdgeSet::ALL,
            keep_off_floor: false,
            keep_to_floor: false,
            replace_jumps: false,
            closed: Vec::new(),
            avoided: Vec::new(),
            costs: Vec::new(),
            caution: 0.0,
        }
    }
}

impl Clone for Filter {
    fn clone(&self) -> Self {
        let mut filter = Self::default();
        filter.clone_from(self);
        filter
    }

    /// Copies without allocating where the capacity suffices.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            mut closed,
            mut avoided,
            mut costs,
            ..
        } = std::mem::take(self);
        closed.clone_from(&source.closed);
        avoided.clone_from(&source.avoided);
        costs.clone_from(&source.costs);
        *self = Self {
            closed,
            avoided,
            costs,
            ..*source
        };
    }
}

impl Filter {
    /// Leaves out every walk, climb, jump, drop, flight and portal that leads
    /// through a door that is closed now, in addition to the doors closed by
    /// earlier calls. Doors that open or close later do not change the filter.
    ///
    /// ```
    /// # fn plan(mesh: &navmesh_runtime::mesh::NavMesh) -> Result<(), navmesh_runtime::search::UnknownDoor> {
    /// use navmesh_runtime::search::{Doors, Filter};
    ///
    /// let mut doors = Doors::from_mesh(mesh);
    /// doors.close("gate")?;
    /// let mut without_key = Filter::default();
    /// without_key.close_doors(&doors);
    /// # Ok(())
    /// # }
    /// ```
    pub fn close_doors(&mut self, doors: &Doors) {
        self.closed.extend_from_slice(doors.closed());
    }

    /// As [`close_doors`](Self::close_doors), but a path may lead through those that are
    /// breakable, for about `price` seconds each.
    pub(crate) fn close_doors_but_breakable(&mut self, doors: &Doors, layer: &Layer, price: f32) {
        let speed = layer.profile().run_speed;
        for (_, region) in doors.breakable() {
            let area = closed_to_feet(region, layer);
            let seconds = (area.max - area.min).min_element() / speed;
            let factor = (1.0 + price / seconds).min(f32::MAX);
            self.costs.push(CostArea { area, factor });
        }
        let is_breakable = |region: &&Rect| doors.breakable().any(|(_, own)| own == **region);
        let closed = doors.closed().iter();
        self.closed
            .extend(closed.filter(|region| !is_breakable(region)));
    }

    /// Whether vertices of a kind are left out.
    pub(crate) fn excludes(&self, terrain: Terrain) -> bool {
        match terrain {
            Terrain::OnFloor => self.keep_off_floor,
            Terrain::InAir => self.keep_to_floor,
            _ => false,
        }
    }

    /// Removes what depends on places: doors, cost areas and avoided links.
    pub(crate) fn forget_places(&mut self) {
        self.closed.clear();
        self.avoided.clear();
        self.costs.clear();
    }

    /// Whether links can have costs besides their duration.
    pub(crate) fn adds_link_costs(&self) -> bool {
        !(self.closed.is_empty() && self.avoided.is_empty() && self.costs.is_empty())
            || self.caution > 0.0
    }

    /// The extra cost of a link that is avoided, seconds.
    pub(crate) fn avoidance(&self, link: LinkId) -> f32 {
        let avoided = self.avoided.iter().filter(|(id, _)| *id == link);
        avoided.map(|(_, cost)| cost).sum()
    }

    /// The cost that [`caution`](Self::caution) adds to a link, seconds.
    pub(crate) fn caution_for(&self, tolerance: f32) -> f32 {
        self.caution * (1.0 - tolerance / SAFE_TOLERANCE).clamp(0.0, 1.0)
    }

    /// Checks every number.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        for rect in self.costs.iter().map(|c| c.area) {
            if !(rect.min.is_finite() && rect.max.is_finite()) {
                return Err("a rectangle has a coordinate that is not finite");
            }
            if rect.min.cmpgt(rect.max).any() {
                return Err("a rectangle has a minimum above its maximum");
            }
        }
        let factors = self.costs.iter().map(|c| c.factor);
        if !factors.into_iter().all(|f| f.is_finite() && f >= 1.0) {
            return Err("a cost factor is not a finite number of 1 or more");
        }
        if !(self.caution.is_finite() && self.caution >= 0.0) {
            return Err("caution is not a finite number of 0 or more");
        }
        Ok(())
    }
}
