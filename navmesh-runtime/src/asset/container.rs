//! The outermost structure of a file: signature, version, table of sections.

use super::codec::DecodeError;
use super::error::AssetError;
use super::section::{FORMAT, Kind, Section};

/// The first bytes of every asset. As in PNG files, the byte above 127 and the
/// two kinds of line end reveal a transfer that treated the file as text.
pub const SIGNATURE: [u8; 8] = *b"\x89NAV\r\n\x1a\n";

/// Bytes of the signature, the version and the number of sections.
const HEADER: usize = 16;
/// Bytes of an entry of the table: kind, offset, length, checksum.
const ENTRY: usize = 16;
/// Bytes of the checksum of header and table.
const CHECK: usize = 4;

/// Writes a file of these sections.
#[cfg(feature = "write")]
pub fn join(sections: &[(Kind, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&SIGNATURE);
    bytes.extend_from_slice(&FORMAT.0.to_le_bytes());
    let minor = sections.iter().map(|(kind, _)| kind.since()).max();
    bytes.extend_from_slice(&minor.unwrap_or(0).to_le_bytes());
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

/// A file whose table of sections has been checked.
#[derive(Debug)]
pub struct Contents<'a> {
    bytes: &'a [u8],
    #[cfg(feature = "write")]
    pub version: (u16, u16),
    pub sections: Vec<Section>,
}

impl<'a> Contents<'a> {
    /// Reads the header and the table, and checks that the sections fill the
    /// file without gaps. Their contents are not read.
    pub fn new(bytes: &'a [u8]) -> Result<Self, AssetError> {
        let found = bytes.len() as u64;
        let not_as_long = |expected: u64| AssetError::Length { expected, found };
        let (signature, rest) = bytes
            .split_first_chunk::<8>()
            .ok_or(AssetError::NotAnAsset)?;
        if *signature != SIGNATURE {
            return Err(AssetError::NotAnAsset);
        }
        let header: &[u8; 8] = (rest.first_chunk()).ok_or_else(|| not_as_long(HEADER as u64))?;
        let [a, b, c, d, count @ ..] = *header;
        let (major, minor) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
        if major != FORMAT.0 {
            return Err(AssetError::Version { major, minor });
        }
        let count = u32::from_le_bytes(count);
        let table_end = u64::from(count) * ENTRY as u64 + HEADER as u64;
        let sections_start = table_end + CHECK as u64;
        if sections_start > found {
            return Err(not_as_long(sections_start));
        }
        let (head, tail) = bytes.split_at(table_end as usize);
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
        if expected != found {
            return Err(not_as_long(expected));
        }
        Ok(Self {
            bytes,
            #[cfg(feature = "write")]
            version: (major, minor),
            sections,
        })
    }

    fn all(&self, kind: Kind) -> Vec<Section> {
        let sections = self.sections.iter();
        sections.filter(|s| s.kind == kind.0).copied().collect()
    }

    /// All sections of a kind of which there must be so many.
    pub fn each(&self, kind: Kind, expected: usize) -> Result<Vec<Section>, AssetError> {
        let sections = self.all(kind);
        if sections.len() == expected {
            return Ok(sections);
        }
        Err(AssetError::Count {
            kind: kind.name().unwrap_or_default(),
            found: sections.len(),
            expected,
        })
    }

    /// The bytes of a section, after checking their checksum.
    pub fn content(&self, section: Section) -> Result<&'a [u8], AssetError> {
        let start = section.offset as usize;
        let content = (self.bytes)
            .get(start..start.saturating_add(section.length as usize))
            .ok_or(AssetError::Table("points past the end"))?;
        if crc32fast::hash(content) == section.check {
            Ok(content)
        } else {
            Err(AssetError::Checksum(section))
        }
    }

    pub fn read<T>(
        &self,
        section: Section,
        decode: impl FnOnce(&'a [u8]) -> Result<T, DecodeError>,
    ) -> Result<T, AssetError> {
        decode(self.content(section)?).map_err(|what| AssetError::Malformed { section, what })
    }

    /// Reads the section of a kind of which there is exactly one.
    pub fn one<T>(
        &self,
        kind: Kind,
        decode: impl FnOnce(&'a [u8]) -> Result<T, DecodeError>,
    ) -> Result<T, AssetError> {
        self.read(self.each(kind, 1)?[0], decode)
    }

    /// Reads the section of a kind of which there is at most one.
    pub fn optional<T>(
        &self,
        kind: Kind,
        decode: impl FnOnce(&'a [u8]) -> Result<T, DecodeError>,
    ) -> Result<Option<T>, AssetError> {
        let is_missing = self.all(kind).is_empty();
        (!is_missing).then(|| self.one(kind, decode)).transpose()
    }

    /// Checks that the sections are in the order in which `encode` writes them.
    pub fn check_order(&self, layers: usize) -> Result<(), AssetError> {
        // Without this check, one mesh could be read from several files.
        let agents = [Kind::AGENT, Kind::PLATFORMS, Kind::LINKS];
        let agents = std::iter::repeat_n(agents, layers).flatten();
        let before = [Kind::META, Kind::GRID, Kind::TERRAIN].into_iter();
        let after = [
            Kind::BARRIERS,
            Kind::AIR,
            Kind::LINES,
            Kind::SPRINGS,
            Kind::MOVING,
            Kind::INDEX,
            Kind::MARKERS,
        ]
        .into_iter();
        let mut expected = before.chain(agents).chain(after);
        let sections = self.sections.iter().map(|section| Kind(section.kind));
        for kind in sections.filter(|kind| kind.is_known()) {
            if !expected.any(|next| next == kind) {
                return Err(AssetError::Table("has sections in another order"));
            }
        }
        Ok(())
    }

    /// Checks the checksums of the sections that were not read.
    pub fn check_skipped(&self) -> Result<(), AssetError> {
        let mut skipped = self.sections.iter().filter(|s| !Kind(s.kind).is_known());
        skipped.try_for_each(|&section| self.content(section).map(|_| ()))
    }
}
