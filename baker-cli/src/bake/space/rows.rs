//! Lists by row, in one array.

use std::ops::Range;

/// Lists by row, in one array.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows<T> {
    /// The items of all rows.
    pub(crate) items: Vec<T>,
    /// Where each row ends.
    ends: Vec<u32>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<T: Copy> Rows<T> {
    /// Rows from lists.
    pub(crate) fn collect(rows: Vec<Vec<T>>) -> Self {
        let mut this = Self::default();
        for row in rows {
            this.items.extend(row);
            this.ends.push(this.items.len() as u32);
        }
        this
    }

    /// `count` rows from items that are sorted by their row.
    pub(crate) fn from_sorted(count: usize, items: impl IntoIterator<Item = (usize, T)>) -> Self {
        let mut this = Self {
            items: Vec::new(),
            ends: vec![0; count],
        };
        for (row, item) in items {
            this.items.push(item);
            this.ends[row] += 1;
        }
        let mut total = 0;
        for end in &mut this.ends {
            total += *end;
            *end = total;
        }
        this
    }

    /// The range of a row's items in `items`; empty past the
    /// last row.
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        let end = |i: usize| self.ends.get(i).map_or(self.items.len(), |e| *e as usize);
        row.checked_sub(1).map_or(0, end)..end(row)
    }

    /// A row; empty past the last.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> &[T] {
        &self.items[self.range(row)]
    }

    /// Replaces these rows by the given `rows` of another value. Of each row,
    /// it copies the slice that `part` returns, without the items for which
    /// `keep` is false.
    pub(crate) fn copy_part(
        &mut self,
        of: &Self,
        rows: impl IntoIterator<Item = usize>,
        part: impl Fn(&[T]) -> &[T],
        keep: impl Fn(&T) -> bool,
    ) {
        self.items.clear();
        self.ends.clear();
        for row in rows {
            self.items
                .extend(part(of.get(row)).iter().filter(|item| keep(item)));
            self.ends.push(self.items.len() as u32);
        }
    }
}
