//! The plugin and its systems.

use bevy::app::{App, Plugin, PreUpdate, Update};
use bevy::asset::{AssetApp, AssetPlugin, AssetServer, AssetTrackingSystems, Assets, Handle};
use bevy::ecs::intern::Interned;
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::ecs::schedule::common_conditions::on_message;
use bevy::math::Vec2;
use bevy::time::Time;
use bevy::transform::components::Transform;
use navmesh_runtime::Environment;
use navmesh_runtime::glam;
use navmesh_runtime::motion::BodyState;
use navmesh_runtime::search::SnapTo;

use crate::agent::{AgentState, NavAgent, NavBody, NavDestination, NavFeet, Targets, feet};
use crate::brain::{NavBrain, NavTokens, enter_pools, tick_trees};
use crate::event::NavEvent;
use crate::level::{
    Frame, InPlay, Level, NavDoors, NavLevel, NavLevelLoaded, NavMesh, NavMeshLoader,
};
use crate::paths::NavPaths;
use crate::tree::{NavTasks, NavTree, NavTreeLoader, Trees, build_trees};
use crate::view::NavCue;

/// Navigation for side-scrolling games. Add it after `DefaultPlugins`, or after
/// `MinimalPlugins` and `AssetPlugin`.
///
/// ```
/// # use bevy::app::{App, FixedUpdate};
/// # use bevy_navbake::NavPlugin;
/// # fn game(app: &mut App) {
/// app.add_plugins(NavPlugin::default());
/// # }
/// # fn physics(app: &mut App) {
/// // For bodies that a physics engine moves:
/// app.add_plugins(NavPlugin::in_schedule(FixedUpdate).with_path_budget(4_000));
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct NavPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    path_budget: u32,
    retarget_seconds: f32,
    index_routes: bool,
}

impl Default for NavPlugin {
    /// In `Update`, with a budget of 2,000 nodes for each update.
    fn default() -> Self {
        Self::in_schedule(Update)
    }
}

impl NavPlugin {
    /// Runs [`NavSystems`] in a schedule. In `Update`, agents that the plugin
    /// moves are smooth at every frame rate; where they go does not depend on
    /// it. With a [`NavBody`] use the schedule of the physics, usually
    /// `FixedUpdate`.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
            path_budget: 2_000,
            retarget_seconds: 0.25,
            index_routes: true,
        }
    }

    /// Sets how many nodes the path searches of an update look at; see
    /// [`NavPaths::budget`], which the game can change later.
    #[must_use]
    pub fn with_path_budget(mut self, nodes: u32) -> Self {
        self.path_budget = nodes;
        self
    }

    /// Sets how long agents keep to the last position of an entity that they
    /// follow, in seconds. The default is 0.25.
    #[must_use]
    pub fn with_retarget_seconds(mut self, seconds: f32) -> Self {
        self.retarget_seconds = seconds;
        self
    }

    /// Sets whether loading a level includes its indices of routes, with which a path is
    /// found in a microsecond or a few. The default is `true`. Indices are built by the
    /// asset server, not in an update: on foot in 0.04 s for 6,500 links and in 1.2 s for
    /// 120,000, for fliers in 4 s at most, or in a fifth of that or less from files that
    /// were baked with `index_routes = true`. The level is in play after that. Levels
    /// that are baked when they are loaded have indices if their configuration says so.
    #[must_use]
    pub fn with_route_index(mut self, index_routes: bool) -> Self {
        self.index_routes = index_routes;
        self
    }
}

/// The systems of the plugin, in this order. All but the first run in the
/// schedule of the plugin.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NavSystems {
    /// Puts loaded meshes and trees into play, in `PreUpdate`.
    Level,
    /// Ticks behaviour trees. Update what their conditions read before this.
    Trees,
    /// Reads [`NavDestination`]s.
    Destinations,
    /// Moves the agents and writes their [`NavEvent`]s. Report [`NavBody`]s
    /// before this, and move them after it.
    Move,
    /// Searches for paths.
    Paths,
}

impl Plugin for NavPlugin {
    fn build(&self, app: &mut App) {
        assert!(
            app.is_plugin_added::<AssetPlugin>(),
            "NavPlugin loads assets: add it after DefaultPlugins, or after AssetPlugin"
        );
        #[cfg(feature = "bake")]
        app.init_asset_loader::<crate::bake::NavBakeLoader>();
        app.init_asset::<NavMesh>()
            .register_asset_loader(NavMeshLoader {
                index_routes: self.index_routes,
            })
            .init_asset::<NavTree>()
            .register_asset_loader(NavTreeLoader)
            .init_resource::<NavTasks>()
            .init_resource::<NavTokens>()
            .init_resource::<Trees>()
            .init_resource::<InPlay>()
            .init_resource::<NavDoors>()
            .insert_resource(NavPaths::new(self.path_budget))
            .insert_resource(Retarget {
                seconds: self.retarget_seconds,
                left: 0.0,
            })
            .add_message::<NavEvent>()
            .add_message::<NavLevelLoaded>()
            .add_message::<NavCue>()
            .configure_sets(
                self.schedule,
                (
                    NavSystems::Trees,
                    NavSystems::Destinations,
                    NavSystems::Move,
                    NavSystems::Paths,
                )
                    .chain(),
            )
            .add_systems(
                PreUpdate,
                (
                    // In the same update, so that no agent sees a mesh with the
                    // layers of the one before.
                    enter_level.after(AssetTrackingSystems),
                    leave_level.before(enter_level),
                    enter_pools
                        .after(enter_level)
                        .run_if(on_message::<NavLevelLoaded>),
                    build_trees,
                )
                    .in_set(NavSystems::Level),
            )
            .add_systems(
                self.schedule,
                (
                    tick_trees.in_set(NavSystems::Trees),
                    set_destinations.in_set(NavSystems::Destinations),
                    move_agents.in_set(NavSystems::Move),
                    find_paths.in_set(NavSystems::Paths),
                ),
            );
    }
}

/// When agents look again where the entities are that they follow. All do so at
/// once, so that those that follow the same entity share a search.
#[derive(Resource, Debug)]
struct Retarget {
    seconds: f32,
    left: f32,
}

/// Puts the mesh of [`NavLevel`] into play when it is loaded, loaded again, or
/// another one, and out of play when the resource is gone.
fn enter_level(
    level: Option<Res<NavLevel>>,
    server: Res<AssetServer>,
    mut project: Local<Option<Handle<NavMesh>>>,
    meshes: Res<Assets<NavMesh>>,
    mut in_play: ResMut<InPlay>,
    mut doors: ResMut<NavDoors>,
    mut paths: ResMut<NavPaths>,
    mut loaded: MessageWriter<NavLevelLoaded>,
) {
    let Some(level) = level else {
        *project = None;
        if in_play.mesh.take().is_some() {
            *doors = NavDoors::default();
            paths.clear();
        }
        return;
    };
    if level.is_changed() {
        // Bevy knows which files a project was read from only while the project itself
        // is in use: one of its levels is not enough to load it again.
        let path = level.mesh.path().filter(|path| path.label().is_some());
        *project = path.map(|path| server.load(path.without_label().clone_owned()));
    }
    let Some(mesh) = meshes.get(&level.mesh) else {
        return;
    };
    let frame = Frame::new(&level, mesh);
    let is_same = in_play.mesh.as_ref() == Some(&level.mesh);
    if is_same && (in_play.frame, in_play.identity) == (Some(frame), mesh.identity()) {
        return;
    }
    *in_play = InPlay {
        frame: Some(frame),
        mesh: Some(level.mesh.clone()),
        identity: mesh.identity(),
        generation: in_play.generation.wrapping_add(1).max(1),
    };
    doors.enter(mesh, frame, is_same);
    paths.enter(mesh);
    loaded.write(NavLevelLoaded { is_reload: is_same });
}

/// Lets agents rest and ends their trees while no mesh is in play, and between two levels
/// whose meshes are loaded. Not in the schedule of the plugin, which may not run between
/// them.
fn leave_level(
    level: Level,
    mut agents: Query<(&mut NavAgent, Option<&mut NavBody>)>,
    mut brains: Query<(Entity, &mut NavBrain)>,
    mut cues: MessageWriter<NavCue>,
) {
    if level.get().is_some() {
        return;
    }
    for (mut agent, body) in &mut agents {
        agent.leave();
        if let Some(mut body) = body {
            body.rest();
        }
    }
    for (entity, mut brain) in &mut brains {
        cues.write_batch(brain.end(entity));
    }
}

/// Passes the destinations on to the agents.
fn set_destinations(
    time: Res<Time>,
    level: Level,
    mut retarget: ResMut<Retarget>,
    mut agents: Query<(&mut NavAgent, &NavDestination, &Transform, Option<&NavFeet>)>,
    targets: Targets,
) {
    let Some((mesh, frame, generation)) = level.get() else {
        return;
    };
    retarget.left -= time.delta_secs();
    let looks = retarget.left <= 0.0;
    if looks {
        retarget.left = retarget.seconds;
    }
    for (mut agent, destination, transform, offset) in &mut agents {
        let at = feet(transform, offset);
        let Some(state) = agent.enter(mesh, frame, generation, at) else {
            continue;
        };
        let (before, &destination) = (state.heading, destination);
        let is_new = before.is_none_or(|(before, _)| before != destination);
        let to = match destination {
            NavDestination::Point(point) if is_new => frame.to_mesh(point),
            NavDestination::Entity(target) if is_new || looks => {
                // A target that is gone leaves the agent on its way.
                let Some(target) = targets.feet(target) else {
                    continue;
                };
                goal(state, mesh, frame.to_mesh(target))
            }
            _ => continue,
        };
        let heading = Some((destination, to));
        if before != heading {
            state.heading = heading;
            state.agent.go_to(to);
        }
    }
}

/// Where an agent that follows an entity goes: one that walks goes to the place below
/// the entity.
fn goal(state: &AgentState, mesh: &NavMesh, target: glam::Vec2) -> glam::Vec2 {
    let layer = state.layer.and_then(|id| mesh.layer(id));
    layer
        .filter(|layer| layer.profile().edges.walks())
        .and_then(|layer| layer.snap(target, SnapTo::Target))
        .map_or(target, |spot| spot.position)
}

/// Moves every agent by the time of the update.
fn move_agents(
    time: Res<Time>,
    level: Level,
    doors: Res<NavDoors>,
    mut paths: ResMut<NavPaths>,
    mut agents: Query<(
        Entity,
        &mut NavAgent,
        &mut Transform,
        Option<&mut NavBody>,
        Option<&NavFeet>,
    )>,
    mut events: MessageWriter<NavEvent>,
) {
    let Some((mesh, frame, generation)) = level.get() else {
        return;
    };
    let dt = time.delta_secs();
    for (entity, mut agent, mut transform, body, offset) in &mut agents {
        let at = feet(&transform, offset);
        let place = agent
            .enter(mesh, frame, generation, at)
            .and_then(|state| state.place(mesh, &mut paths));
        let Some((state, layer, queue)) = place else {
            if let Some(mut body) = body {
                body.rest();
            }
            continue;
        };
        let environment = Environment {
            layer,
            doors: &doors.doors,
        };
        if let Some(mut body) = body {
            let report = BodyState {
                position: frame.to_mesh(at),
                velocity: frame.vector_to_mesh(body.velocity),
                grounded: body.grounded,
            };
            let command = state.agent.drive_with(environment, queue, report, dt);
            body.obey(command, frame);
        } else {
            let pose = state.agent.step(environment, queue, dt);
            let to = frame.to_world(pose.position) - offset.map_or(Vec2::ZERO, |feet| feet.0);
            // Systems that react to changes need not run for agents at rest.
            if transform.translation.truncate() != to {
                transform.translation = to.extend(transform.translation.z);
            }
        }
        let feet = frame.to_world(state.agent.pose().position);
        let report = |event| NavEvent::new(entity, event, frame, feet);
        events.write_batch(state.agent.events().iter().filter_map(report));
    }
}

/// Works on the path searches.
fn find_paths(level: Level, mut paths: ResMut<NavPaths>) {
    if let Some((mesh, ..)) = level.get() {
        paths.work(mesh);
    }
}
