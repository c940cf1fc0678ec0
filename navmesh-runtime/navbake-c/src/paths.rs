//! Path search.

use std::mem::MaybeUninit;

use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::PathQueue;
use navmesh_runtime::search::{Path, PathFinder, PathOutcome, Query, QueryError, line_of_sight};
use navmesh_runtime::shared::{PathSource, Ticket};

use crate::border::{
    Error, NbResult, NbVec2, Shared, Versioned, check_size, free, guard, handle, place, put,
    put_if, put_list, put_new, read_struct, write_struct,
};
use crate::doors::{NbDoors, with_doors};
use crate::filter::{NbFilter, read_filter};
use crate::mesh::{NbMesh, NbProfile, layer_of};
use crate::report::{NbReason, NbStep};

/// Finds paths: one object for all agents of a layer and thread.
#[derive(Debug)]
pub struct NbPaths(pub(crate) Shared<Source>);

/// Answers agents at once, or in turn.
#[derive(Debug, Default)]
pub(crate) struct Source {
    finder: PathFinder,
    queue: Option<PathQueue>,
}

impl PathSource for Source {
    fn ask<'a>(
        &'a mut self,
        layer: &Layer,
        ticket: &mut Option<Ticket>,
        query: &Query,
    ) -> Result<PathOutcome<'a>, QueryError> {
        match &mut self.queue {
            Some(queue) => queue.ask(layer, ticket, query),
            None => self.finder.ask(layer, ticket, query),
        }
    }

    fn amend(&mut self, ticket: Ticket, query: &Query) -> bool {
        (self.queue.as_mut()).is_some_and(|queue| queue.amend(ticket, query))
    }

    fn cancel(&mut self, ticket: Ticket) {
        if let Some(queue) = &mut self.queue {
            queue.cancel(ticket);
        }
    }
}

/// Makes a path finder. If `queued` is 0, it answers agents at once; otherwise in
/// turn, when `nb_paths_work` is called, and crowds with one goal share a search.
#[unsafe(no_mangle)]
pub extern "C" fn nb_paths_new(
    queued: i32,
    paths: Option<&mut MaybeUninit<Option<Box<NbPaths>>>>,
) -> NbResult {
    guard(|| {
        put_new(paths, || {
            let queue = (queued != 0).then(PathQueue::new);
            Ok(NbPaths(Shared::new(Source {
                queue,
                ..Source::default()
            })))
        })
    })
}

/// Frees a path finder.
#[unsafe(no_mangle)]
pub extern "C" fn nb_paths_free(paths: Option<Box<NbPaths>>) {
    free(paths);
}

/// Works on the waiting requests of agents until `budget` nodes were looked at; 2,000
/// is a usual number for a frame. `answered`, which may be null, gets the number of
/// requests that were answered. Does nothing for a finder that is not queued.
#[unsafe(no_mangle)]
pub extern "C" fn nb_paths_work(
    paths: Option<&NbPaths>,
    mesh: Option<&NbMesh>,
    layer: u32,
    budget: u32,
    answered: Option<&mut MaybeUninit<u32>>,
) -> NbResult {
    guard(|| {
        let layer = layer_of(mesh, layer)?;
        let mut source = handle(paths, "path finder")?.0.lock("path finder")?;
        let queue = source.queue.as_mut();
        put_if(answered, queue.map_or(0, |queue| queue.work(layer, budget)));
        Ok(())
    })
}

/// A path query.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbQuery {
    /// `sizeof(NbQuery)`, set by the caller.
    pub size: u32,
    /// 1: if the goal cannot be reached, find a path to the reachable point nearest
    /// to it.
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

/// Finds the fastest path at once, whether or not the finder is queued. That there
/// is none is not an error: see `found`. `doors` may be null. `steps` may be null
/// with the capacity 0; `step_size` is `sizeof(NbStep)`. `count`, which may be null,
/// gets the number of steps of the path; if it is above the capacity, the result is
/// `NB_RESULT_ERROR_BUFFER`, and `path` and the first steps are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_paths_find(
    paths: Option<&NbPaths>,
    mesh: Option<&NbMesh>,
    layer: u32,
    doors: Option<&NbDoors>,
    query: *const NbQuery,
    path: *mut NbPath,
    steps: *mut NbStep,
    capacity: usize,
    step_size: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let layer = layer_of(mesh, layer)?;
        // SAFETY: the contract of the header.
        let mut query = unsafe { read_query(layer, query) }?;
        check_size::<NbStep>(step_size)?;
        with_doors(doors, |doors| query.filter.close_doors(doors))?;
        let mut source = handle(paths, "path finder")?.0.lock("path finder")?;
        let found = source.finder.find(layer, &query);
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
/// baked. Call it while the level loads; every path finder uses the index. For an
/// `NbAgent` give a profile, also if it is that of the layer. `bytes`, which may be null,
/// gets the size of the index in memory: 0 for layers of agents that both walk and fly,
/// and for the ninth kind of agent in a layer. The positions of the query do not matter,
/// but must be finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_paths_index_routes(
    paths: Option<&NbPaths>,
    mesh: Option<&NbMesh>,
    layer: u32,
    query: *const NbQuery,
    bytes: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let layer = layer_of(mesh, layer)?;
        // SAFETY: the contract of the header.
        let query = unsafe { read_query(layer, query) }?;
        let mut source = handle(paths, "path finder")?.0.lock("path finder")?;
        let size = source.finder.index_routes(layer, &query);
        put_if(bytes, size.map_err(Error::argument)?);
        Ok(())
    })
}

/// Whether nothing solid, and no closed door, is on a straight line: 1 or 0. The
/// smaller the body of the layer's agent, the more exact it is. `doors` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn nb_layer_line_of_sight(
    mesh: Option<&NbMesh>,
    layer: u32,
    doors: Option<&NbDoors>,
    from: NbVec2,
    to: NbVec2,
    is_free: Option<&mut MaybeUninit<i32>>,
) -> NbResult {
    guard(|| {
        let layer = layer_of(mesh, layer)?;
        let (from, to) = (place(from, "start")?, place(to, "end")?);
        let sees = with_doors(doors, |doors| line_of_sight(layer, doors, from, to))?;
        put(is_free, i32::from(sees))
    })
}
