//! Columns of integers, packed into bits.
//!
//! The number of values is stored elsewhere. A column of none has no bytes. Every
//! other is the binary logarithm of the number of values in a block (a byte), the
//! smallest value (four bytes), and the blocks, of which the last may be shorter. A
//! block is a byte `width`, 0 to 32, then each value less the smallest in `width`
//! bits. Bits fill bytes from the least significant one; the last byte of a block is
//! filled up with zeros.

use super::codec::DecodeError;

/// Binary logarithms of the fewest and the most values in a block. With blocks of 8
/// values files of links are 1 % shorter and take 2 % longer to load, with blocks of 32
/// they are 3 % longer and take 2 % less. In longer ones than the greatest, the byte for
/// the width no longer matters.
const SMALLEST: u8 = 4;
const LARGEST: u8 = 16;

/// Maps signed numbers to unsigned ones such that those near zero are small:
/// 0, −1, 1, −2, 2 become 0, 1, 2, 3, 4.
#[cfg(feature = "write")]
pub const fn zigzag(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

/// The inverse of `zigzag`.
pub const fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

/// A column, with the number of values in a block that makes it shortest.
#[cfg(feature = "write")]
pub fn encode(values: &[u32]) -> Vec<u8> {
    if values.is_empty() {
        return Vec::new();
    }
    let base = values.iter().copied().min().unwrap_or(0);
    let width_of = |block: &[u32]| {
        let top = block.iter().map(|value| value - base).max();
        u32::BITS - top.unwrap_or(0).leading_zeros()
    };
    let length = |size: u8| -> usize {
        let blocks = values.chunks(1 << size);
        let bytes = |block: &[u32]| 1 + (block.len() * width_of(block) as usize).div_ceil(8);
        blocks.map(bytes).sum()
    };
    // Of several that are as short, the largest blocks: they are faster to read.
    let sizes = (SMALLEST..=LARGEST).rev();
    let size = sizes.min_by_key(|&size| length(size)).unwrap_or(LARGEST);
    let mut bytes = vec![size];
    bytes.extend_from_slice(&base.to_le_bytes());
    for block in values.chunks(1 << size) {
        let width = width_of(block);
        bytes.push(width as u8);
        let (mut held, mut count) = (0_u64, 0);
        for &value in block {
            held |= u64::from(value - base) << count;
            count += width;
            while count >= 8 {
                bytes.push(held as u8);
                held >>= 8;
                count -= 8;
            }
        }
        if count > 0 {
            bytes.push(held as u8);
        }
    }
    bytes
}

/// Reads a column of `count` values, all of `bytes`.
pub fn decode(bytes: &[u8], count: usize) -> Result<Vec<u32>, DecodeError> {
    decode_as(bytes, count, |value| value)
}

/// As [`decode`], and turns each value into another, from the first to the last.
#[inline]
pub fn decode_as<T: Copy + Default>(
    bytes: &[u8],
    count: usize,
    mut read: impl FnMut(u32) -> T,
) -> Result<Vec<T>, DecodeError> {
    const SHORT: DecodeError = "has a column that is shorter than its count";
    if count == 0 {
        let is_empty = bytes.is_empty();
        return is_empty
            .then(Vec::new)
            .ok_or("has values in an empty column");
    }
    let (&size, rest) = bytes.split_first().ok_or(SHORT)?;
    let (base, mut rest) = rest.split_first_chunk::<4>().ok_or(SHORT)?;
    let base = u32::from_le_bytes(*base);
    // Every block takes a byte or more. Checked before the list is allocated, so that a forged
    // count allocates little.
    if !(SMALLEST..=LARGEST).contains(&size) || count.div_ceil(1 << size) > rest.len() {
        return Err(SHORT);
    }
    let mut values = vec![T::default(); count];
    for block in values.chunks_mut(1 << size) {
        let (&width, packed) = rest.split_first().ok_or(SHORT)?;
        let width = usize::from(width);
        let bits = block.len() * width;
        // The bits after the last value are zeros.
        let spare = bits % 8;
        let has_end = spare == 0 || packed.get(bits / 8).is_some_and(|last| last >> spare == 0);
        let after = packed
            .get(bits.div_ceil(8)..)
            .filter(|_| width <= 32 && has_end);
        rest = after.ok_or(SHORT)?;
        if width == 0 {
            block.fill_with(|| read(base));
            continue;
        }
        // As many at a time as a word holds, a number that is known when this is compiled.
        let read = |bits: u32| read(base.wrapping_add(bits));
        match width {
            0..=7 => unpack::<8, T>(block, packed, width, read),
            8..=14 => unpack::<4, T>(block, packed, width, read),
            _ => unpack::<1, T>(block, packed, width, read),
        }
    }
    if rest.is_empty() {
        Ok(values)
    } else {
        Err(SHORT)
    }
}

/// Reads values of so many bits, `N` at a time. A [`word`] has 57 bits whatever the bit it
/// starts at: all but up to seven of its first byte.
#[inline]
fn unpack<const N: usize, T>(
    block: &mut [T],
    packed: &[u8],
    width: usize,
    mut read: impl FnMut(u32) -> T,
) {
    let mask = (1 << width) - 1;
    let (groups, rest) = block.as_chunks_mut::<N>();
    let mut first = 0;
    for group in groups {
        let mut word = word(packed, first);
        for value in group {
            *value = read((word & mask) as u32);
            word >>= width;
        }
        first += N * width;
    }
    let mut word = word(packed, first);
    for value in rest {
        *value = read((word & mask) as u32);
        word >>= width;
    }
}

/// The bits from one with this number on; zeros past the end.
#[inline]
fn word(bytes: &[u8], first: usize) -> u64 {
    let rest = bytes.get(first / 8..).unwrap_or_default();
    let word = match rest.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        // Fewer than eight bytes are left.
        None => (rest.iter().rev()).fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    word >> (first % 8)
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
            let shorter = bytes.split_last();
            assert!(shorter.is_none_or(|(_, rest)| decode(rest, column.len()).is_err()));
        }
        assert_eq!(encode(&[9; 1000]).len(), 6);
        let mut other = encode(&[0, 1, 2]);
        *other.last_mut().unwrap() |= 0x80;
        assert!(decode(&other, 3).is_err(), "bits after the last value");
    }

    #[test]
    fn a_count_that_the_bytes_cannot_hold_is_refused() {
        let bytes = encode(&[1, 2, 300, 4]);
        assert!(decode(&bytes, 1 << 40).is_err());
        assert!(decode(&[16, 0, 0, 0, 0, 0], 1 << 40).is_err());
        assert!(decode(&[5, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0], 1).is_err());
        assert!(decode(&[], 1).is_err());
        assert!(decode(&bytes, 0).is_err());
    }

    #[test]
    fn zigzag_is_undone() {
        for v in [0, -1, 1, i32::MIN, i32::MAX, -12345] {
            assert_eq!(unzigzag(zigzag(v)), v);
        }
        assert_eq!(zigzag(-1), 1);
    }
}
