//! Behaviour trees: assets, the component that runs one, and what its tasks see.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy_app::{App, PreUpdate};
use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetApp, AssetEvent, AssetId, AssetLoader, Assets, Handle, LoadContext};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec2;
use bevy_reflect::TypePath;
use bevy_time::Time;
use bevy_transform::components::Transform;
use navmesh_runtime::behavior::{
    BoardValue, BuildError, Context, CueStep, Navigation, Registry, Scene, Status, TaskContext,
    Tree, TreeDef, TreeState,
};
use navmesh_runtime::coordination::{Pools, TokenPool};
use navmesh_runtime::glam;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{Activity, Facing};
use navmesh_runtime::search::line_of_sight;
use navmesh_runtime::{Environment, PathQueue};

use crate::agent::{NavAgent, NavFeet, feet};
use crate::event::NavEvent;
use crate::level::{Frame, Level, NavDoors, NavLevelLoaded, NavMesh};
use crate::paths::NavPaths;
use crate::plugin::{NavSystems, enter_level};

/// A behaviour tree from a file `….tree.ron` or `….tree.json`, in the format of
/// the runtime's guide to behaviour trees.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct NavTree {
    /// The tree as data.
    pub def: TreeDef,
}

/// Loads `.tree.ron` and `.tree.json` files.
#[derive(Debug, Default, TypePath)]
pub struct NavTreeLoader;

/// Why a tree file cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum NavTreeError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is not a tree in RON; with the line and column.
    #[error("{0}")]
    Ron(String),
    /// The file is not a tree in JSON; with the line and column.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl AssetLoader for NavTreeLoader {
    type Asset = NavTree;
    type Settings = ();
    type Error = NavTreeError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<NavTree, NavTreeError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let extension = context.path().path().extension();
        let def = if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            serde_json::from_slice(&bytes)?
        } else {
            let text = String::from_utf8_lossy(&bytes);
            ron::from_str(&text).map_err(|error| NavTreeError::Ron(error.to_string()))?
        };
        Ok(NavTree { def })
    }

    fn extensions(&self) -> &[&str] {
        &["tree.ron", "tree.json"]
    }
}

/// The context of the trees: their tasks see a [`NavView`].
#[derive(Debug)]
pub enum NavContext {}

impl Context for NavContext {
    type View<'a> = NavView<'a>;
}

/// The names that tree files may use. It has the tasks of the runtime; add those
/// of the game before the first tree is loaded:
///
/// ```
/// # use bevy_app::App;
/// # use bevy_navbake::{NavPlugin, NavTasks};
/// # fn game(app: &mut App) {
/// app.add_plugins(NavPlugin::default());
/// let mut tasks = app.world_mut().resource_mut::<NavTasks>();
/// tasks.0.action("explode", |tick| {
///     let bomb = tick.context.entity;
///     tick.context.commands.entity(bomb).despawn();
/// });
/// # }
/// ```
#[derive(Resource)]
pub struct NavTasks(pub Registry<NavContext>);

impl Default for NavTasks {
    fn default() -> Self {
        Self(Registry::with_agent_tasks())
    }
}

/// The token pools that trees share ("one may attack at a time"). Waypoint pools
/// come from the level by themselves.
///
/// ```
/// # use bevy_app::App;
/// # use bevy_navbake::{NavPlugin, NavTokens};
/// # use navmesh_runtime::coordination::{Aggression, TokenPool};
/// # fn game(app: &mut App) {
/// app.add_plugins(NavPlugin::default());
/// let mut tokens = app.world_mut().resource_mut::<NavTokens>();
/// tokens.insert("melee", TokenPool::new(Aggression::Low));
/// # }
/// ```
#[derive(Resource, Debug, Default)]
pub struct NavTokens {
    tokens: Pools,
    /// With the waypoints of the level in play.
    all: Pools,
    /// Increases with every change. Brains bind their trees again.
    generation: u32,
}

impl NavTokens {
    /// Adds a pool of tokens, or replaces the one of that name.
    pub fn insert(&mut self, name: impl Into<String>, pool: TokenPool) {
        let name = name.into();
        self.tokens = std::mem::take(&mut self.tokens).with_tokens(name.clone(), pool.clone());
        self.all = std::mem::take(&mut self.all).with_tokens(name, pool);
        self.generation += 1;
    }

    /// The token and waypoint pools of the level in play.
    pub fn pools(&self) -> &Pools {
        &self.all
    }

    fn enter(&mut self, mesh: &NavMesh) {
        self.all = self.tokens.clone().with_waypoints_of(mesh);
        self.generation += 1;
    }
}

/// The trees that were built from the loaded files.
#[derive(Resource, Default)]
struct Trees(BTreeMap<AssetId<NavTree>, Arc<Tree<NavContext>>>);

/// Runs a behaviour tree for an agent.
///
/// The tree's tasks move the [`NavAgent`] of the same entity. Where a tree plays
/// a cue (`cue`, `ranged_attack`, …), a [`NavCue`] message is sent, and the game
/// calls [`finish_cue`](Self::finish_cue) when the animation or attack is over.
/// While the agent is stunned or disabled, its tree is reset and rests.
///
/// When the file of the tree changes while the game runs, agents go on in the new
/// tree: nodes of the same kind at the same path continue.
///
/// ```
/// # use bevy_asset::AssetServer;
/// # use bevy_ecs::prelude::*;
/// # use bevy_navbake::{NavAgent, NavBrain};
/// # use bevy_transform::components::Transform;
/// # fn setup(mut commands: Commands, assets: Res<AssetServer>, player: Single<Entity, With<Name>>) {
/// commands.spawn((
///     NavAgent::new("grunt"),
///     NavBrain::new(assets.load("grunt.tree.ron")).with_target(*player),
///     Transform::from_xyz(200.0, -100.0, 0.0),
/// ));
/// # }
/// ```
#[derive(Component)]
pub struct NavBrain {
    /// The file of its tree.
    pub tree: Handle<NavTree>,
    /// The entity that the tasks call the target.
    pub target: Option<Entity>,
    /// Whether the player can see the agent; the priority `on_screen` reads it.
    pub on_screen: bool,
    running: Option<Running>,
    /// The tree and pools that could not be bound, so that the error is logged
    /// once.
    failed: Option<(usize, u32)>,
    destination: Option<glam::Vec2>,
    cue: Option<Cue>,
}

/// A tree that runs.
struct Running {
    state: TreeState<NavContext>,
    pools: u32,
    frame: Frame,
    is_resting: bool,
}

struct Cue {
    name: Arc<str>,
    /// Whether it succeeded, once it is over.
    result: Option<bool>,
}

impl NavBrain {
    /// Runs the tree of a file, without a target.
    pub fn new(tree: Handle<NavTree>) -> Self {
        Self {
            tree,
            target: None,
            on_screen: true,
            running: None,
            failed: None,
            destination: None,
            cue: None,
        }
    }

    /// Sets the target.
    #[must_use]
    pub fn with_target(self, target: Entity) -> Self {
        Self {
            target: Some(target),
            ..self
        }
    }

    /// Reports that the cue that the tree plays is over. Without a cue it does
    /// nothing.
    pub fn finish_cue(&mut self, success: bool) {
        if let Some(cue) = &mut self.cue {
            cue.result = Some(success);
        }
    }

    /// The cue that the tree plays, until it is finished.
    pub fn cue(&self) -> Option<&str> {
        let cue = self.cue.as_ref().filter(|cue| cue.result.is_none());
        cue.map(|cue| &*cue.name)
    }

    /// Writes a value to the blackboard, under a key that the tree uses. Returns
    /// `false` until the tree is loaded, and for a key that it does not have with
    /// this type. For a position, use [`set_position`](Self::set_position).
    pub fn set<T: BoardValue>(&mut self, key: &str, value: T) -> bool {
        let Some(running) = &mut self.running else {
            return false;
        };
        let key = running.state.tree().key::<T>(key);
        key.is_some_and(|key| running.state.board.set(key, value).is_ok())
    }

    /// Writes a position (world units) to the blackboard, as
    /// [`set`](Self::set) does with other values.
    pub fn set_position(&mut self, key: &str, position: Vec2) -> bool {
        let frame = self.running.as_ref().map(|running| running.frame);
        frame.is_some_and(|frame| self.set(key, frame.to_mesh(position)))
    }

    /// The names of the nodes that are running, from the root to the leaf.
    pub fn running(&self) -> impl Iterator<Item = &str> {
        self.running.iter().flat_map(|Running { state, .. }| {
            let tree = state.tree();
            let nodes = 0..tree.node_count() as u32;
            let running = nodes.filter(|node| state.is_node_running(*node));
            running.map(|node| tree.node_name(node))
        })
    }

    /// The number of tokens it holds.
    pub fn tokens_held(&self) -> usize {
        self.running
            .as_ref()
            .map_or(0, |running| running.state.tokens_held())
    }
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
    /// It begins. The game calls [`NavBrain::finish_cue`] at its end.
    Begin,
    /// The tree gave it up before its end.
    Cancel,
}

/// What the tasks of a tree see of one agent in one tick. Positions are those of
/// the level, as in the tree file; see [`world`](Self::world).
pub struct NavView<'a> {
    /// The agent.
    pub entity: Entity,
    /// For everything that a task of the game changes in the world.
    pub commands: Commands<'a, 'a>,
    agent: &'a mut navmesh_runtime::NavAgent,
    mesh: &'a NavMesh,
    layer: &'a Layer,
    doors: &'a NavDoors,
    queue: &'a mut PathQueue,
    frame: Frame,
    target: Option<glam::Vec2>,
    on_screen: bool,
    destination: &'a mut Option<glam::Vec2>,
    cue: &'a mut Option<Cue>,
    cues: &'a mut Vec<NavCue>,
    events: &'a mut Vec<NavEvent>,
    faces: &'a mut Option<Facing>,
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

impl Scene for NavView<'_> {
    fn position(&self) -> glam::Vec2 {
        self.agent.position()
    }

    fn target(&self) -> Option<glam::Vec2> {
        self.target
    }

    fn line_of_sight(&self, from: glam::Vec2, to: glam::Vec2) -> bool {
        let [from, to] = [from, to].map(|feet| self.eyes(feet));
        line_of_sight(self.layer, &self.doors.doors, from, to)
    }
}

impl TaskContext for NavView<'_> {
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
        let environment = Environment::new(self.layer).with_doors(&self.doors.doors);
        let has_path = Navigation::start(self.agent, environment, destination, self.queue);
        let feet = self.frame.to_world(self.agent.position());
        let report = |event| NavEvent::new(self.entity, event, self.frame, feet);
        self.events
            .extend(self.agent.events().iter().filter_map(report));
        has_path
    }

    fn stop_navigation(&mut self) {
        self.agent.stop();
    }

    fn navigation(&self) -> Navigation {
        Navigation::of(self.agent)
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        if step == CueStep::Begin {
            let name: Arc<str> = name.into();
            self.cues.push(NavCue {
                agent: self.entity,
                name: Arc::clone(&name),
                phase: CuePhase::Begin,
            });
            *self.cue = Some(Cue { name, result: None });
            return Status::Running;
        }
        match self.cue.as_ref().and_then(|cue| cue.result) {
            None => Status::Running,
            Some(success) => {
                *self.cue = None;
                if success {
                    Status::Success
                } else {
                    Status::Failure
                }
            }
        }
    }

    fn cancel_cue(&mut self, name: &str) {
        *self.cue = None;
        self.cues.push(NavCue {
            agent: self.entity,
            name: name.into(),
            phase: CuePhase::Cancel,
        });
    }

    fn floor_beneath(&self, position: glam::Vec2) -> Option<glam::Vec2> {
        let spot = self.layer.floor_below(position, f32::INFINITY)?;
        Some(spot.position)
    }

    fn platform_edges(&self, position: glam::Vec2) -> Option<(glam::Vec2, glam::Vec2)> {
        let [left, right] = self.layer.platform_ends(position)?;
        Some((left, right))
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
        let is_left = position.x < self.agent.position().x;
        *self.faces = Some(if is_left { Facing::Left } else { Facing::Right });
    }

    fn on_screen(&self) -> bool {
        self.on_screen
    }
}

/// The parts of the plugin that concern trees.
pub(crate) fn build(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_asset::<NavTree>()
        .register_asset_loader(NavTreeLoader)
        .init_resource::<NavTasks>()
        .init_resource::<NavTokens>()
        .init_resource::<Trees>()
        .add_message::<NavCue>()
        .add_systems(PreUpdate, build_trees.in_set(NavSystems::Level))
        .add_systems(
            PreUpdate,
            enter_pools
                .in_set(NavSystems::Level)
                .after(enter_level)
                .run_if(bevy_ecs::schedule::common_conditions::on_message::<NavLevelLoaded>),
        )
        .add_systems(schedule, tick_trees.in_set(NavSystems::Trees));
}

/// Builds the trees of files that were loaded, or loaded again.
fn build_trees(
    mut changes: MessageReader<AssetEvent<NavTree>>,
    files: Res<Assets<NavTree>>,
    tasks: Res<NavTasks>,
    mut trees: ResMut<Trees>,
) {
    for event in changes.read() {
        let id = match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => *id,
            AssetEvent::Removed { id } => {
                trees.0.remove(id);
                continue;
            }
            _ => continue,
        };
        let Some(file) = files.get(id) else { continue };
        match tasks.0.build(&file.def) {
            Ok(tree) => {
                trees.0.insert(id, tree);
            }
            // Agents go on with the tree they have.
            Err(error) => tracing::error!("tree {:?}: {error}", file.def.name),
        }
    }
}

/// Takes the waypoints of the mesh in play.
fn enter_pools(level: Level, mut tokens: ResMut<NavTokens>) {
    if let Some((mesh, ..)) = level.get() {
        tokens.enter(mesh);
    }
}

/// Ticks every tree.
fn tick_trees(
    time: Res<Time>,
    level: Level,
    doors: Res<NavDoors>,
    tokens: Res<NavTokens>,
    trees: Res<Trees>,
    mut paths: ResMut<NavPaths>,
    mut commands: Commands,
    mut brains: Query<(
        Entity,
        &mut NavBrain,
        &mut NavAgent,
        &Transform,
        Option<&NavFeet>,
    )>,
    targets: Query<(&Transform, Option<&NavFeet>)>,
    mut cues: MessageWriter<NavCue>,
    mut events: MessageWriter<NavEvent>,
) {
    let Some((mesh, frame, generation)) = level.get() else {
        return;
    };
    let (mut new_cues, mut new_events) = (Vec::new(), Vec::new());
    for (entity, mut brain, mut agent, transform, offset) in &mut brains {
        let Some(tree) = trees.0.get(&brain.tree.id()) else {
            continue;
        };
        let mut faces = agent.faces.filter(|_| !agent.activity().is_moving());
        let Some(state) = agent.enter(mesh, frame, generation, feet(transform, offset)) else {
            continue;
        };
        let place = state
            .layer
            .and_then(|id| Some((mesh.layer(id)?, paths.queue(id)?)));
        let Some((layer, queue)) = place else {
            continue;
        };
        let NavBrain {
            target,
            on_screen,
            running,
            failed,
            destination,
            cue,
            ..
        } = &mut *brain;
        let target = target.and_then(|target| targets.get(target).ok());
        let mut view = NavView {
            entity,
            commands: commands.reborrow(),
            agent: &mut state.agent,
            mesh,
            layer,
            doors: &doors,
            queue,
            frame,
            target: target.map(|(transform, offset)| frame.to_mesh(feet(transform, offset))),
            on_screen: *on_screen,
            destination,
            cue,
            cues: &mut new_cues,
            events: &mut new_events,
            faces: &mut faces,
        };
        let bound = (Arc::as_ptr(tree) as usize, tokens.generation);
        if *failed != Some(bound)
            && let Err(error) = bind(running, tree, &tokens, &mut view)
        {
            tracing::error!("tree {:?}: {error}", tree.name());
            *failed = Some(bound);
        }
        let Some(running) = running else { continue };
        if view.agent.activity() == Activity::Disabled {
            if !std::mem::replace(&mut running.is_resting, true) {
                running.state.reset(&mut view);
            }
            running.state.advance(time.delta_secs());
        } else {
            running.is_resting = false;
            running.state.tick(&mut view, time.delta_secs());
        }
        agent.faces = faces;
    }
    cues.write_batch(new_cues);
    events.write_batch(new_events);
}

/// Begins a tree, or goes on in a new one or with new pools.
fn bind(
    running: &mut Option<Running>,
    tree: &Arc<Tree<NavContext>>,
    tokens: &NavTokens,
    view: &mut NavView<'_>,
) -> Result<(), BuildError> {
    let pools = tokens.generation;
    match running {
        Some(now) if Arc::ptr_eq(now.state.tree(), tree) && now.pools == pools => {}
        Some(now) => {
            if now.pools != pools {
                // A claimed waypoint may not exist in the new level.
                now.state.reset(view);
            }
            now.state.migrate(tree, &tokens.all, view)?;
            (now.pools, now.frame) = (pools, view.frame);
        }
        None => {
            *running = Some(Running {
                state: tree.state_in(&tokens.all)?,
                pools,
                frame: view.frame,
                is_resting: false,
            });
        }
    }
    Ok(())
}
