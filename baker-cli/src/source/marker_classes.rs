//! The classes of markers, and which of their properties have a meaning.

use glam::DVec2;

use crate::source::text::shorten;
use crate::source::words;

/// What a property of a marker holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyKind {
    Text,
    Flag,
    Number,
    /// A reference to another object.
    Object,
}

/// A property that the baker or the runtime reads.
pub type Property = (&'static str, PropertyKind);

/// Names rules of `navbake lint` to switch off; every marker may have it.
const LINT_OFF: Property = ("lint_off", PropertyKind::Text);

/// The properties of springs.
const SPRING: [Property; 5] = [
    ("velocity", PropertyKind::Number),
    ("height", PropertyKind::Number),
    ("direction", PropertyKind::Text),
    ("only_when_pressed", PropertyKind::Flag),
    LINT_OFF,
];

/// Each class with its properties.
const MARKERS: [(&str, &[Property]); 13] = {
    use PropertyKind::{Flag, Number, Object, Text};
    [
        ("spawn", &[("agent", Text), LINT_OFF]),
        ("waypoint", &[("pool", Text), ("tags", Text), LINT_OFF]),
        (
            "portal",
            &[
                ("to", Object),
                ("one_way", Flag),
                ("cost", Number),
                LINT_OFF,
            ],
        ),
        (
            "link",
            &[
                ("to", Object),
                ("one_way", Flag),
                ("time", Number),
                ("agents", Text),
                LINT_OFF,
            ],
        ),
        ("door", &[("closed", Flag), ("breakable", Flag), LINT_OFF]),
        ("spring", &SPRING),
        ("jump_pad", &SPRING),
        ("trampoline", &SPRING),
        ("breakable", &[("closed", Flag), LINT_OFF]),
        (
            "moving_platform",
            &[
                ("path", Object),
                ("speed", Number),
                ("time", Text),
                ("pause", Number),
                ("phase", Number),
                ("mode", Text),
                ("one_way", Flag),
                ("ease", Text),
                ("starts", Text),
                LINT_OFF,
            ],
        ),
        ("platform_path", &[LINT_OFF]),
        ("area", &[LINT_OFF]),
        ("nav_area", &[LINT_OFF]),
    ]
};

/// The properties of a class; none if it is not the class of a marker that the
/// baker or the runtime reads.
pub fn properties_of(class: &str) -> Option<&'static [Property]> {
    let mut markers = MARKERS.iter();
    let (_, properties) = markers.find(|(name, _)| class.eq_ignore_ascii_case(name))?;
    Some(properties)
}

/// Classes that mean something to other games and nothing here, and what to do instead.
const RECIPES: [(&[&str], &str); 6] = [
    (
        &["elevator", "lift", "ferry"],
        "use the class `moving_platform`",
    ),
    (
        &["conveyor", "conveyor_belt"],
        "agents are not carried by it",
    ),
    (
        &["crumbling_platform", "falling_platform"],
        "draw it as solid, and call `Navigator::remove` when it falls",
    ),
    (
        &["zip_line", "zipline", "rope"],
        "draw a polyline of class `link` from floor to floor",
    ),
    (
        &["destructible", "destroyable"],
        "use the class `breakable`",
    ),
    (
        &["teleport", "teleporter", "warp"],
        "use the class `portal`",
    ),
];

/// What to do with a class that has no meaning but looks as if it had one.
pub fn recipe_of(class: &str) -> Option<String> {
    let word = class.trim().to_lowercase().replace([' ', '-'], "_");
    let mut recipes = RECIPES.iter();
    let (_, recipe) = recipes.find(|(words, _)| words.contains(&word.as_str()))?;
    Some(format!(
        "class \"{}\" has no meaning: {recipe}",
        shorten(class)
    ))
}

/// The points of a line as the property of a marker.
pub fn line_property(points: impl IntoIterator<Item = DVec2>) -> (String, String) {
    let points = points.into_iter().map(|p| format!("{},{}", p.x, p.y));
    let text = points.collect::<Vec<_>>().join(" ");
    (navmesh_bake::tools::POINTS.to_owned(), text)
}

/// The class that an unknown class of an object misspells by one letter.
pub fn misspelt_class(class: &str) -> Option<&'static str> {
    if properties_of(class).is_some() {
        return None;
    }
    let known = MARKERS.iter().map(|(name, _)| *name);
    misspelt(class, known)
}

/// The property of a marker's class that an unknown property misspells by one letter.
pub fn misspelt_property(class: &str, name: &str) -> Option<&'static str> {
    let known = properties_of(class)?.iter().map(|(name, _)| *name);
    // Words of two letters have too many neighbours.
    misspelt(name, known.filter(|known| known.len() > 2))
}

/// The name of a list that a name misspells by one letter; none if it is in the list.
fn misspelt(name: &str, known: impl Iterator<Item = &'static str> + Clone) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let is_known = known.clone().any(|known| known == lower);
    (known.filter(|_| !is_known)).find(|known| words::is_one_edit(&lower, known))
}
