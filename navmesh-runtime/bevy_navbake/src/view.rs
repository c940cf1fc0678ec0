//! What the tasks of a tree see of an agent, and the cues that they play.

use std::sync::Arc;

use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use navmesh_behavior::{Actor, Context, CueStep, Status, TaskContext};
use navmesh_runtime::Navigator;
use navmesh_runtime::glam;

use crate::agent::Target;
use crate::level::Frame;

/// The context of the trees: their tasks see a [`NavView`].
#[derive(Debug)]
pub enum NavContext {}

impl Context for NavContext {
    type View<'a> = NavView<'a>;
}

/// A tree plays a cue, or stops playing it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_navbake::prelude::*;
/// # #[derive(Component)]
/// # struct Player;
/// fn spawn_grunt(
///     mut commands: Commands,
///     assets: Res<AssetServer>,
///     mut tokens: ResMut<NavTokens>,
///     player: Single<Entity, With<Player>>,
/// ) {
///     tokens.insert("melee", TokenPool::new(Aggression::Low));
///     let brain = NavBrain::new(assets.load("grunt.tree.ron")).with_target(*player);
///     commands.spawn((NavAgent::new("walker"), brain, Transform::from_xyz(624.0, -128.0, 1.0)));
/// }
///
/// fn play_cues(mut cues: MessageReader<NavCue>, mut brains: Query<&mut NavBrain>) {
///     for cue in cues.read().filter(|cue| cue.phase == CuePhase::Begin) {
///         if let Ok(mut brain) = brains.get_mut(cue.agent) {
///             brain.finish_cue(true); // when the animation or attack is over
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(spawn_grunt);
/// # bevy::ecs::system::assert_is_system(play_cues);
/// ```
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
    pub(crate) actor: &'a mut Actor,
    pub(crate) nav: &'a mut Navigator,
    pub(crate) frame: Frame,
    pub(crate) target: Option<Target>,
    pub(crate) on_screen: bool,
    pub(crate) playing: &'a mut Vec<Cue>,
    pub(crate) cues: &'a mut Vec<NavCue>,
}

impl NavView<'_> {
    /// A position of the level in the Bevy world.
    pub fn world(&self, position: glam::Vec2) -> Vec2 {
        self.frame.to_world(position)
    }
}

impl TaskContext for NavView<'_> {
    fn actor(&self) -> Option<(&Actor, &Navigator)> {
        Some((self.actor, self.nav))
    }

    fn actor_mut(&mut self) -> Option<(&mut Actor, &mut Navigator)> {
        Some((self.actor, self.nav))
    }

    fn target(&self) -> Option<glam::Vec2> {
        Some(self.target?.feet)
    }

    fn target_body(&self) -> Option<[f32; 2]> {
        self.target?.body
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let position = self.playing.iter().position(|cue| cue.name() == name);
        match step {
            CueStep::Begin | CueStep::Shout => {
                let cue = Cue::new(name);
                self.cues.push(cue.message(self.entity, CuePhase::Begin));
                if step == CueStep::Begin {
                    if let Some(at) = position {
                        self.playing.remove(at);
                    }
                    self.playing.push(cue);
                }
                return Status::Running;
            }
            CueStep::End | CueStep::Cancel => {
                let cue = position.map(|at| self.playing.remove(at));
                // The game may have finished it since the last tick.
                if let Some(cue) = cue.filter(Cue::is_playing) {
                    self.cues.push(cue.message(self.entity, CuePhase::Cancel));
                }
                return Status::Failure;
            }
            CueStep::Continue => {}
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

    fn on_screen(&self) -> bool {
        self.on_screen
    }
}
