//! Runs an agent of the runtime on a baked layer and reports what it did.

mod record;
mod run;
mod write;

pub use record::{AgentCommand, Ending, Moment, Occurrence, Script, Simulation};
pub use run::{samples_along, simulate};
pub(crate) use write::SimulationJson;
