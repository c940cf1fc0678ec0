//! Columns of integers, packed into bits.
//!
//! The number of values is stored elsewhere. A column is written in the
//! shorter of two codings, named by its first byte:
//!
//! - 0, *packed*: a byte `width` (0 to 32), a `u32` base, then each value less
//!   the base in `width` bits. A column of equal values takes no bits.
//! - 1 to 32, *Rice* with `k` one less: each value is `value >> k` zeros and a
//!   one, then its low `k` bits; from [`ESCAPE`] zeros on, the zeros stop and
//!   the whole value follows in 32 bits.
//!
//! Bits fill bytes from the least significant one. The last byte is filled
//! up with zeros.

use super::codec::DecodeError;

/// So many zeros mean that the value follows in full. Then an outlier costs
/// 56 bits; a smaller limit would cut off values that Rice codes shorter, a
/// larger one would make every outlier longer.
const ESCAPE: u32 = 24;

const PACKED: u8 = 0;

/// Maps signed numbers to unsigned ones such that those near zero are small:
/// 0, −1, 1, −2, 2 become 0, 1, 2, 3, 4.
#[cfg(feature = "write")]
pub(super) const fn zigzag(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

/// The inverse of `zigzag`.
pub(super) const fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

/// A column in its shorter coding.
#[cfg(feature = "write")]
pub(super) fn encode(values: &[u32]) -> Vec<u8> {
    let base = values.iter().copied().min().unwrap_or(0);
    let top = values.iter().copied().max().unwrap_or(0) - base;
    let width = 32 - top.leading_zeros();
    let packed = 5 * 8 + values.len() as u64 * u64::from(width);
    let rice_bits = |k: u32| -> u64 {
        let cost = |&v: &u32| {
            let zeros = v >> k;
            if zeros < ESCAPE {
                u64::from(zeros + 1 + k)
            } else {
                u64::from(ESCAPE + 32)
            }
        };
        values.iter().map(cost).sum()
    };
    let (rice, k) = (0..32)
        .map(|k| (rice_bits(k), k))
        .min()
        .unwrap_or((u64::MAX, 0));
    // When both are as long, the packed coding: it is faster to read.
    if packed <= rice {
        let mut bytes = vec![PACKED, width as u8];
        bytes.extend_from_slice(&base.to_le_bytes());
        let mut bits = BitWriter::after(bytes);
        for &value in values {
            bits.put(value - base, width);
        }
        return bits.finish();
    }
    let mut bits = BitWriter::after(vec![k as u8 + 1]);
    for &value in values {
        let zeros = value >> k;
        if zeros < ESCAPE {
            bits.put(1 << zeros, zeros + 1);
            bits.put(value & ((1 << k) - 1), k);
        } else {
            bits.put(0, ESCAPE);
            bits.put(value, 32);
        }
    }
    bits.finish()
}

/// Reads a column of `count` values, all of `bytes`.
pub(super) fn decode(bytes: &[u8], count: usize) -> Result<Vec<u32>, DecodeError> {
    const SHORT: DecodeError = "has a column that is shorter than its count";
    let (&mode, rest) = bytes.split_first().ok_or(SHORT)?;
    if mode == PACKED {
        let (&width, rest) = rest.split_first().ok_or(SHORT)?;
        let (base, rest) = rest.split_first_chunk::<4>().ok_or(SHORT)?;
        let base = u32::from_le_bytes(*base);
        let width = u32::from(width);
        if width > 32 || (rest.len() as u64) != (count as u64 * u64::from(width)).div_ceil(8) {
            return Err(SHORT);
        }
        let mut values = vec![base; count];
        if width > 0 {
            let mask = (1 << width) - 1;
            let mut bits = BitReader::new(rest);
            for few in values.chunks_mut((BitReader::HELD / width) as usize) {
                let mut word = bits.next();
                for value in &mut *few {
                    *value = base.wrapping_add((word & mask) as u32);
                    word >>= width;
                }
                bits.taken += few.len() as u64 * u64::from(width);
            }
        }
        return Ok(values);
    }
    let k = u32::from(mode - 1);
    // Every value takes a bit or more. Checked before the list is allocated, so that a forged
    // count allocates nothing.
    if k > 31 || count as u64 > rest.len() as u64 * 8 {
        return Err(SHORT);
    }
    let mut values = vec![0; count];
    let mut bits = BitReader::new(rest);
    let (mut word, mut left) = (0, 0);
    for value in &mut values {
        let mut zeros = u64::trailing_zeros(word);
        if zeros >= ESCAPE || zeros + 1 + k > left {
            // Not known to be in the word.
            word = bits.next();
            left = BitReader::HELD;
            zeros = word.trailing_zeros();
        }
        let width = if zeros < ESCAPE {
            let low = word >> (zeros + 1) & ((1 << k) - 1);
            *value = zeros << k | low as u32;
            zeros + 1 + k
        } else {
            *value = (word >> ESCAPE) as u32;
            ESCAPE + 32
        };
        word >>= width;
        left -= width;
        bits.taken += u64::from(width);
    }
    if bits.is_at_end() {
        Ok(values)
    } else {
        Err(SHORT)
    }
}

/// Appends bits to bytes, least significant first.
#[cfg(feature = "write")]
struct BitWriter {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

#[cfg(feature = "write")]
impl BitWriter {
    fn after(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            held: 0,
            count: 0,
        }
    }

    fn put(&mut self, value: u32, width: u32) {
        self.held |= u64::from(value) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.held as u8);
        }
        self.bytes
    }
}

/// Reads bits; past the end, zeros.
struct BitReader<'a> {
    bytes: &'a [u8],
    /// The number of bits that were taken.
    taken: u64,
}

impl<'a> BitReader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, taken: 0 }
    }

    /// The number of bits in [`next`](Self::next): those of a word, less up to seven of
    /// its first byte that were taken before. A value has at most 56.
    const HELD: u32 = 57;

    /// The next bits. Those above [`HELD`](Self::HELD) may be missing.
    #[inline]
    fn next(&self) -> u64 {
        let rest = usize::try_from(self.taken / 8).ok();
        let rest = rest.and_then(|first| self.bytes.get(first..));
        let rest = rest.unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            // Fewer than eight bytes are left.
            None => (rest.iter().rev()).fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        word >> (self.taken % 8)
    }

    /// Whether all bits were taken, none beyond, and the rest of the last
    /// byte is zero.
    fn is_at_end(&self) -> bool {
        let bits = self.bytes.len() as u64 * 8;
        bits.checked_sub(self.taken).is_some_and(|left| left < 8) && self.next() == 0
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    #[test]
    fn columns_come_back() {
        let long: Vec<u32> = (0..1000_u32)
            .map(|i| i.wrapping_mul(2_654_435_761))
            .collect();
        let skewed: Vec<u32> = (0..1000_u32).map(|i| 1 << (i % 7) >> (i % 5)).collect();
        let spiked: Vec<u32> = (0..1000_u32)
            .map(|i| if i % 100 == 0 { u32::MAX - i } else { i % 3 })
            .collect();
        for column in [
            vec![],
            vec![7],
            vec![u32::MAX; 300],
            vec![0, u32::MAX],
            long,
            skewed,
            spiked,
        ] {
            let bytes = encode(&column);
            assert_eq!(decode(&bytes, column.len()).as_deref(), Ok(&column[..]));
            assert!(decode(&bytes[..bytes.len() - 1], column.len()).is_err());
        }
        assert_eq!(encode(&[9; 1000]).len(), 6);
    }

    #[test]
    fn a_count_that_the_bytes_cannot_hold_is_refused() {
        let bytes = encode(&[1, 2, 300, 4]);
        assert!(decode(&bytes, 1 << 40).is_err());
        assert!(decode(&[5, 0xFF], 1 << 40).is_err());
        assert!(decode(&[0, 33, 0, 0, 0, 0], 1).is_err());
        assert!(decode(&[], 0).is_err());
    }

    #[test]
    fn zigzag_is_undone() {
        for v in [0, -1, 1, i32::MIN, i32::MAX, -12345] {
            assert_eq!(unzigzag(zigzag(v)), v);
        }
        assert_eq!(zigzag(-1), 1);
    }
}
