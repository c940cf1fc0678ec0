//! Doors: regions that the game closes and opens while it runs.

use super::regions::Rect;
use crate::mesh::{MarkerId, NavMesh};
use crate::random::mix;

/// The regions of a level that are closed now.
///
/// One value serves a whole level: agents take it with their
/// [`Environment`](crate::motion::Environment), queries with
/// [`Filter::close_doors`](super::Filter::close_doors), and
/// [`line_of_sight`](super::line_of_sight) directly. No part of a body may
/// overlap a closed region; touching its border is allowed.
///
/// The doors that the level itself defines have [names](Self::from_mesh). Any
/// other region can be closed too, for instance where a boulder lies. Agents leave a closed
/// region along their floors; for floors that have gone, use
/// [`Navigator::remove`](crate::Navigator::remove).
///
/// ```
/// use glam::Vec2;
/// use navmesh_runtime::search::{Doors, Rect};
///
/// let mut doors = Doors::new();
/// let boulder = doors.close_region(Rect::new(Vec2::new(64.0, 0.0), Vec2::new(72.0, 48.0)));
/// assert_eq!(doors.closed().len(), 1);
/// assert!(doors.open_region(boulder));
/// assert!(!doors.open_region(boulder), "it is open already");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Doors {
    closed: Vec<Rect>,
    named: Vec<NamedDoor>,
    /// A hash of the closed regions, 0 when none is. Agents check their path
    /// again when it changes, whichever `Doors` value it comes from.
    version: u64,
}

/// A door that the level defines.
#[derive(Debug, Clone, PartialEq)]
struct NamedDoor {
    name: Box<str>,
    region: Rect,
    is_closed: bool,
    /// Its marker, if agents can break it.
    breakable: Option<MarkerId>,
}

/// The level has no door of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no door is named {name:?}; {}", names_of(.known))]
pub struct UnknownDoor {
    /// The name that was given.
    pub name: String,
    /// The names of the level's doors, sorted, each once.
    pub known: Vec<String>,
}

fn names_of(names: &[String]) -> String {
    if names.is_empty() {
        "no level with named doors (rectangles of class `door`) is loaded".to_owned()
    } else {
        format!("the doors are: {}", names.join(", "))
    }
}

impl Doors {
    /// No doors, and nothing closed.
    pub const fn new() -> Self {
        Self {
            closed: Vec::new(),
            named: Vec::new(),
            version: 0,
        }
    }

    /// The doors of a level: rectangles of class `door`. They are open, except
    /// those with the property `closed`.
    ///
    /// ```
    /// # fn game(mesh: &navmesh_runtime::mesh::NavMesh) -> Result<(), navmesh_runtime::search::UnknownDoor> {
    /// use navmesh_runtime::search::Doors;
    ///
    /// let mut doors = Doors::from_mesh(mesh);
    /// doors.close("gate")?;
    /// assert_eq!(doors.is_closed("gate"), Some(true));
    /// doors.open("gate")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_mesh(mesh: &NavMesh) -> Self {
        Self::new().in_mesh(mesh)
    }

    /// The doors of another version of the level: those that both have stay open or
    /// closed, the others are as the level says. Other regions stay closed.
    pub(crate) fn in_mesh(&self, mesh: &NavMesh) -> Self {
        let mut others = self.clone();
        for door in self.named.iter().filter(|door| door.is_closed) {
            others.open_region(door.region);
        }
        let mut this = Self::new();
        for door in mesh.doors() {
            let name = door.marker.name.as_str();
            let region = Rect::new(door.min, door.max);
            let is_closed = self.is_closed(name).unwrap_or(door.is_closed());
            if is_closed {
                this.close_region(region);
            }
            this.named.push(NamedDoor {
                name: name.into(),
                region,
                is_closed,
                breakable: door.is_breakable().then_some(door.id),
            });
        }
        this.closed.append(&mut others.closed);
        this.renew();
        this
    }

    /// Closes every door of a name. Returns whether any of them was open.
    ///
    /// # Errors
    /// When the level has no door of that name.
    pub fn close(&mut self, name: &str) -> Result<bool, UnknownDoor> {
        self.set(name, true)
    }

    /// Opens every door of a name. Returns whether any of them was closed.
    ///
    /// # Errors
    /// When the level has no door of that name.
    pub fn open(&mut self, name: &str) -> Result<bool, UnknownDoor> {
        self.set(name, false)
    }

    fn set(&mut self, name: &str, close: bool) -> Result<bool, UnknownDoor> {
        let (mut is_known, mut changed) = (false, false);
        for i in 0..self.named.len() {
            let door = &mut self.named[i];
            if *door.name != *name {
                continue;
            }
            is_known = true;
            let region = door.region;
            if std::mem::replace(&mut door.is_closed, close) != close {
                changed = true;
                if close {
                    self.close_region(region);
                } else {
                    self.open_region(region);
                }
            }
        }
        if is_known {
            Ok(changed)
        } else {
            Err(self.unknown(name))
        }
    }

    fn unknown(&self, name: &str) -> UnknownDoor {
        let names = self.named.iter().map(|door| &*door.name);
        let names = names.filter(|name| !name.is_empty());
        let mut known: Vec<String> = names.map(str::to_owned).collect();
        known.sort_unstable();
        known.dedup();
        UnknownDoor {
            name: name.to_owned(),
            known,
        }
    }

    /// Whether a door of that name is closed; `None` when the level has no such
    /// door.
    pub fn is_closed(&self, name: &str) -> Option<bool> {
        let mut same = self.named.iter().filter(|door| *door.name == *name);
        let first = same.next()?;
        Some(first.is_closed || same.any(|door| door.is_closed))
    }

    /// Closes any region, in world units, and returns it for
    /// [`open_region`](Self::open_region). A region that is closed twice is open when
    /// it was opened twice. A rectangle with a coordinate that is not finite closes
    /// nothing.
    pub fn close_region(&mut self, region: Rect) -> Rect {
        let region = Rect::new(region.min, region.max);
        if region.min.is_finite() && region.max.is_finite() {
            self.closed.push(region);
            self.renew();
        }
        region
    }

    /// Opens a region again. Returns `false` when it is open already.
    pub fn open_region(&mut self, region: Rect) -> bool {
        let region = Rect::new(region.min, region.max);
        let Some(at) = self.closed.iter().position(|&closed| closed == region) else {
            return false;
        };
        self.closed.remove(at);
        self.renew();
        true
    }

    /// The closed regions, in the order in which they were closed.
    pub fn closed(&self) -> &[Rect] {
        &self.closed
    }

    /// The closed regions that agents can break, with their markers.
    pub(crate) fn breakable(&self) -> impl Iterator<Item = (MarkerId, Rect)> {
        let closed = self.named.iter().filter(|door| door.is_closed);
        closed.filter_map(|door| Some((door.breakable?, door.region)))
    }

    /// A number that differs between different sets of closed regions.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Computes the version from the regions, so that equal lists of regions
    /// have equal versions, however often they were changed.
    fn renew(&mut self) {
        let corners = self.closed.iter().flat_map(|door| [door.min, door.max]);
        let words = corners.flat_map(|at| at.to_array()).map(f32::to_bits);
        self.version = words.fold(0, |sum: u64, word| {
            mix(sum.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ u64::from(word))
        });
    }
}
