//! What a level states about its layers, tiles and objects, and what the rules of the
//! configuration say of them.
//!
//! The first of these that applies is the statement about a tile or object:
//!
//! 1. The configuration's rules: those about the tile or object itself before those about
//!    its layer.
//! 2. Properties or class of the tile or object, and the name of the object, then
//!    properties or class of its layer. A layer that is declared not to be collision
//!    excludes everything in it.
//! 3. Collision shapes drawn on the tile.
//! 4. The name of the layer.
//!
//! Hazards come before everything else of 2 to 4, and a layer of hazards, ladders or
//! one-way tiles says what its solid tiles are. Objects of a marker class are markers,
//! unless a rule applies to the object itself.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::attributes::{Attributes, Stated};
use super::raw_level::{LayerKind, LevelLayer, RawItem, RawPart};
use crate::source::marker_classes::properties_of;
use crate::source::rule::{Meaning, Rule, Rules, is_match};
use crate::source::words::{self, Word, lists};

/// What states something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A property, class, value or name of the tile, shape or object itself.
    Own,
    /// The layer, or a group around it, says that nothing in it is collision.
    Excluded,
    /// A property or class of the layer, or of a group around it.
    Layer,
    /// The collision shapes of the tile.
    Shapes,
    /// The name of the layer, or of a group around it.
    Name,
}

/// What is stated about a tile or object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub meaning: Meaning,
    pub source: Source,
    /// In words, for messages.
    pub why: String,
    /// The rule that matches what states it, if that is not the layer.
    pub rule: Option<String>,
    /// The noun of what states it.
    pub noun: &'static str,
}

impl Statement {
    fn new(meaning: Meaning, source: Source, why: String) -> Self {
        Self {
            meaning,
            source,
            why,
            rule: None,
            noun: "",
        }
    }
}

/// What the name of a layer says.
#[derive(Debug, Clone)]
pub struct Named {
    pub word: Word,
    pub meaning: Meaning,
    pub why: String,
    /// A word of collision is in it, perhaps among others.
    pub is_strong: bool,
}

/// What is stated about a layer as a whole, without the configuration.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct LayerStatements {
    pub excluded: Option<Statement>,
    pub declared: Option<Statement>,
    pub named: Option<Named>,
    /// Its name says that it holds pick-ups or pictures.
    pub is_decoration: bool,
    /// Its cells fill the map.
    pub fills_map: bool,
    /// It is an `IntGrid` with a value for something solid.
    has_solid_value: bool,
    /// It is hidden, and nothing declares that the whole of it is collision: artists
    /// hide a collision layer so that it is not drawn, others because they are not in use.
    pub is_unused: bool,
}

/// A layer that covers this part of the map is a picture of a level seen from above, or of
/// the sky: of 208 side-view maps none has such a layer of ground.
const FULL: f64 = 0.95;

/// Maps with fewer cells are too small to judge by [`FULL`].
const MIN_CELLS: u64 = 100;

impl LayerStatements {
    /// What is stated about the layers of a level.
    pub fn of(layers: &[LevelLayer]) -> Vec<Self> {
        let mut all: Vec<Self> = layers.iter().map(Self::of_one).collect();
        let mut solid = layers.iter().zip(&all).filter(|(_, statements)| {
            let word = statements.named.as_ref().map(|named| named.word);
            let is_ground = word == Some(Word::Ground) && !statements.fills_map;
            statements.is_used() && (statements.is_strong() || is_ground)
        });
        // Platforms are blocks where nothing else is solid.
        if solid.any(|(layer, _)| !layer.items.is_empty()) {
            let named = all
                .iter_mut()
                .filter_map(|statements| statements.named.as_mut());
            for named in named.filter(|named| named.word == Word::Platform) {
                named.meaning = Word::Platform.meaning();
                named.why.push_str(" beside a solid layer");
            }
        }
        all
    }

    fn of_one(layer: &LevelLayer) -> Self {
        let nouns = std::iter::once("layer").chain(std::iter::repeat("group"));
        let mut statements = Self::default();
        for (attributes, noun) in layer.chain.iter().zip(nouns) {
            let Some(Stated { meaning, why, .. }) = attributes.stated(noun, false) else {
                continue;
            };
            let (source, of, place) = match meaning {
                Meaning::Empty => (Source::Excluded, "on", &mut statements.excluded),
                _ => (Source::Layer, "of", &mut statements.declared),
            };
            let why = format!("{why} {of} the {noun}");
            place.get_or_insert(Statement::new(meaning, source, why));
        }
        let named = name_of(layer);
        // Spikes collide, too.
        if named
            .as_ref()
            .is_some_and(|named| named.word == Word::Hazard)
        {
            (statements.declared).take_if(|declared| declared.meaning == Meaning::Solid);
        }
        let is_strong = named.as_ref().is_some_and(|named| named.is_strong);
        statements.is_unused = layer.hidden && statements.declared.is_none() && !is_strong;
        let is_nothing = words::exact(&layer.name) == Some(Word::Nothing);
        statements.is_decoration =
            named.is_none() && (words::has_word(&layer.name, &lists().decoration) || is_nothing);
        let [columns, rows] = layer.size.unwrap_or_default().map(u64::from);
        let number: u64 = layer.items.iter().map(RawItem::number).sum();
        statements.fills_map = layer.kind == LayerKind::Tiles
            && columns * rows >= MIN_CELLS
            && number as f64 >= FULL * (columns * rows) as f64;
        statements.has_solid_value = layer.kind == LayerKind::IntGrid
            && (layer.items.iter()).any(|item| {
                let stated = item.own().stated("value", false);
                stated.is_some_and(|stated| stated.meaning == Meaning::Solid)
            });
        statements.named = named;
        statements
    }

    fn is_used(&self) -> bool {
        self.excluded.is_none() && !self.is_unused
    }

    /// Whether the layer is made for collision.
    pub fn is_strong(&self) -> bool {
        let declares = |declared: &Statement| declared.meaning == Meaning::Solid;
        let is_collision = |named: &Named| named.word == Word::Collision;
        self.is_used()
            && (self.declared.as_ref().is_some_and(declares)
                || self.named.as_ref().is_some_and(is_collision)
                || self.has_solid_value)
    }

    /// What the layer as a whole is, even if it is empty.
    pub fn whole(&self) -> Option<Meaning> {
        let declared = self.declared.as_ref().map(|declared| declared.meaning);
        let whole = declared.or_else(|| Some(self.named.as_ref()?.meaning));
        whole.filter(|_| self.is_used())
    }
}

/// What the name of a layer says: its own name; its group's where that is a word of
/// collision, or where its own is empty or Tiled's default.
fn name_of(layer: &LevelLayer) -> Option<Named> {
    let names = layer.chain.iter().map(|own| own.name.as_str());
    let nouns = std::iter::once("layer").chain(std::iter::repeat("group"));
    let is_default = words::is_default(&layer.name);
    let is_picture = words::has_word(&layer.name, &lists().decoration);
    let (noun, name, word) = nouns.zip(names).find_map(|(noun, name)| {
        let word = words::of_layer(name)?;
        let is_counted = noun == "layer" || is_default || word == Word::Collision && !is_picture;
        is_counted.then_some((noun, name, word))
    })?;
    (word != Word::Nothing).then(|| Named {
        word,
        meaning: match word {
            Word::Platform => Meaning::Solid,
            word => word.meaning(),
        },
        why: format!("name \"{name}\" of the {noun}"),
        is_strong: word == Word::Collision || words::exact(name).is_none(),
    })
}

/// What is stated about a part of an item, without the configuration.
pub fn statement(
    layer: &LevelLayer,
    whole: &LayerStatements,
    item: &RawItem,
    part: &RawPart,
) -> Option<Statement> {
    if let Some(excluded) = &whole.excluded {
        return Some(excluded.clone());
    }
    let is_tile = item.object().is_none() && layer.kind == LayerKind::Tiles;
    // What the name of a layer of hazards, ladders or one-way tiles makes of solid tiles.
    let special = whole
        .named
        .as_ref()
        .filter(|named| is_tile && named.meaning != Meaning::Solid && whole.declared.is_none());
    let by_name = |named: &Named| Statement::new(named.meaning, Source::Name, named.why.clone());
    if let Some(own) = own_statement(item, part) {
        return Some(match special {
            // Spikes and ladders are not solid anyway.
            Some(named) if own.meaning == Meaning::Solid => by_name(named),
            Some(named) if own.meaning == Meaning::Empty && !named.meaning.carries() => {
                by_name(named)
            }
            _ => own,
        });
    }
    if whole.declared.is_some() {
        return whole.declared.clone();
    }
    if item.has_shapes && special.is_none() {
        let why = "collision shapes of the tile".to_owned();
        return Some(Statement::new(Meaning::Solid, Source::Shapes, why));
    }
    whole.named.as_ref().map(by_name)
}

/// Properties, class and name of a tile or object itself.
fn own_statement(item: &RawItem, part: &RawPart) -> Option<Statement> {
    let shows_tile = item.tile.is_some() && item.object().is_some();
    chain(item, part).find_map(|(noun, attributes)| {
        let Stated { meaning, why, rule } = attributes.stated(noun, shows_tile)?;
        let of = if meaning == Meaning::Empty {
            "on"
        } else {
            "of"
        };
        let why = if noun == "value" {
            why
        } else {
            format!("{why} {of} the {noun}")
        };
        Some(Statement {
            rule: Some(rule),
            noun,
            ..Statement::new(meaning, Source::Own, why)
        })
    })
}

/// What describes a part of an item, the most specific first.
pub fn chain<'i>(
    item: &'i RawItem,
    part: &'i RawPart,
) -> impl Iterator<Item = (&'static str, &'i Attributes)> {
    let chain = || item.chain.iter().map(|(noun, own)| (*noun, &**own));
    let objects = chain().filter(|(noun, _)| *noun == "object");
    let shape = part.own.as_ref().map(|own| ("shape", own));
    objects
        .chain(shape)
        .chain(chain().filter(|(noun, _)| *noun != "object"))
}

/// Whether an item is an object of a marker class, or else its tile's class is one.
pub fn is_marker(item: &RawItem) -> bool {
    let mut classes = item.chain.iter().map(|(_, own)| own.lower_class.as_str());
    let class = classes.find(|class| !class.is_empty());
    item.object().is_some() && class.is_some_and(|class| properties_of(class).is_some())
}

/// Applies the rules of the configuration, and records which were used.
pub struct Configured<'r> {
    rules: &'r Rules,
    used: RefCell<BTreeSet<String>>,
}

impl<'r> Configured<'r> {
    pub fn new(rules: &'r Rules) -> Self {
        Self {
            rules,
            used: RefCell::default(),
        }
    }

    /// Rules that have matched nothing.
    pub fn unused(&self) -> Vec<String> {
        let used = self.used.borrow();
        let rules = self.rules.by_strength().map(|(_, rule)| rule.to_string());
        rules.filter(|rule| !used.contains(rule)).collect()
    }

    fn first(&self, matches: impl Fn(&Rule) -> bool) -> Option<(Meaning, String)> {
        let mut rules = self.rules.by_strength();
        let (meaning, rule) = rules.find(|(_, rule)| matches(rule))?;
        self.used.borrow_mut().insert(rule.to_string());
        Some((meaning, rule.to_string()))
    }

    /// The rule about a layer as a whole.
    pub fn layer(&self, layer: &LevelLayer) -> Option<(Meaning, String)> {
        self.first(|rule| match rule {
            Rule::Layer(_) => is_in_layer(rule, layer),
            rule => layer.chain.iter().any(|own| matches(rule, own, false)),
        })
    }

    /// The rule about a part of an item; `of_layer` is that of its layer, `is_unused` is
    /// set in hidden layers, where only rules apply that name the layer.
    pub fn item(
        &self,
        layer: &LevelLayer,
        of_layer: Option<&(Meaning, String)>,
        is_unused: bool,
        item: &RawItem,
        part: &RawPart,
    ) -> Option<(Meaning, String)> {
        let is_used = !is_unused || of_layer.is_some();
        let of_item = self.first(|rule| match rule {
            Rule::All(rules) => {
                let is_in = |rule: &Rule| is_in_layer(rule, layer);
                let matches = |(is, rule): &(bool, Rule)| {
                    (is_in(rule) || matches_item(rule, item, part)) == *is
                };
                let is_named = is_used || rules.iter().any(|(is, rule)| *is && is_in(rule));
                is_named && rules.iter().all(matches)
            }
            rule => is_used && matches_item(rule, item, part),
        });
        of_item.or_else(|| of_layer.filter(|_| !is_marker(item)).cloned())
    }

    /// Whether a rule gives a meaning to a property of this value.
    pub fn is_about(&self, property: &str, value: &str) -> bool {
        let value = value.to_lowercase();
        let is_about = |rule: &Rule| match rule {
            Rule::Property(name, Some(wanted)) => name == property && is_match(wanted, &value),
            _ => false,
        };
        let mut rules = self.rules.by_strength();
        rules.any(|(meaning, rule)| meaning.carries() && is_about(rule))
    }
}

/// Whether a rule is about a layer, or a group around it, of this name or path.
fn is_in_layer(rule: &Rule, layer: &LevelLayer) -> bool {
    let Rule::Layer(name) = rule else {
        return false;
    };
    // A `*` stands for a part of a path only beside a part that is written.
    let mut paths = layer.paths.iter().filter(|_| name.contains('/'));
    let mut chain = layer.chain.iter();
    chain.any(|own| is_match(name, &own.lower_name)) || paths.any(|path| is_match(name, path))
}

/// Whether a rule of one condition, other than `layer:`, matches an item.
fn matches_item(rule: &Rule, item: &RawItem, part: &RawPart) -> bool {
    if let (Rule::Tileset(name, ids), Some((tileset, id))) = (rule, &item.tile) {
        let is_listed = ids.is_empty() || ids.iter().any(|(a, b)| (*a..=*b).contains(id));
        return is_listed && is_match(name, &tileset.to_lowercase());
    }
    chain(item, part).any(|(_, attributes)| matches(rule, attributes, true))
}

/// Whether a rule about attributes matches. `by_name` is set for objects:
/// rules `name:` do not match layers.
fn matches(rule: &Rule, attributes: &Attributes, by_name: bool) -> bool {
    match rule {
        Rule::Property(name, None) => {
            attributes.flag(name) == Some(true) || attributes.text(name) == Some("")
        }
        Rule::Property(name, Some(value)) => attributes
            .text(name)
            .is_some_and(|text| is_match(value, &text.to_lowercase())),
        Rule::Class(class) => {
            is_match(class, &attributes.lower_class) && !attributes.class.is_empty()
        }
        Rule::Name(name) => {
            by_name && is_match(name, &attributes.lower_name) && !attributes.name.is_empty()
        }
        Rule::Layer(_) | Rule::Tileset(..) | Rule::Color(_) | Rule::AnyColor | Rule::All(_) => {
            false
        }
    }
}
