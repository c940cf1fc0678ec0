//! Warnings about tiles that are full blocks only because of the layer they are in,
//! and whose pictures fill a small part of them: spikes, signs, grass.

use crate::source::level_file::LevelFile;
use std::path::Path;

use glam::DVec2;

use super::classify::{LayerKind, agreeing, count};
use super::error::Fault;
use super::files::FileProvider;
use super::ldtk::level_file;
use super::picture::Picture;
use super::rule::tile_rules;
use super::tile_picture::{FullTile, TilePicture};
use navmesh_bake::Rect;

/// Pictures of blocks fill more than this part of their tile. In 69 tile layers
/// of 30 games whose names alone make them solid, all tiles of ground do; half
/// slabs, slopes of 45 degrees, spikes, signs and doors do not.
const FILLED: f64 = 0.6;

/// The most pixels of a row or column of a tile that are looked at: of larger tiles,
/// one in every few. All of 4096 large tiles would take minutes.
const MAX_SAMPLES: u32 = 64;

/// The most different tiles of a level whose pictures are looked at.
const MAX_TILES: usize = 4096;

/// Warnings about tiles that are full blocks because of their layer, but whose
/// pictures show something smaller.
///
/// `path` is that of the level, `files` are those of its folder. There are none for
/// images that cannot be read.
pub fn picture_warnings(path: &Path, level: &LevelFile, files: &dyn FileProvider) -> Vec<String> {
    let shown = path.display().to_string();
    let shown = level_file(&shown);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut left = MAX_TILES;
    // One for all layers: it keeps the images, and limits their pixels.
    let nowhere = Rect::new(DVec2::ZERO, DVec2::ONE);
    let mut picture = Picture::new(level_file(&name), files, nowhere);
    let warnings = level.full_tiles.iter().filter_map(|layer| {
        let tiles = layer.tiles.iter().take(left);
        let sparse = tiles.filter(|(tile, _)| is_sparse(tile, &mut picture));
        let sparse: Vec<&(FullTile, u64)> = sparse.collect();
        left = left.saturating_sub(layer.tiles.len());
        let problem = problem(&sparse, layer.kind)?;
        Some(Fault::at(shown, layer.line, &layer.origin, problem, "").to_string())
    });
    warnings.collect()
}

/// Whether the picture of a tile fills a small part of it.
fn is_sparse(tile: &FullTile, picture: &mut Picture<'_>) -> bool {
    let Some(TilePicture { image, clear, part }) = &tile.picture else {
        return false;
    };
    let Some(image) = picture.load(image, *clear) else {
        return false;
    };
    let [left, top, width, height] = part.rect(image.width());
    let (mut drawn, mut all) = (0_u32, 0_u32);
    let sampled = |from: u32, length: u32, side: u32| {
        let step = length.div_ceil(MAX_SAMPLES).max(1) as usize;
        (from..from.saturating_add(length).min(side)).step_by(step)
    };
    for y in sampled(top, height, image.height()) {
        for x in sampled(left, width, image.width()) {
            all += 1;
            drawn += u32::from(image.get_pixel(x, y).0[3] > 0);
        }
    }
    all > 0 && f64::from(drawn) < FILLED * f64::from(all)
}

/// What to say about tiles whose pictures fill a small part of them.
fn problem(sparse: &[&(FullTile, u64)], kind: LayerKind) -> Option<String> {
    let number: u64 = sparse.iter().map(|(_, number)| number).sum();
    if sparse.is_empty() {
        return None;
    }
    let one = ("is a full block", "the picture of its tile fills");
    let more = ("are full blocks", "the pictures of their tiles fill");
    let (are, their) = agreeing(number, one, more);
    let percent = 100.0 * FILLED;
    // Objects do not have the shapes of their tiles in every layer.
    let draw = match kind {
        LayerKind::Tiles => "draw the shapes of slopes and slabs on the tiles, or ",
        _ => "",
    };
    Some(format!(
        "{} {are} only because of the layer, but {their} less than {percent:.0} %: {draw}list the tiles in \
         hazard, one_way, solid or empty: empty = [{}]",
        count(number, kind),
        tile_rules(sparse.iter().map(|(tile, _)| tile.key()))
    ))
}
