//! The functions of the game that trees call: their signatures and numbers.

use std::ffi::{c_char, c_void};

use navmesh_runtime::behavior::Status;

use crate::agent::NbAgent;
use crate::border::NbVec2;
use crate::tree::NbTreeState;

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

/// What a function of the game has returned.
pub(crate) fn status(number: u32) -> Status {
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
    /// The state of the tree, for its blackboard.
    pub state: *const NbTreeState,
}

/// A task of the game: receives the `user` of `nb_tasks_add` and the call, and returns
/// one of `NbStatus`. It may call any function of the library, but of those for the tree
/// state that is being ticked only the ones that read or write its blackboard. It must
/// return: no exception, `longjmp` or panic may leave it.
pub type NbTaskFn = Option<unsafe extern "C" fn(user: *mut c_void, call: *const NbTaskCall) -> u32>;

/// Plays a cue of a tree, such as an attack or a shout: receives the `user` of the
/// tick, the name of the cue and one of `NbCall`, and returns one of `NbStatus`. Under
/// the same conditions as `NbTaskFn`.
pub type NbCueFn =
    Option<unsafe extern "C" fn(user: *mut c_void, name: *const c_char, call: u32) -> u32>;

/// Turns the agent towards a position: receives the `user` of the tick. Under the same
/// conditions as `NbTaskFn`.
pub type NbFaceFn = Option<unsafe extern "C" fn(user: *mut c_void, position: NbVec2)>;
