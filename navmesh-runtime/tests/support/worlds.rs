//! Random valid meshes for tests, with platforms, links and blocked vertices.
// No test binary uses all of this.
#![allow(dead_code, missing_docs)]

pub use crate::random::Dice;
use glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, Direction, EdgeSet, Fingerprint, Grid, Launch, LayerParts, Leg, Link,
    Marker, NavMesh, NavMeshParts, OneWayBarrier, PlatformId, Platforms, Provenance, StepKind,
    TrajectoryParams, Units, YAxis, air_of_vertices,
};

/// The parameters of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub columns: u32,
    pub rows: u32,
    /// Links to try for each platform.
    pub links: u32,
    /// Rows between rows of platforms.
    pub row_step: u32,
    /// Share of platforms with another one just above or below, in the same
    /// cells.
    pub shelves: f32,
    /// Share of blocked vertices.
    pub noise: f32,
    pub edges: EdgeSet,
    /// Whether coordinates are round numbers, as the baker writes them.
    pub tidy: bool,
    pub y_axis: YAxis,
}

impl Plan {
    /// A world of noise with platforms on every third row.
    pub const fn noisy(columns: u32, rows: u32, edges: EdgeSet) -> Self {
        Self {
            columns,
            rows,
            links: 5,
            row_step: 3,
            shelves: 0.0,
            noise: 0.25,
            edges,
            tidy: true,
            y_axis: YAxis::Down,
        }
    }

    pub fn random(dice: &mut Dice) -> Self {
        let edges = [
            EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP,
            EdgeSet::FLY,
            EdgeSet::ALL - EdgeSet::CLIMB,
        ];
        Self {
            columns: dice.below(60),
            rows: dice.below(30),
            links: dice.below(6),
            row_step: 1 + dice.below(3),
            shelves: [0.0, 0.4][dice.below(2) as usize],
            noise: dice.between(0.0, 0.6),
            edges: edges[dice.below(3) as usize],
            tidy: dice.chance(0.5),
            y_axis: if dice.chance(0.5) {
                YAxis::Down
            } else {
                YAxis::Up
            },
        }
    }
}

/// A level of 150,000 vertices, about 1,000 platforms and 5,000 links.
pub fn large(edges: EdgeSet) -> NavMesh {
    let plan = Plan {
        columns: 1000,
        rows: 150,
        links: 10,
        row_step: 10,
        shelves: 0.0,
        noise: 0.005,
        edges,
        tidy: true,
        y_axis: YAxis::Down,
    };
    mesh(plan, 1, &mut Dice(11))
}

pub fn profile(name: &str, edges: EdgeSet) -> AgentProfile {
    AgentProfile {
        jump_height: 128.0,
        gravity: 800.0,
        jump_speed: (2.0_f32 * 800.0 * 128.0).sqrt(),
        max_jump: [400.0, 128.0],
        max_drop: [400.0, 400.0],
        air_acceleration: None,
        step_height: 1.0,
        edges,
        ..AgentProfile::ground(name, 16.0)
    }
}

/// A grid of squares of 8 units, with y down.
pub fn grid(columns: u32, rows: u32) -> Grid {
    Grid {
        origin: Vec2::ZERO,
        spacing: 8.0,
        columns,
        rows,
        y_axis: YAxis::Down,
    }
}

/// A mesh of one layer.
pub fn one_layer(grid: Grid, layer: LayerParts) -> NavMesh {
    NavMesh::new(NavMeshParts {
        provenance: Provenance::default(),
        units: Units::default(),
        grid,
        layers: vec![layer],
        markers: Vec::new(),
    })
    .unwrap()
}

/// A portal between two positions on platforms, which takes so long.
pub fn portal(from: (PlatformId, Vec2), to: (PlatformId, Vec2), seconds: f32) -> Link {
    Link {
        kind: StepKind::Portal,
        from_platform: from.0,
        to_platform: to.0,
        from: from.1,
        to: to.1,
        duration: seconds,
        tolerance: 0.25,
        params: TrajectoryParams::steady(seconds).unwrap(),
    }
}

/// A position in the rectangle of a grid.
pub fn somewhere(mesh: &NavMesh, dice: &mut Dice) -> Vec2 {
    let grid = mesh.grid();
    let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
    grid.origin + Vec2::new(size.x * dice.unit(), mesh.down() * size.y * dice.unit())
}

/// The parts of a random valid mesh.
pub fn parts(plan: Plan, agents: u32, dice: &mut Dice) -> NavMeshParts {
    let spacing = if plan.tidy {
        8.0
    } else {
        dice.between(0.3, 9.0)
    };
    let origin = if plan.tidy {
        Vec2::new(dice.below(64) as f32 - 32.0, 0.5 * dice.below(64) as f32)
    } else {
        Vec2::new(dice.between(-500.0, 500.0), dice.between(-500.0, 500.0))
    };
    let grid = Grid {
        origin,
        spacing,
        columns: plan.columns,
        rows: plan.rows,
        y_axis: plan.y_axis,
    };
    let units = Units {
        pixels_per_unit: dice.between(0.5, 32.0),
        y_axis: plan.y_axis,
    };
    let layers = (0..agents)
        .map(|i| layer(&format!("agent {i}"), plan, &grid, dice))
        .collect();
    let text = |dice: &mut Dice| -> String {
        (0..dice.below(6))
            .map(|_| ['a', 'ß', '木', '"', '\n'][dice.below(5) as usize])
            .collect()
    };
    let markers = (0..dice.below(4))
        .map(|_| Marker {
            class: text(dice),
            name: text(dice),
            position: Vec2::new(dice.between(-9.0, 9.0), dice.unit()),
            size: Vec2::new(dice.unit(), 0.0),
            properties: (0..dice.below(3))
                .map(|_| (text(dice), text(dice)))
                .collect(),
        })
        .collect();
    NavMeshParts {
        provenance: Provenance {
            source: text(dice),
            source_fingerprint: Fingerprint(std::array::from_fn(|_| dice.word() as u8)),
            settings_fingerprint: Fingerprint(std::array::from_fn(|_| dice.word() as u8)),
            baker: dice.below(1000),
            tile_size: [None, Some([16, 24])][dice.below(2) as usize],
        },
        units,
        grid,
        layers,
        markers,
    }
}

pub fn mesh(plan: Plan, agents: u32, dice: &mut Dice) -> NavMesh {
    NavMesh::new(parts(plan, agents, dice)).expect("generated worlds are valid")
}

fn layer(name: &str, plan: Plan, grid: &Grid, dice: &mut Dice) -> LayerParts {
    let profile = profile(name, plan.edges);
    let mut blocked = BitGrid::new(grid.columns, grid.rows);
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            blocked.set(column, row, dice.chance(plan.noise));
        }
    }
    let surfaces = surfaces(plan, grid, dice);
    let platforms = Platforms::new(&surfaces).expect("generated surfaces are valid");
    let mut links = Vec::new();
    for from in platforms.iter() {
        let is_near = |to: &navmesh_runtime::mesh::Platform<'_>| {
            let across = (to.left().x - from.right().x).max(from.left().x - to.right().x);
            across < 60.0 && (to.left().y - from.left().y).abs() < 100.0
        };
        let near: Vec<_> = platforms.iter().filter(is_near).collect();
        let can_jump = plan.edges.contains(EdgeSet::JUMP | EdgeSet::DROP);
        for _ in 0..if can_jump { plan.links } else { 0 } {
            let to = if dice.chance(0.9) {
                near[dice.below(near.len() as u32) as usize]
            } else {
                let any = dice.below(platforms.len() as u32);
                platforms.get(PlatformId(any)).unwrap_or(from)
            };
            let mut place = |p: navmesh_runtime::mesh::Platform<'_>| {
                let x = match dice.below(3) {
                    0 => p.left().x,
                    1 => p.right().x,
                    _ if plan.tidy => dice
                        .between(p.left().x, p.right().x)
                        .round()
                        .clamp(p.left().x, p.right().x),
                    _ => dice
                        .between(p.left().x, p.right().x)
                        .clamp(p.left().x, p.right().x),
                };
                p.clamp(x)
            };
            let (a, b) = (place(from), place(to));
            links.extend(link(a, b, from.id, to.id, &profile, grid, dice));
        }
    }
    let barriers = (0..dice.below(4)).map(|i| {
        let [at, low] = [dice.between(-99.0, 99.0), dice.between(-99.0, 99.0)];
        OneWayBarrier {
            pass: Direction::ALL[i as usize],
            at,
            low,
            high: low + 1.0 + dice.unit(),
        }
    });
    let barriers = barriers.collect();
    let only_flies = plan.edges.contains(EdgeSet::FLY) && !plan.edges.walks();
    let air = only_flies.then(|| air_of_vertices(&blocked, grid));
    LayerParts {
        profile,
        blocked,
        platforms,
        links,
        barriers,
        air: air.unwrap_or_default(),
        lines: Vec::new(),
    }
}

/// Stretches of floor, each inside one row of cells.
fn surfaces(plan: Plan, grid: &Grid, dice: &mut Dice) -> Vec<Vec<Vec2>> {
    let mut surfaces = Vec::new();
    for row in (0..plan.rows).step_by(plan.row_step as usize) {
        let mut column = dice.below(12);
        while column + 1 < plan.columns {
            let end = (column + dice.below(15)).min(plan.columns - 1);
            let (left, right) = (grid.column_x(column), grid.column_x(end));
            // Anywhere in the cells, but no nearer than a hair to their rims.
            let y = |dice: &mut Dice| {
                let up = match (plan.tidy, dice.below(2)) {
                    (true, 0) => 0.0,
                    (true, _) => 0.25 * dice.below(3) as f32,
                    _ => dice.between(0.01, 0.9),
                };
                grid.row_y(row) - plan.y_axis.down() * up * grid.spacing
            };
            let mut surface = vec![Vec2::new(left, y(dice))];
            if left < right && dice.chance(0.5) {
                let mut x = left;
                for _ in 0..dice.below(4) {
                    x = if plan.tidy {
                        (x + dice.below(16) as f32).min(right)
                    } else {
                        dice.between(x, right).min(right)
                    };
                    surface.push(Vec2::new(x, y(dice)));
                }
            }
            if left < right {
                let at = surface.last().map_or(0.0, |p| p.y);
                surface.push(Vec2::new(right, at));
            }
            surfaces.push(surface);
            if plan.shelves > 0.0 && dice.chance(plan.shelves) {
                let first = column + dice.below(end - column + 1);
                let last = first + dice.below(end - first + 1);
                let at = y(dice);
                let mut shelf = vec![Vec2::new(grid.column_x(first), at)];
                if first < last {
                    shelf.push(Vec2::new(grid.column_x(last), at));
                }
                surfaces.push(shelf);
            }
            column = end + 2 + dice.below(10);
        }
    }
    surfaces
}

/// A link between two positions that keeps to the run speed, if one is found
/// in a few tries.
pub fn link(
    from: Vec2,
    to: Vec2,
    from_platform: PlatformId,
    to_platform: PlatformId,
    profile: &AgentProfile,
    grid: &Grid,
    dice: &mut Dice,
) -> Option<Link> {
    let gravity = f64::from(profile.gravity);
    for _ in 0..12 {
        let drop = dice.chance(0.3);
        let speed = if drop {
            0.0
        } else {
            profile.jump_speed * dice.unit()
        };
        let time = if dice.chance(0.7) {
            0.0
        } else {
            0.1 * dice.unit()
        };
        let launch = |time: f32, speed: f32| Launch {
            time: time.into(),
            speed: speed.into(),
        };
        let mut launches = vec![launch(time, speed)];
        if !drop && dice.chance(0.2) {
            let again = time + 0.2 * dice.unit();
            launches.push(launch(again, profile.jump_speed * dice.unit()));
        }
        let legs: Vec<Leg> = (0..dice.below(3))
            .map(|_| {
                let speed = [0.0, 1.0, -1.0, dice.unit()][dice.below(4) as usize];
                Leg {
                    duration: (0.1 * dice.unit()).into(),
                    speed: (speed * profile.run_speed).into(),
                }
            })
            .collect();
        let params =
            TrajectoryParams::new(&launches, &legs).expect("generated parameters are valid");
        let Ok(arc) = params.between(from, to, gravity, grid.y_axis.down()) else {
            continue;
        };
        if arc.top_speed() > f64::from(profile.run_speed) || arc.duration <= 0.0 {
            continue;
        }
        return Some(Link {
            kind: if drop { StepKind::Drop } else { StepKind::Jump },
            from_platform,
            to_platform,
            from,
            to,
            duration: arc.duration as f32,
            tolerance: dice.below(1 << 14) as f32 / f32::from(1_u16 << 15),
            params,
        });
    }
    None
}
