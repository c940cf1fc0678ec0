//! Lists by row, in one array.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows<T> {
    pub items: Vec<T>,
    /// Where each row ends.
    ends: Vec<u32>,
}

impl<T: Copy> Rows<T> {
    pub fn collect(rows: Vec<Vec<T>>) -> Self {
        let (mut items, mut ends) = (Vec::new(), Vec::with_capacity(rows.len()));
        for row in rows {
            items.extend(row);
            ends.push(items.len() as u32);
        }
        Self { items, ends }
    }

    /// The range of a row's items in `items`; empty past the
    /// last row.
    pub fn range(&self, row: usize) -> Range<usize> {
        row.checked_sub(1).map_or(0, |before| self.end(before))..self.end(row)
    }

    fn end(&self, row: usize) -> usize {
        self.ends
            .get(row)
            .map_or(self.items.len(), |end| *end as usize)
    }

    /// A row; empty past the last.
    #[inline]
    pub fn get(&self, row: usize) -> &[T] {
        &self.items[self.range(row)]
    }

    /// Replaces these rows by the given `rows` of another value. Of each row,
    /// it copies the items that `part` returns.
    pub fn copy_part<'a, Part: Iterator<Item = &'a T>>(
        &mut self,
        of: &'a Self,
        rows: impl IntoIterator<Item = usize>,
        part: impl Fn(&'a [T]) -> Part,
    ) {
        self.items.clear();
        self.ends.clear();
        for row in rows {
            self.items.extend(part(of.get(row)));
            self.ends.push(self.items.len() as u32);
        }
    }
}
