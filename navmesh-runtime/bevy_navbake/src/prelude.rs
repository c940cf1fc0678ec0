//! `use bevy_navbake::prelude::*;`: what most games use.

#[cfg(feature = "debug")]
pub use crate::debug::{NavDebug, NavDebugPlugin};
pub use crate::{
    CuePhase, NavAgent, NavBody, NavBrain, NavCue, NavDestination, NavEvent, NavEventKind, NavFeet,
    NavLevel, NavLevelLoaded, NavMesh, NavPlugin, NavSavedTree, NavSystems, NavTargetBody,
    NavTasks, NavTokens, NavTree, NavWorld,
};
pub use navmesh_behavior::{Aggression, Perception, TokenPool};
pub use navmesh_runtime::motion::{Activity, Avoidance, Facing};
