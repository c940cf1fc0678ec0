//! Meshes from which a part of the level was taken away, by a runtime that has no
//! geometry: crumbling ground, a bridge that falls.
//!
//! A mesh only knows where feet can be. So a floor is gone where nothing is left beneath
//! the body that was not in a removed region, and a vertex becomes free where bodies at
//! free places prove that the part of the body outside of the regions is. What is not
//! known stays as it was, so no body enters geometry that is left.

use std::sync::Arc;

use glam::Vec2;

use super::regions::{Rect, overlap, segment_inside};
use crate::mesh::{
    BitGrid, Cell, Direction, Layer, LayerParts, Link, NavMesh, OneWayBarrier, Platform,
    PlatformId, PlatformKind, Platforms, is_step,
};

/// Distances in grid spacings below which two positions count as equal: far above the
/// rounding of positions, far below what a body notices.
const SAME: f32 = 1e-3;

/// A stretch along a platform, a row or a column: its smaller and its larger coordinate.
type Span = [f32; 2];

/// What a mesh is without everything solid in some regions (world units). Layers that no
/// region touches are shared. `None` if none touches any.
pub fn without(mesh: &NavMesh, regions: &[Rect]) -> Option<Arc<NavMesh>> {
    let layers: Vec<Option<Layer>> = (mesh.layers().iter())
        .map(|layer| Removal::new(layer, regions).apply())
        .collect();
    if layers.iter().all(Option::is_none) {
        return None;
    }
    let kept = layers.into_iter().zip(mesh.layers());
    let layers = kept.map(|(new, old)| new.unwrap_or_else(|| old.clone()));
    Some(Arc::new(mesh.with_layers(layers.collect())))
}

/// What is removed from a layer. All positions have y downwards.
struct Removal<'a> {
    layer: &'a Layer,
    regions: Vec<Rect>,
    /// Width and height.
    body: Vec2,
    /// Distance below which positions count as equal.
    same: f32,
}

/// A part of a platform that is left.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// The platform that it was a part of.
    of: PlatformId,
    id: PlatformId,
    span: Span,
    /// The stretch of all of that platform.
    whole: Span,
}

impl Piece {
    /// Whether the piece goes on for some way before and behind a coordinate along it, except
    /// where its platform ended before.
    fn has_room(&self, along: f32, before: f32, behind: f32) -> bool {
        let [low, high] = self.span;
        (low == self.whole[0] || before <= along - low)
            && (high == self.whole[1] || behind <= high - along)
    }
}

impl<'a> Removal<'a> {
    fn new(layer: &'a Layer, regions: &[Rect]) -> Self {
        let grid = layer.grid();
        let body = Vec2::from(layer.profile().body);
        let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
        let origin = grid.y_down(grid.origin).as_vec2();
        let level = Rect::new(origin, origin + size);
        let same = SAME * grid.spacing;
        let regions = regions.iter().map(|region| {
            let [a, b] = [region.min, region.max].map(|corner| grid.y_down(corner).as_vec2());
            let Rect { min, max } = Rect::new(a, b);
            // Nothing is beyond the borders of the level.
            let far = size + body;
            Rect {
                min: Vec2::select(min.cmple(level.min + same), min.min(level.min - far), min),
                max: Vec2::select(max.cmpge(level.max - same), max.max(level.max + far), max),
            }
        });
        let reach = Rect {
            min: level.min - body,
            max: level.max + body,
        };
        Self {
            layer,
            regions: regions.filter(|region| overlap(*region, reach)).collect(),
            body,
            same,
        }
    }

    /// A point with y downwards, or back.
    fn turn(&self, point: Vec2) -> Vec2 {
        Vec2::new(point.x, point.y * self.layer.grid().y_axis.down())
    }

    /// The layer that is left; `None` if nothing changes.
    fn apply(&self) -> Option<Layer> {
        let old = self.layer.stored_parts();
        let mut blocked = old.blocked.clone();
        // The exact air of agents that only fly stays as it is.
        if old.air.is_empty() {
            self.free_vertices(&mut blocked);
        }
        let (mut surfaces, mut pieces) = (Vec::new(), Vec::new());
        let mut is_cut = blocked != old.blocked;
        for platform in old.platforms.iter() {
            let whole = platform.extent().into();
            let left = self.left_of(&platform);
            is_cut |= left[..] != [whole];
            for span in left {
                pieces.push(Piece {
                    of: platform.id,
                    id: PlatformId(surfaces.len() as u32),
                    span,
                    whole,
                });
                surfaces.push((platform.kind, part_of(&platform, span)));
            }
        }
        let barriers = self.barriers();
        if !is_cut && barriers == old.barriers {
            return None;
        }
        let platforms = Platforms::of_kinds(surfaces).ok()?;
        let links = old.links.iter();
        let mut links: Vec<Link> = links
            .filter_map(|link| self.link_between(link, &pieces))
            .collect();
        links.sort_by_key(|link| link.from_platform);
        let parts = LayerParts {
            profile: old.profile.clone(),
            blocked,
            platforms,
            links,
            barriers,
            air: old.air.clone(),
            lines: old.lines.clone(),
        };
        let grid = self.layer.grid();
        let bottom = grid.y_down(grid.position(Cell {
            column: 0,
            row: grid.rows,
        }));
        let holes = self.regions.iter().map(|hole| {
            let left = Vec2::new(hole.min.x, hole.max.y);
            [left, hole.max]
        });
        let mut layer = Layer::new(parts, &[], grid).ok()?;
        layer.hole_bottoms = holes.filter(|[left, _]| left.y < bottom.y as f32).collect();
        Some(layer)
    }

    /// The piece of a platform that holds a position.
    fn piece_at(&self, pieces: &[Piece], platform: PlatformId, at: Vec2) -> Option<Piece> {
        let along = self.layer.kind(platform).along(at);
        let first = pieces.partition_point(|piece| piece.of < platform);
        let all = pieces.get(first..)?.iter();
        let mut of_platform = all.take_while(|piece| piece.of == platform);
        let holds = |piece: &&Piece| piece.span[0] <= along && along <= piece.span[1];
        of_platform.find(holds).copied()
    }

    /// A link on what is left of its platforms, if the body still has room to run up.
    /// Without room to be displaced or to stop there, it has no tolerance.
    fn link_between(&self, link: &Link, pieces: &[Piece]) -> Option<Link> {
        let from = self.piece_at(pieces, link.from_platform, link.from)?;
        let to = self.piece_at(pieces, link.to_platform, link.to)?;
        let profile = self.layer.profile();
        let aside = link.tolerance * profile.run_speed;
        let [start, end] = [link.from_platform, link.to_platform].map(|id| self.layer.kind(id));
        let speed = link.params.start_speed().unwrap_or(0.0) as f32;
        let run_up = speed * speed / (2.0 * profile.acceleration);
        let [left, right] = if speed > 0.0 {
            [run_up, 0.0]
        } else {
            [0.0, run_up]
        };
        let [take_off, landing] = [start.along(link.from), end.along(link.to)];
        if start == PlatformKind::Floor && !from.has_room(take_off, left, right) {
            return None;
        }
        let stop = profile.run_speed * profile.run_speed / (2.0 * profile.deceleration) + aside;
        let is_loose = !link.kind.is_airborne()
            || from.has_room(take_off, aside, aside) && to.has_room(landing, stop, stop);
        Some(Link {
            from_platform: from.id,
            to_platform: to.id,
            tolerance: if is_loose { link.tolerance } else { 0.0 },
            ..*link
        })
    }

    /// The stretches of a platform that are left, in order.
    fn left_of(&self, platform: &Platform<'_>) -> Vec<Span> {
        let (low, high) = platform.extent();
        let ends = (platform.surface.iter()).fold(
            Rect::new(platform.left(), platform.right()),
            |all, &p| Rect {
                min: all.min.min(p),
                max: all.max.max(p),
            },
        );
        let [a, b] = [ends.min, ends.max].map(|corner| self.turn(corner));
        let ends = Rect::new(a - self.body, b + self.body);
        if !self.regions.iter().any(|rect| overlap(*rect, ends)) {
            return vec![[low, high]];
        }
        let mut gone = match platform.kind {
            PlatformKind::Floor => self.gone_of_floor(platform),
            PlatformKind::Ladder => {
                let at = platform.left().x;
                let covers = |rect: &&Rect| rect.min.x <= at && at <= rect.max.x;
                let spans = self
                    .regions
                    .iter()
                    .filter(covers)
                    .map(|rect| [rect.min.y, rect.max.y]);
                self.upright(
                    [a.y.min(b.y), a.y.max(b.y)],
                    &united(spans.collect(), self.same),
                    0.0,
                )
            }
            PlatformKind::Wall => {
                self.gone_of_wall(platform.left().x, [a.y.min(b.y), a.y.max(b.y)])
            }
            PlatformKind::Ceiling => self.gone_of_ceiling(a.y, [low, high]),
        };
        // Along upright platforms, y may grow upwards.
        if platform.kind.is_upright() && self.layer.grid().y_axis.down() < 0.0 {
            gone = gone
                .into_iter()
                .rev()
                .map(|[low, high]| [-high, -low])
                .collect();
        }
        self.subtract([low, high], gone)
    }

    /// What is left of a stretch. A piece that is shorter than the slack is no place to be.
    fn subtract(&self, [low, high]: Span, gone: Vec<Span>) -> Vec<Span> {
        let mut left = Vec::new();
        let mut at = low;
        for [from, to] in united(gone, self.same) {
            // Where it is cut, the body has no support exactly at the cut.
            let end = if from <= low { low } else { from - self.same };
            if end - at > self.same {
                left.push([at, end]);
            }
            at = at.max(to + self.same);
        }
        if at == low || high - at > self.same {
            left.push([at, high]);
        }
        left
    }

    /// The stretches of a floor beneath which nothing is left.
    fn gone_of_floor(&self, floor: &Platform<'_>) -> Vec<Span> {
        let points: Vec<Vec2> = floor.surface.iter().map(|p| self.turn(*p)).collect();
        let mut gone = Vec::new();
        let mut first = 0;
        while first < points.len() {
            let mut last = first;
            while points
                .get(last + 1)
                .is_some_and(|p| (p.y - points[first].y).abs() <= self.same)
            {
                last += 1;
            }
            self.add_gone_of_flat(floor, &points, [first, last], &mut gone);
            if let Some(&next) = points.get(last + 1)
                && !is_step(points[last], next)
            {
                self.add_gone_of_slope([points[last], next], &mut gone);
            }
            first = last + 1;
        }
        gone.sort_by(|a: &Span, b: &Span| a[0].total_cmp(&b[0]));
        gone
    }

    /// On level ground, a body is held by all of it below its width.
    fn add_gone_of_flat(
        &self,
        floor: &Platform<'_>,
        points: &[Vec2],
        [first, last]: [usize; 2],
        gone: &mut Vec<Span>,
    ) {
        let [left, right] = [points[first], points[last]];
        let y = left.y;
        let is_under = |rect: &&Rect| rect.min.y <= y + self.same && y + self.same < rect.max.y;
        let spans: Vec<Span> = (self.regions.iter().filter(is_under))
            .map(|rect| [rect.min.x, rect.max.x])
            .collect();
        // Beyond an end that does not hang over, the ground goes on below the body.
        let before = first.checked_sub(1).and_then(|i| points.get(i));
        let ends = [(before, left, -1.0), (points.get(last + 1), right, 1.0)].map(
            |(beyond, end, side)| match beyond {
                Some(beyond) => beyond.y > y,
                None => self.hangs_over(floor, end, side),
            },
        );
        self.add_held_from_below([left.x, right.x], &united(spans, self.same), ends, gone);
    }

    /// The stretches of a line at which all that holds the body, which is as long as its
    /// width around the feet, is in `regions`. At an end that `hangs` over, what holds it
    /// begins half a width farther inside.
    fn add_held_from_below(
        &self,
        [left, right]: Span,
        regions: &[Span],
        hangs: [bool; 2],
        gone: &mut Vec<Span>,
    ) {
        let half = 0.5 * self.body.x;
        for &[low, high] in regions {
            let from = if hangs[0] && low <= left + half + self.same {
                left
            } else {
                low + half
            };
            let to = if hangs[1] && right - half - self.same <= high {
                right
            } else {
                high - half
            };
            let span = [from.max(left), to.min(right)];
            if span[0] < span[1] || left == right && span[0] == span[1] {
                gone.push(span);
            }
        }
    }

    /// Whether the end of a floor may be an edge over which a body hangs, and not where the
    /// ground goes on on another platform, or the border of the level. Vertices cannot tell an
    /// edge from a wall close to it, so an end at a wall counts as an edge: no body is left on
    /// air.
    fn hangs_over(&self, floor: &Platform<'_>, end: Vec2, side: f32) -> bool {
        let (layer, grid) = (self.layer, self.layer.grid());
        let at = self.turn(end);
        let reach = Vec2::splat(10.0 * self.same);
        let mut goes_on = false;
        layer.floor_segments(at - reach, at + reach, |id, a, b| {
            let is_other = id != floor.id && layer.kind(id) == PlatformKind::Floor;
            let is_beyond = (a.x - at.x) * side >= 0.0 && (b.x - at.x) * side >= 0.0;
            goes_on |= is_other && is_beyond && (a.y - at.y).abs() <= reach.y;
        });
        let far = at.x + side * 0.5 * self.body.x;
        let right = grid.origin.x + grid.columns as f32 * grid.spacing;
        !goes_on && grid.origin.x < far - self.same && far + self.same < right
    }

    /// On a slope, a body is held by its uphill corner.
    fn add_gone_of_slope(&self, [a, b]: [Vec2; 2], gone: &mut Vec<Span>) {
        let uphill = if b.y < a.y { 0.5 } else { -0.5 };
        let corner = Vec2::new(uphill * self.body.x, self.same);
        for rect in &self.regions {
            if let Some((enter, leave)) = segment_inside(*rect, a + corner, b + corner) {
                gone.push([enter, leave].map(|share| a.lerp(b, share as f32).x));
            }
        }
    }

    /// The stretches of a wall, beside which the feet are at `x`, where nothing is left to
    /// hold on to.
    fn gone_of_wall(&self, x: f32, span: Span) -> Vec<Span> {
        let (half, same) = (0.5 * self.body.x, self.same);
        let [left, right] = [x - half, x + half];
        let [is_left, is_right] = [-1.0, 1.0].map(|side| self.is_blocked_beside(x, side, span));
        let is_wall = |rect: &&Rect| {
            is_right && rect.min.x <= right + same && right + same < rect.max.x
                || is_left && rect.min.x < left - same && left - same <= rect.max.x
        };
        let regions = self.regions.iter().filter(is_wall);
        let spans = regions.map(|rect| [rect.min.y, rect.max.y]);
        self.upright(span, &united(spans.collect(), same), self.body.y)
    }

    /// Whether the vertices to one side of an upright line are blocked: a wall may be there.
    fn is_blocked_beside(&self, x: f32, side: f32, [top, bottom]: Span) -> bool {
        let (grid, same) = (self.layer.grid(), self.same);
        let at = (x + side * same - grid.origin.x) / grid.spacing - 0.5;
        let column = if side < 0.0 { at.floor() } else { at.ceil() };
        let inside = Vec2::new(x, top + same);
        let mut rows = self.rows(Rect {
            min: inside,
            max: Vec2::new(x, bottom - same),
        });
        // Nothing is known outside of the grid.
        column < 0.0 || rows.all(|row| self.layer.blocked().get(column as u32, row))
    }

    /// The stretches of an upright line at which all that a body of this height holds on
    /// to is in some regions. It reaches up from the feet.
    fn upright(&self, [top, bottom]: Span, regions: &[Span], height: f32) -> Vec<Span> {
        let gone = regions.iter().map(|&[low, high]| {
            let from = if low <= top + self.same {
                top
            } else {
                low + height
            };
            let to = if bottom - height - self.same <= high {
                bottom
            } else {
                high
            };
            [from.max(top), to.min(bottom)]
        });
        gone.filter(|[low, high]| low < high).collect()
    }

    /// The stretches of a ceiling, below which the feet are at `y`, where nothing is left
    /// to hold on to.
    fn gone_of_ceiling(&self, y: f32, span: Span) -> Vec<Span> {
        let face = y - self.body.y - self.same;
        let is_ceiling = |rect: &&Rect| rect.min.y < face && face <= rect.max.y;
        let spans = self
            .regions
            .iter()
            .filter(is_ceiling)
            .map(|rect| [rect.min.x, rect.max.x]);
        let mut gone = Vec::new();
        self.add_held_from_below(
            span,
            &united(spans.collect(), self.same),
            [true; 2],
            &mut gone,
        );
        gone
    }

    /// What is left of the one-way walls and ceilings.
    fn barriers(&self) -> Vec<OneWayBarrier> {
        let down = self.layer.grid().y_axis.down();
        let mut all = Vec::new();
        for &barrier in self.layer.barriers() {
            let OneWayBarrier {
                pass,
                at,
                low,
                high,
            } = barrier;
            let gone = match pass {
                Direction::Down => self.gone_of_ceiling(at * down, [low, high]),
                Direction::Left | Direction::Right => {
                    let ends = [low * down, high * down];
                    let gone = self.gone_of_wall(at, [ends[0].min(ends[1]), ends[0].max(ends[1])]);
                    if down > 0.0 {
                        gone
                    } else {
                        gone.into_iter()
                            .rev()
                            .map(|[low, high]| [-high, -low])
                            .collect()
                    }
                }
            };
            let left = self.subtract([low, high], gone);
            all.extend(left.into_iter().map(|[low, high]| OneWayBarrier {
                low,
                high,
                ..barrier
            }));
        }
        all
    }

    /// Frees the vertices at which nothing but removed regions can block the body: bodies at
    /// free vertices and on level floors cover the rest of it.
    fn free_vertices(&self, blocked: &mut BitGrid) {
        for region in &self.regions {
            self.free_vertices_at(*region, blocked);
        }
    }

    fn free_vertices_at(&self, region: Rect, blocked: &mut BitGrid) {
        let (grid, body) = (self.layer.grid(), self.body);
        // Feet at which the body meets the region, and those at which a body meets such a one.
        let feet = Rect {
            min: region.min - Vec2::new(0.5 * body.x, 0.0),
            max: region.max + Vec2::new(0.5 * body.x, body.y),
        };
        let near = Rect {
            min: feet.min - body,
            max: feet.max + body,
        };
        let mut known: Vec<Rect> = self
            .regions
            .iter()
            .copied()
            .filter(|rect| overlap(*rect, near))
            .collect();
        let (columns, rows) = (self.columns(near), self.rows(near));
        for row in rows {
            for column in columns.clone() {
                if !self.layer.blocked().get(column, row) {
                    known.push(self.body_at(self.turn(grid.position(Cell { column, row }))));
                }
            }
        }
        let [a, b] = [self.turn(near.min), self.turn(near.max)];
        self.layer.floor_segments(a.min(b), a.max(b), |id, a, b| {
            if self.layer.kind(id) == PlatformKind::Floor && (a.y - b.y).abs() <= self.same {
                let [left, right] = [a, b].map(|feet| self.body_at(self.turn(feet)));
                known.push(Rect {
                    min: left.min.max(Vec2::new(f32::MIN, right.min.y)),
                    max: right.max,
                });
            }
        });
        let cover = Cover::new(near, &known, self.same);
        for row in self.rows(feet) {
            for column in self.columns(feet) {
                let at = self.body_at(self.turn(grid.position(Cell { column, row })));
                if blocked.get(column, row) && cover.covers(at) {
                    blocked.set(column, row, false);
                }
            }
        }
    }

    /// The body with its feet at a position.
    fn body_at(&self, feet: Vec2) -> Rect {
        Rect {
            min: feet - Vec2::new(0.5 * self.body.x, self.body.y),
            max: feet + Vec2::new(0.5 * self.body.x, 0.0),
        }
    }

    /// The columns of vertices inside a rectangle.
    fn columns(&self, rect: Rect) -> std::ops::Range<u32> {
        let grid = self.layer.grid();
        let at = |x: f32| ((x - grid.origin.x) / grid.spacing - 0.5).max(0.0);
        // Casts turn numbers that are too large into the largest.
        (at(rect.min.x).ceil() as u32)..(at(rect.max.x).ceil() as u32).min(grid.columns)
    }

    /// The rows of vertices inside a rectangle.
    fn rows(&self, rect: Rect) -> std::ops::Range<u32> {
        let grid = self.layer.grid();
        let top = grid.origin.y * grid.y_axis.down();
        let at = |y: f32| ((y - top) / grid.spacing - 1.0).max(0.0);
        (at(rect.min.y).ceil() as u32)..(at(rect.max.y).ceil() as u32).min(grid.rows)
    }
}

/// The part of a platform between two coordinates along it.
fn part_of(platform: &Platform<'_>, [low, high]: Span) -> Vec<Vec2> {
    let (first, last) = platform.extent();
    if [low, high] == [first, last] {
        return platform.surface.to_vec();
    }
    let inside = platform.surface.iter().copied().filter(|&point| {
        let along = platform.along(point);
        low < along && along < high || along == low && low == first || along == high && high == last
    });
    let start = (low > first).then(|| platform.at(low));
    let end = (high < last).then(|| platform.at(high));
    start.into_iter().chain(inside).chain(end).collect()
}

/// Stretches in order, of which those that overlap or touch are joined.
fn united(mut spans: Vec<Span>, slack: f32) -> Vec<Span> {
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    spans.dedup_by(|next, last| {
        let joined = next[0] <= last[1] + slack;
        if joined {
            last[1] = last[1].max(next[1]);
        }
        joined
    });
    spans
}

/// Which parts of an area some rectangles cover together. Their sides divide it into
/// cells, each of which is covered whole or not at all.
struct Cover {
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// For each corner of cells, the number of cells above and to the left of it that are
    /// not covered.
    bare: Vec<u32>,
    slack: f32,
}

impl Cover {
    fn new(area: Rect, rects: &[Rect], slack: f32) -> Self {
        let sides = |side: fn(&Rect) -> [f32; 2], [low, high]: Span| {
            let mut all: Vec<f32> = rects.iter().chain([&area]).flat_map(side).collect();
            all.retain(|at| (low..=high).contains(at));
            all.sort_by(f32::total_cmp);
            // Sides that differ by rounding are one.
            all.dedup_by(|next, last| *next - *last <= slack);
            all
        };
        let mut this = Self {
            xs: sides(|rect| [rect.min.x, rect.max.x], [area.min.x, area.max.x]),
            ys: sides(|rect| [rect.min.y, rect.max.y], [area.min.y, area.max.y]),
            bare: Vec::new(),
            slack,
        };
        let (width, height) = (this.xs.len(), this.ys.len());
        let mut covered = vec![false; width * height];
        for rect in rects {
            let [columns, rows] = this.cells(*rect);
            for row in rows {
                covered[row * width..][columns.clone()].fill(true);
            }
        }
        this.bare = vec![0; width * height];
        for row in 1..height {
            let mut sum = 0;
            for column in 1..width {
                sum += u32::from(!covered[(row - 1) * width + column - 1]);
                this.bare[row * width + column] = this.bare[(row - 1) * width + column] + sum;
            }
        }
        this
    }

    /// The columns and the rows of the cells that a rectangle meets.
    fn cells(&self, rect: Rect) -> [std::ops::Range<usize>; 2] {
        let between = |sides: &[f32], from: f32, to: f32| {
            let first = sides.partition_point(|&side| side <= from + self.slack);
            let end = sides.partition_point(|&side| side < to - self.slack);
            let end = end.min(sides.len().saturating_sub(1));
            first.saturating_sub(1).min(end)..end
        };
        [
            between(&self.xs, rect.min.x, rect.max.x),
            between(&self.ys, rect.min.y, rect.max.y),
        ]
    }

    /// Whether all of a rectangle inside the area is covered.
    fn covers(&self, rect: Rect) -> bool {
        let [columns, rows] = self.cells(rect);
        let width = self.xs.len();
        let at = |row: usize, column: usize| self.bare[row * width + column];
        at(rows.end, columns.end) + at(rows.start, columns.start)
            == at(rows.start, columns.end) + at(rows.end, columns.start)
    }
}
