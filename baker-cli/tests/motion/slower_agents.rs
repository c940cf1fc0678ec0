//! Agents that are slower than the agent of their layer: they stay out of
//! geometry on the trajectories that they find for themselves, and keep nearly
//! all ways that a bake for their own speed would have.

use crate::common;
use crate::random_cases;

use common::baked_level::{Random, crossed_hills};
use common::drawn::Drawn;
use common::fixtures::fixture;
use common::{Geometry, draw, replay::body_of, tiles};
use navmesh_bake::Level;
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, Layer, Link, NavMesh};
use navmesh_runtime::motion::Airborne;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};
use proptest::test_runner::TestRunner;

struct Case {
    name: String,
    level: Level,
    world: Box<dyn Geometry>,
}

impl Case {
    fn drawn(name: String, level: Level) -> Self {
        let world = Box::new(Drawn::new(&level));
        Self { name, level, world }
    }
}

/// Fixtures, random hills and random tiles.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for name in ["ledges.tmx", "arena.tmx", "rooms.tmx", "organic.png"] {
        cases.push(Case::drawn(name.to_owned(), fixture(name)));
    }
    let mut random = Random(5 + random_cases::offset());
    let mut runner = TestRunner::deterministic();
    for i in 0..random_cases::times(4) {
        cases.push(Case::drawn(
            format!("hills {i}"),
            crossed_hills(&mut random),
        ));
        let tiles = draw(&mut runner, &tiles(16..30, 10..18, 16));
        cases.push(Case {
            name: format!("tiles {i}"),
            level: tiles.level(),
            world: Box::new(tiles),
        });
    }
    cases
}

fn baked(level: &Level, share: f32) -> NavMesh {
    let mut agent = AgentProfile::ground("agent", 16.0);
    agent.run_speed *= share;
    bake(level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap()
}

/// For each ordered pair of platforms, whether an agent finds a path from the
/// middle of one to the middle of the other.
fn ways(layer: &Layer, profile: &AgentProfile) -> Vec<bool> {
    let mut finder = PathFinder::new();
    let platforms = layer.platforms();
    let middles: Vec<_> = platforms
        .map(|p| p.at(f32::midpoint(p.extent().0, p.extent().1)))
        .collect();
    let mut found = Vec::new();
    for from in &middles {
        for to in &middles {
            let mut query = Query::new(*from, *to);
            query.profile = Some(profile.clone());
            query.filter.replace_jumps = true;
            let outcome = finder.find(layer, &query).unwrap();
            found.push(matches!(outcome, PathOutcome::Found(_)));
        }
    }
    found
}

#[test]
fn slower_agents_keep_the_ways_of_a_bake_for_their_speed() {
    const SHARE: f32 = 0.8;
    let (mut own, mut kept, mut other_ends, mut unproven) = (0, 0, 0, 0);
    for case in cases() {
        let (full, slow) = (baked(&case.level, 1.0), baked(&case.level, SHARE));
        let (full, slow) = (&full.layers()[0], &slow.layers()[0]);
        assert_eq!(full.platforms().len(), slow.platforms().len());
        let profile = slow.profile();
        let (all, found) = (ways(slow, profile), ways(full, profile));
        // A level of slopes and bumps, tight in many places.
        if case.name == "organic.png" {
            let kept = all.iter().zip(&found).filter(|(own, kept)| own == kept);
            assert!(kept.count() * 100 >= all.len() * 93, "{found:?}");
        }
        own += all.iter().filter(|way| **way).count();
        kept += all.iter().zip(&found).filter(|(a, b)| **a && **b).count();
        // Why ways are missing: a bake for the speed has a link where the layer has
        // none from the same take-off to the same landing, or what the layer knows
        // does not prove that the slower motion is free.
        let count = full.platforms().len();
        for link in slow.links() {
            let (from, to) = (link.from_platform.0 as usize, link.to_platform.0 as usize);
            if found[from * count + to] {
                continue;
            }
            let ends = |l: &Link| (l.from_platform, l.from, l.to);
            let same = full.links().iter().find(|l| ends(l) == ends(link));
            let is_kept = same.is_some_and(|l| Airborne::along(l, full, profile).is_some());
            assert!(!is_kept, "{}: a link without a path: {link:?}", case.name);
            unproven += u32::from(same.is_some());
            other_ends += u32::from(same.is_none());
        }
    }
    println!(
        "kept {kept} of {own} ways; links that are missing: {other_ends} with other ends, \
         {unproven} that are not proved to be free"
    );
    assert!(
        own > random_cases::share(800) && kept * 100 >= own * 94,
        "{kept} of {own}"
    );
}

#[test]
fn slower_agents_stay_out_of_geometry() {
    let mut changed = 0;
    for case in cases() {
        let mesh = baked(&case.level, 1.0);
        let layer = &mesh.layers()[0];
        let body = body_of(layer.profile());
        for share in [0.97, 0.9, 0.8, 0.6, 0.4] {
            let mut profile = layer.profile().clone();
            profile.run_speed *= share;
            for link in layer.links().iter().filter(|l| l.kind.is_airborne()) {
                let Some(mut way) = Airborne::along(link, layer, &profile) else {
                    continue;
                };
                changed += u32::from((way.duration() - f64::from(link.duration)).abs() > 1e-4);
                let dt = way.duration() / 400.0;
                while way.advance(dt).is_none() {
                    let at = way.position();
                    assert!(
                        !case.world.blocked(at.as_dvec2(), body, 2e-3),
                        "{} at {share}: {at} on {link:?}",
                        case.name
                    );
                }
            }
        }
    }
    assert!(changed as usize > random_cases::share(600), "{changed}");
}
