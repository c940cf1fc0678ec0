//! Reading baked files.

use navmesh_runtime::asset::{self, AssetError, Section};
use navmesh_runtime::mesh::{Layer, NavMesh};

use crate::cli::failure::Failure;
use crate::report::inspect::SectionSize;

/// A baked file.
pub(crate) struct Asset {
    pub(crate) mesh: NavMesh,
    /// Version of the file format, `1.0`.
    pub(crate) format: String,
    /// Size of the file.
    pub(crate) bytes: u64,
    pub(crate) sections: Vec<SectionSize>,
}

impl Asset {
    /// Decodes a baked file; errors name it `name`.
    pub(crate) fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Failure> {
        let fail = |e: AssetError| Failure::in_file(name, &e);
        let header = asset::peek(bytes).map_err(fail)?;
        let mesh = asset::decode(bytes).map_err(fail)?;
        let sections = header.sections.iter();
        let (major, minor) = header.version;
        Ok(Self {
            sections: sections
                .map(|section| section_size(section, &mesh))
                .collect(),
            mesh,
            format: format!("{major}.{minor}"),
            bytes: bytes.len() as u64,
        })
    }

    /// The layer of an agent; the first layer without a name.
    pub(crate) fn layer(&self, agent: Option<&str>) -> Result<&Layer, Failure> {
        let Some(name) = agent else {
            let first = self.mesh.layers().first();
            return first.ok_or_else(|| Failure::new("the file was baked without agents"));
        };
        self.mesh.layer_named(name).ok_or_else(|| {
            let layers = self.mesh.layers().iter();
            let known: Vec<_> = layers.map(|l| l.profile().name.as_str()).collect();
            Failure::unknown_agent(name, &known)
        })
    }
}

/// The name and size of a section. Where each agent has one, the name
/// includes the agent's.
fn section_size(section: &Section, mesh: &NavMesh) -> SectionSize {
    // A later minor version of the format may have more kinds.
    let letters = section.kind.escape_ascii();
    let name = section.name().map_or(letters.to_string(), String::from);
    let layer = mesh.layers().get(section.index as usize);
    SectionSize {
        name: match layer.filter(|_| section.is_per_agent()) {
            Some(layer) => format!("{name} of {}", layer.profile().name),
            None => name,
        },
        bytes: section.length.into(),
    }
}
