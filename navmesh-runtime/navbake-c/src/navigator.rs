//! A level in play: its mesh, its doors, and the path searches of all agents.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::{Arc, MutexGuard};

use navmesh_runtime::Navigator;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::search::{Doors, Path, PathFinder, PathOutcome, Query, Rect, line_of_sight};

use crate::border::{
    Error, NbResult, NbVec2, Outcome, Shared, Versioned, check_size, free, guard, handle, place,
    put, put_if, put_list, put_new, read_struct, text, write_struct,
};
use crate::filter::{NbFilter, read_filter};
use crate::mesh::{NbMesh, NbProfile, layer_in};
use crate::report::{NbReason, NbStep};

/// A level in play: its mesh, its doors, and the path searches of all agents in it.
#[derive(Debug)]
pub struct NbNav(Shared<Level>);

#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) nav: Navigator,
    /// For queries that no agent makes.
    finder: PathFinder,
}

pub(crate) fn lock(nav: Option<&NbNav>) -> Outcome<MutexGuard<'_, Level>> {
    handle(nav, "navigator")?.0.lock("navigator")
}

fn change(nav: Option<&NbNav>, f: impl FnOnce(&mut Navigator) -> Outcome) -> NbResult {
    guard(|| f(&mut lock(nav)?.nav))
}

/// Begins to play a level. Its doors are open, except those with the property `closed`,
/// and agents get their paths at once. The mesh may be freed.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_new(
    mesh: Option<&NbMesh>,
    nav: Option<&mut MaybeUninit<Option<Box<NbNav>>>>,
) -> NbResult {
    guard(|| {
        put_new(nav, || {
            let mesh = Arc::clone(&handle(mesh, "mesh")?.mesh);
            let (nav, finder) = (Navigator::new(mesh), PathFinder::new());
            Ok(NbNav(Shared::new(Level { nav, finder })))
        })
    })
}

/// Frees a navigator. Its agents may still exist.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_free(nav: Option<Box<NbNav>>) {
    free(nav);
}

/// Replaces the mesh, when the level was baked again or another one begins. Doors keep
/// their state if the new mesh has a door of the same name. Agents find their place in
/// the next step, and plan again for the destinations that they have.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_set_mesh(nav: Option<&NbNav>, mesh: Option<&NbMesh>) -> NbResult {
    change(nav, |nav| {
        nav.set_mesh(Arc::clone(&handle(mesh, "mesh")?.mesh));
        Ok(())
    })
}

/// Bounds the path searches of a frame: `nb_nav_work` looks at no more than this number of
/// nodes, and agents follow the path they have until the next one is found. 2,000 is a
/// usual number. With 0, as in the beginning, agents get their paths at once.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_set_budget(nav: Option<&NbNav>, nodes: u32) -> NbResult {
    change(nav, |nav| {
        nav.set_budget((nodes > 0).then_some(nodes));
        Ok(())
    })
}

/// Answers the waiting requests of agents within the budget, and returns how many. Call it
/// once in each frame.
///
/// `answered` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_work(
    nav: Option<&NbNav>,
    answered: Option<&mut MaybeUninit<u32>>,
) -> NbResult {
    change(nav, |nav| {
        put_if(answered, nav.work());
        Ok(())
    })
}

/// Gives the level the time, in seconds at the begin of the next step. Agents ride on platforms
/// that move from then on. A game that pauses sets the same time again, and may set it back.
/// With a number that is not finite, as in the beginning, no agent rides.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_set_clock(nav: Option<&NbNav>, seconds: f64) -> NbResult {
    change(nav, |nav| {
        nav.set_clock(Some(seconds).filter(|seconds| seconds.is_finite()));
        Ok(())
    })
}

/// Closes or opens every door of a name. Agents plan again around a door that
/// closes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_nav_set_door(
    nav: Option<&NbNav>,
    name: *const c_char,
    closed: i32,
) -> NbResult {
    change(nav, |nav| {
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(name, "name of the door") }?;
        let set = if closed == 0 {
            Doors::open
        } else {
            Doors::close
        };
        set(nav.doors_mut(), name).map_err(Error::unknown)?;
        Ok(())
    })
}

/// Whether a door of that name is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_nav_is_door_closed(
    nav: Option<&NbNav>,
    name: *const c_char,
    is_closed: Option<&mut MaybeUninit<i32>>,
) -> NbResult {
    change(nav, |nav| {
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(name, "name of the door") }?;
        let closed = nav
            .doors()
            .is_closed(name)
            .ok_or_else(|| Error::unknown(format_args!("no door is named {name:?}")))?;
        put(is_closed, i32::from(closed))
    })
}

/// Closes any rectangle with finite corners, for instance where a boulder lies. One that
/// is closed twice is open when it was opened twice.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_close_region(
    nav: Option<&NbNav>,
    corner: NbVec2,
    opposite: NbVec2,
) -> NbResult {
    change(nav, |nav| {
        let rect = Rect::new(place(corner, "corner")?, place(opposite, "corner")?);
        nav.doors_mut().close_region(rect);
        Ok(())
    })
}

/// Opens a rectangle again that was closed with these corners. Nothing changes if it is
/// open.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_open_region(
    nav: Option<&NbNav>,
    corner: NbVec2,
    opposite: NbVec2,
) -> NbResult {
    change(nav, |nav| {
        let rect = Rect::new(place(corner, "corner")?, place(opposite, "corner")?);
        nav.doors_mut().open_region(rect);
        Ok(())
    })
}

/// Takes everything solid in a rectangle with finite corners out of the level: ground that
/// crumbles. Give it all of the ground that is gone, to its lower side. Agents on it fall in
/// their next step and find other ways. It takes the time of loading a mesh.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_remove(nav: Option<&NbNav>, corner: NbVec2, opposite: NbVec2) -> NbResult {
    change(nav, |nav| {
        nav.remove(Rect::new(
            place(corner, "corner")?,
            place(opposite, "corner")?,
        ));
        Ok(())
    })
}

/// Puts back what `nb_nav_remove` took out of a rectangle with these corners. Nothing changes
/// if it was not removed. One that was removed twice is back when it was restored twice.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_restore(
    nav: Option<&NbNav>,
    corner: NbVec2,
    opposite: NbVec2,
) -> NbResult {
    change(nav, |nav| {
        nav.restore(Rect::new(
            place(corner, "corner")?,
            place(opposite, "corner")?,
        ));
        Ok(())
    })
}

/// A path query.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbQuery {
    /// `sizeof(NbQuery)`, set by the caller.
    pub size: u32,
    /// 1 if the path may lead to the reachable point nearest to a goal that cannot be
    /// reached.
    pub allow_partial_path: i32,
    /// Feet at the start.
    pub from: NbVec2,
    /// Feet at the goal.
    pub to: NbVec2,
    /// What the path may not use, and what costs more; may be null.
    pub filter: *const NbFilter,
    /// The limits of the agent that asks, as for `nb_agent_set_profile`; null for those
    /// that the layer was baked for.
    pub profile: *const NbProfile,
}

// SAFETY: repr(C); six numbers of four bytes, then pointers, so there is no padding; any
// bytes are a value.
unsafe impl Versioned for NbQuery {
    const NAME: &'static str = "NbQuery";
    const FIRST: usize = 24;
}

/// Reads a query.
///
/// # Safety
/// `query` is a struct of its size, and its pointers are null or point to structs of
/// their sizes.
unsafe fn read_query(layer: &Layer, query: *const NbQuery) -> Result<Query, Error> {
    // SAFETY: required of the caller.
    let asked = unsafe { read_struct(query) }?;
    let mut query = Query::new(asked.from.into(), asked.to.into());
    query.allow_partial_path = asked.allow_partial_path != 0;
    // SAFETY: required of the caller.
    query.filter = unsafe { read_filter(asked.filter) }?;
    if !asked.profile.is_null() {
        // SAFETY: required of the caller.
        let limits = unsafe { read_struct(asked.profile) }?;
        query.profile = Some(limits.limit(layer.profile()));
        // As agents do.
        query.filter.replace_jumps = true;
    }
    Ok(query)
}

/// The outcome of a path query.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbFound {
    /// There is no path; `reason` says why.
    None = 0,
    /// A path to the goal.
    Goal = 1,
    /// A path to the reachable point nearest to the goal; `reason` says why not to
    /// the goal itself.
    Nearest = 2,
}

/// A path without its steps.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbPath {
    /// `sizeof(NbPath)`, set by the caller.
    pub size: u32,
    /// One of `NbFound`.
    pub found: u32,
    /// One of `NbReason`.
    pub reason: u32,
    /// Seconds, and what the filter adds to them.
    pub cost: f32,
    /// Feet at the start, on the floor.
    pub start: NbVec2,
    /// Feet at the end.
    pub end: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbPath {
    const NAME: &'static str = "NbPath";
    const FIRST: usize = 32;
}

/// Finds the fastest path of a layer at once, around the doors that are closed. That there
/// is none is not an error: see `found`.
///
/// `path` is also written when the buffer for the steps is too small.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_nav_find(
    nav: Option<&NbNav>,
    layer: u32,
    query: *const NbQuery,
    path: *mut NbPath,
    steps: *mut NbStep,
    capacity: usize,
    step_size: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let Level { nav, finder } = &mut *lock(nav)?;
        let layer = layer_in(nav.mesh(), layer)?;
        // SAFETY: the contract of the header.
        let mut query = unsafe { read_query(layer, query) }?;
        check_size::<NbStep>(step_size)?;
        query.filter.close_doors(nav.doors());
        let found = finder.find(layer, &query);
        let (found, reason, way) = match found.map_err(Error::argument)? {
            PathOutcome::Found(way) => (NbFound::Goal, NbReason::None, Some(way)),
            PathOutcome::Nearest(way, why) => (NbFound::Nearest, why.into(), Some(way)),
            PathOutcome::NoPath(why) => (NbFound::None, why.into(), None),
            _ => (NbFound::None, NbReason::Unknown, None),
        };
        let empty = Path::default();
        let way = way.unwrap_or(&empty);
        // As agents do, on to a goal in the air that lies beside the vertices.
        let last = (found == NbFound::Goal).then(|| query.final_flight(layer, way));
        let last = last.flatten();
        let value = NbPath {
            found: found as u32,
            reason: reason as u32,
            cost: way.cost as f32 + last.map_or(0.0, |step| step.duration),
            start: way.start.into(),
            end: last.map_or(way.end, |step| step.to).into(),
            ..NbPath::default()
        };
        // SAFETY: a struct of its size, and a buffer of that capacity and size of
        // its elements: the contract of the header.
        unsafe {
            write_struct(path, &value)?;
            let own = way.steps.iter().chain(&last).map(NbStep::from);
            put_list(own, steps, capacity, step_size, count)
        }
    })
}

/// Builds an index of routes for agents like the query: with its profile, and with the
/// edges and caution of its filter. `nb_layer_index_routes` is for agents as they were
/// baked. Call it while the level loads; every search uses the index. For an
/// `NbAgent` give a profile, also if it is that of the layer. Returns the size of the index
/// in memory: 0 for layers of agents that both walk and fly, and for the ninth kind of agent
/// in a layer. The positions of the query do not matter, but must be finite.
///
/// `bytes` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_nav_index_routes(
    nav: Option<&NbNav>,
    layer: u32,
    query: *const NbQuery,
    bytes: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let Level { nav, finder } = &mut *lock(nav)?;
        let layer = layer_in(nav.mesh(), layer)?;
        // SAFETY: the contract of the header.
        let query = unsafe { read_query(layer, query) }?;
        let size = finder.index_routes(layer, &query);
        put_if(bytes, size.map_err(Error::argument)?);
        Ok(())
    })
}

/// Whether nothing solid, and no closed door, is on a straight line. The
/// smaller the body of the layer's agent, the more exact it is.
#[unsafe(no_mangle)]
pub extern "C" fn nb_nav_line_of_sight(
    nav: Option<&NbNav>,
    layer: u32,
    from: NbVec2,
    to: NbVec2,
    is_free: Option<&mut MaybeUninit<i32>>,
) -> NbResult {
    change(nav, |nav| {
        let layer = layer_in(nav.mesh(), layer)?;
        let (from, to) = (place(from, "start")?, place(to, "end")?);
        put(is_free, line_of_sight(layer, nav.doors(), from, to).into())
    })
}
