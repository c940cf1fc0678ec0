//! Markers: positions and regions marked in the level.

use glam::Vec2;

/// A position or region marked in the level: a spawn point, a waypoint, a
/// trigger area.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Marker {
    /// Its class (or type) in the level; may be empty.
    pub class: String,
    /// Its name; may be empty.
    pub name: String,
    /// The top-left corner of its bounding box, world units.
    pub position: Vec2,
    /// Width and height of its bounding box; 0 for a point.
    pub size: Vec2,
    /// Custom properties as text, sorted by name. Markers of a Tiled map have
    /// the number of their object as `id`, for properties that refer to it.
    pub properties: Vec<(String, String)>,
}

/// The purpose of a marker, by its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MarkerKind {
    /// `spawn`: an agent or the player enters the level here.
    Spawn,
    /// `waypoint`: a point of interest.
    Waypoint,
    /// `portal`: one end of a connection that teleports.
    Portal,
    /// `link`: a move that the game performs, or one end of it.
    Link,
    /// `spring`, `jump_pad` or `trampoline`: throws bodies that touch it.
    Spring,
    /// `door`: a region that the game opens and closes, or `breakable`: one that agents can
    /// open.
    Door,
    /// `area`: a region with a meaning to the game, such as a trigger.
    Area,
    /// `nav_area`: the part of the level that was baked.
    NavArea,
    /// Any other class, or none. The game gives it a meaning.
    Other,
}

impl MarkerKind {
    /// Every kind that has a class of its own.
    pub const KNOWN: [Self; 8] = [
        Self::Spawn,
        Self::Waypoint,
        Self::Portal,
        Self::Link,
        Self::Spring,
        Self::Door,
        Self::Area,
        Self::NavArea,
    ];

    /// The class of each kind, by its number.
    const CLASSES: [&str; 9] = [
        "spawn", "waypoint", "portal", "link", "spring", "door", "area", "nav_area", "",
    ];

    /// Its class; empty for [`Other`](Self::Other). Needs the feature `write`.
    #[cfg(feature = "write")]
    pub const fn class(self) -> &'static str {
        Self::CLASSES[self as usize]
    }
}

/// Other classes of springs.
const SPRINGS: [&str; 2] = ["jump_pad", "trampoline"];

/// The class of doors that are breakable.
pub const BREAKABLE: &str = "breakable";

/// The kind of a class. Upper and lower case are equal. Needs the feature `write`.
pub fn marker_kind(class: &str) -> MarkerKind {
    let class = class.trim();
    let mut kinds = MarkerKind::KNOWN.into_iter().zip(MarkerKind::CLASSES);
    let found = kinds.find(|(_, known)| known.eq_ignore_ascii_case(class));
    match found {
        Some((kind, _)) => kind,
        None if class.eq_ignore_ascii_case(BREAKABLE) => MarkerKind::Door,
        None if (SPRINGS.iter()).any(|word| class.eq_ignore_ascii_case(word)) => MarkerKind::Spring,
        None => MarkerKind::Other,
    }
}

/// A text as a Boolean: `true` or `1`, `false` or `0`; `None` for everything else.
pub fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

impl Marker {
    /// Its purpose.
    pub fn kind(&self) -> MarkerKind {
        marker_kind(&self.class)
    }

    /// The text of a property, without surrounding space. Upper and lower case
    /// are equal in its name.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
    }

    /// A property as a Boolean: `true` or `1`, `false` or `0`; `None` for
    /// everything else. Needs the feature `write`.
    #[cfg(any(test, feature = "write"))]
    pub fn flag(&self, name: &str) -> Option<bool> {
        flag(self.property(name)?)
    }

    /// A property as a number; `None` when it is not a finite number.
    /// Needs the feature `write`.
    #[cfg(any(test, feature = "write"))]
    pub fn number(&self, name: &str) -> Option<f32> {
        let number: f32 = self.property(name)?.parse().ok()?;
        number.is_finite().then_some(number)
    }

    /// The corners of its bounding box with the smaller and with the larger
    /// coordinates, world units. `down` is the change of y when a point moves
    /// down by one unit ([`NavMesh::down`](super::NavMesh::down)).
    pub fn bounds(&self, down: f32) -> [Vec2; 2] {
        let other = self.position + self.size * Vec2::new(1.0, down);
        [self.position.min(other), self.position.max(other)]
    }

    /// The feet of an agent placed at the marker: the bottom centre of its
    /// bounding box, world units. `down` as for [`bounds`](Self::bounds).
    pub fn feet(&self, down: f32) -> Vec2 {
        self.position + self.size * Vec2::new(0.5, down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_have_a_kind_a_box_and_properties() {
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
        for (kind, class) in MarkerKind::KNOWN.into_iter().zip(MarkerKind::CLASSES) {
            assert_eq!(marker_kind(&class.to_uppercase()), kind);
            assert_eq!(MarkerKind::CLASSES[kind as usize], class);
        }
        assert_eq!(marker_kind("torch"), MarkerKind::Other);
        assert_eq!(marker_kind(""), MarkerKind::Other);
    }
}
