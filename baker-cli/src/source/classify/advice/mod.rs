//! What a user should look at: warnings about collision that is understood
//! in part, and the error when nothing says what is solid.
//!
//! [`layer`] warns about each layer, [`level`] about layers beside each other, and
//! [`guess`] says what is probably solid where nothing says so.

mod guess;
mod layer;
mod level;

pub use guess::{guess, line};
pub use layer::of_layer;
pub use level::of_level;

use super::attributes::Label;
use super::classification::LayerKind;
use super::classifier::Classifier;
use super::level_layer::LevelLayer;

/// How many kinds of tiles, layers or rules a line lists.
const MAX_LABELS: usize = 6;

/// What no rule matches, with the rules that would, the most frequent first.
fn labels(layer: &LevelLayer) -> Vec<(Label, u64)> {
    let unmatched = layer.summary.unmatched();
    let mut labels: Vec<(Label, u64)> = unmatched
        .filter_map(|(label, count)| Some((label?.clone(), count)))
        .collect();
    labels.extend(layer.summary.labels.iter().map(|(rule, count)| {
        let (key, rule) = (String::new(), rule.clone());
        (Label { key, rule }, *count)
    }));
    labels.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    labels
}

/// Whether a layer fills the map, as pictures of the sky do.
fn is_full(layer: &LevelLayer, classifier: &Classifier<'_>) -> bool {
    layer.kind == LayerKind::Tiles && classifier.survey.fills_map(&layer.name)
}

/// The rule that matches the ground of a layer. Where the layer fills the map, the tile
/// that most cells have is probably the air.
fn ground_rule(layer: &LevelLayer, classifier: &Classifier<'_>) -> String {
    let rule = layer.rule();
    match &layer.summary.frequent {
        Some((air, cells)) if is_full(layer, classifier) && *cells < layer.summary.items => {
            format!("{rule} & !{air}")
        }
        _ => rule,
    }
}

/// The conditions that exclude what some rules match.
fn but_for<'a>(rules: impl Iterator<Item = &'a String>) -> String {
    rules.flat_map(|rule| [" & !", rule.as_str()]).collect()
}

/// The last word of a rule, as in `property:type=spygame.Ladder`.
fn last_word(rule: &str) -> &str {
    rule.rsplit([':', '=', '.']).next().unwrap_or(rule)
}
