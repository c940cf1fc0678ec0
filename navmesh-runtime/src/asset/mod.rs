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
mod memory;
mod platforms;
mod records;
mod section;
mod terrain;

use std::path::Path;

use container::Contents;
pub use error::AssetError;
use memory::smallest_file;
use section::Kind;
#[cfg(feature = "write")]
pub use section::{FORMAT, Section};

use crate::mesh::{Grid, LayerParts, MeshError, NavMesh, NavMeshParts, StepKind, Units};
#[cfg(feature = "write")]
use crate::mesh::{Layer, Link, Provenance, StoredIndex};

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
    let (grid, layers) = (mesh.grid(), mesh.layers());
    let planes: Vec<_> = layers.iter().map(Layer::blocked).collect();
    let meta = records::encode(mesh.provenance());
    let units = records::encode(&((mesh.units(), *grid), layers.len() as u64));
    let mut sections = vec![
        (Kind::META, meta),
        (Kind::GRID, units),
        (Kind::TERRAIN, terrain::encode(&planes, grid)),
    ];
    for layer in layers {
        let platforms = &layer.parts().platforms;
        sections.extend([
            (Kind::AGENT, records::encode(layer.profile())),
            (Kind::PLATFORMS, platforms::encode(platforms)),
            (
                Kind::LINKS,
                links::encode(&links_of(layer, false), platforms),
            ),
        ]);
    }
    if layers.iter().any(|layer| !layer.barriers().is_empty()) {
        let barriers = layers.iter();
        let barriers = barriers.flat_map(|layer| records::encode(&layer.parts().barriers));
        sections.push((Kind::BARRIERS, barriers.collect()));
    }
    if layers.iter().any(|layer| !layer.parts().air.is_empty()) {
        sections.push((Kind::AIR, air::encode(layers)));
    }
    if layers.iter().any(|layer| !layer.lines().is_empty()) {
        let lines = layers.iter();
        let lines = lines.flat_map(|layer| records::encode(&layer.parts().lines));
        sections.push((Kind::LINES, lines.collect()));
    }
    if layers.iter().any(|layer| !links_of(layer, true).is_empty()) {
        let springs = layers.iter().map(|layer| {
            let platforms = &layer.parts().platforms;
            links::encode(&links_of(layer, true), platforms)
        });
        sections.push((Kind::SPRINGS, records::encode_parts(springs)));
    }
    if layers
        .iter()
        .any(|layer| !layer.moving_platforms().is_empty())
    {
        let moving = layers.iter();
        let moving = moving.flat_map(|layer| records::encode(&layer.moving_platforms().to_vec()));
        sections.push((Kind::MOVING, moving.collect()));
    }
    if layers
        .iter()
        .any(|layer| layer.stored != StoredIndex::Nothing)
    {
        sections.push((Kind::INDEX, index::encode(layers)));
    }
    let markers = mesh.markers().to_vec();
    sections.push((Kind::MARKERS, records::encode(&markers)));
    let least = smallest_file(layers.iter().map(Layer::parts), grid);
    let bytes: u64 = sections.iter().map(|(_, s)| s.len() as u64).sum();
    if bytes < least {
        let padding = vec![0; (least - bytes) as usize];
        sections.push((Kind::PADDING, padding));
    }
    container::join(&sections)
}

/// Reads an asset from its bytes.
///
/// # Errors
/// When the bytes are not those of a valid mesh. Sections that later minor
/// versions add are skipped, after their checksum was checked.
pub fn decode(bytes: &[u8]) -> Result<NavMesh, AssetError> {
    let file = Contents::new(bytes)?;
    let provenance = file.one(Kind::META, records::decode)?;
    let ((units, mut grid), layers): ((Units, Grid), u64) =
        file.one(Kind::GRID, records::decode)?;
    grid.y_axis = units.y_axis;
    let layers = usize::try_from(layers).unwrap_or(usize::MAX);
    let agents = file.each(Kind::AGENT, layers)?;
    grid.check()?;
    file.check_order(layers)?;
    let planes = file.one(Kind::TERRAIN, |bytes| terrain::decode(bytes, &grid, layers))?;
    let surfaces = file.each(Kind::PLATFORMS, layers)?;
    let links = file.each(Kind::LINKS, layers)?;
    let barriers = file
        .optional(Kind::BARRIERS, |bytes| {
            records::decode_layers(bytes, layers)
        })?
        .unwrap_or_else(|| vec![Vec::new(); layers]);
    let springs = file.optional(Kind::SPRINGS, |bytes| records::decode_parts(bytes, layers))?;
    let springs = springs.unwrap_or_else(|| vec![None; layers]);
    let lines = file.optional(Kind::LINES, |bytes| records::decode_layers(bytes, layers))?;
    let lines = lines.unwrap_or_else(|| vec![Vec::new(); layers]);
    let air = file.optional(Kind::AIR, |bytes| air::decode(bytes, layers))?;
    let air = air.unwrap_or_else(|| vec![Vec::new(); layers]);
    let (mut parts, mut motions) = (Vec::with_capacity(layers), Vec::with_capacity(layers));
    let per_layer = planes.into_iter().zip(agents).zip(surfaces).zip(links);
    let per_layer = per_layer.zip(barriers).zip(air).zip(lines).zip(springs);
    for (((((((blocked, agent), surfaces), links), barriers), air), lines), springs) in per_layer {
        let platforms = file.read(surfaces, platforms::decode)??;
        let (mut links, mut of) = file.read(links, |bytes| {
            links::decode(bytes, &platforms, |kind| kind != StepKind::Spring)
        })?;
        if let Some(springs) = springs {
            let (springs, _) = links::decode(springs, &platforms, |kind| kind == StepKind::Spring)
                .map_err(|what| MeshError::from(format!("section iSPR {what}")))?;
            links.extend(springs);
            links.sort_by_key(|link| link.from_platform);
            of.clear();
        }
        motions.push(of);
        parts.push(LayerParts {
            profile: file.read(agent, records::decode)?,
            blocked,
            platforms,
            links,
            barriers,
            air,
            lines,
        });
    }
    // Checked before the mesh is built, which allocates this memory.
    let least = smallest_file(&parts, &grid);
    if (bytes.len() as u64) < least {
        let what = format!(
            "its grid and platforms take so much memory that the file must have {least} bytes, \
             and it has {}",
            bytes.len()
        );
        return Err(MeshError::from(what).into());
    }
    let moving = file.optional(Kind::MOVING, |bytes| records::decode_layers(bytes, layers))?;
    let indices = file.optional(Kind::INDEX, |bytes| index::decode(bytes, layers))?;
    let markers = file.one(Kind::MARKERS, records::decode)?;
    file.check_skipped()?;
    let parts = NavMeshParts {
        provenance,
        units,
        grid,
        layers: parts,
        markers,
    };
    let mut mesh = NavMesh::from_parts(parts, &motions)?;
    mesh.take_moving_platforms(moving.unwrap_or_default())?;
    // Not checked here: where an index does not fit its layer, `index_routes` builds another.
    mesh.set_stored_indices(indices.unwrap_or_default());
    Ok(mesh)
}

/// The links of a layer that are those of springs, or the others.
#[cfg(feature = "write")]
fn links_of(layer: &Layer, are_springs: bool) -> Vec<Link> {
    let links = layer.links().iter();
    let is_wanted = |link: &&Link| (link.kind == StepKind::Spring) == are_springs;
    links.filter(is_wanted).copied().collect()
}

/// What [`peek`] reads: everything but the mesh.
#[cfg(feature = "write")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Major and minor version of its format.
    pub version: (u16, u16),
    /// The level, the settings and the baker it was made with.
    pub provenance: Provenance,
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
        version: file.version,
        provenance: file.one(Kind::META, records::decode)?,
        sections: file.sections,
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
    let file = Contents::new(bytes)?;
    for section in &header.sections {
        file.content(*section)?;
    }
    Ok(header)
}
