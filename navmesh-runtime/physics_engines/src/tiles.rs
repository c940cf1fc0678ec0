//! Tiles joined to colliders.

use glam::Vec2;

/// Rectangles of tiles, in tiles. A body sticks to the seams between the tiles of
/// a floor, so a run of them is one rectangle, and so are equal runs below each
/// other.
pub(crate) fn merged(rows: &[Vec<u8>], tile: u8) -> Vec<[Vec2; 2]> {
    let mut all: Vec<[Vec2; 2]> = Vec::new();
    for (row, line) in rows.iter().enumerate() {
        let (top, mut column) = (row as f32, 0);
        while column < line.len() {
            let run = line[column..].iter().take_while(|t| **t == tile).count();
            let (left, right) = (column as f32, (column + run) as f32);
            column += run.max(1);
            if run == 0 {
                continue;
            }
            let above = |[min, max]: &&mut [Vec2; 2]| {
                min.x == left && *max == Vec2::new(right, top) && tile == b'#'
            };
            match all.iter_mut().find(above) {
                Some([_, max]) => max.y += 1.0,
                None => all.push([Vec2::new(left, top), Vec2::new(right, top + 1.0)]),
            }
        }
    }
    all
}
