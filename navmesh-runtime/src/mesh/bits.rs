//! Grids of bits.

use std::ops::Range;

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
        let mut this = Self::default();
        this.reset(columns, rows);
        this
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
        self.reset(other.columns, other.rows);
        self.words.copy_from_slice(&other.words);
    }

    /// Number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of rows; 0 for a grid without columns.
    pub(crate) fn filled_rows(&self) -> u32 {
        if self.columns == 0 { 0 } else { self.rows }
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

    /// Whether a bit in the grid is not set. Coordinates below zero wrap round and are
    /// outside.
    #[inline]
    pub(crate) fn is_free(&self, column: u32, row: u32) -> bool {
        column < self.columns && row < self.rows && !self.get(column, row)
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
        let (first, last) = (from / 64, (to - 1) / 64);
        for index in first..=last {
            let low = if index == first { from % 64 } else { 0 };
            let high = if index == last { (to - 1) % 64 } else { 63 };
            self.row_mut(row)[index as usize] |= (u64::MAX >> (63 - (high - low))) << low;
        }
    }

    /// Flips the bits that are set in a grid of the same size.
    pub(crate) fn flip(&mut self, other: &Self) {
        for (word, flip) in self.words.iter_mut().zip(&other.words) {
            *word ^= flip;
        }
    }

    /// Turns rows that tell which bits of the row above to flip into the rows.
    pub(crate) fn flip_by_rows_above(&mut self) {
        for i in self.stride..self.words.len() {
            self.words[i] ^= self.words[i - self.stride];
        }
    }

    /// The inverse of [`flip_by_rows_above`](Self::flip_by_rows_above).
    #[cfg(feature = "write")]
    pub(crate) fn differ_from_rows_above(&mut self) {
        for i in (self.stride..self.words.len()).rev() {
            self.words[i] ^= self.words[i - self.stride];
        }
    }

    /// Whether columns `from..to` of a row, clipped to the grid, are all zero.
    pub(crate) fn is_clear(&self, row: u32, from: u32, to: u32) -> bool {
        row >= self.rows || self.first_in(row, from..to).is_none()
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
    pub fn runs(&self, row: u32) -> impl Iterator<Item = Range<u32>> + use<'_> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = self.first_in(row, at..self.columns)?;
            let end = self.first_flipped(row, start..self.columns, u64::MAX);
            at = end.unwrap_or(self.columns);
            Some(start..at)
        })
    }

    /// The first of some columns of a row whose bit is set. `row` must be below
    /// [`rows`](Self::rows).
    #[inline]
    pub(crate) fn first_in(&self, row: u32, columns: Range<u32>) -> Option<u32> {
        self.first_flipped(row, columns, 0)
    }

    /// The first of some columns of a row whose bit is set, after an exclusive or of all
    /// words with `flip`.
    #[inline]
    fn first_flipped(&self, row: u32, columns: Range<u32>, flip: u64) -> Option<u32> {
        let words = self.row(row);
        let end = columns.end.min(self.columns);
        let last = end.checked_sub(1)? / 64;
        let mut mask = u64::MAX << (columns.start % 64);
        for index in columns.start / 64..=last {
            let hits = (words[index as usize] ^ flip) & mask;
            if hits != 0 {
                return Some(index * 64 + hits.trailing_zeros()).filter(|&column| column < end);
            }
            mask = u64::MAX;
        }
        None
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
