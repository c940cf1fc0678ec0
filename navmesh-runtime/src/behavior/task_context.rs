//! What the ready-made tasks ask of the game.

use glam::Vec2;

use super::Status;
use crate::coordination::Scene;

/// What an agent's body is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Navigation {
    /// On its way (also while it finishes a jump after being stopped).
    Moving,
    /// Stopped, at its destination.
    AtDestination,
    /// Stopped somewhere else, or never sent anywhere.
    Stopped,
}

/// When in its life a cue is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CueStep {
    /// The agent begins it in this tick.
    Begin,
    /// It was still running at the last tick.
    Continue,
}

/// What the ready-made [`tasks`](super::tasks) ask of the game, for one agent
/// in one tick. A context that implements it gets them all
/// ([`Registry::for_world`](super::Registry::for_world), or
/// [`Builder::task`](super::Builder::task)).
///
/// Positions are feet, in world units. Only navigation, the cue and the scene
/// must be written; what a game does not have can stay as it is.
pub trait TaskContext: Scene {
    /// Where the agent is to go; it does not set out yet.
    fn set_destination(&mut self, destination: Vec2);

    /// Where it is to go.
    fn destination(&self) -> Option<Vec2>;

    /// Plans a path to the destination and sets out; `false` when there is
    /// none.
    fn start_navigation(&mut self) -> bool;

    /// Stops, having finished a jump or drop first.
    fn stop_navigation(&mut self);

    /// What the body is doing.
    fn navigation(&self) -> Navigation;

    /// A named thing the game acts out or reacts to: an attack, a shout. It is
    /// asked each tick until it answers other than `Running`.
    fn cue(&mut self, name: &str, step: CueStep) -> Status;

    /// A cue that was running is broken off.
    fn cancel_cue(&mut self, name: &str) {
        let _ = name;
    }

    /// Whether the agent sees its target now.
    fn sees_target(&self) -> bool {
        self.target()
            .is_some_and(|target| self.line_of_sight(self.position(), target))
    }

    /// The floor straight beneath a position, if there is any.
    fn floor_beneath(&self, position: Vec2) -> Option<Vec2> {
        let _ = position;
        None
    }

    /// The left and right end of the platform under a position.
    fn platform_edges(&self, position: Vec2) -> Option<(Vec2, Vec2)> {
        let _ = position;
        None
    }

    /// Which way the agent looks: 1 towards greater x, −1 towards smaller.
    fn facing(&self) -> f32 {
        1.0
    }

    /// Turns the agent towards a position.
    fn face(&mut self, position: Vec2) {
        let _ = position;
    }

    /// Whether the player can see the agent: those on screen may take tokens
    /// from those that are not.
    fn on_screen(&self) -> bool {
        true
    }
}
