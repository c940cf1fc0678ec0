//! The doors of a level, opened and closed by name. Feature A10.

use super::{DoorId, Doors};
use crate::mesh::NavMesh;
use crate::search::{Rect, UnknownDoor};

/// A door that came with the level.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Named {
    name: Box<str>,
    region: Rect,
    /// While it is closed.
    block: Option<DoorId>,
}

/// Doors that came with the level, by name.
impl Doors {
    /// The doors of a level: rectangles of class `door`. They are open, but
    /// for those with the property `closed`.
    ///
    /// ```
    /// # fn game(mesh: &navmesh_runtime::mesh::NavMesh) -> Result<(), navmesh_runtime::search::UnknownDoor> {
    /// use navmesh_runtime::motion::Doors;
    ///
    /// let mut doors = Doors::from_mesh(mesh);
    /// doors.close("gate")?;
    /// assert_eq!(doors.is_closed("gate"), Some(true));
    /// doors.open("gate")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_mesh(mesh: &NavMesh) -> Self {
        let mut this = Self::new();
        for door in mesh.doors() {
            let region = Rect::from(door);
            let block = door.closed.then(|| this.block(region));
            this.named.push(Named {
                name: door.name().into(),
                region,
                block,
            });
        }
        this
    }

    /// Closes every door of a name. Whether any was open.
    ///
    /// # Errors
    /// When the level has no door of that name.
    pub fn close(&mut self, name: &str) -> Result<bool, UnknownDoor> {
        self.set(name, true)
    }

    /// Opens every door of a name. Whether any was closed.
    ///
    /// # Errors
    /// When the level has no door of that name.
    pub fn open(&mut self, name: &str) -> Result<bool, UnknownDoor> {
        self.set(name, false)
    }

    /// Whether a door of that name is closed; `None` when there is none.
    pub fn is_closed(&self, name: &str) -> Option<bool> {
        let mut same = self.named.iter().filter(|door| *door.name == *name);
        let first = same.next()?;
        Some(first.block.is_some() || same.any(|door| door.block.is_some()))
    }

    /// The names of the level's doors, in its order; doors that open and
    /// close together have the same.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|door| &*door.name)
    }

    fn set(&mut self, name: &str, closed: bool) -> Result<bool, UnknownDoor> {
        let (mut known, mut changed) = (false, false);
        for i in 0..self.named.len() {
            let Some(door) = self.named.get(i).filter(|door| *door.name == *name) else {
                continue;
            };
            known = true;
            let (region, block) = (door.region, door.block);
            let next = match block {
                None if closed => Some(self.block(region)),
                Some(id) if !closed => {
                    self.unblock(id);
                    None
                }
                _ => continue,
            };
            changed = true;
            if let Some(door) = self.named.get_mut(i) {
                door.block = next;
            }
        }
        if known {
            Ok(changed)
        } else {
            Err(UnknownDoor::new(name, self.names()))
        }
    }
}
