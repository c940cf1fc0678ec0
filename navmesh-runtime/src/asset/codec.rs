//! Scalars, strings and byte columns as bytes.
//!
//! The only file that uses `bincode`. The bytes are those of bincode's
//! standard format: little-endian, integers of variable length, `f32` as four
//! bytes, strings and byte columns after their length. Reading only borrows
//! from the input, so no length in a file can cause an allocation.

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use bincode::enc::write::SizeWriter;
use bincode::{BorrowDecode, Encode};

/// No single value in a file is longer than this, in bytes. A section's
/// length has 32 bits, so no valid file comes near it.
const LONGEST: usize = 1 << 30;

const CONFIG: Configuration<LittleEndian, Varint, Limit<LONGEST>> =
    bincode::config::standard().with_limit::<LONGEST>();

/// Appends values to a buffer.
#[cfg(feature = "write")]
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

#[cfg(feature = "write")]
impl Writer {
    pub fn put(&mut self, value: impl Encode) {
        let written = bincode::encode_into_std_write(value, &mut self.bytes, CONFIG);
        // Writing to a `Vec` cannot fail, and all types written here can be
        // encoded.
        debug_assert!(written.is_ok());
    }

    /// A count, for [`Reader::get_count`].
    pub fn put_count(&mut self, count: usize) {
        self.put(count as u64);
    }

    /// Pads with zeros to the [`smallest_section`] of so many items.
    pub fn pad_for(&mut self, items: usize) {
        let least = smallest_section(items);
        if self.bytes.len() < least {
            self.bytes.resize(least, 0);
        }
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The fewest bytes that a section with so many items may have: one bit an
/// item.
///
/// A column of equal values takes no space, so without a lower bound a forged
/// count would turn a few bytes into any amount of memory. Real levels need
/// more than a bit an item, so that the padding almost never applies; a larger
/// bound would make files bigger, a smaller one allow larger bombs.
pub const fn smallest_section(items: usize) -> usize {
    items.div_ceil(8)
}

/// What is wrong with a value. The caller adds the section it was in.
pub type DecodeError = &'static str;

/// Reads values one after the other.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    whole: usize,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            whole: bytes.len(),
            rest: bytes,
        }
    }

    pub fn get<T: BorrowDecode<'a, ()> + Encode>(&mut self) -> Result<T, DecodeError> {
        let (value, used): (T, _) = bincode::borrow_decode_from_slice(self.rest, CONFIG)
            .map_err(|_| "ends early or holds a malformed value")?;
        // Integers have one encoding only, so that equal meshes have equal files: bincode would
        // also read a small number from more bytes.
        let mut shortest = SizeWriter::default();
        let counted = bincode::encode_into_writer(&value, &mut shortest, CONFIG);
        if counted.is_err() || shortest.bytes_written != used {
            return Err("has a number that is written with more bytes than it needs");
        }
        self.rest = self
            .rest
            .get(used..)
            .ok_or("ends early or holds a malformed value")?;
        Ok(value)
    }

    /// A count of items, at most as many as the section has room for.
    pub fn get_count(&mut self) -> Result<usize, DecodeError> {
        let count: u64 = self.get()?;
        usize::try_from(count)
            .ok()
            .filter(|&count| u32::try_from(count).is_ok() && smallest_section(count) <= self.whole)
            .ok_or("counts more items than it has room for")
    }

    /// Checks that nothing is left but the padding for so many items.
    pub fn finish(self, items: usize) -> Result<(), DecodeError> {
        let padded = self.whole == smallest_section(items);
        if self.rest.is_empty() || (padded && self.rest.iter().all(|&b| b == 0)) {
            Ok(())
        } else {
            Err("has bytes after its end")
        }
    }
}
