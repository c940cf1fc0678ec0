//! Sections of an asset: their kinds, and their entries in the table.

use std::fmt;

/// Major and minor version of the format that this crate writes: the minor version is
/// that of the newest kind of section in the file. It reads every minor version of the same
/// major version.
pub const FORMAT: (u16, u16) = (4, 2);

/// The kind of a section: its four letters in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind(pub [u8; 4]);

impl Kind {
    pub const META: Self = Self(*b"META");
    pub const GRID: Self = Self(*b"GRID");
    pub const TERRAIN: Self = Self(*b"TERR");
    pub const AGENT: Self = Self(*b"AGNT");
    pub const PLATFORMS: Self = Self(*b"PLAT");
    pub const LINKS: Self = Self(*b"LINK");
    pub const BARRIERS: Self = Self(*b"GATE");
    pub const MARKERS: Self = Self(*b"MARK");
    /// Without it, agents that only fly keep to the edges and squares between free
    /// vertices.
    pub const AIR: Self = Self(*b"iAIR");
    /// Without it, agents are teleported over links that the game performs.
    pub const LINES: Self = Self(*b"iWAY");
    /// Without it, agents are not thrown by springs.
    pub const SPRINGS: Self = Self(*b"iSPR");
    /// Without it, agents do not ride on platforms that move.
    pub const MOVING: Self = Self(*b"iMOV");
    /// Without it, indices of routes take longer to build.
    pub const INDEX: Self = Self(*b"iIDX");

    /// Zeros, where the file would be too small for the memory its mesh takes.
    /// Readers skip it.
    #[cfg(feature = "write")]
    pub const PADDING: Self = Self(*b"fill");

    /// Every kind that this version of the format has, and its name in
    /// messages and reports.
    pub const KNOWN: [(Self, &'static str); 13] = [
        (Self::META, "provenance"),
        (Self::GRID, "grid"),
        (Self::TERRAIN, "terrain"),
        (Self::AGENT, "profile"),
        (Self::PLATFORMS, "platforms"),
        (Self::LINKS, "links"),
        (Self::BARRIERS, "one-way walls and ceilings"),
        (Self::MARKERS, "markers"),
        (Self::AIR, "air"),
        (Self::LINES, "lines of links"),
        (Self::SPRINGS, "springs"),
        (Self::MOVING, "platforms that move"),
        (Self::INDEX, "indices of routes"),
    ];

    /// Its position in [`KNOWN`](Self::KNOWN).
    pub fn position(self) -> Option<usize> {
        Self::KNOWN.iter().position(|(known, _)| *known == self)
    }

    pub fn is_known(self) -> bool {
        self.position().is_some()
    }

    pub fn name(self) -> Option<&'static str> {
        self.position().map(|known| Self::KNOWN[known].1)
    }

    /// The minor version that added the kind.
    #[cfg(feature = "write")]
    pub fn since(self) -> u16 {
        match self {
            Self::MOVING => 2,
            Self::LINES | Self::SPRINGS => 1,
            _ => 0,
        }
    }

    /// Whether a reader that does not know the kind may skip it: its first
    /// letter is lower-case.
    pub fn may_be_skipped(self) -> bool {
        self.0[0].is_ascii_lowercase()
    }
}

/// An entry of the table of sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// The four letters of its kind; `docs/format.md` lists them.
    pub kind: [u8; 4],
    /// Its number among the sections of its kind. For kinds of which each
    /// agent has one section, that is the number of the agent.
    pub index: u32,
    /// Its start, in bytes from the start of the file.
    pub offset: u32,
    /// Its length in bytes.
    pub length: u32,
    pub(crate) check: u32,
}

/// For bakers and editors.
#[cfg(feature = "write")]
impl Section {
    /// What it holds, in words: `links`, `markers`. `None` for a
    /// kind of a later version of the format. Needs the feature `write`.
    pub fn name(&self) -> Option<&'static str> {
        Kind(self.kind).name()
    }

    /// Whether each agent has one section of its kind. Needs the feature `write`.
    pub fn is_per_agent(&self) -> bool {
        [Kind::AGENT, Kind::PLATFORMS, Kind::LINKS].contains(&Kind(self.kind))
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.kind.escape_ascii();
        write!(
            f,
            "section {letters} {} at byte {}",
            self.index, self.offset
        )
    }
}
