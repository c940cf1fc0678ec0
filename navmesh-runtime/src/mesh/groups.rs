//! Items in one list, grouped.

use std::ops::Range;

/// Where each group of items ends in a list that is sorted by group.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Groups {
    ends: Vec<u32>,
}

impl Groups {
    /// Groups `count` groups of items, of which each is given by its group.
    pub fn new(count: usize, items: impl IntoIterator<Item = usize>) -> Self {
        let mut this = Self::default();
        this.set(count, items);
        this
    }

    /// As [`new`](Self::new). Allocates only to grow.
    pub fn set(&mut self, count: usize, items: impl IntoIterator<Item = usize>) {
        self.ends.clear();
        self.ends.resize(count, 0);
        // Faster than a loop for chains of iterators.
        items.into_iter().for_each(|group| {
            if let Some(size) = self.ends.get_mut(group) {
                *size += 1;
            }
        });
        let mut end = 0;
        for size in &mut self.ends {
            end += *size;
            *size = end;
        }
    }

    /// The items of `count` groups, each of which is given with its group, and a list of
    /// them that is sorted by group; those of a group stay in order.
    pub fn sorted<T: Copy>(
        count: usize,
        items: impl Iterator<Item = (usize, T)> + Clone,
    ) -> (Self, Vec<T>) {
        let mut this = Self::new(count, items.clone().map(|(group, _)| group));
        let total = this.ends.last().map_or(0, |&end| end as usize);
        let first = items.clone().next();
        let mut list = first.map_or_else(Vec::new, |(_, any)| vec![any; total]);
        // Groups start where the one before ends, and grow to their ends again.
        let mut start = 0;
        for end in &mut this.ends {
            std::mem::swap(end, &mut start);
        }
        items.for_each(|(group, item)| {
            if let Some(end) = this.ends.get_mut(group) {
                list[*end as usize] = item;
                *end += 1;
            }
        });
        (this, list)
    }

    /// Adds a group of so many items after the others.
    pub fn push(&mut self, size: usize) {
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(start + size as u32);
    }

    /// Adds empty groups until there are so many.
    pub fn extend_to(&mut self, count: usize) {
        let end = self.ends.last().copied().unwrap_or(0);
        self.ends.resize(count.max(self.len()), end);
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The indices of the items of a group; empty when there is no such group.
    #[inline]
    pub fn range(&self, group: usize) -> Range<usize> {
        let end = |group: usize| self.ends.get(group).map_or(0, |&end| end as usize);
        let start = group.checked_sub(1).map_or(0, end);
        start..end(group).max(start)
    }
}
