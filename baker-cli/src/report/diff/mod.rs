//! Compares two baked meshes by meaning, not by bytes.
//!
//! Ids, the order of things and the origin of the world may all differ; what
//! counts is where things are and what can be reached. Things that exist only
//! in the old file have the coordinates and ids of the old file, everything
//! else those of the new one.
//!
//! [`Diff::new`] finds the differences, which JSON prints as they are.
//! [`Diff::changes`] lists them in words; all other outputs print this list.

mod alignment;
mod changes;
mod comparison;
mod links;
mod markers;
mod output;
mod platforms;
mod reachability;
mod terrain;

pub(crate) use alignment::Alignment;
pub use alignment::{Edited, Replaced};
pub(crate) use changes::lost_platforms;
pub use comparison::{AgentDiff, Diff, DifferenceKind, FileRecord, ParameterChange, VERSION};
pub use links::{KindCounts, LinkDiff, LinkRecord};
pub use markers::{MarkerChange, MarkerDiff, PropertyChange};
pub(crate) use output::{Comparison, DiffJson, FileDiff};
pub use output::{github, human, markdown};
pub use platforms::{PlatformDiff, PlatformRecord};
pub use reachability::{FromSpawns, PairGroup, Pairs, ReachDiff, Trap};
pub use terrain::{AirPart, BarrierDiff, ChangedArea, TerrainDiff};
