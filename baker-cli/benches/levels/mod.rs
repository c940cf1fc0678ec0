//! Generated levels.
#![allow(missing_docs)] // each benchmark declares it as its own module

#[path = "../../bake/tests/support/rows.rs"]
mod rows;

use navmesh_bake::Level;

/// xorshift64*: the same level every time.
pub struct Noise(pub u64);

impl Noise {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }
}

/// Ledges of two to twelve tiles in every `nth` row, which cover a part of it
/// in per cent; with a block now and then.
pub fn tile_level(side: usize, nth: usize, cover: u64) -> Level {
    let mut noise = Noise(7);
    let mut rows = vec![vec!['.'; side]; side];
    for (y, row) in rows.iter_mut().enumerate() {
        let mut x = 0;
        while x < side {
            let run = 2 + noise.below(11) as usize;
            let solid = y + 1 == side
                || (y % nth == nth - 1 && noise.below(100) < cover)
                || noise.below(200) < 3;
            for cell in row.iter_mut().skip(x).take(run) {
                *cell = if solid { '#' } else { '.' };
            }
            x += run + noise.below(4) as usize;
        }
    }
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    rows::level("tiles", 16, &rows)
}
