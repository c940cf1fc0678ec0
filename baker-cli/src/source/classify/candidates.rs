//! Candidates: everything in a level that could be collision, and the facts about it.
//!
//! A candidate is what one rule would select: the cells of a layer, those of them with a
//! property, class or value, or the objects of a name. [`score`](super::score) decides
//! what each of them is. The rules of the configuration do not change any fact, so that a
//! rule about one candidate does not change what another is.

use std::collections::BTreeMap;

use glam::DVec2;

use super::attributes::Attributes;
use super::raw_level::{LayerKind, LevelLayer, ObjectPlace, Place, RawItem};
use super::statements::{LayerStatements, Source, Statement, chain, is_marker, statement};
use crate::source::rule::{Meaning, tile_rules};
use crate::source::words::{self, lists};
use navmesh_bake::tools::merge_cells as merge;
use navmesh_bake::{Rect, Shape};

/// Row and column of a cell of the level.
pub type Cell = (i32, i32);

/// What one rule would select.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Candidate {
    pub layer: usize,
    pub statement: Option<Statement>,
    /// The rule that matches what describes it, and the word of that.
    pub label: Option<(String, String)>,
    /// Its items in the layer.
    pub items: Vec<usize>,
    pub is_object: bool,
    /// It is an object that shows a tile, which has shapes.
    pub has_shapes: bool,
    /// Every object has an outline and neither name nor class.
    pub is_outline: bool,
    /// Every object is a line.
    pub is_line: bool,
    /// Tiles whose cells have none of the layer beside and above them.
    pub is_lone: bool,
    /// A property of collision has a value that says nothing.
    pub is_about_collision: bool,
    /// A property or name says that it moves.
    pub moves: bool,
    /// A property says that something solid is more than that.
    pub doubt: Option<(String, Meaning)>,
    /// It is a slope by its name or class, and has no shapes: the way in which it rises.
    pub slope: Option<bool>,
    pub facts: Facts,
    /// The cells of the level that it covers, sorted.
    pub cells: Vec<Cell>,
}

/// Facts about a candidate.
#[derive(Debug, Default)]
pub struct Facts {
    /// How many cells or objects it has.
    pub number: u64,
    /// How many cells it covers.
    pub cells: u64,
    /// The part of them in the lowest third of the level, beneath another cell of the
    /// candidate, and covered by what is made for collision.
    pub low: f64,
    pub stacked: f64,
    pub covered: f64,
    /// The part of them that lies in rows of it with nothing of it above and below, and
    /// that rests on what is stated to be solid.
    pub thin: f64,
    pub rests: f64,
    /// The part of all things that stand on something that stand on it, and of all things
    /// that are inside it.
    pub carries: f64,
    pub buried: f64,
    /// How many things stand on it.
    pub carried: usize,
}

/// What all candidates of a level have in common.
#[derive(Default)]
pub struct Context {
    pub layers: Vec<LayerStatements>,
    /// Something states that it is solid.
    pub has_floor: bool,
    /// The first tile layer, and the first object layer, made for collision.
    pub strong_tiles: Option<usize>,
    pub strong_objects: Option<usize>,
    /// The cells that layers made for collision cover.
    strong_cells: Vec<Cell>,
    /// The area of the objects of layers made for collision, in cells.
    pub outlined: f64,
    /// Outlines without names are solid.
    pub has_outlined_floor: bool,
    /// Of a level with a painted `IntGrid`, whether one says that it is solid.
    pub grid: Option<bool>,
    /// The part of the strong cells that lies over layers called platforms.
    pub traced: f64,
    /// The most cells of a candidate that is no object.
    pub largest: u64,
    /// By layer: tiles marked as solid by themselves; tiles with a shape that is the whole
    /// tile.
    pub marked: Vec<bool>,
    pub shaped: Vec<bool>,
}

/// The candidates of a level, and which of them each part of each item is.
pub struct Candidates {
    pub all: Vec<Candidate>,
    /// By layer, item and part. Markers are none.
    pub numbers: Vec<Vec<Vec<Option<usize>>>>,
    pub context: Context,
}

/// What makes two parts the same candidate.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    layer: usize,
    stated: Option<(Meaning, u8, Option<String>)>,
    label: Option<String>,
    /// Whether it is an object, has shapes, is a slope, stands alone.
    is: [bool; 4],
}

/// Objects that cover more cells of the level than this are not compared with them: they
/// are areas, such as that of a piece of music.
const MAX_OBJECT_CELLS: f64 = 16_384.0;

/// Of explicit candidates with more cells, nothing is measured: it takes seconds.
const MAX_COMPARED: u64 = 1 << 20;

/// Objects wider or higher than this many cells are regions, not things.
const MAX_THING_CELLS: f64 = 4.0;

/// Fewer things are inside something by chance: secrets in walls.
const MIN_BURIED: usize = 3;

/// The most things whose places are looked at.
const MAX_THINGS: usize = 512;

/// Classes of markers that may lie in walls, or far from all floors.
const REGIONS: [&str; 7] = [
    "breakable",
    "spring",
    "portal",
    "link",
    "door",
    "area",
    "nav_area",
];

impl Candidates {
    /// Finds the candidates in the layers of a level with cells of this size.
    pub fn find(layers: &[LevelLayer], cell: DVec2) -> Self {
        let statements = LayerStatements::of(layers);
        let mut found = Self {
            all: Vec::new(),
            numbers: Vec::new(),
            context: Context::default(),
        };
        let stated = |(layer, whole): (&LevelLayer, &LayerStatements)| -> Vec<Vec<_>> {
            let parts = |item: &RawItem| {
                let parts = item.parts.iter();
                parts
                    .map(|part| statement(layer, whole, item, part))
                    .collect()
            };
            layer.items.iter().map(parts).collect()
        };
        let stated: Vec<Vec<Vec<Option<Statement>>>> =
            layers.iter().zip(&statements).map(stated).collect();
        found.context.has_floor = stated.iter().zip(&statements).any(|(items, whole)| {
            let is_solid = |statement: &Statement| {
                let is_used = !whole.is_decoration || statement.source == Source::Layer;
                statement.meaning == Meaning::Solid && !whole.is_unused && is_used
            };
            items.iter().flatten().flatten().any(is_solid)
        });
        found.context.layers = statements;
        found.group(layers, stated);
        found.context.compare(layers, cell);
        found.measure(layers, cell);
        found
    }

    fn group(&mut self, layers: &[LevelLayer], mut stated: Vec<Vec<Vec<Option<Statement>>>>) {
        let mut known = BTreeMap::<Key, usize>::new();
        for (index, layer) in layers.iter().enumerate() {
            let (mut is_marked, mut is_shaped) = (false, false);
            let lone = lone_items(layer);
            let mut numbers = Vec::new();
            for (number, item) in layer.items.iter().enumerate() {
                let is_tile = item.object().is_none() && item.tile.is_some();
                is_shaped |= is_tile && item.has_shapes && is_whole(item, layer);
                let mut parts = Vec::new();
                for (part, raw) in item.parts.iter().enumerate() {
                    let is_flat = item.object().is_some_and(ObjectPlace::is_flat);
                    if is_flat || is_marker(item) {
                        parts.push(None);
                        continue;
                    }
                    let statement = stated[index][number][part].take();
                    let is_slope = !item.has_shapes
                        && item.object().is_none()
                        && chain(item, raw).any(|(_, own)| own.is_slope());
                    is_marked |= is_tile
                        && !is_slope
                        && statement.as_ref().is_some_and(|own| {
                            own.source == Source::Own && own.meaning == Meaning::Solid
                        });
                    let label = self.label(item, layer, statement.as_ref());
                    let is_lone = lone[number]
                        && label.is_none()
                        && !item.has_shapes
                        && (statement.as_ref()).is_none_or(|own| own.source == Source::Name);
                    let key = Key {
                        layer: index,
                        stated: (statement.as_ref())
                            .map(|own| (own.meaning, own.source as u8, own.rule.clone())),
                        label: label.as_ref().map(|(rule, _)| rule.clone()),
                        is: [item.object().is_some(), item.has_shapes, is_slope, is_lone],
                    };
                    let next = self.all.len();
                    let at = *known.entry(key).or_insert(next);
                    if at == next {
                        self.all.push(Candidate {
                            layer: index,
                            statement,
                            label,
                            items: Vec::new(),
                            is_object: item.object().is_some(),
                            has_shapes: item.has_shapes,
                            is_outline: true,
                            is_line: true,
                            is_lone,
                            is_about_collision: false,
                            moves: false,
                            doubt: None,
                            slope: is_slope.then_some(true),
                            facts: Facts::default(),
                            cells: Vec::new(),
                        });
                    }
                    self.all[at].add(number, item, chain(item, raw));
                    parts.push(Some(at));
                }
                numbers.push(parts);
            }
            self.numbers.push(numbers);
            self.context.marked.push(is_marked);
            self.context.shaped.push(is_shaped);
        }
    }

    /// The label that makes an item a candidate of its own: of objects and values always, of
    /// tiles where nothing else says what they are, or the label does.
    fn label(
        &self,
        item: &RawItem,
        layer: &LevelLayer,
        statement: Option<&Statement>,
    ) -> Option<(String, String)> {
        if let Some(rule) = statement.and_then(|own| own.rule.clone()) {
            let word = rule
                .rsplit([':', '=', '.'])
                .next()
                .unwrap_or_default()
                .to_owned();
            return Some((rule, word));
        }
        let label = item.chain.iter().find_map(|(_, own)| own.label())?;
        let is_tile = item.object().is_none() && layer.kind == LayerKind::Tiles;
        let is_told = self.context.has_floor || statement.is_some();
        let is_speaking =
            is_speaking(&label.1) || item.chain.iter().any(|(_, own)| own.is_about_collision());
        let is_class = label.0.starts_with("class:");
        (!is_tile || !is_told || is_speaking || is_class).then_some(label)
    }

    /// Measures the candidates.
    fn measure(&mut self, layers: &[LevelLayer], cell: DVec2) {
        let things = self.things(layers, cell);
        let floors = self.floors(layers, cell);
        let mut standing = vec![false; things.len()];
        let mut counts = Vec::new();
        for (at, _) in standing.iter_mut().zip(&things).filter(|(_, thing)| {
            self.context.is_strong(below(**thing)) && !self.context.is_strong(**thing)
        }) {
            *at = true;
        }
        for candidate in &mut self.all {
            let layer = &layers[candidate.layer];
            let items = candidate.items.iter().map(|item| &layer.items[*item]);
            candidate.facts.number = items.clone().map(RawItem::number).sum();
            candidate.facts.cells = candidate.facts.number;
            if candidate.facts.number > MAX_COMPARED && candidate.is_explicit() {
                counts.push(0);
                continue;
            }
            let mut cells: Vec<Cell> = items.flat_map(|item| cells_of(item, layer, cell)).collect();
            cells.sort_unstable();
            cells.dedup();
            let has = |cell: Cell| cells.binary_search(&cell).is_ok();
            let all = cells.len().max(1) as f64;
            let part = |is: &dyn Fn(&Cell) -> bool| {
                cells.iter().filter(|cell| is(cell)).count() as f64 / all
            };
            let rows = layer.size.map_or(i64::MAX, |[_, rows]| i64::from(rows));
            let facts = &mut candidate.facts;
            facts.cells = cells.len() as u64;
            facts.low = part(&|(row, _)| i64::from(*row) * 3 >= rows.saturating_mul(2));
            facts.stacked = part(&|&(row, column)| has((row.saturating_sub(1), column)));
            facts.thin = part(&|&(row, column)| {
                let beside =
                    has((row, column.saturating_sub(1))) || has((row, column.saturating_add(1)));
                beside && !has((row.saturating_sub(1), column)) && !has(below((row, column)))
            });
            let is_floor = |cell: Cell| floors.binary_search(&cell).is_ok();
            facts.rests = part(&|cell| is_floor(below(*cell)) && !is_floor(*cell));
            facts.covered = part(&|cell| self.context.is_strong(*cell));
            let stands = |thing: &Cell| has(below(*thing)) && !has(*thing);
            for (at, thing) in standing.iter_mut().zip(&things) {
                *at |= stands(thing);
                facts.carried += usize::from(stands(thing));
            }
            // Objects are things themselves.
            let inside = things
                .iter()
                .filter(|thing| !candidate.is_object && has(**thing));
            counts.push(inside.count());
            if candidate.slope.is_some() {
                candidate.slope = Some(rises_right(&cells, &layer.items));
            }
            candidate.cells = cells;
        }
        let standing = standing.into_iter().filter(|is| *is).count().max(1) as f64;
        for (candidate, mut inside) in self.all.iter_mut().zip(counts) {
            if inside < MIN_BURIED {
                inside = 0;
            }
            candidate.facts.carries = candidate.facts.carried as f64 / standing;
            candidate.facts.buried = inside as f64 / things.len().max(1) as f64;
        }
        let mut stated = self.all.iter().filter(|candidate| candidate.is_outline);
        self.context.has_outlined_floor = stated.any(|candidate| {
            let meaning = candidate.statement.as_ref().map(|own| own.meaning);
            meaning == Some(Meaning::Solid)
        });
        let cells = self.all.iter().filter(|candidate| !candidate.is_object);
        self.context.largest = cells.map(|cells| cells.facts.cells).max().unwrap_or(0);
    }

    /// The cells of what is stated to be solid, sorted.
    fn floors(&self, layers: &[LevelLayer], cell: DVec2) -> Vec<Cell> {
        let mut floors = Vec::new();
        for candidate in &self.all {
            let layer = &layers[candidate.layer];
            let stated = candidate.statement.as_ref();
            if stated.is_some_and(|own| own.meaning.carries()) && !layer.hidden {
                let items = candidate.items.iter().map(|item| &layer.items[*item]);
                floors.extend(items.flat_map(|item| cells_of(item, layer, cell)));
            }
        }
        floors.sort_unstable();
        floors
    }

    /// The cells where the feet of things are that nothing says are collision.
    fn things(&self, layers: &[LevelLayer], cell: DVec2) -> Vec<Cell> {
        let items = layers.iter().zip(&self.numbers).flat_map(|(layer, items)| {
            let visible = layer.items.iter().zip(items).filter(|_| !layer.hidden);
            visible.filter_map(|(item, parts)| {
                let mut stated = parts.iter().flatten().map(|at| &self.all[*at]);
                let is_open = stated.all(|candidate| candidate.statement.is_none());
                item.object()
                    .filter(|_| is_open)
                    .map(|object| (item, object))
            })
        });
        let things = items.filter(|(item, object)| {
            let own = item.own();
            let is_named = !(own.class.is_empty() && own.name.is_empty()) || item.tile.is_some();
            let is_small = object.area.size().cmple(MAX_THING_CELLS * cell).all();
            let is_region = REGIONS.contains(&own.lower_class.as_str());
            let may_fly = words::has_word(&own.name, &lists().movement) || own.moves();
            is_named && is_small && !is_region && !may_fly
        });
        let feet = things.map(|(_, object)| {
            let Rect { min, max } = object.area;
            let x = f64::midpoint(min.x, max.x);
            cell_at(DVec2::new(x, max.y - cell.y * FEET), cell)
        });
        let mut feet: Vec<Cell> = feet.take(MAX_THINGS).collect();
        // Some games paint them as tiles.
        for layer in layers
            .iter()
            .filter(|layer| !layer.hidden && layer.kind == LayerKind::Tiles)
        {
            let number: u64 = layer.items.iter().map(RawItem::number).sum();
            if words::has_word(&layer.name, &lists().creature) && number <= MAX_THINGS as u64 {
                feet.extend(
                    layer
                        .items
                        .iter()
                        .flat_map(|item| cells_of(item, layer, cell)),
                );
            }
        }
        feet
    }

    /// The rules that select a candidate, and nothing that says otherwise.
    pub fn rules(&self, candidate: &Candidate, layers: &[LevelLayer]) -> Vec<String> {
        let layer = &layers[candidate.layer];
        let others = self
            .all
            .iter()
            .filter(|other| other.layer == candidate.layer && !std::ptr::eq(*other, candidate));
        if let Some((rule, _)) = &candidate.label {
            // In a hidden layer, rules apply that name it.
            let is_unused = self.context.layers[candidate.layer].is_unused;
            let of_layer = if is_unused {
                layer.rule() + " & "
            } else {
                String::new()
            };
            return vec![of_layer + rule];
        }
        let items = candidate.items.iter().map(|item| &layer.items[*item]);
        let is_shaped = |other: &Candidate| {
            let source = other.statement.as_ref().map(|other| other.source);
            source == Some(Source::Shapes)
        };
        let tiles = items.filter_map(|item| item.tile.as_ref());
        if candidate.is_lone {
            return tile_rules(tiles.map(|(tileset, id)| (tileset.as_str(), *id)));
        }
        if !is_shaped(candidate) && others.clone().any(is_shaped) && !candidate.is_object {
            return tile_rules(tiles.map(|(tileset, id)| (tileset.as_str(), *id)));
        }
        let mut rule = layer.rule();
        let mut not: Vec<&String> = others
            .filter_map(|other| Some(&other.label.as_ref()?.0))
            .collect();
        not.sort_unstable();
        not.dedup();
        if candidate.is_object && not.len() > MAX_EXCEPTIONS {
            rule.push_str(" & !name:* & !class:*");
        } else {
            for other in not.into_iter().take(MAX_EXCEPTIONS) {
                rule.push_str(" & !");
                rule.push_str(other);
            }
        }
        vec![rule]
    }
}

/// The most exceptions of a rule about the rest of a layer.
const MAX_EXCEPTIONS: usize = 4;

/// How far above the lower edge of a thing its feet are looked for, in cells. The point of
/// an object without size may be that of its feet, or its middle.
const FEET: f64 = 0.25;

impl Candidate {
    /// Adds a part of an item of the layer.
    fn add<'a>(
        &mut self,
        number: usize,
        item: &RawItem,
        chain: impl Iterator<Item = (&'static str, &'a Attributes)>,
    ) {
        if self.items.last() != Some(&number) {
            self.items.push(number);
        }
        let own = item.own();
        // Ellipses are drawn for things: pick-ups, areas of a sound.
        let is_round = item.object().is_some_and(|object| {
            matches!(object.outline, Some(tiled::ObjectShape::Ellipse { .. }))
        });
        let is_plain = own.class.is_empty() && own.name.is_empty() && self.label.is_none();
        self.is_outline &= is_plain && !is_round && self.is_object;
        self.is_line &= item.object().is_some_and(|object| {
            matches!(object.outline, Some(tiled::ObjectShape::Polyline { .. }))
        });
        for (noun, attributes) in chain {
            let names = [&attributes.class, &attributes.name];
            let says = |name: &&String| words::has_word(name, &lists().movement);
            self.moves |= noun != "shape" && (names.iter().any(says) || attributes.moves());
            self.is_about_collision |= attributes.is_about_collision();
            let doubt = attributes
                .doubt()
                .map(|(name, meaning)| (name.to_owned(), meaning));
            self.doubt = self.doubt.take().or(doubt);
        }
    }

    /// Whether it is stated what it is, not only by the name of its layer.
    pub fn is_explicit(&self) -> bool {
        let source = self.statement.as_ref().map(|statement| statement.source);
        source.is_some_and(|source| source != Source::Name)
    }

    /// Its class, name or value, and the name of its layer.
    pub fn names<'c>(&'c self, layer: &'c LevelLayer) -> impl Iterator<Item = &'c str> + Clone {
        let own = self.label.iter().map(|(_, word)| word.as_str());
        own.chain(std::iter::once(layer.name.as_str()))
    }

    /// The boxes that it covers in the level.
    pub fn areas(&self, layer: &LevelLayer) -> Vec<Rect> {
        let items = self.items.iter().map(|item| &layer.items[*item]);
        let cells = items.clone().flat_map(RawItem::cells).copied().collect();
        let blocks = merge(cells, true, true).into_iter().map(|block| {
            let first = layer.cell_rect((block.top, block.left));
            let last = layer.cell_rect((block.bottom - 1, block.right - 1));
            Rect::new(first.min, last.max)
        });
        let objects = items.filter_map(|item| Some(item.object()?.area));
        blocks.chain(objects).collect()
    }
}

impl Context {
    /// Compares what is made for collision with the other layers.
    fn compare(&mut self, layers: &[LevelLayer], cell: DVec2) {
        let cells = |index: usize| {
            let items = layers[index].items.iter();
            items.flat_map(move |item| cells_of(item, &layers[index], cell))
        };
        let strong: Vec<usize> = (0..layers.len())
            .filter(|&index| self.layers[index].is_strong() && !layers[index].items.is_empty())
            .collect();
        let of_kind = |kind: LayerKind| strong.iter().copied().find(|&at| layers[at].kind == kind);
        (self.strong_tiles, self.strong_objects) =
            (of_kind(LayerKind::Tiles), of_kind(LayerKind::Objects));
        let objects = strong
            .iter()
            .filter(|&&at| layers[at].kind == LayerKind::Objects);
        let items = objects.flat_map(|&at| &layers[at].items);
        let areas: f64 = items
            .filter_map(|item| Some(item.object()?.area.size().element_product()))
            .sum();
        let is_grid =
            |layer: &LevelLayer| layer.kind == LayerKind::IntGrid && !layer.items.is_empty();
        let has_grid = layers.iter().any(is_grid);
        self.grid = has_grid.then(|| strong.iter().any(|&at| is_grid(&layers[at])));
        self.outlined = areas / cell.element_product();
        self.strong_cells = strong.iter().flat_map(|&at| cells(at)).collect();
        self.strong_cells.sort_unstable();
        self.strong_cells.dedup();
        let platforms = (0..layers.len()).filter(|&at| {
            let named = self.layers[at].named.as_ref();
            named.is_some_and(|named| named.word == words::Word::Platform) && !strong.contains(&at)
        });
        let mut platforms: Vec<Cell> = platforms.flat_map(cells).collect();
        platforms.sort_unstable();
        let strong = self.strong_cells.iter();
        let traced = strong
            .filter(|cell| platforms.binary_search(cell).is_ok())
            .count();
        self.traced = traced as f64 / self.strong_cells.len().max(1) as f64;
    }

    fn is_strong(&self, cell: Cell) -> bool {
        self.strong_cells.binary_search(&cell).is_ok()
    }
}

/// Whether a label says something about collision.
pub fn is_speaking(word: &str) -> bool {
    words::hint(word).is_some() || words::misspelt(word).is_some() || words::is_likely_solid(word)
}

/// Whether the shapes of a tile are the whole tile.
fn is_whole(item: &RawItem, layer: &LevelLayer) -> bool {
    let whole = Rect::new(DVec2::ZERO, layer.cell);
    let mut shapes = item.parts.iter().flat_map(|part| &part.shapes);
    shapes.any(|shape| *shape == Shape::Box(whole))
}

const fn below((row, column): Cell) -> Cell {
    (row.saturating_add(1), column)
}

/// The cell of the level at a position.
fn cell_at(at: DVec2, cell: DVec2) -> Cell {
    let at = (at / cell).floor();
    (at.y as i32, at.x as i32)
}

/// The cells of the level whose middles an item covers.
fn cells_of(item: &RawItem, layer: &LevelLayer, cell: DVec2) -> Vec<Cell> {
    let mut cells = Vec::new();
    let areas: Vec<Rect> = match &item.place {
        // The cells of most layers are those of the level.
        Place::Cells(cells) if layer.cell == cell && layer.offset == DVec2::ZERO => {
            return cells.clone();
        }
        Place::Cells(cells) => cells.iter().map(|cell| layer.cell_rect(*cell)).collect(),
        Place::Object(object) if object.is_flat() => Vec::new(),
        Place::Object(object) => vec![object.area],
    };
    for Rect { min, max } in areas {
        let (first, end) = ((min / cell).round(), (max / cell).round());
        let number = (end - first).element_product();
        if number + cells.len() as f64 > MAX_OBJECT_CELLS {
            return Vec::new();
        }
        for row in first.y as i32..end.y as i32 {
            cells.extend((first.x as i32..end.x as i32).map(|column| (row, column)));
        }
    }
    cells
}

/// Whether the cells of each item of tiles mostly have no other cell of the layer beside and
/// above them: plants and spikes on the ground, coins in the air.
fn lone_items(layer: &LevelLayer) -> Vec<bool> {
    let mut all: Vec<Cell> = layer
        .items
        .iter()
        .flat_map(RawItem::cells)
        .copied()
        .collect();
    all.sort_unstable();
    let has = |cell: Cell| all.binary_search(&cell).is_ok();
    let is_alone = |&&(row, column): &&Cell| {
        !has((row, column.saturating_sub(1)))
            && !has((row, column.saturating_add(1)))
            && !has((row.saturating_sub(1), column))
    };
    let is_lone = |item: &RawItem| {
        let cells = item.cells();
        let alone = cells.iter().filter(is_alone).count();
        layer.kind == LayerKind::Tiles
            && alone as f64 >= LONE * cells.len() as f64
            && cells.len() as f64 <= MAX_LONE * all.len() as f64
    };
    layer.items.iter().map(is_lone).collect()
}

/// The part of the cells of a tile that stand alone if it is a thing rather than ground, and
/// the largest part of the layer that such a tile is: a level may be a row of posts.
const LONE: f64 = 0.8;
const MAX_LONE: f64 = 0.1;

/// Whether slopes rise to the right: more of them have ground or the next slope there.
fn rises_right(slopes: &[Cell], items: &[RawItem]) -> bool {
    let mut all: Vec<Cell> = items.iter().flat_map(RawItem::cells).copied().collect();
    all.sort_unstable();
    let has = |cell: Cell| usize::from(all.binary_search(&cell).is_ok());
    let next = |side: i32| -> usize {
        let ends = slopes.iter().map(|&(row, column)| {
            let beside = column.saturating_add(side);
            has((row, beside)) + has((row.saturating_sub(1), beside))
        });
        ends.sum()
    };
    next(1) >= next(-1)
}
