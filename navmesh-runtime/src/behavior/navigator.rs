//! From the tasks of a tree to the motion of an agent.

use glam::Vec2;

use super::Navigation;
use crate::motion::{self, Activity, IdleReason, NavAgent, PathSource};

/// Answers the navigation half of [`TaskContext`](super::TaskContext) for an agent that
/// [`motion`](crate::motion) moves. (Where floors and the ends of platforms are,
/// [`platform_edges`](crate::motion::platform_edges) tells.)
///
/// A game's `TaskContext` makes one where it needs it, and passes the question on.
/// Between the tree's ticks the game steps the agent as usual.
///
/// ```
/// # use glam::Vec2;
/// use navmesh_runtime::behavior::{Navigation, Navigator};
/// use navmesh_runtime::mesh::Layer;
/// use navmesh_runtime::motion::{NavAgent, TaskContext};
/// use navmesh_runtime::search::PathFinder;
///
/// struct Enemy<'a> {
///     agent: &'a mut NavAgent,
///     layer: &'a Layer,
///     finder: &'a mut PathFinder,
///     destination: Option<Vec2>,
/// }
///
/// impl Enemy<'_> {
///     // These are methods of `behavior::TaskContext`:
///     fn start_navigation(&mut self) -> bool {
///         let Some(destination) = self.destination else { return false };
///         let world = TaskContext::new(self.layer);
///         Navigator::new(self.agent, world).start(destination, self.finder)
///     }
///     fn navigation(&self) -> Navigation {
///         Navigation::of(self.agent)
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Navigator<'a> {
    agent: &'a mut NavAgent,
    world: motion::Environment<'a>,
}

impl Navigation {
    /// What an agent's body is doing.
    pub fn of(agent: &NavAgent) -> Self {
        match agent.activity() {
            Activity::Idle(IdleReason::Arrived) => Self::AtDestination,
            Activity::Idle(IdleReason::Waiting) => Self::Moving,
            activity if activity.is_moving() => Self::Moving,
            _ => Self::Stopped,
        }
    }
}

impl<'a> Navigator<'a> {
    /// For one agent in its layer.
    pub fn new(agent: &'a mut NavAgent, world: motion::Environment<'a>) -> Self {
        Self { agent, world }
    }

    /// Sends the agent to a destination: whether there is a way. It stops when
    /// there is none, having finished a jump or drop first.
    ///
    /// With a [`PathQueue`](crate::motion::PathQueue) the answer comes later:
    /// then this is `true`, and the agent stops short if it turns out that
    /// there is no way.
    pub fn start(&mut self, destination: Vec2, paths: &mut impl PathSource) -> bool {
        self.agent.set_destination(destination);
        // A step of no time plans, and moves nothing.
        self.agent.step(self.world, paths, 0.0);
        let has_way = match self.agent.activity() {
            Activity::Idle(rest) => matches!(rest, IdleReason::Arrived | IdleReason::Waiting),
            Activity::Stranded(_) | Activity::Disabled => false,
            // On its way, or in the air with a way from where it lands.
            _ => self.agent.is_under_way(),
        };
        if !has_way {
            self.agent.stop();
        }
        has_way
    }
}
