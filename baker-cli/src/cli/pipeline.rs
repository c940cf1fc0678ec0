//! What the commands ask of the rest: levels, bakes, assets, paths.

mod files;
mod freshness;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use glam::Vec2;
use navmesh_runtime::asset::{self, Section, Written};
use navmesh_runtime::mesh::{Layer, NavMesh};
use navmesh_runtime::motion::Doors;
use navmesh_runtime::search::{Path as FoundPath, PathFinder, PathOutcome, Query, Step, StepKind};

use super::Failure;
use super::config::{Config, locate};
use super::failure::chain;
use crate::bake::{BakeError, Progress, Settings};
use crate::report::inspect::SectionSize;
use crate::report::route::{Route, RouteOutcome, RouteStep, Way};
use crate::source::{self, Level, SourceError};

pub(super) use files::{Files, Hashes, Seen, Stamp, stamp};
pub(super) use freshness::{Fresh, Reason, freshness};

/// Whether a path stands for stdin or stdout.
pub(super) fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// What a file is called in what is told.
pub(super) fn name_of(path: &Path) -> String {
    if is_dash(path) {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Whether a file's name is that of a baked one.
pub(super) fn is_baked(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|e| e.eq_ignore_ascii_case("navmesh"))
}

/// The current folder.
pub(super) fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|e| Failure::new(format!("cannot tell the current folder: {e}")))
}

/// The configuration that holds for a level where none is given.
pub(super) fn config_for(level: &Path) -> Result<Config, Failure> {
    match locate(level, &current_folder()?) {
        Some(file) => Ok(Config::load(&file)?),
        None => Ok(Config::default()),
    }
}

/// The bytes of a file, or of stdin.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
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
            Some(name) => self.mesh.layer_named(name),
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

/// Opens a baked file.
pub(super) fn open(path: &Path) -> Result<Asset, Failure> {
    let bytes = bytes_of(path)?;
    load(&name_of(path), &bytes)
}

/// A baked file from its bytes; `name` is what errors call it.
pub(super) fn load(name: &str, bytes: &[u8]) -> Result<Asset, Failure> {
    let fail = |e: asset::AssetError| Failure::new(format!("{name}: {}", chain(&e)));
    let header = asset::peek(bytes).map_err(fail)?;
    let mesh = asset::decode(bytes).map_err(fail)?;
    let (major, minor) = header.version;
    let names: Vec<_> = (mesh.layers().iter())
        .map(|layer| layer.profile().name.clone())
        .collect();
    Ok(Asset {
        sections: header
            .sections
            .iter()
            .map(|s| section_size(s, &names))
            .collect(),
        mesh,
        format: format!("{major}.{minor}"),
        bytes: bytes.len() as u64,
    })
}

/// Reads a level.
pub(super) fn read(path: &Path, config: &Config) -> Result<Level, Failure> {
    let hashes = Hashes::default();
    if is_dash(path) {
        let bytes = bytes_of(path)?;
        let name = stdin_name(&bytes);
        let files = Files::stdin(name, &bytes, &hashes);
        return read_with(Path::new(name), config, &files);
    }
    read_with(path, config, &Files::beside(path, &hashes))
}

/// Reads a level and what it refers to from these files.
pub(super) fn read_with(path: &Path, config: &Config, files: &Files<'_>) -> Result<Level, Failure> {
    source::read_from(path, files, &config.read_options()).map_err(|e| Failure::new(chain(&e)))
}

/// Reads a level, or tells its layers where nothing in it says what is solid.
pub(super) fn read_or_layers(
    path: &Path,
    config: &Config,
) -> Result<Result<Level, Vec<String>>, Failure> {
    let hashes = Hashes::default();
    let bytes;
    let (name, files) = if is_dash(path) {
        bytes = bytes_of(path)?;
        let name = stdin_name(&bytes);
        (Path::new(name), Files::stdin(name, &bytes, &hashes))
    } else {
        (path, Files::beside(path, &hashes))
    };
    match source::read_from(name, &files, &config.read_options()) {
        Ok(level) => Ok(Ok(level)),
        Err(SourceError::NothingSolid { layers, .. }) => Ok(Err(layers)),
        Err(error) => Err(Failure::new(chain(&error))),
    }
}

/// What a level on stdin is called: its content tells its format.
pub(super) fn stdin_name(bytes: &[u8]) -> &'static str {
    let text = bytes.trim_ascii_start();
    if bytes.starts_with(b"\x89PNG") {
        "stdin.png"
    } else if !text.starts_with(b"{") {
        "stdin.tmx"
    } else if text.windows(12).any(|w| w == b"\"__header__\"") {
        "stdin.ldtk"
    } else {
        "stdin.tmj"
    }
}

/// The levels of an LDtk project, by name.
pub(super) fn ldtk_levels(path: &Path) -> Result<Vec<String>, Failure> {
    let bytes = bytes_of(path)?;
    source::ldtk_levels(&path.display().to_string(), &bytes).map_err(|e| Failure::new(chain(&e)))
}

/// Whether a file's name is that of a level; `certain` asks for names that
/// cannot well be anything else, as a picture can.
pub(super) fn is_level(name: &str, certain: bool) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let extension = extension.to_ascii_lowercase();
    let known: &[&str] = if certain {
        &["tmx", "tmj", "ldtk"]
    } else {
        &["tmx", "tmj", "ldtk", "json", "png"]
    };
    known.contains(&extension.as_str())
}

/// The file in which a level is.
pub(super) fn level_file(level: &Path) -> PathBuf {
    let name = level.file_name().unwrap_or_default().to_string_lossy();
    let file = source::level_file(&name);
    if file.len() == name.len() {
        level.to_path_buf()
    } else {
        level.with_file_name(file)
    }
}

/// Removes what a killed process has left of files that it was writing.
pub(super) fn sweep<'a>(outputs: impl Iterator<Item = &'a Path>) {
    let folders: BTreeSet<_> = outputs
        .filter(|output| !is_dash(output))
        .map(|output| match output.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        })
        .collect();
    for folder in folders {
        // A folder that is not there has nothing to sweep.
        let _ = asset::sweep(folder);
    }
}

/// A section in words, and the agent it is for where each agent has one.
fn section_size(section: &Section, agents: &[String]) -> SectionSize {
    let kind = section.kind();
    let (name, per_agent) = match &kind {
        b"META" => ("provenance", false),
        b"GRID" => ("grid", false),
        b"TERR" => ("terrain", false),
        b"AGNT" => ("profile", true),
        b"PLAT" => ("platforms", true),
        b"LINK" => ("links", true),
        b"MARK" => ("markers", false),
        // A later minor version may have more.
        _ => (std::str::from_utf8(&kind).unwrap_or("unknown"), false),
    };
    let agent = agents.get(section.index() as usize);
    SectionSize {
        name: match agent {
            Some(agent) if per_agent => format!("{name} of {agent}"),
            _ => name.to_string(),
        },
        bytes: section.length().into(),
    }
}

/// Bakes a level.
pub(super) fn bake(
    level: &Level,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<NavMesh, BakeError> {
    crate::bake::bake(level, settings, progress)
}

/// The bytes of a baked file.
pub(super) fn encode(mesh: &NavMesh) -> Vec<u8> {
    asset::encode(mesh)
}

/// Makes a file hold these bytes; tells whether it changed.
pub(super) fn write(path: &Path, bytes: &[u8]) -> std::io::Result<bool> {
    Ok(asset::write_if_changed(path, bytes)? != Written::Unchanged)
}

/// The doors of a level: as it begins, but for those named here.
pub(super) fn doors(mesh: &NavMesh, closed: &[String], open: &[String]) -> Result<Doors, Failure> {
    let mut doors = Doors::from_mesh(mesh);
    let unknown = |e| Failure::new(chain(&e));
    for name in closed {
        doors.close(name).map_err(unknown)?;
    }
    for name in open {
        if closed.contains(name) {
            let told = format!("the door {name:?} cannot be both --closed and --open");
            return Err(Failure::new(told));
        }
        doors.open(name).map_err(unknown)?;
    }
    Ok(doors)
}

/// Finds the fastest path that no closed door is on.
pub(super) fn find_path(
    layer: &Layer,
    from: Vec2,
    to: Vec2,
    doors: &Doors,
) -> Result<Route, Failure> {
    let mut finder = PathFinder::new();
    let mut query = Query::new(from, to);
    query.filter.blocked.extend_from_slice(doors.blocked());
    let found = finder
        .find(layer, &query)
        .map_err(|e| Failure::new(chain(&e)))?;
    let (outcome, reason) = match found {
        PathOutcome::Found(_) => (RouteOutcome::Found, String::new()),
        PathOutcome::Partial(_, why) => (RouteOutcome::Partial, why.to_string()),
        PathOutcome::NoPath(why) => (RouteOutcome::NoPath, why.to_string()),
        // Also what later versions of the runtime may say.
        _ => (RouteOutcome::BudgetExhausted, String::new()),
    };
    let path = found.path();
    // Taking hold of a ladder at its foot is a step of the search, and nothing
    // to tell a person.
    let is_told = |step: &&Step| step.from != step.to || step.duration > 0.0;
    let steps = path.map(|path| {
        let told = path.steps().iter().filter(is_told);
        told.map(route_step).collect()
    });
    let cost = path.map_or(0.0, FoundPath::cost);
    Ok(Route {
        outcome,
        reason,
        cost,
        steps: steps.unwrap_or_default(),
        expanded: finder.expanded().into(),
    })
}

fn route_step(step: &Step) -> RouteStep {
    RouteStep {
        kind: step.kind.name(),
        from: step.from,
        to: step.to,
        duration: step.duration.into(),
        way: match (step.link, step.platform) {
            (Some(link), _) => Way::Link(link),
            (None, Some(platform)) if step.kind == StepKind::Floor => Way::Floor(platform),
            _ => Way::Air,
        },
    }
}
