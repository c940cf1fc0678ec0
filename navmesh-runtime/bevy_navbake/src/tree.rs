//! Tree files: assets, and what they may name.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::asset::io::Reader;
use bevy::asset::{
    Asset, AssetEvent, AssetId, AssetLoader, AssetPath, AssetServer, Assets, LoadContext,
};
use bevy::ecs::prelude::*;
use bevy::reflect::TypePath;
use navmesh_behavior::{BuildError, Registry, Tree, TreeDef};

use crate::view::NavContext;

/// A behaviour tree from a file `….tree.ron` or `….tree.json`, in the format of
/// the runtime's guide to behaviour trees.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct NavTree {
    /// The tree as data.
    pub def: TreeDef,
}

/// Loads `.tree.ron` and `.tree.json` files.
#[derive(Debug, Default, TypePath)]
pub struct NavTreeLoader;

/// Why a tree file cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum NavTreeError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is not a tree in RON; with the line and column.
    #[error("{0}")]
    Ron(String),
    /// The file is not a tree in JSON; with the line and column.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl AssetLoader for NavTreeLoader {
    type Asset = NavTree;
    type Settings = ();
    type Error = NavTreeError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<NavTree, NavTreeError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let extension = context.path().path().extension();
        let def = if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            serde_json::from_slice(&bytes)?
        } else {
            let text = String::from_utf8_lossy(&bytes);
            ron::from_str(&text).map_err(|error| NavTreeError::Ron(error.to_string()))?
        };
        Ok(NavTree { def })
    }

    fn extensions(&self) -> &[&str] {
        &["tree.ron", "tree.json"]
    }
}

/// The names that tree files may use. It has the tasks of the runtime; add those
/// of the game before the first tree is loaded:
///
/// ```
/// # use bevy::app::App;
/// # use bevy_navbake::{NavPlugin, NavTasks};
/// # fn game(app: &mut App) {
/// app.add_plugins(NavPlugin::default());
/// let mut tasks = app.world_mut().resource_mut::<NavTasks>();
/// tasks.0.action("explode", |tick| {
///     let bomb = tick.context.entity;
///     tick.context.commands.entity(bomb).despawn();
/// });
/// # }
/// ```
#[derive(Resource)]
pub struct NavTasks(pub Registry<NavContext>);

impl Default for NavTasks {
    fn default() -> Self {
        Self(Registry::with_agent_tasks())
    }
}

/// The trees that were built from the loaded files.
#[derive(Resource, Default)]
pub(crate) struct Trees(BTreeMap<AssetId<NavTree>, Arc<Tree<NavContext>>>);

impl Trees {
    /// The last tree that the file gave without a mistake.
    pub(crate) fn get(&self, file: AssetId<NavTree>) -> Option<&Arc<Tree<NavContext>>> {
        self.0.get(&file)
    }
}

/// Builds the trees of files that were loaded, or loaded again.
pub(crate) fn build_trees(
    mut changes: MessageReader<AssetEvent<NavTree>>,
    files: Res<Assets<NavTree>>,
    server: Res<AssetServer>,
    tasks: Res<NavTasks>,
    mut trees: ResMut<Trees>,
) {
    for event in changes.read() {
        let id = match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => *id,
            AssetEvent::Removed { id } => {
                trees.0.remove(id);
                continue;
            }
            _ => continue,
        };
        let Some(file) = files.get(id) else { continue };
        match tasks.0.build(&file.def) {
            Ok(tree) => {
                trees.0.insert(id, tree);
            }
            // Agents go on with the tree they have.
            Err(error) => log_error(server.get_path(id).as_ref(), &file.def.name, &error),
        }
    }
}

/// Logs what is wrong with a tree: by its file, or by its name if the game made it.
pub(crate) fn log_error(file: Option<&AssetPath<'_>>, name: &str, error: &BuildError) {
    if let Some(file) = file {
        tracing::error!("{file}: {error}");
    } else {
        tracing::error!("tree {name:?}: {error}");
    }
}
