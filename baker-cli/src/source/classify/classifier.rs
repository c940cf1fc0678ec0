//! The rules by which a layer, tile or object counts as collision.
//!
//! The first of these rules that applies decides:
//!
//! 1. The configuration's rules: those about the tile or object itself before
//!    those about its layer.
//! 2. Properties or class of the tile or object, and the name of the object,
//!    then properties or class of its layer, by the table of [`words`]. A layer
//!    that is declared not to be collision excludes everything in it, before
//!    its tiles and objects are looked at.
//! 3. Collision shapes drawn on the tile of a cell. They do not make objects
//!    that show the tile solid: those are mostly items and creatures.
//! 4. The name of the layer, by the same table.
//!
//! Hazards come before everything else of rules 2 to 4, and a layer of hazards,
//! ladders or one-way tiles decides what its solid tiles are. Solid tiles of a
//! layer of pick-ups or pictures are not used.
//!
//! Objects of a marker class are markers, unless rule 1 applies to the object
//! itself. In a hidden layer only what the layer as a whole is declared to be
//! counts: by the configuration, by its properties or class, or by a name of
//! collision. Artists hide a collision layer so that it is not drawn, and
//! other layers because they are not in use.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::attributes::{Attributes, Declaration};
use super::classification::{Classification, LayerKind, LayerRules, Reason, Source};
use super::level_layer::LevelLayer;
use super::survey::Survey;
use crate::source::marker_classes::properties_of;
use crate::source::rule::{Rule, Rules, is_match};
use crate::source::text::shorten;
use crate::source::words;
use navmesh_bake::Material;

/// The most warnings of one level. More would hide those that matter.
pub const MAX_WARNINGS: usize = 200;

/// Texts of a property of collision, for messages.
const KNOWN_TEXTS: &str = "solid, one_way, jumpthrough, hazard, spike, ladder and none";

/// A tile or object to classify.
pub struct Item<'a> {
    /// The name of its tileset in lower case, and its number there.
    pub tile: Option<(&'a str, u32)>,
    /// What describes it, the most specific first, each with its noun for
    /// messages.
    pub chain: &'a [(&'static str, &'a Attributes)],
    /// Its tile has collision shapes.
    pub has_shapes: bool,
    /// It is an object, not a cell.
    pub is_object: bool,
}

/// Applies the rules, and records which of the configuration were used.
pub struct Classifier<'a> {
    rules: &'a Rules,
    pub survey: Survey,
    used: RefCell<BTreeSet<String>>,
    /// The keys of [`Label`]s that have declared something in this level.
    pub understood: RefCell<BTreeSet<String>>,
    /// The line of an object, where it is one, and what is wrong, since the last
    /// layer.
    pub warnings: RefCell<Vec<(Option<u32>, String)>>,
}

impl<'a> Classifier<'a> {
    pub fn new(rules: &'a Rules) -> Self {
        Self {
            rules,
            survey: Survey::default(),
            used: RefCell::default(),
            understood: RefCell::default(),
            warnings: RefCell::default(),
        }
    }

    /// Rules that have matched nothing.
    pub fn unused_rules(&self) -> Vec<String> {
        let used = self.used.borrow();
        let rules = self.rules.by_strength().map(|(_, rule)| rule.to_string());
        rules.filter(|rule| !used.contains(rule)).collect()
    }

    fn configured(&self, matches: impl Fn(&Rule) -> bool) -> Option<(Option<Material>, &Rule)> {
        let mut rules = self.rules.by_strength();
        let (effect, rule) = rules.find(|(_, rule)| matches(rule))?;
        self.used.borrow_mut().insert(rule.to_string());
        Some((effect, rule))
    }

    /// The declaration of attributes; invalid ones become warnings.
    fn declaration(
        &self,
        attributes: &Attributes,
        noun: &str,
        what: &str,
        shows_tile: bool,
    ) -> Option<Declaration> {
        match attributes.declaration(noun, shows_tile)? {
            Declaration::Invalid(word, value) => {
                self.warn(attributes, noun, format!(
                    "property \"{word}\" of {what} is \"{value}\", not up, down, left, right or true; it is ignored"
                ));
                None
            }
            declaration => Some(declaration),
        }
    }

    /// Adds a warning about a property, once.
    fn warn(&self, attributes: &Attributes, noun: &str, warning: String) {
        // The lines of tiles are those of another file.
        let line = attributes.line.filter(|_| noun == "object");
        let mut warnings = self.warnings.borrow_mut();
        let warning = (line, warning);
        if warnings.len() < MAX_WARNINGS && !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// Warns about properties that mean collision, as it seems, but whose name or text
    /// is unknown. `what` is the tile, object or layer that has them.
    fn check_properties(&self, attributes: &Attributes, noun: &str, what: &str) {
        if let Some((name, text)) = attributes.unknown_text() {
            let text = shorten(text);
            let meant = match words::misspelt(&text) {
                Some(meant) => format!("is it \"{meant}\"?"),
                None => format!("known are {KNOWN_TEXTS}"),
            };
            let warning = format!(
                "property \"{name}\" of {what} is \"{text}\", which has no meaning, so it is ignored: {meant}"
            );
            self.warn(attributes, noun, warning);
        }
        let misspelt = attributes.misspelt().into_iter();
        let misspelt =
            misspelt.map(|(name, meant)| (name, format!("has no meaning: is it \"{meant}\"?")));
        let doubt = attributes.doubt(noun).map(|(name, list)| {
            let rule = format!("{list} = [\"property:{name}\"]");
            (
                name,
                format!("has no effect, as it is solid: if it means more, {rule}"),
            )
        });
        for (name, problem) in misspelt.chain(doubt) {
            let start = format!("property \"{}\" of ", shorten(name));
            // Of the tiles of a layer with the same property, the first stands for all.
            let is_known = |(_, known): &(_, String)| {
                let rest = known.strip_prefix(&start);
                rest.is_some_and(|rest| rest.starts_with("tile ") && what.starts_with("tile "))
            };
            if !self.warnings.borrow().iter().any(is_known) {
                self.warn(attributes, noun, format!("{start}{what} {problem}"));
            }
        }
    }

    /// What the rules say about a layer.
    pub fn layer(&self, layer: &LevelLayer) -> LayerRules {
        let configured = self.configured(|rule| match rule {
            Rule::Layer(_) => is_in_layer(rule, layer),
            rule => layer.chain.iter().any(|layer| matches(rule, layer, false)),
        });
        let (mut excluded, mut declared) = (None, None);
        let nouns = std::iter::once("layer").chain(std::iter::repeat("group"));
        for (attributes, noun) in layer.chain.iter().zip(nouns) {
            if configured.is_none() {
                self.check_properties(attributes, noun, &format!("the {noun}"));
            }
            match self.declaration(attributes, noun, &format!("the {noun}"), false) {
                Some(Declaration::IsNot(why)) => {
                    let why = Reason::new(Source::Layer, format!("{why} on the {noun}"));
                    excluded = excluded.or(Some(why));
                }
                Some(Declaration::Is(material, why, _)) => {
                    let why = Reason::new(Source::Layer, format!("{why} of the {noun}"));
                    declared = declared.or(Some((material, why)));
                }
                _ => {}
            }
        }
        let named = self.survey.named(layer);
        let counts_hidden = configured.is_some()
            || declared.is_some()
            || named.as_ref().is_some_and(|named| named.is_strong);
        // Spikes collide, too.
        let hurts = (named.as_ref()).is_some_and(|named| named.material == Material::Hazard);
        let declared = declared.filter(|(material, _)| !hurts || *material != Material::Solid);
        let is_decoration =
            words::has_word(&layer.name, words::DECORATION) || words::is_nothing(&layer.name);
        LayerRules {
            configured: configured.map(|(effect, rule)| (effect, rule.to_string())),
            excluded,
            declared,
            decoration: named.is_none() && is_decoration,
            named,
            unused: layer.hidden && !counts_hidden,
        }
    }

    /// Takes note of a layer before any is read: what a name means depends on
    /// the other layers. `number` is how many cells or objects it has, `share` the
    /// part of the map that they cover, `cells` finds column and row of the cells that
    /// it covers.
    pub fn survey(
        &mut self,
        layer: &LevelLayer,
        number: usize,
        share: f64,
        cells: impl FnOnce() -> Vec<[i32; 2]>,
    ) {
        let rules = self.layer(layer);
        self.warnings.borrow_mut().clear();
        let is_empty = matches!(rules.configured, Some((None, _)));
        if number == 0 || rules.unused || rules.excluded.is_some() || is_empty {
            return;
        }
        self.survey.add(layer, number, share, cells, &rules);
    }

    /// Whether a rule gives a meaning to a property of this value.
    pub fn is_configured(&self, property: &str, value: &str) -> bool {
        let value = value.to_lowercase();
        let is_about = |rule: &Rule| match rule {
            Rule::Property(name, Some(wanted)) => name == property && is_match(wanted, &value),
            _ => false,
        };
        let mut rules = self.rules.by_strength();
        rules.any(|(material, rule)| material.is_some() && is_about(rule))
    }

    /// Classifies an object that shows no tile.
    pub fn object(&self, attributes: &Attributes, layer: &LevelLayer) -> Classification {
        let item = Item {
            tile: None,
            chain: &[("object", attributes)],
            has_shapes: false,
            is_object: true,
        };
        self.item(&item, layer)
    }

    /// Classifies a tile or object of a layer.
    pub fn item(&self, item: &Item<'_>, layer: &LevelLayer) -> Classification {
        let by_rule = |effect: Option<Material>, rule: String, source: Source| {
            let why = Reason::new(source, format!("rule {rule}"));
            match effect {
                Some(material) => Classification::Collision(material, why),
                None => Classification::Excluded(why),
            }
        };
        // In a hidden layer, rules apply that name it.
        let is_used = !layer.rules.unused;
        let matches_item = |rule: &Rule| match rule {
            Rule::All(rules) => {
                let is_in = |rule: &Rule| is_in_layer(rule, layer);
                let matches =
                    |(is, rule): &(bool, Rule)| (is_in(rule) || item.matches(rule)) == *is;
                let is_named = is_used || rules.iter().any(|(is, rule)| *is && is_in(rule));
                is_named && rules.iter().all(matches)
            }
            rule => is_used && item.matches(rule),
        };
        if let Some((effect, rule)) = self.configured(matches_item) {
            let source = if rule.is_about_layer() {
                Source::LayerRule
            } else {
                Source::Configuration
            };
            return by_rule(effect, rule.to_string(), source);
        }
        if layer.rules.unused {
            return match self.unconfigured(item, layer) {
                Classification::Collision(material, why) => {
                    Classification::Unused(material, why.but("the layer is hidden"))
                }
                _ => Classification::Excluded(Reason::new(Source::Other, "the layer is hidden")),
            };
        }
        if item.is_object && is_marker(item.chain) {
            return Classification::Unmatched(None);
        }
        if let Some((effect, rule)) = &layer.rules.configured {
            return by_rule(*effect, rule.clone(), Source::LayerRule);
        }
        for (noun, attributes) in item.chain.iter().filter(|_| layer.rules.excluded.is_none()) {
            self.check_properties(attributes, noun, &item.owner(noun));
        }
        self.unconfigured(item, layer)
    }

    /// The classification by rules 2 to 4.
    fn unconfigured(&self, item: &Item<'_>, layer: &LevelLayer) -> Classification {
        if item.is_object && is_marker(item.chain) {
            return Classification::Unmatched(None);
        }
        if let Some(why) = &layer.rules.excluded {
            return Classification::Excluded(why.clone());
        }
        if let Some(own) = self.by_own_words(item, layer) {
            return own;
        }
        if let Some((material, why)) = &layer.rules.declared {
            return by_layer(item, *material, why.clone());
        }
        by_shapes(item, layer).unwrap_or_else(|| by_name(item, layer))
    }

    /// Rule 2 for the tile or object itself: its properties, its class and its name.
    fn by_own_words(&self, item: &Item<'_>, layer: &LevelLayer) -> Option<Classification> {
        let named = layer.rules.used_name();
        for (noun, attributes) in item.chain {
            let (what, shows_tile) = (item.owner(noun), item.chain.len() > 1);
            let value = attributes.value();
            let said = |why: String, of: &str| match value {
                Some(value) => format!("value \"{value}\""),
                None => format!("{why} {of} the {noun}"),
            };
            let (material, why) = match self.declaration(attributes, noun, &what, shows_tile) {
                Some(Declaration::Is(material, why, rule)) => {
                    let rule = value.and_then(|_| attributes.rule()).unwrap_or(rule);
                    let source = Source::Own(noun, Some(rule));
                    (material, Reason::new(source, said(why, "of")))
                }
                Some(Declaration::IsNot(why)) => {
                    // Spikes and ladders are not solid anyway.
                    let is_passed = named.is_some_and(|named| !named.material.carries());
                    let why = Reason::new(Source::Own(noun, None), said(why, "on"));
                    let excluded = Classification::Excluded(why);
                    let special = special(item, layer).filter(|_| is_passed);
                    return Some(special.unwrap_or(excluded));
                }
                _ => continue,
            };
            if let Some(label) = attributes.label() {
                self.understood.borrow_mut().insert(label.key);
            }
            if item.is_object && words::has_word(&layer.name, words::MOVEMENT) {
                return Some(Classification::Unused(material, why.but(MOVES)));
            }
            if material != Material::Solid {
                return Some(Classification::Collision(material, why));
            }
            if let Some(special) = special(item, layer) {
                return Some(special);
            }
            // Of objects, what their tile says is about its use in tile layers.
            let is_own = item.is_object && !matches!(*noun, "tile" | "tileset");
            if layer.rules.declared.is_none() && !is_own {
                if layer.rules.decoration {
                    return Some(Classification::Unused(material, why.but(IS_DECORATION)));
                }
                if item.is_object && named.is_none() && words::has_word(&layer.name, words::MARKS) {
                    return Some(Classification::Unused(material, why.but(MARK)));
                }
            }
            return Some(Classification::Collision(material, why));
        }
        None
    }
}

/// What the name of a layer of hazards, ladders or one-way tiles makes of solid tiles,
/// if no property of the layer says what it is. Objects, and the values of an IntGrid,
/// stay what they are declared to be.
fn special(item: &Item<'_>, layer: &LevelLayer) -> Option<Classification> {
    let named = layer.rules.used_name()?;
    let is_named = named.material != Material::Solid && layer.rules.declared.is_none();
    let is_special = is_named && !item.is_object;
    is_special.then(|| Classification::Collision(named.material, named.why.clone()))
}

/// Rule 3: the collision shapes of the tile.
fn by_shapes(item: &Item<'_>, layer: &LevelLayer) -> Option<Classification> {
    if !item.has_shapes {
        return None;
    }
    let why = Reason::new(Source::Shapes, "collision shapes of the tile");
    let is_strong = layer.rules.used_name().is_some_and(|named| named.is_strong);
    if item.is_object && !is_strong {
        return Some(if layer.rules.decoration {
            Classification::Unmatched(None)
        } else {
            Classification::Unused(Material::Solid, why.but(OF_CELLS))
        });
    }
    if let Some(replaced) = layer.replaced() {
        let why = Reason::new(Source::Other, replaced);
        return Some(Classification::Excluded(why));
    }
    if layer.rules.decoration {
        let why = why.but(IS_DECORATION);
        return Some(Classification::Unused(Material::Solid, why));
    }
    let is_special = special(item, layer).is_some();
    (!is_special).then(|| by_layer(item, Material::Solid, why))
}

/// Rule 4: the name of the layer.
fn by_name(item: &Item<'_>, layer: &LevelLayer) -> Classification {
    let says_more = |(noun, attributes): &(&str, &Attributes)| {
        *noun != "shape" && !(attributes.class.is_empty() && attributes.name.is_empty())
    };
    let Some(named) = layer.rules.used_name() else {
        let mut labels = item.chain.iter().filter_map(|(_, item)| item.label());
        return Classification::Unmatched(labels.next().filter(|_| !item.is_object));
    };
    // Objects that are named otherwise are not what the layer is called, unless it is
    // called collision.
    if layer.kind == LayerKind::Objects
        && named.material == Material::Solid
        && !named.is_strong
        && item.chain.iter().any(says_more)
    {
        if is_thing(item.chain) {
            return Classification::Unmatched(None);
        }
        return Classification::Unused(named.material, named.why.clone().but(NAMED));
    }
    by_layer(item, named.material, named.why.clone())
}

/// Why an object that says it is collision is not.
const MOVES: &str = "the layer's name says that its objects move";

/// Why an object whose tile says that it is solid is not.
const MARK: &str = "the layer's name says that something happens there";

/// Why an object whose tile has collision shapes is not.
const OF_CELLS: &str = "they do not make objects solid";

/// Why a tile that says it is solid is not.
const IS_DECORATION: &str = "the layer's name is that of pick-ups or pictures";

/// Why an object of a layer called ground is not.
const NAMED: &str = "an object with a name or class of its own may be something else";

/// Something that is collision because its layer is, unless it is an object that
/// begins, ends, gives or moves something.
fn by_layer(item: &Item<'_>, material: Material, why: Reason) -> Classification {
    if item.is_object && material.carries() && is_thing(item.chain) {
        let why = why.but("the object's own name or class is that of something else");
        return Classification::Unused(material, why);
    }
    Classification::Collision(material, why)
}

/// Whether the name or class of an object, or the class of its tile, is that of
/// a creature, a pick-up, or a place where something happens.
fn is_thing(chain: &[(&'static str, &Attributes)]) -> bool {
    let attributes = chain.iter().filter(|(noun, _)| *noun != "shape");
    let mut names = attributes.flat_map(|(_, own)| [&own.class, &own.name]);
    names.any(|name| words::is_thing(name))
}

/// Whether an object's class, or else its tile's, is a marker class.
fn is_marker(chain: &[(&'static str, &Attributes)]) -> bool {
    chain
        .iter()
        .filter(|(noun, _)| *noun != "shape")
        .map(|(_, attributes)| attributes.lower_class.as_str())
        .find(|class| !class.is_empty())
        .is_some_and(|class| properties_of(class).is_some())
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

impl Item<'_> {
    /// What has the attributes of a noun, in messages.
    fn owner(&self, noun: &str) -> String {
        match self.tile {
            Some((tileset, _)) if noun == "tileset" => format!("tileset \"{tileset}\""),
            Some((tileset, id)) if noun != "object" => {
                format!("tile {id} of tileset \"{tileset}\"")
            }
            _ => format!("the {noun}"),
        }
    }

    /// Whether a rule of one condition, other than `layer:`, matches.
    fn matches(&self, rule: &Rule) -> bool {
        if let (Rule::Tileset(name, ids), Some((tileset, id))) = (rule, self.tile) {
            let is_listed = ids.is_empty() || ids.iter().any(|(a, b)| (*a..=*b).contains(&id));
            return is_listed && is_match(name, tileset);
        }
        let mut chain = self.chain.iter();
        chain.any(|(_, attributes)| matches(rule, attributes, true))
    }
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
