//! Rooms of tiles seen from above, and agents in them.

use glam::Vec2;
use navmesh_bots::steering::Favour;
use navmesh_runtime::mesh::{
    AgentProfile, AirCell, BitGrid, Cell, EdgeSet, Grid, Layer, LayerParts, NavMesh, NavMeshParts,
    Platforms, Provenance, Units, YAxis,
};

pub(crate) const TILE: f32 = 16.0;
const SPACING: f32 = 8.0;
pub(crate) const DT: f32 = 1.0 / 60.0;

pub(crate) fn chase(weight: f32, arrive: f32) -> Favour {
    Favour::Chase { weight, arrive }
}

/// A room; `#` is solid.
pub(crate) struct Room {
    rows: Vec<Vec<bool>>,
    pub(crate) mesh: NavMesh,
    body: [f32; 2],
}

impl Room {
    pub(crate) fn new(text: &[&str]) -> Self {
        Self::for_bodies(text, &[[12.0, 12.0]])
    }

    /// With a layer for each body, width and height.
    pub(crate) fn for_bodies(text: &[&str], bodies: &[[f32; 2]]) -> Self {
        let rows: Vec<Vec<bool>> = (text.iter())
            .map(|row| row.bytes().map(|byte| byte == b'#').collect())
            .collect();
        let grid = Grid {
            origin: Vec2::ZERO,
            spacing: SPACING,
            columns: 2 * rows[0].len() as u32,
            rows: 2 * rows.len() as u32,
            y_axis: YAxis::Down,
        };
        let layers = bodies.iter().map(|body| {
            let mut blocked = BitGrid::new(grid.columns, grid.rows);
            for row in 0..grid.rows {
                for column in 0..grid.columns {
                    let feet = grid.position(Cell { column, row });
                    blocked.set(column, row, overlaps(&rows, feet, *body, 0.0));
                }
            }
            LayerParts {
                profile: profile(*body),
                blocked,
                platforms: Platforms::default(),
                links: Vec::new(),
                barriers: Vec::new(),
                air: Vec::new(),
                lines: Vec::new(),
            }
        });
        let parts = NavMeshParts {
            provenance: Provenance::default(),
            units: Units::default(),
            grid,
            layers: layers.collect(),
            markers: Vec::new(),
        };
        let mesh = NavMesh::new(parts).expect("a valid room");
        Self {
            rows,
            mesh,
            body: bodies[0],
        }
    }

    pub(crate) fn layer(&self) -> &Layer {
        &self.mesh.layers()[0]
    }

    /// A room whose floor is a line from one side to the other.
    pub(crate) fn slope(left: f32, right: f32) -> NavMesh {
        let (columns, rows) = (40, 40);
        let room = Self::new(&["."; 20].map(|_| "...................."));
        let end = columns as f32 * SPACING;
        let floor = |x: f32| left + (right - left) * x / end;
        let mut blocked = BitGrid::new(columns, rows);
        let grid = *room.mesh.grid();
        for (column, row) in (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r))) {
            let feet = grid.position(Cell { column, row });
            blocked.set(column, row, feet.y > floor(feet.x));
        }
        // Down to the higher end of the floor, and beside the floor from there down.
        let higher = left.min(right);
        let lower = if left < right { [end, end] } else { [0.0, 0.0] };
        let air = vec![
            AirCell {
                top: 0.0,
                bottom: higher,
                upper: [0.0, end],
                lower: [0.0, end],
            },
            AirCell {
                top: higher,
                bottom: left.max(right),
                upper: [0.0, end],
                lower,
            },
        ];
        Self::with_air(grid, blocked, air)
    }

    /// A shaft exactly as wide as the body, in which there is no vertex.
    pub(crate) fn shaft() -> NavMesh {
        let grid = *Self::new(&["."; 20].map(|_| "...................."))
            .mesh
            .grid();
        let mut blocked = BitGrid::new(grid.columns, grid.rows);
        for (column, row) in (0..grid.columns).flat_map(|c| (0..grid.rows).map(move |r| (c, r))) {
            blocked.set(column, row, true);
        }
        let shaft = AirCell {
            top: 20.0,
            bottom: 150.0,
            upper: [70.0; 2],
            lower: [70.0; 2],
        };
        Self::with_air(grid, blocked, vec![shaft])
    }

    fn with_air(grid: Grid, blocked: BitGrid, air: Vec<AirCell>) -> NavMesh {
        let layer = LayerParts {
            profile: profile([12.0, 12.0]),
            blocked,
            platforms: Platforms::default(),
            links: Vec::new(),
            barriers: Vec::new(),
            air,
            lines: Vec::new(),
        };
        NavMesh::new(NavMeshParts {
            provenance: Provenance::default(),
            units: Units::default(),
            grid,
            layers: vec![layer],
            markers: Vec::new(),
        })
        .expect("a valid room")
    }

    /// Whether the first body overlaps a wall by more than rounding.
    pub(crate) fn touches(&self, feet: Vec2) -> bool {
        overlaps(&self.rows, feet, self.body, 1e-3)
    }

    pub(crate) fn size(&self) -> Vec2 {
        Vec2::new(self.rows[0].len() as f32, self.rows.len() as f32) * TILE
    }
}

/// Whether a body is inside a tile, or outside the room, by more than `slack`.
fn overlaps(rows: &[Vec<bool>], feet: Vec2, [width, height]: [f32; 2], slack: f32) -> bool {
    let columns = [feet.x - width / 2.0 + slack, feet.x + width / 2.0 - slack];
    let lines = [feet.y - height + slack, feet.y - slack];
    let tiles = |[from, to]: [f32; 2]| (from / TILE).floor() as i32..=(to / TILE).ceil() as i32 - 1;
    tiles(lines).any(|row| {
        tiles(columns).any(|column| {
            let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
            let column = usize::try_from(column).ok();
            row.zip(column)
                .and_then(|(row, column)| row.get(column).copied())
                .unwrap_or(true)
        })
    })
}

fn profile(body: [f32; 2]) -> AgentProfile {
    AgentProfile {
        body,
        deceleration: 600.0,
        jump_height: 0.0,
        gravity: 800.0,
        jump_speed: 0.0,
        max_jump: [0.0, 0.0],
        max_drop: [0.0, 0.0],
        air_acceleration: None,
        step_height: 0.0,
        max_slope: 0.0,
        edges: EdgeSet::FLY,
        ..AgentProfile::ground(&format!("{}x{}", body[0], body[1]), 16.0)
    }
}

/// Counts how often a heading turns back: it has turned by at least 20° to one side,
/// and then by at least 20° to the other.
#[derive(Clone, Default)]
pub(crate) struct Reversals {
    last: Option<Vec2>,
    /// The turned angle, and its extreme since the last reversal.
    turned: f32,
    extreme: f32,
    side: f32,
    pub(crate) count: u32,
}

impl Reversals {
    /// Starts again, and keeps the count.
    pub(crate) fn forget(&mut self) {
        *self = Self {
            count: self.count,
            ..Self::default()
        };
    }

    pub(crate) fn add(&mut self, velocity: Vec2) {
        // What hardly moves has no heading.
        if velocity.length() < 5.0 {
            return;
        }
        if let Some(last) = self.last {
            self.turned += last.angle_to(velocity).to_degrees();
        }
        self.last = Some(velocity);
        if self.side * (self.turned - self.extreme) > 0.0 {
            self.extreme = self.turned;
        } else if (self.turned - self.extreme).abs() >= 20.0 {
            self.count += u32::from(self.side != 0.0);
            self.side = (self.turned - self.extreme).signum();
            self.extreme = self.turned;
        }
    }
}
