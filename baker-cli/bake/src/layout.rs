//! The position of the grid, and the lattice that positions are rounded to.

use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, Grid};

use crate::error::BakeError;
use crate::geometry::Interval;
use crate::level::{Level, Rect};
use crate::settings::{Settings, check};

/// Most vertices in a grid: 2^28 of them take 32 MB a bit plane, several per
/// agent; grids beyond that come from mistyped spacings.
const MAX_VERTICES: u64 = 1 << 28;

/// Where the grid lies, in world units with y down.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The part of the level that is baked.
    pub area: Rect,
    /// World units in a level pixel.
    pub scale: f64,
    /// Side of a cell.
    pub spacing: f64,
    /// Number of columns.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
    /// Positions are multiples of this lattice constant: a power of two, far
    /// below a pixel, and large enough for f32 to hold every position of the
    /// level exactly.
    pub quantum: f64,
}

impl Layout {
    /// Chooses spacing and area.
    ///
    /// # Errors
    /// When the settings are invalid, when the spacing is larger than a body,
    /// when the area is empty, or when the grid would be too large.
    ///
    /// No body may be smaller than a cell: only then is the space between two
    /// free neighbouring vertices free too (see `docs/architecture.md`).
    pub fn new(level: &Level, settings: &Settings) -> Result<Self, BakeError> {
        check(settings)?;
        let scale = 1.0 / f64::from(settings.units.pixels_per_unit);
        let nav_areas = level.markers.iter().filter(|m| {
            m.class.eq_ignore_ascii_case("nav_area") && m.area.size().min_element() > 0.0
        });
        let nav_area = nav_areas
            .map(|m| m.area)
            .reduce(|a, b| Rect::new(a.min.min(b.min), a.max.max(b.max)));
        let area = settings.area.or(nav_area).unwrap_or(level.bounds);
        let area = Rect::new(
            area.min.max(level.bounds.min) * scale,
            area.max.min(level.bounds.max) * scale,
        );
        if !(area.size().min_element() > 0.0 && area.size().is_finite()) {
            return Err(BakeError::EmptyArea {
                level: level.bounds,
            });
        }
        let smallest = settings
            .agents
            .iter()
            .flat_map(|agent| agent.body)
            .fold(f32::INFINITY, f32::min);
        let spacing = match settings.spacing {
            Some(spacing) => f64::from(spacing),
            None => default_spacing(level, f64::from(smallest), scale),
        };
        for agent in &settings.agents {
            let [width, height] = agent.body;
            if spacing > f64::from(width.min(height)) {
                return Err(BakeError::BodySmallerThanSpacing {
                    agent: agent.name.clone(),
                    width,
                    height,
                    spacing: spacing as f32,
                });
            }
        }
        // An area that is a whole number of cells but for rounding gets no column or row more:
        // a spacing, as a 32-bit number, is off by up to 6e-8 of it.
        let cells = (area.size() / spacing * (1.0 - 1e-7)).ceil();
        if cells.x * cells.y > MAX_VERTICES as f64 || cells.max_element() > f64::from(u32::MAX) {
            return Err(BakeError::TooManyVertices {
                columns: cells.x as u64,
                rows: cells.y as u64,
                limit: MAX_VERTICES,
            });
        }
        let reach = area
            .min
            .abs()
            .max(area.max.abs())
            .max_element()
            .max(spacing);
        Ok(Self {
            area,
            scale,
            spacing,
            columns: cells.x as u32,
            rows: cells.y as u32,
            quantum: quantum(reach),
        })
    }

    /// The x of the area.
    pub fn width(&self) -> Interval {
        Interval::new(self.area.min.x, self.area.max.x)
    }

    /// The x of a column's vertices.
    pub fn column_x(&self, column: u32) -> f64 {
        self.area.min.x + (f64::from(column) + 0.5) * self.spacing
    }

    /// The y of a row's vertices.
    pub fn row_y(&self, row: u32) -> f64 {
        // A vertex is the position of feet: the middle of the lower side of its cell.
        self.area.min.y + (f64::from(row) + 1.0) * self.spacing
    }

    /// The multiple of the quantum at or below `v`.
    pub fn floor(&self, v: f64) -> f64 {
        (v / self.quantum).floor() * self.quantum
    }

    /// The multiple of the quantum at or above `v`.
    pub fn ceil(&self, v: f64) -> f64 {
        (v / self.quantum).ceil() * self.quantum
    }

    /// The multiple of the quantum nearest to `v`.
    pub fn round(&self, v: f64) -> f64 {
        (v / self.quantum).round() * self.quantum
    }

    /// Rounds a height to the lattice, towards smaller y (upwards). A height
    /// that is on the lattice except for rounding stays there. Feet must never
    /// sink into the ground.
    pub fn lift(&self, y: f64) -> f64 {
        // A thousandth of the lattice is far above the rounding of f64.
        self.floor(y + self.quantum * 1e-3)
    }

    /// Heights that differ by less than this count as equal. It is half a
    /// quantum: any two heights on the lattice are equal or further apart.
    pub fn tolerance(&self) -> f64 {
        self.quantum * 0.5
    }

    /// How deep an overlap must be to count, see
    /// [`ConfigurationSpace::skin`](crate::geometry::ConfigurationSpace::skin).
    /// For a spacing of 16 it is 6e-5: far below anything visible, and above
    /// the rounding of trajectories, which are stored as f32 (24 bits).
    pub fn skin(&self) -> f64 {
        self.spacing / f64::from(1 << 18)
    }

    /// The column whose vertices lie at `x`; a fraction between columns.
    pub fn column_at(&self, x: f64) -> f64 {
        (x - self.area.min.x) / self.spacing - 0.5
    }

    pub fn grid(&self, settings: &Settings) -> Grid {
        let y_axis = settings.units.y_axis;
        Grid {
            origin: Vec2::new(
                self.area.min.x as f32,
                self.area.min.y as f32 * y_axis.down(),
            ),
            spacing: self.spacing as f32,
            columns: self.columns,
            rows: self.rows,
            y_axis,
        }
    }
}

/// A power of two such that every multiple of it up to `reach` has at most 24
/// significant bits, as many as f32 holds; at least 1/4096, which
/// is finer than any level needs.
fn quantum(reach: f64) -> f64 {
    let mut quantum = 1.0;
    while reach / quantum < f64::from(1u32 << 23) {
        quantum *= 0.5;
    }
    while reach / quantum > f64::from(1u32 << 24) {
        quantum *= 2.0;
    }
    quantum.max(1.0 / 4096.0)
}

/// The largest divisor of the tile size that is not larger than any body; for
/// levels without tiles, the largest power of two in pixels.
fn default_spacing(level: &Level, smallest: f64, scale: f64) -> f64 {
    let tile = level.tile_size.map_or(0, |[w, h]| gcd(w, h));
    let divisors = (1..=tile)
        .filter(|k| tile.is_multiple_of(*k))
        .map(|k| f64::from(tile / k) * scale);
    if let Some(spacing) = divisors.into_iter().find(|s| *s <= smallest) {
        return spacing;
    }
    let mut spacing = scale;
    while spacing * 2.0 <= smallest {
        spacing *= 2.0;
    }
    while spacing > smallest && spacing > f64::MIN_POSITIVE {
        spacing *= 0.5;
    }
    spacing
}

/// The side of a grid cell that a bake would have, in world units.
///
/// # Errors
/// As for [`bake`](crate::bake()).
pub fn grid_spacing(level: &Level, settings: &Settings) -> Result<f64, BakeError> {
    Ok(Layout::new(level, settings)?.spacing)
}

/// The agent whose body alone makes the default spacing smaller than the other
/// agents need, and the spacing without it.
pub fn spacing_limit<'s>(level: &Level, settings: &'s Settings) -> Option<(&'s AgentProfile, f64)> {
    let sides = settings.agents.iter().map(|agent| {
        let [width, height] = agent.body;
        (agent, f64::from(width.min(height)))
    });
    let mut sides: Vec<_> = sides.collect();
    sides.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let &[(smallest, side), (_, second), ..] = sides.as_slice() else {
        return None;
    };
    let scale = 1.0 / f64::from(settings.units.pixels_per_unit);
    let without = default_spacing(level, second, scale);
    let is_limit = settings.spacing.is_none() && without > default_spacing(level, side, scale);
    is_limit.then_some((smallest, without))
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
