//! Random levels, and geometry that shares no code with the baker.
#![allow(dead_code)] // each test binary uses its own part

use glam::DVec2;
use navmesh_bake::Level;
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, Cell, Layer, NavMesh, Terrain};
use navmesh_runtime::motion::{Activity, Environment, NavAgent};
use navmesh_runtime::search::PathFinder;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Closed intervals, or open ones where they stand for what is blocked.
pub type Spans = Vec<(f64, f64)>;

/// The `OnFloor` vertices of a layer.
pub fn on_floor(layer: &Layer) -> Vec<Cell> {
    let grid = layer.grid();
    let cells =
        (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |column| Cell { column, row }));
    cells
        .filter(|cell| layer.terrain(*cell) == Terrain::OnFloor)
        .collect()
}

/// Geometry for the independent checks, y down.
pub trait Geometry {
    /// Whether a body with its feet at `p` overlaps something solid or
    /// hazardous by more than `skin`.
    fn blocked(&self, p: DVec2, body: DVec2, skin: f64) -> bool;
    /// Whether something within `reach` of the feet carries the body.
    fn supported(&self, p: DVec2, body: DVec2, reach: f64) -> bool;
    /// Feet x, open, at which the body with its feet at some height in `feet`
    /// overlaps something by more than `slack`.
    fn blocked_x(&self, feet: (f64, f64), body: DVec2, slack: f64) -> Spans;
    /// [`blocked_x`](Self::blocked_x) for a body that ignores hazards.
    fn solid_x(&self, feet: (f64, f64), body: DVec2, slack: f64) -> Spans {
        self.blocked_x(feet, body, slack)
    }
    /// Feet x, open, at which a one-way top at height `y` carries.
    fn one_way_x(&self, y: f64, body: DVec2, slack: f64) -> Spans;
    /// Heights at which there may be tops.
    fn heights(&self) -> Vec<f64>;
    /// How far the level reaches to the right of 0.
    fn width(&self) -> f64;
    /// [`blocked`](Self::blocked) for a body that ignores hazards.
    fn solid_at(&self, p: DVec2, body: DVec2, skin: f64) -> bool {
        self.blocked(p, body, skin)
    }
    /// One-way tiles that let bodies pass down (`v`), left (`<`) or right
    /// (`>`): the character, the upper left and the lower right corner.
    fn one_ways(&self) -> Vec<(char, DVec2, DVec2)> {
        Vec::new()
    }
    /// Ladders: the upper left and the lower right corner of each tile.
    fn ladders(&self) -> Vec<(DVec2, DVec2)> {
        Vec::new()
    }
}

/// Whether a body is in a shaft between two columns of vertices. What lies
/// beneath such a shaft looks solid to the vertices, so a body that falls down
/// it may land in a hazard.
pub fn in_a_shaft(world: &dyn Geometry, feet: DVec2, body: DVec2, spacing: f64) -> bool {
    [-spacing, spacing]
        .iter()
        .all(|aside| world.solid_at(feet + DVec2::new(*aside, 0.0), body, 2e-3))
}

/// A level of square tiles, drawn in characters.
#[derive(Debug, Clone)]
pub struct Tiles {
    pub side: u32,
    pub rows: Vec<Vec<char>>,
}

impl Tiles {
    pub fn new(side: u32, rows: &[&str]) -> Self {
        Self {
            side,
            rows: rows.iter().map(|r| r.chars().collect()).collect(),
        }
    }

    pub fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    pub fn lines(&self) -> Vec<String> {
        self.rows.iter().map(String::from_iter).collect()
    }

    pub fn level(&self) -> Level {
        let rows = self.lines();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        rows::level("random", self.side, &rows)
    }

    pub fn bitmap(&self) -> Level {
        let rows = self.lines();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        rows::bitmap("random", self.side, &rows)
    }

    /// The mesh of the level for an agent, with links thinned at a stretch.
    pub fn baked(&self, agent: AgentProfile, stretch: f32) -> NavMesh {
        let mut settings = Settings::for_agents(vec![agent]);
        settings.link_stretch = stretch;
        bake(&self.level(), &settings, &NoProgress).unwrap()
    }

    /// Draws a rectangle of tiles, but none in the lowest row.
    pub fn fill(
        &mut self,
        (column, row): (usize, usize),
        (across, down): (usize, usize),
        tile: char,
    ) {
        let (width, height) = (self.columns(), self.rows.len());
        for r in row..(row + down).min(height.saturating_sub(1)) {
            self.rows[r][column..(column + across).min(width)].fill(tile);
        }
    }

    fn at(&self, column: i64, row: i64) -> char {
        let line = usize::try_from(row).ok().and_then(|r| self.rows.get(r));
        let cell = line.and_then(|l| l.get(usize::try_from(column).ok()?).copied());
        cell.unwrap_or('.')
    }

    /// The tiles of some characters, with their corners.
    fn each(&self, counts: impl Fn(char) -> bool) -> Vec<(char, DVec2, DVec2)> {
        let side = f64::from(self.side);
        let mut all = Vec::new();
        for (r, line) in self.rows.iter().enumerate() {
            for (c, tile) in line.iter().enumerate().filter(|(_, t)| counts(**t)) {
                let min = DVec2::new(c as f64, r as f64) * side;
                all.push((*tile, min, min + DVec2::splat(side)));
            }
        }
        all
    }

    /// The character of a tile; '.' outside.
    pub fn tile(&self, column: usize, row: i64) -> char {
        self.at(column as i64, row)
    }

    /// Feet x at which a body is beside or over a column of tiles.
    fn grown(&self, column: usize, body: DVec2, slack: f64) -> (f64, f64) {
        let side = f64::from(self.side);
        let (a, b) = (column as f64 * side, (column + 1) as f64 * side);
        (a - 0.5 * body.x + slack, b + 0.5 * body.x - slack)
    }

    /// Feet x at which a body with its feet at some height in `feet` overlaps
    /// a tile that `counts`.
    fn columns_with(
        &self,
        feet: (f64, f64),
        body: DVec2,
        slack: f64,
        counts: impl Fn(char) -> bool,
    ) -> Spans {
        let side = f64::from(self.side);
        let first = ((feet.0 - body.y + slack + 1e-9) / side).floor() as i64;
        let last = ((feet.1 - slack - 1e-9) / side).ceil() as i64 - 1;
        (0..self.columns())
            .filter(|&c| (first..=last).any(|r| counts(self.tile(c, r))))
            .map(|c| self.grown(c, body, slack))
            .collect()
    }

    /// Whether a box strictly overlaps a cell that `counts`, cell by cell.
    pub fn overlaps(&self, min: DVec2, max: DVec2, counts: impl Fn(char) -> bool) -> bool {
        let side = f64::from(self.side);
        let (c0, c1) = (
            (min.x / side).floor() as i64 - 1,
            (max.x / side).ceil() as i64,
        );
        let (r0, r1) = (
            (min.y / side).floor() as i64 - 1,
            (max.y / side).ceil() as i64,
        );
        (r0..=r1).any(|r| {
            (c0..=c1).any(|c| {
                counts(self.at(c, r))
                    && min.x < (c + 1) as f64 * side
                    && max.x > c as f64 * side
                    && min.y < (r + 1) as f64 * side
                    && max.y > r as f64 * side
            })
        })
    }
}

impl Geometry for Tiles {
    /// Whether a body with its feet at `p` overlaps something solid or
    /// hazardous by more than `skin`.
    fn blocked(&self, p: DVec2, body: DVec2, skin: f64) -> bool {
        let inner = DVec2::splat(skin);
        let min = DVec2::new(p.x - 0.5 * body.x, p.y - body.y) + inner;
        let max = DVec2::new(p.x + 0.5 * body.x, p.y) - inner;
        self.overlaps(min, max, |c| c == '#' || c == '^')
    }

    fn solid_at(&self, p: DVec2, body: DVec2, skin: f64) -> bool {
        let inner = DVec2::splat(skin);
        let min = DVec2::new(p.x - 0.5 * body.x, p.y - body.y) + inner;
        let max = DVec2::new(p.x + 0.5 * body.x, p.y) - inner;
        self.overlaps(min, max, |c| c == '#')
    }

    fn one_ways(&self) -> Vec<(char, DVec2, DVec2)> {
        self.each(|c| matches!(c, '<' | '>' | 'v'))
    }

    fn ladders(&self) -> Vec<(DVec2, DVec2)> {
        let tiles = self.each(|c| c == 'H').into_iter();
        tiles.map(|(_, min, max)| (min, max)).collect()
    }

    /// Whether something within `reach` of the feet carries the body: the top
    /// of a solid or one-way tile under some of its width.
    fn supported(&self, p: DVec2, body: DVec2, reach: f64) -> bool {
        let side = f64::from(self.side);
        let row = (p.y / side).round();
        if (row * side - p.y).abs() > reach {
            return false;
        }
        let half = DVec2::new(0.5 * body.x, 0.0);
        let tile = DVec2::new(p.x, (row + 0.5) * side);
        self.overlaps(tile - half, tile + half, |c| c == '#' || c == '-')
    }

    fn blocked_x(&self, feet: (f64, f64), body: DVec2, slack: f64) -> Spans {
        self.columns_with(feet, body, slack, |c| matches!(c, '#' | '^'))
    }

    fn solid_x(&self, feet: (f64, f64), body: DVec2, slack: f64) -> Spans {
        self.columns_with(feet, body, slack, |c| c == '#')
    }

    fn one_way_x(&self, y: f64, body: DVec2, slack: f64) -> Spans {
        let row = (y / f64::from(self.side)).round();
        if (row * f64::from(self.side) - y).abs() > 1e-6 {
            return Spans::new();
        }
        (0..self.columns())
            .filter(|&c| self.tile(c, row as i64) == '-')
            .map(|c| self.grown(c, body, slack))
            .collect()
    }

    fn heights(&self) -> Vec<f64> {
        (0..self.rows.len())
            .map(|r| r as f64 * f64::from(self.side))
            .collect()
    }

    fn width(&self) -> f64 {
        self.columns() as f64 * f64::from(self.side)
    }
}

/// The random numbers of tile levels (xorshift64*). Other tests use
/// [`baked_level::Random`]. This generator stays as it is: the seeds that once
/// found a defect stand for the levels that it makes.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as u32
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }
}

/// Draws one value, which is not shrunk.
pub fn draw<T: std::fmt::Debug>(runner: &mut TestRunner, of: &impl Strategy<Value = T>) -> T {
    of.new_tree(runner).unwrap().current()
}

/// Random tile levels: noise with ledges in it, a floor at the bottom.
pub fn tiles(
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
    side: u32,
) -> impl Strategy<Value = Tiles> {
    (columns, rows, 5u32..35, 0u32..8, any::<u64>()).prop_map(
        move |(columns, rows, solid, other, seed)| {
            let mut noise = Noise::new(seed);
            let mut next = || noise.next();
            let mut grid = vec![vec!['.'; columns]; rows];
            let mut row = 0;
            while row < rows {
                let mut column = 0;
                while column < columns {
                    let run = 1 + (next() % 5) as usize;
                    let roll = next() % 100;
                    let c = if roll < solid {
                        '#'
                    } else if roll < solid + other {
                        ['-', '^'][(next() % 2) as usize]
                    } else {
                        '.'
                    };
                    for cell in grid[row].iter_mut().skip(column).take(run) {
                        *cell = c;
                    }
                    column += run;
                }
                row += 1;
            }
            if let Some(last) = grid.last_mut() {
                let gap = (next() as usize) % columns;
                for (i, c) in last.iter_mut().enumerate() {
                    *c = if i == gap { '.' } else { '#' };
                }
            }
            // A stack of one-way tiles carries at every tile; a one-way area of
            // a bitmap carries at its top only. Only what means the same in
            // both is kept.
            let mut above = vec!['.'; columns];
            for line in &mut grid {
                for (cell, above) in line.iter_mut().zip(&above) {
                    if *cell == '-' && *above == '-' {
                        *cell = '.';
                    }
                }
                above.clone_from(line);
            }
            Tiles { side, rows: grid }
        },
    )
}

/// Random tile levels with every kind of tile: ladders and one-way walls and
/// ceilings besides what [`tiles`] has.
pub fn rich_tiles(
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
    side: u32,
) -> impl Strategy<Value = Tiles> {
    (tiles(columns, rows, side), any::<u64>()).prop_map(|(mut world, seed)| {
        let mut noise = Noise::new(seed);
        let mut below = |count| noise.below(count);
        let (width, height) = (world.columns(), world.rows.len());
        for _ in 0..width / 3 {
            let (column, row) = (below(width), below(height));
            let (tile, across, down) = match below(6) {
                0..3 => ('H', 1, 2 + below(4)),
                3 => ('<', 1, 1 + below(3)),
                4 => ('>', 1, 1 + below(3)),
                _ => ('v', 1 + below(4), 1),
            };
            world.fill((column, row), (across, down), tile);
        }
        world
    })
}

// In the folder of the library, whose unit tests use it too.
#[path = "../../bake/tests/support/rows.rs"]
pub mod rows;

pub mod baked_level;
pub mod closure;
pub mod completeness;
pub mod drawn;
pub mod fixtures;
pub mod loose_replay;
pub mod reachable;
pub mod replay;
pub mod spans;
pub mod state_lattice;
pub mod throw;
pub mod walk;

/// Where an agent that was put at a position is after twenty seconds; `None`
/// when it is stranded.
pub fn resting_place(layer: &Layer, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let mut agent = NavAgent::new(layer, glam::Vec2::new(x as f32, y as f32));
    let mut finder = PathFinder::new();
    for _ in 0..400 {
        agent.step(Environment::new(layer), &mut finder, 0.05);
    }
    let pose = agent.pose();
    let is_stranded = matches!(pose.activity, Activity::Stranded(_));
    (!is_stranded).then(|| pose.position.as_dvec2().to_array())
}
