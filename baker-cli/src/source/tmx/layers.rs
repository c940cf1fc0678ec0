//! The layers of a map, in order.

use std::rc::Rc;

use glam::DVec2;
use tiled::{LayerType, Map};

use super::tiles::attributes;
use super::validate::ValidatedMap;
use super::{cells, objects};
use crate::source::classify::attributes::Attributes;
use crate::source::classify::builder::LevelBuilder;
use crate::source::classify::classification::LayerKind;
use crate::source::error::SourceError;
use crate::source::level::{Level, Rect};
use crate::source::rule::Rules;

/// Turns a map into a level.
pub(super) fn read(
    file: &str,
    map: &Map,
    validated: ValidatedMap,
    rules: &Rules,
) -> Result<Level, SourceError> {
    let cell = DVec2::new(f64::from(map.tile_width), f64::from(map.tile_height));
    let mut builder = LevelBuilder::new(file, rules);
    builder.files = validated.names;
    builder.impossible = validated.impossible;
    for (given, (name, referrer)) in validated.missing {
        builder.add_missing(given, name, referrer);
    }
    for layer in map.layers() {
        survey(&mut builder, map, layer, &[], false);
    }
    for layer in map.layers() {
        read_layer(&mut builder, map, layer, &[], DVec2::ZERO, [false; 2])?;
    }
    let size = DVec2::new(f64::from(map.width), f64::from(map.height));
    let mut bounds = Rect::new(DVec2::ZERO, size * cell);
    if map.infinite() {
        bounds = builder.used_bounds(cell).unwrap_or(bounds);
    }
    let source = file.rsplit('/').next().unwrap_or(file).to_owned();
    let tile_size = [map.tile_width, map.tile_height];
    builder.finish(source, bounds, tile_size, validated.inputs)
}

/// Notes what a layer and those in it are called and how large they are.
fn survey(
    builder: &mut LevelBuilder<'_>,
    map: &Map,
    layer: tiled::Layer<'_>,
    around: &[Rc<Attributes>],
    hidden: bool,
) {
    let own = attributes(&layer.user_type, &layer.name, &layer.properties);
    let mut chain = vec![Rc::new(own)];
    chain.extend_from_slice(around);
    let hidden = hidden || !layer.visible;
    let cells = f64::from(map.width) * f64::from(map.height);
    match layer.layer_type() {
        LayerType::Group(group) => {
            for layer in group.layers() {
                survey(builder, map, layer, &chain, hidden);
            }
        }
        LayerType::Tiles(tiles) => {
            let used = cells::used(&tiles);
            // Infinite maps have no size to compare with.
            let share = if map.infinite() {
                0.0
            } else {
                used as f64 / cells.max(1.0)
            };
            let places = || cells::places(&tiles);
            (builder.classifier).survey(&chain, LayerKind::Tiles, hidden, used, share, &places);
        }
        LayerType::Objects(objects) => {
            let area = objects.objects().map(|object| objects::area(&object.shape));
            let cell = f64::from(map.tile_width) * f64::from(map.tile_height);
            let share = area.sum::<f64>() / (cells * cell).max(1.0);
            let count = objects.objects().len() as u64;
            let places = || objects::places(map, &objects);
            (builder.classifier).survey(&chain, LayerKind::Objects, hidden, count, share, &places);
        }
        LayerType::Image(_) => {}
    }
}

/// Reads a layer; `around` are the groups it is in, innermost first, `offset`,
/// and whether they are hidden and move with a parallax, what they add up to.
/// Validation has bounded the depth.
fn read_layer(
    builder: &mut LevelBuilder<'_>,
    map: &Map,
    layer: tiled::Layer<'_>,
    around: &[Rc<Attributes>],
    offset: DVec2,
    [hidden, moves]: [bool; 2],
) -> Result<(), SourceError> {
    let own = attributes(&layer.user_type, &layer.name, &layer.properties);
    let mut chain = vec![Rc::new(own)];
    chain.extend_from_slice(around);
    let offset = offset + DVec2::new(f64::from(layer.offset_x), f64::from(layer.offset_y));
    let hidden = hidden || !layer.visible;
    let moves = moves || layer.parallax_x != 1.0 || layer.parallax_y != 1.0;
    match layer.layer_type() {
        LayerType::Group(group) => {
            for layer in group.layers() {
                read_layer(builder, map, layer, &chain, offset, [hidden, moves])?;
            }
        }
        LayerType::Image(_) => builder.add_image_layer(&chain),
        LayerType::Tiles(tiles) => {
            let mut layer = builder.begin_layer(&chain, LayerKind::Tiles, hidden, moves, offset);
            cells::read(builder, map, &mut layer, &tiles)?;
            builder.end_layer(layer)?;
        }
        LayerType::Objects(objects) => {
            let mut layer = builder.begin_layer(&chain, LayerKind::Objects, hidden, moves, offset);
            objects::read(builder, &mut layer, &objects)?;
            builder.end_layer(layer)?;
        }
    }
    Ok(())
}
