//! Collecting a level, layer by layer, and deciding what is collision in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use glam::DVec2;

use super::candidates::{Candidates, Cell};
use super::markers;
use super::pieces;
use super::raw_level::{LayerKind, LevelLayer, ObjectPlace, RawItem};
use super::score::{Decision, decide};
use super::statements::Configured;
use super::summary::LayerSummary;
use super::undecided::Undecided;
use crate::source::error::{Fault, SourceError};
use crate::source::level_file::{InputFile, LevelFile};
use crate::source::rule::{INT_GRID, Meaning, Rules};
use crate::source::shapes;
use navmesh_bake::tools::check_range;
use navmesh_bake::{Collision, Level, Material, PassDirection, Piece, Rect, Shape, ShapeError};

/// The most warnings of one level. More would hide those that matter.
const MAX_WARNINGS: usize = 200;

/// The most collision geometry of one level, before merging, in units: a box
/// of a cell is one unit (8 bytes), any other piece [`PIECE_UNITS`] (64 bytes
/// and its points). A level at the limit takes about 500 MiB. Without a limit,
/// a tile with 1000 shapes in every cell multiplies a small file by 1000.
const MAX_UNITS: u64 = 1 << 26;
const PIECE_UNITS: u64 = 16;

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
    configured: Configured<'a>,
    /// What is known of the level but its pieces.
    pub level: LevelFile,
    pieces: Vec<Piece>,
    layers: Vec<LevelLayer>,
    /// The project says what agents stand on.
    is_explained: bool,
    /// The bounding box of used chunks of infinite maps.
    chunks: Option<Rect>,
    /// What is left of [`MAX_UNITS`].
    units: u64,
    /// The layers and problems of warnings about objects.
    warned: BTreeSet<(String, String)>,
    /// The number of the last object without a number in the file.
    last_id: u32,
}

/// The size of a level.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    Fixed(Rect),
    /// Used chunks and all collision, or else this.
    Used(Rect),
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
            configured: Configured::new(rules),
            level: LevelFile::new(level, Vec::new()),
            pieces: Vec::new(),
            layers: Vec::new(),
            is_explained: false,
            chunks: None,
            units: MAX_UNITS,
            warned: BTreeSet::new(),
            last_id: 0,
        }
    }

    /// Notes whether the project of the level says what is solid, in this level or
    /// another, by itself or as a rule is about an `IntGrid` value of these names. A level
    /// where none of it was painted is then empty, not unexplained.
    pub fn explain<'n>(&mut self, by_itself: bool, mut values: impl Iterator<Item = &'n str>) {
        let is_configured = |name: &str| self.configured.is_about(INT_GRID, name);
        self.is_explained |= by_itself || values.any(is_configured);
    }

    /// Adds a layer with all that is in it.
    pub fn add_layer(&mut self, layer: LevelLayer) {
        self.layers.push(layer);
    }

    /// Notes a tileset that does not exist.
    pub fn add_missing(&mut self, name: String, referrer: String) {
        let warning = "the file does not exist, so its tiles are taken for pictures";
        self.warn(Some(&name), None, &format!("used by {referrer}"), warning);
        self.missing.insert(name, referrer);
    }

    /// The file of a tileset that does not exist, and what refers to it.
    pub fn missing(&self, name: &str) -> Option<(String, String)> {
        let (name, referrer) = self.missing.get_key_value(name)?;
        Some((name.clone(), referrer.clone()))
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

    /// Adds a warning about the first object of a layer that has a problem.
    pub fn warn_once(&mut self, layer: &LevelLayer, line: Option<u32>, place: &str, problem: &str) {
        let known = (layer.origin.clone(), problem.to_owned());
        if self.warned.insert(known) {
            self.warn(None, line, place, problem);
        }
    }

    /// Passes over numbers of objects.
    pub fn skip_ids(&mut self, number: u32) {
        self.last_id += number;
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

    /// Adds collision geometry that came from one layer or object.
    pub fn add_pieces(
        &mut self,
        origin: &str,
        line: Option<u32>,
        mut pieces: Vec<(Shape, Material)>,
    ) -> Result<(), SourceError> {
        let number = pieces.len();
        pieces.retain(|(shape, material)| *material != Material::Ladder || is_upright(shape));
        let leaning = number - pieces.len();
        if leaning > 0 {
            let are = match leaning {
                1 => "ladder is not upright, and is",
                _ => "ladders are not upright, and are",
            };
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

    /// Adds a used chunk of an infinite map.
    pub fn add_chunk(&mut self, rect: Rect) {
        let known = self.chunks.iter().flat_map(|r| [r.min, r.max]);
        self.chunks = Rect::around(known.chain([rect.min, rect.max]));
    }

    /// The extent of an infinite map: used chunks and all collision, in whole
    /// cells. The map has no upper edge, so there is room above the highest floor.
    fn used_bounds(&self, cell: DVec2) -> Option<Rect> {
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

    /// Decides what everything in the layers is, and adds collision and markers.
    fn classify(&mut self, cell: DVec2) -> Result<(), SourceError> {
        let layers = std::mem::take(&mut self.layers);
        let candidates = Candidates::find(&layers, cell);
        let decide = |candidate| decide(candidate, &layers[candidate.layer], &candidates.context);
        let mut decisions: Vec<Decision> = candidates.all.iter().map(decide).collect();
        let rules = Ruled::new(&self.configured, &layers, &candidates);
        let is_explained = self.is_explained
            || rules.carries
            || layers
                .iter()
                .zip(&candidates.context.layers)
                .any(|(layer, whole)| {
                    layer.kind != LayerKind::Image && whole.whole().is_some_and(Meaning::carries)
                });
        if !is_explained {
            self.need_floor(&layers, &candidates, &mut decisions, &rules.left)?;
        }
        let carrying = candidates
            .all
            .iter()
            .zip(&decisions)
            .filter(|(_, decision)| decision.meaning.carries());
        let mut floors: Vec<Cell> = carrying
            .flat_map(|(candidate, _)| &candidate.cells)
            .copied()
            .collect();
        floors.sort_unstable();
        let (mut guesses, mut best, mut is_guessed) =
            (Vec::new(), None::<Undecided>, !rules.carries);
        for (candidate, (decision, left)) in
            candidates.all.iter().zip(decisions.iter().zip(&rules.left))
        {
            let layer = &layers[candidate.layer];
            if *left == 0 || layer.kind == LayerKind::Image {
                continue;
            }
            // Where something else is solid, it makes no difference.
            let own = usize::from(decision.meaning.carries());
            let is_exposed = |cell: &&Cell| {
                let from = floors.partition_point(|floor| floor < *cell);
                floors[from..]
                    .iter()
                    .take_while(|floor| floor == cell)
                    .nth(own)
                    .is_none()
            };
            let exposed = match candidate.cells.len() {
                0 => *left,
                _ => candidate.cells.iter().filter(is_exposed).count() as u64,
            };
            let place = match &candidate.label {
                Some((rule, _)) => format!("{}: {rule}", layer.origin),
                None => layer.origin.clone(),
            };
            let guess = Undecided {
                file: self.file.to_owned(),
                line: layer.line,
                place,
                number: *left,
                noun: layer.kind.item(),
                guess: decision.meaning,
                why: decision.why.clone(),
                doubt: decision.doubt,
                otherwise: decision.otherwise.clone(),
                rules: candidates.rules(candidate, &layers),
                areas: candidate.areas(layer),
                weight: decision.loss(exposed),
                is_sure: false,
            };
            if decision.meaning.carries() {
                is_guessed &= candidate.statement.is_none();
                if best.as_ref().is_none_or(|best| best.number < guess.number) {
                    best = Some(guess.clone());
                }
            }
            if guess.is_open() {
                guesses.push(guess);
            }
        }
        self.level.undecided = Undecided::asked(guesses, floors.len());
        // Where nothing states it, it is said in any case.
        let mut asked = self.level.undecided.iter();
        if is_guessed
            && !asked.any(|asked| asked.guess.carries())
            && let Some(best) = best
        {
            self.level.undecided.push(Undecided {
                is_sure: true,
                ..best
            });
        }
        for (index, layer) in layers.iter().enumerate() {
            let parts = layer.items.iter().enumerate();
            let meanings = parts.map(|(item, raw)| {
                let parts =
                    (0..raw.parts.len()).map(|part| match &rules.parts[index][item][part] {
                        Some((meaning, rule)) => (*meaning, Some(format!("rule {rule}"))),
                        None => match candidates.numbers[index][item][part] {
                            Some(at) => {
                                let decision = &decisions[at];
                                let is_open = candidates.all[at].statement.is_none()
                                    && decision.meaning == Meaning::Empty;
                                let why = (!is_open).then(|| decision.why.clone());
                                (decision.meaning, why)
                            }
                            None => (Meaning::Empty, None),
                        },
                    });
                parts.collect()
            });
            let meanings: Vec<Vec<(Meaning, Option<String>)>> = meanings.collect();
            let whole = &candidates.context.layers[index];
            let is_collision = rules.layers[index].map_or_else(
                || whole.whole().is_some_and(|whole| whole != Meaning::Empty),
                |meaning| meaning != Meaning::Empty,
            );
            self.add_classified(layer, &meanings, whole.is_unused, is_collision)?;
        }
        self.level.note_unused_rules(self.configured.unused());
        self.layers = layers;
        Ok(())
    }

    /// Weighs that something in the level carries agents: the probability of each candidate
    /// is that under this condition, and the most probable one is ground in any case.
    fn need_floor(
        &self,
        layers: &[LevelLayer],
        candidates: &Candidates,
        decisions: &mut [Decision],
        left: &[u64],
    ) -> Result<(), SourceError> {
        // Hazards and ladders are no ground, whatever else there is.
        let may: Vec<bool> = decisions
            .iter()
            .map(|decision| decision.meaning == Meaning::Empty || decision.meaning.carries())
            .collect();
        let open = |at: &usize| left[*at] > 0 && may[*at] && candidates.all[*at].facts.cells > 0;
        let odds = |decision: &Decision| decision.floor.map_or(0.0, |(_, probable)| probable);
        let best = (0..decisions.len()).filter(open).max_by(|a, b| {
            let by_odds = odds(&decisions[*a]).total_cmp(&odds(&decisions[*b]));
            by_odds.then(
                candidates.all[*a]
                    .facts
                    .cells
                    .cmp(&candidates.all[*b].facts.cells),
            )
        });
        let Some(best) = best else {
            // Rules, or the level, say of everything that nothing carries agents.
            let mut items = layers.iter().flat_map(|layer| &layer.items);
            if items.any(|item| !item.object().is_some_and(ObjectPlace::is_flat)) {
                return Ok(());
            }
            return Err(SourceError::NothingSolid {
                file: self.file.to_owned(),
                layers: layers.iter().map(line).collect(),
                missing: self.missing.keys().cloned().collect(),
                unused_rules: self.configured.unused(),
            });
        };
        let none: f64 = decisions
            .iter()
            .map(|decision| 1.0 - odds(decision))
            .product();
        for (at, decision) in decisions.iter_mut().enumerate().filter(|(at, _)| open(at)) {
            decision.given(1.0 - none, at == best);
        }
        Ok(())
    }

    /// Adds a layer whose parts have these meanings, for these reasons. `is_collision` is
    /// whether the layer is collision as a whole.
    fn add_classified(
        &mut self,
        layer: &LevelLayer,
        parts: &[Vec<(Meaning, Option<String>)>],
        is_hidden: bool,
        is_collision: bool,
    ) -> Result<(), SourceError> {
        let mut summary = LayerSummary::default();
        let first = self.pieces.len();
        let mut meanings: Vec<Vec<Meaning>> = Vec::new();
        for (item, parts) in layer.items.iter().zip(parts) {
            let is_flat = item.object().is_some_and(ObjectPlace::is_flat);
            let mut known: Vec<&(Meaning, Option<String>)> = Vec::new();
            for part in parts {
                if !is_flat && !known.contains(&part) {
                    known.push(part);
                    summary.add(part.0, part.1.as_deref(), item.number());
                }
            }
            let flat = |(meaning, _): &(Meaning, Option<String>)| {
                if is_flat { Meaning::Empty } else { *meaning }
            };
            meanings.push(parts.iter().map(flat).collect());
        }
        self.check_possible(layer, is_collision || summary.has_collision())?;
        for (item, meanings) in layer.items.iter().zip(&meanings) {
            let Some(object) = item.object() else {
                continue;
            };
            let id = object.id.unwrap_or_else(|| {
                self.last_id += 1;
                self.last_id
            });
            if meanings.iter().all(|meaning| *meaning == Meaning::Empty) {
                summary.markers += u64::from(markers::add(self, layer, item, object, id));
            }
        }
        pieces::add(self, layer, &meanings)?;
        self.level.decisions.push(summary.text(layer, is_hidden));
        if layer.moves && self.pieces.len() > first {
            let warning = "the layer is collision and has a parallax factor, which is ignored";
            self.warn(None, layer.line, &layer.origin, warning);
        }
        self.warn_of_directions(layer);
        Ok(())
    }

    /// Warns of cells or objects with a tile that does not exist.
    fn check_possible(
        &mut self,
        layer: &LevelLayer,
        is_collision: bool,
    ) -> Result<(), SourceError> {
        let key = (layer.line.unwrap_or(0), layer.name.clone());
        let Some((fault, count)) = self.impossible.get(&key).cloned() else {
            return Ok(());
        };
        if is_collision {
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
        Ok(())
    }

    /// Warns of one-way properties that are no direction.
    fn warn_of_directions(&mut self, layer: &LevelLayer) {
        let own = layer.items.iter().flat_map(|item| &item.chain);
        let all = own.map(|(_, own)| own).chain(&layer.chain);
        let invalid = all.filter_map(|own| own.invalid_direction());
        let warnings: Vec<String> = invalid
            .map(|(name, value)| {
                format!("property \"{name}\" is \"{value}\", not up, down, left, right or true; it is ignored")
            })
            .collect();
        for warning in warnings {
            self.warn(None, layer.line, &layer.origin, &warning);
        }
    }

    /// Warns of shapes outside the level on which agents would stand. Walls along
    /// its edges lie outside too, but touch it. A solid shape at the upper edge is a
    /// ceiling, a one-way shape there is of no use.
    fn warn_of_outside(&mut self, bounds: Rect) {
        let mut counts = BTreeMap::<(u32, bool), u64>::new();
        for piece in &self.pieces {
            let Rect { min, max } = piece.shape.bounds();
            let is_beyond = max.cmplt(bounds.min).any() || min.cmpgt(bounds.max).any();
            let is_platform = piece.material == Material::OneWay(PassDirection::Up);
            // Levels of one row have no room anyway.
            let is_high = min.y <= bounds.min.y && max.y < bounds.max.y;
            if piece.material.carries() && (is_beyond || is_platform && is_high) {
                *counts.entry((piece.origin, is_beyond)).or_default() += 1;
            }
        }
        for ((origin, is_beyond), number) in counts {
            let (shape, place) = if is_beyond {
                ("collision shape", "outside")
            } else {
                ("one-way platform", "on the upper edge of")
            };
            let lie = match number {
                1 => format!("1 {shape} of it lies"),
                n => format!("{n} {shape}s of it lie"),
            };
            let (min, max) = (bounds.min, bounds.max);
            let warning = format!(
                "{lie} {place} the level, from {},{} to {},{}, where agents cannot stand: make the level \
                 larger, or move the layer or what is in it",
                min.x, min.y, max.x, max.y
            );
            let origin = self.level.origins[origin as usize].clone();
            self.warn(None, None, &origin, &warning);
        }
    }

    /// The finished level, with this extent.
    ///
    /// # Errors
    /// When nothing in it could be collision, or something in it is invalid.
    pub fn finish(
        mut self,
        source: String,
        extent: Extent,
        tile_size: [u32; 2],
        inputs: Vec<InputFile>,
    ) -> Result<LevelFile, SourceError> {
        let cell = DVec2::from(tile_size.map(f64::from));
        self.classify(cell)?;
        let bounds = match extent {
            Extent::Fixed(bounds) => bounds,
            Extent::Used(bounds) => self.used_bounds(cell).unwrap_or(bounds),
        };
        if !self.pieces.iter().any(|piece| piece.material.carries()) {
            let problem = "nothing is solid, so there is nothing to stand on";
            self.warn(None, None, "", problem);
        }
        check_range(&[bounds.min, bounds.max]).map_err(|_| {
            let size = bounds.size();
            let problem = format!("the level is {} x {} pixels, too large", size.x, size.y);
            let advice = "check the size of the map and of its tiles";
            Fault::of_file(self.file, problem, advice)
        })?;
        self.warn_of_outside(bounds);
        shapes::clip(&mut self.pieces, bounds);
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

/// What a rule says, and the rule.
type RuledMeaning = (Meaning, String);

/// What the rules of the configuration say.
struct Ruled {
    /// What the rule about each layer says.
    layers: Vec<Option<Meaning>>,
    /// By layer, item and part.
    parts: Vec<Vec<Vec<Option<RuledMeaning>>>>,
    /// How many cells or objects of each candidate no rule matches.
    left: Vec<u64>,
    /// A rule makes something solid or one-way.
    carries: bool,
}

impl Ruled {
    fn new(configured: &Configured<'_>, layers: &[LevelLayer], candidates: &Candidates) -> Self {
        let mut ruled = Self {
            layers: Vec::new(),
            parts: Vec::new(),
            left: vec![0; candidates.all.len()],
            carries: false,
        };
        for (index, layer) in layers.iter().enumerate() {
            let of_layer = configured.layer(layer);
            let is_unused = candidates.context.layers[index].is_unused;
            // A rule about an empty layer says what agents stand on, too.
            ruled.carries |= of_layer
                .as_ref()
                .is_some_and(|(meaning, _)| meaning.carries());
            ruled
                .layers
                .push(of_layer.as_ref().map(|(meaning, _)| *meaning));
            let mut items = Vec::new();
            for (raw, numbers) in layer.items.iter().zip(&candidates.numbers[index]) {
                let mut parts = Vec::new();
                let mut known = Vec::new();
                for (part, number) in raw.parts.iter().zip(numbers) {
                    let rule = configured.item(layer, of_layer.as_ref(), is_unused, raw, part);
                    ruled.carries |= rule.as_ref().is_some_and(|(meaning, _)| meaning.carries());
                    if let (None, Some(at)) = (&rule, number)
                        && !known.contains(at)
                    {
                        known.push(*at);
                        ruled.left[*at] += raw.number();
                    }
                    parts.push(rule);
                }
                items.push(parts);
            }
            ruled.parts.push(items);
        }
        ruled
    }
}

/// A line about a layer, for the error that nothing is solid.
fn line(layer: &LevelLayer) -> String {
    let items: u64 = layer.items.iter().map(RawItem::number).sum();
    let (noun, item) = (layer.kind.noun(), layer.kind.item());
    let plural = if items == 1 { "" } else { "s" };
    format!("{noun} {} ({items} {item}{plural})", layer.origin)
}
