//! The few words a node remembers.

use glam::Vec2;

/// How many 64-bit words a node remembers for each agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemorySize {
    /// Words that are zero whenever the node starts anew.
    pub run: u16,
    /// Words that survive reset and abort; only restart zeroes them.
    pub lasting: u16,
}

impl MemorySize {
    /// Nothing to remember.
    pub const NONE: Self = Self { run: 0, lasting: 0 };

    /// That many words for the length of a run.
    pub const fn run(words: u16) -> Self {
        Self {
            run: words,
            lasting: 0,
        }
    }

    /// And that many that last.
    #[must_use]
    pub const fn and_lasting(self, words: u16) -> Self {
        Self {
            run: self.run,
            lasting: words,
        }
    }
}

/// What fits a word of memory. The zero word is the value a fresh memory
/// holds: `0`, `false`, the zero vector.
pub trait Word: Copy {
    /// Packs it.
    fn to_word(self) -> u64;
    /// Unpacks it.
    fn from_word(word: u64) -> Self;
}

impl Word for u64 {
    fn to_word(self) -> u64 {
        self
    }
    fn from_word(word: u64) -> Self {
        word
    }
}

impl Word for i64 {
    fn to_word(self) -> u64 {
        self as u64
    }
    fn from_word(word: u64) -> Self {
        word as i64
    }
}

impl Word for u32 {
    fn to_word(self) -> u64 {
        u64::from(self)
    }
    fn from_word(word: u64) -> Self {
        word as u32
    }
}

impl Word for bool {
    fn to_word(self) -> u64 {
        u64::from(self)
    }
    fn from_word(word: u64) -> Self {
        word != 0
    }
}

impl Word for f32 {
    fn to_word(self) -> u64 {
        u64::from(self.to_bits())
    }
    fn from_word(word: u64) -> Self {
        Self::from_bits(word as u32)
    }
}

impl Word for f64 {
    fn to_word(self) -> u64 {
        self.to_bits()
    }
    fn from_word(word: u64) -> Self {
        Self::from_bits(word)
    }
}

impl Word for Vec2 {
    fn to_word(self) -> u64 {
        self.x.to_word() | self.y.to_word() << 32
    }
    fn from_word(word: u64) -> Self {
        Self::new(f32::from_word(word), f32::from_word(word >> 32))
    }
}
