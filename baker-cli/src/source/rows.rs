//! Levels drawn in text, for tests and examples.

use glam::DVec2;

use super::{Collision, Level, Material, PassDirection, Piece, PixelMap, Rect, Shape};

/// The material a character stands for, as [`Level::from_rows`] says.
fn material(c: char) -> Option<Material> {
    match c {
        '#' => Some(Material::Solid),
        '-' => Some(Material::OneWay(PassDirection::Up)),
        '^' => Some(Material::Hazard),
        'H' => Some(Material::Ladder),
        'v' => Some(Material::OneWay(PassDirection::Down)),
        '<' => Some(Material::OneWay(PassDirection::Left)),
        '>' => Some(Material::OneWay(PassDirection::Right)),
        _ => None,
    }
}

impl Level {
    /// A level in memory from rows of characters, one for each tile: `#` solid,
    /// `-` one-way, `^` hazard, `H` ladder, `v`, `<` and `>` one-way in that
    /// direction, anything else empty. Tiles are `tile` pixels wide and high.
    ///
    /// ```
    /// use baker_cli::bake::{NoProgress, Settings, bake};
    /// use baker_cli::source::Level;
    ///
    /// let level = Level::from_rows("hop", 16, &[
    ///     "........",
    ///     "........",
    ///     "###..###",
    /// ]);
    /// let settings = Settings::for_agents(baker_cli::bake::default_agents(16.0));
    /// let mesh = bake(&level, &settings, &NoProgress).unwrap();
    /// assert_eq!(mesh.layer_named("ground").unwrap().platforms().len(), 2);
    /// ```
    pub fn from_rows(name: &str, tile: u32, rows: &[&str]) -> Self {
        let side = f64::from(tile);
        let mut pieces = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            let cells: Vec<_> = line.chars().map(material).collect();
            let mut column = 0;
            // One-way walls do not merge with their neighbours: each has a side
            // of its own.
            for run in cells.chunk_by(|a, b| a == b && a.is_none_or(|m| m.merges().0)) {
                let end = column + run.len();
                if let Some(material) = run[0] {
                    let min = DVec2::new(column as f64, row as f64) * side;
                    let max = DVec2::new(end as f64, (row + 1) as f64) * side;
                    pieces.push(Piece {
                        shape: Shape::Box(Rect::new(min, max)),
                        material,
                        origin: 0,
                    });
                }
                column = end;
            }
        }
        let (width, height) = (width(rows) as f64 * side, rows.len() as f64 * side);
        Self {
            tile_size: Some([tile, tile]),
            ..Self::in_memory(name, Collision::Shapes(pieces), width, height)
        }
    }

    /// The same level as a bitmap, with `tile` x `tile` pixels for each
    /// character; `v`, `<` and `>` become solid.
    pub fn bitmap_from_rows(name: &str, tile: u32, rows: &[&str]) -> Self {
        let (columns, height) = (width(rows) as u32 * tile, rows.len() as u32 * tile);
        let mut map = PixelMap::empty(columns, height);
        for (y, line) in (0..height).map(|y| (y, rows[(y / tile) as usize])) {
            for (i, c) in line.chars().enumerate() {
                if let Some(material) = material(c) {
                    let plane = map.plane_mut(material);
                    plane.set_run(y, i as u32 * tile, (i as u32 + 1) * tile);
                }
            }
        }
        let (width, height) = (f64::from(columns), f64::from(height));
        Self {
            tile_size: Some([tile, tile]),
            ..Self::in_memory(name, Collision::Pixels(map), width, height)
        }
    }

    /// A level built in memory: its collision geometry, and its extent in
    /// pixels from (0, 0).
    pub fn in_memory(name: &str, collision: Collision, width: f64, height: f64) -> Self {
        Self {
            source: name.to_owned(),
            bounds: Rect::new(DVec2::ZERO, DVec2::new(width, height)),
            tile_size: None,
            collision,
            origins: vec![name.to_owned()],
            markers: Vec::new(),
            inputs: Vec::new(),
            decisions: Vec::new(),
            warnings: Vec::new(),
            unused_rules: Vec::new(),
            full_tiles: Vec::new(),
        }
    }
}

fn width(rows: &[&str]) -> usize {
    let widths = rows.iter().map(|line| line.chars().count());
    widths.max().unwrap_or(0)
}
