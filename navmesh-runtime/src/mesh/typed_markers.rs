//! Markers as what they mean.

use glam::Vec2;

use super::{Marker, MarkerKind, NavMesh, Portals};

/// Somebody enters the level here: a marker of class `spawn`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpawnMarker<'a> {
    /// The marker.
    pub marker: &'a Marker,
    /// The agent it is for (property `agent`); `None` for anyone.
    pub agent: Option<&'a str>,
    /// Feet: the bottom centre of the marker's box, world units.
    pub position: Vec2,
}

/// A point of interest: a marker of class `waypoint`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaypointMarker<'a> {
    /// The marker.
    pub marker: &'a Marker,
    /// Who it is for (property `pool`): a name, or several with commas between
    /// them ([`pools`](Self::pools)). Where the property names none: `ground`
    /// where an agent of the mesh can stand, floor no more than a cell below;
    /// `air` elsewhere.
    pub pool: &'a str,
    /// Feet: the bottom centre of the marker's box, world units.
    pub position: Vec2,
}

impl<'a> WaypointMarker<'a> {
    /// The pools it belongs to, at least one.
    pub fn pools(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        names(self.pool)
    }

    /// The words of its property `tags`, which commas or spaces separate.
    pub fn tags(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let tags = self.marker.property("tags").unwrap_or_default();
        tags.split(|c: char| c == ',' || c.is_whitespace())
            .filter(|tag| !tag.is_empty())
    }

    /// Whether it has a tag; case does not matter.
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags().any(|own| own.eq_ignore_ascii_case(tag))
    }
}

/// A region that a game blocks and unblocks: a marker of class `door`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoorMarker<'a> {
    /// The marker. Doors of one name open and close together.
    pub marker: &'a Marker,
    /// The corner with the smaller coordinates, world units.
    pub min: Vec2,
    /// The corner with the larger coordinates.
    pub max: Vec2,
    /// Whether it is closed when the level begins (property `closed`).
    pub closed: bool,
}

impl<'a> DoorMarker<'a> {
    /// Its name.
    pub fn name(&self) -> &'a str {
        &self.marker.name
    }
}

/// A region that means something to the game (a trigger, a leash): a marker
/// of class `area`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaMarker<'a> {
    /// The marker.
    pub marker: &'a Marker,
    /// The corner with the smaller coordinates, world units.
    pub min: Vec2,
    /// The corner with the larger coordinates.
    pub max: Vec2,
}

impl<'a> AreaMarker<'a> {
    /// Its name.
    pub fn name(&self) -> &'a str {
        &self.marker.name
    }

    /// Whether a position is inside, or on the border.
    pub fn contains(&self, position: Vec2) -> bool {
        self.min.cmple(position).all() && position.cmple(self.max).all()
    }
}

/// The names in a list with commas between them.
fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
}

/// What the level marked, by what it means; in the level's order. A marker
/// that is a polygon, an ellipse or a tile in the level counts with its
/// bounding box.
impl NavMesh {
    /// The markers of one kind.
    pub fn markers_of(&self, kind: MarkerKind) -> impl Iterator<Item = &Marker> {
        self.markers()
            .iter()
            .filter(move |marker| marker.kind() == kind)
    }

    /// Where somebody enters the level.
    pub fn spawns(&self) -> impl Iterator<Item = SpawnMarker<'_>> {
        self.markers_of(MarkerKind::Spawn)
            .map(|marker| SpawnMarker {
                marker,
                agent: marker.property("agent").filter(|name| !name.is_empty()),
                position: marker.feet(self.down()),
            })
    }

    /// Points of interest.
    pub fn waypoints(&self) -> impl Iterator<Item = WaypointMarker<'_>> {
        self.markers_of(MarkerKind::Waypoint).map(|marker| {
            let position = marker.feet(self.down());
            let stands = || {
                let reach = self.grid().spacing;
                let mut layers = self.layers().iter();
                layers.any(|layer| layer.floor_below(position, reach).is_some())
            };
            let pool = marker.property("pool");
            let pool = pool.filter(|pool| names(pool).next().is_some());
            WaypointMarker {
                marker,
                pool: pool.unwrap_or_else(|| if stands() { "ground" } else { "air" }),
                position,
            }
        })
    }

    /// Regions the game blocks and unblocks. One that has no width or no
    /// height blocks nothing and is left out.
    ///
    /// ```
    /// # fn game(mesh: &navmesh_runtime::mesh::NavMesh) {
    /// for door in mesh.doors() {
    ///     println!("{} from {} to {}", door.name(), door.min, door.max);
    /// }
    /// # }
    /// ```
    pub fn doors(&self) -> impl Iterator<Item = DoorMarker<'_>> {
        self.markers_of(MarkerKind::Door)
            .filter(|marker| marker.size.min_element() > 0.0)
            .map(|marker| {
                let [min, max] = marker.bounds(self.down());
                DoorMarker {
                    marker,
                    min,
                    max,
                    closed: marker.flag("closed") == Some(true),
                }
            })
    }

    /// Triggers and leashes.
    pub fn areas(&self) -> impl Iterator<Item = AreaMarker<'_>> {
        self.markers_of(MarkerKind::Area).map(|marker| {
            let [min, max] = marker.bounds(self.down());
            AreaMarker { marker, min, max }
        })
    }

    /// Which portal leads to which. The links through them are in the layers
    /// of the agents that use portals.
    pub fn portals(&self) -> Portals {
        Portals::of(self.markers())
    }
}
