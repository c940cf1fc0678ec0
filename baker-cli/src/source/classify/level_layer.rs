//! A layer of a level: what it is called, what the rules say about it, and what
//! was found in it.

use std::ops::Range;
use std::rc::Rc;

use glam::DVec2;

use super::attributes::Attributes;
use super::classification::{LayerKind, LayerRules, Reason, Source};
use super::summary::LayerSummary;
use crate::source::rule::{pattern, tile_rules};
use crate::source::text::shorten_to;
use crate::source::tile_picture::FullTile;
use navmesh_bake::Material;

/// The most characters of a name in messages and origins, where it is repeated
/// for every object.
const MAX_NAME: usize = 100;

/// A layer that is being read, and afterwards what is known of it.
pub struct LevelLayer {
    pub kind: LayerKind,
    /// The layer, then the groups around it, innermost first.
    pub chain: Vec<Rc<Attributes>>,
    /// The paths of the layer and of the groups around it, as in messages, in lower
    /// case: `group/layer`.
    pub paths: Vec<String>,
    /// Its name as written.
    pub name: String,
    /// Its name in messages: `layer "ground"`.
    pub origin: String,
    pub line: Option<u32>,
    /// Its position, with those of the groups around it.
    pub offset: DVec2,
    pub hidden: bool,
    /// It has a parallax factor.
    pub moves: bool,
    pub summary: LayerSummary,
    /// Nothing until the layer is begun: they depend on the other layers.
    pub rules: LayerRules,
    /// The numbers of its pieces.
    pub pieces: Range<usize>,
}

impl LevelLayer {
    /// A layer that nothing is known of yet. `around` are the groups that it is in,
    /// innermost first.
    pub fn new(
        own: Attributes,
        around: &[Rc<Attributes>],
        kind: LayerKind,
        [hidden, moves]: [bool; 2],
        offset: DVec2,
    ) -> Self {
        let (name, line) = (own.name.clone(), own.line);
        let chain = [&[Rc::new(own)], around].concat();
        // Two groups may hold layers of the same name.
        let path = |chain: &[Rc<Attributes>]| {
            let names = chain.iter().rev().map(|layer| layer.name.as_str());
            names.collect::<Vec<_>>().join("/")
        };
        let paths = (0..chain.len()).map(|from| path(&chain[from..]).to_lowercase());
        Self {
            kind,
            name,
            origin: format!("layer \"{}\"", shorten_to(&path(&chain), MAX_NAME)),
            line,
            paths: paths.collect(),
            chain,
            offset,
            hidden,
            moves,
            summary: LayerSummary::default(),
            rules: LayerRules::default(),
            pieces: 0..0,
        }
    }

    /// The name of one of its objects in messages and origins.
    pub fn object_origin(&self, id: u32, name: &str) -> String {
        if name.is_empty() {
            format!("object {id} in {}", self.origin)
        } else {
            let name = shorten_to(name, MAX_NAME);
            format!("object {id} \"{name}\" in {}", self.origin)
        }
    }

    /// The rule that matches everything in it.
    pub fn rule(&self) -> String {
        format!("layer:{}", pattern(&self.name))
    }

    /// The rule that matches what it has of collision for a reason.
    pub fn rule_for(&self, why: &Reason) -> String {
        let own = why.own_rule().map(|own| format!(" & {own}"));
        self.rule() + &own.unwrap_or_default()
    }

    /// The rules, as a list in a message, for what the layer alone makes solid: for
    /// everything in it, unless other tiles are marked.
    pub fn rules_in_doubt(&self) -> String {
        let is_marked = |why: &Reason| matches!(why.source, Source::Shapes | Source::Own(..));
        match tile_rules(self.summary.full.keys().map(FullTile::key)) {
            tiles if !tiles.is_empty() && self.number_of(|_, why| is_marked(why)) > 0 => tiles,
            _ => format!("\"{}\"", self.rule()),
        }
    }

    /// Whether its name says that it holds pick-ups or pictures.
    pub const fn is_decoration(&self) -> bool {
        self.rules.decoration
    }

    /// How many of its cells or objects are collision of some kind.
    pub fn number_of(&self, is_meant: impl Fn(Material, &Reason) -> bool) -> u64 {
        let collision = self.summary.collision();
        let meant = collision.filter(|(material, why, _)| is_meant(*material, why));
        meant.map(|(.., number)| number).sum()
    }

    /// How many carry agents.
    pub fn floor(&self) -> u64 {
        self.number_of(|material, _| material.carries())
    }

    /// How many carry agents by the name of the layer alone.
    pub fn floor_by_name(&self) -> u64 {
        self.number_of(|material, why| material.carries() && why.source == Source::LayerName)
    }

    pub fn has_solid(&self) -> bool {
        self.number_of(|material, _| material == Material::Solid) > 0
    }

    /// Whether it says what agents stand on. Where nothing is drawn in it, the level is
    /// empty. Where all in it is something else, as fires in a layer of obstacles, the
    /// ground is elsewhere.
    pub fn explains_floor(&self) -> bool {
        let summary = &self.summary;
        let has_others = summary.unmatched().next().is_some() || summary.unused().next().is_some();
        let is_else = has_others && !summary.has_collision();
        self.floor() > 0 || self.rules.is_floor() && (self.rules.configured.is_some() || !is_else)
    }

    /// Whether its name says that it is solid.
    pub fn is_named_solid(&self) -> bool {
        let named = self.rules.used_name();
        named.is_some_and(|named| named.material == Material::Solid)
    }

    /// Whether it is made for collision, by its name or its properties.
    pub fn is_strong(&self) -> bool {
        let named = self.rules.used_name();
        self.rules.declared.is_some() || named.is_some_and(|named| named.is_strong)
    }

    /// Whether it is made for collision, or a rule of the configuration is about it.
    pub fn is_certain(&self) -> bool {
        self.rules.configured.is_some() || self.is_strong()
    }

    /// Why its name, a word for ground, does not count.
    pub fn replaced(&self) -> Option<&str> {
        self.rules.named.as_ref()?.replaced.as_deref()
    }
}
