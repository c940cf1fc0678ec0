//! The C interface of `navmesh-runtime`, for C, C++, C#, Godot, Unity
//! and everything else that calls functions of a shared or static library.
//!
//! `include/navbake.h` declares all functions and documents them, the contract of
//! pointers and threads first. The guide `docs/engines.md` of the repository begins
//! with an empty project.
//!
//! This crate is the only one of the project with `unsafe` code. The public items
//! are for the header; Rust programs use `navmesh_runtime` directly.

mod agent;
mod board;
mod border;
mod calls;
mod filter;
mod graph;
mod mesh;
mod navigator;
mod report;
mod task;
mod tick;
mod tree;

pub use agent::*;
pub use board::*;
pub use border::{NbResult, NbVec2, nb_error_message};
pub use calls::{NbCall, NbCueFn, NbFaceFn, NbStatus};
pub use filter::{NbCostArea, NbFilter};
pub use graph::*;
pub use mesh::*;
pub use navigator::*;
pub use report::*;
pub use task::*;
pub use tick::{NbPerception, NbTick, NbTreeState};
pub use tree::*;

use std::ffi::c_char;

/// The version of this interface. It grows when functions or fields are added.
/// Functions that exist keep their meaning.
pub const NB_VERSION: u32 = 5;

/// The version of the interface in the library that the program has loaded, to
/// compare with `NB_VERSION` of the header: a library with a lower one lacks
/// functions that the header declares.
#[unsafe(no_mangle)]
pub extern "C" fn nb_version() -> u32 {
    NB_VERSION
}

/// The version of navmesh-runtime in the library, for reports: `0.1.0`. A text that
/// is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn nb_runtime_version() -> *const c_char {
    // The crates of the repository have one version.
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

// The header says that every object may be used on every thread.
const _: () = {
    const fn is_for_threads<T: Send + Sync>() {}
    is_for_threads::<NbMesh>();
    is_for_threads::<NbNav>();
    is_for_threads::<NbAgent>();
    is_for_threads::<NbTasks>();
    is_for_threads::<NbTree>();
    is_for_threads::<NbTreeState>();
    is_for_threads::<NbPools>();
};
