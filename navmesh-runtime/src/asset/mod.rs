//! Reading and writing `.navmesh` files.
//!
//! An asset is one file, `LEVEL.navmesh`: a signature, a version, a table of
//! sections with checksums, then the sections. `docs/format.md` describes
//! every byte. Equal meshes have equal bytes, and a mesh is read back bit for
//! bit.
//!
//! Reading accepts any bytes: the result is a mesh that `NavMesh::new`
//! accepts or an [`AssetError`], in time and memory proportional to the number
//! of bytes.
//!
//! ```
//! use navmesh_runtime::asset;
//!
//! # fn game() -> Result<(), asset::AssetError> {
//! let mesh = asset::load("level.navmesh")?;
//! // Or from bytes, when the game packs its files itself.
//! let bytes = std::fs::read("level.navmesh").unwrap_or_default();
//! assert_eq!(asset::decode(&bytes)?, mesh);
//! # Ok(())
//! # }
//! ```

mod air;
mod codec;
mod container;
mod error;
mod floats;
mod index;
mod ints;
mod links;
mod platforms;
mod range_coder;
mod records;
mod section;
mod terrain;

use std::path::Path;

use codec::Reader;
use container::Table;
pub use error::AssetError;
#[cfg(feature = "write")]
pub use section::FORMAT;
use section::Kind;
pub use section::Section;

use crate::mesh::{LayerParts, MeshError, NavMesh, NavMeshParts, Platforms, layer_memory};

/// Reads an asset from a file.
///
/// # Errors
/// When the file cannot be read or is not a valid asset. The message begins
/// with the path.
pub fn load(path: impl AsRef<Path>) -> Result<NavMesh, AssetError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|source| AssetError::Io {
        path: path.to_owned(),
        source,
    })?;
    decode(&bytes).map_err(|source| AssetError::File {
        path: path.to_owned(),
        source: Box::new(source),
    })
}

/// The bytes of a mesh. Needs the feature `write`.
#[cfg(feature = "write")]
pub fn encode(mesh: &NavMesh) -> Vec<u8> {
    let mut sections = vec![
        (Kind::META, records::encode(mesh.provenance())),
        (
            Kind::GRID,
            records::encode_grid(mesh.grid(), mesh.units(), mesh.layers().len()),
        ),
    ];
    let planes: Vec<_> = mesh
        .layers()
        .iter()
        .map(crate::mesh::Layer::blocked)
        .collect();
    let mut terrain = codec::Writer::default();
    terrain::encode(&mut terrain, &planes, mesh.grid());
    sections.push((Kind::TERRAIN, terrain.into_bytes()));
    for layer in mesh.layers() {
        let platforms = &layer.parts().platforms;
        sections.extend([
            (Kind::AGENT, records::encode(layer.profile())),
            (Kind::PLATFORMS, platforms::encode(platforms)),
            (Kind::LINKS, links::encode(layer.links(), platforms)),
        ]);
    }
    if (mesh.layers().iter()).any(|layer| !layer.barriers().is_empty()) {
        sections.push((Kind::BARRIERS, records::encode_barriers(mesh.layers())));
    }
    if (mesh.layers().iter()).any(air::is_needed) {
        sections.push((Kind::AIR, air::encode(mesh.layers())));
    }
    if (mesh.layers().iter()).any(index::is_needed) {
        sections.push((Kind::INDEX, index::encode(mesh.layers())));
    }
    let markers = mesh.markers().to_vec();
    sections.push((Kind::MARKERS, records::encode(&markers)));
    let memory = mesh.layers().iter().map(|layer| {
        layer_memory(
            layer.profile(),
            layer.blocked(),
            &layer.parts().platforms,
            mesh.grid(),
        )
    });
    let least = smallest_file(memory.sum());
    let bytes: u64 = sections.iter().map(|(_, s)| s.len() as u64).sum();
    if bytes < least {
        let padding = vec![0; (least - bytes) as usize];
        sections.push((Kind::PADDING, padding));
    }
    container::join(&sections)
}

/// The fewest bytes of a file whose layers take so much memory, so that a few
/// forged bytes cannot take all there is: one byte for 4 KiB, beyond the first
/// 64 MiB. A level of 5,000 × 5,000 vertices for three agents stays below that,
/// so that only enormous, empty levels are padded.
const fn smallest_file(memory: u64) -> u64 {
    (memory.saturating_sub(64 << 20)).div_ceil(4096)
}

/// Reads an asset from its bytes.
///
/// # Errors
/// When the bytes are not those of a valid mesh. Sections that later minor
/// versions add are skipped, after their checksum was checked.
pub fn decode(bytes: &[u8]) -> Result<NavMesh, AssetError> {
    let file = Contents::new(bytes)?;
    let provenance = file.one(Kind::META, records::decode)?;
    let (grid, units, layers) = file.one(Kind::GRID, records::decode_grid)?;
    let agents = file.all(Kind::AGENT);
    if agents.len() as u64 != layers {
        return Err(AssetError::Count {
            kind: Kind::AGENT.name().unwrap_or_default(),
            found: agents.len(),
            expected: usize::try_from(layers).unwrap_or(usize::MAX),
        });
    }
    grid.check()?;
    let layers = agents.len();
    file.check_order(layers)?;
    let planes = file.one(Kind::TERRAIN, |bytes| {
        if !terrain::is_believable(bytes.len(), &grid, layers) {
            return Err("is too short for the grid");
        }
        let mut reader = Reader::new(bytes);
        let planes = terrain::decode(&mut reader, &grid, layers)?;
        reader.finish(terrain::terrain_items(&grid, layers) as usize)?;
        Ok(planes)
    })?;
    let surfaces = file.each(Kind::PLATFORMS, layers)?;
    let links = file.each(Kind::LINKS, layers)?;
    let barriers = match *file.all(Kind::BARRIERS) {
        [] => vec![Vec::new(); layers],
        _ => file.one(Kind::BARRIERS, |bytes| {
            records::decode_barriers(bytes, layers)
        })?,
    };
    let mut parts = Vec::with_capacity(layers);
    let per_layer = planes.into_iter().zip(agents).zip(surfaces).zip(links);
    for ((((blocked, agent), surfaces), links), barriers) in per_layer.zip(barriers) {
        let surfaces = file.read(surfaces, platforms::decode)?;
        let platforms = Platforms::of_kinds(surfaces.iter())?;
        let links = file.read(links, |bytes| links::decode(bytes, &platforms))?;
        parts.push(LayerParts {
            profile: file.read(agent, records::decode)?,
            blocked,
            platforms,
            links,
            barriers,
        });
    }
    if !file.all(Kind::AIR).is_empty() {
        file.one(Kind::AIR, |bytes| air::decode(bytes, &mut parts))?;
    }
    let memory = parts
        .iter()
        .map(|layer| layer_memory(&layer.profile, &layer.blocked, &layer.platforms, &grid));
    let least = smallest_file(memory.sum());
    if (bytes.len() as u64) < least {
        let what = format!(
            "its grid and platforms take so much memory that the file must have {least} bytes, \
             and it has {}",
            bytes.len()
        );
        return Err(MeshError::from(what).into());
    }
    let indices = match *file.all(Kind::INDEX) {
        [] => Vec::new(),
        _ => file.one(Kind::INDEX, |bytes| index::decode(bytes, layers))?,
    };
    let markers = file.one(Kind::MARKERS, records::decode)?;
    file.check_skipped()?;
    let mut mesh = NavMesh::from_parts(NavMeshParts {
        provenance,
        units,
        grid,
        layers: parts,
        markers,
    })?;
    mesh.set_stored_indices(indices);
    Ok(mesh)
}

/// What [`peek`] reads: everything but the mesh.
#[cfg(feature = "write")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Major and minor version of its format.
    pub version: (u16, u16),
    /// The level, the settings and the baker it was made with.
    pub provenance: crate::mesh::Provenance,
    /// Its sections, in the order of the file.
    pub sections: Vec<Section>,
}

/// Reads the version, the table of sections and the provenance of an asset. Needs
/// the feature `write`.
///
/// # Errors
/// When one of those is malformed. The other sections are not read.
#[cfg(feature = "write")]
pub fn peek(bytes: &[u8]) -> Result<Header, AssetError> {
    let file = Contents::new(bytes)?;
    Ok(Header {
        version: file.table.version,
        provenance: file.one(Kind::META, records::decode)?,
        sections: file.table.sections,
    })
}

/// As [`peek`], and checks the checksum of every section. Needs the feature
/// `write`.
///
/// # Errors
/// As [`peek`], and when a checksum is wrong.
#[cfg(feature = "write")]
pub fn verify(bytes: &[u8]) -> Result<Header, AssetError> {
    let header = peek(bytes)?;
    for section in &header.sections {
        container::content(bytes, *section)?;
    }
    Ok(header)
}

/// A file whose table has been checked.
struct Contents<'a> {
    bytes: &'a [u8],
    table: Table,
}

impl<'a> Contents<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, AssetError> {
        let table = container::table(bytes)?;
        Ok(Self { bytes, table })
    }

    /// All sections of a kind.
    fn all(&self, kind: Kind) -> Vec<Section> {
        let sections = self.table.sections.iter();
        sections.filter(|s| s.kind == kind.0).copied().collect()
    }

    /// All sections of a kind of which each layer has exactly one.
    fn each(&self, kind: Kind, layers: usize) -> Result<Vec<Section>, AssetError> {
        let sections = self.all(kind);
        if sections.len() == layers {
            return Ok(sections);
        }
        Err(AssetError::Count {
            kind: kind.name().unwrap_or_default(),
            found: sections.len(),
            expected: layers,
        })
    }

    fn read<T>(
        &self,
        section: Section,
        decode: impl FnOnce(&'a [u8]) -> Result<T, codec::DecodeError>,
    ) -> Result<T, AssetError> {
        let content = container::content(self.bytes, section)?;
        decode(content).map_err(|what| AssetError::Malformed { section, what })
    }

    /// Reads the section of a kind of which there is exactly one.
    fn one<T>(
        &self,
        kind: Kind,
        decode: impl FnOnce(&'a [u8]) -> Result<T, codec::DecodeError>,
    ) -> Result<T, AssetError> {
        let sections = self.each(kind, 1)?;
        self.read(sections[0], decode)
    }

    /// Checks that the sections are in the order in which `encode` writes them.
    fn check_order(&self, layers: usize) -> Result<(), AssetError> {
        let agents = [Kind::AGENT, Kind::PLATFORMS, Kind::LINKS];
        let agents = std::iter::repeat_n(agents, layers).flatten();
        let before = [Kind::META, Kind::GRID, Kind::TERRAIN].into_iter();
        let after = [Kind::BARRIERS, Kind::AIR, Kind::INDEX, Kind::MARKERS].into_iter();
        let mut expected = before.chain(agents).chain(after);
        let sections = self.table.sections.iter().map(|section| Kind(section.kind));
        for kind in sections.filter(|kind| kind.is_known()) {
            if !expected.any(|next| next == kind) {
                return Err(AssetError::Table("has sections in another order"));
            }
        }
        Ok(())
    }

    /// Checks the checksums of the sections that were not read.
    fn check_skipped(&self) -> Result<(), AssetError> {
        let sections = self.table.sections.iter();
        sections
            .filter(|s| !Kind(s.kind).is_known())
            .try_for_each(|&s| container::content(self.bytes, s).map(|_| ()))
    }
}
