//! Arrays that are emptied without writing to them.

/// Values by number, of one search or lookup. All are forgotten at once when the next
/// round begins: each is kept with the round in which it was set.
#[derive(Debug, Clone, Default)]
pub struct EpochArray<T> {
    list: Vec<(u32, T)>,
    round: u32,
}

impl<T: Copy + Default> EpochArray<T> {
    /// Begins a round with room for so many values. Allocates only to grow.
    pub fn begin(&mut self, count: usize) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            // Once in 2^32 rounds: values of the first rounds would look like new ones.
            self.list.fill((0, T::default()));
            self.round = 1;
        }
        if self.list.len() < count {
            self.list.resize(count, (0, T::default()));
        }
    }

    /// The number of the round.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The number of values that there is room for.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// A value, if it was set in this round.
    #[inline]
    pub fn get(&self, number: u32) -> Option<&T> {
        let (round, value) = self.list.get(number as usize)?;
        (*round == self.round).then_some(value)
    }

    /// [`get`](Self::get), to change the value.
    #[inline]
    pub fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        let (round, value) = self.list.get_mut(number as usize)?;
        (*round == self.round).then_some(value)
    }

    /// Sets a value, if there is room for it.
    #[inline]
    pub fn set(&mut self, number: u32, value: T) {
        if let Some(slot) = self.list.get_mut(number as usize) {
            *slot = (self.round, value);
        }
    }
}
