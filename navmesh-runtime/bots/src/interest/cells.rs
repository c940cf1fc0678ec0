//! How much of a path is near another one. The tests compile this file as well.

use std::cmp::Ordering;

use glam::Vec2;

/// The points of a path, by cells with sides of a spacing.
pub struct Cells {
    spacing: f64,
    /// Each with its cell and the part of the cell, and sorted by them.
    points: Vec<([f64; 2], [f64; 2], Vec2)>,
}

impl Cells {
    /// Parts of a cell along each axis, of which each keeps one point. A distance is off
    /// by the diagonal of a part at most, 0.18 spacings, and a path that passes a cell
    /// a thousand times is compared with at most 64 points of it.
    const PARTS: f64 = 8.0;

    pub fn new(spacing: f32, points: &[Vec2]) -> Self {
        let spacing = f64::from(spacing);
        let part = |point: Vec2| (point.as_dvec2() * (Self::PARTS / spacing)).floor();
        let mut points: Vec<_> = (points.iter())
            .map(|&p| (cell(p, spacing), part(p).to_array(), p))
            .collect();
        points.sort_by(|a, b| order(&a.0, &b.0).then_with(|| order(&a.1, &b.1)));
        points.dedup_by(|a, b| a.1 == b.1);
        Self { spacing, points }
    }

    /// The share of some points that are at most a spacing away. See
    /// `RouteLimits::shared`.
    pub fn shared(&self, points: &[Vec2]) -> f32 {
        // Beside a path along the next row of vertices, the nearest of its points is up to
        // a quarter of a spacing and the diagonal of a part farther along.
        let reach = 1.1 * self.spacing;
        let near = points.iter().filter(|&&point| {
            let mut others = self.around(point);
            others.any(|other| f64::from(other.distance(point)) <= reach)
        });
        near.count() as f32 / points.len().max(1) as f32
    }

    /// The points in the cell of a point and in those beside it.
    pub fn around(&self, point: Vec2) -> impl Iterator<Item = Vec2> + use<'_> {
        let [x, y] = cell(point, self.spacing);
        [x - 1.0, x, x + 1.0].into_iter().flat_map(move |x| {
            let (low, high) = ([x, y - 1.0], [x, y + 1.0]);
            let first = self.points.partition_point(|p| order(&p.0, &low).is_lt());
            let column = self.points[first..].iter();
            column
                .take_while(move |p| order(&p.0, &high).is_le())
                .map(|p| p.2)
        })
    }
}

/// The cell of a point. Far from the origin it is no whole number, and then only
/// points at the same place share one.
fn cell(point: Vec2, spacing: f64) -> [f64; 2] {
    (point.as_dvec2() / spacing).floor().to_array()
}

fn order(a: &[f64; 2], b: &[f64; 2]) -> Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}
