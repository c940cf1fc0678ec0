//! The geometry of drawn levels, checked piece by piece and pixel by pixel with
//! separating axes and plain loops. Shares no code with the baker.

use std::collections::BTreeMap;

use glam::DVec2;
use navmesh_bake::{Collision, Level, Material, PassDirection, Shape};

use super::{Geometry, Spans};

/// A level for the independent checks; one world unit is one pixel.
pub struct Drawn {
    /// Solid and hazardous pieces, as corners.
    blocking: Pieces,
    /// Pieces that carry.
    carrying: Pieces,
    /// One-way tops: left, right.
    tops: Vec<(DVec2, DVec2)>,
    /// Tops of solid pieces: left, right.
    solid_tops: Vec<(DVec2, DVec2)>,
    /// Boxes that are passed down, left or right.
    one_ways: Vec<(char, DVec2, DVec2)>,
    width: f64,
}

impl Drawn {
    /// For agents on the ground, which pass one-way walls and ceilings.
    pub fn with_gates(level: &Level) -> Self {
        let mut this = Self::new(level);
        let Collision::Shapes(pieces) = &level.collision else {
            return this;
        };
        this.blocking = Pieces::default();
        for piece in pieces {
            match (piece.material, &piece.shape) {
                (Material::OneWay(way), Shape::Box(r)) if way != PassDirection::Up => {
                    let way = match way {
                        PassDirection::Left => '<',
                        PassDirection::Right => '>',
                        _ => 'v',
                    };
                    this.one_ways.push((way, r.min, r.max));
                }
                (Material::OneWay(PassDirection::Up) | Material::Ladder, _) => {}
                _ => this.blocking.push(corners(&piece.shape)),
            }
        }
        this
    }

    /// For agents that fly: one-way walls and ceilings are closed from both
    /// sides.
    pub fn new(level: &Level) -> Self {
        let mut this = Self {
            blocking: Pieces::default(),
            carrying: Pieces::default(),
            tops: Vec::new(),
            solid_tops: Vec::new(),
            one_ways: Vec::new(),
            width: level.bounds.max.x,
        };
        match &level.collision {
            Collision::Shapes(pieces) => {
                for piece in pieces {
                    this.add(corners(&piece.shape), piece.material);
                }
            }
            Collision::Pixels(map) => {
                let planes = [
                    (&map.solid, Material::Solid),
                    (&map.hazard, Material::Hazard),
                    (&map.one_way, Material::OneWay(PassDirection::Up)),
                ];
                for (plane, material) in planes {
                    for y in 0..plane.rows() {
                        // A run of pixels is one box.
                        for run in plane.runs(y) {
                            let above = material != Material::Solid && material != Material::Hazard;
                            let hidden = above && y > 0 && run.clone().all(|x| plane.get(x, y - 1));
                            if !hidden {
                                let (a, b) = (f64::from(run.start), f64::from(run.end));
                                this.add(
                                    rectangle(a, f64::from(y), b, f64::from(y) + 1.0),
                                    material,
                                );
                            }
                        }
                    }
                }
            }
        }
        this
    }

    /// Whether feet that move from `a` to `b` pass below a one-way top by more
    /// than `slack`.
    pub fn sinks(&self, a: DVec2, b: DVec2, body: DVec2, slack: f64) -> bool {
        self.tops.iter().any(|&(l, r)| {
            let (lo, hi) = (l.x - 0.5 * body.x + 1e-9, r.x + 0.5 * body.x - 1e-9);
            // A body that leaves the top falls past its end.
            if b.x <= lo || b.x >= hi {
                return false;
            }
            // Where the body enters the range of the top, if it began outside.
            let enters = a.x.clamp(lo, hi);
            let a = a.lerp(
                b,
                if a.x == b.x {
                    0.0
                } else {
                    (enters - a.x) / (b.x - a.x)
                },
            );
            let height = |x: f64| rest((l, r), x, body);
            let (from, to) = (height(enters), height(b.x));
            from.is_some_and(|y| a.y <= y + 1e-6) && to.is_some_and(|y| b.y > y + slack)
        })
    }

    /// Heights at which a body at `x` would rest if nothing else was there.
    pub fn rests(&self, x: f64, body: DVec2) -> Vec<f64> {
        let tops = self.tops.iter().chain(&self.solid_tops);
        tops.filter_map(|top| rest(*top, x, body)).collect()
    }

    fn add(&mut self, corners: Vec<DVec2>, material: Material) {
        match material {
            Material::Solid => {
                self.blocking.push(corners.clone());
                self.solid_tops.extend(upper(&corners));
                self.carrying.push(corners);
            }
            Material::OneWay(way) if way != PassDirection::Up => self.blocking.push(corners),
            Material::Hazard => self.blocking.push(corners),
            Material::OneWay(_) => {
                self.tops.extend(upper(&corners));
                self.carrying.push(corners);
            }
            Material::Ladder => {}
        }
    }
}

/// Outlines by the rows of 8 pixels they meet.
#[derive(Default)]
struct Pieces {
    all: Vec<Vec<DVec2>>,
    rows: BTreeMap<i64, Vec<usize>>,
}

impl Pieces {
    fn row(y: f64) -> i64 {
        (y / 8.0).floor() as i64
    }

    fn push(&mut self, corners: Vec<DVec2>) {
        let top = corners.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let bottom = corners
            .iter()
            .map(|p| p.y)
            .fold(f64::NEG_INFINITY, f64::max);
        for row in Self::row(top)..=Self::row(bottom) {
            self.rows.entry(row).or_default().push(self.all.len());
        }
        self.all.push(corners);
    }

    /// Outlines that may meet some heights; some more than once.
    fn near(&self, top: f64, bottom: f64) -> impl Iterator<Item = &Vec<DVec2>> {
        let rows = self
            .rows
            .range(Self::row(top)..=Self::row(bottom).max(Self::row(top)));
        rows.flat_map(|(_, list)| list.iter().map(|&i| &self.all[i]))
    }
}

fn rectangle(x0: f64, y0: f64, x1: f64, y1: f64) -> Vec<DVec2> {
    vec![
        DVec2::new(x0, y0),
        DVec2::new(x1, y0),
        DVec2::new(x1, y1),
        DVec2::new(x0, y1),
    ]
}

fn corners(shape: &Shape) -> Vec<DVec2> {
    match shape {
        Shape::Box(r) => rectangle(r.min.x, r.min.y, r.max.x, r.max.y),
        Shape::Convex(points) => points.clone(),
    }
}

/// The upper outline: edges with the rest of the piece below, left end first.
fn upper(corners: &[DVec2]) -> Vec<(DVec2, DVec2)> {
    let n = corners.len();
    let centre = corners.iter().sum::<DVec2>() / n as f64;
    let edges = (0..n).map(|i| (corners[i], corners[(i + 1) % n]));
    edges
        .map(|(a, b)| if a.x < b.x { (a, b) } else { (b, a) })
        .filter(|(l, r)| r.x > l.x && (*r - *l).perp_dot(centre - *l) >= 0.0)
        .collect()
}

/// The height at which a body at `x` rests on a top.
fn rest((l, r): (DVec2, DVec2), x: f64, body: DVec2) -> Option<f64> {
    let (from, to) = (l.x.max(x - 0.5 * body.x), r.x.min(x + 0.5 * body.x));
    let at = |x: f64| l.y + (r.y - l.y) * (x - l.x) / (r.x - l.x);
    (from < to).then(|| at(from).min(at(to)))
}

/// Whether a convex outline and a box overlap inside: no axis separates them.
fn overlap(corners: &[DVec2], min: DVec2, max: DVec2) -> bool {
    let far = corners.iter().all(|p| p.x <= min.x) || corners.iter().all(|p| p.x >= max.x);
    if far {
        return false;
    }
    let mut axes = vec![DVec2::X, DVec2::Y];
    for i in 0..corners.len() {
        let edge = corners[(i + 1) % corners.len()] - corners[i];
        if edge.length() > 0.0 {
            axes.push(edge.perp().normalize());
        }
    }
    let square = rectangle(min.x, min.y, max.x, max.y);
    axes.iter().all(|axis| {
        let span = |points: &[DVec2]| {
            points
                .iter()
                .map(|p| p.dot(*axis))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| {
                    (lo.min(v), hi.max(v))
                })
        };
        let (a, b) = (span(corners), span(&square));
        // A thin wall has no inside; a box on both sides of it overlaps it.
        if a.0 == a.1 {
            b.0 < a.0 && a.0 < b.1
        } else {
            a.0 < b.1 && b.0 < a.1
        }
    })
}

/// The x-extent of the part of a convex outline between two heights.
fn extent(corners: &[DVec2], top: f64, bottom: f64) -> Option<(f64, f64)> {
    let n = corners.len();
    let mut xs = Vec::new();
    for i in 0..n {
        let (a, b) = (corners[i], corners[(i + 1) % n]);
        if top <= a.y && a.y <= bottom {
            xs.push(a.x);
        }
        for y in [top, bottom] {
            if (a.y - y) * (b.y - y) < 0.0 {
                xs.push(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
            }
        }
    }
    let lo = xs.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ys = |pick: fn(f64, f64) -> f64, start| corners.iter().map(|p| p.y).fold(start, pick);
    let meets = ys(f64::min, f64::INFINITY) < bottom && top < ys(f64::max, f64::NEG_INFINITY);
    (meets && lo <= hi).then_some((lo, hi))
}

impl Geometry for Drawn {
    fn blocked(&self, p: DVec2, body: DVec2, skin: f64) -> bool {
        let min = DVec2::new(p.x - 0.5 * body.x + skin, p.y - body.y + skin);
        let max = DVec2::new(p.x + 0.5 * body.x - skin, p.y - skin);
        self.blocking
            .near(min.y, max.y)
            .any(|c| overlap(c, min, max))
    }

    fn supported(&self, p: DVec2, body: DVec2, reach: f64) -> bool {
        let min = DVec2::new(p.x - 0.5 * body.x, p.y - reach);
        let max = DVec2::new(p.x + 0.5 * body.x, p.y + reach);
        self.carrying
            .near(min.y, max.y)
            .any(|c| overlap(c, min, max))
    }

    fn blocked_x(&self, feet: (f64, f64), body: DVec2, slack: f64) -> Spans {
        let (top, bottom) = (feet.0 - body.y + slack + 1e-9, feet.1 - slack - 1e-9);
        let grown = |(a, b): (f64, f64)| (a - 0.5 * body.x + slack, b + 0.5 * body.x - slack);
        self.blocking
            .near(top, bottom)
            .filter_map(|c| extent(c, top, bottom))
            .map(grown)
            .collect()
    }

    fn one_way_x(&self, y: f64, body: DVec2, slack: f64) -> Spans {
        let at = self
            .tops
            .iter()
            .filter(|(l, r)| (l.y - y).abs() < 1e-6 && (r.y - y).abs() < 1e-6);
        at.map(|(l, r)| (l.x - 0.5 * body.x + slack, r.x + 0.5 * body.x - slack))
            .collect()
    }

    fn heights(&self) -> Vec<f64> {
        let mut heights: Vec<f64> = self
            .carrying
            .all
            .iter()
            .map(|c| c.iter().map(|p| p.y).fold(f64::INFINITY, f64::min))
            .collect();
        heights.sort_by(f64::total_cmp);
        heights.dedup();
        heights
    }

    fn width(&self) -> f64 {
        self.width
    }

    fn one_ways(&self) -> Vec<(char, DVec2, DVec2)> {
        self.one_ways.clone()
    }
}
