//! A small mesh for the tests of reports.
//!
//! Two floors with a gap of 40 between them, a ledge over the left one, a one-way
//! wall in the gap, and a ceiling; a `grunt` that walks, jumps and drops, and a `bat` that flies.

use glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, Cell, Direction, EdgeSet, Fingerprint, Grid, Launch, LayerParts, Leg,
    Link, Marker, NavMesh, NavMeshParts, OneWayBarrier, PlatformId, PlatformKind, Platforms,
    Provenance, StepKind, TrajectoryParams, Units, YAxis,
};

/// Left, top, right, bottom.
const SOLID: [[f32; 4]; 4] = [
    [0.0, 96.0, 120.0, 112.0],
    [160.0, 96.0, 240.0, 112.0],
    [64.0, 56.0, 112.0, 64.0],
    [0.0, 0.0, 240.0, 8.0],
];

pub(crate) fn mesh() -> NavMesh {
    let grid = Grid {
        origin: Vec2::ZERO,
        spacing: 8.0,
        columns: 30,
        rows: 14,
        y_axis: YAxis::Down,
    };
    NavMesh::new(NavMeshParts {
        provenance: Provenance {
            source: "sample.tmx".into(),
            source_fingerprint: Fingerprint([0x5a; 16]),
            settings_fingerprint: Fingerprint([0xc3; 16]),
            ..Provenance::default()
        },
        units: Units::default(),
        grid,
        layers: vec![grunt(&grid), bat(&grid)],
        markers: vec![
            Marker {
                class: "spawn".into(),
                name: "player".into(),
                position: Vec2::new(16.0, 96.0),
                size: Vec2::ZERO,
                properties: vec![("facing".into(), "right".into())],
            },
            Marker {
                class: "lair".into(),
                name: String::new(),
                position: Vec2::new(160.0, 64.0),
                size: Vec2::new(80.0, 32.0),
                properties: Vec::new(),
            },
        ],
    })
    .unwrap()
}

fn grunt(grid: &Grid) -> LayerParts {
    let profile = AgentProfile {
        jump_height: 52.0,
        gravity: 800.0,
        jump_speed: 288.444_1,
        max_jump: [96.0, 52.0],
        max_drop: [96.0, 240.0],
        air_acceleration: None,
        edges: EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP,
        ..AgentProfile::ground("grunt", 16.0)
    };
    let platforms = Platforms::new([
        vec![Vec2::new(0.0, 96.0), Vec2::new(126.0, 96.0)],
        vec![Vec2::new(58.0, 56.0), Vec2::new(118.0, 56.0)],
        vec![
            Vec2::new(154.0, 96.0),
            Vec2::new(200.0, 96.0),
            Vec2::new(208.0, 92.0),
            Vec2::new(240.0, 92.0),
        ],
    ])
    .unwrap();
    let links = vec![
        link(
            StepKind::Jump,
            (0, [50.0, 96.0]),
            (1, [58.0, 56.0]),
            &[[0.0, 270.0]],
            &[[0.2, 0.0]],
        ),
        link(
            StepKind::Jump,
            (0, [126.0, 96.0]),
            (2, [154.0, 96.0]),
            &[[0.0, 125.0]],
            &[],
        ),
        link(
            StepKind::Drop,
            (1, [118.0, 56.0]),
            (0, [126.0, 96.0]),
            &[[0.0, 0.0]],
            &[],
        ),
        link(
            StepKind::Jump,
            (1, [118.0, 56.0]),
            (2, [160.0, 96.0]),
            &[[0.0, 101.5]],
            &[],
        ),
    ];
    LayerParts {
        blocked: blocked(grid, profile.body),
        profile,
        platforms,
        links,
        // From the ceiling of the gap down to below the floor: over it to the
        // right, and not back.
        barriers: vec![OneWayBarrier {
            pass: Direction::Right,
            at: 140.0,
            low: 8.0,
            high: 112.0,
        }],
        air: Vec::new(),
        lines: Vec::new(),
    }
}

fn bat(grid: &Grid) -> LayerParts {
    let profile = AgentProfile {
        name: "bat".into(),
        body: [12.0, 12.0],
        edges: EdgeSet::FLY,
        ..grunt(grid).profile
    };
    LayerParts {
        blocked: blocked(grid, profile.body),
        profile,
        platforms: Platforms::default(),
        links: Vec::new(),
        barriers: Vec::new(),
        air: Vec::new(),
        lines: Vec::new(),
    }
}

fn blocked(grid: &Grid, [width, height]: [f32; 2]) -> BitGrid {
    let mut blocked = BitGrid::new(grid.columns, grid.rows);
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let p = grid.position(Cell { column, row });
            let hit = SOLID.iter().any(|[left, top, right, bottom]| {
                let half = width / 2.0;
                p.x + half > *left && p.x - half < *right && p.y > *top && p.y - height < *bottom
            });
            blocked.set(column, row, hit);
        }
    }
    blocked
}

fn link(
    kind: StepKind,
    (from_platform, from): (u32, [f32; 2]),
    (to_platform, to): (u32, [f32; 2]),
    launches: &[[f64; 2]],
    legs: &[[f64; 2]],
) -> Link {
    let launches: Vec<Launch> = (launches.iter())
        .map(|&[time, speed]| Launch { time, speed })
        .collect();
    let legs: Vec<Leg> = (legs.iter())
        .map(|&[duration, speed]| Leg { duration, speed })
        .collect();
    let params = TrajectoryParams::new(&launches, &legs).unwrap();
    let (from, to) = (Vec2::from(from), Vec2::from(to));
    let arc = params.between(from, to, 800.0, 1.0).unwrap();
    Link {
        kind,
        from_platform: PlatformId(from_platform),
        to_platform: PlatformId(to_platform),
        from,
        to,
        duration: arc.duration as f32,
        tolerance: 0.125,
        params,
    }
}

/// The sample with something done to its parts.
pub(crate) fn with(change: impl FnOnce(&mut NavMeshParts)) -> NavMesh {
    let mesh = mesh();
    let mut parts = NavMeshParts {
        provenance: mesh.provenance().clone(),
        units: mesh.units(),
        grid: *mesh.grid(),
        layers: (mesh.layers().iter())
            .map(|layer| layer.parts().clone())
            .collect(),
        markers: mesh.markers().to_vec(),
    };
    change(&mut parts);
    NavMesh::new(parts).unwrap()
}

/// A link of the sample, by its number, between other places of other platforms.
pub(crate) type MovedLink = (usize, [u32; 2], [[f32; 2]; 2]);

/// The sample with other platforms for the grunt, which climbs here, and without links.
pub(crate) fn with_climbs(platforms: &[(PlatformKind, [[f32; 2]; 2])]) -> NavMesh {
    with(|parts| {
        let layer = &mut parts.layers[0];
        layer.profile.edges = layer.profile.edges | EdgeSet::WALL_CLIMB | EdgeSet::CEILING_CLIMB;
        layer.profile.climb_speed = 40.0;
        let platforms = platforms
            .iter()
            .map(|(kind, ends)| (*kind, ends.map(Vec2::from)));
        (layer.platforms, layer.links) = (Platforms::of_kinds(platforms).unwrap(), Vec::new());
    })
}

/// The sample with other floors for the grunt, and with these links only.
pub(crate) fn with_floors(floors: &[&[[f32; 2]]], links: &[MovedLink]) -> NavMesh {
    with(|parts| {
        let layer = &mut parts.layers[0];
        let line = |points: &&[[f32; 2]]| points.iter().map(|p| Vec2::from(*p)).collect::<Vec<_>>();
        layer.platforms = Platforms::new(floors.iter().map(line)).unwrap();
        let link = |&(like, platforms, ends): &MovedLink| {
            let [from_platform, to_platform] = platforms.map(PlatformId);
            let [from, to] = ends.map(Vec2::from);
            Link {
                from_platform,
                to_platform,
                from,
                to,
                ..layer.links[like]
            }
        };
        layer.links = links.iter().map(link).collect();
    })
}
