//! The outermost structure of a file: signature, version, table of sections.

use super::error::AssetError;
use super::section::{FORMAT, Kind, Section};

/// The first bytes of every asset. As in PNG files, the byte above 127 and the
/// two kinds of line end reveal a transfer that treated the file as text.
pub(super) const SIGNATURE: [u8; 8] = *b"\x89NAV\r\n\x1a\n";

/// Bytes of the signature, the version and the number of sections.
const HEADER: usize = 16;
/// Bytes of an entry of the table: kind, offset, length, checksum.
const ENTRY: usize = 16;
/// Bytes of the checksum of header and table.
const CHECK: usize = 4;

/// The version and the table of sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) version: (u16, u16),
    pub(super) sections: Vec<Section>,
}

/// Writes a file of these sections.
#[cfg(feature = "write")]
pub(super) fn join(sections: &[(Kind, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&SIGNATURE);
    bytes.extend_from_slice(&FORMAT.0.to_le_bytes());
    bytes.extend_from_slice(&FORMAT.1.to_le_bytes());
    bytes.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    let mut offset = HEADER + sections.len() * ENTRY + CHECK;
    for (kind, content) in sections {
        bytes.extend_from_slice(&kind.0);
        bytes.extend_from_slice(&(offset as u32).to_le_bytes());
        bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(content).to_le_bytes());
        offset += content.len();
    }
    let check = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&check.to_le_bytes());
    for (_, content) in sections {
        bytes.extend_from_slice(content);
    }
    bytes
}

/// Reads the header and the table, and checks that the sections fill the
/// file without gaps. Their contents are not read.
pub(super) fn table(bytes: &[u8]) -> Result<Table, AssetError> {
    let short = |expected: usize| AssetError::Length {
        expected: expected as u64,
        found: bytes.len() as u64,
    };
    let (signature, rest) = bytes
        .split_first_chunk::<8>()
        .ok_or(AssetError::NotAnAsset)?;
    if *signature != SIGNATURE {
        return Err(AssetError::NotAnAsset);
    }
    let header: &[u8; 8] = rest.first_chunk().ok_or_else(|| short(HEADER))?;
    let [a, b, c, d, count @ ..] = *header;
    let (major, minor) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
    if major != FORMAT.0 {
        return Err(AssetError::Version { major, minor });
    }
    let count = u32::from_le_bytes(count);
    let end = u64::from(count) * ENTRY as u64 + HEADER as u64;
    let sections_start = end + CHECK as u64;
    let table_end = usize::try_from(end)
        .ok()
        .filter(|_| sections_start <= bytes.len() as u64)
        .ok_or(AssetError::Length {
            expected: sections_start,
            found: bytes.len() as u64,
        })?;
    let (head, tail) = bytes.split_at(table_end);
    let check = tail.first_chunk().map_or(0, |c| u32::from_le_bytes(*c));
    if crc32fast::hash(head) != check {
        return Err(AssetError::Table("has a wrong checksum"));
    }
    let mut sections: Vec<Section> = Vec::with_capacity(count as usize);
    let mut expected = sections_start;
    let mut counts = [0_u32; Kind::KNOWN.len() + 1];
    let (entries, _) = head[HEADER..].as_chunks::<ENTRY>();
    for entry in entries {
        let word =
            |i: usize| u32::from_le_bytes([entry[i], entry[i + 1], entry[i + 2], entry[i + 3]]);
        let kind = Kind([entry[0], entry[1], entry[2], entry[3]]);
        let known = kind.position();
        let count = &mut counts[known.unwrap_or(Kind::KNOWN.len())];
        let section = Section {
            kind: kind.0,
            index: *count,
            offset: word(4),
            length: word(8),
            check: word(12),
        };
        *count += 1;
        if u64::from(section.offset) != expected {
            return Err(AssetError::Table("has a gap or an overlap"));
        }
        if known.is_none() && !kind.may_be_skipped() {
            return Err(AssetError::Unknown(section));
        }
        expected += u64::from(section.length);
        sections.push(section);
    }
    if expected != bytes.len() as u64 {
        return Err(AssetError::Length {
            expected,
            found: bytes.len() as u64,
        });
    }
    Ok(Table {
        version: (major, minor),
        sections,
    })
}

/// The bytes of a section, after checking their checksum.
pub(super) fn content(bytes: &[u8], section: Section) -> Result<&[u8], AssetError> {
    let start = section.offset as usize;
    let content = bytes
        .get(start..start.saturating_add(section.length as usize))
        .ok_or(AssetError::Table("points past the end"))?;
    if crc32fast::hash(content) == section.check {
        Ok(content)
    } else {
        Err(AssetError::Checksum(section))
    }
}
