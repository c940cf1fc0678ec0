//! Warnings about layers beside each other.

use std::collections::BTreeSet;

use crate::source::classify::advice::{
    MAX_LABELS, but_for, ground_rule, is_full, labels, last_word,
};
use crate::source::classify::attributes::{Label, is_collision_text};
use crate::source::classify::classification::{LayerKind, Reason, Source};
use crate::source::classify::classifier::Classifier;
use crate::source::classify::level_layer::LevelLayer;
use crate::source::classify::summary::{agreeing, count, no_effect};
use crate::source::rule::pattern;
use crate::source::text::list;
use crate::source::words;
use navmesh_bake::{Material, PassDirection};

/// Where this part of the cells of a one-way layer lies beneath others of it, the
/// layer is a picture of ground: bodies stand on top of platforms only.
const STACKED: f64 = 0.5;

/// Collision is drawn over the pictures of the ground. A layer called ground with more
/// than this part of its cells elsewhere is probably ground, too.
const UNCOVERED: f64 = 0.5;

/// What a user should look at in a level: the line and the name of a layer, and what
/// is wrong.
pub fn of_level(
    layers: &[LevelLayer],
    classifier: &Classifier<'_>,
) -> Vec<(Option<u32>, String, String)> {
    let level = Level {
        layers,
        classifier,
        floor: layers.iter().map(LevelLayer::floor).sum(),
        has_strong: layers.iter().any(|l| l.is_strong() && l.floor() > 0),
    };
    (level.unmatched())
        .chain(level.marked_beside_named())
        .chain(level.lain_on())
        .chain(level.ambiguous())
        .chain(level.stacked())
        .chain(level.only_platforms())
        .chain(level.only_downwards())
        .chain(level.beside_collision())
        .chain(level.open())
        .chain(level.rest())
        .chain(level.unused())
        .chain(level.outlines())
        .map(|(layer, warning)| (layer.line, layer.origin.clone(), warning))
        .collect()
}

/// A layer and what is wrong with it.
type Warning<'a> = (&'a LevelLayer, String);

/// All layers of a level.
struct Level<'a> {
    layers: &'a [LevelLayer],
    classifier: &'a Classifier<'a>,
    /// How many cells and objects are solid or one-way.
    floor: u64,
    /// Whether a layer says with certainty that it is ground. A rule of the configuration
    /// is about its layer alone.
    has_strong: bool,
}

impl<'a> Level<'a> {
    fn tiles(&self) -> impl Iterator<Item = &'a LevelLayer> {
        self.layers.iter().filter(|l| l.kind == LayerKind::Tiles)
    }

    /// Tile layers that can be seen, about which no rule says anything.
    fn unexplained(&self) -> impl Iterator<Item = &'a LevelLayer> {
        self.tiles()
            .filter(|l| !l.hidden && l.rules.is_unexplained())
    }

    fn is_full(&self, layer: &LevelLayer) -> bool {
        is_full(layer, self.classifier)
    }

    fn is_outlined(&self, layer: &LevelLayer) -> bool {
        self.classifier.survey.is_outlined(&layer.name)
    }

    /// Tiles whose class or type is unknown, where others of the level are known.
    fn unmatched(&self) -> impl Iterator<Item = Warning<'a>> {
        let labels = self.layers.iter().flat_map(|layer| {
            let labels = labels(layer).into_iter();
            labels.map(move |(label, number)| (layer, label, number))
        });
        labels.filter_map(|(layer, Label { key, rule }, number)| {
            let word = last_word(&rule);
            let is_asked = words::misspelt(word).is_some() || is_collision_text(&key);
            if key.is_empty()
                || is_asked
                || words::is_thing(word)
                || !self.classifier.understood.borrow().contains(&key)
            {
                return None;
            }
            let effect = no_effect(number, LayerKind::Tiles, &rule);
            let they_are = agreeing(number, "it is", "they are");
            let advice = match words::hint(&rule) {
                Some(list) => format!("; if the name means it, {list} = [\"{rule}\"]"),
                None => format!(
                    "; say what {they_are}: solid = [\"{rule}\"], or empty, hazard, ladder, one_way"
                ),
            };
            Some((layer, effect + &advice))
        })
    }

    /// Tiles that are marked as solid, outside the layer that is called ground.
    fn marked_beside_named(&self) -> impl Iterator<Item = Warning<'a>> {
        let mut tiles = self.tiles();
        let named = tiles.find(|layer| layer.is_named_solid() && layer.floor() > 0);
        let others = self.tiles();
        let others = others.filter(|l| !l.is_named_solid() && l.rules.is_unexplained());
        others.filter_map(move |layer| {
            let by_property = layer.number_of(|material, why| {
                material == Material::Solid && matches!(why.source, Source::Own("tile", _))
            });
            let (number, other) = (cells(by_property), &named?.name);
            let name = pattern(&layer.name);
            let warning = format!(
                "{number} solid by a property or class of the tile, beside layer \"{other}\"; \
                 empty = [\"layer:{name}\"] leaves them out"
            );
            (by_property > 0).then_some((layer, warning))
        })
    }

    /// A ground on which another layer lies.
    fn lain_on(&self) -> Option<Warning<'a>> {
        let (on, cells, ground) = self.classifier.survey.on_ground()?;
        let mut tiles = self.tiles();
        let is_asked = |l: &&LevelLayer| l.is_named_solid() && l.rules.configured.is_none();
        let layer = tiles.find(|layer| layer.name == ground && is_asked(layer))?;
        let warning = format!(
            "{cells} cells of layer \"{on}\" lie on it, as in a level seen from above: if it is one, \
             empty = [\"layer:{}\"]",
            pattern(ground)
        );
        Some((layer, warning))
    }

    /// Obstacles, which are things to jump over or to die of, and platforms beside others
    /// that are called one-way.
    fn ambiguous(&self) -> impl Iterator<Item = Warning<'a>> {
        let named = self.layers.iter().filter(|l| l.floor_by_name() > 0);
        named.filter_map(|layer| {
            let mut others = self.layers.iter().filter(|l| l.origin != layer.origin);
            let (other, material, are_else, list) = if words::is_word(&layer.name, "obstacle") {
                let solid = others.find(|l| l.has_solid())?;
                (solid, "solid", "they hurt", "hazard")
            } else if words::is_platform(&layer.name) && !layer.has_solid() {
                let one_way = others.find(|l| words::is_one_way(&l.name))?;
                (one_way, "one-way", "they are blocks", "solid")
            } else {
                return None;
            };
            let (number, other) = (layer.floor_by_name(), &other.origin);
            let (items, are) = (count(number, layer.kind), agreeing(number, "is", "are"));
            let warning = format!(
                "{items} {are} {material} only because of its name, beside {other}; if {are_else}, \
                 {list} = [\"{}\"]",
                layer.rule()
            );
            Some((layer, warning))
        })
    }

    /// One-way layers of which many cells lie beneath others.
    fn stacked(&self) -> impl Iterator<Item = Warning<'a>> {
        let one_way = self.tiles().filter(|l| !l.is_named_solid());
        one_way.filter_map(|layer| {
            let beneath = self.classifier.survey.stacked(&layer.name);
            let most = STACKED * layer.summary.items as f64;
            let is_heap = layer.floor_by_name() as f64 > most && beneath as f64 > most;
            let (items, name) = (cells(beneath as u64), pattern(&layer.name));
            let lie = agreeing(beneath as u64, "lies", "lie");
            let warning = format!(
                "{items} of it {lie} beneath others, but bodies stand on top of one-way platforms only: if it is \
                 ground, solid = [\"layer:{name}\"], if a picture, empty = [\"layer:{name}\"]"
            );
            is_heap.then_some((layer, warning))
        })
    }

    /// Platforms where nothing else is ground. Of classes and properties, the word means
    /// one-way, as it does beside solid layers.
    fn only_platforms(&self) -> Option<Warning<'a>> {
        let mut rules = BTreeSet::new();
        let mut first = None;
        for layer in self.layers {
            let collision = layer.summary.collision();
            for (_, why, number) in collision.filter(|(material, ..)| material.carries()) {
                let rule = match &why.source {
                    Source::Own(_, Some(rule)) if words::is_platform(last_word(rule)) => rule,
                    _ => return None,
                };
                rules.insert(format!("\"{rule}\""));
                first = first.or(Some((layer, why, number)));
            }
        }
        let (layer, why, number) = first?;
        let (one, more) = (("is", "it is a block"), ("are", "they are blocks"));
        let (are, they) = agreeing(number, one, more);
        let warning = format!(
            "{} {are} one-way ({why}), and nothing in the level is solid: if {they}, solid = [{}]",
            count(number, layer.kind),
            list(rules.into_iter(), MAX_LABELS)
        );
        Some((layer, warning))
    }

    /// One-way platforms that the value of a property turns downwards, where none can be
    /// passed upwards: in some games, the value says from where they block.
    fn only_downwards(&self) -> Option<Warning<'a>> {
        let mut first = None;
        for layer in self.layers {
            for (material, why, number) in layer.summary.collision() {
                match (material, &why.source) {
                    (Material::OneWay(PassDirection::Down), Source::Own(_, Some(rule)))
                        if rule.contains('=') =>
                    {
                        first = first.or(Some((layer, why, number, rule)));
                    }
                    (Material::OneWay(PassDirection::Up | PassDirection::Down), _) => return None,
                    _ => {}
                }
            }
        }
        let (layer, why, number, rule) = first?;
        let (are, them) = agreeing(number, ("is", "it"), ("are", "them"));
        let warning = format!(
            "{} {are} passed downwards only ({why}), and nothing upwards: if bodies stand on {them}, \
             one_way = [\"{rule}\"]",
            count(number, layer.kind)
        );
        Some((layer, warning))
    }

    /// Cells of LDtk that are solid beside an `IntGrid` made for collision. Some are
    /// painted to place pictures.
    fn beside_collision(&self) -> impl Iterator<Item = Warning<'a>> {
        let grids = || self.layers.iter().filter(|l| l.kind == LayerKind::IntGrid);
        let strong = grids().find(|l| l.is_certain() && l.has_solid());
        let others = grids().filter(|l| !l.is_certain());
        others.filter_map(move |layer| {
            let (number, other) = (layer.floor(), &strong?.origin);
            let are = agreeing(number, "is", "are");
            let solid = if layer.has_solid() { "solid" } else { "one-way" };
            let warning = format!(
                "{} of it {are} {solid}, beside {other}: if only that is collision, empty = [\"{}\"]",
                cells(number),
                layer.rule()
            );
            (number > 0).then_some((layer, warning))
        })
    }

    /// Layers whose names say nothing. Ground that only a name or a rule about its layer
    /// makes solid may have them beside it. Where the tiles or the layer are marked, the
    /// rest is not ground, but where collision is drawn as objects, other layers may hold
    /// more outlines.
    fn open(&self) -> Option<Warning<'a>> {
        let is_weak = |l: &LevelLayer| {
            let is_else =
                |why: &Reason| !matches!(why.source, Source::LayerName | Source::LayerRule);
            !l.is_strong() && l.number_of(|material, why| material.carries() && is_else(why)) == 0
        };
        let all_weak = self.floor > 0 && self.layers.iter().all(|l| l.floor() == 0 || is_weak(l));
        let is_drawn =
            |l: &LevelLayer| l.kind == LayerKind::Objects && l.is_certain() && l.floor() > 0;
        let has_drawn = self.layers.iter().any(is_drawn);
        if !(all_weak || has_drawn) || self.lain_on().is_some() {
            return None;
        }
        // Obstacles in layers that are shown are asked about one by one.
        let is_drawn_on = |l: &LevelLayer| {
            let is_named =
                !words::is_default(&l.name) && (l.hidden || !words::is_obstacle(&l.name));
            l.kind == LayerKind::Objects && l.summary.plain_objects > 0 && is_named
        };
        // Games do not care whether outlines are shown in the editor.
        let is_asked = |l: &LevelLayer| all_weak && !l.hidden || is_drawn_on(l);
        let is_small = |l: &LevelLayer| l.kind != LayerKind::Tiles || l.summary.items <= self.floor;
        let open = self.layers.iter();
        let open: Vec<_> = open
            .filter(|l| is_open(l, self.is_full(l)) && is_small(l) && is_asked(l))
            .collect();
        let (first, others) = open.split_first()?;
        let names = |layers: &[&LevelLayer], shown: fn(&str) -> String| {
            let names = layers.iter().map(|l| format!("\"{}\"", shown(&l.name)));
            list(names, MAX_LABELS)
        };
        let nor = match others {
            [] => String::new(),
            others => format!(", nor those of {}", names(others, str::to_owned)),
        };
        let rules = names(&open, |name| format!("layer:{}", pattern(name)));
        let items = count(first.summary.items, first.kind);
        let are = agreeing(first.summary.items, "is", "are");
        let warning = format!(
            "its {items} {are} not used{nor}, as the name does not say what it is; if bodies stand \
             on them, list the layer in solid instead of here: empty = [{rules}]"
        );
        Some((first, warning))
    }

    /// The rest of layers of which a part is marked: what is one-way or a hazard may
    /// be marked where the ground is not.
    fn rest(&self) -> impl Iterator<Item = Warning<'a>> {
        let partly = self.unexplained();
        let partly = partly.filter(|l| !self.has_strong && l.summary.has_collision());
        partly.filter_map(|layer| {
            let unmatched = unmatched(layer);
            let marked = layer.summary.items - unmatched.min(layer.summary.items);
            let is_large = unmatched > self.floor || !layer.has_solid() && unmatched > marked;
            // A layer that fills the map has the sky in it too.
            let has_sky = self.is_full(layer) && layer.has_solid();
            if unmatched == 0 || has_sky || !is_large || self.is_outlined(layer) {
                return None;
            }
            let (items, name) = (cells(unmatched), pattern(&layer.name));
            let collision = layer.summary.collision();
            let not = but_for(collision.filter_map(|(_, why, _)| why.own_rule()));
            let (are, they) = agreeing(unmatched, ("is", "it is"), ("are", "they are"));
            let warning = format!(
                "{items} of it {are} not used, as nothing says what {they}: if the rest of the layer is ground, \
                 solid = [\"layer:{name}{not}\"]"
            );
            Some((layer, warning))
        })
    }

    /// Tile layers of which nothing is collision.
    fn unused(&self) -> impl Iterator<Item = Warning<'a>> {
        let unused = self.unexplained().filter(|l| !l.summary.has_collision());
        unused.filter_map(|layer| {
            let (number, floor, name) = (layer.summary.items, self.floor, &pattern(&layer.name));
            let (items, are) = (cells(number), agreeing(number, "is", "are"));
            let uncovered = || self.classifier.survey.uncovered(&layer.name) as f64;
            let warning = match layer.replaced() {
                Some(why) if number > floor || uncovered() > UNCOVERED * number as f64 => {
                    let rule = ground_rule(layer, self.classifier);
                    format!("its {items} are not used: {why}; if it is ground, solid = [\"{rule}\"]")
                }
                // Where nothing else is ground, pictures of it may be called background.
                _ if layer.rules.decoration && floor > 0 => return None,
                None if !self.has_strong && number > floor && !self.is_outlined(layer) => format!(
                    "its {items} are not used, which is more than all that is solid ({floor}): if the layer is \
                     ground, solid = [\"layer:{name}\"]"
                ),
                None if number > 0 => match words::hint_or_solid(name) {
                    Some(list) => if_meant(&items, are, list, name),
                    None if !self.has_strong && words::is_obstacle(name) => format!(
                        "its {items} {are} not used; if bodies stand on them, solid = [\"layer:{name}\"]"
                    ),
                    None => return None,
                },
                _ => return None,
            };
            Some((layer, warning))
        })
    }

    /// Object layers of which nothing is collision, with outlines that are nothing else.
    fn outlines(&self) -> impl Iterator<Item = Warning<'a>> {
        let objects = self.layers.iter();
        let objects = objects.filter(|l| matches!(l.kind, LayerKind::Objects | LayerKind::IntGrid));
        // What would be collision in a hidden layer has a warning of its own.
        let silent = objects.filter(|l| {
            let summary = &l.summary;
            let is_silent = !summary.has_collision() && summary.unused().next().is_none();
            l.rules.is_unexplained() && is_silent
        });
        silent.filter_map(|layer| {
            let name = &pattern(&layer.name);
            let list = words::hint_or_solid(name);
            let list = list.filter(|_| !words::has_word(name, words::MOVEMENT))?;
            let number = match layer.summary.plain_objects + layer.summary.plain_tiles {
                0 if list == "hazard" => layer.summary.items,
                _ if layer.kind == LayerKind::IntGrid => layer.summary.items,
                plain => plain,
            };
            let (items, are) = (count(number, layer.kind), agreeing(number, "is", "are"));
            (number > 0).then(|| (layer, if_meant(&items, are, list, name)))
        })
    }
}

fn cells(number: u64) -> String {
    count(number, LayerKind::Tiles)
}

/// How many of its cells no rule matches. Texts were warned about.
fn unmatched(layer: &LevelLayer) -> u64 {
    let unmatched = layer.summary.unmatched();
    let counted =
        unmatched.filter(|(label, _)| !label.is_some_and(|label| is_collision_text(&label.key)));
    counted.map(|(_, count)| count).sum()
}

/// Whether neither the name of a layer nor what is in it says what it is.
/// `is_full` is whether it fills the map, as pictures of the sky do.
fn is_open(layer: &LevelLayer, is_full: bool) -> bool {
    let (rules, summary, name) = (&layer.rules, &layer.summary, &layer.name);
    let has_something = match layer.kind {
        LayerKind::Tiles => summary.items > 0 && !is_full,
        LayerKind::Objects => {
            summary.plain_objects + summary.plain_tiles > 0
                && !words::has_word(name, words::MOVEMENT)
        }
        // Values of an `IntGrid` have warnings of their own.
        LayerKind::IntGrid | LayerKind::Image => false,
    };
    // What would be collision in a hidden layer has a warning of its own.
    let is_silent = rules.is_unexplained()
        && layer.replaced().is_none()
        && !summary.has_collision()
        && summary.unused().next().is_none();
    let is_named = rules.decoration
        || words::hint(name).is_some()
        || words::has_word(name, words::MARKS)
        || layer.kind == LayerKind::Tiles && words::is_obstacle(name);
    has_something && is_silent && !is_named
}

/// The warning about a layer whose name has the word for a list of rules.
fn if_meant(items: &str, are: &str, list: &str, name: &str) -> String {
    format!("its {items} {are} not used; if the name means it, {list} = [\"layer:{name}\"]")
}
