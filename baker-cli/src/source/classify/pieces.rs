//! The collision geometry of a level, from what its cells and objects are.

use std::collections::BTreeMap;

use glam::{DAffine2, DVec2};

use super::builder::LevelBuilder;
use super::raw_level::{LayerKind, LevelLayer, ObjectPlace, Place, RawItem, value_origin};
use crate::source::error::SourceError;
use crate::source::rule::Meaning;
use crate::source::shapes;
use navmesh_bake::tools::merge_cells as merge;
use navmesh_bake::{Material, Rect, Shape};

/// All cells that have the same box of the same material.
struct BoxGroup {
    material: Material,
    rect: Rect,
    cells: Vec<(i32, i32)>,
}

/// The boxes and other pieces of cells.
#[derive(Default)]
struct CellPieces {
    groups: Vec<BoxGroup>,
    /// By material and the bits of the box's corners.
    numbers: BTreeMap<(Material, [u64; 4]), usize>,
    /// All other pieces, by their cells.
    others: Vec<((i32, i32), Shape, Material)>,
}

/// Adds the geometry of a layer to a level. `meanings` are those of the parts of each item.
pub fn add(
    builder: &mut LevelBuilder<'_>,
    layer: &LevelLayer,
    meanings: &[Vec<Meaning>],
) -> Result<(), SourceError> {
    if layer.kind == LayerKind::IntGrid {
        for (item, meanings) in layer.items.iter().zip(meanings) {
            add_value(builder, layer, item, meanings)?;
        }
        return Ok(());
    }
    let mut cells = CellPieces::default();
    for (item, meanings) in layer.items.iter().zip(meanings) {
        match &item.place {
            Place::Cells(_) => cells.add(builder, layer, item, meanings)?,
            Place::Object(object) => add_object(builder, layer, item, object, meanings)?,
        }
    }
    let pieces = cells.finish(layer, None);
    builder.add_pieces(&layer.origin, layer.line, pieces)
}

/// Adds the cells of a value. Each rectangle has a number, as objects do.
fn add_value(
    builder: &mut LevelBuilder<'_>,
    layer: &LevelLayer,
    item: &RawItem,
    meanings: &[Meaning],
) -> Result<(), SourceError> {
    // Cells of values that say nothing of themselves are joined to rows only: rules may
    // make them one-way, where each row carries.
    let stated = item.own().stated("value", false);
    let merges = match stated.map(|stated| stated.meaning.material()) {
        Some(material) => material.map_or((true, true), Material::merges),
        None => (true, false),
    };
    let meaning = meanings.first().copied().unwrap_or(Meaning::Empty);
    let Some(material) = meaning.material() else {
        let blocks = merge(item.cells().to_vec(), merges.0, merges.1);
        builder.skip_ids(blocks.len() as u32);
        return Ok(());
    };
    let mut cells = CellPieces::default();
    cells.add(builder, layer, item, meanings)?;
    let both = (
        merges.0 && material.merges().0,
        merges.1 && material.merges().1,
    );
    let pieces = cells.finish(layer, Some(both));
    builder.skip_ids(pieces.len() as u32);
    let value = item.own().value().unwrap_or_default();
    builder.add_pieces(&value_origin(value, layer), item.own().line, pieces)
}

/// Adds an object as collision.
fn add_object(
    builder: &mut LevelBuilder<'_>,
    layer: &LevelLayer,
    item: &RawItem,
    object: &ObjectPlace,
    meanings: &[Meaning],
) -> Result<(), SourceError> {
    let own = item.own();
    let mut pieces = Vec::new();
    for (part, material) in item.parts.iter().zip(meanings.iter().map(|m| m.material())) {
        let Some(material) = material else {
            continue;
        };
        let Some(outline) = &object.outline else {
            pieces.extend(part.shapes.iter().map(|shape| (shape.clone(), material)));
            continue;
        };
        let (file, line, place) = match &own.template {
            None => (None, own.line, object.origin.clone()),
            // The outline is that of the template.
            Some((line, file)) => {
                let place = format!("{} of {}", object.origin, builder.file);
                (Some(file.as_str()), Some(*line), place)
            }
        };
        let outline = builder.outline(shapes::outline(outline), file, line, &place)?;
        if outline.is_empty() {
            builder.warn(None, own.line, &object.origin, "it has no extent");
        }
        pieces.extend(shapes::placed(&outline, material, &object.at));
    }
    check_exists(item, &pieces)?;
    builder.charge(0, pieces.len() as u64, layer)?;
    builder.add_pieces(&object.origin, own.line, pieces)
}

/// An error when something is solid as a whole and its tileset does not exist: nothing
/// says whether its tiles have shapes.
fn check_exists(item: &RawItem, pieces: &[(Shape, Material)]) -> Result<(), SourceError> {
    match &item.missing {
        Some((name, referrer)) if !pieces.is_empty() => {
            let error = std::io::ErrorKind::NotFound.into();
            Err(SourceError::io(name, Some(referrer.clone()), error))
        }
        _ => Ok(()),
    }
}

impl CellPieces {
    fn add(
        &mut self,
        builder: &mut LevelBuilder<'_>,
        layer: &LevelLayer,
        item: &RawItem,
        meanings: &[Meaning],
    ) -> Result<(), SourceError> {
        let mut pieces = Vec::new();
        for (part, meaning) in item.parts.iter().zip(meanings) {
            let Some(material) = meaning.material() else {
                continue;
            };
            let shapes = part.shapes.iter().map(|shape| match meaning {
                Meaning::Slope { right } if !item.has_shapes => slope(shape.bounds(), *right),
                _ => shape.clone(),
            });
            pieces.extend(shapes.map(|shape| (shape, material)));
        }
        check_exists(item, &pieces)?;
        let is_box = |(shape, _): &&(Shape, Material)| matches!(shape, Shape::Box(_));
        let boxes = pieces.iter().filter(is_box).count() as u64;
        let (cells, others) = (item.cells(), pieces.len() as u64 - boxes);
        let number = cells.len() as u64;
        builder.charge(
            boxes.saturating_mul(number),
            others.saturating_mul(number),
            layer,
        )?;
        let mut known = Vec::new();
        for (shape, material) in pieces {
            let Shape::Box(rect) = shape else {
                let cells = cells.iter().map(|&cell| (cell, shape.clone(), material));
                self.others.extend(cells);
                continue;
            };
            let bits = [rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(f64::to_bits);
            let groups = &mut self.groups;
            let group = *self.numbers.entry((material, bits)).or_insert_with(|| {
                groups.push(BoxGroup {
                    material,
                    rect,
                    cells: Vec::new(),
                });
                groups.len() - 1
            });
            if !known.contains(&group) {
                known.push(group);
                self.groups[group].cells.extend_from_slice(cells);
            }
        }
        Ok(())
    }

    /// The pieces, with boxes merged where they touch, across and down if `merges` does
    /// not restrict it, except across the edge that stops bodies: each of two stacked
    /// one-way platforms carries.
    fn finish(
        mut self,
        layer: &LevelLayer,
        merges: Option<(bool, bool)>,
    ) -> Vec<(Shape, Material)> {
        let mut pieces = Vec::new();
        let touches = |side: f64, from: f64, to: f64| from == 0.0 && to == side;
        for BoxGroup {
            material,
            rect,
            cells,
        } in self.groups
        {
            let (across, down) = merges.unwrap_or(material.merges());
            let across = across && touches(layer.cell.x, rect.min.x, rect.max.x);
            let down = down && touches(layer.cell.y, rect.min.y, rect.max.y);
            for block in merge(cells, across, down) {
                let first = layer.cell_rect((block.top, block.left)).min;
                let last = layer.cell_rect((block.bottom - 1, block.right - 1)).min;
                let shape = Shape::Box(Rect::new(first + rect.min, last + rect.max));
                pieces.push((shape, material));
            }
        }
        self.others.sort_by_key(|(cell, ..)| *cell);
        let others = self.others.into_iter().map(|(cell, shape, material)| {
            let at = DAffine2::from_translation(layer.cell_rect(cell).min);
            (shapes::transform(&shape, &at), material)
        });
        pieces.extend(others);
        pieces
    }
}

/// The lower half of a box, below a line that rises to one side.
fn slope(Rect { min, max }: Rect, right: bool) -> Shape {
    let top = if right { max.x } else { min.x };
    let corners = [DVec2::new(min.x, max.y), DVec2::new(top, min.y), max];
    Shape::Convex(corners.to_vec())
}
