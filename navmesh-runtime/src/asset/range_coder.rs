//! An adaptive binary range coder: a decision costs the fewer bits, the more
//! likely it was.

/// Probabilities are in units of 2⁻¹⁵.
const ONE: u32 = 1 << 15;
/// The least probability of either answer, about 1/680: the most likely
/// answer then costs 0.002 bits, and one surprise no more than 9.4 bits.
const FLOOR: u32 = 48;
/// Below this the range is widened by a byte, so that it keeps at least 24
/// bits: 15 for a probability, and 9 for its rounding not to matter.
const NARROW: u32 = 1 << 24;

/// The probability of `false` in one context, learned from the answers there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance {
    no: u16,
    seen: u8,
}

impl Default for Chance {
    fn default() -> Self {
        Self {
            no: (ONE / 2) as u16,
            seen: 0,
        }
    }
}

/// The weight of a new answer after so many, in units of 2⁻¹⁶. At first that
/// is about 1/n, as in an average; from the 31st answer on it is 1/32, so that
/// a context follows changes within a level.
const RATES: [u32; 32] = {
    let mut rates = [0; 32];
    let mut i = 0;
    while i < 32 {
        // 65536 / (i + 1.6), at least 65536 / 32
        let rate = 655_360 / (i as u32 * 10 + 16);
        rates[i] = if rate > 2048 { rate } else { 2048 };
        i += 1;
    }
    rates
};

impl Chance {
    fn learn(&mut self, answer: bool) {
        let rate = RATES[usize::from(self.seen & 31)];
        let no = u32::from(self.no);
        let no = if answer {
            no - ((no * rate) >> 16)
        } else {
            no + (((ONE - no) * rate) >> 16)
        };
        // Neither answer may become impossible: it could not be coded any more.
        self.no = no.clamp(FLOOR, ONE - FLOOR) as u16;
        self.seen = (self.seen + 1).min(31);
    }
}

/// The encoder or the decoder, so that a model is written once: `code` writes
/// `answer` when encoding, and ignores it and returns the one read when
/// decoding.
pub(super) trait Coder {
    /// Codes one answer.
    fn code(&mut self, chance: &mut Chance, answer: bool) -> bool;
}

/// Writes answers.
#[cfg(feature = "write")]
#[derive(Debug)]
pub(super) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte not yet written, as a carry may still raise it, and how
    /// many 0xFF follow it.
    held: Option<u8>,
    run: usize,
    bytes: Vec<u8>,
}

#[cfg(feature = "write")]
impl Default for Encoder {
    fn default() -> Self {
        Self {
            low: 0,
            range: u32::MAX,
            held: None,
            run: 0,
            bytes: Vec::new(),
        }
    }
}

#[cfg(feature = "write")]
impl Encoder {
    fn shift(&mut self) {
        // `low` has 33 bits: its top one is a carry, which may run through all bytes of 0xFF up
        // to the last other one. (As in LZMA, by I. Pavlov.)
        let carry = (self.low >> 32) as u8;
        let top = (self.low >> 24) as u8;
        if carry == 0 && top == 0xFF {
            self.run += 1;
        } else {
            if let Some(held) = self.held {
                self.bytes.push(held.wrapping_add(carry));
            }
            let filler = 0xFF_u8.wrapping_add(carry);
            self.bytes.extend(std::iter::repeat_n(filler, self.run));
            self.run = 0;
            self.held = Some(top);
        }
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }

    /// The bytes of all answers. Zeros at the end are left out: the decoder
    /// reads zeros past the end.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // Any number in [low, low + range) will do; take the one with the
        // most zeros at its end.
        let high = self.low + u64::from(self.range) - 1;
        for keep in 0..=32 {
            let candidate = (high >> (32 - keep)) << (32 - keep);
            if candidate >= self.low {
                self.low = candidate;
                break;
            }
        }
        // The byte that is held, and the four bytes of `low`.
        for _ in 0..5 {
            self.shift();
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

#[cfg(feature = "write")]
impl Coder for Encoder {
    #[inline]
    fn code(&mut self, chance: &mut Chance, answer: bool) -> bool {
        let bound = (self.range >> 15) * u32::from(chance.no);
        if answer {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(answer);
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
        answer
    }
}

/// Reads answers.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    code: u32,
    range: u32,
    rest: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut this = Self {
            code: 0,
            range: u32::MAX,
            rest: bytes.iter(),
        };
        for _ in 0..4 {
            this.code = this.code << 8 | this.next();
        }
        this
    }

    #[inline]
    fn next(&mut self) -> u32 {
        self.rest.next().map_or(0, |&byte| u32::from(byte))
    }

    /// Whether every byte was used.
    pub(super) fn is_spent(&self) -> bool {
        self.rest.len() == 0
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn code(&mut self, chance: &mut Chance, _: bool) -> bool {
        let bound = (self.range >> 15) * u32::from(chance.no);
        let answer = self.code >= bound;
        if answer {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(answer);
        while self.range < NARROW {
            self.range <<= 8;
            self.code = self.code << 8 | self.next();
        }
        answer
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    /// A xorshift generator.
    fn noise(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn answers_come_back_and_expected_ones_are_cheap() {
        for (seed, one_in) in [(1_u64, 2_u64), (2, 10), (3, 1000), (4, 1_000_000)] {
            for count in [0, 1, 2, 9, 100, 5000] {
                let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let answers: Vec<bool> = (0..count)
                    .map(|_| noise(&mut state).is_multiple_of(one_in))
                    .collect();
                let mut chances = [Chance::default(); 3];
                let mut encoder = Encoder::default();
                for (i, &answer) in answers.iter().enumerate() {
                    encoder.code(&mut chances[i % 3], answer);
                }
                let bytes = encoder.finish();
                let mut chances = [Chance::default(); 3];
                let mut decoder = Decoder::new(&bytes);
                for (i, &answer) in answers.iter().enumerate() {
                    assert_eq!(decoder.code(&mut chances[i % 3], false), answer, "{i}");
                }
                assert!(decoder.is_spent());
                if one_in == 1000 && count == 5000 {
                    assert!(bytes.len() < 20, "{}", bytes.len());
                }
            }
        }
    }
}
