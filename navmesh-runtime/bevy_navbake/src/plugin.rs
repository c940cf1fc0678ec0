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
use navmesh_runtime::Navigator;
use navmesh_runtime::glam;
use navmesh_runtime::motion::BodyState;

use crate::agent::{AgentState, NavAgent, NavBody, NavDestination, NavFeet, Target, Targets, feet};
use crate::brain::{NavBrain, NavSavedTree, NavTokens, enter_pools, tick_trees};
use crate::event::NavEvent;
use crate::level::{NavLevel, NavLevelLoaded, NavMesh, NavMeshLoader, NavWorld};
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
    /// [`NavWorld::budget`], which the game can change later.
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
        app.register_type::<NavSavedTree>()
            .init_asset::<NavMesh>()
            .register_asset_loader(NavMeshLoader {
                index_routes: self.index_routes,
            })
            .init_asset::<NavTree>()
            .register_asset_loader(NavTreeLoader)
            .init_resource::<NavTasks>()
            .init_resource::<NavTokens>()
            .init_resource::<Trees>()
            .insert_resource(NavWorld::new(self.path_budget))
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
    mut world: ResMut<NavWorld>,
    mut loaded: MessageWriter<NavLevelLoaded>,
) {
    let Some(level) = level else {
        *project = None;
        world.leave();
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
    if let Some(is_reload) = world.enter(&level, mesh) {
        loaded.write(NavLevelLoaded { is_reload });
    }
}

/// Lets agents rest and ends their trees while no mesh is in play, and between two levels
/// whose meshes are loaded. Not in the schedule of the plugin, which may not run between
/// them.
fn leave_level(
    level: Option<Res<NavLevel>>,
    mut world: ResMut<NavWorld>,
    mut agents: Query<(&mut NavAgent, Option<&mut NavBody>)>,
    mut brains: Query<(Entity, &mut NavBrain)>,
    mut cues: MessageWriter<NavCue>,
) {
    if world.in_play(level.as_deref()).is_some() {
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
    level: Option<Res<NavLevel>>,
    mut world: ResMut<NavWorld>,
    mut retarget: ResMut<Retarget>,
    mut agents: Query<(
        Entity,
        &mut NavAgent,
        &NavDestination,
        &Transform,
        Option<&NavFeet>,
    )>,
    targets: Targets,
) {
    let Some(level) = world.in_play(level.as_deref()) else {
        return;
    };
    let frame = level.frame;
    retarget.left -= time.delta_secs();
    let looks = retarget.left <= 0.0;
    if looks {
        retarget.left = retarget.seconds;
    }
    for (entity, mut agent, destination, transform, offset) in &mut agents {
        let at = feet(transform, offset);
        let Some(state) = agent.enter(&level, entity, at) else {
            continue;
        };
        let (before, &destination) = (state.heading, destination);
        let is_new = before.is_none_or(|(before, _)| before != destination);
        let to = match destination {
            NavDestination::Point(point) if is_new => frame.to_mesh(point),
            NavDestination::Entity(target) if is_new || looks => {
                // A target that is gone leaves the agent on its way.
                let Some(target) = targets.get(target, frame) else {
                    continue;
                };
                goal(state, level.nav, target)
            }
            _ => continue,
        };
        let heading = Some((destination, to));
        if before != heading {
            state.heading = heading;
            state.actor.agent.go_to(to);
        }
    }
}

/// Where an agent that follows an entity goes: one that walks or climbs goes to its
/// place nearest to the body of the entity.
fn goal(state: &AgentState, nav: &Navigator, target: Target) -> glam::Vec2 {
    let agent = &state.actor.agent;
    (nav.layer_of(agent))
        .filter(|layer| layer.profile().edges.walks())
        .and_then(|_| nav.place_of_target(agent, target.feet, target.body))
        .unwrap_or(target.feet)
}

/// Moves every agent by the time of the update.
fn move_agents(
    time: Res<Time>,
    level: Option<Res<NavLevel>>,
    mut world: ResMut<NavWorld>,
    mut agents: Query<(
        Entity,
        &mut NavAgent,
        &mut Transform,
        Option<&mut NavBody>,
        Option<&NavFeet>,
    )>,
    mut events: MessageWriter<NavEvent>,
) {
    let Some(level) = world.in_play(level.as_deref()) else {
        return;
    };
    let frame = level.frame;
    let dt = time.delta_secs();
    for (entity, mut agent, mut transform, body, offset) in &mut agents {
        let at = feet(&transform, offset);
        let Some(state) = agent.enter(&level, entity, at) else {
            if let Some(mut body) = body {
                body.rest();
            }
            continue;
        };
        if let Some(mut body) = body {
            let report = BodyState {
                position: frame.to_mesh(at),
                velocity: frame.vector_to_mesh(body.velocity),
                grounded: body.grounded,
            };
            let command = state.actor.agent.drive(level.nav, report, dt);
            body.obey(command, frame);
        } else {
            let pose = state.actor.agent.update(level.nav, dt);
            let to = frame.to_world(pose.position) - offset.map_or(Vec2::ZERO, |feet| feet.0);
            // Systems that react to changes need not run for agents at rest.
            if transform.translation.truncate() != to {
                transform.translation = to.extend(transform.translation.z);
            }
        }
        let feet = frame.to_world(state.actor.agent.pose().position);
        let report = |event| NavEvent::new(entity, event, frame, feet);
        events.write_batch(state.actor.agent.events().iter().filter_map(report));
    }
}

/// Works on the path searches.
fn find_paths(mut world: ResMut<NavWorld>) {
    world.find_paths();
}
