//! The mesh asset, the level in play, and its doors.

use std::collections::BTreeSet;
use std::sync::Arc;

use bevy::asset::io::Reader;
use bevy::asset::{Asset, AssetLoader, Handle, LoadContext};
use bevy::ecs::prelude::*;
use bevy::math::{Rect, Vec2};
use bevy::reflect::TypePath;
use navmesh_runtime::Navigator;
use navmesh_runtime::asset::{self, AssetError};
use navmesh_runtime::glam;
use navmesh_runtime::mesh::TICKS;
use navmesh_runtime::search::{Doors, UnknownDoor};

/// A navigation mesh: a `.navmesh` file that `navbake bake` wrote.
///
/// It derefs to the runtime's [`NavMesh`](navmesh_runtime::NavMesh), which has
/// the layers and markers in the coordinates of the level. [`NavLevel`] converts
/// these to positions in the Bevy world.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct NavMesh(Arc<navmesh_runtime::NavMesh>);

impl From<navmesh_runtime::NavMesh> for NavMesh {
    fn from(mesh: navmesh_runtime::NavMesh) -> Self {
        Self(Arc::new(mesh))
    }
}

impl std::ops::Deref for NavMesh {
    type Target = navmesh_runtime::NavMesh;

    fn deref(&self) -> &Self::Target {
        &self.0
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
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Frame {
    origin: Vec2,
    /// The change of the mesh's y when a point moves up by one unit.
    up: f32,
}

impl Frame {
    fn new(level: &NavLevel, mesh: &navmesh_runtime::NavMesh) -> Self {
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

    fn rect_to_mesh(self, rect: Rect) -> navmesh_runtime::search::Rect {
        let [min, max] = [rect.min, rect.max].map(|corner| self.to_mesh(corner));
        navmesh_runtime::search::Rect::new(min, max)
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

/// The level in play: its doors, and the path searches of all agents. Doors are
/// rectangles of class `door` in the level editor.
///
/// ```
/// # use bevy::ecs::prelude::*;
/// # use bevy_navbake::NavWorld;
/// fn lever_pulled(mut world: ResMut<NavWorld>) {
///     world.close("gate");
/// }
/// ```
///
/// Agents plan again around a door that closes. When the file of the level is
/// loaded again, doors of the same name stay as they are; in another level,
/// doors begin as the level says.
///
/// Path requests of one layer are answered in their order, and walking agents with one
/// destination share one search. Agents follow the path they have until the next
/// one is found.
#[derive(Resource, Debug)]
pub struct NavWorld {
    /// The most nodes that the searches of an update look at. With more, agents
    /// react sooner; with less, no update takes long. 2,000 take about a
    /// millisecond; in small levels, where fliers look up short flights in the index of
    /// routes, up to a few.
    pub budget: u32,
    nav: Option<Navigator>,
    /// Whose mesh it is, and that mesh as it was loaded.
    handle: Option<Handle<NavMesh>>,
    loaded: Option<Arc<navmesh_runtime::NavMesh>>,
    frame: Frame,
    /// Increases with every mesh. Agents look up their layer again.
    generation: u32,
    /// Names of doors that were asked for in vain in the level in play.
    unknown_doors: BTreeSet<String>,
}

impl NavWorld {
    pub(crate) fn new(budget: u32) -> Self {
        Self {
            budget,
            nav: None,
            handle: None,
            loaded: None,
            frame: Frame::default(),
            generation: 0,
            unknown_doors: BTreeSet::new(),
        }
    }

    /// Puts a mesh into play, unless it is. Returns whether it replaces another version
    /// of the same level, `None` when it was in play before.
    pub(crate) fn enter(&mut self, level: &NavLevel, mesh: &NavMesh) -> Option<bool> {
        let frame = Frame::new(level, mesh);
        let is_same = self.handle.as_ref() == Some(&level.mesh);
        match &mut self.nav {
            Some(nav) if is_same => {
                // The game may have changed the mesh in play.
                let loaded = self.loaded.as_ref();
                if loaded.is_some_and(|old| Arc::ptr_eq(old, &mesh.0)) && self.frame == frame {
                    return None;
                }
                nav.set_mesh(Arc::clone(&mesh.0));
            }
            nav => {
                let mut new = Navigator::new(Arc::clone(&mesh.0));
                new.set_budget(Some(self.budget));
                *nav = Some(new);
            }
        }
        self.unknown_doors.clear();
        self.frame = frame;
        self.handle = Some(level.mesh.clone());
        self.loaded = Some(Arc::clone(&mesh.0));
        self.generation = self.generation.wrapping_add(1).max(1);
        Some(is_same)
    }

    pub(crate) fn leave(&mut self) {
        (self.nav, self.handle, self.loaded) = (None, None, None);
    }

    /// The level in play. `None` until its mesh is loaded. The game may have replaced the
    /// level since the last [`NavSystems::Level`](crate::NavSystems), and spawned the
    /// agents of the next.
    pub(crate) fn in_play(&mut self, wanted: Option<&NavLevel>) -> Option<InPlay<'_>> {
        if self.handle.as_ref() != Some(&wanted?.mesh) {
            return None;
        }
        Some(InPlay {
            nav: self.nav.as_mut()?,
            frame: self.frame,
            generation: self.generation,
        })
    }

    #[cfg(feature = "debug")]
    pub(crate) fn frame(&self) -> Frame {
        self.frame
    }

    /// Answers waiting requests for paths.
    pub(crate) fn find_paths(&mut self) {
        if let Some(nav) = &mut self.nav {
            nav.set_budget(Some(self.budget));
            nav.work();
        }
    }

    /// The level in its own coordinates, for what this resource does not offer: path
    /// searches, lines of sight, other closed regions. `None` until it is loaded.
    pub fn navigator(&self) -> Option<&Navigator> {
        self.nav.as_ref()
    }

    /// The level in its own coordinates. `None` until it is loaded.
    pub fn navigator_mut(&mut self) -> Option<&mut Navigator> {
        self.nav.as_mut()
    }

    /// Closes every door of a name. Returns whether any of them was open. When the level has
    /// no door of that name, or is not loaded yet, it warns once and returns `false`.
    pub fn close(&mut self, name: &str) -> bool {
        self.set(name, Doors::close)
    }

    /// Opens every door of a name. Returns whether any of them was closed. When the level
    /// has no door of that name, or is not loaded yet, it warns once and returns `false`.
    pub fn open(&mut self, name: &str) -> bool {
        self.set(name, Doors::open)
    }

    fn set(&mut self, name: &str, set: fn(&mut Doors, &str) -> Result<bool, UnknownDoor>) -> bool {
        let Some(nav) = &mut self.nav else {
            self.warn_of_door(name, "the level is not loaded yet");
            return false;
        };
        match set(nav.doors_mut(), name) {
            Ok(is_changed) => is_changed,
            Err(error) => {
                self.warn_of_door(name, &error.to_string());
                false
            }
        }
    }

    fn warn_of_door(&mut self, name: &str, problem: &str) {
        if self.unknown_doors.insert(name.to_owned()) {
            tracing::warn!("the door {name:?} stays as it is: {problem}");
        }
    }

    /// Whether a door of that name is closed; `None` when the level has no such
    /// door.
    pub fn is_closed(&self, name: &str) -> Option<bool> {
        self.nav.as_ref()?.doors().is_closed(name)
    }

    /// The name, the rectangle (world units) and whether it is closed, of every
    /// door of the level, in its order.
    pub fn doors(&self) -> impl Iterator<Item = (&str, Rect, bool)> {
        self.nav.iter().flat_map(|nav| {
            nav.mesh().doors().map(|door| {
                let name = door.marker.name.as_str();
                let place = self.frame.rect_to_world([door.min, door.max]);
                (name, place, nav.doors().is_closed(name) == Some(true))
            })
        })
    }

    /// Gives the level the time, in seconds at the begin of the next update: agents ride on
    /// platforms that move. Does nothing before the level is loaded. See
    /// [`Navigator::set_clock`].
    pub fn set_clock(&mut self, seconds: f64) {
        if let Some(nav) = &mut self.nav {
            nav.set_clock(seconds);
        }
    }

    /// The platforms on which agents ride, by the names of their markers: where they are at a
    /// time in seconds, and their velocities.
    pub fn moving_platforms(&self, seconds: f64) -> impl Iterator<Item = (&str, Rect, Vec2)> {
        let meshes = self.nav.iter().map(Navigator::mesh);
        meshes.flat_map(move |mesh| {
            mesh.moving_platforms().map(move |on| {
                let name = mesh.marker(on.marker).map_or("", |marker| &*marker.name);
                let (at, velocity) = on.schedule.state(seconds * TICKS);
                let (at, velocity) = (at.as_vec2(), velocity.as_vec2());
                let end = at + glam::Vec2::new(on.size.x, mesh.down() * on.size.y);
                let place = self.frame.rect_to_world([at, end]);
                (name, place, self.frame.vector_to_world(velocity))
            })
        })
    }

    /// Takes everything solid in a rectangle of the world out of the level: ground that
    /// crumbles. Agents on it fall in their next update, keep their destinations and find
    /// other ways. Does nothing before the level is loaded. See [`Navigator::remove`].
    pub fn remove(&mut self, region: Rect) {
        let region = self.frame.rect_to_mesh(region);
        if let Some(nav) = &mut self.nav {
            nav.remove(region);
        }
    }

    /// Puts back what [`remove`](Self::remove) took out of a rectangle. Returns `false` when
    /// it was not removed.
    pub fn restore(&mut self, region: Rect) -> bool {
        let region = self.frame.rect_to_mesh(region);
        self.nav.as_mut().is_some_and(|nav| nav.restore(region))
    }

    /// Goes on with another version of the level, such as one that a `LiveLevel` of
    /// `navmesh-bake` made of an edit. Does nothing before the level is loaded. See
    /// [`Navigator::set_mesh`].
    pub fn set_mesh(&mut self, mesh: impl Into<Arc<navmesh_runtime::NavMesh>>) {
        if let Some(nav) = &mut self.nav {
            nav.set_mesh(mesh);
            self.generation = self.generation.wrapping_add(1).max(1);
        }
    }

    /// Closes a rectangle of the world, for instance where a boulder lies. One that is closed
    /// twice is open when it was opened twice. Returns `false` before the level is loaded.
    pub fn close_region(&mut self, region: Rect) -> bool {
        let region = self.frame.rect_to_mesh(region);
        let nav = self.nav.as_mut();
        nav.map(|nav| nav.doors_mut().close_region(region))
            .is_some()
    }

    /// Opens a rectangle again that [`close_region`](Self::close_region) closed. Nothing
    /// changes if it is open. Returns `false` before the level is loaded.
    pub fn open_region(&mut self, region: Rect) -> bool {
        let region = self.frame.rect_to_mesh(region);
        let nav = self.nav.as_mut();
        nav.map(|nav| nav.doors_mut().open_region(region)).is_some()
    }

    /// The number of agents that wait for a path.
    pub fn waiting(&self) -> usize {
        self.nav.as_ref().map_or(0, Navigator::waiting)
    }
}

/// The level in play, for the systems of this crate.
pub(crate) struct InPlay<'a> {
    pub(crate) nav: &'a mut Navigator,
    pub(crate) frame: Frame,
    pub(crate) generation: u32,
}
