//! What `navmesh-bots`, tests and benchmarks use of this crate. No public interface: it changes with any
//! version.

pub use crate::mesh::limits::Limits;
pub use crate::motion::kinematics::{Runner, SpeedProfile, Target, closing_speed};
pub use crate::motion::queue::{PathSource, Ticket};
pub use crate::random::unit;
pub use crate::search::free_space::FreeSpace;
pub use crate::search::regions::{grown, link_bounds, overlap, segment_inside};
pub use crate::search::replacement::baked_trajectory;
