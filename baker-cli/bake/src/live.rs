//! Levels that change while a game runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec2;
use navmesh_runtime::mesh::{Layer, Link, NavMesh, PlatformId};

use crate::error::BakeError;
use crate::level::{Collision, Level, MAX_COORDINATE, Material, Piece, Rect, Shape};
use crate::pipeline::{BakeCache, bake_again};
use crate::progress::{NoProgress, Progress};
use crate::settings::Settings;

/// A level that a game edits, and its mesh.
///
/// [`update`](Self::update) bakes what edits have changed. The mesh is the same, byte for
/// byte, as a [`bake`](crate::bake()) of [`level`](Self::level), but the links of platforms
/// around which nothing has changed are not searched for again. It can run on another
/// thread: send the value there and back.
///
/// ```
/// use navmesh_bake::glam::DVec2;
/// use navmesh_bake::{Collision, Level, LiveLevel, Material, Piece, Rect, Settings, Shape};
/// use navmesh_bake::default_agents;
///
/// # fn main() -> Result<(), navmesh_bake::BakeError> {
/// let ground = Rect::new(DVec2::new(0.0, 80.0), DVec2::new(320.0, 96.0));
/// let pieces = vec![Piece {
///     shape: Shape::Box(ground),
///     material: Material::Solid,
///     origin: 0,
/// }];
/// let level = Level::in_memory("arena", Collision::Shapes(pieces), 320.0, 96.0);
/// let mut live = LiveLevel::new(level, Settings::for_agents(default_agents(16.0)))?;
/// let hole = Rect::new(DVec2::new(128.0, 80.0), DVec2::new(176.0, 96.0));
/// live.set_cells(hole, None);
/// let update = live.update()?;
/// assert_eq!(update.mesh.layers()[0].platforms().len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct LiveLevel {
    level: Level,
    settings: Settings,
    cache: BakeCache,
    mesh: Arc<NavMesh>,
    /// The origins of the shapes that were added.
    shapes: Vec<u32>,
    next: u32,
}

/// The bounds of pieces that only one of two levels has; `None` if they differ in more.
fn changed_places(old: &Level, new: &Level) -> Option<Vec<Rect>> {
    let (Collision::Shapes(was), Collision::Shapes(is)) = (&old.collision, &new.collision) else {
        return None;
    };
    if (old.bounds, old.tile_size, &old.markers) != (new.bounds, new.tile_size, &new.markers) {
        return None;
    }
    // How often the new level has a piece more than the old one.
    let mut more = BTreeMap::new();
    for (pieces, one) in [(was, -1), (is, 1)] {
        for Piece {
            shape, material, ..
        } in pieces
        {
            let corners = shape.corners();
            let bits = corners.iter().map(|at| at.to_array().map(f64::to_bits));
            let key = (*material, bits.collect::<Vec<_>>());
            more.entry(key).or_insert((0, shape.bounds())).0 += one;
        }
    }
    let changed = more.into_values().filter(|(count, _)| *count != 0);
    Some(changed.map(|(_, bounds)| bounds).collect())
}

/// A shape that a game has added to a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(u32);

/// The mesh of a level after an edit, for
/// [`Navigator::set_mesh`](navmesh_runtime::Navigator::set_mesh).
#[derive(Debug, Clone)]
pub struct LevelUpdate {
    /// The mesh before the edit.
    pub before: Arc<NavMesh>,
    /// The mesh after it.
    pub mesh: Arc<NavMesh>,
}

/// How a layer has changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LayerChanges {
    /// For each platform of the old mesh, the platform of the new one that has the same
    /// surface; `None` for those that have changed or gone.
    pub platforms: Vec<Option<PlatformId>>,
    /// Links of the old mesh that the new one does not have.
    pub links_gone: Vec<Link>,
    /// Links of the new mesh that the old one does not have.
    pub links_new: Vec<Link>,
}

impl LiveLevel {
    /// Bakes a level.
    ///
    /// # Errors
    /// As [`bake`](crate::bake()).
    pub fn new(level: Level, settings: Settings) -> Result<Self, BakeError> {
        Self::with_progress(level, settings, &NoProgress)
    }

    /// Bakes a level and reports the progress.
    ///
    /// # Errors
    /// As [`bake`](crate::bake()).
    pub fn with_progress(
        level: Level,
        settings: Settings,
        progress: &dyn Progress,
    ) -> Result<Self, BakeError> {
        let mut cache = BakeCache::default();
        let mesh = bake_again(&level, &settings, Some(&mut cache), usize::MAX, progress)?;
        Ok(Self {
            next: level.origins.len() as u32,
            level,
            settings,
            cache,
            mesh: Arc::new(mesh),
            shapes: Vec::new(),
        })
    }

    /// The level with all edits.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// Replaces the whole level, for games that have their levels in a form of their own. The
    /// next update takes over what has not changed, but shapes that were added are gone.
    pub fn set_level(&mut self, level: Level) {
        match changed_places(&self.level, &level) {
            Some(places) => self.cache.edits.extend(places),
            None => self.cache = BakeCache::default(),
        }
        self.next = level.origins.len() as u32;
        self.level = level;
        self.shapes.clear();
    }

    /// The settings that it bakes with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The mesh of the last update.
    pub fn mesh(&self) -> &Arc<NavMesh> {
        &self.mesh
    }

    /// Fills a rectangle (level pixels) with a material, or empties it. What was there is cut
    /// away, shapes that were added as well. In bitmaps, the rectangle is rounded to pixels.
    pub fn set_cells(&mut self, cells: Rect, material: Option<Material>) {
        if cells.min.is_nan() || cells.max.is_nan() {
            return;
        }
        let [min, max] = [cells.min.min(cells.max), cells.min.max(cells.max)];
        let most = DVec2::splat(MAX_COORDINATE);
        let cells = Rect::new(min.clamp(-most, most), max.clamp(-most, most));
        self.cache.edits.push(cells);
        match &mut self.level.collision {
            Collision::Shapes(pieces) => {
                let mut left = Vec::with_capacity(pieces.len() + 4);
                for piece in pieces.drain(..) {
                    // Cutting a slanted piece moves its corners to the lattice.
                    let bounds = piece.shape.bounds();
                    let is_cut =
                        bounds.max.cmpgt(cells.min).all() && cells.max.cmpgt(bounds.min).all();
                    if is_cut && matches!(piece.shape, Shape::Convex(_)) {
                        self.cache.edits.push(bounds);
                    }
                    cut_out(piece, &cells, &mut left);
                }
                left.extend(material.map(|material| Piece {
                    shape: Shape::Box(cells),
                    material,
                    origin: 0,
                }));
                *pieces = left;
            }
            Collision::Pixels(map) => {
                // Casts turn numbers below zero into zero.
                let [left, top] = cells.min.round().to_array().map(|at| at as u32);
                let [right, bottom] = cells.max.round().to_array().map(|at| at as u32);
                for plane in [
                    &mut map.solid,
                    &mut map.one_way,
                    &mut map.hazard,
                    &mut map.ladder,
                ] {
                    for row in top..bottom.min(plane.rows()) {
                        for column in left..right.min(plane.columns()) {
                            plane.set(column, row, false);
                        }
                    }
                }
                let plane = material.map(|material| map.plane_mut(material));
                if let Some(plane) = plane {
                    for row in top..bottom.min(plane.rows()) {
                        plane.set_run(row, left, right);
                    }
                }
            }
        }
    }

    /// Adds a shape to a level of shapes. `None` in a level that is a bitmap.
    pub fn add_shape(&mut self, shape: Shape, material: Material) -> Option<ShapeId> {
        let Collision::Shapes(pieces) = &mut self.level.collision else {
            return None;
        };
        let origin = self.next;
        self.next += 1;
        self.shapes.push(origin);
        self.cache.edits.push(shape.bounds());
        pieces.push(Piece {
            shape,
            material,
            origin,
        });
        Some(ShapeId(origin))
    }

    /// Removes what is left of a shape. Returns `false` if it was removed before.
    pub fn remove_shape(&mut self, id: ShapeId) -> bool {
        let Some(at) = self.shapes.iter().position(|&shape| shape == id.0) else {
            return false;
        };
        self.shapes.swap_remove(at);
        if let Collision::Shapes(pieces) = &mut self.level.collision {
            let gone = pieces.extract_if(.., |piece| piece.origin == id.0);
            self.cache
                .edits
                .extend(gone.map(|piece| piece.shape.bounds()));
        }
        true
    }

    /// Bakes all edits since the last update.
    ///
    /// # Errors
    /// As [`bake`](crate::bake()), such as a shape with a coordinate that is not finite. The mesh
    /// stays as it was then, and a later update tries again.
    pub fn update(&mut self) -> Result<LevelUpdate, BakeError> {
        self.finish(usize::MAX)
    }

    /// Does a part of an [`update`](Self::update): searches for the links of at most so many
    /// platforms, which take about a millisecond each. `None` when there are more: call it again,
    /// for instance in the next frame. Edits in between become part of the update, and what they
    /// touch is searched for again: after edits in every frame it may never be finished.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_within(&mut self, platforms: usize) -> Result<Option<LevelUpdate>, BakeError> {
        match self.finish(platforms.max(1)) {
            Err(BakeError::Unfinished) => Ok(None),
            done => done.map(Some),
        }
    }

    fn finish(&mut self, budget: usize) -> Result<LevelUpdate, BakeError> {
        let cache = Some(&mut self.cache);
        let mesh = bake_again(&self.level, &self.settings, cache, budget, &NoProgress)?;
        let mesh = Arc::new(mesh);
        let before = std::mem::replace(&mut self.mesh, Arc::clone(&mesh));
        Ok(LevelUpdate { before, mesh })
    }
}

impl LevelUpdate {
    /// How each layer has changed.
    pub fn changes(&self) -> Vec<LayerChanges> {
        let pairs = self.before.layers().iter().zip(self.mesh.layers());
        pairs.map(|(old, new)| changes(old, new)).collect()
    }
}

fn changes(old: &Layer, new: &Layer) -> LayerChanges {
    let surface = |platform: navmesh_runtime::mesh::Platform<'_>| {
        let points = platform.surface.iter();
        let points = points.map(|at| at.to_array().map(f32::to_bits));
        (platform.kind, points.collect::<Vec<_>>())
    };
    let known: BTreeMap<_, _> = new.platforms().map(|p| (surface(p), p.id)).collect();
    let motion = |link: &Link| {
        let ends = [link.from, link.to].map(|at| at.to_array().map(f32::to_bits));
        (link.kind, ends, link.duration.to_bits())
    };
    let [old_links, new_links] = [old, new].map(|layer| {
        let links = layer.links().iter();
        links
            .map(|link| (motion(link), *link))
            .collect::<BTreeMap<_, _>>()
    });
    let only_in = |a: &BTreeMap<_, Link>, b: &BTreeMap<_, Link>| {
        let links = a.iter().filter(|(key, _)| !b.contains_key(*key));
        links.map(|(_, link)| *link).collect()
    };
    LayerChanges {
        platforms: old
            .platforms()
            .map(|p| known.get(&surface(p)).copied())
            .collect(),
        links_gone: only_in(&old_links, &new_links),
        links_new: only_in(&new_links, &old_links),
    }
}

/// Adds to `out` what is left of a piece outside of a rectangle.
fn cut_out(piece: Piece, cells: &Rect, out: &mut Vec<Piece>) {
    let bounds = piece.shape.bounds();
    let is_outside = bounds.max.cmple(cells.min).any() || cells.max.cmple(bounds.min).any();
    if is_outside {
        out.push(piece);
        return;
    }
    // Above and below the rectangle, and then to the left and to the right of it.
    let [min, max] = [cells.min, cells.max];
    let Piece {
        shape: mut rest,
        material,
        origin,
    } = piece;
    for (axis, at, side) in [
        (1, min.y, -1.0),
        (1, max.y, 1.0),
        (0, min.x, -1.0),
        (0, max.x, 1.0),
    ] {
        let shape = half(&rest, axis, at, side);
        out.extend(shape.map(|shape| Piece {
            shape,
            material,
            origin,
        }));
        match half(&rest, axis, at, -side) {
            Some(other) => rest = other,
            None => return,
        }
    }
}

/// The part of a shape on one side of a level or upright line; `None` without any area.
fn half(shape: &Shape, axis: usize, at: f64, side: f64) -> Option<Shape> {
    match shape {
        Shape::Box(rect) => {
            let mut part = *rect;
            if side < 0.0 {
                part.max[axis] = part.max[axis].min(at);
            } else {
                part.min[axis] = part.min[axis].max(at);
            }
            (part.size().min_element() > 0.0).then_some(Shape::Box(part))
        }
        Shape::Convex(points) => {
            let mut part: Vec<DVec2> = Vec::with_capacity(points.len() + 2);
            for (i, &p) in points.iter().enumerate() {
                let q = points[(i + 1) % points.len()];
                let [a, b] = [p, q].map(|point| (point[axis] - at) * side);
                if a >= 0.0 {
                    part.push(p);
                }
                if a * b < 0.0 {
                    let mut cross = p.lerp(q, a / (a - b));
                    cross[axis] = at;
                    part.push(cross);
                }
            }
            part.dedup();
            let size = Rect::around(part.iter().copied())?.size();
            let is_thin = points.len() < 3;
            let has_size = if is_thin {
                size.max_element()
            } else {
                size.min_element()
            } > 0.0;
            (has_size && (is_thin || part.len() > 2)).then_some(Shape::Convex(part))
        }
    }
}
