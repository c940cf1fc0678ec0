//! Baking from maps when they are loaded, for builds of developers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use baker_cli::config::{Config, ConfigError};
use baker_cli::report::lint;
use baker_cli::source::LevelFile;
use baker_cli::source::{FileProvider, LdtkProject, SourceError, read_bytes};
use bevy::asset::io::{AssetReaderError, Reader};
use bevy::asset::{AssetLoader, AssetPath, AssetServer, LoadContext, ReadAssetBytesError};
use bevy::ecs::world::{FromWorld, World};
use bevy::reflect::TypePath;
use bevy::tasks::futures_lite::StreamExt as _;
use navmesh_bake::tools::{advice, level_fingerprint, settings_fingerprint};
use navmesh_bake::{BakeError, NoProgress, Settings, bake};

use crate::level::NavMesh;

/// The name of configuration files.
const CONFIG: &str = "navbake.toml";

/// Bakes maps of Tiled (`.tmx`, `.tmj`) and projects of LDtk (`.ldtk`) when they
/// are loaded as a [`NavMesh`]: `assets.load("level.tmx")`.
///
/// The mesh is that of `navbake bake`. A project of LDtk has one mesh for each
/// level, `assets.load("world.ldtk#Level_0")`, and is itself the mesh of its
/// first level. Tilesets, templates and levels that are saved apart are read from
/// the assets.
///
/// The configuration is the nearest `navbake.toml` in the folder of the map or
/// above it, up to the folder around the asset folder: that of the game. So is the
/// Tiled project, which holds the defaults of classes.
///
/// With the feature `file_watcher`, a map is baked again when it changes, or a file
/// in the asset folder that it was read from. (A configuration that is new, or
/// outside the asset folder, is read when the map changes.) When nothing that
/// matters to agents has changed, the mesh in play stays. What is wrong with a map
/// is the error of its load, which Bevy logs; warnings are logged too.
#[derive(Debug, TypePath)]
pub struct NavBakeLoader {
    server: AssetServer,
    /// The last mesh of each map, by its path with the label.
    meshes: Mutex<HashMap<AssetPath<'static>, NavMesh>>,
}

/// Why a map cannot be baked.
#[derive(Debug, thiserror::Error)]
pub enum NavBakeError {
    /// The map cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The map, or a file that it refers to, cannot be read or has a mistake. Names
    /// of files are relative to the map.
    #[error(transparent)]
    Level(#[from] SourceError),
    /// The configuration has a mistake.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The map cannot be baked for the agents of the configuration.
    #[error(transparent)]
    Bake(#[from] BakeError),
}

impl AssetLoader for NavBakeLoader {
    type Asset = NavMesh;
    type Settings = ();
    type Error = NavBakeError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<NavMesh, NavBakeError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let map = context.path().clone_owned();
        let name = map.path().file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let config = config(&map, context).await?;
        let mut files = Files::default();
        files.known.insert(name.clone(), Ok(bytes.clone()));
        if !name.to_ascii_lowercase().ends_with(".ldtk") {
            let read = |files: &Files| read_bytes(&name, &bytes, files, config.rules());
            files.tiled_project = self.tiled_project(&map).await;
            let level = files.read_level(read, &map, context).await?;
            return self.mesh(&map, &level, &config);
        }
        let project = LdtkProject::parse(&name, &bytes)?;
        let labels: Vec<String> = project.levels().map(str::to_owned).collect();
        let (mut first, mut error) = (None, None);
        for label in labels {
            let read = |files: &Files| project.read(Some(&label), files, config.rules());
            let level = files.read_level(read, &map, context).await;
            let path = map.clone().with_label(label.clone());
            match level
                .map_err(NavBakeError::from)
                .and_then(|level| self.mesh(&path, &level, &config))
            {
                Ok(mesh) => {
                    first.get_or_insert_with(|| mesh.clone());
                    context.add_labeled_asset(label, mesh);
                }
                // The other levels of the project can be played.
                Err(wrong) => {
                    tracing::error!("{wrong}");
                    error.get_or_insert(wrong);
                }
            }
        }
        first.ok_or_else(|| {
            let empty = || io::Error::new(io::ErrorKind::InvalidData, "the project has no levels");
            error.unwrap_or_else(|| empty().into())
        })
    }

    fn extensions(&self) -> &[&str] {
        &["tmx", "tmj", "ldtk"]
    }
}

impl FromWorld for NavBakeLoader {
    fn from_world(world: &mut World) -> Self {
        let server = world.resource::<AssetServer>().clone();
        let meshes = Mutex::default();
        Self { server, meshes }
    }
}

impl NavBakeLoader {
    /// The name of the nearest Tiled project. Sources without folders have none, such as
    /// the server of a web page.
    async fn tiled_project(&self, map: &AssetPath<'static>) -> Option<String> {
        let source = self.server.get_source(map.source()).ok()?;
        for up in folders(map) {
            let file = relative(map, &format!("{up}{CONFIG}"));
            let folder = file.path().parent()?;
            let Ok(files) = source.reader().read_directory(folder).await else {
                continue;
            };
            let files: Vec<PathBuf> = files.collect().await;
            let is_project = |file: &&PathBuf| {
                let extension = file.extension().unwrap_or_default();
                extension.eq_ignore_ascii_case("tiled-project")
            };
            if let Some(project) = files.iter().filter(is_project).min() {
                return Some(format!("{up}{}", project.file_name()?.to_str()?));
            }
        }
        None
    }

    /// The mesh of a level: the last one, if it would be the same.
    fn mesh(
        &self,
        path: &AssetPath<'static>,
        level: &LevelFile,
        config: &Config,
    ) -> Result<NavMesh, NavBakeError> {
        let settings = config.settings(level.tile_size)?;
        let meshes = || self.meshes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mesh) = meshes().get(path)
            && is_of(mesh, level, &settings)
        {
            return Ok(mesh.clone());
        }
        // It takes seconds, and much longer where the baker is not optimised.
        tracing::info!("{path}: baking");
        for warning in level.warnings.iter().chain(&advice(level, &settings)) {
            tracing::warn!("{path}: {warning}");
        }
        let mesh = NavMesh::from(bake(level, &settings, &NoProgress)?);
        for finding in lint::of_bake(&mesh, &config.lint()?) {
            tracing::warn!("{path}: {}", finding.description());
        }
        meshes().insert(path.clone(), mesh.clone());
        Ok(mesh)
    }
}

/// Whether a mesh is the one that a level and settings give.
fn is_of(mesh: &NavMesh, level: &LevelFile, settings: &Settings) -> bool {
    let provenance = mesh.provenance();
    provenance.source_fingerprint == level_fingerprint(level)
        && provenance.settings_fingerprint == settings_fingerprint(settings)
}

/// The configuration of a map.
async fn config(
    map: &AssetPath<'static>,
    context: &mut LoadContext<'_>,
) -> Result<Config, NavBakeError> {
    for up in folders(map) {
        let name = up + CONFIG;
        match read_asset(map, &name, context).await {
            Ok(bytes) => {
                let text = String::from_utf8(bytes)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
                return Ok(Config::parse(PathBuf::from(name), text)?);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Config::default())
}

/// The folder of a map and those above it, relative to it, up to the one around the
/// asset folder.
fn folders(map: &AssetPath<'_>) -> impl Iterator<Item = String> + use<> {
    (0..=map.path().components().count()).map(|up| "../".repeat(up))
}

/// A file whose name is relative to the map.
fn relative(map: &AssetPath<'static>, name: &str) -> AssetPath<'static> {
    map.resolve_embed(&AssetPath::from_path(Path::new(name)))
}

/// Reads a file whose name is relative to the map. The map is loaded again when the
/// file changes.
async fn read_asset(
    map: &AssetPath<'static>,
    name: &str,
    context: &mut LoadContext<'_>,
) -> io::Result<Vec<u8>> {
    let bytes = context.read_asset_bytes(relative(map, name)).await;
    bytes.map_err(|error| match error {
        ReadAssetBytesError::AssetReaderError(AssetReaderError::NotFound(_)) => {
            io::ErrorKind::NotFound.into()
        }
        error => io::Error::other(error),
    })
}

/// The files of a map. A reader cannot wait for the asset system: it fails, the files
/// that it looked for are read, and it is called again.
#[derive(Default)]
struct Files {
    known: BTreeMap<String, io::Result<Vec<u8>>>,
    missing: RefCell<BTreeSet<String>>,
    tiled_project: Option<String>,
}

impl Files {
    /// Reads a level, and the files that `read` looks for.
    async fn read_level(
        &mut self,
        read: impl Fn(&Self) -> Result<LevelFile, SourceError>,
        map: &AssetPath<'static>,
        context: &mut LoadContext<'_>,
    ) -> Result<LevelFile, SourceError> {
        loop {
            let level = read(self);
            let missing = std::mem::take(self.missing.get_mut());
            if missing.is_empty() {
                return level;
            }
            for name in missing {
                let bytes = read_asset(map, &name, context).await;
                self.known.insert(name, bytes);
            }
        }
    }
}

impl FileProvider for Files {
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        match self.known.get(name) {
            Some(Ok(bytes)) if bytes.len() as u64 > limit => {
                Err(io::ErrorKind::FileTooLarge.into())
            }
            Some(Ok(bytes)) => Ok(bytes.clone()),
            Some(Err(error)) => Err(io::Error::new(error.kind(), error.to_string())),
            None => {
                self.missing.borrow_mut().insert(name.to_owned());
                Err(io::ErrorKind::NotFound.into())
            }
        }
    }

    /// Only the search for a project of Tiled needs it, which `tiled_project` replaces.
    fn list(&self) -> io::Result<Vec<String>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn tiled_project(&self) -> Option<String> {
        self.tiled_project.clone()
    }
}
