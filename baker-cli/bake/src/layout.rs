//! The position of the grid, and the lattice that positions are rounded to.

use std::borrow::Cow;

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{AgentProfile, Grid, Units};

use crate::agent_limits::AgentLimits;
use crate::error::BakeError;
use crate::geometry::Interval;
use crate::level::{Collision, Level, Rect, Shape};
use crate::settings::{Settings, check};

/// Most vertices in a grid: 2^28 of them take 32 MB a bit plane, several per
/// agent; grids beyond that come from mistyped spacings.
const MAX_VERTICES: u64 = 1 << 28;

/// Where the grid lies, in level pixels with y down.
///
/// A level is baked in its own pixels, whatever the units of the game, so that units
/// change nothing but the numbers in the mesh. Everything that the stages compare lies
/// on one lattice: [`place`](Self::place) puts the level on it, and
/// [`limits`](Self::limits) the agents, before anything is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The part of the level that is baked.
    pub area: Rect,
    /// Side of a cell.
    pub spacing: f64,
    /// The [search step](Self::search_step) of the smallest body: the size of the details that
    /// matter. Unlike the spacing, it follows from the level and the agents alone, so what is
    /// found does not depend on the grid.
    pub detail: f64,
    /// The shorter side of a tile; `None` in levels without tiles.
    pub tile: Option<f64>,
    /// Number of columns.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
    /// Positions are multiples of this lattice constant: a power of two, far
    /// below a detail, and large enough for f32 to hold every position of the
    /// level exactly.
    pub quantum: f64,
    /// The units of the mesh.
    pub units: Units,
}

/// The longest motion through the air, seconds. Greater numbers are a mistake in a unit, and
/// the time and memory of a bake grow with them.
const MAX_AIR_TIME: f64 = 120.0;

/// Checks how long an agent is in the air that falls as deep as it may, at most from the top
/// to the bottom of a level of this height, world units.
fn check_air_time(agent: &AgentProfile, height: f64) -> Result<(), BakeError> {
    let limits = AgentLimits::of(agent);
    let deepest = limits.max_drop.y.min(height) + limits.max_jump.y.min(height);
    let launches = f64::from(limits.air_jumps) * limits.jump_speed / limits.fall.gravity;
    let seconds = limits.fall.time_to(limits.jump_speed, -deepest) + launches;
    if limits.takes_off() && seconds > MAX_AIR_TIME {
        return Err(BakeError::AirTime {
            agent: agent.name.clone(),
            seconds,
            limit: MAX_AIR_TIME,
        });
    }
    Ok(())
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
        let nav_areas = level.markers.iter().filter(|m| {
            m.class.eq_ignore_ascii_case("nav_area") && m.area.size().min_element() > 0.0
        });
        let nav_area = nav_areas
            .map(|m| m.area)
            .reduce(|a, b| Rect::new(a.min.min(b.min), a.max.max(b.max)));
        let area = settings.area.or(nav_area).unwrap_or(level.bounds);
        let area = Rect::new(
            area.min.max(level.bounds.min),
            area.max.min(level.bounds.max),
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
            Some(spacing) => pixels(spacing, settings.units),
            None => default_spacing(level, pixels(smallest, settings.units)),
        };
        for agent in &settings.agents {
            let [width, height] = agent.body;
            if spacing > pixels(width.min(height), settings.units) {
                return Err(BakeError::BodySmallerThanSpacing {
                    agent: agent.name.clone(),
                    width,
                    height,
                    spacing: (spacing * units_per_pixel(settings.units)) as f32,
                });
            }
        }
        for agent in &settings.agents {
            check_air_time(agent, area.size().y * units_per_pixel(settings.units))?;
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
        let reach = area.min.abs().max(area.max.abs()).max_element();
        let tile = level.tile_size.map(|[w, h]| f64::from(w.min(h)));
        let detail = search_step(tile, pixels(smallest, settings.units));
        let mut this = Self {
            area,
            spacing,
            detail,
            tile,
            columns: cells.x as u32,
            rows: cells.y as u32,
            quantum: quantum(detail, reach),
            units: settings.units,
        };
        let [min, max] = [area.min, area.max].map(|corner| this.nearest(corner));
        this.area = Rect::new(min, max);
        Ok(this)
    }

    /// The level with all its shapes and markers on the lattice.
    pub fn place<'l>(&self, level: &'l Level) -> Cow<'l, Level> {
        let mut placed = Cow::Borrowed(level);
        let is_off = |point: &DVec2| self.nearest(*point) != *point;
        let rect_is_off = |rect: &Rect| is_off(&rect.min) || is_off(&rect.max);
        if let Collision::Shapes(pieces) = &level.collision {
            let shapes = pieces.iter().map(|piece| &piece.shape);
            let mut corners = shapes.flat_map(Shape::corners);
            if corners.any(|corner| is_off(&corner))
                && let Collision::Shapes(pieces) = &mut placed.to_mut().collision
            {
                for piece in pieces {
                    match &mut piece.shape {
                        Shape::Box(rect) => *rect = self.nearest_rect(rect),
                        Shape::Convex(points) => {
                            for point in points {
                                *point = self.nearest(*point);
                            }
                        }
                    }
                }
            }
        }
        if level.markers.iter().any(|marker| rect_is_off(&marker.area)) {
            for marker in &mut placed.to_mut().markers {
                marker.area = self.nearest_rect(&marker.area);
            }
        }
        placed
    }

    /// The limits of an agent, with its lengths on the lattice.
    pub fn limits(&self, agent: &AgentProfile) -> AgentLimits {
        let mut limits = AgentLimits::of(agent).scaled(f64::from(self.units.pixels_per_unit));
        // Half of the width is a distance, too.
        limits.body.x = 2.0 * self.round(0.5 * limits.body.x);
        limits.body.y = self.round(limits.body.y);
        limits.max_jump = self.nearest(limits.max_jump);
        limits.max_drop = self.nearest(limits.max_drop);
        limits.step_height = self.round(limits.step_height);
        limits
    }

    /// The point of the lattice that is nearest to another.
    fn nearest(&self, p: DVec2) -> DVec2 {
        (p / self.quantum).round() * self.quantum
    }

    fn nearest_rect(&self, rect: &Rect) -> Rect {
        Rect::new(self.nearest(rect.min), self.nearest(rect.max))
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

    /// The distance between neighbouring positions at which moves of an agent are
    /// searched: the largest part `1/n` of a tile that is not larger than the body;
    /// in levels without tiles, the largest power of two in pixels. A finer grid costs
    /// nothing here, because the geometry that moves depend on stays the same.
    pub fn search_step(&self, body: DVec2) -> f64 {
        search_step(self.tile, body.min_element())
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
    /// For a detail of 16 it is 6e-5: far below anything visible, and above
    /// the rounding of trajectories, which are stored as f32 (24 bits).
    pub fn skin(&self) -> f64 {
        self.detail / f64::from(1 << 18)
    }

    /// The column whose vertices lie at `x`; a fraction between columns.
    pub fn column_at(&self, x: f64) -> f64 {
        (x - self.area.min.x) / self.spacing - 0.5
    }

    pub fn grid(&self) -> Grid {
        let y_axis = self.units.y_axis;
        let scale = units_per_pixel(self.units);
        let origin = self.area.min * scale;
        Grid {
            origin: Vec2::new(origin.x as f32, origin.y as f32 * y_axis.down()),
            spacing: (self.spacing * scale) as f32,
            columns: self.columns,
            rows: self.rows,
            y_axis,
        }
    }
}

/// [`Layout::search_step`] among tiles, for a body whose shorter side is `side`.
fn search_step(tile: Option<f64>, side: f64) -> f64 {
    match tile {
        // The slack keeps a body of exactly a part of a tile at that part.
        Some(tile) => tile / (tile / side * (1.0 - 1e-9)).ceil(),
        None => largest_power_of_two(side),
    }
}

/// The lattice constant for details of this size and coordinates up to `reach`: a
/// 32,768th of a detail or a little less, which is finer than any level needs, but large
/// enough that every multiple of it up to `reach` has at most 24 significant bits, as
/// many as f32 holds.
fn quantum(detail: f64, reach: f64) -> f64 {
    let mut quantum = largest_power_of_two(detail / 32768.0);
    while reach / quantum > f64::from(1u32 << 24) {
        quantum *= 2.0;
    }
    quantum
}

/// World units in a level pixel.
pub fn units_per_pixel(units: Units) -> f64 {
    1.0 / f64::from(units.pixels_per_unit)
}

/// A length in world units as level pixels. A length that was a number of few digits
/// before it became a 32-bit number of other units is that number again: 0.16 units of
/// 100 pixels are 16 pixels, not 15.9999996.
fn pixels(length: f32, units: Units) -> f64 {
    let length = f64::from(length) * f64::from(units.pixels_per_unit);
    let (fraction, exponent) = libm::frexp(length);
    // 16 significant bits are 4 digits. Two roundings to 24 bits change a number by at
    // most a 2^23rd of it.
    let round = (fraction * 65536.0).round() / 65536.0;
    if (round - fraction).abs() <= fraction / f64::from(1 << 23) {
        libm::ldexp(round, exponent)
    } else {
        length
    }
}

/// The largest divisor of the tile size that is not larger than any body; for
/// levels without tiles, the largest power of two in pixels.
fn default_spacing(level: &Level, smallest: f64) -> f64 {
    let tile = level.tile_size.map_or(0, |[w, h]| gcd(w, h));
    let mut divisors = (1..=tile).filter(|k| tile.is_multiple_of(*k));
    if let Some(k) = divisors.find(|k| f64::from(tile / k) <= smallest) {
        return f64::from(tile / k);
    }
    largest_power_of_two(smallest)
}

/// The largest power of two that is not larger than `limit`.
fn largest_power_of_two(limit: f64) -> f64 {
    let mut power = 1.0;
    while power * 2.0 <= limit {
        power *= 2.0;
    }
    while power > limit && power > f64::MIN_POSITIVE {
        power *= 0.5;
    }
    power
}

/// The side of a grid cell that a bake would have, in world units.
///
/// # Errors
/// As for [`bake`](crate::bake()).
pub fn grid_spacing(level: &Level, settings: &Settings) -> Result<f32, BakeError> {
    Ok(Layout::new(level, settings)?.grid().spacing)
}

/// The agent whose body alone makes the default spacing smaller than the other
/// agents need, and the spacing without it.
pub fn spacing_limit<'s>(level: &Level, settings: &'s Settings) -> Option<(&'s AgentProfile, f32)> {
    let sides = settings.agents.iter().map(|agent| {
        let [width, height] = agent.body;
        (agent, pixels(width.min(height), settings.units))
    });
    let mut sides: Vec<_> = sides.collect();
    sides.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let &[(smallest, side), (_, second), ..] = sides.as_slice() else {
        return None;
    };
    let without = default_spacing(level, second);
    let is_limit = settings.spacing.is_none() && without > default_spacing(level, side);
    is_limit.then_some((smallest, (without * units_per_pixel(settings.units)) as f32))
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
