//! Bots that choose targets by interest and play like people.
//!
//! An [`InterestField`] holds the objects of a level. Each is taken at the nearest
//! place (a vertex or a point of a platform) to which a free line leads, and adds
//! its worth to the zone of that place and, by path distance, to the zones around:
//!
//! ```text
//! share(zone)   = 1 - seconds of the path from the zone to the object / spread
//! around(zone)  = sum of weight(kind) * worth * share
//! total(object) = weight(kind) * worth + zone_weight * around - caution * harm
//! score(object) = total * half_time / (half_time + seconds of the path to it)
//! ```
//!
//! [`InterestField::choose`] returns the object with the highest score for one
//! agent. `weight(kind)` depends on the state of that agent (what it carries, its
//! health), so it is an argument of each choice.
//!
//! ```
//! # use navmesh_runtime::mesh::Layer;
//! use navmesh_runtime::glam::Vec2;
//! use navmesh_bots::interest::{FieldSettings, Interest, InterestField, Recovery, Seeker};
//! use navmesh_runtime::search::{Filter, PathFinder};
//!
//! const COIN: u8 = 0;
//! const HEALTH: u8 = 1;
//!
//! # fn game(layer: &Layer, bot: Vec2, coin: Vec2, heart: Vec2, wounds: f32)
//! #     -> Result<(), Box<dyn std::error::Error>> {
//! let mut finder = PathFinder::new();
//! let mut field = InterestField::new(layer, FieldSettings::new(layer, 2))?;
//! field.insert(layer, &mut finder, "coin", Interest::new(COIN, coin, 10.0))?;
//! field.insert(layer, &mut finder, "heart", Interest::new(HEALTH, heart, 20.0))?;
//!
//! // In each frame: time passes. Each time a bot decides: its state is the context.
//! field.update(layer, &mut finder, 1.0 / 60.0);
//! let (mut recovery, filter) = (Recovery::default(), Filter::default());
//! let weights = [1.0, wounds];
//! let seeker = Seeker::new(bot, &weights, &filter);
//! if let Some(target) = field.choose(layer, &mut finder, &seeker, &mut recovery) {
//!     println!("{} at {}", target.id, target.position);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The other types work without a field: [`Hysteresis`], [`DecisionMemory`],
//! [`react`], [`Handicap`], [`Recovery`], [`intercept`], [`shortcut`],
//! [`alternative_paths`] and [`Dash`].
//!
//! Times are durations of paths, in seconds, because the path search minimizes
//! those; a portal costs what the level says, 0 by default, however far its exit is.

mod bounds;
mod choice;
mod dash;
mod field;
mod habits;
#[cfg(feature = "behavior")]
mod nodes;
mod objects;
mod pursuit;
mod routes;
mod seeker;
mod table;
mod zones;

pub use dash::Dash;
pub use field::{FieldSettings, InterestField};
pub use habits::{
    ActionClock, DecisionMemory, Handicap, Hysteresis, Noticing, Reaction, Recovery, Stimulus,
    react,
};
#[cfg(feature = "behavior")]
pub use nodes::{InterestContext, InterestTask, KeepDecision, Recover};
pub use objects::{DangerArea, Interest, InvalidInterest};
pub use pursuit::{Course, Meeting, heading, intercept, shortcut};
pub use routes::{RouteChoice, RouteLimits, alternative_paths};
pub use seeker::{Seeker, Target};
