//! What a user should look at: warnings about collision that is understood
//! in part, and the error when nothing says what is solid.

use std::fmt::Write as _;

use super::attributes::{Label, is_collision_text};
use super::classification::{LayerKind, Reason, Source};
use super::classifier::Classifier;
use super::open_layer::OpenLayer;
use super::summary::{IntGridValue, LayerSummary, agreeing, count, no_effect};
use crate::source::error::{Guess, SourceError};
use crate::source::level::Material;
use crate::source::text::shorten_to;
use crate::source::words;

/// The most characters of a rule in a warning. Names in a file can be of any length,
/// and a rule that is cut matches nothing.
const MAX_RULE: usize = 200;

/// How many kinds of tiles a line about a layer lists.
const MAX_LABELS: usize = 6;

/// A layer that looks like ground has this part of its cells in the lowest
/// third of the map.
const LOW: f64 = 0.5;

/// Ground has at least this part of the cells of the largest layer.
const LARGE: f64 = 0.15;

/// An object layer for collision has at least this part of outlines that have
/// neither class nor name.
const OUTLINES: f64 = 0.8;

/// Where this part of the cells of a one-way layer lies beneath others of it, the
/// layer is a picture of ground: bodies stand on top of platforms only.
const STACKED: f64 = 0.5;

/// What is known of a layer that was read.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct LayerFacts {
    name: String,
    origin: String,
    line: Option<u32>,
    /// `None` for an image.
    kind: Option<LayerKind>,
    hidden: bool,
    decoration: bool,
    items: u64,
    low: u64,
    /// How many of its cells or objects carry agents.
    floor: u64,
    /// How many are solid by a property of their tile.
    by_property: u64,
    has_collision: bool,
    /// It is made for collision, by its name or its properties.
    is_strong: bool,
    /// Its name says that it is solid.
    is_named: bool,
    /// How many carry agents by the name of the layer alone.
    by_name: u64,
    /// How many no rule matches.
    unmatched: u64,
    /// Some are solid.
    has_solid: bool,
    /// The rules for what its tiles are by themselves.
    own_rules: Vec<String>,
    /// Why its name, a word for ground, does not count.
    replaced: Option<String>,
    unexplained: bool,
    /// It fills the map, as pictures of the sky do.
    is_full: bool,
    /// How many objects have an outline and neither class nor name.
    plain_objects: u64,
    /// How many objects show a tile and have neither class nor name.
    plain_tiles: u64,
    /// What no rule matches, most frequent first.
    labels: Vec<(Label, u64)>,
    /// The values of an `IntGrid`.
    values: Vec<IntGridValue>,
}

impl LayerFacts {
    pub(super) fn new(layer: OpenLayer, is_full: bool) -> Self {
        let OpenLayer { rules, summary, .. } = &layer;
        let sum = |counts: &dyn Fn(Material, &Reason) -> bool| {
            let collision = summary.collision();
            let counted = collision.filter(|(material, why, _)| counts(*material, why));
            counted.map(|(.., count)| count).sum::<u64>()
        };
        let unexplained = rules.is_unexplained();
        let mut labels: Vec<(Label, u64)> = (summary.unmatched())
            .filter_map(|(label, count)| Some((label?.clone(), count)))
            .collect();
        labels.extend(summary.classes.iter().map(|(class, count)| {
            let rule = format!("class:{class}");
            let key = String::new();
            (Label { key, rule }, *count)
        }));
        labels.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Self {
            kind: Some(layer.kind),
            hidden: layer.hidden,
            decoration: rules.decoration,
            items: summary.items,
            low: summary.low,
            floor: sum(&|material, _| material.carries()),
            by_property: sum(&|material, why| {
                material == Material::Solid && matches!(why.source, Source::Own("tile", _))
            }),
            by_name: sum(&|material, why| material.carries() && why.source == Source::LayerName),
            unmatched: (summary.unmatched())
                // Texts were warned about.
                .filter(|(label, _)| !label.is_some_and(|label| is_collision_text(&label.key)))
                .map(|(_, count)| count)
                .sum(),
            has_solid: sum(&|material, _| material == Material::Solid) > 0,
            own_rules: (summary.collision())
                .filter_map(|(_, why, _)| match &why.source {
                    Source::Own("tile", rule) => rule.clone(),
                    _ => None,
                })
                .collect(),
            has_collision: summary.has_collision(),
            is_strong: !unexplained || rules.used_name().is_some_and(|named| named.is_strong),
            is_named: (rules.used_name()).is_some_and(|named| named.material == Material::Solid),
            replaced: rules
                .named
                .as_ref()
                .and_then(|named| named.replaced.clone()),
            unexplained,
            is_full,
            plain_objects: summary.plain_objects,
            plain_tiles: summary.plain_tiles,
            labels,
            values: layer.summary.values,
            name: layer.name,
            origin: layer.origin,
            line: layer.line,
        }
    }

    pub(super) fn of_image(origin: String) -> Self {
        Self {
            origin,
            decoration: true,
            ..Self::default()
        }
    }

    /// Whether neither its name nor what is in it says what it is.
    fn is_open(&self) -> bool {
        let has_something = match self.kind {
            Some(LayerKind::Tiles) => self.items > 0 && !self.is_full,
            Some(LayerKind::Objects) => {
                self.plain_objects + self.plain_tiles > 0 && !words::is_movement(&self.name)
            }
            None => false,
        };
        let is_silent = self.unexplained && self.replaced.is_none() && !self.has_collision;
        let is_named =
            self.decoration || words::hint(&self.name).is_some() || words::is_mark(&self.name);
        has_something && is_silent && !is_named && !self.hidden
    }

    /// A line about the layer, for the error that nothing is solid.
    fn line(&self) -> String {
        let Some(kind) = self.kind else {
            return format!("image {}", self.origin);
        };
        let noun = match kind {
            LayerKind::Tiles => "tile",
            LayerKind::Objects => "object",
        };
        if !self.values.is_empty() {
            let mut line = format!("IntGrid \"{}\":", self.name);
            for (i, value) in self.values.iter().enumerate() {
                let comma = if i == 0 { "" } else { "," };
                let cells = count(value.cells, LayerKind::Tiles);
                let name = value.name.as_ref();
                let name = name.map_or(value.value.to_string(), |name| format!("\"{name}\""));
                let _ = write!(line, "{comma} value {name} ({}, {cells})", value.color);
            }
            return line;
        }
        let hidden = if self.hidden { ", hidden" } else { "" };
        let mut labels: Vec<String> = self
            .labels
            .iter()
            .take(MAX_LABELS)
            .map(|(label, count)| format!("{count} of {}", label.rule))
            .collect();
        if self.labels.len() > MAX_LABELS {
            labels.push("...".to_owned());
        }
        let separator = if labels.is_empty() { "" } else { ": " };
        format!(
            "{noun} {} ({}{hidden}){separator}{}",
            self.origin,
            count(self.items, kind),
            labels.join(", ")
        )
    }
}

/// Warnings about one layer.
pub(super) fn of_layer(layer: &OpenLayer) -> Vec<String> {
    let OpenLayer {
        rules,
        summary,
        kind,
        name,
        ..
    } = layer;
    let mut warnings = Vec::new();
    for (material, why, number) in summary.unused() {
        if why.is_of_layer() && !rules.unused && !summary.left_out.is_empty() {
            warnings.push(of_left_out(summary, material, why, number));
            continue;
        }
        warnings.push(format!(
            "{} would be {} ({why}); the rule layer:{name} uses the layer",
            count(number, *kind),
            material.name(),
        ));
    }
    let by_shapes: u64 = (summary.collision())
        .filter(|(_, why, _)| why.source == Source::Shapes)
        .map(|(.., count)| count)
        .sum();
    let unmatched: u64 = summary.unmatched().map(|(_, count)| count).sum();
    if *kind == LayerKind::Tiles && by_shapes > 0 && unmatched > 0 {
        warnings.push(format!(
            "{} solid by the collision shapes of their tiles; {unmatched} have none and are not: \
             solid = [\"layer:{name}\"] makes them solid, empty = [\"layer:{name}\"] none",
            count(by_shapes, *kind),
        ));
    }
    for (label, number) in summary.unmatched() {
        let Some(Label { key, rule }) = label else {
            continue;
        };
        if is_collision_text(key) {
            // The text was warned about.
            continue;
        }
        let word = rule.rsplit([':', '=', '.']).next().unwrap_or(rule);
        let effect = no_effect(number, *kind, rule);
        if let Some(meant) = words::misspelt(word) {
            warnings.push(format!("{effect}: is it \"{meant}\"?"));
        } else if let Some(list) = words::hint(word).filter(|_| key.is_empty()) {
            warnings.push(format!(
                "{effect}; if the name means it, {list} = [\"{rule}\"]"
            ));
        }
    }
    let is_unknown = rules.is_unexplained() && rules.named.is_none() && !rules.decoration;
    if is_unknown
        && summary.items > 0
        && !summary.has_collision()
        && let Some(meant) = words::misspelt(name)
    {
        warnings.push(format!("the layer has no effect: is it \"{meant}\"?"));
    }
    let is_own = |why: &Reason| {
        matches!(
            why.source,
            Source::Own("object" | "tile", _) | Source::Shapes
        )
    };
    let mut own = summary.collision();
    if *kind == LayerKind::Objects
        && summary.values.is_empty()
        && summary.plain_objects > 0
        && own.any(|(material, why, _)| material == Material::Solid && is_own(why))
    {
        let effect = no_effect(summary.plain_objects, *kind, "neither class nor name");
        warnings.push(format!(
            "{effect}, beside objects that are solid; \
             solid = [\"layer:{name} & !name:* & !class:*\"] makes them solid"
        ));
    }
    warnings.extend(of_marked_tiles(layer));
    warnings.extend(of_labelled_objects(summary));
    for (rule, number) in &summary.obstacles {
        let rule = shorten_to(rule, MAX_RULE);
        let (verb, them) = agreeing(*number, ("is", "it"), ("are", "them"));
        warnings.push(format!(
            "{} of {rule} {verb} not collision; if bodies stand on {them}, solid = [\"{rule}\"]",
            count(*number, LayerKind::Objects)
        ));
    }
    if summary.upright > 0 {
        let (one, more) = (("is", "it is a wall"), ("are", "they are walls"));
        let (are, they) = agreeing(summary.upright, one, more);
        warnings.push(format!(
            "{} {are} one-way because of the layer, but higher than wide, and bodies stand on top of one-way \
             platforms only: if {they}, solid = [\"layer:{name}\"]",
            count(summary.upright, *kind)
        ));
    }
    if summary.full_slopes > 0 {
        warnings.push(format!(
            "{} with a property for slopes but no collision shape: full blocks; draw the shape on the tile",
            count(summary.full_slopes, *kind)
        ));
    }
    if summary.lost_slopes > 0 && summary.has_collision() && !rules.unused && !rules.decoration {
        warnings.push(format!(
            "{} with a property for slopes and no collision shape: not solid; draw the shape on the tile",
            count(summary.lost_slopes, *kind)
        ));
    }
    for (tileset, ids) in summary.plain.iter().filter(|(_, ids)| ids.len() > 1) {
        let range = ids.first().zip(ids.last());
        let range = range.map_or(String::new(), |(first, last)| format!("{first}-{last}"));
        warnings.push(format!(
            "{} different tiles of tileset \"{tileset}\" have no shapes, and nothing says what they are, so all are \
             full blocks; if some are slopes or one-way, say which: one_way = [\"tile:{tileset}#{range}\"]",
            ids.len()
        ));
    }
    warnings
}

/// Some rules of a list, for a message.
fn shown_rules<'a>(rules: impl Iterator<Item = &'a String>) -> String {
    let rules: Vec<String> = rules
        .map(|rule| format!("\"{}\"", shorten_to(rule, MAX_RULE)))
        .collect();
    let more = if rules.len() > MAX_LABELS {
        ", ..."
    } else {
        ""
    };
    rules.get(..MAX_LABELS).unwrap_or(&rules).join(", ") + more
}

/// Names objects that would be collision by their layer, but for their own name
/// or class.
fn of_left_out(summary: &LayerSummary, material: Material, why: &Reason, number: u64) -> String {
    let list = match material {
        Material::Solid => "solid",
        Material::OneWay(_) => "one_way",
        Material::Hazard => "hazard",
        Material::Ladder => "ladder",
    };
    format!(
        "{} would be {} ({why}); {list} = [{}] makes it so",
        count(number, LayerKind::Objects),
        material.name(),
        shown_rules(summary.left_out.keys()),
    )
}

/// Asks about objects with names of their own in a layer that makes all objects
/// collision, where others have no name, or another.
fn of_labelled_objects(summary: &LayerSummary) -> Option<String> {
    let number: u64 = summary.labelled.values().sum();
    let are_alike = summary.unlabelled == 0 && summary.labelled.len() < 2;
    if number == 0 || are_alike {
        return None;
    }
    let objects = count(number, LayerKind::Objects);
    let one = ("is", "it is", "a name or class of its own");
    let more = ("are", "they are", "names or classes of their own");
    let (are, they, own) = agreeing(number, one, more);
    Some(format!(
        "{objects} with {own} {are} collision because of the layer; if {they} something else, empty = [{}]",
        shown_rules(summary.labelled.keys())
    ))
}

/// Asks about what is solid by its tile in a layer that does not say so, and about
/// the rest of a layer in which tiles are marked as solid.
fn of_marked_tiles(layer: &OpenLayer) -> Option<String> {
    let OpenLayer { summary, name, .. } = layer;
    let named = layer.rules.used_name();
    let solid = || {
        let collision = summary.collision();
        collision.filter(|(material, ..)| *material == Material::Solid)
    };
    let marked: Vec<(&String, &Reason, u64)> = solid()
        .filter_map(|(_, why, number)| match &why.source {
            Source::Own("tile", Some(rule)) => Some((rule, why, number)),
            _ => None,
        })
        .collect();
    let unmarked: u64 = (solid().filter(|(_, why, _)| why.is_of_layer()))
        .map(|(.., number)| number)
        .sum();
    let by_shapes = solid()
        .filter(|(_, why, _)| matches!(why.source, Source::Own("shape", _) | Source::Shapes));
    let by_shapes: u64 = by_shapes.map(|(.., number)| number).sum();
    // Full blocks need no shapes, but where most tiles have some, the rest is not
    // ground.
    if layer.kind == LayerKind::Tiles && unmarked > 0 && unmarked < by_shapes {
        let cells = count(unmarked, layer.kind);
        let are = agreeing(unmarked, "is a full block", "are full blocks");
        return Some(format!(
            "{cells} {are} only because of the layer, beside {by_shapes} with collision shapes; draw \
             shapes on their tiles, or list those that are not solid in empty, as \"tile:TILESET#1-12\""
        ));
    }
    let (_, why, _) = marked.first()?;
    let number: u64 = marked.iter().map(|(.., number)| number).sum();
    match layer.kind {
        // Objects in a layer of platforms are no surprise.
        LayerKind::Objects
            if named.is_none()
                && layer.rules.is_unexplained()
                && words::hint(name) != Some("one_way") =>
        {
            let objects = count(number, layer.kind);
            let (one, more) = ("it is a pick-up or moves", "they are pick-ups or move");
            let (are, they) = agreeing(number, ("is", one), ("are", more));
            Some(format!(
                "{objects} {are} solid ({why}); if {they}, empty = [\"layer:{name}\"]"
            ))
        }
        LayerKind::Tiles if named.map_or(unmarked < number, |named| !named.is_strong) => {
            let cells = count(unmarked, layer.kind);
            let are = agreeing(unmarked, "is", "are");
            let not: Vec<String> = (marked.iter())
                .map(|(rule, ..)| format!(" & !{rule}"))
                .collect();
            (unmarked > 0).then(|| {
                format!(
                    "{cells} {are} solid because of the layer alone, beside {number} by their tile ({why}): \
                     empty = [\"layer:{name}{}\"] leaves them out",
                    not.concat()
                )
            })
        }
        _ => None,
    }
}

/// Warnings that need all layers: the line and the name of a layer, and what
/// is wrong.
pub(super) fn of_level(
    layers: &[LayerFacts],
    classifier: &Classifier<'_>,
) -> Vec<(Option<u32>, String, String)> {
    let mut warnings = Vec::new();
    let mut warn = |layer: &LayerFacts, warning: String| {
        warnings.push((layer.line, layer.origin.clone(), warning));
    };
    let tile_kind = Some(LayerKind::Tiles);
    let tiles = || layers.iter().filter(|l| l.kind == Some(LayerKind::Tiles));
    let cells = |number| count(number, LayerKind::Tiles);
    for layer in layers {
        for (Label { key, rule }, number) in &layer.labels {
            let word = rule.rsplit([':', '=', '.']).next().unwrap_or(rule);
            let is_asked = words::misspelt(word).is_some();
            let is_asked = is_asked || is_collision_text(key);
            if !key.is_empty() && !is_asked && classifier.understands(key) {
                let effect = no_effect(*number, LayerKind::Tiles, rule);
                let them = agreeing(*number, "it", "them");
                let advice = match words::hint(rule) {
                    Some(list) => format!("; if the name means it, {list} = [\"{rule}\"]"),
                    None => format!(": solid = [\"{rule}\"] makes {them} solid"),
                };
                warn(layer, effect + &advice);
            }
        }
    }
    let named = tiles().find(|layer| layer.is_named && layer.floor > 0);
    if let Some(named) = named {
        for layer in tiles().filter(|l| l.by_property > 0 && !l.is_named && l.unexplained) {
            let (number, other, name) = (cells(layer.by_property), &named.name, &layer.name);
            let warning = format!(
                "{number} solid by a property or class of the tile, beside layer \"{other}\"; \
                 empty = [\"layer:{name}\"] leaves them out"
            );
            warn(layer, warning);
        }
    }
    if let Some((on, cells, ground)) = classifier.survey.on_ground()
        && let Some(layer) = tiles().find(|layer| layer.name == ground && layer.is_named)
    {
        let warning = format!(
            "{cells} cells of layer \"{on}\" lie on it, as in a level seen from above: if it is one, \
             empty = [\"layer:{ground}\"]"
        );
        warn(layer, warning);
    }
    // Things to jump over, or to die of.
    for layer in layers
        .iter()
        .filter(|l| l.by_name > 0 && words::is_obstacles(&l.name))
    {
        let mut others = layers
            .iter()
            .filter(|l| l.has_solid && l.origin != layer.origin);
        if let (Some(other), Some(kind)) = (others.next(), layer.kind) {
            let (items, name) = (count(layer.by_name, kind), &layer.name);
            let are = agreeing(layer.by_name, "is", "are");
            let warning = format!(
                "{items} {are} solid only because of its name, beside {}; if they hurt, \
                 hazard = [\"layer:{name}\"]",
                other.origin
            );
            warn(layer, warning);
        }
    }
    for layer in tiles().filter(|l| l.by_name > 0 && !l.has_solid) {
        let (beneath, name) = (classifier.survey.stacked(&layer.name), &layer.name);
        if beneath as f64 > STACKED * layer.items as f64 {
            let items = cells(beneath as u64);
            let lie = agreeing(beneath as u64, "lies", "lie");
            let warning = format!(
                "{items} of it {lie} beneath others, but bodies stand on top of one-way platforms only: if it is \
                 ground, solid = [\"layer:{name}\"], if a picture, empty = [\"layer:{name}\"]"
            );
            warn(layer, warning);
        }
    }
    let floor: u64 = layers.iter().map(|layer| layer.floor).sum();
    let has_strong = layers.iter().any(|l| l.is_strong && l.floor > 0);
    // Ground that only a name makes solid may have other layers beside it whose
    // names say less. Where the tiles or the layer are marked, the rest is not.
    let is_weak = |l: &LayerFacts| !l.is_strong && l.by_name == l.floor;
    let all_weak = floor > 0 && layers.iter().all(|l| l.floor == 0 || is_weak(l));
    let is_open = |l: &&LayerFacts| l.is_open() && (l.kind != tile_kind || l.items <= floor);
    let open: Vec<&LayerFacts> = layers.iter().filter(is_open).collect();
    if all_weak && classifier.survey.on_ground().is_none() {
        warnings_of_open(&open, &mut warn);
    }
    // What is one-way or a hazard may be marked where the ground is not.
    for layer in tiles().filter(|l| l.has_collision && l.unmatched > 0 && l.unexplained) {
        let marked = layer.items - layer.unmatched.min(layer.items);
        let is_large = layer.unmatched > floor || !layer.has_solid && layer.unmatched > marked;
        // A layer that fills the map has the sky in it too.
        let has_sky = layer.is_full && layer.has_solid;
        if has_strong
            || has_sky
            || layer.hidden
            || !is_large
            || classifier.survey.is_outlined(&layer.name)
        {
            continue;
        }
        let (items, name) = (cells(layer.unmatched), &layer.name);
        let not: Vec<String> = (layer.own_rules.iter())
            .map(|rule| format!(" & !{rule}"))
            .collect();
        let not = not.concat();
        let (are, they) = agreeing(layer.unmatched, ("is", "it is"), ("are", "they are"));
        let warning = format!(
            "{items} of it {are} not used, as nothing says what {they}: if the rest of the layer is ground, \
             solid = [\"layer:{name}{not}\"]"
        );
        warn(layer, warning);
    }
    for layer in tiles().filter(|l| !l.has_collision && !l.hidden && l.unexplained) {
        let (items, name) = (cells(layer.items), &layer.name);
        match &layer.replaced {
            Some(why) if layer.items > floor => warn(
                layer,
                format!(
                    "its {items} are not used: {why}; solid = [\"layer:{name}\"] makes them solid"
                ),
            ),
            None if !has_strong
                && !layer.decoration
                && layer.items > floor
                && !classifier.survey.is_outlined(name) =>
            {
                let warning = format!(
                    "its {items} are not used, which is more than all that is solid ({floor}): if the layer is \
                     ground, solid = [\"layer:{name}\"]"
                );
                warn(layer, warning);
            }
            None if !layer.decoration && layer.items > 0 => {
                if let Some(list) = words::hint(name) {
                    let warning = format!(
                        "its {items} are not used; if the name means it, {list} = [\"layer:{name}\"]"
                    );
                    warn(layer, warning);
                }
            }
            _ => {}
        }
    }
    // Outlines that are nothing else.
    let is_hazard = |l: &LayerFacts| words::hint(&l.name) == Some("hazard") && l.items > 0;
    let outlines = |l: &&LayerFacts| {
        l.kind == Some(LayerKind::Objects) && (l.plain_objects > 0 || is_hazard(l))
    };
    let silent = |l: &&LayerFacts| !l.has_collision && !l.hidden && l.unexplained;
    for layer in layers.iter().filter(outlines).filter(silent) {
        let number = match layer.plain_objects {
            0 => layer.items,
            plain => plain,
        };
        let are = agreeing(number, "is", "are");
        let (items, name) = (count(number, LayerKind::Objects), &layer.name);
        if let Some(list) = words::hint(name).filter(|_| !words::is_movement(name)) {
            let warning = format!(
                "its {items} {are} not used; if the name means it, {list} = [\"layer:{name}\"]"
            );
            warn(layer, warning);
        }
    }
    warnings
}

/// Asks about layers whose names say nothing.
fn warnings_of_open(open: &[&LayerFacts], warn: &mut impl FnMut(&LayerFacts, String)) {
    let Some((first, others)) = open.split_first() else {
        return;
    };
    let shown = |layers: &[&LayerFacts], before: &str| {
        let names = layers.iter().take(MAX_LABELS);
        let names: Vec<String> = names.map(|l| format!("\"{before}{}\"", l.name)).collect();
        let more = if layers.len() > MAX_LABELS {
            ", ..."
        } else {
            ""
        };
        names.join(", ") + more
    };
    let nor = match others {
        [] => String::new(),
        others => format!(", nor those of {}", shown(others, "")),
    };
    let rules = shown(open, "layer:");
    let items = count(first.items, first.kind.unwrap_or(LayerKind::Tiles));
    let are = agreeing(first.items, "is", "are");
    let warning = format!(
        "its {items} {are} not used{nor}, as the name does not say what it is; if bodies stand \
         on them, list the layer in solid instead of here: empty = [{rules}]"
    );
    warn(first, warning);
}

/// The error that nothing says what is solid.
pub(super) fn nothing_solid(
    file: &str,
    layers: &[LayerFacts],
    missing: Vec<String>,
) -> SourceError {
    SourceError::NothingSolid {
        file: file.to_owned(),
        layers: layers.iter().map(LayerFacts::line).collect(),
        missing,
        guess: guess(layers).map(Box::new),
    }
}

/// What is probably solid, by its kind or its place.
fn guess(layers: &[LayerFacts]) -> Option<Guess> {
    // Spikes and ladders are not ground.
    let used = || {
        let used = layers.iter().filter(|l| l.items > 0 && !l.decoration);
        used.filter(|l| !matches!(words::hint(&l.name), Some("hazard" | "ladder")))
    };
    // Classes of objects are mostly those of markers.
    let of_cells = used().filter(|layer| layer.kind == Some(LayerKind::Tiles));
    let labels = of_cells.flat_map(|layer| &layer.labels);
    let labels = labels.filter(|(label, _)| !words::is_decoration(&label.rule));
    // A layer of ground that the artist does not want to see.
    let hidden = |l: &&LayerFacts| l.hidden && l.is_named && l.items > 0;
    if let Some(layer) = layers.iter().find(hidden) {
        return Some(Guess {
            reason: format!("{} is hidden", layer.origin),
            rule: format!("layer:{}", layer.name),
        });
    }
    // The value that most cells of an IntGrid have.
    let values = used().flat_map(|layer| layer.values.iter().map(move |value| (layer, value)));
    if let Some((layer, value)) = values.max_by_key(|(_, value)| value.cells) {
        let (cells, name) = (value.cells, &layer.name);
        let shown = value
            .name
            .clone()
            .unwrap_or_else(|| value.value.to_string());
        return Some(Guess {
            reason: format!("{cells} cells of IntGrid \"{name}\" have the value \"{shown}\""),
            rule: format!("intgrid:{shown}"),
        });
    }
    // A property that is true, or a class, and covers most.
    let label = labels.max_by_key(|(_, count)| *count);
    let all_tiles = || used().filter(|l| l.kind == Some(LayerKind::Tiles) && !l.hidden);
    let most = all_tiles().map(|layer| layer.items).max().unwrap_or(0);
    let tiles = |is_full: bool| {
        let is_large = move |l: &&LayerFacts| l.items as f64 >= LARGE * most as f64;
        let tiles = all_tiles().filter(move |l| l.replaced.is_none() && l.is_full == is_full);
        tiles.filter(is_large)
    };
    if let Some((label, number)) = label {
        return Some(Guess {
            reason: format!("{number} cells have {}", label.rule),
            rule: label.rule.clone(),
        });
    }
    let looks = |layer: &&LayerFacts| layer.low as f64 >= LOW * layer.items as f64;
    let ground = tiles(false).filter(looks).max_by_key(|layer| layer.items);
    // Outlines without a class or name are drawn for collision.
    let outlines = used().filter(|l| {
        l.plain_objects > 1
            && l.plain_objects as f64 >= OUTLINES * l.items as f64
            && !words::is_movement(&l.name)
    });
    let (layer, reason) = if let Some(layer) = outlines.max_by_key(|layer| layer.items) {
        (layer, "holds outlines without class or name")
    } else if let Some(layer) = ground {
        (
            layer,
            "has most of its cells in the lowest third and looks like ground",
        )
    } else if let Some(layer) = tiles(false).max_by_key(|layer| layer.items) {
        (layer, "has the most cells that do not fill the map")
    } else {
        // Maps of one layer may call it what they like.
        let pictures = || layers.iter().filter(|l| l.kind == Some(LayerKind::Tiles));
        let largest = tiles(true).max_by_key(|layer| layer.items);
        let layer = largest.or_else(|| pictures().find(|l| l.is_full))?;
        (layer, "fills the map, so that some of its tiles are not")
    };
    Some(Guess {
        reason: format!("{} {reason}", layer.origin),
        rule: format!("layer:{}", layer.name),
    })
}
