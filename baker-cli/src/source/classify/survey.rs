//! What the names of layers mean beside each other.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::attributes::Attributes;
use super::classification::{LayerKind, Named, Reason, Source};
use crate::source::level::{Material, PassDirection};
use crate::source::words::{self, Word};

/// A tile layer that covers this part of the map is a picture of a level seen
/// from above, not ground: of 208 side-view maps none has such a layer.
pub(in crate::source) const FULL: f64 = 0.95;

/// Maps with fewer cells are too small to judge by [`FULL`].
pub(in crate::source) const MIN_CELLS: f64 = 100.0;

/// Collision objects that cover this part of what a layer called ground covers
/// outline it.
const OUTLINED: f64 = 0.5;

/// What the layers of a level say together.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The first tile layer that is made for collision.
    collision: Option<String>,
    /// The first object layer that is, and the part of the map that all cover.
    objects: Option<String>,
    outlined: f64,
    /// Layers that are solid, but for those called platforms.
    solid: u32,
    /// What a layer called ground covers, by the name of the layer.
    grounds: Vec<(String, f64)>,
    /// The cells of layers made for collision, of layers called platforms,
    /// sorted.
    collision_cells: Vec<[i32; 2]>,
    /// The cells that objects made for collision cover, sorted.
    object_cells: Vec<[i32; 2]>,
    platforms: Vec<(String, Vec<[i32; 2]>)>,
    /// The cells that the objects of all solid layers cover, sorted.
    outlines: BTreeSet<[i32; 2]>,
    /// Tile layers that fill the map.
    full: Vec<String>,
    /// The cells of tile layers called ground, and of those that are called
    /// nothing in the table, sorted.
    ground_cells: Vec<(String, Vec<[i32; 2]>)>,
    other_cells: Vec<(String, Vec<[i32; 2]>)>,
}

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
fn word(chain: &[Rc<Attributes>]) -> Option<(Word, &'static str, &str)> {
    let (own, groups) = chain.split_first()?;
    if let Some(word) = words::of_layer(&own.name) {
        return Some((word, "layer", &own.name));
    }
    let is_default = words::is_default(&own.name);
    let mut groups = groups.iter().filter_map(|group| {
        let word = words::of_layer(&group.name)?;
        let counts = is_default || word == Word::Collision && !words::is_decoration(&own.name);
        counts.then_some((word, "group", group.name.as_str()))
    });
    groups.next()
}

impl Survey {
    /// Adds a visible layer with something in it. `share` is the part of the
    /// map that it covers, `places` are the cells that it covers; the last is
    /// whether a rule of the configuration, and whether a property, makes it solid.
    pub(super) fn add(
        &mut self,
        chain: &[Rc<Attributes>],
        kind: LayerKind,
        cells: u64,
        share: f64,
        places: &dyn Fn() -> Vec<[i32; 2]>,
        [configured, declared]: [bool; 2],
    ) {
        let Some(own) = chain.first() else {
            return;
        };
        let word = word(chain).map(|(word, ..)| word);
        let is_full =
            kind == LayerKind::Tiles && share >= FULL && cells as f64 / share >= MIN_CELLS;
        if is_full {
            self.full.push(own.name.clone());
        } else if kind == LayerKind::Tiles && (word.is_none() || word == Some(Word::Ground)) {
            let mut cells = places();
            cells.sort_unstable();
            let list = match word {
                Some(_) => &mut self.ground_cells,
                None => &mut self.other_cells,
            };
            list.push((own.name.clone(), cells));
        }
        if cells == 0 || (is_full && !declared && !configured && word != Some(Word::Collision)) {
            if cells != 0 && word == Some(Word::Ground) {
                self.grounds.push((own.name.clone(), share));
            }
            return;
        }
        let is_strong = declared || matches!(word, Some(Word::Collision));
        if is_strong && kind == LayerKind::Tiles {
            self.collision_cells.extend(places());
            self.collision_cells.sort_unstable();
            self.collision.get_or_insert_with(|| own.name.clone());
        } else if is_strong {
            self.objects.get_or_insert_with(|| own.name.clone());
            self.outlined += share;
            self.object_cells.extend(places());
            self.object_cells.sort_unstable();
        }
        let is_solid = is_strong || matches!(word, Some(Word::Platform | Word::Ground));
        if kind == LayerKind::Objects && is_solid {
            self.outlines.extend(places());
        }
        if word == Some(Word::Platform) && !is_strong {
            let mut cells = places();
            cells.sort_unstable();
            self.platforms.push((own.name.clone(), cells));
        }
        if word == Some(Word::Ground) {
            self.grounds.push((own.name.clone(), share.min(FULL)));
        }
        if is_strong || configured || word == Some(Word::Ground) {
            self.solid += 1;
        }
    }

    /// What the name of a layer means in this level.
    pub(super) fn named(&self, chain: &[Rc<Attributes>], kind: LayerKind) -> Option<Named> {
        let (word, noun, name) = word(chain)?;
        let up = Material::OneWay(PassDirection::Up);
        let material = match word {
            Word::Platform if self.solid > 0 => up,
            Word::Collision | Word::Ground | Word::Platform => Material::Solid,
            Word::OneWay(way) => Material::OneWay(way),
            Word::Hazard => Material::Hazard,
            Word::Ladder => Material::Ladder,
            Word::Nothing => return None,
        };
        let beside = match (word, material) {
            (Word::Platform, Material::OneWay(_)) => " beside a solid layer",
            _ => "",
        };
        let own = chain.first().map_or("", |own| own.name.as_str());
        Some(Named {
            material,
            why: Reason::new(
                Source::LayerName,
                format!("name \"{name}\" of the {noun}{beside}"),
            ),
            is_strong: word == Word::Collision || words::is_mixed(name),
            replaced: match word {
                Word::Ground if kind == LayerKind::Tiles => self.replaced(own, name),
                Word::Platform => self.traced(own),
                _ => None,
            },
        })
    }

    /// Whether a tile layer of this name fills the map.
    pub(super) fn fills_map(&self, name: &str) -> bool {
        self.full.iter().any(|full| full == name)
    }

    /// A tile layer that lies on a layer called ground, with the number of cells
    /// that do, and that layer. In a level seen from the side, something is drawn
    /// above the ground, and layers called wall and floor hardly share a cell.
    pub(super) fn on_ground(&self) -> Option<(&str, usize, &str)> {
        let shared = |a: &[[i32; 2]], b: &[[i32; 2]]| {
            a.iter()
                .filter(|cell| b.binary_search(cell).is_ok())
                .count()
        };
        for (name, cells) in &self.ground_cells {
            for (ground, beneath) in &self.ground_cells {
                let is_smaller = name != ground && cells.len() <= beneath.len();
                let on = if is_smaller {
                    shared(cells, beneath)
                } else {
                    0
                };
                if on >= MIN_ON_GROUND && on as f64 >= OVERLAP * cells.len() as f64 {
                    return Some((name, on, ground));
                }
            }
        }
        let (ground, beneath) = (self.ground_cells.iter()).max_by_key(|(_, cells)| cells.len())?;
        let others = || {
            self.other_cells
                .iter()
                .filter(|(_, cells)| !cells.is_empty())
        };
        let (name, cells) = others().max_by_key(|(_, cells)| cells.len())?;
        let all_lie = others().all(|(_, cells)| shared(cells, beneath) == cells.len());
        (cells.len() >= MIN_ON_GROUND && all_lie).then_some((name, cells.len(), ground))
    }

    /// Whether solid objects are drawn over the tile layers of this name: most of
    /// what either covers, the other covers too.
    pub(super) fn is_outlined(&self, name: &str) -> bool {
        let layers = self.other_cells.iter().filter(|(other, _)| other == name);
        let cells: BTreeSet<&[i32; 2]> = layers.flat_map(|(_, cells)| cells).collect();
        let shared = cells.iter().filter(|cell| self.outlines.contains(**cell));
        let shared = shared.count() as f64;
        shared > 0.0
            && shared >= OUTLINED * cells.len() as f64
            && shared >= TRACED * self.outlines.len() as f64
    }

    /// How many cells of the tile layers called platforms of this name lie beneath
    /// another cell of the layer.
    pub(super) fn stacked(&self, name: &str) -> usize {
        let layers = self.platforms.iter().filter(|(other, _)| other == name);
        let beneath = layers.map(|(_, cells)| {
            let is_beneath = |[column, row]: &&[i32; 2]| {
                row.checked_sub(1)
                    .is_some_and(|above| cells.binary_search(&[*column, above]).is_ok())
            };
            cells.iter().filter(is_beneath).count()
        });
        beneath.sum()
    }

    /// Why a tile layer called platforms is a picture in this level: at least
    /// half of what is made for collision lies over layers of that name.
    fn traced(&self, own: &str) -> Option<String> {
        self.platforms.iter().find(|(name, _)| name == own)?;
        let is_shared = |cell: &&[i32; 2]| {
            let mut layers = self.platforms.iter();
            layers.any(|(_, cells)| cells.binary_search(cell).is_ok())
        };
        let lies_over = |cells: &[[i32; 2]]| {
            let shared = cells.iter().filter(is_shared).count();
            !cells.is_empty() && shared as f64 >= TRACED * cells.len() as f64
        };
        if let Some(layer) = &self.collision
            && lies_over(&self.collision_cells)
        {
            return Some(format!(
                "the layer \"{layer}\" lies over it and is collision instead"
            ));
        }
        let layer = self.objects.as_ref()?;
        lies_over(&self.object_cells)
            .then(|| format!("the objects of layer \"{layer}\" are collision instead"))
    }

    /// Why a tile layer called ground is a picture in this level.
    fn replaced(&self, own: &str, name: &str) -> Option<String> {
        let share = self.grounds.iter().find(|(ground, _)| ground == own);
        let share = share.map_or(0.0, |(_, share)| *share);
        // A layer of blocks holds things to stand on, whatever else there is.
        let is_replaced = !words::is_blocks(name);
        if let Some(collision) = self.collision.as_ref().filter(|_| is_replaced) {
            return Some(format!("the layer \"{collision}\" is collision instead"));
        }
        let objects = self.objects.as_ref().filter(|_| is_replaced);
        if let Some(objects) = objects
            && self.outlined >= OUTLINED * share
        {
            return Some(format!(
                "the objects of layer \"{objects}\" are collision instead"
            ));
        }
        (share > FULL).then(|| "it fills the map, as in a level seen from above".to_owned())
    }
}
