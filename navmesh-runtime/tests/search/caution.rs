//! Caution: the extra cost of links with little tolerance.

use crate::worlds;

use glam::Vec2;
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, EdgeSet, Launch, LayerParts, Link, NavMesh, PlatformId, Platforms,
    StepKind, TrajectoryParams,
};
use navmesh_runtime::search::{Filter, PathFinder, PathOutcome, Query};

const GRAVITY: f32 = 400.0;

fn link(speed: f32, tolerance: f32) -> Link {
    let (from, to) = (Vec2::new(40.0, 64.0), Vec2::new(72.0, 64.0));
    let launch = Launch {
        time: 0.0,
        speed: speed.into(),
    };
    let params = TrajectoryParams::new(&[launch], &[]).unwrap();
    let arc = params.between(from, to, f64::from(GRAVITY), 1.0).unwrap();
    Link {
        kind: StepKind::Jump,
        from_platform: PlatformId(0),
        to_platform: PlatformId(1),
        from,
        to,
        duration: arc.duration as f32,
        tolerance,
        params,
    }
}

fn mesh() -> NavMesh {
    let profile = AgentProfile {
        jump_height: 50.0,
        gravity: GRAVITY,
        jump_speed: 200.0,
        max_jump: [96.0, 50.0],
        max_drop: [96.0, 200.0],
        air_acceleration: None,
        edges: EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY,
        ..AgentProfile::ground("careful", 16.0)
    };
    let floor = |a: f32, b: f32| vec![Vec2::new(a, 64.0), Vec2::new(b, 64.0)];
    worlds::one_layer(
        worlds::grid(16, 10),
        LayerParts {
            profile,
            blocked: BitGrid::new(16, 10),
            platforms: Platforms::new([floor(0.0, 40.0), floor(72.0, 120.0)]).unwrap(),
            // The quick one needs the full run speed.
            links: vec![link(100.0, 0.0), link(160.0, 0.25)],
            barriers: vec![],
            air: vec![],
            lines: Vec::new(),
        },
    )
}

#[test]
fn caution_trades_time_for_tolerance() {
    let mesh = mesh();
    let mut finder = PathFinder::new();
    let mut jump = |caution: f32| {
        let mut filter = Filter::default();
        filter.caution = caution;
        let query = Query {
            filter,
            ..Query::new(Vec2::new(8.0, 64.0), Vec2::new(110.0, 64.0))
        };
        let PathOutcome::Found(path) = finder.find(&mesh.layers()[0], &query).unwrap() else {
            panic!("there is a path");
        };
        let links: Vec<_> = path.steps.iter().filter_map(|s| s.link).collect();
        (links[0].0, path.cost)
    };
    // 0.5 s against 0.8 s.
    let (quick, cost) = jump(0.0);
    assert_eq!(quick, 0);
    let (same, cautious) = jump(0.2);
    assert_eq!(same, 0);
    assert!((cautious - cost - 0.2).abs() < 1e-4);
    assert_eq!(jump(0.5).0, 1);
}
