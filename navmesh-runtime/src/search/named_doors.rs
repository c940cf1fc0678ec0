//! Doors of a level, by their name. Feature A10.

use super::{Filter, Query, Rect};
use crate::mesh::{DoorMarker, NavMesh};

/// No door of the level has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no door is named {name:?}; {}", names_of(.known))]
pub struct UnknownDoor {
    /// The name that was asked for.
    pub name: String,
    /// The names there are, in order, each once.
    pub known: Vec<String>,
}

fn names_of(names: &[String]) -> String {
    if names.is_empty() {
        "the level has no doors with names (rectangles of class `door`)".to_owned()
    } else {
        format!("there are {}", names.join(", "))
    }
}

impl UnknownDoor {
    /// An error that lists the names there are.
    pub(crate) fn new<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known: Vec<String> = names
            .into_iter()
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        known.sort_unstable();
        known.dedup();
        Self {
            name: name.to_owned(),
            known,
        }
    }
}

impl From<DoorMarker<'_>> for Rect {
    fn from(door: DoorMarker<'_>) -> Self {
        Self::new(door.min, door.max)
    }
}

impl Filter {
    /// Closes the doors of a name for this filter's queries.
    ///
    /// ```
    /// # fn plan(mesh: &navmesh_runtime::mesh::NavMesh) -> Result<(), navmesh_runtime::search::UnknownDoor> {
    /// use navmesh_runtime::search::Filter;
    ///
    /// let mut without_key = Filter::default();
    /// without_key.close_door(mesh, "gate")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When no door has that name; nothing changes then.
    pub fn close_door(&mut self, mesh: &NavMesh, name: &str) -> Result<(), UnknownDoor> {
        let before = self.blocked.len();
        let named = mesh.doors().filter(|door| door.name() == name);
        self.blocked.extend(named.map(Rect::from));
        if self.blocked.len() == before {
            return Err(UnknownDoor::new(name, mesh.doors().map(|d| d.name())));
        }
        Ok(())
    }
}

impl Query {
    /// The same with the doors of a name closed.
    ///
    /// # Errors
    /// When no door has that name.
    pub fn with_closed(mut self, mesh: &NavMesh, name: &str) -> Result<Self, UnknownDoor> {
        self.filter.close_door(mesh, name)?;
        Ok(self)
    }
}
