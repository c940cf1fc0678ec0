//! Geometry of drawn levels, asked piece by piece and pixel by pixel:
//! separating axes and plain loops, nothing of the baker's.

use std::collections::BTreeMap;

use baker_cli::source::{Collision, Direction, Level, Material, Shape};
use glam::DVec2;

use super::{Spans, World};

/// A level as the referees see it; one world unit is one pixel.
pub struct Drawn {
    /// Solid and hazardous pieces, as corners.
    blocking: Pieces,
    /// Pieces that carry.
    carrying: Pieces,
    /// One-way tops: left, right.
    tops: Vec<(DVec2, DVec2)>,
    width: f64,
}

impl Drawn {
    pub fn new(level: &Level) -> Self {
        let mut this = Self {
            blocking: Pieces::default(),
            carrying: Pieces::default(),
            tops: Vec::new(),
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
                    (&map.one_way, Material::OneWay(Direction::Up)),
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

    fn add(&mut self, corners: Vec<DVec2>, material: Material) {
        match material {
            Material::Solid => {
                self.blocking.push(corners.clone());
                self.carrying.push(corners);
            }
            Material::OneWay(way) if way != Direction::Up => self.blocking.push(corners),
            Material::Hazard => self.blocking.push(corners),
            Material::OneWay(_) => {
                // The upper outline: edges with the rest of the piece below.
                let n = corners.len();
                let centre = corners.iter().sum::<DVec2>() / n as f64;
                for i in 0..n {
                    let (a, b) = (corners[i], corners[(i + 1) % n]);
                    let (l, r) = if a.x < b.x { (a, b) } else { (b, a) };
                    if r.x > l.x && (r - l).perp_dot(centre - l) >= 0.0 {
                        self.tops.push((l, r));
                    }
                }
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

    /// Those that may meet some heights; some more than once.
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
        // A thin wall has no inside; being strictly on both sides of it counts.
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

impl World for Drawn {
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
}
