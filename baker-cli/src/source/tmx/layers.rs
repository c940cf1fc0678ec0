//! The layers of a map, in order.

use crate::source::level_file::LevelFile;
use std::rc::Rc;

use glam::DVec2;
use tiled::{LayerType, Map};

use super::guard::CheckedMap;
use super::tiles::attributes;
use super::{cells, objects};
use crate::source::classify::{Attributes, Extent, LayerKind, LevelBuilder, LevelLayer};
use crate::source::error::SourceError;
use crate::source::rule::Rules;
use navmesh_bake::Rect;

/// Turns a map into a level.
pub fn read(
    file: &str,
    map: &Map,
    checked: CheckedMap,
    rules: &Rules,
) -> Result<LevelFile, SourceError> {
    let cell = DVec2::new(f64::from(map.tile_width), f64::from(map.tile_height));
    let mut builder = LevelBuilder::new(file, rules);
    if let Some(fault) = checked.class_fault {
        let problem = format!(
            "the defaults of its classes are not used: {}",
            fault.problem
        );
        builder.warn(Some(&fault.file), fault.line, &fault.place, &problem);
    }
    builder.impossible = checked.impossible;
    for (name, referrer) in checked.missing {
        builder.add_missing(name, referrer);
    }
    let mut layers = Vec::new();
    for layer in map.layers() {
        flatten(layer, &[], [false; 2], DVec2::ZERO, &mut layers);
    }
    for (content, mut layer) in layers {
        match content {
            LayerType::Tiles(tiles) => cells::read(&mut builder, map, &mut layer, &tiles)?,
            LayerType::Objects(objects) => objects::read(&mut builder, &mut layer, &objects)?,
            LayerType::Image(_) | LayerType::Group(_) => {}
        }
        builder.add_layer(layer);
    }
    let size = DVec2::new(f64::from(map.width), f64::from(map.height));
    let bounds = Rect::new(DVec2::ZERO, size * cell);
    let extent = if map.infinite() {
        Extent::Used(bounds)
    } else {
        Extent::Fixed(bounds)
    };
    let source = file.rsplit('/').next().unwrap_or(file).to_owned();
    let tile_size = [map.tile_width, map.tile_height];
    builder.finish(source, extent, tile_size, checked.inputs)
}

/// Appends a layer, or those of a group, to `layers`. The other parameters are
/// what the groups around it are, whether they are hidden and have a parallax
/// factor, and where they are. The guard has bounded the depth.
fn flatten<'m>(
    layer: tiled::Layer<'m>,
    around: &[Rc<Attributes>],
    [hidden, moves]: [bool; 2],
    offset: DVec2,
    layers: &mut Vec<(LayerType<'m>, LevelLayer)>,
) {
    let own = attributes(&layer.user_type, &layer.name, &layer.properties, None);
    let hidden = hidden || !layer.visible;
    let moves = moves || layer.parallax_x != 1.0 || layer.parallax_y != 1.0;
    let offset = offset + DVec2::new(f64::from(layer.offset_x), f64::from(layer.offset_y));
    let content = layer.layer_type();
    let kind = match &content {
        LayerType::Tiles(_) => LayerKind::Tiles,
        LayerType::Objects(_) => LayerKind::Objects,
        LayerType::Image(_) => LayerKind::Image,
        LayerType::Group(group) => {
            let around = [&[Rc::new(own)], around].concat();
            for layer in group.layers() {
                flatten(layer, &around, [hidden, moves], offset, layers);
            }
            return;
        }
    };
    let layer = LevelLayer::new(own, around, kind, [hidden, moves], offset);
    layers.push((content, layer));
}
