//! The summary of a layer for the user: how many of its tiles or objects are
//! collision, and why.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::attributes::Label;
use super::classification::{Classification, LayerKind, Reason, Source};
use crate::source::marker_classes::properties_of;
use crate::source::rule::pattern;
use crate::source::tile_picture::FullTile;
use crate::source::words;
use navmesh_bake::Material;

/// Counts the classifications in one layer.
#[derive(Default)]
pub struct LayerSummary {
    counts: Vec<(Classification, u64)>,
    /// Cells with a tile, or objects.
    pub items: u64,
    /// Those of them in the lowest third of the map.
    pub low: u64,
    /// Solid cells with a property for slopes whose tiles have no shapes.
    pub full_slopes: u64,
    /// Cells with such a property that are not collision, for no rule of the
    /// configuration.
    pub lost_slopes: u64,
    /// One-way cells that are turned or mirrored so that they seem to face elsewhere.
    pub turned: u64,
    /// Objects of collision that are hidden in the editor, one by one.
    pub hidden: u64,
    /// Objects with an outline and neither class nor name, which are not collision.
    pub plain_objects: u64,
    /// Objects that show a tile, are not collision, and neither they nor the
    /// tile have a class or name.
    pub plain_tiles: u64,
    /// Objects that are not collision and may be, or are by what they say themselves and
    /// may not be: by the list of rules, and the rule that would make them so.
    pub obstacles: BTreeMap<(&'static str, String), u64>,
    /// Objects that would be collision by their layer and are not, because of
    /// their own name or class: by the rule that matches it.
    pub left_out: BTreeMap<String, u64>,
    /// Objects that carry agents by their layer, with a name or class of their own
    /// that is not a word for ground: by the rule that matches it.
    pub labelled: BTreeMap<String, u64>,
    /// Warnings about misspelt words of markers, with the line and name of the first
    /// marker that each is about, and the number of others.
    pub misspelt: BTreeMap<String, (Option<u32>, String, u32)>,
    /// One-way objects by their layer's name that are higher than wide.
    pub upright: u64,
    /// Other objects that carry agents by their layer.
    pub unlabelled: u64,
    /// Objects that are not collision: by the rule that matches their class, or else
    /// their name.
    pub labels: BTreeMap<String, u64>,
    /// The rule that matches the tile that most cells have, and how many do.
    pub frequent: Option<(String, u64)>,
    /// Tiles that are full blocks only because of the layer, and in how many cells or
    /// objects.
    pub full: BTreeMap<FullTile, u64>,
    pub values: Vec<IntGridValue>,
    pub markers: u64,
}

/// A value of an `IntGrid` and how many cells have it.
pub struct IntGridValue {
    pub name: Option<String>,
    pub value: u32,
    /// As LDtk shows it.
    pub color: String,
    pub cells: u64,
}

impl LayerSummary {
    /// The number of a classification, for [`add`](Self::add).
    pub fn number(&mut self, classification: &Classification) -> usize {
        let known = self.counts.iter().position(|(c, _)| c == classification);
        known.unwrap_or_else(|| {
            self.counts.push((classification.clone(), 0));
            self.counts.len() - 1
        })
    }

    /// Whether a rule of the configuration has led to a numbered classification.
    pub fn is_ruled(&self, number: usize) -> bool {
        matches!(&self.counts[number].0, Classification::Excluded(why) if why.is_configured())
    }

    /// Whether a numbered classification is collision because of the layer, or of a
    /// rule about it.
    pub fn is_of_layer(&self, number: usize) -> bool {
        matches!(&self.counts[number].0, Classification::Collision(_, why)
            if why.is_of_layer() || why.source == Source::LayerRule)
    }

    /// Counts one more item of a numbered classification.
    pub fn add(&mut self, number: usize) {
        self.add_many(number, 1);
    }

    /// Counts more items of a numbered classification.
    pub fn add_many(&mut self, number: usize, items: u64) {
        self.counts[number].1 += items;
    }

    /// Takes note of the names of an object whose layer decides what it is, or that is
    /// called something else, each with the kind of rule that matches it.
    pub fn note_object(&mut self, classification: &Classification, names: &[(&str, &str)]) {
        let names = || names.iter().filter(|(_, name)| !name.is_empty());
        let rule = |(kind, name): &(&str, &str)| format!("{kind}:{}", pattern(name));
        let mut things = names().filter(|(_, name)| words::is_thing(name));
        match classification {
            Classification::Unused(_, why) if why.is_of_layer() => {
                if let Some(label) = things.next().or_else(|| names().next()) {
                    *self.left_out.entry(rule(label)).or_default() += 1;
                }
            }
            Classification::Collision(material, why) if material.carries() && why.is_of_layer() => {
                let label = names().next();
                match label.filter(|_| !names().any(|(_, name)| words::is_ground(name))) {
                    Some(label) => *self.labelled.entry(rule(label)).or_default() += 1,
                    None => self.unlabelled += 1,
                }
            }
            Classification::Collision(material, why)
                if material.carries() && matches!(why.source, Source::Own("object", _)) =>
            {
                if let Some(thing) = things.next() {
                    *self.obstacles.entry(("empty", rule(thing))).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    /// Takes note of an object that is not collision, but may be by its names, each
    /// with the kind of rule that matches it.
    pub fn note_obstacle(&mut self, names: &[(&str, &str)]) {
        let is_marker = |(kind, name): &(&str, &str)| {
            *kind == "class" && properties_of(&name.to_lowercase()).is_some()
        };
        if names.iter().any(is_marker) {
            return;
        }
        let obstacle = names.iter().find_map(|(kind, name)| {
            let list = words::obstacle(name)?;
            Some((list, format!("{kind}:{}", pattern(name))))
        });
        if let Some(obstacle) = obstacle {
            *self.obstacles.entry(obstacle).or_default() += 1;
        }
    }

    pub fn has_collision(&self) -> bool {
        let mut counts = self.counts.iter();
        counts.any(|(c, _)| matches!(c, Classification::Collision(..)))
    }

    /// Whether some of it is solid and some of it is not.
    pub fn is_mixed(&self) -> bool {
        let mut solid = self.collision();
        let is_rest = |(c, _): &(Classification, u64)| matches!(c, Classification::Excluded(why) if !why.is_configured());
        solid.any(|(material, why, _)| material == Material::Solid && !why.is_configured())
            && self.counts.iter().any(is_rest)
    }

    /// What counts as collision in the layer, with the reason and how many.
    pub fn collision(&self) -> impl Iterator<Item = (Material, &Reason, u64)> {
        self.counts.iter().filter_map(|(c, count)| match c {
            Classification::Collision(material, why) => Some((*material, why, *count)),
            _ => None,
        })
    }

    /// How many items are collision.
    pub fn collision_count(&self) -> u64 {
        self.collision().map(|(.., count)| count).sum()
    }

    /// What would be collision for one reason and is not for another.
    pub fn unused(&self) -> impl Iterator<Item = (Material, &Reason, u64)> {
        self.counts.iter().filter_map(|(c, count)| match c {
            Classification::Unused(material, why) => Some((*material, why, *count)),
            _ => None,
        })
    }

    /// What no rule matches, with the label.
    pub fn unmatched(&self) -> impl Iterator<Item = (Option<&Label>, u64)> {
        self.counts.iter().filter_map(|(c, count)| match c {
            Classification::Unmatched(label) => Some((label.as_ref(), *count)),
            _ => None,
        })
    }

    /// The decision about the layer. `unused` layers are hidden.
    pub fn decision(&self, kind: LayerKind, unused: bool) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut unmatched = false;
        for (classification, number) in &self.counts {
            let items = count(*number, kind);
            match classification {
                Classification::Collision(material, why) => {
                    let mut name = material.name().to_owned();
                    if let Material::OneWay(way) = material {
                        let _ = write!(name, " ({})", way.word());
                    }
                    parts.push(format!("{items} {name} ({why})"));
                }
                Classification::Excluded(why) | Classification::Unused(_, why) => {
                    parts.push(format!("{items} not ({why})"));
                }
                Classification::Unmatched(_) if self.has_collision() && !unmatched => {
                    unmatched = true;
                    // Markers are counted by themselves.
                    let number: u64 = self.unmatched().map(|(_, count)| count).sum();
                    let number = number.saturating_sub(self.markers);
                    if number > 0 {
                        let items = count(number, kind);
                        parts.push(format!("{items} not (no rule matches)"));
                    }
                }
                Classification::Unmatched(_) => {}
            }
        }
        let mut decision = if unused && !self.has_collision() {
            "not collision: it is hidden; a rule layer:NAME would use it".to_owned()
        } else if self.items == 0 {
            "it is empty".to_owned()
        } else if parts.is_empty() {
            "not collision: no rule matches".to_owned()
        } else if self.has_collision() {
            format!("collision: {}", parts.join(", "))
        } else {
            format!("not collision: {}", parts.join(", "))
        };
        if self.markers > 0 {
            let plural = agreeing(self.markers, "", "s");
            let _ = write!(decision, "; {} marker{plural}", self.markers);
        }
        decision
    }
}

/// "1 cell has no effect", "2 cells have no effect"; `what` follows the noun.
pub fn no_effect(number: u64, kind: LayerKind, what: &str) -> String {
    let verb = agreeing(number, "has", "have");
    format!("{} of {what} {verb} no effect", count(number, kind))
}

/// The words that agree with a number.
pub fn agreeing<T>(number: u64, one: T, more: T) -> T {
    if number == 1 { one } else { more }
}

pub fn count(number: u64, kind: LayerKind) -> String {
    let noun = match kind {
        LayerKind::Tiles | LayerKind::IntGrid => "cell",
        kind => kind.noun(),
    };
    let plural = agreeing(number, "", "s");
    format!("{number} {noun}{plural}")
}
