//! The links of platforms in a level that changes: those of a platform stay the same as
//! long as everything that they depend on does.
//!
//! A platform's links follow from what its jumps and drops can meet. Far from all edits,
//! that is the same as in the bake before. Elsewhere, it is hashed as it is, so a bake with
//! a cache gives the same bytes as one without.

use std::collections::HashMap;
use std::hash::Hasher;
use std::sync::Arc;

use glam::DVec2;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::connection::Connection;
use crate::flight::moves::MoveFinder;
use crate::flight::take_off::{Departure, TakeOff};
use crate::level::{Collision, Level, Material, PassDirection, PixelMap, Rect, Shape};
use crate::links::bypass::{Decisions, PlatformLinks};
use crate::space::slabs::Slabs;
use crate::surfaces::Surfaces;
use crate::surfaces::platform_line::PlatformLine;

/// The links that the last bake of an agent found from each platform.
#[derive(Debug, Default)]
pub struct LinkCache {
    platforms: Vec<KnownPlatform>,
    /// The platforms by the hashes of their surroundings, and by those of their lines.
    by_surroundings: HashMap<u128, u32>,
    by_line: HashMap<u128, u32>,
    /// All heights at which the geometry was divided.
    heights: [Vec<f64>; 2],
    pub decisions: Decisions,
}

#[derive(Debug)]
struct KnownPlatform {
    around: Surroundings,
    links: Arc<PlatformLinks>,
}

/// The links of a platform.
#[derive(Default)]
pub struct FoundLinks {
    pub around: Option<Surroundings>,
    /// Its number in the last bake, if they are the links that it had there.
    pub before: Option<u32>,
    pub links: Arc<PlatformLinks>,
}

impl LinkCache {
    /// The links of a platform whose surroundings are those of one that is known.
    fn with_surroundings(&self, around: Surroundings) -> Result<FoundLinks, Surroundings> {
        let found = self.by_surroundings.get(&around.hash).and_then(|&number| {
            let known = self.platforms.get(number as usize)?;
            // The same platforms, in the same order, with other numbers.
            let links = known.renumbered(&around.near)?;
            Some((number, links))
        });
        match found {
            Some((number, links)) => Ok(FoundLinks {
                around: Some(around),
                before: Some(number),
                links,
            }),
            None => Err(around),
        }
    }

    /// Replaces what is known, so that nothing that has gone is kept.
    pub fn replace(&mut self, surfaces: &Surfaces, found: &mut [FoundLinks]) {
        let slabs = surfaces.slabs.as_ref();
        self.heights = slabs.map(Slabs::heights).unwrap_or_default();
        self.by_line = (surfaces.platforms.iter().map(line_hash))
            .zip(0..)
            .collect();
        let platforms = found.iter_mut().filter_map(|found| {
            let links = Arc::clone(&found.links);
            let around = found.around.take()?;
            Some(KnownPlatform { around, links })
        });
        self.platforms = platforms.collect();
        let hashes = self.platforms.iter().map(|known| known.around.hash);
        self.by_surroundings = hashes.zip(0..).collect();
    }
}

impl KnownPlatform {
    /// The links, if the platforms in reach have these numbers now.
    fn renumbered(&self, near: &[u32]) -> Option<Arc<PlatformLinks>> {
        if near == self.around.near {
            return Some(Arc::clone(&self.links));
        }
        let number = |old: u32| {
            let at = self.around.near.binary_search(&old).ok()?;
            near.get(at).copied()
        };
        self.links.renumbered(number).map(Arc::new)
    }
}

/// What the links of a platform depend on.
#[derive(Debug)]
pub struct Surroundings {
    hash: u128,
    within: Rect,
    /// The platforms in reach, in order of their numbers.
    near: Vec<u32>,
}

/// A bounding box, and the number of what it bounds.
type Entry = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// Finds what the links of platforms depend on.
pub struct SurroundingsFinder<'a> {
    finder: &'a MoveFinder<'a>,
    surfaces: &'a Surfaces,
    level: &'a Level,
    platforms: RTree<Entry>,
    pieces: RTree<Entry>,
    cache: &'a LinkCache,
    /// The number that each platform had in the last bake, if it had the same line there.
    before: Vec<Option<u32>>,
    /// The number that each platform of the last bake has now.
    now: Vec<Option<u32>>,
    /// Where something may have changed.
    changed: Vec<Rect>,
}

impl<'a> SurroundingsFinder<'a> {
    /// `level` is the one that the surfaces were found in. It differs from that of the last
    /// bake inside of `edits` only.
    pub fn new(
        finder: &'a MoveFinder<'a>,
        surfaces: &'a Surfaces,
        level: &'a Level,
        edits: &[Rect],
        cache: &'a LinkCache,
    ) -> Self {
        let lines = (0..).zip(&surfaces.platforms);
        let platforms = lines.filter_map(|(id, line)| entry(bounds_of(line)?, id));
        let pieces = match &level.collision {
            Collision::Shapes(pieces) => (0..)
                .zip(pieces)
                .filter_map(|(id, piece)| entry(piece.shape.bounds(), id))
                .collect(),
            Collision::Pixels(_) => Vec::new(),
        };
        let mut before = Vec::with_capacity(surfaces.platforms.len());
        let mut now = vec![None; cache.platforms.len()];
        // How far from an edit it can change an endpoint: its gaps overhead, up to a jump, and
        // the next endpoint beside it.
        let limits = finder.limits;
        let rise = DVec2::new(0.0, limits.max_jump.y.max(limits.body.y));
        let margin = limits.body + rise + finder.layout.search_step(limits.body);
        let mut changed: Vec<Rect> = (edits.iter())
            .map(|edit| Rect::new(edit.min - margin, edit.max + margin))
            .collect();
        for (id, line) in (0..).zip(&surfaces.platforms) {
            let old = cache.by_line.get(&line_hash(line)).copied();
            if let Some(now) = old.and_then(|old| now.get_mut(old as usize)) {
                *now = Some(id);
            } else {
                changed.extend(bounds_of(line));
            }
            before.push(old);
        }
        // Take-offs, slabs and ladders depend on all heights at which the geometry is divided,
        // wherever that is.
        let heights = finder.slabs.heights();
        for (old, new) in cache.heights.iter().zip(&heights) {
            for (some, others) in [(old, new), (new, old)] {
                let gone = some
                    .iter()
                    .filter(|y| others.binary_search_by(|other| other.total_cmp(y)).is_err());
                changed.extend(gone.map(|&y| {
                    let everywhere = DVec2::new(f64::INFINITY, margin.y);
                    let at = DVec2::new(0.0, y);
                    Rect::new(at - everywhere, at + everywhere)
                }));
            }
        }
        Self {
            finder,
            surfaces,
            level,
            platforms: RTree::bulk_load(platforms.collect()),
            pieces: RTree::bulk_load(pieces),
            cache,
            before,
            now,
            changed,
        }
    }

    /// The links of a platform, if they are known.
    ///
    /// # Errors
    /// Its surroundings, if they are not.
    pub fn known_links(&self, platform: usize) -> Result<FoundLinks, Surroundings> {
        match self.unchanged(platform) {
            Some(found) => Ok(found),
            None => self.cache.with_surroundings(self.around(platform)),
        }
    }

    /// The links of a platform around which nothing can have changed.
    fn unchanged(&self, platform: usize) -> Option<FoundLinks> {
        let before = self.before.get(platform).copied().flatten();
        let known = self.cache.platforms.get(before? as usize)?;
        let Surroundings { hash, within, near } = &known.around;
        if self.changed.iter().any(|rect| meets(rect, within)) {
            return None;
        }
        let near = near.iter().map(|&old| self.now[old as usize]);
        let near = near.collect::<Option<Vec<u32>>>()?;
        Some(FoundLinks {
            before,
            links: known.renumbered(&near)?,
            around: Some(Surroundings {
                hash: *hash,
                within: *within,
                near,
            }),
        })
    }

    /// What the links of a platform depend on.
    fn around(&self, platform: usize) -> Surroundings {
        let (finder, surfaces) = (self.finder, self.surfaces);
        let own = finder.endpoints.range(platform);
        let (x, [top, bottom]) = finder.reach_of(&finder.endpoints.items[own.clone()]);
        let reach = Rect::new(DVec2::new(x.lo, top), DVec2::new(x.hi, bottom));
        let margin = finder.limits.body + finder.layout.detail;
        let within = Rect::new(reach.min - margin, reach.max + margin);
        let mut out = Hash(SipHasher13::new());
        let mut near = found(&self.platforms, within);
        near.sort_unstable();
        for &id in &near {
            // Where it is among the others, because some decisions go by that order.
            out.integer(u64::from(id as usize == platform));
            out.line(&surfaces.platforms[id as usize]);
            let endpoints = &finder.endpoints.items[finder.endpoints.range(id as usize)];
            for endpoint in endpoints.iter().filter(|at| contains(&within, at.point())) {
                out.point(endpoint.point());
            }
        }
        for endpoint in own {
            for take_off in finder.take_offs(endpoint) {
                out.take_off(&take_off);
            }
        }
        for step in surfaces.steps_from(platform as u32) {
            out.connection(step);
        }
        self.add_geometry(&within, &mut out);
        Surroundings {
            hash: out.0.finish128().as_u128(),
            within,
            near,
        }
    }

    /// Adds the collision inside a rectangle.
    fn add_geometry(&self, within: &Rect, out: &mut Hash) {
        match &self.level.collision {
            Collision::Shapes(all) => {
                let mut is_slanted = false;
                let mut boxes: Vec<(u64, [DVec2; 2])> = Vec::new();
                for id in found(&self.pieces, *within) {
                    let piece = &all[id as usize];
                    let material = material_code(piece.material);
                    match &piece.shape {
                        // What is farther off makes no difference.
                        Shape::Box(rect) => boxes.push((
                            material,
                            [rect.min.max(within.min), rect.max.min(within.max)],
                        )),
                        Shape::Convex(points) => {
                            is_slanted = true;
                            for &point in points {
                                boxes.push((material, [point; 2]));
                            }
                        }
                    }
                }
                boxes.sort_unstable_by(|(a, p), (b, q)| {
                    let [p, q] =
                        [p, q].map(|[min, max]| [min.x, min.y, max.x, max.y].map(f64::to_bits));
                    (a, p).cmp(&(b, q))
                });
                for (material, corners) in boxes {
                    out.integer(material);
                    for corner in corners {
                        out.point(corner);
                    }
                }
                if is_slanted {
                    // Slabs of slanted ground are divided at all heights, also of what is
                    // elsewhere.
                    let cuts = self.finder.slabs.cuts_between(within.min.y, within.max.y);
                    for cut in cuts {
                        out.number(*cut);
                    }
                }
            }
            Collision::Pixels(map) => {
                let PixelMap {
                    solid,
                    one_way,
                    hazard,
                    ladder,
                } = map;
                // Casts turn numbers below zero into zero.
                let [left, top] = within.min.floor().to_array().map(|at| at as u32);
                let [right, bottom] = within.max.ceil().to_array().map(|at| at as u32);
                for plane in [solid, one_way, hazard, ladder] {
                    for row in top..bottom.min(plane.rows()) {
                        for run in plane.runs(row) {
                            let (from, to) = (run.start.max(left), run.end.min(right));
                            if from < to {
                                out.integer(u64::from(from) << 32 | u64::from(to));
                            }
                        }
                        out.integer(u64::MAX);
                    }
                }
            }
        }
    }
}

fn entry(bounds: Rect, id: u32) -> Option<Entry> {
    let Rect { min, max } = bounds;
    let is_finite = min.is_finite() && max.is_finite();
    is_finite
        .then(|| GeomWithData::new(Rectangle::from_corners(min.to_array(), max.to_array()), id))
}

/// What meets a rectangle, in no particular order.
fn found(tree: &RTree<Entry>, within: Rect) -> Vec<u32> {
    // Agents without limits reach everything.
    let [min, max] = [within.min, within.max]
        .map(|corner| corner.clamp(DVec2::splat(-1e12), DVec2::splat(1e12)));
    let area = AABB::from_corners(min.to_array(), max.to_array());
    tree.locate_in_envelope_intersecting(area)
        .map(|entry| entry.data)
        .collect()
}

fn bounds_of(line: &PlatformLine) -> Option<Rect> {
    Rect::around(line.points.iter().copied())
}

fn line_hash(line: &PlatformLine) -> u128 {
    let mut out = Hash(SipHasher13::new());
    out.line(line);
    out.0.finish128().as_u128()
}

fn meets(a: &Rect, b: &Rect) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

fn contains(rect: &Rect, point: DVec2) -> bool {
    rect.min.cmple(point).all() && point.cmple(rect.max).all()
}

const fn material_code(material: Material) -> u64 {
    match material {
        Material::Solid => 0,
        Material::Hazard => 1,
        Material::Ladder => 2,
        Material::OneWay(PassDirection::Up) => 3,
        Material::OneWay(PassDirection::Down) => 4,
        Material::OneWay(PassDirection::Left) => 5,
        Material::OneWay(PassDirection::Right) => 6,
    }
}

/// A hash in the making.
struct Hash(SipHasher13);

impl Hash {
    fn integer(&mut self, value: u64) {
        self.0.write_u64(value);
    }

    fn number(&mut self, value: f64) {
        self.integer(value.to_bits());
    }

    fn point(&mut self, at: DVec2) {
        self.number(at.x);
        self.number(at.y);
    }

    fn line(&mut self, line: &PlatformLine) {
        let PlatformLine {
            kind,
            points,
            edge_left,
            edge_right,
        } = line;
        self.integer(*kind as u64);
        self.integer(points.len() as u64);
        for point in points {
            self.point(*point);
        }
        for edge in [edge_left, edge_right] {
            self.number(edge.unwrap_or(f64::NAN));
        }
    }

    fn take_off(&mut self, take_off: &TakeOff) {
        let departure = match take_off.departure {
            Departure::Jump(speed) => 1 << 32 | u64::from(speed.to_bits()),
            Departure::WalkOffLeft => 2 << 32,
            Departure::WalkOffRight => 3 << 32,
            Departure::DropThrough => 4 << 32,
            Departure::LetGo => 5 << 32,
            Departure::Thrown(speed) => 6 << 32 | u64::from(speed.to_bits()),
        };
        self.integer(departure);
        for jump in take_off.air_jumps() {
            self.number(jump.after.into());
            self.number(jump.speed.into());
        }
    }

    fn connection(&mut self, step: &Connection) {
        self.integer(step.kind as u64);
        self.point(step.from.point());
        self.point(step.to.point());
        self.number(step.duration);
    }
}
