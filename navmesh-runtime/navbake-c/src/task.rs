//! The tasks that tree files may name, with those that call functions of the game.

use std::ffi::{CString, c_char, c_void};
use std::mem::MaybeUninit;

use navmesh_behavior::{Node, Outcome as TreeOutcome, Registry, Status, Tick};

use crate::agent::NbAgent;
use crate::border::{Error, NbResult, Shared, free, guard, handle, put_new, text};
use crate::calls::{NbCall, status};
use crate::tick::{Game, NbTreeState};

/// The tasks that tree files may name: the ready-made ones and those of the game.
pub struct NbTasks(pub(crate) Shared<Registry<Game>>);

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
    /// The parameters of the task in the tree file, as a JSON object.
    pub params: *const c_char,
    /// The `user` of the tick: usually the enemy.
    pub user: *mut c_void,
    /// The agent of the tick.
    pub agent: *mut NbAgent,
    /// A number that the task may change: it is 0 when the task begins, and kept for
    /// this agent and task until it ends.
    pub memory: *mut u64,
    /// The state of the tree, for its blackboard.
    pub state: *mut NbTreeState,
}

/// A task of the game: receives the `user` of `nb_tasks_add` and the call, and returns
/// one of `NbStatus`. It may call any function of the library, but of those for the tree
/// state that is being ticked only the ones that read or write its blackboard. It must
/// return: no exception, `longjmp` or panic may leave it.
pub type NbTaskFn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const NbTaskCall) -> u32>;

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
        let view = &*tick.context;
        let arguments = NbTaskCall {
            size: size_of::<NbTaskCall>() as u32,
            call: call as u32,
            seconds: tick.dt,
            params: self.params.as_ptr(),
            user: view.tick.user,
            agent: view.tick.agent,
            memory: &raw mut memory,
            state: std::ptr::from_ref(view.state).cast_mut(),
        };
        let Function { call, user } = self.function;
        let result = view.state.lent.during(tick.board, &view.tree, || {
            // SAFETY: a function of the game with this signature, which returns: the
            // contract of the header. Nothing is locked but the state of the tree.
            unsafe { call(user, &raw const arguments) }
        });
        tick.remember(Self::MEMORY, memory);
        status(result)
    }
}

impl Node<Game> for GameTask {
    fn memory(&self) -> [u16; 2] {
        [2, 0]
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

/// Adds a task of the game under the name that tree files use, in place of a task of
/// that name. `user` is passed to each call. The function and `user` must stay valid as
/// long as there are trees with the task, and be usable on every thread that ticks them.
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
        tasks.task(
            name,
            move |params: serde_json::Map<String, serde_json::Value>| GameTask {
                function,
                // A zero is escaped in JSON, and the values of a tree file have no others
                // that JSON cannot write.
                params: CString::new(serde_json::to_string(&params).unwrap_or_default())
                    .unwrap_or_default(),
            },
        );
        Ok(())
    })
}
