//! Markers with their properties decoded, one type for each class.

use glam::Vec2;

use super::ids::MarkerId;
use super::marker::{BREAKABLE, Marker, MarkerKind, flag};
use super::navmesh::NavMesh;

/// A marker of class `spawn`: an agent or the player enters the level here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpawnMarker<'a> {
    /// The marker.
    pub marker: &'a Marker,
    /// The agent it is for (property `agent`); `None` for every agent.
    pub agent: Option<&'a str>,
    /// The feet: the bottom centre of the marker's box, world units.
    pub position: Vec2,
}

/// A marker of class `waypoint`: a point of interest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaypointMarker<'a> {
    /// The marker.
    pub marker: &'a Marker,
    /// The property `pool`: the names of the pools it belongs to, separated by
    /// commas. Without the property: `ground` where an
    /// agent of the mesh can stand (a floor is at most one cell below), `air`
    /// elsewhere.
    pub pool: &'a str,
    /// The feet: the bottom centre of the marker's box, world units.
    pub position: Vec2,
}

impl<'a> WaypointMarker<'a> {
    /// The pools it belongs to; at least one.
    pub fn pools(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        names(self.pool)
    }

    /// The words of its property `tags`, separated by commas or spaces.
    pub fn tags(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let tags = self.marker.property("tags").unwrap_or_default();
        tags.split(|c: char| c == ',' || c.is_whitespace())
            .filter(|tag| !tag.is_empty())
    }
}

/// A marker of class `door` or `area`: a region that the game opens and closes,
/// or one with a meaning to the game, such as a trigger.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionMarker<'a> {
    /// The id of the marker.
    pub id: MarkerId,
    /// The marker. Doors with the same name open and close together.
    pub marker: &'a Marker,
    /// The corner with the smaller coordinates, world units.
    pub min: Vec2,
    /// The corner with the larger coordinates.
    pub max: Vec2,
}

impl RegionMarker<'_> {
    /// Whether a position is inside or on the border.
    pub fn contains(&self, position: Vec2) -> bool {
        self.min.cmple(position).all() && position.cmple(self.max).all()
    }

    /// Whether a door is closed when the level starts: by its property `closed`, or else if
    /// it is breakable.
    pub(crate) fn is_closed(&self) -> bool {
        let said = self.marker.property("closed").and_then(flag);
        said.unwrap_or(self.is_breakable())
    }

    /// Whether agents can break a door that is closed: of class `breakable`, or with the
    /// property `breakable`.
    pub(crate) fn is_breakable(&self) -> bool {
        self.marker.class.trim().eq_ignore_ascii_case(BREAKABLE)
            || self.marker.property("breakable").and_then(flag) == Some(true)
    }
}

/// The names in a list separated by commas.
fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
}

/// The markers by class, in the order of the level. A polygon, an ellipse or a
/// tile counts as its bounding box.
impl NavMesh {
    fn markers_of(&self, kind: MarkerKind) -> impl Iterator<Item = &Marker> {
        self.markers()
            .iter()
            .filter(move |marker| marker.kind() == kind)
    }

    /// The markers of class `spawn`.
    pub fn spawns(&self) -> impl Iterator<Item = SpawnMarker<'_>> {
        self.markers_of(MarkerKind::Spawn)
            .map(|marker| SpawnMarker {
                marker,
                agent: marker.property("agent").filter(|name| !name.is_empty()),
                position: marker.feet(self.down()),
            })
    }

    /// The markers of class `waypoint`.
    pub fn waypoints(&self) -> impl Iterator<Item = WaypointMarker<'_>> {
        self.markers_of(MarkerKind::Waypoint).map(|marker| {
            let position = marker.feet(self.down());
            let stands = || {
                let reach = self.grid().spacing;
                let mut on_foot = self.layers().iter().filter(|l| l.profile().edges.walks());
                on_foot.any(|layer| layer.floor_below(position, reach).is_some())
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

    /// The markers of class `door`, without those of no width or height, which
    /// could block nothing.
    ///
    /// ```
    /// # fn game(mesh: &navmesh_runtime::mesh::NavMesh) {
    /// for door in mesh.doors() {
    ///     println!("{} from {} to {}", door.marker.name, door.min, door.max);
    /// }
    /// # }
    /// ```
    pub fn doors(&self) -> impl Iterator<Item = RegionMarker<'_>> {
        let doors = self.regions(MarkerKind::Door);
        doors.filter(|door| door.marker.size.min_element() > 0.0)
    }

    /// The markers of class `area`.
    pub fn areas(&self) -> impl Iterator<Item = RegionMarker<'_>> {
        self.regions(MarkerKind::Area)
    }

    fn regions(&self, kind: MarkerKind) -> impl Iterator<Item = RegionMarker<'_>> {
        let markers = (0..).map(MarkerId).zip(self.markers());
        let markers = markers.filter(move |(_, marker)| marker.kind() == kind);
        markers.map(|(id, marker)| {
            let [min, max] = marker.bounds(self.down());
            RegionMarker {
                id,
                marker,
                min,
                max,
            }
        })
    }
}
