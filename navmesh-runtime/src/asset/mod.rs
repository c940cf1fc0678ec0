//! Bytes to mesh and back.
//!
//! An asset is one file, `LEVEL.navmesh`: a signature, a version, a table of
//! sections with checksums, the sections. `docs/format.md` tells every byte.
//! The same mesh always gives the same bytes, and the same bytes the same
//! mesh, bit for bit.
//!
//! Reading believes nothing: whatever the bytes are, the answer is a mesh
//! that [`NavMesh::new`] would have accepted or an [`AssetError`], in time
//! and memory proportional to their length.
//!
//! ```
//! use navmesh_runtime::asset;
//! # use navmesh_runtime::mesh::{Grid, NavMesh, NavMeshParts, Provenance, Units, YAxis};
//! # let mesh = NavMesh::new(NavMeshParts {
//! #     provenance: Provenance::default(),
//! #     units: Units::default(),
//! #     grid: Grid { origin: glam::Vec2::ZERO, spacing: 8.0, columns: 4, rows: 3, y_axis: YAxis::Down },
//! #     layers: vec![],
//! #     markers: vec![],
//! # })?;
//! let bytes = asset::encode(&mesh);
//! assert_eq!(asset::decode(&bytes)?, mesh);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod codec;
mod container;
mod error;
mod file;
mod floats;
mod ints;
mod links;
mod platforms;
mod range_coder;
mod sections;
mod terrain;

use codec::{Reader, Writer};
pub use container::Section;
use container::{Kind, Table};
pub use error::AssetError;
pub use file::{Written, load, sweep, write_if_changed};

use crate::mesh::{Layer, LayerParts, NavMesh, NavMeshParts, Platforms, Provenance};

/// Major and minor version of the format this crate writes. It reads every
/// minor version of the same major one.
pub const FORMAT: (u16, u16) = (1, 0);

/// The bytes of a mesh.
pub fn encode(mesh: &NavMesh) -> Vec<u8> {
    let mut sections = vec![
        (Kind::META, sections::encode_provenance(mesh.provenance())),
        (
            Kind::GRID,
            sections::encode_grid(mesh.grid(), mesh.units(), mesh.layers().len()),
        ),
    ];
    let planes: Vec<_> = mesh.layers().iter().map(Layer::blocked).collect();
    let mut terrain = Writer::default();
    terrain::encode(&mut terrain, &planes, mesh.grid());
    sections.push((Kind::TERRAIN, terrain.into_bytes()));
    for layer in mesh.layers() {
        let platforms = layer.platforms();
        sections.extend([
            (Kind::AGENT, sections::encode_agent(layer.profile())),
            (Kind::PLATFORMS, platforms::encode(platforms)),
            (Kind::LINKS, links::encode(layer.links(), platforms)),
        ]);
    }
    let barriers: Vec<_> = mesh.layers().iter().map(Layer::barriers).collect();
    if barriers.iter().any(|barriers| !barriers.is_empty()) {
        sections.push((Kind::BARRIERS, sections::encode_barriers(&barriers)));
    }
    sections.push((Kind::MARKERS, sections::encode_markers(mesh.markers())));
    container::join(&sections)
}

/// The mesh that bytes stand for.
///
/// # Errors
/// When they are not exactly what [`encode`] writes for some mesh, up to
/// sections that later minor versions may add.
pub fn decode(bytes: &[u8]) -> Result<NavMesh, AssetError> {
    let file = Contents::new(bytes)?;
    let provenance = file.one(Kind::META, sections::decode_provenance)?;
    let (grid, units, layers) = file.one(Kind::GRID, sections::decode_grid)?;
    let agents = file.all(Kind::AGENT);
    if agents.len() as u64 != layers {
        return Err(AssetError::Count {
            kind: Kind::AGENT.name(),
            found: agents.len(),
            expected: usize::try_from(layers).unwrap_or(usize::MAX),
        });
    }
    grid.check()?;
    let layers = agents.len();
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
            sections::decode_barriers(bytes, layers)
        })?,
    };
    let mut parts = Vec::with_capacity(layers);
    let per_layer = planes.into_iter().zip(agents).zip(surfaces).zip(links);
    for ((((blocked, agent), surfaces), links), barriers) in per_layer.zip(barriers) {
        let platforms = Platforms::of_kinds(file.read(surfaces, platforms::decode)?)?;
        let links = file.read(links, |bytes| links::decode(bytes, &platforms))?;
        parts.push(LayerParts {
            profile: file.read(agent, sections::decode_agent)?,
            blocked,
            platforms,
            links,
            barriers,
        });
    }
    let markers = file.one(Kind::MARKERS, sections::decode_markers)?;
    file.check_skipped()?;
    Ok(NavMesh::from_stored(NavMeshParts {
        provenance,
        units,
        grid,
        layers: parts,
        markers,
    })?)
}

/// What can be told of an asset without decoding all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Major and minor version of its format.
    pub version: (u16, u16),
    /// Where it came from.
    pub provenance: Provenance,
    /// Its sections, in the order of the file.
    pub sections: Vec<Section>,
}

/// Reads the table of sections and where an asset came from, and nothing
/// else.
///
/// # Errors
/// When those make no sense. The other sections are not looked at.
pub fn peek(bytes: &[u8]) -> Result<Header, AssetError> {
    let file = Contents::new(bytes)?;
    Ok(Header {
        version: file.table.version,
        provenance: file.one(Kind::META, sections::decode_provenance)?,
        sections: file.table.sections,
    })
}

/// As [`peek`], and makes sure that no section is damaged.
///
/// # Errors
/// As [`peek`], and when a checksum is wrong.
pub fn verify(bytes: &[u8]) -> Result<Header, AssetError> {
    let header = peek(bytes)?;
    for section in &header.sections {
        container::content(bytes, *section)?;
    }
    Ok(header)
}

/// The fingerprints of what an asset was baked from; compared with those of
/// the files and settings at hand, they tell a stale asset.
///
/// # Errors
/// As [`peek`].
pub fn fingerprints(bytes: &[u8]) -> Result<Provenance, AssetError> {
    Ok(peek(bytes)?.provenance)
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
        sections.filter(|s| s.kind == kind).copied().collect()
    }

    /// The sections of a kind of which each layer has one.
    fn each(&self, kind: Kind, layers: usize) -> Result<Vec<Section>, AssetError> {
        let sections = self.all(kind);
        if sections.len() == layers {
            return Ok(sections);
        }
        Err(AssetError::Count {
            kind: kind.name(),
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

    /// Reads the section of a kind of which there is just one.
    fn one<T>(
        &self,
        kind: Kind,
        decode: impl FnOnce(&'a [u8]) -> Result<T, codec::DecodeError>,
    ) -> Result<T, AssetError> {
        let sections = self.each(kind, 1)?;
        self.read(sections[0], decode)
    }

    /// Checks the sums of sections that were skipped, too.
    fn check_skipped(&self) -> Result<(), AssetError> {
        let sections = self.table.sections.iter();
        sections
            .filter(|s| !Kind::KNOWN.contains(&s.kind))
            .try_for_each(|&s| container::content(self.bytes, s).map(|_| ()))
    }
}
