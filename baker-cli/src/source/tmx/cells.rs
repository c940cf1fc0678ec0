//! Tile layers: cells of the same tile become few, large pieces.

use std::collections::{BTreeMap, HashMap};

use glam::{DAffine2, DVec2};
use tiled::{ChunkData, LayerTileData, Map, TileLayer};

use super::tiles::{ClassifiedTile, DrawnTile, tile_attributes, tileset_attributes};
use crate::source::classify::{Attributes, LevelBuilder, LevelLayer};
use crate::source::error::SourceError;
use crate::source::rule::{Rule, id_ranges, pattern};
use crate::source::shapes;
use crate::source::tile_picture::FullTile;
use navmesh_bake::tools::merge_cells as merge;
use navmesh_bake::{Material, PassDirection, Rect, Shape};

/// Tileset, tile and flips of a cell.
type TileKey = (usize, u32, [bool; 3]);

/// The collision of one tile, relative to its cell's corner.
#[derive(Default)]
struct TileCollision {
    /// Numbers of the groups that its boxes belong to.
    boxes: Vec<usize>,
    /// All other pieces.
    others: Vec<(Shape, Material)>,
    /// The numbers of its classifications in the summary.
    classifications: Vec<usize>,
    /// It is a slope by its properties only, and a full block here.
    is_full_slope: bool,
    /// It is a slope by its properties only, and no collision here.
    is_lost_slope: bool,
    /// It is a full block only because of its layer.
    full: Option<FullTile>,
    /// It is one-way, and its picture is turned so that it seems to face elsewhere.
    is_turned: bool,
    tile: (usize, u32),
    /// How many cells have it.
    cells: u64,
}

/// All cells that have the same box of the same material.
struct BoxGroup {
    material: Material,
    rect: Rect,
    cells: Vec<(i32, i32)>,
}

/// The cells of one layer as they are read.
struct CellReader<'s, 'a> {
    builder: &'s mut LevelBuilder<'a>,
    map: &'s Map,
    layer: &'s mut LevelLayer,
    /// Width and height of a cell, pixels.
    cell: DVec2,
    /// By tileset, tile and flips; looked up, never iterated.
    known: HashMap<TileKey, usize>,
    tiles: Vec<TileCollision>,
    /// What tilesets say of all their tiles, by index.
    tilesets: HashMap<usize, Option<Attributes>>,
    groups: Vec<BoxGroup>,
    /// By material and the bits of the box's corners.
    group_numbers: BTreeMap<(Material, [u64; 4]), usize>,
    /// The tile of the previous cell: neighbours are mostly the same.
    last: Option<(TileKey, usize)>,
    /// Pieces that are not boxes, in the order of their cells.
    pieces: Vec<(Shape, Material)>,
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
    let mut reader = CellReader {
        builder,
        map,
        layer,
        cell: DVec2::new(f64::from(map.tile_width), f64::from(map.tile_height)),
        known: HashMap::new(),
        tiles: Vec::new(),
        tilesets: HashMap::new(),
        groups: Vec::new(),
        group_numbers: BTreeMap::new(),
        last: None,
        pieces: Vec::new(),
        chunk: None,
    };
    for (tile, [column, row]) in used(tiles) {
        reader.add_cell(tile, column, row)?;
    }
    reader.finish()
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
    /// The top-left corner of a cell in the level.
    fn corner(&self, column: i32, row: i32) -> DVec2 {
        DVec2::new(f64::from(column), f64::from(row)) * self.cell + self.layer.offset
    }

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
        self.layer.summary.items += 1;
        // In the lowest third of the map. Infinite maps have no lower edge.
        let is_low = !self.map.infinite() && row as f64 * 3.0 >= f64::from(self.map.height) * 2.0;
        self.layer.summary.low += u64::from(is_low);
        self.tiles[number].cells += 1;
        let tile = &self.tiles[number];
        let (boxes, others) = (tile.boxes.len() as u64, tile.others.len() as u64);
        self.builder.charge(boxes, others, self.layer)?;
        self.layer.summary.full_slopes += u64::from(tile.is_full_slope);
        self.layer.summary.lost_slopes += u64::from(tile.is_lost_slope);
        self.layer.summary.turned += u64::from(tile.is_turned);
        for &classification in &tile.classifications {
            self.layer.summary.add(classification);
        }
        for &group in &tile.boxes {
            self.groups[group].cells.push((row, column));
        }
        if !tile.others.is_empty() {
            let at = DAffine2::from_translation(self.corner(column, row));
            for (shape, material) in &tile.others {
                self.pieces.push((shapes::transform(shape, &at), *material));
            }
        }
        Ok(())
    }

    /// Adds a chunk with a tile to the level's area.
    fn add_chunk(&mut self, chunk: [i32; 2]) {
        if !self.layer.hidden && !self.layer.moves && self.chunk != Some(chunk) {
            self.chunk = Some(chunk);
            let [x, y] = chunk.map(|v| v * CHUNK);
            let min = self.corner(x, y);
            let size = f64::from(CHUNK) * self.cell;
            self.builder.add_chunk(Rect::new(min, min + size));
        }
    }

    /// The number of a tile's collision, which is computed for new tiles.
    fn number(&mut self, key: TileKey, tile: &LayerTileData) -> Result<usize, SourceError> {
        if let Some(&number) = self.known.get(&key) {
            return Ok(number);
        }
        let tile = self.collision(tile)?;
        self.tiles.push(tile);
        let number = self.tiles.len() - 1;
        self.known.insert(key, number);
        Ok(number)
    }

    fn collision(&mut self, tile: &LayerTileData) -> Result<TileCollision, SourceError> {
        let (index, id) = (tile.tileset_index(), tile.id());
        let mut collision = TileCollision {
            tile: (index, id),
            ..TileCollision::default()
        };
        // The crate has taken the index from this list.
        let tileset = self.map.tilesets().get(index);
        let drawn = tileset.and_then(|tileset| DrawnTile::in_cell(tileset, tile, self.cell));
        let Some(drawn) = drawn else {
            return Ok(collision);
        };
        let own = tile_attributes(drawn.tile.as_ref());
        let shared = self.tilesets.entry(index);
        let shared = shared.or_insert_with(|| tileset_attributes(drawn.tileset));
        let ClassifiedTile {
            pieces,
            numbers,
            full,
        } = drawn.classify(self.builder, self.layer, &own, shared.as_ref(), None)?;
        (collision.classifications, collision.full) = (numbers, full);
        let mut materials = pieces.iter().map(|(_, material)| *material);
        collision.is_turned = materials.any(|material| match material {
            Material::OneWay(PassDirection::Up | PassDirection::Down) => tile.flip_d || tile.flip_v,
            Material::OneWay(_) => tile.flip_d || tile.flip_h,
            _ => false,
        });
        let is_block = matches!(pieces.as_slice(), [(Shape::Box(_), Material::Solid)]);
        let tile = drawn.tile.as_ref();
        let has_shapes = tile.is_some_and(|tile| tile.collision.is_some());
        let is_slope = !has_shapes && own.is_slope();
        collision.is_full_slope = is_block && is_slope;
        let mut numbers = collision.classifications.iter();
        let is_ruled = numbers.any(|&number| self.layer.summary.is_ruled(number));
        collision.is_lost_slope = pieces.is_empty() && is_slope && !is_ruled;
        for (shape, material) in pieces {
            let Shape::Box(rect) = shape else {
                collision.others.push((shape, material));
                continue;
            };
            let bits = [rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(f64::to_bits);
            let groups = &mut self.groups;
            let number = self.group_numbers.entry((material, bits));
            let group = *number.or_insert_with(|| {
                groups.push(BoxGroup {
                    material,
                    rect,
                    cells: Vec::new(),
                });
                groups.len() - 1
            });
            if !collision.boxes.contains(&group) {
                collision.boxes.push(group);
            }
        }
        Ok(collision)
    }

    /// Merges the boxes and adds all pieces to the level.
    fn finish(mut self) -> Result<(), SourceError> {
        let frequent = self.tiles.iter().max_by_key(|tile| tile.cells);
        self.layer.summary.frequent = frequent.and_then(|TileCollision { tile, cells, .. }| {
            let tileset = pattern(&self.map.tilesets().get(tile.0)?.name);
            let rule = Rule::Tileset(tileset, id_ranges(&[tile.1]));
            Some((rule.to_string(), *cells))
        });
        for TileCollision { full, cells, .. } in &mut self.tiles {
            if let Some(full) = full.take() {
                *self.layer.summary.full.entry(full).or_default() += *cells;
            }
        }
        let mut pieces = Vec::new();
        for group in std::mem::take(&mut self.groups) {
            let BoxGroup { material, rect, .. } = group;
            // Boxes merge where they touch, except across the edge that stops
            // bodies: each of two stacked one-way platforms carries.
            let touches = |side: f64, from: f64, to: f64| from == 0.0 && to == side;
            let (across, down) = material.merges();
            let across = across && touches(self.cell.x, rect.min.x, rect.max.x);
            let down = down && touches(self.cell.y, rect.min.y, rect.max.y);
            for block in merge(group.cells, across, down) {
                let first = self.corner(block.left, block.top);
                let last = self.corner(block.right - 1, block.bottom - 1);
                let shape = Shape::Box(Rect::new(first + rect.min, last + rect.max));
                pieces.push((shape, material));
            }
        }
        pieces.append(&mut self.pieces);
        let LevelLayer { origin, line, .. } = &*self.layer;
        let rules = self.layer.rules_in_doubt();
        self.builder.add_pieces(origin, rules, *line, pieces)
    }
}
