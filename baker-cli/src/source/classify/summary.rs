//! The summary of a layer for the user: how many of its tiles or objects are
//! collision, and why.

use std::fmt::Write as _;

use super::classifier::{Classification, LayerKind};
use crate::source::level::{DIRECTIONS, Material};

/// Counts the classifications in one layer.
#[derive(Default)]
pub(in crate::source) struct LayerSummary {
    counts: Vec<(Classification, u64)>,
    /// Cells with a tile, or objects.
    pub(in crate::source) items: u64,
    pub(super) markers: u64,
}

impl LayerSummary {
    /// The number of a classification, for [`add`](Self::add).
    pub(in crate::source) fn number(&mut self, classification: &Classification) -> usize {
        let known = self.counts.iter().position(|(c, _)| c == classification);
        known.unwrap_or_else(|| {
            self.counts.push((classification.clone(), 0));
            self.counts.len() - 1
        })
    }

    /// Counts one more item of a numbered classification.
    pub(in crate::source) fn add(&mut self, number: usize) {
        if let Some((_, count)) = self.counts.get_mut(number) {
            *count += 1;
        }
    }

    pub(super) fn has_collision(&self) -> bool {
        let mut counts = self.counts.iter();
        counts.any(|(c, _)| matches!(c, Classification::Collision(..)))
    }

    /// The number of items, with their noun.
    pub(super) fn size(&self, kind: LayerKind) -> String {
        count(self.items, kind)
    }

    /// The decision about the layer. `unused` layers are hidden.
    pub(super) fn decision(&self, kind: LayerKind, unused: bool) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (classification, number) in &self.counts {
            let items = count(*number, kind);
            match classification {
                Classification::Collision(material, why) => {
                    let mut name = material.name().to_owned();
                    let mut directions = DIRECTIONS.into_iter();
                    if let Material::OneWay(way) = material
                        && let Some((word, _)) = directions.find(|(_, other)| other == way)
                    {
                        let _ = write!(name, " ({word})");
                    }
                    parts.push(format!("{items} {name} ({why})"));
                }
                Classification::Excluded(why) => parts.push(format!("{items} not ({why})")),
                Classification::Unmatched if self.has_collision() => {
                    parts.push(format!("{items} not (no rule matches)"));
                }
                Classification::Unmatched => {}
            }
        }
        let mut decision = if unused {
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
        match self.markers {
            0 => {}
            1 => decision.push_str("; 1 marker"),
            n => {
                let _ = write!(decision, "; {n} markers");
            }
        }
        decision
    }
}

fn count(number: u64, kind: LayerKind) -> String {
    let noun = match kind {
        LayerKind::Tiles => "cell",
        LayerKind::Objects => "object",
    };
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
