//! The classes of markers, and which of their properties have a meaning.

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

/// Each class with its properties.
const MARKERS: [(&str, &[Property]); 6] = {
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
        ("door", &[("closed", Flag), LINT_OFF]),
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
