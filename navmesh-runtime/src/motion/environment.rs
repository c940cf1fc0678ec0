//! What agents move in.

use crate::mesh::Layer;
use crate::search::Doors;

static OPEN: Doors = Doors::new();

/// A layer of a mesh, and what is blocked in it now.
#[derive(Debug, Clone, Copy)]
pub struct Environment<'a> {
    /// The layer baked for the agent.
    pub layer: &'a Layer,
    /// The doors of the level.
    pub doors: &'a Doors,
}

impl<'a> Environment<'a> {
    /// A layer with no doors.
    pub fn new(layer: &'a Layer) -> Self {
        Self {
            layer,
            doors: &OPEN,
        }
    }

    /// The same with doors.
    #[must_use]
    pub fn with_doors(self, doors: &'a Doors) -> Self {
        Self { doors, ..self }
    }
}
