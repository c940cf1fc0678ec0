//! The decision about a candidate: the sum of what speaks for each meaning.

use super::candidates::{Candidate, Context, is_speaking};
use super::raw_level::{LayerKind, LevelLayer};
use super::statements::Source;
use crate::source::rule::Meaning;
use crate::source::words::{self, Word, lists, weights};
use navmesh_bake::PassDirection;

/// Something that speaks for a meaning, and how much.
#[derive(Debug)]
struct Evidence {
    meaning: Meaning,
    weight: f64,
    why: String,
}

/// What a candidate is.
#[derive(Debug, Clone)]
pub struct Decision {
    pub meaning: Meaning,
    pub why: String,
    /// What else it may be.
    pub otherwise: Meaning,
    /// By how much the meaning leads.
    pub lead: f64,
    /// It is explicit and leads far enough.
    pub is_certain: bool,
    /// What of it would carry agents, and by how much that trails.
    pub floor: Option<(Meaning, f64)>,
}

/// Why something without any evidence is not collision.
const NOTHING: &str = "nothing says that it is collision";

/// Decides what a candidate of a layer is.
pub fn decide(candidate: &Candidate, layer: &LevelLayer, context: &Context) -> Decision {
    let mut scales = Scales::default();
    match &candidate.statement {
        Some(_) => scales.stated(candidate, layer, context),
        None => scales.open(candidate, layer, context),
    }
    scales.slope(candidate);
    let stated = candidate
        .statement
        .as_ref()
        .map(|statement| statement.meaning);
    scales.decision(stated)
}

/// The evidence about something.
#[derive(Default)]
pub struct Scales(Vec<Evidence>);

impl Scales {
    pub fn add(&mut self, meaning: Meaning, weight: f64, why: impl Into<String>) {
        if weight > 0.0 {
            let why = why.into();
            self.0.push(Evidence {
                meaning,
                weight,
                why,
            });
        }
    }

    fn score(&self, meaning: Meaning) -> f64 {
        let same = self.0.iter().filter(|evidence| evidence.meaning == meaning);
        same.map(|evidence| evidence.weight).sum()
    }

    /// Makes a meaning lead another by this much.
    pub fn lead(&mut self, meaning: Meaning, over: Meaning, by: f64, why: impl Into<String>) {
        let weight = self.score(over) + by - self.score(meaning);
        if meaning != over {
            self.add(meaning, weight, why);
        }
    }

    /// Makes a meaning trail that it is not collision, if something is the case.
    fn deny(&mut self, meaning: Meaning, is: bool, by: f64, why: &str) {
        if is {
            self.lead(Meaning::Empty, meaning, by, why);
        }
    }

    /// Weighs what is stated, and what contradicts it.
    fn stated(&mut self, candidate: &Candidate, layer: &LevelLayer, context: &Context) {
        let weights = weights();
        let Some(statement) = &candidate.statement else {
            return;
        };
        let whole = &context.layers[candidate.layer];
        let (meaning, source) = (statement.meaning, statement.source);
        let named = whole.named.as_ref().filter(|_| source == Source::Name);
        let is_weak = named.is_some_and(|named| !named.is_strong);
        let weight = match named {
            Some(named) if is_weak && matches!(named.word, Word::Ground | Word::Platform) => {
                weights.ground_name
            }
            Some(_) if is_weak => weights.special_name,
            _ => weights.explicit,
        };
        self.add(Meaning::Empty, weights.prior, NOTHING);
        self.add(meaning, weight, &statement.why);
        let (doubt, overrule) = (weights.doubt, weights.overrule);
        let is_of_layer = matches!(source, Source::Name | Source::Layer);
        let name = candidate
            .label
            .as_ref()
            .map_or("", |(_, word)| word.as_str());
        let is_tile_of_object = candidate.is_object
            && (source == Source::Shapes || matches!(statement.noun, "tile" | "tileset" | "shape"));
        let is_explicit = source != Source::Name || !is_weak;
        let by = if is_explicit { doubt } else { overrule };
        self.deny(meaning, whole.is_unused, by, "the layer is hidden");
        let is_moving = candidate.is_object
            && (candidate.moves || words::has_word(&layer.name, &lists().movement));
        self.deny(
            meaning,
            is_moving,
            doubt,
            "it moves, and only what stands still is baked",
        );
        let is_own_object = candidate.is_object && statement.noun == "object";
        let is_decoration = whole.is_decoration && meaning == Meaning::Solid && !is_own_object;
        let by = if source == Source::Shapes && candidate.is_object {
            overrule
        } else {
            doubt
        };
        self.deny(
            meaning,
            is_decoration,
            by,
            "the layer's name is that of pick-ups or pictures",
        );
        let is_mark = is_tile_of_object && words::has_word(&layer.name, &lists().mark);
        self.deny(
            meaning,
            is_mark,
            doubt,
            "the layer's name says that something happens there",
        );
        let is_shown = candidate.is_object && source == Source::Shapes;
        let is_named_so = whole.named.as_ref().is_some_and(|named| named.is_strong);
        let why = "shapes of a tile do not make objects solid";
        self.deny(meaning, is_shown && !is_named_so, doubt, why);
        if candidate.is_object && is_of_layer {
            let by = if is_explicit { doubt } else { overrule };
            let why = "its own name or class is that of something else";
            self.deny(meaning, words::is_thing(name), by, why);
            let is_name = candidate
                .label
                .as_ref()
                .is_some_and(|(rule, _)| !rule.starts_with("property:"));
            let is_other =
                is_weak && meaning == Meaning::Solid && is_name && !words::is_ground(name);
            self.deny(
                meaning,
                is_other,
                doubt,
                "its own name may mean something else",
            );
        }
        let is_picture = layer.is_picture && context.has_grid;
        let is_drawn =
            named.is_some_and(|named| matches!(named.word, Word::Ground | Word::Platform));
        let by = if is_drawn && context.has_strong_grid {
            overrule
        } else {
            doubt
        };
        let why = "tiles beside an IntGrid are pictures";
        self.deny(meaning, is_picture, by, why);
        let is_tiles = !candidate.is_object && layer.kind == LayerKind::Tiles;
        if let Some(named) = whole
            .named
            .as_ref()
            .filter(|named| !named.is_strong && is_tiles)
        {
            self.against_name(candidate, layer, context, named.word);
        }
        if is_weak && is_tiles && !candidate.has_shapes {
            let is_marked = context.marked[candidate.layer];
            self.deny(
                meaning,
                is_marked,
                doubt,
                "other tiles of the layer are marked as solid",
            );
            let why = "other tiles of the layer have a shape that is the whole tile";
            self.deny(
                meaning,
                context.shaped[candidate.layer] && !is_marked,
                doubt,
                why,
            );
        }
        if matches!(meaning, Meaning::OneWay(PassDirection::Up)) && candidate.facts.stacked > HEAP {
            let why = "most of it lies beneath more of it, and bodies stand on the top only";
            let is_platform = named.is_some_and(|named| named.word == Word::Platform);
            let by = if is_platform { doubt } else { -doubt };
            self.lead(Meaning::Solid, meaning, by, why);
        }
        if let Some((property, more)) = &candidate.doubt
            && meaning == Meaning::Solid
            && source == Source::Own
        {
            self.lead(*more, meaning, -doubt, format!("property \"{property}\""));
        }
        if layer.kind == LayerKind::IntGrid {
            if is_of_layer && !words::has_word(name, &lists().material) {
                let others = candidate_values(layer) > 1;
                let why = "nothing says what the value is";
                if others && !is_most(candidate, layer) || !words::is_default(name) {
                    self.lead(Meaning::Empty, meaning, -doubt, why);
                }
            }
            if source == Source::Own && words::is_doubtful(name) {
                self.lead(Meaning::Solid, meaning, -doubt, "the last word of its name");
            }
        }
        if is_weak && meaning == Meaning::Solid {
            let why = "things are inside it";
            self.add(Meaning::Empty, weights.buried * candidate.facts.buried, why);
        }
    }

    /// Weighs what speaks against tiles of a layer that is called ground or platforms.
    fn against_name(
        &mut self,
        candidate: &Candidate,
        layer: &LevelLayer,
        context: &Context,
        word: Word,
    ) {
        let weights = weights();
        let meaning = candidate
            .statement
            .as_ref()
            .map_or(Meaning::Empty, |own| own.meaning);
        let is_own = candidate
            .statement
            .as_ref()
            .is_some_and(|own| own.source == Source::Own);
        let facts = &candidate.facts;
        let others = |at: Option<usize>| at.filter(|at| *at != candidate.layer && !is_own);
        let is_ground = word == Word::Ground && !words::is_word(&layer.name, &lists().block);
        let outlines = others(context.strong_objects)
            .filter(|_| context.outlined >= COVERED * facts.cells as f64);
        let strong = others(context.strong_tiles).or(outlines);
        let is_traced = word == Word::Platform && context.traced >= COVERED;
        if strong.is_some() && (is_ground || is_traced) {
            let by = if facts.covered >= COVERED {
                weights.overrule
            } else {
                weights.doubt
            };
            self.lead(
                Meaning::Empty,
                meaning,
                by,
                "another layer is made for collision",
            );
        }
        if word == Word::Ground && context.layers[candidate.layer].fills_map && !is_own {
            let why = "it fills the map, as in a level seen from above";
            self.lead(Meaning::Empty, meaning, weights.doubt, why);
        }
    }

    /// Weighs the facts about something of which nothing is stated.
    fn open(&mut self, candidate: &Candidate, layer: &LevelLayer, context: &Context) {
        let weights = weights();
        let whole = &context.layers[candidate.layer];
        let facts = &candidate.facts;
        self.add(Meaning::Empty, weights.prior, NOTHING);
        if context.has_floor {
            self.add(Meaning::Empty, weights.has_floor, "other things are solid");
        }
        let own = candidate.label.as_ref().map(|(_, word)| word.as_str());
        let name = own.unwrap_or(&layer.name);
        if let Some(meaning) = words::hint(name) {
            self.add(meaning, weights.hint, format!("a word of \"{name}\""));
        } else if let Some((meant, meaning)) = words::misspelt(name) {
            self.add(
                meaning,
                weights.misspelt,
                format!("\"{name}\" is nearly \"{meant}\""),
            );
        } else if words::is_likely_solid(name) {
            self.add(
                Meaning::Solid,
                weights.likely,
                format!("the name \"{name}\""),
            );
        } else if candidate.is_about_collision {
            self.add(
                Meaning::Solid,
                weights.hint,
                "the property is about collision",
            );
        }
        // What the label says counts before the name of the layer.
        let names = candidate
            .names(layer)
            .take(if is_speaking(name) { 1 } else { 2 });
        for list in [&lists().scenery, &lists().decoration, &lists().mark] {
            if names.clone().any(|name| words::has_word(name, list)) {
                let why = "its name is that of pictures, things or places";
                self.add(Meaning::Empty, weights.scenery, why);
            }
        }
        if candidate.is_object && (words::is_thing(name) || candidate.moves) {
            self.add(Meaning::Empty, weights.scenery, "it is a thing, or moves");
        }
        if layer.kind == LayerKind::IntGrid {
            self.add(
                Meaning::Solid,
                weights.value,
                "values of an IntGrid mostly mean something",
            );
            if words::has_word(name, &lists().material) {
                self.add(
                    Meaning::Solid,
                    weights.value,
                    format!("the material \"{name}\""),
                );
            }
        }
        if candidate.is_object {
            if candidate.is_outline {
                self.add(
                    Meaning::Solid,
                    weights.outline,
                    "it is outlined, without a name",
                );
            }
        } else if !context.has_floor {
            let size = facts.cells as f64 / context.largest.max(1) as f64;
            self.add(Meaning::Solid, weights.size * size, "it is large");
            if facts.low >= LOW {
                let why = "most of it lies in the lowest third";
                self.add(Meaning::Solid, weights.low, why);
            }
        }
        if facts.carried > 0 && !(candidate.is_object && own.is_some() && !words::is_ground(name)) {
            self.add(
                Meaning::Solid,
                weights.carries * facts.carries,
                "things stand on it",
            );
        }
        self.add(
            Meaning::Empty,
            weights.buried * facts.buried,
            "things are inside it",
        );
        if whole.fills_map {
            self.add(Meaning::Empty, weights.fills_map, "it fills the map");
        }
        if whole.is_unused {
            self.add(Meaning::Empty, weights.hidden, "the layer is hidden");
        }
        if layer.is_picture && context.has_grid {
            self.add(
                Meaning::Empty,
                weights.picture,
                "tiles beside an IntGrid are pictures",
            );
        }
    }

    /// Weighs the shape of slopes.
    fn slope(&mut self, candidate: &Candidate) {
        let Some(right) = candidate.slope else {
            return;
        };
        let slope = Meaning::Slope { right };
        let why = "it is called a slope, and has no shape";
        self.add(slope, weights().special_name, why);
        if self.score(Meaning::Solid) >= self.score(Meaning::Empty) {
            self.lead(slope, Meaning::Solid, weights().doubt, why);
        }
    }

    /// What speaks most for a meaning.
    fn reason(&self, meaning: Meaning) -> Option<&str> {
        let same = self.0.iter().filter(|evidence| evidence.meaning == meaning);
        // What says something counts before what says nothing.
        let has_reason = same.clone().any(|evidence| evidence.why != NOTHING);
        let reasons = same.filter(|evidence| !has_reason || evidence.why != NOTHING);
        let most = reasons.max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        Some(&most.why)
    }

    /// What it is, where it is `stated` or not.
    pub fn decision(&self, stated: Option<Meaning>) -> Decision {
        let mut meanings: Vec<(Meaning, f64)> = Vec::new();
        for Evidence { meaning, .. } in &self.0 {
            if !meanings.iter().any(|(known, _)| known == meaning) {
                meanings.push((*meaning, self.score(*meaning)));
            }
        }
        // Of equal ones, the first that was weighed leads.
        meanings.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (meaning, best) = meanings.first().copied().unwrap_or((Meaning::Empty, 0.0));
        let second = meanings.get(1).copied();
        let mut why = self.reason(meaning).unwrap_or_default().to_owned();
        let lead = best - second.map_or(0.0, |(_, score)| score);
        let is_certain =
            lead >= weights().certain && (meaning == Meaning::Empty || stated == Some(meaning));
        let otherwise = match second {
            Some((second, _)) => second,
            None if meaning == Meaning::Empty => Meaning::Solid,
            None => Meaning::Empty,
        };
        if let Some(doubt) = self
            .reason(otherwise)
            .filter(|doubt| !is_certain && *doubt != NOTHING)
        {
            why = format!("{why}, but {doubt}");
        }
        let floor = meanings.iter().find(|(meaning, _)| meaning.carries());
        Decision {
            meaning,
            why,
            otherwise,
            lead,
            is_certain,
            floor: floor.map(|(meaning, score)| (*meaning, score - best)),
        }
    }
}

/// One-way cells of which more than this part lies beneath others are a heap.
const HEAP: f64 = 0.5;

/// A layer of which this part is covered by others is a picture of them.
const COVERED: f64 = 0.5;

/// A layer that looks like ground has this part of its cells in the lowest third of the
/// map. Cells that are spread evenly have a third there.
const LOW: f64 = 0.5;

/// How many values of a layer have no name.
fn candidate_values(layer: &LevelLayer) -> usize {
    let values = layer.items.iter().filter_map(|item| item.own().value());
    values.filter(|value| words::is_default(value)).count()
}

/// Whether it is the value without a name that has the most cells, or the first of these.
fn is_most(candidate: &Candidate, layer: &LevelLayer) -> bool {
    let items = layer.items.iter().enumerate().rev();
    let unnamed = items.filter(|(_, item)| item.own().value().is_some_and(words::is_default));
    let most = unnamed.max_by_key(|(_, item)| item.number());
    most.is_none_or(|(index, _)| candidate.items.contains(&index))
}
