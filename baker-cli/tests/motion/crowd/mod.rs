//! A crowd on a level with everything in it, while whatever can happen to it
//! does.

mod interrupted_crowd;
mod invariants;
mod level_states;

pub(crate) use interrupted_crowd::InterruptedCrowd;
pub(crate) use level_states::LevelStates;
