//! Warnings about one layer.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::source::classify::advice::{MAX_LABELS, but_for, last_word};
use crate::source::classify::attributes::{Label, is_collision_text};
use crate::source::classify::classification::{LayerKind, Reason, Source};
use crate::source::classify::level_layer::LevelLayer;
use crate::source::classify::summary::{LayerSummary, agreeing, count, no_effect};
use crate::source::rule::{Rule, id_ranges, pattern, tile_rules};
use crate::source::text::{list, shorten_to};
use crate::source::tile_picture::FullTile;
use crate::source::words;
use navmesh_bake::Material;

/// The most characters of a rule in a warning. Names in a file can be of any length,
/// and a rule that is cut matches nothing.
const MAX_RULE: usize = 200;

/// What a user should look at in a layer.
pub fn of_layer(layer: &LevelLayer) -> impl Iterator<Item = String> {
    let summary = &layer.summary;
    unused(layer)
        .chain(without_shapes(layer))
        .chain(unmatched(layer))
        .chain(misspelt_name(layer))
        .chain(outlines(layer))
        .chain(marked_tiles(layer))
        .chain(labelled_objects(summary))
        .chain(obstacles(summary))
        .chain(upright(layer))
        .chain(slopes(layer))
        .chain(plain_tiles(layer))
        .chain(hidden_objects(summary))
        .chain(turned(layer))
        .chain(called_otherwise(layer))
}

/// Asks about what a property of the layer makes solid, where its name says that it is
/// one-way or a ladder. Platforms are solid in many games.
fn called_otherwise(layer: &LevelLayer) -> Option<String> {
    let named = layer.rules.used_name()?;
    let mut solid = layer.summary.collision();
    let (_, why, number) = solid
        .find(|(material, why, _)| *material == Material::Solid && why.source == Source::Layer)?;
    if named.material == Material::Solid || words::is_platform(&layer.name) {
        return None;
    }
    let (items, are) = (count(number, layer.kind), agreeing(number, "is", "are"));
    let list = named.material.name().replace('-', "_");
    Some(format!(
        "{items} {are} solid ({why}): if its name is right, {list} = [\"{}\"]",
        layer.rule()
    ))
}

/// One-way tiles that are turned: their direction is that of the word.
fn turned(layer: &LevelLayer) -> Option<String> {
    let number = layer.summary.turned;
    let (are, their) = agreeing(number, ("is", "its"), ("are", "their"));
    (number > 0).then(|| {
        format!(
            "{} {are} one-way and turned or mirrored, which does not change {their} direction: if it should, use \
             a tile of another class, such as one_way_left",
            count(number, layer.kind)
        )
    })
}

/// Hidden objects of collision: bodies in games do not depend on what is shown.
fn hidden_objects(summary: &LayerSummary) -> Option<String> {
    if summary.hidden == 0 {
        return None;
    }
    let hidden = count(summary.hidden, LayerKind::Objects);
    let (are, them) = agreeing(summary.hidden, ("is", "it"), ("are", "them"));
    Some(format!(
        "{hidden} {are} collision although hidden: if none is meant there, delete {them}"
    ))
}

/// Collision that is not used, because of the layer or of what it is in.
fn unused(layer: &LevelLayer) -> impl Iterator<Item = String> {
    let (rules, summary, kind) = (&layer.rules, &layer.summary, layer.kind);
    // Of platforms, the tiles say better whether they are one-way.
    let hint = words::hint(&layer.name).filter(|hint| *hint != "one_way");
    summary.unused().map(move |(material, why, number)| {
        let (items, material) = (count(number, kind), material.name());
        let list = material.replace('-', "_");
        // Objects that would be collision, but for their own name or class.
        let is_left_out = why.is_of_layer() && !rules.unused && !summary.left_out.is_empty();
        let rule = format!("\"{}\"", layer.rule_for(why));
        let (list, rules) = if is_left_out {
            (&*list, shown_rules(summary.left_out.keys()))
        } else {
            (hint.unwrap_or(&list), rule)
        };
        format!("{items} would be {material} ({why}); {list} = [{rules}] makes it so")
    })
}

/// Tiles without collision shapes among others that have some.
fn without_shapes(layer: &LevelLayer) -> Option<String> {
    let by_shapes = layer.number_of(|_, why| why.source == Source::Shapes);
    let unmatched: u64 = layer.summary.unmatched().map(|(_, count)| count).sum();
    if layer.kind != LayerKind::Tiles || by_shapes == 0 || unmatched == 0 {
        return None;
    }
    let (cells, name) = (count(by_shapes, layer.kind), pattern(&layer.name));
    Some(format!(
        "{cells} solid by the collision shapes of their tiles; {unmatched} have none and are not: \
         solid = [\"layer:{name}\"] makes them solid, empty = [\"layer:{name}\"] none"
    ))
}

/// Classes and properties that no rule matches, if they are nearly words or have one
/// among others.
fn unmatched(layer: &LevelLayer) -> impl Iterator<Item = String> {
    let labels = layer.summary.unmatched();
    let labels = labels.filter_map(|(label, number)| Some((label?, number)));
    labels.filter_map(|(Label { key, rule }, number)| {
        let word = last_word(rule);
        let correction = words::correction(word, rule);
        if is_collision_text(key) || (key.is_empty() && correction.is_some()) {
            // The property was warned about.
            return None;
        }
        let effect = no_effect(number, layer.kind, rule);
        if let Some(correction) = correction {
            return Some(format!("{effect}: {correction}"));
        }
        let list = words::hint_or_solid(word).filter(|_| key.is_empty())?;
        Some(format!(
            "{effect}; if the name means it, {list} = [\"{rule}\"]"
        ))
    })
}

/// A name that is nearly a word, of a layer that nothing else explains.
fn misspelt_name(layer: &LevelLayer) -> Option<String> {
    let (rules, summary) = (&layer.rules, &layer.summary);
    let is_unknown = rules.is_unexplained() && rules.named.is_none() && !rules.decoration;
    if !is_unknown || summary.items == 0 || summary.has_collision() {
        return None;
    }
    let correction = words::correction(&layer.name, &layer.rule())?;
    Some(format!("the layer has no effect: {correction}"))
}

/// Objects without name and class, and those of tiles that have none either, beside
/// objects that are solid or one-way.
fn outlines(layer: &LevelLayer) -> Option<String> {
    let (summary, kind) = (&layer.summary, layer.kind);
    let by_itself = layer.number_of(|material, why| {
        material.carries()
            && matches!(
                why.source,
                Source::Own("object" | "tile", _) | Source::Shapes | Source::Configuration
            )
    });
    let plain = summary.plain_objects + summary.plain_tiles;
    if kind != LayerKind::Objects || plain == 0 || by_itself == 0 {
        return None;
    }
    let effect = no_effect(plain, kind, "neither class nor name");
    let solid = if layer.has_solid() {
        "solid"
    } else {
        "one-way"
    };
    // A rule comes before what objects say of themselves.
    let others = summary
        .collision()
        .filter(|(material, ..)| *material != Material::Solid);
    let not = but_for(others.filter_map(|(_, why, _)| why.own_rule()));
    Some(format!(
        "{effect}, beside objects that are {solid}; \
         solid = [\"{} & !name:* & !class:*{not}\"] makes them solid",
        layer.rule()
    ))
}

/// Asks about what is solid by its tile in a layer that does not say so, and about
/// the rest of a layer in which tiles are marked as solid.
fn marked_tiles(layer: &LevelLayer) -> Option<String> {
    let (summary, name) = (&layer.summary, &pattern(&layer.name));
    let named = layer.rules.used_name();
    let marked: Vec<(&String, &Reason, u64)> = (summary.collision())
        .filter(|(_, why, _)| matches!(why.source, Source::Own("tile", _)))
        .filter(|(material, ..)| *material == Material::Solid)
        .filter_map(|(_, why, number)| Some((why.own_rule()?, why, number)))
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
             shapes on their tiles, or leave those out that are not solid: empty = [{}]",
            tile_rules(summary.full.keys().map(FullTile::key))
        ));
    }
    // Slopes are marked for their shape, and the rest is ground too.
    let mut others = marked.iter();
    let (_, why, _) = others.find(|(rule, ..)| !words::is_slope(last_word(rule)))?;
    let number: u64 = marked.iter().map(|(.., number)| number).sum();
    let is_asked = match named {
        Some(named) if named.is_strong => false,
        Some(_) if layer.rules.is_unexplained() => true,
        _ => unmarked < number,
    };
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
        LayerKind::Tiles if is_asked => {
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

/// Asks about objects with names of their own in a layer that makes all objects
/// collision, where others have no name, or another.
fn labelled_objects(summary: &LayerSummary) -> Option<String> {
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

/// Objects on which bodies may stand, as crates and bridges, or that may hurt, or that say
/// they are solid and are called otherwise: games mark what bodies touch in the same way.
fn obstacles(summary: &LayerSummary) -> impl Iterator<Item = String> {
    summary.obstacles.iter().map(|((list, rule), number)| {
        let rule = shorten_to(rule, MAX_RULE);
        let (verb, them) = agreeing(*number, ("is", "it"), ("are", "them"));
        let (what, touched) = match *list {
            "solid" => ("not collision", "stand on"),
            "hazard" => ("not collision", "die of"),
            _ => ("collision", "pass through"),
        };
        format!(
            "{} of {rule} {verb} {what}; if bodies {touched} {them}, {list} = [\"{rule}\"]",
            count(*number, LayerKind::Objects)
        )
    })
}

/// One-way objects that look like walls.
fn upright(layer: &LevelLayer) -> Option<String> {
    let number = layer.summary.upright;
    let (one, more) = (("is", "it is a wall"), ("are", "they are walls"));
    let (are, they) = agreeing(number, one, more);
    (number > 0).then(|| {
        format!(
            "{} {are} one-way because of the layer, but higher than wide, and bodies stand on top of one-way \
             platforms only: if {they}, solid = [\"layer:{}\"]",
            count(number, layer.kind),
            pattern(&layer.name)
        )
    })
}

/// Slopes without a shape.
fn slopes(layer: &LevelLayer) -> impl Iterator<Item = String> {
    let (rules, summary) = (&layer.rules, &layer.summary);
    let is_lost = summary.has_collision() && !rules.unused && !rules.decoration;
    let full = (summary.full_slopes, "but no collision shape: full blocks");
    let lost = (summary.lost_slopes, "and no collision shape: not solid");
    let found = [Some(full), is_lost.then_some(lost)].into_iter().flatten();
    let found = found.filter(|(number, _)| *number > 0);
    found.map(|(number, what)| {
        let cells = count(number, layer.kind);
        format!("{cells} with a property or class for slopes {what}; draw the shape on the tile")
    })
}

/// Tilesets of collision whose tiles differ only by their number.
fn plain_tiles(layer: &LevelLayer) -> impl Iterator<Item = String> {
    let full = layer.summary.full.iter();
    let mut tilesets = BTreeMap::<&str, Vec<(u32, u64)>>::new();
    for (tile, number) in full.filter(|(tile, _)| words::is_of_shapes(&tile.tileset)) {
        let tiles = tilesets.entry(&tile.tileset).or_default();
        tiles.push((tile.id, *number));
    }
    let several = tilesets.into_iter().filter(|(_, tiles)| tiles.len() > 1);
    several.map(|(tileset, mut tiles)| {
        let ids: Vec<u32> = tiles.iter().map(|(id, _)| *id).collect();
        let rule = Rule::Tileset(pattern(tileset), id_ranges(&ids));
        tiles.sort_by_key(|(_, number)| Reverse(*number));
        let shown = tiles.iter().map(|(id, number)| format!("{id} in {}", count(*number, layer.kind)));
        format!(
            "{} different tiles of tileset \"{tileset}\" have no shapes, and nothing says what they are, so all are \
             full blocks: {}; draw the shapes of slopes on them, and of one_way = [\"{rule}\"] keep those that are",
            tiles.len(),
            list(shown, MAX_LABELS)
        )
    })
}

/// Some rules of a list, for a message.
fn shown_rules<'a>(rules: impl Iterator<Item = &'a String>) -> String {
    let rules = rules.map(|rule| format!("\"{}\"", shorten_to(rule, MAX_RULE)));
    list(rules, MAX_LABELS)
}
