//! A plain path search to compare with: Dijkstra's algorithm over every vertex, port
//! and edge, built from what a dump shows.
#![allow(dead_code, missing_docs)]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use glam::Vec2;
use navmesh_runtime::mesh::{
    Cell, EdgeSet, Grid, Layer, Link, PlatformId, PlatformKind, StepKind, Terrain,
};
use navmesh_runtime::search::{Path, Rect, Snap, SnapTo};

/// What the graph is built under.
pub struct Rules<'a> {
    pub edges: EdgeSet,
    pub speed: f32,
    /// Whether a link may be used.
    pub link: &'a dyn Fn(&Link) -> bool,
    /// Seconds a link takes.
    pub time: &'a dyn Fn(&Link) -> f64,
    /// Whether an agent may walk straight between two neighbouring points.
    pub walk: &'a dyn Fn(Vec2, Vec2) -> bool,
    /// Whether a free vertex may be flown through.
    pub vertex: &'a dyn Fn(Cell) -> bool,
}

impl Rules<'_> {
    pub fn plain(layer: &Layer) -> Self {
        Rules {
            edges: layer.profile().edges,
            speed: layer.profile().run_speed,
            link: &|_| true,
            time: &|link| f64::from(link.duration),
            walk: &|_, _| true,
            vertex: &|_| true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// A port of a platform; x as sortable bits.
    Port(u32, i32),
    Air(u32, u32),
}

pub type Graph = BTreeMap<Node, Vec<(Node, f64)>>;

fn sortable(x: f32) -> i32 {
    let bits = (x + 0.0).to_bits() as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

/// The place as a node.
pub fn node(layer: &Layer, place: Snap) -> Node {
    if let Some(platform) = place.platform {
        return Node::Port(platform.0, sortable(place.position.x));
    }
    let cell = layer.grid().nearest_cell(place.position);
    Node::Air(cell.column, cell.row)
}

fn at_rest(position: Vec2, platform: Option<PlatformId>) -> Snap {
    Snap {
        position,
        platform,
        start: position,
        fall_x: None,
    }
}

/// The nearest point of a ladder, wall or ceiling, at most `radius` away.
fn nearest_hold(layer: &Layer, to: Vec2, radius: f32) -> Option<Snap> {
    let climbed = layer.platforms().filter(|p| p.kind != PlatformKind::Floor);
    let spots = climbed.map(|p| at_rest(p.at(p.along(to)), Some(p.id)));
    spots
        .filter(|spot| spot.position.distance(to) <= radius)
        .min_by(|a, b| a.position.distance(to).total_cmp(&b.position.distance(to)))
}

/// The place that a search with these edges takes a position for.
pub fn place(layer: &Layer, position: Vec2, edges: EdgeSet) -> Option<Snap> {
    let grid = layer.grid();
    let (at, near) = (grid.spacing * 1e-3, grid.spacing * 2.0);
    let hold = |radius| nearest_hold(layer, position, radius);
    let floor_below = |depth| layer.snap(position, SnapTo::FloorBelow(depth));
    let mut found = None;
    if edges.walks() {
        found = hold(at).filter(|_| floor_below(at).is_none());
        found = found.or_else(|| floor_below(grid.spacing));
    }
    if found.is_none() && edges.contains(EdgeSet::FLY) {
        found = nearest_free_vertex(layer, position, near)
            .map(|cell| at_rest(grid.position(cell), None));
    }
    if found.is_none() && edges.walks() {
        let floor = layer.snap(position, SnapTo::NearestFloor(near));
        found = floor.or_else(|| hold(near));
    }
    found
}

/// The free vertex nearest to a position, the first row by row of several.
pub fn nearest_free_vertex(layer: &Layer, position: Vec2, radius: f32) -> Option<Cell> {
    let grid = layer.grid();
    let cells = (0..grid.rows)
        .flat_map(|row| (0..grid.columns).map(move |column| Cell { column, row }))
        .filter(|cell| !layer.parts().blocked.get(cell.column, cell.row))
        .map(|cell| (grid.position(cell).distance(position), cell))
        .filter(|(distance, _)| *distance <= radius);
    cells
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, cell)| cell)
}

/// The graph of a layer, with ports at these places as well.
pub fn graph(layer: &Layer, grid: &Grid, rules: &Rules<'_>, places: &[Snap]) -> Graph {
    let mut graph = Graph::new();
    let mut add = |a: Node, b: Node, cost: f64| {
        graph.entry(a).or_default().push((b, cost));
        graph.entry(b).or_default();
    };
    let speed = f64::from(rules.speed);
    let flies = rules.edges.contains(EdgeSet::FLY);
    let free = |c: u32, r: u32| {
        c < grid.columns
            && r < grid.rows
            && !layer.parts().blocked.get(c, r)
            && (rules.vertex)(Cell { column: c, row: r })
    };
    for platform in layer.platforms() {
        let id = platform.id;
        let mut ports: Vec<f32> = layer
            .links()
            .iter()
            .flat_map(|l| [(l.from_platform, l.from.x), (l.to_platform, l.to.x)])
            .filter_map(|(p, x)| (p == id).then_some(x))
            .collect();
        for place in places {
            if place.platform == Some(id) {
                ports.push(place.position.x);
            }
        }
        for column in 0..grid.columns {
            let x = grid.column_x(column);
            if x < platform.left().x || platform.right().x < x {
                continue;
            }
            let y = platform.at(x).y;
            ports.push(x);
            let Some(cell) = grid.cell_at(Vec2::new(x, y)) else {
                continue;
            };
            assert_eq!(layer.terrain(cell), Terrain::OnFloor);
            let gap = |row: u32| (grid.row_y(row) - y).abs();
            let contact = if !layer.parts().blocked.get(column, cell.row)
                && gap(cell.row) <= grid.spacing * 1e-3
            {
                Some((cell.row, 0.0))
            } else if cell.row > 0 && !layer.parts().blocked.get(column, cell.row - 1) {
                Some((cell.row - 1, f64::from(gap(cell.row - 1)) / speed))
            } else {
                None
            };
            if let (Some((row, time)), true, true) = (contact, flies, rules.edges.walks())
                && free(column, row)
            {
                let (a, b) = (Node::Port(id.0, sortable(x)), Node::Air(column, row));
                add(a, b, time);
                add(b, a, time);
            }
        }
        ports.sort_by(f32::total_cmp);
        ports.dedup();
        for pair in ports.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let (p, q) = (platform.clamp(a), platform.clamp(b));
            if rules.edges.contains(EdgeSet::FLOOR) && (rules.walk)(p, q) {
                let time = (f64::from(b) - f64::from(a)) / speed;
                let [a, b] = [a, b].map(|x| Node::Port(id.0, sortable(x)));
                add(a, b, time);
                add(b, a, time);
            }
        }
    }
    for link in layer.links() {
        let edge = link.kind.of_step().name();
        if rules.edges.names().any(|name| name == edge) && (rules.link)(link) {
            add(
                Node::Port(link.from_platform.0, sortable(link.from.x)),
                Node::Port(link.to_platform.0, sortable(link.to.x)),
                (rules.time)(link),
            );
        }
    }
    if flies {
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                if !free(column, row) {
                    continue;
                }
                for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
                    let (c, r) = (column.wrapping_add_signed(x), row.wrapping_add_signed(y));
                    if (x, y) != (0, 0) && free(c, r) && free(column, r) && free(c, row) {
                        let length = f64::from(x * x + y * y).sqrt() * f64::from(grid.spacing);
                        add(Node::Air(column, row), Node::Air(c, r), length / speed);
                    }
                }
            }
        }
    }
    graph
}

/// The least cost to every node that can be reached.
pub fn costs(graph: &Graph, start: Node) -> BTreeMap<Node, f64> {
    let mut done = BTreeMap::new();
    // Costs are not negative, so their bits sort as they do.
    let mut open = BinaryHeap::from([Reverse((0_u64, start))]);
    while let Some(Reverse((cost, node))) = open.pop() {
        if done.contains_key(&node) {
            continue;
        }
        let cost = f64::from_bits(cost);
        done.insert(node, cost);
        for &(next, step) in graph.get(&node).into_iter().flatten() {
            open.push(Reverse(((cost + step).to_bits(), next)));
        }
    }
    done
}

/// The x of a port.
pub fn unsortable(x: i32) -> f32 {
    f32::from_bits((x ^ ((x >> 31) as u32 >> 1) as i32) as u32)
}

/// Asserts that the flights of a path lead between free vertices only, and through no
/// closed door.
pub fn check_flight(path: &Path, layer: &Layer, closed: &[Rect]) {
    let grid = layer.grid();
    let down = grid.y_axis.down();
    let [width, height] = layer.profile().body;
    for step in path.steps.iter().filter(|step| step.kind == StepKind::Fly) {
        let count = (step.from.distance(step.to) * 16.0 / grid.spacing).ceil() as u32;
        for i in 0..=count {
            let feet = step.from.lerp(step.to, i as f32 / count.max(1) as f32);
            let at = (feet - grid.origin) * Vec2::new(1.0, down) / grid.spacing;
            let at = at - Vec2::new(0.5, 1.0);
            // Of positions as f32, a hundredth is far above the rounding.
            let (low, high) = ((at + 1e-2).floor(), (at - 1e-2).ceil());
            for (x, y) in [
                (low.x, low.y),
                (high.x, low.y),
                (low.x, high.y),
                (high.x, high.y),
            ] {
                let (column, row) = (x as u32, y as u32);
                let inside = x >= 0.0 && y >= 0.0 && column < grid.columns && row < grid.rows;
                let is_free = inside && !layer.parts().blocked.get(column, row);
                assert!(is_free, "{step:?} at {feet}");
            }
            let slack = grid.spacing * 1e-2;
            let (head, half) = (feet.y - down * height, width / 2.0 - slack);
            let is_in_door = closed.iter().any(|door| {
                feet.x + half > door.min.x
                    && feet.x - half < door.max.x
                    && feet.y.max(head) - slack > door.min.y
                    && feet.y.min(head) + slack < door.max.y
            });
            assert!(!is_in_door, "{step:?} at {feet} in a door");
        }
    }
}
