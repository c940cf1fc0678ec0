//! What the characters or numbers of a grid mean.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Deserialize;

use crate::source::marker_classes::properties_of;
use navmesh_bake::{Material, PassDirection};

/// The key of everything that has no key of its own.
const OTHER: &str = "other";

/// The key that names a built-in legend, whose entries hold where there is no other.
const USE: &str = "use";

/// What a cell of a grid is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum CellKind {
    /// Not collision.
    Empty,
    /// Collision.
    Piece(Material),
    /// A marker.
    Marker {
        /// Its class.
        class: String,
        /// Its name; empty when there is none.
        name: String,
    },
}

impl FromStr for CellKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, name) = text.split_once(':').unwrap_or((text, ""));
        let one_way = |direction| Ok(Self::Piece(Material::OneWay(direction)));
        match word.trim() {
            "empty" => Ok(Self::Empty),
            "solid" => Ok(Self::Piece(Material::Solid)),
            "hazard" => Ok(Self::Piece(Material::Hazard)),
            "ladder" => Ok(Self::Piece(Material::Ladder)),
            "one_way" | "one_way_up" => one_way(PassDirection::Up),
            "one_way_down" => one_way(PassDirection::Down),
            "one_way_left" => one_way(PassDirection::Left),
            "one_way_right" => one_way(PassDirection::Right),
            "class" if !name.is_empty() => Ok(Self::Marker {
                class: name.trim().to_owned(),
                name: String::new(),
            }),
            class if properties_of(class).is_some() => Ok(Self::Marker {
                class: class.to_owned(),
                name: name.trim().to_owned(),
            }),
            _ => Err(format!(
                "{text:?} is no meaning of a cell: write solid, one_way (also one_way_down, _left, \
                 _right), hazard, ladder, empty, a class of markers such as spawn or spawn:NAME, \
                 or class:CLASS for one of your own"
            )),
        }
    }
}

impl TryFrom<String> for CellKind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// What the characters of a text level, the numbers of a CSV file, or the sprites of PICO-8
/// mean: the table `[legend]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>")]
pub struct Legend(BTreeMap<String, CellKind>);

impl TryFrom<BTreeMap<String, String>> for Legend {
    type Error = String;

    fn try_from(mut texts: BTreeMap<String, String>) -> Result<Self, String> {
        let base = texts.remove(USE);
        let mut entries = BTreeMap::new();
        if let Some(name) = base {
            let all = built_in();
            let known = all.iter().find(|(known, _)| *known == name);
            let Some((_, legend)) = known else {
                let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
                let names = names.join(", ");
                return Err(format!("{name:?} is no built-in legend: these are {names}"));
            };
            entries.clone_from(&legend.0);
        }
        for (key, text) in texts {
            let meaning = text.parse().map_err(|error| format!("{key:?}: {error}"))?;
            entries.insert(key, meaning);
        }
        Ok(Self(entries))
    }
}

/// How grids are read: what `navbake.toml` says of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GridRules {
    /// Without entries, a built-in legend is used if only one fits.
    pub legend: Legend,
    /// The side of a cell, level pixels.
    pub cell_size: Option<u32>,
}

impl Legend {
    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a cell with exactly this text is.
    pub fn exact(&self, key: &str) -> Option<&CellKind> {
        self.0.get(key)
    }

    /// What a cell with this text is. Numbers are also found in ranges, such as `1-40`.
    pub fn get(&self, key: &str) -> Option<&CellKind> {
        let exact = self.0.get(key);
        exact
            .or_else(|| self.in_range(key))
            .or_else(|| self.0.get(OTHER))
    }

    fn in_range(&self, key: &str) -> Option<&CellKind> {
        let number: u32 = key.parse().ok()?;
        let mut ranges = self.0.iter().filter_map(|(key, meaning)| {
            let (first, last) = key.split_once('-')?;
            Some((
                first.trim().parse().ok()?,
                last.trim().parse().ok()?,
                meaning,
            ))
        });
        let found =
            ranges.find(|(first, last, _): &(u32, u32, _)| (*first..=*last).contains(&number));
        found.map(|(.., meaning)| meaning)
    }
}

/// The built-in legends with their names.
pub fn built_in() -> Vec<(String, Legend)> {
    #[derive(Deserialize)]
    struct Entry {
        name: String,
        cells: Legend,
    }
    #[derive(Deserialize)]
    struct Legends {
        legend: Vec<Entry>,
    }
    // A test reads the file.
    let legends = toml::from_str::<Legends>(include_str!("legends.toml"));
    let legends = legends.map_or(Vec::new(), |legends| legends.legend);
    legends
        .into_iter()
        .map(|entry| (entry.name, entry.cells))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_exactly_then_in_ranges() {
        let legend: Legend =
            toml::from_str("1 = 'empty'\n'1-40' = 'solid'\nother = 'hazard'\n'#' = 'spawn:hero'")
                .unwrap();
        let spawn = CellKind::Marker {
            class: "spawn".to_owned(),
            name: "hero".to_owned(),
        };
        for (key, meaning) in [
            ("1", CellKind::Empty),
            ("40", CellKind::Piece(Material::Solid)),
            ("41", CellKind::Piece(Material::Hazard)),
            ("#", spawn),
        ] {
            assert_eq!(legend.get(key), Some(&meaning), "{key}");
        }
        assert_eq!(built_in().len(), 5);
        let error = toml::from_str::<Legend>("x = 'sold'")
            .unwrap_err()
            .to_string();
        assert!(error.contains("\"x\": \"sold\" is no meaning"), "{error}");
        let error = toml::from_str::<Legend>("use = 'mario'")
            .unwrap_err()
            .to_string();
        assert!(error.contains("these are plain, "), "{error}");
    }
}
