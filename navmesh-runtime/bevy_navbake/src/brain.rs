//! The component that runs a behaviour tree, and its system.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::asset::Handle;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::prelude::*;
use bevy::ecs::reflect::ReflectComponent;
use bevy::ecs::world::DeferredWorld;
use bevy::math::Vec2;
use bevy::reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use bevy::time::Time;
use bevy::transform::components::Transform;
use navmesh_behavior::{BuildError, Perception, Trace, Tree, TreeState, Value};
use navmesh_behavior::{Pools, TokenPool};
use navmesh_runtime::motion::Activity;
use serde::{Deserialize, Serialize};

use crate::agent::{NavAgent, NavFeet, Targets, feet};
use crate::level::{Frame, NavLevel, NavWorld};
use crate::tree::{NavTree, Trees, log_error};
use crate::view::{Cue, CuePhase, CueState, NavContext, NavCue, NavView};

/// The token pools that trees share ("one may attack at a time"). Waypoint pools
/// come from the level by themselves.
///
/// ```
/// # use bevy::app::App;
/// # use bevy_navbake::{NavPlugin, NavTokens};
/// # use navmesh_behavior::{Aggression, TokenPool};
/// # fn game(app: &mut App) {
/// app.add_plugins(NavPlugin::default());
/// let mut tokens = app.world_mut().resource_mut::<NavTokens>();
/// tokens.insert("melee", TokenPool::new(Aggression::Low));
/// # }
/// ```
#[derive(Resource, Debug, Default)]
pub struct NavTokens {
    /// With the waypoints of the level in play.
    all: Pools,
    /// Increases with every change. Brains bind their trees again.
    generation: u32,
    /// The number of meshes so far.
    levels: u32,
    /// The mesh that has the waypoints.
    mesh: Option<Arc<navmesh_runtime::NavMesh>>,
}

impl NavTokens {
    /// Adds a pool of tokens, or replaces the one of that name. Trees go on, and
    /// keep the tokens that they hold; the new pool does not count those. To change
    /// the number of tokens, keep a clone of the pool, which shares them, and call
    /// [`TokenPool::set_limit`].
    pub fn insert(&mut self, name: impl Into<String>, pool: TokenPool) {
        self.all.tokens.insert(name.into(), pool);
        self.generation += 1;
    }

    /// The token and waypoint pools of the level in play.
    pub fn pools(&self) -> &Pools {
        &self.all
    }

    fn enter(&mut self, mesh: &Arc<navmesh_runtime::NavMesh>) {
        if self.mesh.as_ref().is_some_and(|own| Arc::ptr_eq(own, mesh)) {
            return;
        }
        self.mesh = Some(Arc::clone(mesh));
        self.all.waypoints = Pools::from(&**mesh).waypoints;
        self.generation += 1;
        self.levels += 1;
    }
}

/// Runs a behaviour tree for an agent.
///
/// The tree's tasks move the [`NavAgent`] of the same entity. Where a tree plays
/// a cue (`cue`, `ranged_attack`, …), a [`NavCue`] message is sent, and the game
/// calls [`finish_cue`](Self::finish_cue) when the animation or attack is over.
/// While the agent is stunned or disabled, or in the air after a
/// [launch](NavAgent::launch), its tree is reset and rests.
///
/// When the file of the tree changes while the game runs, or [`tree`](Self::tree)
/// is another file, agents go on in the new tree: nodes of the same kind at the
/// same path continue. Until that is loaded without a mistake, they go on in the
/// old one.
///
/// Without the component, or with another one in its place, the tree ends: its
/// tokens return, its cues are cancelled, and the agent stops. It also ends, but for
/// the stop, while no mesh is in play. Its tasks then get no
/// [`abort`](navmesh_behavior::Node::abort).
///
/// ```
/// # use bevy::asset::AssetServer;
/// # use bevy::ecs::prelude::*;
/// # use bevy_navbake::{NavAgent, NavBrain};
/// # use bevy::transform::components::Transform;
/// # fn setup(mut commands: Commands, assets: Res<AssetServer>, player: Single<Entity, With<Name>>) {
/// commands.spawn((
///     NavAgent::new("grunt"),
///     NavBrain::new(assets.load("grunt.tree.ron")).with_target(*player),
///     Transform::from_xyz(200.0, -100.0, 0.0),
/// ));
/// # }
/// ```
#[derive(Component)]
#[component(on_discard = end_tree)]
pub struct NavBrain {
    /// The file of its tree.
    pub tree: Handle<NavTree>,
    /// The entity that the tasks call the target.
    pub target: Option<Entity>,
    /// Whether the player can see the agent; the priority `on_screen` reads it.
    pub on_screen: bool,
    /// What the agent sees and hears of the target, and remembers; `None` for an agent that
    /// always knows where its target is. The position in it is one of the level.
    ///
    /// ```
    /// # use bevy_navbake::prelude::*;
    /// # fn setup(brain: &mut NavBrain) {
    /// brain.perception = Some(Perception { range: 300.0, ..Perception::default() });
    /// # }
    /// ```
    pub perception: Option<Perception>,
    running: Option<Running>,
    /// The tree and pools that could not be bound, so that the error is logged
    /// once.
    failed: Option<(usize, u32)>,
    /// In the order in which they began.
    cues: Vec<Cue>,
    /// What the game has written to the blackboard, by its keys. A tree that begins again
    /// begins with it.
    values: BTreeMap<String, SetValue>,
}

/// A value that the game has set.
enum SetValue {
    Plain(Value),
    /// World units.
    Position(Vec2),
}

impl SetValue {
    fn in_level(&self, frame: Frame) -> Value {
        match self {
            Self::Plain(value) => value.clone(),
            Self::Position(at) => frame.to_mesh(*at).into(),
        }
    }
}

/// The state of a tree in a saved game: what runs, the blackboard, the clock, tokens,
/// waypoints, and where the agent goes. [`NavBrain::save`] makes it. Insert it with the [`NavBrain`] of a new entity,
/// and the tree goes on; then it is removed. Insert those of all agents of a level in one
/// update, before their trees begin.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_navbake::{NavAgent, NavBrain, NavSavedTree};
/// fn save(mut commands: Commands, brains: Query<(Entity, &NavBrain)>) {
///     for (entity, brain) in &brains {
///         if let Some(saved) = brain.save() {
///             commands.entity(entity).insert(saved); // and save the component with the scene
///         }
///     }
/// }
/// ```
#[derive(Component, Reflect, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[reflect(Component, Serialize, Deserialize)]
pub struct NavSavedTree {
    /// JSON.
    state: String,
    /// In the mesh.
    heading: Option<[f32; 2]>,
}

/// Looks for mistakes of a tree while it runs: some ticks are traced, at growing distances.
struct Checkup {
    /// Seconds on the clock of the tree.
    next: f64,
    is_tracing: bool,
    is_over: bool,
}

impl Default for Checkup {
    fn default() -> Self {
        Self {
            next: Self::FIRST,
            is_tracing: false,
            is_over: false,
        }
    }
}

impl Checkup {
    /// Seconds until a tree is in its usual course: most games set keys in the first frame.
    const FIRST: f64 = 0.5;
    /// What fails in so many ticks one after another waits for nothing.
    const TICKS: usize = 8;

    /// Before a tick. A trace of the game's own is left alone.
    fn begin(&mut self, state: &mut TreeState<NavContext>) {
        if !self.is_over && !self.is_tracing && state.trace.is_none() && state.now >= self.next {
            state.trace = Some(Box::new(Trace::new(Self::TICKS)));
            self.is_tracing = true;
        }
    }

    /// After a tick. Warns once.
    fn end(&mut self, state: &mut TreeState<NavContext>, entity: Entity) {
        let ticks = state.trace.as_ref().map_or(0, |trace| trace.len());
        if !self.is_tracing || ticks < Self::TICKS {
            return;
        }
        let tree = Arc::clone(state.tree());
        if let Some(mistake) = state.trace.take().and_then(|trace| trace.mistake(&tree)) {
            tracing::warn!("{entity}: tree {:?}: {mistake}", tree.name);
            self.is_over = true;
        }
        self.is_tracing = false;
        self.next = 2.0 * state.now;
    }
}

/// A tree that runs.
struct Running {
    state: TreeState<NavContext>,
    pools: u32,
    /// The number of the mesh in which it runs.
    level: u32,
    frame: Frame,
    is_resting: bool,
    checkup: Checkup,
    /// The destination of the agent, in the mesh.
    heading: Option<[f32; 2]>,
}

/// Ends the tree of a brain that is removed or replaced, or whose entity is despawned.
fn end_tree(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let brain = world.get_mut::<NavBrain>(entity);
    let Some(mut brain) = brain.filter(|brain| brain.running.is_some()) else {
        return;
    };
    let cancelled: Vec<_> = brain.end(entity).collect();
    if let Some(mut agent) = world.get_mut::<NavAgent>(entity) {
        agent.stop();
    }
    if let Some(mut cues) = world.get_resource_mut::<Messages<NavCue>>() {
        cues.write_batch(cancelled);
    }
}

impl NavBrain {
    /// Runs the tree of a file, without a target.
    pub fn new(tree: Handle<NavTree>) -> Self {
        Self {
            tree,
            target: None,
            on_screen: true,
            perception: None,
            running: None,
            failed: None,
            cues: Vec::new(),
            values: BTreeMap::new(),
        }
    }

    /// Sets the target.
    #[must_use]
    pub fn with_target(mut self, target: Entity) -> Self {
        self.target = Some(target);
        self
    }

    /// Reports that the cue that the tree plays is over: the one that
    /// [`cue`](Self::cue) returns. Without a cue it does nothing. Do not call it
    /// at the end of a `shout`, which is not waited for.
    pub fn finish_cue(&mut self, success: bool) {
        if let Some(at) = self.current_cue()
            && let Some(cue) = self.cues.get_mut(at)
        {
            cue.state = CueState::Over(success);
        }
    }

    /// Reports that the cue of this name is over, for trees that play several
    /// cues at a time. If the tree does not play it, or it is a `shout`, this
    /// does nothing.
    pub fn finish_cue_named(&mut self, name: &str, success: bool) {
        let mut cues = self.cues.iter_mut();
        if let Some(cue) = cues.find(|cue| cue.name() == name && cue.is_playing()) {
            cue.state = CueState::Over(success);
        }
    }

    /// The cue that the tree plays, until it is finished: of several, the one
    /// that began last.
    pub fn cue(&self) -> Option<&str> {
        self.cues.get(self.current_cue()?).map(Cue::name)
    }

    fn current_cue(&self) -> Option<usize> {
        self.cues.iter().rposition(Cue::is_playing)
    }

    /// Ends its tree, whose tokens return, and cancels its cues.
    pub(crate) fn end(&mut self, agent: Entity) -> impl Iterator<Item = NavCue> {
        self.running = None;
        let cues = self.cues.drain(..).filter(Cue::is_playing);
        cues.map(move |cue| cue.message(agent, CuePhase::Cancel))
    }

    /// Writes a value to the blackboard, under a key that the tree uses. Returns
    /// `false` for a key that it does not have with this type. Before the tree begins,
    /// the value is kept for its first tick, and an unknown key is logged then. When a
    /// tree begins again, for instance with its level, its blackboard has what was last
    /// set for each key, and nothing that its tasks wrote. For a position, use
    /// [`set_position`](Self::set_position).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_navbake::{NavAgent, NavBrain};
    /// # fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    /// let mut brain = NavBrain::new(assets.load("guard.tree.ron"));
    /// brain.set_position("home", Vec2::new(200.0, -100.0));
    /// commands.spawn((NavAgent::new("grunt"), brain, Transform::from_xyz(200.0, -100.0, 0.0)));
    /// # }
    /// ```
    pub fn set(&mut self, key: &str, value: impl Into<Value>) -> bool {
        self.set_value(key, SetValue::Plain(value.into()))
    }

    /// Writes a position (world units) to the blackboard, as
    /// [`set`](Self::set) does with other values.
    pub fn set_position(&mut self, key: &str, position: Vec2) -> bool {
        self.set_value(key, SetValue::Position(position))
    }

    fn set_value(&mut self, key: &str, value: SetValue) -> bool {
        let is_known = self.running.as_mut().is_none_or(|running| {
            let value = value.in_level(running.frame);
            running.state.board.set_value(key, value)
        });
        if is_known {
            self.values.insert(key.to_owned(), value);
        }
        is_known
    }

    /// Reads the value of a key of the blackboard. `None` without a key of that name, if it
    /// was never set, and before the tree begins. For a position, use
    /// [`position`](Self::position).
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.running.as_ref()?.state.board.value(key)
    }

    /// Reads a position (world units) from the blackboard, as [`value`](Self::value) does
    /// with other values.
    pub fn position(&self, key: &str) -> Option<Vec2> {
        let running = self.running.as_ref()?;
        match running.state.board.value(key)? {
            Value::Vec2(at) => Some(running.frame.to_world(*at)),
            _ => None,
        }
    }

    /// Records the last ticks of the tree that runs, at most this number; 0 records nothing,
    /// as in the beginning.
    pub fn set_trace(&mut self, ticks: usize) {
        if let Some(running) = &mut self.running {
            running.checkup.is_tracing = false;
            running.state.trace = (ticks > 0).then(|| Box::new(Trace::new(ticks)));
        }
    }

    /// The recorded ticks as lines of JSON, oldest first: which nodes ran, with their paths,
    /// their statuses and the reasons for these ([`Trace::json_lines`]).
    pub fn trace(&self) -> Option<String> {
        let running = self
            .running
            .as_ref()
            .filter(|running| !running.checkup.is_tracing)?;
        let trace = running.state.trace.as_ref()?;
        Some(trace.json_lines(running.state.tree()))
    }

    /// The state of its tree for a saved game; `None` while none runs.
    pub fn save(&self) -> Option<NavSavedTree> {
        let Running { state, heading, .. } = self.running.as_ref()?;
        Some(NavSavedTree {
            state: serde_json::to_string(state).ok()?,
            heading: *heading,
        })
    }

    /// The paths of the innermost running nodes: the labels from the root down, joined by
    /// `/`. They are more than one while children of a parallel node run.
    pub fn running_paths(&self) -> Vec<String> {
        let running = self.running.as_ref();
        running.map_or_else(Vec::new, |running| running.state.running_paths())
    }

    /// The labels of the nodes that are running, from the root to the leaf: their names, or
    /// those of their tasks or kinds.
    pub fn running(&self) -> impl Iterator<Item = &str> {
        let nodes = self.running.iter().flat_map(|tree| tree.state.running());
        nodes.map(|(_, name)| name)
    }

    /// The waypoint that it has claimed (world units), the innermost if nodes are nested.
    pub fn waypoint(&self) -> Option<Vec2> {
        let running = self.running.as_ref()?;
        let claim = running.state.waypoint()?;
        Some(running.frame.to_world(claim.position))
    }

    /// The number of tokens it holds.
    pub fn tokens_held(&self) -> usize {
        self.running
            .as_ref()
            .map_or(0, |running| running.state.tokens_held())
    }
}

/// Takes the waypoints of the mesh in play.
pub(crate) fn enter_pools(world: Res<NavWorld>, mut tokens: ResMut<NavTokens>) {
    if let Some(nav) = world.navigator() {
        tokens.enter(nav.mesh());
    }
}

pub(crate) fn tick_trees(
    time: Res<Time>,
    level: Option<Res<NavLevel>>,
    mut world: ResMut<NavWorld>,
    tokens: Res<NavTokens>,
    trees: Res<Trees>,
    mut commands: Commands,
    mut brains: Query<(
        Entity,
        &mut NavBrain,
        Option<&mut NavAgent>,
        &Transform,
        Option<&NavFeet>,
        Option<&NavSavedTree>,
    )>,
    targets: Targets,
    mut cues: MessageWriter<NavCue>,
) {
    let Some(level) = world.in_play(level.as_deref()) else {
        return;
    };
    let frame = level.frame;
    let mut new_cues = Vec::new();
    for (entity, mut brain, agent, transform, offset, saved) in &mut brains {
        let Some(mut agent) = agent else {
            new_cues.extend(brain.end(entity));
            continue;
        };
        let running = brain.running.as_ref();
        let tree = trees.get(brain.tree.id());
        let tree = tree.or(running.map(|running| running.state.tree()));
        let Some(tree) = tree.cloned() else { continue };
        let Some(state) = agent.enter(&level, entity, feet(transform, offset)) else {
            new_cues.extend(brain.end(entity));
            continue;
        };
        let NavBrain {
            tree: file,
            target,
            on_screen,
            perception,
            running,
            failed,
            cues: playing,
            values,
        } = &mut *brain;
        let target = target.and_then(|target| targets.get(target, frame));
        let mut view = NavView {
            entity,
            commands: commands.reborrow(),
            actor: &mut state.actor,
            nav: level.nav,
            frame,
            target,
            on_screen: *on_screen,
            playing,
            cues: &mut new_cues,
        };
        let bound = (Arc::as_ptr(&tree) as usize, tokens.generation);
        if *failed != Some(bound)
            && let Err(error) = bind(running, &tree, &tokens, (values, saved), &mut view)
        {
            log_error(file.path(), &tree.name, &error);
            *failed = Some(bound);
        }
        let Some(running) = running else { continue };
        running.frame = frame;
        let activity = view.actor.agent.pose().activity;
        if matches!(activity, Activity::Disabled | Activity::Launched) {
            if !std::mem::replace(&mut running.is_resting, true) {
                running.state.reset(&mut view);
            }
            running.state.now += time.delta_secs_f64();
        } else {
            running.is_resting = false;
            if let Some(own) = perception {
                own.update(&view, time.delta_secs());
            }
            view.actor.perception = *perception;
            running.checkup.begin(&mut running.state);
            running.state.tick(&mut view, time.delta_secs());
            running.checkup.end(&mut running.state, entity);
            let heading = view.actor.agent.destination();
            running.heading = heading.map(|to| to.to_array());
        }
        let is_read = |cue: &Cue| matches!(cue.state, CueState::Read(_));
        view.playing.retain(|cue| !is_read(cue));
    }
    cues.write_batch(new_cues);
}

/// Begins a tree, or goes on in a new one or with new pools.
fn bind(
    running: &mut Option<Running>,
    tree: &Arc<Tree<NavContext>>,
    tokens: &NavTokens,
    (values, saved): (&BTreeMap<String, SetValue>, Option<&NavSavedTree>),
    view: &mut NavView<'_>,
) -> Result<(), BuildError> {
    let pools = tokens.generation;
    match running {
        Some(now) if Arc::ptr_eq(now.state.tree(), tree) && now.pools == pools => {}
        Some(now) => {
            if now.level != tokens.levels {
                // A claimed waypoint may not exist in the new level.
                now.state.reset(view);
                now.state.destination = None;
            }
            now.state.migrate(tree, &tokens.all, view)?;
            (now.pools, now.level) = (pools, tokens.levels);
        }
        None => {
            let mut state = tree.state(&tokens.all)?;
            if let Some(saved) = saved {
                let (entity, name) = (view.entity, &tree.name);
                view.commands.entity(entity).remove::<NavSavedTree>();
                let mut text = serde_json::Deserializer::from_str(&saved.state);
                if let Err(error) = state.restore(&mut text) {
                    tracing::error!("{entity}: tree {name:?} begins again: {error}");
                    state = tree.state(&tokens.all)?;
                } else if let Some(to) = saved.heading {
                    view.actor.agent.go_to(to.into());
                }
            }
            for (key, value) in values {
                let value = value.in_level(view.frame);
                let shown = format!("{value:?}");
                if !state.board.set_value(key, value) {
                    let (entity, name) = (view.entity, &tree.name);
                    tracing::error!(
                        "{entity}: tree {name:?} has no key {key:?} for {shown}; add it to the \
                         `keys` of the file"
                    );
                }
            }
            *running = Some(Running {
                state,
                pools,
                level: tokens.levels,
                frame: view.frame,
                is_resting: false,
                checkup: Checkup::default(),
                heading: None,
            });
        }
    }
    Ok(())
}
