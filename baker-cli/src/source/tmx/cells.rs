//! Tile layers to pieces.

use std::collections::{BTreeMap, HashMap};

use glam::DVec2;
use tiled::{ChunkData, LayerTileData, TileLayer, Tileset};

use super::facts::Facts;
use super::judge::{Item, Verdict};
use super::outline::{self, Flips};
use super::survey::{LayerContext, Survey};
use super::tally::Tally;
use crate::source::error::SourceError;
use crate::source::level::{Material, PassDirection, Rect, Shape};
use crate::source::merge::merge;

/// What one tile leaves in each cell it is in, relative to the cell's corner.
struct Stamp {
    /// Numbers of the groups its boxes belong to.
    boxes: Vec<usize>,
    /// Everything that is no box.
    others: Vec<(Shape, Material)>,
    /// What the tally is told: materials and reasons, by number.
    counts: Vec<usize>,
}

/// All cells that hold the same box of the same material.
struct Group {
    material: Material,
    rect: Rect,
    cells: Vec<(i32, i32)>,
}

/// The cells of one layer as they are gone through.
struct Stamper<'s, 'a> {
    survey: &'s mut Survey<'a>,
    layer: &'s LayerContext,
    tally: &'s mut Tally,
    /// By tileset, tile and flips; looked up, never iterated.
    known: HashMap<(usize, u32, Flips), usize>,
    stamps: Vec<Stamp>,
    groups: Vec<Group>,
    /// By material and the bits of the box's corners.
    group_numbers: BTreeMap<(Material, [u64; 4]), usize>,
    last: Option<((usize, u32, Flips), usize)>,
    /// Pieces that are no boxes, as they come.
    pieces: Vec<(Shape, Material)>,
}

/// Reads a tile layer; pieces go to the survey, decisions to the tally.
pub(super) fn read(
    survey: &mut Survey<'_>,
    layer: &LayerContext,
    tiles: &TileLayer<'_>,
    tally: &mut Tally,
) -> Result<(), SourceError> {
    let mut stamper = Stamper {
        survey,
        layer,
        tally,
        known: HashMap::new(),
        stamps: Vec::new(),
        groups: Vec::new(),
        group_numbers: BTreeMap::new(),
        last: None,
        pieces: Vec::new(),
    };
    match tiles {
        TileLayer::Finite(finite) => {
            for row in 0..finite.height() as i32 {
                for column in 0..finite.width() as i32 {
                    if let Some(tile) = finite.get_tile_data(column, row) {
                        stamper.stamp(tile, column, row)?;
                    }
                }
            }
        }
        TileLayer::Infinite(infinite) => {
            // The parser keeps chunks in hash order.
            let mut chunks: Vec<_> = infinite.chunk_data().collect();
            chunks.sort_unstable_by_key(|&((x, y), _)| (y, x));
            let (width, height) = (ChunkData::WIDTH as i32, ChunkData::HEIGHT as i32);
            for ((x, y), chunk) in chunks {
                let mut used = false;
                for (row, column) in (0..height).flat_map(|r| (0..width).map(move |c| (r, c))) {
                    if let Some(tile) = chunk.get_tile_data(column, row) {
                        used = true;
                        stamper.stamp(tile, x * width + column, y * height + row)?;
                    }
                }
                if used && !layer.aside {
                    let corner = DVec2::new(f64::from(x * width), f64::from(y * height));
                    let cell = stamper.survey.cell;
                    let min = corner * cell + layer.offset;
                    let size = DVec2::new(f64::from(width), f64::from(height)) * cell;
                    stamper.survey.reach(Rect::new(min, min + size));
                }
            }
        }
    }
    stamper.finish()
}

impl Stamper<'_, '_> {
    fn stamp(&mut self, tile: &LayerTileData, column: i32, row: i32) -> Result<(), SourceError> {
        let flips = Flips {
            diagonal: tile.flip_d,
            horizontal: tile.flip_h,
            vertical: tile.flip_v,
        };
        let key = (tile.tileset_index(), tile.id(), flips);
        let number = match self.last {
            Some((last, number)) if last == key => number,
            _ => self.number(key)?,
        };
        self.last = Some((key, number));
        self.tally.things += 1;
        let stamp = &self.stamps[number];
        self.survey.charge(
            stamp.boxes.len() as u64,
            stamp.others.len() as u64,
            self.layer,
        )?;
        for &count in &stamp.counts {
            self.tally.again(count);
        }
        for &group in &stamp.boxes {
            self.groups[group].cells.push((row, column));
        }
        if !stamp.others.is_empty() {
            let corner = DVec2::new(f64::from(column), f64::from(row)) * self.survey.cell
                + self.layer.offset;
            let at = glam::DAffine2::from_translation(corner);
            let placed = stamp
                .others
                .iter()
                .map(|(shape, material)| (outline::place(shape, &at), *material));
            self.pieces.extend(placed);
        }
        Ok(())
    }

    /// The number of a tile's stamp, which is made when the tile is new.
    fn number(&mut self, key: (usize, u32, Flips)) -> Result<usize, SourceError> {
        if let Some(&number) = self.known.get(&key) {
            return Ok(number);
        }
        let stamp = self.make(key)?;
        self.stamps.push(stamp);
        let number = self.stamps.len() - 1;
        self.known.insert(key, number);
        Ok(number)
    }

    /// Works out what a tile leaves in its cells.
    fn make(&mut self, (tileset, id, flips): (usize, u32, Flips)) -> Result<Stamp, SourceError> {
        let mut stamp = Stamp {
            boxes: Vec::new(),
            others: Vec::new(),
            counts: Vec::new(),
        };
        let map = self.survey.map;
        // The parser has taken the index from this very list.
        let Some(tileset): Option<&Tileset> = map.tilesets().get(tileset).map(AsRef::as_ref) else {
            return Ok(stamp);
        };
        let tile = tileset.get_tile(id);
        let size = outline::tile_size(tileset, tile.as_ref());
        let Some(drawn) = outline::tile_in_cell(tileset, size, self.survey.cell, flips) else {
            return Ok(stamp);
        };
        let tile_facts = tile.as_ref().map_or_else(Facts::default, |tile| {
            Facts::new(&tile.user_type, "", &tile.properties)
        });
        let shapes = self.survey.tile_shapes(tileset, id, tile.as_ref())?;
        if shapes.is_empty() {
            let item = Item {
                chain: &[("tile", &tile_facts)],
                shaped: false,
                object: false,
            };
            let whole = outline::rectangle(Rect::new(DVec2::ZERO, size));
            self.add(&mut stamp, &item, &whole, &drawn);
        }
        for shape in &shapes {
            let item = Item {
                chain: &[("shape", &shape.facts), ("tile", &tile_facts)],
                shaped: true,
                object: false,
            };
            self.add(&mut stamp, &item, &shape.pieces, &(drawn * shape.at));
        }
        Ok(stamp)
    }

    fn add(&mut self, stamp: &mut Stamp, item: &Item<'_>, shapes: &[Shape], at: &glam::DAffine2) {
        let verdict = self.survey.judge.item(item, &self.layer.word);
        let number = self.tally.note(&verdict);
        if !stamp.counts.contains(&number) {
            stamp.counts.push(number);
        }
        let Verdict::Counts(material, _) = verdict else {
            return;
        };
        for shape in shapes {
            match outline::place(shape, at) {
                Shape::Box(rect) => {
                    let bits = [rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(f64::to_bits);
                    let groups = &mut self.groups;
                    let group = *self
                        .group_numbers
                        .entry((material, bits))
                        .or_insert_with(|| {
                            groups.push(Group {
                                material,
                                rect,
                                cells: Vec::new(),
                            });
                            groups.len() - 1
                        });
                    if !stamp.boxes.contains(&group) {
                        stamp.boxes.push(group);
                    }
                }
                other @ Shape::Convex(_) => stamp.others.push((other, material)),
            }
        }
    }

    /// Merges the boxes and hands everything over.
    fn finish(self) -> Result<(), SourceError> {
        let cell = self.survey.cell;
        let origin = self.layer.origin.clone();
        let mut pieces = Vec::new();
        for group in self.groups {
            let Group {
                material,
                rect,
                cells,
            } = group;
            // Boxes join where they touch, except along the edge that makes a
            // one-way piece one: each of two stacked platforms carries.
            let joins = |side: f64, from: f64, to: f64| from == 0.0 && to == side;
            let across = joins(cell.x, rect.min.x, rect.max.x)
                && !matches!(
                    material,
                    Material::OneWay(PassDirection::Left | PassDirection::Right)
                );
            let down = joins(cell.y, rect.min.y, rect.max.y)
                && !matches!(
                    material,
                    Material::OneWay(PassDirection::Up | PassDirection::Down)
                );
            for block in merge(cells, across, down) {
                let first = DVec2::new(f64::from(block.left), f64::from(block.top));
                let last = DVec2::new(f64::from(block.right - 1), f64::from(block.bottom - 1));
                let shape = Shape::Box(Rect::new(
                    first * cell + self.layer.offset + rect.min,
                    last * cell + self.layer.offset + rect.max,
                ));
                pieces.push((shape, material));
            }
        }
        pieces.extend(self.pieces);
        self.survey.add_pieces(&origin, self.layer.line, pieces)
    }
}

#[cfg(test)]
#[path = "cells_test.rs"]
mod tests;
