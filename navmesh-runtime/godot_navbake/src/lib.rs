//! The addon `navbake` for Godot 4.4 and newer: navigation for side-scrolling games.
//!
//! [`NavbakeRegion2D`](region::NavbakeRegion2D) bakes the scene below it for some
//! [profiles](profile::NavbakeProfile), and [`NavbakeAgent2D`](agent::NavbakeAgent2D) moves a
//! `CharacterBody2D` in it. A [`NavbakeTree`](tree::NavbakeTree) decides what an agent does.

mod agent;
mod explain;
mod mesh;
mod overlay;
mod profile;
mod region;
mod scene;
mod tree;
mod tree_file;

use std::sync::Mutex;
use std::thread::JoinHandle;

use godot::prelude::*;
use navmesh_runtime::glam::Vec2;

struct Navbake;

// SAFETY: required by Godot's interface; the trait has no other obligations.
#[gdextension]
unsafe impl ExtensionLibrary for Navbake {
    fn on_stage_deinit(stage: InitStage) {
        if let (InitStage::Scene, Ok(mut threads)) = (stage, THREADS.lock()) {
            threads.drain(..).for_each(|thread| drop(thread.join()));
        }
    }
}

/// Bakes and indices under way, which must end before Godot unloads the library.
static THREADS: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Runs something on another thread.
fn in_background(run: impl FnOnce() + Send + 'static) {
    if let Ok(mut threads) = THREADS.lock() {
        threads.retain(|thread| !thread.is_finished());
        threads.push(std::thread::spawn(run));
    }
}

/// A vector of the runtime as one of Godot.
fn to_godot(at: Vec2) -> Vector2 {
    Vector2::new(at.x, at.y)
}

/// A vector of Godot as one of the runtime.
fn from_godot(at: Vector2) -> Vec2 {
    Vec2::new(at.x, at.y)
}

/// The error of a node that was printed last, so that it is printed once.
#[derive(Default)]
struct Complaint(String);

impl Complaint {
    fn print(&mut self, node: &NodePath, error: String) {
        if self.0 != error {
            godot_error!("{node}: {error}");
            self.0 = error;
        }
    }
}
