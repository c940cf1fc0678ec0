//! What the tasks of a tree see of an agent, and the cues that they play.

use std::sync::Arc;

use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use navmesh_behavior::{Context, CueStep, Navigation, Status, TaskContext};
use navmesh_runtime::glam;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::Facing;
use navmesh_runtime::search::{SnapTo, line_of_sight};
use navmesh_runtime::{Environment, PathQueue};

use crate::level::{Frame, NavDoors, NavMesh};

/// The context of the trees: their tasks see a [`NavView`].
#[derive(Debug)]
pub enum NavContext {}

impl Context for NavContext {
    type View<'a> = NavView<'a>;
}

/// A tree plays a cue, or stops playing it.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
pub struct NavCue {
    /// The agent.
    pub agent: Entity,
    /// The name of the cue in the tree.
    pub name: Arc<str>,
    /// Whether it begins or is cancelled.
    pub phase: CuePhase,
}

/// What happens to a cue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CuePhase {
    /// It begins. At its end the game calls
    /// [`finish_cue`](crate::NavBrain::finish_cue), or
    /// [`finish_cue_named`](crate::NavBrain::finish_cue_named) if trees play
    /// several cues at a time. The tree does not wait for the end of a `shout`.
    Begin,
    /// The tree gave it up before its end.
    Cancel,
}

/// A cue that the tree of an agent plays. Tasks that play cues of one name at a
/// time share it.
pub(crate) struct Cue {
    name: Arc<str>,
    pub(crate) state: CueState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CueState {
    Playing,
    /// It is over, with this success.
    Over(bool),
    /// It is over, and a task has read with which success.
    Read(bool),
}

impl Cue {
    fn new(name: &str) -> Self {
        let (name, state) = (name.into(), CueState::Playing);
        Self { name, state }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.state == CueState::Playing
    }

    pub(crate) fn message(&self, agent: Entity, phase: CuePhase) -> NavCue {
        NavCue {
            agent,
            name: Arc::clone(&self.name),
            phase,
        }
    }
}

/// What the tasks of a tree see of one agent in one tick. Positions are those of
/// the level, as in the tree file; see [`world`](Self::world).
pub struct NavView<'a> {
    /// The agent.
    pub entity: Entity,
    /// For everything that a task of the game changes in the world.
    pub commands: Commands<'a, 'a>,
    pub(crate) agent: &'a mut navmesh_runtime::NavAgent,
    pub(crate) mesh: &'a NavMesh,
    pub(crate) layer: &'a Layer,
    pub(crate) doors: &'a NavDoors,
    pub(crate) queue: &'a mut PathQueue,
    pub(crate) frame: Frame,
    pub(crate) target: Option<glam::Vec2>,
    pub(crate) on_screen: bool,
    pub(crate) destination: &'a mut Option<glam::Vec2>,
    pub(crate) playing: &'a mut Vec<Cue>,
    pub(crate) cues: &'a mut Vec<NavCue>,
    pub(crate) faces: &'a mut Option<Facing>,
}

impl NavView<'_> {
    /// A position of the level in the Bevy world.
    pub fn world(&self, position: glam::Vec2) -> Vec2 {
        self.frame.to_world(position)
    }

    /// Eyes are half a body above the feet.
    fn eyes(&self, feet: glam::Vec2) -> glam::Vec2 {
        let height = self.layer.profile().body[1] / 2.0;
        feet - glam::Vec2::new(0.0, self.mesh.down() * height)
    }
}

impl TaskContext for NavView<'_> {
    fn position(&self) -> glam::Vec2 {
        self.agent.pose().position
    }

    fn target(&self) -> Option<glam::Vec2> {
        self.target
    }

    fn line_of_sight(&self, from: glam::Vec2, to: glam::Vec2) -> bool {
        let [from, to] = [from, to].map(|feet| self.eyes(feet));
        line_of_sight(self.layer, &self.doors.doors, from, to)
    }

    fn set_destination(&mut self, destination: glam::Vec2) {
        *self.destination = Some(destination);
    }

    fn destination(&self) -> Option<glam::Vec2> {
        *self.destination
    }

    fn start_navigation(&mut self) -> bool {
        let Some(destination) = *self.destination else {
            return false;
        };
        let environment = Environment {
            layer: self.layer,
            doors: &self.doors.doors,
        };
        Navigation::start(self.agent, environment, destination, self.queue)
    }

    fn stop_navigation(&mut self) {
        self.agent.stop();
    }

    fn navigation(&self) -> Navigation {
        Navigation::of(self.agent)
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let position = self.playing.iter().position(|cue| cue.name() == name);
        if step == CueStep::Begin {
            if let Some(at) = position {
                self.playing.remove(at);
            }
            let cue = Cue::new(name);
            self.cues.push(cue.message(self.entity, CuePhase::Begin));
            self.playing.push(cue);
            return Status::Running;
        }
        let Some(cue) = position.and_then(|at| self.playing.get_mut(at)) else {
            // Another task of this name has read or cancelled it.
            self.playing.push(Cue::new(name));
            return Status::Running;
        };
        let (CueState::Over(success) | CueState::Read(success)) = cue.state else {
            return Status::Running;
        };
        cue.state = CueState::Read(success);
        if success {
            Status::Success
        } else {
            Status::Failure
        }
    }

    fn shout(&mut self, name: &str) {
        let cue = Cue::new(name);
        self.cues.push(cue.message(self.entity, CuePhase::Begin));
    }

    fn cancel_cue(&mut self, name: &str) {
        let position = self.playing.iter().position(|cue| cue.name() == name);
        let cue = position.map(|at| self.playing.remove(at));
        // The game may have finished it since the last tick.
        if let Some(cue) = cue.filter(Cue::is_playing) {
            self.cues.push(cue.message(self.entity, CuePhase::Cancel));
        }
    }

    fn floor_beneath(&self, position: glam::Vec2) -> Option<glam::Vec2> {
        Some(self.layer.snap(position, SnapTo::Target)?.position)
    }

    fn platform_ends(&self, position: glam::Vec2) -> Option<[glam::Vec2; 2]> {
        self.layer.platform_ends(position)
    }

    fn area_contains(&self, area: &str, position: glam::Vec2) -> Option<bool> {
        let areas = self
            .mesh
            .areas()
            .filter(|region| region.marker.name == area);
        areas
            .map(|region| region.contains(position))
            .reduce(|a, b| a || b)
    }

    fn facing(&self) -> f32 {
        let facing = (*self.faces).unwrap_or(self.agent.pose().facing);
        if facing == Facing::Left { -1.0 } else { 1.0 }
    }

    fn face(&mut self, position: glam::Vec2) {
        let is_left = position.x < self.agent.pose().position.x;
        *self.faces = Some(if is_left { Facing::Left } else { Facing::Right });
    }

    fn on_screen(&self) -> bool {
        self.on_screen
    }
}
