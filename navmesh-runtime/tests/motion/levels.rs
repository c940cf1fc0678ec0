//! Levels of tiles for tests of motion. Blocked vertices, platforms and links
//! are computed from the tiles, and tests ask the tiles whether a body is inside
//! geometry.
#![allow(dead_code, missing_docs)]

pub use crate::random::Dice;
use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, Cell, EdgeSet, Grid, Launch, Layer, LayerParts, Leg, Link, Marker,
    NavMesh, NavMeshParts, Platform, Platforms, Provenance, StepKind, TrajectoryParams, Units,
    YAxis,
};
use navmesh_runtime::motion::{AgentEvent, Environment, NavAgent};
use navmesh_runtime::search::{Doors, PathFinder, Rect};

pub const TILE: f32 = 16.0;
pub const SPACING: f32 = 8.0;
pub const BODY: [f32; 2] = [12.0, 16.0];

pub struct Level {
    pub rows: Vec<Vec<bool>>,
    pub mesh: NavMesh,
}

/// Two floors with a gap between, and a ledge above the left one.
pub fn gap() -> Level {
    Level::under_air(
        5,
        &[
            "..###...............",
            "....................",
            "....................",
            "........##..........",
            "#######..##...######",
            "#######..##...######",
        ],
        walking(),
    )
}

/// Two floors with a gap to jump between them.
pub fn wide_floors() -> Level {
    Level::under_air(9, &["##########..########"], walking())
}

/// A floor with a gap, and a wall in the middle of its right half.
pub fn wall_and_gap() -> Level {
    Level::under_air(
        4,
        &[
            "..............#.....",
            "..............#.....",
            "#######..###########",
            "#######..###########",
        ],
        walking(),
    )
}

/// A layer and the doors of its level.
pub fn with_doors<'a>(layer: &'a Layer, doors: &'a Doors) -> Environment<'a> {
    Environment { layer, doors }
}

/// An agent that is sent from one place to another.
pub fn sent(layer: &Layer, from: impl Into<Vec2>, to: impl Into<Vec2>) -> NavAgent {
    let mut agent = NavAgent::new(layer, from.into());
    agent.go_to(to.into());
    agent
}

/// Steps an agent until it rests. Returns all events.
pub fn settle(agent: &mut NavAgent, level: &Level, finder: &mut PathFinder) -> Vec<AgentEvent> {
    let mut events = Vec::new();
    for _ in 0..2000 {
        let pose = agent.step(Environment::new(level.layer()), finder, 1.0 / 60.0);
        events.extend_from_slice(agent.events());
        if !pose.activity.is_moving() {
            break;
        }
    }
    events
}

impl Level {
    /// From rows of text below rows of air; `#` is solid.
    pub fn under_air(air: usize, text: &[&str], edges: EdgeSet) -> Self {
        let empty = ".".repeat(text[0].len());
        let mut rows = vec![empty.as_str(); air];
        rows.extend(text);
        Self::parse(&rows, edges)
    }

    /// From rows of text; `#` is solid.
    pub fn parse(text: &[&str], edges: EdgeSet) -> Self {
        let rows = text
            .iter()
            .map(|row| row.bytes().map(|b| b == b'#').collect())
            .collect();
        Self::new(rows, edges)
    }

    /// A random one.
    pub fn random(columns: u32, height: u32, edges: EdgeSet, dice: &mut Dice) -> Self {
        let mut rows = vec![vec![false; columns as usize]; height as usize];
        if let Some(last) = rows.last_mut() {
            last.fill(true);
        }
        for _ in 0..columns * height / 20 {
            let (x, y) = (dice.below(columns), 1 + dice.below(height - 1));
            let (w, h) = (1 + dice.below(5), 1 + dice.below(2));
            for row in y..(y + h).min(height) {
                for column in x..(x + w).min(columns) {
                    rows[row as usize][column as usize] = true;
                }
            }
        }
        // A pit or two.
        for _ in 0..dice.below(3) {
            let column = dice.below(columns) as usize;
            if let Some(last) = rows.last_mut() {
                last[column] = false;
            }
        }
        Self::new(rows, edges)
    }

    pub fn new(rows: Vec<Vec<bool>>, edges: EdgeSet) -> Self {
        Self::build(rows, edges, YAxis::Down)
    }

    /// The same level where y grows upwards: every y is negated.
    pub fn upwards(&self) -> Self {
        let edges = self.layer().profile().edges;
        Self::build(self.rows.clone(), edges, YAxis::Up)
    }

    fn build(rows: Vec<Vec<bool>>, edges: EdgeSet, y_axis: YAxis) -> Self {
        let mesh = NavMesh::new(Self::parts(&rows, edges, y_axis)).unwrap();
        Self { rows, mesh }
    }

    /// The same level baked for an agent of another name.
    pub fn of_agent(&self, name: &str) -> NavMesh {
        self.with(|layer| layer.profile.name = name.into())
    }

    /// The same level with a change to its layer.
    pub fn with(&self, change: impl FnOnce(&mut LayerParts)) -> NavMesh {
        let grid = self.layer().grid();
        let mut parts = Self::parts(&self.rows, self.layer().profile().edges, grid.y_axis);
        change(&mut parts.layers[0]);
        NavMesh::new(parts).unwrap()
    }

    /// The same level in which a rectangle is a door.
    pub fn with_door(&self, name: &str, door: Rect) -> NavMesh {
        let grid = self.layer().grid();
        let mut parts = Self::parts(&self.rows, self.layer().profile().edges, grid.y_axis);
        parts.markers.push(Marker {
            class: "door".to_owned(),
            name: name.to_owned(),
            position: door.min,
            size: door.max - door.min,
            properties: Vec::new(),
        });
        NavMesh::new(parts).unwrap()
    }

    fn parts(rows: &[Vec<bool>], edges: EdgeSet, y_axis: YAxis) -> NavMeshParts {
        let width = rows[0].len() as u32;
        let grid = Grid {
            origin: Vec2::ZERO,
            spacing: SPACING,
            columns: width * 2,
            rows: rows.len() as u32 * 2,
            y_axis,
        };
        let mut blocked = BitGrid::new(grid.columns, grid.rows);
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                let at = grid.position(Cell { column, row });
                let at = Vec2::new(at.x, at.y.abs());
                blocked.set(column, row, is_blocked(rows, at, 0.0));
            }
        }
        let mut surfaces = Vec::new();
        for row in 1..=rows.len() {
            let y = row as f32 * TILE;
            let mut run: Option<(f32, f32)> = None;
            for x in 6..=(width as i32 * 16 - 5) {
                let at = Vec2::new(x as f32, y);
                let stands = x <= width as i32 * 16 - 6
                    && !is_blocked(rows, at, 0.0)
                    && is_blocked(rows, at + Vec2::Y, 0.0);
                match (&mut run, stands) {
                    (Some(run), true) => run.1 = at.x,
                    (None, true) => run = Some((at.x, at.x)),
                    (Some((a, b)), false) => {
                        // Lips lie between whole numbers: at the corner of a
                        // tile the body only touches it.
                        let lip = |x: f32, aside: f32| {
                            let at = Vec2::new(x + aside, y);
                            let stands =
                                !is_blocked(rows, at, 0.0) && is_blocked(rows, at + Vec2::Y, 0.0);
                            Vec2::new(if stands { at.x } else { x }, y)
                        };
                        surfaces.push(vec![lip(*a, -0.999), lip(*b, 0.999)]);
                        run = None;
                    }
                    (None, false) => {}
                }
            }
        }
        let platforms = Platforms::new(&surfaces).unwrap();
        let profile = profile(edges);
        let mut links = links(rows, &platforms, &profile);
        links.retain(|link| {
            let edge = link.kind.of_step().name();
            edges.names().any(|name| name == edge)
        });
        let mut platforms = platforms;
        if y_axis == YAxis::Up {
            for point in surfaces.iter_mut().flatten() {
                point.y = -point.y;
            }
            platforms = Platforms::new(&surfaces).unwrap();
            for link in &mut links {
                (link.from.y, link.to.y) = (-link.from.y, -link.to.y);
            }
        }
        let units = Units {
            y_axis,
            ..Units::default()
        };
        NavMeshParts {
            provenance: Provenance::default(),
            units,
            grid,
            layers: vec![LayerParts {
                profile,
                blocked,
                platforms,
                links,
                barriers: vec![],
                air: vec![],
                lines: Vec::new(),
            }],
            markers: Vec::new(),
        }
    }

    pub fn layer(&self) -> &Layer {
        &self.mesh.layers()[0]
    }

    /// Whether a body is inside a tile by more than 0.05 units.
    pub fn is_blocked(&self, feet: Vec2) -> bool {
        is_blocked(&self.rows, feet, 0.05)
    }

    pub fn size(&self) -> Vec2 {
        Vec2::new(self.rows[0].len() as f32, self.rows.len() as f32) * TILE
    }

    /// A random place where the body is free, a little inside the level.
    pub fn somewhere(&self, dice: &mut Dice) -> Vec2 {
        loop {
            let size = self.size();
            let at = Vec2::new(
                dice.between(8.0, size.x - 8.0),
                dice.between(20.0, size.y - 8.0),
            );
            if !is_blocked(&self.rows, at, -0.1) {
                return at;
            }
        }
    }
}

fn is_blocked(rows: &[Vec<bool>], feet: Vec2, margin: f32) -> bool {
    let first = |v: f32| (v / TILE).floor() as i32;
    let last = |v: f32| (v / TILE).ceil() as i32 - 1;
    let (left, right) = (feet.x - 6.0 + margin, feet.x + 6.0 - margin);
    let (top, bottom) = (feet.y - 16.0 + margin, feet.y - margin);
    (first(top)..=last(bottom)).any(|row| {
        (first(left)..=last(right)).any(|column| {
            let row = usize::try_from(row).ok().and_then(|r| rows.get(r));
            let tile = usize::try_from(column).ok();
            row.zip(tile)
                .and_then(|(row, c)| row.get(c).copied())
                .unwrap_or(false)
        })
    })
}

pub fn profile(edges: EdgeSet) -> AgentProfile {
    AgentProfile {
        body: BODY,
        jump_height: 50.0,
        gravity: 800.0,
        jump_speed: (2.0_f32 * 800.0 * 50.0).sqrt(),
        max_jump: [100.0, 50.0],
        max_drop: [100.0, 300.0],
        air_acceleration: None,
        step_height: 0.0,
        max_slope: 0.0,
        edges,
        ..AgentProfile::ground("agent", 16.0)
    }
}

fn links(rows: &[Vec<bool>], platforms: &Platforms, profile: &AgentProfile) -> Vec<Link> {
    let mut links = Vec::new();
    for from in platforms.iter() {
        for to in platforms.iter() {
            if from.id == to.id {
                continue;
            }
            for a in ends(&from) {
                let mut best: Option<Link> = None;
                let b_s = ends(&to).into_iter().chain([
                    to.clamp(a.x),
                    to.clamp(a.x + 14.0),
                    to.clamp(a.x - 14.0),
                ]);
                for b in b_s {
                    for program in programs(a, b, profile) {
                        if let Some(link) = make(rows, profile, (&from, a), (&to, b), program)
                            && best.is_none_or(|best| link.duration < best.duration)
                        {
                            best = Some(link);
                        }
                    }
                }
                links.extend(best);
            }
        }
    }
    links
}

fn ends(platform: &Platform<'_>) -> [Vec2; 3] {
    let (a, b) = (platform.left(), platform.right());
    [a, b, platform.clamp(f32::midpoint(a.x, b.x).round())]
}

fn programs(a: Vec2, b: Vec2, profile: &AgentProfile) -> Vec<TrajectoryParams> {
    let side = (b.x - a.x).signum();
    let clear = 13.0 / profile.run_speed;
    let params = |[time, speed]: [f32; 2], legs: &[[f32; 2]]| {
        let [time, speed] = [time, speed].map(f64::from);
        let legs: Vec<Leg> = (legs.iter())
            .map(|leg| leg.map(f64::from))
            .map(|[duration, speed]| Leg { duration, speed })
            .collect();
        TrajectoryParams::new(&[Launch { time, speed }], &legs).unwrap()
    };
    let mut all = vec![
        params([clear, 0.0], &[[clear, side * profile.run_speed]]),
        params([clear, 0.0], &[[clear, -side * profile.run_speed]]),
    ];
    for share in [0.4, 0.7, 1.0] {
        let v = profile.jump_speed * share;
        all.push(params([0.0, v], &[]));
        all.push(params([0.0, v], &[[v / profile.gravity, 0.0]]));
    }
    all
}

fn make(
    rows: &[Vec<bool>],
    profile: &AgentProfile,
    (from_platform, from): (&Platform<'_>, Vec2),
    (to_platform, to): (&Platform<'_>, Vec2),
    params: TrajectoryParams,
) -> Option<Link> {
    let across = (to.x - from.x).abs();
    if across > 100.0 || from.y - to.y > 50.0 || to.y - from.y > 300.0 {
        return None;
    }
    let arc = params
        .between(from, to, f64::from(profile.gravity), 1.0)
        .ok()?;
    if arc.top_speed() > f64::from(profile.run_speed) || arc.velocity(arc.duration).y > 0.0 {
        return None;
    }
    let clear = (0..=800).all(|i| {
        let o = arc.offset(arc.duration * f64::from(i) / 800.0);
        let at = from.as_dvec2() + DVec2::new(o.x, -o.y);
        !is_blocked(rows, at.as_vec2(), 0.01)
    });
    clear.then_some(Link {
        kind: if arc.launches()[0].speed > 0.0 {
            StepKind::Jump
        } else {
            StepKind::Drop
        },
        from_platform: from_platform.id,
        to_platform: to_platform.id,
        from,
        to,
        duration: arc.duration as f32,
        tolerance: 0.0,
        params,
    })
}

pub fn walking() -> EdgeSet {
    EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP
}
