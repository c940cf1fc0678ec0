//! The mesh asset, the level in play, and its doors.

use std::sync::atomic::{AtomicU64, Ordering};

use bevy::asset::io::Reader;
use bevy::asset::{Asset, AssetLoader, Assets, Handle, LoadContext};
use bevy::ecs::prelude::*;
use bevy::ecs::system::SystemParam;
use bevy::math::{Rect, Vec2};
use bevy::reflect::TypePath;
use navmesh_runtime::asset::{self, AssetError};
use navmesh_runtime::glam;
use navmesh_runtime::search::{Doors, UnknownDoor};

/// A navigation mesh: a `.navmesh` file that `navbake bake` wrote.
///
/// It derefs to the runtime's [`NavMesh`](navmesh_runtime::NavMesh), which has
/// the layers and markers in the coordinates of the level. [`NavLevel`] converts
/// these to positions in the Bevy world.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct NavMesh {
    mesh: navmesh_runtime::NavMesh,
    /// Differs from that of the mesh that it replaces when its file is loaded
    /// again.
    identity: u64,
}

static NEXT_IDENTITY: AtomicU64 = AtomicU64::new(0);

impl From<navmesh_runtime::NavMesh> for NavMesh {
    fn from(mesh: navmesh_runtime::NavMesh) -> Self {
        let identity = NEXT_IDENTITY.fetch_add(1, Ordering::Relaxed);
        Self { mesh, identity }
    }
}

impl NavMesh {
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }
}

impl std::ops::Deref for NavMesh {
    type Target = navmesh_runtime::NavMesh;

    fn deref(&self) -> &Self::Target {
        &self.mesh
    }
}

/// Loads `.navmesh` files.
#[derive(Debug, TypePath)]
pub struct NavMeshLoader {
    /// Whether loading includes the indices of routes; see
    /// [`NavPlugin::with_route_index`](crate::NavPlugin::with_route_index).
    pub index_routes: bool,
}

/// Why a `.navmesh` file cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum NavMeshError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The bytes are not a valid mesh, or one of an incompatible version.
    #[error(transparent)]
    Decode(#[from] AssetError),
}

impl AssetLoader for NavMeshLoader {
    type Asset = NavMesh;
    type Settings = ();
    type Error = NavMeshError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<NavMesh, NavMeshError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let mesh = asset::decode(&bytes)?;
        if self.index_routes {
            for layer in mesh.layers() {
                layer.index_routes();
            }
        }
        Ok(mesh.into())
    }

    fn extensions(&self) -> &[&str] {
        &["navmesh"]
    }
}

/// The level in play. Insert it to start; replace it to enter another level.
///
/// While there is none, or its mesh is not loaded yet, agents wait where they are,
/// and have no tree that runs. To start the level once more, remove the
/// resource and insert it again in a later update: doors then begin as the level
/// says, and [`NavLevelLoaded`] is sent.
///
/// ```
/// # use bevy::asset::AssetServer;
/// # use bevy::ecs::prelude::*;
/// # use bevy_navbake::NavLevel;
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.insert_resource(NavLevel::new(assets.load("level.navmesh")));
/// }
/// ```
///
/// **Coordinates.** In Bevy, y grows upwards. Where the mesh was baked with y
/// downwards (the default), the plugin negates y: the pixel (x, y) of the level
/// is at (x, −y) in the Bevy world, and the top-left corner of the level is at
/// `origin`. A mesh baked with `y_axis = "up"` has these coordinates already.
#[derive(Resource, Debug, Clone)]
pub struct NavLevel {
    /// The mesh.
    pub mesh: Handle<NavMesh>,
    /// Where the origin of the level (its top-left corner) is in the world.
    pub origin: Vec2,
}

impl NavLevel {
    /// A level whose top-left corner is at the origin of the world.
    pub fn new(mesh: Handle<NavMesh>) -> Self {
        Self {
            mesh,
            origin: Vec2::ZERO,
        }
    }

    /// A position of the level, such as that of a marker, in the Bevy world.
    ///
    /// ```
    /// # use bevy::math::Vec2;
    /// # use bevy_navbake::{NavLevel, NavMesh};
    /// fn player_start(level: &NavLevel, mesh: &NavMesh) -> Option<Vec2> {
    ///     let spawn = mesh.spawns().find(|spawn| spawn.marker.name == "player")?;
    ///     Some(level.to_world(mesh, spawn.position))
    /// }
    /// ```
    pub fn to_world(&self, mesh: &NavMesh, position: glam::Vec2) -> Vec2 {
        Frame::new(self, mesh).to_world(position)
    }

    /// A position of the Bevy world in the coordinates of the level.
    pub fn to_mesh(&self, mesh: &NavMesh, position: Vec2) -> glam::Vec2 {
        Frame::new(self, mesh).to_mesh(position)
    }
}

/// Converts between the mesh and the world. The runtime may use another version
/// of glam than Bevy, so vectors are converted by their components.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    origin: Vec2,
    /// The change of the mesh's y when a point moves up by one unit.
    up: f32,
}

impl Frame {
    pub(crate) fn new(level: &NavLevel, mesh: &NavMesh) -> Self {
        Self {
            origin: level.origin,
            up: -mesh.down(),
        }
    }

    pub(crate) fn to_world(self, at: glam::Vec2) -> Vec2 {
        self.origin + self.vector_to_world(at)
    }

    pub(crate) fn to_mesh(self, at: Vec2) -> glam::Vec2 {
        self.vector_to_mesh(at - self.origin)
    }

    pub(crate) fn vector_to_world(self, v: glam::Vec2) -> Vec2 {
        Vec2::new(v.x, v.y * self.up)
    }

    pub(crate) fn vector_to_mesh(self, v: Vec2) -> glam::Vec2 {
        glam::Vec2::new(v.x, v.y * self.up)
    }

    pub(crate) fn rect_to_world(self, [min, max]: [glam::Vec2; 2]) -> Rect {
        Rect::from_corners(self.to_world(min), self.to_world(max))
    }
}

/// A mesh of the level was loaded, or loaded again after its file changed, and
/// agents use it from now on.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct NavLevelLoaded {
    /// Whether the handle of the level is the same as before: its file has
    /// changed, or its origin.
    pub is_reload: bool,
}

/// Which mesh is in play, and how often that changed.
#[derive(Resource, Debug, Default)]
pub(crate) struct InPlay {
    pub(crate) frame: Option<Frame>,
    /// The mesh that `frame` and the queues were made for.
    pub(crate) mesh: Option<Handle<NavMesh>>,
    pub(crate) identity: u64,
    /// Increases with every mesh. Agents look up their layer again.
    pub(crate) generation: u32,
}

/// The mesh in play, for the systems of this crate.
#[derive(SystemParam)]
pub(crate) struct Level<'w> {
    wanted: Option<Res<'w, NavLevel>>,
    meshes: Res<'w, Assets<NavMesh>>,
    in_play: Res<'w, InPlay>,
}

impl Level<'_> {
    /// `None` until the mesh is loaded. The game may have replaced the level since the
    /// last [`NavSystems::Level`](crate::NavSystems), and spawned the agents of the next.
    pub(crate) fn get(&self) -> Option<(&NavMesh, Frame, u32)> {
        let (wanted, in_play) = (self.wanted.as_ref()?, &self.in_play);
        let handle = in_play.mesh.as_ref().filter(|mesh| **mesh == wanted.mesh)?;
        let mesh = self.meshes.get(handle)?;
        Some((mesh, in_play.frame?, in_play.generation))
    }
}

/// The doors of the level in play: rectangles of class `door` in the level
/// editor.
///
/// ```
/// # use bevy::ecs::prelude::*;
/// # use bevy_navbake::NavDoors;
/// fn lever_pulled(mut doors: ResMut<NavDoors>) -> Result {
///     doors.close("gate")?;
///     Ok(())
/// }
/// ```
///
/// Agents plan again around a door that closes. When the file of the level is
/// loaded again, doors of the same name stay as they are; in another level,
/// doors begin as the level says.
#[derive(Resource, Debug, Default)]
pub struct NavDoors {
    pub(crate) doors: Doors,
    /// The name and rectangle of each door of the level.
    places: Vec<(String, Rect)>,
}

impl NavDoors {
    /// Takes the doors of a mesh. `keep` is whether the doors of the same names
    /// keep their state.
    pub(crate) fn enter(&mut self, mesh: &NavMesh, frame: Frame, keep: bool) {
        let before = std::mem::replace(&mut self.doors, Doors::from_mesh(mesh));
        self.places = mesh
            .doors()
            .map(|door| {
                let place = frame.rect_to_world([door.min, door.max]);
                (door.marker.name.clone(), place)
            })
            .collect();
        for (name, _) in self.places.iter().filter(|_| keep) {
            // The name is that of a door of this mesh, so it is known.
            let _ = match before.is_closed(name) {
                Some(true) => self.doors.close(name),
                Some(false) => self.doors.open(name),
                None => continue,
            };
        }
    }

    /// Closes every door of a name. Returns whether any of them was open.
    ///
    /// # Errors
    /// When the level has no door of that name, or is not loaded yet.
    pub fn close(&mut self, name: &str) -> Result<bool, UnknownDoor> {
        self.doors.close(name)
    }

    /// Opens every door of a name. Returns whether any of them was closed.
    ///
    /// # Errors
    /// When the level has no door of that name, or is not loaded yet.
    pub fn open(&mut self, name: &str) -> Result<bool, UnknownDoor> {
        self.doors.open(name)
    }

    /// Whether a door of that name is closed; `None` when the level has no such
    /// door.
    pub fn is_closed(&self, name: &str) -> Option<bool> {
        self.doors.is_closed(name)
    }

    /// The name, the rectangle (world units) and whether it is closed, of every
    /// door of the level, in its order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Rect, bool)> {
        self.places.iter().map(|(name, place)| {
            let is_closed = self.doors.is_closed(name) == Some(true);
            (name.as_str(), *place, is_closed)
        })
    }
}
