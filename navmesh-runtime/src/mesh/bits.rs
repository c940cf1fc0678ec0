//! Grids of bits.

/// A `columns` × `rows` grid of bits. Each row starts on a word boundary, so
/// rows can be read and combined 64 vertices at a time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BitGrid {
    columns: u32,
    rows: u32,
    stride: usize,
    words: Vec<u64>,
}

impl BitGrid {
    /// A grid of zeros.
    pub fn new(columns: u32, rows: u32) -> Self {
        let stride = (columns as usize).div_ceil(64);
        Self {
            columns,
            rows,
            stride,
            words: vec![0; stride * rows as usize],
        }
    }

    /// Turns this into a grid of zeros of that size. Allocates only to grow.
    pub(crate) fn reset(&mut self, columns: u32, rows: u32) {
        self.columns = columns;
        self.rows = rows;
        self.stride = (columns as usize).div_ceil(64);
        self.words.clear();
        self.words.resize(self.stride * rows as usize, 0);
    }

    /// Turns this into a copy. Allocates only to grow.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.columns = other.columns;
        self.rows = other.rows;
        self.stride = other.stride;
        self.words.clone_from(&other.words);
    }

    /// Number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Words in a row.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The bit at `column`, `row`; outside the grid, `false`.
    #[inline]
    pub fn get(&self, column: u32, row: u32) -> bool {
        column < self.columns
            && row < self.rows
            && self.words[row as usize * self.stride + (column / 64) as usize] >> (column % 64) & 1
                == 1
    }

    /// Sets the bit at `column`, `row`; outside the grid, does nothing.
    #[inline]
    pub fn set(&mut self, column: u32, row: u32, value: bool) {
        if column >= self.columns || row >= self.rows {
            return;
        }
        let word = &mut self.words[row as usize * self.stride + (column / 64) as usize];
        let mask = 1u64 << (column % 64);
        if value {
            *word |= mask;
        } else {
            *word &= !mask;
        }
    }

    /// Sets the bits of columns `from..to` of a row, clipped to the grid.
    pub fn set_run(&mut self, row: u32, from: u32, to: u32) {
        let to = to.min(self.columns);
        if row >= self.rows || from >= to {
            return;
        }
        let (first, last) = ((from / 64) as usize, ((to - 1) / 64) as usize);
        let words = self.row_mut(row);
        for (i, word) in words.iter_mut().enumerate().take(last + 1).skip(first) {
            let lo = if i == first { from % 64 } else { 0 };
            let hi = if i == last { (to - 1) % 64 } else { 63 };
            *word |= (u64::MAX >> (63 - (hi - lo))) << lo;
        }
    }

    /// The words of a row: bit `c % 64` of word `c / 64` is column `c`. Bits
    /// past the last column are zero. `row` must be below [`rows`](Self::rows).
    #[inline]
    pub fn row(&self, row: u32) -> &[u64] {
        let start = row as usize * self.stride;
        &self.words[start..start + self.stride]
    }

    /// The words of a row, for writing. Bits past the last column must stay
    /// zero. `row` must be below [`rows`](Self::rows).
    #[inline]
    pub fn row_mut(&mut self, row: u32) -> &mut [u64] {
        let start = row as usize * self.stride;
        &mut self.words[start..start + self.stride]
    }

    /// How many bits are set.
    pub fn count_ones(&self) -> u64 {
        self.words.iter().map(|w| u64::from(w.count_ones())).sum()
    }

    /// The runs of set bits in a row as ranges of columns, from left to right.
    /// `row` must be below [`rows`](Self::rows).
    pub fn runs(&self, row: u32) -> Runs<'_> {
        Runs {
            words: self.row(row),
            columns: self.columns,
            at: 0,
        }
    }
}

/// The runs of set bits in one row of a [`BitGrid`].
#[derive(Debug, Clone)]
pub struct Runs<'a> {
    words: &'a [u64],
    columns: u32,
    at: u32,
}

impl Runs<'_> {
    /// The first column at or after `from` whose bit equals `value`, or the
    /// number of columns.
    fn next_with(&self, from: u32, value: bool) -> u32 {
        let mut index = (from / 64) as usize;
        let mut mask = u64::MAX << (from % 64);
        while let Some(&word) = self.words.get(index) {
            let hits = if value { word } else { !word } & mask;
            if hits != 0 {
                return (index as u32 * 64 + hits.trailing_zeros()).min(self.columns);
            }
            index += 1;
            mask = u64::MAX;
        }
        self.columns
    }
}

impl Iterator for Runs<'_> {
    type Item = std::ops::Range<u32>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.columns {
            return None;
        }
        let start = self.next_with(self.at, true);
        if start >= self.columns {
            self.at = self.columns;
            return None;
        }
        let end = self.next_with(start, false);
        self.at = end;
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cross_words_and_stop_at_the_edge() {
        let mut bits = BitGrid::new(130, 2);
        bits.set_run(1, 60, 70);
        bits.set_run(1, 127, 500);
        bits.set(0, 1, true);
        let runs: Vec<_> = bits.runs(1).collect();
        assert_eq!(runs, vec![0..1, 60..70, 127..130]);
        assert_eq!(bits.runs(0).count(), 0);
        assert_eq!(bits.count_ones(), 14);
        assert!(!bits.get(130, 1));
    }
}
