//! Decomposing outlines into convex pieces.
//!
//! A polygon is cut along diagonals between its corners (ear clipping, then
//! joining triangles), so the pieces together are exactly the polygon, without
//! new points or rounding. All orientation tests use an exact predicate.

use std::cmp::Ordering;

use glam::DVec2;
use robust::{Coord, orient2d};

use crate::geometry::Interval;
use crate::level::{MAX_COORDINATE, Rect, Shape, ShapeError};

/// How far an ellipse may extend beyond the polygon that approximates it,
/// pixels. An eighth of a pixel is not visible; half of it would need 1.4 times
/// as many corners.
const ELLIPSE_TOLERANCE: f64 = 0.125;

impl Shape {
    /// The convex pieces of a polygon, given by its corners in either winding
    /// order. A polygon without area becomes a thin wall.
    ///
    /// ```
    /// use navmesh_bake::Shape;
    /// use navmesh_bake::glam::dvec2;
    ///
    /// // An L, in two pieces.
    /// let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (0.0, 2.0)];
    /// let pieces = Shape::polygon(&corners.map(|(x, y)| dvec2(x, y)))?;
    /// assert_eq!(pieces.len(), 2);
    /// # Ok::<(), navmesh_bake::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// When a coordinate is out of range, all corners are one point, or the
    /// outline crosses itself.
    pub fn polygon(corners: &[DVec2]) -> Result<Vec<Self>, ShapeError> {
        check_range(corners)?;
        let outline = clean(corners);
        if outline.len() < 3 {
            return thin(corners).map(|wall| vec![wall]);
        }
        let outline = orient(outline);
        if crosses_itself(&outline) {
            return Err(ShapeError::SelfCrossing);
        }
        let triangles = cut_ears(&outline)?;
        let pieces = join(&outline, triangles).into_iter();
        let shapes = pieces.map(|p| Self::Convex(p.into_iter().map(|i| outline[i]).collect()));
        Ok(shapes.collect())
    }

    /// The thin walls along an open line through these points.
    ///
    /// # Errors
    /// When a coordinate is out of range or there are fewer than two
    /// different points.
    pub fn polyline(points: &[DVec2]) -> Result<Vec<Self>, ShapeError> {
        check_range(points)?;
        let walls = points.windows(2).filter(|pair| pair[0] != pair[1]);
        let walls: Vec<Self> = walls.map(|pair| Self::Convex(pair.to_vec())).collect();
        if walls.is_empty() {
            return Err(ShapeError::TooFew);
        }
        Ok(walls)
    }

    /// The ellipse inscribed in a rectangle, as a polygon that touches the
    /// middle of each side and is nowhere more than 1/8 pixel inside the
    /// curve.
    ///
    /// # Errors
    /// When a coordinate is out of range or the rectangle is a point.
    pub fn ellipse(bounds: Rect) -> Result<Self, ShapeError> {
        let half = bounds.size().abs() / 2.0;
        let centre = bounds.min.min(bounds.max) + half;
        rounded(centre, DVec2::ZERO, half)
    }

    /// The capsule inscribed in a rectangle: half circles at the shorter sides,
    /// joined by straight lines.
    ///
    /// # Errors
    /// As for [`ellipse`](Self::ellipse).
    pub fn capsule(bounds: Rect) -> Result<Self, ShapeError> {
        let half = bounds.size().abs() / 2.0;
        let centre = bounds.min.min(bounds.max) + half;
        let radius = DVec2::splat(half.min_element());
        rounded(centre, half - radius, radius)
    }
}

/// A rectangle with half extents `core`, grown by an ellipse of these radii.
fn rounded(centre: DVec2, core: DVec2, radii: DVec2) -> Result<Shape, ShapeError> {
    check_range(&[centre - core - radii, centre + core + radii])?;
    let reach = core + radii;
    if reach == DVec2::ZERO {
        return Err(ShapeError::TooFew);
    }
    if reach.x == 0.0 || reach.y == 0.0 {
        return Ok(Shape::Convex(vec![centre - reach, centre + reach]));
    }
    let radius = radii.max_element();
    // The gap between a chord and its arc is r (1 - cos(step / 2)).
    let half_step = libm::acos((1.0 - ELLIPSE_TOLERANCE / radius).max(0.0));
    let per_quarter = (std::f64::consts::FRAC_PI_4 / half_step.max(1e-3)).ceil();
    let per_quarter = per_quarter.clamp(2.0, 32.0) as usize;
    // One quarter is computed and mirrored, so the polygon is exactly
    // symmetric.
    let quarter: Vec<DVec2> = (0..=per_quarter)
        .map(|i| {
            if i == per_quarter {
                return DVec2::new(0.0, radii.y);
            }
            let angle = std::f64::consts::FRAC_PI_2 * i as f64 / per_quarter as f64;
            DVec2::new(radii.x * libm::cos(angle), radii.y * libm::sin(angle))
        })
        .map(|point| point + core)
        .collect();
    let mut points = Vec::with_capacity(quarter.len() * 4);
    points.extend(quarter.iter().map(|p| centre + *p));
    points.extend(quarter.iter().rev().map(|p| centre + DVec2::new(-p.x, p.y)));
    points.extend(quarter.iter().map(|p| centre - *p));
    points.extend(quarter.iter().rev().map(|p| centre + DVec2::new(p.x, -p.y)));
    points.dedup();
    if points.first() == points.last() {
        points.pop();
    }
    Ok(Shape::Convex(points))
}

/// Checks that coordinates are finite and at most [`MAX_COORDINATE`].
///
/// # Errors
/// [`ShapeError::Range`].
pub fn check_range(points: &[DVec2]) -> Result<(), ShapeError> {
    let mut points = points.iter();
    let are_near = points.all(|p| p.abs().max_element() <= MAX_COORDINATE && !p.is_nan());
    are_near.then_some(()).ok_or(ShapeError::Range)
}

/// Positive when c is left of the line from a to b (y up), zero when on it. The
/// sign is exact.
fn side(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p.x, y: p.y });
    orient2d(a, b, c)
}

/// The outline without repeated points, points on straight lines, and spikes
/// without area.
fn clean(corners: &[DVec2]) -> Vec<DVec2> {
    let mut outline: Vec<DVec2> = corners.to_vec();
    loop {
        let before = outline.len();
        let mut kept: Vec<DVec2> = Vec::with_capacity(before);
        for (i, &point) in outline.iter().enumerate() {
            // The last corner meets the first that is kept: of two copies of a corner,
            // one at each end of the list, one stays.
            let next = *outline.get(i + 1).or(kept.first()).unwrap_or(&point);
            let previous = kept.last().copied().unwrap_or(outline[before - 1]);
            if point != next && side(previous, point, next) != 0.0 {
                kept.push(point);
            }
        }
        outline = kept;
        if outline.len() == before || outline.len() < 3 {
            return outline;
        }
    }
}

/// The order of points from left to right, then top to bottom.
fn by_place(a: &DVec2, b: &DVec2) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

/// A polygon without area, as the wall between its extreme points.
fn thin(corners: &[DVec2]) -> Result<Shape, ShapeError> {
    let points = corners.iter().copied();
    match (points.clone().min_by(by_place), points.max_by(by_place)) {
        (Some(from), Some(to)) if from != to => Ok(Shape::Convex(vec![from, to])),
        _ => Err(ShapeError::TooFew),
    }
}

/// Orders the outline so that [`side`] is positive at convex corners.
fn orient(mut outline: Vec<DVec2>) -> Vec<DVec2> {
    let count = outline.len();
    // The lowest of the leftmost corners is convex in any simple polygon.
    let extreme = (0..count).min_by(|&a, &b| by_place(&outline[a], &outline[b]));
    let extreme = extreme.unwrap_or(0);
    let before = outline[(extreme + count - 1) % count];
    let after = outline[(extreme + 1) % count];
    if side(before, outline[extreme], after) < 0.0 {
        outline.reverse();
    }
    outline
}

/// Whether two parts of the outline cross. Touching is not crossing.
fn crosses_itself(outline: &[DVec2]) -> bool {
    let count = outline.len();
    // Edges are sorted by their left ends, so that only those that overlap in x
    // are compared.
    let mut edges: Vec<usize> = (0..count).collect();
    let extent = |i: usize| Interval::between(corner(outline, i).x, corner(outline, i + 1).x);
    edges.sort_by(|&a, &b| extent(a).lo.total_cmp(&extent(b).lo).then(a.cmp(&b)));
    for (n, &i) in edges.iter().enumerate() {
        let right = extent(i).hi;
        for &j in edges[n + 1..]
            .iter()
            .take_while(|&&j| extent(j).lo <= right)
        {
            if (i + 1) % count == j || (j + 1) % count == i {
                continue;
            }
            if edges_cross(outline, i, j) {
                return true;
            }
        }
    }
    false
}

/// A corner by its number, which goes on after the last one with the first.
fn corner(outline: &[DVec2], number: usize) -> DVec2 {
    outline[number % outline.len()]
}

fn edges_cross(outline: &[DVec2], i: usize, j: usize) -> bool {
    let [a, b, c, d] = [i, i + 1, j, j + 1].map(|number| corner(outline, number));
    let (sc, sd) = (side(a, b, c), side(a, b, d));
    let (sa, sb) = (side(c, d, a), side(c, d, b));
    if sc * sd < 0.0 && sa * sb < 0.0 {
        return true;
    }
    // A corner on the other edge crosses when the outline continues on the other
    // side. Each corner is tested once, as the start of its edge.
    corner_passes(outline, j, i) || corner_passes(outline, i, j)
}

/// Whether corner `k` lies on edge `i` and the outline changes sides there.
fn corner_passes(outline: &[DVec2], k: usize, i: usize) -> bool {
    let count = outline.len();
    let numbers = [i, i + 1, k, k + count - 1, k + 1];
    let [a, b, p, before, after] = numbers.map(|number| corner(outline, number));
    if p == a {
        // Corner on corner: they cross when one neighbour is inside the other's
        // angle and one outside, and neither is along its arms.
        let from = corner(outline, i + count - 1);
        return place_in_angle(from, p, b, before) * place_in_angle(from, p, b, after) < 0;
    }
    if p == b || side(a, b, p) != 0.0 || (p - a).dot(b - a) < 0.0 || (p - b).dot(a - b) < 0.0 {
        return false;
    }
    side(a, b, before) * side(a, b, after) < 0.0
}

/// 1 when `q` is inside the angle at `p` left of `from`-`p`-`to`, -1 when
/// outside, 0 when along an arm.
fn place_in_angle(from: DVec2, p: DVec2, to: DVec2, q: DVec2) -> i32 {
    let (first, second) = (side(from, p, q), side(p, to, q));
    let mut arms = [from, to].into_iter();
    if arms.any(|arm| side(p, arm, q) == 0.0 && (arm - p).dot(q - p) > 0.0) {
        return 0;
    }
    let inside = if side(from, p, to) >= 0.0 {
        first > 0.0 && second > 0.0
    } else {
        first > 0.0 || second > 0.0
    };
    if inside { 1 } else { -1 }
}

/// Clips ears until nothing is left. Returns triangles of corner indices.
fn cut_ears(outline: &[DVec2]) -> Result<Vec<[usize; 3]>, ShapeError> {
    let mut rest: Vec<usize> = (0..outline.len()).collect();
    let mut triangles = Vec::with_capacity(outline.len());
    let mut at = 0;
    let mut failed = 0;
    while rest.len() > 3 {
        let count = rest.len();
        let corner = [
            rest[(at + count - 1) % count],
            rest[at % count],
            rest[(at + 1) % count],
        ];
        // In the second round, ears that touch the outline are clipped too: some
        // polygons that touch themselves have no others.
        if is_ear(outline, &rest, corner, failed >= count) {
            let [a, b, c] = corner.map(|i| outline[i]);
            if side(a, b, c) > 0.0 {
                triangles.push(corner);
            }
            rest.remove(at % count);
            at = (at + count - 1) % count % rest.len();
            failed = 0;
        } else {
            at = (at + 1) % count;
            failed += 1;
            if failed > 2 * count {
                return Err(ShapeError::SelfCrossing);
            }
        }
    }
    if let [a, b, c] = rest[..]
        && side(outline[a], outline[b], outline[c]) > 0.0
    {
        triangles.push([a, b, c]);
    }
    Ok(triangles)
}

/// Whether the triangle at a corner is inside the rest of the outline.
fn is_ear(outline: &[DVec2], rest: &[usize], corner: [usize; 3], touching: bool) -> bool {
    let [a, b, c] = corner.map(|i| outline[i]);
    let turn = side(a, b, c);
    if turn <= 0.0 {
        // A corner without area can always be removed.
        return turn == 0.0;
    }
    rest.iter().map(|&i| outline[i]).all(|p| {
        if p == a || p == b || p == c {
            return true;
        }
        let sides = [side(a, b, p), side(b, c, p), side(c, a, p)];
        let outside = sides.iter().any(|s| *s < 0.0);
        let on_old_edge = sides[0] == 0.0 || sides[1] == 0.0;
        outside || (touching && on_old_edge)
    })
}

/// Joins triangles across common diagonals while the result stays convex
/// (Hertel and Mehlhorn). The number of pieces is at most four times the
/// minimum.
fn join(outline: &[DVec2], triangles: Vec<[usize; 3]>) -> Vec<Vec<usize>> {
    let mut pieces: Vec<Vec<usize>> = triangles.into_iter().map(Vec::from).collect();
    let count = outline.len();
    let mut diagonals: Vec<[usize; 2]> = pieces
        .iter()
        .flat_map(|piece| edges(piece))
        .filter(|[a, b]| a < b && (a + 1) % count != *b && (b + 1) % count != *a)
        .collect();
    diagonals.sort_unstable();
    diagonals.dedup();
    for [a, b] in diagonals {
        let holder = |edge: [usize; 2]| pieces.iter().position(|p| edges(p).any(|e| e == edge));
        let (Some(left), Some(right)) = (holder([a, b]), holder([b, a])) else {
            continue;
        };
        // `left` without its edge a-b, then `right` without its edge b-a.
        let (first, second) = (&pieces[left], &pieces[right]);
        let joined: Vec<usize> = from(first, b)
            .chain(from(second, a).skip(1))
            .take(first.len() + second.len() - 2)
            .collect();
        if is_convex(outline, &joined) {
            pieces[left] = joined;
            pieces[right].clear();
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn edges(piece: &[usize]) -> impl Iterator<Item = [usize; 2]> + '_ {
    (0..piece.len()).map(|i| [piece[i], piece[(i + 1) % piece.len()]])
}

/// The corners of a piece, beginning at `start`.
fn from(piece: &[usize], start: usize) -> impl Iterator<Item = usize> + '_ {
    let at = piece.iter().position(|&i| i == start).unwrap_or(0);
    piece[at..].iter().chain(&piece[..at]).copied()
}

fn is_convex(outline: &[DVec2], piece: &[usize]) -> bool {
    let count = piece.len();
    (0..count).all(|i| {
        let corner = [i, (i + 1) % count, (i + 2) % count].map(|i| outline[piece[i]]);
        side(corner[0], corner[1], corner[2]) >= 0.0
    })
}
