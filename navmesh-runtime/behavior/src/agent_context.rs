//! A ready task context: agents of [`navmesh_runtime`] in a level.

use glam::Vec2;
use navmesh_runtime::motion::{BodyCommand, BodyState, Facing, Pose};
use navmesh_runtime::search::SnapTo;
use navmesh_runtime::{NavAgent, Navigator};

use crate::context::{CueStep, TaskContext};
use crate::navigation::Navigation;
use crate::status::Status;

/// An agent and what the ready-made tasks keep for it between ticks.
///
/// In each frame, the game first moves it ([`update`](Self::update) or
/// [`drive`](Self::drive)), and then ticks its tree.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The agent.
    pub agent: NavAgent,
    /// How high its eyes are above its feet, world units. Lines of sight from and to
    /// feet are raised by it.
    pub eyes: f32,
    /// The destination that a task has set.
    pub destination: Option<Vec2>,
    /// Where a task made it look, until it moves.
    faces: Option<Facing>,
}

impl Actor {
    /// An agent that has no destination yet, with its eyes at half the height of its
    /// body.
    pub fn new(agent: NavAgent) -> Self {
        Self {
            eyes: agent.profile().body[1] / 2.0,
            agent,
            destination: None,
            faces: None,
        }
    }

    /// Moves the agent: see [`NavAgent::update`].
    pub fn update(&mut self, nav: &mut Navigator, dt: f32) -> Pose {
        let pose = self.agent.update(nav, dt);
        self.look_along(pose.velocity);
        pose
    }

    /// One step of an agent whose body a physics engine moves: see [`NavAgent::drive`].
    pub fn drive(&mut self, nav: &mut Navigator, body: BodyState, dt: f32) -> BodyCommand {
        let command = self.agent.drive(nav, body, dt);
        self.look_along(command.velocity);
        command
    }

    fn look_along(&mut self, velocity: Vec2) {
        if velocity.x != 0.0 {
            self.faces = None;
        }
    }

    /// The direction in which it looks: where it moved last, or where a task made it
    /// look since then.
    pub fn facing(&self) -> Facing {
        self.faces.unwrap_or(self.agent.pose().facing)
    }
}

/// What a game provides for an agent of [`navmesh_runtime`]: with it, the view of a tree
/// is a [`TaskContext`], and all ready-made tasks work.
///
/// ```
/// use navmesh_behavior::{Actor, AgentContext, AgentTask, Context, CueStep, Status, Tree};
/// use navmesh_runtime::Navigator;
/// use navmesh_runtime::glam::Vec2;
///
/// struct View<'a> {
///     actor: &'a mut Actor,
///     nav: &'a mut Navigator,
///     player: Vec2,
///     bites: &'a mut u32,
/// }
///
/// impl AgentContext for View<'_> {
///     fn actor(&self) -> (&Actor, &Navigator) {
///         (self.actor, self.nav)
///     }
///
///     fn actor_mut(&mut self) -> (&mut Actor, &mut Navigator) {
///         (self.actor, self.nav)
///     }
///
///     fn target(&self) -> Option<Vec2> {
///         Some(self.player)
///     }
///
///     fn cue(&mut self, _name: &str, _step: CueStep) -> Status {
///         *self.bites += 1;
///         Status::Success
///     }
/// }
///
/// enum Enemy {}
///
/// impl Context for Enemy {
///     type View<'a> = View<'a>;
/// }
///
/// let tree = Tree::<Enemy>::builder("biter")
///     .sequence("attack")
///     .inside(|b| {
///         b.task("chase", AgentTask::Pursue { range: 24.0, sight: false, floor: true, seconds: 10.0 })
///             .task("bite", AgentTask::RangedAttack { cue: "bite".into() })
///     })
///     .build()?;
/// # Ok::<(), navmesh_behavior::BuildError>(())
/// ```
pub trait AgentContext {
    /// The agent, and the level it is in.
    fn actor(&self) -> (&Actor, &Navigator);

    /// The agent, and the level it is in.
    fn actor_mut(&mut self) -> (&mut Actor, &mut Navigator);

    /// The position of the agent's target (feet, world units); `None` when it has none.
    fn target(&self) -> Option<Vec2>;

    /// Plays a cue: see [`TaskContext::cue`]. The default fails.
    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let _ = (name, step);
        Status::Failure
    }

    /// Begins a cue whose end the tree does not wait for: see [`TaskContext::shout`].
    fn shout(&mut self, name: &str) {
        self.cue(name, CueStep::Begin);
    }

    /// Cancels a cue that was running. The default does nothing.
    fn cancel_cue(&mut self, name: &str) {
        let _ = name;
    }

    /// Whether nothing solid lies between the feet of two bodies, raised to eye height.
    /// The default looks at the layer of the agent and at closed doors.
    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        let (actor, nav) = self.actor();
        let eyes = Vec2::new(0.0, -actor.eyes * nav.mesh().down());
        nav.line_of_sight(&actor.agent, from + eyes, to + eyes)
    }

    /// Whether the agent sees its target now. The default is a
    /// [`line_of_sight`](Self::line_of_sight) to it.
    fn sees_target(&self) -> bool {
        let from = self.actor().0.agent.pose().position;
        self.target().is_some_and(|to| self.line_of_sight(from, to))
    }

    /// The area of the level that a tree means by a name. The default is the name itself;
    /// with another, agents with areas of their own share a tree.
    fn area_name<'a>(&'a self, area: &'a str) -> &'a str {
        area
    }

    /// Whether the player can see the agent. The default is always `true`.
    fn on_screen(&self) -> bool {
        true
    }
}

impl<T: AgentContext> TaskContext for T {
    fn position(&self) -> Vec2 {
        self.actor().0.agent.pose().position
    }

    fn target(&self) -> Option<Vec2> {
        AgentContext::target(self)
    }

    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        AgentContext::line_of_sight(self, from, to)
    }

    fn set_destination(&mut self, destination: Vec2) {
        self.actor_mut().0.destination = Some(destination);
    }

    fn destination(&self) -> Option<Vec2> {
        self.actor().0.destination
    }

    fn start_navigation(&mut self) -> bool {
        let (actor, nav) = self.actor_mut();
        let destination = actor.destination;
        destination.is_some_and(|to| actor.agent.try_go_to(nav, to))
    }

    fn stop_navigation(&mut self) {
        self.actor_mut().0.agent.stop();
    }

    fn navigation(&self) -> Navigation {
        Navigation::of(&self.actor().0.agent)
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        AgentContext::cue(self, name, step)
    }

    fn shout(&mut self, name: &str) {
        AgentContext::shout(self, name);
    }

    fn cancel_cue(&mut self, name: &str) {
        AgentContext::cancel_cue(self, name);
    }

    fn sees_target(&self) -> bool {
        AgentContext::sees_target(self)
    }

    fn floor_beneath(&self, position: Vec2) -> Option<Vec2> {
        let (actor, nav) = self.actor();
        let layer = nav.layer_of(&actor.agent)?;
        Some(layer.snap(position, SnapTo::Target)?.position)
    }

    fn platform_ends(&self, position: Vec2) -> Option<[Vec2; 2]> {
        let (actor, nav) = self.actor();
        nav.layer_of(&actor.agent)?.platform_ends(position)
    }

    fn area_contains(&self, area: &str, position: Vec2) -> Option<bool> {
        let area = self.area_name(area);
        let areas = self.actor().1.mesh().areas();
        areas
            .filter(|region| region.marker.name == area)
            .map(|region| region.contains(position))
            .reduce(|a, b| a || b)
    }

    fn facing(&self) -> f32 {
        match self.actor().0.facing() {
            Facing::Left => -1.0,
            Facing::Right => 1.0,
        }
    }

    fn face(&mut self, position: Vec2) {
        let actor = self.actor_mut().0;
        let is_left = position.x < actor.agent.pose().position.x;
        actor.faces = Some(if is_left { Facing::Left } else { Facing::Right });
    }

    fn on_screen(&self) -> bool {
        AgentContext::on_screen(self)
    }
}
