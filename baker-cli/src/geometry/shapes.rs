//! Configuration space over convex pieces.

use glam::DVec2;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

use super::ladder::join;
use super::{
    Band, Blocker, BodyShape, BodySpace, Convex, FreePart, Interval, Ladder, Ledge, OneWayBarrier,
    merge,
};
use crate::source::{Material, PassDirection, Piece, Shape};

type Entry = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// Convex pieces grown by a body, in an R-tree.
pub struct ShapeSpace {
    body: BodyShape,
    /// Obstacles, after them one-way platforms, after them gates.
    shapes: Vec<Convex>,
    /// Whether feet can rest on it (the others only block).
    carries: Vec<bool>,
    /// What each came from.
    origins: Vec<u32>,
    /// Which obstacles are hazards.
    hazards: Vec<bool>,
    tree: RTree<Entry>,
    one_way_tree: RTree<Entry>,
    gate_tree: RTree<Entry>,
    /// Shapes from this index on are one-way platforms,
    first_one_way: usize,
    /// and from this one on gates.
    first_gate: usize,
    gates: Vec<OneWayBarrier>,
    ladders: Vec<Ladder>,
    /// Shapes with something to stand on, by the top of their box.
    by_top: Vec<u32>,
}

impl ShapeSpace {
    /// Grows `pieces` by a body.
    pub fn new(pieces: &[Piece], body: BodyShape) -> Self {
        let grow = |piece: &Piece| match &piece.shape {
            Shape::Box(r) => Convex::grown(
                [
                    r.min,
                    DVec2::new(r.max.x, r.min.y),
                    r.max,
                    DVec2::new(r.min.x, r.max.y),
                ],
                &body,
            ),
            Shape::Convex(points) => Convex::grown(points.iter().copied(), &body),
        };
        let ladders = join(pieces.iter().filter_map(|piece| {
            let (min, max) = bounds(&piece.shape)?;
            (piece.material == Material::Ladder).then(|| Ladder {
                x: Interval::new(min.x * body.scale, max.x * body.scale),
                top: min.y * body.scale,
                bottom: max.y * body.scale,
            })
        }));
        let mut shapes = Vec::new();
        let (mut carries, mut origins, mut hazards) = (Vec::new(), Vec::new(), Vec::new());
        for piece in pieces {
            let counts = match piece.material {
                Material::Solid => true,
                Material::Hazard => !body.ignores_hazards,
                Material::OneWay(way) => way != PassDirection::Up && !is_gate(piece, &body),
                Material::Ladder => false,
            };
            if counts {
                shapes.push(grow(piece));
                carries.push(piece.material == Material::Solid);
                origins.push(piece.origin);
                hazards.push(piece.material == Material::Hazard);
            }
        }
        let first_one_way = shapes.len();
        for piece in pieces {
            if piece.material == Material::OneWay(PassDirection::Up) {
                shapes.push(grow(piece));
                carries.push(true);
                origins.push(piece.origin);
            }
        }
        for ladder in ladders.iter().filter(|_| body.climbs_ladders) {
            let corners = [
                DVec2::new(ladder.x.lo, ladder.top),
                DVec2::new(ladder.x.hi, ladder.top),
                DVec2::new(ladder.x.hi, ladder.bottom),
                DVec2::new(ladder.x.lo, ladder.bottom),
            ];
            let unscaled = corners.map(|p| p / body.scale);
            shapes.push(Convex::grown(unscaled, &body));
            carries.push(true);
        }
        let first_gate = shapes.len();
        let mut gates = Vec::new();
        for piece in pieces {
            if let Material::OneWay(pass) = piece.material
                && pass != PassDirection::Up
                && is_gate(piece, &body)
            {
                let shape = grow(piece);
                let (min, max) = (shape.min(), shape.max());
                let (at, span) = match pass {
                    PassDirection::Right => (max.x, Interval::new(min.y, max.y)),
                    PassDirection::Left => (min.x, Interval::new(min.y, max.y)),
                    PassDirection::Down | PassDirection::Up => (max.y, Interval::new(min.x, max.x)),
                };
                gates.push(OneWayBarrier { at, span, pass });
                shapes.push(shape);
                carries.push(false);
            }
        }
        let index = |range: std::ops::Range<usize>| {
            let entry = |i: usize| {
                let (min, max) = (shapes[i].min(), shapes[i].max());
                let corners = Rectangle::from_corners(min.to_array(), max.to_array());
                GeomWithData::new(corners, i as u32)
            };
            RTree::bulk_load(range.map(entry).collect())
        };
        let tree = index(0..first_one_way);
        let one_way_tree = index(first_one_way..first_gate);
        let gate_tree = index(first_gate..shapes.len());
        let mut by_top: Vec<u32> = (0..shapes.len() as u32)
            .filter(|&i| carries[i as usize])
            .collect();
        by_top.sort_by(|&a, &b| {
            let (a, b) = (shapes[a as usize].min(), shapes[b as usize].min());
            a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
        });
        Self {
            body,
            shapes,
            carries,
            origins,
            hazards,
            tree,
            one_way_tree,
            gate_tree,
            first_one_way,
            first_gate,
            gates,
            ladders,
            by_top,
        }
    }

    /// Obstacles whose box meets a rectangle.
    fn near(&self, x: Interval, y: Band) -> impl Iterator<Item = &Convex> {
        self.within(&self.tree, x, y)
    }

    fn within<'a>(
        &'a self,
        tree: &'a RTree<Entry>,
        x: Interval,
        y: Band,
    ) -> impl Iterator<Item = &'a Convex> {
        tree.locate_in_envelope_intersecting(AABB::from_corners([x.lo, y.top], [x.hi, y.bottom]))
            .map(|entry| &self.shapes[entry.data as usize])
    }
}

impl BodySpace for ShapeSpace {
    fn body(&self) -> DVec2 {
        self.body.size
    }

    fn skin(&self) -> f64 {
        self.body.skin
    }

    fn overlaps(&self, x: Interval, y: Band) -> bool {
        self.near(x, y)
            .any(|shape| shape.meets(x, y, self.body.skin))
    }

    fn blocker(&self, p: DVec2) -> Option<Blocker> {
        let (x, y) = (Interval::new(p.x, p.x), Band::at(p.y));
        self.tree
            .locate_in_envelope_intersecting(AABB::from_corners(p.to_array(), p.to_array()))
            .map(|entry| entry.data as usize)
            .filter(|&i| self.shapes[i].meets(x, y, self.body.skin))
            // What is solid comes before what is a hazard as well.
            .min_by_key(|&i| (self.hazards.get(i).copied().unwrap_or(false), i))
            .map(|i| Blocker {
                hazard: self.hazards.get(i).copied().unwrap_or(false),
                origin: self.origins.get(i).copied(),
            })
    }

    fn blocked_x(&self, band: Band, window: Interval, out: &mut Vec<Interval>) {
        out.clear();
        out.extend(
            self.near(window, band)
                .filter_map(|shape| shape.extent(band)),
        );
        merge(out);
    }

    fn cuts(&self, fine: f64) -> Vec<f64> {
        let mut cuts = Vec::new();
        for shape in &self.shapes {
            cuts.extend(shape.corners().iter().map(|c| c.y));
        }
        cuts.sort_unstable_by(f64::total_cmp);
        cuts.dedup();
        // Between the corners of a slanted edge the extent keeps changing.
        let slanted = self.slanted();
        let mut extra = Vec::new();
        for pair in cuts.windows(2) {
            let (top, bottom) = (pair[0], pair[1]);
            let at = slanted.partition_point(|s| s.hi <= top);
            if slanted.get(at).is_some_and(|s| s.lo < bottom) {
                let parts = ((bottom - top) / fine).ceil().max(1.0);
                extra.extend((1..parts as u64).map(|i| top + (bottom - top) * (i as f64 / parts)));
            }
        }
        cuts.extend(extra);
        cuts.sort_unstable_by(f64::total_cmp);
        cuts
    }

    fn slanted(&self) -> Vec<Interval> {
        let mut slanted: Vec<Interval> = self
            .shapes
            .iter()
            .flat_map(Convex::edges)
            .filter(|(a, b)| a.x != b.x && a.y != b.y)
            .map(|(a, b)| Interval::new(a.y.min(b.y), a.y.max(b.y)))
            .collect();
        merge(&mut slanted);
        slanted
    }

    fn ledges(&self, band: Band, each: &mut dyn FnMut(Ledge)) {
        // A shape's highest point decides which band it is asked for in, so
        // that every ledge is reported in exactly one.
        let top = |i: &u32| self.shapes[*i as usize].min().y;
        let from = self.by_top.partition_point(|i| top(i) <= band.top);
        let to = self.by_top.partition_point(|i| top(i) <= band.bottom);
        for &i in &self.by_top[from..to] {
            debug_assert!(self.carries[i as usize]);
            let one_way = i as usize >= self.first_one_way;
            self.shapes[i as usize].upper(one_way).for_each(&mut *each);
        }
    }

    fn one_way_ledges(&self, x: Interval, y: Band, each: &mut dyn FnMut(Ledge)) {
        for shape in self.within(&self.one_way_tree, x, y) {
            shape.upper(true).for_each(&mut *each);
        }
    }

    fn gates(&self, x: Interval, y: Band, each: &mut dyn FnMut(OneWayBarrier)) {
        let window = AABB::from_corners([x.lo, y.top], [x.hi, y.bottom]);
        let mut near: Vec<usize> = self
            .gate_tree
            .locate_in_envelope_intersecting(window)
            .map(|entry| entry.data as usize - self.first_gate)
            .collect();
        near.sort_unstable();
        near.into_iter().map(|i| self.gates[i]).for_each(each);
    }

    fn ladders(&self) -> Vec<Ladder> {
        self.ladders.clone()
    }

    fn free_parts(&self, ledge: &Ledge, each: &mut dyn FnMut(FreePart)) {
        let x = ledge.x();
        let y = Band::new(
            ledge.left.y.min(ledge.right.y),
            ledge.left.y.max(ledge.right.y),
        );
        let tolerance = self.body.skin * 1e-2;
        let mut holes: Vec<Interval> = self
            .near(x, y)
            .filter_map(|shape| {
                if y.top == y.bottom {
                    shape.extent(y)
                } else {
                    shape.covers(ledge, tolerance)
                }
            })
            .collect();
        merge(&mut holes);
        FreePart::of(ledge, &holes, each);
    }
}

/// Whether a one-way piece is a gate for a body: a box, whose sides are
/// upright. What a slanted one would let through changes with the height; it
/// is closed both ways.
fn is_gate(piece: &Piece, body: &BodyShape) -> bool {
    !body.flies && matches!(piece.shape, Shape::Box(_))
}

/// The smallest box around a shape.
fn bounds(shape: &Shape) -> Option<(DVec2, DVec2)> {
    match shape {
        Shape::Box(r) => Some((r.min, r.max)),
        Shape::Convex(points) => {
            let min = points.iter().copied().reduce(DVec2::min)?;
            Some((min, points.iter().copied().reduce(DVec2::max)?))
        }
    }
}
