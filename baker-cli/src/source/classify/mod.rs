//! What counts as collision, for all formats that have layers and objects.
//!
//! A reader gives facts only: a [`raw_level`] with layers, cells and objects, described by
//! their [`attributes`]. Everything that could be collision becomes one of the
//! [`candidates`], with what the level itself [`statements`] say about it. [`score`] decides
//! what each of them is; what is a guess is [`undecided`]. The [`builder`] applies the rules
//! of the configuration, and adds [`pieces`] of collision and [`markers`] to the level, with
//! a [`summary`] of each layer.

mod attributes;
mod builder;
mod candidates;
mod markers;
mod pieces;
mod raw_level;
mod score;
mod statements;
mod summary;
mod undecided;

pub use attributes::{Attributes, GROUP};
pub use builder::{Extent, LevelBuilder};
pub use raw_level::{LayerKind, LayerObject, LevelLayer, Place, RawItem, RawPart};
pub use score::Scales;
pub use undecided::{MAX_SHOWN, Undecided};
