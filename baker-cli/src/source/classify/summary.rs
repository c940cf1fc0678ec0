//! The summary of a layer for the user: how many of its tiles or objects are
//! collision, and why.

use std::fmt::Write as _;

use super::raw_level::{LayerKind, LevelLayer, RawItem};
use crate::source::rule::Meaning;

/// How many cells or objects of a layer are what, and why; nothing is said about those
/// without a reason.
#[derive(Default)]
pub struct LayerSummary {
    counts: Vec<(Meaning, Option<String>, u64)>,
    pub markers: u64,
}

impl LayerSummary {
    pub fn add(&mut self, meaning: Meaning, why: Option<&str>, number: u64) {
        let mut counts = self.counts.iter_mut();
        match counts.find(|(known, of, _)| *known == meaning && of.as_deref() == why) {
            Some((.., count)) => *count += number,
            None => self.counts.push((meaning, why.map(str::to_owned), number)),
        }
    }

    pub fn has_collision(&self) -> bool {
        let mut counts = self.counts.iter();
        counts.any(|(meaning, ..)| *meaning != Meaning::Empty)
    }

    /// The decision about the layer.
    pub fn text(&self, layer: &LevelLayer, is_hidden: bool) -> String {
        let is_collision = self.has_collision();
        let items: u64 = layer.items.iter().map(RawItem::number).sum();
        let parts = self.counts.iter().filter_map(|(meaning, why, number)| {
            // Markers are counted by themselves.
            let number = match why {
                None => number.saturating_sub(self.markers),
                Some(_) => *number,
            };
            let said = match (meaning, why) {
                (Meaning::Empty, None) if !is_collision || number == 0 => return None,
                (Meaning::Empty, None) => "not (no rule matches)".to_owned(),
                (Meaning::Empty, Some(why)) => format!("not ({why})"),
                (meaning, why) => {
                    format!("{meaning} ({})", why.as_deref().unwrap_or_default())
                }
            };
            Some(format!("{} {said}", count(number, layer.kind)))
        });
        let parts = parts.collect::<Vec<_>>().join(", ");
        let mut text = if layer.kind == LayerKind::Image {
            "not collision: pictures never are".to_owned()
        } else if is_hidden && !is_collision {
            "not collision: it is hidden; a rule layer:NAME would use it".to_owned()
        } else if items == 0 {
            "it is empty".to_owned()
        } else if parts.is_empty() {
            "not collision: no rule matches".to_owned()
        } else if is_collision {
            format!("collision: {parts}")
        } else {
            format!("not collision: {parts}")
        };
        if self.markers > 0 {
            let plural = if self.markers == 1 { "" } else { "s" };
            let _ = write!(text, "; {} marker{plural}", self.markers);
        }
        format!("{} {}: {text}", layer.kind.noun(), layer.origin)
    }
}

fn count(number: u64, kind: LayerKind) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {}{plural}", kind.item())
}
