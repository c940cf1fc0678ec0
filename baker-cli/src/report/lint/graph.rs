//! What the rules ask of a layer: which parts hang together, what leads from
//! one to another, and where agents begin.

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, Link, NavMesh, Platform, SpawnMarker};
use navmesh_runtime::search::{Location, locate};

/// The parts of a layer (its strongly connected components: from anywhere in
/// one, an agent can go anywhere else in it) and the links between them.
pub(super) struct Graph<'a> {
    pub(super) layer: &'a Layer,
    /// For each part, the numbers of the links that lead out of it.
    out: Vec<Vec<usize>>,
    /// How much floor each part has, units across.
    size: Vec<f32>,
    /// The parts that spawns are in.
    pub(super) starts: Vec<u32>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(mesh: &NavMesh, layer: &'a Layer) -> Self {
        let parts = layer.platforms().iter().map(|p| p.component() as usize + 1);
        let count = parts.max().unwrap_or(0);
        let mut this = Self {
            layer,
            out: vec![Vec::new(); count],
            size: vec![0.0; count],
            starts: Vec::new(),
        };
        for platform in layer.platforms().iter() {
            let (low, high) = platform.extent();
            this.size[platform.component() as usize] += high - low;
        }
        for (number, link) in layer.links().iter().enumerate() {
            let [from, to] = this.ends(link);
            if from != to {
                this.out[from as usize].push(number);
            }
        }
        this.starts = (spawns_of(mesh, layer))
            .filter_map(|spawn| start(layer, spawn.position))
            .filter_map(|place| match place {
                Location::Floor(spot) => Some(layer.platform(spot.platform)?.component()),
                _ => None,
            })
            .collect();
        this.starts.sort_unstable();
        this.starts.dedup();
        this
    }

    pub(super) fn agent(&self) -> &'a str {
        &self.layer.profile().name
    }

    /// The parts a link joins.
    pub(super) fn ends(&self, link: &Link) -> [u32; 2] {
        [link.from_platform, link.to_platform]
            .map(|id| self.layer.platform(id).map_or(0, |p| p.component()))
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// The links that lead out of a part.
    pub(super) fn links_out(&self, part: u32) -> impl Iterator<Item = &'a Link> {
        let links = self.layer.links();
        self.out[part as usize].iter().map(|&number| &links[number])
    }

    /// Whether nothing leads out of a part.
    pub(super) fn is_end(&self, part: u32) -> bool {
        self.out[part as usize].is_empty()
    }

    /// How much floor a part has, units across.
    pub(super) fn size(&self, part: u32) -> f32 {
        self.size[part as usize]
    }

    /// Which parts can be reached from any of some parts, themselves
    /// included.
    pub(super) fn reached(&self, from: &[u32]) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut open = from.to_vec();
        while let Some(part) = open.pop() {
            if std::mem::replace(&mut reached[part as usize], true) {
                continue;
            }
            open.extend(self.links_out(part).map(|link| self.ends(link)[1]));
        }
        reached
    }

    /// The platforms of a part.
    pub(super) fn platforms(&self, part: u32) -> impl Iterator<Item = Platform<'a>> {
        let all = self.layer.platforms().iter();
        all.filter(move |p| p.component() == part)
    }

    /// Positions in reading order: from the top, then from the left.
    pub(super) fn reading(&self, position: Vec2) -> [f32; 2] {
        [position.y * self.layer.grid().y_axis.down(), position.x]
    }
}

/// The corners of the surfaces of platforms.
pub(super) fn bounds<'a>(platforms: impl Iterator<Item = Platform<'a>>) -> Option<[Vec2; 2]> {
    platforms
        .flat_map(|p| p.surface().iter().copied())
        .fold(None, |bounds, point| {
            let [min, max] = bounds.unwrap_or([point; 2]);
            Some([min.min(point), max.max(point)])
        })
}

/// Compares reading orders.
pub(super) fn in_order(a: [f32; 2], b: [f32; 2]) -> std::cmp::Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}

/// `1 platform`, `12 platforms`.
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A position as it is written: `24,96.5`.
pub(super) fn at(position: Vec2) -> String {
    let short = |v: f32| (f64::from(v) * 100.0).round() / 100.0;
    format!("{},{}", short(position.x), short(position.y))
}

/// The spawns an agent may begin at.
pub(super) fn spawns_of<'m>(
    mesh: &'m NavMesh,
    layer: &Layer,
) -> impl Iterator<Item = SpawnMarker<'m>> {
    let name = layer.profile().name.as_str();
    mesh.spawns()
        .filter(move |spawn| spawn.agent.is_none_or(|agent| agent == name))
}

/// Where an agent is once it has begun at a position: on the floor there, in
/// the air if it flies, or on the floor it falls to. `None` when it is inside
/// geometry, or over nothing.
pub(super) fn start(layer: &Layer, position: Vec2) -> Option<Location> {
    let edges = layer.profile().edges;
    if is_inside(layer, position) {
        return None;
    }
    if edges.walks()
        && let Some(spot) = layer.floor_below(position, f32::INFINITY)
    {
        return Some(Location::Floor(spot));
    }
    locate(layer, position)
}

/// Whether a body with its feet at a position is inside geometry, as far as
/// vertices tell, and has no floor to stand on there.
pub(super) fn is_inside(layer: &Layer, position: Vec2) -> bool {
    let grid = layer.grid();
    let Some(cell) = grid.cell_at(position) else {
        return false;
    };
    let near = grid.spacing;
    layer.blocked().get(cell.column, cell.row)
        && layer.floor_below(position, near).is_none()
        && layer.nearest_floor(position, near).is_none()
}
