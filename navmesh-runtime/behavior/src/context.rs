//! What a game provides: the context of its trees, and what the ready-made
//! tasks and measures call.

use glam::Vec2;

use crate::navigation::Navigation;
use crate::status::Status;

/// Names the type that each tick of a tree receives.
///
/// A tree is `Tree<C>`, and `state.tick(&mut view, dt)` takes a
/// `&mut C::View<'_>`. Most games pass a type that owns its data; for them the
/// view is the type itself:
///
/// ```
/// use navmesh_behavior::Context;
///
/// struct Guard { health: u32 }
///
/// impl Context for Guard {
///     type View<'a> = Self;
/// }
/// ```
///
/// A game that gets references from its engine builds a view of references for
/// each tick. The tree lives longer than any of them, so it cannot name their
/// lifetime; it is a tree over a marker type instead, and the view borrows: see
/// [Choose the context](crate::guide#choose-the-context).
pub trait Context: 'static {
    /// The type that one tick receives. It may borrow for `'a`.
    type View<'a>;
}

/// For trees whose tasks need nothing from the game.
impl Context for () {
    type View<'a> = ();
}

/// Which call of a cue this is; see [`TaskContext::cue`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CueStep {
    /// The first call: the cue starts in this tick.
    Begin,
    /// A later call: the cue was running in the last tick.
    Continue,
}

/// What the ready-made [`AgentTask`](crate::AgentTask)s and the
/// [`Measure`](crate::Measure)s of waypoints call, for one agent in one tick.
///
/// Positions are feet, in world units. A game without navigation or cues keeps their
/// defaults, with which the tasks that need them fail.
pub trait TaskContext {
    /// The agent's own position.
    fn position(&self) -> Vec2;

    /// The position of the agent's target; `None` when it has none.
    fn target(&self) -> Option<Vec2>;

    /// Whether nothing solid lies on the straight line between two positions.
    /// Both are feet; the game raises them to eye height if it wants to.
    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool;

    /// Sets the agent's destination. The agent does not start to move yet.
    fn set_destination(&mut self, destination: Vec2) {
        let _ = destination;
    }

    /// The agent's destination, if one was set.
    fn destination(&self) -> Option<Vec2> {
        None
    }

    /// Plans a path to the destination and starts to follow it; `false` when
    /// there is no path. When the path is found later, `true`, and
    /// [`navigation`](Self::navigation) is [`Navigation::Planning`] until then.
    fn start_navigation(&mut self) -> bool {
        false
    }

    /// Stops the agent. A jump or drop under way is finished first.
    fn stop_navigation(&mut self) {}

    /// What the agent's body is doing.
    fn navigation(&self) -> Navigation {
        Navigation::Stopped
    }

    /// Plays a cue: a named action or reaction of the game, such as an attack
    /// or a shout. Called once per tick until it returns another status than
    /// `Running`.
    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let _ = (name, step);
        Status::Failure
    }

    /// Begins a cue whose end the tree does not wait for: the task `shout`. If this is
    /// not implemented, it is [`cue`](Self::cue) with [`CueStep::Begin`].
    fn shout(&mut self, name: &str) {
        self.cue(name, CueStep::Begin);
    }

    /// Cancels a cue that was running. The default does nothing.
    fn cancel_cue(&mut self, name: &str) {
        let _ = name;
    }

    /// Whether the agent sees its target now. The default is whether there is a
    /// [`line_of_sight`](Self::line_of_sight) to it: at any distance, and also behind
    /// the agent.
    fn sees_target(&self) -> bool {
        self.target()
            .is_some_and(|target| self.line_of_sight(self.position(), target))
    }

    /// The floor straight below a position, if there is any. For an agent that climbs,
    /// also the ladder, wall or ceiling at the position, or it waits below a target that
    /// holds on there. With a baked level:
    /// [`SnapTo::Target`](navmesh_runtime::search::SnapTo::Target).
    ///
    /// The default returns `None`, so that `locate_floor_beneath_target`, and
    /// `pursue` with `floor`, always fail.
    fn floor_beneath(&self, position: Vec2) -> Option<Vec2> {
        let _ = position;
        None
    }

    /// The left and right end of the platform below a position. With a baked
    /// level: [`Layer::platform_ends`](navmesh_runtime::mesh::Layer::platform_ends).
    ///
    /// The default returns `None`, so that `find_edges_of_platform` and `charge` always
    /// fail.
    fn platform_ends(&self, position: Vec2) -> Option<[Vec2; 2]> {
        let _ = position;
        None
    }

    /// Whether a position is in the area of that name in the level; `None` when
    /// the level has no such area. With a baked level, `NavMesh::areas` has them.
    /// The default returns `None`.
    fn area_contains(&self, area: &str, position: Vec2) -> Option<bool> {
        let _ = (area, position);
        None
    }

    /// The direction in which the agent looks: 1 for positive x, −1 for
    /// negative x. The default is always 1.
    fn facing(&self) -> f32 {
        1.0
    }

    /// Turns the agent towards a position. The default does nothing.
    fn face(&mut self, position: Vec2) {
        let _ = position;
    }

    /// Whether the player can see the agent. The priority `on_screen` lets
    /// agents on screen take tokens from agents off screen. The default is always
    /// `true`.
    fn on_screen(&self) -> bool {
        true
    }
}
