//! What the commands ask of the rest: levels, bakes, assets, paths.

use std::io::Read;
use std::path::Path;

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, NavMesh};

use super::Failure;
use super::config::Config;
use crate::bake::{BakeError, Progress, Settings};
use crate::report::inspect::SectionSize;
use crate::report::route::Route;
use crate::source::Level;

/// Whether a path stands for stdin or stdout.
pub(super) fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// The bytes of a file, or of stdin.
fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    if is_dash(path) {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|e| Failure::new(format!("cannot read stdin: {e}")))?;
        return Ok(bytes);
    }
    std::fs::read(path).map_err(|e| Failure::file("read", path, &e))
}

/// A baked file.
pub(super) struct Asset {
    pub(super) mesh: NavMesh,
    /// Version of its format, `1.0`.
    pub(super) format: String,
    /// Its size.
    pub(super) bytes: u64,
    /// The sizes of its parts.
    pub(super) sections: Vec<SectionSize>,
}

impl Asset {
    /// The layer of an agent; the first without a name.
    pub(super) fn layer(&self, agent: Option<&str>) -> Result<&Layer, Failure> {
        let layer = match agent {
            Some(name) => self.mesh.layer(name),
            None => self.mesh.layers().first(),
        };
        layer.ok_or_else(|| {
            let known: Vec<_> = (self.mesh.layers().iter())
                .map(|l| l.profile().name.as_str())
                .collect();
            Failure::new(match agent {
                Some(name) => format!("no agent is named {name:?}; there are {}", known.join(", ")),
                None => "it was baked for no agent".to_string(),
            })
        })
    }
}

pub(super) fn open(path: &Path) -> Result<Asset, Failure> {
    let _ = bytes_of(path)?;
    Err(Failure::new("to do"))
}
pub(super) fn read(_: &Path, _: &Config) -> Result<Level, Failure> {
    Err(Failure::new("to do"))
}
pub(super) fn bake(_: &Level, _: &Settings, _: &dyn Progress) -> Result<NavMesh, BakeError> {
    Err(BakeError::EmptyArea)
}
pub(super) fn encode(_: &NavMesh) -> Vec<u8> {
    Vec::new()
}
pub(super) fn write(_: &Path, _: &[u8]) -> std::io::Result<bool> {
    Ok(false)
}
pub(super) fn find_path(_: &NavMesh, _: &Layer, _: Vec2, _: Vec2) -> Result<Route, Failure> {
    Err(Failure::new("to do"))
}
