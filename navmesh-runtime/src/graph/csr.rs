//! Lists of lists in two arrays ("compressed sparse rows"), and graphs stored so.

use std::ops::Range;

/// Where each bucket of items ends in a list that is sorted by bucket.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Buckets {
    ends: Vec<u32>,
}

impl Buckets {
    /// Of `count` buckets and the items, of which each is given by its bucket.
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
        items.into_iter().for_each(|bucket| {
            if let Some(size) = self.ends.get_mut(bucket) {
                *size += 1;
            }
        });
        let mut end = 0;
        for size in &mut self.ends {
            end += *size;
            *size = end;
        }
    }

    /// The items of `count` buckets, each of which is given with its bucket, and a list of
    /// them that is sorted by bucket; those of a bucket stay in order.
    pub fn sorted<T: Copy>(
        count: usize,
        items: impl Iterator<Item = (usize, T)> + Clone,
    ) -> (Self, Vec<T>) {
        let mut this = Self::new(count, items.clone().map(|(bucket, _)| bucket));
        let total = this.ends.last().map_or(0, |&end| end as usize);
        let first = items.clone().next();
        let mut list = first.map_or_else(Vec::new, |(_, any)| vec![any; total]);
        // Buckets start where the one before ends, and grow to their ends again.
        let mut start = 0;
        for end in &mut this.ends {
            std::mem::swap(end, &mut start);
        }
        items.for_each(|(bucket, item)| {
            if let Some(end) = this.ends.get_mut(bucket) {
                list[*end as usize] = item;
                *end += 1;
            }
        });
        (this, list)
    }

    /// Adds a bucket of so many items after the others.
    pub fn push(&mut self, size: usize) {
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(start + size as u32);
    }

    /// Adds empty buckets until there are so many.
    pub fn extend_to(&mut self, count: usize) {
        let end = self.ends.last().copied().unwrap_or(0);
        self.ends.resize(count.max(self.len()), end);
    }

    /// The number of buckets.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The indices of the items of a bucket; empty when there is no such bucket.
    #[inline]
    pub fn range(&self, bucket: usize) -> Range<usize> {
        let end = |bucket: usize| self.ends.get(bucket).map_or(0, |&end| end as usize);
        let start = bucket.checked_sub(1).map_or(0, end);
        start..end(bucket).max(start)
    }
}

/// A directed edge as one number, as that sorts faster than two.
pub const fn pair(from: u32, to: u32) -> u64 {
    (from as u64) << 32 | to as u64
}

/// Directed edges, grouped by the node they leave and sorted.
#[derive(Debug, Clone, Default)]
pub struct CsrGraph {
    nodes: Buckets,
    /// The node each edge leads to.
    to: Vec<u32>,
}

impl CsrGraph {
    /// Sorts the [`pair`]s and removes duplicates.
    pub fn new(nodes: usize, pairs: &mut Vec<u64>) -> Self {
        // Sorted by the second node, and then by the first.
        for key in [|pair: u64| pair as u32, |pair: u64| (pair >> 32) as u32] {
            let items = pairs.iter().map(|&pair| (key(pair) as usize, pair));
            *pairs = Buckets::sorted(nodes, items).1;
        }
        pairs.dedup();
        Self {
            nodes: Buckets::new(nodes, pairs.iter().map(|pair| (pair >> 32) as usize)),
            to: pairs.iter().map(|&pair| pair as u32).collect(),
        }
    }

    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that the edges of a node lead to; none for a node that does
    /// not exist.
    pub fn from(&self, node: usize) -> &[u32] {
        &self.to[self.nodes.range(node)]
    }
}
