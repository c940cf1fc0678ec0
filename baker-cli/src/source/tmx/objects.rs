//! Object layers to pieces and markers.

use glam::{DAffine2, DVec2};
use tiled::{Object, ObjectLayer, ObjectShape};

use super::facts::Facts;
use super::guard::shorten_to;
use super::judge::{Item, Verdict};
use super::outline::{self, Flips};
use super::survey::{LayerContext, MAX_SHOWN, Survey};
use super::tally::Tally;
use crate::source::error::SourceError;
use crate::source::level::{LevelMarker, Material, Rect, Shape};

/// Reads an object layer; pieces and markers go to the survey, decisions to
/// the tally.
pub(super) fn read(
    survey: &mut Survey<'_>,
    layer: &LayerContext,
    objects: &ObjectLayer<'_>,
    tally: &mut Tally,
) -> Result<(), SourceError> {
    for object in objects.objects() {
        tally.things += 1;
        let facts = Facts::new(&object.user_type, &object.name, &object.properties);
        let name = if object.name.is_empty() {
            format!("object {} in {}", object.id(), layer.origin)
        } else {
            format!(
                "object {} \"{}\" in {}",
                object.id(),
                shorten_to(&object.name, MAX_SHOWN),
                layer.origin
            )
        };
        let thing = Thing {
            object: &object,
            facts: &facts,
            name: &name,
            layer,
            at: DAffine2::from_translation(layer.offset)
                * outline::object_place(object.x, object.y, object.rotation),
        };
        if object.get_tile().is_some() {
            thing.tile(survey, tally)?;
        } else {
            thing.plain(survey, tally)?;
        }
    }
    Ok(())
}

/// An object being read.
struct Thing<'t> {
    object: &'t Object<'t>,
    facts: &'t Facts,
    name: &'t str,
    layer: &'t LayerContext,
    /// From its own coordinates to the level's.
    at: DAffine2,
}

impl Thing<'_> {
    /// An object that is drawn as an outline.
    fn plain(&self, survey: &mut Survey<'_>, tally: &mut Tally) -> Result<(), SourceError> {
        let item = Item {
            chain: &[("object", self.facts)],
            shaped: false,
            object: true,
        };
        let verdict = survey.judge.item(&item, &self.layer.word);
        let points = outline::extent(&self.object.shape);
        let flat = matches!(
            self.object.shape,
            ObjectShape::Point(..) | ObjectShape::Text { .. }
        );
        if let Verdict::Counts(material, _) = &verdict
            && !flat
        {
            let shapes = survey.outline(&self.object.shape, None, self.facts.line, self.name)?;
            if shapes.is_empty() {
                survey.warn(None, self.facts.line, self.name, "it has no extent");
            }
            let pieces = self.placed(&shapes, *material, &DAffine2::IDENTITY);
            let number = tally.note(&verdict);
            tally.again(number);
            survey.charge(0, pieces.len() as u64, self.layer)?;
            return survey.add_pieces(self.name, self.facts.line, pieces);
        }
        if let Verdict::Counts(..) = &verdict {
            // Nothing to collide with, but perhaps a place to know of.
            if self.facts.class.is_empty() && self.facts.name.is_empty() {
                survey.warn(
                    None,
                    self.facts.line,
                    self.name,
                    "a point or text has no extent, so it is no collision",
                );
            }
        } else {
            let number = tally.note(&verdict);
            tally.again(number);
        }
        self.mark(survey, tally, None, points);
        Ok(())
    }

    /// An object that shows a tile: its place and size are the tile's.
    fn tile(&self, survey: &mut Survey<'_>, tally: &mut Tally) -> Result<(), SourceError> {
        let Some(shown) = self.object.get_tile() else {
            return Ok(());
        };
        let tileset = shown.get_tileset();
        let tile = shown.get_tile();
        let tile_facts = tile.as_ref().map_or_else(Facts::default, |tile| {
            Facts::new(&tile.user_type, "", &tile.properties)
        });
        let own = outline::tile_size(tileset, tile.as_ref());
        let size = match self.object.shape {
            ObjectShape::Rect { width, height } if width != 0.0 || height != 0.0 => {
                DVec2::new(f64::from(width), f64::from(height))
            }
            _ => own,
        };
        let flips = Flips {
            diagonal: shown.flip_d,
            horizontal: shown.flip_h,
            vertical: shown.flip_v,
        };
        let Some(drawn) = outline::tile_of_object(tileset, own, size, flips) else {
            survey.warn(None, self.facts.line, self.name, "its tile has no size");
            self.mark(survey, tally, Some(&tile_facts), vec![DVec2::ZERO]);
            return Ok(());
        };
        let shapes = survey.tile_shapes(tileset, shown.id(), tile.as_ref())?;
        let whole = outline::rectangle(Rect::new(DVec2::ZERO, own));
        let mut pieces = Vec::new();
        let mut noted = Vec::new();
        let mut counted = false;
        let mut add = |item: &Item<'_>, shapes: &[Shape], at: &DAffine2| {
            let verdict = survey.judge.item(item, &self.layer.word);
            let number = tally.note(&verdict);
            if !noted.contains(&number) {
                noted.push(number);
            }
            if let Verdict::Counts(material, _) = verdict {
                counted = true;
                pieces.extend(self.placed(shapes, material, at));
            }
        };
        if shapes.is_empty() {
            let item = Item {
                chain: &[("object", self.facts), ("tile", &tile_facts)],
                shaped: false,
                object: true,
            };
            add(&item, &whole, &drawn);
        }
        for shape in &shapes {
            let item = Item {
                chain: &[
                    ("object", self.facts),
                    ("shape", &shape.facts),
                    ("tile", &tile_facts),
                ],
                shaped: true,
                object: true,
            };
            add(&item, &shape.pieces, &(drawn * shape.at));
        }
        for number in noted {
            tally.again(number);
        }
        if counted {
            survey.charge(0, pieces.len() as u64, self.layer)?;
            return survey.add_pieces(self.name, self.facts.line, pieces);
        }
        let corners = outline::extent(&ObjectShape::Rect {
            width: own.x as f32,
            height: own.y as f32,
        });
        let points = corners
            .into_iter()
            .map(|p| drawn.transform_point2(p))
            .collect();
        self.mark(survey, tally, Some(&tile_facts), points);
        Ok(())
    }

    fn placed(
        &self,
        shapes: &[Shape],
        material: Material,
        within: &DAffine2,
    ) -> Vec<(Shape, Material)> {
        let at = self.at * *within;
        shapes
            .iter()
            .map(|shape| (outline::place(shape, &at), material))
            .collect()
    }

    /// Makes it a marker when it has a name or class; `points` are relative to
    /// its position, before its rotation. Class and properties that it does not
    /// have are its tile's.
    fn mark(
        &self,
        survey: &mut Survey<'_>,
        tally: &mut Tally,
        tile: Option<&Facts>,
        points: Vec<DVec2>,
    ) {
        let class = if self.facts.class.is_empty() {
            tile.map_or("", |tile| tile.class.as_str())
        } else {
            &self.facts.class
        };
        if class.is_empty() && self.facts.name.is_empty() {
            return;
        }
        let mut properties = self.facts.properties_over(tile);
        // Properties of other objects may refer to this one by its number.
        if !properties
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("id"))
        {
            properties.push(("id".to_owned(), self.object.id().to_string()));
            properties.sort();
        }
        let points = points.into_iter().map(|p| self.at.transform_point2(p));
        let Some(area) = outline::bounds(points) else {
            return;
        };
        tally.markers += 1;
        survey.add_marker(LevelMarker {
            class: class.to_owned(),
            name: self.facts.name.clone(),
            area,
            properties,
        });
    }
}

#[cfg(test)]
#[path = "objects_test.rs"]
mod tests;
