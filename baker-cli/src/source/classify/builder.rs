//! Collecting a level, layer by layer.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use glam::DVec2;

use super::advice;
use super::classification::LayerKind;
use super::classifier::{Classifier, MAX_WARNINGS};
use super::level_layer::LevelLayer;
use super::places::Places;
use super::summary::agreeing;
use crate::source::error::{Fault, SourceError};
use crate::source::level_file::{InputFile, LevelFile};
use crate::source::rule::{INT_GRID, Rules};
use crate::source::shapes;
use crate::source::tile_picture::FullTiles;
use navmesh_bake::tools::check_range;
use navmesh_bake::{Collision, Level, Material, PassDirection, Piece, Rect, Shape, ShapeError};

/// The most collision geometry of one level, before merging, in units: a box
/// of a cell is one unit (8 bytes), any other piece [`PIECE_UNITS`] (64 bytes
/// and its points). A level at the limit takes about 500 MiB. Without a limit,
/// a tile with 1000 shapes in every cell multiplies a small file by 1000.
const MAX_UNITS: u64 = 1 << 26;
const PIECE_UNITS: u64 = 16;

/// A level with something to stand on at less of its width, in percent, is
/// probably understood in part. Of 376 files of strangers that bake, those that
/// are read as their games do have something at 3 % or more.
const SPARSE: f64 = 3.0;

/// Slanted shapes are kept to this distance from the level at least, and to that
/// of its size, in pixels. Bodies that jump or fall out of the level do not get
/// further.
const MIN_MARGIN: f64 = 2048.0;

/// A ladder is climbed along the middle of its bounding box, and its top is a floor. A
/// shape that fills less of its box than this leans, or is a triangle. Ellipses
/// fill 79 % of theirs, small ones 70 %; a ladder of 16 by 200 pixels that is turned
/// by 2 degrees fills 69 %, by 3 degrees 61 %.
const UPRIGHT: f64 = 2.0 / 3.0;

/// Whether the bounding box of a ladder is nearly the ladder.
fn is_upright(shape: &Shape) -> bool {
    let Shape::Convex(points) = shape else {
        return true;
    };
    let next = points.iter().cycle().skip(1);
    let area = points.iter().zip(next).map(|(a, b)| a.perp_dot(*b));
    let size = shape.bounds().size();
    area.sum::<f64>().abs() / 2.0 >= UPRIGHT * size.x * size.y
}

/// Agents stand on a floor that is lower than the upper edge of the level, even if most
/// of their body is above it. One on the edge would be no floor. With this room above
/// it, in pixels, an infinite map is larger by a cell only if it has such a floor.
const MIN_ROOM: f64 = 1.0;

/// A level under construction.
pub struct LevelBuilder<'a> {
    pub file: &'a str,
    /// The first cell or object with a tile that does not exist, and how many there
    /// are, by the line and name of their layer.
    pub impossible: BTreeMap<(u32, String), (Fault, u32)>,
    /// The files of tilesets that do not exist, and what refers to them.
    missing: BTreeMap<String, String>,
    pub classifier: Classifier<'a>,
    /// What is known of the level but its pieces.
    pub level: LevelFile,
    pieces: Vec<Piece>,
    /// The rules that match what the level's origins name, as lists in messages.
    rules: Vec<String>,
    layers: Vec<LevelLayer>,
    /// The objects that are not collision.
    pub places: Places,
    /// Something says what agents stand on.
    has_floor: bool,
    /// The bounding box of used chunks of infinite maps.
    chunks: Option<Rect>,
    /// What is left of [`MAX_UNITS`].
    units: u64,
}

impl<'a> LevelBuilder<'a> {
    /// A level without layers. `file` is the file that the layers are in.
    pub fn new(file: &'a str, rules: &'a Rules) -> Self {
        let mut level = Level::in_memory("", Collision::Shapes(Vec::new()), 0.0, 0.0);
        level.origins.clear();
        Self {
            file,
            impossible: BTreeMap::new(),
            missing: BTreeMap::new(),
            classifier: Classifier::new(rules),
            level: LevelFile::new(level, Vec::new()),
            pieces: Vec::new(),
            rules: Vec::new(),
            layers: Vec::new(),
            places: Places::default(),
            has_floor: false,
            chunks: None,
            units: MAX_UNITS,
        }
    }

    /// Begins a layer. All layers have been surveyed before.
    pub fn begin_layer(&mut self, layer: &mut LevelLayer) {
        layer.rules = self.classifier.layer(layer);
        layer.pieces = self.pieces.len()..self.pieces.len();
    }

    /// Notes whether the project of the level says what is solid, in this level or
    /// another, by itself or as a rule is about an `IntGrid` value of these names.
    pub fn explain<'n>(&mut self, by_itself: bool, mut values: impl Iterator<Item = &'n str>) {
        let is_configured = |name: &str| self.classifier.is_configured(INT_GRID, name);
        self.has_floor |= by_itself || values.any(is_configured);
    }

    /// Ends a layer: notes what was decided about it.
    ///
    /// # Errors
    /// When the layer is collision and has cells or objects with tiles that do not
    /// exist.
    pub fn end_layer(&mut self, mut layer: LevelLayer) -> Result<(), SourceError> {
        let key = (layer.line.unwrap_or(0), layer.name.clone());
        if let Some((fault, count)) = self.impossible.get(&key).cloned() {
            if layer.rules.is_collision() || layer.summary.has_collision() {
                return Err(fault.into());
            }
            let kept = match layer.kind {
                LayerKind::Tiles => "it is left out",
                _ => "it is kept without its picture",
            };
            let mut warning = format!("{}: {kept}", fault.problem);
            if count > 1 {
                let _ = write!(warning, ", as {} more of this layer", count - 1);
            }
            self.warn(Some(&fault.file), fault.line, &fault.place, &warning);
        }
        for (line, warning) in self.classifier.warnings.take() {
            self.warn(None, line.or(layer.line), &layer.origin, &warning);
        }
        for (mut warning, (line, marker, others)) in std::mem::take(&mut layer.summary.misspelt) {
            if others > 0 {
                let _ = write!(warning, " The same in {others} more of this layer");
            }
            self.warn(None, line, &marker, &warning);
        }
        layer.pieces.end = self.pieces.len();
        if layer.moves && !layer.pieces.is_empty() {
            let warning = "the layer is collision and has a parallax factor, which is ignored";
            self.warn(None, layer.line, &layer.origin, warning);
        }
        self.has_floor |= layer.explains_floor();
        for warning in advice::of_layer(&layer) {
            self.warn(None, layer.line, &layer.origin, &warning);
        }
        let full = std::mem::take(&mut layer.summary.full);
        if !full.is_empty() {
            self.level.full_tiles.push(FullTiles {
                line: layer.line,
                origin: layer.origin.clone(),
                kind: layer.kind,
                tiles: full.into_iter().collect(),
            });
        }
        let decision = layer.summary.decision(layer.kind, layer.rules.unused);
        let (noun, origin) = (layer.kind.noun(), &layer.origin);
        let decision = format!("{noun} {origin}: {decision}");
        self.level.decisions.push(decision);
        self.layers.push(layer);
        Ok(())
    }

    /// Notes an image layer, which is never collision.
    pub fn add_image_layer(&mut self, layer: LevelLayer) {
        let rules = self.classifier.layer(&layer);
        self.classifier.warnings.take();
        let named = rules.used_name();
        if rules.is_collision() && !layer.hidden && named.is_none_or(|named| named.is_strong) {
            let warning = "an image is never collision: bake it by itself, as a bitmap, or draw tiles or objects";
            self.warn(None, layer.line, &layer.origin, warning);
        }
        self.add_picture(layer);
    }

    /// Notes a layer that is never collision: an image, or tiles of LDtk.
    pub fn add_picture(&mut self, layer: LevelLayer) {
        let decision = format!(
            "{}: not collision: pictures never are",
            advice::line(&layer)
        );
        self.level.decisions.push(decision);
        self.layers.push(layer);
    }

    /// Notes a tileset that does not exist.
    pub fn add_missing(&mut self, name: String, referrer: String) {
        let warning = "the file does not exist, so its tiles are taken for pictures";
        self.warn(Some(&name), None, &format!("used by {referrer}"), warning);
        self.missing.insert(name, referrer);
    }

    /// An error when the file of a tileset does not exist.
    pub fn check_exists(&self, name: &str) -> Result<(), SourceError> {
        self.missing.get(name).map_or(Ok(()), |referrer| {
            let error = std::io::ErrorKind::NotFound.into();
            Err(SourceError::io(name, Some(referrer.clone()), error))
        })
    }

    /// The result of converting an outline. One that crosses itself or is a single point is
    /// left out, with a warning that names `place`.
    pub fn outline(
        &mut self,
        shapes: Result<Vec<Shape>, ShapeError>,
        file: Option<&str>,
        line: Option<u32>,
        place: &str,
    ) -> Result<Vec<Shape>, SourceError> {
        shapes.or_else(|error| {
            let warning = match error {
                ShapeError::TooFew => "it has no extent",
                ShapeError::SelfCrossing => {
                    "the outline crosses itself, so it is left out: redraw it, or split it where it crosses"
                }
                ShapeError::Range => {
                    let (file, advice) = (file.unwrap_or(self.file), "move it nearer to the origin");
                    return Err(Fault::at(file, line, place, error.to_string(), advice).into());
                }
            };
            self.warn(file, line, place, warning);
            Ok(Vec::new())
        })
    }

    /// Adds a warning, once.
    pub fn warn(&mut self, file: Option<&str>, line: Option<u32>, place: &str, problem: &str) {
        let file = file.unwrap_or(self.file);
        let warning = Fault::at(file, line, place, problem, "").to_string();
        if self.level.warnings.len() < MAX_WARNINGS && !self.level.warnings.contains(&warning) {
            self.level.warnings.push(warning);
        }
    }

    /// Subtracts boxes and other pieces from the geometry that a level may have.
    pub fn charge(
        &mut self,
        boxes: u64,
        pieces: u64,
        layer: &LevelLayer,
    ) -> Result<(), SourceError> {
        let units = boxes.saturating_add(pieces.saturating_mul(PIECE_UNITS));
        self.units = self.units.checked_sub(units).ok_or_else(|| {
            let most = MAX_UNITS / PIECE_UNITS;
            let problem = format!("with it the map has more than {most} collision shapes");
            let advice = "split the level, or draw simpler shapes on its tiles";
            Fault::at(self.file, layer.line, &layer.origin, problem, advice)
        })?;
        Ok(())
    }

    /// Adds collision geometry that came from one layer or object, which the rules of a
    /// list match.
    pub fn add_pieces(
        &mut self,
        origin: &str,
        rules: String,
        line: Option<u32>,
        mut pieces: Vec<(Shape, Material)>,
    ) -> Result<(), SourceError> {
        let number = pieces.len();
        pieces.retain(|(shape, material)| *material != Material::Ladder || is_upright(shape));
        let leaning = number - pieces.len();
        if leaning > 0 {
            let (one, more) = (
                "ladder is not upright, and is",
                "ladders are not upright, and are",
            );
            let are = agreeing(leaning as u64, one, more);
            let warning = format!(
                "{leaning} {are} left out: agents climb straight up, so draw ladders as rectangles without rotation"
            );
            self.warn(None, line, origin, &warning);
        }
        if pieces.is_empty() {
            return Ok(());
        }
        let number = self.level.origins.len() as u32;
        self.level.level.origins.push(origin.to_owned());
        self.rules.push(rules);
        for (shape, material) in pieces {
            check_range(&shape.corners()).map_err(|error| {
                let advice = "move it nearer to the origin";
                Fault::at(self.file, line, origin, error.to_string(), advice)
            })?;
            self.pieces.push(Piece {
                shape,
                material,
                origin: number,
            });
        }
        Ok(())
    }

    /// Warns of objects that lie in rock or above nothing.
    fn warn_of_places(&mut self, bounds: Rect, tile_size: [u32; 2]) {
        let cell = DVec2::from(tile_size.map(f64::from));
        let places = std::mem::take(&mut self.places);
        let rock = |origin: u32| {
            let lists = [&self.level.origins, &self.rules];
            let [origin, rules] = lists.map(|list| &list[origin as usize]);
            format!("inside what is solid, {origin}: if that is not, empty = [{rules}]")
        };
        for (place, problem) in places.misplaced(&self.pieces, rock, bounds, cell) {
            self.warn(None, place.line, &place.origin, &problem);
        }
    }

    /// Adds a used chunk of an infinite map.
    pub fn add_chunk(&mut self, rect: Rect) {
        let known = self.chunks.iter().flat_map(|r| [r.min, r.max]);
        self.chunks = Rect::around(known.chain([rect.min, rect.max]));
    }

    /// The extent of an infinite map: used chunks and all collision, in whole
    /// cells. The map has no upper edge, so there is room above the highest floor.
    pub fn used_bounds(&self, cell: DVec2) -> Option<Rect> {
        let pieces = self.pieces.iter().flat_map(|piece| {
            let Rect { min, max } = piece.shape.bounds();
            let room = if piece.material.carries() {
                MIN_ROOM
            } else {
                0.0
            };
            [min - DVec2::Y * room, max]
        });
        let chunks = self.chunks.iter().flat_map(|r| [r.min, r.max]);
        let Rect { min, max } = Rect::around(chunks.chain(pieces))?;
        let (first, end) = ((min / cell).floor(), (max / cell).ceil());
        Some(Rect::new(first * cell, end * cell))
    }

    /// Cuts off the parts of slanted shapes that no body can get to. The bake takes
    /// time and memory for the height of every slanted shape.
    fn clip(&mut self, bounds: Rect) {
        let margin = DVec2::splat(bounds.size().max_element().max(MIN_MARGIN));
        let window = Rect::new(bounds.min - margin, bounds.max + margin);
        let is_outside = |p: &DVec2| *p != p.clamp(window.min, window.max);
        self.pieces.retain_mut(|piece| match &mut piece.shape {
            Shape::Convex(points) if points.iter().any(is_outside) => {
                let clipped = shapes::clipped(points, window);
                *points = clipped.unwrap_or_default();
                !points.is_empty()
            }
            _ => true,
        });
    }

    /// Warns of shapes outside the level on which agents would stand. Walls along
    /// its edges lie outside too, but touch it. A solid shape at the upper edge is a
    /// ceiling, a one-way shape there is of no use.
    fn warn_of_outside(&mut self, bounds: Rect) {
        let is_outside = |piece: &Piece| {
            let Rect { min, max } = piece.shape.bounds();
            let is_beyond = max.cmplt(bounds.min).any() || min.cmpgt(bounds.max).any();
            piece.material.carries() && is_beyond
        };
        let is_on_top = |piece: &Piece| {
            let Rect { min, max } = piece.shape.bounds();
            let is_platform = piece.material == Material::OneWay(PassDirection::Up);
            // Levels of one row have no room anyway.
            let is_high = min.y <= bounds.min.y && max.y < bounds.max.y;
            is_platform && is_high && !is_outside(piece)
        };
        for layer in std::mem::take(&mut self.layers) {
            let pieces = self.pieces.get(layer.pieces).unwrap_or_default();
            let (min, max) = (bounds.min, bounds.max);
            let outside = pieces.iter().filter(|piece| is_outside(piece)).count();
            let on_top = pieces.iter().filter(|piece| is_on_top(piece)).count();
            for (number, shape, place) in [
                (outside, "collision shape", "outside"),
                (on_top, "one-way platform", "on the upper edge of"),
            ] {
                let lie = match number {
                    0 => continue,
                    1 => format!("1 {shape} of it lies"),
                    n => format!("{n} {shape}s of it lie"),
                };
                let warning = format!(
                    "{lie} {place} the level, from {},{} to {},{}, where agents cannot stand: make the level \
                     larger, or move the layer or what is in it",
                    min.x, min.y, max.x, max.y
                );
                self.warn(None, layer.line, &layer.origin, &warning);
            }
        }
    }

    /// The part of the level's width, in percent, at which something carries
    /// agents.
    fn covered(&self, bounds: Rect) -> f64 {
        let carrying = self.pieces.iter().filter(|p| p.material.carries());
        let mut spans: Vec<[f64; 2]> = (carrying)
            .map(|piece| piece.shape.bounds())
            .map(|rect| [rect.min.x.max(bounds.min.x), rect.max.x.min(bounds.max.x)])
            .collect();
        spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (mut covered, mut reached) = (0.0, bounds.min.x);
        for [from, to] in spans {
            covered += (to - from.max(reached)).max(0.0);
            reached = reached.max(to);
        }
        100.0 * covered / bounds.size().x
    }

    /// The finished level, with this extent.
    pub fn finish(
        mut self,
        source: String,
        bounds: Rect,
        tile_size: [u32; 2],
        inputs: Vec<InputFile>,
    ) -> Result<LevelFile, SourceError> {
        let unused_rules = self.classifier.unused_rules();
        if !self.has_floor {
            return Err(SourceError::NothingSolid {
                file: self.file.to_owned(),
                layers: self.layers.iter().map(advice::line).collect(),
                missing: self.missing.into_keys().collect(),
                unused_rules,
                guess: advice::guess(&self.layers, &self.classifier).map(Box::new),
            });
        }
        for (line, origin, warning) in advice::of_level(&self.layers, &self.classifier) {
            self.warn(None, line, &origin, &warning);
        }
        if self.pieces.iter().any(|piece| piece.material.carries()) {
            let percent = self.covered(bounds);
            if percent < SPARSE {
                self.level.warnings.push(format!(
                    "{}: there is something to stand on at only {percent:.0} % of the level's width; \
                     `navbake bake -v` says which layers are not used",
                    self.file
                ));
            }
        } else {
            let problem = "nothing is solid, so there is nothing to stand on";
            let warning = format!("{}: {problem}", self.file);
            self.level.warnings.push(warning);
        }
        self.level.note_unused_rules(unused_rules);
        check_range(&[bounds.min, bounds.max]).map_err(|_| {
            let size = bounds.size();
            let problem = format!("the level is {} x {} pixels, too large", size.x, size.y);
            let advice = "check the size of the map and of its tiles";
            Fault::of_file(self.file, problem, advice)
        })?;
        self.warn_of_outside(bounds);
        self.warn_of_places(bounds, tile_size);
        self.clip(bounds);
        let level = Level {
            source,
            bounds,
            tile_size: Some(tile_size),
            collision: Collision::Shapes(self.pieces),
            ..self.level.level
        };
        Ok(LevelFile {
            level,
            inputs,
            ..self.level
        })
    }
}
