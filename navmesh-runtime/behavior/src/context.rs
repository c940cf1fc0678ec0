//! What a game provides: the context of its trees, and what the ready-made tasks and
//! measures call.

use glam::Vec2;
use navmesh_runtime::motion::{Activity, Facing, IdleReason};
use navmesh_runtime::search::line_of_sight;
use navmesh_runtime::{NavAgent, Navigator};

use crate::perception::Perception;
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

/// An agent of [`navmesh_runtime`] and what the ready-made tasks keep for it between
/// ticks.
///
/// In each frame, the game first moves the agent ([`NavAgent::update`] or
/// [`NavAgent::drive`]), and then ticks its tree.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The agent.
    pub agent: NavAgent,
    /// How high its eyes are above its feet, world units. Lines of sight from and to
    /// feet are raised by it.
    pub eyes: f32,
    /// The agent in whose layer lines of sight are searched, one with a small body; `None`
    /// for the layer of the agent itself. Without such a layer nothing is seen.
    pub sight_layer: Option<Box<str>>,
    /// What it knows of its target; `None`: everything.
    pub perception: Option<Perception>,
}

/// An agent with its eyes at half the height of its body.
impl From<NavAgent> for Actor {
    fn from(agent: NavAgent) -> Self {
        Self {
            eyes: agent.profile().body[1] / 2.0,
            sight_layer: None,
            agent,
            perception: None,
        }
    }
}

/// What an agent's body is doing, as trees see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Navigation {
    /// It waits for the path to its destination, and may still move along the
    /// path before.
    Planning,
    /// It moves. Also while it finishes a jump after it was stopped.
    Moving,
    /// It rests at its destination, or where it was stopped on purpose.
    AtDestination,
    /// It rests somewhere else, or was never sent anywhere.
    Stopped,
}

/// What an agent's body is doing.
impl From<&NavAgent> for Navigation {
    fn from(agent: &NavAgent) -> Self {
        match agent.pose().activity {
            Activity::Stranded(_) | Activity::Disabled => Self::Stopped,
            _ if agent.is_planning() => Self::Planning,
            Activity::Idle(IdleReason::Arrived) => Self::AtDestination,
            Activity::Idle(IdleReason::Waiting) => Self::Moving,
            activity if activity.is_moving() => Self::Moving,
            _ => Self::Stopped,
        }
    }
}

/// Which call of a cue this is; see [`TaskContext::cue`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CueStep {
    /// The first call: the cue starts in this tick.
    Begin,
    /// A later call: the cue was running in the last tick.
    Continue,
    /// The cue was running, and the task has reached its aim: a charge is at the far end.
    /// The result is not used.
    End,
    /// The cue was running and is cancelled. The result is not used.
    Cancel,
    /// A cue whose end the tree does not wait for begins: the task `shout`. The result is
    /// not used.
    Shout,
}

/// What the ready-made [`AgentTask`](crate::AgentTask)s and the
/// [`Measure`](crate::Measure)s of waypoints call, for one agent in one tick.
///
/// Positions are feet, in world units. A game whose agents are those of
/// [`navmesh_runtime`] implements [`actor`](Self::actor), [`actor_mut`](Self::actor_mut)
/// and [`target`](Self::target), and has all that moves and sees them; the
/// [guide](crate::guide#move-the-agent) has an example. Another game implements what its
/// trees use, at least [`position`](Self::position) and
/// [`line_of_sight`](Self::line_of_sight). Without it, tasks fail.
pub trait TaskContext {
    /// The agent, and the level it is in. Other methods use it by default.
    fn actor(&self) -> Option<(&Actor, &Navigator)> {
        None
    }

    /// The agent, and the level it is in.
    fn actor_mut(&mut self) -> Option<(&mut Actor, &mut Navigator)> {
        None
    }

    /// The position of the agent's target; `None` when it has none.
    fn target(&self) -> Option<Vec2>;

    /// The width and height of the target's body, world units. With it, the agent meets
    /// the target at the nearest place to its body, also where the feet of the agent
    /// cannot be, for instance next to a wall. The default is `None`: as large as the agent.
    fn target_body(&self) -> Option<[f32; 2]> {
        None
    }

    /// The agent's own position.
    fn position(&self) -> Vec2 {
        self.actor()
            .map_or(Vec2::ZERO, |(actor, _)| actor.agent.pose().position)
    }

    /// Whether nothing solid lies on the straight line between two positions. Both are
    /// feet; the game raises them to eye height if it wants to. The default does, and
    /// looks at the [`sight_layer`](Actor::sight_layer) and at closed doors.
    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        self.actor().is_some_and(|(actor, nav)| {
            let eyes = Vec2::new(0.0, -actor.eyes * nav.mesh().down());
            let (from, to) = (from + eyes, to + eyes);
            match &actor.sight_layer {
                Some(name) => {
                    let layer = nav
                        .mesh()
                        .layer_id(name)
                        .and_then(|id| nav.mesh().layer(id));
                    layer.is_some_and(|layer| line_of_sight(layer, nav.doors(), from, to))
                }
                None => nav.line_of_sight(&actor.agent, from, to),
            }
        })
    }

    /// What the agent knows of its target; `None`: everything. The default is the actor's.
    fn perception(&self) -> Option<Perception> {
        self.actor()?.0.perception
    }

    /// Whether the agent sees its target now: as its [`perception`](Self::perception) says;
    /// without one, whether there is a [`line_of_sight`](Self::line_of_sight) to it, at any
    /// distance, and also behind the agent.
    fn sees_target(&self) -> bool {
        self.perception().map_or_else(
            || {
                let target = self.target();
                target.is_some_and(|target| self.line_of_sight(self.position(), target))
            },
            |perception| perception.sees,
        )
    }

    /// Plans a path to a destination and starts to follow it; `false` when
    /// there is no path. When the path is found later, `true`, and
    /// [`navigation`](Self::navigation) is [`Navigation::Planning`] until then.
    fn start_navigation(&mut self, to: Vec2) -> bool {
        self.actor_mut()
            .is_some_and(|(actor, nav)| actor.agent.try_go_to(nav, to))
    }

    /// Stops the agent. A jump or drop under way is finished first.
    fn stop_navigation(&mut self) {
        if let Some((actor, _)) = self.actor_mut() {
            actor.agent.stop();
        }
    }

    /// What the agent's body is doing.
    fn navigation(&self) -> Navigation {
        self.actor().map_or(Navigation::Stopped, |(actor, _)| {
            Navigation::from(&actor.agent)
        })
    }

    /// The place of the agent that is nearest to the body of a target with its feet at a
    /// position: on the floor that it stands on or will land on, and for an agent that
    /// climbs also on the ladder, wall or ceiling that it holds on to:
    /// [`Navigator::place_of_target`], with [`target_body`](Self::target_body).
    fn floor_beneath(&self, position: Vec2) -> Option<Vec2> {
        let (actor, nav) = self.actor()?;
        nav.place_of_target(&actor.agent, position, self.target_body())
    }

    /// The left and right end of the platform below a position:
    /// [`Layer::platform_ends`](navmesh_runtime::mesh::Layer::platform_ends).
    fn platform_ends(&self, position: Vec2) -> Option<[Vec2; 2]> {
        let (actor, nav) = self.actor()?;
        nav.layer_of(&actor.agent)?.platform_ends(position)
    }

    /// Whether a position is in the area of that name in the level; `None` when
    /// the level has no such area. The default looks at `NavMesh::areas`. A game may
    /// translate the name, so that agents with areas of their own share a tree.
    fn area_contains(&self, area: &str, position: Vec2) -> Option<bool> {
        let areas = self.actor()?.1.mesh().areas();
        areas
            .filter(|region| region.marker.name == area)
            .map(|region| region.contains(position))
            .reduce(|a, b| a || b)
    }

    /// The direction in which the agent looks: 1 for positive x, −1 for negative x. Where
    /// there is no actor, always 1.
    fn facing(&self) -> f32 {
        match self.actor().map(|(actor, _)| actor.agent.pose().facing) {
            Some(Facing::Left) => -1.0,
            Some(Facing::Right) | None => 1.0,
        }
    }

    /// Turns the agent towards a position.
    fn face(&mut self, position: Vec2) {
        if let Some((actor, _)) = self.actor_mut() {
            let is_left = position.x < actor.agent.pose().position.x;
            let facing = if is_left { Facing::Left } else { Facing::Right };
            actor.agent.face(facing);
        }
    }

    /// Plays a cue: a named action or reaction of the game, such as an attack
    /// or a shout. Called once per tick until it returns another status than
    /// `Running`, and once when it is cancelled. The default fails.
    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let _ = (name, step);
        Status::Failure
    }

    /// Whether the player can see the agent. The priority `on_screen` lets
    /// agents on screen take tokens from agents off screen. The default is always
    /// `true`.
    fn on_screen(&self) -> bool {
        true
    }
}
