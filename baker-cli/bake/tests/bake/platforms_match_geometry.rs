//! Every platform can be walked from end to end and back, and everything that
//! can be walked is one platform: checked with a body that is pushed in small
//! steps. Layers of agents that only fly have the same floors.

use crate::common;
use crate::random_cases;

use common::baked_level::{Random, crossed_hills};
use common::drawn::Drawn;
use common::walk::{STRIDE, stumbles};
use common::{Geometry, on_floor, replay::body_of};
use glam::DVec2;
use navmesh_bake::Level;
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, NavMesh};
use proptest::prelude::*;

/// Baked for an agent on foot and for one that flies.
fn mesh(level: &Level) -> NavMesh {
    let mut agent = AgentProfile::ground("ground", 16.0);
    // It fits into no gap exactly.
    agent.body[0] = 11.7;
    // Links do not matter here, and take most of the time with a limit.
    agent.air_acceleration = None;
    let mut flier = agent.clone();
    "air".clone_into(&mut flier.name);
    flier.edges = EdgeSet::FLY;
    bake(
        level,
        &Settings::for_agents(vec![agent, flier]),
        &NoProgress,
    )
    .unwrap()
}

/// Heights at which a body can stand at `x`, from top to bottom.
fn stands(drawn: &Drawn, x: f64, body: DVec2) -> Vec<f64> {
    let mut heights = drawn.rests(x, body);
    heights.retain(|y| !drawn.blocked(DVec2::new(x, *y), body, 1e-6));
    heights.sort_by(f64::total_cmp);
    heights.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    heights
}

/// Positions from which a body walks to exactly one other and back to exactly
/// the first, although they are not on one platform.
fn breaks(drawn: &Drawn, layer: &Layer, level: &Level) -> Vec<String> {
    let profile = layer.profile();
    let body = body_of(profile);
    let slope = f64::from(profile.max_slope).to_radians().tan();
    let mut wrong = Vec::new();
    let platforms = |x: f64, y: f64| {
        let floors = layer.platforms();
        let on = floors.filter(|p| {
            let (low, high) = p.extent();
            let x = x as f32;
            low - 1e-2 <= x && x <= high + 1e-2 && (f64::from(p.at(x).y) - y).abs() < 1e-2
        });
        on.map(|p| p.id).collect::<Vec<_>>()
    };
    let columns = (level.bounds.max.x / STRIDE) as u32;
    let x = |c: u32| 0.1 + f64::from(c) * STRIDE;
    // Just beside a steep slope a body may stand a step away from the flat.
    let gentle = |x: f64, y: f64| {
        [-0.01, 0.01].iter().all(|aside| {
            let beside = stands(drawn, x + aside, body);
            let near = |b: &f64| (b - y).abs() <= slope * 0.01 + 1e-9;
            beside.iter().any(near)
        })
    };
    let mut here = stands(drawn, x(0), body);
    for c in 1..columns {
        let there = stands(drawn, x(c), body);
        let from = |a: f64, list: &[f64]| {
            let near = |b: &f64| (a - b).abs() <= slope * STRIDE;
            let mut reached = list.iter().copied().filter(near);
            reached.next().filter(|_| reached.next().is_none())
        };
        for &a in &here {
            let Some(b) = from(a, &there).filter(|b| from(*b, &here).is_some()) else {
                continue;
            };
            let inside = (1.0..level.bounds.max.y).contains(&a.min(b));
            if !inside || !gentle(x(c - 1), a) || !gentle(x(c), b) {
                continue;
            }
            let (left, right) = (platforms(x(c - 1), a), platforms(x(c), b));
            if left.iter().any(|id| right.contains(id)) {
                continue;
            }
            let (p, q) = (DVec2::new(x(c - 1), a), DVec2::new(x(c), b));
            // Carried and free all the way, without sinking through a top.
            let on = |i: u32| p.lerp(q, f64::from(i) / 2048.0);
            let fine = (0..2048).all(|i| {
                let (p, q) = (on(i), on(i + 1));
                let mut heights = stands(drawn, p.x, body).into_iter();
                heights.any(|y| (y - p.y).abs() < 1e-2)
                    && !drawn.blocked(p, body, 1e-6)
                    && !drawn.sinks(p, q, body, 1e-9)
                    && !drawn.sinks(q, p, body, 1e-9)
            });
            if fine {
                wrong.push(format!("{left:?} {a} to {right:?} {b} at {}", x(c)));
            }
        }
        here = there;
    }
    wrong
}

proptest! {
    #![proptest_config(random_cases::cases(40))]

    #[test]
    fn what_can_be_walked_is_a_platform(seed in any::<u64>()) {
        let level = crossed_hills(&mut Random(seed));
        let (mesh, drawn) = (mesh(&level), Drawn::new(&level));
        let wrong = stumbles(&drawn, &mesh.layers()[0]);
        prop_assert!(wrong.is_empty(), "{wrong:#?}");
        let wrong = breaks(&drawn, &mesh.layers()[0], &level);
        prop_assert!(wrong.is_empty(), "{wrong:#?}");
        let [ground, air] = mesh.layers() else { unreachable!("two agents") };
        let surfaces = |layer: &Layer| -> Vec<_> {
            layer.platforms().map(|p| p.surface.to_vec()).collect()
        };
        prop_assert_eq!(surfaces(ground), surfaces(air));
        prop_assert_eq!(on_floor(ground), on_floor(air));
        prop_assert!(air.links().is_empty());
    }
}
