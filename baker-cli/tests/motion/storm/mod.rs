//! A crowd on a level with everything in it, while whatever can happen to it
//! does.

mod crowd;
mod laws;
mod stage;

pub(crate) use crowd::Storm;
pub(crate) use stage::Stage;
