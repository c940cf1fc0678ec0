//! The tile ids of tilesets, to check references to tiles.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::source::error::Fault;
use crate::source::tmx::element::Element;

/// The most tiles of one tileset. Global tile ids have 28 bits for the tiles
/// of all tilesets.
const MAX_TILES: u32 = 1 << 24;

/// The bits of a global tile id that are flip flags.
pub const FLIPS: u32 = 0xe000_0000;

/// The bits of a global tile id that are flags. The lowest turns tiles of hexagonal
/// maps; Tiled ignores it in others.
pub const FLAGS: u32 = 0xf000_0000;

/// The parts of a tileset that other elements refer to.
#[derive(Debug)]
pub struct Tileset {
    pub name: String,
    /// All local ids below this exist: the tiles of one image.
    below: u32,
    /// These exist too: a collection of images.
    listed: BTreeSet<u32>,
    /// The bytes of its largest tile, with shapes and properties, and of its own
    /// properties.
    heaviest: u64,
}

/// The tilesets of a map or template with their first global ids, ascending.
#[derive(Debug, Default)]
pub struct Tilesets(Vec<(u32, Rc<Tileset>)>);

impl Tilesets {
    /// Adds a tileset, unless it is empty or listed twice: empty ones may share their
    /// first id with another. The error is another tileset with this first id.
    pub fn add(&mut self, first: u32, tileset: Rc<Tileset>) -> Result<bool, Rc<Tileset>> {
        if tileset.below == 0 && tileset.listed.is_empty() {
            return Ok(false);
        }
        let at = self.0.partition_point(|(other, _)| *other < first);
        if let Some((other, known)) = self.0.get(at)
            && *other == first
        {
            let is_same = Rc::ptr_eq(known, &tileset);
            return is_same.then_some(false).ok_or_else(|| Rc::clone(known));
        }
        self.0.insert(at, (first, tileset));
        Ok(true)
    }

    /// The bytes of the largest tile.
    pub fn heaviest(&self) -> u64 {
        let tilesets = self.0.iter();
        tilesets
            .map(|(_, tileset)| tileset.heaviest)
            .max()
            .unwrap_or(0)
    }

    /// An error when a global tile id, with its flags, is not 0 and not of
    /// one of the tilesets.
    pub fn check(&self, gid: u32) -> Result<(), String> {
        let id = gid & !FLAGS;
        if id == 0 {
            return Ok(());
        }
        let at = self.0.partition_point(|(first, _)| *first <= id);
        let Some((first, tileset)) = at.checked_sub(1).and_then(|at| self.0.get(at)) else {
            return Err(format!("tile id {id} lies before the first tileset"));
        };
        let local = id - first;
        if local < tileset.below || tileset.listed.contains(&local) {
            return Ok(());
        }
        Err(format!(
            "tile id {id} does not exist: it would be tile {local} of tileset \"{}\", which has no such tile",
            tileset.name
        ))
    }
}

impl Tileset {
    /// One that does not exist: which tiles it has is not known.
    pub const fn missing(name: String) -> Self {
        Self {
            name,
            below: MAX_TILES,
            listed: BTreeSet::new(),
            heaviest: 0,
        }
    }

    /// A tileset of this name, with the tiles of its image or those it lists.
    pub fn of(
        element: Element<'_>,
        name: String,
        size: [u32; 2],
        place: &str,
    ) -> Result<Self, Fault> {
        let mut listed = BTreeSet::new();
        for tile in element.children_of("tile") {
            let id: u32 = tile.required(place, "id")?;
            if id >= MAX_TILES {
                let problem = format!("tile id {id} is too large; the limit is {MAX_TILES} tiles");
                return Err(tile.fault(place, problem, ""));
            }
            listed.insert(id);
        }
        let declared: Option<u32> = element.integer(place, "tilecount")?;
        if let Some(count) = declared.filter(|count| *count > MAX_TILES) {
            let problem = format!("it declares {count} tiles; the limit is {MAX_TILES}");
            return Err(element.fault(place, problem, ""));
        }
        let least = listed.last().map_or(0, |last| last + 1);
        let mut tiles = element.children_of("tile");
        let below = match (declared, element.child("image")) {
            (Some(count), Some(_)) if count > 0 => count.max(least),
            // Old maps have no count: it follows from the size of the image.
            (_, Some(image)) => fitting(element, image, size, place)?.max(least),
            // Some generated maps have no image at all, only a count.
            (Some(count), None) if tiles.all(|tile| tile.child("image").is_none()) => {
                count.max(least)
            }
            _ => 0,
        };
        let sizes = element.children_of("tile").map(Element::length);
        let shared = element.child("properties").map_or(0, Element::length);
        Ok(Self {
            name,
            below,
            listed,
            heaviest: sizes.max().unwrap_or(0) + shared,
        })
    }
}

/// How many tiles fit an image; when its size is not given, the most there can
/// be.
fn fitting(
    element: Element<'_>,
    image: Element<'_>,
    [width, height]: [u32; 2],
    place: &str,
) -> Result<u32, Fault> {
    let margin: u32 = element.integer(place, "margin")?.unwrap_or(0);
    let spacing: u32 = element.integer(place, "spacing")?.unwrap_or(0);
    let fit = |length: u32, tile: u32| {
        let room = u64::from(length) + u64::from(spacing);
        room.saturating_sub(u64::from(margin)) / (u64::from(tile) + u64::from(spacing))
    };
    let size = image
        .integer(place, "width")?
        .zip(image.integer(place, "height")?);
    let count = size.map(|(w, h)| fit(w, width).saturating_mul(fit(h, height)));
    Ok(count.map_or(MAX_TILES, |count| count.min(u64::from(MAX_TILES)) as u32))
}
