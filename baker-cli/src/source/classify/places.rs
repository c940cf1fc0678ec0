//! What the places of objects say about the collision around them.

use glam::DVec2;

use navmesh_bake::{Material, Piece, Rect, Shape};

/// The most objects whose places are looked at, and the most pairs of an object
/// and a piece of collision.
const MAX_PLACES: usize = 512;
const MAX_PAIRS: usize = 1 << 24;

/// Objects wider or higher than this many cells are regions, not things.
const MAX_THING_CELLS: f64 = 4.0;

/// If at least so many objects, and this part of all, lie in rock or above nothing,
/// the collision was probably not understood. A few do in every level: secrets in
/// walls, coins above chasms. For 13 real levels, no part in rock from 0.01 to 0.9 changes
/// a warning, and 0.1 above nothing adds one about saws in the air.
const MIN_NUMBER: usize = 3;
const IN_ROCK: f64 = 0.25;
const ABOVE_NOTHING: f64 = 0.6;

/// An object that is not collision.
pub struct Place {
    /// Its name in messages.
    pub origin: String,
    pub line: Option<u32>,
    /// Its bounding box.
    pub area: Rect,
    /// The player begins there.
    pub is_start: bool,
    /// Bodies may stand on it: the rule that makes it solid.
    pub support: Option<String>,
}

/// The places of the objects of a level.
#[derive(Default)]
pub struct Places(Vec<Place>);

/// What is around an object.
#[derive(Clone, Copy)]
enum Around {
    Air,
    /// In a solid piece of this origin: both [`probes`] are.
    Rock(u32),
    /// Nothing that carries a body is below it.
    Nothing,
}

impl Places {
    pub fn add(&mut self, place: Place) {
        if self.0.len() < MAX_PLACES {
            self.0.push(place);
        }
    }

    /// Objects that lie in rock or above nothing, each with what to say about it.
    /// `rock` says what to do about those in pieces of an origin.
    pub fn misplaced<'a>(
        &'a self,
        pieces: &[Piece],
        rock: impl Fn(u32) -> String,
        bounds: Rect,
        cell: DVec2,
    ) -> Vec<(&'a Place, String)> {
        let is_thing = |place: &&Place| {
            let Rect { min, max } = place.area;
            let is_small = (max - min).cmple(MAX_THING_CELLS * cell).all();
            is_small && min.cmpge(bounds.min).all() && max.cmple(bounds.max).all()
        };
        let places: Vec<&Place> = self.0.iter().filter(is_thing).collect();
        if places.len() * pieces.len() > MAX_PAIRS {
            return Vec::new();
        }
        let nothing = "above nothing to stand on; `navbake bake -v` says which layers are not used";
        let (supports, places): (Vec<&Place>, Vec<&Place>) =
            (places.into_iter()).partition(|place| place.support.is_some());
        let around = |place: &Place| around(place.area, pieces, cell);
        let support = unused_support(&supports, |at| matches!(around(at), Around::Rock(_)));
        let (mut in_rock, mut above_nothing) = (Vec::new(), Vec::new());
        for place in &places {
            match around(place) {
                Around::Air => {}
                Around::Rock(origin) => in_rock.push((*place, rock(origin))),
                Around::Nothing => above_nothing.push((*place, nothing.to_owned())),
            }
        }
        let all = places.len();
        let of_many = |misplaced: Vec<(&'a Place, String)>, part: f64| {
            let number = misplaced.len();
            let is_much = number >= MIN_NUMBER && number as f64 >= part * all as f64;
            let (place, surrounded) = (misplaced.iter().find(|(place, _)| place.is_start))
                .or_else(|| misplaced.first().filter(|_| is_much))?;
            let problem = match number {
                1 => format!("it lies {surrounded}"),
                _ => format!(
                    "it and {} more of {all} objects lie {surrounded}",
                    number - 1
                ),
            };
            Some((*place, problem))
        };
        // Of several starts, some may be in the air.
        let starts = places.iter().filter(|place| place.is_start).count();
        let above = above_nothing.iter().filter(|(place, _)| place.is_start);
        if above.count() < starts {
            above_nothing.retain(|(place, _)| !place.is_start);
        }
        let found = [
            of_many(in_rock, IN_ROCK),
            of_many(above_nothing, ABOVE_NOTHING),
        ];
        found.into_iter().flatten().chain(support).collect()
    }
}

/// Objects that bodies may stand on and that are not collision, where most are not in
/// rock: some games draw such outlines over solid tiles, and some of them beside.
fn unused_support<'a>(
    supports: &[&'a Place],
    is_in_rock: impl Fn(&Place) -> bool,
) -> Option<(&'a Place, String)> {
    let mut free = supports.iter().filter(|place| !is_in_rock(place));
    let first = free.next()?;
    let more = free.count();
    let rule = first.support.as_deref().unwrap_or_default();
    let they_are = match more {
        0 => "it is".to_owned(),
        more => format!("it and {more} more are"),
    };
    let problem =
        format!("{they_are} not collision; if bodies stand on what is there, solid = [\"{rule}\"]");
    (2 * (more + 1) > supports.len()).then_some((first, problem))
}

/// Two points of an object, the lower first: where an agent would stand. The
/// point of an object without size may be that of its feet, or its middle.
fn probes(area: Rect, cell: DVec2) -> [DVec2; 2] {
    let x = f64::midpoint(area.min.x, area.max.x);
    let low = area.max.y - cell.y / 4.0;
    let high = f64::midpoint(area.min.y, area.max.y).min(area.max.y - cell.y * 3.0 / 4.0);
    [DVec2::new(x, low), DVec2::new(x, high)]
}

/// What is around an object with this bounding box.
fn around(area: Rect, pieces: &[Piece], cell: DVec2) -> Around {
    let [low, high] = probes(area, cell);
    let around = |at: DVec2| {
        let is_solid = |piece: &&Piece| piece.material == Material::Solid;
        let mut solid = pieces.iter().filter(is_solid);
        solid.find(|piece| contains(&piece.shape, at))
    };
    if let (Some(piece), Some(_)) = (around(low), around(high)) {
        return Around::Rock(piece.origin);
    }
    let is_below = |piece: &&Piece| {
        let Rect { min, max } = piece.shape.bounds();
        min.x <= area.max.x && max.x >= area.min.x && max.y > low.y
    };
    let mut carrying = pieces.iter().filter(|piece| piece.material.carries());
    match carrying.find(is_below) {
        Some(_) => Around::Air,
        None => Around::Nothing,
    }
}

/// Whether a point lies within a shape, not on its outline.
fn contains(shape: &Shape, at: DVec2) -> bool {
    match shape {
        Shape::Box(rect) => at.cmpgt(rect.min).all() && at.cmplt(rect.max).all(),
        Shape::Convex(points) => {
            let next = points.iter().cycle().skip(1);
            let edges = || points.iter().zip(next.clone());
            // The same side of all edges, in either winding order.
            let is_beside = |sign: f64| edges().all(|(a, b)| sign * (b - a).perp_dot(at - a) > 0.0);
            points.len() > 2 && (is_beside(1.0) || is_beside(-1.0))
        }
    }
}
