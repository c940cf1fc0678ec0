//! Platforms: stretches of floor, ladders, walls and ceilings.

use glam::Vec2;

use super::edge_set::EdgeSet;
use super::error::MeshError;
use super::grid::Grid;
use super::ids::PlatformId;
use crate::graph::csr::Buckets;

/// The kind of a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum PlatformKind {
    /// Floor to walk on.
    #[default]
    Floor,
    /// The line that the feet follow on a ladder.
    Ladder,
    /// The line that the feet follow beside a wall.
    Wall,
    /// The line that the feet follow beneath a ceiling.
    Ceiling,
}

impl PlatformKind {
    /// Every kind. The index of a kind is its number in the asset.
    pub const ALL: [Self; 4] = [Self::Floor, Self::Ladder, Self::Wall, Self::Ceiling];

    /// The name in dumps, paths and JSON. Needs the feature `write`.
    #[cfg(feature = "write")]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Ladder => "ladder",
            Self::Wall => "wall",
            Self::Ceiling => "ceiling",
        }
    }

    /// Whether an agent moves up and down along it, instead of left and right.
    pub const fn is_upright(self) -> bool {
        matches!(self, Self::Ladder | Self::Wall)
    }

    /// The coordinate of a position along a platform of this kind.
    #[inline]
    pub(crate) const fn along(self, position: Vec2) -> f32 {
        if self.is_upright() {
            position.y
        } else {
            position.x
        }
    }

    /// The kind of edge that an agent must have to move along it.
    #[doc(hidden)]
    pub const fn edge(self) -> EdgeSet {
        match self {
            Self::Floor => EdgeSet::FLOOR,
            Self::Ladder => EdgeSet::LADDER,
            Self::Wall => EdgeSet::WALL_CLIMB,
            Self::Ceiling => EdgeSet::CEILING_CLIMB,
        }
    }
}

/// A maximal stretch of floor that an agent can walk without a break; for
/// agents that climb, also a ladder, a stretch of wall or a stretch of ceiling.
///
/// Its **surface** is the exact line that the feet follow. On a floor it is a
/// polyline from the left end to the right end, whose x never decreases. A step
/// is a ramp as narrow as the baker's lattice. Beyond an end the body has no
/// support, or a wall stops it. The surface of a ceiling is horizontal; those
/// of ladders and walls are vertical and go from the smaller y to the larger.
///
/// A position on a platform has one coordinate *along* it: y on ladders and
/// walls, x on floors and ceilings.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Platform<'a> {
    /// Its number in the layer.
    pub id: PlatformId,
    /// Its kind.
    pub kind: PlatformKind,
    /// The line that the feet follow; never empty.
    pub surface: &'a [Vec2],
    /// The number of vertices on it that have the [`Terrain`](super::Terrain)
    /// of its kind; 0 for a floor that is too narrow to hold one.
    pub vertices: u32,
    /// The number of its component: agents that use every baked link can go from
    /// any platform of a component to any other.
    pub component: u32,
}

/// The coordinates of platforms are smaller, as all numbers of agents are. Then
/// differences and products of them do not overflow.
const MAX_COORDINATE: f32 = 1e9;

/// Slopes are less steep. The steepest ramp of a bake rises by 10⁵ per unit; the
/// speed on slopes of 10³⁰ would overflow.
const STEEPEST: f32 = 1e9;

impl Platform<'_> {
    /// The coordinate of a position along it.
    #[inline]
    pub fn along(&self, position: Vec2) -> f32 {
        self.kind.along(position)
    }

    /// The smallest and the largest coordinate along it.
    pub fn extent(&self) -> (f32, f32) {
        (self.along(self.left()), self.along(self.right()))
    }

    /// The position on it whose coordinate is nearest to `along`.
    pub fn at(&self, along: f32) -> Vec2 {
        if self.kind.is_upright() {
            let (low, high) = self.extent();
            Vec2::new(self.left().x, along.clamp(low, high))
        } else {
            self.clamp(along)
        }
    }

    /// Whether a position is on it, or beside it by up to `slack` in x or y.
    pub(crate) fn holds(&self, position: Vec2, slack: f32) -> bool {
        let along = self.along(position);
        let (low, high) = self.extent();
        let off = self.at(along) - position;
        low <= along && along <= high && off.x.abs().max(off.y.abs()) <= slack
    }

    /// The first point of the surface: the left end, or the one with the
    /// smaller y.
    pub fn left(&self) -> Vec2 {
        self.surface[0]
    }

    /// The last point of the surface: the right end, or the one with the larger
    /// y.
    pub fn right(&self) -> Vec2 {
        self.surface[self.surface.len() - 1]
    }

    /// Whether `x` is between the ends, or at one of them.
    #[inline]
    pub(crate) fn spans(&self, x: f32) -> bool {
        self.left().x <= x && x <= self.right().x
    }

    /// The exact y of the feet at `x`; `None` beyond the ends. Where a vertical
    /// step has two heights, that of its right side.
    pub(crate) fn height_at(&self, x: f32) -> Option<f32> {
        if !self.spans(x) {
            return None;
        }
        // The last point at or before x; the first point qualifies.
        let after = self.surface.partition_point(|p| p.x <= x);
        let a = self.surface[after - 1];
        Some(match self.surface.get(after) {
            Some(b) if a.x < x => a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)),
            _ => a.y,
        })
    }

    /// The change of y per unit of x at `x`, on the side that a motion of
    /// velocity `vx` goes to; 0 beyond the ends and on steps, and on what is as
    /// steep as a step.
    pub(crate) fn slope_at(&self, x: f32, vx: f32) -> f32 {
        let after = if vx < 0.0 {
            self.surface.partition_point(|p| p.x < x)
        } else {
            self.surface.partition_point(|p| p.x <= x)
        };
        let before = after.checked_sub(1).and_then(|i| self.surface.get(i));
        match (before, self.surface.get(after)) {
            (Some(a), Some(b)) if a.x < b.x => {
                let slope = (b.y - a.y) / (b.x - a.x);
                if slope.abs() < STEEPEST { slope } else { 0.0 }
            }
            _ => 0.0,
        }
    }

    /// The point of the surface at the x nearest to `x`; of a ladder or wall, its
    /// last point.
    pub fn clamp(&self, x: f32) -> Vec2 {
        let x = x.clamp(self.left().x, self.right().x);
        Vec2::new(x, self.height_at(x).unwrap_or(self.left().y))
    }

    /// The point nearest to a target, between two coordinates along the platform.
    pub(crate) fn nearest_between(&self, target: Vec2, low: f32, high: f32) -> Vec2 {
        if self.kind.is_upright() {
            return self.at(target.y.max(low).min(high));
        }
        let (low, high) = (low.max(self.left().x), high.min(self.right().x));
        let clamped = |point: Vec2| {
            // Along a segment the distance only falls or only rises towards its
            // nearest point, so a clamped one is nearest of those allowed.
            if (low..=high).contains(&point.x) {
                point
            } else {
                self.clamp(point.x.clamp(low, high.max(low)))
            }
        };
        let mut best = clamped(self.surface[0]);
        for pair in self.surface.windows(2) {
            if pair[1].x < low || pair[0].x > high {
                continue;
            }
            let point = clamped(nearest_on(pair[0], pair[1], target));
            if point.distance_squared(target) < best.distance_squared(target) {
                best = point;
            }
        }
        best
    }

    /// The columns of `grid` whose vertices lie between the ends of a floor. In
    /// each of them the platform has one vertex.
    pub(crate) fn columns(&self, grid: &Grid) -> std::ops::Range<u32> {
        let first = grid.columns_before(self.left().x, false);
        first..grid.columns_before(self.right().x, true).max(first)
    }
}

/// A segment with this slope or a steeper one is a step. The steepest floor
/// that the tests walk has a slope of 57 (89 degrees), while a step is a ramp
/// as wide as the rounding of positions and has slopes of several 10,000.
const STEEP: f32 = 1e3;

/// Whether a segment of a surface is a step.
pub fn is_step(a: Vec2, b: Vec2) -> bool {
    let along = (b - a).abs();
    along.x * STEEP < along.y || along.x == 0.0
}

/// The point of a segment of a surface that is nearest to `to`.
pub fn nearest_on(a: Vec2, b: Vec2, to: Vec2) -> Vec2 {
    let along = b - a;
    let square = along.length_squared();
    if square == 0.0 {
        return a;
    }
    if is_step(a, b) {
        // An agent can stand only on its ends.
        return if (to.y - a.y).abs() <= (to.y - b.y).abs() {
            a
        } else {
            b
        };
    }
    let t = ((to - a).dot(along) / square).clamp(0.0, 1.0);
    if t >= 1.0 { b } else { a + along * t }
}

/// All platforms of a layer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Platforms {
    /// The surfaces, one after the other.
    points: Vec<Vec2>,
    /// The points of each platform.
    surfaces: Buckets,
    kinds: Vec<PlatformKind>,
    vertices: Vec<u32>,
    pub(crate) components: Vec<u32>,
}

impl Platforms {
    /// Floors with these surfaces.
    ///
    /// # Errors
    /// As [`of_kinds`](Self::of_kinds).
    pub fn new<S: AsRef<[Vec2]>>(surfaces: impl IntoIterator<Item = S>) -> Result<Self, MeshError> {
        Self::of_kinds(surfaces.into_iter().map(|s| (PlatformKind::Floor, s)))
    }

    /// Platforms with these kinds and surfaces.
    ///
    /// # Errors
    /// When a surface is empty, runs backwards, has a number that is not
    /// finite or not between -1e9 and 1e9, or is not straight though its kind
    /// requires it.
    pub fn of_kinds<S: AsRef<[Vec2]>>(
        platforms: impl IntoIterator<Item = (PlatformKind, S)>,
    ) -> Result<Self, MeshError> {
        let mut this = Self::default();
        for (kind, surface) in platforms {
            let surface = surface.as_ref();
            let platform = this.len();
            let bad = |what| MeshError::of("platform", platform, what);
            if surface.is_empty() {
                return Err(bad("has no surface"));
            }
            // Not a number fails this, too.
            let mut coordinates = surface.iter().flat_map(Vec2::to_array);
            if !coordinates.all(|x| x.abs() < MAX_COORDINATE) {
                return Err(bad(
                    "has a coordinate that is not finite, or of 1e9 or more",
                ));
            }
            let backwards = |w: &[Vec2]| match kind {
                PlatformKind::Floor => w[0].x > w[1].x,
                PlatformKind::Ceiling => w[0].x > w[1].x || w[0].y != w[1].y,
                PlatformKind::Ladder | PlatformKind::Wall => w[0].y > w[1].y || w[0].x != w[1].x,
            };
            if surface.windows(2).any(backwards) {
                return Err(bad("has a surface that runs backwards or is not straight"));
            }
            this.points.extend_from_slice(surface);
            this.surfaces.push(surface.len());
            this.kinds.push(kind);
        }
        this.vertices = vec![0; this.len()];
        this.components = vec![0; this.len()];
        Ok(this)
    }

    /// The number of platforms.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are no platforms.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The number of points of all surfaces together.
    pub(crate) fn points(&self) -> usize {
        self.points.len()
    }

    /// A platform by its id; `None` past the last.
    #[inline]
    pub fn get(&self, id: PlatformId) -> Option<Platform<'_>> {
        Some(Platform {
            id,
            kind: *self.kinds.get(id.index())?,
            surface: self.surface(id),
            vertices: self.vertices[id.index()],
            component: self.components[id.index()],
        })
    }

    /// The first platform of a kind that a position is on, or beside by up to `slack`
    /// in x or y.
    #[cfg(feature = "write")]
    pub fn at(&self, kind: PlatformKind, position: Vec2, slack: f32) -> Option<PlatformId> {
        let mut of_kind = self.iter().filter(|platform| platform.kind == kind);
        let platform = of_kind.find(|platform| platform.holds(position, slack))?;
        Some(platform.id)
    }

    /// The kind of a platform; a floor past the last.
    #[inline]
    pub(crate) fn kind(&self, id: PlatformId) -> PlatformKind {
        self.kinds.get(id.index()).copied().unwrap_or_default()
    }

    /// The surface of a platform; empty past the last.
    #[inline]
    pub(crate) fn surface(&self, id: PlatformId) -> &[Vec2] {
        let points = self.surfaces.range(id.index());
        self.points.get(points).unwrap_or_default()
    }

    /// All platforms, in order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Platform<'_>> + DoubleEndedIterator {
        (0..self.len()).map(|i| {
            self.get(PlatformId(i as u32))
                .unwrap_or_else(|| unreachable!("i is below len"))
        })
    }

    /// Sets the numbers of vertices of floors and of climbed platforms; each
    /// is 0 for a platform of the other sort.
    pub(crate) fn set_vertices(&mut self, mut floor: Vec<u32>, climbed: &[u32]) {
        for (count, climbed) in floor.iter_mut().zip(climbed) {
            *count += climbed;
        }
        self.vertices = floor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_face_of_a_step_holds_no_agent() {
        let [low, high] = [Vec2::new(234.0, 40.0), Vec2::new(234.000_24, 32.0)];
        for (y, end) in [(37.0, low), (35.0, high), (99.0, low), (0.0, high)] {
            for x in [200.0, 234.0, 234.000_1, 300.0] {
                assert_eq!(nearest_on(low, high, Vec2::new(x, y)), end);
                assert_eq!(nearest_on(high, low, Vec2::new(x, y)), end);
            }
        }
        // An agent stands on the steepest slope.
        let slope = nearest_on(Vec2::ZERO, Vec2::new(1.0, 57.0), Vec2::new(0.5, 28.5));
        assert_eq!(slope, Vec2::new(0.5, 28.5));
    }
}
