//! `use bevy_navbake::prelude::*;`: what most games use.

#[cfg(feature = "debug")]
pub use crate::debug::{NavDebug, NavDebugPlugin};
pub use crate::{
    CuePhase, NavAgent, NavBody, NavBrain, NavCue, NavDestination, NavDoors, NavEvent,
    NavEventKind, NavFeet, NavLevel, NavLevelLoaded, NavMesh, NavPaths, NavPlugin, NavSystems,
    NavTasks, NavTokens, NavTree,
};
pub use navmesh_behavior::{Aggression, TokenPool};
pub use navmesh_runtime::motion::{Activity, Facing};
