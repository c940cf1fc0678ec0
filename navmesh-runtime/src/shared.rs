//! What the packages of this repository share. No public interface: it changes
//! with any version.

pub use crate::mesh::limits::{Limits, time_scale};
pub use crate::mesh::trajectory::Trajectory;
pub use crate::motion::air_course::closing_speed;
pub use crate::motion::path_source::{PathSource, Ticket};
pub use crate::random::{mix, unit};
pub use crate::search::free_space::FreeSpace;
pub use crate::search::regions::{arc_inside, grown, link_bounds, overlap, segment_inside};
pub use crate::search::resolve::baked_trajectory;
