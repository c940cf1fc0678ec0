//! The links of platforms in a level that changes: those of a platform stay the same as
//! long as everything that they depend on does.
//!
//! A platform's links follow from what its jumps and drops can meet. That is hashed as it
//! is, so nothing has to be told what an edit touches, and a bake with a cache gives the
//! same bytes as one without.

use std::collections::HashMap;
use std::hash::Hasher;

use glam::DVec2;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::connection::Connection;
use crate::flight::moves::MoveFinder;
use crate::flight::take_off::{Departure, TakeOff};
use crate::level::{Collision, Level, Material, PassDirection, PixelMap, Rect, Shape};
use crate::links::bypass::PlatformLinks;
use crate::surfaces::Surfaces;
use crate::surfaces::platform_line::PlatformLine;

/// The links that the last bake of an agent found from each platform.
#[derive(Debug, Default)]
pub struct LinkCache {
    known: HashMap<u128, (Vec<u32>, PlatformLinks)>,
}

impl LinkCache {
    /// The links of a platform, if its surroundings are those of one that is known.
    pub fn get(&self, around: &Surroundings) -> Option<PlatformLinks> {
        let (near, links) = self.known.get(&around.hash)?;
        // The same platforms, in the same order, with other numbers.
        links.renumbered(|old| {
            let at = near.binary_search(&old).ok()?;
            around.near.get(at).copied()
        })
    }

    /// Replaces what is known, so that nothing that has gone is kept.
    pub fn replace(&mut self, all: impl Iterator<Item = (Surroundings, PlatformLinks)>) {
        self.known.clear();
        self.known
            .extend(all.map(|(around, links)| (around.hash, (around.near, links))));
        self.known.shrink_to_fit();
    }
}

/// What the links of a platform depend on.
pub struct Surroundings {
    hash: u128,
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
}

impl<'a> SurroundingsFinder<'a> {
    /// `level` is the one that the surfaces were found in.
    pub fn new(finder: &'a MoveFinder<'a>, surfaces: &'a Surfaces, level: &'a Level) -> Self {
        let lines = (0..).zip(&surfaces.platforms);
        let platforms =
            lines.filter_map(|(id, line)| entry(Rect::around(line.points.iter().copied())?, id));
        let pieces = match &level.collision {
            Collision::Shapes(pieces) => (0..)
                .zip(pieces)
                .filter_map(|(id, piece)| entry(piece.shape.bounds(), id))
                .collect(),
            Collision::Pixels(_) => Vec::new(),
        };
        Self {
            finder,
            surfaces,
            level,
            platforms: RTree::bulk_load(platforms.collect()),
            pieces: RTree::bulk_load(pieces),
        }
    }

    /// What the links of a platform depend on.
    pub fn around(&self, platform: usize) -> Surroundings {
        let (finder, surfaces) = (self.finder, self.surfaces);
        let own = finder.endpoints.range(platform);
        let (x, [top, bottom]) = finder.reach_of(&finder.endpoints.items[own.clone()]);
        let reach = Rect::new(DVec2::new(x.lo, top), DVec2::new(x.hi, bottom));
        let margin = finder.limits.body + finder.layout.spacing;
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
