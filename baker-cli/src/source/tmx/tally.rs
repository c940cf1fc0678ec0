//! What became of the things in a layer, told to the person who drew it.

use std::fmt::Write as _;

use super::judge::{Kind, Verdict, word};
use super::survey::LayerContext;

/// What became of the things in one layer, and why.
#[derive(Default)]
pub(super) struct Tally {
    verdicts: Vec<(Verdict, u64)>,
    /// Cells with a tile, or objects.
    pub(super) things: u64,
    pub(super) markers: u64,
}

impl Tally {
    /// The number of a verdict.
    pub(super) fn note(&mut self, verdict: &Verdict) -> usize {
        let known = self.verdicts.iter().position(|(other, _)| other == verdict);
        known.unwrap_or_else(|| {
            self.verdicts.push((verdict.clone(), 0));
            self.verdicts.len() - 1
        })
    }

    /// One more thing got this verdict.
    pub(super) fn again(&mut self, number: usize) {
        if let Some((_, count)) = self.verdicts.get_mut(number) {
            *count += 1;
        }
    }

    pub(super) fn counted(&self) -> bool {
        self.verdicts
            .iter()
            .any(|(verdict, _)| matches!(verdict, Verdict::Counts(..)))
    }

    /// The decision about the layer, and a short word about its content.
    pub(super) fn describe(
        &self,
        kind: Kind,
        hidden: bool,
        layer: &LayerContext,
    ) -> (String, String) {
        let noun = |count: u64| match (kind, count) {
            (Kind::Tiles, 1) => "1 cell".to_owned(),
            (Kind::Tiles, n) => format!("{n} cells"),
            (Kind::Objects, 1) => "1 object".to_owned(),
            (Kind::Objects, n) => format!("{n} objects"),
        };
        let mut parts: Vec<String> = Vec::new();
        for (verdict, count) in &self.verdicts {
            match verdict {
                Verdict::Counts(material, why) => {
                    parts.push(format!("{} {} ({why})", noun(*count), word(*material)));
                }
                Verdict::Empty(why) => parts.push(format!("{} not ({why})", noun(*count))),
                Verdict::Silent if self.counted() => {
                    parts.push(format!("{} not (no rule speaks of them)", noun(*count)));
                }
                Verdict::Silent => {}
            }
        }
        let mut note = if layer.word.unused {
            "not collision: it is hidden; a rule layer:NAME would use it".to_owned()
        } else if self.things == 0 {
            "it is empty".to_owned()
        } else if parts.is_empty() {
            "not collision: no rule speaks of it".to_owned()
        } else if self.counted() {
            format!("collision: {}", parts.join(", "))
        } else {
            format!("not collision: {}", parts.join(", "))
        };
        match self.markers {
            0 => {}
            1 => note.push_str("; 1 marker"),
            n => {
                let _ = write!(note, "; {n} markers");
            }
        }
        let mut short = noun(self.things);
        if hidden {
            short.push_str(", hidden");
        }
        (note, short)
    }
}
