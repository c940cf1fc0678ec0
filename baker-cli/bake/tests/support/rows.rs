//! Levels drawn in text, for tests and benchmarks. Those outside of the library
//! include this file.
#![allow(dead_code)] // each of them uses its own part

use glam::DVec2;
use navmesh_bake::{Collision, Level, Material, PassDirection, Piece, PixelMap, Rect, Shape};

/// A level from rows of characters, one for each tile: `#` solid, `-` one-way,
/// `^` hazard, `H` ladder, `v`, `<` and `>` one-way in that direction, anything else
/// empty. `/` and `\\` are solid below a slope of 45 degrees. Tiles are `tile` pixels
/// wide and high.
pub fn level(name: &str, tile: u32, rows: &[&str]) -> Level {
    let side = f64::from(tile);
    let mut pieces = Vec::new();
    for (row, line) in rows.iter().enumerate() {
        let mut column = 0;
        // One-way walls do not merge with their neighbours: each has a side of its own.
        let merge = |a: &char, b: &char| a == b && !matches!(a, '<' | '>' | '/' | '\\');
        for run in line.chars().collect::<Vec<_>>().chunk_by(merge) {
            let end = column + run.len();
            let material = match run[0] {
                '#' | '/' | '\\' => Some(Material::Solid),
                '-' => Some(Material::OneWay(PassDirection::Up)),
                '^' => Some(Material::Hazard),
                'H' => Some(Material::Ladder),
                'v' => Some(Material::OneWay(PassDirection::Down)),
                '<' => Some(Material::OneWay(PassDirection::Left)),
                '>' => Some(Material::OneWay(PassDirection::Right)),
                _ => None,
            };
            let min = DVec2::new(column as f64, row as f64) * side;
            let max = DVec2::new(end as f64, (row + 1) as f64) * side;
            let rect = Rect::new(min, max);
            let [left_top, right_top, right_bottom, left_bottom] = rect.corners();
            let shape = match run[0] {
                '/' => Shape::Convex(vec![left_bottom, right_top, right_bottom]),
                '\\' => Shape::Convex(vec![left_bottom, left_top, right_bottom]),
                _ => Shape::Box(rect),
            };
            pieces.extend(material.map(|material| Piece {
                shape,
                material,
                origin: 0,
            }));
            column = end;
        }
    }
    of_tiles(name, tile, rows, Collision::Shapes(pieces))
}

/// The same level as a bitmap, with `tile` x `tile` pixels for each character; `v`,
/// `<` and `>` become solid.
pub fn bitmap(name: &str, tile: u32, rows: &[&str]) -> Level {
    let height = rows.len() as u32 * tile;
    let mut map = PixelMap::empty(columns(rows) * tile, height);
    for y in 0..height {
        for (x, c) in (0..)
            .step_by(tile as usize)
            .zip(rows[(y / tile) as usize].chars())
        {
            let plane = match c {
                '#' | 'v' | '<' | '>' => &mut map.solid,
                '-' => &mut map.one_way,
                '^' => &mut map.hazard,
                'H' => &mut map.ladder,
                _ => continue,
            };
            plane.set_run(y, x, x + tile);
        }
    }
    of_tiles(name, tile, rows, Collision::Pixels(map))
}

fn of_tiles(name: &str, tile: u32, rows: &[&str], collision: Collision) -> Level {
    let [width, height] = [columns(rows), rows.len() as u32].map(|count| f64::from(count * tile));
    Level {
        tile_size: Some([tile, tile]),
        ..Level::in_memory(name, collision, width, height)
    }
}

fn columns(rows: &[&str]) -> u32 {
    let widths = rows.iter().map(|line| line.chars().count() as u32);
    widths.max().unwrap_or(0)
}
