//! Behaviour trees from files, the pools that they share, and what each agent is doing
//! in its tree.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

use navmesh_behavior::{BuildError, Trace, Tree, TreeDef, TreeState};
use navmesh_behavior::{Pools, TokenPool};

use crate::border::{
    Error, NbResult, Outcome, Shared, bytes, free, guard, handle, put, put_if, put_new, put_text,
    read_struct, text,
};
use crate::calls::NbStatus;
use crate::mesh::NbMesh;
use crate::task::NbTasks;
use crate::tick::{Game, LentBoard, NbTick, NbTreeState, View};

/// A tree: what all agents of a kind do.
pub struct NbTree(Arc<Tree<Game>>);

/// Tokens and waypoints that the agents of a level share.
pub struct NbPools(Shared<Pools>);

/// Makes a tree from the text of a file, in RON or JSON. Its mistakes are in the
/// message, with the path of the node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_tree_load(
    tasks: Option<&NbTasks>,
    data: *const u8,
    length: usize,
    tree: Option<&mut MaybeUninit<Option<Box<NbTree>>>>,
) -> NbResult {
    guard(|| {
        put_new(tree, || {
            // SAFETY: so many bytes: the contract of the header.
            let data = unsafe { bytes(data, length, "data") }?;
            let wrong = |message: String| Error::new(NbResult::ErrorTree, message);
            let text = std::str::from_utf8(data)
                .map_err(|_| wrong("the tree file is not UTF-8".to_owned()))?;
            let text = text.trim_start_matches('\u{feff}');
            // A tree in RON begins with a bracket or a comment.
            let def: TreeDef = if text.trim_start().starts_with('{') {
                serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?
            } else {
                ron::from_str(text).map_err(|error| wrong(error.to_string()))?
            };
            let tasks = handle(tasks, "list of tasks")?.0.lock("list of tasks")?;
            let tree = tasks.build(&def).map_err(of_tree)?;
            Ok(NbTree(tree))
        })
    })
}

fn of_tree(error: BuildError) -> Error {
    Error::new(NbResult::ErrorTree, error)
}

/// Frees a tree. States of agents keep what they need of it.
#[unsafe(no_mangle)]
pub extern "C" fn nb_tree_free(tree: Option<Box<NbTree>>) {
    free(tree);
}

/// Makes the pools of a level: the waypoints of its markers, in the pools that they
/// name.
#[unsafe(no_mangle)]
pub extern "C" fn nb_pools_new(
    mesh: Option<&NbMesh>,
    pools: Option<&mut MaybeUninit<Option<Box<NbPools>>>>,
) -> NbResult {
    guard(|| {
        put_new(pools, || {
            let mesh = &handle(mesh, "mesh")?.mesh;
            Ok(NbPools(Shared::new(Pools::from(&**mesh))))
        })
    })
}

/// Adds a pool of tokens, in place of one of that name: at most `limit` agents hold one
/// at a time. States that exist keep the pools that they were made with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_pools_add_tokens(
    pools: Option<&NbPools>,
    name: *const c_char,
    limit: u32,
) -> NbResult {
    guard(|| {
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(name, "name of the pool") }?;
        let mut pools = handle(pools, "pools")?.0.lock("pools")?;
        pools.tokens.insert(name.to_owned(), TokenPool::new(limit));
        Ok(())
    })
}

/// Frees pools. States of agents keep what they need of them.
#[unsafe(no_mangle)]
pub extern "C" fn nb_pools_free(pools: Option<Box<NbPools>>) {
    free(pools);
}

fn pools_of(pools: Option<&NbPools>) -> Outcome<Pools> {
    match pools {
        Some(pools) => Ok(pools.0.lock("pools")?.clone()),
        None => Ok(Pools::default()),
    }
}

/// Makes the state of a new agent in a tree. `pools` may be null if the tree uses none.
#[unsafe(no_mangle)]
pub extern "C" fn nb_state_new(
    tree: Option<&NbTree>,
    pools: Option<&NbPools>,
    state: Option<&mut MaybeUninit<Option<Box<NbTreeState>>>>,
) -> NbResult {
    guard(|| {
        put_new(state, || {
            let tree = &handle(tree, "tree")?.0;
            let state = tree.state(&pools_of(pools)?).map_err(of_tree)?;
            Ok(NbTreeState {
                lent: LentBoard::new(state.board.clone()),
                state: Shared::new(state),
            })
        })
    })
}

/// Frees a state. Its tokens and waypoints return to their pools. Running tasks are
/// not aborted: call `nb_state_reset` before if they must be.
#[unsafe(no_mangle)]
pub extern "C" fn nb_state_free(state: Option<Box<NbTreeState>>) {
    free(state);
}

/// Ticks with the state of a tree and the view of a tick.
///
/// # Safety
/// `tick` is null or a struct of its size, with handles that are null or valid.
unsafe fn in_tick<T>(
    state: Option<&NbTreeState>,
    tick: *const NbTick,
    f: impl FnOnce(&mut TreeState<Game>, &mut View<'_>) -> Outcome<T>,
) -> Outcome<T> {
    // SAFETY: required of the caller.
    let tick = unsafe { read_struct(tick) }?;
    let own = handle(state, "state of the tree")?;
    let state = &mut *own.lock()?;
    let tree = Arc::clone(state.tree());
    // SAFETY: required of the caller.
    let mut view = unsafe { View::new(tick, (own, tree)) }?;
    let result = f(state, &mut view)?;
    view.finish()?;
    Ok(result)
}

/// Ticks a tree once, before or after the agent is stepped, and returns its status.
///
/// `status` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_tick(
    state: Option<&NbTreeState>,
    tick: *const NbTick,
    status: Option<&mut MaybeUninit<NbStatus>>,
) -> NbResult {
    guard(|| {
        // SAFETY: the contract of the header.
        let outcome = unsafe {
            in_tick(state, tick, |state, view| {
                view.perceive()?;
                let seconds = view.tick.seconds;
                Ok(state.tick(view, seconds))
            })
        }?;
        put_if(status, outcome.status.into());
        Ok(())
    })
}

/// Aborts what is running in a tree, for instance when the agent is stunned or dies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_reset(
    state: Option<&NbTreeState>,
    tick: *const NbTick,
) -> NbResult {
    guard(|| {
        // SAFETY: the contract of the header.
        unsafe {
            in_tick(state, tick, |state, view| {
                state.reset(view);
                Ok(())
            })
        }
    })
}

/// Moves an agent to another version of its tree, when the file has changed while the
/// game runs: what is the same in both goes on. On an error the agent keeps its tree.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_migrate(
    state: Option<&NbTreeState>,
    tree: Option<&NbTree>,
    pools: Option<&NbPools>,
    tick: *const NbTick,
) -> NbResult {
    guard(|| {
        let new = &handle(tree, "tree")?.0;
        let pools = pools_of(pools)?;
        // SAFETY: the contract of the header.
        unsafe {
            in_tick(state, tick, |state, view| {
                state.migrate(new, &pools, view).map_err(of_tree)?;
                Ok(())
            })
        }
    })
}

/// Records the last ticks of a state for `nb_state_trace`, at most `ticks`; 0 records nothing,
/// as in the beginning.
#[unsafe(no_mangle)]
pub extern "C" fn nb_state_set_trace(state: Option<&NbTreeState>, ticks: u32) -> NbResult {
    guard(|| {
        let mut state = handle(state, "state of the tree")?.lock()?;
        state.trace = (ticks > 0).then(|| Box::new(Trace::new(ticks as usize)));
        Ok(())
    })
}

/// The recorded ticks, one line of JSON for each, oldest first: which nodes ran, with their
/// paths, their statuses and the reasons for these.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_trace(
    state: Option<&NbTreeState>,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let state = handle(state, "state of the tree")?.lock()?;
        let trace = state.trace.as_ref();
        let lines = trace.map(|trace| trace.json_lines(state.tree()));
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_text(&lines.unwrap_or_default(), buffer, capacity, length) }
    })
}

/// The nodes that are running: for each innermost one a line with its path, the labels from
/// the root joined by `/`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_running(
    state: Option<&NbTreeState>,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let paths = handle(state, "state of the tree")?.lock()?.running_paths();
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_text(&paths.join("\n"), buffer, capacity, length) }
    })
}

/// Writes a state as a line of JSON for a saved game: what runs, the blackboard, the clock,
/// tokens and waypoints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_save(
    state: Option<&NbTreeState>,
    buffer: *mut c_char,
    capacity: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let state = handle(state, "state of the tree")?.lock()?;
        let saved = serde_json::to_string(&*state).map_err(Error::argument)?;
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_text(&saved, buffer, capacity, length) }
    })
}

/// Reads what `nb_state_save` wrote into a new state of the same tree, whose pools no agent
/// has used yet. Restore all agents of a level before the next tick. After an error, free the
/// state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_restore(
    state: Option<&NbTreeState>,
    saved: *const c_char,
) -> NbResult {
    guard(|| {
        // SAFETY: a text: the contract of the header.
        let saved = unsafe { text(saved, "saved state") }?;
        let mut state = handle(state, "state of the tree")?.lock()?;
        let result = state.restore(&mut serde_json::Deserializer::from_str(saved));
        result.map_err(|error| Error::new(NbResult::ErrorTree, error))
    })
}

/// The seconds on an agent's clock: the sum of its ticks.
#[unsafe(no_mangle)]
pub extern "C" fn nb_state_now(
    state: Option<&NbTreeState>,
    seconds: Option<&mut MaybeUninit<f64>>,
) -> NbResult {
    guard(|| {
        let state = handle(state, "state of the tree")?.lock()?;
        put(seconds, state.now)
    })
}
