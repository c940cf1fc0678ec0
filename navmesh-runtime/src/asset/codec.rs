//! Scalars, strings and byte columns to bytes and back.
//!
//! This is the one place that knows `bincode`. What it writes is bincode's
//! standard format: little-endian, integers as variable-length, `f32` as four
//! bytes, strings and byte columns behind their length. Reading only ever
//! borrows from the input, so no count in a file can ask for memory.

use bincode::config::{Configuration, Limit, LittleEndian, Varint};
use bincode::{BorrowDecode, Encode};

/// No single value in a file is longer than this, in bytes.
const LONGEST: usize = 1 << 30;

const CONFIG: Configuration<LittleEndian, Varint, Limit<LONGEST>> =
    bincode::config::standard().with_limit::<LONGEST>();

/// Writes values one after the other.
#[derive(Debug, Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn put(&mut self, value: impl Encode) {
        let written = bincode::encode_into_std_write(value, &mut self.bytes, CONFIG);
        // A `Vec` takes every byte, and none of the types written here can
        // refuse to be encoded.
        debug_assert!(written.is_ok());
    }

    /// A byte column, behind its length.
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) {
        self.put(bytes);
    }

    /// A count; decoded by [`Reader::get_count`].
    pub(super) fn put_count(&mut self, count: usize) {
        self.put(count as u64);
    }

    /// Pads with zeros up to what [`smallest_section`] asks for.
    pub(super) fn pad_for(&mut self, items: usize) {
        let least = smallest_section(items);
        if self.bytes.len() < least {
            self.bytes.resize(least, 0);
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Fewest bytes a section with so many items may have.
///
/// Columns of equal values take no space at all, so without a floor a forged
/// count would turn a few bytes into any amount of memory. One bit an item is
/// less than real levels need.
pub(super) const fn smallest_section(items: usize) -> usize {
    items.div_ceil(8)
}

/// What is wrong with a value; the section it was in is added further out.
pub(super) type DecodeError = &'static str;

/// Reads values one after the other.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    whole: usize,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            whole: bytes.len(),
            rest: bytes,
        }
    }

    pub(super) fn get<T: BorrowDecode<'a, ()>>(&mut self) -> Result<T, DecodeError> {
        let (value, used) = bincode::borrow_decode_from_slice(self.rest, CONFIG)
            .map_err(|_| "ends early or holds a malformed value")?;
        self.rest = self
            .rest
            .get(used..)
            .ok_or("ends early or holds a malformed value")?;
        Ok(value)
    }

    /// A count of items that the size of the section makes believable.
    pub(super) fn get_count(&mut self) -> Result<usize, DecodeError> {
        let count: u64 = self.get()?;
        usize::try_from(count)
            .ok()
            .filter(|&count| u32::try_from(count).is_ok() && smallest_section(count) <= self.whole)
            .ok_or("counts more items than it has room for")
    }

    /// Checks that nothing is left but the padding for so many items.
    pub(super) fn finish(self, items: usize) -> Result<(), DecodeError> {
        let padded = self.whole == smallest_section(items);
        if self.rest.is_empty() || (padded && self.rest.iter().all(|&b| b == 0)) {
            Ok(())
        } else {
            Err("has bytes after its end")
        }
    }
}
