//! Behaviour trees from files, with tasks that call functions of the game.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use navmesh_runtime::behavior::{
    BuildError, Context, CueStep, Navigation, Outcome as TreeOutcome, Params, Registry, Scene,
    Status, Task, TaskContext, Tick, Tree, TreeDef, TreeState, ValueKind,
};
use navmesh_runtime::coordination::{Pools, TokenPool};
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{Environment, Facing, NavAgent};
use navmesh_runtime::search::line_of_sight;

use crate::agent::NbAgent;
use crate::border::{
    Error, NbResult, NbVec2, Outcome, Shared, Versioned, bytes, free, guard, handle, put, put_if,
    put_new, read_struct, text,
};
use crate::doors::{NbDoors, with_doors};
use crate::mesh::NbMesh;
use crate::paths::{NbPaths, Source};

/// What a task, a cue or a tree returns. Functions of the game return one of these;
/// any other number is a failure.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbStatus {
    /// Completed, and it worked.
    Success = 1,
    /// Completed, and it did not work.
    Failure = 2,
    /// Not completed: it is called again in the next tick.
    Running = 3,
}

impl From<Status> for NbStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Self::Success,
            Status::Failure => Self::Failure,
            Status::Running => Self::Running,
        }
    }
}

fn status(number: u32) -> Status {
    match number {
        1 => Status::Success,
        3 => Status::Running,
        _ => Status::Failure,
    }
}

/// Which call of a task or cue this is.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbCall {
    /// It starts in this tick.
    Begin = 1,
    /// It was running in the last tick.
    Continue = 2,
    /// It was running and is abandoned: undo what it has begun. The result is not
    /// read.
    Abort = 3,
}

/// One call of a task of the game. It is valid until the function returns.
#[repr(C)]
#[derive(Debug)]
pub struct NbTaskCall {
    /// `sizeof(NbTaskCall)` of the library.
    pub size: u32,
    /// One of `NbCall`.
    pub call: u32,
    /// Seconds since the last tick.
    pub seconds: f32,
    /// 0.
    pub reserved: u32,
    /// The parameters of the task in the tree file, as a JSON object.
    pub params: *const c_char,
    /// The `user` of the tick: usually the enemy.
    pub user: *mut c_void,
    /// The agent of the tick.
    pub agent: *const NbAgent,
    /// A number that the task may change: it is 0 when the task begins, and kept for
    /// this agent and task until it ends.
    pub memory: *mut u64,
}

/// A task of the game: receives the `user` of `nb_tasks_add` and the call, and returns
/// one of `NbStatus`. It may call any function of the library, except with the tree
/// state that is being ticked. It must return: no exception, `longjmp` or panic may
/// leave it.
pub type NbTaskFn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const NbTaskCall) -> u32>;

/// Plays a cue of a tree, such as an attack or a shout: receives the `user` of the
/// tick, the name of the cue and one of `NbCall`, and returns one of `NbStatus`. Under
/// the same conditions as `NbTaskFn`.
pub type NbCueFn =
    Option<unsafe extern "C" fn(user: *mut c_void, name: *const c_char, call: u32) -> u32>;

/// Turns the agent towards a position: receives the `user` of the tick. Under the same
/// conditions as `NbTaskFn`.
pub type NbFaceFn = Option<unsafe extern "C" fn(user: *mut c_void, position: NbVec2)>;

/// The tasks that tree files may name: the ready-made ones and those of the game.
pub struct NbTasks(Shared<Registry<Game>>);

/// A tree: what all agents of a kind do.
pub struct NbTree(Arc<Tree<Game>>);

/// What one agent is doing in its tree.
pub struct NbTreeState(Shared<State>);

/// Tokens and waypoints that the agents of a level share.
pub struct NbPools(Shared<Pools>);

struct State {
    state: TreeState<Game>,
    destination: Option<Vec2>,
}

/// What one tick of a tree needs. Set all bytes to 0 first: fields that are 0 have
/// their default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct NbTick {
    /// `sizeof(NbTick)`, set by the caller.
    pub size: u32,
    /// Seconds since the last tick.
    pub seconds: f32,
    /// The layer of the agent.
    pub layer: u32,
    /// 1 + the layer for lines of sight, that of an agent with a small body; 0 for the
    /// layer of the agent itself.
    pub sight_layer: u32,
    /// How far above its feet the agent looks from and is seen at.
    pub eye_height: f32,
    /// 1 if the agent has a target, otherwise 0.
    pub has_target: i32,
    /// The feet of the target.
    pub target: NbVec2,
    /// 1 or -1: where the agent looks, if the game turns it; 0 for where it moves.
    pub facing: i32,
    /// 1 if the player cannot see the agent. Agents on screen take tokens from others.
    pub off_screen: i32,
    /// The agent.
    pub agent: *const NbAgent,
    /// The level.
    pub mesh: *const NbMesh,
    /// The doors of the level; may be null.
    pub doors: *const NbDoors,
    /// The path finder.
    pub paths: *const NbPaths,
    /// For the functions of the game: usually the enemy.
    pub user: *mut c_void,
    /// Plays cues. Without it, tasks with cues fail.
    pub cue: NbCueFn,
    /// Turns the agent; may be null.
    pub face: NbFaceFn,
}

// SAFETY: repr(C); ten numbers of four bytes, then pointers, so there is no padding;
// numbers, raw pointers and optional functions as the contract of the header says.
unsafe impl Versioned for NbTick {
    const NAME: &'static str = "NbTick";
    const FIRST: usize = size_of::<Self>();
    const DEFAULT: Self = Self {
        size: size_of::<Self>() as u32,
        seconds: 0.0,
        layer: 0,
        sight_layer: 0,
        eye_height: 0.0,
        has_target: 0,
        target: NbVec2::ZERO,
        facing: 0,
        off_screen: 0,
        agent: ptr::null(),
        mesh: ptr::null(),
        doors: ptr::null(),
        paths: ptr::null(),
        user: ptr::null_mut(),
        cue: None,
        face: None,
    };
}

/// The context of the trees: [`View`] is what one tick sees.
enum Game {}

impl Context for Game {
    type View<'a> = View<'a>;
}

/// What one tick sees of the game. Its objects are locked only while the library
/// itself uses them, so functions of the game can use them too.
struct View<'a> {
    tick: NbTick,
    agent: &'a NbAgent,
    mesh: &'a NbMesh,
    layer: &'a Layer,
    sight: &'a Layer,
    doors: Option<&'a NbDoors>,
    paths: &'a NbPaths,
    destination: &'a mut Option<Vec2>,
    /// The first thing that went wrong; the methods of the traits return no errors.
    error: RefCell<Option<Error>>,
}

impl<'a> View<'a> {
    /// Looks up the objects of a tick.
    ///
    /// # Safety
    /// The handles of the tick are null or valid for `'a`.
    unsafe fn new(tick: NbTick, destination: &'a mut Option<Vec2>) -> Outcome<Self> {
        // SAFETY: null or valid: required of the caller. The objects are only ever
        // used by shared references.
        let (agent, mesh, doors, paths) = unsafe {
            (
                tick.agent.as_ref(),
                tick.mesh.as_ref(),
                tick.doors.as_ref(),
                tick.paths.as_ref(),
            )
        };
        let mesh = handle(mesh, "mesh of the tick")?;
        Ok(Self {
            tick,
            agent: handle(agent, "agent of the tick")?,
            mesh,
            layer: mesh.layer(tick.layer)?,
            sight: mesh.layer(tick.sight_layer.checked_sub(1).unwrap_or(tick.layer))?,
            doors,
            paths: handle(paths, "path finder of the tick")?,
            destination,
            error: RefCell::default(),
        })
    }

    /// The value of a result; stores an error for the end of the tick.
    fn keep<T>(&self, result: Outcome<T>) -> Option<T> {
        result
            .inspect_err(|error| {
                let Error { result, message } = error;
                let mut first = self.error.borrow_mut();
                first.get_or_insert_with(|| Error::new(*result, message));
            })
            .ok()
    }

    fn with_agent<T>(&self, f: impl FnOnce(&mut NavAgent) -> T) -> Option<T> {
        let result = self.agent.0.lock("agent").map(|mut agent| f(&mut agent));
        self.keep(result)
    }

    fn call_cue(&self, name: &str, call: NbCall) -> Status {
        let Some(cue) = self.tick.cue else {
            return Status::Failure;
        };
        // Names come from files, which may have a zero in them.
        let Ok(name) = CString::new(name) else {
            return Status::Failure;
        };
        // SAFETY: a function of the game with this signature, which returns: the
        // contract of the header. Nothing is locked but the state of the tree.
        status(unsafe { cue(self.tick.user, name.as_ptr(), call as u32) })
    }
}

impl Scene for View<'_> {
    fn position(&self) -> Vec2 {
        self.with_agent(|agent| agent.position())
            .unwrap_or_default()
    }

    fn target(&self) -> Option<Vec2> {
        (self.tick.has_target != 0).then(|| self.tick.target.into())
    }

    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        let eyes = Vec2::new(0.0, -self.mesh.mesh.down() * self.tick.eye_height);
        let sees = with_doors(self.doors, |doors| {
            line_of_sight(self.sight, doors, from + eyes, to + eyes)
        });
        self.keep(sees).unwrap_or(false)
    }
}

impl TaskContext for View<'_> {
    fn set_destination(&mut self, destination: Vec2) {
        *self.destination = Some(destination);
    }

    fn destination(&self) -> Option<Vec2> {
        *self.destination
    }

    fn start_navigation(&mut self) -> bool {
        let Some(destination) = *self.destination else {
            return false;
        };
        let start = |source: &mut Source| {
            let mut agent = self.agent.0.lock("agent")?;
            with_doors(self.doors, |doors| {
                let environment = Environment::new(self.layer).with_doors(doors);
                Navigation::start(&mut agent, environment, destination, source)
            })
        };
        let source = self.paths.0.lock("path finder");
        let has_path = source.and_then(|mut source| start(&mut source));
        self.keep(has_path).unwrap_or(false)
    }

    fn stop_navigation(&mut self) {
        self.with_agent(NavAgent::stop);
    }

    fn navigation(&self) -> Navigation {
        self.with_agent(|agent| Navigation::of(agent))
            .unwrap_or(Navigation::Stopped)
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let call = match step {
            CueStep::Begin => NbCall::Begin,
            CueStep::Continue => NbCall::Continue,
        };
        self.call_cue(name, call)
    }

    fn cancel_cue(&mut self, name: &str) {
        self.call_cue(name, NbCall::Abort);
    }

    fn floor_beneath(&self, position: Vec2) -> Option<Vec2> {
        let spot = self.layer.floor_below(position, f32::INFINITY)?;
        Some(spot.position)
    }

    fn platform_edges(&self, position: Vec2) -> Option<(Vec2, Vec2)> {
        let [left, right] = self.layer.platform_ends(position)?;
        Some((left, right))
    }

    fn area_contains(&self, area: &str, position: Vec2) -> Option<bool> {
        let areas = self.mesh.mesh.areas();
        let mut named = areas.filter(|found| found.marker.name == area).peekable();
        named.peek()?;
        Some(named.any(|found| found.contains(position)))
    }

    fn facing(&self) -> f32 {
        if self.tick.facing != 0 {
            return (self.tick.facing as f32).signum();
        }
        let facing = self.with_agent(|agent| agent.pose().facing);
        if facing == Some(Facing::Left) {
            -1.0
        } else {
            1.0
        }
    }

    fn face(&mut self, position: Vec2) {
        if let Some(face) = self.tick.face {
            // SAFETY: as in `call_cue`.
            unsafe { face(self.tick.user, position.into()) }
        }
    }

    fn on_screen(&self) -> bool {
        self.tick.off_screen == 0
    }
}

/// A task that calls a function of the game.
struct GameTask {
    function: Function,
    params: CString,
}

/// A function of the game, with what it receives.
#[derive(Clone, Copy)]
struct Function {
    call: unsafe extern "C" fn(*mut c_void, *const NbTaskCall) -> u32,
    user: *mut c_void,
}

// SAFETY: the library only passes `user` on to the function, and only on threads that
// tick the tree. That both may be used there is the contract of `nb_tasks_add`.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl GameTask {
    /// The words that it remembers of an agent: whether it has begun, and the number
    /// that belongs to the function.
    const BEGUN: u16 = 0;
    const MEMORY: u16 = 1;

    fn call(&self, tick: &mut Tick<'_, '_, Game>, call: NbCall) -> Status {
        let mut memory: u64 = tick.recall(Self::MEMORY);
        let view = &tick.context.tick;
        let arguments = NbTaskCall {
            size: size_of::<NbTaskCall>() as u32,
            call: call as u32,
            seconds: tick.dt,
            reserved: 0,
            params: self.params.as_ptr(),
            user: view.user,
            agent: view.agent,
            memory: &raw mut memory,
        };
        let Function { call, user } = self.function;
        // SAFETY: a function of the game with this signature, which returns: the
        // contract of the header. Nothing is locked but the state of the tree.
        let result = unsafe { call(user, &raw const arguments) };
        tick.remember(Self::MEMORY, memory);
        status(result)
    }
}

impl Task<Game> for GameTask {
    fn memory(&self) -> u16 {
        2
    }

    fn tick(&self, tick: &mut Tick<'_, '_, Game>) -> TreeOutcome {
        let call = match tick.recall::<u64>(Self::BEGUN) {
            0 => NbCall::Begin,
            _ => NbCall::Continue,
        };
        tick.remember(Self::BEGUN, 1_u64);
        self.call(tick, call).into()
    }

    fn abort(&self, tick: &mut Tick<'_, '_, Game>) {
        self.call(tick, NbCall::Abort);
    }
}

/// Makes a list of tasks with the ready-made ones.
#[unsafe(no_mangle)]
pub extern "C" fn nb_tasks_new(tasks: Option<&mut MaybeUninit<Option<Box<NbTasks>>>>) -> NbResult {
    guard(|| {
        put_new(tasks, || {
            Ok(NbTasks(Shared::new(Registry::with_agent_tasks())))
        })
    })
}

/// Frees a list of tasks. Trees that were made with it stay.
#[unsafe(no_mangle)]
pub extern "C" fn nb_tasks_free(tasks: Option<Box<NbTasks>>) {
    free(tasks);
}

/// Adds a task of the game under the name that tree files use. `user` is passed to
/// each call. The function and `user` must stay valid as long as there are trees with
/// the task, and be usable on every thread that ticks them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_tasks_add(
    tasks: Option<&NbTasks>,
    name: *const c_char,
    function: NbTaskFn,
    user: *mut c_void,
) -> NbResult {
    guard(|| {
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(name, "name of the task") }?;
        let call = function.ok_or_else(|| Error::argument("the function is null"))?;
        let function = Function { call, user };
        let mut tasks = handle(tasks, "list of tasks")?.0.lock("list of tasks")?;
        tasks.task_with(name, move |params: Params| GameTask {
            function,
            // A zero is escaped in JSON, and the values of a tree file have no others
            // that JSON cannot write.
            params: CString::new(serde_json::to_string(&params).unwrap_or_default())
                .unwrap_or_default(),
        });
        Ok(())
    })
}

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
            Ok(NbPools(Shared::new(Pools::new().with_waypoints_of(mesh))))
        })
    })
}

/// Adds a pool of tokens: at most `limit` agents hold one at a time.
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
        *pools = pools.clone().with_tokens(name, TokenPool::new(limit));
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
        None => Ok(Pools::new()),
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
            let state = tree.state_in(&pools_of(pools)?).map_err(of_tree)?;
            Ok(NbTreeState(Shared::new(State {
                state,
                destination: None,
            })))
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
    let mut state = handle(state, "state of the tree")?
        .0
        .lock("state of the tree")?;
    let State { state, destination } = &mut *state;
    // SAFETY: required of the caller.
    let mut view = unsafe { View::new(tick, destination) }?;
    let result = f(state, &mut view)?;
    view.error.into_inner().map_or(Ok(result), Err)
}

/// Ticks a tree once; usually before the agent is stepped. `status`, which may be null,
/// gets one of `NbStatus`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_tick(
    state: Option<&NbTreeState>,
    tick: *const NbTick,
    status: Option<&mut MaybeUninit<u32>>,
) -> NbResult {
    guard(|| {
        // SAFETY: the contract of the header.
        let outcome = unsafe {
            in_tick(state, tick, |state, view| {
                let seconds = view.tick.seconds;
                Ok(state.tick(view, seconds))
            })
        }?;
        put_if(status, NbStatus::from(outcome.status) as u32);
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

/// Stores a position on the agent's blackboard, under a key of the tree.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_set_position(
    state: Option<&NbTreeState>,
    key: *const c_char,
    position: NbVec2,
) -> NbResult {
    guard(|| {
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(key, "key") }?;
        let mut state = handle(state, "state of the tree")?
            .0
            .lock("state of the tree")?;
        let key = state.state.tree().key::<Vec2>(name);
        let key = key.ok_or_else(|| unknown_key(name, &[ValueKind::Vec2]))?;
        (state.state.board.set(key, position.into())).map_err(Error::unknown)
    })
}

/// Stores a number on the agent's blackboard, under a key of type `float`, `int` or
/// `bool` of the tree. Numbers for `int` are rounded towards 0; for `bool`, 0 is false.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_state_set_number(
    state: Option<&NbTreeState>,
    key: *const c_char,
    number: f64,
) -> NbResult {
    guard(|| {
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(key, "key") }?;
        let mut state = handle(state, "state of the tree")?
            .0
            .lock("state of the tree")?;
        let state = &mut state.state;
        let set = if let Some(key) = state.tree().key::<f32>(name) {
            state.board.set(key, number as f32)
        } else if let Some(key) = state.tree().key::<i64>(name) {
            state.board.set(key, number as i64)
        } else if let Some(key) = state.tree().key::<bool>(name) {
            state.board.set(key, number != 0.0)
        } else {
            let kinds = [ValueKind::Float, ValueKind::Int, ValueKind::Bool];
            return Err(unknown_key(name, &kinds));
        };
        set.map_err(Error::unknown)
    })
}

fn unknown_key(name: &str, kinds: &[ValueKind]) -> Error {
    let kinds: Vec<_> = kinds.iter().map(ToString::to_string).collect();
    let kinds = kinds.join(" or ");
    Error::unknown(format_args!(
        "the tree has no blackboard key {name:?} of type {kinds}; list it under `keys` of the file"
    ))
}

/// The seconds on an agent's clock: the sum of its ticks.
#[unsafe(no_mangle)]
pub extern "C" fn nb_state_now(
    state: Option<&NbTreeState>,
    seconds: Option<&mut MaybeUninit<f64>>,
) -> NbResult {
    guard(|| {
        let state = handle(state, "state of the tree")?
            .0
            .lock("state of the tree")?;
        put(seconds, state.state.now())
    })
}
