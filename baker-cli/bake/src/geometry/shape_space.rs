//! The configuration space of a body among convex pieces.

use glam::DVec2;
use navmesh_runtime::mesh::Direction;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};

use crate::geometry::configuration_space::{Blocker, Body, ConfigurationSpace, Side, TopEdge};
use crate::geometry::convex_polygon::ConvexPolygon;
use crate::geometry::interval::{Interval, merge, sort_and_dedup};
use crate::geometry::ladder::{Ladder, join_strips};
use crate::geometry::one_way_barrier::OneWayBarrier;
use crate::level::{Material, PassDirection, Piece, Rect, Shape};

/// A bounding box and the index of what it bounds.
type Entry = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// The configuration space of a body among convex pieces: the pieces grown by
/// the body, in R-trees.
pub struct ShapeSpace {
    body: Body,
    obstacles: Vec<Obstacle>,
    obstacle_tree: RTree<Entry>,
    /// One-way platforms, and the ladders whose tops carry the body.
    one_way: Vec<ConvexPolygon>,
    one_way_tree: RTree<Entry>,
    barriers: Vec<OneWayBarrier>,
    /// Boxes of the pieces that the barriers are sides of.
    barrier_tree: RTree<Entry>,
    ladders: Vec<Ladder>,
    /// Top edges, each with the highest point of its polygon, sorted by it.
    top_edges: Vec<(f64, TopEdge)>,
    /// Heights of all corners, sorted.
    corner_heights: Vec<f64>,
    /// Heights with slanted sides, merged.
    slanted: Vec<Interval>,
}

/// Something that blocks the body from all sides.
struct Obstacle {
    polygon: ConvexPolygon,
    /// `None` for a closed door.
    material: Option<Material>,
    origin: Option<u32>,
}

impl Obstacle {
    /// Whether it carries the body and can be climbed. Hazards, closed doors, and pieces
    /// that are passed in another direction only block.
    fn carries(&self) -> bool {
        self.material == Some(Material::Solid)
    }

    fn is_hazard(&self) -> bool {
        self.material == Some(Material::Hazard)
    }
}

impl ShapeSpace {
    /// With `within`, only obstacles and one-way platforms that meet that rectangle; their
    /// heights, however, wherever they are.
    pub fn new(pieces: &[Piece], within: Option<&Rect>, closed: &[Rect], body: Body) -> Self {
        let ladders = join_strips(pieces.iter().filter_map(|piece| {
            let Rect { min, max } = piece.shape.bounds();
            (piece.material == Material::Ladder).then(|| Ladder {
                x: Interval::new(min.x, max.x),
                y: Interval::new(min.y, max.y),
            })
        }));
        let (mut obstacles, mut one_way) = (Vec::new(), Vec::new());
        let (mut barriers, mut barrier_polygons) = (Vec::new(), Vec::new());
        let mut heights = Heights::default();
        for piece in pieces {
            let is_far = within.is_some_and(|within| !within.meets(&piece.shape.bounds()));
            match piece.material {
                Material::Ladder => continue,
                Material::Hazard if body.ignores_hazards => continue,
                Material::OneWay(PassDirection::Up) => {
                    if is_far {
                        heights.add(piece, &body);
                    } else {
                        one_way.push(grown(piece, &body));
                    }
                    continue;
                }
                // Only boxes can be passed, because the free side of a slanted piece
                // would change with the height. Other pieces, and all pieces for
                // bodies that fly, block from both sides.
                Material::OneWay(pass) if !body.flies && matches!(piece.shape, Shape::Box(_)) => {
                    let polygon = grown(piece, &body);
                    barriers.push(barrier(pass, polygon.min, polygon.max));
                    barrier_polygons.push(polygon);
                    continue;
                }
                Material::Solid | Material::Hazard | Material::OneWay(_) => {}
            }
            if is_far {
                heights.add(piece, &body);
                continue;
            }
            obstacles.push(Obstacle {
                polygon: grown(piece, &body),
                material: Some(piece.material),
                origin: Some(piece.origin),
            });
        }
        obstacles.extend(closed.iter().map(|door| Obstacle {
            polygon: ConvexPolygon::grown(door.corners(), &body),
            material: None,
            origin: None,
        }));
        for ladder in ladders.iter().filter(|_| body.climbs_ladders) {
            let min = DVec2::new(ladder.x.lo, ladder.y.lo);
            let max = DVec2::new(ladder.x.hi, ladder.y.hi);
            let corners = Rect::new(min, max).corners();
            one_way.push(ConvexPolygon::grown(corners, &body));
        }
        let blocking = obstacles.iter().map(|obstacle| &obstacle.polygon);
        for polygon in blocking.chain(&one_way).chain(&barrier_polygons) {
            heights.add_polygon(polygon);
        }
        let Heights {
            corners: mut corner_heights,
            mut slanted,
        } = heights;
        sort_and_dedup(&mut corner_heights);
        // Merged, so that `cuts` finds the one that meets a pair of heights by bisection.
        merge(&mut slanted);
        Self {
            body,
            obstacle_tree: tree(obstacles.iter().map(|obstacle| &obstacle.polygon)),
            one_way_tree: tree(&one_way),
            barrier_tree: tree(&barrier_polygons),
            top_edges: top_edges(&obstacles, &one_way),
            obstacles,
            one_way,
            barriers,
            ladders,
            corner_heights,
            slanted,
        }
    }

    /// Whether there is slanted geometry in a band of heights.
    fn is_slanted(&self, band: Interval) -> bool {
        let at = self.slanted.partition_point(|s| s.hi <= band.lo);
        self.slanted.get(at).is_some_and(|s| s.lo < band.hi)
    }

    /// Obstacles whose box meets a rectangle.
    fn near(&self, x: Interval, y: Interval) -> impl Iterator<Item = (usize, &Obstacle)> {
        let found = near(&self.obstacle_tree, x, y);
        found.map(|i| (i, &self.obstacles[i]))
    }
}

/// The heights of grown pieces.
#[derive(Default)]
struct Heights {
    corners: Vec<f64>,
    slanted: Vec<Interval>,
}

impl Heights {
    /// Adds those of a piece that is not needed otherwise.
    fn add(&mut self, piece: &Piece, body: &Body) {
        match &piece.shape {
            Shape::Box(rect) => {
                // Boxes of one row follow each other.
                let heights = [rect.min.y, rect.max.y + body.size.y];
                if !self.corners.ends_with(&heights) {
                    self.corners.extend(heights);
                }
            }
            Shape::Convex(_) => self.add_polygon(&grown(piece, body)),
        }
    }

    fn add_polygon(&mut self, polygon: &ConvexPolygon) {
        self.corners.extend(polygon.corners.iter().map(|c| c.y));
        self.slanted.extend(polygon.slants());
    }
}

fn grown(piece: &Piece, body: &Body) -> ConvexPolygon {
    match &piece.shape {
        Shape::Box(rect) => ConvexPolygon::grown(rect.corners(), body),
        Shape::Convex(points) => ConvexPolygon::grown(points.iter().copied(), body),
    }
}

/// The top edges of what carries a body, each with the highest point of its polygon,
/// sorted by it.
fn top_edges(obstacles: &[Obstacle], one_way: &[ConvexPolygon]) -> Vec<(f64, TopEdge)> {
    let solid = obstacles.iter().filter(|o| o.carries());
    let solid = solid.map(|obstacle| (&obstacle.polygon, false));
    let mut tops: Vec<_> = solid.chain(one_way.iter().map(|top| (top, true))).collect();
    tops.sort_by(|(a, _), (b, _)| {
        let (a, b) = (a.min, b.min);
        a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
    });
    let top_edges = tops.into_iter().flat_map(|(polygon, is_one_way)| {
        let edges = polygon.upper(is_one_way);
        edges.map(|edge| (polygon.min.y, edge))
    });
    let mut top_edges: Vec<_> = top_edges.collect();
    // Copies of a piece would each be compared with all of them.
    top_edges.dedup();
    top_edges
}

/// The bounding boxes of polygons, with their indices.
fn tree<'a>(polygons: impl IntoIterator<Item = &'a ConvexPolygon>) -> RTree<Entry> {
    let boxes = polygons.into_iter().zip(0..).map(|(polygon, i)| {
        let (min, max) = (polygon.min.to_array(), polygon.max.to_array());
        GeomWithData::new(Rectangle::from_corners(min, max), i)
    });
    RTree::bulk_load(boxes.collect())
}

/// The indices of the boxes in a tree that meet a rectangle.
fn near(tree: &RTree<Entry>, x: Interval, y: Interval) -> impl Iterator<Item = usize> {
    let window = AABB::from_corners([x.lo, y.lo], [x.hi, y.hi]);
    let found = tree.locate_in_envelope_intersecting(window);
    found.map(|entry| entry.data as usize)
}

/// The side of a grown box that stops bodies coming back against `pass`.
fn barrier(pass: PassDirection, min: DVec2, max: DVec2) -> OneWayBarrier {
    let (x, y) = (Interval::new(min.x, max.x), Interval::new(min.y, max.y));
    let (at, span, pass) = match pass {
        PassDirection::Right => (max.x, y, Direction::Right),
        PassDirection::Left => (min.x, y, Direction::Left),
        PassDirection::Down | PassDirection::Up => (max.y, x, Direction::Down),
    };
    OneWayBarrier { at, span, pass }
}

impl ConfigurationSpace for ShapeSpace {
    fn body(&self) -> &Body {
        &self.body
    }

    fn overlaps(&self, x: Interval, y: Interval) -> bool {
        self.near(x, y)
            .any(|(_, obstacle)| obstacle.polygon.meets(x, y, self.body.skin))
    }

    fn blocker(&self, p: DVec2) -> Option<Blocker> {
        let (x, y) = (Interval::at(p.x), Interval::at(p.y));
        self.near(x, y)
            .filter(|(_, obstacle)| obstacle.polygon.meets(x, y, self.body.skin))
            // Where something solid and a hazard overlap, it counts as solid.
            // The index makes the choice the same for every order in which the tree reports.
            .min_by_key(|(i, obstacle)| (obstacle.is_hazard(), *i))
            .map(|(_, obstacle)| Blocker {
                hazard: obstacle.is_hazard(),
                origin: obstacle.origin,
            })
    }

    fn blocked_x(&self, band: Interval, window: Interval, out: &mut Vec<Interval>) {
        out.clear();
        let near = self.near(window, band);
        out.extend(near.filter_map(|(_, obstacle)| obstacle.polygon.extent(band)));
        merge(out);
    }

    fn sections(&self, band: Interval, window: Interval, out: &mut Vec<[Interval; 2]>) {
        let slack = 2.0 * self.skin();
        let is_met = |polygon: &ConvexPolygon| {
            polygon.min.y < band.hi - slack && band.lo + slack < polygon.max.y
        };
        let near = self
            .near(window, band)
            .map(|(_, obstacle)| &obstacle.polygon);
        out.clear();
        out.extend(
            near.filter(|polygon| is_met(polygon))
                .map(|polygon| [band.lo, band.hi].map(|y| polygon.section(y, slack))),
        );
    }

    fn cuts(&self, fine: f64) -> Vec<f64> {
        let mut cuts = self.corner_heights.clone();
        // Between the corners of a slanted side the extent keeps changing.
        for pair in self.corner_heights.windows(2) {
            let (top, bottom) = (pair[0], pair[1]);
            if self.is_slanted(Interval::new(top, bottom)) {
                let parts = ((bottom - top) / fine).ceil().max(1.0);
                cuts.extend((1..parts as u64).map(|i| top + (bottom - top) * (i as f64 / parts)));
            }
        }
        cuts.sort_unstable_by(f64::total_cmp);
        cuts
    }

    fn slanted_x(&self, band: Interval, window: Interval, out: &mut Vec<Interval>) {
        out.clear();
        if !self.is_slanted(band) {
            return;
        }
        let obstacles = self.near(window, band).map(|(_, o)| &o.polygon);
        let one_way = near(&self.one_way_tree, window, band).map(|i| &self.one_way[i]);
        let slanted = obstacles.chain(one_way).filter(|p| p.is_slanted(band));
        out.extend(slanted.filter_map(|polygon| polygon.extent(band)));
        merge(out);
    }

    fn top_edges(&self, band: Interval) -> Vec<TopEdge> {
        // The highest point of the polygon decides, so that every edge is
        // reported for exactly one of several adjacent bands.
        let until = |y: f64| self.top_edges.partition_point(|(top, _)| *top <= y);
        let (from, to) = (until(band.lo), until(band.hi));
        let found = self.top_edges[from..to.max(from)].iter();
        found.map(|(_, edge)| *edge).collect()
    }

    fn sides(&self) -> Vec<Side> {
        let solid = self.obstacles.iter().filter(|o| o.carries());
        let sides = solid.flat_map(|obstacle| obstacle.polygon.sides(self.body.skin));
        sides.collect()
    }

    fn one_way_tops(&self, x: Interval, y: Interval) -> Vec<TopEdge> {
        let found = near(&self.one_way_tree, x, y);
        found.flat_map(|i| self.one_way[i].upper(true)).collect()
    }

    fn barriers(&self, x: Interval, y: Interval) -> Vec<OneWayBarrier> {
        let mut found: Vec<usize> = near(&self.barrier_tree, x, y).collect();
        found.sort_unstable();
        found.into_iter().map(|i| self.barriers[i]).collect()
    }

    fn ladders(&self) -> Vec<Ladder> {
        self.ladders.clone()
    }

    fn covered(&self, line: [DVec2; 2], out: &mut Vec<Interval>) {
        let [from, to] = line;
        let (x, y) = (Interval::new(from.x, to.x), Interval::between(from.y, to.y));
        // Below the skin, so that no covered part remains that would count as
        // blocked.
        let tolerance = self.body.skin * 1e-2;
        let near = self.near(x, y);
        let covered = near.filter_map(|(_, obstacle)| {
            if y.lo == y.hi {
                obstacle.polygon.extent(y)
            } else {
                obstacle.polygon.covers(line, tolerance)
            }
        });
        out.clear();
        out.extend(covered);
        merge(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_piece_have_one_top() {
        let piece = |left: f64| {
            let min = DVec2::new(left, 10.0);
            let shape = Shape::Box(Rect::new(min, min + DVec2::new(40.0, 20.0)));
            let (material, origin) = (Material::Solid, 0);
            Piece {
                shape,
                material,
                origin,
            }
        };
        let body = Body {
            size: DVec2::new(12.0, 16.0),
            skin: 1e-3,
            ignores_hazards: false,
            climbs_ladders: false,
            flies: false,
        };
        let pieces: Vec<Piece> = (0..60).map(|i| piece(f64::from(i % 3) * 100.0)).collect();
        let space = ShapeSpace::new(&pieces, None, &[], body);
        let tops = space.top_edges(Interval::new(0.0, 100.0));
        assert_eq!(tops.len(), 3, "{tops:?}");
    }
}
