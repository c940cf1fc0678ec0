//! The platforms and links of an agent in a level that changes.
//!
//! Only the part of the level is baked again that an edit can have changed: the platforms
//! that it touches, and all that the links depend on which can lead through it. What else
//! is there is hashed, and links are only searched for where the hash is another one. So a
//! bake with a cache gives the same bytes as one without.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::Hasher;

use glam::DVec2;
use navmesh_runtime::mesh::{BitGrid, PlatformKind};
use rayon::prelude::*;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, reading_order};
use crate::flight::moves::{MoveFinder, reach};
use crate::flight::take_off::{Departure, TakeOff};
use crate::flight::trajectory_solver::TrajectorySolver;
use crate::geometry::{ConfigurationSpace, Interval};
use crate::layout::Layout;
use crate::level::{Collision, Level, Material, PassDirection, PixelMap, Rect, Shape};
use crate::links::bypass::{Decisions, LinkedPlatform, PlatformLinks, remove_bypassed};
use crate::links::spanner::links_from;
use crate::progress::{Progress, Stage};
use crate::space::slabs::Slabs;
use crate::space::terrain::{blocked_vertices, update_blocked};
use crate::surfaces::platform_line::PlatformLine;
use crate::surfaces::{Surfaces, heights};

/// What the last bake of an agent found.
#[derive(Debug, Default)]
pub struct LinkCache {
    /// The platforms by their slots, which stay the same as long as a platform does.
    slots: Vec<Option<KnownPlatform>>,
    /// The slots of all platforms, in order.
    order: Vec<u32>,
    /// All heights at which the geometry was divided.
    heights: [Vec<f64>; 2],
    decisions: Decisions,
    blocked: BitGrid,
    /// The links that an update has found which is not finished, by the hashes of what they
    /// depend on. Platforms are numbered among those in reach.
    ahead: HashMap<u128, PlatformLinks>,
}

#[derive(Debug)]
struct KnownPlatform {
    line: PlatformLine,
    bounds: Rect,
    /// The hash of what its links depend on, which is inside of a rectangle.
    hash: u128,
    within: Rect,
    links: PlatformLinks,
}

/// What a bake of an agent is about.
pub struct AgentBake<'a> {
    /// On the lattice.
    pub level: &'a Level,
    pub layout: &'a Layout,
    pub limits: &'a AgentLimits,
    pub stretch: f64,
    /// The configuration space of all that meets a rectangle, or of the whole level.
    pub space: &'a dyn Fn(Option<&Rect>) -> Box<dyn ConfigurationSpace>,
    /// Whether all of the level must be in the space and the surfaces.
    pub needs_all: bool,
    /// Its name.
    pub agent: &'a str,
    pub progress: &'a dyn Progress,
    /// For how many platforms links may be searched for.
    pub budget: &'a Cell<usize>,
}

/// What a bake has found, in the order of platforms.
pub struct Found {
    pub blocked: BitGrid,
    pub platforms: Vec<PlatformLine>,
    pub links: Vec<Connection>,
    /// A part of the level, or all of it.
    pub space: Box<dyn ConfigurationSpace>,
    pub surfaces: Surfaces,
}

/// The part of a level that is baked again.
struct Part {
    /// Platforms that meet this are whole in the part, and have all their endpoints here.
    inner: Rect,
    /// The level inside this.
    outer: Rect,
}

/// Where a level may have changed.
struct Changes {
    /// Where platforms may have.
    lines: Vec<Rect>,
    /// Where endpoints, and what flies through, may have.
    all: Vec<Rect>,
}

impl Changes {
    fn new(edits: &[Rect], limits: &AgentLimits, layout: &Layout) -> Self {
        let near = limits.body + limits.step_height + layout.search_step(limits.body);
        // An edit can change an endpoint by its gaps overhead, up to a jump.
        let overhead = DVec2::new(0.0, limits.max_jump.y.max(limits.body.y));
        let [lines, all] = [near, near + overhead]
            .map(|margin| edits.iter().map(|edit| edit.grown(margin)).collect());
        Self { lines, all }
    }

    fn touch(&self, line: &Rect) -> bool {
        self.lines.iter().any(|rect| rect.meets(line))
    }

    fn meet(&self, within: &Rect) -> bool {
        self.all.iter().any(|rect| rect.meets(within))
    }

    /// Adds the heights that only one of two bakes has: take-offs, slabs and ladders depend on
    /// all heights at which the geometry is divided, wherever that is.
    fn add_heights(&mut self, old: &[Vec<f64>; 2], new: &[Vec<f64>; 2], margin: f64) {
        for (old, new) in old.iter().zip(new) {
            for (some, others) in [(old, new), (new, old)] {
                let is_gone =
                    |y: &&f64| others.binary_search_by(|other| other.total_cmp(y)).is_err();
                self.all.extend(some.iter().filter(is_gone).map(|&y| {
                    let at = DVec2::new(0.0, y);
                    Rect::new(at, at).grown(DVec2::new(f64::INFINITY, margin))
                }));
            }
        }
    }
}

/// What has become of the platforms of a part.
struct Matched {
    /// Their slots, new ones for those that are new.
    slots: Vec<u32>,
    is_new: Vec<bool>,
    removed: Vec<u32>,
    /// The slots of all platforms of the level, in order.
    order: Vec<u32>,
}

impl LinkCache {
    /// Bakes an agent again in a level that has changed inside of `edits` only. `None` when the
    /// budget is spent: call it again.
    pub fn update(&mut self, bake: &AgentBake<'_>, edits: &[Rect]) -> Option<Found> {
        let AgentBake { layout, limits, .. } = *bake;
        let mut changes = Changes::new(edits, limits, layout);
        let mut is_whole = bake.needs_all || self.order.is_empty();
        let mut has_heights = false;
        loop {
            let part = (!is_whole).then(|| self.part(&changes, limits, layout));
            let space = (bake.space)(part.as_ref().map(|part| &part.outer));
            let mut surfaces = Surfaces::without_slabs(space.as_ref(), layout, limits);
            if let Some(part) = &part {
                surfaces.keep_in(&part.inner);
            }
            let Some(matched) = self.matched(&surfaces.platforms, part.as_ref(), &changes) else {
                is_whole = true;
                continue;
            };
            let heights = {
                let known = matched.order.iter();
                let known = known
                    .filter_map(|&slot| self.known(slot))
                    .map(|own| &own.line);
                let new = surfaces.platforms.iter().zip(&matched.is_new);
                let new = new.filter(|(_, is_new)| **is_new).map(|(line, _)| line);
                heights(space.as_ref(), layout, limits, known.chain(new))
            };
            if !has_heights && !self.order.is_empty() && heights != self.heights {
                has_heights = true;
                changes.add_heights(&self.heights, &heights, layout.search_step(limits.body));
                continue;
            }
            self.update_blocked(bake, part.is_some(), space.as_ref(), &changes);
            let y = part.as_ref().map_or(Interval::EVERYTHING, |part| {
                Interval::new(part.outer.min.y, part.outer.max.y)
            });
            let cuts = heights.clone();
            bake.progress.begin(bake.agent, Stage::Platforms, 1);
            surfaces.slabs = Some(Slabs::new(space.as_ref(), layout.width(), cuts, y));
            bake.progress.advance(1);
            let outer = part.as_ref().map(|part| &part.outer);
            let around = (&surfaces, space.as_ref(), outer);
            let links = self.update_links(bake, around, matched, changes)?;
            self.heights = heights;
            let lines = self.order.iter().filter_map(|&slot| self.known(slot));
            return Some(Found {
                blocked: self.blocked.clone(),
                platforms: lines.map(|known| known.line.clone()).collect(),
                links,
                space,
                surfaces,
            });
        }
    }

    fn known(&self, slot: u32) -> Option<&KnownPlatform> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// The part of the level that must be baked again.
    fn part(&self, changes: &Changes, limits: &AgentLimits, layout: &Layout) -> Part {
        let all = || self.slots.iter().flatten();
        let nothing = Rect::new(DVec2::INFINITY, DVec2::NEG_INFINITY);
        let edits = changes.lines.iter();
        let mut zone = edits.fold(nothing, |zone, edit| zone.united(edit));
        let mut suspects = changes.all.clone();
        for known in all().filter(|known| changes.touch(&known.bounds)) {
            suspects.push(known.bounds);
            zone = zone.united(&known.bounds);
        }
        // What the links of new platforms depend on.
        let reach = reach(limits, layout);
        let margin = limits.body + layout.search_step(limits.body);
        let mut inner = Rect::new(zone.min + reach.min, zone.max + reach.max).grown(margin);
        for known in all() {
            if suspects.iter().any(|rect| rect.meets(&known.within)) {
                inner = inner.united(&known.within);
            }
        }
        let mut outer = inner;
        for known in all().filter(|known| known.bounds.meets(&inner)) {
            outer = outer.united(&known.bounds);
        }
        // Endpoints depend on gaps overhead, up to a jump, and landings on slopes on slabs up
        // to 8 steps above.
        let above = DVec2::new(0.0, limits.max_jump.y.max(limits.body.y));
        let outer = outer.grown(limits.body + above + 8.0 * layout.search_step(limits.body));
        Part { inner, outer }
    }

    /// Finds the platforms of a part, or of the whole level, among those that are known.
    /// `None` when platforms have changed that no edit touches.
    fn matched(
        &self,
        lines: &[PlatformLine],
        part: Option<&Part>,
        changes: &Changes,
    ) -> Option<Matched> {
        let is_inside =
            |known: &KnownPlatform| part.is_none_or(|part| known.bounds.meets(&part.inner));
        // Equal lines are taken in order.
        let mut candidates: HashMap<u128, Vec<u32>> = HashMap::new();
        for &slot in self.order.iter().rev() {
            if let Some(known) = self.known(slot).filter(|known| is_inside(known)) {
                candidates
                    .entry(line_hash(&known.line))
                    .or_default()
                    .push(slot);
            }
        }
        let found = lines
            .iter()
            .map(|line| candidates.get_mut(&line_hash(line))?.pop());
        let found: Vec<Option<u32>> = found.collect();
        let removed: Vec<u32> = candidates.into_values().flatten().collect();
        let free = (0..).zip(&self.slots);
        let free = free.filter_map(|(slot, known)| known.is_none().then_some(slot));
        let mut free = free.chain(self.slots.len() as u32..);
        let slots = found.iter().map(|slot| slot.or_else(|| free.next()));
        let slots: Vec<u32> = slots.collect::<Option<_>>()?;
        let is_new: Vec<bool> = found.iter().map(Option::is_none).collect();
        let mut order = slots.clone();
        if part.is_some() {
            let mut gone = removed.iter().filter_map(|&slot| self.known(slot));
            let mut new = lines.iter().zip(&is_new).filter(|(_, is_new)| **is_new);
            // The order of ladders is not that of their lines.
            if gone.any(|known| !changes.touch(&known.bounds))
                || new.any(|(line, _)| {
                    line.kind == PlatformKind::Ladder || !changes.touch(&line.bounds())
                })
            {
                return None;
            }
            order = self.order_with(lines, &slots, &is_new, &removed)?;
        }
        Some(Matched {
            slots,
            is_new,
            removed,
            order,
        })
    }

    /// All platforms of the level in order; `None` where the order of those of the part is
    /// another one.
    fn order_with(
        &self,
        lines: &[PlatformLine],
        slots: &[u32],
        is_new: &[bool],
        removed: &[u32],
    ) -> Option<Vec<u32>> {
        let count = slots.iter().map(|&slot| slot as usize + 1).max();
        let count = count.unwrap_or(0).max(self.slots.len());
        let [mut is_inside, mut is_gone] = [vec![false; count], vec![false; count]];
        for (flags, slots) in [(&mut is_inside, slots), (&mut is_gone, removed)] {
            for &slot in slots {
                flags[slot as usize] = true;
            }
        }
        let kept = self.order.iter().copied();
        let kept: Vec<u32> = kept.filter(|&slot| !is_gone[slot as usize]).collect();
        let new = lines
            .iter()
            .zip(slots)
            .zip(is_new)
            .filter(|(_, is_new)| **is_new);
        let mut order = Vec::with_capacity(kept.len() + slots.len());
        let mut from = 0;
        for ((line, &slot), _) in new {
            let at = kept.partition_point(|&other| {
                self.known(other)
                    .is_some_and(|other| by_place(&other.line, line) != Ordering::Greater)
            });
            order.extend(kept.get(from..at)?);
            order.push(slot);
            from = at;
        }
        order.extend(&kept[from..]);
        let inside = order.iter().filter(|&&slot| is_inside[slot as usize]);
        inside.eq(slots).then_some(order)
    }

    fn update_blocked(
        &mut self,
        bake: &AgentBake<'_>,
        is_part: bool,
        space: &dyn ConfigurationSpace,
        changes: &Changes,
    ) {
        if is_part {
            for rect in &changes.lines {
                update_blocked(&mut self.blocked, space, bake.layout, rect);
            }
        } else {
            self.blocked = blocked_vertices(space, bake.layout, bake.progress);
        }
    }

    /// Finds links again where what they depend on has changed. Returns all links that stay;
    /// `None`, with all as it was, when the budget is spent.
    fn update_links(
        &mut self,
        bake: &AgentBake<'_>,
        (surfaces, space, outer): (&Surfaces, &dyn ConfigurationSpace, Option<&Rect>),
        matched: Matched,
        mut changes: Changes,
    ) -> Option<Vec<Connection>> {
        let Matched {
            slots,
            is_new,
            removed,
            order,
        } = matched;
        let AgentBake { layout, limits, .. } = *bake;
        let slabs = surfaces.slabs.as_ref()?;
        let gone = removed.iter().filter_map(|&slot| self.known(slot));
        changes.all.extend(gone.map(|known| known.bounds));
        let lines = surfaces.platforms.iter().zip(&is_new);
        let new = lines.filter(|(_, is_new)| **is_new);
        changes.all.extend(new.map(|(line, _)| line.bounds()));
        let finder = MoveFinder::new(limits, layout, slabs, &surfaces.platforms);
        let solver = TrajectorySolver {
            finder: &finder,
            space,
        };
        let around = SurroundingsFinder::new(&finder, surfaces, bake.level, outer);
        let hashed: Vec<_> = (0..slots.len())
            .into_par_iter()
            .filter_map(|platform| {
                let known = self.known(slots[platform]);
                if known.is_some_and(|known| !changes.meet(&known.within)) {
                    return None;
                }
                let found = around.around(platform);
                let is_same = known.is_some_and(|known| known.hash == found.hash);
                (!is_same).then_some(found)
            })
            .collect();
        bake.progress
            .begin(bake.agent, Stage::Links, hashed.len() as u64);
        let needed: HashSet<u128> = hashed.iter().map(|found| found.hash).collect();
        self.ahead.retain(|hash, _| needed.contains(hash));
        let again = hashed
            .iter()
            .filter(|found| !self.ahead.contains_key(&found.hash));
        let mut again: Vec<&Surroundings> = again.collect();
        let budget = bake.budget.get();
        let is_finished = again.len() <= budget;
        again.truncate(budget);
        bake.budget.set(budget - again.len());
        let platforms: Vec<usize> = again.iter().map(|found| found.platform).collect();
        let links = links_from(&solver, surfaces, &platforms, bake.stretch, bake.progress);
        for (found, links) in again.into_iter().zip(links) {
            let near = |platform: u32| Some(found.near.binary_search(&platform).ok()? as u32);
            self.ahead.insert(found.hash, links.renumbered(near));
        }
        if !is_finished {
            return None;
        }
        for slot in removed {
            self.slots[slot as usize] = None;
        }
        let count = order.iter().map(|&slot| slot as usize + 1).max();
        let count = count.unwrap_or(0).max(self.slots.len());
        self.slots.resize_with(count, || None);
        self.order = order;
        let mut is_same = vec![true; count];
        for Surroundings {
            platform,
            hash,
            within,
            near,
        } in hashed
        {
            let slot = slots[platform] as usize;
            let links = self.ahead.get(&hash)?.clone();
            let line = surfaces.platforms[platform].clone();
            let number = |near_by: u32| Some(slots[*near.get(near_by as usize)? as usize]);
            is_same[slot] = false;
            self.slots[slot] = Some(KnownPlatform {
                bounds: line.bounds(),
                line,
                hash,
                within,
                links: links.renumbered(number),
            });
        }
        self.ahead.clear();
        let platforms = self.slots.iter().zip(&is_same).map(|(known, &is_same)| {
            let KnownPlatform { line, links, .. } = known.as_ref()?;
            Some(LinkedPlatform {
                line,
                links,
                is_same,
            })
        });
        let platforms: Vec<_> = platforms.collect();
        let (order, decisions) = (&self.order, &mut self.decisions);
        let links = remove_bypassed(&platforms, order, limits, bake.stretch, decisions);
        let mut numbers = vec![0; count];
        for (number, &slot) in (0..).zip(order) {
            numbers[slot as usize] = number;
        }
        let number = |slot: u32| numbers.get(slot as usize).copied();
        let links = links.into_iter();
        Some(links.filter_map(|link| link.renumbered(number)).collect())
    }
}

/// The order of floors, walls and ceilings.
fn by_place(a: &PlatformLine, b: &PlatformLine) -> Ordering {
    (a.kind.cmp(&b.kind)).then(reading_order(a.start(), b.start()))
}

/// What the links of a platform depend on.
struct Surroundings {
    platform: usize,
    hash: u128,
    within: Rect,
    /// The platforms in reach, in order.
    near: Vec<u32>,
}

/// A bounding box, and the number of what it bounds.
type Entry = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// Finds what the links of platforms depend on.
struct SurroundingsFinder<'a> {
    finder: &'a MoveFinder<'a>,
    surfaces: &'a Surfaces,
    level: &'a Level,
    platforms: RTree<Entry>,
    pieces: RTree<Entry>,
}

impl<'a> SurroundingsFinder<'a> {
    /// `level` is the one that the surfaces were found in, in all of it or in a part.
    fn new(
        finder: &'a MoveFinder<'a>,
        surfaces: &'a Surfaces,
        level: &'a Level,
        part: Option<&Rect>,
    ) -> Self {
        let lines = (0..).zip(&surfaces.platforms);
        let platforms = lines.filter_map(|(id, line)| entry(line.bounds(), id));
        let pieces = match &level.collision {
            Collision::Shapes(pieces) => (0..)
                .zip(pieces)
                .map(|(id, piece)| (id, piece.shape.bounds()))
                .filter(|(_, bounds)| part.is_none_or(|part| part.meets(bounds)))
                .filter_map(|(id, bounds)| entry(bounds, id))
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
    fn around(&self, platform: usize) -> Surroundings {
        let (finder, surfaces) = (self.finder, self.surfaces);
        let own = finder.endpoints.range(platform);
        let (x, [top, bottom]) = finder.reach_of(&finder.endpoints.items[own.clone()]);
        let reach = Rect::new(DVec2::new(x.lo, top), DVec2::new(x.hi, bottom));
        let within = reach.grown(finder.limits.body + finder.layout.detail);
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
            platform,
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

fn line_hash(line: &PlatformLine) -> u128 {
    let mut out = Hash(SipHasher13::new());
    out.line(line);
    out.0.finish128().as_u128()
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
