//! What the names of layers mean beside each other.

use std::collections::BTreeSet;

use super::classification::{LayerKind, LayerRules, Named, Reason, Source};
use super::level_layer::LevelLayer;
use crate::source::words::{self, Word};
use navmesh_bake::Material;

/// A tile layer that covers this part of the map is a picture of a level seen
/// from above, not ground: of 208 side-view maps none has such a layer.
pub const FULL: f64 = 0.95;

/// Maps with fewer cells are too small to judge by [`FULL`].
pub const MIN_CELLS: f64 = 100.0;

/// Collision objects that cover this part of what a layer called ground covers
/// outline it.
const OUTLINED: f64 = 0.5;

/// A visible layer with something in it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
struct SurveyedLayer {
    name: String,
    kind: LayerKind,
    word: Option<Word>,
    share: f64,
    /// Sorted; empty for pictures.
    cells: Vec<[i32; 2]>,
    /// It is a tile layer that fills the map.
    is_full: bool,
    /// It fills the map, and at most its name says that it is solid.
    is_picture: bool,
    /// It is made for collision.
    is_strong: bool,
    /// A rule of the configuration makes it solid.
    is_configured: bool,
}

impl SurveyedLayer {
    fn has(&self, cell: [i32; 2]) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }
}

/// What the layers of a level say together.
#[derive(Debug, Default)]
pub struct Survey {
    layers: Vec<SurveyedLayer>,
    /// The cells that the objects of all solid layers cover.
    outlines: BTreeSet<[i32; 2]>,
}

// None of these numbers is critical: 13 real levels are read the same with `OUTLINED` and
// `TRACED` from 0.05 to 1, `MIN_ON_GROUND` from 1 to 300 and `OVERLAP` from 0.01 to 0.9.

/// Layers with fewer cells lie on the ground by chance.
const MIN_ON_GROUND: usize = 8;

/// Two layers called ground, of which one shares this part of its cells with the
/// other, are a floor and the walls on it.
const OVERLAP: f64 = 0.25;

/// A layer called platforms with this part of the cells of collision is what the
/// collision was drawn over. Where it holds platforms of its own, hardly any
/// cell is in both.
const TRACED: f64 = 0.5;

/// The word for a layer: that of its own name; of its group's where that is a
/// word of collision, or where its own is empty or Tiled's default. With the
/// noun and the name that say it.
fn word(layer: &LevelLayer) -> Option<(Word, &'static str, &str)> {
    if let Some(word) = words::of_layer(&layer.name) {
        return Some((word, "layer", &layer.name));
    }
    let is_default = words::is_default(&layer.name);
    let mut groups = layer.chain.iter().skip(1).filter_map(|group| {
        let word = words::of_layer(&group.name)?;
        let counts = is_default
            || word == Word::Collision && !words::has_word(&layer.name, words::DECORATION);
        counts.then_some((word, "group", group.name.as_str()))
    });
    groups.next()
}

impl Survey {
    /// Adds a visible layer with something in it, as the classifier takes it. `rules`
    /// are those that it has without the other layers.
    pub fn add(
        &mut self,
        layer: &LevelLayer,
        number: usize,
        share: f64,
        cells: impl FnOnce() -> Vec<[i32; 2]>,
        rules: &LayerRules,
    ) {
        let is_configured = matches!(rules.configured, Some((Some(Material::Solid), _)));
        let is_declared = matches!(rules.declared, Some((Material::Solid, _)));
        let kind = layer.kind;
        let word = word(layer).map(|(word, ..)| word);
        let is_full =
            kind == LayerKind::Tiles && share >= FULL && number as f64 / share >= MIN_CELLS;
        let is_strong = is_declared || word == Some(Word::Collision);
        let is_picture = is_full && !is_strong && !is_configured;
        let is_solid = is_strong || matches!(word, Some(Word::Platform | Word::Ground));
        // Outlines may cover many cells, and most layers of objects are not collision.
        let is_compared = match kind {
            LayerKind::Tiles => {
                !is_picture || matches!(word, Some(Word::Platform | Word::OneWay(_)))
            }
            _ => is_solid,
        };
        let mut cells = if is_compared { cells() } else { Vec::new() };
        cells.sort_unstable();
        if kind == LayerKind::Objects {
            self.outlines.extend(&cells);
        }
        self.layers.push(SurveyedLayer {
            name: layer.name.clone(),
            kind,
            word,
            share,
            cells,
            is_full,
            is_picture,
            is_strong,
            is_configured,
        });
    }

    /// The layers made for collision.
    fn strong(&self, kind: LayerKind) -> impl Iterator<Item = &SurveyedLayer> {
        let layers = self.layers.iter();
        layers.filter(move |layer| layer.is_strong && layer.kind == kind)
    }

    /// The layers called platforms.
    fn platforms(&self) -> impl Iterator<Item = &SurveyedLayer> {
        let layers = self.layers.iter().filter(|layer| !layer.is_strong);
        layers.filter(|layer| !layer.is_picture && layer.word == Some(Word::Platform))
    }

    /// The tile layers of a word that do not fill the map.
    fn partial(&self, word: Option<Word>) -> impl Iterator<Item = &SurveyedLayer> {
        let layers = self.layers.iter().filter(move |layer| layer.word == word);
        layers.filter(|layer| layer.kind == LayerKind::Tiles && !layer.is_full)
    }

    /// Whether a layer is solid that is not called platforms.
    fn has_solid(&self) -> bool {
        let mut used = self.layers.iter().filter(|layer| !layer.is_picture);
        used.any(|layer| layer.is_strong || layer.is_configured || layer.word == Some(Word::Ground))
    }

    /// What the name of a layer means in this level.
    pub fn named(&self, layer: &LevelLayer) -> Option<Named> {
        let (word, noun, name) = word(layer)?;
        let material = match word {
            Word::Platform if !self.has_solid() => Material::Solid,
            word => word.material()?,
        };
        let beside = match (word, material) {
            (Word::Platform, Material::OneWay(_)) => " beside a solid layer",
            _ => "",
        };
        Some(Named {
            material,
            why: Reason::new(
                Source::LayerName,
                format!("name \"{name}\" of the {noun}{beside}"),
            ),
            is_strong: word == Word::Collision || words::is_mixed(name),
            replaced: match word {
                Word::Ground if layer.kind == LayerKind::Tiles => self.replaced(&layer.name, name),
                Word::Platform => self.traced(&layer.name),
                _ => None,
            },
        })
    }

    /// Whether a tile layer of this name fills the map.
    pub fn fills_map(&self, name: &str) -> bool {
        let mut layers = self.layers.iter();
        layers.any(|layer| layer.is_full && layer.name == name)
    }

    /// A tile layer that lies on a layer called ground, with the number of cells
    /// that do, and that layer. In a level seen from the side, something is drawn
    /// above the ground, and layers called wall and floor hardly share a cell.
    pub fn on_ground(&self) -> Option<(&str, usize, &str)> {
        let shared = |on: &SurveyedLayer, beneath: &SurveyedLayer| {
            let cells = on.cells.iter();
            cells.filter(|cell| beneath.has(**cell)).count()
        };
        let grounds = || self.partial(Some(Word::Ground));
        let size = |layer: &&SurveyedLayer| layer.cells.len();
        for on in grounds() {
            let larger =
                grounds().filter(|ground| on.name != ground.name && size(&on) <= size(ground));
            for ground in larger {
                let number = shared(on, ground);
                if number >= MIN_ON_GROUND && number as f64 >= OVERLAP * size(&on) as f64 {
                    return Some((&on.name, number, &ground.name));
                }
            }
        }
        let ground = grounds().max_by_key(size)?;
        // Decoration lies on the ground in any view.
        let is_other = |on: &&SurveyedLayer| !words::has_word(&on.name, words::DECORATION);
        let others = || self.partial(None).filter(is_other);
        let on = others().max_by_key(size)?;
        let all_lie = others().all(|layer| shared(layer, ground) == size(&layer));
        (size(&on) >= MIN_ON_GROUND && all_lie).then_some((&on.name, size(&on), &ground.name))
    }

    /// Whether solid objects are drawn over the tile layers of this name: most of
    /// what either covers, the other covers too.
    pub fn is_outlined(&self, name: &str) -> bool {
        let layers = self.partial(None).filter(|layer| layer.name == name);
        let cells: BTreeSet<&[i32; 2]> = layers.flat_map(|layer| &layer.cells).collect();
        let shared = cells.iter().filter(|cell| self.outlines.contains(**cell));
        let shared = shared.count() as f64;
        shared > 0.0
            && shared >= OUTLINED * cells.len() as f64
            && shared >= TRACED * self.outlines.len() as f64
    }

    /// How many cells of the layers called ground of this name are elsewhere than what
    /// is made for collision.
    pub fn uncovered(&self, name: &str) -> usize {
        let is_covered = |cell: &[i32; 2]| {
            let mut strong = self.strong(LayerKind::Tiles);
            self.outlines.contains(cell) || strong.any(|layer| layer.has(*cell))
        };
        let layers = self.partial(Some(Word::Ground)).filter(|l| l.name == name);
        let cells = layers.flat_map(|layer| &layer.cells);
        cells.filter(|cell| !is_covered(cell)).count()
    }

    /// How many cells of the layers of this name, which are one-way by it, lie beneath
    /// another cell of the layer.
    pub fn stacked(&self, name: &str) -> usize {
        let layers = self.layers.iter().filter(|layer| layer.name == name);
        let beneath = layers.map(|layer| {
            let is_beneath = |[column, row]: &&[i32; 2]| {
                let above = row.checked_sub(1);
                above.is_some_and(|above| layer.has([*column, above]))
            };
            layer.cells.iter().filter(is_beneath).count()
        });
        beneath.sum()
    }

    /// Why a layer called platforms is a picture in this level: at least half of
    /// what is made for collision lies over layers of that name.
    fn traced(&self, own: &str) -> Option<String> {
        self.platforms().find(|layer| layer.name == own)?;
        let lies_over = |kind: LayerKind| {
            let cells = || self.strong(kind).flat_map(|layer| &layer.cells);
            let is_shared = |cell: &&[i32; 2]| self.platforms().any(|layer| layer.has(**cell));
            let shared = cells().filter(is_shared).count();
            shared > 0 && shared as f64 >= TRACED * cells().count() as f64
        };
        if let Some(layer) = self.strong(LayerKind::Tiles).next()
            && lies_over(LayerKind::Tiles)
        {
            let name = &layer.name;
            return Some(format!(
                "the layer \"{name}\" lies over it and is collision instead"
            ));
        }
        let layer = self.strong(LayerKind::Objects).next()?;
        lies_over(LayerKind::Objects).then(|| instead_of_objects(layer))
    }

    /// Why a tile layer called ground is a picture in this level.
    fn replaced(&self, own: &str, name: &str) -> Option<String> {
        let is_own = |layer: &&SurveyedLayer| layer.word == Some(Word::Ground) && layer.name == own;
        let ground = self.layers.iter().find(is_own);
        // Only a picture fills the map.
        let most = if ground.is_some_and(|ground| ground.is_picture) {
            f64::MAX
        } else {
            FULL
        };
        let share = ground.map_or(0.0, |ground| ground.share.min(most));
        // A layer of blocks holds things to stand on, whatever else there is.
        if !words::is_word(name, words::BLOCKS) {
            if let Some(layer) = self.strong(LayerKind::Tiles).next() {
                return Some(format!("the layer \"{}\" is collision instead", layer.name));
            }
            let outlined: f64 = self
                .strong(LayerKind::Objects)
                .map(|layer| layer.share)
                .sum();
            if let Some(layer) = self.strong(LayerKind::Objects).next()
                && outlined >= OUTLINED * share
            {
                return Some(instead_of_objects(layer));
            }
        }
        (share > FULL).then(|| "it fills the map, as in a level seen from above".to_owned())
    }
}

fn instead_of_objects(layer: &SurveyedLayer) -> String {
    format!(
        "the objects of layer \"{}\" are collision instead",
        layer.name
    )
}
