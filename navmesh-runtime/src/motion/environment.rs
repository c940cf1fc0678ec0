//! The surroundings of an agent in a step.

use crate::mesh::Layer;
use crate::search::Doors;

static ALL_OPEN: Doors = Doors::new();

/// A layer of a mesh and the doors of its level: what an agent moves in.
#[derive(Debug, Clone, Copy)]
pub struct Environment<'a> {
    /// The layer baked for the agent.
    pub layer: &'a Layer,
    /// The doors of the level.
    pub doors: &'a Doors,
}

impl<'a> Environment<'a> {
    /// A layer without doors.
    pub fn new(layer: &'a Layer) -> Self {
        Self {
            layer,
            doors: &ALL_OPEN,
        }
    }
}
