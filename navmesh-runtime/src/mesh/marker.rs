//! Named places that came with the level.

use glam::Vec2;

/// A place marked in the level: a spawn point, a waypoint, a trigger area.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Marker {
    /// The class (or type) the level gave it; empty when it gave none.
    pub class: String,
    /// Its name; empty when it has none.
    pub name: String,
    /// Top-left corner of its bounding box, world units.
    pub position: Vec2,
    /// Width and height of its bounding box; zero for a point.
    pub size: Vec2,
    /// Custom properties as text, sorted by name. Markers of a Tiled map have
    /// their object's number as `id`, so that properties that refer to
    /// objects can be followed.
    pub properties: Vec<(String, String)>,
}

/// What a marker is for, by its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MarkerKind {
    /// `spawn`: somebody enters the level here.
    Spawn,
    /// `waypoint`: a point of interest.
    Waypoint,
    /// `portal`: one end of a way that takes no walking.
    Portal,
    /// `door`: a region the game blocks and unblocks.
    Door,
    /// `area`: a trigger, or a leash.
    Area,
    /// `nav_area`: the part of the level that was baked.
    NavArea,
    /// Any other class, or none: the game's own.
    Other,
}

impl MarkerKind {
    /// Every kind that has a class of its own.
    pub const KNOWN: [Self; 6] = [
        Self::Spawn,
        Self::Waypoint,
        Self::Portal,
        Self::Door,
        Self::Area,
        Self::NavArea,
    ];

    /// The class that means it; empty for [`Other`](Self::Other).
    pub const fn class(self) -> &'static str {
        match self {
            Self::Spawn => "spawn",
            Self::Waypoint => "waypoint",
            Self::Portal => "portal",
            Self::Door => "door",
            Self::Area => "area",
            Self::NavArea => "nav_area",
            Self::Other => "",
        }
    }

    /// What a class means; case does not matter.
    ///
    /// ```
    /// use navmesh_runtime::mesh::MarkerKind;
    ///
    /// assert_eq!(MarkerKind::of("Spawn"), MarkerKind::Spawn);
    /// assert_eq!(MarkerKind::of("torch"), MarkerKind::Other);
    /// ```
    pub fn of(class: &str) -> Self {
        let class = class.trim();
        Self::KNOWN
            .into_iter()
            .find(|kind| kind.class().eq_ignore_ascii_case(class))
            .unwrap_or(Self::Other)
    }
}

impl Marker {
    /// What it is for.
    pub fn kind(&self) -> MarkerKind {
        MarkerKind::of(&self.class)
    }

    /// A property's text without space around it; case does not matter in
    /// its name.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
    }

    /// A property as a yes or no: `true` or `1`, `false` or `0`; `None` when
    /// it is neither.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.property(name)? {
            "1" => Some(true),
            "0" => Some(false),
            text if text.eq_ignore_ascii_case("true") => Some(true),
            text if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    /// A property as a finite number; `None` when it is not one.
    pub fn number(&self, name: &str) -> Option<f32> {
        let number: f32 = self.property(name)?.parse().ok()?;
        number.is_finite().then_some(number)
    }

    /// The corners of its bounding box with the smaller and with the larger
    /// coordinates, world units, in a world where one unit downwards adds
    /// `down` to y (1 or −1, [`NavMesh::down`](super::NavMesh::down)).
    pub fn bounds(&self, down: f32) -> [Vec2; 2] {
        let other = self.position + self.size * Vec2::new(1.0, down);
        [self.position.min(other), self.position.max(other)]
    }

    /// Where feet go that are put there: the bottom centre of its bounding
    /// box, world units. `down` as for [`bounds`](Self::bounds).
    pub fn feet(&self, down: f32) -> Vec2 {
        self.position + self.size * Vec2::new(0.5, down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Level markers: class decides, case does not matter; properties are text.
    #[test]
    fn a_marker_tells_its_kind_place_and_properties() {
        let marker = Marker {
            class: "DOOR".into(),
            name: "gate".into(),
            position: Vec2::new(8.0, 100.0),
            size: Vec2::new(4.0, 20.0),
            properties: vec![
                ("Closed".into(), "True".into()),
                ("cost".into(), " 2.5 ".into()),
                ("weight".into(), "inf".into()),
            ],
        };
        assert_eq!(marker.kind(), MarkerKind::Door);
        assert_eq!(marker.flag("closed"), Some(true));
        assert_eq!(marker.flag("cost"), None);
        assert_eq!(marker.number("cost"), Some(2.5));
        assert_eq!(marker.number("weight"), None);
        assert_eq!(
            marker.bounds(1.0),
            [Vec2::new(8.0, 100.0), Vec2::new(12.0, 120.0)]
        );
        assert_eq!(
            marker.bounds(-1.0),
            [Vec2::new(8.0, 80.0), Vec2::new(12.0, 100.0)]
        );
        assert_eq!(marker.feet(-1.0), Vec2::new(10.0, 80.0));
        for kind in MarkerKind::KNOWN {
            assert_eq!(MarkerKind::of(&kind.class().to_uppercase()), kind);
        }
    }
}
