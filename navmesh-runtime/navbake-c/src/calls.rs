//! The functions of the game that trees call: their signatures and numbers.

use std::ffi::{c_char, c_void};

use navmesh_behavior::Status;

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

/// Plays a cue of a tree, such as an attack or a shout: receives the `user` of the
/// tick, the name of the cue and which call it is, and returns one of `NbStatus`. Under
/// the same conditions as `NbTaskFn`, but the blackboard of the state that is being
/// ticked is busy: a task of the game in place of `cue` may use it.
pub type NbCueFn =
    Option<unsafe extern "C" fn(user: *mut c_void, name: *const c_char, call: NbCall) -> u32>;

/// Turns the agent towards a position: receives the `user` of the tick. Under the same
/// conditions as `NbCueFn`.
pub type NbFaceFn = Option<unsafe extern "C" fn(user: *mut c_void, x: f32, y: f32)>;
