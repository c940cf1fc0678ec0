//! What a user should look at: warnings about collision that is understood
//! in part, and the error when nothing says what is solid.

use super::attributes::{Label, is_collision_text};
use super::classification::{LayerKind, Reason, Source};
use super::classifier::Classifier;
use super::level_layer::LevelLayer;
use super::summary::{LayerSummary, agreeing, count, no_effect};
use crate::source::error::Guess;
use crate::source::level::Material;
use crate::source::rule::pattern;
use crate::source::text::{list, shorten_to};
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

/// What no rule matches, with the rules that would, the most frequent first.
fn labels(layer: &LevelLayer) -> Vec<(Label, u64)> {
    let unmatched = layer.summary.unmatched();
    let mut labels: Vec<(Label, u64)> = unmatched
        .filter_map(|(label, count)| Some((label?.clone(), count)))
        .collect();
    labels.extend(layer.summary.classes.iter().map(|(class, count)| {
        let rule = format!("class:{}", pattern(class));
        let key = String::new();
        (Label { key, rule }, *count)
    }));
    labels.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    labels
}

/// How many of its cells no rule matches. Texts were warned about.
fn unmatched(layer: &LevelLayer) -> u64 {
    let unmatched = layer.summary.unmatched();
    let counted =
        unmatched.filter(|(label, _)| !label.is_some_and(|label| is_collision_text(&label.key)));
    counted.map(|(_, count)| count).sum()
}

/// Whether neither the name of a layer nor what is in it says what it is.
/// `is_full` is whether it fills the map, as pictures of the sky do.
fn is_open(layer: &LevelLayer, is_full: bool) -> bool {
    let (rules, summary, name) = (&layer.rules, &layer.summary, &layer.name);
    let has_something = match layer.kind {
        LayerKind::Tiles => summary.items > 0 && !is_full,
        LayerKind::Objects => {
            summary.plain_objects + summary.plain_tiles > 0 && !words::is_movement(name)
        }
        LayerKind::Image => false,
    };
    let is_silent =
        rules.is_unexplained() && layer.replaced().is_none() && !summary.has_collision();
    let is_named = rules.decoration || words::hint(name).is_some() || words::is_mark(name);
    has_something && is_silent && !is_named && !layer.hidden
}

/// A line about a layer, for the error that nothing is solid.
pub(super) fn line(layer: &LevelLayer) -> String {
    let LevelLayer { origin, kind, .. } = layer;
    if *kind == LayerKind::Image {
        return format!("image {origin}");
    }
    if !layer.summary.values.is_empty() {
        let values = layer.summary.values.iter().map(|value| {
            let cells = count(value.cells, LayerKind::Tiles);
            let name = value.name.as_ref();
            let name = name.map_or(value.value.to_string(), |name| format!("\"{name}\""));
            format!(" value {name} ({}, {cells})", value.color)
        });
        let values: Vec<String> = values.collect();
        return format!("IntGrid \"{}\":{}", layer.name, values.join(","));
    }
    let hidden = if layer.hidden { ", hidden" } else { "" };
    let labels = labels(layer).into_iter();
    let labels = labels.map(|(label, count)| format!("{count} of {}", label.rule));
    let labels = list(labels, MAX_LABELS);
    let separator = if labels.is_empty() { "" } else { ": " };
    let (noun, items) = (kind.noun(), count(layer.summary.items, *kind));
    format!("{noun} {origin} ({items}{hidden}){separator}{labels}")
}

/// Warnings about one layer.
pub(super) fn of_layer(layer: &LevelLayer) -> Vec<String> {
    let (rules, summary) = (&layer.rules, &layer.summary);
    let (kind, name) = (layer.kind, &pattern(&layer.name));
    let mut warnings = Vec::new();
    for (material, why, number) in summary.unused() {
        let (items, material) = (count(number, kind), material.name());
        // Objects that would be collision, but for their own name or class.
        let advice = if why.is_of_layer() && !rules.unused && !summary.left_out.is_empty() {
            let rules = shown_rules(summary.left_out.keys());
            format!("{} = [{rules}] makes it so", material.replace('-', "_"))
        } else {
            format!("the rule layer:{name} uses the layer")
        };
        warnings.push(format!("{items} would be {material} ({why}); {advice}"));
    }
    let by_shapes = layer.number_of(|_, why| why.source == Source::Shapes);
    let unmatched: u64 = summary.unmatched().map(|(_, count)| count).sum();
    if kind == LayerKind::Tiles && by_shapes > 0 && unmatched > 0 {
        warnings.push(format!(
            "{} solid by the collision shapes of their tiles; {unmatched} have none and are not: \
             solid = [\"layer:{name}\"] makes them solid, empty = [\"layer:{name}\"] none",
            count(by_shapes, kind),
        ));
    }
    for (label, number) in summary.unmatched() {
        let Some(Label { key, rule }) = label else {
            continue;
        };
        let word = last_word(rule);
        let meant = words::misspelt(word);
        if is_collision_text(key) || (key.is_empty() && meant.is_some()) {
            // The property was warned about.
            continue;
        }
        let effect = no_effect(number, kind, rule);
        if let Some(meant) = meant {
            warnings.push(format!("{effect}: is it \"{meant}\"?"));
        } else if let Some(list) = words::hint_of_property(word).filter(|_| key.is_empty()) {
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
    let solid_by_itself = layer.number_of(|material, why| {
        material == Material::Solid
            && matches!(
                why.source,
                Source::Own("object" | "tile", _) | Source::Shapes
            )
    });
    if kind == LayerKind::Objects
        && summary.values.is_empty()
        && summary.plain_objects > 0
        && solid_by_itself > 0
    {
        let effect = no_effect(summary.plain_objects, kind, "neither class nor name");
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
            count(summary.upright, kind)
        ));
    }
    if summary.full_slopes > 0 {
        warnings.push(format!(
            "{} with a property for slopes but no collision shape: full blocks; draw the shape on the tile",
            count(summary.full_slopes, kind)
        ));
    }
    if summary.lost_slopes > 0 && summary.has_collision() && !rules.unused && !rules.decoration {
        warnings.push(format!(
            "{} with a property for slopes and no collision shape: not solid; draw the shape on the tile",
            count(summary.lost_slopes, kind)
        ));
    }
    for (tileset, ids) in summary.plain.iter().filter(|(_, ids)| ids.len() > 1) {
        let rule = pattern(tileset);
        let range = ids.first().zip(ids.last());
        let range = range.map_or(String::new(), |(first, last)| format!("{first}-{last}"));
        warnings.push(format!(
            "{} different tiles of tileset \"{tileset}\" have no shapes, and nothing says what they are, so all are \
             full blocks; if some are slopes or one-way, say which: one_way = [\"tile:{rule}#{range}\"]",
            ids.len()
        ));
    }
    warnings
}

/// Some rules of a list, for a message.
fn shown_rules<'a>(rules: impl Iterator<Item = &'a String>) -> String {
    let rules = rules.map(|rule| format!("\"{}\"", shorten_to(rule, MAX_RULE)));
    list(rules, MAX_LABELS)
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
fn of_marked_tiles(layer: &LevelLayer) -> Option<String> {
    let (summary, name) = (&layer.summary, &pattern(&layer.name));
    let named = layer.rules.used_name();
    let marked: Vec<(&String, &Reason, u64)> = (summary.collision())
        .filter(|(material, ..)| *material == Material::Solid)
        .filter_map(|(_, why, number)| Some((why.rule_of_tile()?, why, number)))
        .collect();
    let solid = |is_meant: fn(&Reason) -> bool| {
        layer.number_of(|material, why| material == Material::Solid && is_meant(why))
    };
    let unmarked = solid(Reason::is_of_layer);
    let by_shapes = solid(|why| matches!(why.source, Source::Own("shape", _) | Source::Shapes));
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
            let not = but_for(marked.iter().map(|(rule, ..)| *rule));
            (unmarked > 0).then(|| {
                format!(
                    "{cells} {are} solid because of the layer alone, beside {number} by their tile ({why}): \
                     empty = [\"layer:{name}{not}\"] leaves them out"
                )
            })
        }
        _ => None,
    }
}

/// Warnings that need all layers: the line and the name of a layer, and what
/// is wrong.
pub(super) fn of_level(
    layers: &[LevelLayer],
    classifier: &Classifier<'_>,
) -> Vec<(Option<u32>, String, String)> {
    let mut warnings = Vec::new();
    let mut warn = |layer: &LevelLayer, warning: String| {
        warnings.push((layer.line, layer.origin.clone(), warning));
    };
    let tiles = || layers.iter().filter(|l| l.kind == LayerKind::Tiles);
    let is_full = |layer: &LevelLayer| is_full(layer, classifier);
    let cells = |number| count(number, LayerKind::Tiles);
    for layer in layers {
        for (Label { key, rule }, number) in labels(layer) {
            let is_asked = words::misspelt(last_word(&rule)).is_some() || is_collision_text(&key);
            if !key.is_empty() && !is_asked && classifier.understood.borrow().contains(&key) {
                let effect = no_effect(number, LayerKind::Tiles, &rule);
                let them = agreeing(number, "it", "them");
                let advice = match words::hint(&rule) {
                    Some(list) => format!("; if the name means it, {list} = [\"{rule}\"]"),
                    None => format!(": solid = [\"{rule}\"] makes {them} solid"),
                };
                warn(layer, effect + &advice);
            }
        }
    }
    let named = tiles().find(|layer| layer.is_named_solid() && layer.floor() > 0);
    if let Some(named) = named {
        for layer in tiles().filter(|l| !l.is_named_solid() && l.rules.is_unexplained()) {
            let by_property = layer.number_of(|material, why| {
                material == Material::Solid && matches!(why.source, Source::Own("tile", _))
            });
            if by_property == 0 {
                continue;
            }
            let (number, other) = (cells(by_property), &named.name);
            let name = pattern(&layer.name);
            let warning = format!(
                "{number} solid by a property or class of the tile, beside layer \"{other}\"; \
                 empty = [\"layer:{name}\"] leaves them out"
            );
            warn(layer, warning);
        }
    }
    if let Some((on, cells, ground)) = classifier.survey.on_ground()
        && let Some(layer) = tiles().find(|layer| layer.name == ground && layer.is_named_solid())
    {
        let warning = format!(
            "{cells} cells of layer \"{on}\" lie on it, as in a level seen from above: if it is one, \
             empty = [\"layer:{}\"]",
            pattern(ground)
        );
        warn(layer, warning);
    }
    // Things to jump over, or to die of.
    let obstacles = layers.iter().filter(|l| words::is_obstacles(&l.name));
    for layer in obstacles.filter(|l| l.floor_by_name() > 0) {
        let mut others = layers.iter().filter(|l| l.origin != layer.origin);
        if let Some(other) = others.find(|l| l.has_solid()) {
            let (number, name) = (layer.floor_by_name(), pattern(&layer.name));
            let (items, are) = (count(number, layer.kind), agreeing(number, "is", "are"));
            let warning = format!(
                "{items} {are} solid only because of its name, beside {}; if they hurt, \
                 hazard = [\"layer:{name}\"]",
                other.origin
            );
            warn(layer, warning);
        }
    }
    for layer in tiles().filter(|l| l.floor_by_name() > 0 && !l.has_solid()) {
        let beneath = classifier.survey.stacked(&layer.name);
        let name = pattern(&layer.name);
        if beneath as f64 > STACKED * layer.summary.items as f64 {
            let items = cells(beneath as u64);
            let lie = agreeing(beneath as u64, "lies", "lie");
            let warning = format!(
                "{items} of it {lie} beneath others, but bodies stand on top of one-way platforms only: if it is \
                 ground, solid = [\"layer:{name}\"], if a picture, empty = [\"layer:{name}\"]"
            );
            warn(layer, warning);
        }
    }
    let floor: u64 = layers.iter().map(LevelLayer::floor).sum();
    let has_strong = layers.iter().any(|l| l.is_strong() && l.floor() > 0);
    // Ground that only a name makes solid may have other layers beside it whose
    // names say less. Where the tiles or the layer are marked, the rest is not.
    let is_weak = |l: &LevelLayer| !l.is_strong() && l.floor_by_name() == l.floor();
    let all_weak = floor > 0 && layers.iter().all(|l| l.floor() == 0 || is_weak(l));
    let is_small = |l: &LevelLayer| l.kind != LayerKind::Tiles || l.summary.items <= floor;
    let open = layers.iter().filter(|l| is_open(l, is_full(l)));
    let open: Vec<&LevelLayer> = open.filter(|l| is_small(l)).collect();
    if all_weak && classifier.survey.on_ground().is_none() {
        warnings_of_open(&open, &mut warn);
    }
    // What is one-way or a hazard may be marked where the ground is not.
    let unexplained = || tiles().filter(|l| !l.hidden && l.rules.is_unexplained());
    let is_outlined = |l: &LevelLayer| classifier.survey.is_outlined(&l.name);
    for layer in unexplained().filter(|l| !has_strong && l.summary.has_collision()) {
        let unmatched = unmatched(layer);
        let marked = layer.summary.items - unmatched.min(layer.summary.items);
        let is_large = unmatched > floor || !layer.has_solid() && unmatched > marked;
        // A layer that fills the map has the sky in it too.
        let has_sky = is_full(layer) && layer.has_solid();
        if unmatched == 0 || has_sky || !is_large || is_outlined(layer) {
            continue;
        }
        let (items, name) = (cells(unmatched), pattern(&layer.name));
        let not = but_for((layer.summary.collision()).filter_map(|(_, why, _)| why.rule_of_tile()));
        let (are, they) = agreeing(unmatched, ("is", "it is"), ("are", "they are"));
        let warning = format!(
            "{items} of it {are} not used, as nothing says what {they}: if the rest of the layer is ground, \
             solid = [\"layer:{name}{not}\"]"
        );
        warn(layer, warning);
    }
    for layer in unexplained().filter(|l| !l.summary.has_collision()) {
        let (number, name) = (layer.summary.items, &pattern(&layer.name));
        let items = cells(number);
        match layer.replaced() {
            Some(why) if number > floor => {
                let warning = format!(
                    "its {items} are not used: {why}; solid = [\"layer:{name}\"] makes them solid"
                );
                warn(layer, warning);
            }
            _ if layer.rules.decoration => {}
            None if !has_strong && number > floor && !is_outlined(layer) => {
                let warning = format!(
                    "its {items} are not used, which is more than all that is solid ({floor}): if the layer is \
                     ground, solid = [\"layer:{name}\"]"
                );
                warn(layer, warning);
            }
            None if number > 0 => {
                if let Some(list) = words::hint(name) {
                    warn(layer, if_meant(&items, "are", list, name));
                }
            }
            _ => {}
        }
    }
    // Outlines that are nothing else.
    let objects = layers.iter().filter(|l| l.kind == LayerKind::Objects);
    let silent = objects.filter(|l| !l.hidden && l.rules.is_unexplained());
    for layer in silent.filter(|l| !l.summary.has_collision()) {
        let name = &pattern(&layer.name);
        let Some(list) = words::hint(name).filter(|_| !words::is_movement(name)) else {
            continue;
        };
        let number = match layer.summary.plain_objects {
            0 if list == "hazard" => layer.summary.items,
            plain => plain,
        };
        if number > 0 {
            let (items, are) = (count(number, layer.kind), agreeing(number, "is", "are"));
            warn(layer, if_meant(&items, are, list, name));
        }
    }
    warnings
}

/// Whether a layer fills the map, as pictures of the sky do.
fn is_full(layer: &LevelLayer, classifier: &Classifier<'_>) -> bool {
    layer.kind == LayerKind::Tiles && classifier.survey.fills_map(&layer.name)
}

/// The warning about a layer whose name has the word for a list of rules.
fn if_meant(items: &str, are: &str, list: &str, name: &str) -> String {
    format!("its {items} {are} not used; if the name means it, {list} = [\"layer:{name}\"]")
}

/// The conditions that exclude what some rules match.
fn but_for<'a>(rules: impl Iterator<Item = &'a String>) -> String {
    rules.flat_map(|rule| [" & !", rule.as_str()]).collect()
}

/// The last word of a rule, as in `property:type=spygame.Ladder`.
fn last_word(rule: &str) -> &str {
    rule.rsplit([':', '=', '.']).next().unwrap_or(rule)
}

/// Asks about layers whose names say nothing.
fn warnings_of_open(open: &[&LevelLayer], warn: &mut impl FnMut(&LevelLayer, String)) {
    let Some((first, others)) = open.split_first() else {
        return;
    };
    let names = |layers: &[&LevelLayer], shown: fn(&str) -> String| {
        let names = layers.iter().map(|l| format!("\"{}\"", shown(&l.name)));
        list(names, MAX_LABELS)
    };
    let nor = match others {
        [] => String::new(),
        others => format!(", nor those of {}", names(others, str::to_owned)),
    };
    let rules = names(open, |name| format!("layer:{}", pattern(name)));
    let items = count(first.summary.items, first.kind);
    let are = agreeing(first.summary.items, "is", "are");
    let warning = format!(
        "its {items} {are} not used{nor}, as the name does not say what it is; if bodies stand \
         on them, list the layer in solid instead of here: empty = [{rules}]"
    );
    warn(first, warning);
}

/// What is probably solid, by its kind or its place.
pub(super) fn guess(layers: &[LevelLayer], classifier: &Classifier<'_>) -> Option<Guess> {
    let guess = |reason: String, rule: String| Some(Guess { reason, rule });
    let items = |layer: &&LevelLayer| layer.summary.items;
    // Spikes and ladders are not ground.
    let used = || {
        let used = layers
            .iter()
            .filter(|l| items(l) > 0 && !l.rules.decoration);
        used.filter(|l| !matches!(words::hint(&l.name), Some("hazard" | "ladder")))
    };
    // A layer of ground that the artist does not want to see.
    let hidden = |l: &&LevelLayer| l.hidden && l.is_named_solid() && items(l) > 0;
    if let Some(layer) = layers.iter().find(hidden) {
        let reason = format!("{} is hidden", layer.origin);
        return guess(reason, format!("layer:{}", pattern(&layer.name)));
    }
    // The value that most cells of an IntGrid have.
    let values = used().flat_map(|l| l.summary.values.iter().map(move |value| (l, value)));
    if let Some((layer, value)) = values.max_by_key(|(_, value)| value.cells) {
        let (cells, grid, name) = (value.cells, &layer.name, value.name.clone());
        let shown = name.unwrap_or_else(|| value.value.to_string());
        let reason = format!("{cells} cells of IntGrid \"{grid}\" have the value \"{shown}\"");
        return guess(reason, format!("intgrid:{shown}"));
    }
    // A property that is true, or a class, and covers most. Classes of objects are
    // mostly those of markers.
    let of_cells = || used().filter(|layer| layer.kind == LayerKind::Tiles);
    let labels = of_cells().flat_map(labels);
    let labels = labels.filter(|(label, _)| !words::is_decoration(&label.rule));
    if let Some((Label { rule, .. }, number)) = labels.max_by_key(|(_, count)| *count) {
        return guess(format!("{number} cells have {rule}"), rule);
    }
    let visible = || of_cells().filter(|l| !l.hidden);
    let most = visible().map(|layer| items(&layer)).max().unwrap_or(0);
    let tiles = |filled: bool| {
        let tiles = visible().filter(move |l| is_full(l, classifier) == filled);
        tiles.filter(move |l| l.replaced().is_none() && items(l) as f64 >= LARGE * most as f64)
    };
    let is_low = |l: &&LevelLayer| l.summary.low as f64 >= LOW * items(l) as f64;
    // Outlines without a class or name are drawn for collision.
    let outlines = used().filter(|l| {
        let plain = l.summary.plain_objects;
        plain > 1 && plain as f64 >= OUTLINES * items(l) as f64 && !words::is_movement(&l.name)
    });
    let (layer, reason) = if let Some(layer) = outlines.max_by_key(items) {
        (layer, "holds outlines without class or name")
    } else if let Some(layer) = tiles(false).filter(is_low).max_by_key(items) {
        let reason = "has most of its cells in the lowest third and looks like ground";
        (layer, reason)
    } else if let Some(layer) = tiles(false).max_by_key(items) {
        (layer, "has the most cells that do not fill the map")
    } else {
        // Maps of one layer may call it what they like.
        let mut full = layers.iter().filter(|l| is_full(l, classifier));
        let layer = tiles(true).max_by_key(items).or_else(|| full.next())?;
        (layer, "fills the map, so that some of its tiles are not")
    };
    guess(
        format!("{} {reason}", layer.origin),
        format!("layer:{}", pattern(&layer.name)),
    )
}
