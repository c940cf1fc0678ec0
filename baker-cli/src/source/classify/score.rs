//! The decision about a candidate: a multinomial logistic model of the evidence.
//!
//! Each [`Cue`] speaks for one meaning, with its weight times how much of it applies. The
//! probability of a meaning is its part of the exponentials of these sums. The weights of
//! `words.toml` are fitted to levels of games whose code says what is collision, so that
//! of the guesses with a probability of 0.8, about 8 of 10 are right.

use super::candidates::{Candidate, Context, is_speaking};
use super::raw_level::{LayerKind, LevelLayer};
use super::statements::Source;
use crate::source::rule::Meaning;
use crate::source::words::{self, Cue, Word, cues, lists};
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
    /// The probability that the meaning is wrong.
    pub doubt: f64,
    /// What else it may be, the most probable first.
    pub otherwise: Vec<Meaning>,
    /// What of it would carry agents, and the probability that it does.
    pub floor: Option<(Meaning, f64)>,
}

/// A cell that kills matters as much as this many that block.
const HAZARD: f64 = 4.0;

impl Decision {
    /// How many of these cells are probably wrong, weighed by what they do to bodies.
    pub fn loss(&self, cells: u64) -> f64 {
        let is_hazard =
            self.meaning == Meaning::Hazard || self.otherwise.first() == Some(&Meaning::Hazard);
        let each = if is_hazard { HAZARD } else { 1.0 };
        self.doubt * each * cells as f64
    }

    /// Weighs that something in the level carries agents, which has this probability
    /// without knowing it. What `is_ground` is the most probable.
    pub fn given(&mut self, some: f64, is_ground: bool) {
        let Some((floor, probable)) = self.floor else {
            return;
        };
        let probable = (probable / some.max(f64::MIN_POSITIVE)).min(1.0);
        if self.meaning.carries() {
            self.doubt = 1.0 - probable;
        } else if is_ground || probable > 0.5 {
            self.otherwise.retain(|other| *other != floor);
            self.otherwise.insert(0, self.meaning);
            self.meaning = floor;
            self.doubt = 1.0 - probable;
            "nothing else looks more like ground".clone_into(&mut self.why);
        } else {
            self.doubt = self.doubt.max(probable);
        }
    }
}

/// Meanings that are less probable are not offered.
const MIN_OFFERED: f64 = 0.05;

const UP: Meaning = Meaning::OneWay(PassDirection::Up);

/// One-way cells of which more than this part lies beneath others are a heap.
const HEAP: f64 = 0.5;

/// A layer of which this part is covered by others is a picture of them.
const COVERED: f64 = 0.5;

/// A layer that looks like ground has this part of its cells in the lowest third of the
/// map. Cells that are spread evenly have a third there.
const LOW: f64 = 0.5;

/// Decides what a candidate of a layer is.
pub fn decide(candidate: &Candidate, layer: &LevelLayer, context: &Context) -> Decision {
    let mut scales = Scales::default();
    scales.add(Meaning::Empty, &cues().prior, 1.0);
    match &candidate.statement {
        Some(_) => scales.stated(candidate, layer, context),
        None => scales.open(candidate, layer, context),
    }
    scales.facts(candidate, layer, context);
    scales.decision()
}

/// The evidence about something.
#[derive(Default)]
pub struct Scales(Vec<Evidence>);

impl Scales {
    /// Adds a cue that applies in part.
    pub fn add(&mut self, meaning: Meaning, cue: &Cue, part: f64) {
        self.add_named(meaning, cue, part, "");
    }

    /// Adds a cue whose text names something.
    fn add_named(&mut self, meaning: Meaning, Cue(weight, why): &Cue, part: f64, name: &str) {
        if part != 0.0 {
            self.0.push(Evidence {
                meaning,
                weight: weight * part,
                why: why.replace("{}", name),
            });
        }
    }

    /// Adds a cue if something is the case.
    pub fn add_if(&mut self, is: bool, meaning: Meaning, cue: &Cue) {
        self.add(meaning, cue, f64::from(u8::from(is)));
    }

    fn score(&self, meaning: Meaning) -> f64 {
        let same = self.0.iter().filter(|evidence| evidence.meaning == meaning);
        same.map(|evidence| evidence.weight).sum()
    }

    /// Weighs what is stated, and what contradicts it.
    fn stated(&mut self, candidate: &Candidate, layer: &LevelLayer, context: &Context) {
        let cues = cues();
        let Some(statement) = &candidate.statement else {
            return;
        };
        let whole = &context.layers[candidate.layer];
        let (meaning, source) = (statement.meaning, statement.source);
        let named = whole.named.as_ref().filter(|_| source == Source::Name);
        let is_weak = named.is_some_and(|named| !named.is_strong);
        let cue = match (source, named.map(|named| named.word)) {
            (Source::Own, _) => &cues.own,
            (Source::Excluded | Source::Layer, _) => &cues.of_layer,
            (Source::Shapes, _) => &cues.shapes,
            (Source::Name, _) if !is_weak => &cues.strong_name,
            (Source::Name, Some(Word::Ground)) => &cues.ground_name,
            (Source::Name, Some(Word::Platform)) => &cues.platform_name,
            (Source::Name, _) => &cues.special_name,
        };
        self.add_named(meaning, cue, 1.0, &statement.why);
        if named.is_some_and(|named| named.word == Word::Platform) {
            let other = if meaning == UP { Meaning::Solid } else { UP };
            self.add(other, &cues.platform_else, 1.0);
        }
        let is_solid = meaning == Meaning::Solid;
        let is_object = candidate.is_object;
        let name = candidate
            .label
            .as_ref()
            .map_or("", |(_, word)| word.as_str());
        let moves = candidate.moves || words::has_word(&layer.name, &lists().movement);
        self.add_if(is_object && moves, Meaning::Empty, &cues.moves);
        let is_own_object = is_object && statement.noun == "object";
        let is_decoration = whole.is_decoration && is_solid && !is_own_object;
        self.add_if(is_decoration, Meaning::Empty, &cues.decoration);
        let is_of_tile = is_object
            && (source == Source::Shapes || matches!(statement.noun, "tile" | "tileset" | "shape"));
        let happens = is_of_tile && words::has_word(&layer.name, &lists().mark);
        self.add_if(happens, Meaning::Empty, &cues.happens);
        let is_named_so = whole.named.as_ref().is_some_and(|named| named.is_strong);
        let is_shown = is_object && source == Source::Shapes && !is_named_so;
        self.add_if(is_shown, Meaning::Empty, &cues.shown);
        if is_object && matches!(source, Source::Name | Source::Layer) {
            let is_name = candidate
                .label
                .as_ref()
                .is_some_and(|(rule, _)| !rule.starts_with("property:"));
            if words::is_thing(name) {
                self.add(Meaning::Empty, &cues.is_thing, 1.0);
            } else if is_weak && is_solid && is_name && !words::is_ground(name) {
                self.add(Meaning::Empty, &cues.is_other, 1.0);
            }
        }
        let is_tiles = !is_object && layer.kind == LayerKind::Tiles;
        if let Some(named) = whole.named.as_ref().filter(|_| is_tiles && is_weak) {
            self.against_name(candidate, layer, context, named.word);
            if !candidate.has_shapes {
                if context.marked[candidate.layer] {
                    self.add(Meaning::Empty, &cues.marked, 1.0);
                } else if context.shaped[candidate.layer] {
                    self.add(Meaning::Empty, &cues.whole_shape, 1.0);
                }
            }
        }
        if meaning == UP && candidate.facts.stacked > HEAP {
            self.add(Meaning::Solid, &cues.heap, 1.0);
        }
        if let Some((property, more)) = &candidate.doubt
            && is_solid
            && source == Source::Own
        {
            self.add_named(*more, &cues.more, 1.0, &format!("property \"{property}\""));
        }
        if layer.kind == LayerKind::IntGrid {
            let is_unknown = matches!(source, Source::Name | Source::Layer)
                && !words::has_word(name, &lists().material)
                && (values_without_name(layer) > 1 && !is_most(candidate, layer)
                    || !words::is_default(name));
            self.add_if(is_unknown, Meaning::Empty, &cues.unknown_value);
            let is_doubtful = source == Source::Own && words::is_doubtful(name);
            self.add_if(is_doubtful, Meaning::Solid, &cues.last_word);
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
        let cues = cues();
        let facts = &candidate.facts;
        let others = |at: Option<usize>| at.filter(|at| *at != candidate.layer);
        let is_ground = word == Word::Ground && !words::is_word(&layer.name, &lists().block);
        let outlines = others(context.strong_objects)
            .filter(|_| context.outlined >= COVERED * facts.cells as f64);
        let strong = others(context.strong_tiles).or(outlines);
        let is_traced = word == Word::Platform && context.traced >= COVERED;
        if strong.is_some() && (is_ground || is_traced) {
            self.add(Meaning::Empty, &cues.elsewhere, 1.0);
            self.add_if(facts.covered >= COVERED, Meaning::Empty, &cues.covered);
        }
    }

    /// Weighs names and kinds of something of which nothing is stated.
    fn open(&mut self, candidate: &Candidate, layer: &LevelLayer, context: &Context) {
        let cues = cues();
        let facts = &candidate.facts;
        self.add_if(context.has_floor, Meaning::Empty, &cues.has_floor);
        let own = candidate.label.as_ref().map(|(_, word)| word.as_str());
        let name = own.unwrap_or(&layer.name);
        let meant = words::hint(name).or_else(|| Some(words::misspelt(name)?.1));
        let is_sharp = meant == Some(Meaning::Hazard);
        self.add_if(is_sharp, Meaning::Hazard, &cues.hint_sharp);
        if let Some(meaning) = words::hint(name) {
            self.add_named(meaning, &cues.hint, 1.0, &format!("\"{name}\""));
        } else if let Some((meant, meaning)) = words::misspelt(name) {
            let why = format!("\"{name}\" is nearly \"{meant}\"");
            self.add_named(meaning, &cues.misspelt, 1.0, &why);
        } else if words::is_likely_solid(name) {
            self.add_named(Meaning::Solid, &cues.likely, 1.0, &format!("\"{name}\""));
        } else if candidate.is_about_collision {
            self.add(Meaning::Solid, &cues.about_collision, 1.0);
        } else if layer.kind != LayerKind::Objects && words::has_ground_word(name) {
            self.add_named(
                Meaning::Solid,
                &cues.ground_word,
                1.0,
                &format!("\"{name}\""),
            );
        }
        // What the label says counts before the name of the layer.
        let names = candidate
            .names(layer)
            .take(if is_speaking(name) { 1 } else { 2 });
        for (list, cue) in [
            (&lists().scenery, &cues.scenery),
            (&lists().decoration, &cues.pickups),
            (&lists().mark, &cues.places),
        ] {
            let is_named = names.clone().any(|name| words::has_word(name, list));
            self.add_if(is_named, Meaning::Empty, cue);
        }
        let is_object = candidate.is_object;
        let is_thing = is_object && (words::is_thing(name) || candidate.moves);
        self.add_if(is_thing, Meaning::Empty, &cues.open_thing);
        if layer.kind == LayerKind::IntGrid {
            self.add(Meaning::Solid, &cues.value, 1.0);
            if words::has_word(name, &lists().material) {
                self.add_named(Meaning::Solid, &cues.material, 1.0, &format!("\"{name}\""));
            }
        }
        if is_object {
            self.add_if(candidate.is_outline, Meaning::Solid, &cues.outline);
            self.add_if(candidate.is_line, Meaning::Solid, &cues.line);
            let is_like = candidate.is_outline && context.has_outlined_floor;
            self.add_if(is_like, Meaning::Solid, &cues.like_floor);
        } else if !context.has_floor {
            let size = facts.cells as f64 / context.largest.max(1) as f64;
            self.add(Meaning::Solid, &cues.size, size);
            self.add_if(facts.low >= LOW, Meaning::Solid, &cues.low);
        }
        let is_land = layer.kind != LayerKind::IntGrid && words::has_word(name, &lists().land);
        self.add_if(is_land, Meaning::Solid, &cues.land);
        if facts.carried > 0 && !(is_object && own.is_some() && !words::is_ground(name)) {
            self.add(Meaning::Solid, &cues.carries, facts.carries);
        }
    }

    /// Weighs what counts for all candidates.
    fn facts(&mut self, candidate: &Candidate, layer: &LevelLayer, context: &Context) {
        let cues = cues();
        let whole = &context.layers[candidate.layer];
        let stated = candidate.statement.as_ref();
        let source = stated.map(|statement| statement.source);
        let is_weak = match source {
            None => true,
            Some(Source::Name) => whole.named.as_ref().is_some_and(|named| !named.is_strong),
            Some(_) => false,
        };
        self.add_if(whole.is_unused, Meaning::Empty, &cues.hidden);
        self.add_if(whole.fills_map && is_weak, Meaning::Empty, &cues.fills_map);
        if layer.is_picture
            && let Some(is_strong) = context.grid
        {
            self.add(Meaning::Empty, &cues.picture, 1.0);
            self.add_if(is_strong, Meaning::Empty, &cues.drawn);
        }
        if is_weak {
            self.add(Meaning::Empty, &cues.buried, candidate.facts.buried);
            self.add_if(candidate.is_lone, Meaning::Empty, &cues.lone);
            self.add(UP, &cues.other_one_way, 1.0);
            self.add(Meaning::Hazard, &cues.other_hazard, 1.0);
            let facts = &candidate.facts;
            if !candidate.is_object {
                self.add(UP, &cues.thin, facts.thin);
            }
            if stated.is_none() {
                self.add(Meaning::Empty, &cues.rests, facts.rests);
            }
            self.add(Meaning::Hazard, &cues.rests_sharp, facts.rests);
        }
        if let Some(right) = candidate.slope {
            let slope = Meaning::Slope { right };
            self.add(slope, &cues.slope, 1.0);
            // It is as solid as all of the layer.
            let weight = self.score(Meaning::Solid).max(0.0);
            let why = self.reason(Meaning::Solid).unwrap_or_default().to_owned();
            self.0.push(Evidence {
                meaning: slope,
                weight,
                why,
            });
        }
    }

    /// What speaks most for a meaning.
    fn reason(&self, meaning: Meaning) -> Option<&str> {
        let nothing = &cues().prior.1;
        let same = self
            .0
            .iter()
            .filter(|evidence| evidence.meaning == meaning && evidence.weight > 0.0);
        // What says something counts before what says nothing.
        let has_reason = same.clone().any(|evidence| evidence.why != *nothing);
        let reasons = same.filter(|evidence| !has_reason || evidence.why != *nothing);
        let most = reasons.max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        Some(&most.why)
    }

    /// What it is.
    pub fn decision(&self) -> Decision {
        let mut meanings = vec![Meaning::Empty, Meaning::Solid];
        for Evidence { meaning, .. } in &self.0 {
            if !meanings.contains(meaning) {
                meanings.push(*meaning);
            }
        }
        let mut scores: Vec<(Meaning, f64)> = meanings
            .into_iter()
            .map(|meaning| (meaning, self.score(meaning)))
            .collect();
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (meaning, best) = scores[0];
        let total: f64 = scores.iter().map(|(_, score)| (score - best).exp()).sum();
        let offered = scores[1..]
            .iter()
            .enumerate()
            .filter(|(at, (_, score))| *at == 0 || (score - best).exp() / total >= MIN_OFFERED);
        let otherwise: Vec<Meaning> = offered.map(|(_, (other, _))| *other).collect();
        let why = match (self.reason(meaning), self.reason(otherwise[0])) {
            (Some(why), Some(but)) if but != cues().prior.1 => format!("{why}, but {but}"),
            (why, _) => why.unwrap_or_default().to_owned(),
        };
        let floor = scores.iter().find(|(meaning, _)| meaning.carries());
        let carrying = scores.iter().filter(|(meaning, _)| meaning.carries());
        let carries = carrying.map(|(_, score)| (score - best).exp()).sum::<f64>() / total;
        Decision {
            meaning,
            why,
            doubt: 1.0 - 1.0 / total,
            otherwise,
            floor: floor.map(|(meaning, _)| (*meaning, carries)),
        }
    }
}

/// How many values of a layer have no name.
fn values_without_name(layer: &LevelLayer) -> usize {
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
