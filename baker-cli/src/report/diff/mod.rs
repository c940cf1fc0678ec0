//! Compares two baked meshes by meaning, not by bytes.
//!
//! Ids, the order of things and the origin of the world may all differ; what
//! counts is where things are and what can be reached. Things that exist only
//! in the old file have the coordinates and ids of the old file, everything
//! else those of the new one.

mod air;
mod alignment;
mod change;
mod comparison;
mod direction;
mod folders;
mod links;
mod markers;
mod output;
mod parameters;
mod platforms;
mod reachability;
mod sections;
mod terrain;

pub use air::AirPart;
pub(crate) use alignment::Alignment;
pub use change::{Change, Replaced};
pub use comparison::{AgentDiff, Diff, DifferenceKind, FileRecord, VERSION};
pub(crate) use direction::in_direction_of;
pub(crate) use folders::{FileDiff, FolderDiff};
pub use links::{KindCounts, LinkDiff, LinkRecord};
pub use markers::{MarkerChange, MarkerDiff, PropertyChange};
pub(crate) use output::json;
pub use output::{github, human, markdown};
pub use parameters::ParameterChange;
pub use platforms::{PlatformDiff, PlatformRecord};
pub use reachability::{AirBySpawn, PairGroup, Pairs, PlatformsBySpawn, ReachDiff, Trap};
pub(crate) use sections::{Line, Section, Sign, lost_platforms, sections};
pub use terrain::{BarrierDiff, ChangedArea, TerrainDiff};
