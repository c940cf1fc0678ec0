//! What is probably solid, for the error when nothing says what is.

use crate::source::classify::advice::{MAX_LABELS, ground_rule, is_full, labels, last_word};
use crate::source::classify::attributes::Label;
use crate::source::classify::classification::{LayerKind, Reason};
use crate::source::classify::classifier::Classifier;
use crate::source::classify::level_layer::LevelLayer;
use crate::source::classify::summary::{IntGridValue, count};
use crate::source::error::Guess;
use crate::source::text::list;
use crate::source::words::{self, Word};
use navmesh_bake::Material;

// What these parts do was measured on 13 real levels without the names that say what
// is solid.

/// A layer that looks like ground has this part of its cells in the lowest
/// third of the map. Cells that are spread evenly have a third there. No part from 0 to 1
/// changes the guess for a real level, because the largest layer is ground in all of them.
const LOW: f64 = 0.5;

/// Ground has at least this part of the cells of the largest layer. Without a least part,
/// three cells of platforms are the guess for one of the levels, and some tufts of grass
/// come before a layer that fills the map. With any part from 0.15 to 1 the guesses are
/// right.
const LARGE: f64 = 0.15;

/// Ground that lies low has at least this part of the cells of the largest layer that does
/// not fill the map: the lava at the bottom of a real level has 0.17.
const LARGE_IF_LOW: f64 = 0.25;

/// An object layer for collision has at least this part of outlines that have
/// neither class nor name. With 0.5, markers are the guess for three of the levels, with
/// 0.8, things that move for one. Above 0.92, the right layer of one level is not found,
/// because one of its 13 outlines has a class.
const OUTLINES: f64 = 0.9;

/// A line about a layer, for the error that nothing is solid.
pub fn line(layer: &LevelLayer) -> String {
    let LevelLayer { origin, kind, .. } = layer;
    if *kind == LayerKind::Image {
        let tiles = layer.summary.items;
        return match tiles {
            0 => format!("image {origin}"),
            tiles => format!("picture {origin} ({})", count(tiles, LayerKind::Tiles)),
        };
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

/// A reason, and the rules that follow from it.
type Reasoned = (String, Vec<String>);

/// What is probably solid, by its kind or its place.
pub fn guess(layers: &[LevelLayer], classifier: &Classifier<'_>) -> Option<Guess> {
    let (reason, rules) = unused(layers)
        .or_else(|| frequent_value(layers))
        .or_else(|| frequent_label(layers))
        .or_else(|| likely_layer(layers, classifier))
        .or_else(|| walls(layers))?;
    Some(Guess {
        reason,
        rules,
        empty: Vec::new(),
    })
}

fn items(layer: &LevelLayer) -> u64 {
    layer.summary.items
}

/// The layers that may be ground: spikes and ladders are not. Pictures may be where
/// nothing else is drawn in cells: the background of such a level is its ground.
fn used(layers: &[LevelLayer]) -> impl Iterator<Item = &LevelLayer> {
    let drawn = || {
        let drawn = layers.iter().filter(|l| items(l) > 0);
        drawn.filter(|l| !matches!(words::hint(&l.name), Some("hazard" | "ladder")))
    };
    let is_of_cells = |l: &LevelLayer| matches!(l.kind, LayerKind::Tiles | LayerKind::IntGrid);
    let has_others = drawn().any(|l| is_of_cells(l) && !l.hidden && !l.rules.decoration);
    drawn().filter(move |l| !l.rules.decoration || is_of_cells(l) && !has_others)
}

fn used_tiles(layers: &[LevelLayer]) -> impl Iterator<Item = &LevelLayer> {
    used(layers).filter(|layer| layer.kind == LayerKind::Tiles)
}

/// What says that it is solid, in a layer that is hidden or called otherwise, and objects
/// with names such as `top wall` in a layer called walls.
fn unused(layers: &[LevelLayer]) -> Option<Reasoned> {
    let visible = used_tiles(layers).filter(|l| !l.hidden);
    let most = visible.map(items).max().unwrap_or(0);
    // A few hidden blocks are not the ground of a large level.
    let is_large = |layer: &LevelLayer, why: &Reason, number: u64| {
        let is_named = layer.kind == LayerKind::Tiles && why.is_of_layer();
        !is_named || number as f64 >= LARGE * most as f64
    };
    let unused = layers.iter().flat_map(|layer| {
        let mut names = layer.summary.left_out.keys().map(|rule| last_word(rule));
        let is_ground = names.len() > 0 && names.all(words::is_ground);
        let unused = layer.summary.unused().map(move |unused| (layer, unused));
        unused.filter(move |(layer, (_, why, _))| {
            layer.hidden || why.own_rule().is_some() || is_ground && why.is_of_layer()
        })
    });
    let solid = unused.filter(|(layer, (material, why, number))| {
        *material == Material::Solid && is_large(layer, why, *number)
    });
    let (layer, (_, why, number)) = solid.max_by_key(|(_, (.., number))| *number)?;
    let items = count(number, layer.kind);
    let reason = format!("{items} of {} would be solid ({why})", layer.origin);
    Some((reason, vec![layer.rule_for(why)]))
}

/// The value that most cells of an `IntGrid` have, and its other values that are
/// materials.
fn frequent_value(layers: &[LevelLayer]) -> Option<Reasoned> {
    let values = used(layers).flat_map(|l| l.summary.values.iter().map(move |value| (l, value)));
    let is_known = |name: &String| words::of_value(name).is_some();
    let is_unknown = |value: &&IntGridValue| !value.name.as_ref().is_some_and(is_known);
    let values = values.filter(|(_, value)| is_unknown(value));
    let (layer, value) = values.max_by_key(|(_, value)| value.cells)?;
    let shown = |value: &IntGridValue| {
        let name = value.name.clone();
        name.unwrap_or_else(|| value.value.to_string())
    };
    let is_solid = |other: &&IntGridValue| {
        let is_material = |name| words::has_word(name, words::MATERIALS);
        other.name.as_deref().is_some_and(is_material) || other.value == value.value
    };
    let unknown = layer.summary.values.iter().filter(is_unknown);
    let solid = unknown.filter(is_solid);
    let (cells, grid, shown_value) = (value.cells, &layer.name, shown(value));
    Some((
        format!("{cells} cells of IntGrid \"{grid}\" have the value \"{shown_value}\""),
        solid
            .map(|value| format!("intgrid:{}", shown(value)))
            .collect(),
    ))
}

/// A property that is true, or a class, and covers most. Classes of objects are mostly
/// those of markers.
fn frequent_label(layers: &[LevelLayer]) -> Option<Reasoned> {
    let labels = used_tiles(layers).flat_map(|layer| {
        let least = LARGE * items(layer) as f64;
        let labels = labels(layer).into_iter();
        labels.filter(move |(_, count)| *count as f64 >= least)
    });
    let labels = labels.filter(|(label, _)| !words::has_word(&label.rule, words::DECORATION));
    let (Label { rule, .. }, number) = labels.max_by_key(|(_, count)| *count)?;
    Some((format!("{number} cells have {rule}"), vec![rule]))
}

/// The layer that is ground, by its name, its outlines or its place.
fn likely_layer(layers: &[LevelLayer], classifier: &Classifier<'_>) -> Option<Reasoned> {
    let visible = || used_tiles(layers).filter(|l| !l.hidden);
    let most = visible().map(items).max().unwrap_or(0);
    let tiles = |filled: bool| {
        let tiles = visible().filter(move |l| is_full(l, classifier) == filled);
        tiles.filter(move |l| l.replaced().is_none() && items(l) as f64 >= LARGE * most as f64)
    };
    let largest = tiles(false).map(items).max().unwrap_or(0);
    let is_low = |l: &&LevelLayer| {
        l.summary.low as f64 >= LOW * items(l) as f64
            && items(l) as f64 >= LARGE_IF_LOW * largest as f64
    };
    // Outlines without a class or name are drawn for collision.
    let outlines = used(layers).filter(|l| {
        let plain = l.summary.plain_objects;
        plain > 1
            && plain as f64 >= OUTLINES * items(l) as f64
            && !words::has_word(&l.name, words::MOVEMENT)
            && !words::has_word(&l.name, words::MARKS)
    });
    let likely = used(layers).filter(|l| words::is_word(&l.name, words::LIKELY));
    let likely = likely.max_by_key(|l| (l.summary.plain_objects > 0, items(l)));
    let (layer, reason) = if let Some(layer) = likely {
        (layer, "has a name of collision or ground")
    } else if let Some(layer) = outlines.max_by_key(|l| items(l)) {
        (layer, "holds outlines without class or name")
    } else if let Some(layer) = tiles(false).filter(is_low).max_by_key(|l| items(l)) {
        let reason = "has most of its cells in the lowest third and looks like ground";
        (layer, reason)
    } else if let Some(layer) = tiles(false).max_by_key(|l| items(l)) {
        (layer, "has the most cells that do not fill the map")
    } else if let Some(layer) = tiles(true).max_by_key(|l| items(l)) {
        let reason = "fills the map, and the tile that most of its cells have is probably the air";
        (layer, reason)
    } else {
        let blocks = used(layers).filter(|l| l.summary.plain_tiles > 1);
        let layer = blocks.max_by_key(|l| l.summary.plain_tiles)?;
        (layer, "holds tiles without class or name")
    };
    // Two layers may have one name: outlines and the tiles beneath them.
    let name = |l: &LevelLayer| l.name.to_lowercase();
    let is_other = |l: &LevelLayer| name(l) == name(layer) && l.kind != layer.kind;
    let only = match layer.kind {
        LayerKind::Tiles if used(layers).any(is_other) => " & tileset:*",
        LayerKind::Objects if used(layers).any(is_other) => " & !tileset:*",
        _ => "",
    };
    let rule = ground_rule(layer, classifier) + only;
    Some((format!("{} {reason}", layer.origin), vec![rule]))
}

/// Entities that are walls, such as `InvisibleWall`, in a level without layers of ground.
fn walls(layers: &[LevelLayer]) -> Option<Reasoned> {
    let is_wall =
        |(label, _): &(Label, u64)| words::of_value(last_word(&label.rule)) == Some(Word::Ground);
    let walls = used(layers).flat_map(labels).filter(is_wall);
    let (Label { rule, .. }, number) = walls.max_by_key(|(_, count)| *count)?;
    let objects = count(number, LayerKind::Objects);
    Some((format!("the level has {objects} of {rule}"), vec![rule]))
}
