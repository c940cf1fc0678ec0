//! Navigation for side-scrolling games in [Bevy](https://bevy.org): agents that
//! run, jump, drop, climb and fly through levels that `navbake` has baked.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_navbake::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, NavPlugin::default()))
//!         .add_systems(Startup, setup)
//!         .add_systems(Update, caught)
//!         .run();
//! }
//!
//! #[derive(Component)]
//! struct Player;
//!
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     // Written by `navbake bake level.tmx -o assets/level.navmesh`.
//!     commands.insert_resource(NavLevel::new(assets.load("level.navmesh")));
//!     let player = commands.spawn((Player, Transform::from_xyz(560.0, -272.0, 0.0))).id();
//!     commands.spawn((
//!         NavAgent::new("ground"),
//!         NavDestination::Entity(player),
//!         Transform::from_xyz(56.0, -272.0, 0.0),
//!     ));
//! }
//!
//! fn caught(mut events: MessageReader<NavEvent>) {
//!     for event in events.read() {
//!         if event.kind == NavEventKind::Arrived {
//!             println!("{} has caught the player at {}", event.agent, event.position);
//!         }
//!     }
//! }
//! ```
//!
//! `docs/engines.md` of the repository has the way from an empty project to an
//! enemy that chases a player. The folder `demo` has three programs with a window,
//! `chase`, `platformer` and `stress`; the example `stress` measures 2,000 agents
//! without one.
//!
//! # Concepts
//!
//! | type | kind | what it is |
//! |---|---|---|
//! | [`NavPlugin`] | plugin | adds everything below; its settings |
//! | [`NavMesh`] | asset | a `.navmesh` file |
//! | [`NavLevel`] | resource | the mesh in play, and where it is in the world |
//! | [`NavAgent`] | component | an agent; its commands and what it does |
//! | [`NavDestination`] | component | where it goes: a position, or after an entity |
//! | [`NavBody`] | component | for agents that physics moves |
//! | [`NavFeet`] | component | for transforms that are not those of the feet |
//! | [`NavEvent`], [`NavLevelLoaded`], [`NavCue`] | messages | what happened |
//! | [`NavWorld`] | resource | the doors of the level, and the path searches with their budget |
//! | [`NavTree`], [`NavBrain`] | asset, component | behaviour trees |
//! | [`NavTasks`], [`NavTokens`] | resources | what tree files may name |
//! | [`NavSystems`] | system sets | for systems that run before or after |
//!
//! **Positions** are in world units of Bevy, with y upwards, and are those of the
//! feet: the bottom centre of the body. [`NavLevel`] says how they follow from
//! the level editor. Two things are in the coordinates of the level, as in the
//! editor: the [`NavMesh`] itself, and what a behaviour tree sees.
//!
//! **Hot reload.** With the feature `file_watcher` (or `bevy/file_watcher`), meshes
//! and trees are loaded again when their files change. Agents stay, plan again in
//! the new mesh, and continue in the new tree. In a new mesh, trees begin again,
//! because a waypoint that they hold may be gone. `navbake bake --watch` bakes a level
//! whenever it is saved, so a designer sees an edit in the running game; with the
//! feature `bake`, the game itself does. A file that cannot be read is logged, and the last good one stays in play.
//!
//! **One level** is in play at a time. To enter another, replace the resource
//! [`NavLevel`]; agents stay where they are in the world.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `bake` | no | bakes maps of Tiled and LDtk when they are loaded, with [`NavBakeLoader`](https://docs.rs/bevy_navbake/latest/bevy_navbake/struct.NavBakeLoader.html): `assets.load("level.tmx")`, for builds of developers |
//! | `debug` | no | [`NavDebugPlugin`](https://docs.rs/bevy_navbake/latest/bevy_navbake/debug/struct.NavDebugPlugin.html): gizmos for terrain, links, doors, paths and running trees |
//! | `file_watcher` | no | loads changed files while the game runs |
//!
//! # Versions
//!
//! | `bevy_navbake` | Bevy | `navmesh-runtime` | Rust | files |
//! |---|---|---|---|---|
//! | 0.1 | 0.19 | 0.1 | 1.95 | `.navmesh` 4.x |
//! | 0.1 | 0.20 | 0.1 | 1.97.1 | `.navmesh` 4.x |
//!
//! Cargo takes the newest version of Bevy that your Rust compiles. For a game that
//! stays with 0.19: `cargo update bevy@0.20 --precise 0.19.1`.
//!
//! The crate converts between Bevy's glam and the runtime's, so the two versions
//! may differ. A game that passes vectors to the runtime itself (custom tasks,
//! [`NavAgent::runtime_mut`]) uses `navmesh_runtime::glam`, or makes both the same:
//! `cargo update -p glam@0.34 --precise 0.32.1`, with Bevy 0.20 `0.33.12`.

mod agent;
#[cfg(feature = "bake")]
mod bake;
mod brain;
#[cfg(feature = "debug")]
pub mod debug;
mod event;
mod level;
mod plugin;
pub mod prelude;
mod tree;
mod view;

pub use agent::{NavAgent, NavBody, NavDestination, NavFeet, NavJump, NavTargetBody};
#[cfg(feature = "bake")]
pub use bake::{NavBakeError, NavBakeLoader};
pub use brain::{NavBrain, NavSavedTree, NavTokens};
pub use event::{NavEvent, NavEventKind};
pub use level::{NavLevel, NavLevelLoaded, NavMesh, NavMeshError, NavMeshLoader, NavWorld};
pub use navmesh_runtime;
pub use plugin::{NavPlugin, NavSystems};
pub use tree::{NavTasks, NavTree, NavTreeError, NavTreeLoader};
pub use view::{CuePhase, NavContext, NavCue, NavView};

// Compiles the code in README.md with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
