//! Named places that came with the level.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// A place marked in the level: a spawn point, a waypoint, a trigger area.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// The class (or type) the level gave it; empty when it gave none.
    pub class: String,
    /// Its name; empty when it has none.
    pub name: String,
    /// Top-left corner of its bounding box, world units.
    pub position: Vec2,
    /// Width and height of its bounding box; zero for a point.
    pub size: Vec2,
    /// Custom properties as text, sorted by name.
    pub properties: Vec<(String, String)>,
}
