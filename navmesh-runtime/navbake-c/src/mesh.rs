//! Nav meshes: loading, layers and markers.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

use navmesh_runtime::asset::{self, AssetError};
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, Layer, LayerId, Marker, MarkerKind, NavMesh, TICKS};
use navmesh_runtime::search::SnapTo;

use crate::border::{
    Error, NbResult, NbVec2, Outcome, Versioned, bytes, free, guard, handle, place, put, put_list,
    put_new, put_text, text, write_struct,
};

/// A baked level. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct NbMesh {
    pub(crate) mesh: Arc<NavMesh>,
}

impl NbMesh {
    fn new(mesh: NavMesh) -> Self {
        let mesh = Arc::new(mesh);
        Self { mesh }
    }

    fn marker(&self, number: u32) -> Outcome<&Marker> {
        let markers = self.mesh.markers();
        markers.get(number as usize).ok_or_else(|| {
            let count = markers.len();
            Error::unknown(format_args!(
                "there is no marker {number}: the level has {count}"
            ))
        })
    }
}

pub(crate) fn layer_in(mesh: &NavMesh, number: u32) -> Outcome<&Layer> {
    mesh.layer(LayerId(number)).ok_or_else(|| {
        let count = mesh.layers().len();
        Error::unknown(format_args!(
            "there is no layer {number}: the level has {count}; use nb_mesh_layer"
        ))
    })
}

/// The layer that was baked for an agent.
pub(crate) fn layer_named(mesh: &NavMesh, agent: &str) -> Outcome<LayerId> {
    mesh.layer_id(agent).ok_or_else(|| {
        let names = mesh.layers().iter().map(|layer| &*layer.profile().name);
        let names = names.collect::<Vec<_>>().join(", ");
        Error::unknown(format_args!(
            "the level was not baked for an agent {agent:?}; there are {names}"
        ))
    })
}

pub(crate) fn layer_of(mesh: Option<&NbMesh>, layer: u32) -> Outcome<&Layer> {
    layer_in(&handle(mesh, "mesh")?.mesh, layer)
}

/// Reads a level from the bytes of a .navmesh file. They are not needed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_mesh_load(
    data: *const u8,
    length: usize,
    mesh: Option<&mut MaybeUninit<Option<Box<NbMesh>>>>,
) -> NbResult {
    guard(|| {
        put_new(mesh, || {
            // SAFETY: so many bytes: the contract of the header.
            let data = unsafe { bytes(data, length, "data") }?;
            let mesh =
                asset::decode(data).map_err(|error| Error::new(NbResult::ErrorMesh, error))?;
            Ok(NbMesh::new(mesh))
        })
    })
}

/// Reads a level from a .navmesh file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_mesh_load_file(
    path: *const c_char,
    mesh: Option<&mut MaybeUninit<Option<Box<NbMesh>>>>,
) -> NbResult {
    guard(|| {
        put_new(mesh, || {
            // SAFETY: a text: the contract of the header.
            let path = unsafe { text(path, "path") }?;
            let mesh = asset::load(path).map_err(|error| {
                let result = match error {
                    AssetError::Io { .. } => NbResult::ErrorFile,
                    _ => NbResult::ErrorMesh,
                };
                Error::new(result, error)
            })?;
            Ok(NbMesh::new(mesh))
        })
    })
}

/// Frees a level. Navigators keep what they need of it.
#[unsafe(no_mangle)]
pub extern "C" fn nb_mesh_free(mesh: Option<Box<NbMesh>>) {
    free(mesh);
}

/// The number of layers: one for each agent that the level was baked for. 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn nb_mesh_layer_count(mesh: Option<&NbMesh>) -> u32 {
    mesh.map_or(0, |mesh| mesh.mesh.layers().len() as u32)
}

/// Looks up the layer that was baked for an agent: `ground`, `air`, or a name of
/// navbake.toml. Numbers are those of this mesh; look them up again in another one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_mesh_layer(
    mesh: Option<&NbMesh>,
    agent: *const c_char,
    layer: Option<&mut MaybeUninit<u32>>,
) -> NbResult {
    guard(|| {
        let mesh = &handle(mesh, "mesh")?.mesh;
        // SAFETY: a text: the contract of the header.
        let agent = unsafe { text(agent, "agent's name") }?;
        put(layer, layer_named(mesh, agent)?.0)
    })
}

/// The name of the agent that a layer was baked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_layer_name(
    mesh: Option<&NbMesh>,
    layer: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let layer = layer_of(mesh, layer)?;
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_text(&layer.profile().name, buffer, capacity, length) }
    })
}

/// The limits of an agent. Lengths are world units, speeds units/s, accelerations
/// units/s²; all are magnitudes, for both directions of y.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbProfile {
    /// `sizeof(NbProfile)`, set by the caller.
    pub size: u32,
    /// Width and height of the body.
    pub body: NbVec2,
    /// Greatest speed on the floor; for agents that fly, in every direction.
    pub run_speed: f32,
    /// Greatest increase of speed.
    pub acceleration: f32,
    /// Greatest decrease of speed.
    pub deceleration: f32,
    /// Greatest height of a jump.
    pub jump_height: f32,
    /// Upward speed at the launch of the highest jump.
    pub jump_speed: f32,
    /// Downward acceleration in jumps and drops.
    pub gravity: f32,
    /// Greatest falling speed; 0 for no limit.
    pub max_fall_speed: f32,
    /// Greatest horizontal acceleration in the air; 0 for no limit.
    pub air_acceleration: f32,
    /// Speed on ladders, walls and ceilings; 0 for agents that do not climb.
    pub climb_speed: f32,
    /// 1 if y grows downwards in the level, -1 if it grows upwards.
    pub down: f32,
    /// Farthest across and highest up that a jump leads; may be infinite. 0 for what the
    /// layer was baked for.
    pub max_jump: NbVec2,
    /// Farthest across and deepest down that a drop leads; may be infinite. 0 for what the
    /// layer was baked for.
    pub max_drop: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbProfile {
    const NAME: &'static str = "NbProfile";
    const FIRST: usize = 52;
}

impl NbProfile {
    pub(crate) fn new(profile: &AgentProfile, down: f32) -> Self {
        Self {
            body: Vec2::from(profile.body).into(),
            run_speed: profile.run_speed,
            acceleration: profile.acceleration,
            deceleration: profile.deceleration,
            jump_height: profile.jump_height,
            jump_speed: profile.jump_speed,
            gravity: profile.gravity,
            max_fall_speed: profile.max_fall_speed.unwrap_or(0.0),
            air_acceleration: profile.air_acceleration.unwrap_or(0.0),
            climb_speed: profile.climb_speed,
            down,
            max_jump: Vec2::from(profile.max_jump).into(),
            max_drop: Vec2::from(profile.max_drop).into(),
            ..Self::default()
        }
    }

    /// A profile with these limits. The size of the body is the layer's.
    pub(crate) fn limit(&self, profile: &AgentProfile) -> AgentProfile {
        let some = |value| (value != 0.0).then_some(value);
        let or = |NbVec2 { x, y }, [across, height]: [f32; 2]| {
            [some(x).unwrap_or(across), some(y).unwrap_or(height)]
        };
        AgentProfile {
            run_speed: self.run_speed,
            acceleration: self.acceleration,
            deceleration: self.deceleration,
            jump_height: self.jump_height,
            jump_speed: self.jump_speed,
            gravity: self.gravity,
            max_fall_speed: some(self.max_fall_speed),
            air_acceleration: some(self.air_acceleration),
            climb_speed: self.climb_speed,
            max_jump: or(self.max_jump, profile.max_jump),
            max_drop: or(self.max_drop, profile.max_drop),
            ..profile.clone()
        }
    }
}

/// The limits that a layer was baked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_layer_profile(
    mesh: Option<&NbMesh>,
    layer: u32,
    profile: *mut NbProfile,
) -> NbResult {
    guard(|| {
        let down = handle(mesh, "mesh")?.mesh.down();
        let own = NbProfile::new(layer_of(mesh, layer)?.profile(), down);
        // SAFETY: a struct of its size: the contract of the header.
        unsafe { write_struct(profile, &own) }
    })
}

/// Where an agent of this layer comes to rest that is put at a position: the floor,
/// ladder or wall there, or the floor below. An error if there is no such place.
/// For spawn points.
#[unsafe(no_mangle)]
pub extern "C" fn nb_layer_place(
    mesh: Option<&NbMesh>,
    layer: u32,
    position: NbVec2,
    place_at: Option<&mut MaybeUninit<NbVec2>>,
) -> NbResult {
    guard(|| {
        let rest = layer_of(mesh, layer)?.snap(place(position, "position")?, SnapTo::Rest);
        let rest = rest.ok_or_else(|| {
            Error::unknown("there is no place for the agent at this position or below it")
        })?;
        put(place_at, rest.position.into())
    })
}

/// The left and the right end of the floor below a position, as far as the agent can
/// walk there. An error if there is no floor. For patrols.
#[unsafe(no_mangle)]
pub extern "C" fn nb_layer_floor_ends(
    mesh: Option<&NbMesh>,
    layer: u32,
    position: NbVec2,
    left: Option<&mut MaybeUninit<NbVec2>>,
    right: Option<&mut MaybeUninit<NbVec2>>,
) -> NbResult {
    guard(|| {
        let ends = layer_of(mesh, layer)?.platform_ends(place(position, "position")?);
        let [l, r] = ends.ok_or_else(|| Error::unknown("there is no floor below"))?;
        // Both or none: a null `right` must not leave `left` written.
        let right = right.ok_or_else(|| Error::argument("the pointer for a result is null"))?;
        put(left, l.into())?;
        put(Some(right), r.into())
    })
}

/// Builds the index of routes of a layer, with which paths are looked up instead of
/// searched for. Call it while the level loads: for 6,500 links it takes 0.04 s, for
/// 120,000 it takes 1.2 s, and a fifth of that or less for a level that was baked with
/// `index_routes = true`.
#[unsafe(no_mangle)]
pub extern "C" fn nb_layer_index_routes(mesh: Option<&NbMesh>, layer: u32) -> NbResult {
    guard(|| {
        layer_of(mesh, layer)?.index_routes();
        Ok(())
    })
}

/// What a marker is for.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbMarkerKind {
    /// A class that is the game's own.
    Other = 0,
    /// `spawn`: an agent or the player enters the level here.
    Spawn = 1,
    /// `waypoint`: a point of interest.
    Waypoint = 2,
    /// `portal`: one end of a connection that teleports.
    Portal = 3,
    /// `door`, also `breakable`: a region that the game opens and closes.
    Door = 4,
    /// `area`: a region with a meaning to the game.
    Area = 5,
    /// `nav_area`: the part of the level that was baked.
    NavArea = 6,
    /// `link`: a move that the game performs, or one end of it.
    Link = 7,
    /// `spring`: throws bodies that touch it.
    Spring = 8,
}

impl From<MarkerKind> for NbMarkerKind {
    fn from(kind: MarkerKind) -> Self {
        match kind {
            MarkerKind::Spawn => Self::Spawn,
            MarkerKind::Waypoint => Self::Waypoint,
            MarkerKind::Portal => Self::Portal,
            MarkerKind::Link => Self::Link,
            MarkerKind::Spring => Self::Spring,
            MarkerKind::Door => Self::Door,
            MarkerKind::Area => Self::Area,
            MarkerKind::NavArea => Self::NavArea,
            _ => Self::Other,
        }
    }
}

/// A position or region that is marked in the level.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbMarker {
    /// `sizeof(NbMarker)`, set by the caller.
    pub size: u32,
    /// One of `NbMarkerKind`.
    pub kind: u32,
    /// The corner of its bounding box with the smaller coordinates.
    pub min: NbVec2,
    /// The corner with the larger coordinates.
    pub max: NbVec2,
    /// The feet of an agent that is placed at it: the middle of the lower edge.
    pub feet: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbMarker {
    const NAME: &'static str = "NbMarker";
    const FIRST: usize = 32;
}

/// The number of markers, which are in the order of the level. 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn nb_mesh_marker_count(mesh: Option<&NbMesh>) -> u32 {
    mesh.map_or(0, |mesh| mesh.mesh.markers().len() as u32)
}

/// A marker, by its number from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_mesh_marker(
    mesh: Option<&NbMesh>,
    number: u32,
    marker: *mut NbMarker,
) -> NbResult {
    guard(|| {
        let mesh = handle(mesh, "mesh")?;
        let (down, own) = (mesh.mesh.down(), mesh.marker(number)?);
        let [min, max] = own.bounds(down);
        let value = NbMarker {
            kind: NbMarkerKind::from(own.kind()) as u32,
            min: min.into(),
            max: max.into(),
            feet: own.feet(down).into(),
            ..NbMarker::default()
        };
        // SAFETY: a struct of its size: the contract of the header.
        unsafe { write_struct(marker, &value) }
    })
}

/// The numbers of the markers of a kind, one of `NbMarkerKind`, and of a name, unless it is
/// null: all spawns, or the spawns called `guard`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_mesh_find_markers(
    mesh: Option<&NbMesh>,
    kind: u32,
    name: *const c_char,
    numbers: *mut u32,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let mesh = handle(mesh, "mesh")?;
        let wanted = if name.is_null() {
            None
        } else {
            // SAFETY: a text: the contract of the header.
            Some(unsafe { text(name, "name") }?)
        };
        let markers = (0..).zip(mesh.mesh.markers());
        let found = markers.filter(|(_, marker)| {
            NbMarkerKind::from(marker.kind()) as u32 == kind
                && wanted.is_none_or(|name| marker.name == name)
        });
        let own = found.map(|(number, _)| number);
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_list(own, numbers, capacity, size_of::<u32>(), count) }
    })
}

/// A platform that moves, at a time.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbMovingPlatform {
    /// The number of its marker, for `nb_marker_name`.
    pub marker: u32,
    /// 1 if bodies pass through it upwards.
    pub one_way: i32,
    /// Width and height.
    pub extent: NbVec2,
    /// The left end of its top.
    pub position: NbVec2,
    /// Units per second.
    pub velocity: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbMovingPlatform {
    const NAME: &'static str = "NbMovingPlatform";
    const FIRST: usize = 32;
}

/// The platforms on which agents ride, where they are at a time in seconds. Move the platforms
/// of the game there at the end of a step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_mesh_moving_platforms(
    mesh: Option<&NbMesh>,
    seconds: f64,
    platforms: *mut NbMovingPlatform,
    capacity: usize,
    platform_size: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let platforms_now = handle(mesh, "mesh")?.mesh.moving_platforms().map(|on| {
            let (position, velocity) = on.schedule.state(seconds * TICKS);
            NbMovingPlatform {
                marker: on.marker.0,
                one_way: on.one_way.into(),
                extent: on.size.into(),
                position: position.as_vec2().into(),
                velocity: velocity.as_vec2().into(),
            }
        });
        // SAFETY: a buffer of that capacity and size of its elements: the contract of the header.
        unsafe { put_list(platforms_now, platforms, capacity, platform_size, count) }
    })
}

/// The name of a marker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_marker_name(
    mesh: Option<&NbMesh>,
    number: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let marker = handle(mesh, "mesh")?.marker(number)?;
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_text(&marker.name, buffer, capacity, length) }
    })
}

/// The class of a marker, for those of the game's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_marker_class(
    mesh: Option<&NbMesh>,
    number: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let marker = handle(mesh, "mesh")?.marker(number)?;
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_text(&marker.class, buffer, capacity, length) }
    })
}

/// The number of a marker's properties. 0 for null and for a marker that does not exist.
#[unsafe(no_mangle)]
pub extern "C" fn nb_marker_property_count(mesh: Option<&NbMesh>, number: u32) -> u32 {
    let marker = mesh.and_then(|mesh| mesh.marker(number).ok());
    marker.map_or(0, |marker| marker.properties.len() as u32)
}

/// The name of a property of a marker, by its index from 0. They are sorted by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_marker_property_name(
    mesh: Option<&NbMesh>,
    number: u32,
    index: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let properties = &handle(mesh, "mesh")?.marker(number)?.properties;
        let (name, _) = properties.get(index as usize).ok_or_else(|| {
            let count = properties.len();
            Error::unknown(format_args!("the marker has {count} properties"))
        })?;
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_text(name, buffer, capacity, length) }
    })
}

/// A property of a marker as text. `NB_RESULT_ERROR_UNKNOWN` if it has none of that
/// name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_marker_property(
    mesh: Option<&NbMesh>,
    number: u32,
    property: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let marker = handle(mesh, "mesh")?.marker(number)?;
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(property, "name of the property") }?;
        let value = marker
            .property(name)
            .ok_or_else(|| Error::unknown(format_args!("the marker has no property {name:?}")))?;
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_text(value, buffer, capacity, length) }
    })
}
