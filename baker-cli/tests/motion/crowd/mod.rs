//! A crowd on a level with every kind of tile, with random interruptions.

mod interrupted_crowd;
mod invariants;
mod level_states;

pub(crate) use interrupted_crowd::InterruptedCrowd;
pub(crate) use level_states::LevelStates;
