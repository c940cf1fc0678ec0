//! Tile layers: each tile with all cells that have it.

use std::collections::HashMap;
use std::rc::Rc;

use glam::DVec2;
use tiled::{ChunkData, LayerTileData, Map, TileLayer};

use super::tiles::{DrawnTile, tile_attributes, tileset_attributes};
use crate::source::classify::{Attributes, LevelBuilder, LevelLayer, Place, RawItem};
use crate::source::error::SourceError;
use navmesh_bake::Rect;

/// Tileset, tile and flips of a cell.
type TileKey = (usize, u32, [bool; 3]);

/// The cells of one layer as they are read.
struct CellReader<'s, 'a> {
    builder: &'s mut LevelBuilder<'a>,
    map: &'s Map,
    layer: &'s mut LevelLayer,
    /// The item of each tile; none for tiles without area. Looked up, never iterated.
    known: HashMap<TileKey, Option<usize>>,
    /// What tilesets say of all their tiles, by index.
    tilesets: HashMap<usize, Option<Rc<Attributes>>>,
    /// The tile of the previous cell: neighbours are mostly the same.
    last: Option<(TileKey, Option<usize>)>,
    /// In infinite maps, the chunk of the previous cell.
    chunk: Option<[i32; 2]>,
}

/// The side of the chunks in which the `tiled` crate keeps infinite maps.
const CHUNK: i32 = ChunkData::WIDTH as i32;

/// Reads a tile layer.
pub fn read(
    builder: &mut LevelBuilder<'_>,
    map: &Map,
    layer: &mut LevelLayer,
    tiles: &TileLayer<'_>,
) -> Result<(), SourceError> {
    layer.cell = DVec2::new(f64::from(map.tile_width), f64::from(map.tile_height));
    layer.size = (!map.infinite()).then_some([map.width, map.height]);
    let mut reader = CellReader {
        builder,
        map,
        layer,
        known: HashMap::new(),
        tilesets: HashMap::new(),
        last: None,
        chunk: None,
    };
    for (tile, [column, row]) in used(tiles) {
        reader.add_cell(tile, column, row)?;
    }
    Ok(())
}

/// The cells that have a tile, with their columns and rows.
pub fn used<'a>(
    tiles: &'a TileLayer<'a>,
) -> Box<dyn Iterator<Item = (&'a LayerTileData, [i32; 2])> + 'a> {
    let places = |columns: i32, rows: i32| {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| [column, row]))
    };
    match tiles {
        TileLayer::Finite(finite) => {
            let places = places(finite.width() as i32, finite.height() as i32);
            Box::new(places.filter_map(|at| Some((finite.get_tile_data(at[0], at[1])?, at))))
        }
        TileLayer::Infinite(infinite) => {
            // The crate keeps chunks in hash order.
            let mut chunks: Vec<_> = infinite.chunk_data().collect();
            chunks.sort_unstable_by_key(|&((x, y), _)| (y, x));
            Box::new(chunks.into_iter().flat_map(move |((x, y), chunk)| {
                places(CHUNK, CHUNK).filter_map(move |[column, row]| {
                    let tile = chunk.get_tile_data(column, row)?;
                    Some((tile, [x * CHUNK + column, y * CHUNK + row]))
                })
            }))
        }
    }
}

impl CellReader<'_, '_> {
    fn add_cell(&mut self, tile: &LayerTileData, column: i32, row: i32) -> Result<(), SourceError> {
        if self.map.infinite() {
            self.add_chunk([column, row].map(|v| v.div_euclid(CHUNK)));
        }
        let flips = [tile.flip_d, tile.flip_h, tile.flip_v];
        let key = (tile.tileset_index(), tile.id(), flips);
        let number = match self.last {
            Some((last, number)) if last == key => number,
            _ => self.number(key, tile)?,
        };
        self.last = Some((key, number));
        if let Some(number) = number
            && let Place::Cells(cells) = &mut self.layer.items[number].place
        {
            cells.push((row, column));
        }
        Ok(())
    }

    /// Adds a chunk with a tile to the level's area.
    fn add_chunk(&mut self, chunk: [i32; 2]) {
        if !self.layer.hidden && !self.layer.moves && self.chunk != Some(chunk) {
            self.chunk = Some(chunk);
            let [column, row] = chunk.map(|v| v * CHUNK);
            let min = self.layer.cell_rect((row, column)).min;
            let size = f64::from(CHUNK) * self.layer.cell;
            self.builder.add_chunk(Rect::new(min, min + size));
        }
    }

    /// The number of a tile's item, which is added for new tiles.
    fn number(&mut self, key: TileKey, tile: &LayerTileData) -> Result<Option<usize>, SourceError> {
        if let Some(&number) = self.known.get(&key) {
            return Ok(number);
        }
        let item = self.item(tile)?;
        let number = item.is_some().then_some(self.layer.items.len());
        self.layer.items.extend(item);
        self.known.insert(key, number);
        Ok(number)
    }

    /// The item of a tile, without cells.
    fn item(&mut self, tile: &LayerTileData) -> Result<Option<RawItem>, SourceError> {
        let index = tile.tileset_index();
        // The crate has taken the index from this list.
        let tileset = self.map.tilesets().get(index);
        let drawn = tileset.and_then(|tileset| DrawnTile::in_cell(tileset, tile, self.layer.cell));
        let Some(drawn) = drawn else {
            return Ok(None);
        };
        let own = Rc::new(tile_attributes(drawn.tile.as_ref()));
        let shared = self.tilesets.entry(index);
        let shared = shared
            .or_insert_with(|| tileset_attributes(drawn.tileset))
            .clone();
        drawn.item(self.builder, own, shared, None).map(Some)
    }
}
