//! Stretches of floor.

use glam::Vec2;

use super::{Grid, MeshError, PlatformId};

/// A maximal stretch of floor an agent can walk without a break.
///
/// Its **surface** is the exact line its feet follow, from the left lip to the
/// right lip: a polyline whose x never falls. A step is a ramp as narrow as
/// the baker's lattice: the body rests on the lower side until the upper one
/// carries it. Beyond a lip the body is no longer supported (or is stopped by a
/// wall).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Platform<'a> {
    id: PlatformId,
    surface: &'a [Vec2],
    vertices: u32,
    component: u32,
}

impl<'a> Platform<'a> {
    /// Its number in the layer.
    pub fn id(&self) -> PlatformId {
        self.id
    }

    /// Where the feet stand furthest to the left.
    pub fn left(&self) -> Vec2 {
        self.surface[0]
    }

    /// Where the feet stand furthest to the right.
    pub fn right(&self) -> Vec2 {
        self.surface[self.surface.len() - 1]
    }

    /// The line the feet follow, left to right; never empty.
    pub fn surface(&self) -> &'a [Vec2] {
        self.surface
    }

    /// How many `OnFloor` vertices lie on it; 0 for a post between columns.
    pub fn vertices(&self) -> u32 {
        self.vertices
    }

    /// The strongly connected component of the layer's platforms and links it
    /// belongs to: agents that may use every baked link (and, if they fly as
    /// well, the air) can go from anywhere in a component to anywhere else in
    /// it. Numbers are in topological order.
    pub fn component(&self) -> u32 {
        self.component
    }

    /// Whether `x` lies between the lips, both included.
    #[inline]
    pub fn spans(&self, x: f32) -> bool {
        self.left().x <= x && x <= self.right().x
    }

    /// The exact y at which the feet rest at `x`; `None` beyond the lips. At
    /// a step, where two heights are possible, the one reached last when
    /// coming from the left.
    pub fn height_at(&self, x: f32) -> Option<f32> {
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

    /// How much y changes per unit of x at `x`, on the side that a motion of
    /// velocity `vx` goes to; 0 beyond the lips and on steps.
    pub fn slope_at(&self, x: f32, vx: f32) -> f32 {
        let after = if vx < 0.0 {
            self.surface.partition_point(|p| p.x < x)
        } else {
            self.surface.partition_point(|p| p.x <= x)
        };
        let before = after.checked_sub(1).and_then(|i| self.surface.get(i));
        match (before, self.surface.get(after)) {
            (Some(a), Some(b)) if a.x < b.x => (b.y - a.y) / (b.x - a.x),
            _ => 0.0,
        }
    }

    /// The point of the surface at the x nearest to `x`.
    pub fn clamp(&self, x: f32) -> Vec2 {
        let x = x.clamp(self.left().x, self.right().x);
        Vec2::new(x, self.height_at(x).unwrap_or(self.left().y))
    }

    /// The columns of `grid` whose vertices lie between the lips, as a
    /// half-open range. Each holds exactly one of the platform's vertices.
    pub fn columns(&self, grid: &Grid) -> std::ops::Range<u32> {
        let column = |x: f32| (x - grid.origin.x) / grid.spacing - 0.5;
        let mut first = column(self.left().x).ceil().max(0.0) as u32;
        // Rounding may land one column early or late; ask the vertices.
        if first > 0 && grid.column_x(first - 1) >= self.left().x {
            first -= 1;
        }
        while first < grid.columns && grid.column_x(first) < self.left().x {
            first += 1;
        }
        let mut end = ((column(self.right().x).floor() + 1.0).max(0.0) as u32).min(grid.columns);
        while end > 0 && grid.column_x(end - 1) > self.right().x {
            end -= 1;
        }
        while end < grid.columns && grid.column_x(end) <= self.right().x {
            end += 1;
        }
        first.min(end)..end
    }
}

/// All platforms of a layer, their surfaces in one array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Platforms {
    points: Vec<Vec2>,
    /// Where each platform's points end.
    ends: Vec<u32>,
    vertices: Vec<u32>,
    components: Vec<u32>,
}

impl Platforms {
    /// Gathers platforms from their surfaces.
    ///
    /// # Errors
    /// When a surface is empty, runs backwards in x, or holds a number that
    /// is not finite.
    pub fn new<S: AsRef<[Vec2]>>(surfaces: impl IntoIterator<Item = S>) -> Result<Self, MeshError> {
        let mut this = Self::default();
        for surface in surfaces {
            let surface = surface.as_ref();
            let platform = this.ends.len() as u32;
            let bad = |what| MeshError::Platform { platform, what };
            if surface.is_empty() {
                return Err(bad("has no surface"));
            }
            if surface.iter().any(|p| !p.is_finite()) {
                return Err(bad("has a coordinate that is not finite"));
            }
            if surface.windows(2).any(|w| w[0].x > w[1].x) {
                return Err(bad("has a surface that runs backwards"));
            }
            this.points.extend_from_slice(surface);
            this.ends.push(this.points.len() as u32);
        }
        this.vertices = vec![0; this.ends.len()];
        this.components = vec![0; this.ends.len()];
        Ok(this)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many points all surfaces have together.
    pub(crate) fn points(&self) -> usize {
        self.points.len()
    }

    /// The platform of that number, or `None` past the last.
    pub fn get(&self, id: PlatformId) -> Option<Platform<'_>> {
        let end = *self.ends.get(id.index())? as usize;
        let start = match id.index() {
            0 => 0,
            i => self.ends[i - 1] as usize,
        };
        Some(Platform {
            id,
            surface: &self.points[start..end],
            vertices: self.vertices[id.index()],
            component: self.components[id.index()],
        })
    }

    /// All of them, in order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Platform<'_>> + DoubleEndedIterator {
        (0..self.len()).map(|i| {
            self.get(PlatformId(i as u32))
                .unwrap_or_else(|| unreachable!("i is below len"))
        })
    }

    pub(super) fn set_vertices(&mut self, id: PlatformId, vertices: u32) {
        self.vertices[id.index()] = vertices;
    }

    pub(super) fn set_components(&mut self, components: Vec<u32>) {
        debug_assert_eq!(components.len(), self.len());
        self.components = components;
    }
}
