//! Going through a map, layer by layer.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{DAffine2, DVec2};
use tiled::{LayerType, Map, ObjectShape, Tile, Tileset};

use super::facts::Facts;
use super::guard::{Checked, shorten_to};
use super::judge::{Judge, Kind, LayerWord};
use super::outline;
use super::tally::Tally;
use super::{cells, objects};
use crate::source::convex::check_range;
use crate::source::error::{Fault, SourceError};
use crate::source::level::{
    Collision, Level, LevelMarker, Material, Piece, Rect, Shape, ShapeError,
};
use crate::source::rule::Rules;

/// More warnings than a person reads are not kept.
const MAX_WARNINGS: usize = 200;

/// As much of a name as is shown, characters: it is repeated for every object.
pub(super) const MAX_SHOWN: usize = 100;

/// The most collision geometry that is kept, before merging: a box of a cell
/// is one unit, any other piece [`PIECE_UNITS`]. Cells can multiply the shapes
/// of a tile without end.
const MAX_UNITS: u64 = 1 << 26;
const PIECE_UNITS: u64 = 16;

/// Turns a parsed map into a level.
pub(super) fn survey(
    file: &str,
    map: &Map,
    checked: Checked,
    rules: &Rules,
) -> Result<Level, SourceError> {
    let mut survey = Survey {
        file,
        map,
        names: checked.names,
        judge: Judge::new(rules),
        cell: DVec2::new(f64::from(map.tile_width), f64::from(map.tile_height)),
        pieces: Vec::new(),
        origins: Vec::new(),
        markers: Vec::new(),
        decisions: Vec::new(),
        warnings: Vec::new(),
        layers: Vec::new(),
        spoken: false,
        reached: None,
        units: MAX_UNITS,
    };
    for layer in map.layers() {
        survey.layer(layer, &[], DVec2::ZERO, false)?;
    }
    if !survey.spoken {
        return Err(SourceError::NothingSolid {
            file: file.to_owned(),
            layers: survey.layers,
        });
    }
    for rule in survey.judge.unused_rules() {
        survey
            .decisions
            .push(format!("rule {rule}: speaks of nothing in this level"));
    }
    let standable = |piece: &Piece| matches!(piece.material, Material::Solid | Material::OneWay(_));
    if !survey.pieces.iter().any(standable) {
        survey.warnings.push(format!(
            "{file}: nothing is solid, so there is nothing to stand on"
        ));
    }
    let bounds = survey.bounds()?;
    Ok(Level {
        source: file.rsplit('/').next().unwrap_or(file).to_owned(),
        bounds,
        tile_size: Some([map.tile_width, map.tile_height]),
        collision: Collision::Shapes(survey.pieces),
        origins: survey.origins,
        markers: survey.markers,
        inputs: checked.inputs,
        decisions: survey.decisions,
        warnings: survey.warnings,
    })
}

/// A layer with what it has from the groups around it.
pub(super) struct LayerContext {
    /// `layer "ground"`.
    pub(super) origin: String,
    pub(super) line: Option<u32>,
    pub(super) offset: DVec2,
    pub(super) word: LayerWord,
    /// It is hidden or moves apart from the level, so its cells do not say how
    /// large the level is.
    pub(super) aside: bool,
}

/// One collision shape drawn on a tile.
pub(super) struct TileShape {
    pub(super) facts: Facts,
    /// Relative to the shape object's position.
    pub(super) pieces: Vec<Shape>,
    /// From there to the tile's pixels.
    pub(super) at: DAffine2,
}

/// The level as it grows.
pub(super) struct Survey<'a> {
    file: &'a str,
    pub(super) map: &'a Map,
    /// The real names of the files the parser was given.
    names: BTreeMap<String, String>,
    pub(super) judge: Judge<'a>,
    /// Width and height of a cell, pixels.
    pub(super) cell: DVec2,
    pieces: Vec<Piece>,
    origins: Vec<String>,
    markers: Vec<LevelMarker>,
    decisions: Vec<String>,
    warnings: Vec<String>,
    /// A line a layer, for when nothing is solid.
    layers: Vec<String>,
    /// Some rule has spoken.
    spoken: bool,
    /// What the chunks of an infinite map cover.
    reached: Option<Rect>,
    /// What is left of [`MAX_UNITS`].
    units: u64,
}

impl Survey<'_> {
    /// Goes through a layer; `around` are the groups it is in, innermost
    /// first. The guard has bounded the depth.
    fn layer(
        &mut self,
        layer: tiled::Layer<'_>,
        around: &[Rc<Facts>],
        offset: DVec2,
        hidden: bool,
    ) -> Result<(), SourceError> {
        let own = Facts::new(&layer.user_type, &layer.name, &layer.properties);
        let line = own.line;
        let mut chain = vec![Rc::new(own)];
        chain.extend_from_slice(around);
        let offset = offset + DVec2::new(f64::from(layer.offset_x), f64::from(layer.offset_y));
        let hidden = hidden || !layer.visible;
        // Groups are named too: two of them may hold layers of one name.
        let path: Vec<&str> = chain
            .iter()
            .rev()
            .map(|facts| facts.name.as_str())
            .collect();
        let origin = format!("layer \"{}\"", shorten_to(&path.join("/"), MAX_SHOWN));
        let kind = match layer.layer_type() {
            LayerType::Group(group) => {
                for layer in group.layers() {
                    self.layer(layer, &chain, offset, hidden)?;
                }
                return Ok(());
            }
            LayerType::Image(_) => {
                self.decisions
                    .push(format!("image {origin}: not collision: images never are"));
                self.layers.push(format!("image {origin}"));
                return Ok(());
            }
            LayerType::Tiles(_) => Kind::Tiles,
            LayerType::Objects(_) => Kind::Objects,
        };
        let word = self.judge.layer(&chain, kind, hidden);
        self.spoken |= word.speaks();
        let moving = layer.parallax_x != 1.0 || layer.parallax_y != 1.0;
        let context = LayerContext {
            origin,
            line,
            offset,
            aside: hidden || moving,
            word,
        };
        let before = self.pieces.len();
        let mut tally = Tally::default();
        match layer.layer_type() {
            LayerType::Tiles(tiles) => cells::read(self, &context, &tiles, &mut tally)?,
            LayerType::Objects(layer) => objects::read(self, &context, &layer, &mut tally)?,
            LayerType::Group(_) | LayerType::Image(_) => {}
        }
        for complaint in self.judge.complaints() {
            self.warn(None, line, &context.origin, &complaint);
        }
        if moving && self.pieces.len() > before {
            self.warn(
                None,
                line,
                &context.origin,
                "it is collision but has a parallax factor; it is read as if it stood still",
            );
        }
        self.spoken |= tally.counted();
        let what = match kind {
            Kind::Tiles => "tile",
            Kind::Objects => "object",
        };
        let (note, short) = tally.describe(kind, hidden, &context);
        self.decisions
            .push(format!("{what} {}: {note}", context.origin));
        self.layers
            .push(format!("{what} {} ({short})", context.origin));
        Ok(())
    }

    /// The collision shapes drawn on a tile, those with any extent.
    pub(super) fn tile_shapes(
        &mut self,
        tileset: &Tileset,
        id: u32,
        tile: Option<&Tile<'_>>,
    ) -> Result<Vec<TileShape>, SourceError> {
        let mut shapes = Vec::new();
        let Some(collision) = tile.and_then(|tile| tile.collision.as_ref()) else {
            return Ok(shapes);
        };
        let given = tileset.source.to_str().unwrap_or_default();
        let file = self.names.get(given).cloned();
        for object in collision.object_data() {
            let facts = Facts::new(&object.user_type, &object.name, &object.properties);
            let place = format!(
                "object {} of tile {id} of tileset \"{}\"",
                object.id(),
                tileset.name
            );
            let pieces = self.outline(&object.shape, file.as_deref(), facts.line, &place)?;
            if !pieces.is_empty() {
                shapes.push(TileShape {
                    facts,
                    pieces,
                    at: outline::object_place(object.x, object.y, object.rotation),
                });
            }
        }
        Ok(shapes)
    }

    /// An object's convex pieces. An outline that crosses itself is an error
    /// that names the object; one that is a single point only a warning.
    pub(super) fn outline(
        &mut self,
        shape: &ObjectShape,
        file: Option<&str>,
        line: Option<u32>,
        place: &str,
    ) -> Result<Vec<Shape>, SourceError> {
        outline::outline(shape).or_else(|error| {
            if error == ShapeError::TooFew {
                self.warn(file, line, place, "it has no extent");
                return Ok(Vec::new());
            }
            let advice = match error {
                ShapeError::SelfCrossing => "redraw it, or split it where it crosses",
                _ => "move it nearer to the origin",
            };
            Err(self.fault(file, line, place, &error.to_string(), advice))
        })
    }

    fn fault(
        &self,
        file: Option<&str>,
        line: Option<u32>,
        place: &str,
        problem: &str,
        advice: &str,
    ) -> SourceError {
        Fault {
            file: file.unwrap_or(self.file).to_owned(),
            line,
            place: place.to_owned(),
            problem: problem.to_owned(),
            advice: advice.to_owned(),
        }
        .into()
    }

    /// Tells the person who drew the level something, once.
    pub(super) fn warn(
        &mut self,
        file: Option<&str>,
        line: Option<u32>,
        place: &str,
        problem: &str,
    ) {
        let warning = Fault {
            file: file.unwrap_or(self.file).to_owned(),
            line,
            place: place.to_owned(),
            problem: problem.to_owned(),
            advice: String::new(),
        }
        .to_string();
        if self.warnings.len() < MAX_WARNINGS && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Makes sure that there is room for so much more geometry.
    pub(super) fn charge(
        &mut self,
        boxes: u64,
        pieces: u64,
        layer: &LayerContext,
    ) -> Result<(), SourceError> {
        let units = boxes.saturating_add(pieces.saturating_mul(PIECE_UNITS));
        self.units = self.units.checked_sub(units).ok_or_else(|| {
            let problem = format!(
                "with it the map has more than {} collision shapes",
                MAX_UNITS / PIECE_UNITS
            );
            let advice = "split the level, or draw simpler shapes on its tiles";
            self.fault(None, layer.line, &layer.origin, &problem, advice)
        })?;
        Ok(())
    }

    /// Adds collision geometry that came from one layer or object.
    pub(super) fn add_pieces(
        &mut self,
        origin: &str,
        line: Option<u32>,
        pieces: Vec<(Shape, Material)>,
    ) -> Result<(), SourceError> {
        if pieces.is_empty() {
            return Ok(());
        }
        let number = self.origins.len() as u32;
        self.origins.push(origin.to_owned());
        for (shape, material) in pieces {
            let in_range = match &shape {
                Shape::Box(rect) => check_range(&[rect.min, rect.max]),
                Shape::Convex(points) => check_range(points),
            };
            in_range.map_err(|error| {
                let advice = "move it nearer to the origin";
                self.fault(None, line, origin, &error.to_string(), advice)
            })?;
            self.pieces.push(Piece {
                shape,
                material,
                origin: number,
            });
        }
        Ok(())
    }

    pub(super) fn add_marker(&mut self, marker: LevelMarker) {
        self.markers.push(marker);
    }

    /// Notes that an infinite map goes so far.
    pub(super) fn reach(&mut self, rect: Rect) {
        let points = self.reached.iter().flat_map(|r| [r.min, r.max]);
        self.reached = outline::bounds(points.chain([rect.min, rect.max]));
    }

    /// The level's extent: that of the map; of an infinite one, the chunks with
    /// anything in them and all collision, in whole cells.
    fn bounds(&self) -> Result<Rect, SourceError> {
        let whole = Rect::new(
            DVec2::ZERO,
            DVec2::new(f64::from(self.map.width), f64::from(self.map.height)) * self.cell,
        );
        let mut bounds = whole;
        if self.map.infinite() {
            let pieces = self.pieces.iter().flat_map(|piece| match &piece.shape {
                Shape::Box(rect) => vec![rect.min, rect.max],
                Shape::Convex(points) => points.clone(),
            });
            let chunks = self.reached.iter().flat_map(|r| [r.min, r.max]);
            if let Some(Rect { min, max }) = outline::bounds(chunks.chain(pieces)) {
                let cell = self.cell;
                bounds = Rect::new((min / cell).floor() * cell, (max / cell).ceil() * cell);
            }
        }
        check_range(&[bounds.min, bounds.max]).map_err(|_| {
            let size = bounds.size();
            self.fault(
                None,
                None,
                "",
                &format!("the level is {} x {} pixels, too large", size.x, size.y),
                "check the size of the map and of its tiles",
            )
        })?;
        Ok(bounds)
    }
}
